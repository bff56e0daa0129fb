"""What axe-core finds in a page, in light and dark, at the widths of a phone, a tablet and a laptop; and what is
wider than its room there or on a desk."""

import importlib.util
from pathlib import Path

from running import sized

# Of the package only this file is used: it is the one that brings a present axe-core.
SOURCE = Path(importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0], "axe.min.js")
# From 1,021 on the page has the same elements. By day, a tablet's page is only measured; the long run also asks axe
# about it.
WIDTHS = (360, 768, 1920, 1280)
LAYOUTS = sized((360, 1280), (360, 768, 1280))
SCHEMES = ("light", "dark")

# What the other scheme can break: it has the same elements, of the same sizes.
COLOR_RULES = ["color-contrast", "link-in-text-block"]

RUN = """
const [rules, done] = arguments;
axe.run(document, { resultTypes: ["violations"], ...(rules.length ? { runOnly: rules } : {}) }).then(({ violations }) => done(
  violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 300), nodes[0].failureSummary])), (error) => done([String(error)]));
"""

# What is wider than its room: the page itself, and whatever dialog is open.
OVERFLOW = """
return [document.documentElement, ...document.querySelectorAll("dialog[open]")]
  .filter((room) => room.scrollWidth > room.clientWidth + 1).map((room) => room.localName);
"""


def violations(page, rules=()):
    """The rules that are broken, of all or of these, with the first element of each."""
    if not page.driver.execute_script("return 'axe' in window"):
        page.driver.execute_script(SOURCE.read_text())
    return page.driver.execute_async_script(RUN, rules)


def resize(page, width, scheme="light", height=900):
    """Gives the page another width and scheme, without motion, so that no color is halfway."""
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme},
                     {"name": "prefers-reduced-motion", "value": "reduce"}]})


def everywhere(page):
    """The faults of a state at all widths, in light and dark; leaves the page as a laptop has it."""
    found = []
    for width in WIDTHS:
        if width in LAYOUTS:
            resize(page, width, "dark")
            found += [(width, "dark", *fault) for fault in violations(page, COLOR_RULES)]
        resize(page, width)
        if width in LAYOUTS:
            found += [(width, "light", *fault) for fault in violations(page)]
        found += [(width, "wider than its room", room) for room in page.driver.execute_script(OVERFLOW)]
    return found
