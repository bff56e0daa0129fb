import { rolesKey } from "./address.js";
import { ContrastMatrix } from "./matrix.js";
import { make, swatch } from "./dom.js";
import { makeTabs } from "./tabs.js";
import { guessRoles, roleNames } from "./roles.js";
import { Things } from "./things.js";
import { deficiencies, simulate } from "./vision.js";

/** @typedef {import("./roles.js").Paint} Paint */
/** @typedef {import("./roles.js").RoleName} RoleName */

/** More colors than a palette of roles has. */
const mostPainted = 500;

/** The palette in use: things painted with it, the contrast of all pairs, and how others see it. All follows a color
 * while it is dragged. */
export class InUse {
  element = make("section", { class: "use", "aria-label": "In use" });
  #tab = "";
  /** @type {Paint[]} */
  #colors = [];
  #palette = { id: "", name: "" };
  /** What is made of a color right now, before it is an edit.
   * @type {Paint | null} */
  #ahead = null;
  /** @type {Partial<Record<RoleName, string>>} */
  #chosen = {};
  #frame = 0;
  #selected;
  #light = new Things(false, ["page", "chart", "poster"]);
  #dark = new Things(true, ["page", "chart", "poster"]);
  #chips = new Map(roleNames.map(([role, title]) => [role, this.#chip(role, title)]));
  #matrix;
  #visions = deficiencies.map(([kind, title]) => ({ kind, title, things: new Things(false, ["page", "chart"]), strip: make("canvas", { class: "vision-strip", height: 1, "aria-hidden": "true" }) }));

  /** @param {{select(ids: string[]): void, selected(): Paint | null, close(): void}} actions */
  constructor({ select, selected, close }) {
    this.#selected = selected;
    this.#matrix = new ContrastMatrix((text, ground) => select([text.id, ground.id]));
    const preview = make("div", { class: "use-panel" },
      make("div", { class: "roles", role: "group", "aria-label": "Roles" }, ...this.#chips.values()),
      make("div", { class: "scenes" }, this.#light.element, this.#dark.element));
    const visions = make("div", { class: "use-panel visions", tabIndex: 0 }, ...this.#visions.map(({ title, things, strip }) =>
      make("section", { "aria-label": title }, make("h3", {}, title), strip, things.element)));
    const contrast = make("div", { class: "use-panel" }, this.#matrix.element);
    const { list, choose } = makeTabs("In use",
      [["preview", "Preview", preview], ["contrast", "Contrast", contrast], ["vision", "Color vision", visions]], (id) => {
        this.#tab = id;
        this.#draw();
      });
    this.element.append(make("div", { class: "beside-head" }, list,
      make("button", { class: "quiet", "aria-label": "Close in use", onclick: close }, "✕")), preview, contrast, visions);
    choose("preview");
  }

  /** @param {{id: string, name: string}} palette @param {Paint[]} colors */
  show(palette, colors) {
    if (palette.id !== this.#palette.id) {
      this.#chosen = read(palette.id);
      this.#ahead = null;
    }
    this.#palette = palette;
    this.#colors = colors;
    this.#schedule();
  }

  /** Shows a color as it is being made, or as it is when there is none.
   * @param {Paint | null} color */
  preview(color) {
    this.#ahead = color;
    this.#schedule();
  }

  /** Gives a role to a color; the color that has it loses it, and the role is guessed again.
   * @param {string} role @param {string} id */
  cast(role, id) {
    const name = roleNames.find(([one]) => one === role)?.[0];
    if (!name) return;
    if (this.#chosen[name] === id) delete this.#chosen[name];
    else this.#chosen[name] = id;
    localStorage.setItem(rolesKey + this.#palette.id, JSON.stringify(this.#chosen));
    this.#schedule();
  }

  /** @param {RoleName} role @param {string} title */
  #chip(role, title) {
    return make("button", { class: "role", "data-cast": role, title: "Drag a color here, or select one and press", onclick: () => {
      const id = this.#selected()?.id ?? this.#chosen[role];
      if (id) this.cast(role, id);
    } }, swatch("#000"), make("span", {}, make("b", {}, title), make("span", { class: "value" })));
  }

  #schedule() {
    if (this.#frame || !this.element.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** The colors as they are being made.
   * @returns {Paint[]} */
  get #paints() {
    const ahead = this.#ahead;
    const colors = this.#colors.length > mostPainted ? this.#colors.slice(0, mostPainted) : this.#colors;
    return ahead ? colors.map((color) => (color.id === ahead.id ? { ...color, hex: ahead.hex } : color)) : colors;
  }

  #draw() {
    if (!this.element.isConnected) return;
    const paints = this.#paints;
    if (this.#tab === "contrast") return this.#matrix.show(paints);
    const light = guessRoles(paints, false, this.#chosen);
    const names = new Map(paints.map(({ id, name }) => [id, name]));
    const series = light.series.map(({ id }) => names.get(id ?? "") ?? "");
    if (this.#tab === "vision") {
      for (const { kind, things, strip } of this.#visions) {
        const seenAs = (/** @type {string} */ hex) => simulated(hex.slice(0, 7), kind);
        things.paint(light, this.#palette.name, series, seenAs);
        paintStrip(strip, paints, seenAs);
      }
      return;
    }
    const same = (/** @type {string} */ hex) => hex;
    this.#light.paint(light, this.#palette.name, series, same);
    const dark = guessRoles(paints, true, this.#chosen);
    this.#dark.paint(dark, this.#palette.name, dark.series.map(({ id }) => names.get(id ?? "") ?? ""), same);
    for (const [role, chip] of this.#chips) {
      const { hex, id } = light[role];
      const [area, words] = /** @type {HTMLElement[]} */ ([...chip.children]);
      area.style.setProperty("--color", hex);
      const text = id ? names.get(id) ?? "" : "made to fit";
      const label = /** @type {HTMLElement} */ (words.lastElementChild);
      if (label.textContent !== text) label.textContent = text;
      chip.classList.toggle("chosen", this.#chosen[role] !== undefined && this.#chosen[role] === id);
    }
  }
}

/** @param {string} id @returns {Partial<Record<RoleName, string>>} */
function read(id) {
  try {
    return JSON.parse(localStorage.getItem(rolesKey + id) ?? "{}");
  } catch {
    return {};
  }
}

/** @type {Map<string, string>} */
const seen = new Map();

/** @param {string} hex @param {string} kind */
function simulated(hex, kind) {
  const key = hex + kind;
  let color = seen.get(key);
  if (!color) {
    if (seen.size > 12 * mostPainted) seen.clear();
    color = simulate(hex, kind);
    seen.set(key, color);
  }
  return color;
}

/** @param {HTMLCanvasElement} strip @param {Paint[]} paints @param {(hex: string) => string} seenAs */
function paintStrip(strip, paints, seenAs) {
  if (strip.width !== Math.max(1, paints.length)) strip.width = Math.max(1, paints.length);
  const context = strip.getContext("2d");
  paints.forEach(({ hex }, index) => {
    if (!context) return;
    context.fillStyle = seenAs(hex);
    context.fillRect(index, 0, 1, 1);
  });
}

/** The role that is shown at a point; null where there is none.
 * @param {number} x @param {number} y */
export function roleAt(x, y) {
  for (const element of document.elementsFromPoint(x, y)) {
    const target = element.closest("[data-cast]");
    if (target instanceof HTMLElement) return target.dataset.cast ?? null;
  }
  return null;
}
