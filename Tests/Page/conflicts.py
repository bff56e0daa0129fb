"""Values that were written at the same time are chosen on the card."""

from selenium.webdriver.common.keys import Keys

import axe
from browser import PageCase

# An edit of somebody who saw the palette before others edited it.
LATE = """
const [method, params, done] = arguments;
const socket = new WebSocket(`ws://${location.host}/rpc`, "hued.rpc.v1");
const call = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.id === 1) call(2, method, params);
  if (message.id === 2) done(message.error ?? null);
};
socket.onopen = () => call(1, "session", { half: localStorage.getItem("session") });
"""


class Conflicts(PageCase):
    def page(self, **how):
        self.serve(("Ripe", "#ff0000"), ("Leaf", "#00ff00"), ("Sky", "#0000ff"), ("Night", "#13202b"))
        page = self.browser(**how)
        page.shows("Ripe", "Leaf")
        return page

    def disagree(self, page, color, method, here, **parameters):
        """Edits a color on the command line, and in a browser that has not seen that."""
        known = next(one for one in self.colors() if one["name"] == color)
        self.home.hued(method, "Sea", color, here)
        self.assertIsNone(page.driver.execute_async_script(
            LATE, method, {"palette": "Sea", "color": known["id"], "seen": known["seen"], **parameters}))

    def count(self):
        return len(self.home.hued("conflicts", "Sea")["conflicts"])

    def test_the_card_has_a_part_for_each_value_and_a_click_takes_one(self):
        page = self.page()
        self.disagree(page, "Ripe", "set", "#aa0000", value="#00aa00")
        mine = page.one("button", part="Keep #00aa00")
        other = page.one("button", part="Keep #aa0000")
        self.assertIn("by Ann", other.accessible_name)
        self.assertIn("(page)", mine.accessible_name)
        box, cell = mine.rect, page.cell("Ripe").rect
        self.assertLess(box["width"], cell["width"] * 0.6, "half of the card")
        # A click between the values, on what the card says, selects and takes nothing.
        page.one("gridcell", part="Ripe").find_element("css selector", ".name").click()
        page.wait(lambda: page.cell("Ripe").get_attribute("aria-selected") == "true", "the color selected")
        self.assertEqual(self.count(), 1)
        page.one("button", part="Keep #aa0000").click()
        self.eventually(lambda: self.count() == 0 and self.hexes()["Ripe"] == "#aa0000", "the value that was taken")
        page.wait(lambda: not page.all("button", part="Keep "), "one color again")

    def test_a_digit_and_enter_take_one(self):
        page = self.page()
        self.disagree(page, "Ripe", "set", "#aa0000", value="#00aa00")
        self.disagree(page, "Leaf", "set", "#00bb00", value="#bb0000")
        page.one("button", part="Keep #00bb00")
        second = [one.accessible_name for one in page.all("button", part="Keep #")][1]
        page.one("button", part="Resolve conflict of Ripe").click()
        page.keys("2")
        self.eventually(lambda: self.count() == 1, "one conflict less")
        self.assertIn(self.hexes()["Ripe"], second)
        # The focus stayed at the color, from which the keys go on.
        page.keys(Keys.ARROW_RIGHT, Keys.TAB)
        page.wait(lambda: "Keep #" in page.driver.switch_to.active_element.accessible_name, "a value of the next color")
        name = page.driver.switch_to.active_element.accessible_name
        page.keys(Keys.ENTER)
        self.eventually(lambda: self.count() == 0, "no conflict any more")
        self.assertIn(self.hexes()["Leaf"], name)

    def test_names_and_notes_are_chosen_alike_one_after_the_other(self):
        page = self.page()
        self.disagree(page, "Ripe", "note", "for leaves", text="for roofs")
        self.disagree(page, "Ripe", "rename", "Here", name="There")
        page.one("button", part="Keep There").click()
        page.one("button", part="Keep for roofs").click()
        self.eventually(lambda: self.count() == 0, "no conflict any more")
        self.assertEqual((self.order()[0], self.colors()[0]["note"]), ("There", "for roofs"))

    def test_whoever_was_away_is_told_and_led_through(self):
        page = self.page()
        port = self.node.port
        self.assertEqual(self.node.stop(), 0)
        for name, color in (("Ripe", "#112233"), ("Sky", "#223344"), ("Night", "#334455")):
            page.select(name)
            page.enter("textbox", "Hex", color)
            page.cell(color)
        for name, color in (("Ripe", "#aa1111"), ("Sky", "#aa2222"), ("Leaf", "#aa3333")):
            self.home.hued("set", "Sea", name, color)
        self.start(port)
        banner = page.one("any", "While you were away")
        # It fades in, and has no text for the driver before.
        page.wait(lambda: "2 colors were edited by others too while you were away" in banner.text, "both of them")
        page.press("Show them")
        page.wait(lambda: "Keep #" in page.driver.switch_to.active_element.accessible_name, "the values of the first")
        page.keys("1")
        self.eventually(lambda: self.count() == 1, "one left")
        page.wait(lambda: "1 color was edited" in banner.text, "that one is left")
        page.press("Show it")
        page.keys("1")
        self.eventually(lambda: self.count() == 0, "none left")
        page.wait(lambda: not banner.is_displayed(), "no banner")

    def test_axe_finds_nothing_in_any_layout(self):
        page = self.page(width=1280)
        self.disagree(page, "Ripe", "set", "#aa0000", value="#00aa00")
        self.disagree(page, "Leaf", "rename", "Here", name="There")
        page.one("button", part="Keep #00aa00")
        page.one("button", part="Keep There")
        for layout in ("grid", "list", "strips"):
            page.driver.execute_script("document.querySelector(`[data-layout=${arguments[0]}]`).click()", layout)
            with self.subTest(layout):
                self.assertEqual(axe.everywhere(page), [])

    def test_a_viewer_sees_the_values_and_takes_none(self):
        page = self.page()
        viewer = self.browser(self.home.hued("share", "Sea", "--role", "viewer", "--name", "Guest")["link"])
        self.disagree(page, "Ripe", "set", "#aa0000", value="#00aa00")
        self.assertFalse(viewer.one("button", part="Keep #00aa00").is_enabled())
