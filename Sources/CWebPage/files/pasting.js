import { frontDialog } from "./announce.js";
import { find } from "./dom.js";

/** Takes what is pasted anywhere: a color into the picker, which recolors what is selected, several into the palette,
 * files and pictures as when they are dropped.
 * @param {import("./page.js").Page} page */
export function takePastes(page) {
  document.addEventListener("paste", async (event) => {
    const target = /** @type {Element} */ (event.target);
    if (frontDialog() || target.closest?.("textarea, input:not([type=range], [type=checkbox])") || !event.clipboardData) return;
    const files = [...event.clipboardData.files];
    const text = event.clipboardData.getData("text/plain");
    if (files.length === 0 && text.trim() === "") return;
    event.preventDefault();
    if (files.length > 0) return (await import("./files.js")).importFiles(page, files);
    (await import("./starts.js")).takeText(page, text);
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
