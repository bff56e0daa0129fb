"""Accessibility, a first visit, and long palettes."""


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
            self.assertEqual(page.driver.execute_script(CUT_OFF), [], width)
            self.assertTrue(page.one("combobox", "Color vision").is_displayed())

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
