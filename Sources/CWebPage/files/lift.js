import { make } from "./dom.js";
import { follow } from "./drag.js";
import { dropAt } from "./layout.js";

/** @typedef {import("./diff.js").Color} Color */
/** What of a grid a drag has to do with.
 * @typedef {{element: HTMLElement, space: HTMLElement, shape(): import("./layout.js").Shape, colors(): Color[],
 *   row(id: string): HTMLElement | undefined, tell(name: string, detail: Record<string, unknown>): void}} Host */

/** So near to an edge of the view, in pixels, it scrolls by so much. */
const edge = { near: 30, by: 12 };

/** Colors in the hand: they are lifted, and dropped between others or on a palette of the list. */
export class Lift {
  #host;
  #isUnderWay = false;
  /** The place in front of which what is dragged would go. */
  #target = 0;
  /** The palette of the list that it is over.
   * @type {HTMLElement | null} */
  #over = null;
  #mark = make("div", { class: "drop-mark", hidden: true });

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
      },
      move: (moved) => this.#move(moved),
      end: (isDropped, last) => {
        this.#isUnderWay = false;
        for (const element of lit) {
          element.classList.remove("dragged", "taken-along");
          element.removeAttribute("data-count");
        }
        this.#mark.hidden = true;
        const palette = this.#over?.dataset.palette;
        this.#lightUp(null);
        if (isDropped) this.#drop(ids, palette, last?.altKey === true);
      },
    });
  }

  /** @param {string[]} ids @param {string | undefined} palette @param {boolean} isCopy */
  #drop(ids, palette, isCopy) {
    const { colors, tell } = this.#host;
    if (palette) return tell("color-carry", { ids, to: palette, isCopy });
    const moved = new Set(ids);
    const at = colors().slice(0, this.#target).filter((color) => !moved.has(color.id)).length;
    const isSame = ids.every((one, index) => colors()[at + index]?.id === one);
    if (!isSame) tell("color-reorder", { ids, at });
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
    this.#mark.hidden = this.#over !== null;
    this.#mark.style.transform = `translate(${isList ? 0 : at.x - 3}px, ${isList ? at.y - 1 : at.y}px)`;
    this.#mark.style.width = isList ? "100%" : "2px";
    this.#mark.style.height = isList ? "2px" : `${shape().height}px`;
    const view = element.getBoundingClientRect();
    if (clientY < view.top + edge.near) element.scrollTop -= edge.by;
    else if (clientY > view.bottom - edge.near) element.scrollTop += edge.by;
  }
}
