import { announce } from "./announce.js";
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
  /** The one whose selection is kept in view, in whatever palette.
   * @type {{who: string, name: string} | null} */
  #followed = null;
  /** Whether another palette comes into view because whoever is followed looks at it. */
  #goesAlong = false;
  /** @type {Map<string, {key: string, element: HTMLElement}>} */
  #faces = new Map();

  /** @param {import("./page.js").Page} page */
  constructor(page) {
    this.#page = page;
    page.library.addEventListener("presence", () => {
      this.#show();
      this.#lookAlong();
    });
    const you = /** @type {HTMLInputElement} */ (find("you"));
    you.value = localStorage.getItem("name") ?? "";
    you.addEventListener("change", async () => {
      localStorage.setItem("name", you.value.trim());
      await this.introduce();
      this.tell();
    });
    // Whoever moves goes their own way.
    for (const type of ["pointerdown", "wheel", "keydown"]) page.grid.addEventListener(type, () => this.#follow(null), { passive: true });
    // Another palette comes into view by a click, or because the one before is gone.
    page.library.addEventListener("colors", (event) => {
      const { reason } = /** @type {CustomEvent} */ (event).detail;
      if (reason === "snapshot") this.#lookAlong();
      if (reason !== "opened") return;
      if (!this.#goesAlong) this.#follow(null);
      this.tell();
    });
  }

  /** Makes the name that was typed that of the member, whose edits are shown under it everywhere. */
  async introduce() {
    const { rights, connection } = this.#page;
    const name = localStorage.getItem("name");
    if (!name || !rights.told || name === rights.name || !connection.isOpen) return;
    try {
      rights.told = { ...rights.told, name: (await connection.call("introduce", { name })).name };
    } catch {
      // It is only a name; the next session tries again.
    }
  }

  /** States what this page looks at. */
  async tell() {
    const { library, connection, selectedColor, rights } = this.#page;
    const palette = library.current;
    if (!palette || !connection.isOpen) return;
    const name = (localStorage.getItem("name") || rights.spokenName || "Guest").slice(0, 40);
    const followed = this.#followed;
    try {
      const answer = await connection.call("palette.present", {
        palette, name, ...(selectedColor && !selectedColor.pending && { selection: selectedColor.id }), ...(followed && { follow: followed.who }),
      });
      if (palette !== library.current) return;
      this.#you = answer.you;
      library.present = answer.present;
      this.#show();
      if (followed && followed === this.#followed) await this.#goAlong(answer.followed);
    } catch {
      // It is told again with the next selection.
    }
  }

  /** The color of the face of whoever edits under a node id.
   * @param {string} node */
  colorOf(node) {
    const visitor = this.#page.library.present.find((one) => one.node === node);
    return visitor ? colorOfVisitor(visitor) : colorOf({ node });
  }

  #show() {
    const { library, grid } = this.#page;
    /** @type {Map<string, import("./row.js").Other[]>} */
    const others = new Map();
    for (const visitor of library.present) {
      const { who, name, selection } = visitor;
      if (!selection || who === this.#you) continue;
      others.set(selection, [...(others.get(selection) ?? []), { name, color: colorOfVisitor(visitor) }]);
    }
    grid.marks.others = others;
    const { length } = library.present;
    // One's own face comes last.
    const faces = [...library.present].sort((one, other) => Number(one.who === this.#you) - Number(other.who === this.#you));
    const shown = [...faces.slice(0, mostShown).map((visitor) => this.#face(visitor)),
      ...(length > mostShown ? [make("li", { class: "hint" }, `+${length - mostShown}`)] : [])];
    const list = find("visitors");
    if (shown.length !== list.childElementCount || shown.some((one, index) => one !== list.children[index])) list.replaceChildren(...shown);
    const here = new Set(faces.map(({ who }) => who));
    for (const who of this.#faces.keys()) if (!here.has(who)) this.#faces.delete(who);
  }

  /** The face of somebody: the same one while it says the same, since it may be pressed just now.
   * @param {Visitor} visitor */
  #face(visitor) {
    const { who, name } = visitor;
    const isFollowed = who === this.#followed?.who;
    const key = `${colorOfVisitor(visitor)} ${who === this.#you} ${name}`;
    let known = this.#faces.get(who);
    if (known?.key !== key) this.#faces.set(who, (known = { key, element: this.#makeFace(visitor) }));
    const button = known.element.querySelector("button");
    if (button) {
      button.ariaPressed = String(isFollowed);
      button.title = isFollowed ? `You follow ${name}` : `Follow ${name}`;
    }
    return known.element;
  }

  /** @param {Visitor} visitor */
  #makeFace(visitor) {
    const { who, name } = visitor;
    const letters = make("span", { class: "face", "aria-hidden": "true" }, initials(name));
    letters.style.setProperty("--who", colorOfVisitor(visitor));
    if (who === this.#you) return make("li", { class: "visitor", title: `${name} (you)` }, letters, make("span", { class: "unseen" }, `${name} (you)`));
    return make("li", {}, make("button", {
      class: "visitor", "aria-label": `Follow ${name}`, onclick: () => this.#follow(who === this.#followed?.who ? null : { who, name }),
    }, letters));
  }

  /** Keeps in view what somebody selects, and the palette too, until one moves oneself.
   * @param {{who: string, name: string} | null} followed */
  #follow(followed) {
    const before = this.#followed;
    if (followed?.who === before?.who) return;
    this.#followed = followed;
    this.#lookAlong();
    announce(followed ? `You follow ${followed.name}` : `You do not follow ${before?.name} any more`);
    this.#show();
  }

  #lookAlong() {
    if (!this.#followed || this.#goesAlong) return;
    const { who } = this.#followed;
    const there = this.#page.library.present.find((visitor) => visitor.who === who);
    if (there?.selection) this.#page.grid.reveal(there.selection);
    else if (!there) this.tell();
  }

  /** Whoever is followed looks at another palette, or at none any more.
   * @param {string | null} palette */
  async #goAlong(palette) {
    const { library } = this.#page;
    if (palette === null) return this.#follow(null);
    if (palette === library.current || this.#goesAlong) return;
    this.#goesAlong = true;
    try {
      await this.#page.openPalette(palette);
    } finally {
      this.#goesAlong = false;
    }
    announce(`${this.#followed?.name} looks at ${library.palette?.name ?? "another palette"}`);
  }
}

/** @param {Visitor} visitor */
const colorOfVisitor = ({ node, member, who }) => colorOf({ member, node: node ?? who });

/** The color of somebody's face: far from that of the next one, and dark enough for white letters. It is the member's,
 * or the node's where others let somebody in.
 * @param {{member?: string | null, node: string}} author */
export function colorOf({ member, node }) {
  let sum = 7;
  for (const letter of member ?? node) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_003;
  return toHex(fitOKLCH({ l: 0.48, c: 0.13, h: (sum * 137.5) % 360 }));
}
