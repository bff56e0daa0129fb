import { parseColor, print } from "./color.js";
import { paintable } from "./dom.js";
import { hasName } from "./row.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./row.js").Other} Other */
/** @typedef {{has(id: string): boolean}} IDs */
/** What is being made of a color, and what it was; null of those that nothing is made of.
 * @typedef {(color: Color) => {color: string, was: string} | null} Making */

const black = { rgb: { r: 0, g: 0, b: 0 }, alpha: 1 };

/** What a grid shows of colors beside what they are: how others see them, who else has them selected, which of their
 * values are undecided, what is being made of them, and what they may be called. Event: "change" (detail: the ids that it is about, or null). */
export class Marks extends EventTarget {
  /** @type {((hex: string) => string) | null} */
  #seenAs = null;
  /** @type {ReadonlyMap<string, Other[]>} */
  #others = new Map();
  /** @type {ReadonlyMap<string, HTMLElement>} */
  #parts = new Map();
  /** @type {{making: Making | null, ids: IDs}} */
  #made = { making: null, ids: new Set() };
  /** Gives names to colors that have none, once there was one.
   * @type {Promise<unknown> | null} */
  #naming = null;
  /** @type {(hex: string) => string} */
  #nameOf = () => "";

  /** How colors look to somebody else's eyes.
   * @param {((hex: string) => string) | null} seenAs */
  set seenAs(seenAs) {
    this.#seenAs = seenAs;
    this.#tell(null);
  }

  /** Which colors others have selected.
   * @param {ReadonlyMap<string, Other[]>} others */
  set others(others) {
    this.#others = others;
    this.#tell(null);
  }

  /** What stands on cards of colors whose values are undecided.
   * @param {ReadonlyMap<string, HTMLElement>} parts */
  set parts(parts) {
    if (parts.size === 0 && this.#parts.size === 0) return;
    this.#parts = parts;
    this.#tell(null);
  }

  /** Shows what is being made of colors beside what they were; null when that is over.
   * @param {Making | null} making @param {IDs} ids the colors that it is about */
  preview(making, ids = new Set()) {
    const before = this.#made.ids;
    this.#made = { making, ids };
    this.#tell({ has: (id) => before.has(id) || ids.has(id) });
  }

  /** All of it for one color: `look` is what it is painted with, `was` what it was while it is being changed.
   * @param {Color} color */
  of(color) {
    const made = this.#made.making?.(color) ?? null;
    return {
      suggested: hasName(color) ? "" : this.#suggest(color.hex),
      others: this.#others.get(color.id) ?? [], parts: this.#parts.get(color.id) ?? null,
      look: this.#lookOf(made?.color ?? color.color, color.hex), was: made ? this.#lookOf(made.was, color.hex) : "",
    };
  }

  /** @param {string} hex */
  #suggest(hex) {
    this.#naming ??= import("./names.js").then(({ nearestName }) => {
      this.#nameOf = nearestName;
      this.#tell(null);
    }, () => (this.#naming = null));
    return this.#nameOf(hex);
  }

  /** @param {string} color @param {string} hex */
  #lookOf(color, hex) {
    return this.#seenAs ? this.#seenAs(print(parseColor(color) ?? parseColor(hex) ?? black, "hex")) : paintable(color, hex);
  }

  /** @param {IDs | null} ids */
  #tell(ids) {
    this.dispatchEvent(new CustomEvent("change", { detail: ids }));
  }
}
