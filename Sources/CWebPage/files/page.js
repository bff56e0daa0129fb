// Joins the parts of the page: what is shown, what is selected, and what a gesture does.

import { announce, toast } from "./announce.js";
import { addCommands } from "./actions.js";
import { Beside } from "./beside.js";
import { Carry } from "./carry.js";
import { Commands } from "./commands.js";
import { Conflicts } from "./conflicts.js";
import { inGamut, parseColor } from "./color.js";
import { Connection, keepHalf } from "./connection.js";
import { ask, find, make } from "./dom.js";
import { Editor } from "./editor.js";
import { ColorGrid } from "./grid.js";
import { Library } from "./library.js";
import { ColorModel } from "./model.js";
import { PaletteList } from "./palettes.js";
import { takePastes } from "./pasting.js";
import { Presence } from "./presence.js";
import { icon } from "./icons.js";
import { openMenu } from "./menu.js";
import { EditQueue, isOfPalette, touched, uuid } from "./queue.js";
import { Rights } from "./rights.js";
import { describe } from "./status.js";
import { BrowserStore } from "./store.js";
import { deficiencies, simulate } from "./vision.js";
import { showWelcome } from "./welcome.js";

/** @typedef {import("./diff.js").Color} Color */

const paletteMenu = ["rename-palette", "import", "select-all", null, "dropped-palettes", "keys", null, "drop-palette"];
/** So many edits the node takes as one action. */
const mostEdits = 10_000;
const colorMenu = ["rename-color", "note", "copy", "duplicate", "new-from-selection", null, "move-back", "move-on", null, "delete"];

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
  #carry = new Carry(this, this.#queue);
  #conflicts = new Conflicts(this, (palette) => this.#queue.edits(palette));
  /** The palette that the page shows the rights of.
   * @type {string | null} */
  #entitled = null;
  #failure = "";
  /** Who took the access of this browser back, as a sentence. */
  #revocation = "";
  /** The palette that was in view last.
   * @type {import("./library.js").Palette | null} */
  #named = null;
  #search = "";
  /** The color whose value the editor took.
   * @type {Color | null} */
  #loaded = null;

  /** The palette as it was at another time, while that is looked at.
   * @type {Color[] | null} */
  #past = null;

  /** What was selected before another time was looked at.
   * @type {string[]} */
  #selectedNow = [];

  /** Whether the palette in view may be edited here: what was cannot be. */
  get canEdit() {
    return this.#past === null && this.rights.mayEdit(this.library.current);
  }

  /** Shows the palette as it was, and as it is where that is null.
   * @param {Color[] | null} colors */
  showPast(colors) {
    if (colors === this.#past) return;
    if (this.#past === null) this.#selectedNow = [...this.grid.selection.ids];
    this.#past = colors;
    document.body.classList.toggle("past", colors !== null);
    this.grid.canEdit = this.canEdit;
    this.#showColors({ reason: "edit", diff: null });
    // Of what was selected some may not have been there.
    const selected = this.#selectedNow.filter((id) => this.library.color(id));
    if (colors === null && selected.some((id) => !this.grid.selection.has(id))) this.grid.selection.set(selected);
  }

  /** The one selected color; null when there are none or several.
   * @returns {Color | null} */
  get selectedColor() {
    const { only } = this.grid.selection;
    return only === null ? null : this.library.color(only);
  }

  async start() {
    this.#bind();
    await this.#store.open();
    await this.#queue.load();
    await this.library.remember();
    const address = addressed();
    await this.library.open(address ?? localStorage.getItem("palette") ?? this.library.palettes[0]?.id ?? null);
    await this.join(location.hash.slice(1));
    this.connection.dial();
    this.#sayWhatIsKept();
  }

  /** Begins a session with a code, which travels in a header: in no address, no history and no log.
   * @param {string} code */
  async join(code) {
    if (!code) return;
    history.replaceState(history.state, "", location.pathname);
    const bare = code.includes("#") ? code.slice(code.indexOf("#") + 1) : code;
    const response = await fetch("/session", { headers: { authorization: `Bearer ${bare}` } }).catch(() => null);
    this.#failure = response?.ok ? "" : "That code is used up, has expired or is wrong.";
    if (response?.ok) {
      keepHalf((await response.json()).half);
      this.rights.hasAccess = true;
      this.#revocation = "";
      // The session of another code may be open still.
      this.connection.hangUp();
      this.connection.dial();
    } else toast(this.#failure);
    this.#sayState();
  }

  /** Brings a palette into view.
   * @param {string} id */
  async openPalette(id, isNew = true) {
    this.#editor.flush();
    if (isNew && addressed() !== id) history.pushState(null, "", `/palettes/${id}`);
    this.grid.selection.clear();
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

  /** Makes several edits as one action, as far as an action reaches.
   * @param {Record<string, any>[]} edits */
  act(edits) {
    for (let from = 0; from < edits.length; from += mostEdits) this.edit("act", { edits: edits.slice(from, from + mostEdits) });
  }

  /** Makes a palette of what is selected. */
  async makePaletteOf() {
    const colors = this.grid.colors.filter(({ id }) => this.grid.selection.has(id));
    const name = colors.length > 0 && (await ask("New palette", "Name", `${this.library.palette?.name ?? "Palette"} selection`, "Create"));
    if (name) await this.#carry.makePalette(colors, name);
  }

  /** Puts the current color first in the palette, and selects it. What it was made of stays as it was before. */
  async save() {
    await this.#needsPalette();
    const id = uuid();
    const name = this.model.hex;
    const last = this.#editor.takeLast();
    const addition = { id, value: this.#editor.value, name, at: 0 };
    if (last) {
      const back = { method: "set", color: last.id, value: last.was, seen: this.library.color(last.id)?.seen };
      this.edit("act", { edits: [back, { method: "add", ...addition }] });
    } else this.edit("add", addition);
    this.grid.scrollTop = 0;
    this.grid.selection.set([id], id);
    announce(`${name} saved`);
  }

  /** Takes back what is under way; else nothing is selected any more. */
  escape() {
    if (!this.#editor.cancel()) this.grid.selection.clear();
  }

  /** Puts colors first in the palette, in their order.
   * @param {{value: string, name: string}[]} colors */
  async addAll(colors) {
    if (colors.length === 0) return;
    await this.#needsPalette();
    this.edit("add", { value: "-", colors: colors.map((color) => ({ id: uuid(), ...color })), at: 0 });
  }

  /** Copies colors as hex, one a line.
   * @param {string[]} ids */
  copyColors(ids) {
    return this.copy(ids.flatMap((id) => {
      const color = this.library.color(id);
      if (!color) return [];
      // What sRGB does not have no hex says.
      return inGamut((parseColor(color.color) ?? { rgb: { r: 0, g: 0, b: 0 } }).rgb) ? color.hex : color.color;
    }).join("\n"));
  }

  /** @param {string} text */
  async copy(text, isSecret = false) {
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
    const lines = text.split("\n").length;
    // What is secret stays out of sight.
    toast(isSecret ? "Copied" : lines > 1 ? `Copied ${lines.toLocaleString("en")} lines` : `Copied ${text}`);
  }

  async #needsPalette() {
    if (!this.library.current) await this.palettes.create("My colors");
  }

  #bind() {
    const { library, grid, connection } = this;
    connection.addEventListener("open", () => this.#opened());
    connection.addEventListener("answering", () => this.#sayState());
    connection.addEventListener("closed", () => this.#closed());
    addEventListener("online", () => connection.dial());
    addEventListener("offline", () => connection.hangUp());
    library.addEventListener("palettes", () => this.#showPalettes());
    library.addEventListener("gone", (event) => this.#sayGone(/** @type {CustomEvent} */ (event).detail.id));
    library.addEventListener("colors", (event) => this.#showColors(/** @type {CustomEvent} */ (event).detail));
    this.#queue.addEventListener("change", () => {
      this.#sayState();
      this.commands.refresh();
    });
    this.#queue.addEventListener("unkept", () => {
      this.#store.fill();
      this.#sayWhatIsKept();
    });
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
      // The first edit gives whoever made it the id that their face is known by.
      if (isOfPalette(edit) || this.rights.node === null) this.#learnRights();
      if (edit.method !== "undo" && edit.method !== "redo") return;
      const reason = answer.skipped?.[0]?.reason;
      announce(answer.changed?.length ? `${edit.method} done` : reason ?? `nothing to ${edit.method}`);
      if (!answer.changed?.length) toast(reason ?? `Nothing to ${edit.method}`);
    });
    this.#bindGrid(grid);
    this.#bindTools();
    this.#bindDrops();
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
    grid.addEventListener("contextmenu", (event) => {
      if (!grid.contains(/** @type {Node} */ (event.target)) || event.defaultPrevented || grid.subjects.length === 0) return;
      event.preventDefault();
      openMenu(this.commands, colorMenu, { x: event.clientX, y: event.clientY });
    });
    on("color-rename", ({ id, name, seen }) => this.edit("rename", { color: id, name, seen }));
    on("color-conflict", ({ id }) => this.#conflicts.open(id));
    on("color-copy", ({ id }) => this.copyColors([id]));
    on("color-reorder", ({ ids, at }) => this.#move(ids, at));
    on("color-carry", ({ ids, to, isCopy }) => this.#carry.take(ids, to, isCopy));
  }

  #bindTools() {
    addCommands(this);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-icon]"))) {
      element.prepend(icon(element.dataset.icon ?? ""));
    }
    find("more").addEventListener("click", () => openMenu(this.commands, paletteMenu, find("more")));
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
      announce(`${this.grid.colors.length} colors`);
    });
    const vision = /** @type {HTMLSelectElement} */ (find("vision"));
    vision.append(...deficiencies.map(([value, text]) => make("option", { value }, text)));
    vision.addEventListener("change", () => (this.grid.seenAs = vision.value ? (hex) => simulate(hex, vision.value) : null));
  }

  #bindDrops() {
    const picker = /** @type {HTMLInputElement} */ (find("files"));
    picker.addEventListener("change", () => {
      this.#import([...(picker.files ?? [])]);
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
      this.#import([...event.dataTransfer.files]);
    });
  }

  /** @param {File[]} files */
  async #import(files) {
    const { importFiles } = await import("./files.js");
    await importFiles(this, files);
  }

  /** @param {KeyboardEvent} event */
  #shortcut(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest?.("dialog")) return;
    if (target.closest?.("input:not([type=range]), textarea, select")) return;
    this.commands.press(event, this.grid.contains(target));
  }

  async #opened() {
    this.rights.hasAccess = true;
    this.#failure = "";
    this.#sayState();
    await this.#learnRights();
  }

  async #learnRights() {
    try {
      this.#setRights(await this.connection.call("whoami"));
    } catch {
      this.#setRights(this.rights.told);
    }
    await this.#presence.introduce();
    this.#presence.tell();
  }

  async #closed() {
    this.#sayState();
    if (this.connection.failures > 2 && !this.rights.hasAccess) return;
    const isLive = this.connection.failures === 1;
    const refusal = await whyRefused();
    if (refusal) return this.#revoked(refusal.owner, isLive);
    if (this.connection.failures < 2) return;
    const health = await fetch("/healthz").catch(() => null);
    if (health?.ok && this.connection.failures >= 2 && !this.connection.isOpen) {
      this.rights.hasAccess = false;
      this.#setRights(this.rights.told);
      this.#showPalettes();
    }
    this.#sayState();
  }

  /** The right of this browser was taken back: nothing of what it kept stays.
   * @param {string} owner @param {boolean} isNow whether that was just now */
  async #revoked(owner, isNow) {
    if (this.#revocation) return this.#sayState();
    const name = this.library.palette?.name ?? this.#named?.name;
    const when = new Date().toLocaleString([], { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
    this.#revocation = `${owner} took your access${name ? ` to ${name}` : ""} back${isNow ? ` on ${when}` : ""}.`;
    this.rights.hasAccess = false;
    this.grid.selection.clear();
    for (const key of ["palette", "session"]) localStorage.removeItem(key);
    await this.#queue.clear();
    this.library.forget();
    await this.#store.clear().catch(() => {});
    this.#named = null;
    history.replaceState(null, "", "/");
    this.#setRights(null);
    this.#showPalettes();
    announce(this.#revocation);
  }

  /** @param {import("./rights.js").Told | null} told */
  #setRights(told) {
    this.rights.told = told;
    const { canEdit } = this;
    document.body.classList.toggle("viewer", !canEdit);
    this.grid.canEdit = canEdit;
    find("share").hidden = !this.rights.mayShare;
    this.commands.refresh();
    this.#sayState();
  }

  #sayState() {
    const { isOpen, isAnswering, failures } = this.connection;
    const { text, kind } = describe({
      isOpen, isAnswering, failures, hasAccess: this.rights.hasAccess, mayEdit: this.rights.mayEdit(this.library.current), waiting: this.#queue.waiting, failure: this.#failure,
    });
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
      this.#setRights(this.rights.told);
    }
    this.palettes.show();
    this.#nameAddress();
    find("title").textContent = library.palette?.name ?? "No palette";
    this.grid.setAttribute("aria-label", library.palette?.name ?? "Palette");
    const isEmpty = Boolean(library.palette) && library.colors.length === 0 && this.#past === null;
    const state = !this.rights.hasAccess ? "locked" : library.palettes.length === 0 ? "none" : isEmpty ? "empty" : "";
    this.grid.hidden = state !== "";
    document.body.dataset.state = state;
    showWelcome(this, state, this.#revocation);
    this.commands.refresh();
  }

  /** @param {string} id a palette that was in view, or that the address names */
  #sayGone(id) {
    if (id !== this.#named?.id) return toast("There is no such palette here. The list has those that there are.");
    const { name } = this.#named;
    toast(`${name} was deleted by somebody else`, this.canEdit ? { label: "Restore", run: () => {
      this.editPalette(id, "restore", {});
      this.openPalette(id);
    } } : undefined);
  }

  /** The address, the title and the icon are those of the palette in view. */
  #nameAddress() {
    const { palette, current, colors } = this.library;
    this.#named = palette ?? this.#named;
    const title = palette ? `${palette.name} · hued` : "hued";
    if (document.title !== title) document.title = title;
    if (palette && addressed() !== current) history.replaceState(null, "", `/palettes/${current}`);
    const stripes = colors.slice(0, 4).map(({ hex }, index, all) =>
      `<rect x="${(16 / all.length) * index}" width="${16 / all.length}" height="16" fill="${hex}"/>`).join("");
    const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
    const href = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><clipPath id="c"><rect width="16" height="16" rx="4"/></clipPath><g clip-path="url(#c)">${stripes}</g></svg>`)}`;
    if (link.href !== href) link.href = href;
  }

  /** @param {{reason: string, diff: import("./diff.js").Diff | null}} change */
  #showColors({ reason, diff }) {
    const { library, grid } = this;
    const search = this.#search;
    if (reason === "opened" && this.#past) return this.showPast(null);
    const all = this.#past ?? library.colors;
    const colors = search
      ? all.filter(({ name, hex, note }) => `${name}\n${hex}\n${note}`.toLowerCase().includes(search))
      : all;
    if (reason === "opened") grid.scrollTop = 0;
    const before = this.#loaded;
    const isOthers = reason === "diff" && diff !== null && (!diff.node || diff.node !== this.rights.node);
    grid.show(colors, reason === "diff" || reason === "own" || reason === "edit");
    const { length } = all;
    const count = length === 1 ? "1 color" : `${length.toLocaleString("en")} colors`;
    find("count").textContent = search ? `${colors.length.toLocaleString("en")} of ${count}` : count;
    find("nothing").hidden = !search || colors.length > 0;
    find("nothing").textContent = `No color here is called “${search}”, or has it in its value or note.`;
    if (diff && isOthers) this.#flash(diff, diff.visitor ?? diff.author);
    if (diff && isOthers && before && diff.deletions.some(({ id }) => id === before.id)) {
      toast(`${before.name} was deleted by ${diff.visitor ?? diff.author ?? "somebody else"}`,
        this.canEdit ? { label: "Restore", run: () => this.edit("restore", { color: before.id }) } : undefined);
    }
    this.#follow();
    this.commands.refresh();
    this.#editor.updateSelection();
    this.#showPalettes();
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

  #showSelected() {
    const { size } = this.grid.selection;
    find("selected").hidden = size === 0;
    find("selected-count").textContent = size === 1 ? "1 color" : `${size.toLocaleString("en")} colors`;
  }

  /** Takes back the last edit, after what is being made was made one. */
  undo() {
    this.#editor.flush();
    const { current } = this.library;
    if (!current) return;
    const taken = this.#queue.takeBack(current);
    for (const id of taken ? touched(taken) : []) this.#carry.came(current, id, true);
    if (!taken) this.edit("undo", {});
    if (!taken && !this.connection.isAnswering) toast("What was sent already is undone when the connection is back");
  }

  /** Makes the edit again that was taken back last. */
  redo() {
    const { current } = this.library;
    if (!current) return;
    const given = this.#queue.giveBack(current);
    for (const id of given ? touched(given) : []) this.#carry.came(current, id, false);
    if (!given) this.edit("redo", {});
  }

  /** Asks for a color's note.
   * @param {string} id */
  async note(id) {
    const color = this.library.color(id);
    if (!color) return;
    const text = await ask(`Note of ${color.name}`, "Note", color.note, "Save note");
    if (text !== null && text !== color.note) this.edit("note", { color: color.id, text, seen: color.seen });
  }

  /** @param {string[]} ids */
  delete(ids) {
    const seen = ids.map((id) => this.library.color(id)?.seen);
    this.edit("remove", { colors: ids, ...(seen.every(Boolean) && { seen }) });
    const what = ids.length === 1 ? this.library.color(ids[0])?.name ?? "The color" : `${ids.length.toLocaleString("en")} colors`;
    toast(`${what} deleted`, { label: "Undo", run: () => this.undo() });
  }

  /** @param {string[]} ids */
  duplicate(ids) {
    const edits = ids.flatMap((id) => this.library.color(id) ?? []).map((color) => ({
      method: "add", id: uuid(), value: color.color, name: color.name, ...(color.note && { note: color.note }), after: color.id,
    }));
    if (edits.length > 1) return this.edit("act", { edits });
    for (const { method, ...addition } of edits) this.edit(method, addition);
  }

  /** Moves what the keys are about: the color that has the focus, with the others where it is one of several.
   * @param {number} by */
  moveBy(by) {
    const { grid } = this;
    const moved = new Set(grid.subjects.length > 0 ? grid.subjects : [grid.focused ?? ""]);
    const ids = grid.colors.flatMap(({ id }) => (moved.has(id) ? id : []));
    const first = grid.colors.findIndex(({ id }) => moved.has(id));
    const at = Math.min(Math.max(first + by, 0), grid.colors.length - ids.length);
    if (ids.length > 0 && (at !== first || grid.colors.slice(first, first + ids.length).some(({ id }) => !moved.has(id)))) this.#move(ids, at);
  }

  /** @param {string[]} ids @param {number} at the place of the first among the others */
  #move(ids, at) {
    if (this.#search) return toast("Clear the search to move colors");
    const colors = ids.flatMap((id) => this.library.color(id) ?? []);
    const focused = this.grid.focused;
    if (ids.length === 1) this.edit("move", { color: ids[0], at, seen: colors[0]?.seen });
    else this.act([{ method: "move", colors: ids, at }]);
    requestAnimationFrame(() => this.grid.focusColor(ids.length > 1 && focused && ids.includes(focused) ? focused : ids[0]));
    const what = ids.length === 1 ? colors[0]?.name ?? "The color" : `${ids.length.toLocaleString("en")} colors`;
    announce(`${what} moved to place ${at + 1} of ${this.library.colors.length.toLocaleString("en")}`);
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

/** Why the node lets this browser in no more, if that is so.
 * @returns {Promise<{owner: string} | null>} */
async function whyRefused() {
  const response = await fetch("/session").catch(() => null);
  const isTold = response?.status === 401 && response.headers.get("content-type") === "application/json";
  return isTold ? response.json() : null;
}

/** The palette that the address names.
 * @returns {string | null} */
function addressed() {
  return /^\/palettes\/([0-9a-f-]{36})$/.exec(location.pathname)?.[1] ?? null;
}

new Page().start();
