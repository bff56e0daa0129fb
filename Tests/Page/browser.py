"""A node, its library, and headless browsers that somebody uses: controls are found by role and name."""

import atexit
import functools
import http.server
import os
import shutil
import tempfile
import threading
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import (ElementClickInterceptedException, NoSuchElementException,
                                        StaleElementReferenceException, WebDriverException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from processes import Home, Node, wait_for

# A loaded machine paints late; nothing here is about speed.
PATIENCE = 60 * int(os.environ.get("HUED_PATIENCE", "1"))

# What HTML gives a role without being asked, and what says its role.
SELECTORS = {
    "button": "button, input[type=button], input[type=submit], summary, [role=button]",
    "slider": "input[type=range], [role=slider]",
    "textbox": "input:not([type]), input[type=text], input[type=search], textarea, [role=textbox]",
    "combobox": "select, input[list], [role=combobox]",
    "tab": "[role=tab]",
    "menuitem": "[role=menuitem]",
    "grid": "[role=grid]",
    "gridcell": "[role=gridcell]",
    "any": "[role], [aria-label], [aria-labelledby], canvas, button, a, input, select, option, li, summary",
}

# Elements in open shadow trees are the page's as well.
VISIBLE = """
const visible = (selector) => {
  const found = [];
  const visit = (root) => {
    found.push(...root.querySelectorAll(selector));
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) visit(element.shadowRoot);
  };
  visit(document);
  return found.filter((element) => element.checkVisibility());
};
"""

# By their names, as assistive technology has them. The driver gets only those: it asks about each element that it gets.
FIND = VISIBLE + """
const [selector, name, part] = arguments;
return visible(selector).filter(({ computedName }) =>
  (name === null || computedName === name) && computedName.toLowerCase().includes(part));
"""

# A grid may keep its rows in any order and place them by style: what it says of their order counts.
NAMES = VISIBLE + """
const index = (cell) => Number(cell.closest("[aria-rowindex]")?.getAttribute("aria-rowindex") ?? 0) * 1e6 +
  Number(cell.closest("[aria-colindex]")?.getAttribute("aria-colindex") ?? 0);
return visible(arguments[0]).sort((left, right) => index(left) - index(right)).map((cell) => cell.computedName);
"""

TEXT = """
const texts = [];
const visit = (root) => {
  texts.push(root instanceof ShadowRoot ? [...root.children].map((e) => e.innerText).join("\\n")
    : document.body.innerText);
  for (const element of root.querySelectorAll("*")) if (element.shadowRoot) visit(element.shadowRoot);
};
visit(document);
return texts.join("\\n");
"""


class EmptyPage(http.server.BaseHTTPRequestHandler):
    """An empty page at the address of all nodes.

    A browser keeps its process from one page of an address to another, and starts a new one after `about:blank`: 130 ms
    of processor time for each page that is opened.
    """

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Says nothing."""

    @classmethod
    @functools.cache
    def link(cls):
        """Where it is, from the first time on that somebody asks."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), cls)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"


class Chromium(webdriver.Chrome):
    """A headless browser with a profile of its own, which later cases may use again.

    Debian's `chromium-headless-shell` has the engine of `chromium` without its windows: all cases together take a
    third less processor time.

    What a page keeps is its origin's, and each node of each case has another port; only cookies are not.
    """

    # Not the script of that name: it would end alone, and leave the browser behind.
    PROGRAM = "/usr/lib/chromium/chromium-headless-shell"
    # As a new one has it.
    SCRIPT_SECONDS = 30
    # Every case has a node of its own, whose page a service worker would fetch and keep anew: a quarter of the
    # processor time, for what only cases about the network's absence use.
    KEEPS_NO_PAGES = {"source": "delete Navigator.prototype.serviceWorker"}
    # How what a command changes beneath the page is taken back.
    UNDOING = {
        "Emulation.setDeviceMetricsOverride": ("Emulation.clearDeviceMetricsOverride", {}),
        "Emulation.setEmulatedMedia": ("Emulation.setEmulatedMedia", {"features": []}),
    }
    idle = []

    def __init__(self):
        # The commands that were carried out beneath the page.
        self.altered = set()
        options = webdriver.ChromeOptions()
        options.binary_location = self.PROGRAM
        for flag in ("no-sandbox", "disable-gpu", "disable-dev-shm-usage",
                     # Asked for one by one by the driver, the names of a page's buttons take half a second.
                     "enable-blink-features=ComputedAccessibilityInfo",
                     # Without it each name that a script asks for builds the page's accessibility tree anew.
                     "force-renderer-accessibility"):
            options.add_argument("--" + flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options, service=Service(shutil.which("chromedriver")))
        self.hiding = super().execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", self.KEEPS_NO_PAGES)

    def keep_pages(self):
        """Lets pages have service workers; nobody uses this browser again."""
        self.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", self.hiding)

    @classmethod
    def take(cls):
        """One that nobody uses, or a new one."""
        return cls.idle.pop() if cls.idle else cls()

    def execute_cdp_cmd(self, command, parameters):
        """Changes something beneath the page, which is taken back when somebody else uses it."""
        self.altered.add(command)
        return super().execute_cdp_cmd(command, parameters)

    def give_back(self):
        """Forgets whoever used it, or ends."""
        try:
            if not self.altered <= self.UNDOING.keys() or len(self.window_handles) != 1:
                return self.quit()
            for command in self.altered:
                super().execute_cdp_cmd(*self.UNDOING[command])
            self.altered.clear()
            self.delete_all_cookies()
            self.get(EmptyPage.link())
            self.set_script_timeout(self.SCRIPT_SECONDS)
            self.get_log("browser")
            self.idle.append(self)
        except WebDriverException:
            self.quit()


@atexit.register
def quit_idle():
    """Ends those that nobody uses any more with the process."""
    while Chromium.idle:
        Chromium.idle.pop().quit()


class Browser:
    """One person's browser, which keeps no page for times without its node unless it opens offline."""

    def __init__(self, width=1200, height=760, opens_offline=False):
        self.driver = Chromium.take()
        if opens_offline:
            self.driver.keep_pages()
        self.driver.set_window_size(width, height)

    def close(self):
        self.driver.give_back()

    def open(self, link):
        """Opens a link as by a click elsewhere, also where only what follows # is another."""
        if self.driver.current_url != EmptyPage.link():
            self.driver.get(EmptyPage.link())
        self.driver.get(link)

    def reload(self):
        self.driver.refresh()

    def faults(self):
        """What went wrong in the page's own code, or against its policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "Uncaught" in entry["message"] or "Content Security Policy" in entry["message"]]

    def text(self):
        return self.driver.execute_script(TEXT)

    def announced(self):
        """What the page told those who cannot see it."""
        return self.driver.execute_script("return document.querySelector('[role=log]').textContent")

    def all(self, role, name=None, part=None):
        """The visible controls of a role with a name, or whose name contains a part."""
        return self.driver.execute_script(FIND, SELECTORS[role], name, (part or "").lower())

    def one(self, role, name=None, part=None):
        """Waits for a control."""
        what = f"{role} {name or part or ''}"
        return wait_for(lambda: self.all(role, name, part), PATIENCE, what, every=0.05)[0]

    def wait(self, condition, what):
        """Waits for a condition, which may look at elements that just went away, are still to come, or move."""
        def holds():
            try:
                return condition()
            except (ElementClickInterceptedException, NoSuchElementException, StaleElementReferenceException,
                    IndexError):
                return False
        return wait_for(holds, PATIENCE, lambda: f"{what} (the page says: {self.text()[:600]!r})", every=0.05)

    def names(self):
        """The names of the colors in view, in their order."""
        return self.driver.execute_script(NAMES, SELECTORS["gridcell"])

    def cell(self, part):
        return self.one("gridcell", part=part)

    def shows(self, *parts):
        """Waits until the gridcells contain these texts, in this order."""
        def match():
            names = iter(name.lower() for name in self.names())
            return all(any(part.lower() in name for name in names) for part in parts)
        self.wait(match, f"colors {parts}")

    def lacks(self, part):
        self.wait(lambda: not self.all("gridcell", part=part), f"no color {part}")

    def select(self, part):
        """Selects a color by a click."""
        def click():
            self.cell(part).click()
            return True
        self.wait(click, f"a click on {part}")

    def press(self, name, within=None):
        """Presses a button, of those within an element if one is named."""
        def found():
            return [one for one in self.all("button", name)
                    if not within or self.driver.execute_script("return arguments[0].closest(arguments[1])", one, within)]
        button = wait_for(found, PATIENCE, f"button {name}", every=0.05)[0]
        self.wait(button.is_enabled, f"an enabled button {name}")
        button.click()

    def menu(self, name):
        """Chooses from the menu of the palette."""
        self.press("Palette menu")
        self.one("menuitem", name).click()

    def keys(self, *keys):
        """Types into whatever has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, modifier, key):
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def enter(self, role, name, text):
        """Replaces the text of a field and confirms it."""
        field = self.one(role, name)
        field.click()
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.ENTER)

    def value(self, name):
        """The number at which a slider is."""
        slider = self.one("slider", name)
        value = slider.get_attribute("aria-valuenow") or slider.get_property("value")
        return float(value)

    def choose(self, palette):
        """Brings a palette into view, by its name where it is not the one in view."""
        def visible():
            if self.all("grid", part=palette):
                return True
            for element in self.all("any", part=palette):
                if element.aria_role in ("button", "link", "option", "treeitem", "tab", "row"):
                    element.click()
                    return False
            return False
        self.wait(visible, f"the palette {palette}")


