"""A day with the files of somebody: a site, tokens, schemes and palettes, linked and edited from both sides.

Other programs judge what comes of it: node, and Python's readers of JSON and of configurations."""

import configparser
import json
import re
import shutil
import subprocess
import time
import unittest

from cases import Case
from processes import CommandFailed, wait_for
from running import sized

FILES = {
    'tailwind.config.js': """/** @type {import('tailwindcss').Config} */
const plugin = require('tailwindcss/plugin')

module.exports = {
  content: ['./src/**/*.{html,js}'],
  theme: {
    extend: {
      colors: {
        // Brand colors, see the style guide
        brand: {
          DEFAULT: '#0b7285',
          light: '#66d9e8',
          dark: '#0b4f5c', // used for headings
        },
        ink: '#1a1b1e',
        'off-white': '#f8f9fa',
      },
      borderColor: ({ theme }) => ({
        DEFAULT: theme('colors.ink', 'currentColor'),
        accent: theme('colors.brand.light'),
      }),
    },
  },
  plugins: [
    plugin(({ addUtilities, theme }) => {
      addUtilities({ '.rule': { border: `1px solid ${theme('colors.brand.dark')}` } })
    }),
  ],
}
""",
    'color.tokens.json': """{
  "$schema": "https://www.designtokens.org/schemas/2025.10/format.json",
  "color": {
    "$type": "color",
    "base": {
      "teal": {
        "500": {
          "$value": { "colorSpace": "srgb", "components": [0.043, 0.447, 0.522], "hex": "#0b7285" },
          "$description": "The brand"
        },
        "700": { "$value": { "colorSpace": "srgb", "components": [0.043, 0.31, 0.361], "hex": "#0b4f5c" } }
      },
      "ink": { "$value": { "colorSpace": "srgb", "components": [0.102, 0.106, 0.118] } }
    },
    "text": {
      "default": { "$value": "{color.base.ink}" },
      "link": {
        "$value": "{color.base.teal.500}",
        "$extensions": { "com.figma": { "variableId": "VariableID:1:42" } }
      }
    }
  },
  "border": {
    "focus": {
      "$type": "border",
      "$value": { "color": "{color.base.teal.500}", "width": { "value": 2, "unit": "px" }, "style": "solid" }
    }
  },
  "space": { "$type": "dimension", "sm": { "$value": { "value": 8, "unit": "px" } } }
}
""",
    'sd.json': """{
  "color": {
    "brand": {
      "primary": { "value": "#0B7285", "comment": "from the guide" },
      "secondary": { "value": "#66D9E8" }
    },
    "font": {
      "base": { "value": "{color.brand.primary.value}" }
    }
  },
  "size": {
    "font": { "small": { "value": "12px" } }
  }
}
""",
    'Coast.colors': """[ColorEffects:Disabled]
Color=56,56,56
ColorAmount=0

[Colors:View]
BackgroundNormal=252,252,252
ForegroundNormal=26,27,30
DecorationFocus=11,114,133

[Colors:Button]
BackgroundNormal=239,240,241

[General]
ColorScheme=Coast
Name=Coast
""",
    'coast.gpl': """GIMP Palette
Name: Coast
Columns: 4
# made in GIMP
 11 114 133	teal
102 217 232	foam
# text
 26  27  30	ink
""",
    '_colors.scss': """@use "sass:map";

// Brand
$teal: #0b7285 !default;
$foam: #66d9e8;
$accent: $teal; // one place to change it

$greys: (
  100: #f8f9fa,
  900: #1a1b1e,
) !default;

@function grey($step) {
  @return map.get($greys, $step);
}

.card {
  color: map.get($greys, 900);
  border-color: rgba($teal, 0.4);
}
""",
    'site.css': """/* The site */
:root {
  --teal: #0b7285;
  --foam: rgb(102 217 232);
  --accent: var(--teal);
  --radius: 4px;
}

@media (prefers-color-scheme: dark) {
  :root {
    --teal: #3bc9db;
  }
}

a { color: var(--teal, #0b7285); }
""",
}

FLAT = """
    const config = require(process.argv[1]);
    const flat = (node, path) => Object.entries(node).flatMap(([key, value]) => typeof value === 'string'
        ? [[[...path, key].filter((part) => part !== 'DEFAULT').join('/'), value]] : flat(value, [...path, key]));
    const { colors, borderColor } = config.theme.extend;
    const paths = [];
    borderColor({ theme: (path) => paths.push(path) });
    config.plugins[0]({ addUtilities: () => {}, theme: (path) => paths.push(path) });
    console.log(JSON.stringify([flat(colors, []), paths]));
    """


def without_doubles(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), f"a key is there twice: {pairs}"
    return dict(pairs)


