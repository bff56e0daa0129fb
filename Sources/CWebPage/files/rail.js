import { announce, toast } from "./announce.js";
import { arrange, make, swatch } from "./dom.js";
import { dayOf, deleted, isSame, wayBack } from "./moments.js";
import { colorOf } from "./presence.js";
import { initials } from "./row.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./moments.js").Action} Action */
/** @typedef {import("./moments.js").Return} Return */

const pageSize = 60;
/** How many lists are kept for a second look. */
const mostKept = 40;
/** A longer palette goes to a time when that is pressed, and not when it is pointed at. */
const longestPointed = 2000;

/** The history of the palette in view as a rail of moments. Pointing at one shows the whole grid as it was then. */
export class Rail {
  element = make("section", { class: "rail", "aria-label": "History" });
  #page;
  #list = make("ol", { class: "moments" });
  #more = make("button", { class: "quiet", hidden: true, onclick: () => this.#load(true) }, "Show earlier");
  #now = make("button", { class: "quiet to-now", hidden: true, onclick: () => this.#show(null) }, "Back to now");
  /** @type {Action[]} */
  #actions = [];
  #palette = "";
  /** The entries by action, each with the time that it shows.
   * @type {Map<string, Entry>} */
  #entries = new Map();
  /** Lists as they were, by time.
   * @type {Map<string, Color[]>} */
  #past = new Map();
  /** The entry whose time the grid shows, or is to show.
   * @type {Entry | null} */
  #shown = null;
  /** Where the pointer was last.
   * @type {string} */
  #pointer = "";
  #isPinned = false;
  #isAsking = false;
  #isLoading = false;
  #isStale = false;
  #isOpen = false;

