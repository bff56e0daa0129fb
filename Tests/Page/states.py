"""Accessibility of every state and dialog, in each of the layouts of the page, in light and dark."""

import base64

from selenium.webdriver.common.keys import Keys

import axe
from browser import PageCase
from conflicts import LATE
from tools import DROP, png

COLORS = (("Chalk", "#fbf7ef"), ("Night", "#13202b"), ("Buoy", "#e4572e"), ("Deep", "#17669c80"))


class States(PageCase):
    def page(self, *colors):
        self.serve(*(colors or COLORS))
        page = self.browser(width=1280)
        page.shows((colors or COLORS)[0][0])
        return page

    def check(self, page, state):
        with self.subTest(state):
            self.assertEqual(axe.everywhere(page), [])

    def escape(self, page):
        page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        page.wait(lambda: not page.driver.find_elements("css selector", "dialog[open]"), "no dialog")

    def test_layouts_and_the_picker(self):
        page = self.page()
        page.select("Buoy")
        for layout in ("Grid", "List", "Strips"):
            page.driver.execute_script("document.querySelector(`[data-layout=${arguments[0]}]`).click()", layout.lower())
            self.check(page, layout)
        for space in ("HSB", "RGB"):
            page.one("tab", space).click()
            self.check(page, space)

    def test_what_stands_beside_the_grid(self):
        page = self.page()
        page.driver.execute_script("document.getElementById('in-use').click()")
        for tab in ("Preview", "Contrast", "Color vision"):
            page.one("tab", tab).click()
            self.check(page, tab)
        page.driver.execute_script("document.getElementById('history').click()")
        page.one("button", part="added Buoy").send_keys(Keys.ENTER)
        page.lacks("Deep")
        self.check(page, "history")

    def test_dialogs_of_a_palette(self):
        page = self.page()
        page.select("Night")
        for command in ("export", "share", "note", "dropped-palettes", "Rename palette", "Delete palette"):
            if command[0].isupper():
                page.menu(command)
            else:
                page.driver.execute_script("document.querySelector(`[data-command=${arguments[0]}]`).click()", command)
            page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), f"the dialog of {command}")
            self.check(page, command)
            self.escape(page)

    def test_menus_fields_and_messages(self):
        page = self.page()
        page.press("Palette menu")
        page.one("menuitem", "Keys")
        self.check(page, "menu of the palette")
        page.one("menuitem", "Keys").click()
        page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), "the keys")
        self.check(page, "keys")
        self.escape(page)
        page.select("Buoy")
        page.keys(Keys.F2)
        page.wait(lambda: page.driver.find_elements("css selector", ".rename"), "the field")
        self.check(page, "renaming")
        page.keys(Keys.ESCAPE)
        page.select("Buoy")
        page.keys(Keys.DELETE)
        page.wait(lambda: page.driver.find_elements("css selector", ".toast"), "the message")
        self.check(page, "message")
        page.one("textbox", "Search colors").send_keys("nothing like it")
        page.wait(lambda: "No color here" in page.text(), "that nothing was found")
        self.check(page, "nothing found")

    def test_a_message_above_a_dialog_is_heard_and_pressed(self):
        page = self.page()
        page.select("Buoy")
        page.keys(Keys.DELETE)
        page.lacks("Buoy")
        page.wait(lambda: page.driver.find_elements("css selector", ".toast button"), "the message")
        page.driver.execute_script("document.querySelector('[data-command=export]').click()")
        page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), "the dialog")
        # Whoever has the focus in a message is given time.
        self.assertEqual("Undo", page.driver.execute_script(
            "document.querySelector('.toast button').focus(); return document.activeElement.textContent"))
        self.assertEqual(axe.violations(page), [])
        page.press("Undo", within="#toasts")
        self.eventually(lambda: "Buoy" in self.order(), "the color back")
        self.assertEqual(len(page.driver.find_elements("css selector", "dialog[open]")), 1, "the dialog stays")
        page.wait(lambda: page.driver.find_elements("css selector", ".code button"), "code to copy")
        page.one("button", part="Copy").click()
        page.wait(lambda: "Copied" in page.driver.find_element("css selector", "dialog > [role=status]").get_property("textContent"), "that it is said in the dialog")
        page.wait(lambda: page.driver.find_elements("css selector", "dialog .toast"), "the message in the dialog")
        self.escape(page)
        page.wait(lambda: page.driver.find_elements("css selector", "#messages > #toasts:popover-open .toast"), "the message outlasts the dialog")

    def test_keys_do_nothing_behind_a_dialog(self):
        page = self.page()
        page.select("Buoy")
        page.driver.execute_script("document.querySelector('[data-command=export]').click()")
        page.one("button", part="Close")
        page.driver.execute_script("document.activeElement.blur()")
        page.keys(Keys.DELETE, Keys.ESCAPE)
        page.wait(lambda: not page.driver.find_elements("css selector", "dialog[open]"), "no dialog")
        self.assertIn("Buoy", self.order(), "the color stays")

    def test_a_page_without_a_clipboard_copies_and_keeps_the_focus(self):
        page = self.page()
        # Browsers have none where a page came without TLS.
        page.driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.driver.execute_script("document.querySelector('[data-command=export]').click()")
        page.wait(lambda: page.driver.find_elements("css selector", ".code button"), "code to copy")
        page.one("button", "Copy").click()
        page.wait(lambda: "Copied" in page.announced(), "that it was copied")
        self.assertEqual(page.driver.switch_to.active_element.text, "Copy")
        self.escape(page)

    def test_dialogs_of_files_and_codes(self):
        page = self.page()
        page.press("Share")
        page.press("Show QR code")
        page.one("any", "QR code of the join code")
        self.check(page, "a code")
        self.escape(page)
        page.driver.execute_script(DROP, "Fresh.txt", "text/plain", base64.b64encode(b"#112233\tNew").decode())
        page.wait(lambda: page.driver.find_elements("css selector", ".imports .done"), "the import")
        self.check(page, "import")
        self.escape(page)
        image = base64.b64encode(png((255, 0, 0), (0, 0, 255))).decode()
        page.driver.execute_script(DROP, "flag.png", "image/png", image)
        page.one("slider", "Colors")
        self.check(page, "colors of an image")
        self.escape(page)

    def test_with_others_and_without_the_node(self):
        page = self.page()
        other = self.browser(self.home.hued("share", "Sea", "--role", "viewer", "--name", "Bob")["link"], width=1280)
        other.shows("Night")
        other.select("Night")
        page.wait(lambda: page.all("gridcell", part="selected by Bob"), "somebody else")
        page.press("Follow Bob")
        self.check(page, "somebody followed")
        self.check(other, "a viewer")
        known = next(one for one in self.colors() if one["name"] == "Buoy")
        self.home.hued("set", "Sea", "Buoy", "#00aa00")
        self.assertIsNone(page.driver.execute_async_script(
            LATE, "set", {"palette": "Sea", "color": known["id"], "seen": known["seen"], "value": "#aa00aa"}))
        page.one("button", part="Keep #00aa00")
        self.check(page, "a conflict")
        self.assertEqual(self.node.stop(), 0)
        page.wait(lambda: "Offline" in page.text(), "that the node is away")
        page.select("Chalk")
        page.enter("textbox", "Hex", "#fffff0")
        page.wait(lambda: "waiting" in page.text(), "an edit that waits")
        self.check(page, "offline")

    def test_sheet_and_drawer_of_a_phone(self):
        page = self.page()
        for width in (360, 430):
            for scheme in axe.SCHEMES:
                axe.resize(page, width, scheme)
                page.one("button", "Palettes").click()
                page.wait(lambda: page.driver.find_elements("css selector", "body.drawn"), "the drawer")
                self.assertEqual(axe.violations(page), [], f"drawer, {width} {scheme}")
                page.keys(Keys.ESCAPE)
                page.select("Buoy")
                page.one("button", "Close editor")
                self.assertEqual(axe.violations(page), [], f"sheet, {width} {scheme}")
                page.press("Close editor")

    def test_first_minute(self):
        self.serve(palette=None)
        page = self.browser(palette=None, width=1280)
        page.one("button", part="From one color")
        self.check(page, "no palette")
        for start in ("From one color", "Paste a list"):
            page.one("button", part=start).click()
            page.wait(lambda: page.driver.find_elements("css selector", "dialog[open]"), start)
            self.check(page, start)
            self.escape(page)

    def test_without_access(self):
        self.serve(*COLORS)
        page = self.browser(f"http://127.0.0.1:{self.node.port}/", palette=None, width=1280)
        page.one("textbox", part="join")
        self.check(page, "locked")
