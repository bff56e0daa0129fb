"""People have names, faces that last, and rights that can be taken back."""

from selenium.webdriver.common.keys import Keys

import axe
from browser import PageCase

# What the browser keeps of a library.
KEPT = """
const [done] = arguments;
const request = indexedDB.open("hued", 1);
request.onsuccess = () => {
  const transaction = request.result.transaction(["edits", "lists"]);
  const counts = ["edits", "lists"].map((name) => transaction.objectStore(name).count());
  transaction.oncomplete = () => { request.result.close(); done(counts.map(({ result }) => result)); };
};
"""

FACE = "return document.querySelector(arguments[0])?.style.getPropertyValue('--who') ?? ''"


class People(PageCase):
    def guest(self, role="editor", name="Guest"):
        return self.browser(self.home.hued("share", "Sea", "--role", role, "--name", name)["link"])

    def call_oneself(self, page, name):
        field = page.one("textbox", part="You")
        field.clear()
        field.send_keys(name, Keys.ENTER)

    def author(self):
        return self.home.hued("history", "Sea", "--limit", "1")["changes"][0]["author"]

    def test_a_name_that_was_typed_is_the_authors(self):
        self.serve(("Ripe", "#ff0000"))
        page = self.guest()
        page.shows("Ripe")
        page.select("Ripe")
        page.enter("textbox", "Hex", "#112233")
        self.eventually(lambda: self.author() == "Guest", "the name that the invitation gave")
        self.call_oneself(page, "Cleo of the studio")
        self.eventually(lambda: self.author() == "Cleo of the studio", "the new name")
        self.assertEqual([one["name"] for one in self.home.hued("tokens")["tokens"] if one["kind"] == "page"], ["Cleo of the studio"])
        page.driver.execute_script("document.getElementById('history').click()")
        page.one("button", part="Cleo of the studio")
        # Whoever gave the invitation knows the other name.
        self.home.hued("revoke", "Guest")
        page.wait(lambda: "No access" in page.text(), "that the access is gone")

    def test_a_face_has_a_color_that_lasts(self):
        self.serve(("Ripe", "#ff0000"))
        ann, bob = self.browser(), self.guest(name="Bob")
        bob.shows("Ripe")
        def face():
            return ann.driver.execute_script(FACE, "[aria-label='Follow Bob'] .face")
        ann.wait(face, "Bob's face")
        first = face()
        bob.select("Ripe")
        bob.enter("textbox", "Hex", "#112233")
        ann.shows("#112233")
        bob.keys(Keys.ESCAPE)
        bob.reload()
        bob.choose("Sea")
        bob.shows("#112233")
        bob.select("Ripe")
        ann.wait(lambda: ann.all("gridcell", part="selected by Bob"), "Bob again")
        self.assertEqual(face(), first, "before the first edit, and after it")
        ann.driver.execute_script("document.getElementById('history').click()")
        ann.wait(lambda: ann.driver.execute_script(FACE, ".moments .face") == first, "the same face in the history")

    def test_an_owner_is_called_as_in_the_terminal_until_a_name_is_typed(self):
        self.serve(("Ripe", "#ff0000"))
        ann, bob = self.browser(), self.guest(name="Bob")
        bob.one("button", "Follow Ann")
        self.assertEqual(ann.driver.find_element("id", "you").get_attribute("placeholder"), "Ann")

    def test_a_face_of_somebody_who_only_looks_lasts_too(self):
        self.serve(("Ripe", "#ff0000"))
        ann, bob = self.browser(), self.guest("viewer", "Bob")
        bob.shows("Ripe")
        def face():
            return ann.driver.execute_script(FACE, "[aria-label='Follow Bob'] .face")
        ann.wait(face, "Bob's face")
        before = face()
        for _ in range(3):
            bob.driver.get("about:blank")
            ann.wait(lambda: not face(), "that Bob is gone")
            bob.driver.get(f"http://127.0.0.1:{self.node.port}/")
            bob.choose("Sea")
            ann.wait(lambda: face() == before, "the same face again")

    def test_a_face_is_followed_until_one_moves_oneself(self):
        self.serve_long("Sea", 90, first=0x112200, name="Color {number}")
        ann, bob = self.browser(), self.guest(name="Bob")
        bob.shows("Color 0")
        ann.shows("Color 0")
        def visible(name):
            script = "const grid = document.getElementById('grid').getBoundingClientRect(), cell = arguments[0].getBoundingClientRect(); return cell.top >= grid.top - 2 && cell.bottom <= grid.bottom + 2"
            return any(ann.driver.execute_script(script, cell) for cell in ann.all("gridcell", part=f"{name},"))
        def pick(name, key):
            bob.driver.execute_script("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()")
            bob.keys(key, Keys.ENTER)
        pick("Color 0", Keys.HOME)
        ann.press("Follow Bob")
        pick("Color 89", Keys.END)
        ann.wait(lambda: visible("Color 89"), "what Bob looks at")
        self.assertEqual(ann.one("button", "Follow Bob").get_attribute("aria-pressed"), "true")
        pick("Color 0", Keys.HOME)
        ann.wait(lambda: visible("Color 0"), "what Bob looks at now")
        ann.select("Color 1,")
        ann.wait(lambda: ann.one("button", "Follow Bob").get_attribute("aria-pressed") == "false", "that nobody is followed")

    def test_whoever_is_followed_to_another_palette_is_followed_there(self):
        self.import_long("Wood", 90, first=0x112200, name="Leaf {number}")
        self.serve(("Ripe", "#ff0000"))
        ann = self.browser()
        bob = self.browser(self.home.hued("share", "--role", "editor", "--name", "Bob")["link"])
        ann.shows("Ripe")
        bob.shows("Ripe")
        ann.press("Follow Bob")
        bob.choose("Wood")
        ann.wait(lambda: ann.driver.title == "Wood · hued", "the palette that Bob looks at")
        ann.wait(lambda: ann.one("button", "Follow Bob").get_attribute("aria-pressed") == "true", "that Bob is followed still")
        bob.shows("Leaf 0")
        bob.driver.execute_script("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()")
        bob.keys(Keys.END, Keys.ENTER)
        ann.wait(lambda: ann.all("gridcell", part="selected by Bob"), "what Bob looks at there")
        bob.choose("Sea")
        ann.wait(lambda: ann.driver.title == "Sea · hued", "back again")
        # Whoever goes elsewhere follows no more.
        ann.choose("Wood")
        ann.shows("Leaf 0")
        bob.select("Ripe")
        self.home.hued("set", "Wood", "Leaf 0", "#abcdef")
        ann.shows("#abcdef")
        self.assertEqual(ann.driver.title, "Wood · hued")

    def test_an_owner_who_is_a_guest_is_named_by_whom_it_revokes(self):
        self.serve(("Ripe", "#ff0000"))
        dora = self.browser(self.home.hued("share", "--role", "owner", "--name", "Dora")["link"])
        page = self.guest(name="Bob")
        page.shows("Ripe")
        dora.press("Share")
        dora.press("Revoke Bob")
        page.wait(lambda: "Dora took your access to Sea back on" in page.text(), "who did it")
        page.reload()
        page.wait(lambda: "Dora took your access back" in page.text(), "the same after a reload")

    def test_whoever_is_revoked_reads_who_did_it_and_nothing_stays(self):
        self.serve(("fruit/Ripe", "#ff0000"), ("fruit/Unripe", "#00ff00"))
        page = self.guest()
        page.shows("Ripe")
        page.menu("Show groups as sections")
        page.one("button", part="fruit").click()
        page.lacks("Ripe")
        page.one("button", part="fruit").click()
        page.press("In use")
        page.one("any", "A poster")
        page.select("Unripe")
        page.one("button", part="Accent").send_keys(Keys.ENTER)
        remembered = "return Object.keys(localStorage).filter((key) => /^(groups|roles) /.test(key)).length"
        page.wait(lambda: page.driver.execute_script(remembered) == 2, "sections and roles that the browser remembers")
        page.press("In use")
        page.wait(lambda: page.driver.execute_async_script(KEPT)[1] > 0, "something that the browser keeps")
        page.select("Ripe")
        self.home.hued("revoke", "Guest")
        page.wait(lambda: "Ann took your access to Sea back on" in page.text(), "who did it, and when")
        self.assertNotIn("Ripe", page.text())
        page.wait(lambda: page.driver.execute_async_script(KEPT) == [0, 0], "nothing kept")
        self.assertIsNone(page.driver.execute_script("return localStorage.getItem('session')"))
        self.assertEqual(page.driver.execute_script(remembered), 0)
        self.assertEqual(axe.everywhere(page), [])
        page.reload()
        page.wait(lambda: "Ann took your access back" in page.text(), "the same after a reload")
        # Another invitation lets in again.
        page.enter("textbox", "Have a join code?", self.home.hued("share", "Sea", "--role", "viewer")["code"])
        page.choose("Sea")
        page.shows("Ripe")

    def test_whoever_is_led_to_another_palette_is_there(self):
        self.home.hued("new", "Wood")
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        self.home.hued("drop", "Sea", "--yes")
        page.wait(lambda: "Wood" in page.driver.title, "the other palette")
        page.wait(lambda: "Ann (you)" in page.text(), "oneself among those who are here")

    def test_a_code_is_made_when_it_is_copied_and_no_secret_is_shown_in_passing(self):
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        def codes():
            return [one for one in self.home.hued("tokens")["tokens"] if one["kind"] is None]
        page.press("Share")
        page.one("button", part="Revoke")
        self.assertEqual(codes(), [])
        page.press("Copy link")
        self.eventually(lambda: len(codes()) == 1, "the code")
        page.wait(lambda: "Copied" in page.text(), "that it was copied")
        page.press("Copy link")
        page.press("Copy code")
        self.assertNotIn("hued1-", page.text())
        page.press("Show QR code")
        page.one("any", "QR code of the join code")
        self.assertEqual(len(codes()), 1)
        self.assertTrue(page.one("textbox", "Join code").get_property("value").startswith("hued1-"))
        page.wait(lambda: "here now" in page.text() and "has not come yet" in page.text(), "who is here and who is not")

    def test_a_face_keeps_its_color_when_its_access_is_taken_back(self):
        self.serve(("Ripe", "#ff0000"))
        ann, bob = self.browser(), self.guest(name="Bob")
        bob.shows("Ripe")
        bob.select("Ripe")
        bob.enter("textbox", "Hex", "#112233")
        ann.shows("#112233")
        ann.wait(lambda: ann.driver.execute_script(FACE, "[aria-label='Follow Bob'] .face"), "Bob's face")
        color = ann.driver.execute_script(FACE, "[aria-label='Follow Bob'] .face")
        self.home.hued("revoke", "Bob")
        bob.wait(lambda: "No access" in bob.text(), "that it is taken back")
        ann.reload()
        ann.shows("#112233")
        ann.press("History")
        ann.wait(lambda: ann.driver.execute_script(FACE, ".moments .face") == color, "the same face in the history")

    def test_what_is_kept_stays_while_the_node_is_only_away(self):
        self.serve(("Ripe", "#ff0000"))
        page = self.guest()
        page.shows("Ripe")
        page.wait(lambda: page.driver.execute_async_script(KEPT)[1] > 0, "something that the browser keeps")
        port = self.node.port
        self.assertEqual(self.node.stop(), 0)
        page.wait(lambda: "Offline" in page.text(), "that the node is away")
        self.start(port)
        page.wait(lambda: "Live" in page.text(), "that it is back")
        page.shows("Ripe")
        self.assertGreater(page.driver.execute_async_script(KEPT)[1], 0)
