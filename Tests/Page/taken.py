"""Nothing is taken from people: neither edits nor colors, by others, by the network or by the browser."""

import os
import signal

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageCase

# What IndexedDB does when the disk is full.
FULL = """
IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
"""

# Everything that the network of a page goes through is cut.
CUT = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


class Live(PageCase):
    def entry(self, page, name):
        """What the list of palettes says of one, and its strip."""
        return page.driver.execute_script("""
            const entry = [...document.querySelectorAll("#palettes button")].find(
              (one) => one.querySelector(".name").textContent === arguments[0]);
            return entry && [entry.querySelector(".hint").textContent, entry.querySelectorAll(".stripe").length];
        """, name)

    def test_counts_and_strips_of_palettes_that_are_not_in_view_follow_everybody(self):
        self.home.hued("new", "Wood")
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        page.shows("Ripe")
        page.wait(lambda: self.entry(page, "Wood") == ["0", 0], "an empty palette in the list")
        self.home.hued("add", "Wood", "teal", "Leaf")
        page.wait(lambda: self.entry(page, "Wood") == ["1", 1], "one color in it")
        for number in range(4):
            self.home.hued("add", "Wood", f"#11223{number}")
        page.wait(lambda: self.entry(page, "Wood") == ["5", 5], "five colors in it")

    def test_a_long_palette_shows_some_of_its_colors_before_it_is_opened(self):
        self.home.hued("new", "Sea")
        self.home.hued("add", "Sea", "tomato", "Ripe")
        self.serve_long("Long", 3_000, step=5_000)
        page = self.browser()
        page.shows("Ripe")
        page.wait(lambda: self.entry(page, "Long") == ["3,000", 12], "its strip")
        strip = "return [...document.querySelectorAll('#palettes button')].map((one) => one.querySelector('.strip').dataset.colors)"
        before = page.driver.execute_script(strip)
        self.assertGreater(len(set(before[0].split(","))), 11)
        page.choose("Long")
        page.shows("color-0")
        self.assertEqual(page.driver.execute_script(strip), before, "the same once it is open")

    def test_the_list_is_told_once_a_second_however_fast_somebody_edits(self):
        self.home.hued("new", "Wood")
        self.serve(("Ripe", "tomato"))
        page = self.browser()
        page.shows("Ripe")
        page.driver.set_script_timeout(120)
        told = page.driver.execute_async_script("""
            const [palette, done] = arguments;
            const socket = new WebSocket(`ws://${location.host}/rpc`, "hued.rpc.v1");
            const call = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
            let told = 0, answered = 0, began = 0;
            socket.onmessage = ({ data }) => {
              const message = JSON.parse(data);
              if (message.method === "library.palettes") {
                told += 1;
                if (message.params.changed[0].count === 200) done([told, performance.now() - began]);
              }
              if (message.id !== undefined && message.id >= 2) {
                answered += 1;
                if (answered < 200) call(2 + answered, "add", { palette, value: "red" });
              }
            };
            socket.onopen = () => {
              call(0, "session", { half: localStorage.getItem("session") });
              call(1, "library.watch", {});
              began = performance.now();
              call(2, "add", { palette, value: "red" });
            };
        """, "Wood")
        self.assertLessEqual(told[0], 3 + told[1] / 900)


class Spaces(PageCase):
    def color(self, name):
        return next(color["color"] for color in self.colors() if color["name"] == name)

    def page(self, *colors):
        self.serve(*colors)
        page = self.browser()
        page.shows(colors[0][0])
        return page

    def test_a_wide_color_stays_what_it_is_when_one_component_changes(self):
        page = self.page(("Lime", "color(display-p3 0 1 0)"))
        page.select("Lime")
        page.one("slider", "Alpha").send_keys(Keys.ARROW_LEFT)
        self.eventually(lambda: self.color("Lime") == "color(display-p3 0 1 0 / 0.99)", "the same color with another alpha")

    def test_what_was_typed_is_stored_as_it_was_typed(self):
        page = self.page(("First", "#ff0000"))
        for typed, stored in (("color(display-p3 1 0.2 0.1)", "color(display-p3 1 0.2 0.1)"),
                              ("oklch(70% 0.15 150)", "oklch(0.7 0.15 150)"), ("lab(50 20 -30)", "lab(50 20 -30)")):
            page.select("First")
            page.enter("textbox", "Hex", typed)
            self.eventually(lambda: self.color("First") == stored, typed)

    def test_a_swatch_is_painted_with_the_real_color(self):
        page = self.page(("Lime", "color(display-p3 0 1 0)"))
        page.wait(lambda: "display-p3" in page.driver.execute_script(
            "return getComputedStyle(arguments[0].querySelector('.area')).background", page.cell("Lime")), "the real color")


