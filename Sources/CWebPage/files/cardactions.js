import { copyColors } from "./copying.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";

/** What is done to a color, at the color: one group of buttons, which goes to the card under the pointer, or to the one
 * that has the focus. */
export class CardActions {
  #page;
  #element = make("span", { class: "card-actions", role: "group", "aria-label": "Color" });

  /** @param {import("./page.js").Page} page @param {(at: HTMLElement) => void} openMenu shows all that can be done */
  constructor(page, openMenu) {
    this.#page = page;
    const { edits, grid } = page;
    this.#add("copy", "Copy color", (id) => copyColors([page.color(id)].flatMap((color) => color ?? [])));
    this.#add("note", "Note on color", (id) => edits.note(id), "edits roomy");
    this.#add("duplicate", "Duplicate color", (id) => edits.duplicate([id]), "edits roomy");
    this.#add("delete", "Delete color", (id) => edits.remove([id]), "edits roomy");
    this.#add("menu", "More for color", (id, button) => {
      if (!grid.selection.has(id)) grid.selection.set([id], id);
      openMenu(button);
    });
    grid.addEventListener("pointerover", (event) => {
      // A finger has no way to point without touching; what it touches is selected.
      if (event.pointerType !== "touch") this.#go(event.target);
    });
    const focused = () => grid.querySelector(".cell:focus-visible");
    grid.addEventListener("pointerleave", () => this.#go(focused()));
    grid.addEventListener("focusin", () => focused() && this.#go(focused()));
    this.#go(grid.querySelector(".color:hover") ?? focused());
  }

  /** @param {string} name @param {string} label @param {(id: string, button: HTMLElement) => unknown} run */
  #add(name, label, run, style = "") {
    const button = make("button", { class: style, "aria-label": label, title: label, onclick: () => {
      const { id } = /** @type {HTMLElement | null} */ (this.#element.closest(".color"))?.dataset ?? {};
      // After a click the keys are about the color; whoever uses keys stays in the button.
      if (!button.matches(":focus-visible")) /** @type {HTMLElement | null} */ (this.#element.closest(".cell"))?.focus({ preventScroll: true });
      if (id) run(id, button);
    } }, icon(name));
    this.#element.append(button);
  }

  /** @param {EventTarget | null} target */
  #go(target) {
    // What the keys are in stays where it is.
    if (this.#element.querySelector(":focus-visible")) return;
    const card = target instanceof Element ? target.closest(".color[data-id]:not(.disputed)") : null;
    const cell = card && this.#page.grid.contains(card) ? card.querySelector(".cell") : null;
    if (!cell) this.#element.remove();
    else if (this.#element.parentElement !== cell) cell.append(this.#element);
  }
}
