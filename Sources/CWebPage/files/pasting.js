import { announce, toast } from "./announce.js";
import { find, readCSS } from "./dom.js";
import { parseColor } from "./color.js";

/** Takes what is pasted anywhere: a color into the picker, which recolors what is selected, several into the palette,
 * files and pictures as when they are dropped.
 * @param {import("./page.js").Page} page */
export function takePastes(page) {
  document.addEventListener("paste", async (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest?.("dialog, textarea, input:not([type=range], [type=checkbox])") || !event.clipboardData) return;
    const files = [...event.clipboardData.files];
    const text = event.clipboardData.getData("text/plain");
    if (files.length === 0 && text.trim() === "") return;
    event.preventDefault();
    if (files.length > 0) return (await import("./files.js")).importFiles(page, files);
    const { readColors } = await import("./paste.js");
    const found = readColors(text, (one) => parseColor(one) !== null || readCSS(one) !== null);
    if (found.length === 0) return toast("There is no color in what was pasted");
    if (found.length > 1) {
      await page.addAll(found.map(({ value, name }) => ({ value, name: name || value })));
      return announce(`${found.length} colors added`);
    }
    // The field takes any color, and asks the node about those that this page cannot read.
    const field = /** @type {HTMLInputElement} */ (find("hex"));
    field.value = found[0].value;
    field.dispatchEvent(new Event("change"));
  });
}
