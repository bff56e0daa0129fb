import { announce, toast } from "./announce.js";
import { make, openDialog, swatch } from "./dom.js";

/** Sends palette files to the node, and tells what came of each.
 * @param {import("./page.js").Page} page @param {File[]} files */
export async function importFiles(page, files) {
  const images = files.filter(({ type }) => /^image\/(?!svg|x-)/.test(type));
  for (const image of images) await openImage(page, image);
  const rest = files.filter((file) => !images.includes(file));
  if (rest.length === 0) return;
  const progress = make("progress", { max: rest.length, value: 0, "aria-label": "Import" });
  const results = make("ul", { class: "members" });
  openDialog("Import", progress, results);
  for (const file of rest) {
    try {
      const bytes = toBase64(new Uint8Array(await file.arrayBuffer()));
      const answer = await page.connection.call("import", { files: [{ file: file.name, bytes }] });
      for (const one of answer.files) results.append(result(one));
      const { palette } = answer.files[0] ?? {};
      if (palette) page.library.open(palette);
    } catch (error) {
      results.append(make("li", {}, make("b", {}, file.name), make("span", { class: "value" }, error.message)));
    }
    progress.value += 1;
  }
  announce("Import finished");
}

/** @param {any} file */
function result({ file, colors, inserted, updated, skipped, error }) {
  const text = error ? error.message : `${colors} colors: ${inserted} new, ${updated} changed`;
  return make("li", {}, make("span", { class: "grow" }, make("b", {}, file), make("span", { class: "value" }, text),
    skipped.length > 0 && make("details", {}, make("summary", {}, `${skipped.length} skipped`),
      make("ul", {}, ...skipped.slice(0, 200).map((/** @type {any} */ one) => make("li", {}, `${one.at}: ${one.reason}`))))));
}

/** Lists the formats in which the palette can be had.
 * @param {import("./page.js").Page} page */
export async function openExport(page) {
  const { palette } = page.library;
  if (!palette) return;
  try {
    const { formats } = await page.connection.call("formats");
    const list = make("ul", { class: "formats" }, ...formats.filter((/** @type {any} */ one) => one.writes)
      .map((/** @type {{name: string, title: string, extensions: string[]}} */ { name, title, extensions }) => make("li", {}, make("a", {
        href: `/p/${palette.id}.${name}`, download: `${palette.name}.${extensions[0] ?? name}`,
      }, title), make("span", { class: "value" }, name))));
    openDialog(`Export ${palette.name}`, list);
  } catch (error) {
    toast(error.message);
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
  const worker = new Worker("/cluster-worker.js", { type: "module" });
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
    await page.addAll(colors.map((hex) => ({ value: hex, name: hex })));
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
