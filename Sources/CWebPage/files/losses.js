import { toast } from "./announce.js";

/** @typedef {import("./diff.js").Color} Color */

/** So many colors are offered back one by one; more are found in the history. */
const mostRestored = 100;

/** What others delete from under somebody's hands: it says who did, and offers it back. */
export class Losses {
  #page;
  /** The palette that was in view last, which the list knows no more when it is gone.
   * @type {import("./library.js").Palette | null} */
  #last = null;

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
    const { library } = page;
    for (const type of ["palettes", "colors"]) library.addEventListener(type, () => (this.#last = library.palette ?? this.#last));
    library.addEventListener("gone", (event) => this.#sayPalette(/** @type {CustomEvent} */ (event).detail.id));
  }

  /** @param {string} id a palette that was in view, or that the address names */
  async #sayPalette(id) {
    const { library, palettes, rights } = this.#page;
    const last = id === this.#last?.id ? this.#last : null;
    const [drop] = await Promise.all([library.dropOf(id), library.findDropped().catch(() => {})]);
    const palette = library.dropped.find((one) => one.id === id) ?? last;
    if (!palette) return toast("There is no such palette here. The list has those that there are.");
    if (!drop) return toast(`${palette.name} is not here any more`);
    library.rememberDropped(palette);
    toast(`${palette.name} was deleted by ${this.#who(drop)}`, rights.mayEdit(id) ? { label: "Restore", run: () => palettes.restore(id) } : undefined);
  }

  /** Colors that were selected are gone.
   * @param {readonly Color[]} colors @param {import("./diff.js").Diff} diff */
  sayColors(colors, diff) {
    const { edits, beside, canEdit } = this.#page;
    if (colors.length === 0) return;
    const what = colors.length === 1 ? `${colors[0].name} was` : `${colors.length.toLocaleString("en")} selected colors were`;
    const back = colors.length <= mostRestored
      ? { label: "Restore", run: () => colors.forEach(({ id }) => edits.make("restore", { color: id })) }
      : { label: "History", run: () => beside.open("history") };
    toast(`${what} deleted by ${this.#who(diff)}`, canEdit ? back : undefined);
  }

  /** @param {{node?: string, author?: string | null, visitor?: string}} author */
  #who({ node, author, visitor }) {
    return node && node === this.#page.rights.node ? "you, in another window" : visitor ?? author ?? "somebody else";
  }
}
