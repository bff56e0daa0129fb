"""Several colors as one thing: moved, recolored, copied, put elsewhere, deleted, each as one action."""


import shutil
import tempfile
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import axe
from browser import PATIENCE, PageCase
from processes import wait_for
from running import sized

COLORS = (("First", "#7a6080"), ("Second", "#2f7d5b"), ("Third", "color(display-p3 0.9 0.3 0.2)"), ("Fourth", "#808080"))

SLIDE = """
const slider = [...document.querySelectorAll("input[type=range]")].find((one) => one.ariaLabel === arguments[0]);
slider.value = arguments[1];
slider.dispatchEvent(new Event("input", { bubbles: true }));
if (arguments[2]) slider.dispatchEvent(new Event("change", { bubbles: true }));
"""

AREA = "return getComputedStyle(arguments[0].querySelector('.area')).backgroundImage"

# Selects and deletes everything, and tells how long the longest task of it took.
LONGEST = """
const [done] = arguments;
let longest = 0;
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration); }).observe({ type: "longtask" });
const cell = document.querySelector("[role=gridcell][tabindex='0']");
cell.focus();
const press = (key, ctrlKey) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
press("a", true);
// A message that has the focus stays, however long the node takes.
const end = () => { document.querySelector(".toast button").focus(); done(longest); };
setTimeout(() => { press("Delete", false); setTimeout(end, 3000); }, 1500);
"""


