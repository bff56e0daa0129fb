import { announce, toast } from "./announce.js";
import { nextName } from "./catalog.js";
import { arrange, find, make, swatch } from "./dom.js";
import { uuid } from "./queue.js";

/** @typedef {import("./library.js").Palette} Palette */

/** Room that an entry takes: by its height in a column, by its width in the row of a narrow page. */
const pitch = { column: 52, row: 156 };
/** What is left free beside the ends of a row. */
const margin = 12;
/** Fewer palettes are found at a glance. */
const leastSearched = 12;

/** The list of palettes. Only entries in view are in the document, and the node is asked for more palettes, and for
 * the strips of those in view, when somebody looks at them. */
export class PaletteList {
  #page;
  #scroller = find("palette-scroller");
  #list = find("palettes");
  #search = /** @type {HTMLInputElement} */ (find("palette-search"));
  #order = /** @type {HTMLSelectElement} */ (find("palette-order"));
  /** @type {Map<string, HTMLElement>} */
  #entries = new Map();
  /** What the search found; null while nobody searches.
   * @type {Palette[] | null} */
  #found = null;
  /** The palettes of the library when that was searched.
   * @type {Palette[] | null} */
  #searched = null;
  /** How often it was searched: the answer to an earlier search is dropped. */
  #searches = 0;
  #frame = 0;
  /** The palette that was brought into view last.
   * @type {string | null} */
  #revealed = null;

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
    this.#scroller.addEventListener("scroll", () => this.#schedule(), { passive: true });
    new ResizeObserver(() => {
      this.#revealed = null;
      this.#schedule();
    }).observe(this.#scroller);
    this.#search.addEventListener("input", () => this.#find());
    page.library.addEventListener("palettes", () => this.#findAgain());
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#order.value = page.library.order;
    this.#order.addEventListener("change", () => {
      this.#scroller.scrollTo(0, 0);
      page.library.sort(/** @type {import("./library.js").Order} */ (this.#order.value));
    });
  }

  /** Shows the palettes as they are now. */
  show() {
    const { library } = this.#page;
    this.#order.hidden = library.palettes.length < 2;
    this.#search.hidden = library.palettes.length < leastSearched && !library.hasMore && !this.#search.value;
    this.#schedule();
  }

  /** Makes a palette.
   * @param {string | null} [named] its name, if nobody is to be asked */
  async create(named) {
    const wanted = named ?? (await (await import("./dialogs.js")).ask("New palette", "Name", "", "Create"));
    if (!wanted) return;
    const name = this.free(wanted);
    const id = uuid();
    this.#page.edits.ofPalette(id, "new", { name });
    await this.#page.openPalette(id);
  }

  /** Makes a palette where there is none in view. */
  async need() {
    if (!this.#page.library.current) await this.create("My colors");
  }

  /** A name that no palette has yet.
   * @param {string} name */
  free(name) {
    const taken = new Set(this.#page.library.palettes.map((palette) => palette.name));
    while (taken.has(name)) name = nextName(name);
    return name;
  }

  /** Asks for another name of the palette in view. */
  async rename() {
    const { library } = this.#page;
    const { palette } = library;
    if (!palette) return;
    const saw = library.saw("title");
    const { ask } = await import("./dialogs.js");
    const name = await ask("Rename palette", "Name", palette.name, "Rename");
    if (name && name !== palette.name) {
      this.#page.edits.ofPalette(palette.id, "title", { name }, saw);
    }
  }

  /** Drops the palette in view, once somebody said yes. */
  async drop() {
    const { library } = this.#page;
    const { palette } = library;
    if (!palette) return;
    const count = library.colors.length;
    const colors = count === 1 ? "its 1 color goes" : `its ${count.toLocaleString("en")} colors go`;
    const saw = library.saw("drop");
    const { confirmed } = await import("./dialogs.js");
    if (!(await confirmed("Delete palette", `“${palette.name}” and ${colors} for everyone. It can be restored.`, "Delete"))) return;
    library.drop({ ...palette, count }, saw);
    toast(`${palette.name} deleted`, { label: "Restore", run: () => this.restore(palette.id) });
  }

  /** Brings a palette back that was dropped, and into view.
   * @param {string} id */
  restore(id) {
    this.#page.edits.ofPalette(id, "restore", {});
    this.#page.openPalette(id);
  }

  async #find() {
    try {
      if (!(await this.#take())) return;
      this.#scroller.scrollTo(0, 0);
      const found = this.#found;
      if (found) announce(found.length === 1 ? "1 palette" : `${found.length} palettes`);
    } catch (error) {
      toast(error.message);
    }
  }

  /** Searches again where there are other palettes, at most once a frame. */
  #findAgain() {
    const { library } = this.#page;
    if (!this.#search.value.trim() || this.#searched === library.palettes) return;
    this.#searched = library.palettes;
    requestAnimationFrame(() => {
      if (this.#searched === library.palettes) this.#take().catch(() => {});
    });
  }

  /** Takes what the search finds now.
   * @returns {Promise<boolean>} whether nobody searched meanwhile */
  async #take() {
    const { library } = this.#page;
    const text = this.#search.value.trim();
    const search = (this.#searches += 1);
    this.#searched = library.palettes;
    const found = text ? await library.search(text) : null;
    if (search !== this.#searches) return false;
    this.#found = found;
    this.#schedule();
    return true;
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  get #shown() {
    const { palettes } = this.#page.library;
    if (!this.#found) return palettes;
    const byID = new Map(palettes.map((palette) => [palette.id, palette]));
    return this.#found.map((palette) => byID.get(palette.id) ?? palette);
  }

  #draw() {
    const { library } = this.#page;
    const shown = this.#shown;
    const scroller = this.#scroller;
    const isRow = getComputedStyle(scroller).overflowX === "auto";
    const step = isRow ? pitch.row : pitch.column;
    const room = isRow ? scroller.clientWidth : scroller.clientHeight;
    this.#list.style.setProperty("--length", `${shown.length * step}px`);
    const current = library.current === this.#revealed ? -1 : shown.findIndex(({ id }) => id === library.current);
    if (current >= 0) {
      this.#revealed = library.current;
      const at = isRow ? scroller.scrollLeft : scroller.scrollTop;
      const to = Math.max((current + 1) * step + margin - room, Math.min(at, current * step));
      scroller.scrollTo(isRow ? { left: to } : { top: to });
    }
    const start = isRow ? scroller.scrollLeft : scroller.scrollTop;
    const first = Math.max(0, Math.floor(start / step) - 3);
    const last = Math.ceil((start + room) / step) + 3;
    const visible = shown.slice(first, last);
    const kept = new Set(visible.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!kept.has(id)) this.#entries.delete(id);
    const entries = visible.map(({ id }) => this.#entries.get(id) ?? this.#entry(id));
    arrange(this.#list, entries);
    visible.forEach((palette, index) => {
      const entry = entries[index];
      const place = first + index;
      entry.ariaSetSize = String(library.hasMore && !this.#found ? -1 : shown.length);
      entry.ariaPosInSet = String(place + 1);
      entry.style.transform = isRow ? `translateX(${place * step}px)` : `translateY(${place * step}px)`;
      this.#fill(entry, palette);
    });
    library.strips.fetch(visible);
    if (!this.#found && last + 20 > shown.length) library.more();
  }

  /** @param {HTMLElement} entry @param {Palette} palette */
  #fill(entry, { id, name, count }) {
    const { library } = this.#page;
    const button = /** @type {HTMLElement} */ (entry.firstElementChild);
    const [label, number, strip] = /** @type {HTMLElement[]} */ ([...button.children]);
    const isCurrent = id === library.current;
    const text = (isCurrent ? library.colors.length : count).toLocaleString("en");
    if (label.textContent !== name) label.textContent = label.title = name;
    if (number.textContent !== text) number.textContent = text;
    const colors = library.strips.of(id);
    if (strip.dataset.colors !== colors.join()) {
      strip.dataset.colors = colors.join();
      strip.replaceChildren(...colors.map((hex) => swatch(hex, "stripe")));
    }
    button.ariaCurrent = isCurrent ? "true" : null;
    button.dataset.palette = id;
  }

  /** @param {string} id */
  #entry(id) {
    const button = make("button", { class: "palette", onclick: () => this.#page.openPalette(id) },
      make("span", { class: "name" }), make("span", { class: "hint" }), make("span", { class: "strip", "aria-hidden": "true" }));
    const entry = make("li", {}, button);
    this.#entries.set(id, entry);
    return entry;
  }

  /** Arrow keys go along the list, beyond what is in the document too.
   * @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const entry = /** @type {Element} */ (event.target).closest("li");
    const by = ["ArrowDown", "ArrowRight"].includes(event.key) ? "nextElementSibling"
      : ["ArrowUp", "ArrowLeft"].includes(event.key) ? "previousElementSibling" : null;
    const next = by && entry?.[by]?.firstElementChild;
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  }
}