class PageCase(unittest.TestCase):
    """A case with a hub of its own; a page that throws or breaks its policy fails it."""

    PALETTE = "Sea"

    def setUp(self):
        self.browsers = []
        self.home = Home()
        self.addCleanup(self.home.remove)
        self.home.hued("config", "set", "name", "Ann")
        self.node = None

    def serve(self, *colors, palette=PALETTE):
        """Starts a hub with a palette of (name, color)."""
        if palette:
            self.home.hued("new", palette)
        for name, color in colors:
            self.home.hued("add", palette, color, name)
        self.start()

    def serve_long(self, palette, count, **how):
        """Starts a hub with a palette of many colors."""
        self.import_long(palette, count, **how)
        self.start()

    def import_long(self, palette, count, step=1, first=0, name="color-{number}"):
        """Makes a palette of many colors, which are called color-0 and so on; {group} of a name counts hundreds."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "Long.txt")
            file.write_text("".join(f"#{number * step + first:06x}\t{name.format(number=number, group=number // 100)}\n" for number in range(count)))
            self.home.hued("import", file, "--palette", palette)

    def start(self, port=None):
        self.node = Node(self.home, port=port)
        self.addCleanup(self.node.close)

    def browser(self, link=None, palette=PALETTE, **how):
        """Opens the page, as its owner unless a link says otherwise."""
        browser = Browser(**how)
        self.addCleanup(browser.close)
        self.browsers.append(browser)
        browser.open(link or self.home.hued("open")["url"])
        if palette:
            browser.choose(palette)
        return browser

    def tearDown(self):
        for browser in self.browsers:
            self.assertEqual(browser.faults(), [])

    def counts(self):
        """The number of colors of each palette, by its name."""
        return {one["name"]: one["count"] for one in self.home.hued("palettes")["palettes"]}

    def colors(self):
        return self.home.hued("list", self.PALETTE)["colors"]

    def hexes(self):
        return {color["name"]: color["hex"] for color in self.colors()}

    def order(self):
        return [color["name"] for color in self.colors()]

    def eventually(self, condition, what):
        wait_for(condition, PATIENCE, what, every=0.1)
