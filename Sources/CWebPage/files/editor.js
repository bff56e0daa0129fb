import { contrast, grade, notations, over, parseColor, presets, print, toHex } from "./color.js";
import { announce, toast } from "./announce.js";
import { find, make, readCSS, swatch } from "./dom.js";
import { harmony, kinds } from "./harmony.js";
import { ColorPicker } from "./picker.js";

/** @typedef {import("./page.js").Page} Page */

const restMilliseconds = 250;

/** The panel that makes the current color. While a color is selected, what is done here recolors it. */
export class Editor {
  #page;
  #space = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #hex = make("input", { id: "hex", spellcheck: false, autocomplete: "off", maxLength: 120 });
  #heading = make("span", { class: "what" });
  #kind = make("select", { "aria-label": "Kind of harmony" }, ...kinds.map((kind) => make("option", {}, kind)));
  #steps = make("input", { type: "number", min: 2, max: 24, value: "9", "aria-label": "Steps" });
  #run = make("div", { class: "run" });
  #ratios = make("ul", { class: "ratios" });
  #against = make("select", { id: "against" }, make("option", { value: "" }, "choose a color …"));
  /** The colors that can be compared with.
   * @type {import("./diff.js").Color[]} */
  #listed = [];

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    this.#build();
    page.model.observe(() => this.#update());
    this.#update();
  }

