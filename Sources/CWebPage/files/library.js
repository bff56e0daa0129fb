import { keyOf } from "./address.js";
import { byEdit, byName, changed, projectPalettes } from "./catalog.js";
import { applyDiff, fingerprint } from "./diff.js";
import { isOf, isOfPalette, project } from "./projection.js";
import { Strips } from "./strips.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./diff.js").Diff} Diff */
/** A palette; when it was edited last is told where that is their order.
 * @typedef {{id: string, name: string, count: number, digest: string, edited?: string}} Palette */
/** @typedef {"name" | "edited"} Order */
/** @typedef {{who: string, name: string, author: string | null, node: string | null, member: string | null, selection: string | null}} Visitor */

const pageSize = 500;
/** How many palettes are kept for a visit without the node. */
const mostKept = 100;

const orderKey = keyOf("order");

/** The palettes as the node reports them, and on top the edits that it does not have yet. Of a long list it knows the
 * part that was looked at. Events: "palettes", "colors" (detail: what changed, by whom), "presence". */
export class Library extends EventTarget {
  /** The palettes, as shown, in their order.
   * @type {Palette[]} */
  palettes = [];
  /** The same by their ids.
   * @type {Map<string, Palette>} */
  #named = new Map();
  /** @type {Order} */
  #order = localStorage.getItem(orderKey) === "edited" ? "edited" : "name";
  /** The colors of the palette in view, as shown.
   * @type {Color[]} */
  colors = [];
  /** @type {Visitor[]} */
  present = [];
  /** @type {string | null} */
  current = null;
  /** The colors that stand for each palette in the list. */
  strips;
  /** Palettes that were dropped and can be brought back.
   * @type {Palette[]} */
  dropped = [];
  /** The same by their ids, once somebody asked.
   * @type {Map<string, Color> | null} */
  #byID = null;
  /** What of its own edits the node says that this page can undo and redo in the palette in view. */
  #undoable = { canUndo: false, canRedo: false };
  /** @type {Color[]} */
  #told = [];
  /** @type {Palette[]} */
  #toldPalettes = [];
  /** What is known of the palette in view, which may stand beyond the beginning of the list.
   * @type {Palette | null} */
  #inView = null;
  /** Whether the node has palettes behind those that it told. */
  #hasMore = false;
  #isLoading = false;
  #isListed = false;
  /** Whether the node has told the colors of the palette in view. */
  #isLoaded = false;
  /** Whether edits are settled because the node told what came of them. */
  #isTaking = false;
  #connection;
  #queue;
  #store;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #keeping;

