import { countPassing, lightnessContrast, measure, ratio, thresholds } from "./apca.js";
import { make } from "./dom.js";
import { stepOf, windowOf } from "./window.js";

/** @typedef {import("./roles.js").Paint} Paint */
/** @typedef {import("./apca.js").Measure} Measure */

/** Sizes in pixels, which the style sheet is given. */
const cellWidth = 84;
const cellHeight = 52;
const headWidth = 104;
const headHeight = 44;
/** More colors than anybody compares by eye, and 250,000 pairs. */
export const mostCompared = 500;

/** The contrast of every color as a text on every color as a ground. Only cells in view are in the document. */
export class ContrastMatrix {
  element = make("div", { class: "matrix" });
  #scroller = make("div", { class: "matrix-scroller" });
  #table = make("div", { role: "table", "aria-label": "Contrast matrix: text in rows, ground in columns" });
  #head = make("div", { role: "row", class: "matrix-head", "aria-rowindex": "1" });
  #summary = make("p", { class: "hint", role: "status" });
  #threshold = make("select", { "aria-label": "Least contrast" }, ...thresholds.map(({ name, title }) => make("option", { value: name }, title)));
  #hides = make("input", { type: "checkbox" });
  /** @type {Paint[]} */
  #paints = [];
  /** @type {Measure[]} */
  #measures = [];
  /** Rows of cells, which are used again for whatever is in view.
   * @type {{row: HTMLElement, head: HTMLElement, cells: Cell[]}[]} */
  #rows = [];
  /** @type {HTMLElement[]} */
  #columns = [];
  /** The cell that Tab leads to.
   * @type {[number, number]} */
  #at = [0, 1];
  #choose;
  #shortens = false;

