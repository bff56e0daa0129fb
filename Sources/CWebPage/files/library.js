import { applyDiff } from "./diff.js";
import { project, touched } from "./queue.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./diff.js").Diff} Diff */
/** @typedef {{id: string, name: string, count: number, digest: string}} Palette */
/** @typedef {{who: string, name: string, author: string | null, selection: string | null}} Visitor */

/** The palettes as the node tells them, with the edits that it has not got yet on top. Events: "palettes",
 * "colors" (detail: what changed, by whom), "presence". */
export class Library extends EventTarget {
  /** @type {Palette[]} */
  palettes = [];
  /** The colors of the palette in view, as shown.
   * @type {Color[]} */
  colors = [];
  /** @type {Visitor[]} */
  present = [];
  /** @type {string | null} */
  current = null;
  /** The first colors of each palette, for its strip.
   * @type {Map<string, string[]>} */
  strips = new Map();
  /** @type {Color[]} */
  #told = [];
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
    connection.addEventListener("open", () => this.#begin());
    connection.addEventListener("message", (event) => this.#hear(/** @type {CustomEvent} */ (event).detail));
    queue.addEventListener("change", () => this.#show());
    queue.addEventListener("answered", (event) => {
      const { palette } = /** @type {CustomEvent} */ (event).detail.edit;
      // The diff comes right before or after the answer; what it does not change can be settled by time alone.
      setTimeout(() => queue.settle(palette), 400);
    });
  }

  get palette() {
    return this.palettes.find(({ id }) => id === this.current) ?? null;
  }

  /** Shows what was kept from the last visit until the node tells more. */
  async remember() {
    this.palettes = (await this.#store.kept("palettes")) ?? [];
    for (const { id } of this.palettes) {
      const colors = await this.#store.kept(id);
      if (colors) this.#strip(id, colors);
    }
    this.#tell("palettes");
  }

  /** @param {string | null} id */
  async open(id) {
    const before = this.current;
    this.current = id;
    if (before && before !== id) this.#connection.call("palette.unwatch", { palette: before }).catch(() => {});
    this.present = [];
    this.#told = (id && (await this.#store.kept(id))) || [];
    if (this.current !== id) return;
    this.#show("opened");
    this.#tell("presence");
    if (id && this.#connection.isOpen) await this.#watch(id);
  }

  /** @param {string} id */
  async #watch(id) {
    try {
      const { colors } = await this.#connection.call("palette.watch", { palette: id });
      if (this.current !== id) return;
      this.#queue.settle(id);
      this.#take(colors, "snapshot", null);
    } catch {
      // The list of palettes says it when this one is gone.
    }
  }

  async #begin() {
    try {
      const { palettes } = await this.#connection.call("library.watch");
      this.#listPalettes(palettes);
      if (this.current) await this.#watch(this.current);
      this.#queue.flush();
    } catch {
      // Closed again; the next "open" begins anew.
    }
  }

  /** @param {Palette[]} palettes */
  #listPalettes(palettes) {
    this.palettes = palettes;
    this.#store.keep("palettes", palettes);
    this.#tell("palettes");
    if (!palettes.some(({ id }) => id === this.current)) this.open(palettes[0]?.id ?? null);
    this.#fetchStrips();
  }

  async #fetchStrips() {
    for (const { id, count } of this.palettes.slice(0, 60)) {
      if (this.strips.has(id) || count > 2000) continue;
      try {
        const { colors } = await this.#connection.call("list", { palette: id });
        this.#strip(id, colors);
        this.#store.keep(id, colors);
        this.#tell("palettes");
      } catch {
        return;
      }
    }
  }

  /** @param {string} id @param {Color[]} colors */
  #strip(id, colors) {
    this.strips.set(id, colors.slice(0, 12).map(({ hex }) => hex));
  }

  /** @param {{method: string, params: any}} message */
  #hear({ method, params }) {
    if (method === "library.palettes") {
      const known = new Map(this.palettes.map((palette) => [palette.id, palette.digest]));
      for (const { id, digest } of params.palettes ?? []) {
        if (known.get(id) !== digest && id !== this.current) this.strips.delete(id);
      }
      if (params.palettes) this.#listPalettes(params.palettes);
      else this.#listPalettes(changed(this.palettes, params));
    } else if (method === "palette.title") {
      this.palettes = this.palettes.map((palette) =>
        palette.id === params.palette.id ? { ...palette, name: params.palette.name } : palette);
      this.#tell("palettes");
    } else if (method === "palette.presence" && params.palette === this.current) {
      this.present = params.present;
      this.#tell("presence");
    } else if (method === "palette.diff" && params.palette === this.current) {
      const isOwn = isOf(params, this.#queue.edits(params.palette));
      this.#queue.settle(params.palette);
      this.#take(applyDiff(this.#told, params), isOwn ? "own" : "diff", params);
    }
  }

  /** @param {Color[]} colors @param {string} reason @param {Diff | null} diff */
  #take(colors, reason, diff) {
    this.#told = colors;
    this.#show(reason, diff);
    const id = this.current;
    clearTimeout(this.#keeping);
    if (id) this.#keeping = setTimeout(() => this.#store.keep(id, colors), 500);
  }

  /** @param {string} reason @param {Diff | null} diff */
  #show(reason = "edit", diff = null) {
    this.colors = this.current ? project(this.#told, this.#queue.edits(this.current)) : [];
    if (this.current) this.#strip(this.current, this.colors);
    this.dispatchEvent(new CustomEvent("colors", { detail: { reason, diff } }));
  }

  /** @param {string} name */
  #tell(name) {
    this.dispatchEvent(new Event(name));
  }
}

/** Whether a diff holds nothing but what edits of this page do.
 * @param {Diff} diff
 * @param {import("./queue.js").Edit[]} edits */
export function isOf(diff, edits) {
  if (edits.some(({ method }) => ["undo", "redo", "restore"].includes(method))) return true;
  const own = new Set(edits.flatMap(touched));
  return [...diff.deletions, ...diff.moves].every(({ id }) => own.has(id)) &&
    [...diff.insertions, ...diff.updates].every(({ color }) => own.has(color.id));
}

/** The palettes after a difference of the library.
 * @param {Palette[]} palettes @param {{added: Palette[], changed: Palette[], removed: string[]}} difference */
export function changed(palettes, difference) {
  const gone = new Set(difference.removed);
  const byID = new Map(palettes.filter(({ id }) => !gone.has(id)).map((palette) => [palette.id, palette]));
  for (const palette of [...difference.added, ...difference.changed]) byID.set(palette.id, palette);
  return [...byID.values()].sort((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : left.id < right.id ? -1 : 1);
}
