import { find, loadStyle } from "./dom.js";

/** @typedef {{element: HTMLElement, shown(): void, hidden(): void}} Side */

/** The room beside the grid, for one thing at a time: the palette in use, or its history. What stands there is
 * fetched when it is first asked for. */
export class Beside {
  #page;
  #room = find("beside");
  #open = "";
  /** @type {Side | null} */
  #shown = null;
  /** @type {Map<string, Promise<Side>>} */
  #sides = new Map();

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** Opens one of the two.
   * @param {"in-use" | "history"} name */
  async open(name) {
    if (this.#open !== name) await this.toggle(name);
  }

  /** Opens one of the two, or closes it where it is open.
   * @param {"in-use" | "history"} name */
  async toggle(name) {
    const before = this.#open;
    const side = before === name ? null : await this.#side(name);
    // Another one may have been opened while this one was fetched.
    if (this.#open !== before) return;
    this.#open = side ? name : "";
    const button = (/** @type {string} */ one) => /** @type {HTMLElement | null} */ (document.querySelector(`[data-command="${one}"]`));
    for (const one of ["in-use", "history"]) button(one)?.setAttribute("aria-pressed", String(one === this.#open));
    if (this.#room.contains(document.activeElement)) button(before)?.focus();
    this.#shown?.hidden();
    this.#shown = side;
    this.#room.hidden = side === null;
    document.body.dataset.beside = this.#open;
    this.#room.replaceChildren(...(side ? [side.element] : []));
    side?.shown();
  }

  /** @param {string} name @returns {Promise<Side>} */
  #side(name) {
    const made = this.#sides.get(name) ?? (name === "history" ? this.#makeHistory() : this.#makeInUse());
    this.#sides.set(name, made);
    // What could not be fetched is fetched again when it is asked for again.
    made.catch(() => this.#sides.delete(name));
    return made;
  }

  /** @returns {Promise<Side>} */
  async #makeHistory() {
    const [{ Rail }] = await Promise.all([import("./rail.js"), loadStyle("/beside.css")]);
    return new Rail(this.#page, () => this.toggle("history"));
  }

  /** @returns {Promise<Side>} */
  async #makeInUse() {
    const page = this.#page;
    const [{ InUse, roleAt }] = await Promise.all([import("./inuse.js"), loadStyle("/beside.css")]);
    const use = new InUse({
      select: (ids) => page.grid.selection.set(ids), selected: () => page.selectedColor, close: () => this.toggle("in-use"),
    });
    const show = () => use.show({ id: page.library.current ?? "", name: page.library.palette?.name ?? "" }, page.library.colors);
    const follow = () => {
      const color = page.selectedColor;
      use.preview(color && { ...color, hex: page.model.hex });
    };
    page.library.addEventListener("colors", show);
    page.model.observe(follow);
    page.grid.selection.addEventListener("change", follow);
    // A color that is dropped on a thing gets its role, and stays where it is.
    addEventListener("pointerup", (event) => {
      const dragged = page.grid.querySelector(".dragged");
      const role = dragged instanceof HTMLElement ? roleAt(event.clientX, event.clientY) : null;
      if (!(dragged instanceof HTMLElement) || !role) return;
      use.cast(role, dragged.dataset.id ?? "");
      dispatchEvent(new PointerEvent("pointercancel", { pointerId: event.pointerId }));
    }, { capture: true });
    return { element: use.element, shown: () => { show(); follow(); }, hidden() {} };
  }
}
