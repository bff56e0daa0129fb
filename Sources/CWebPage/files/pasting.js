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
      const isMade = await page.edits.addAll(found.map(({ value, name }) => ({ value, name: name || value })));
      if (isMade) announce(`${found.length} colors added`);
      return;
    }
    if (page.selectedColor && page.edits.refuses()) return;
    // The field takes any color, and asks the node about those that this page cannot read.
    const field = /** @type {HTMLInputElement} */ (find("hex"));
    field.value = found[0].value;
    field.dispatchEvent(new Event("change"));
  });
}

/** Takes files that are chosen, or dropped anywhere on the page.
 * @param {import("./page.js").Page} page */
export function takeDrops(page) {
  const take = async (/** @type {Iterable<File>} */ files) => {
    const list = [...files];
    await (await import("./files.js")).importFiles(page, list);
  };
  const picker = /** @type {HTMLInputElement} */ (find("files"));
  picker.addEventListener("change", () => {
    take(picker.files ?? []);
    picker.value = "";
  });
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
}
