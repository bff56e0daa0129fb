import { announce, toast } from "./announce.js";
import { ask } from "./dialogs.js";
import { uuid } from "./queue.js";

/** @typedef {import("./diff.js").Color} Color */
/** Colors that went from one palette to another, with the ids that they have there.
 * @typedef {{from: string, sources: Set<string>, to: string, ids: string[], isUndone: boolean}} Carried */

/** Takes colors to other palettes: dropped there they are moved, with Alt they are copied. To undo a move in the palette
 * that they came from takes them out of the other one as well. */
export class Carry {
  #page;
  #queue;
  /** @type {Carried[]} */
  #carried = [];

  /** @param {import("./page.js").Page} page @param {import("./queue.js").EditQueue} queue */
  constructor(page, queue) {
    this.#page = page;
    this.#queue = queue;
    queue.addEventListener("answered", (event) => {
      const { edit, answer } = /** @type {CustomEvent} */ (event).detail;
      if (edit.method !== "undo" && edit.method !== "redo") return;
      for (const { id, removed } of answer.changed ?? []) this.came(edit.palette, id, removed !== true);
    });
  }

  /** A color is back where it was taken from, or gone again, as an undo or a redo made it: so is what it became elsewhere.
   * @param {string} from @param {string} id @param {boolean} isBack */
  came(from, id, isBack) {
    const carried = this.#carried.find((one) => one.from === from && one.isUndone !== isBack && one.sources.has(id));
    if (!carried) return;
    carried.isUndone = isBack;
    if (isBack) this.#queue.add(carried.to, "remove", { colors: carried.ids });
    else for (const one of carried.ids) this.#queue.add(carried.to, "restore", { color: one });
  }

  /** Puts colors at the end of another palette.
   * @param {string[]} ids @param {string} to @param {boolean} isCopy */
  take(ids, to, isCopy) {
    const { library, grid, rights } = this.#page;
    const from = library.current;
    // What is being made of a color goes with it.
    this.#page.endGesture();
    const colors = ids.flatMap((id) => library.color(id) ?? []);
    const name = library.named(to)?.name ?? "the palette";
    if (!from || from === to || colors.length === 0) return;
    if (!isCopy && this.#page.edits.refuses()) return;
    if (!rights.mayEdit(to)) return toast(`You may not edit ${name}`);
    const added = colors.map(({ color, name: own, note }) => ({ id: uuid(), value: color, name: own, ...(note && { note }) }));
    const made = added.map(({ id }) => id);
    this.#queue.add(to, "add", { value: "-", colors: added });
    const what = colors.length === 1 ? colors[0].name : `${colors.length.toLocaleString("en")} colors`;
    if (isCopy) {
      const undo = () => this.#queue.add(to, "remove", { colors: made });
      return toast(`${what} copied to ${name}`, { label: "Undo", run: undo });
    }
    const seen = colors.map((color) => color.seen);
    this.#carried.push({ from, sources: new Set(ids), to, ids: made, isUndone: false });
    this.#page.edits.make("remove", { colors: ids, ...(seen.every(Boolean) && { seen }) });
    grid.selection.clear();
    this.#page.edits.offerUndo(`${what} moved to ${name}`);
  }

  /** Makes a palette of what is selected, which stays where it is. */
  async makePalette() {
    const { grid, library, palettes } = this.#page;
    const colors = grid.colors.filter(({ id }) => grid.selection.has(id));
    if (colors.length === 0) return;
    const name = await ask("New palette", "Name", `${library.palette?.name ?? "Palette"} selection`, "Create");
    if (!name) return;
    const id = uuid();
    this.#page.edits.ofPalette(id, "new", { name: palettes.free(name) });
    await this.#queue.add(id, "add", {
      value: "-", colors: colors.map(({ color, name: own, note }) => ({ id: uuid(), value: color, name: own, ...(note && { note }) })),
    });
    if (library.current !== id) await this.#page.openPalette(id);
    announce(`${colors.length.toLocaleString("en")} colors in ${name}`);
  }
}