class Several(PageCase):
    def page(self, *colors, **how):
        self.home.hued("new", "Wood")
        self.serve(*(colors or COLORS))
        page = self.browser(**how)
        page.shows((colors or COLORS)[0][0])
        return page

    def pick(self, page, *names):
        page.select(names[0])
        for name in names[1:]:
            ActionChains(page.driver).key_down(Keys.CONTROL).click(page.cell(name)).key_up(Keys.CONTROL).perform()
        page.wait(lambda: f"{len(names)} colors selected" in page.text(), "what is selected")

    def stored(self):
        return {one["name"]: one["color"] for one in self.colors()}

    def actions(self):
        return len(self.home.hued("history", "Sea", "--actions")["actions"])

    def test_all_are_recolored_by_the_same_amounts_as_one_action(self):
        page = self.page()
        before, actions = self.stored(), self.actions()
        self.pick(page, "First", "Second", "Third")
        page.one("slider", "Lightness of all")
        page.driver.execute_script(SLIDE, "Lightness of all", 12, False)
        # All of them show what they were beside what is being made, and nothing is sent.
        for name in ("First", "Second", "Third"):
            page.wait(lambda: "linear-gradient" in page.driver.execute_script(AREA, page.cell(name)), f"{name} before and now")
        self.assertEqual(self.stored(), before)
        page.driver.execute_script(SLIDE, "Lightness of all", 12, True)
        self.eventually(lambda: sum(self.stored()[name] != before[name] for name in before) == 3, "three other colors")
        self.assertEqual(self.stored()["Fourth"], before["Fourth"])
        self.assertTrue(self.stored()["Third"].startswith("color(display-p3 "), "it keeps its space")
        self.assertEqual(self.actions(), actions + 1)
        page.press("Undo")
        self.eventually(lambda: self.stored() == before, "one undo for all")

    def test_escape_takes_it_back_and_grey_stays_grey(self):
        page = self.page()
        before = self.stored()
        self.pick(page, "First", "Fourth")
        page.one("slider", "Chroma of all")
        page.driver.execute_script(SLIDE, "Chroma of all", 50, False)
        page.one("slider", "Chroma of all").send_keys(Keys.ESCAPE)
        page.wait(lambda: page.one("slider", "Chroma of all").get_property("value") == "0", "the slider where it was")
        page.driver.execute_script(SLIDE, "Hue of all", 90, True)
        self.eventually(lambda: self.stored()["First"] != before["First"], "another hue")
        self.assertEqual(self.hexes()["Fourth"], "#808080")

    def test_all_move_together(self):
        page = self.page()
        self.pick(page, "First", "Third")
        page.chord(Keys.ALT, Keys.ARROW_RIGHT)
        self.eventually(lambda: self.order() == ["Second", "First", "Third", "Fourth"], "both, side by side")
        actions = self.actions()
        fourth = page.cell("Fourth").rect
        drag = ActionChains(page.driver).move_to_element(page.cell("First")).click_and_hold().move_by_offset(12, 4)
        drag.move_to_element_with_offset(page.cell("Fourth"), int(fourth["width"] / 2 - 4), 0).release().perform()
        self.eventually(lambda: self.order() == ["Second", "Fourth", "First", "Third"], "both at the end")
        self.assertEqual(self.actions(), actions + 1)

    def test_a_selection_becomes_a_palette_and_is_copied(self):
        page = self.page()
        self.home.hued("note", "Sea", "Second", "for leaves")
        page.wait(lambda: page.all("gridcell", part="for leaves"), "the note")
        self.pick(page, "First", "Second")
        page.press("Copy as CSS variable")
        page.wait(lambda: "Copied 2 lines" in page.text(), "both copied")
        page.press("New palette from these")
        page.enter("textbox", "Name", "Meadow")
        page.wait(lambda: page.all("grid", "Meadow"), "the new palette")
        def made():
            return [(one["name"], one["hex"], one["note"]) for one in self.home.hued("list", "Meadow")["colors"]]
        self.eventually(lambda: made() == [("First", "#7a6080", ""), ("Second", "#2f7d5b", "for leaves")], "its colors")
        self.assertEqual(len(self.order()), 4, "they stay where they were")

    def drag_to(self, page, color, palette, alt=False):
        target = page.one("button", part=palette)
        drag = ActionChains(page.driver).move_to_element(page.cell(color)).click_and_hold().move_by_offset(-12, 4).move_to_element(target)
        if alt:
            drag = drag.key_down(Keys.ALT)
        drag = drag.release()
        (drag.key_up(Keys.ALT) if alt else drag).perform()

    def wood(self):
        return [one["name"] for one in self.home.hued("list", "Wood")["colors"]]

    def test_colors_dropped_on_another_palette_move_there_and_undo_takes_back_both(self):
        page = self.page()
        self.pick(page, "First", "Third")
        self.drag_to(page, "First", "Wood")
        self.eventually(lambda: (self.order(), self.wood()) == (["Second", "Fourth"], ["First", "Third"]), "both there")
        page.press("Undo", within=".tools")
        self.eventually(lambda: (len(self.order()), self.wood()) == (4, []), "both here again")
        page.press("Redo")
        self.eventually(lambda: (self.order(), self.wood()) == (["Second", "Fourth"], ["First", "Third"]), "both there again")

    def test_a_color_in_the_hand_is_carried_and_others_make_room(self):
        page = self.page()
        grab, target = page.cell("First"), page.cell("Second")
        places = "return Object.fromEntries([...document.querySelectorAll('#grid .color[data-id]')].map((row) => [row.querySelector('.name').textContent, row.style.transform]))"
        before = page.driver.execute_script(places)
        left = grab.rect["x"]
        step = target.rect["x"] + target.rect["width"] - 6 - (grab.rect["x"] + grab.rect["width"] // 2)
        ActionChains(page.driver).move_to_element(grab).click_and_hold().move_by_offset(12, 0).move_by_offset(int(step) - 12, 0).perform()
        page.wait(lambda: page.driver.execute_script(places)["Second"] == before["First"], "room where it would go")
        carried = page.driver.execute_script("return document.querySelector('.carried').getBoundingClientRect().left")
        self.assertAlmostEqual(carried, left + step, delta=4)
        self.assertEqual(len(page.names()), 4, "what is carried is no color of the grid")
        ActionChains(page.driver).release().perform()
        self.eventually(lambda: self.order() == ["Second", "First", "Third", "Fourth"], "dropped")
        self.assertEqual(page.driver.find_elements("css selector", ".carried"), [])

    def test_with_alt_they_are_copied(self):
        page = self.page()
        self.drag_to(page, "Second", "Wood", alt=True)
        self.eventually(lambda: self.wood() == ["Second"], "a copy")
        self.assertEqual(len(self.order()), 4)
        page.press("Undo", within="#toasts")
        self.eventually(lambda: self.wood() == [], "no copy")

    def test_a_selection_is_exported_alone(self):
        page = self.page()
        downloads = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, downloads)
        page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": downloads})
        self.pick(page, "First", "Third")
        page.press("Export these")
        code = "return document.querySelector('.code pre')?.textContent ?? ''"
        page.wait(lambda: "--first: #7a6080" in page.driver.execute_script(code), "code")
        self.assertNotIn("second", page.driver.execute_script(code))
        self.assertIn("Export 2 colors of Sea", page.text())
        self.assertEqual(axe.everywhere(page), [])
        page.one("button", part="GIMP palette").click()
        file = Path(downloads, "Sea.gpl")
        self.eventually(file.exists, "the file")
        self.assertEqual([line.split("\t")[-1] for line in file.read_text().splitlines() if "\t" in line], ["First", "Third"])

    def test_of_many_colors_deleted_no_task_is_long(self):
        count = sized(5000, 20_000)
        self.serve_long("Long", count, step=800)
        page = self.browser(palette="Long")
        page.shows("color-0")
        page.driver.set_script_timeout(60)
        longest = page.driver.execute_async_script(LONGEST)
        # Seconds of a debug node's time, which it may have to share.
        wait_for(lambda: self.counts()["Long"] == 0, 4 * PATIENCE, "an empty palette", every=1)
        page.press("Undo", within="#toasts")
        wait_for(lambda: self.counts()["Long"] == count, 4 * PATIENCE, "all back", every=1)
        # 65 ms for 20,000 on a quiet machine; beside other tests each task waits for the processor as well.
        self.assertLess(longest, 600)

    def test_axe_finds_nothing_while_several_are_selected(self):
        page = self.page(width=1280)
        self.pick(page, "First", "Second", "Third")
        page.one("slider", "Hue of all")
        self.assertEqual(axe.everywhere(page), [])
