import { loadStyle, make } from "./dom.js";
import { sizes } from "./layout.js";
import { nameInGroup, placeAmong, rowsFrom, sectioned } from "./sections.js";

/** @typedef {import("./diff.js").Color} Color */

/** What is free between a section and the heading of the next one, apart from the gap of cells. */
const between = 4;

/** The headings of a palette, as the browser remembers them.
 * @param {string} key */
export async function readHeadings(key) {
  await loadStyle("/sections.css");
  return new Headings(key);
}

/** The headings of a grid in sections. Only those in view are in the document. Event: "change", when a section was opened
 * or closed. */
export class Headings extends EventTarget {
  /** @type {Set<string>} */
  #closed;
  /** @type {readonly Color[]} */
  #all = [];
  /** @type {Color[]} */
  #shown = [];
  /** Where the colors of each begin is known once they are placed.
   * @type {(import("./sections.js").Section & {top: number})[]} */
  #sections = [];
  /** @type {Map<string, {row: HTMLElement, button: HTMLButtonElement, first: number}>} */
  #drawn = new Map();
  /** @type {import("./layout.js").Shape | null} */
  #shape = null;
  #key;

  /** @param {string} key under which the browser remembers what is closed */
  constructor(key) {
    super();
    this.#key = key;
    this.#closed = new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
  }

  /** The headings in the document, each with a number between those of the colors that it stands between.
   * @returns {(readonly [number, HTMLElement])[]} */
  get drawn() {
    return [...this.#drawn.values()].map(({ row, first }) => [first, row]);
  }

  /** The colors that are shown, in their order.
   * @param {Color[]} colors */
  arrange(colors) {
    const { shown, sections } = sectioned(colors, this.#closed);
    this.#all = colors;
    this.#shown = shown;
    this.#sections = sections.map((section) => ({ ...section, top: 0 }));
    return shown;
  }

  /** How many colors each section shows, and how much of the height is for something else than colors.
   * @returns {import("./layout.js").Groups} */
  get groups() {
    const counts = this.#sections.map(({ count }) => count);
    const heads = this.#sections.filter(({ name }) => name !== "").length;
    return { counts, taken: heads * sizes.head + counts.filter((count) => count > 0).length * between };
  }

  /** The name of a color as it stands below the name of its group.
   * @param {string} name */
  nameOf(name) {
    return nameInGroup(name);
  }

  /** Puts the sections below each other.
   * @param {import("./layout.js").Shape} shape @returns {import("./layout.js").Shape} */
  place(shape) {
    if (this.#sections.length === 0) return shape;
    let top = 0;
    for (const section of this.#sections) {
      if (section.name !== "") top += sizes.head;
      section.top = top;
      top += Math.ceil(section.count / shape.columns) * (shape.height + shape.gap) + (section.count > 0 ? between : 0);
    }
    return (this.#shape = { ...shape, blocks: this.#sections });
  }

  /** The color to which a key leads that goes up or down.
   * @param {string} key @param {number} index @param {number} page in rows */
  cellBy(key, index, page) {
    /** @type {Record<string, number>} */
    const rows = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
    return this.#shape && key in rows ? rowsFrom(this.#shape, this.#shown.length, index, rows[key]) : undefined;
  }

  /** The place among all colors of some that are dropped at a place among those that are shown.
   * @param {readonly string[]} ids @param {number} at */
  placeOf(ids, at) {
    return placeAmong(this.#all, this.#shown, ids, at);
  }

  /** Shows the headings in a part of the grid. One that has the focus stays.
   * @param {HTMLElement} space @param {number} from @param {number} to */
  draw(space, from, to) {
    const kept = new Set();
    for (const [index, { name, total, first, top }] of this.#sections.entries()) {
      if (name === "") continue;
      const known = this.#drawn.get(name);
      const isNear = top >= from && top - sizes.head <= to;
      if (!isNear && !known?.row.contains(document.activeElement)) continue;
      kept.add(name);
      const heading = known ?? this.#make(name);
      this.#drawn.set(name, heading);
      heading.first = first - 1 + (index + 1) / (this.#sections.length + 1);
      const count = total === 1 ? "1 color" : `${total.toLocaleString("en")} colors`;
      if (heading.button.lastChild?.textContent !== count) heading.button.replaceChildren(name, " ", make("span", { class: "hint" }, count));
      heading.button.ariaExpanded = String(!this.#closed.has(name));
      heading.row.style.transform = `translateY(${top - sizes.head}px)`;
      if (!known) space.append(heading.row);
    }
    for (const [name, { row }] of this.#drawn) {
      if (kept.has(name)) continue;
      row.remove();
      this.#drawn.delete(name);
    }
  }

  /** Takes the headings away. */
  remove() {
    for (const { row } of this.#drawn.values()) row.remove();
    this.#drawn.clear();
  }

  /** @param {string} name */
  #make(name) {
    const button = make("button", { class: "quiet", onclick: () => {
      if (!this.#closed.delete(name)) this.#closed.add(name);
      localStorage.setItem(this.#key, JSON.stringify([...this.#closed]));
      this.dispatchEvent(new Event("change"));
    } });
    const row = make("div", { role: "row", class: "section" }, make("div", { role: "rowheader" }, button));
    row.style.height = `${sizes.head}px`;
    return { row, button, first: 0 };
  }
}