class Gestures(PageCase):
    def page(self):
        self.serve(("First", "#7a6080"), ("Second", "#00ff00"))
        page = self.browser()
        page.shows("First", "Second")
        return page

    def values(self):
        conflicts = self.home.hued("conflicts", "Sea")["conflicts"]
        return [value["value"] for conflict in conflicts for value in conflict["values"]]

    def test_a_slider_under_the_hand_is_not_moved_by_others(self):
        page = self.page()
        page.select("First")
        slider = page.one("slider", "Red")
        page.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", slider)
        ActionChains(page.driver).move_to_element(slider).click_and_hold().move_by_offset(12, 0).perform()
        held = page.value("Red")
        self.home.hued("set", "Sea", "First", "#00ff88")
        # What comes later has arrived, so the other's color has, too.
        self.home.hued("add", "Sea", "teal", "Late")
        page.shows("Late")
        self.assertEqual(page.value("Red"), held)
        ActionChains(page.driver).move_by_offset(3, 0).release().perform()
        self.eventually(lambda: len(self.values()) == 2, "both values, as a conflict")
        self.assertIn("rgb(0, 255, 136)", self.values())

    def test_a_name_is_read_while_a_dark_color_becomes_light(self):
        self.serve(("Night", "#102040"))
        page = self.browser()
        page.shows("Night")
        page.select("Night")
        page.driver.execute_script("""
            const slider = document.querySelector("input[type=range][aria-label=Lightness]");
            slider.value = 90;
            slider.dispatchEvent(new Event("input", { bubbles: true }));""")
        page.wait(lambda: page.driver.find_elements("css selector", ".changing"), "what it was beside what it becomes")
        ink = page.driver.execute_script("return getComputedStyle(document.querySelector('.changing .cell .name')).color")
        self.assertEqual(ink, "rgb(255, 255, 255)")

    def test_a_name_that_others_gave_meanwhile_stays_as_a_conflict(self):
        page = self.page()
        page.select("First")
        page.keys(Keys.F2)
        page.wait(lambda: page.driver.switch_to.active_element.aria_role == "textbox", "a field for the name")
        page.chord(Keys.CONTROL, "a")
        page.keys("Here")
        self.home.hued("rename", "Sea", "First", "There")
        self.home.hued("add", "Sea", "teal", "Late")
        page.shows("Late")
        page.keys(Keys.ENTER)
        self.eventually(lambda: sorted(self.values()) == ["Here", "There"], "both names, as a conflict")

    def test_escape_takes_a_gesture_back(self):
        page = self.page()
        page.select("First")
        slider = page.one("slider", "Red")
        page.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", slider)
        before = page.value("Red")
        ActionChains(page.driver).move_to_element(slider).click_and_hold().move_by_offset(20, 0).perform()
        page.wait(lambda: page.value("Red") != before, "another red")
        page.keys(Keys.ESCAPE)
        ActionChains(page.driver).release().perform()
        page.wait(lambda: page.value("Red") == before, "the red as it was")
        # It is still selected, and the next one counts.
        page.enter("textbox", "Hex", "#123456")
        self.eventually(lambda: self.hexes()["First"] == "#123456", "the next gesture")
        self.assertEqual(self.home.hued("history", "Sea", "--limit", "1")["changes"][0]["kind"], "set")
        self.assertEqual(len(self.home.hued("history", "Sea")["changes"]), 4)

    def typing(self, text):
        """A page in whose hex field somebody types while somebody else writes, and the field."""
        page = self.page()
        page.select("First")
        field = page.one("textbox", "Hex")
        field.click()
        field.send_keys(Keys.CONTROL + "a", Keys.NULL, text)
        self.home.hued("set", "Sea", "First", "#aaaaaa")
        page.cell("First, #aaaaaa")
        return page, field

    def test_what_is_no_color_keeps_nothing_from_moving(self):
        page, field = self.typing("#12")
        field.send_keys(Keys.ENTER)
        page.wait(lambda: field.get_attribute("aria-invalid") == "true", "that it is no color")
        self.home.hued("set", "Sea", "First", "#bbbbbb")
        page.wait(lambda: page.value("Red") == 0xbb, "the next one")

    def test_what_is_typed_meets_what_others_wrote_meanwhile_as_a_conflict(self):
        page, field = self.typing("#112")
        self.assertEqual(field.get_property("value"), "#112", "nobody moves what is typed")
        field.send_keys("233", Keys.ENTER)
        self.eventually(lambda: self.home.hued("conflicts", "Sea")["conflicts"], "both values")
        self.assertEqual(self.hexes()["First"], "#112233")

    def test_what_is_typed_and_taken_back_gives_way_to_what_others_wrote(self):
        page, field = self.typing("#112")
        field.send_keys(Keys.ESCAPE)
        page.wait(lambda: field.get_property("value") == "#aaaaaa", "the newest color")
        self.home.hued("set", "Sea", "First", "#bbbbbb")
        page.wait(lambda: field.get_property("value") == "#bbbbbb", "the next one")

    def test_what_was_moved_is_deleted(self):
        page = self.page()
        page.cell("First").click()
        page.chord(Keys.ALT, Keys.ARROW_RIGHT)
        self.eventually(lambda: self.order() == ["Second", "First"], "the new order")
        page.wait(lambda: page.names()[1].startswith("First"), "the new place")
        page.keys(Keys.DELETE)
        self.eventually(lambda: self.order() == ["Second"], "no First")

    def test_a_new_color_is_selected_and_save_as_new_leaves_the_one_it_began_with(self):
        page = self.page()
        page.enter("textbox", "Hex", "#112233")
        page.press("Save")
        page.wait(lambda: page.cell("#112233").get_attribute("aria-selected") == "true", "the new color selected")
        page.select("First")
        page.enter("textbox", "Hex", "#445566")
        self.eventually(lambda: self.hexes()["First"] == "#445566", "the gesture")
        page.press("Save as new")
        self.eventually(lambda: self.order() == ["#445566", "#112233", "First", "Second"], "a new color")
        self.assertEqual(self.hexes()["First"], "#7a6080")
        page.wait(lambda: page.cell("#445566").get_attribute("aria-selected") == "true", "the new color selected")
        page.press("Undo")
        self.eventually(lambda: self.hexes().get("First") == "#445566" and "#445566" not in self.order(), "both by one undo")


