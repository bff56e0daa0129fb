// Joins the parts of the page: what is shown, what is selected, and what a gesture does.

import { Access } from "./access.js";
import { addCommands } from "./actions.js";
import { addressed, base, groupsKey, keyOf, nameAddress } from "./address.js";
import { announce, frontDialog } from "./announce.js";
import { Beside } from "./beside.js";
import { Commands, whenThere } from "./commands.js";
import { Conflicts } from "./conflicts.js";
import { Connection } from "./connection.js";
import { copyColors } from "./copying.js";
import { find, loadStyle, make } from "./dom.js";
import { Editor } from "./editor.js";
import { Edits } from "./edits.js";
import { ColorGrid } from "./grid.js";
import { icon } from "./icons.js";
import { Library } from "./library.js";
import { ColorModel } from "./model.js";
import { PaletteList } from "./palettes.js";
import { takeDrops, takePastes } from "./pasting.js";
import { Presence } from "./presence.js";
import { EditQueue, uuid } from "./queue.js";
import { Rights } from "./rights.js";
import { BrowserStore } from "./store.js";
import { deficiencies, simulate } from "./vision.js";

/** @typedef {import("./diff.js").Color} Color */

const paletteMenu = ["rename-palette", "import", "select-all", null, "group", "ungroup", null, "dropped-palettes", "keys", null, "drop-palette"];
const colorMenu = ["rename-color", "note", "copy", "duplicate", "new-from-selection", "export-selection", null, "move-back", "move-on", null, "delete"];

