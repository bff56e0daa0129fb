"""Makes the pictures of the README and of the page, from the real program. Scripts/pictures runs it."""

import os
import sys
import tempfile
from pathlib import Path

# Behind everything else: it has a `websocket` of its own, and selenium another.
sys.path.append(str(Path(__file__).resolve().parents[1] / "Outside"))

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import axe
import terminal
from browser import Browser
from processes import Home, Node, binary

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "Sources/PaletteNode/PaletteNode.docc/Resources/terminal-and-page.png"
# A picture that everybody who reads the README fetches.
LIMIT = 200_000

HARBOR = (("Paper", "#fbf7ef"), ("Ink", "#13202b"), ("Buoy", "#e4572e"), ("Deep water", "#17669c"), ("Shallow", "#76b7d6"),
          ("Lantern", "#f2b134"), ("Seaweed", "#2f7d5b"), ("Mussel", "#8e5572"), ("Rope", "#c9b79c"))


class Studio:
    """A node with a palette, and a browser that is photographed."""

    def __init__(self, folder):
        self.folder = folder
        self.count = 0
        self.home = Home()
        self.home.hued("config", "set", "name", "Ann")
        self.node = self.page = None
        self.home.hued("new", "Harbor")
        for name, color in HARBOR:
            self.home.hued("add", "Harbor", color, name)

    def open(self):
        self.node = Node(self.home)
        self.page = Browser(width=1440, height=900, opens_offline=True)
        self.page.open(self.home.hued("open")["url"])
        self.page.choose("Harbor")
        self.page.shows("Paper", "Rope")
        self.page.driver.execute_script("document.getElementById('you').blur()")

    def close(self):
        for part in (self.page, self.node):
            if part:
                part.close()
        self.home.remove()

    def logged(self):
        """All that the page wrote to its console."""
        return [entry["message"] for entry in self.page.driver.get_log("browser")]

    def run(self, *arguments):
        """Runs a command in a terminal of its own."""
        environment = {**os.environ, "HUED_HOME": str(self.home.folder), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        shown = " ".join(f"'{one}'" if set(" #(") & set(one) else one for one in arguments)
        return f"hued {shown}", terminal.run([binary(), *arguments], environment)

    def take(self, name, width=1440, height=900, scheme="light"):
        axe.resize(self.page, width, scheme, height)
        # Two frames: one that lays out, one that is painted.
        self.page.driver.execute_async_script(
            "const [done] = arguments; document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
        self.count += 1
        self.page.driver.save_screenshot(str(self.folder / f"{self.count:02}-{name}.png"))

    def tab(self, name):
        self.page.one("tab", name).click()

    def press(self, command):
        self.page.driver.execute_script("document.querySelector(`[data-command=${arguments[0]}]`).click()", command)

    def close_dialog(self):
        self.page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.page.wait(lambda: not self.page.driver.find_elements("css selector", "dialog[open]"), "no dialog")


def readme(studio):
    """The terminal and the page, which shows what the terminal did; returns what the page has logged."""
    page = studio.page
    studio.home.hued("drop", "Fresh", "--yes")
    page.choose("Harbor")
    page.shows("Paper")
    lines = [studio.run("set", "Harbor", "Buoy", "oklch(66% 0.19 38)"), studio.run("list", "Harbor"),
             studio.run("contrast", "#13202b", "#fbf7ef"), studio.run("history", "Harbor", "--limit", "3")]
    page.wait(lambda: page.all("gridcell", part="Buoy, #e"), "the new color")
    studio.press("in-use")
    studio.tab("Preview")
    page.one("any", "A poster")
    axe.resize(page, 1180, "light", 957)
    page.wait(lambda: not page.driver.find_elements("css selector", ".by, .toast"), "no mark and no message of what was done just now")
    picture = page.driver.get_screenshot_as_base64()
    logged = studio.logged()
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as file:
        file.write(terminal.scene(lines, picture))
        file.flush()
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 1360, "height": 720, "deviceScaleFactor": 1, "mobile": False})
        page.driver.get(f"file://{file.name}")
        README.parent.mkdir(exist_ok=True)
        page.driver.save_screenshot(str(README))
    return logged


def pictures(studio):
    """Twelve pictures of what the page does."""
    page = studio.page
    studio.take("grid")
    page.select("Deep water")
    studio.take("editing", scheme="dark")
    page.driver.execute_script("document.querySelector('[data-layout=strips]').click()")
    studio.take("strips")
    page.driver.execute_script("document.querySelector('[data-layout=grid]').click()")
    studio.press("in-use")
    page.one("any", "A poster")
    studio.take("in-use")
    studio.tab("Contrast")
    page.one("button", part="Ink on Paper")
    studio.take("contrast")
    studio.tab("Color vision")
    studio.take("color-vision", scheme="dark")
    studio.home.hued("remove", "Harbor", "Mussel")
    studio.home.hued("sort", "Harbor", "--by", "lightness")
    studio.press("history")
    ActionChains(page.driver).move_to_element(page.one("button", part="added Rope")).perform()
    page.shows("Mussel", "Rope")
    page.wait(lambda: not page.driver.find_elements("css selector", ".by"), "no mark of what was done just now")
    studio.take("history")
    studio.press("history")
    page.wait(lambda: not page.driver.find_elements("css selector", "body.past"), "the palette as it is")
    studio.press("export")
    page.wait(lambda: "--paper" in page.driver.execute_script("return document.querySelector('.code pre')?.textContent ?? ''"), "code")
    studio.take("export")
    studio.close_dialog()
    studio.take("phone", width=390, height=844)
    studio.take("tablet", width=820, height=1180)
    studio.take("desk", width=1920, height=1080, scheme="dark")
    studio.home.hued("new", "Fresh")
    page.one("button", part="Fresh").click()
    page.one("button", part="From one color")
    studio.take("first-minute")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    studio = Studio(folder)
    try:
        studio.open()
        pictures(studio)
        logged = readme(studio)
    finally:
        studio.close()
    if logged:
        sys.exit("The page logged:\n" + "\n".join(logged))
    size = README.stat().st_size
    if size > LIMIT:
        sys.exit(f"{README.name} has {size} bytes, more than {LIMIT}")
    print(f"{README.relative_to(ROOT)} ({size} bytes) and {studio.count} pictures in {folder}")


if __name__ == "__main__":
    main()
