import { inGamut, luminance, mapToSRGB, parseColor } from "./color.js";
import { make } from "./dom.js";

const flashMilliseconds = 2600;

/** @typedef {import("./diff.js").Color} Color */
/** Somebody else who has a color selected.
 * @typedef {{name: string, color: string}} Other */
/** How a color is shown: `shown` is its name in the grid, `suggested` a name for one without, `look` the color to paint,
 * `was` the color before a change that is under way.
 * @typedef {{index: number, shown: string, suggested: string, isTab: boolean, isSelected: boolean, others: Other[], look: string, was: string, parts: HTMLElement | null}} Showing */

/** A row of the grid with its one cell. It is used again for other colors, and writes only what changed. */
export class Row {
  element = make("div", { role: "row", class: "color" });
  cell = make("div", { role: "gridcell", class: "cell", tabIndex: -1 });
  /** The color that it shows.
   * @type {Color | null} */
  color = null;
  #area = make("span", { class: "area" });
  #name = make("span", { class: "name" });
  #hex = make("span", { class: "hex" });
  #note = make("span", { class: "note" });
  #others = make("span", { class: "others", hidden: true });
  /** What was written last, by what it was written to.
   * @type {Record<string, unknown>} */
  #written = {};
  /** @type {HTMLButtonElement | null} */
  #chip = null;
  /** @type {HTMLElement | null} */
  #parts = null;
  #resolve;

