"""Who may do what on the page, and what it says to those who may not."""

import re

from selenium.webdriver.common.keys import Keys

from browser import PageCase


class Access(PageCase):
    def link(self, role, name="Guest"):
        return self.home.hued("share", "Sea", "--role", role, "--name", name)["link"]

    def test_a_viewer_only_reads(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser(self.link("viewer"))
        page.shows("Ripe")
        for name in ("Save", "Delete", "Undo"):
            page.wait(lambda: not any(button.is_enabled() for button in page.all("button", name)),
                      f"no {name} that can be pressed")
        page.select("Ripe")
        page.wait(lambda: not page.one("slider", "Lightness").is_enabled(), "sliders that show, and do not move")
        for name in ("Lighter", "Darker"):
            self.assertFalse(page.one("button", name).is_enabled(), name)
        page.keys(Keys.DELETE)
        page.keys(Keys.F2)
        # What is written afterwards arrives, so what came before has been answered.
        self.home.hued("add", "Sea", "teal", "Late")
        page.shows("Ripe", "Late")
        self.assertEqual(self.order(), ["Ripe", "Late"])

    def test_whoever_is_revoked_is_told(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser(self.link("editor"))
        page.shows("Ripe")
        self.home.hued("revoke", "Guest")
        page.wait(lambda: re.search("revoked|no longer|no access|ended", page.text(), re.IGNORECASE),
                  "a word about the access that is gone")

    def test_a_join_code_opens_the_page_with_its_role(self):
        self.serve(("Ripe", "tomato"))
        self.home.hued("new", "Secret")
        page = self.browser(self.link("editor", "Cleo"))
        page.shows("Ripe")
        self.assertNotIn("hued1-", page.driver.current_url)
        self.assertNotIn("Secret", page.text())
        page.select("Ripe")
        page.enter("textbox", "Hex", "#224466")
        self.eventually(lambda: self.hexes()["Ripe"] == "#224466", "the edit")
        newest = self.home.hued("history", "Sea", "--limit", "1")["changes"][0]
        self.assertEqual(newest["author"], "Cleo")

    def test_a_code_counts_for_a_browser_that_keeps_a_palette_and_has_no_session(self):
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        page.shows("Ripe")
        page.driver.delete_all_cookies()
        page.open(self.home.hued("open")["url"])
        page.wait(lambda: "Live" in page.text(), "a connection")

    def test_a_link_is_good_once(self):
        self.serve(("Ripe", "tomato"))
        link = self.link("viewer")
        self.browser(link).shows("Ripe")
        late = self.browser(link, palette=None)
        late.wait(lambda: re.search("used|expired", late.text(), re.IGNORECASE), "that the link is used up")
        self.assertNotIn("Ripe", late.text())
