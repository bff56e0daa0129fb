// Joins the parts of the page: what is shown, what is selected, and what a gesture does.

import { announce, toast } from "./announce.js";
import { openConflict } from "./conflicts.js";
import { Connection } from "./connection.js";
import { ask, confirmed, find, make, swatch } from "./dom.js";
import { Editor } from "./editor.js";
import { importFiles, openExport } from "./files.js";
import { ColorGrid } from "./grid.js";
import { openHistory } from "./history.js";
import { Library } from "./library.js";
import { ColorModel } from "./model.js";
import { EditQueue, uuid } from "./queue.js";
import { hueOf, initials } from "./row.js";
import { openShare } from "./share.js";
import { BrowserStore } from "./store.js";
import { deficiencies, simulate } from "./vision.js";

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
    () => this.connection.isOpen);
  library = new Library(this.connection, this.#queue, this.#store);
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
  /** The "who" of this page among those present; names do not tell one from another.
   * @type {string | null} */
  #you = null;
  /** The color whose value the editor took.
   * @type {Color | null} */
  #loaded = null;

  get canEdit() {
    return this.#hasAccess && (this.#rights === null || mayEdit(this.#roles(this.library.current)));
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
    if (!code) return true;
    history.replaceState(null, "", location.pathname);
    const bare = code.includes("#") ? code.slice(code.indexOf("#") + 1) : code;
    const response = await fetch("/session", { headers: { authorization: `Bearer ${bare}` } }).catch(() => null);
    this.#failure = response?.ok ? "" : "That code is used up, has expired or is wrong.";
    if (response?.ok) {
      this.#hasAccess = true;
      this.connection.dial();
    }
    return response?.ok ?? false;
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
    if (!(await this.#needsPalette())) return;
    this.#editor.flush();
    const { hex } = this.model;
    this.edit("add", { id: uuid(), value: this.#editor.value, name: hex, at: 0 });
    this.grid.scrollTop = 0;
    announce(`${hex} saved`);
  }

  /** Puts colors first in the palette, in their order.
   * @param {{value: string, name: string}[]} colors */
  async addAll(colors) {
    if (colors.length === 0 || !(await this.#needsPalette())) return;
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
    if (this.library.current) return true;
    if (!this.#isReachable()) return false;
    try {
      const { id } = await this.connection.call("new", { name: "My colors", edit: uuid() });
      await this.library.open(id);
      return true;
    } catch (error) {
      toast(error.message);
      return false;
    }
  }

  #bind() {
    const { library, grid, connection } = this;
    connection.addEventListener("open", () => this.#opened());
    connection.addEventListener("closed", () => this.#closed());
    addEventListener("online", () => connection.dial());
    addEventListener("offline", () => connection.hangUp());
    library.addEventListener("palettes", () => this.#showPalettes());
    library.addEventListener("colors", (event) => this.#showColors(/** @type {CustomEvent} */ (event).detail));
    library.addEventListener("presence", () => this.#showPresence());
    this.#queue.addEventListener("change", () => this.#sayState());
    this.#queue.addEventListener("refused", (event) => {
      const { error } = /** @type {CustomEvent} */ (event).detail;
      if (error.code === "not-allowed") this.#setRights({ role: "viewer", grants: [] });
      toast(`Not saved: ${error.message}`);
    });
    this.#queue.addEventListener("answered", (event) => {
      const { edit, answer } = /** @type {CustomEvent} */ (event).detail;
      if (edit.method !== "undo" && edit.method !== "redo") return;
      const reason = answer.skipped?.[0]?.reason;
      announce(answer.changed?.length ? `${edit.method} done` : reason ?? `nothing to ${edit.method}`);
      if (!answer.changed?.length) toast(reason ?? `Nothing to ${edit.method}`);
    });
    this.#bindGrid(grid);
    this.#bindTools();
    this.#bindDrops();
    addEventListener("keydown", (event) => this.#shortcut(event));
    addEventListener("pagehide", () => this.#editor.flush());
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
    press("new", () => this.#new());
    press("retitle", () => this.#retitle());
    press("drop", () => this.#drop());
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
    const you = /** @type {HTMLInputElement} */ (find("you"));
    you.value = localStorage.getItem("name") ?? "";
    you.addEventListener("change", () => {
      localStorage.setItem("name", you.value.trim());
      this.#present();
    });
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
    this.#present();
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
    const list = find("palettes");
    const known = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.id, item]));
    const items = library.palettes.map((palette) => {
      const old = known.get(palette.id);
      const item = old instanceof HTMLElement ? old : this.#paletteItem(palette.id);
      const button = /** @type {HTMLElement} */ (item.firstElementChild);
      const [name, count, strip] = /** @type {HTMLElement[]} */ ([...button.children]);
      if (name.textContent !== palette.name) name.textContent = palette.name;
      count.textContent = String(palette.id === library.current ? library.colors.length : palette.count);
      const colors = library.strips.get(palette.id) ?? [];
      if (strip.dataset.colors !== colors.join()) {
        strip.dataset.colors = colors.join();
        strip.replaceChildren(...colors.map((hex) => swatch(hex, "stripe")));
      }
      if (palette.id === library.current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      return item;
    });
    items.forEach((item, index) => {
      if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
    });
    while (list.children.length > items.length) list.lastElementChild?.remove();
    find("title").textContent = library.palette?.name ?? "No palette";
    this.grid.setAttribute("aria-label", library.palette?.name ?? "Palette");
    this.#showWelcome();
  }

  /** @param {string} id */
  #paletteItem(id) {
    const button = make("button", { class: "palette", onclick: async () => {
      this.#editor.flush();
      this.grid.select([]);
      localStorage.setItem("palette", id);
      await this.library.open(id);
      this.#showPalettes();
      this.#present();
    } }, make("span", { class: "name" }), make("span", { class: "hint" }), make("span", { class: "strip", "aria-hidden": "true" }));
    const item = make("li", {}, button);
    item.dataset.id = id;
    return item;
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
    if (diff && diff.author && reason === "diff" && !this.#isOwn(diff)) this.#flash(diff);
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

  /** @param {import("./diff.js").Diff} diff */
  #flash(diff) {
    const ids = [...diff.insertions, ...diff.updates].map(({ color }) => color.id).concat(diff.moves.map(({ id }) => id));
    for (const id of ids.slice(0, 60)) this.grid.flash(id, diff.author ?? "");
    const count = ids.length + diff.deletions.length;
    announce(`${diff.author} changed ${count === 1 ? diff.updates[0]?.color.name ?? "a color" : `${count} colors`}`);
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
    this.#present();
  }

  async #present() {
    const palette = this.library.current;
    if (!palette || !this.connection.isOpen) return;
    const color = this.selectedColor;
    const name = localStorage.getItem("name") || this.#rights?.name || "Guest";
    try {
      const answer = await this.connection.call("palette.present", {
        palette, name: name.slice(0, 40), ...(color && !color.pending && { selection: color.id }),
      });
      if (palette === this.library.current) {
        this.#you = answer.you;
        this.library.present = answer.present;
        this.#showPresence();
      }
    } catch {
      // Presence is told again with the next selection.
    }
  }

  #showPresence() {
    /** @type {Map<string, {name: string, hue: number}[]>} */
    const others = new Map();
    for (const { who, name, selection } of this.library.present) {
      if (!selection || who === this.#you) continue;
      others.set(selection, [...(others.get(selection) ?? []), { name, hue: hueOf(name) }]);
    }
    this.grid.others = others;
    find("visitors").replaceChildren(...this.library.present.slice(0, 12).map(({ name }) => {
      const visitor = make("li", { class: "visitor", title: name }, make("span", { "aria-hidden": "true" }, initials(name)),
        make("span", { class: "unseen" }, name));
      visitor.style.setProperty("--hue", String(hueOf(name)));
      return visitor;
    }));
  }

  /** What to do where there is nothing yet. */
  #showWelcome() {
    const { library } = this;
    const welcome = find("welcome");
    const isEmpty = Boolean(library.palette) && library.colors.length === 0;
    const state = !this.#hasAccess ? "locked" : library.palettes.length === 0 ? "none" : isEmpty ? "empty" : "";
    welcome.hidden = state === "";
    this.grid.hidden = state !== "";
    if (welcome.dataset.state === state) return;
    welcome.dataset.state = state;
    const field = make("input", { id: "code", autocomplete: "off", spellcheck: false, placeholder: "join code or link" });
    const join = make("form", { class: "join" }, make("label", { for: "code" }, "Have a join code?"), field, make("button", {}, "Join"));
    join.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!(await this.join(field.value.trim()))) toast(this.#failure);
      this.#sayState();
    });
    const begin = make("div", { class: "row" },
      make("button", { class: "primary edits", onclick: () => this.#new() }, "New palette"),
      make("button", { class: "edits", onclick: () => find("files").click() }, "Import files"));
    if (state === "locked") {
      welcome.replaceChildren(make("h3", {}, "This library is locked"),
        make("p", {}, "Open the link that “hued serve” or “hued open” prints, or enter a join code."), join);
    } else if (state === "none") {
      welcome.replaceChildren(make("h3", {}, "Begin a palette"),
        make("p", {}, "Palettes live here, on your machines and with everyone you share them with. Drop palette files or an image anywhere on the page, or start from nothing."), begin, join);
    } else if (state === "empty") {
      welcome.replaceChildren(make("h3", {}, "An empty palette"),
        make("p", {}, "Make a color with the sliders and press Save. Or drop a palette file or an image on the page."));
    }
    this.#enable();
  }

  /** Palettes are made, renamed and dropped with the node alone: their names are checked against all others there, and
   * nothing in a palette's entry says what a late edit of it had seen. So these are refused while it is away. */
  #isReachable() {
    if (!this.connection.isOpen) toast("You are offline. Palettes can be made, renamed, dropped and restored when the connection is back.");
    return this.connection.isOpen;
  }

  async #new() {
    if (!this.#isReachable()) return;
    const name = await ask("New palette", "Name", "", "Create");
    if (!name) return;
    await this.#attempt(async () => {
      const { id } = await this.connection.call("new", { name, edit: uuid() });
      localStorage.setItem("palette", id);
      await this.library.open(id);
      this.#present();
    });
  }

  async #retitle() {
    const { palette } = this.library;
    if (!palette || !this.#isReachable()) return;
    const name = await ask("Rename palette", "Name", palette.name, "Rename");
    if (name && name !== palette.name) {
      await this.#attempt(() => this.connection.call("title", { palette: palette.id, name, edit: uuid() }));
    }
  }

  async #drop() {
    const { palette } = this.library;
    if (!palette || !this.#isReachable()) return;
    if (!(await confirmed("Drop palette", `“${palette.name}” and its ${this.library.colors.length} colors go for everyone. It can be restored.`, "Drop"))) return;
    await this.#attempt(async () => {
      await this.connection.call("drop", { palette: palette.id, edit: uuid() });
      toast(`${palette.name} dropped`, { label: "Restore", run: () => this.#attempt(() =>
        this.connection.call("restore", { palette: palette.id, edit: uuid() })) });
    });
  }

  /** @param {() => Promise<unknown>} work */
  async #attempt(work) {
    if (!this.#isReachable()) return;
    try {
      await work();
    } catch (error) {
      if (this.#isReachable()) toast(error.message);
    }
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
