import { base } from "./address.js";
import { announce, toast } from "./announce.js";
import { openDialog } from "./dialogs.js";
import { loadStyle, make, swatch } from "./dom.js";

/** Sends palette files to the node, a row a file with its colors so far, and opens what came of them.
 * @param {import("./page.js").Page} page @param {File[]} files */
export async function importFiles(page, files) {
  const images = files.filter(({ type }) => /^image\/(?!svg|x-)/.test(type));
  for (const image of images) await openImage(page, image);
  const rest = files.filter((file) => !images.includes(file));
  if (rest.length === 0) return;
  await loadStyle("/import.css");
  const rows = rest.map((file) => new ImportRow(file.name));
  openDialog("Import", make("ul", { class: "imports" }, ...rows.map(({ element }) => element)));
  /** @type {string | null} */
  let opened = null;
  for (const [index, file] of rest.entries()) {
    const row = rows[index];
    try {
      row.begin();
      const bytes = toBase64(new Uint8Array(await file.arrayBuffer()));
      const answer = await page.connection.call("import", { files: [{ file: file.name, bytes }] }, (progress) => row.follow(progress));
      for (const one of answer.files) row.end(one);
      opened = answer.files[0]?.palette ?? opened;
    } catch (error) {
      row.fail(error.message);
    }
  }
  if (opened) await page.openPalette(opened);
  announce("Import finished");
}

/** A file that is imported: its name, how far it is, and what came of it. */
class ImportRow {
  #bar = make("progress", { max: 1 });
  #words = make("span", { class: "value" }, "waiting");
  #more = make("div", {});
  element;

  /** @param {string} name */
  constructor(name) {
    this.#bar.ariaLabel = `Import of ${name}`;
    this.#bar.value = 0;
    this.element = make("li", {}, make("b", {}, name), this.#words, this.#bar, this.#more);
  }

  begin() {
    this.#words.textContent = "reading";
    this.#bar.removeAttribute("value");
  }

  /** @param {{work: string, done: number, total: number | null}} progress */
  follow({ done, total }) {
    this.#words.textContent = total ? `${done.toLocaleString()} of ${total.toLocaleString()} colors` : `${done.toLocaleString()} colors`;
    if (!total) return;
    this.#bar.max = total;
    this.#bar.value = done;
  }

  /** @param {any} result */
  end({ colors, inserted, updated, skipped, error }) {
    if (error) return this.fail(error.message);
    const count = (/** @type {number} */ number) => number.toLocaleString();
    this.#words.textContent = `${colors === 1 ? "1 color" : `${count(colors)} colors`}: ${count(inserted)} new, ${count(updated)} changed`;
    this.#bar.max = this.#bar.value = 1;
    this.element.classList.add("done");
    if (skipped.length === 0) return;
    this.#more.append(make("details", {}, make("summary", {}, `${skipped.length} skipped`),
      make("ul", {}, ...skipped.slice(0, 200).map((/** @type {any} */ one) => make("li", {}, `${one.at}: ${one.reason}`)))));
  }

  /** @param {string} reason */
  fail(reason) {
    this.#words.textContent = reason;
    this.#bar.hidden = true;
    this.element.classList.add("failed");
  }
}

/** Makes colors from an image.
 * @param {import("./page.js").Page} page @param {File} file */
async function openImage(page, file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    toast(`${file.name} is no image that this browser can read`);
    return;
  }
  const scale = Math.min(1, 320 / Math.max(bitmap.width, bitmap.height));
  const canvas = make("canvas", { class: "image", width: Math.max(1, Math.round(bitmap.width * scale)),
    height: Math.max(1, Math.round(bitmap.height * scale)), role: "img", "aria-label": `${file.name}; click to pick a color` });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return;
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  canvas.addEventListener("click", (event) => {
    const x = Math.floor((event.offsetX / canvas.clientWidth) * canvas.width);
    const y = Math.floor((event.offsetY / canvas.clientHeight) * canvas.height);
    const at = (y * canvas.width + x) * 4;
    page.model.setRGB({ r: data[at] / 255, g: data[at + 1] / 255, b: data[at + 2] / 255 }, 1);
  });
  const count = make("input", { type: "range", min: 2, max: 24, value: "8", id: "image-count" });
  const number = make("output", { for: "image-count" }, "8");
  const run = make("div", { class: "run" });
  const worker = new Worker(`${base}cluster-worker.js`, { type: "module" });
  /** @type {string[]} */
  let colors = [];
  worker.onmessage = (event) => {
    colors = event.data;
    run.replaceChildren(...colors.map((hex) => swatch(hex)));
  };
  const begin = () => {
    number.value = count.value;
    worker.postMessage({ pixels: data, count: Number(count.value) });
  };
  count.addEventListener("input", begin);
  const add = make("button", { class: "primary edits", onclick: async () => {
    dialog.close();
    await page.edits.addAll(colors.map((hex) => ({ value: hex, name: hex })));
  } }, "Add to the palette");
  const dialog = openDialog(`Colors of ${file.name}`, canvas,
    make("div", { class: "field" }, make("label", { for: "image-count" }, "Colors"), count, number), run,
    make("div", { class: "row end" }, add));
  dialog.addEventListener("close", () => worker.terminate());
  begin();
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
