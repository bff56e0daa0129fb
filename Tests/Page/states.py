"""Accessibility of every state and dialog, at four widths, in light and dark."""

from selenium.webdriver.common.keys import Keys

import axe
from browser import PageCase

COLORS = (("Chalk", "#fbf7ef"), ("Night", "#13202b"), ("Buoy", "#e4572e"), ("Deep", "#17669c80"))


class States(PageCase):
    def page(self, *colors):
        self.serve(*(colors or COLORS))
        page = self.browser(width=1280)
        page.shows((colors or COLORS)[0][0])
        return page

    def check(self, page, state):
        with self.subTest(state):
            self.assertEqual(axe.everywhere(page), [])

    def escape(self, page):
        page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        page.wait(lambda: not page.driver.find_elements("css selector", "dialog[open]"), "no dialog")

    def test_layouts_and_the_picker(self):
        page = self.page()
        page.select("Buoy")
        for layout in ("Grid", "List", "Strips"):
            page.driver.execute_script("document.querySelector(`[data-layout=${arguments[0]}]`).click()", layout.lower())
            self.check(page, layout)
        for space in ("HSB", "RGB"):
            page.one("tab", space).click()
            self.check(page, space)

    def test_what_stands_beside_the_grid(self):
        page = self.page()
        page.driver.execute_script("document.getElementById('in-use').click()")
        for tab in ("Preview", "Contrast", "Color vision"):
            page.one("tab", tab).click()
            self.check(page, tab)
        page.driver.execute_script("document.getElementById('history').click()")
        page.one("button", part="added Buoy").send_keys(Keys.ENTER)
        page.lacks("Deep")
        self.check(page, "history")

    def test_dialogs_of_a_palette(self):
        page = self.page()
        page.select("Night")
        for command in ("export", "share", "note", "dropped-palettes", "Rename palette", "Delete palette"):
            if command[0].isupper():
                page.menu(command)
            else:
                page.driver.execute_script("document.querySelector(`[data-command=${arguments[0]}]`).click()", command)
            page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), f"the dialog of {command}")
            self.check(page, command)
            self.escape(page)

    def test_first_minute(self):
        self.serve(palette=None)
        page = self.browser(palette=None, width=1280)
        page.one("button", part="From one color")
        self.check(page, "no palette")
        for start in ("From one color", "Paste a list"):
            page.one("button", part=start).click()
            page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), start)
            self.check(page, start)
            self.escape(page)

    def test_without_access(self):
        self.serve(*COLORS)
        page = self.browser(f"http://127.0.0.1:{self.node.port}/", palette=None, width=1280)
        page.one("textbox", part="join")
        self.check(page, "locked")
