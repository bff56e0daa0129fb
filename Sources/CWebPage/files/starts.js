import { announce, toast } from "./announce.js";
import { parseColor } from "./color.js";
import { openDialog } from "./dialogs.js";
import { find, make, readCSS, swatch } from "./dom.js";
import { harmony } from "./harmony.js";
import { readColors } from "./paste.js";

/** @typedef {import("./page.js").Page} Page */

const sample = [
  ["Paper", "#fbf7ef"], ["Ink", "#13202b"], ["Buoy", "#e4572e"], ["Deep water", "#17669c"], ["Shallow", "#76b7d6"],
  ["Lantern", "#f2b134"], ["Seaweed", "#2f7d5b"], ["Mussel", "#8e5572"], ["Rope", "#c9b79c"],
];

/** Adds a palette to look at, which is one like any other.
 * @param {Page} page */
export async function addSample(page) {
  await page.palettes.create("Harbor");
  await page.edits.addAll(sample.map(([name, value]) => ({ name, value })));
  // What a palette is for is seen best in things that are painted with it.
  await page.beside.open("in-use");
}

/** @param {HTMLButtonElement} button @param {number} count */
function label(button, count) {
  button.disabled = count === 0;
  button.textContent = count === 1 ? "Add 1 color" : `Add ${count.toLocaleString()} colors`;
}

/** Makes a ramp in OKLCH from one color.
 * @param {Page} page */
export function openRamp(page) {
  const field = make("input", { id: "ramp-color", value: "#3f7ddb", spellcheck: false, autocomplete: "off" });
  const steps = make("input", { id: "ramp-steps", type: "range", min: 3, max: 15, value: "9" });
  const number = make("output", { for: "ramp-steps" }, "9");
  const run = make("div", { class: "run" });
  const add = make("button", { class: "primary" });
  const colors = () => {
    const parsed = parseColor(field.value) ?? readCSS(field.value.trim());
    return parsed ? harmony(parsed.rgb, "OKLCH ramp", Number(steps.value)) : [];
  };
  const draw = () => {
    const ramp = colors();
    field.setAttribute("aria-invalid", String(ramp.length === 0));
    number.value = steps.value;
    run.replaceChildren(...ramp.map((hex) => swatch(hex)));
    label(add, ramp.length);
  };
  const form = make("form", {},
    make("div", { class: "field" }, make("label", { for: "ramp-color" }, "Color"), field),
    make("div", { class: "field" }, make("label", { for: "ramp-steps" }, "Steps"), steps, number), run,
    make("div", { class: "row end" }, add));
  const dialog = openDialog("A ramp from one color", form);
  form.addEventListener("input", draw);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.edits.addAll(colors().map((hex) => ({ value: hex, name: hex })));
    dialog.close();
  });
  draw();
  field.select();
}

/** @param {string} text */
const isColor = (text) => parseColor(text) !== null || readCSS(text) !== null;

/** Takes the colors of a text that was pasted: one into the picker, several into the palette.
 * @param {Page} page @param {string} text */
export async function takeText(page, text) {
  const found = readColors(text, isColor);
  if (found.length === 0) return toast("There is no color in what was pasted");
  if (found.length > 1) {
    const isMade = await page.edits.addAll(found.map(({ value, name }) => ({ value, name: name || value })));
    return isMade ? announce(`${found.length} colors added`) : undefined;
  }
  if (page.selectedColor && page.edits.refuses()) return undefined;
  // The field takes any color, and asks the node about those that this page cannot read.
  const field = /** @type {HTMLInputElement} */ (find("hex"));
  field.value = found[0].value;
  field.dispatchEvent(new Event("change"));
  return undefined;
}

/** Takes a list of colors from text.
 * @param {Page} page */
export function openPaste(page) {
  const field = make("textarea", { id: "paste-list", rows: 8, spellcheck: false, placeholder: "#fbf7ef Paper\n--ink: #13202b;\n\"buoy\": \"oklch(64% 0.18 36)\"" });
  const run = make("div", { class: "run" });
  const add = make("button", { class: "primary" });
  const draw = () => {
    const found = readColors(field.value, isColor);
    run.replaceChildren(...found.slice(0, 48).map(({ value }) => swatch(value)));
    label(add, found.length);
  };
  const form = make("form", {}, make("label", { for: "paste-list", class: "hint" }, "One color a line, with its name if it has one"), field, run,
    make("div", { class: "row end" }, add));
  const dialog = openDialog("Paste a list", form);
  field.addEventListener("input", draw);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.edits.addAll(readColors(field.value, isColor).map(({ value, name }) => ({ value, name: name || value })));
    dialog.close();
  });
  draw();
}
