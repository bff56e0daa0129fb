"""Edits cross between a command line and two browsers, and each has its author."""

from selenium.webdriver.common.keys import Keys

from browser import PageCase


class Together(PageCase):
    def test_an_edit_on_the_command_line_appears(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        page.shows("Ripe")
        self.home.hued("add", "Sea", "#123456", "Deep")
        page.shows("Ripe", "Deep")
        self.home.hued("rename", "Sea", "Ripe", "Tomato")
        page.shows("Tomato", "Deep")
        self.home.hued("move", "Sea", "Deep", "--at", "0")
        page.shows("Deep", "Tomato")
        self.home.hued("remove", "Sea", "Tomato")
        page.lacks("Tomato")

    def test_save_appears_elsewhere_with_its_author(self):
        self.serve(("Ripe", "tomato"))
        code = self.home.hued("share", "Sea", "--role", "editor", "--name", "Bob")["link"]
        ann, bob = self.browser(), self.browser(code)
        bob.shows("Ripe")
        bob.enter("textbox", "Hex", "#1e90ff")
        bob.press("Save")
        ann.shows("#1e90ff", "Ripe")
        self.eventually(lambda: self.order()[0].lower() == "#1e90ff", "the saved color in front")
        newest = self.home.hued("history", "Sea", "--limit", "1")["changes"][0]
        self.assertEqual((newest["kind"], newest["author"]), ("add", "Bob"))
        ann.enter("textbox", "Hex", "#00aa55")
        ann.press("Save")
        bob.shows("#00aa55", "#1e90ff", "Ripe")
        newest = self.home.hued("history", "Sea", "--limit", "1")["changes"][0]
        self.assertIn("Ann", newest["author"])

    def test_a_flash_has_the_name_that_was_typed(self):
        self.serve(("Ripe", "tomato"))
        ann, bob = self.browser(), self.browser()
        for page, name in ((ann, "Ann"), (bob, "Bob of the studio")):
            page.shows("Ripe")
            field = page.one("textbox", part="You")
            field.clear()
            field.send_keys(name, Keys.ENTER)
        # The announcements last, a flash goes by itself.
        bob.enter("textbox", "Hex", "#1e90ff")
        bob.press("Save")
        ann.shows("#1e90ff", "Ripe")
        ann.wait(lambda: "Bob of the studio changed" in ann.announced(), "the name that Bob typed")
        ann.enter("textbox", "Hex", "#00aa55")
        ann.press("Save")
        bob.wait(lambda: "Ann changed" in bob.announced(), "the name that Ann typed")

    def test_a_ring_is_seen_around_what_somebody_else_has_selected(self):
        self.serve(("Ripe", "#ff0000"), ("Leaf", "#00ff00"))
        ann, bob = self.browser(), self.browser(self.home.hued("share", "Sea", "--role", "editor", "--name", "Bob")["link"])
        bob.shows("Ripe")
        bob.select("Ripe")
        ann.wait(lambda: ann.all("gridcell", part="selected by Bob"), "what Bob has selected")
        ring = ann.driver.execute_script("""
            const cell = document.querySelector(".taken .cell"), { zIndex, boxShadow, content } = getComputedStyle(cell, "::before");
            return [content, Number(zIndex) > 0, boxShadow.includes(getComputedStyle(document.querySelector("[aria-label='Follow Bob'] .face")).backgroundColor)]""")
        self.assertEqual(ring, ['""', True, True], "a ring above the color, in the color of Bob's face")

    def test_a_palette_is_made_and_dropped_while_the_page_is_open(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        self.home.hued("new", "Meadow")
        page.wait(lambda: "Meadow" in page.text(), "the new palette's name")
        self.home.hued("drop", "Meadow", "--yes")
        page.wait(lambda: "Meadow" not in page.text(), "the dropped palette's name to go")

    def test_whoever_leaves_the_page_is_not_here_any_more_and_comes_back(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        page.shows("Ripe")
        link = page.driver.current_url
        peers = lambda: page.text().count("(page)")
        seen = peers()
        for _ in range(3):
            page.driver.get("about:blank")
            page.driver.get(link)
            page.shows("Ripe")
        page.wait(lambda: peers() == seen, "one visitor")
        page.driver.back()
        page.driver.back()
        page.shows("Ripe")
        self.home.hued("add", "Sea", "#123456", "Deep")
        page.shows("Ripe", "Deep")
