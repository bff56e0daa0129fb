import { make } from "./dom.js";
import { cellBy, fit, heldPlace, lengthOf, positionOf, rowAt } from "./layout.js";
import { Lift } from "./lift.js";
import { Marks } from "./marks.js";
import { askName } from "./naming.js";
import { Row, sort } from "./row.js";
import { Selection } from "./selection.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./layout.js").Layout} Layout */

/** @param {Event} event @param {string} selector */
const around = ({ target }, selector) => /** @type {Element} */ (target).closest(selector);

const glideMilliseconds = 320;
const mostSpare = 80;
/** What is left free above and below the colors. */
const margin = 8;

/** The colors of a palette. Only rows that are in view are in the document; each color keeps its row, which glides
 * to its new place. Events: "color-rename", "color-reorder", "color-carry", "color-conflict",
 * "color-copy". */
export class ColorGrid extends HTMLElement {
  /** What it was given to show; of it some may stand in sections that are closed.
   * @type {Color[]} */
  given = [];
  /** @type {Color[]} */
  #colors = [];
  /** @type {import("./headings.js").Headings | null} */
  #headings = null;
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** @type {Map<string, number>} */
  #indexes = new Map();
  selection = new Selection();
  marks = new Marks();
  /** @type {string | null} */
  #focused = null;
  /** @type {Layout} */
  #layout = "grid";
  #shape = fit("grid", 1, 0, 0);
  /** The room for colors, measured when it changes alone, so that nothing else asks for layout. */
  #viewWidth = 0;
  #viewHeight = 0;
  #length = 0;
  #space = make("div", { class: "space", role: "presentation" });
  canEdit = true;
  #frame = 0;
  /** Rows that went out of view, for colors that come into it.
   * @type {Row[]} */
  #spare = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #tidying;
  #lift = new Lift({
    element: this, space: this.#space, shape: () => this.#shape, colors: () => this.#colors,
    row: (id) => this.#rows.get(id)?.element, makeRoom: (id, at) => this.#makeRoom(id, at), tell: (name, detail) => this.#tell(name, detail),
  });

  connectedCallback() {
    this.setAttribute("role", "grid");
    this.setAttribute("aria-multiselectable", "true");
    this.setAttribute("aria-colcount", "1");
    this.append(this.#space);
    this.addEventListener("scroll", () => this.#schedule(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(this);
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("pointerdown", (event) => this.#press(event));
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("dblclick", (event) => {
      const id = this.#idAt(event);
      if (id && around(event, ".name")) this.rename(id);
    });
    this.selection.addEventListener("change", () => this.#draw());
    this.marks.addEventListener("change", (event) => this.#mark(/** @type {CustomEvent} */ (event).detail));
    this.addEventListener("focusin", (event) => {
      const id = this.#idAt(event);
      if (id) this.#setFocused(id);
    });
  }

  get colors() {
    return this.#colors;
  }

  /** Whether a color has the focus. */
  get #hasFocus() {
    return this.contains(document.activeElement) && document.activeElement?.closest(".color") !== null;
  }

  get headings() {
    return this.#headings;
  }

  /** What puts the colors into sections; null where they are one list. */
  set headings(headings) {
    if (headings === this.#headings) return;
    this.#headings?.remove();
    this.#headings = headings;
    headings?.addEventListener("change", () => this.show(this.given));
    this.show(this.given, false);
  }

  /** Where a color stands among those that are shown; -1 where it is not among them.
   * @param {string} id */
  placeOf(id) {
    return this.#indexes.get(id) ?? -1;
  }

  /** The color that keys are about. */
  get focused() {
    return this.#focused ?? this.#colors[0]?.id ?? null;
  }

  /** How many colors stand in a row. */
  get columns() {
    return this.#shape.columns;
  }

  /** The colors that a command is about: the selected ones, or the one that has the focus. */
  get subjects() {
    const id = this.focused;
    return id !== null && this.#hasFocus && !this.selection.has(id) ? [id] : [...this.selection.ids];
  }

  /** @param {Layout} layout */
  set layout(layout) {
    this.#layout = layout;
    this.dataset.layout = layout;
    this.#measure();
  }

  /** Shows other colors; what stays glides, what comes and goes fades.
   * @param {Color[]} given */
  show(given, animate = true) {
    const before = this.#indexes;
    this.given = given;
    const colors = this.#colors = this.#headings?.arrange(given) ?? given;
    this.#indexes = new Map(colors.map(({ id }, index) => [id, index]));
    if (this.#focused && !this.#indexes.has(this.#focused)) {
      const index = Math.min(before.get(this.#focused) ?? 0, colors.length - 1);
      const hadFocus = this.#hasFocus;
      this.#focused = colors[index]?.id ?? null;
      if (hadFocus) requestAnimationFrame(() => this.#focused && this.focusColor(this.#focused));
    }
    this.setAttribute("aria-rowcount", String(colors.length));
    this.selection.keep((id) => this.#indexes.has(id));
    const glides = animate && before.size > 0;
    this.classList.toggle("gliding", glides);
    this.#fit();
    this.#draw({ before: glides ? before : null });
  }

  /** Lights a color up, with the name of whose edit it was, in the color of their face.
   * @param {string} id @param {string} author @param {string} color */
  flash(id, author, color) {
    this.#rows.get(id)?.flash(author, color);
  }

  /** @param {string} id */
  focusColor(id) {
    this.#setFocused(id);
    this.reveal(id);
    this.#draw();
    this.#rows.get(id)?.cell.focus({ preventScroll: true });
  }

  /** Lets the name be edited where it stands.
   * @param {string} id */
  rename(id) {
    const color = this.#colors[this.#indexes.get(id) ?? -1];
    const cell = this.#rows.get(id)?.cell;
    if (!this.canEdit || !color || !cell || cell.querySelector("input")) return;
    askName(cell, color.name, (name, isByKey) => {
      if (name) this.#tell("color-rename", { id, name, seen: color.seen });
      if (isByKey) this.focusColor(id);
    });
  }

  #measure() {
    this.#viewWidth = this.#space.clientWidth;
    this.#viewHeight = this.clientHeight;
    this.#fit();
    this.classList.remove("gliding");
    this.#draw();
    // Where there is less room, what is edited stays in view.
    if (this.selection.only !== null && this.#viewHeight > 0) this.reveal(this.selection.only);
  }

  #fit() {
    const shape = fit(this.#layout, this.#colors.length, this.#viewWidth, this.#viewHeight - margin, this.#headings?.groups);
    this.#shape = this.#headings?.place(shape) ?? shape;
    this.style.setProperty("--row", `${this.#shape.height}px`);
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw({ isScroll: true });
    });
  }

  get #pitch() {
    return this.#shape.height + this.#shape.gap;
  }

  /** Shows what is in view. `before` says where colors were, when they are to glide; rows that were in view and still are
   * stay as they are when the view alone moved.
   * @param {{before?: Map<string, number> | null, isScroll?: boolean}} how */
  #draw({ before = null, isScroll = false } = {}) {
    if (this.#viewWidth <= 0) return;
    const pitch = this.#pitch;
    const length = lengthOf(this.#shape, this.#colors.length);
    if (length !== this.#length) this.#space.style.height = `${length}px`;
    this.#length = length;
    const { scrollTop } = this;
    const end = scrollTop + this.#viewHeight + 3 * pitch;
    const first = rowAt(this.#shape, scrollTop - 2 * pitch);
    const last = rowAt(this.#shape, end);
    this.#headings?.draw(this.#space, scrollTop - 2 * pitch, end);
    const kept = new Set(this.#colors.slice(first, last).map(({ id }) => id));
    if (this.#focused && this.#indexes.has(this.#focused)) kept.add(this.#focused);
    for (const [id, row] of this.#rows) {
      if (kept.has(id)) continue;
      this.#rows.delete(id);
      if (before && !this.#indexes.has(id)) row.leave();
      else if (row.isPlain && this.#spare.length < mostSpare) this.#spare.push(row);
      else row.element.remove();
    }
    for (const id of kept) {
      const index = this.#indexes.get(id) ?? 0;
      const known = this.#rows.get(id);
      if (known && isScroll) continue;
      // A row that showed another color must not glide from there.
      const row = known ?? (before ? undefined : this.#spare.pop()) ?? new Row((color) => this.#tell("color-conflict", { id: color }));
      this.#rows.set(id, row);
      const from = before?.get(id);
      if (!known && before && from === undefined) row.element.classList.add("enter");
      if (!known && from !== undefined) this.#put(row, from);
      if (!row.element.isConnected) this.#space.append(row.element);
      if (!known && from !== undefined) void row.element.offsetWidth;
      this.#put(row, index);
      this.#fill(row, index);
    }
    // Only what is shown is in the document; what was not needed again waits outside of it.
    for (const row of this.#spare) row.element.remove();
    clearTimeout(this.#tidying);
    this.#tidying = setTimeout(() => this.#tidy(), glideMilliseconds);
  }

  /** @param {Row} row @param {number} index */
  #put(row, index) {
    const { x, y } = positionOf(this.#shape, index);
    row.put(x, y, this.#shape.width);
  }

  /** Puts the others where they would stand with a color at a place; where they stand, if there is none.
   * @param {string} id @param {number | null} at @returns {boolean} whether they can: in sections names decide */
  #makeRoom(id, at) {
    const from = this.#indexes.get(id);
    if (from === undefined || this.#headings) return false;
    this.classList.add("gliding");
    for (const [one, row] of this.#rows) this.#put(row, heldPlace(this.#indexes.get(one) ?? 0, from, at ?? from));
    return true;
  }

  #tidy() {
    this.classList.remove("gliding");
    const sorted = [...this.#rows].map(([id, { element }]) => /** @type {const} */ ([this.#indexes.get(id) ?? 0, element]));
    const rows = [...this.#headings?.drawn ?? [], ...sorted].sort(([left], [right]) => left - right).map(([, element]) => element);
    sort(this.#space, rows);
  }

  /** @param {Row} row @param {number} index */
  #fill(row, index) {
    const color = this.#colors[index];
    row.fill(color, {
      index, shown: this.#headings?.nameOf(color.name) ?? color.name, isTab: color.id === (this.#focused ?? this.#colors[0].id),
      isSelected: this.selection.has(color.id), ...this.marks.of(color),
    });
  }

  /** Shows what is another than before beside some colors, or beside all.
   * @param {import("./marks.js").IDs | null} ids */
  #mark(ids) {
    if (!ids) return this.#draw();
    for (const [id, row] of this.#rows) {
      const index = ids.has(id) ? this.#indexes.get(id) : undefined;
      if (index !== undefined) this.#fill(row, index);
    }
  }

  /** @param {string} id */
  #setFocused(id) {
    if (id === this.#focused) return;
    const was = this.#focused;
    this.#focused = id;
    for (const one of [was ?? this.#colors[0]?.id, id]) {
      const row = this.#rows.get(one);
      const index = this.#indexes.get(one);
      if (row && index !== undefined) this.#fill(row, index);
    }
  }

  /** Scrolls to where a color is in view.
   * @param {string} id */
  reveal(id) {
    if (!this.#indexes.has(id)) return;
    const { y } = positionOf(this.#shape, this.#indexes.get(id) ?? 0);
    const { height } = this.#shape;
    if (y < this.scrollTop) this.scrollTop = y;
    else if (y + height > this.scrollTop + this.#viewHeight - margin) this.scrollTop = y + height - this.#viewHeight + margin;
  }

  /** @param {Event} event */
  #idAt(event) {
    const row = around(event, ".color");
    return row instanceof HTMLElement ? row.dataset.id ?? null : null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const id = this.#idAt(event);
    if (around(event, "button, input")) return;
    if (!id) return this.selection.clear();
    if (around(event, ".hex")) this.#tell("color-copy", { id });
    this.#choose(id, event.shiftKey, event.ctrlKey || event.metaKey);
  }

  /** @param {string} id @param {boolean} extends_ @param {boolean} toggles */
  #choose(id, extends_, toggles) {
    if (extends_) this.selection.extend(id, this.#colors, this.#indexes);
    else if (toggles) this.selection.toggle(id);
    else this.selection.set([id], id);
    this.focusColor(id);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (around(event, "button, input")) return;
    const id = this.#focused ?? this.#colors[0]?.id;
    if (!id) return;
    const index = this.#indexes.get(id) ?? 0;
    const page = Math.max(1, Math.floor(this.#viewHeight / this.#pitch));
    const control = event.ctrlKey || event.metaKey;
    const to = event.altKey ? undefined : this.#headings?.cellBy(event.key, index, page) ?? cellBy(event.key, this.#shape, this.#colors.length, index, page);
    if (to !== undefined) {
      event.preventDefault();
      if (to !== index) {
        const next = this.#colors[to].id;
        if (event.shiftKey) this.#choose(next, true, false);
        else this.focusColor(next);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(id, event.shiftKey, control);
    }
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const id = this.#idAt(event);
    if (!id || !this.canEdit || event.button !== 0) return;
    if (around(event, "button, input")) return;
    // One of those that are selected takes the others along.
    const ids = this.selection.has(id) ? this.#colors.flatMap((color) => (this.selection.has(color.id) ? color.id : [])) : [id];
    this.#lift.press(event, id, ids);
  }

  /** @param {string} name @param {Record<string, unknown>} detail */
  #tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
customElements.define("color-grid", ColorGrid);
