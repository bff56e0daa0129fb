"""What is edited while the node is away is kept, and meets what others wrote."""

from browser import PageCase


class Offline(PageCase):
    def prepared(self):
        """A page that can load without its node."""
        self.serve(("Ripe", "#ff0000"), ("Leaf", "#00ff00"))
        page = self.browser()
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
        self.home.hued("set", "Sea", "Ripe", "#445566")
        page.reload()
        page.choose("Sea")
        page.cell("#112233")
        self.start(port)
        chip = page.one("any", part="conflict")
        conflict = self.home.hued("conflicts", "Sea")["conflicts"][0]
        self.assertEqual(len(conflict["values"]), 2)
        chip.click()
        page.one("any", part="#445566")
        choice = next(found for found in page.all("button", part="#445566"))
        choice.click()
        self.eventually(lambda: not self.home.hued("conflicts", "Sea")["conflicts"], "no conflict any more")
        self.assertEqual(self.hexes()["Ripe"], "#445566")

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