def tokens(text):
    """The tokens that are colors, and whatever an alias of them names."""
    document = json.loads(text, object_pairs_hook=without_doubles)
    found, aliases = {}, []

    def walk(node, path, kind):
        kind = node.get("$type", kind)
        for key in ("$value", "value"):
            if key in node and not (isinstance(node[key], dict) and "value" in node[key]):
                aliases.extend(re.findall(r"{([\w.-]+)}", json.dumps(node[key])[1:-1]))
                if kind == "color" or key == "value" and str(node[key])[0] in "#{":
                    found["/".join(path)] = node[key]
                return
        for key, inner in node.items():
            if isinstance(inner, dict) and not key.startswith("$"):
                walk(inner, [*path, key], kind)
    walk(document, [], None)
    for alias in aliases:
        assert alias.removesuffix(".value").replace(".", "/") in found, f"nothing is called {alias}: {text}"
    return set(found)


class Owned(Case):
    """Files that belong to somebody stay as a careful person would have them."""

    def names(self, path):
        """The names in a file, by a program that is no part of this one; None where there is none."""
        text = path.read_text()
        if path.suffix == ".json":
            return tokens(text)
        if path.suffix == ".colors":
            configparser.ConfigParser(strict=True).read_string(text)
        if path.suffix == ".js" and shutil.which("node"):
            plugin = path.parent / "node_modules/tailwindcss"
            plugin.mkdir(parents=True, exist_ok=True)
            (plugin / "plugin.js").write_text("module.exports = (use) => use;\n")
            done = subprocess.run(["node", "-e", FLAT, path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{text}\n{done.stderr}")
            colors, paths = json.loads(done.stdout)
            known = {"colors." + name.replace("/", ".") for name, _ in colors}
            self.assertLessEqual({each for each in paths if each.startswith("colors.")}, known, text)
            return {name for name, _ in colors}
        if path.suffix in (".css", ".scss"):
            self.assertEqual(text.count("{"), text.count("}"), text)
            used = set(re.findall(r"(?<!\w)(?:--|\$)[\w-]+(?!\s*,|[\w-])", re.sub(r"/\*.*?\*/|//[^\n]*", "", text)))
            declared = set(re.findall(r"((?:--|\$)[\w-]+)\s*:", text)) | {"$step"}
            self.assertLessEqual(used, declared, text)
        return None

    def settled(self, home, palette):
        """The link of a palette once nothing is on its way."""
        def look():
            link = next(link for link in home.hued("links")["links"] if link["name"] == palette)
            return link["settled"] and link
        time.sleep(0.1)
        return wait_for(look, what=f"the link of {palette} to rest")

    def edit(self, home, palette, number):
        colors = [color["id"] for color in home.hued("list", palette)["colors"]]
        color = self.random.choice(colors)
        groups = [color["name"].rpartition("/")[0] for color in home.hued("list", palette)["colors"]]
        group = self.random.choice(groups)
        name = f"{group}/n{number}" if group and self.random.random() < 0.7 else f"n{number}"
        value = "#%06x" % self.random.randrange(1 << 24)
        choices = [["set", palette, color, value], ["add", palette, value, name], ["rename", palette, color, name],
                   ["move", palette, color, "--at", self.random.randrange(len(colors))],
                   ["add", palette, value, f"new{number % 3}/a{number}"]]
        if len(colors) > 1:
            choices.append(["remove", palette, color])
        home.hued(*self.random.choice(choices))

    def save(self, path):
        """Somebody changes one color in the file."""
        text = path.read_text()
        found = list(re.finditer(r"#[0-9a-fA-F]{6}\b", text))
        if found:
            place = self.random.choice(found)
            path.write_text(text[:place.start()] + "#%06x" % self.random.randrange(1 << 24) + text[place.end():])

    def test_a_day(self):
        home = self.home()
        folder = home.folder.parent / f"{home.folder.name}-repository"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.node(home)
        for name, text in FILES.items():
            path, palette = folder / name, name.partition(".")[0]
            path.write_text(text)
            home.hued("link", path, palette)
            count, saves = 0, self.random.random() < 0.5
            for number in range(sized(6, 80)):
                before = home.hued("list", palette)["palette"]["digest"]
                if saves and number % 5 == 4 and "hex" not in text:
                    self.save(path)
                else:
                    self.edit(home, palette, number)
                link = self.settled(home, palette)
                count += home.hued("list", palette)["palette"]["digest"] != before
                names = self.names(path)
                if names is not None and link["state"] == "live" and not link["notes"]:
                    self.assertEqual(names, home.names(palette), path.read_text())
            for _ in range(count):
                home.hued("undo", palette)
                self.settled(home, palette)
            # Of what somebody saved in between, the places are his.
            if not saves:
                self.assertEqual(path.read_text(), text)
            self.assertEqual(self.settled(home, palette)["state"], "live")
            self.assertEqual(link["format"], self.settled(home, palette)["format"])
