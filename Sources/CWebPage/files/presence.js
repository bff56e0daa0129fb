import { fitOKLCH, toHex } from "./color.js";
import { find, make } from "./dom.js";
import { initials } from "./row.js";

/** @typedef {import("./library.js").Visitor} Visitor */

const mostShown = 12;

/** Tells the others who looks at the palette and what is selected, and shows what they tell. */
export class Presence {
  #page;
  /** The "who" of this page among those present; names do not tell one from another.
   * @type {string | null} */
  #you = null;

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
    page.library.addEventListener("presence", () => this.#show());
    const you = /** @type {HTMLInputElement} */ (find("you"));
    you.value = localStorage.getItem("name") ?? "";
    you.addEventListener("change", () => {
      localStorage.setItem("name", you.value.trim());
      this.tell();
    });
  }

  /** States what this page looks at. */
  async tell() {
    const { library, connection, selectedColor, rights } = this.#page;
    const palette = library.current;
    if (!palette || !connection.isOpen) return;
    const name = (localStorage.getItem("name") || rights.name || "Guest").slice(0, 40);
    try {
      const { you, present } = await connection.call("palette.present", {
        palette, name, ...(selectedColor && !selectedColor.pending && { selection: selectedColor.id }),
      });
      if (palette !== library.current) return;
      this.#you = you;
      library.present = present;
      this.#show();
    } catch {
      // It is told again with the next selection.
    }
  }

  #show() {
    const { library, grid } = this.#page;
    /** @type {Map<string, import("./row.js").Other[]>} */
    const others = new Map();
    for (const { who, name, selection } of library.present) {
      if (!selection || who === this.#you) continue;
      others.set(selection, [...(others.get(selection) ?? []), { name, color: colorOf(who) }]);
    }
    grid.others = others;
    const { length } = library.present;
    // One's own face comes last.
    const faces = [...library.present].sort((one, other) => Number(one.who === this.#you) - Number(other.who === this.#you));
    find("visitors").replaceChildren(...faces.slice(0, mostShown).map(({ who, name }) => {
      const text = who === this.#you ? `${name} (you)` : name;
      const visitor = make("li", { class: "visitor", title: text }, make("span", { "aria-hidden": "true" }, initials(name)),
        make("span", { class: "unseen" }, text));
      visitor.style.setProperty("--who", colorOf(who));
      return visitor;
    }), ...(length > mostShown ? [make("li", { class: "hint" }, `+${length - mostShown}`)] : []));
  }
}

/** A visitor's own color, far from that of the next one, and dark enough for white letters.
 * @param {string} who */
export function colorOf(who) {
  let sum = 7;
  // The member's node, which lasts, before the number of the view, which does not.
  for (const letter of who.split(":")[0]) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_003;
  return toHex(fitOKLCH({ l: 0.48, c: 0.13, h: (sum * 137.5) % 360 }));
}