  #build() {
    const { model } = this.#page;
    const touched = (/** @type {string} */ space, /** @type {boolean} */ isDone) => this.#touched(space, isDone);
    const preset = make("select", { id: "preset" }, make("option", { value: "" }, "Custom"),
      ...presets.map(([name, hex]) => make("option", { value: hex }, name)));
    preset.addEventListener("change", () => {
      if (preset.value) model.setText(preset.value);
      this.#touched("rgb", true);
    });
    const matching = () => {
      const match = presets.find(([, hex]) => hex === model.hex);
      preset.value = match ? match[1] : "";
    };
    model.observe(matching);
    matching();
    this.#hex.addEventListener("change", () => this.#typed());
    const picker = new ColorPicker(model, touched);
    const step = (/** @type {string} */ label, /** @type {number} */ points) => make("button", {
      onclick: () => { model.lighten(points); this.#touched("rgb", true); },
    }, label);
    const copies = make("div", { class: "copies", role: "group", "aria-label": "Copy" }, ...notations.map((notation) =>
      make("button", {
        class: "quiet", "aria-label": notation === "css" ? "Copy as CSS variable" : `Copy as ${notation}`,
        onclick: () => this.#page.copy(print(model.state, notation, this.#page.selectedColor?.name ?? "color")),
      }, notation === "css" ? "--var" : notation)));
    const pick = "EyeDropper" in window && make("button", { title: "Pick a color from the screen", onclick: () => this.#pickFromScreen() }, "Pick");
    this.#kind.addEventListener("change", () => this.#drawRun());
    this.#steps.addEventListener("input", () => this.#drawRun());
    this.#against.addEventListener("change", () => this.#drawRatios());
    find("editor").append(
      make("div", { class: "head" }, make("div", { class: "current" }, make("div", { class: "big" }, swatch("", "swatch now")),
        make("div", { class: "fields" }, this.#heading,
          make("label", { for: "hex" }, "Hex"), this.#hex,
          make("label", { for: "preset" }, "Preset"), preset)),
      make("div", { class: "row actions" },
        make("button", { class: "primary edits", onclick: () => this.#page.save() }, "Save"),
        step("Lighter", 10), step("Darker", -10), pick)),
      picker.element, copies,
      make("details", { class: "tool", open: true }, make("summary", {}, "Contrast"), this.#ratios,
        make("div", { class: "field" }, make("label", { for: "against" }, "Against"), this.#against)),
      make("details", { class: "tool", open: true }, make("summary", {}, "Harmonies and ramps"),
        make("div", { class: "row" }, this.#kind, this.#steps,
          make("button", { class: "edits", onclick: () => this.#saveRun() }, "Save as a run")), this.#run),
    );
  }

  /** Somebody typed a color; what this page cannot read the node knows, and the browser while it is away. */
  async #typed() {
    const text = this.#hex.value.trim();
    if (text === this.#page.model.hex) return;
    if (!this.#page.model.setText(text)) {
      const { connection, model } = this.#page;
      const known = connection.isOpen ? null : readCSS(text);
      try {
        if (known) model.setRGB(known.rgb, known.alpha);
        else model.setText((await connection.call("color", { value: text })).hex);
      } catch (error) {
        this.#hex.setAttribute("aria-invalid", "true");
        toast(connection.isOpen ? error.message : `“${text}” is no color`);
        return;
      }
    }
    this.#hex.removeAttribute("aria-invalid");
    this.#hex.value = this.#page.model.hex;
    this.#touched("rgb", true);
    this.flush();
  }

  /** @param {string} space how the color was made, which is how it is written down @param {boolean} isDone */
  #touched(space, isDone) {
    if (space) this.#space = space;
    const color = this.#page.selectedColor;
    if (!color || !this.#page.canEdit) return;
    this.#page.grid.preview(color.id, this.#page.model.hex);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (isDone) this.#timer = setTimeout(() => this.flush(), restMilliseconds);
  }

  /** Whether the color in the editor is ahead of the selected one. */
  get isAhead() {
    return this.#timer !== undefined;
  }

  /** Makes an edit of what was done to the selected color. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const color = this.#page.selectedColor;
    const { hex } = this.#page.model;
    if (!color || !this.#page.canEdit || color.hex === hex) return;
    this.#page.edit("set", { color: color.id, value: this.value, seen: color.seen });
  }

  /** The current color in the space that it was made in. */
  get value() {
    return print(this.#page.model.state, this.#space === "oklch" ? "oklch" : "hex");
  }

  #update() {
    const { hex } = this.#page.model;
    find("editor").style.setProperty("--now", hex);
    if (document.activeElement !== this.#hex || parseColor(this.#hex.value)) this.#hex.value = hex;
    this.#drawRatios();
    this.#drawRun();
  }

  /** Tells what the panel edits, and lists what a color can be compared with. */
  updateSelection() {
    const { selectedColor, library, grid } = this.#page;
    const count = grid.selection.size;
    this.#heading.textContent = selectedColor ? `Editing ${selectedColor.name}` : count > 1 ? `${count} colors selected` : "New color";
    this.#listOthers();
    this.#drawRatios();
  }

  /** Lists what the color can be compared with, if the list is another than the one that stands there. */
  #listOthers() {
    const colors = this.#page.library.colors.slice(0, 500);
    if (colors.length === this.#listed.length && colors.every((color, index) => color === this.#listed[index])) return;
    this.#listed = colors;
    const chosen = this.#against.value;
    this.#against.replaceChildren(make("option", { value: "" }, "choose a color …"),
      ...colors.map(({ id, name, hex }) => make("option", { value: id }, `${name} ${hex}`)));
    this.#against.value = colors.some(({ id }) => id === chosen) ? chosen : "";
  }

  #drawRatios() {
    const { rgb, alpha } = this.#page.model.state;
    const other = this.#page.library.color(this.#against.value);
    const grounds = [["Black", "#000000"], ["White", "#ffffff"], ...(other ? [[other.name, other.hex.slice(0, 7)]] : [])];
    this.#ratios.replaceChildren(...grounds.map(([name, hex]) => {
      const ground = parseColor(hex)?.rgb ?? rgb;
      const ratio = contrast(over(rgb, alpha, ground), ground);
      const sample = make("span", { class: "sample", "aria-hidden": "true" });
      sample.style.setProperty("--ink-sample", toHex(over(rgb, alpha, ground)));
      sample.style.backgroundColor = hex;
      return make("li", {}, sample, make("span", { class: "grow" }, name),
        make("b", {}, `${(Math.floor(ratio * 100) / 100).toFixed(2)}`), make("span", { class: "grade" }, grade(ratio)));
    }));
  }

  get #colorsOfRun() {
    const steps = Math.min(24, Math.max(2, Math.round(Number(this.#steps.value)) || 9));
    return harmony(this.#page.model.state.rgb, this.#kind.value, steps);
  }

  #drawRun() {
    this.#steps.disabled = !["Tints", "Shades", "OKLCH ramp"].includes(this.#kind.value);
    this.#run.replaceChildren(...this.#colorsOfRun.map((hex) => {
      const button = make("button", { "aria-label": `Use ${hex}`, title: hex, onclick: () => {
        this.#page.model.setText(hex);
        this.#touched("rgb", true);
      } });
      button.style.backgroundColor = hex;
      return button;
    }));
  }

  async #saveRun() {
    const colors = this.#colorsOfRun;
    await this.#page.addAll(colors.map((hex) => ({ value: hex, name: hex })));
    announce(`${colors.length} colors added`);
  }

  async #pickFromScreen() {
    try {
      const picker = new /** @type {any} */ (window).EyeDropper();
      this.#page.model.setText((await picker.open()).sRGBHex);
      this.#touched("rgb", true);
    } catch {
      // Escape: nothing was picked.
    }
  }
}
