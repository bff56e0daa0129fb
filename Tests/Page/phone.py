"""The page on a phone: the palette fills the screen, the editor comes from below, the palettes from the side."""

from selenium.webdriver.common.keys import Keys

import axe
from browser import PageCase

# Controls that a finger misses: those that can be seen and are under 44 px. A card's own are as high as a line.
SMALL = """
const room = document.querySelector("dialog[open]") ?? document.querySelector("[role=menu]") ??
  (document.body.classList.contains("drawn") ? document.getElementById("library") : document.body);
return [...room.querySelectorAll("button, select, input, summary, a[href]")].filter((one) => {
  if (!one.checkVisibility({ visibilityProperty: true }) || one.closest("[role=gridcell], .toast, .unseen")) return false;
  const { width, height } = one.getBoundingClientRect();
  return height > 0 && (height < 43.5 || width < 43.5);
}).map((one) => `${one.ariaLabel || one.textContent || one.id} ${Math.round(one.getBoundingClientRect().width)} x ${Math.round(one.getBoundingClientRect().height)}`);
"""

# What scrolls up and down, apart from the grid.
SCROLLS = """
return [...document.querySelectorAll("html, body, main, main *")].filter((one) => one.checkVisibility() && one.localName !== "color-grid" &&
  one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)).map((one) => one.id || one.className || one.localName);
"""

COLORS = (("Paper", "#fbf7ef"), ("Ink", "#13202b"), ("Buoy", "#e4572e"), ("Deep", "#17669c"))


