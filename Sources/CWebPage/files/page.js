// Joins the parts of the page: what is shown, what is selected, and what a gesture does.

import { announce, toast } from "./announce.js";
import { openConflict } from "./conflicts.js";
import { Connection, keepHalf } from "./connection.js";
import { ask, find, make } from "./dom.js";
import { Editor } from "./editor.js";
import { importFiles, openExport } from "./files.js";
import { ColorGrid } from "./grid.js";
import { openHistory } from "./history.js";
import { Library } from "./library.js";
import { ColorModel } from "./model.js";
import { PaletteList } from "./palettes.js";
import { Presence } from "./presence.js";
import { EditQueue, isOfPalette, uuid } from "./queue.js";
import { openShare } from "./share.js";
import { BrowserStore } from "./store.js";
import { deficiencies, simulate } from "./vision.js";
import { showWelcome } from "./welcome.js";

/** @typedef {import("./diff.js").Color} Color */

/** @typedef {{role: string | null, name?: string | null, grants: {role: string, palette: string | null}[]}} Rights */

const mayEdit = (/** @type {(string | null)[]} */ roles) => roles.some((role) => role !== null && role !== "viewer");

/** The page, which its panels ask for what they share. */
export class Page {
  model = new ColorModel();
  connection = new Connection();
  grid = /** @type {ColorGrid} */ (find("grid"));
  #store = new BrowserStore();
  #queue = new EditQueue(this.#store, (method, parameters) => this.connection.call(method, parameters),
    () => this.connection.isOpen, (edit) => this.library.look(edit));
  /** @type {Library} */
  library = new Library(this.connection, this.#queue, this.#store);
  palettes = new PaletteList(this);
  #presence = new Presence(this);
  #editor = new Editor(this);
  /** What `whoami` said; null while nobody did.
   * @type {Rights | null} */
  #rights = null;
  /** The palette that the page shows the rights of.
   * @type {string | null} */
  #entitled = null;
  #hasAccess = true;
  #failure = "";
  #search = "";
  /** The color whose value the editor took.
   * @type {Color | null} */
  #loaded = null;

  get canEdit() {
    return this.#hasAccess && (this.#rights === null || mayEdit(this.#roles(this.library.current)));
  }

  /** What the node calls whoever uses this page. */
  get ownName() {
    return this.#rights?.name ?? "";
  }

  /** The roles that this session has on a palette; on the library as a whole when there is none.
   * @param {string | null} palette */
  #roles(palette) {
    const some = this.#rights?.grants.filter((grant) => palette !== null && grant.palette === palette) ?? [];
    return [this.#rights?.role ?? null, ...some.map((grant) => grant.role)];
  }

  /** The one selected color; null when there are none or several.
   * @returns {Color | null} */
  get selectedColor() {
    if (this.grid.selection.size !== 1) return null;
    const [id] = this.grid.selection;
    return this.library.colors.find((color) => color.id === id) ?? null;
  }

  async start() {
    this.#bind();
    await this.#store.open();
    await this.#queue.load();
    await this.library.remember();
    await this.library.open(localStorage.getItem("palette") ?? this.library.palettes[0]?.id ?? null);
    await this.join(location.hash.slice(1));
    this.connection.dial();
    this.#sayWhatIsKept();
  }

  /** Begins a session with a code, which travels in a header: in no address, no history and no log.
   * @param {string} code */
  async join(code) {
    if (!code) return;
    history.replaceState(null, "", location.pathname);
    const bare = code.includes("#") ? code.slice(code.indexOf("#") + 1) : code;
    const response = await fetch("/session", { headers: { authorization: `Bearer ${bare}` } }).catch(() => null);
    this.#failure = response?.ok ? "" : "That code is used up, has expired or is wrong.";
    if (response?.ok) {
      keepHalf((await response.json()).half);
      this.#hasAccess = true;
      // The session of another code may be open still.
      this.connection.hangUp();
      this.connection.dial();
    } else toast(this.#failure);
    this.#sayState();
  }

  /** Brings a palette into view.
   * @param {string} id */
  async openPalette(id) {
    this.#editor.flush();
    this.grid.select([]);
    localStorage.setItem("palette", id);
    // Of a large palette that is loading, a second click would begin anew.
    if (id !== this.library.current) await this.library.open(id);
    this.#showPalettes();
    this.#presence.tell();
  }

  /** Makes, renames or brings back a palette.
   * @param {string} id @param {string} method @param {Record<string, any>} parameters
   * @param {string} [saw] what it is only right for */
  editPalette(id, method, parameters, saw) {
    this.#queue.add(id, method, parameters, saw);
  }

  /** Makes an edit of the palette in view.
   * @param {string} method @param {Record<string, any>} parameters */
  edit(method, parameters) {
    const palette = this.library.current;
    if (!palette || !this.canEdit) return;
    const kept = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
    this.#queue.add(palette, method, kept);
  }

  /** Puts the current color first in the palette, named by its hex. */
  async save() {
    await this.#needsPalette();
    this.#editor.flush();
    const { hex } = this.model;
    this.edit("add", { id: uuid(), value: this.#editor.value, name: hex, at: 0 });
    this.grid.scrollTop = 0;
    announce(`${hex} saved`);
  }

  /** Puts colors first in the palette, in their order.
   * @param {{value: string, name: string}[]} colors */
  async addAll(colors) {
    if (colors.length === 0) return;
    await this.#needsPalette();
    this.edit("add", { value: "-", colors: colors.map((color) => ({ id: uuid(), ...color })), at: 0 });
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages without TLS have no clipboard; what is selected can be copied everywhere.
      const field = make("textarea", { value: text, class: "unseen", "aria-label": "Copy" });
      (document.querySelector("dialog[open]") ?? document.body).append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    toast(`Copied ${text}`);
  }

  async #needsPalette() {
    if (!this.library.current) await this.palettes.create("My colors");
  }

  #bind() {
    const { library, grid, connection } = this;
    connection.addEventListener("open", () => this.#opened());
    connection.addEventListener("closed", () => this.#closed());
    addEventListener("online", () => connection.dial());
    addEventListener("offline", () => connection.hangUp());
    library.addEventListener("palettes", () => this.#showPalettes());
    library.addEventListener("colors", (event) => this.#showColors(/** @type {CustomEvent} */ (event).detail));
    this.#queue.addEventListener("change", () => this.#sayState());
    this.#queue.addEventListener("refused", (event) => {
      const { edit, error } = /** @type {CustomEvent} */ (event).detail;
      if (error.code === "not-allowed") this.#setRights({ role: "viewer", grants: [] });
      const name = library.palettes.find(({ id }) => id === edit.palette)?.name ?? "the palette";
      const verb = edit.method === "drop" ? "dropped" : edit.method === "title" ? "renamed" : "saved";
      toast(error.code === "changed" ? `Others changed ${name} meanwhile, so it was not ${verb}` : `Not ${verb}: ${error.message}`,
        error.code === "changed" ? { label: "Do it anyway", run: () => this.#queue.add(edit.palette, edit.method, edit.parameters) } : undefined);
    });
    this.#queue.addEventListener("answered", (event) => {
      const { edit, answer } = /** @type {CustomEvent} */ (event).detail;
      if (isOfPalette(edit)) this.#presence.tell();
      if (edit.method !== "undo" && edit.method !== "redo") return;
      const reason = answer.skipped?.[0]?.reason;
      announce(answer.changed?.length ? `${edit.method} done` : reason ?? `nothing to ${edit.method}`);
      if (!answer.changed?.length) toast(reason ?? `Nothing to ${edit.method}`);
    });
    this.#bindGrid(grid);
    this.#bindTools();
    this.#bindDrops();
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
    on("choose", () => this.#chosen());
    on("rename", ({ id, name }) => this.edit("rename", { color: id, name, seen: this.#seen(id) }));
    on("delete", ({ ids }) => this.#delete(ids));
    on("duplicate", ({ ids }) => this.#duplicate(ids));
    on("conflict", ({ id }) => openConflict(this, id));
    on("copy", ({ id }) => {
      const color = this.library.colors.find((one) => one.id === id);
      if (color) this.copy(color.hex);
    });
    on("reorder", ({ id, to }) => {
      if (this.#search) return toast("Clear the search to move colors");
      this.edit("move", { color: id, at: to, seen: this.#seen(id) });
      requestAnimationFrame(() => grid.focusColor(id));
      announce(`Moved to place ${to + 1} of ${this.library.colors.length}`);
    });
  }

  #bindTools() {
    /** @param {string} id @param {() => void} run */
    const press = (id, run) => find(id).addEventListener("click", run);
    press("undo", () => { this.#editor.flush(); this.edit("undo", {}); });
    press("redo", () => this.edit("redo", {}));
    press("delete", () => this.#delete([...this.grid.selection]));
    press("duplicate", () => this.#duplicate([...this.grid.selection]));
    press("note", () => this.#note());
    press("history", () => openHistory(this));
    press("export", () => openExport(this));
    press("share", () => openShare(this));
    for (const button of document.querySelectorAll("[data-layout]")) {
      if (!(button instanceof HTMLButtonElement)) continue;
      button.addEventListener("click", () => this.#setLayout(button.dataset.layout ?? "grid"));
    }
    this.#setLayout(localStorage.getItem("layout") ?? "grid");
    const search = find("search");
    search.addEventListener("input", () => {
      this.#search = /** @type {HTMLInputElement} */ (search).value.trim().toLowerCase();
      this.#showColors({ reason: "search", diff: null });
      announce(`${this.grid.colors.length} colors`);
    });
    const vision = /** @type {HTMLSelectElement} */ (find("vision"));
    vision.append(...deficiencies.map(([value, text]) => make("option", { value }, text)));
    vision.addEventListener("change", () => (this.grid.seenAs = (hex) => simulate(hex, vision.value)));
  }

  #bindDrops() {
    const picker = /** @type {HTMLInputElement} */ (find("files"));
    picker.addEventListener("change", () => {
      importFiles(this, [...(picker.files ?? [])]);
      picker.value = "";
    });
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
      document.body.classList.remove("dropping");
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      importFiles(this, [...event.dataTransfer.files]);
    });
  }

  /** @param {KeyboardEvent} event */
  #shortcut(event) {
    const isTyping = /** @type {Element} */ (event.target).closest?.("input:not([type=range]), textarea, select, dialog");
    if (isTyping || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === "z") find(event.shiftKey ? "redo" : "undo").click();
    else if (key === "y") find("redo").click();
    else if (key === "s") this.save();
    else if (key === "f") find("search").focus();
    else return;
    event.preventDefault();
  }

  async #opened() {
    this.#hasAccess = true;
    this.#failure = "";
    this.#sayState();
    try {
      this.#setRights(await this.connection.call("whoami"));
    } catch {
      this.#setRights(this.#rights);
    }
    this.#presence.tell();
  }

  async #closed() {
    this.#sayState();
    if (this.connection.failures < 2) return;
    const health = await fetch("/healthz").catch(() => null);
    if (health?.ok && this.connection.failures >= 2 && !this.connection.isOpen) {
      this.#hasAccess = false;
      this.#setRights(this.#rights);
      this.#showPalettes();
    }
    this.#sayState();
  }

  /** @param {Rights | null} rights */
  #setRights(rights) {
    this.#rights = rights;
    const { canEdit } = this;
    document.body.classList.toggle("viewer", !canEdit);
    this.grid.canEdit = canEdit;
    find("share").hidden = rights !== null && rights.role !== "owner";
    this.#enable();
    this.#sayState();
  }

  #enable() {
    const { canEdit } = this;
    const count = this.grid.selection.size;
    const isAboutLibrary = this.#rights === null || mayEdit(this.#roles(null));
    for (const button of document.querySelectorAll("button.edits")) {
      const isOff = !canEdit || (button.classList.contains("needs-color") && count !== 1) ||
        (button.classList.contains("needs-colors") && count === 0) || (button.id === "new" && !isAboutLibrary);
      /** @type {HTMLButtonElement} */ (button).disabled = isOff;
    }
  }

  #sayState() {
    const { waiting } = this.#queue;
    const edits = waiting === 1 ? "1 edit" : `${waiting} edits`;
    const { isOpen } = this.connection;
    let text = "Connecting …";
    let kind = "busy";
    if (isOpen && !this.canEdit) [text, kind] = ["Live, read only", "live"];
    else if (isOpen) [text, kind] = [waiting > 0 ? `Live, sending ${edits}` : "Live", "live"];
    else if (!this.#hasAccess) [text, kind] = [this.#failure || "No access", "refused"];
    else if (this.connection.failures > 0) {
      [text, kind] = [waiting > 0 ? `Offline, ${edits} waiting` : "Offline, edits are kept", "offline"];
    }
    const state = find("state");
    state.dataset.kind = kind;
    if (state.textContent !== text) state.textContent = text;
  }

  #sayWhatIsKept() {
    const lasts = this.#store.isLasting ? "Edits made offline survive a reload." : "This browser keeps nothing: edits made offline last while the page is open.";
    const opens = isSecureContext ? "" : " Without HTTPS the page itself cannot open offline.";
    find("keeps").textContent = lasts + opens;
    if (isSecureContext) navigator.serviceWorker?.register("/sw.js").catch(() => {});
  }

  #showPalettes() {
    const { library } = this;
    // Rights may differ from palette to palette.
    if (library.current !== this.#entitled) {
      this.#entitled = library.current;
      this.#setRights(this.#rights);
    }
    this.palettes.show();
    find("title").textContent = library.palette?.name ?? "No palette";
    this.grid.setAttribute("aria-label", library.palette?.name ?? "Palette");
    const isEmpty = Boolean(library.palette) && library.colors.length === 0;
    const state = !this.#hasAccess ? "locked" : library.palettes.length === 0 ? "none" : isEmpty ? "empty" : "";
    this.grid.hidden = state !== "";
    document.body.dataset.state = state;
    showWelcome(this, state);
    this.#enable();
  }

  /** @param {{reason: string, diff: import("./diff.js").Diff | null}} change */
  #showColors({ reason, diff }) {
    const { library, grid } = this;
    const search = this.#search;
    const colors = search
      ? library.colors.filter(({ name, hex, note }) => `${name}\n${hex}\n${note}`.toLowerCase().includes(search))
      : library.colors;
    if (reason === "opened") grid.scrollTop = 0;
    grid.show(colors, reason === "diff" || reason === "own" || reason === "edit");
    const { length } = library.colors;
    find("count").textContent = search ? `${colors.length} of ${length} colors` : length === 1 ? "1 color" : `${length} colors`;
    if (diff && reason === "diff" && !this.#isOwn(diff)) this.#flash(diff, diff.visitor ?? diff.author);
    this.#follow();
    this.#enable();
    this.#editor.updateSelection();
    this.#showPalettes();
  }

  /** @param {import("./diff.js").Diff} diff */
  #isOwn(diff) {
    const mine = /** @type {any} */ (this.#rights);
    return Boolean(mine?.node && mine.node === diff.node);
  }

  /** @param {import("./diff.js").Diff} diff @param {string | null | undefined} who */
  #flash(diff, who) {
    if (!who) return;
    const ids = [...diff.insertions, ...diff.updates].map(({ color }) => color.id).concat(diff.moves.map(({ id }) => id));
    for (const id of ids.slice(0, 60)) this.grid.flash(id, who);
    const count = ids.length + diff.deletions.length;
    announce(`${who} changed ${count === 1 ? diff.updates[0]?.color.name ?? "a color" : `${count} colors`}`);
  }

  /** Takes what others made of the selected color into the editor, unless something is being made of it here. */
  #follow() {
    const color = this.selectedColor;
    const isNew = color && (color.id !== this.#loaded?.id || color.hex !== this.#loaded.hex);
    if (isNew && !this.#editor.isAhead) this.model.setText(color.hex);
    this.#loaded = color;
  }

  #chosen() {
    // What was made of the color that was selected before belongs to that one.
    this.#loaded = null;
    this.#follow();
    this.#enable();
    this.#editor.updateSelection();
    this.#presence.tell();
  }

  async #note() {
    const color = this.selectedColor;
    if (!color) return;
    const text = await ask(`Note of ${color.name}`, "Note", color.note, "Save note");
    if (text !== null && text !== color.note) this.edit("note", { color: color.id, text, seen: color.seen });
  }

  /** @param {string[]} ids */
  #delete(ids) {
    if (!this.canEdit || ids.length === 0) return;
    const seen = ids.map((id) => this.#seen(id));
    this.edit("remove", { colors: ids, ...(seen.every(Boolean) && { seen }) });
    announce(ids.length === 1 ? "Color deleted" : `${ids.length} colors deleted`);
  }

  /** @param {string[]} ids */
  #duplicate(ids) {
    for (const color of this.library.colors.filter(({ id }) => ids.includes(id))) {
      this.edit("add", { id: uuid(), value: color.color, name: color.name, note: color.note || undefined, after: color.id });
    }
  }

  /** @param {string} id */
  #seen(id) {
    return this.library.colors.find((color) => color.id === id)?.seen;
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
