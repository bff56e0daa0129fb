"""Groups of colors, which their names make, as sections of the grid."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import axe
from browser import PageCase

COLORS = (("brand/red/500", "#e4572e"), ("Night", "#13202b"), ("ground/low", "#fbf7ef"), ("brand/red/700", "#b23c19"))

# What stands in the grid, in the order in which it is read.
READ = """
return [...document.querySelectorAll("color-grid :is(.color[data-id] [role=gridcell], .section button)")]
  .map((one) => one.ariaLabel ?? one.textContent);
"""

ROWS = "return document.querySelectorAll('color-grid [role=row]').length"


class Groups(PageCase):
    def page(self):
        self.serve(*COLORS)
        page = self.browser(width=1280)
        page.shows("brand/red/500", "Night")
        page.menu("Show groups as sections")
        page.one("button", part="brand")
        return page

    def shown(self, page):
        return [name.split(",")[0] for name in page.names()]

    def test_groups_are_sections_which_close_and_are_remembered(self):
        page = self.page()
        page.wait(lambda: self.shown(page) == ["Night", "brand/red/500", "brand/red/700", "ground/low"], "sections")
        page.wait(lambda: [text.split(",")[0] for text in page.driver.execute_script(READ)] == [
            "Night", "brand 2 colors", "brand/red/500", "brand/red/700", "ground 1 color", "ground/low"], "read in order")
        heading = page.one("button", part="brand")
        self.assertEqual(heading.get_attribute("aria-expanded"), "true")
        heading.send_keys(Keys.ENTER)
        page.lacks("brand/red/500")
        self.assertEqual(heading.get_attribute("aria-expanded"), "false")
        self.assertEqual(page.driver.switch_to.active_element, heading, "the heading keeps the focus")
        page.reload()
        page.one("button", part="brand")
        page.wait(lambda: self.shown(page) == ["Night", "ground/low"], "it is still closed")
        page.menu("Show as one list")
        page.wait(lambda: self.shown(page) == self.order(), "one list")
        self.assertEqual(len(page.driver.execute_script(READ)), 4)

    def test_a_name_stands_without_its_group_and_is_called_and_edited_whole(self):
        page = self.page()
        cell = page.cell("brand/red/500")
        self.assertEqual(cell.find_element("css selector", ".name").text, "red/500")
        page.select("brand/red/500")
        page.keys(Keys.F2)
        page.wait(lambda: page.driver.switch_to.active_element.get_property("value") == "brand/red/500", "the whole name in its field")
        page.keys(Keys.ESCAPE)
        page.menu("Show as one list")
        page.wait(lambda: page.cell("brand/red/500").find_element("css selector", ".name").text == "brand/red/500", "the whole name in one list")

    def test_few_colors_in_sections_fill_the_room(self):
        page = self.page()
        free = """
            const grid = document.getElementById("grid"), { bottom } = grid.getBoundingClientRect();
            return [grid.scrollHeight - grid.clientHeight, bottom - Math.max(...[...grid.querySelectorAll(".color[data-id]")].map((row) => row.getBoundingClientRect().bottom))];"""
        def fills():
            scrolls, below = page.driver.execute_script(free)
            return scrolls == 0 and below < 24
        page.wait(fills, "no scrolling and no room below")

    def test_keys_selection_and_search_go_through_sections(self):
        page = self.page()
        page.select("Night")
        page.keys(Keys.ARROW_DOWN, Keys.ENTER)
        page.wait(lambda: page.cell("brand/red/500").get_attribute("aria-selected") == "true", "the color below")
        page.chord(Keys.SHIFT, Keys.ARROW_RIGHT)
        page.wait(lambda: page.cell("brand/red/700").get_attribute("aria-selected") == "true", "the range")
        page.one("button", part="brand").click()
        page.wait(lambda: not page.driver.find_elements("css selector", "color-grid [aria-selected=true]"), "what is hidden is not selected")
        page.one("button", part="brand").send_keys(Keys.DELETE)
        page.one("button", part="brand").click()
        page.shows("brand/red/500", "brand/red/700")
        page.one("textbox", "Search colors").send_keys("red/7")
        page.wait(lambda: self.shown(page) == ["brand/red/700"], "what is found")
        self.assertIn("1 color", page.one("button", part="brand").text)
        self.assertEqual(len(self.colors()), 4)

    def test_a_drop_moves_the_place_and_leaves_the_name(self):
        page = self.page()
        ActionChains(page.driver).click_and_hold(page.cell("brand/red/700")).move_by_offset(-10, 0).move_to_element_with_offset(
            page.cell("brand/red/500"), -page.cell("brand/red/500").rect["width"] // 2 + 4, 0).release().perform()
        self.eventually(lambda: self.order() == ["brand/red/700", "brand/red/500", "Night", "ground/low"], "within the section")
        page.wait(lambda: self.shown(page)[1:3] == ["brand/red/700", "brand/red/500"], "the section follows")
        ActionChains(page.driver).click_and_hold(page.cell("ground/low")).move_by_offset(-10, 0).move_to_element_with_offset(
            page.cell("brand/red/700"), -page.cell("brand/red/700").rect["width"] // 2 + 4, 0).release().perform()
        self.eventually(lambda: self.order() == ["ground/low", "brand/red/700", "brand/red/500", "Night"], "elsewhere")
        page.wait(lambda: self.shown(page) == ["Night", "ground/low", "brand/red/700", "brand/red/500"], "its section, where it begins now")

    def test_the_past_stands_in_sections(self):
        page = self.page()
        page.press("History")
        page.one("button", part="added 'ground/low'").send_keys(Keys.ENTER)
        page.lacks("brand/red/700")
        page.wait(lambda: self.shown(page) == ["Night", "brand/red/500", "ground/low"], "as it was, in sections")

    def test_axe_finds_nothing(self):
        page = self.page()
        self.assertEqual(axe.everywhere(page), [])
        page.one("button", part="brand").click()
        page.lacks("brand/red/500")
        self.assertEqual(axe.everywhere(page), [], "closed")

    def test_of_20000_colors_in_sections_few_are_in_the_document(self):
        self.serve_long("Long", 20_000, step=800, name="group-{group}/color-{number}")
        page = self.browser(palette="Long")
        page.shows("color-0")
        page.menu("Show groups as sections")
        page.one("button", part="group-0")
        self.assertLess(page.driver.execute_script(ROWS), 200)
        page.cell("color-0,").click()
        page.keys(Keys.END)
        page.wait(lambda: page.all("gridcell", part="color-19999"), "the last color")
        self.assertLess(page.driver.execute_script(ROWS), 200)
