import { announce, offer, toast } from "./announce.js";
import { whenThere } from "./commands.js";
import { touched } from "./projection.js";
import { uuid } from "./queue.js";

/** So many edits the node takes as one action. */
const mostEdits = 10_000;

/** What somebody does to the palette in view and its colors: each an action that can be undone. */
export class Edits {
  #page;
  #queue;
  /** What takes colors to other palettes, once somebody did that.
   * @type {Promise<import("./carry.js").Carry> | null} */
  #carry = null;
  /** Takes away the message that offers to undo the last edit. */
  #endOffer = () => {};

  /** @param {import("./page.js").Page} page @param {import("./queue.js").EditQueue} queue */
  constructor(page, queue) {
    this.#page = page;
    this.#queue = queue;
    queue.addEventListener("refused", (event) => this.#sayRefused(/** @type {CustomEvent} */ (event).detail));
    // What the message offers would take back another edit.
    queue.addEventListener("made", () => this.#endOffer());
    page.library.addEventListener("colors", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.reason === "opened") this.#endOffer();
    });
    queue.addEventListener("answered", (event) => {
      const { edit, answer } = /** @type {CustomEvent} */ (event).detail;
      if (edit.method !== "undo" && edit.method !== "redo") return;
      const reason = answer.skipped?.[0]?.reason;
      announce(answer.changed?.length ? `${edit.method} done` : reason ?? `nothing to ${edit.method}`);
      if (!answer.changed?.length) toast(reason ?? `Nothing to ${edit.method}`);
    });
  }

