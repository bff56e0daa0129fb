/** The colors that are selected, with the one from which a range extends. Event: "change". */
export class Selection extends EventTarget {
  /** @type {ReadonlySet<string>} */
  #ids = new Set();
  /** @type {string | null} */
  #anchor = null;

  get ids() {
    return this.#ids;
  }

  get size() {
    return this.#ids.size;
  }

  /** The one selected color; null when there are none or several. */
  get only() {
    if (this.#ids.size !== 1) return null;
    const [id] = this.#ids;
    return id;
  }

  /** @param {string} id */
  has(id) {
    return this.#ids.has(id);
  }

  /** @param {Iterable<string>} ids @param {string | null} anchor */
  set(ids, anchor = this.#anchor) {
    this.#ids = new Set(ids);
    this.#anchor = anchor;
    this.dispatchEvent(new Event("change"));
  }

  clear() {
    if (this.#ids.size > 0) this.set([], null);
  }

  /** @param {string} id */
  toggle(id) {
    const ids = new Set(this.#ids);
    if (!ids.delete(id)) ids.add(id);
    this.set(ids, id);
  }

  /** Selects from the anchor to a color, in the order of a list.
   * @param {string} id @param {readonly {id: string}[]} list @param {ReadonlyMap<string, number>} indexes */
  extend(id, list, indexes) {
    const from = this.#anchor === null ? undefined : indexes.get(this.#anchor);
    const to = indexes.get(id);
    if (from === undefined || to === undefined) return this.set([id], id);
    this.set(list.slice(Math.min(from, to), Math.max(from, to) + 1).map((color) => color.id));
  }

  /** Forgets what is gone.
   * @param {(id: string) => boolean} isThere @returns {string[]} what was selected and is gone */
  keep(isThere) {
    const gone = [...this.#ids].filter((id) => !isThere(id));
    if (gone.length > 0) this.set([...this.#ids].filter(isThere));
    return gone;
  }
}