  /** @param {(id: string) => void} resolve what the chip of a conflict does */
  constructor(resolve) {
    this.#resolve = resolve;
    this.cell.append(this.#area, make("span", { class: "label" }, this.#name, this.#hex, this.#note), this.#others);
    this.element.append(this.cell);
  }

  /** Whether it shows a color alone, so that it can be used for another one. */
  get isPlain() {
    return !this.#chip && this.element.classList.length === 1 && this.cell.childElementCount === 3;
  }

  /** @param {number} x @param {number} y @param {number} width in pixels */
  put(x, y, width) {
    this.#write("place", `${x} ${y}`, () => (this.element.style.transform = `translate(${x}px, ${y}px)`));
    this.#write("width", width, () => (this.element.style.width = `${width}px`));
  }

  /** @param {string} look @param {string} was */
  #paint(look, was) {
    this.#write("look", `${look}|${was}`, () => {
      const { element } = this;
      element.style.setProperty("--color", look);
      element.style.setProperty("--was", was || look);
      element.classList.toggle("changing", was !== "");
      const { rgb, alpha } = parseColor(look) ?? { rgb: { r: 1, g: 1, b: 1 }, alpha: 1 };
      element.classList.toggle("translucent", alpha < 1);
      element.classList.toggle("wide", !inGamut(rgb));
      // What is written on the color itself is read best in the farther of black and white. It begins on what was.
      const ground = (was && parseColor(was)?.rgb) || rgb;
      this.cell.classList.toggle("light", luminance(mapToSRGB(ground)) > 0.179);
    });
  }

  /** @param {Color} color @param {Showing} how */
  fill(color, { index, shown, suggested, isTab, isSelected, others, look, was, parts }) {
    const { cell, element } = this;
    this.color = color;
    element.dataset.id = color.id;
    this.#write("index", index, () => element.setAttribute("aria-rowindex", String(index + 1)));
    this.#write("tab", isTab ? 0 : -1, (tabIndex) => (cell.tabIndex = tabIndex));
    this.#write("selected", String(isSelected), (text) => cell.setAttribute("aria-selected", text));
    const own = readable(shown);
    const isNamed = own !== "" && hasName(color);
    this.#write("name", isNamed ? own : suggested, (text) => {
      this.#name.textContent = text;
    });
    this.#write("title", isNamed ? readable(color.name) : suggested, (text) => (this.#name.title = text));
    this.#write("named", isNamed, () => this.#name.classList.toggle("suggested", !isNamed));
    this.#write("text", color.hex, (text) => (this.#hex.textContent = text));
    this.#write("note", color.note, (text) => {
      this.#note.textContent = this.#note.title = text;
      element.classList.toggle("noted", text !== "");
    });
    this.#write("pending", Boolean(color.pending), (isPending) => element.classList.toggle("pending", isPending));
    const names = others.map(({ name }) => name).join(", ");
    const undecided = color.conflicts.length > 0 && `${color.conflicts.join(" and ")} undecided`;
    const label = [color.name, color.hex, color.note, undecided, color.pending && "not sent yet", names && `selected by ${names}`];
    this.#write("label", label.filter(Boolean).join(", "), (text) => cell.setAttribute("aria-label", text));
    this.#paint(look, was);
    this.#write("others", others.map((other) => `${other.color} ${other.name}`).join("\n"), () => this.#showOthers(others));
    if (color.conflicts.length > 0 || this.#chip) this.#showConflict(color);
    if (parts !== this.#parts) {
      this.#parts?.remove();
      if (parts) cell.append(parts);
      this.#parts = parts;
      element.classList.toggle("disputed", parts !== null);
    }
    // Its values are reached from the color that has the focus.
    for (const part of parts?.children ?? []) /** @type {HTMLElement} */ (part).tabIndex = isTab ? 0 : -1;
  }

  /** @param {Other[]} others */
  #showOthers(others) {
    this.#others.hidden = others.length === 0;
    this.element.classList.toggle("taken", others.length > 0);
    if (others.length > 0) this.element.style.setProperty("--who", others[0].color);
    this.#others.replaceChildren(...others.map(({ name, color }) => {
      const mark = make("span", { class: "visit", title: name }, name);
      mark.style.setProperty("--who", color);
      return mark;
    }));
  }

  /** @param {Color} color */
  #showConflict({ id, name, conflicts }) {
    if (conflicts.length === 0) {
      this.#chip?.remove();
      this.#chip = null;
      return;
    }
    this.#chip ??= make("button", { class: "conflict", tabIndex: -1, onclick: () => this.#resolve(this.color?.id ?? id) }, "conflict");
    this.#chip.ariaLabel = `Resolve conflict of ${name}`;
    if (!this.#chip.isConnected) this.cell.append(this.#chip);
  }

  /** Lights it up, with the name of whose edit it was, in the color of their face.
   * @param {string} author @param {string} color */
  flash(author, color) {
    const { element, cell } = this;
    const end = () => {
      element.classList.remove("flash");
      cell.querySelector(".by")?.remove();
    };
    end();
    cell.append(make("span", { class: "by" }, author));
    element.style.setProperty("--by", color);
    void element.offsetWidth;
    element.classList.add("flash");
    setTimeout(end, flashMilliseconds);
  }

  /** Lets it fade away. */
  leave() {
    const { element } = this;
    element.classList.add("leave");
    element.removeAttribute("data-id");
    element.inert = true;
    setTimeout(() => element.remove(), 220);
  }

  /** @template Value @param {string} to @param {Value} value @param {(value: Value) => void} write */
  #write(to, value, write) {
    if (this.#written[to] === value) return;
    this.#written[to] = value;
    write(value);
  }
}

/** Puts rows into the order in which they are read, once they have glided: an element that is put elsewhere stops
 * gliding, and one that has the focus loses it, so that one stays.
 * @param {HTMLElement} space @param {HTMLElement[]} rows */
export function sort(space, rows) {
  for (const row of rows) row.classList.remove("enter");
  const shown = [...space.children].filter((child) => child.matches(".color[data-id], .section"));
  if (rows.every((row, index) => row === shown[index])) return;
  const pivot = rows.findIndex((row) => row.contains(document.activeElement));
  rows.forEach((row, index) => {
    if (index < pivot) space.insertBefore(row, rows[pivot]);
    else if (index > pivot) space.append(row);
  });
}

/** A name as it is shown: signs that turn the direction of text are visible, and a name of invisible signs is none.
 * @param {string} name */
export function readable(name) {
  const text = name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
  return /[^\p{C}\p{Z}\p{M}]/u.test(text) ? text : "";
}

/** Whether somebody gave a color a name that can be seen: its value is none.
 * @param {Color} color */
export function hasName({ name, hex }) {
  return name.toLowerCase() !== hex && readable(name) !== "";
}

/** What stands for a name where there is room for two letters.
 * @param {string} name */
export function initials(name) {
  return [...name.trim()].slice(0, 2).join("").toUpperCase() || "?";
}
