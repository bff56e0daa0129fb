"""The first minute, import and export."""

import base64
import shlex
import urllib.error
import urllib.request

from selenium.webdriver.common.keys import Keys

from browser import PageCase
from tools import DROP


class Begin(PageCase):
    def empty(self):
        self.serve(palette=None)
        page = self.browser(palette=None)
        page.one("button", part="From one color")
        return page

    def colors_of(self, name):
        return self.home.hued("list", name)["colors"]

    def test_a_ramp_from_one_color_begins_a_palette(self):
        page = self.empty()
        page.one("button", part="From one color").click()
        page.enter("textbox", "Color", "#3366cc")
        self.eventually(lambda: list(self.counts().values()) == [9], "nine colors")
        name, = self.counts()
        lightness = [self.home.hued("color", color["hex"])["oklch"][0] for color in self.colors_of(name)]
        self.assertEqual(lightness, sorted(lightness, reverse=True))

    def test_a_pasted_list_begins_a_palette(self):
        page = self.empty()
        page.one("button", part="Paste a list").click()
        page.one("textbox", part="One color a line").send_keys("#fbf7ef Paper\n--ink: #13202b;\nrgb(1 2 3)")
        page.press("Add 3 colors")
        self.eventually(lambda: list(self.counts().values()) == [3], "three colors")
        name, = self.counts()
        self.assertEqual([(color["name"], color["hex"]) for color in self.colors_of(name)],
                         [("Paper", "#fbf7ef"), ("ink", "#13202b"), ("rgb(1 2 3)", "#010203")])

    def test_an_empty_palette_tells_an_owner_what_a_terminal_does(self):
        self.serve(palette="It's new")
        page = self.browser(palette=None)
        command = page.wait(lambda: page.driver.find_elements("css selector", ".terminal code"), "a command")[0].text
        self.home.hued(*shlex.split(command)[1:])
        page.shows("Buoy")
        self.assertEqual([color["name"] for color in self.colors_of("It's new")], ["Buoy"])
        self.home.hued("new", "Sea")
        guest = self.browser(self.home.hued("share", "Sea", "--role", "editor")["link"], palette=None)
        guest.wait(lambda: "An empty palette" in guest.text(), "an empty palette")
        self.assertEqual(guest.driver.find_elements("css selector", ".terminal"), [], "a guest has no such terminal")

    def test_nobody_is_told_to_begin_while_palettes_are_on_their_way(self):
        self.serve(("Ripe", "#ff0000"))
        page = self.browser(link="about:blank", palette=None)
        page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            addEventListener("DOMContentLoaded", () => document.getElementById("welcome") && new MutationObserver(([{ target }]) => {
              window.begun ||= target.childElementCount > 0;
            }).observe(document.getElementById("welcome"), { childList: true }));"""})
        page.open(self.home.hued("open")["url"])
        page.shows("Ripe")
        self.assertIsNone(page.driver.execute_script("return window.begun ?? null"))

    def test_a_sample_is_a_palette_like_any_other(self):
        page = self.empty()
        page.press("Look at a sample")
        self.eventually(lambda: self.counts() == {"Harbor": 9}, "the sample")
        page.shows("Paper", "Ink")
        page.one("any", "A web page, light")
        self.home.hued("add", "Harbor", "red", "Mine")
        page.shows("Mine")

    def test_an_import_shows_a_row_a_file_and_opens_what_came(self):
        self.serve(("First", "#ff0000"))
        page = self.browser()
        page.shows("First")
        text = base64.b64encode(b"#112233\tNew one\n#445566\tNew two\n").decode()
        page.driver.execute_script(DROP, "Fresh.txt", "text/plain", text)
        page.wait(
            lambda: any("2 colors: 2 new" in row.text
                        for row in page.driver.find_elements("css selector", ".imports li")),
            "what came of it")
        page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        page.shows("New one", "New two")
        page.reload()
        page.shows("New one", "New two")
        page.driver.execute_script(DROP, "broken.ase", "application/octet-stream", base64.b64encode(b"ASEF").decode())
        page.wait(lambda: page.driver.find_elements("css selector", ".imports .failed"), "the refusal in its row")

    def test_a_long_import_tells_how_far_it_is(self):
        self.serve(("First", "#ff0000"))
        page = self.browser()
        page.shows("First")
        page.driver.execute_script("""
            window.heard = [];
            new MutationObserver(() => {
              const words = document.querySelector(".imports .value")?.textContent;
              if (words && words !== heard.at(-1)) heard.push(words);
            }).observe(document.body, { childList: true, subtree: true, characterData: true });""")
        lines = "".join(f"#{number * 100:06x}\tcolor-{number}\n" for number in range(10_000))
        page.driver.execute_script(DROP, "Long.txt", "text/plain", base64.b64encode(lines.encode()).decode())
        page.wait(lambda: page.driver.find_elements("css selector", ".imports .done"), "the end of the import")
        heard = page.driver.execute_script("return heard")
        self.assertTrue([words for words in heard if " of 10,000 colors" in words], heard)


class Export(PageCase):
    def page(self):
        self.serve(("First", "#ff0000"), ("Second", "#00ff00"))
        page = self.browser()
        page.shows("First")
        page.press("Export")
        return page

    def code(self, page):
        return page.driver.execute_script("return document.querySelector('.code pre')?.textContent ?? ''")

    def test_code_is_seen_and_copied_by_tabs(self):
        page = self.page()
        page.wait(lambda: "--first: #ff0000" in self.code(page), "the stylesheet")
        for name, part in (("SCSS", "$first: #ff0000"), ("Swift", "Color("), ("Tokens", '"$value"'), ("Tailwind", "@theme")):
            page.one("tab", name).click()
            page.wait(lambda: part in self.code(page), f"{name} with {part}")
        page.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        page.press("Copy")
        copied = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], String)")
        self.assertIn("@theme", copied)

    def test_pictures_are_seen(self):
        page = self.page()
        sizes = "return [...document.querySelectorAll('.pictures img')].map((picture) => picture.naturalWidth)"
        page.wait(lambda: len(page.driver.execute_script(sizes)) == 2 and all(page.driver.execute_script(sizes)), "two pictures")

    def test_an_address_is_published_and_taken_back(self):
        page = self.page()
        page.wait(lambda: page.one("textbox", "Address of the file").get_property("value").endswith(".css"), "an address")
        address = page.one("textbox", "Address of the file").get_property("value")
        def status():
            try:
                return urllib.request.urlopen(address).status
            except urllib.error.HTTPError as error:
                return error.code
        self.assertEqual(status(), 401)
        page.press("Publish")
        self.eventually(lambda: status() == 200, "everybody may read it")
        page.press("Unpublish")
        self.eventually(lambda: status() == 401, "no longer")