class Phone(PageCase):
    def page(self, width=360, colors=COLORS):
        self.home.hued("new", "Wood")
        self.serve(*colors)
        page = self.browser(width=1200)
        axe.resize(page, width, height=780)
        page.one("button", "Palettes")
        page.shows(colors[0][0])
        return page

    def box(self, page, selector):
        return page.driver.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)

    def assert_fits(self, page, state):
        self.assertEqual(page.driver.execute_script(SMALL), [], state)
        self.assertEqual(page.driver.execute_script(axe.OVERFLOW), [], state)

    def has_sheet(self, page):
        return page.driver.execute_script("return document.getElementById('editor').checkVisibility()")

    def test_the_palette_fills_the_screen_in_one_scroll(self):
        for width in (360, 430):
            page = self.page(width) if not self.node else page
            axe.resize(page, width, height=780)
            box = self.box(page, "color-grid")
            self.assertLess(box["top"], 170)
            self.assertGreater(box["height"], 500)
            self.assertEqual(page.driver.execute_script(SCROLLS), [])
            self.assert_fits(page, "palette")

    def test_lying_down_it_shows_the_colors_beside_the_sheet(self):
        page = self.page()
        for width, height in ((667, 375), (640, 400)):
            axe.resize(page, width, height=height)
            page.select("Ink")
            grid, sheet = self.box(page, "color-grid"), self.box(page, "#editor")
            self.assertLessEqual(grid["right"], sheet["left"] + 1)
            self.assertGreater(grid["height"], 150)
            self.assertGreater(sheet["height"], 300)
            self.assert_fits(page, f"{width} x {height}")
        page.one("button", "Close editor").click()
        self.assertGreater(self.box(page, "color-grid")["width"], 600)

    def test_a_touch_opens_the_sheet_and_leaves_the_color_in_view(self):
        page = self.page(colors=[(f"Color {number}", f"#1122{number:02x}") for number in range(60)])
        self.assertFalse(self.has_sheet(page))
        page.select("Color 7")
        page.wait(lambda: self.has_sheet(page), "the editor")
        page.wait(lambda: "Editing Color 7" in page.text(), "what is edited")
        sheet = self.box(page, "#editor")
        def in_view():
            box = page.cell("Color 7,").rect
            return box["y"] > 100 and box["y"] + box["height"] <= sheet["top"] + 1
        page.wait(in_view, "the color above the sheet")
        self.assert_fits(page, "sheet")
        page.enter("textbox", "Hex", "#663399")
        self.eventually(lambda: self.hexes()["Color 7"] == "#663399", "the edit")
        page.press("Close editor")
        page.wait(lambda: not self.has_sheet(page), "the palette alone")
        self.assertEqual(page.driver.execute_script("return document.querySelectorAll('[role=gridcell][aria-selected=true]').length"), 0)

    def test_a_color_is_added_at_the_thumb_and_taken_back(self):
        page = self.page()
        page.press("New color")
        page.wait(lambda: self.has_sheet(page), "the editor")
        focused = lambda: page.driver.switch_to.active_element.accessible_name
        page.wait(lambda: focused() == "Close editor", "the focus in the sheet")
        page.driver.switch_to.active_element.send_keys(Keys.ENTER)
        page.wait(lambda: focused() == "New color", "the focus where the sheet is opened")
        page.press("New color")
        page.wait(lambda: self.has_sheet(page), "the editor")
        page.enter("textbox", "Hex", "#663399")
        page.press("Save")
        self.eventually(lambda: self.order()[0] == "#663399", "the new color")
        page.press("Undo")
        self.eventually(lambda: self.order()[0] == "Paper", "it is gone")

    def test_palettes_are_a_drawer(self):
        page = self.page()
        self.assertEqual(page.all("button", part="Wood"), [])
        page.press("Palettes")
        page.wait(lambda: "Sea" in page.driver.switch_to.active_element.accessible_name, "the focus at the palette in view")
        page.wait(lambda: self.box(page, "#library")["left"] == 0, "the drawer")
        self.assert_fits(page, "drawer")
        page.one("textbox", part="You")
        page.keys(Keys.ESCAPE)
        page.wait(lambda: page.all("button", part="Wood") == [], "no drawer")
        page.press("Palettes")
        page.one("button", part="Wood").click()
        page.wait(lambda: "An empty palette" in page.text(), "the other palette")
        page.wait(lambda: page.all("button", part="Wood") == [], "no drawer any more")
        self.assert_fits(page, "empty")

    def test_keys_that_leave_the_drawer_close_it(self):
        page = self.page()
        page.press("Palettes")
        page.wait(lambda: self.box(page, "#library")["left"] == 0, "the drawer")
        inside = "return document.getElementById('library').contains(document.activeElement)"
        self.assertTrue(page.driver.execute_script(inside))
        for _ in range(30):
            page.keys(Keys.TAB)
            if not page.driver.execute_script(inside):
                break
        self.assertFalse(page.driver.execute_script("return document.body.classList.contains('drawn')"))

    def test_dialogs_and_what_stands_beside_the_grid_fit(self):
        page = self.page()
        page.select("Buoy")
        for command in ("export", "share", "note"):
            page.driver.execute_script("document.querySelector(`[data-command=${arguments[0]}]`).click()", command)
            page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), command)
            if command == "share":
                page.wait(lambda: "Nobody" in page.text() or page.all("button", part="Revoke"), "who has access")
            self.assert_fits(page, command)
            page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
            page.wait(lambda: not page.driver.find_elements("css selector", "dialog[open]"), "no dialog")
        page.press("Close editor")
        for command, height in (("in-use", 300), ("history", 250)):
            page.driver.execute_script("document.querySelector(`[data-command=${arguments[0]}]`).click()", command)
            page.wait(lambda: page.driver.execute_script("return document.body.dataset.beside == arguments[0] && document.querySelector('.beside:not([hidden]) > section')?.getBoundingClientRect().height > arguments[1]", command, height), command)
            self.assert_fits(page, command)
        page.press("Palette menu")
        page.one("menuitem", "Import files")
        self.assert_fits(page, "menu")

    def test_a_wider_window_is_put_together_as_before(self):
        page = self.page()
        page.select("Buoy")
        axe.resize(page, 1280, height=900)
        page.wait(lambda: not page.all("button", "Palettes"), "no bar")
        page.one("textbox", part="You")
        for name in ("Undo", "Delete", "Save as new"):
            page.one("button", name)
        self.assertGreater(self.box(page, "#undo")["top"], 60)

    def test_axe_finds_nothing_with_the_sheet_and_the_drawer(self):
        page = self.page()
        page.select("Buoy")
        page.wait(lambda: self.has_sheet(page), "the editor")
        for scheme in axe.SCHEMES:
            axe.resize(page, 360, scheme, 780)
            self.assertEqual(axe.violations(page), [], f"sheet, {scheme}")
        page.press("Close editor")
        page.press("Palettes")
        for scheme in axe.SCHEMES:
            axe.resize(page, 360, scheme, 780)
            self.assertEqual(axe.violations(page), [], f"drawer, {scheme}")
