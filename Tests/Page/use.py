"""The palette in use: things painted with it, the contrast of all pairs, and how others see it."""

import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import axe
from browser import PATIENCE, PageCase

HARBOR = (("Chalk", "#fbf7ef"), ("Night", "#13202b"), ("Buoy", "#e4572e"), ("Deep", "#17669c"))

# A color of a painted thing as the browser has it.
PAINT = "const part = document.querySelector(arguments[0]); return part && getComputedStyle(part).backgroundColor"

# Moves a slider 20 times, and lets the page draw each.
MOVES = """
const [done] = arguments;
const slider = document.querySelector("input[type=range][aria-label=Lightness]");
const move = (step) => {
  slider.value = 30 + step;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => (step < 20 ? move(step + 1) : done())));
};
move(1);
"""


class InUse(PageCase):
    def page(self, *colors, **how):
        self.serve(*(colors or HARBOR))
        page = self.browser(**how)
        page.shows((colors or HARBOR)[0][0])
        page.press("In use")
        page.one("any", "Roles")
        return page

    def assert_paint(self, page, selector, color):
        page.wait(lambda: page.driver.execute_script(PAINT, selector) == color, f"{selector} in {color}")

    def test_things_are_painted_with_the_palette_and_follow_a_drag(self):
        page = self.page()
        for name in ("A web page, light", "A web page, dark", "A chart with categories", "A poster"):
            page.one("any", name)
        self.assert_paint(page, ".thing-page .thing-button", "rgb(228, 87, 46)")
        page.select("Buoy")
        page.driver.execute_script("""
            const slider = document.querySelector("input[type=range][aria-label=Green]");
            slider.value = 90;
            slider.dispatchEvent(new Event("input", { bubbles: true }));""")
        self.assert_paint(page, ".thing-page .thing-button", "rgb(228, 90, 46)")

    def test_nothing_of_a_thing_is_cut_off(self):
        page = self.page(width=1280)
        cut = """
            return [...document.querySelectorAll(".scenes :is(.thing-button, .thing-text, .thing-headline, .thing-card b > *)")].filter((part) => {
              const room = part.closest(".thing-card, .thing").getBoundingClientRect(), { right, width } = part.getBoundingClientRect();
              return width > 0 && right > room.right - 2;
            }).map((part) => part.closest(".thing").ariaLabel + ": " + (part.dataset.text ?? part.firstChild.dataset?.text));"""
        for width in (1280, 1440, 360):
            axe.resize(page, width)
            page.wait(lambda: page.driver.execute_script("return innerWidth") == width, "the width")
            page.wait(lambda: page.driver.execute_script(cut) == [], lambda: f"nothing cut off at {width}: {page.driver.execute_script(cut)}")

    def test_a_color_dragged_onto_a_thing_gets_its_role(self):
        page = self.page()
        button = page.driver.find_element("css selector", ".thing-page .thing-button")
        drag = ActionChains(page.driver).click_and_hold(page.cell("Deep")).move_by_offset(15, 15)
        drag.move_to_element(button).move_by_offset(1, 1).release().perform()
        self.assert_paint(page, ".thing-page .thing-button", "rgb(23, 102, 156)")
        self.assertEqual(self.order(), ["Chalk", "Night", "Buoy", "Deep"], "nothing has moved")
        page.reload()
        page.shows("Chalk")
        page.press("In use")
        page.one("any", "Roles")
        self.assert_paint(page, ".thing-page .thing-button", "rgb(23, 102, 156)")

    def test_a_role_is_given_by_keyboard(self):
        page = self.page()
        page.select("Deep")
        page.one("button", part="Accent").send_keys(Keys.ENTER)
        self.assert_paint(page, ".thing-page .thing-button", "rgb(23, 102, 156)")

    def test_every_cell_of_the_matrix_has_both_contrasts(self):
        page = self.page()
        page.one("tab", "Contrast").click()
        page.one("any", part="Contrast matrix")
        def said():
            return {cell.accessible_name.partition(":")[0]: cell.accessible_name
                    for cell in page.driver.find_elements("css selector", ".matrix [role=cell]")}
        page.wait(lambda: len(said()) == 16, "all pairs")
        values = dict(HARBOR)
        for pair, name in said().items():
            text, _, ground = pair.partition(" on ")
            if ground == "itself":
                continue
            ratio, lc = re.search(r": ([\d.]+) : 1, Lc (-?\d+\.\d)", name).groups()
            expected = self.home.hued("contrast", values[text], values[ground])["ratio"]
            self.assertAlmostEqual(float(ratio), expected, delta=0.011, msg=name)
            self.assertEqual(float(lc) > 0, values[ground] > values[text] or float(lc) == 0, name)
            self.assertEqual("fails" in name, expected < 4.5, name)

    def test_a_cell_selects_the_pair_and_keys_go_through_the_cells(self):
        page = self.page()
        page.one("tab", "Contrast").click()
        page.one("button", part="Chalk on Night").click()
        def selected():
            return sorted(cell.accessible_name.split(",")[0] for cell in page.all("gridcell")
                          if cell.get_attribute("aria-selected") == "true")
        page.wait(lambda: selected() == ["Chalk", "Night"], "the pair selected")
        page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        page.wait(lambda: page.driver.switch_to.active_element.accessible_name.startswith("Night on Buoy"),
                  "the next cell")
        page.keys(Keys.ENTER)
        page.wait(lambda: selected() == ["Buoy", "Night"], "the other pair selected")

    def test_the_least_contrast_decides_what_is_crossed_out(self):
        page = self.page(("Grey", "#777777"), ("White", "#ffffff"))
        page.one("tab", "Contrast").click()
        page.wait(lambda: "fails" in page.one("button", part="Grey on White").accessible_name, "4.48 fails AA")
        page.driver.execute_script("""
            const least = document.querySelector("[aria-label='Least contrast']");
            least.value = "apca-60";
            least.dispatchEvent(new Event("change"));""")
        page.wait(lambda: "fails" not in page.one("button", part="Grey on White").accessible_name, "Lc 71 passes")
        self.assertIn("2 of 2 pairs pass", page.text())

    def test_all_visions_stand_side_by_side(self):
        page = self.page()
        page.one("tab", "Color vision").click()
        page.wait(lambda: len(page.driver.find_elements("css selector", ".visions section")) == 5, "five visions")
        for kind in ("Protanopia", "Deuteranopia", "Tritanopia", "No color"):
            page.one("any", kind)
        seen = self.home.hued("simulate", "#e4572e", "--deficiency", "protan")["colors"][0]["hex"]
        wanted = "rgb({}, {}, {})".format(*bytes.fromhex(seen[1:]))
        self.assert_paint(page, "section[aria-label=Protanopia] .thing-button", wanted)

    def test_of_500_colors_few_cells_are_made_and_a_drag_stays_smooth(self):
        self.serve_long("Sea", 500, step=33000, first=77)
        page = self.browser(width=1440)
        page.shows("color-0")
        page.select("color-0")
        page.press("In use")
        # Time of the processor, which a machine that does other things does not stretch.
        page.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        # A machine that does other things draws few frames a second.
        page.driver.set_script_timeout(4 * PATIENCE)
        def spent():
            metrics = page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            return next(one["value"] for one in metrics if one["name"] == "ScriptDuration")
        for tab in ("Preview", "Contrast", "Color vision"):
            page.one("tab", tab).click()
            before = spent()
            page.driver.execute_async_script(MOVES)
            self.assertLess((spent() - before) / 20, 0.016, f"seconds of script for a move, {tab}")
        page.one("tab", "Contrast").click()
        cells = len(page.driver.find_elements("css selector", ".matrix [role=cell]"))
        self.assertTrue(0 < cells < 400, cells)
