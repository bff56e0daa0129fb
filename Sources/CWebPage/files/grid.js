import { make } from "./dom.js";
import { follow } from "./drag.js";
import { fillRow, leave, makeRow } from "./row.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {"grid" | "list" | "strips"} Layout */

/** Height of a row and least width of a column, by layout; null is the whole width. */
const shapes = { grid: { height: 112, width: 116 }, list: { height: 44, width: null }, strips: { height: 64, width: 40 } };
const gap = { grid: 8, list: 0, strips: 0 };

/** The colors of a palette. Only rows that are in view are in the document; each color keeps its element, which glides
 * to its new place. Events: "choose" (the selection), "activate", "rename", "delete", "reorder", "conflict". */
export class ColorGrid extends HTMLElement {
  /** @type {Color[]} */
  #colors = [];
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();
  /** @type {Map<string, number>} */
  #indexes = new Map();
  /** @type {Set<string>} */
  selection = new Set();
  /** @type {string | null} */
  #focused = null;
  /** @type {string | null} */
  #anchor = null;
  /** @type {Layout} */
  #layout = "grid";
  #columns = 1;
  #cellWidth = 0;
  #space = make("div", { class: "space", role: "presentation" });
  /** @type {(hex: string) => string} */
  #seenAs = (hex) => hex;
  /** @type {Map<string, {name: string, hue: number}[]>} */
  #others = new Map();
  canEdit = true;
  #frame = 0;
  /** Rows that went out of view, for colors that come into it.
   * @type {HTMLElement[]} */
  #spare = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #tidying;
  /** What each row shows.
   * @type {WeakMap<HTMLElement, {color: Color, index: number, state: string, hex: string}>} */
  #filled = new WeakMap();
  #isDragged = false;
  /** The place in front of which what is dragged would go. */
  #target = 0;
  #drop = make("div", { class: "drop-mark", hidden: true });

