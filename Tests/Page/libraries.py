"""Libraries of many palettes, and palettes that come back."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageCase

MAKE = """
const [names, done] = arguments;
const socket = new WebSocket(`ws://${location.host}/rpc`, "hued.rpc.v1");
// The session of the page comes first.
const call = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
let left = names.length + 1;
socket.onmessage = ({ data }) => {
  if (JSON.parse(data).error) done(data);
  left -= 1;
  if (left === 0) done("made");
};
socket.onopen = () => {
  call(names.length, "session", { half: localStorage.getItem("session") });
  names.forEach((name, id) => call(id, "new", { name }));
};
"""


class Libraries(PageCase):
    def test_a_dropped_palette_is_listed_and_restored(self):
        self.home.hued("new", "Wood")
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        page.menu("Delete palette")
        page.press("Delete", within="dialog")
        page.lacks("Ripe")
        self.home.hued("drop", "Wood", "--yes")
        page.wait(lambda: "Begin a palette" in page.text(), "an empty library")
        page.reload()
        page.press("Deleted palettes")
        page.one("button", "Restore Wood")
        page.press("Restore Sea")
        page.shows("Ripe")
        self.assertEqual([one["name"] for one in self.home.hued("palettes")["palettes"]], ["Sea"])

    def test_of_many_palettes_few_are_in_the_document_and_all_are_found(self):
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        page.driver.set_script_timeout(120)
        names = [f"Wood {number:04}" for number in range(700)]
        self.assertEqual(page.driver.execute_async_script(MAKE, names), "made")
        page.reload()
        page.shows("Ripe")
        entries = "return document.querySelectorAll('#palettes li').length"
        page.wait(lambda: page.driver.execute_script(entries) > 5, "palettes")
        self.assertLess(page.driver.execute_script(entries), 60)
        page.enter("textbox", "Search palettes", "wood 0699")
        page.wait(lambda: page.driver.execute_script(entries) == 1, "the one that was looked for")
        page.one("button", part="Wood 0699").click()
        page.wait(lambda: page.driver.find_element("id", "title").text == "Wood 0699", "it in view")

    def test_a_search_finds_what_is_made_meanwhile(self):
        for number in range(13):
            self.home.hued("new", f"Wood {number}")
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.enter("textbox", "Search palettes", "stone")
        entries = "return document.querySelectorAll('#palettes li').length"
        page.wait(lambda: page.driver.execute_script(entries) == 0, "nothing of that name")
        self.home.hued("new", "Stone")
        page.one("button", part="Stone")
        self.home.hued("title", "Stone", "Sand")
        page.wait(lambda: page.driver.execute_script(entries) == 0, "nothing of that name again")

    def test_the_palette_in_view_is_in_the_list_in_view(self):
        for number in range(40):
            self.home.hued("new", f"Wood {number:02}")
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        page.driver.execute_script("document.getElementById('palette-scroller').scrollTop = 1e6")
        page.one("button", part="Wood 39").click()
        page.wait(lambda: page.driver.find_element("id", "title").text == "Wood 39", "it in view")
        for width in (1200, 400):
            page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
            page.reload()
            page.wait(lambda: page.driver.execute_script("""
                const box = document.querySelector("[aria-current]")?.getBoundingClientRect();
                const view = document.getElementById("palette-scroller").getBoundingClientRect();
                return box && box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom;
            """), f"the palette at a width of {width}")

    def listed(self, page):
        return page.driver.execute_script("""
            return [...document.querySelectorAll("#palettes li")].sort((one, other) => one.ariaPosInSet - other.ariaPosInSet)
              .map((entry) => entry.querySelector(".name").textContent)""")

    def sort(self, page, value):
        page.driver.execute_script("""
            const order = document.getElementById("palette-order");
            order.value = arguments[0];
            order.dispatchEvent(new Event("change"));""", value)

    def test_palettes_stand_in_the_order_of_names_or_of_their_last_edits(self):
        for name in ("Meadow", "Wood"):
            self.home.hued("new", name)
        self.home.hued("add", "Meadow", "green", "Grass")
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        page.wait(lambda: self.listed(page) == ["Meadow", "Sea", "Wood"], "the order of names")
        page.one("combobox", "Order of palettes")
        self.sort(page, "edited")
        page.wait(lambda: self.listed(page) == ["Sea", "Meadow", "Wood"], "the order of edits")
        self.home.hued("add", "Wood", "teal", "Leaf")
        page.wait(lambda: self.listed(page) == ["Wood", "Sea", "Meadow"], "what was edited elsewhere in front")
        page.select("Ripe")
        page.enter("textbox", "Hex", "#112233")
        page.wait(lambda: self.listed(page) == ["Sea", "Wood", "Meadow"], "what was edited here in front")
        page.reload()
        page.shows("Ripe")
        page.wait(lambda: self.listed(page) == ["Sea", "Wood", "Meadow"], "the same after a reload")
        self.home.hued("new", "Attic")
        page.wait(lambda: self.listed(page)[0] == "Attic", "a new one in front")
        self.sort(page, "name")
        page.wait(lambda: self.listed(page) == ["Attic", "Meadow", "Sea", "Wood"], "the order of names again")

    def test_of_many_palettes_those_edited_last_are_listed_first(self):
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        page.driver.set_script_timeout(120)
        self.assertEqual(page.driver.execute_async_script(MAKE, [f"A {number:04}" for number in range(600)]), "made")
        self.sort(page, "edited")
        page.wait(lambda: all(name.startswith("A 05") for name in self.listed(page)[:3]), "those that were made last")
        # By name, and by its edit, it stands beyond what was listed at first.
        self.home.hued("add", "Sea", "teal", "Leaf")
        page.wait(lambda: self.listed(page)[0] == "Sea", "what was edited elsewhere in front")
        page.driver.execute_script("document.getElementById('palette-scroller').scrollTop = 1e6")
        def last():
            page.driver.execute_script("document.getElementById('palette-scroller').scrollTop = 1e6")
            return any(name.startswith("A 000") for name in self.listed(page))
        page.wait(last, "those that nobody edited for longest")

    def test_each_palette_has_an_address(self):
        self.home.hued("new", "Wood")
        self.home.hued("add", "Wood", "teal", "Leaf")
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        ids = {one["name"]: one["id"] for one in self.home.hued("palettes")["palettes"]}
        def at(name):
            page.wait(lambda: page.driver.current_url.endswith(f"/palettes/{ids[name]}"), f"the address of {name}")
            page.wait(lambda: page.driver.title == f"{name} · hued", f"the title of {name}")
        at("Sea")
        page.choose("Wood")
        page.shows("Leaf")
        at("Wood")
        page.reload()
        page.shows("Leaf")
        at("Wood")
        page.driver.back()
        page.shows("Ripe")
        at("Sea")
        page.driver.get(page.driver.current_url.replace(ids["Sea"], "11111111-2222-4333-8444-555555555555"))
        page.wait(lambda: "no such palette" in page.text(), "that there is none")
        page.wait(lambda: "Wood" in page.text() and "Sea" in page.text(), "the others")

    def test_a_palette_that_somebody_deletes_is_named_and_comes_back(self):
        self.home.hued("new", "Wood")
        self.serve(("Ripe", "#ff0000"), ("Leaf", "#00ff00"), ("Bark", "#553311"))
        page = self.browser()
        bob = self.home.hued("share", "Sea", "--role", "editor", "--name", "Bob")["link"]
        page.shows("Ripe")
        page.select("Ripe")
        self.home.hued("remove", "Sea", "Ripe")
        page.wait(lambda: "Ripe was deleted by Ann" in page.text(), "who deleted the color")
        page.press("Restore")
        page.shows("Ripe")
        page.select("Ripe")
        ActionChains(page.driver).key_down(Keys.CONTROL).click(page.cell("Leaf")).key_up(Keys.CONTROL).perform()
        self.home.hued("remove", "Sea", "Ripe", "Leaf")
        page.wait(lambda: "2 selected colors were deleted by Ann" in page.text(), "who deleted both")
        page.press("Restore")
        page.shows("Ripe", "Leaf")
        other = self.browser(bob)
        other.shows("Ripe")
        other.menu("Delete palette")
        other.press("Delete", within="dialog")
        page.wait(lambda: "Sea was deleted by Bob" in page.text(), "who deleted the palette")
        page.wait(lambda: page.driver.title == "Wood · hued", "the other palette")
        page.press("Restore")
        page.shows("Ripe")
        self.assertEqual(page.driver.title, "Sea · hued")
        # Whoever has that palette alone reads it as well.
        other.shows("Ripe")
        self.home.hued("drop", "Sea", "--yes")
        other.wait(lambda: "Sea was deleted by Ann" in other.text(), "who deleted it")
        page.wait(lambda: "Sea was deleted by Ann" in page.text(), "who deleted it this time")

    def test_a_palette_that_was_deleted_meanwhile_is_named_by_its_address(self):
        self.home.hued("new", "Wood")
        self.serve(("Ripe", "#ff0000"))
        page = self.browser()
        page.shows("Ripe")
        page.wait(lambda: "/palettes/" in page.driver.current_url, "the address")
        address = page.driver.current_url
        page.driver.get("about:blank")
        self.home.hued("drop", "Sea", "--yes")
        page.driver.get(address)
        page.wait(lambda: "Sea was deleted by Ann" in page.text(), "who deleted it")
        page.menu("Deleted palettes")
        page.wait(lambda: "deleted by Ann, " in page.text(), "by whom and when")
        page.press("Restore Sea")
        page.shows("Ripe")
