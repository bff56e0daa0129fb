import { frontDialog } from "./announce.js";
import { find, make } from "./dom.js";
import { icon } from "./icons.js";

/** Puts the page together as a phone needs it, while the screen is as narrow as one: the editor is a sheet from below,
 * the palettes are a drawer, and what is used most stands at the thumb. */
export class Phone {
  #page;
  /** Where what was taken out of its place belongs.
   * @type {Map<Element, Comment>} */
  #places = new Map();
  #drawer = make("button", { class: "quiet", "aria-label": "Palettes", "aria-expanded": "false", "aria-controls": "library", onclick: () => this.#draw(true) }, icon("palettes"));
  #add = make("button", { class: "primary edits", onclick: () => this.#begin() }, "New color");
  #bar = make("nav", { class: "bar", "aria-label": "Actions" });
  #head = make("div", { class: "sheet-head" });
  #closing = make("button", { class: "quiet", "aria-label": "Close editor", onclick: () => this.#close() }, icon("close"));
  #isOn = false;

  /** @param {import("./page.js").Page} page @param {MediaQueryList} query */
  constructor(page, query) {
    this.#page = page;
    this.#head.append(this.#closing);
    query.addEventListener("change", () => this.#adapt(query.matches));
    page.grid.selection.addEventListener("change", () => this.#follow());
    find("library").addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest(".palette, #new, #dropped")) this.#draw(false);
    });
    // Keys go on where the focus goes, and not beneath the drawer.
    find("library").addEventListener("focusout", ({ relatedTarget }) => {
      if (!this.#isDrawn || !(relatedTarget instanceof Node) || find("library").contains(relatedTarget)) return;
      this.#draw(false, false);
    });
    addEventListener("pointerdown", (event) => {
      if (this.#isDrawn && !find("library").contains(/** @type {Node} */ (event.target))) this.#draw(false);
    });
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#isOn || frontDialog()) return;
      if (this.#isDrawn) this.#draw(false);
      else if (page.grid.selection.size === 0) this.#hide();
    });
    this.#adapt(query.matches);
  }

  get #isDrawn() {
    return document.body.classList.contains("drawn");
  }

  /** @param {boolean} isPhone */
  #adapt(isPhone) {
    if (this.#isOn === isPhone) return;
    this.#isOn = isPhone;
    if (isPhone) {
      this.#bar.replaceChildren(this.#drawer);
      for (const id of ["undo", "redo"]) this.#move(find(id), (one) => this.#bar.append(one));
      this.#bar.append(make("span", { class: "grow" }), this.#add);
      document.body.append(this.#bar);
      find("editor").prepend(this.#head);
      this.#move(find("selected"), (one) => this.#head.prepend(one));
      this.#move(/** @type {Element} */ (find("editor").querySelector(".what")), (one) => this.#head.prepend(one));
      const you = /** @type {Element} */ (document.querySelector(".you"));
      this.#move(you, (one) => find("library").querySelector(".foot")?.prepend(one));
      this.#follow();
    } else {
      for (const [element, place] of this.#places) place.replaceWith(element);
      this.#places.clear();
      this.#bar.remove();
      this.#head.remove();
      this.#show(false);
    }
    this.#draw(false);
    this.#page.palettes.show();
  }

  /** @param {Element} element @param {(element: Element) => void} put */
  #move(element, put) {
    const place = document.createComment("");
    element.before(place);
    this.#places.set(element, place);
    put(element);
  }

  /** Opens or closes the drawer of palettes; the focus goes into it, or back to its button.
   * @param {boolean} isOpen */
  #draw(isOpen, takesFocus = true) {
    const wasOpen = this.#isDrawn;
    document.body.classList.toggle("drawn", isOpen && this.#isOn);
    this.#drawer.ariaExpanded = String(isOpen);
    find("library").inert = this.#isOn && !isOpen;
    if (!takesFocus) return;
    if (isOpen) /** @type {HTMLElement} */ (find("library").querySelector("[aria-current]") ?? find("new")).focus();
    else if (wasOpen) this.#drawer.focus();
  }

  /** The sheet is there while something is selected. */
  #follow() {
    if (!this.#isOn) return;
    const isShown = this.#page.grid.selection.size > 0;
    const hadFocus = !isShown && find("editor").contains(document.activeElement);
    this.#show(isShown);
    if (hadFocus) dispatchEvent(new Event("lost"));
  }

  #begin() {
    this.#page.grid.selection.clear();
    this.#show(true);
    find("editor").scrollTo(0, 0);
    this.#closing.focus();
  }

  #close() {
    this.#page.grid.selection.clear();
    this.#show(false);
    this.#add.focus();
  }

  /** Puts the sheet away; keys that were in it go on where it is opened. */
  #hide() {
    const hadFocus = find("editor").contains(document.activeElement);
    this.#show(false);
    if (hadFocus) this.#add.focus();
  }

  /** @param {boolean} isShown */
  #show(isShown) {
    document.body.classList.toggle("sheet", isShown && this.#isOn);
  }
}
