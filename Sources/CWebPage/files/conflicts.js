import { toast } from "./announce.js";
import { touched } from "./projection.js";

/** @typedef {import("./diff.js").Color} Color */

/** Looks for colors with values that were written at the same time. What shows them is fetched when there are some. */
export class Conflicts {
  #page;
  #editsOf;
  /** What was edited here while the node was away, until it is known what came of that.
   * @type {Set<string>} */
  #away = new Set();
  /** @type {Promise<import("./parts.js").Parts> | null} */
  #parts = null;

  /** @param {import("./page.js").Page} page
   * @param {(palette: string) => import("./queue.js").Edit[]} editsOf the edits that the node has not told of yet */
  constructor(page, editsOf) {
    this.#page = page;
    this.#editsOf = editsOf;
    page.connection.addEventListener("open", () => {
      for (const edit of editsOf(page.library.current ?? "")) for (const id of touched(edit)) this.#away.add(id);
    });
    page.library.addEventListener("colors", () => this.#look());
  }

  #look() {
    const { library, connection } = this.#page;
    const disputed = library.colors.filter(({ conflicts }) => conflicts.length > 0);
    if (disputed.length > 0) this.#fetch();
    this.#parts?.then((parts) => parts.show(disputed), () => {});
    if (this.#away.size === 0 || !connection.isOpen || this.#editsOf(library.current ?? "").length > 0) return;
    const both = disputed.filter(({ id }) => this.#away.has(id));
    this.#away.clear();
    if (both.length > 0) this.#parts?.then((parts) => parts.sayAway(both.map(({ id }) => id)), () => {});
  }

  #fetch() {
    this.#parts ??= import("./parts.js").then(({ Parts }) => new Parts(this.#page));
    this.#parts.catch(() => (this.#parts = null));
  }

  /** Goes to the values of a color.
   * @param {string} id */
  async open(id) {
    this.#fetch();
    const isThere = await this.#parts?.then((parts) => parts.focus(id), () => false);
    if (!isThere) toast("The values are shown when the connection is back");
  }
}
