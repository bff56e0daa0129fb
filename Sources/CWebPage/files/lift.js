import { make } from "./dom.js";
import { follow } from "./drag.js";
import { dropAt } from "./layout.js";

/** @typedef {import("./diff.js").Color} Color */
/** What of a grid a drag has to do with.
 * @typedef {{element: HTMLElement, space: HTMLElement, shape(): import("./layout.js").Shape, colors(): Color[],
 *   row(id: string): HTMLElement | undefined, makeRoom(id: string, at: number | null): boolean, tell(name: string, detail: Record<string, unknown>): void}} Host */

/** So near to an edge of the view, in pixels, it scrolls by so much. */
const edge = { near: 30, by: 12 };

/** Colors that are dragged: others make room, and they are dropped between those or on a palette. */
export class Lift {
  #host;
  #isUnderWay = false;
  /** The place in front of which what is dragged would go. */
  #target = 0;
  /** The palette of the list that it is over.
   * @type {HTMLElement | null} */
  #over = null;
  #mark = make("div", { class: "drop-mark", hidden: true });
  /** What the hand carries: a picture of the color, which goes wherever the pointer does.
   * @type {HTMLElement | null} */
  #carried = null;
  /** The one color in the hand that others make room for, and the place where it would stand.
   * @type {{id: string, at: number | null} | null} */
  #room = null;

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    host.space.append(this.#mark);
    // What a finger carries must not scroll, and must open no menu.
    host.element.addEventListener("touchmove", (event) => this.#isUnderWay && event.preventDefault(), { passive: false });
    host.element.addEventListener("contextmenu", (event) => this.#isUnderWay && event.preventDefault());
  }

  /** Follows a pointer that was pressed on a color, which takes others along.
   * @param {PointerEvent} event @param {string} id @param {string[]} ids */
  press(event, id, ids) {
    const { row } = this.#host;
    /** @type {HTMLElement[]} */
    const lit = [];
    this.#isUnderWay = false;
    follow(event, {
      begin: () => {
        this.#isUnderWay = true;
        for (const one of ids) {
          const element = row(one);
          element?.classList.add(one === id ? "dragged" : "taken-along");
          if (element) lit.push(element);
        }
        if (ids.length > 1) row(id)?.setAttribute("data-count", ids.length.toLocaleString("en"));
        this.#room = ids.length === 1 ? { id, at: null } : null;
        this.#carry(row(id));
      },
      move: (moved) => {
        if (this.#carried) this.#carried.style.translate = `${moved.clientX - event.clientX}px ${moved.clientY - event.clientY}px`;
        this.#move(moved);
      },
      end: (isDropped, last) => {
        this.#isUnderWay = false;
        for (const element of lit) {
          element.classList.remove("dragged", "taken-along");
          element.removeAttribute("data-count");
        }
        this.#mark.hidden = true;
        this.#carried?.remove();
        this.#carried = null;
        const palette = this.#over?.dataset.palette;
        this.#lightUp(null);
        const isMoved = isDropped && this.#drop(ids, palette, last?.altKey === true);
        // Where it is dropped the others stand already.
        if (!isMoved) this.#makeRoom(null);
        this.#room = null;
      },
    });
  }

  /** @param {HTMLElement | undefined} row */
  #carry(row) {
    if (!row) return;
    const { left, top, width, height } = row.getBoundingClientRect();
    const picture = /** @type {HTMLElement} */ (row.cloneNode(true));
    for (const element of [picture, ...picture.querySelectorAll("[role]")]) element.removeAttribute("role");
    picture.querySelector(".card-actions")?.remove();
    picture.style.transform = "none";
    const { layout } = this.#host.element.dataset;
    this.#carried = make("div", { class: "carried", "data-layout": layout, "aria-hidden": "true", inert: true }, picture);
    Object.assign(this.#carried.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    this.#carried.style.setProperty("--row", `${height}px`);
    document.body.append(this.#carried);
  }

  /** @param {number | null} at @returns {boolean} whether the others have made room */
  #makeRoom(at) {
    if (!this.#room) return false;
    if (at !== this.#room.at && !this.#host.makeRoom(this.#room.id, at)) return false;
    this.#room.at = at;
    return at !== null;
  }

  /** @param {string[]} ids @param {string | undefined} palette @param {boolean} isCopy
   * @returns {boolean} whether they stand elsewhere in the grid now */
  #drop(ids, palette, isCopy) {
    const { colors, tell } = this.#host;
    if (palette) {
      tell("color-carry", { ids, to: palette, isCopy });
      return false;
    }
    const moved = new Set(ids);
    const at = colors().slice(0, this.#target).filter((color) => !moved.has(color.id)).length;
    const isSame = ids.every((one, index) => colors()[at + index]?.id === one);
    if (!isSame) tell("color-reorder", { ids, at });
    return !isSame;
  }

  /** @param {HTMLElement | null} palette */
  #lightUp(palette) {
    if (palette === this.#over) return;
    this.#over?.classList.remove("target");
    palette?.classList.add("target");
    this.#over = palette;
  }

  /** @param {PointerEvent} event */
  #move({ clientX, clientY }) {
    const { element, space, shape, colors } = this.#host;
    const entry = document.elementFromPoint(clientX, clientY)?.closest("[data-palette]:not([aria-current])");
    this.#lightUp(entry instanceof HTMLElement ? entry : null);
    const box = space.getBoundingClientRect();
    const at = dropAt(shape(), colors().length, clientX - box.left, clientY - box.top);
    this.#target = at.at;
    const isList = shape().columns === 1;
    const from = colors().findIndex(({ id }) => id === this.#room?.id);
    const isBeyond = clientX < box.left - edge.near || clientX > box.right + edge.near;
    const hasRoom = this.#makeRoom(this.#over || isBeyond ? null : at.at - Number(from < at.at));
    this.#mark.hidden = this.#over !== null || hasRoom;
    this.#mark.style.transform = `translate(${isList ? 0 : at.x - 3}px, ${isList ? at.y - 1 : at.y}px)`;
    this.#mark.style.width = isList ? "100%" : "2px";
    this.#mark.style.height = isList ? "2px" : `${shape().height}px`;
    const view = element.getBoundingClientRect();
    if (clientY < view.top + edge.near) element.scrollTop -= edge.by;
    else if (clientY > view.bottom - edge.near) element.scrollTop += edge.by;
  }
}
