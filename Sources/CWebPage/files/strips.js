/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./library.js").Palette} Palette */

/** How many colors stand for a palette. */
const length = 12;
/** Of a palette with more colors than this only those are fetched that stand for it. */
const longest = 2000;
/** How many palettes are remembered. */
const most = 1000;

/** The colors that stand for palettes in the list. Event: "change", when some were told. */
export class Strips extends EventTarget {
  /** @type {Map<string, string[]>} */
  #hexes = new Map();
  /** Palettes that were edited since.
   * @type {Set<string>} */
  #stale = new Set();
  #connection;
  #keep;

  /** @param {{isOpen: boolean, call(method: string, parameters: Record<string, unknown>): Promise<any>}} connection
   * @param {(id: string, colors: Color[]) => void} keep keeps the list of a palette that was fetched */
  constructor(connection, keep) {
    super();
    this.#connection = connection;
    this.#keep = keep;
  }

  /** What stands for a palette, as hex.
   * @param {string} id @returns {readonly string[]} */
  of(id) {
    return this.#hexes.get(id) ?? [];
  }

  /** The list of a palette is known.
   * @param {string} id @param {readonly Color[]} colors */
  know(id, colors) {
    this.#put(id, standing(colors));
  }

  /** A palette was edited, so that its strip is to be fetched again.
   * @param {string} id */
  outdate(id) {
    this.#stale.add(id);
  }

  clear() {
    this.#hexes.clear();
    this.#stale.clear();
  }

  /** Fetches what is not known of palettes that are in view.
   * @param {readonly Palette[]} palettes */
  async fetch(palettes) {
    for (const { id, count } of palettes) {
      if ((this.#hexes.has(id) && !this.#stale.has(id)) || !this.#connection.isOpen) continue;
      this.#stale.delete(id);
      // Nobody asks twice at the same time.
      if (!this.#hexes.has(id)) this.#put(id, []);
      const isLong = count > longest;
      try {
        const { colors } = await this.#connection.call("list", { palette: id, ...(isLong && { sample: length }) });
        this.know(id, colors);
        if (!isLong) this.#keep(id, colors);
        this.dispatchEvent(new Event("change"));
      } catch (error) {
        this.#stale.add(id);
        if (error.code === undefined) return;
      }
    }
  }

  /** @param {string} id @param {string[]} hexes */
  #put(id, hexes) {
    this.#hexes.delete(id);
    this.#hexes.set(id, hexes);
    const [oldest] = this.#hexes.keys();
    if (this.#hexes.size > most) this.#hexes.delete(oldest);
  }
}

/** The colors that stand for a list: the first ones; of a long list those with the lowest ids, which stand anywhere in
 * it, as the node takes a sample.
 * @param {readonly Color[]} colors @returns {string[]} */
function standing(colors) {
  if (colors.length <= longest) return colors.slice(0, length).map(({ hex }) => hex);
  /** @type {string[]} */
  const lowest = [];
  for (const { id } of colors) {
    if (lowest.length === length && id > lowest[length - 1]) continue;
    lowest.push(id);
    lowest.sort();
    lowest.length = Math.min(lowest.length, length);
  }
  const chosen = new Set(lowest);
  return colors.filter(({ id }) => chosen.has(id)).map(({ hex }) => hex);
}
