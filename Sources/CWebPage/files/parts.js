import { announce } from "./announce.js";
import { luminance, mapToSRGB, parseColor, print } from "./color.js";
import { loadStyle, make, paintable } from "./dom.js";
import { colorOf } from "./presence.js";
import { initials } from "./row.js";

/** @typedef {import("./diff.js").Color} Color */
/** A value of a color with whoever wrote it: `text` is what people read of it.
 * @typedef {{value: string, text: string, look: string, who: string, node: string, member?: string, isShown: boolean}} Value */
/** @typedef {{register: string, values: Value[]}} Dispute */
/** @typedef {{id: string, register: string, values: {value: string, author: string | null, node: string, member?: string, shown: boolean}[]}} Told */

/** The values of colors in conflict on their cards: a part for each, with the face of whoever wrote it. */
export class Parts {
  #page;
  /** What is known, and what the color was when that was asked.
   * @type {Map<string, {seen: string | undefined, disputes: Dispute[]}>} */
  #known = new Map();
  /** @type {Map<string, {key: string, element: HTMLElement}>} */
  #elements = new Map();
  /** @type {Color[]} */
  #disputed = [];
  #isAsking = false;
  #style = loadStyle("/parts.css");
  /** Colors that were edited here and elsewhere, until somebody has chosen.
   * @type {string[]} */
  #both = [];
  #step = 0;
  #words = make("span", {});
  #next = make("button", { onclick: () => this.#goOn() }, "Show them");
  #banner = make("div", { class: "away", role: "region", "aria-label": "While you were away", hidden: true }, this.#words,
    make("span", { class: "grow" }), this.#next, make("button", { class: "quiet", onclick: () => this.#close() }, "Later"));

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
    page.grid.parentElement?.before(this.#banner);
    page.grid.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the values of colors in conflict, of which it asks the node where they are not known.
   * @param {Color[]} disputed */
  async show(disputed) {
    this.#disputed = disputed;
    this.#draw();
    const { library, connection } = this.#page;
    const isKnown = disputed.every(({ id, seen }) => this.#known.get(id)?.seen === seen);
    if (isKnown || this.#isAsking || !connection.isOpen) return;
    this.#isAsking = true;
    const palette = library.current;
    try {
      const { conflicts } = await connection.call("conflicts", { palette });
      await this.#style;
      await this.#learn(disputed, conflicts);
    } catch {
      // It is asked again when the colors are told again.
    }
    this.#isAsking = false;
    if (library.current === palette) this.#draw();
    // What changed while it was asked, or belongs to another palette.
    if (this.#disputed !== disputed) this.show(this.#disputed);
  }

  /** @param {Color[]} colors @param {Told[]} conflicts */
  async #learn(colors, conflicts) {
    /** @type {Map<string, Told[]>} */
    const byID = new Map();
    for (const conflict of conflicts) byID.set(conflict.id, [...(byID.get(conflict.id) ?? []), conflict]);
    for (const color of colors) {
      const disputes = await Promise.all((byID.get(color.id) ?? []).map(async ({ register, values }) => ({
        register,
        values: await Promise.all(values.map(async ({ value, author, node, member, shown }) => {
          const hex = register === "color" ? await this.#hexOf(value) : color.hex;
          return {
            value, text: register === "color" ? hex : value || "(empty)", look: paintable(register === "color" ? value : color.color, hex),
            who: author ?? node.slice(0, 8), node, member, isShown: shown,
          };
        })),
      })));
      this.#known.set(color.id, { seen: color.seen, disputes });
    }
  }

  /** The hex of a color in whatever space; the node knows those that this page does not.
   * @param {string} value */
  async #hexOf(value) {
    const parsed = parseColor(value);
    if (parsed) return print(parsed, "hex");
    const facts = await this.#page.connection.call("color", { value }).catch(() => null);
    return /** @type {string} */ (facts?.hex ?? value);
  }

  #draw() {
    /** @type {Map<string, HTMLElement>} */
    const shown = new Map();
    for (const color of this.#disputed) {
      const dispute = this.#known.get(color.id)?.disputes.find(({ register }) => color.conflicts.includes(register));
      if (!dispute) continue;
      const key = JSON.stringify([dispute, color.name, this.#page.canEdit]);
      let known = this.#elements.get(color.id);
      if (known?.key !== key) known = { key, element: this.#make(color, dispute) };
      this.#elements.set(color.id, known);
      shown.set(color.id, known.element);
    }
    for (const id of this.#elements.keys()) if (!shown.has(id)) this.#elements.delete(id);
    this.#page.grid.marks.parts = shown;
    const disputed = new Set(this.#disputed.map(({ id }) => id));
    const left = this.#both.filter((id) => disputed.has(id));
    if (left.length !== this.#both.length) {
      this.#both = left;
      this.#step = Math.max(0, this.#step - 1);
      this.#sayLeft();
    }
  }

  /** @param {Color} color @param {Dispute} dispute */
  #make(color, { register, values }) {
    const parts = values.map((value, index) => {
      const face = make("span", { class: "face", "aria-hidden": "true" }, initials(value.who));
      face.style.setProperty("--who", colorOf(value));
      const part = make("button", {
        class: "part", tabIndex: -1, disabled: !this.#page.canEdit, title: `${value.text} by ${value.who} (${index + 1})`,
        "aria-label": `Keep ${value.text} by ${value.who}${value.isShown ? ", shown now" : ""}`,
        onclick: () => this.#take(color.id, register, value),
      }, face, make("span", { class: "part-who" }, value.who), make("span", { class: "part-text" }, value.text));
      part.style.setProperty("--color", value.look);
      part.classList.toggle("light", luminance(mapToSRGB((parseColor(value.look) ?? parseColor(color.hex))?.rgb ?? { r: 1, g: 1, b: 1 })) > 0.179);
      return part;
    });
    return make("div", { class: `parts of-${register}`, role: "group", "aria-label": `Values of ${color.name}` }, ...parts);
  }

  /** @param {string} id @param {string} register @param {Value} value */
  #take(id, register, { value, text, who }) {
    const { library, grid } = this.#page;
    this.#page.edits.make("resolve", { color: id, register, value, seen: library.color(id)?.seen });
    announce(`${text} by ${who} is kept`);
    grid.focusColor(id);
  }

  /** A digit takes the value with that number.
   * @param {KeyboardEvent} event */
  #key(event) {
    const { grid } = this.#page;
    if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/** @type {Element} */ (event.target).closest("input")) return;
    const part = this.#elements.get(grid.focused ?? "")?.element.children[Number(event.key) - 1];
    if (!(part instanceof HTMLButtonElement)) return;
    event.preventDefault();
    part.click();
  }

  /** Goes to the values of a color.
   * @param {string} id @returns {boolean} whether they are there */
  focus(id) {
    const element = this.#elements.get(id)?.element;
    if (!element) return false;
    this.#page.grid.focusColor(id);
    /** @type {HTMLElement} */ (element.firstElementChild).focus();
    return true;
  }

  /** Tells which colors were edited here and elsewhere.
   * @param {string[]} ids */
  sayAway(ids) {
    this.#both = ids;
    this.#step = 0;
    this.#sayLeft();
    announce(this.#words.textContent ?? "");
  }

  #sayLeft() {
    const { length } = this.#both;
    this.#banner.hidden = length === 0;
    const what = length === 1 ? "1 color was" : `${length.toLocaleString("en")} colors were`;
    this.#words.textContent = `${what} edited by others too while you were away`;
    this.#next.textContent = length === 1 ? "Show it" : this.#step === 0 ? "Show them" : `Next (${this.#step} of ${length})`;
  }

  #goOn() {
    const id = this.#both[this.#step % this.#both.length];
    this.#step = (this.#step % this.#both.length) + 1;
    this.#sayLeft();
    if (!this.focus(id)) this.#page.grid.focusColor(id);
  }

  #close() {
    this.#both = [];
    this.#sayLeft();
  }
}