class Away(PageCase):
    def prepared(self):
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        return page

    def cut(self, page):
        page.driver.execute_cdp_cmd("Network.enable", {})
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", CUT)
        page.driver.execute_script("dispatchEvent(new Event('offline'))")
        page.wait(lambda: "Offline" in page.text(), "that the page is offline")

    def save(self, page, *hexes):
        for value in hexes:
            page.keys(Keys.ESCAPE)
            page.enter("textbox", "Hex", value)
            page.press("Save")
            page.shows(value)
            page.keys(Keys.ESCAPE)

    def test_undo_takes_back_what_waits_and_nothing_else(self):
        page = self.prepared()
        self.save(page, "#111111", "#222222")
        self.eventually(lambda: len(self.order()) == 3, "two colors online")
        self.cut(page)
        self.save(page, "#333333")
        page.press("Undo")
        page.lacks("#333333")
        page.wait(lambda: "waiting" not in page.text(), "nothing that waits")
        # What was sent is taken back once the node is there, and the page says so.
        page.press("Undo")
        page.wait(lambda: "when the connection is back" in page.text(), "a word about the undo")
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**CUT, "offline": False})
        page.driver.execute_script("dispatchEvent(new Event('online'))")
        self.eventually(lambda: self.order() == ["#111111", "Ripe"], "one edit less")

    def test_undo_is_there_only_while_something_can_be_undone(self):
        page = self.prepared()
        page.wait(lambda: not page.one("button", "Undo").is_enabled(), "no undo at first")
        self.assertFalse(page.one("button", "Redo").is_enabled())
        self.save(page, "#111111")
        page.press("Undo")
        page.lacks("#111111")
        page.wait(lambda: not page.one("button", "Undo").is_enabled(), "nothing more to undo")
        page.press("Redo")
        page.shows("#111111")
        page.reload()
        page.shows("#111111")
        page.wait(lambda: page.one("button", "Undo").is_enabled(), "undo after a reload")

    def test_a_node_that_does_not_answer_is_not_live(self):
        page = self.prepared()
        process = self.node.process.pid
        os.kill(process, signal.SIGSTOP)
        self.addCleanup(os.kill, process, signal.SIGCONT)
        self.save(page, "#333333")
        page.wait(lambda: "Live" not in page.text(), "that it is not live")
        page.wait(lambda: "1 edit waiting" in page.text(), "what waits")
        os.kill(process, signal.SIGCONT)
        page.wait(lambda: "Live" in page.text(), "that it is live again")
        self.eventually(lambda: self.order() == ["#333333", "Ripe"], "the edit, once")

    def test_edits_are_sent_where_the_browser_can_keep_nothing(self):
        page = self.prepared()
        page.driver.execute_script(FULL)
        self.save(page, "#333333", "#444444")
        self.eventually(lambda: self.order() == ["#444444", "#333333", "Ripe"], "both edits")
        page.wait(lambda: "keeps nothing" in page.text(), "a word about that")
