"""What the page makes, takes in and gives out besides single colors."""

import base64
import struct
import zlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import axe
from browser import PageCase

DROP = """
const [name, type, text] = arguments;
const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const transfer = new DataTransfer();
transfer.items.add(new File([bytes], name, { type }));
document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
"""


def png(*colors, size=8):
    """An image of equal stripes."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    row = b"\0" + b"".join(bytes(color) * size for color in colors)
    header = struct.pack(">IIBBBBB", size * len(colors), size, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * size))
            + chunk(b"IEND", b""))


class Tools(PageCase):
    def page(self, *colors):
        self.serve(*(colors or (("First", "#ff0000"), ("Second", "#00ff00"), ("Third", "#0000ff"))))
        page = self.browser()
        page.shows("First")
        return page

    def test_an_image_becomes_colors_in_one_edit(self):
        page = self.page()
        image = base64.b64encode(png((255, 0, 0), (0, 0, 255))).decode()
        page.driver.execute_script(DROP, "flag.png", "image/png", image)
        count = page.one("slider", "Colors")
        page.driver.execute_script(
            "arguments[0].value = 2; arguments[0].dispatchEvent(new Event('input'))", count)
        page.wait(lambda: page.driver.execute_script(
            "return document.querySelectorAll('dialog .run .swatch').length") == 2, "two colors of the image")
        page.press("Add to the palette")
        self.eventually(lambda: len(self.order()) == 5, "two more colors")
        self.assertEqual(sorted(self.order()[:2]), ["#0000ff", "#ff0000"])
        page.press("Undo")
        self.eventually(lambda: self.order() == ["First", "Second", "Third"], "both gone by one undo")

    def test_a_palette_is_exported(self):
        page = self.page()
        page.press("Export")
        page.wait(lambda: page.driver.execute_script(
            "return document.querySelector('a[download=\"Sea.gpl\"]') !== null"), "a link to a GIMP palette")
        # What the link leads to, with the session of the page.
        status, text = page.driver.execute_async_script("""
            const [done] = arguments;
            fetch(document.querySelector('a[download="Sea.gpl"]').href)
              .then(async (answer) => done([answer.status, await answer.text()]), (error) => done([0, String(error)]));
        """)
        self.assertEqual(status, 200, text)
        self.assertTrue(text.startswith("GIMP Palette"), text[:80])
        self.assertIn("Second", text)

    def test_an_export_follows_what_others_do(self):
        page = self.page()
        page.press("Export")
        code, picture = "return document.querySelector('.code pre')?.textContent ?? ''", "return document.querySelector('.pictures img').src"
        page.wait(lambda: "--second: " in page.driver.execute_script(code), "code")
        before = page.driver.execute_script(picture)
        self.home.hued("rename", "Sea", "Second", "Harbor")
        page.wait(lambda: "--harbor: " in page.driver.execute_script(code), "the name that it has now")
        self.assertNotIn("--second: ", page.driver.execute_script(code))
        self.assertNotEqual(before, page.driver.execute_script(picture))
        self.assertTrue(page.driver.execute_script(
            "return Promise.all([...document.querySelectorAll('.pictures img')].map((image) => image.decode())).then(() => true)"))

    def test_an_owner_sees_what_a_linked_file_cannot_hold(self):
        page = self.page()
        file = self.home.folder / "site" / "sea.gpl"
        file.parent.mkdir()
        self.home.hued("link", file, "Sea")
        self.home.hued("set", "Sea", "First", "color(display-p3 1 0 0)")
        self.eventually(lambda: self.home.hued("links")["links"][0]["notes"], "what the file cannot hold")
        page.press("Export")
        text = page.wait(lambda: page.driver.execute_script(
            "return document.querySelector('ul[aria-labelledby=linked-title]')?.innerText"), "the linked files")
        self.assertIn("sea.gpl", text)
        self.assertIn(self.home.hued("links")["links"][0]["notes"][0], text)
        self.assertNotIn(str(file.parent), text)
        self.assertEqual(axe.everywhere(page), [])

    def test_a_run_is_saved_as_one_edit(self):
        page = self.page()
        page.enter("textbox", "Hex", "#ff8800")
        Select(page.one("combobox", "Kind of harmony")).select_by_visible_text("Tints")
        page.press("Add 9 colors")
        self.eventually(lambda: len(self.order()) > 4, "the run")
        self.assertEqual(self.order()[-3:], ["First", "Second", "Third"])
        page.press("Undo")
        self.eventually(lambda: self.order() == ["First", "Second", "Third"], "the run gone by one undo")

    def test_a_note_keeps_its_lines(self):
        self.serve(("Ink", "#111111"))
        self.home.hued("note", "Sea", "Ink", "of print\nand screen")
        page = self.browser()
        page.select("Ink")
        page.press("Note")
        field = page.one("textbox", "Note")
        self.assertEqual(field.get_property("value"), "of print\nand screen")
        field.send_keys(Keys.CONTROL, Keys.END)
        field.send_keys(Keys.SHIFT, Keys.ENTER)
        field.send_keys("and cloth", Keys.ENTER)
        self.eventually(lambda: self.colors()[0]["note"] == "of print\nand screen\nand cloth", "all lines")

    def test_a_duplicate_keeps_its_note(self):
        page = self.page()
        self.home.hued("note", "Sea", "Second", "for leaves")
        page.wait(lambda: page.all("gridcell", part="for leaves"), "the note")
        page.select("Second")
        page.press("Duplicate")
        self.eventually(lambda: len(self.order()) == 4, "the duplicate")
        self.assertEqual(self.order(), ["First", "Second", "Second", "Third"])
        self.assertEqual([color["note"] for color in self.colors()], ["", "for leaves", "for leaves", ""])

    def test_colors_are_shown_as_others_see_them(self):
        page = self.page()
        def shown():
            color = page.driver.execute_script(
                "return getComputedStyle(arguments[0].querySelector('.area')).backgroundColor", page.cell("First"))
            return [int(part) for part in color[4:-1].split(",")]
        self.assertEqual(shown(), [255, 0, 0])
        vision = Select(page.one("combobox", "Color vision"))
        vision.select_by_visible_text("No color")
        page.wait(lambda: len(set(shown())) == 1, "a grey")
        vision.select_by_visible_text("Full color vision")
        page.wait(lambda: shown() == [255, 0, 0], "the color again")
        self.assertEqual(self.hexes()["First"], "#ff0000")

    def test_an_owner_lists_and_revokes(self):
        page = self.page()
        self.home.hued("share", "Sea", "--role", "editor", "--name", "Bob")
        page.press("Share")
        page.press("Revoke Bob")
        page.wait(lambda: not page.all("button", "Revoke Bob"), "Bob gone from the list")
        self.assertFalse([one for one in self.home.hued("tokens")["tokens"] if one["name"] == "Bob"])

    def test_a_palette_is_made_renamed_dropped_and_restored(self):
        page = self.page()
        page.press("New palette")
        page.enter("textbox", "Name", "Meadow")
        page.wait(lambda: "An empty palette" in page.text() and "Meadow" in page.text(), "the new palette")
        page.menu("Rename palette")
        page.enter("textbox", "Name", "Field")
        def names():
            return sorted(one["name"] for one in self.home.hued("palettes")["palettes"])
        self.eventually(lambda: names() == ["Field", "Sea"], "the new name")
        page.wait(lambda: "Field" in page.text(), "the new name on the page")
        page.menu("Delete palette")
        page.wait(lambda: page.all("button", "Delete"), "the question")
        page.press("Delete", within="dialog")
        self.eventually(lambda: names() == ["Sea"], "the palette gone")
        page.press("Restore")
        self.eventually(lambda: names() == ["Field", "Sea"], "the palette again")

    def test_the_join_field_opens_what_a_code_grants(self):
        self.serve(("Ripe", "tomato"))
        code = self.home.hued("share", "Sea", "--role", "viewer")["code"]
        page = self.browser(f"http://127.0.0.1:{self.node.port}/", palette=None)
        page.enter("textbox", "Have a join code?", code)
        page.choose("Sea")
        page.shows("Ripe")

    def test_what_is_done_to_a_color_is_at_the_color(self):
        page = self.page()
        def hover(part):
            # Again while an edit still moves the colors.
            def there():
                ActionChains(page.driver).move_to_element(page.cell(part)).perform()
                return page.driver.execute_script(
                    "return document.querySelector('.card-actions')?.closest('.color').textContent.includes(arguments[0])", part)
            page.wait(there, f"buttons at {part}")
        hover("Second")
        page.press("Duplicate color")
        self.eventually(lambda: self.order() == ["First", "Second", "Second", "Third"], "a copy beside it")
        hover("Third")
        page.press("Delete color")
        self.eventually(lambda: self.order() == ["First", "Second", "Second"], "gone")
        hover("First")
        page.press("More for color")
        page.one("menuitem", "Rename color")
        self.assertEqual(axe.violations(page), [])
        page.keys(Keys.ESCAPE)
        for layout in ("list", "strips", "grid"):
            page.driver.execute_script("document.querySelector(`[data-layout=${arguments[0]}]`).click()", layout)
            hover("First")
            self.assertEqual(axe.violations(page), [], layout)
        # The keys reach them from the color that has the focus.
        page.select("Second")
        page.keys(Keys.HOME, Keys.TAB)
        page.wait(lambda: page.driver.switch_to.active_element.accessible_name == "Copy color", "the first of them")
        page.keys(Keys.TAB, Keys.ENTER)
        page.enter("textbox", "Note", "for doors")
        self.eventually(lambda: self.colors()[0]["note"] == "for doors", "the note")

    def test_in_the_list_nothing_moves_under_the_pointer(self):
        page = self.page()
        page.driver.execute_script("document.querySelector('[data-layout=list]').click()")
        ActionChains(page.driver).move_to_element(page.cell("Second")).perform()
        page.wait(lambda: page.driver.find_elements("css selector", ".card-actions"), "the buttons of the row")
        edges = page.driver.execute_script("return [...document.querySelectorAll('.color .hex')].map((hex) => hex.getBoundingClientRect().left)")
        self.assertEqual(len(set(edges)), 1, edges)

    def test_two_of_one_name_see_each_other(self):
        self.serve(("First", "#ff0000"), ("Second", "#00ff00"))
        one, other = self.browser(), self.browser()
        for page in (one, other):
            page.shows("First", "Second")
            page.select("First")
        for page in (one, other):
            page.wait(lambda: page.all("gridcell", part="selected by"), "the other's selection")

    def test_a_finger_that_rests_drags(self):
        page = self.page()
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        def center(part):
            box = page.cell(part).rect
            return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 3}
        start, end = center("First"), center("Third")
        def touch(kind, *points):
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})
        touch("touchStart", start)
        page.wait(lambda: page.driver.execute_script(
            "return document.querySelector('.color.dragged') !== null"), "a color in the hand")
        end["x"] += 40
        for share in (0.3, 0.7, 1):
            touch("touchMove", {"x": start["x"] + (end["x"] - start["x"]) * share, "y": end["y"]})
        touch("touchEnd")
        self.eventually(lambda: self.order() == ["Second", "Third", "First"], "the color at the end")
