"""History beside the grid: pointing at a moment shows the palette as it was, and things come back from it."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageCase


class Rail(PageCase):
    def page(self):
        self.serve(("First", "#ff0000"), ("Second", "#00ff00"))
        self.home.hued("set", "Sea", "First", "#0000ff")
        self.home.hued("remove", "Sea", "Second")
        self.home.hued("add", "Sea", "#ffff00", "Third")
        page = self.browser(width=1400)
        page.shows("First", "Third")
        page.press("History")
        self.moment(page, "added Third")
        return page

    def moment(self, page, part):
        return page.one("button", part=part)

    def point(self, page, part):
        """Points at a moment by the mouse."""
        ActionChains(page.driver).move_to_element(self.moment(page, part)).perform()

    def leave(self, page):
        ActionChains(page.driver).move_to_element(page.one("textbox", "Hex")).perform()

    def test_actions_are_told_with_author_and_live(self):
        page = self.page()
        for part in ("recolored First", "removed Second", "added Third"):
            self.assertIn("Ann", self.moment(page, part).accessible_name)
        self.home.hued("rename", "Sea", "Third", "Sun")
        self.moment(page, "renamed Third to Sun")

    def test_pointing_at_a_moment_shows_the_whole_grid_as_it_was(self):
        page = self.page()
        self.point(page, "added Second")
        page.shows("First, #ff0000", "Second, #00ff00")
        page.lacks("Third")
        self.point(page, "recolored First")
        page.shows("First, #0000ff", "Second, #00ff00")
        self.leave(page)
        page.shows("First, #0000ff", "Third")
        page.lacks("Second")

    def test_what_others_do_meanwhile_does_not_move_what_is_looked_at(self):
        page = self.page()
        self.point(page, "added Second")
        page.shows("Second")
        self.home.hued("add", "Sea", "#123456", "Fourth")
        self.moment(page, "added Fourth")
        page.shows("First, #ff0000", "Second")
        page.lacks("Fourth")
        self.leave(page)
        page.shows("First", "Third", "Fourth")

    def test_the_focus_stays_at_a_moment_while_others_edit_and_goes_to_the_button(self):
        page = self.page()
        moment = self.moment(page, "recolored First")
        page.driver.execute_script("arguments[0].focus()", moment)
        page.shows("First, #0000ff", "Second, #00ff00")
        self.home.hued("rename", "Sea", "Third", "Sun")
        self.moment(page, "renamed Third to Sun")
        self.assertEqual(page.driver.switch_to.active_element, moment)
        page.shows("First, #0000ff", "Second, #00ff00")
        page.one("button", "Close history").send_keys(Keys.ENTER)
        page.wait(lambda: page.driver.switch_to.active_element.get_attribute("data-command") == "history", "the button that opened it")

    def test_a_deleted_color_comes_back(self):
        page = self.page()
        self.point(page, "removed Second")
        page.press("Bring back Second")
        self.eventually(lambda: sorted(self.order()) == ["First", "Second", "Third"], "the color again")
        page.shows("First", "Second", "Third")

    def test_a_color_comes_back_as_it_was(self):
        page = self.page()
        self.home.hued("set", "Sea", "First", "#888888")
        page.shows("First, #888888")
        self.point(page, "recolored First to #0000ff")
        page.press("Bring back First")
        self.eventually(lambda: self.hexes()["First"] == "#0000ff", "the value again")

    def test_the_palette_is_made_what_it_was_and_undo_takes_that_back(self):
        page = self.page()
        self.point(page, "added Second")
        page.one("button", part="Make it as it was then").click()
        self.eventually(lambda: self.hexes() == {"First": "#ff0000", "Second": "#00ff00"}, "the palette as it was")
        page.shows("First, #ff0000", "Second")
        page.press("Undo")
        self.eventually(lambda: self.hexes() == {"First": "#0000ff", "Third": "#ffff00"}, "the palette as it is")

    def test_what_is_current_offers_nothing(self):
        page = self.page()
        self.point(page, "added Third")
        page.wait(lambda: page.driver.find_elements("css selector", ".moments .shown"), "a moment shown")
        page.wait(lambda: "As it was" in page.announced(), "the time said")
        self.assertFalse(page.all("button", part="Make it as it was"))
        self.assertFalse(page.all("button", part="Bring back"))

    def test_moments_are_gone_through_by_keys(self):
        page = self.page()
        page.driver.execute_script("arguments[0].focus()", self.moment(page, "added Third"))
        page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
        page.wait(lambda: "recolored First" in page.driver.switch_to.active_element.accessible_name, "the third moment")
        page.shows("First, #0000ff", "Second")
        page.keys(Keys.ESCAPE)
        page.shows("First, #0000ff", "Third")
        page.lacks("Second")

    def pin(self, page, part):
        self.point(page, part)
        self.moment(page, part).click()
        page.one("button", "Back to now")

    def paste(self, page, text):
        page.driver.execute_script("""
            const transfer = new DataTransfer();
            transfer.setData("text/plain", arguments[0]);
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
            """, text)

    def test_what_was_is_not_edited_and_the_page_says_why(self):
        page = self.page()
        page.select("First")
        self.pin(page, "added Second")
        page.shows("First, #ff0000", "Second")
        page.wait(lambda: page.one("textbox", "Hex").get_property("value") == "#ff0000", "the value that it had")
        for text in ("#123456", "#123456 one\n#654321 two"):
            self.paste(page, text)
            page.wait(lambda: "go back to now to edit" in page.text(), "why not")
            page.driver.execute_script("document.querySelector('#toasts').replaceChildren()")
        page.one("button", part="Use #").click()
        page.wait(lambda: "go back to now to edit" in page.text(), "why not")
        self.assertEqual(page.one("textbox", "Hex").get_property("value"), "#ff0000")
        page.select("Second")
        page.keys(Keys.DELETE)
        self.assertNotIn("Second deleted", page.announced())
        for name in ("Save as new", "Undo", "Note", "Delete"):
            self.assertFalse(page.all("button", name), name)
        self.assertFalse(page.one("button", "Export").is_enabled())
        page.chord(Keys.CONTROL, "c")
        page.wait(lambda: "Copied #00ff00" in page.text(), "what was copied")
        page.press("Back to now")
        page.shows("First, #0000ff", "Third")
        self.assertEqual(self.hexes(), {"First": "#0000ff", "Third": "#ffff00"})
        page.one("button", "Save as new")

    def test_another_palette_is_shown_as_it_is(self):
        page = self.page()
        self.home.hued("new", "Land")
        self.home.hued("add", "Land", "#8a5a2b", "Soil")
        self.pin(page, "added Second")
        page.shows("First, #ff0000", "Second")
        page.choose("Land")
        page.shows("Soil")
        page.wait(lambda: not page.all("button", "Back to now"), "nothing to go back from")
        page.select("Soil")
        page.keys(Keys.DELETE)
        page.lacks("Soil")

    def test_a_viewer_looks_and_is_offered_nothing(self):
        self.page()
        code = self.home.hued("share", "Sea", "--role", "viewer")["code"]
        page = self.browser(f"http://127.0.0.1:{self.node.port}/#{code}", width=1400)
        page.press("History")
        self.point(page, "added Second")
        page.shows("First, #ff0000", "Second")
        self.assertFalse(page.all("button", part="Make it as it was"))
        self.leave(page)
        page.shows("First", "Third")
        self.paste(page, "#123456 one\n#654321 two")
        page.wait(lambda: "You may not edit this palette" in page.text(), "why not")
