"""The editor and the grid, by pointer and by keyboard."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageCase

CHART = "Hue and saturation chart"


class Editor(PageCase):
    def page(self):
        self.serve(("First", "#ff0000"), ("Second", "#00ff00"), ("Third", "#0000ff"))
        page = self.browser()
        page.shows("First", "Second", "Third")
        return page

    def assert_sliders(self, page, **expected):
        for name, value in expected.items():
            page.wait(lambda: abs(page.value(name) - value) <= 0.6, f"{name} at {value}")

    def test_all_sliders_agree(self):
        page = self.page()
        page.enter("textbox", "Hex", "#ff8800")
        self.assert_sliders(page, Red=255, Green=136, Blue=0, Hue=32, Saturation=100, Brightness=100)
        red = page.one("slider", "Red")
        red.send_keys(Keys.HOME)
        self.assert_sliders(page, Red=0, Green=136, Blue=0, Hue=120, Saturation=100, Brightness=53.3)
        page.one("slider", "Brightness").send_keys(Keys.HOME)
        self.assert_sliders(page, Red=0, Green=0, Blue=0, Hue=120, Saturation=100, Brightness=0)
        page.one("slider", "Brightness").send_keys(Keys.END)
        # Black has no hue, and yet the sliders have not jumped.
        self.assert_sliders(page, Red=0, Green=255, Blue=0, Hue=120, Saturation=100)
        for name in ("Lightness", "Chroma", "OKLCH hue", "Alpha"):
            page.one("slider", name)
        page.one("combobox", "Preset")

    def test_the_chart_is_dragged(self):
        page = self.page()
        page.enter("textbox", "Hex", "#ff8800")
        page.one("tab", "HSB").click()
        chart = page.one("any", CHART)
        before = (page.value("Hue"), page.value("Saturation"))
        size = chart.size
        drag = ActionChains(page.driver)
        drag.move_to_element_with_offset(chart, -size["width"] // 4, -size["height"] // 4)
        drag.click_and_hold().move_by_offset(size["width"] // 2, size["height"] // 8)
        drag.move_by_offset(4, size["height"] // 8).release().perform()
        page.wait(lambda: abs(page.value("Hue") - before[0]) > 5, "another hue")
        page.wait(lambda: abs(page.value("Saturation") - before[1]) > 5, "another saturation")
        dragged = page.value("Hue")
        chart.send_keys(Keys.ARROW_RIGHT)
        page.wait(lambda: page.value("Hue") != dragged or page.value("Saturation") != before[1],
                  "a step by the keyboard")

    def test_a_hex_recolors_what_is_selected(self):
        page = self.page()
        page.select("Second")
        page.enter("textbox", "Hex", "#663399")
        self.eventually(lambda: self.hexes().get("Second") == "#663399", "the new color")
        self.assertEqual(self.order(), ["First", "Second", "Third"])

    def test_a_reload_keeps_what_is_under_way(self):
        page = self.page()
        page.select("Second")
        page.driver.execute_script(
            "const slider = arguments[0]; slider.focus(); slider.value = 20;"
            "slider.dispatchEvent(new Event('input', { bubbles: true })); location.reload();", page.one("slider", "Lightness"))
        self.eventually(lambda: self.hexes()["Second"] != "#00ff00", "the color as it was left")

    def test_f2_renames(self):
        page = self.page()
        page.select("Second")
        page.keys(Keys.F2)
        page.wait(lambda: page.driver.switch_to.active_element.aria_role == "textbox"
                  or page.driver.switch_to.active_element.shadow_root, "a field for the name")
        page.chord(Keys.CONTROL, "a")
        page.keys("Leaf", Keys.ENTER)
        self.eventually(lambda: self.order() == ["First", "Leaf", "Third"], "the new name")
        page.shows("First", "Leaf", "Third")

    def test_delete_and_undo_and_redo(self):
        page = self.page()
        page.select("Second")
        page.keys(Keys.DELETE)
        self.eventually(lambda: self.order() == ["First", "Third"], "the deletion")
        page.lacks("Second")
        page.press("Undo")
        self.eventually(lambda: self.order() == ["First", "Second", "Third"], "the color again")
        page.shows("First", "Second", "Third")
        page.press("Redo")
        self.eventually(lambda: self.order() == ["First", "Third"], "the deletion again")

    def test_alt_and_arrows_move(self):
        page = self.page()
        page.select("First")
        page.chord(Keys.ALT, Keys.ARROW_RIGHT)
        self.eventually(lambda: self.order() == ["Second", "First", "Third"], "one step on")
        page.shows("Second", "First", "Third")
        page.chord(Keys.ALT, Keys.ARROW_LEFT)
        self.eventually(lambda: self.order() == ["First", "Second", "Third"], "one step back")

    def test_lighter_and_darker(self):
        page = self.page()
        page.select("Third")
        before = self.hexes()["Third"]
        page.press("Lighter")
        self.eventually(lambda: self.hexes()["Third"] != before, "a lighter color")
        page.press("Darker")
        self.eventually(lambda: self.hexes()["Third"] == before, "the color as it was")

    def test_copying_in_the_grid_and_the_sheet_of_keys(self):
        page = self.page()
        page.select("Second")
        page.chord(Keys.CONTROL, "c")
        page.wait(lambda: "Copied #00ff00" in page.text(), "what was copied")
        page.keys("?")
        page.wait(lambda: "Rename color" in page.text() and "F2" in page.text(), "the keys")
        page.keys(Keys.ESCAPE)

    def focused(self, page):
        return page.driver.switch_to.active_element

    def test_the_focus_stays_in_the_page_when_what_has_it_goes(self):
        page = self.page()
        page.select("First")
        page.one("button", "Delete").send_keys(Keys.ENTER)
        self.eventually(lambda: self.order() == ["Second", "Third"], "one color less")
        page.wait(lambda: self.focused(page).get_attribute("role") == "gridcell", "the focus at a color")
        page.one("button", "Undo").send_keys(Keys.ENTER)
        page.shows("First", "Second", "Third")
        page.wait(lambda: self.focused(page).accessible_name == "Redo", "the focus at Redo")
        self.focused(page).send_keys(Keys.ENTER)
        page.lacks("First")
        page.wait(lambda: self.focused(page).accessible_name == "Undo", "the focus at Undo")

    def test_what_is_saved_is_seen_whatever_is_searched(self):
        page = self.page()
        page.one("textbox", "Search colors").send_keys("Second")
        page.lacks("First")
        page.enter("textbox", "Hex", "#123456")
        page.press("Save")
        page.shows("#123456", "First", "Second")
        page.wait(lambda: page.cell("#123456").get_attribute("aria-selected") == "true", "the new color selected")
        self.assertEqual(page.one("textbox", "Search colors").get_property("value"), "")

    def test_another_window_can_undo(self):
        page = self.page()
        first, address = page.driver.current_window_handle, page.driver.current_url
        page.driver.switch_to.new_window("tab")
        page.open(address)
        page.shows("First", "Second", "Third")
        second = page.driver.current_window_handle
        page.driver.switch_to.window(first)
        page.shows("First", "Second", "Third")
        page.select("First")
        page.keys(Keys.DELETE)
        page.lacks("First")
        page.driver.switch_to.window(second)
        page.lacks("First")
        page.press("Undo")
        self.eventually(lambda: self.order() == ["First", "Second", "Third"], "the color again")

    def test_a_message_offers_undo_while_that_means_what_it_says(self):
        page = self.page()
        offers = lambda: page.driver.find_elements("css selector", "#toasts button")
        page.select("First")
        page.keys(Keys.DELETE)
        page.wait(offers, "an offer to undo")
        page.select("Second")
        page.enter("textbox", "Hex", "#123456")
        page.wait(lambda: not offers(), "no offer after another edit")
        page.select("Third")
        page.keys(Keys.DELETE)
        page.wait(offers, "an offer to undo")
        page.press("Undo", within=".tools")
        self.eventually(lambda: self.order() == ["Second", "Third"], "the color again")
        page.wait(lambda: not offers(), "no offer after an undo")

    def test_several_colors_are_deleted_and_come_back_by_one_undo(self):
        page = self.page()
        page.select("First")
        page.chord(Keys.CONTROL, "a")
        page.keys(Keys.DELETE)
        self.eventually(lambda: self.order() == [], "an empty palette")
        page.wait(lambda: "3 colors deleted" in page.text(), "a word about it")
        page.press("Undo", within="#toasts")
        self.eventually(lambda: self.order() == ["First", "Second", "Third"], "all by one undo")
        page.select("First")
        page.chord(Keys.CONTROL, "a")
        page.press("Duplicate")
        self.eventually(lambda: self.order() == ["First", "First", "Second", "Second", "Third", "Third"], "each behind its own")
        page.press("Undo")
        self.eventually(lambda: self.order() == ["First", "Second", "Third"], "one undo")