  connectedCallback() {
    this.setAttribute("role", "grid");
    this.setAttribute("aria-multiselectable", "true");
    this.setAttribute("aria-colcount", "1");
    this.#space.append(this.#drop);
    this.append(this.#space);
    this.addEventListener("scroll", () => this.#schedule(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(this);
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("pointerdown", (event) => this.#press(event));
    // What a finger carries must not scroll, and must open no menu.
    this.addEventListener("touchmove", (event) => this.#isDragged && event.preventDefault(), { passive: false });
    this.addEventListener("contextmenu", (event) => this.#isDragged && event.preventDefault());
    this.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("dblclick", (event) => {
      const id = this.#idAt(event);
      if (id && /** @type {Element} */ (event.target).closest(".name")) this.rename(id);
    });
    this.addEventListener("focusin", (event) => {
      const id = this.#idAt(event);
      if (id) this.#setFocused(id);
    });
  }

  get colors() {
    return this.#colors;
  }

  get layout() {
    return this.#layout;
  }

  set layout(layout) {
    this.#layout = layout;
    this.dataset.layout = layout;
    this.#measure();
  }

  /** How colors look to somebody else's eyes.
   * @param {(hex: string) => string} seenAs */
  set seenAs(seenAs) {
    this.#seenAs = seenAs;
    this.#draw();
  }

  /** Which colors others have selected.
   * @param {Map<string, {name: string, hue: number}[]>} others */
  set others(others) {
    this.#others = others;
    this.#draw();
  }

  /** Shows other colors; what stays glides, what comes and goes fades.
   * @param {Color[]} colors */
  show(colors, animate = true) {
    const before = this.#indexes;
    this.#colors = colors;
    this.#indexes = new Map(colors.map(({ id }, index) => [id, index]));
    for (const id of this.selection) if (!this.#indexes.has(id)) this.selection.delete(id);
    if (this.#focused && !this.#indexes.has(this.#focused)) {
      const index = Math.min(before.get(this.#focused) ?? 0, colors.length - 1);
      const hadFocus = this.contains(document.activeElement);
      this.#focused = colors[index]?.id ?? null;
      if (hadFocus) requestAnimationFrame(() => this.#focused && this.focusColor(this.#focused));
    }
    this.classList.toggle("still", !animate);
    this.setAttribute("aria-rowcount", String(colors.length));
    this.#draw(animate && before.size > 0 ? before : null);
  }

  /** Shows a color that is being made, before it is an edit.
   * @param {string} id @param {string} hex */
  preview(id, hex) {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#filled.delete(row);
    row.style.setProperty("--color", this.#seenAs(hex));
  }

  /** Lights a color up, with the name of whose edit it was.
   * @param {string} id @param {string} author */
  flash(id, author) {
    const row = this.#rows.get(id);
    if (!row) return;
    row.querySelector(".by")?.remove();
    row.firstElementChild?.append(make("span", { class: "by" }, author));
    row.classList.remove("flash");
    void row.offsetWidth;
    row.classList.add("flash");
    setTimeout(() => { row.classList.remove("flash"); row.querySelector(".by")?.remove(); }, 2600);
  }

  /** @param {Iterable<string>} ids */
  select(ids) {
    this.selection = new Set(ids);
    this.#draw();
    this.#tell("choose");
  }

  /** @param {string} id */
  focusColor(id) {
    this.#setFocused(id);
    this.#reveal(id);
    this.#draw();
    /** @type {HTMLElement | null | undefined} */ (this.#rows.get(id)?.firstElementChild)?.focus({ preventScroll: true });
  }

  /** Lets the name be edited where it stands.
   * @param {string} id */
  rename(id) {
    const color = this.#colors[this.#indexes.get(id) ?? -1];
    const cell = this.#rows.get(id)?.firstElementChild;
    if (!this.canEdit || !color || !cell || cell.querySelector("input")) return;
    const field = make("input", { class: "rename", value: color.name, "aria-label": `Name of ${color.name}`, maxLength: 300 });
    let isOver = false;
    const end = (/** @type {boolean} */ isKept) => {
      if (isOver) return;
      isOver = true;
      const name = field.value.trim();
      field.remove();
      if (isKept && name && name !== color.name) this.#tell("rename", { id, name });
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter" && event.key !== "Escape") return;
      end(event.key === "Enter");
      this.focusColor(id);
    });
    field.addEventListener("blur", () => end(true));
    cell.append(field);
    field.focus();
    field.select();
  }

  #measure() {
    const shape = shapes[this.#layout];
    const width = this.#space.clientWidth;
    this.#filled = new WeakMap();
    const space = gap[this.#layout];
    this.#columns = shape.width ? Math.max(1, Math.floor((width + space) / (shape.width + space))) : 1;
    this.#cellWidth = (width - space * (this.#columns - 1)) / this.#columns;
    this.classList.add("still");
    this.#draw();
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** @param {number} index */
  #position(index) {
    const pitch = shapes[this.#layout].height + gap[this.#layout];
    return {
      x: (index % this.#columns) * (this.#cellWidth + gap[this.#layout]),
      y: Math.floor(index / this.#columns) * pitch,
    };
  }

  /** @param {Map<string, number> | null} before where colors were, when they are to glide */
  #draw(before = null) {
    if (this.#cellWidth <= 0) return;
    const pitch = shapes[this.#layout].height + gap[this.#layout];
    const rows = Math.ceil(this.#colors.length / this.#columns);
    this.#space.style.height = `${rows * pitch}px`;
    const first = Math.max(0, Math.floor(this.scrollTop / pitch) - 2) * this.#columns;
    const last = (Math.ceil((this.scrollTop + this.clientHeight) / pitch) + 2) * this.#columns;
    const visible = this.#colors.slice(first, last);
    const kept = new Set(visible.map(({ id }) => id));
    if (this.#focused && this.#indexes.has(this.#focused)) kept.add(this.#focused);
    for (const [id, row] of this.#rows) {
      if (kept.has(id)) continue;
      this.#rows.delete(id);
      if (before && !this.#indexes.has(id)) leave(row);
      else this.#recycle(row);
    }
    const tab = this.#focused ?? this.#colors[0]?.id;
    const order = [...kept].sort((left, right) => (this.#indexes.get(right) ?? 0) - (this.#indexes.get(left) ?? 0));
    /** @type {HTMLElement | null} */
    let next = null;
    // From the last to the first, so that each new row finds the one that it comes before.
    for (const id of order) {
      const index = this.#indexes.get(id) ?? 0;
      let row = this.#rows.get(id);
      if (!row) {
        row = this.#make(id);
        this.#rows.set(id, row);
        if (before && !before.has(id)) {
          row.classList.add("enter");
        } else if (before) {
          // It comes from outside of the view.
          this.#put(row, before.get(id) ?? index);
          this.#filled.delete(row);
        }
        this.#space.insertBefore(row, next);
        if (before) void row.offsetWidth;
      }
      this.#fill(row, this.#colors[index], index, id === tab);
      next = row;
    }
    clearTimeout(this.#tidying);
    this.#tidying = setTimeout(() => this.#tidy(), 320);
    // Only what is shown is in the document; what was not needed again waits outside of it.
    for (const row of this.#spare) row.remove();
  }

  /** @param {HTMLElement} row @param {number} index */
  #put(row, index) {
    const { x, y } = this.#position(index);
    row.style.transform = `translate(${x}px, ${y}px)`;
    row.style.width = `${this.#cellWidth}px`;
  }

  /** @param {string} id */
  #make(id) {
    const spare = this.#spare.pop();
    if (spare) {
      spare.dataset.id = id;
      spare.hidden = false;
      return spare;
    }
    const row = makeRow();
    row.dataset.id = id;
    return row;
  }

  /** Puts the rows into the order in which they are read, once they have glided: an element that is put elsewhere
   * stops gliding, and one that has the focus loses it, so that one stays. */
  #tidy() {
    const rows = [...this.#rows.values()];
    const at = (/** @type {HTMLElement} */ row) => Number(row.getAttribute("aria-rowindex"));
    rows.sort((left, right) => at(left) - at(right));
    const shown = [...this.#space.children].filter((child) => child.classList.contains("color"));
    if (rows.every((row, index) => row === shown[index])) return;
    const pivot = rows.findIndex((row) => row.contains(document.activeElement));
    rows.forEach((row, index) => {
      if (index < pivot) this.#space.insertBefore(row, rows[pivot]);
      else if (index > pivot) this.#space.append(row);
    });
  }

  /** @param {HTMLElement} row */
  #recycle(row) {
    if (row.className !== "color" || row.querySelector("input, button, .by") || this.#spare.length > 80) {
      row.remove();
      return;
    }
    row.hidden = true;
    row.removeAttribute("data-id");
    this.#filled.delete(row);
    this.#spare.push(row);
  }

  /** @param {HTMLElement} row @param {Color} color @param {number} index @param {boolean} isTab */
  #fill(row, color, index, isTab) {
    const isSelected = this.selection.has(color.id);
    const others = this.#others.get(color.id) ?? [];
    const shown = this.#filled.get(row);
    const hex = this.#seenAs(color.hex);
    const flags = `${isSelected} ${isTab} ${others.map(({ name }) => name).join()}`;
    if (shown?.color === color && shown.index === index && shown.state === flags && shown.hex === hex) return;
    this.#filled.set(row, { color, index, state: flags, hex });
    this.#put(row, index);
    fillRow(row, color, { index, isTab, isSelected, others, hex }, () => this.#tell("conflict", { id: color.id }));
  }

  /** @param {string} id */
  #setFocused(id) {
    if (id === this.#focused) return;
    const oldRow = this.#focused && this.#rows.get(this.#focused);
    const old = oldRow && oldRow.firstElementChild;
    if (oldRow) this.#filled.delete(oldRow);
    if (old instanceof HTMLElement) old.tabIndex = -1;
    this.#focused = id;
    const now = this.#rows.get(id)?.firstElementChild;
    if (now instanceof HTMLElement) now.tabIndex = 0;
  }

  /** @param {string} id */
  #reveal(id) {
    const { y } = this.#position(this.#indexes.get(id) ?? 0);
    const height = shapes[this.#layout].height;
    if (y < this.scrollTop) this.scrollTop = y;
    else if (y + height > this.scrollTop + this.clientHeight) this.scrollTop = y + height - this.clientHeight;
  }

  /** @param {Event} event */
  #idAt(event) {
    const row = /** @type {Element} */ (event.target).closest(".color");
    return row instanceof HTMLElement ? row.dataset.id ?? null : null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const id = this.#idAt(event);
    const target = /** @type {Element} */ (event.target);
    if (target.closest("button, input")) return;
    if (!id) {
      this.select([]);
      return;
    }
    if (target.closest(".hex")) this.#tell("copy", { id });
    this.#choose(id, event.shiftKey, event.ctrlKey || event.metaKey);
  }

  /** @param {string} id @param {boolean} extends_ @param {boolean} toggles */
  #choose(id, extends_, toggles) {
    if (extends_ && this.#anchor && this.#indexes.has(this.#anchor)) {
      const ends = [this.#indexes.get(this.#anchor) ?? 0, this.#indexes.get(id) ?? 0].sort((a, b) => a - b);
      this.select(this.#colors.slice(ends[0], ends[1] + 1).map((color) => color.id));
    } else if (toggles) {
      const selection = new Set(this.selection);
      if (!selection.delete(id)) selection.add(id);
      this.#anchor = id;
      this.select(selection);
    } else {
      this.#anchor = id;
      this.select([id]);
    }
    this.focusColor(id);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (/** @type {Element} */ (event.target).closest("button, input")) return;
    const id = this.#focused ?? this.#colors[0]?.id;
    if (!id) return;
    const index = this.#indexes.get(id) ?? 0;
    const page = Math.max(1, Math.floor(this.clientHeight / shapes[this.#layout].height)) * this.#columns;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns,
      PageUp: -page, PageDown: page, Home: -index, End: this.#colors.length - 1 - index,
    };
    const control = event.ctrlKey || event.metaKey;
    const step = steps[event.key];
    if (step !== undefined) {
      const to = Math.min(Math.max(index + step, 0), this.#colors.length - 1);
      event.preventDefault();
      if (event.altKey) {
        if (this.canEdit && to !== index) this.#tell("reorder", { id, to });
      } else if (to !== index) {
        const next = this.#colors[to].id;
        if (event.shiftKey) this.#choose(next, true, false);
        else this.focusColor(next);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(id, event.shiftKey, control);
    } else if (event.key === "F2") {
      event.preventDefault();
      this.rename(id);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.#tell("delete", { ids: this.selection.has(id) ? [...this.selection] : [id] });
    } else if (event.key === "Escape") {
      this.select([]);
    } else if (control && event.key === "a") {
      event.preventDefault();
      this.select(this.#colors.map((color) => color.id));
    } else if (control && event.key === "c") {
      this.#tell("copy", { id });
    } else if (control && event.key === "d") {
      event.preventDefault();
      this.#tell("duplicate", { ids: this.selection.has(id) ? [...this.selection] : [id] });
    }
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const id = this.#idAt(event);
    if (!id || !this.canEdit || event.button !== 0) return;
    if (/** @type {Element} */ (event.target).closest("button, input")) return;
    this.#isDragged = false;
    follow(event, {
      begin: () => {
        this.#isDragged = true;
        this.#rows.get(id)?.classList.add("dragged");
      },
      move: (moved) => this.#dragTo(moved),
      end: (isDropped) => {
        this.#isDragged = false;
        this.#rows.get(id)?.classList.remove("dragged");
        this.#drop.hidden = true;
        const from = this.#indexes.get(id);
        const to = from !== undefined && this.#target > from ? this.#target - 1 : this.#target;
        if (isDropped && from !== undefined && to !== from) this.#tell("reorder", { id, to });
      },
    });
  }

  /** @param {PointerEvent} event */
  #dragTo(event) {
    const height = shapes[this.#layout].height;
    const box = this.#space.getBoundingClientRect();
    const pitch = height + gap[this.#layout];
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const isList = this.#columns === 1;
    const column = Math.round(x / (this.#cellWidth + gap[this.#layout]));
    const place = isList ? Math.round(y / pitch)
      : Math.floor(y / pitch) * this.#columns + Math.min(this.#columns, Math.max(0, column));
    this.#target = Math.min(Math.max(0, place), this.#colors.length);
    const at = this.#position(this.#target);
    this.#drop.hidden = false;
    this.#drop.style.transform = `translate(${isList ? 0 : at.x - 5}px, ${isList ? at.y - 1 : at.y}px)`;
    this.#drop.style.width = isList ? "100%" : "2px";
    this.#drop.style.height = isList ? "2px" : `${height}px`;
    const view = this.getBoundingClientRect();
    if (event.clientY < view.top + 30) this.scrollTop -= 12;
    else if (event.clientY > view.bottom - 30) this.scrollTop += 12;
  }

  /** @param {string} name @param {Record<string, unknown>} detail */
  #tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
customElements.define("color-grid", ColorGrid);