  /** @param {import("./connection.js").Connection} connection @param {import("./queue.js").EditQueue} queue
   * @param {import("./store.js").BrowserStore} store */
  constructor(connection, queue, store) {
    super();
    this.#connection = connection;
    this.#queue = queue;
    this.#store = store;
    this.strips = new Strips(connection, (id, colors) => {
      if (this.#toldPalettes.length <= mostKept) store.keep(id, colors);
    });
    this.strips.addEventListener("change", () => this.#tell("palettes"));
    connection.addEventListener("open", () => this.#begin());
    connection.addEventListener("message", (event) => this.#hear(/** @type {CustomEvent} */ (event).detail));
    queue.addEventListener("change", () => {
      // What the node told takes the place of what was expected, in one step.
      if (this.#isTaking) return;
      this.#project();
      this.#show();
    });
    queue.addEventListener("answered", (event) => {
      const { edit, answer } = /** @type {CustomEvent} */ (event).detail;
      const { palette, method } = edit;
      if (isOfPalette(edit)) {
        const added = method === "drop" || !answer.id ? [] : [answer];
        this.#toldPalettes = changed(this.#toldPalettes, { added, changed: [], removed: [palette] }, this.#inOrder);
      }
      if (palette === this.current && !isOfPalette(edit)) {
        const isBack = method === "undo" || method === "redo";
        this.#undoable = isBack && answer.changed ? answer : { canUndo: true, canRedo: false };
      }
      if (palette === this.current && ["new", "restore"].includes(method)) this.#watch(palette);
      // The diff comes next to the answer, and so before the answer to what is asked now.
      connection.call("whoami").then(() => queue.settle(palette), () => {});
    });
  }

  /** The palette in view.
   * @returns {Palette | null} */
  get palette() {
    return this.named(this.current ?? "") ?? (this.#inView?.id === this.current ? this.#inView : null);
  }

  /** A palette of those that are listed.
   * @param {string} id @returns {Palette | null} */
  named(id) {
    return this.#named.get(id) ?? null;
  }

  /** A color of the palette in view.
   * @param {string} id @returns {Color | null} */
  color(id) {
    this.#byID ??= new Map(this.colors.map((color) => [color.id, color]));
    return this.#byID.get(id) ?? null;
  }

  get hasMore() {
    return this.#hasMore;
  }

  /** Whether the node has told which palettes there are. */
  get isListed() {
    return this.#isListed;
  }

  /** Whether the palette in view has no color, as far as is known: they may be on their way. */
  get isEmpty() {
    return this.palette !== null && this.colors.length === 0 && (this.#isLoaded || this.palette.count === 0);
  }

  /** The order of the palettes: by name, or those first that were edited last. */
  get order() {
    return this.#order;
  }

  get #inOrder() {
    return this.#order === "edited" ? byEdit : byName;
  }

  /** Shows the palettes in another order, which this browser remembers.
   * @param {Order} order */
  async sort(order) {
    this.#order = order;
    localStorage.setItem(orderKey, order);
    this.#toldPalettes = [...this.#toldPalettes].sort(this.#inOrder);
    this.#project();
    if (this.#connection.isOpen) await this.#list().catch(() => {});
  }

  /** Whether an edit of the palette in view can be taken back: one that waits, or one that the node has. */
  get canUndo() {
    const waiting = this.current ? this.#queue.edits(this.current).filter(({ state }) => state !== "answered") : [];
    return this.#undoable.canUndo || waiting.some((edit) => edit.method !== "undo" && !isOfPalette(edit));
  }

  /** Knows again what can be undone after an edit that did not go through the queue.
   * @param {{ canUndo: boolean, canRedo: boolean }} answer */
  wasEdited({ canUndo, canRedo }) {
    this.#undoable = { canUndo, canRedo };
    this.#show();
  }

  /** Knows what can be undone after an edit of another window of this browser; whoever tells of it shows that. */
  wasEditedElsewhere() {
    this.#undoable = { canUndo: true, canRedo: false };
  }

  get canRedo() {
    return this.#undoable.canRedo || (this.current !== null && this.#queue.hasTaken(this.current));
  }

  /** Shows what was kept from the last visit until the node tells more. */
  async remember() {
    this.#toldPalettes = (await this.#store.kept("palettes")) ?? [];
    this.dropped = (await this.#store.kept("dropped")) ?? [];
    for (const { id } of this.#toldPalettes) {
      const colors = await this.#store.kept(id);
      if (colors) this.strips.know(id, colors);
    }
    this.#project();
  }

  /** @param {string | null} id */
  async open(id) {
    const before = this.current;
    this.current = id;
    if (before && before !== id) this.#connection.call("palette.unwatch", { palette: before }).catch(() => {});
    this.present = [];
    this.#isLoaded = false;
    this.#undoable = { canUndo: false, canRedo: false };
    this.#told = [];
    const kept = id ? await this.#store.kept(id) : null;
    if (this.current !== id) return;
    // What the node told meanwhile is newer.
    if (!this.#isLoaded) this.#told = kept ?? [];
    this.#show("opened");
    this.#tell("presence");
    if (id && this.#connection.isOpen && !this.#isLoaded) await this.#watch(id);
  }

  /** Lists the next palettes, if there are some. */
  async more() {
    if (!this.#hasMore || this.#isLoading || !this.#connection.isOpen) return;
    this.#isLoading = true;
    try {
      const after = this.#toldPalettes.at(-1)?.id;
      const { palettes, more } = await this.#connection.call("library.watch", { limit: pageSize, after, order: this.#order });
      this.#hasMore = more === true;
      this.#toldPalettes = changed(this.#toldPalettes, { added: palettes, changed: [], removed: [] }, this.#inOrder);
      this.#project();
    } catch {
      // The next look at the end asks again.
    }
    this.#isLoading = false;
  }

  /** The palettes whose names contain a text: of those that are known, or of all that the node has.
   * @param {string} text @returns {Promise<Palette[]>} */
  async search(text) {
    if (this.#hasMore && this.#connection.isOpen) {
      const { palettes } = await this.#connection.call("palettes", { match: text });
      return palettes;
    }
    const wanted = text.toLowerCase();
    return this.palettes.filter(({ name }) => name.toLowerCase().includes(wanted));
  }

  /** Asks which palettes were dropped. */
  async findDropped() {
    const { palettes } = await this.#connection.call("palettes", { dropped: true });
    this.dropped = palettes;
    this.#store.keep("dropped", palettes);
  }

  /** The action by which a palette was dropped; null where that is not known here.
   * @param {string} id @returns {Promise<import("./moments.js").Action | null>} */
  async dropOf(id) {
    const answer = await this.#connection.call("history", { palette: id, actions: true, limit: 1 }).catch(() => null);
    const newest = answer?.actions[0];
    return newest?.kind === "drop" ? newest : null;
  }

  /** What there is now of what an edit saw.
   * @param {import("./queue.js").Edit} edit */
  async look({ palette, method }) {
    const answer = await this.#connection.call("list", { palette });
    return method === "title" ? answer.palette.name : fingerprint(answer.colors);
  }

  /** What somebody sees who is about to rename or drop the palette in view.
   * @param {string} method */
  saw(method) {
    const isTold = this.#toldPalettes.some(({ id }) => id === this.current);
    if (!isTold) return undefined;
    return method === "title" ? this.palette?.name : fingerprint(this.#told);
  }

  /** Drops a palette, and shows the one that stood beside it.
   * @param {Palette} palette @param {string} [saw] */
  drop(palette, saw) {
    this.rememberDropped(palette);
    this.#queue.add(palette.id, "drop", {}, saw);
  }

  /** Remembers a palette that was dropped: what is known of it is shown at once when it is brought back.
   * @param {Palette} palette */
  rememberDropped(palette) {
    this.dropped = [palette, ...this.dropped.filter(({ id }) => id !== palette.id)];
    this.#store.keep("dropped", this.dropped);
  }

  /** Forgets all that it knows: it may not be known here any more. */
  forget() {
    this.#toldPalettes = this.#told = this.palettes = this.colors = this.dropped = this.present = [];
    this.#named.clear();
    this.#inView = this.current = null;
    this.strips.clear();
    this.#hasMore = false;
    clearTimeout(this.#keeping);
    this.#show();
    this.#tell("palettes");
    this.#tell("presence");
  }

  /** @param {string} id */
  async #watch(id) {
    try {
      const { palette, colors, canUndo, canRedo } = await this.#connection.call("palette.watch", { palette: id });
      if (this.current !== id) return;
      this.#undoable = { canUndo, canRedo };
      this.#inView = palette;
      this.#take(colors, "snapshot", null);
    } catch (error) {
      const isAwaited = this.#queue.editsOfPalettes.some(({ palette }) => palette === id);
      if (error.code === "not-found" && this.current === id && !isAwaited) this.#leave();
    }
  }

  async #begin() {
    try {
      await this.#list();
      if (this.current) await this.#watch(this.current);
      this.#queue.flush();
    } catch {
      // Closed again; the next "open" begins anew.
    }
  }

  async #list() {
    const order = this.#order;
    const { palettes, more } = await this.#connection.call("library.watch", { limit: pageSize, order });
    this.#isListed = true;
    if (order !== this.#order) return;
    this.#hasMore = more === true;
    this.#listPalettes(palettes);
  }

  /** @param {Palette[]} palettes */
  #listPalettes(palettes) {
    this.#toldPalettes = palettes;
    this.#store.keep("palettes", palettes.slice(0, pageSize));
    this.#project();
  }

  #project() {
    this.palettes = projectPalettes(this.#toldPalettes, this.#queue.editsOfPalettes, this.dropped, this.#inOrder);
    this.#named = new Map(this.palettes.map((palette) => [palette.id, palette]));
    this.#tell("palettes");
    if (this.current !== null && this.#named.has(this.current)) return;
    if (this.current === null ? this.#connection.isOpen : !this.#hasMore) this.#leave();
  }

  /** Shows the first palette in place of one that is gone, and tells which one that was. */
  #leave() {
    const next = this.palettes[0]?.id ?? null;
    const gone = this.current;
    const isOwn = this.#queue.editsOfPalettes.some(({ palette, method }) => palette === gone && method === "drop");
    if (gone && gone !== next && !isOwn) this.dispatchEvent(new CustomEvent("gone", { detail: { id: gone } }));
    if (next !== this.current) this.open(next);
  }

  /** @param {{method: string, params: any}} message */
  #hear({ method, params }) {
    if (method === "library.palettes") {
      const known = new Map(this.#toldPalettes.map((palette) => [palette.id, palette.digest]));
      for (const { id, digest } of [...params.added, ...params.changed]) {
        if (known.get(id) !== digest && id !== this.current) this.strips.outdate(id);
      }
      const last = this.#toldPalettes.at(-1);
      // What stands beyond the part that is known comes with that part.
      const isNear = (/** @type {Palette} */ palette) => !this.#hasMore || !last || this.#inOrder(palette, last) <= 0;
      this.#listPalettes(changed(this.#toldPalettes, {
        added: params.added.filter(isNear), changed: params.changed.filter(isNear),
        removed: [...params.removed, ...params.changed.map((/** @type {Palette} */ { id }) => id)],
      }, this.#inOrder));
      for (const { palette } of this.#queue.editsOfPalettes) this.#queue.settle(palette);
      if (params.removed.includes(this.current)) this.#leave();
    } else if (method === "palette.title") {
      if (params.palette.id === this.#inView?.id) this.#inView = params.palette;
      this.#tell("palettes");
    } else if (method === "palette.presence" && params.palette === this.current) {
      this.present = params.present;
      this.#tell("presence");
    } else if (method === "palette.diff" && params.palette === this.current) {
      const isOwn = isOf(params, this.#queue.edits(params.palette));
      this.#take(applyDiff(this.#told, params), isOwn ? "own" : "diff", params);
    }
  }

  /** @param {Color[]} colors @param {string} reason @param {Diff | null} diff */
  #take(colors, reason, diff) {
    const id = this.current;
    this.#told = colors;
    this.#isLoaded = true;
    this.#isTaking = true;
    if (id) this.#queue.settle(id);
    this.#isTaking = false;
    this.#show(reason, diff);
    clearTimeout(this.#keeping);
    if (id) this.#keeping = setTimeout(() => this.#store.keep(id, colors), 500);
  }

  /** @param {string} reason @param {Diff | null} diff */
  #show(reason = "edit", diff = null) {
    this.#byID = null;
    this.colors = this.current ? project(this.#told, this.#queue.edits(this.current)) : [];
    if (this.current && (this.#isLoaded || this.colors.length > 0)) this.strips.know(this.current, this.colors);
    this.dispatchEvent(new CustomEvent("colors", { detail: { reason, diff } }));
  }

  /** @param {string} name */
  #tell(name) {
    this.dispatchEvent(new Event(name));
  }
}