  /** @param {{edit: import("./queue.js").Edit, error: import("./connection.js").RPCError}} refusal */
  #sayRefused({ edit, error }) {
    const name = this.#page.library.named(edit.palette)?.name ?? "the palette";
    const verb = edit.method === "drop" ? "dropped" : edit.method === "title" ? "renamed" : "saved";
    const isOutdated = error.code === "changed";
    toast(isOutdated ? `Others changed ${name} meanwhile, so it was not ${verb}` : `Not ${verb}: ${error.message}`,
      isOutdated ? { label: "Do it anyway", run: () => this.#queue.add(edit.palette, edit.method, edit.parameters) } : undefined);
  }

  /** Makes, renames or brings back a palette.
   * @param {string} id @param {string} method @param {Record<string, any>} parameters
   * @param {string} [saw] what it is only right for */
  ofPalette(id, method, parameters, saw) {
    this.#queue.add(id, method, parameters, saw);
  }

  /** Says why nothing may be edited, where that is so.
   * @returns {boolean} whether it is */
  refuses() {
    const { canEdit, isPast } = this.#page;
    if (!canEdit) toast(isPast ? "This is how it was: go back to now to edit" : "You may not edit this palette");
    return !canEdit;
  }

  /** Makes an edit of the palette in view, or of the one where it began.
   * @param {string} method @param {Record<string, any>} parameters
   * @returns {boolean} whether it may */
  make(method, parameters, palette = this.#page.library.current) {
    if (!palette || !this.#page.canEdit) return false;
    const kept = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
    this.#queue.add(palette, method, kept);
    return true;
  }

  /** Makes several edits as one action, as far as an action reaches.
   * @param {Record<string, any>[]} edits
   * @returns {boolean} whether they are made */
  act(edits) {
    let isMade = false;
    for (let from = 0; from < edits.length; from += mostEdits) {
      isMade = this.make("act", { edits: edits.slice(from, from + mostEdits) });
    }
    return isMade;
  }

  /** Takes back the last edit. */
  undo() {
    const { library, connection } = this.#page;
    const { current } = library;
    if (!current) return;
    const taken = this.#queue.takeBack(current);
    if (taken) this.#came(taken, true);
    if (taken) return;
    this.make("undo", {});
    if (!connection.isAnswering) toast("What was sent already is undone when the connection is back");
  }

  /** Makes the edit again that was taken back last. */
  redo() {
    const { current } = this.#page.library;
    if (!current) return;
    const given = this.#queue.giveBack(current);
    if (given) this.#came(given, false);
    if (!given) this.make("redo", {});
  }

  /** Puts colors first in the palette in view, in their order; where there is none it makes one.
   * @param {{value: string, name: string}[]} colors
   * @returns {Promise<boolean>} whether they are there */
  async addAll(colors) {
    if (colors.length === 0 || this.refuses()) return false;
    await this.#page.palettes.need();
    return this.make("add", { value: "-", colors: colors.map((color) => ({ id: uuid(), ...color })), at: 0 });
  }

  /** @param {string[]} ids */
  remove(ids) {
    // What is being made of a color is made before it goes, so that its removal is the last edit.
    this.#page.endGesture();
    const colors = this.#colors(ids);
    const seen = colors.map((color) => color.seen);
    const isMade = this.make("remove", { colors: ids, ...(colors.length === ids.length && seen.every(Boolean) && { seen }) });
    if (isMade) this.offerUndo(`${called(colors)} deleted`);
  }

  /** Says what was done last, with a button that undoes it while it is the last that was done.
   * @param {string} text */
  offerUndo(text) {
    this.#endOffer = offer(text, { label: "Undo", run: () => this.#page.undo() });
  }

  /** @param {string[]} ids */
  duplicate(ids) {
    const edits = this.#colors(ids).map(({ id, color, name, note }) => ({ method: "add", id: uuid(), value: color, name, ...(note && { note }), after: id }));
    if (edits.length > 1) this.act(edits);
    else for (const { method, ...addition } of edits) this.make(method, addition);
  }

  /** Asks for a color's note.
   * @param {string} id */
  async note(id) {
    const { library } = this.#page;
    const { current } = library;
    const color = library.color(id);
    if (!color || this.refuses()) return;
    const { askLines } = await import("./dialogs.js");
    const text = await askLines(`Note of ${color.name}`, "Note", color.note, "Save note");
    if (text !== null && text !== color.note) this.make("note", { color: color.id, text, seen: color.seen }, current);
  }

  /** Moves what the keys are about: the color that has the focus, with the others where it is one of several.
   * @param {number} by */
  moveBy(by) {
    const { grid } = this.#page;
    const moved = grid.subjects.length > 0 ? grid.subjects : [grid.focused ?? ""];
    const places = moved.map((id) => grid.placeOf(id)).filter((place) => place >= 0).sort((one, other) => one - other);
    const first = places[0] ?? 0;
    const at = Math.min(Math.max(first + by, 0), grid.colors.length - places.length);
    const isApart = places.some((place, index) => place !== first + index);
    if (places.length > 0 && (at !== first || isApart)) this.move(places.map((place) => grid.colors[place].id), at);
  }

  /** @param {string[]} ids @param {number} to the place of the first among the others that are shown */
  move(ids, to) {
    const { grid, library } = this.#page;
    if (grid.given.length < library.colors.length) return toast("Clear the search to move colors");
    const at = grid.headings?.placeOf(ids, to) ?? to;
    if (ids.every((id, index) => library.colors[at + index]?.id === id)) return;
    const colors = this.#colors(ids);
    const focused = grid.focused && ids.includes(grid.focused) ? grid.focused : ids[0];
    const isMade = ids.length === 1 ? this.make("move", { color: ids[0], at, seen: colors[0]?.seen })
      : this.act([{ method: "move", colors: ids, at }]);
    if (!isMade) return;
    requestAnimationFrame(() => grid.focusColor(focused));
    announce(`${called(colors)} moved to place ${at + 1} of ${library.colors.length.toLocaleString("en")}`);
  }

  /** Puts colors into another palette: they go there, or stay here as well.
   * @param {string[]} ids @param {string} to @param {boolean} isCopy */
  carry(ids, to, isCopy) {
    return whenThere(async () => (await this.#carrying()).take(ids, to, isCopy));
  }

  #carrying() {
    this.#carry ??= import("./carry.js").then(({ Carry }) => new Carry(this.#page, this.#queue));
    this.#carry.catch(() => (this.#carry = null));
    return this.#carry;
  }

  /** An edit was taken back, or made again: so is what it took elsewhere.
   * @param {import("./queue.js").Edit} edit @param {boolean} isBack */
  #came(edit, isBack) {
    this.#carry?.then((carry) => {
      for (const id of touched(edit)) carry.came(edit.palette, id, isBack);
    });
  }

  /** Makes a palette of what is selected. */
  makePalette() {
    return whenThere(async () => (await this.#carrying()).makePalette());
  }

  /** @param {string[]} ids */
  #colors(ids) {
    return ids.flatMap((id) => this.#page.library.color(id) ?? []);
  }
}

/** What a message calls colors.
 * @param {import("./diff.js").Color[]} colors */
function called(colors) {
  return colors.length === 1 ? colors[0].name : `${colors.length.toLocaleString("en")} colors`;
}
