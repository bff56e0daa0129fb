"""The picker: a tab a color space, charts, sliders, and values that are typed."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageCase

PLANE = "Lightness and chroma chart"

# Milliseconds that drawing a plane takes, of several hues, in the order of their length.
DRAW = """
const [done] = arguments;
import("/plane.js").then(({ fillPlane, edges }) => {
  const { data } = new ImageData(192, 104);
  const times = [];
  for (let hue = 0; hue < 360; hue += 4) {
    const begin = performance.now();
    fillPlane(data, 192, 104, hue, true);
    edges(hue, 79);
    times.push(performance.now() - begin);
  }
  done(times.sort((left, right) => left - right));
});
"""


class Picker(PageCase):
    def page(self, **how):
        self.serve(("First", "#ff0000"), ("Second", "#00ff00"))
        page = self.browser(**how)
        page.shows("First", "Second")
        return page

    def typed(self, page, name):
        return next(field for field in page.driver.find_elements("css selector", "input[type=number]")
                    if field.accessible_name == name)

    def test_a_tab_a_space_with_its_chart(self):
        page = self.page()
        page.one("any", "Color space")
        tabs = page.driver.find_elements("css selector", "[role=tablist][aria-label='Color space'] [role=tab]")
        self.assertEqual([tab.text for tab in tabs], ["OKLCH", "HSB", "RGB"])
        self.assertEqual(tabs[0].get_attribute("aria-selected"), "true")
        page.one("any", PLANE)
        tabs[0].send_keys(Keys.ARROW_RIGHT)
        page.one("any", "Hue and saturation chart")
        self.assertFalse(page.all("any", PLANE))
        page.reload()
        page.one("any", "Hue and saturation chart")
        # One model, many views: the sliders of the other spaces are there too.
        for name in ("Red", "Green", "Blue", "Hue", "Saturation", "Brightness", "Lightness", "Chroma", "OKLCH hue", "Alpha"):
            page.one("slider", name)

    def test_every_value_is_typed(self):
        page = self.page()
        for name, text, value in (("Red", "12", 12), ("Hue", "200", 200), ("Saturation", "55", 55), ("Brightness", "70", 70),
                                  ("Lightness", "60.5", 60.5), ("Chroma", "0.05", 0.05), ("OKLCH hue", "33", 33), ("Alpha", "40", 40)):
            field = self.typed(page, name)
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(text, Keys.ENTER)
            page.wait(lambda: abs(page.value(name) - value) <= 0.51, f"{name} at {value}")

    def test_a_typed_value_recolors_what_is_selected(self):
        page = self.page()
        page.select("Second")
        field = self.typed(page, "Red")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("255", Keys.ENTER)
        self.eventually(lambda: self.hexes()["Second"] == "#ffff00", "the new color")

    def test_a_value_that_was_given_up_is_not_applied(self):
        page = self.page()
        page.select("First")
        field = self.typed(page, "Lightness")
        shown = field.get_property("value")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("5", Keys.ESCAPE)
        self.assertEqual(field.get_property("value"), shown)
        page.select("First")
        # What the field shows is rounded, and so another color than the one that it shows.
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(shown, Keys.ENTER)
        page.select("Second")
        page.enter("textbox", "Hex", "#123456")
        self.eventually(lambda: self.hexes()["Second"] == "#123456", "a later edit")
        self.assertEqual(self.hexes()["First"], "#ff0000")
        self.assertEqual([change["kind"] for change in self.home.hued("history", "Sea")["changes"]].count("set"), 1)

    def test_keys_of_the_page_in_fields_of_the_editor(self):
        page = self.page()
        page.select("First")
        field = self.typed(page, "Red")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("16", Keys.ENTER)
        self.eventually(lambda: self.hexes()["First"] == "#100000", "the typed value")
        field.send_keys(Keys.CONTROL, "z")
        self.eventually(lambda: self.hexes()["First"] == "#ff0000", "the value before")
        page.wait(lambda: field.get_property("value") == "255", "the field as the color")
        field.send_keys(Keys.CONTROL, "y")
        self.eventually(lambda: self.hexes()["First"] == "#100000", "the typed value again")
        # Undo of what is typed in a field is the field's.
        hex_field = page.one("textbox", "Hex")
        hex_field.send_keys("9")
        hex_field.send_keys(Keys.CONTROL, "z")
        page.wait(lambda: hex_field.get_property("value") == "#100000", "the text as it was")
        self.assertEqual(self.hexes()["First"], "#100000")

    def test_what_stands_in_a_field_is_saved(self):
        page = self.page()
        field = page.one("textbox", "Hex")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("no color", Keys.CONTROL, "s")
        page.wait(lambda: "is no color" in page.text(), "what is wrong")
        self.assertEqual(self.order(), ["First", "Second"])
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("#123456", Keys.CONTROL, "s")
        self.eventually(lambda: self.order() == ["#123456", "First", "Second"], "the typed color")

    def test_shift_steps_by_ten(self):
        page = self.page()
        page.enter("textbox", "Hex", "#646464")
        red = page.one("slider", "Red")
        red.send_keys(Keys.ARROW_RIGHT)
        page.wait(lambda: page.value("Red") == 101, "one step")
        red.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
        page.wait(lambda: page.value("Red") == 111, "ten steps")
        page.one("any", PLANE).send_keys(Keys.SHIFT, Keys.ARROW_UP)
        lightness = page.value("Lightness")
        page.one("any", PLANE).send_keys(Keys.SHIFT, Keys.ARROW_DOWN)
        page.wait(lambda: abs(lightness - page.value("Lightness") - 10) < 0.2, "ten points of lightness")

    def test_the_plane_is_dragged(self):
        page = self.page()
        page.enter("textbox", "Hex", "#202830")
        plane = page.one("any", PLANE)
        before = (page.value("Lightness"), page.value("OKLCH hue"))
        size = plane.size
        drag = ActionChains(page.driver).move_to_element_with_offset(plane, -size["width"] // 3, size["height"] // 5)
        drag.click_and_hold().move_by_offset(8, -size["height"] // 3).release().perform()
        page.wait(lambda: abs(page.value("Lightness") - before[0]) > 5, "another lightness")
        self.assertAlmostEqual(page.value("OKLCH hue"), before[1], delta=1)

    def paste(self, page, text):
        page.driver.execute_script("""
            const transfer = new DataTransfer();
            transfer.setData("text/plain", arguments[0]);
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
            """, text)

    def test_a_pasted_color_goes_into_the_picker_or_the_selected_color(self):
        page = self.page()
        self.paste(page, "hsl(0 100% 50%)")
        page.wait(lambda: page.one("textbox", "Hex").get_property("value") == "#ff0000", "the color in the picker")
        self.assertEqual(self.order(), ["First", "Second"])
        page.select("Second")
        self.paste(page, "rebeccapurple")
        self.eventually(lambda: self.hexes()["Second"] == "#663399", "the selected color recolored")
        self.assertEqual(self.order(), ["First", "Second"])

    def test_pasted_lines_are_added(self):
        page = self.page()
        self.paste(page, "--ink: #111111;\n--paper: #eeeeee;")
        self.eventually(lambda: self.order() == ["ink", "paper", "First", "Second"], "both added")
        page.press("Undo")
        self.eventually(lambda: self.order() == ["First", "Second"], "both gone by one undo")
        self.paste(page, "no color at all")
        page.wait(lambda: "There is no color" in page.text(), "a word about it")

    def test_drawing_the_plane_takes_under_4_milliseconds(self):
        page = self.page()
        times = page.driver.execute_async_script(DRAW)
        # Half of the planes: a machine that does other things stretches some.
        self.assertLess(times[len(times) // 2], 4, times)
