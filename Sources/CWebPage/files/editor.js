import { contrast, grade, notations, over, parseColor, presets, print, toHex } from "./color.js";
import { announce, toast } from "./announce.js";
import { keyOf } from "./commands.js";
import { RPCError } from "./connection.js";
import { copyText } from "./copying.js";
import { find, loadStyle, make, readCSS, swatch } from "./dom.js";
import { Gesture } from "./gesture.js";
import { harmony, kinds } from "./harmony.js";
import { icon } from "./icons.js";
import { ColorPicker } from "./picker.js";

/** @typedef {import("./page.js").Page} Page */


/** The panel that makes the current color. While a color is selected, what is done here recolors it. */
export class Editor {
  #page;
  #gesture = new Gesture();
  /** @type {Promise<import("./several.js").Several> | null} */
  #several = null;
  #save = make("button", { class: "primary edits" }, "Save");
  #hex = make("input", { id: "hex", spellcheck: false, autocomplete: "off", maxLength: 120 });
  /** @type {HTMLSelectElement | null} */
  #preset = null;
  /** @type {ColorPicker | null} */
  #picker = null;
  #actions = make("div", { class: "row actions" });
  #heading = make("span", { class: "what" });
  #note = make("p", { class: "note-text", hidden: true });
  #kind = make("select", { "aria-label": "Kind of harmony" }, ...kinds.map((kind) => make("option", {}, kind)));
  #steps = make("input", { type: "number", min: 2, max: 24, value: "9", "aria-label": "Steps" });
  #run = make("div", { class: "run" });
  #addRun = make("button", { class: "edits", onclick: () => this.#saveRun() });
  #ratios = make("ul", { class: "ratios" });
  #against = make("select", { id: "against" }, make("option", { value: "" }, "choose a color …"));
  /** What was typed last, while the node is asked for it.
   * @type {Promise<void> | null} */
  #typing = null;
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
    const preset = this.#preset = make("select", { id: "preset" }, make("option", { value: "" }, "Custom"),
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
    this.#hex.addEventListener("change", () => (this.#typing = this.#typed()));
    this.#hex.addEventListener("input", () => this.#draft());
    this.#hex.addEventListener("blur", () => this.#hex.value.trim() === this.#text && this.#drop());
    this.#save.addEventListener("click", () => this.#page.save());
    find("editor").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target !== this.#hex) this.flush();
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (document.activeElement === this.#hex) this.#showText();
      if (!this.#page.escape()) return;
      event.preventDefault();
      event.stopPropagation();
    });
    const picker = this.#picker = new ColorPicker(model, touched);
    const step = (/** @type {string} */ label, /** @type {number} */ points) => make("button", {
      onclick: () => { model.lighten(points); this.#touched("rgb", true); },
    }, label);
    const copies = make("div", { class: "copies", role: "group", "aria-label": "Copy" }, icon("copy"), ...notations.map((notation) =>
      make("button", {
        class: "quiet", "aria-label": notation === "css" ? "Copy as CSS variable" : `Copy as ${notation}`,
        onclick: () => this.#copy(notation),
      }, notation === "css" ? "--var" : notation)));
    const pick = "EyeDropper" in window && make("button", {
      "aria-label": "Eyedropper", title: "Take a color from the screen", onclick: () => this.#pickFromScreen(),
    }, icon("eyedropper"));
    this.#kind.addEventListener("change", () => this.#drawRun());
    this.#steps.addEventListener("input", () => this.#drawRun());
    this.#against.addEventListener("change", () => this.#drawRatios());
    // Nobody sees the list while it is closed, so edits of others do not make it anew.
    for (const type of ["focus", "pointerdown"]) this.#against.addEventListener(type, () => this.#listOthers());
    this.#actions.append(this.#save, step("Lighter", 10), step("Darker", -10), ...(pick ? [pick] : []));
    find("editor").append(
      make("div", { class: "head" }, make("div", { class: "current" }, make("div", { class: "big" }, swatch("", "swatch now")),
        make("div", { class: "fields" }, this.#heading,
          make("label", { for: "hex" }, "Hex"), this.#hex,
          make("label", { for: "preset" }, "Preset"), preset)), this.#note,
      this.#actions),
      picker.element, copies,
      make("details", { class: "tool", open: true }, make("summary", {}, "Contrast"), this.#ratios,
        make("div", { class: "field" }, make("label", { for: "against" }, "Compare with"), this.#against)),
      make("details", { class: "tool", open: true }, make("summary", {}, "Harmonies and ramps"),
        make("div", { class: "row" }, this.#kind, this.#steps,
          this.#addRun), this.#run),
    );
  }

  /** Somebody types a color: from the first letter on it is of what was seen then, and others do not move it. */
  #draft() {
    const { selectedColor: color, canEdit } = this.#page;
    this.#hex.removeAttribute("aria-invalid");
    if (this.#hex.value.trim() === this.#text) this.#drop();
    else if (color && canEdit) this.#gesture.touch(color, false, () => {});
  }

  /** Drops what was begun, for what the color is now. */
  #drop(made = this.#gesture.end()) {
    const color = this.#page.selectedColor;
    if (made) this.#reload(color?.id === made.id ? color.color : made.was);
  }

  /** Somebody typed a color; what this page cannot read the node knows, and the browser while it is away. */
  async #typed() {
    const text = this.#hex.value.trim();
    const { model } = this.#page;
    if (text === this.#text) {
      this.#drop();
      return this.#hex.removeAttribute("aria-invalid");
    }
    if (!model.setText(text)) {
      const { connection } = this.#page;
      const known = connection.isOpen ? null : readCSS(text);
      try {
        if (known) model.setRGB(known.rgb, known.alpha);
        else model.setText((await connection.call("color", { value: text })).hex);
      } catch (error) {
        // Nothing came of it that others should not move.
        this.#gesture.end();
        this.#hex.setAttribute("aria-invalid", "true");
        toast(connection.isOpen && !(error instanceof RPCError) ? error.message : `“${text}” is no color`);
        return;
      }
    }
    this.#showText();
    this.#touched("rgb", true);
    this.flush();
  }

  /** Whether what was typed last is no color. */
  get #isWrong() {
    return this.#hex.getAttribute("aria-invalid") === "true";
  }

  /** Takes what stands in the field that has the focus, as when that is left.
   * @returns {Promise<boolean>} whether the color is what was typed */
  async takeDraft() {
    const field = document.activeElement;
    if (field?.matches("color-slider .typed")) field.dispatchEvent(new Event("change"));
    await this.#typing;
    if (field === this.#hex || this.#isWrong) await this.#typed();
    return !this.#isWrong;
  }

  /** Whether a key in a field means the page: Undo means what was typed while that is not a color yet.
   * @param {Element} field @param {KeyboardEvent} event */
  passes(field, event) {
    const key = keyOf(event);
    const slider = /** @type {HTMLElement | null} */ (field.closest("color-slider"));
    if (!slider && field !== this.#hex && field !== this.#preset) return false;
    if (key === "Mod+S") return true;
    const shown = slider ? slider.dataset.value : field === this.#hex ? this.#text : this.#preset?.value;
    return ["Mod+Z", "Mod+Shift+Z", "Mod+Y"].includes(key) && /** @type {HTMLInputElement} */ (field).value === shown;
  }

  /** @param {string} _space how the color was made @param {boolean} isDone */
  #touched(_space, isDone) {
    const { selectedColor: color, canEdit, model, grid } = this.#page;
    if (this.#gesture.isCancelled) return this.#reload(this.#gesture.was);
    if (!color || !canEdit) return;
    this.#gesture.touch(color, isDone, () => this.flush());
    const made = { color: model.css, was: this.#gesture.was };
    grid.marks.preview((one) => (one.id === color.id ? made : null), new Set([color.id]));
  }

  /** Whether something is being made of the selected color, which others do not move then. */
  get isAhead() {
    return this.#gesture.isUnderWay;
  }

  /** Makes an edit of what was done to the selected color. */
  flush() {
    const made = this.#gesture.end();
    if (!made) return;
    const { model, grid } = this.#page;
    grid.marks.preview(null);
    if (made.was === model.css || !this.#page.canEdit) return;
    this.#gesture.last = { ...made, value: model.css };
    this.#page.edits.make("set", { color: made.id, value: model.css, seen: made.seen });
  }

  /** Takes back what is being made of the selected color.
   * @returns {boolean} whether something was */
  cancel() {
    const made = this.#gesture.cancel();
    if (!made) return false;
    this.#page.grid.marks.preview(null);
    this.#drop(made);
    announce("Taken back");
    return true;
  }

  /** Drops the gesture that is under way. One that has ended is what has to be taken back when what came of it is saved as
   * a new color, unless others wrote since.
   * @returns {{id: string, was: string} | null} */
  takeLast() {
    const isUnderWay = this.#gesture.end() !== null;
    this.#page.grid.marks.preview(null);
    const { last } = this.#gesture;
    this.#gesture.last = null;
    const color = this.#page.selectedColor;
    const isThere = !isUnderWay && last && color?.id === last.id && color.hex === print(parseColor(last.value) ?? this.#page.model.state, "hex");
    return isThere ? last : null;
  }

  /** @param {string} text */
  #reload(text) {
    this.#page.model.setText(text);
  }

  /** Another color, or none, is selected: what was done before was done to the one before. */
  begin() {
    this.#gesture.last = null;
    this.#showText();
  }

  /** The current color in its space. */
  get value() {
    return this.#page.model.css;
  }

  /** The color as the text field has it: beyond sRGB no hex says it. */
  get #text() {
    const { model } = this.#page;
    return model.isWide ? model.css : model.hex;
  }

  #showText() {
    this.#hex.removeAttribute("aria-invalid");
    this.#hex.value = this.#text;
  }

  #update() {
    find("editor").style.setProperty("--now", this.#page.model.css);
    find("editor").classList.toggle("wide", this.#page.model.isWide);
    if (document.activeElement !== this.#hex || parseColor(this.#hex.value)) this.#showText();
    this.#drawRatios();
    this.#drawRun();
  }

  /** Tells what the panel edits, and lists what a color can be compared with. */
  updateSelection() {
    const { selectedColor, library, grid } = this.#page;
    const count = grid.selection.size;
    this.#page.model.keepsSpace = selectedColor !== null;
    this.#save.textContent = count > 0 ? "Save as new" : "Save";
    this.#showStill(selectedColor !== null && !this.#page.canEdit);
    this.#save.disabled = !this.#page.canEdit;
    this.#note.hidden = !selectedColor?.note;
    this.#note.textContent = selectedColor?.note ?? "";
    find("editor").classList.toggle("of-several", count > 1);
    if (count > 1) this.#showSeveral();
    this.#heading.textContent = selectedColor ? `${this.#page.canEdit ? "Editing" : "Looking at"} ${selectedColor.name}` : count > 1 ? `${count.toLocaleString("en")} colors selected` : "New color";
    this.#drawRatios();
  }

  /** Whoever may not edit a color reads its values; nothing moves that would change nothing.
   * @param {boolean} isStill */
  #showStill(isStill) {
    this.#hex.readOnly = isStill;
    if (this.#preset) this.#preset.disabled = isStill;
    if (this.#picker) this.#picker.isStill = isStill;
    for (const button of this.#actions.querySelectorAll("button")) button.disabled = isStill;
  }

  /** Copies the color, or all that are selected, one a line.
   * @param {string} notation */
  #copy(notation) {
    const { grid, model, selectedColor } = this.#page;
    if (grid.selection.size < 2) return copyText(print(model.state, notation, selectedColor?.name ?? "color"));
    return copyText(grid.colors.filter(({ id }) => grid.selection.has(id)).map(({ id }) => {
      const color = this.#page.color(id);
      return color ? print(parseColor(color.color) ?? parseColor(color.hex) ?? model.state, notation, color.name) : "";
    }).join("\n"));
  }

  /** What is done to several colors at once comes when it is needed first. */
  #showSeveral() {
    this.#several ??= Promise.all([import("./several.js"), loadStyle("/several.css")]).then(([{ Several }]) => {
      const several = new Several(this.#page);
      find("editor").querySelector(".head")?.after(several.element);
      return several;
    });
    this.#several.catch(() => (this.#several = null));
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
    const colors = this.#colorsOfRun;
    this.#addRun.textContent = `Add ${colors.length} colors`;
    this.#run.replaceChildren(...colors.map((hex) => {
      const button = make("button", { "aria-label": `Use ${hex}`, title: hex, onclick: () => {
        if (this.#page.selectedColor && this.#page.edits.refuses()) return;
        this.#page.model.setText(hex);
        this.#touched("rgb", true);
      } });
      button.style.backgroundColor = hex;
      return button;
    }));
  }

  async #saveRun() {
    const colors = this.#colorsOfRun;
    const isMade = await this.#page.edits.addAll(colors.map((hex) => ({ value: hex, name: hex })));
    if (isMade) announce(`${colors.length} colors added`);
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
