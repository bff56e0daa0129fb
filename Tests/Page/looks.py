"""Accessibility, a first visit, and long palettes."""

from selenium.webdriver.common.keys import Keys

import axe
from browser import PageCase

NODES = """
let count = 0;
const visit = (root) => {
  for (const element of root.querySelectorAll("*")) {
    count += 1;
    if (element.shadowRoot) visit(element.shadowRoot);
  }
};
visit(document);
return count;
"""

# The controls above the grid that stand beyond an edge of the page, or of what they scroll in.
CUT_OFF = """
return [...document.querySelectorAll("main .title *, main .tools *")].filter((control) => {
  if (!control.matches("button, select, input, h2") || !control.checkVisibility()) return false;
  const { left, right } = control.getBoundingClientRect();
  const room = control.parentElement.getBoundingClientRect();
  return left < Math.max(0, room.left) - 1 || right > Math.min(innerWidth, room.right) + 1;
}).map((control) => control.textContent || control.ariaLabel);
"""

# The controls of the page whose text is cut off or stands in several lines, and those of a row that wrap.
CLIPPED = """
const isWrapped = (control) => {
  const range = document.createRange();
  range.selectNodeContents(control);
  return new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom / 8))).size > 2;
};
const needs = (control) => {
  if (control.localName !== "select") return control.scrollWidth - 1;
  const copy = control.cloneNode(true);
  copy.style.cssText = "position: absolute; flex: none; width: max-content; min-width: 0; visibility: hidden";
  control.after(copy);
  const width = copy.offsetWidth - (control.offsetWidth - control.clientWidth) - 1;
  copy.remove();
  return width;
};
const shown = [...document.querySelectorAll(".top button, .title button, .tools :is(button, select), .actions button")]
  .filter((control) => control.checkVisibility());
const rows = [...document.querySelectorAll(".actions")].filter((row) => row.checkVisibility() &&
  new Set([...row.children].filter((one) => one.checkVisibility()).map((one) => Math.round(one.getBoundingClientRect().top))).size > 1);
return [...shown.filter((one) => needs(one) > one.clientWidth || isWrapped(one)), ...rows]
  .map((one) => `${one.ariaLabel || one.textContent} ${needs(one)} of ${one.clientWidth}`);
"""

SCROLL = """
for (let element = arguments[0]; element; element = element.parentElement ?? element.getRootNode().host) {
  element.scrollTop = element.scrollHeight;
}
"""


class Looks(PageCase):
    def test_axe_finds_nothing_in_light_and_dark(self):
        self.serve(("Ripe", "tomato"), ("Night", "#0a0a14"), ("Paper", "#fffdf5"))
        page = self.browser()
        page.shows("Ripe", "Night", "Paper")
        for scheme in ("light", "dark"):
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme},
                             {"name": "prefers-reduced-motion", "value": "reduce"}]})
            page.select("Ripe")
            self.assertEqual(axe.violations(page), [], scheme)

    def test_axe_finds_nothing_on_a_phone(self):
        self.serve(("Ripe", "tomato"), ("Night", "#0a0a14"))
        page = self.browser()
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        page.shows("Ripe", "Night")
        self.assertEqual(axe.violations(page), [])
        overflow = page.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(overflow, 0, "the page is wider than the phone")

    def test_every_control_of_a_palette_is_in_view_on_a_phone(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        for width in (360, 390, 430):
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 844, "deviceScaleFactor": 2, "mobile": True})
            page.shows("Ripe")
            # The page may not have been laid out anew yet.
            page.wait(lambda: page.driver.execute_script(CUT_OFF) == [], f"every control in view at {width}")
            self.assertTrue(page.one("combobox", "Color vision").is_displayed())

    def test_no_text_of_a_control_is_cut_off_or_wrapped(self):
        self.serve(("Ripe", "tomato"), ("Night", "#0a0a14"))
        page = self.browser(width=1280)
        page.shows("Ripe")
        for width in (1920, 1280, 1024, 768, 430, 390, 360):
            axe.resize(page, width)
            page.shows("Ripe")
            self.assertEqual(page.driver.execute_script(CLIPPED), [], width)
            page.select("Ripe")
            page.one("button", "Save as new") if width > 700 else page.one("button", "Close editor")
            self.assertEqual(page.driver.execute_script(CLIPPED), [], f"{width}, a color selected")
            page.keys(Keys.ESCAPE)

    def test_colors_are_seen_in_high_contrast(self):
        self.serve(("Ripe", "#ff6347"))
        page = self.browser()
        page.select("Ripe")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
        painted = "return [...document.querySelectorAll('.area, .stripe')].map((one) => getComputedStyle(one).backgroundColor)"
        page.wait(lambda: set(page.driver.execute_script(painted)) == {"rgb(255, 99, 71)"}, "the color")
        tracks = "return [...document.querySelectorAll('color-slider input[type=range]')].map((one) => getComputedStyle(one).forcedColorAdjust)"
        self.assertEqual(set(page.driver.execute_script(tracks)), {"none"})

    def test_what_the_page_needs_first_is_light(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        page.shows("Ripe")
        sizes = page.driver.execute_script("""
            const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
            const sum = (part) => all.reduce((size, one) => size + one[part], 0);
            return [sum("decodedBodySize"), sum("encodedBodySize")];""")
        self.assertLess(sizes[0], 200 * 1024)
        self.assertLess(sizes[1], 75 * 1024)

    def test_what_the_page_needs_first_comes_in_few_files(self):
        # A browser fetches six at a time.
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        page.shows("Ripe")
        page.select("Ripe")
        page.menu("Keys")
        page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), "what comes later")
        scripts = page.driver.execute_script("""
            const last = performance.getEntriesByName("first-contentful-paint")[0].startTime;
            return performance.getEntriesByType("resource").filter(({ name, startTime }) => name.endsWith(".js") && startTime < last).map(({ name }) => name.split("/").pop());""")
        self.assertEqual([name for name in scripts if name != "sw.js"], ["page.js"])

    def test_an_empty_library_says_what_to_do(self):
        self.serve(palette=None)
        page = self.browser(palette=None)
        page.one("button", part="new")
        page.one("any", part="import")
        page.one("textbox", part="join")
        self.assertEqual(axe.violations(page), [])

    def test_of_20000_colors_few_are_in_the_document(self):
        self.serve_long("Long", 20_000, step=800)
        page = self.browser(palette="Long")
        page.shows("color-0")
        self.assertLess(page.driver.execute_script(NODES), 5_000)
        # A list that is drawn in parts learns its height as it goes.
        def scrolled():
            page.driver.execute_script(SCROLL, page.all("gridcell")[0])
            return page.all("gridcell", part="color-19999")
        page.wait(scrolled, "the last color")
        self.assertLess(page.driver.execute_script(NODES), 5_000)
