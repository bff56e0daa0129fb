import { chromaEdge, clip, fitOKLCH, toHex } from "./color.js";
import { clamp, hsbToRGB } from "./conversions.js";
import { make } from "./dom.js";

/** @typedef {import("./model.js").ColorModel} ColorModel */
/** @typedef {import("./model.js").ColorState} ColorState */
/** @typedef {{label: string, short: string, max: number, step: number, unit: string, digits: number,
 *   get(state: ColorState): number, set(model: ColorModel, value: number): void,
 *   at(state: ColorState, part: number): string, edge?(state: ColorState): number, space: string}} Component */

/** @param {"r" | "g" | "b"} part @param {string} label @returns {Component} */
const channel = (part, label) => ({
  label, short: label[0], max: 255, step: 1, unit: "", digits: 0, space: "rgb",
  get: ({ rgb }) => rgb[part] * 255,
  set: (model, value) => model.setRGB({ ...model.state.rgb, [part]: value / 255 }),
  at: ({ rgb }, share) => toHex(clip({ ...rgb, [part]: share })),
});

/** @param {"h" | "s" | "b"} part @param {string} label @param {number} max @param {string} unit @returns {Component} */
const hsbPart = (part, label, max, unit) => ({
  label, short: label[0], max, step: 1, unit, digits: 0, space: "hsb",
  get: ({ hsb }) => hsb[part],
  set: (model, value) => model.setHSB({ [part]: value }),
  at: ({ hsb }, share) => toHex(hsbToRGB({ ...hsb, [part]: share * max })),
});

/** The sliders of the editor, in groups.
 * @type {Component[][]} */
export const groups = [
  [channel("r", "Red"), channel("g", "Green"), channel("b", "Blue")],
  [hsbPart("h", "Hue", 360, "°"), hsbPart("s", "Saturation", 100, "%"), hsbPart("b", "Brightness", 100, "%")],
  [
    {
      label: "Lightness", short: "L", max: 100, step: 0.1, unit: "%", digits: 1, space: "oklch",
      get: ({ lch }) => lch.l * 100,
      set: (model, value) => model.setOKLCH({ l: value / 100 }),
      at: ({ lch }, share) => toHex(fitOKLCH({ ...lch, l: share })),
    },
    {
      label: "Chroma", short: "C", max: 0.4, step: 0.001, unit: "", digits: 3, space: "oklch",
      get: ({ lch }) => lch.c,
      set: (model, value) => model.setOKLCH({ c: value }),
      at: ({ lch }, share) => toHex(fitOKLCH({ ...lch, c: share * 0.4 })),
      edge: ({ lch }) => chromaEdge(lch.l, lch.h) / 0.4,
    },
    {
      label: "OKLCH hue", short: "H", max: 360, step: 0.5, unit: "°", digits: 0, space: "oklch",
      get: ({ lch }) => lch.h,
      set: (model, value) => model.setOKLCH({ h: value }),
      at: ({ lch }, share) => toHex(fitOKLCH({ ...lch, h: share * 360 })),
    },
  ],
  [
    {
      label: "Alpha", short: "A", max: 100, step: 1, unit: "%", digits: 0, space: "",
      get: ({ alpha }) => alpha * 100,
      set: (model, value) => model.setAlpha(value / 100),
      at: ({ rgb }, share) => toHex(clip(rgb), share),
    },
  ],
];

const stops = 12;

/** One component of the current color: a native slider whose track shows the colors that it leads to, and a field
 * for its value. */
export class ColorSlider extends HTMLElement {
  /** @param {Component} component @param {ColorModel} model @param {(space: string, isDone: boolean) => void} touched */
  show(component, model, touched) {
    const { label, short, max, step, unit, digits } = component;
    const input = make("input", { type: "range", min: 0, max, step, "aria-label": label });
    const field = make("input", { type: "number", min: 0, max, step, "aria-label": label, class: "typed" });
    this.append(make("span", { class: "short", "aria-hidden": "true" }, short), input, field);
    const update = () => {
      const state = model.state;
      const number = component.get(state);
      const text = String(Number(number.toFixed(digits)));
      // A value that rounds to what the slider has leaves it alone, so a drag is never fought.
      if (Math.abs(Number(input.value) - number) >= step / 2) input.value = String(number);
      if (this.dataset.value !== text) {
        const hasFocus = document.activeElement === field;
        const isDraft = hasFocus && field.value !== this.dataset.value;
        this.dataset.value = text;
        input.setAttribute("aria-valuetext", text + unit);
        if (!isDraft) field.value = text;
        if (hasFocus && !isDraft) field.select();
      }
      const colors = Array.from({ length: stops + 1 }, (_, index) => component.at(state, index / stops));
      this.style.setProperty("--track", `linear-gradient(to right, ${colors.join(",")})`);
      if (component.edge) this.style.setProperty("--edge", String(component.edge(state)));
    };
    if (component.edge) this.classList.add("edged");
    const take = (/** @type {number} */ value, /** @type {boolean} */ isDone) => {
      component.set(model, clamp(value, 0, max));
      touched(component.space, isDone);
    };
    input.addEventListener("input", () => take(Number(input.value), false));
    input.addEventListener("change", () => {
      touched(component.space, true);
      update();
    });
    field.addEventListener("change", () => {
      // The field rounds: what nobody typed must not become the value.
      if (field.value === this.dataset.value) return;
      if (field.value !== "" && Number.isFinite(field.valueAsNumber)) take(field.valueAsNumber, true);
      field.value = this.dataset.value ?? "";
    });
    field.addEventListener("focus", () => field.select());
    field.addEventListener("keydown", ({ key }) => {
      // The editor's Escape may leave the field, which must apply nothing then.
      if (key === "Escape") field.value = this.dataset.value ?? "";
    });
    // A step by ten with Shift, in the slider and in its field.
    this.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 10, ArrowRight: 10, ArrowDown: -10, ArrowLeft: -10 }[event.key];
      const isSideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
      if (!by || !event.shiftKey || (event.target === field && isSideways)) return;
      event.preventDefault();
      take(component.get(model.state) + by * Math.max(step, max / 400), true);
      field.value = this.dataset.value ?? "";
    });
    model.observe(update);
    update();
  }
}
customElements.define("color-slider", ColorSlider);