  /** @param {import("./page.js").Page} page @param {() => void} close */
  constructor(page, close) {
    this.#page = page;
    this.element.append(make("div", { class: "beside-head" }, make("h3", {}, "History"), this.#now,
      make("button", { class: "quiet", "aria-label": "Close history", onclick: close }, "✕")),
    make("div", { class: "rail-scroller" }, this.#list, this.#more));
    this.#list.addEventListener("pointermove", (event) => this.#move(event));
    this.#list.addEventListener("pointerleave", () => this.#isPinned || this.#list.contains(document.activeElement) || this.#show(null));
    this.#list.addEventListener("focusout", (event) => {
      if (!this.#isPinned && !this.#list.contains(/** @type {Node | null} */ (event.relatedTarget))) this.#show(null);
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    page.library.addEventListener("colors", () => {
      if (!this.#isOpen) return;
      this.#isStale = true;
      this.#load(false);
    });
  }

  shown() {
    this.#isOpen = true;
    this.#isStale = true;
    this.#load(false);
  }

  hidden() {
    this.#isOpen = false;
    this.#show(null);
  }

  /** @param {boolean} isEarlier */
  async #load(isEarlier) {
    const { library, connection } = this.#page;
    const palette = library.current;
    if (palette !== this.#palette) {
      this.#show(null);
      this.#palette = palette ?? "";
      this.#actions = [];
      this.#entries.clear();
      this.#past.clear();
      this.#list.replaceChildren();
      this.#more.hidden = true;
    }
    if (!palette || this.#isLoading) return;
    this.#isLoading = true;
    this.#isStale = false;
    try {
      const before = isEarlier ? this.#actions.at(-1)?.action : undefined;
      const { actions } = await connection.call("history", { palette, actions: true, limit: pageSize, ...(before && { before }) });
      if (palette === library.current) this.#take(actions, isEarlier);
    } catch (error) {
      if (this.#actions.length === 0) {
        this.#list.replaceChildren(make("li", { class: "hint" }, connection.isOpen ? error.message : "History is shown when the connection is back."));
      }
    }
    this.#isLoading = false;
    if (this.#isStale && this.#isOpen && connection.isOpen) this.#load(false);
  }

  /** @param {Action[]} actions @param {boolean} isEarlier */
  #take(actions, isEarlier) {
    const known = new Set(actions.map(({ action }) => action));
    const kept = this.#actions.filter(({ action }) => !known.has(action));
    const hadMore = !this.#more.hidden || this.#actions.length === 0;
    this.#actions = isEarlier ? [...kept, ...actions] : [...actions, ...kept];
    if (isEarlier || hadMore) this.#more.hidden = actions.length < pageSize;
    this.#draw();
  }

  #draw() {
    const now = new Date();
    let day = "";
    /** @type {HTMLElement[]} */
    const items = [];
    this.#actions.forEach((action, index) => {
      const name = dayOf(new Date(action.time), now);
      if (name !== day) items.push(make("li", { class: "day" }, (day = name)));
      let entry = this.#entries.get(action.action);
      if (!entry) {
        entry = new Entry(this, action);
        this.#entries.set(action.action, entry);
      }
      entry.fill(action, index === 0);
      items.push(entry.element);
    });
    if (items.length === 0) items.push(make("li", { class: "hint" }, "Nothing was changed yet."));
    if (items.some((item, index) => this.#list.children[index] !== item && item.className !== "day") || items.length !== this.#list.childElementCount) {
      arrange(this.#list, items);
    }
  }

  /** Shows the grid as it was after an action.
   * @param {Entry} entry @param {boolean} isPressed */
  point(entry, isPressed) {
    if (!isPressed && (this.#isPinned || this.#page.library.colors.length > longestPointed)) return;
    this.#isPinned = isPressed && !(this.#isPinned && this.#shown === entry);
    this.#show(entry);
  }

  /** Follows the hand: a moment that comes under a pointer at rest, because the list has moved, is not pointed at.
   * @param {PointerEvent} event */
  #move(event) {
    const at = `${event.screenX} ${event.screenY}`;
    if (at === this.#pointer) return;
    this.#pointer = at;
    const item = /** @type {Element} */ (event.target).closest("li");
    if (!item || item === this.#shown?.element) return;
    for (const entry of this.#entries.values()) if (entry.element === item) this.point(entry, false);
  }

  /** @param {Entry | null} entry */
  #show(entry) {
    if (!entry) this.#isPinned = false;
    this.#shown?.element.classList.remove("shown");
    this.#shown = entry;
    entry?.element.classList.add("shown");
    this.#now.hidden = !this.#isPinned;
    if (!entry) return this.#page.showPast(null);
    this.#ask();
  }

  /** Asks for the time that is pointed at, one after the other: those that were passed meanwhile are left out. */
  async #ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const palette = this.#palette;
    /** @type {Entry | null} */
    let asked = null;
    while (this.#shown && this.#shown !== asked) {
      asked = this.#shown;
      const { time } = asked.action;
      try {
        const colors = this.#past.get(time) ?? (await this.#page.connection.call("list", { palette, at: time })).colors;
        this.#past.set(time, colors);
        if (this.#past.size > mostKept) this.#past.delete(this.#past.keys().next().value ?? "");
        if (this.#shown === asked) this.#arrive(asked, colors);
      } catch (error) {
        toast(error.message);
      }
    }
    this.#isAsking = false;
  }

  /** @param {Entry} entry @param {Color[]} colors */
  #arrive(entry, colors) {
    const { library, rights } = this.#page;
    this.#page.showPast(colors);
    const now = (/** @type {string} */ id) => library.color(id) ?? undefined;
    const mayEdit = rights.mayEdit(library.current);
    const single = entry.action.count === 1 && entry.action.kind !== "delete" ? entry.action.colors[0]?.id : undefined;
    const back = single ? wayBack(colors.find(({ id }) => id === single), now(single)) : null;
    entry.offer(mayEdit ? [...(back ? [back] : []), ...deleted(entry.action, now)] : [], mayEdit && !isSame(colors, library.colors));
    announce(`As it was ${entry.when}: ${colors.length === 1 ? "1 color" : `${colors.length} colors`}`);
  }

  /** @param {Return} one */
  bringBack({ name, edits }) {
    this.#show(null);
    for (const { method, parameters } of edits) this.#page.edits.make(method, parameters);
    announce(`${name} is back`);
  }

  /** Makes the palette what it was after an action.
   * @param {Action} action */
  async revert(action) {
    this.#show(null);
    try {
      const answer = await this.#page.connection.call("revert", { palette: this.#palette, to: action.action });
      this.#page.library.wasEdited(answer);
      this.#page.edits.offerUndo(`As it was ${timeOf(action)}`);
    } catch (error) {
      toast(error.message);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Escape" && this.#shown) {
      event.preventDefault();
      event.stopPropagation();
      return this.#show(null);
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const moments = /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll(".moment")]);
    const at = moments.findIndex((moment) => moment.parentElement?.contains(document.activeElement));
    if (!by || at < 0) return;
    event.preventDefault();
    moments[Math.min(moments.length - 1, Math.max(0, at + by))].focus();
  }
}

/** @param {Action} action */
const timeOf = ({ time }) => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** A moment: who did what and when, and what can be brought back from it. */
class Entry {
  action;
  #words = make("span", { class: "moment-words" });
  #swatches = make("span", { class: "moment-colors", "aria-hidden": "true" });
  #offers = make("span", { class: "offers" });
  #rail;
  element;
  #drawn = "";

  /** @param {Rail} rail @param {Action} action */
  constructor(rail, action) {
    this.#rail = rail;
    this.action = action;
    const author = action.author ?? action.node.slice(0, 8);
    const face = make("span", { class: "face", "aria-hidden": "true" }, initials(author));
    face.style.setProperty("--who", colorOf(action));
    const button = make("button", { class: "moment", onclick: () => rail.point(this, true) }, face,
      make("span", { class: "moment-text" }, make("span", { class: "moment-head" }, make("b", {}, author), make("time", { dateTime: action.time }, this.when)), this.#words, this.#swatches));
    this.element = make("li", {}, button, this.#offers);
    button.addEventListener("focus", () => rail.point(this, false));
  }

  get when() {
    return timeOf(this.action);
  }

  /** @param {Action} action @param {boolean} isNewest */
  fill(action, isNewest) {
    this.action = action;
    this.element.classList.toggle("newest", isNewest);
    const drawn = JSON.stringify([action.summary, action.undone, action.colors]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.element.classList.toggle("undone", action.undone === true);
    this.#words.textContent = action.undone ? `${action.summary} (undone)` : action.summary;
    this.#swatches.replaceChildren(...action.colors.flatMap(({ hex }) => (hex ? [swatch(hex)] : [])));
  }

  /** @param {Return[]} returns @param {boolean} isOther whether the palette is another one now */
  offer(returns, isOther) {
    const hadFocus = this.#offers.contains(document.activeElement);
    if (hadFocus) return;
    this.#offers.replaceChildren(
      ...returns.map((one) => make("button", { onclick: () => this.#rail.bringBack(one) }, `Bring back ${one.name}`)),
      ...(isOther ? [make("button", { "aria-label": `Make it as it was then, ${this.when}`, onclick: () => this.#rail.revert(this.action) }, "Make it as it was then")] : []));
  }
}
