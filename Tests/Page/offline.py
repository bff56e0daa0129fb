"""What is edited while the node is away is kept, and meets what others wrote."""

from browser import PageCase


class Offline(PageCase):
    def prepared(self):
        """A page that can load without its node."""
        self.serve(("Ripe", "#ff0000"), ("Leaf", "#00ff00"))
        page = self.browser(opens_offline=True)
        page.shows("Ripe", "Leaf")
        page.wait(lambda: page.driver.execute_script(
            "return navigator.serviceWorker.getRegistration().then((found) => Boolean(found?.active))"),
            "an active service worker")
        return page

    def test_an_edit_survives_a_reload_and_becomes_a_conflict(self):
        page = self.prepared()
        port = self.node.port
        self.assertEqual(self.node.stop(), 0)
        page.select("Ripe")
        page.enter("textbox", "Hex", "#112233")
        page.cell("#112233")
        # Meanwhile somebody else writes the same color.
        self.home.hued("set", "Sea", "Ripe", "lab(50 20 -30)")
        page.reload()
        page.choose("Sea")
        page.cell("#112233")
        self.start(port)
        page.one("any", part="conflict")
        conflict = self.home.hued("conflicts", "Sea")["conflicts"][0]
        self.assertEqual(len(conflict["values"]), 2)
        # It moves when the values come into the card.
        page.wait(lambda: page.one("any", part="conflict").click() or True, "a click on the conflict")
        page.one("button", part="Keep #112233")
        # However a value was written, its choice tells its hex.
        page.one("button", part="Keep #856caa").click()
        self.eventually(lambda: not self.home.hued("conflicts", "Sea")["conflicts"], "no conflict any more")
        self.assertEqual(self.hexes()["Ripe"], "#856caa")

    def test_where_the_browser_does_not_keep_the_page_it_says_so(self):
        # What browsers do where they do not trust the certificate, as on a node with one of its own.
        self.serve(("Ripe", "#ff0000"))
        page = self.browser(link="about:blank", palette=None, opens_offline=True)
        page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "if (isSecureContext) navigator.serviceWorker.register = () => Promise.reject(new DOMException('certificate', 'SecurityError'))"})
        page.open(self.home.hued("open")["url"])
        page.shows("Ripe")
        page.wait(lambda: "does not trust the certificate, so the page itself cannot open offline" in page.text(), "what does not hold")

    def test_any_css_color_is_read_while_the_node_is_away(self):
        page = self.prepared()
        self.assertEqual(self.node.stop(), 0)
        page.wait(lambda: "Offline" in page.text(), "that the node is away")
        for text, red in (("rebeccapurple", 102), ("lab(50 20 -30)", 133), ("hwb(210 10% 20%)", 26)):
            page.enter("textbox", "Hex", text)
            page.wait(lambda: page.value("Red") == red, text)
        page.enter("textbox", "Hex", "no color")
        page.wait(lambda: "is no color" in page.text(), "what is wrong")
        self.assertEqual(page.value("Red"), 26)

    def test_nothing_is_sent_twice(self):
        page = self.prepared()
        port = self.node.port
        self.assertEqual(self.node.stop(), 0)
        page.enter("textbox", "Hex", "#abcdef")
        page.press("Save")
        page.shows("#abcdef")
        page.reload()
        page.choose("Sea")
        page.shows("#abcdef")
        self.start(port)
        self.eventually(lambda: len(self.order()) == 3, "the saved color")
        self.assertEqual(self.node.stop(), 0)
        self.start(port)
        self.home.hued("add", "Sea", "#010101", "Last")
        page.shows("#abcdef", "Last")
        self.assertEqual(len(self.order()), 4)

    def palettes(self):
        return sorted(one["name"] for one in self.home.hued("palettes")["palettes"])

    def make(self, page, name):
        page.press("New palette")
        page.enter("textbox", "Name", name)
        page.wait(lambda: page.all("grid", part=name) or "An empty palette" in page.text(), f"the palette {name}")

    def test_palettes_are_made_renamed_dropped_and_restored(self):
        self.home.hued("new", "Old")
        self.home.hued("new", "Wood")
        page = self.prepared()
        port = self.node.port
        self.assertEqual(self.node.stop(), 0)
        page.wait(lambda: "Offline" in page.text(), "that the node is away")
        self.make(page, "Meadow")
        page.enter("textbox", "Hex", "#abcdef")
        page.press("Save")
        page.shows("#abcdef")
        page.choose("Sea")
        page.menu("Rename palette")
        page.enter("textbox", "Name", "Ocean")
        for name in ("Old", "Wood"):
            page.one("button", part=name).click()
            page.wait(lambda: page.driver.find_element("id", "title").text == name, name)
            page.menu("Delete palette")
            page.press("Delete", within="dialog")
            page.wait(lambda: not page.all("button", part=f"{name} "), f"no {name}")
        page.press("Deleted palettes")
        page.press("Restore Wood")
        page.reload()
        page.choose("Meadow")
        page.shows("#abcdef")
        self.start(port)
        self.eventually(lambda: self.palettes() == ["Meadow", "Ocean", "Wood"], "the palettes as they were made")
        self.eventually(lambda: [one["name"] for one in self.home.hued("list", "Meadow")["colors"]] == ["#abcdef"],
                        "the color in it, once")
        page.wait(lambda: "waiting" not in page.text() and "Live" in page.text(), "that all was sent")
        page.reload()
        page.choose("Meadow")
        page.shows("#abcdef")

    def test_what_others_changed_meanwhile_is_not_dropped(self):
        page = self.prepared()
        port = self.node.port
        self.assertEqual(self.node.stop(), 0)
        page.wait(lambda: "Offline" in page.text(), "that the node is away")
        page.menu("Delete palette")
        page.press("Delete", within="dialog")
        page.lacks("Ripe")
        self.home.hued("set", "Sea", "Ripe", "#445566")
        self.start(port)
        page.one("button", part="anyway")
        page.choose("Sea")
        page.shows("#445566")
        self.assertEqual(self.palettes(), ["Sea"])