/** The page, which its panels ask for what they share. */
export class Page {
  model = new ColorModel();
  connection = new Connection();
  rights = new Rights();
  commands = new Commands();
  grid = /** @type {ColorGrid} */ (find("grid"));
  #store = new BrowserStore();
  #queue = new EditQueue(this.#store, (method, parameters) => this.connection.call(method, parameters),
    () => this.connection.isOpen, (edit) => this.library.look(edit));
  /** @type {Library} */
  library = new Library(this.connection, this.#queue, this.#store);
  palettes = new PaletteList(this);
  #presence = new Presence(this);
  #editor = new Editor(this);
  beside = new Beside(this);
  edits = new Edits(this, this.#queue);
  access = new Access(this, this.#queue, this.#store, this.#presence);
  #conflicts = new Conflicts(this, (palette) => this.#queue.edits(palette));
  /** The palette that the page shows the rights of.
   * @type {string | null} */
  #entitled = null;
  /** The palette that was in view last, which the list knows no more when it is gone.
   * @type {import("./library.js").Palette | null} */
  #last = null;
  #search = "";
  /** The color whose value the editor took.
   * @type {Color | null} */
  #loaded = null;

  /** @type {Promise<[typeof import("./welcome.js"), unknown]> | null} */
  #welcome = null;

  /** @type {Promise<void> | null} */
  #cardActions = null;

  /** The palette as it was at another time, while that is looked at.
   * @type {Color[] | null} */
  #past = null;

  /** The same by their ids.
   * @type {Map<string, Color> | null} */
  #pastByID = null;

  /** Ids of edits for which the node was asked whether they are this page's.
   * @type {Set<string>} */
  #others = new Set();

  /** What was selected before another time was looked at.
   * @type {string[]} */
  #selectedNow = [];

  /** Whether the palette in view may be edited here: what was cannot be. */
  get canEdit() {
    return !this.isPast && this.rights.mayEdit(this.library.current);
  }

  /** Whether the palette is shown as it was. */
  get isPast() {
    return this.#past !== null;
  }

  /** A color of the palette in view, as it is shown.
   * @param {string} id @returns {Color | null} */
  color(id) {
    return this.#pastByID?.get(id) ?? this.library.color(id);
  }

  /** Shows the palette as it was, and as it is where that is null.
   * @param {Color[] | null} colors */
  showPast(colors) {
    if (colors === this.#past) return;
    if (!this.isPast) {
      this.endGesture();
      this.#selectedNow = [...this.grid.selection.ids];
    }
    this.#goTo(colors);
    this.#showColors({ reason: "edit", diff: null });
    // Of what was selected some may not have been there.
    const selected = this.#selectedNow.filter((id) => this.library.color(id));
    if (colors === null && selected.some((id) => !this.grid.selection.has(id))) this.grid.selection.set(selected);
  }

  /** @param {Color[] | null} past */
  #goTo(past) {
    this.#past = past;
    this.#pastByID = past && new Map(past.map((color) => [color.id, color]));
    document.body.classList.toggle("past", this.isPast);
    this.access.show();
  }

  /** The one selected color; null when there are none or several.
   * @returns {Color | null} */
  get selectedColor() {
    const { only } = this.grid.selection;
    return only === null ? null : this.color(only);
  }

  async start() {
    // The palette that was kept has an address of its own, without the code.
    const code = location.hash.slice(1);
    this.#bind();
    await this.#store.open();
    await this.#queue.load();
    await this.library.remember();
    const address = addressed();
    await this.library.open(address ?? localStorage.getItem(keyOf("palette")) ?? this.library.palettes[0]?.id ?? null);
    await this.access.join(code);
    this.connection.dial();
    this.access.sayWhatIsKept();
  }

  /** Brings a palette into view.
   * @param {string} id */
  async openPalette(id, isNew = true) {
    this.#editor.flush();
    if (isNew && addressed() !== id) history.pushState(null, "", `${base}palettes/${id}`);
    this.grid.selection.clear();
    localStorage.setItem(keyOf("palette"), id);
    // Of a large palette that is loading, a second click would begin anew.
    if (id !== this.library.current) await this.library.open(id);
    this.#showPalettes();
  }

  /** Puts the current color first in the palette, and selects it. What it was made of stays as it was before. */
  async save() {
    if (!this.canEdit || !(await this.#editor.takeDraft())) return;
    await this.palettes.need();
    const id = uuid();
    const name = this.model.hex;
    // What is saved is seen.
    if (!this.#isFound({ name, hex: name, note: "" })) this.#search = /** @type {HTMLInputElement} */ (find("search")).value = "";
    const last = this.#editor.takeLast();
    const addition = { id, value: this.#editor.value, name, at: 0 };
    if (last) {
      const back = { method: "set", color: last.id, value: last.was, seen: this.library.color(last.id)?.seen };
      this.edits.act([back, { method: "add", ...addition }]);
    } else this.edits.make("add", addition);
    this.grid.scrollTop = 0;
    this.grid.selection.set([id], id);
    announce(`${name} saved`);
  }

  /** Makes an edit of what is being made of the selected color. */
  endGesture() {
    this.#editor.flush();
  }

  /** Takes back the last edit, after what is being made was made one. */
  undo() {
    this.endGesture();
    this.edits.undo();
  }

  /** Takes back what is under way; else nothing is selected any more.
   * @returns {boolean} whether anything was */
  escape() {
    if (this.#editor.cancel()) return true;
    const isSelected = this.grid.selection.size > 0;
    this.grid.selection.clear();
    return isSelected;
  }

  #bind() {
    const { library, grid, connection } = this;
    library.addEventListener("palettes", () => this.#showPalettes());
    connection.addEventListener("closed", () => this.#showPalettes());
    library.addEventListener("gone", (event) => {
      const { id } = /** @type {CustomEvent} */ (event).detail;
      const last = id === this.#last?.id ? this.#last : null;
      whenThere(async () => (await import("./losses.js")).sayPalette(this, id, last));
    });
    library.addEventListener("colors", (event) => this.#showColors(/** @type {CustomEvent} */ (event).detail));
    this.#queue.addEventListener("change", () => this.commands.refresh());
    // What had the focus is gone.
    addEventListener("lost", () => this.#focusGrid());
    this.access.addEventListener("change", () => this.#showPalettes());
    this.#bindGrid(grid);
    this.#bindTools();
    takeDrops(this);
    takePastes(this);
    const phone = matchMedia("(max-width: 700px)");
    const adapt = async () => {
      if (!phone.matches) return;
      phone.removeEventListener("change", adapt);
      const { Phone } = await import("./phone.js");
      new Phone(this, phone);
    };
    phone.addEventListener("change", adapt);
    adapt();
    const contrast = matchMedia("(forced-colors: active)");
    const paint = () => contrast.matches && loadStyle("/contrast.css");
    contrast.addEventListener("change", paint);
    paint();
    addEventListener("popstate", () => {
      const id = addressed();
      if (id && id !== library.current) this.openPalette(id, false);
    });
    addEventListener("keydown", (event) => this.#shortcut(event));
    // A browser may keep a page that was left, connection and all: nobody is here who has gone.
    addEventListener("pagehide", () => {
      this.#editor.flush();
      connection.hangUp();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) connection.dial();
    });
  }

  /** @param {ColorGrid} grid */
  #bindGrid(grid) {
    /** @param {string} name @param {(detail: any) => void} run */
    const on = (name, run) => grid.addEventListener(name, (event) => run(/** @type {CustomEvent} */ (event).detail));
    grid.selection.addEventListener("change", () => this.#chosen());
    grid.addEventListener("focusin", () => this.commands.refresh());
    for (const type of ["pointerover", "focusin"]) grid.addEventListener(type, () => this.#actions(), { once: true });
    grid.addEventListener("contextmenu", (event) => {
      if (!grid.contains(/** @type {Node} */ (event.target)) || event.defaultPrevented || grid.subjects.length === 0) return;
      event.preventDefault();
      this.#openMenu(colorMenu, { x: event.clientX, y: event.clientY });
    });
    on("color-rename", ({ id, name, seen }) => this.edits.make("rename", { color: id, name, seen }));
    on("color-conflict", ({ id }) => this.#conflicts.open(id));
    on("color-copy", ({ id }) => copyColors([this.color(id)].flatMap((color) => color ?? [])));
    on("color-reorder", ({ ids, at }) => this.edits.move(ids, at));
    on("color-carry", ({ ids, to, isCopy }) => this.edits.carry(ids, to, isCopy));
  }

  /** What is done at a color comes when somebody first points at one. */
  #actions() {
    this.#cardActions ??= Promise.all([import("./cardactions.js"), loadStyle("/cardactions.css")]).then(([{ CardActions }]) => {
      new CardActions(this, (at) => this.#openMenu(colorMenu, at));
    }, () => {});
  }

  /** @param {(string | null)[]} names @param {{x: number, y: number} | HTMLElement} at */
  #openMenu(names, at) {
    return whenThere(async () => {
      const [{ openMenu }] = await Promise.all([import("./menu.js"), loadStyle("/menu.css")]);
      openMenu(this.commands, names, at);
    });
  }

  #bindTools() {
    addCommands(this);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-icon]"))) {
      element.prepend(icon(element.dataset.icon ?? ""));
    }
    find("more").addEventListener("click", () => this.#openMenu(paletteMenu, find("more")));
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-command]"))) {
      this.commands.bind(button, button.dataset.command ?? "");
    }
    for (const button of document.querySelectorAll("[data-layout]")) {
      if (!(button instanceof HTMLButtonElement)) continue;
      button.addEventListener("click", () => this.#setLayout(button.dataset.layout ?? "grid"));
    }
    this.#setLayout(localStorage.getItem("layout") ?? "grid");
    const search = find("search");
    search.addEventListener("input", () => {
      this.#search = /** @type {HTMLInputElement} */ (search).value.trim().toLowerCase();
      this.#showColors({ reason: "search", diff: null });
      announce(`${this.grid.given.length} colors`);
    });
    const vision = /** @type {HTMLSelectElement} */ (find("vision"));
    vision.append(...deficiencies.map(([value, text]) => make("option", { value }, text)));
    vision.addEventListener("change", () => (this.grid.marks.seenAs = vision.value ? (hex) => simulate(hex, vision.value) : null));
  }

  /** @param {KeyboardEvent} event */
  #shortcut(event) {
    const target = /** @type {Element} */ (event.target);
    if (frontDialog()) return;
    const field = target.closest?.("input:not([type=range]), textarea, select");
    if (field && !this.#editor.passes(field, event)) return;
    this.commands.press(event, this.grid.contains(target) && !target.closest(".section"));
  }

  #showPalettes() {
    const { library } = this;
    // Rights may differ from palette to palette.
    if (library.current !== this.#entitled) {
      this.#entitled = library.current;
      this.access.show();
    }
    this.palettes.show();
    this.#last = library.palette ?? this.#last;
    nameAddress(library);
    find("title").textContent = library.palette?.name ?? "No palette";
    this.grid.setAttribute("aria-label", library.palette?.name ?? "Palette");
    const isEmpty = library.isEmpty && !this.isPast;
    // Nobody is told to begin where the palettes are on their way.
    const isAwaited = !library.isListed && this.connection.failures === 0;
    const state = !this.rights.hasAccess ? "locked" : library.palettes.length === 0 ? (isAwaited ? "awaited" : "none") : isEmpty ? "empty" : "";
    this.grid.hidden = state !== "";
    document.body.dataset.state = state;
    this.#greet(state);
    this.commands.refresh();
  }

  /** What to do where there is nothing to show yet is said by a part that comes when it is needed.
   * @param {string} state */
  #greet(state) {
    const isQuiet = state === "" || state === "awaited";
    find("welcome").hidden = isQuiet;
    if (isQuiet) return;
    this.#welcome ??= Promise.all([import("./welcome.js"), loadStyle("/begin.css")]);
    this.#welcome.then(([{ showWelcome }]) => showWelcome(this), () => (this.#welcome = null));
  }

  /** Whether a color is one of those that are searched.
   * @param {{name: string, hex: string, note: string}} color */
  #isFound({ name, hex, note }) {
    return `${name}\n${hex}\n${note}`.toLowerCase().includes(this.#search);
  }

  /** @param {{reason: string, diff: import("./diff.js").Diff | null}} change */
  #showColors({ reason, diff }) {
    const { library, grid } = this;
    const search = this.#search;
    if (reason === "opened" && this.isPast) this.#goTo(null);
    const all = this.#past ?? library.colors;
    const colors = search ? all.filter((color) => this.#isFound(color)) : all;
    if (reason === "opened") {
      grid.scrollTop = 0;
      this.group();
    }
    const isOthers = reason === "diff" && diff !== null && (!diff.node || diff.node !== this.rights.node);
    const lost = isOthers ? diff.deletions.flatMap(({ id }) => (grid.selection.has(id) ? grid.colors[grid.placeOf(id)] ?? [] : [])) : [];
    grid.show(colors, reason === "diff" || reason === "own" || reason === "edit");
    const { length } = all;
    const count = length === 1 ? "1 color" : `${length.toLocaleString("en")} colors`;
    find("count").textContent = search ? `${colors.length.toLocaleString("en")} of ${count}` : count;
    find("nothing").hidden = !search || colors.length > 0;
    find("nothing").textContent = `No color here is called “${search}”, or has it in its value or note.`;
    if (reason === "diff" && diff?.node) this.#learnUndo(diff.node);
    if (diff && isOthers) this.#flash(diff, diff.visitor ?? diff.author);
    if (diff && lost.length > 0) {
      whenThere(async () => (await import("./losses.js")).sayColors(this, lost, diff.visitor ?? diff.author ?? "somebody else"));
    }
    this.#follow();
    this.commands.refresh();
    this.#editor.updateSelection();
    this.#showPalettes();
  }

  /** What another window of this browser did can be undone in all of them. They have one id, which the first edit in any of
   * them gives to them all, so that this one may not know it yet.
   * @param {string} node whose edit it is */
  async #learnUndo(node) {
    const { library, rights } = this;
    const { current } = library;
    if (rights.node === null && !this.#others.has(node)) {
      // First: the next edits may come before the answer.
      this.#others.add(node);
      await this.access.learn();
    }
    if (rights.node !== node || library.current !== current) return;
    library.wasEditedElsewhere();
    this.commands.refresh();
  }

  /** @param {import("./diff.js").Diff} diff @param {string | null | undefined} who */
  #flash(diff, who) {
    if (!who) return;
    const ids = [...diff.insertions, ...diff.updates].map(({ color }) => color.id).concat(diff.moves.map(({ id }) => id));
    const color = this.#presence.colorOf(diff.node ?? who);
    for (const id of ids.slice(0, 60)) this.grid.flash(id, who, color);
    const count = ids.length + diff.deletions.length;
    announce(`${who} changed ${count === 1 ? diff.updates[0]?.color.name ?? "a color" : `${count} colors`}`);
  }

  /** Takes what others made of the selected color into the editor, unless something is being made of it here. */
  #follow() {
    const color = this.selectedColor;
    if (this.#editor.isAhead) return;
    const isNew = color && (color.id !== this.#loaded?.id || color.color !== this.#loaded.color);
    if (isNew && !this.model.setText(color.color)) this.model.setText(color.hex);
    this.#loaded = color;
  }

  #chosen() {
    // What is under way was done to the color that was selected when it began.
    this.#editor.flush();
    this.#loaded = null;
    this.#editor.updateSelection();
    this.#follow();
    this.#editor.begin();
    this.commands.refresh();
    this.#showSelected();
    this.#presence.tell();
  }

  /** Gives the focus to a color once the grid shows what it is to show, if what had it is gone. */
  #focusGrid() {
    requestAnimationFrame(() => {
      const { grid } = this;
      const at = /** @type {HTMLElement | null} */ (document.activeElement);
      // What is hidden takes no room.
      const isThere = at !== null && at !== document.body && at.getClientRects().length > 0 && !at.matches(":disabled");
      if (!isThere && grid.focused) grid.focusColor(grid.focused);
    });
  }

  #showSelected() {
    const { size } = this.grid.selection;
    if (size === 0 && find("selected").contains(document.activeElement)) this.#focusGrid();
    find("selected").hidden = size === 0;
    find("selected-count").textContent = size === 1 ? "1 color" : `${size.toLocaleString("en")} colors`;
  }

  /** Shows the groups of the palette in view as sections, or all of it as one list, or as it was the last time.
   * @param {boolean} [isOn] */
  async group(isOn) {
    const key = groupsKey + this.library.current;
    if (isOn) localStorage.setItem(key, "[]");
    else if (isOn === false) localStorage.removeItem(key);
    const kept = localStorage.getItem(key);
    const headings = kept === null ? null : await (await import("./headings.js")).readHeadings(key);
    if (key === groupsKey + this.library.current) this.grid.headings = headings;
  }

  /** @param {string} layout */
  #setLayout(layout) {
    localStorage.setItem("layout", layout);
    this.grid.layout = /** @type {import("./grid.js").Layout} */ (layout);
    for (const button of document.querySelectorAll("[data-layout]")) {
      if (button instanceof HTMLButtonElement) button.setAttribute("aria-pressed", String(button.dataset.layout === layout));
    }
  }
}

new Page().start();
