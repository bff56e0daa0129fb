"""The page reckons colors by itself: it must come to what the engine comes to."""

import json
import subprocess
import unittest
from pathlib import Path

from processes import Home

MODULES = Path(__file__).resolve().parents[2] / "Sources/CWebPage/files"
COLORS = ["#ff0000", "#00ff00", "#0000ff", "#ffffff", "#000000", "#808080", "#e4572e", "#17669c", "#f2b134", "#8e5572", "#012345", "#fedcba"]
WIDE = ["oklch(70% 0.3 30)", "oklch(50% 0.35 264)", "oklch(90% 0.3 145)", "oklch(20% 0.2 20)", "oklch(65% 0.25 200)"]


def reckon(module, expression, *values):
    """What a function of a module of the page makes of each value."""
    script = f"import * as page from {json.dumps(str(MODULES / module))};\n" \
             f"import * as color from {json.dumps(str(MODULES / 'color.js'))};\n" \
             f"const rgb = (text) => color.parseColor(text).rgb;\n" \
             f"console.log(JSON.stringify({json.dumps(values)}.map((value) => {expression})));"
    done = subprocess.run(["node", "--input-type=module", "--eval", script], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def channels(hex):
    return list(bytes.fromhex(hex[1:7]))


class Engine(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.remove)

    def assert_near(self, actual, expected, what, delta=1):
        for one, other in zip(channels(actual), channels(expected), strict=True):
            self.assertLessEqual(abs(one - other), delta, f"{what}: {actual} is not {expected}")

    def test_contrast(self):
        for ground in COLORS[:6]:
            ratios = reckon("apca.js", f"page.ratio(page.measure(value), page.measure({ground!r}))", *COLORS)
            for color, ratio in zip(COLORS, ratios):
                self.assertAlmostEqual(ratio, self.home.hued("contrast", color, ground)["ratio"], delta=0.001)

    def test_color_vision(self):
        for kind in ("protan", "deutan", "tritan", "achroma"):
            for color, seen in zip(COLORS, reckon("vision.js", f"page.simulate(value, {kind!r})", *COLORS)):
                self.assert_near(seen, self.home.hued("simulate", color, "--deficiency", kind)["colors"][0]["hex"], f"{kind} {color}", 0)

    def test_harmonies(self):
        for kind in ("Complementary", "Triad", "Tetrad", "Analogous", "Split"):
            for color, made in zip(COLORS, reckon("harmony.js", f"page.harmony(rgb(value), {kind!r}, 9)", *COLORS)):
                expected = self.home.hued("harmony", color, "--kind", kind.lower())["colors"]
                self.assertEqual(len(made), len(expected))
                for one, other in zip(made, expected):
                    self.assert_near(one, other["hex"], f"{kind} of {color}")

    def test_gamut_mapping(self):
        for color, hex in zip(WIDE, reckon("color.js", "color.toHex(page.mapToSRGB(rgb(value)))", *WIDE)):
            self.assert_near(hex, self.home.hued("color", color)["hex"], color)
