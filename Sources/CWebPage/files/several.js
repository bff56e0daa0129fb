import { announce } from "./announce.js";
import { make, paintable, swatch } from "./dom.js";
import { Gesture } from "./gesture.js";
import { ColorModel } from "./model.js";

/** @typedef {import("./diff.js").Color} Color */
/** How much several colors change: points of lightness, percent of chroma, degrees of hue.
 * @typedef {{l: number, c: number, h: number}} Amounts */

const mostShown = 24;
/** @type {[keyof Amounts, string, number, string][]} */
const parts = [["l", "Lightness", 50, ""], ["c", "Chroma", 100, " %"], ["h", "Hue", 180, "°"]];
const none = { l: 0, c: 0, h: 0 };

/** A color after a change by amounts, written in its space. Chroma is multiplied, so that grey stays grey.
 * @param {string} color @param {Amounts} amounts */
export function shifted(color, { l, c, h }) {
  const model = new ColorModel("#000");
  if (!model.setText(color)) return color;
  model.keepsSpace = true;
  const { lch } = model.state;
  model.setOKLCH({ l: Math.min(1, Math.max(0, lch.l + l / 100)), c: lch.c * (1 + c / 100), h: (lch.h + h + 720) % 360 });
  return model.css;
}

/** Recolors what is selected by the same amounts, as one action; all of it shows while that is done. */
export class Several {
  #page;
  #strip = make("div", { class: "run before-now", "aria-hidden": "true" });
  /** The colors as they were when the hand was laid on a slider, by their ids.
   * @type {Map<string, Color> | null} */
  #before = null;
  /** @type {Amounts} */
  #amounts = none;
  #gesture = new Gesture();
  #sliders = parts.map(([part, name, max, unit]) => {
    const value = make("output", {}, "0");
    const slider = make("input", { type: "range", min: -max, max, step: 1, value: "0", "aria-label": `${name} of all` });
    const change = (/** @type {boolean} */ isDone) => this.#change({ ...this.#amounts, [part]: Number(slider.value) }, isDone);
    slider.addEventListener("input", () => change(false));
    slider.addEventListener("change", () => change(true));
    const show = () => {
      const number = this.#amounts[part];
      slider.value = String(number);
      value.value = `${number > 0 ? "+" : ""}${number}${unit}`;
      slider.setAttribute("aria-valuetext", value.value);
    };
    return { element: make("label", { class: `shift of-${part}` }, make("span", {}, name), slider, value), show };
  });
  element = make("section", { class: "several", "aria-label": "Change all selected colors" }, this.#strip,
    ...this.#sliders.map(({ element }) => element));

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
    this.element.append(make("div", { class: "row actions" },
      make("button", { class: "edits", onclick: () => page.commands.run("new-from-selection") }, "New palette from these"),
      make("button", { onclick: () => page.commands.run("export-selection") }, "Export these")));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#before) return;
      event.preventDefault();
      event.stopPropagation();
      this.#gesture.cancel();
      this.#reset();
      announce("Taken back");
    });
    page.grid.selection.addEventListener("change", () => this.#end());
    page.library.addEventListener("colors", () => this.#draw());
    this.#reset();
  }

  #colors() {
    const { grid, library } = this.#page;
    return [...grid.selection.ids].flatMap((id) => library.color(id) ?? []);
  }

  /** @param {Amounts} amounts @param {boolean} isDone whether it is over at rest, or at the release of the pointer */
  #change(amounts, isDone) {
    if (!this.#page.canEdit || this.#gesture.isCancelled) return this.#reset();
    const colors = this.#colors();
    if (colors.length === 0) return;
    this.#before ??= new Map(colors.map((color) => [color.id, color]));
    this.#gesture.touch(this.#before.values().next().value ?? colors[0], isDone, () => this.#end());
    this.#amounts = amounts;
    const before = this.#before;
    this.#page.grid.marks.preview((color) => {
      const was = before.get(color.id);
      return was ? { color: shifted(was.color, amounts), was: was.color } : null;
    }, before);
    for (const { show } of this.#sliders) show();
    this.#draw();
  }

  #end() {
    this.#gesture.end();
    const before = this.#before;
    const amounts = this.#amounts;
    this.#reset();
    if (!before || Object.values(amounts).every((amount) => amount === 0)) return;
    const edits = [...before.values()].map(({ id, color, seen }) => ({ method: "set", color: id, value: shifted(color, amounts), seen }));
    if (this.#page.edits.act(edits)) announce(`${edits.length.toLocaleString("en")} colors changed`);
  }

  #reset() {
    this.#before = null;
    this.#amounts = none;
    this.#page.grid.marks.preview(null);
    for (const { show } of this.#sliders) show();
    this.#draw();
  }

  #draw() {
    if (this.element.hidden) return;
    const colors = this.#before ? [...this.#before.values()] : this.#colors();
    const shown = colors.slice(0, mostShown);
    const band = (/** @type {(color: Color) => string} */ look) => make("span", {}, ...shown.map((color) => swatch(look(color), "stripe")));
    const now = (/** @type {Color} */ color) => paintable(shifted(color.color, this.#amounts), color.hex);
    this.#strip.replaceChildren(band(({ color, hex }) => paintable(color, hex)), band(now));
  }
}