  /** @param {(text: Paint, ground: Paint) => void} choose what a press on a cell does */
  constructor(choose) {
    this.#choose = choose;
    this.#threshold.value = "wcag-4.5";
    this.#table.append(this.#head);
    this.#head.append(make("span", { role: "columnheader", class: "matrix-corner" }, "text ╲ ground"));
    this.#scroller.append(this.#table);
    this.element.append(make("div", { class: "matrix-tools" },
      make("label", {}, "At least ", this.#threshold), make("label", { class: "check" }, this.#hides, " Passing only"), this.#summary), this.#scroller);
    for (const [name, size] of Object.entries({ cellWidth, cellHeight, headWidth, headHeight })) {
      this.#table.style.setProperty(`--${name}`, `${size}px`);
    }
    this.#scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.#scroller);
    this.#threshold.addEventListener("change", () => this.#judge());
    this.#hides.addEventListener("change", () => this.#judge());
    this.#table.addEventListener("keydown", (event) => this.#key(event));
    this.#table.addEventListener("click", (event) => this.#press(/** @type {Element} */ (event.target)));
  }

  /** @param {Paint[]} paints */
  show(paints) {
    this.#shortens = paints.length > mostCompared;
    this.#paints = paints.slice(0, mostCompared);
    this.#measures = this.#paints.map(({ hex }) => measured(hex));
    const count = this.#paints.length;
    this.#table.ariaRowCount = this.#table.ariaColCount = String(count + 1);
    this.#table.style.width = `${headWidth + count * cellWidth}px`;
    this.#table.style.height = `${headHeight + count * cellHeight}px`;
    this.#at = [Math.min(this.#at[0], Math.max(0, count - 1)), Math.min(this.#at[1], Math.max(0, count - 1))];
    this.#judge();
  }

  get #least() {
    return thresholds.find(({ name }) => name === this.#threshold.value) ?? thresholds[1];
  }

  #judge() {
    const count = this.#paints.length;
    const passing = countPassing(this.#measures, this.#least);
    const text = count < 2 ? "Two colors make a pair." : `${passing.toLocaleString()} of ${(count * (count - 1)).toLocaleString()} pairs pass` +
      (this.#shortens ? `, of the first ${mostCompared} colors` : "");
    if (this.#summary.textContent !== text) this.#summary.textContent = text;
    this.draw();
  }

  /** Fills the cells that are in view. */
  draw() {
    const count = this.#paints.length;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.#scroller;
    if (clientHeight === 0) return;
    const rows = windowOf(scrollTop, clientHeight - headHeight, cellHeight, count);
    const columns = windowOf(scrollLeft, clientWidth - headWidth, cellWidth, count);
    this.#drawHead(columns.first, columns.last);
    while (this.#rows.length > rows.last - rows.first) this.#rows.pop()?.row.remove();
    for (let row = rows.first; row < rows.last; row++) {
      const slot = this.#rows[row - rows.first] ?? this.#makeRow();
      slot.row.style.top = `${headHeight + row * cellHeight}px`;
      slot.row.ariaRowIndex = String(row + 2);
      write(slot.head, this.#paints[row]);
      while (slot.cells.length > columns.last - columns.first) slot.cells.pop()?.element.remove();
      for (let column = columns.first; column < columns.last; column++) {
        let cell = slot.cells[column - columns.first];
        if (!cell) {
          cell = new Cell();
          slot.cells.push(cell);
          slot.row.append(cell.element);
        }
        this.#fill(cell, row, column);
      }
    }
  }

  /** @param {number} first @param {number} last */
  #drawHead(first, last) {
    while (this.#columns.length > last - first) this.#columns.pop()?.remove();
    for (let column = first; column < last; column++) {
      let head = this.#columns[column - first];
      if (!head) {
        head = makeHead("columnheader");
        this.#columns.push(head);
        this.#head.append(head);
      }
      head.style.left = `${headWidth + column * cellWidth}px`;
      head.ariaColIndex = String(column + 2);
      write(head, this.#paints[column]);
    }
  }

  #makeRow() {
    const head = makeHead("rowheader");
    const slot = { row: make("div", { role: "row", class: "matrix-row" }, head), head, cells: [] };
    this.#rows.push(slot);
    this.#table.append(slot.row);
    return slot;
  }

  /** @param {Cell} cell @param {number} row @param {number} column */
  #fill(cell, row, column) {
    const [text, ground] = [this.#paints[row], this.#paints[column]];
    const [over, under] = [this.#measures[row], this.#measures[column]];
    cell.place(row, column, headWidth + column * cellWidth, this.#at[0] === row && this.#at[1] === column);
    if (row === column) return cell.clear(text.name);
    const passes = this.#least.passes(over, under);
    cell.fill(text, ground, ratio(over, under), lightnessContrast(over, under), passes, !passes && this.#hides.checked);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const to = event.altKey || event.ctrlKey || event.metaKey ? null : stepOf(event.key, this.#at, this.#paints.length);
    if (!to) return;
    event.preventDefault();
    this.#at = to;
    const [top, left] = [to[0] * cellHeight, to[1] * cellWidth];
    const box = this.#scroller;
    box.scrollTop = Math.min(top, Math.max(box.scrollTop, top + cellHeight + headHeight - box.clientHeight));
    box.scrollLeft = Math.min(left, Math.max(box.scrollLeft, left + cellWidth + headWidth - box.clientWidth));
    this.draw();
    for (const { cells } of this.#rows) for (const cell of cells) if (cell.row === to[0] && cell.column === to[1]) cell.button.focus();
  }

  /** @param {Element} target */
  #press(target) {
    const button = target.closest("button");
    for (const { cells } of this.#rows) {
      for (const cell of cells) {
        if (cell.button !== button) continue;
        this.#at = [cell.row, cell.column];
        this.draw();
        this.#choose(this.#paints[cell.row], this.#paints[cell.column]);
      }
    }
  }
}

/** @type {Map<string, Measure>} */
const known = new Map();

/** @param {string} hex */
function measured(hex) {
  let found = known.get(hex);
  if (!found) {
    // A drag goes through thousands of values, each of which is seen once.
    if (known.size > 2 * mostCompared) known.clear();
    found = measure(hex.slice(0, 7));
    known.set(hex, found);
  }
  return found;
}

/** @param {string} role */
const makeHead = (role) => make("span", { role, class: "matrix-name" }, make("span", { class: "dot", "aria-hidden": "true" }), make("span"));

/** @param {HTMLElement} head @param {Paint} paint */
function write(head, { name, hex }) {
  const [dot, label] = /** @type {HTMLElement[]} */ ([...head.children]);
  if (label.textContent !== name) head.title = label.textContent = name;
  if (head.dataset.hex !== hex) dot.style.setProperty("--color", (head.dataset.hex = hex));
}

/** A pair: a sample of the text on the ground, the ratio and the lightness contrast. It writes only what changed. */
class Cell {
  row = -1;
  column = -1;
  button = make("button", { class: "pair" }, make("span", { class: "pair-sample", "aria-hidden": "true" }),
    make("b", {}), make("span"));
  element = make("span", { role: "cell", class: "matrix-cell" }, this.button);
  #said = "";
  #painted = "";
  #left = -1;

  /** @param {number} row @param {number} column @param {number} left @param {boolean} isTab */
  place(row, column, left, isTab) {
    this.button.tabIndex = isTab ? 0 : -1;
    this.row = row;
    if (this.column !== column) this.element.ariaColIndex = String(column + 2);
    this.column = column;
    if (this.#left !== left) this.element.style.left = `${(this.#left = left)}px`;
  }

  /** @param {Paint} text @param {Paint} ground @param {number} value @param {number} lc @param {boolean} passes @param {boolean} isHidden */
  fill(text, ground, value, lc, passes, isHidden) {
    const short = (Math.floor(value * 100 + 1e-9) / 100).toFixed(2);
    const said = `${text.name} on ${ground.name}: ${short} : 1, Lc ${lc.toFixed(1)}${passes ? "" : ", fails"}`;
    if (said !== this.#said) {
      this.#said = this.button.ariaLabel = this.button.title = said;
      this.button.children[1].textContent = short;
      this.button.children[2].textContent = lc.toFixed(1);
    }
    this.button.className = passes ? "pair" : isHidden ? "pair fails faint" : "pair fails";
    const painted = text.hex + ground.hex;
    if (painted === this.#painted) return;
    this.#painted = painted;
    const sample = /** @type {HTMLElement} */ (this.button.firstElementChild);
    sample.style.setProperty("--over", text.hex);
    sample.style.setProperty("--under", ground.hex);
  }

  /** Shows that a color has no contrast with itself.
   * @param {string} name */
  clear(name) {
    this.button.className = "pair same";
    const said = `${name} on itself: 1.00 : 1, Lc 0.0`;
    if (said === this.#said) return;
    this.#said = this.button.ariaLabel = this.button.title = said;
    this.button.children[1].textContent = this.button.children[2].textContent = "";
  }
}
