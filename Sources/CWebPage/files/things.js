// Real things that are painted with a palette: a web page, a chart with categories, a poster. They are specimens, so
// they are one picture to those who listen, and their colors are the palette's, whatever that does to contrast.

import { make } from "./dom.js";

/** @typedef {import("./roles.js").Roles} Roles */

const letters = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...Element} children */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS(letters, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Words of a specimen. The style writes them: they are part of a picture, and no text that somebody has to read.
 * @param {string} text */
const words = (text) => make("span", { class: "thing-words", "data-text": text });

/** A part that is painted with a role; a color dropped on it gets that role.
 * @param {string} role @param {string} kind @param {...(Node | string)} children */
const part = (role, kind, ...children) =>
  make("div", { class: kind, "data-cast": role }, ...children.map((child) => (typeof child === "string" ? words(child) : child)));

/** @param {string} label @param {string} kind @param {...(Node | string)} children */
const thing = (label, kind, ...children) =>
  make("figure", { class: `thing ${kind}`, role: "img", "aria-label": label, "data-cast": "ground" },
    make("div", { class: "thing-room", "aria-hidden": "true" }, ...children));

/** @param {boolean} isDark */
function webPage(isDark) {
  const card = (/** @type {number} */ number, /** @type {string} */ title, /** @type {string} */ text) =>
    part("surface", "thing-card", make("i", { class: `thing-mark s${number}` }), make("b", {}, words(title)), make("p", {}, words(text)));
  return thing(`A web page, ${isDark ? "dark" : "light"}`, "thing-page",
    make("div", { class: "thing-bar" }, part("accent", "thing-logo"), make("b", { class: "thing-title", "data-cast": "text" }, words("")),
      make("span", {}, words("Work")), make("span", {}, words("About")), part("accent", "thing-button", "Sign in")),
    make("div", { class: "thing-hero" }, part("second", "thing-tag", "New"), part("text", "thing-headline", "Made of light,", make("br"), "kept in order."),
      part("text", "thing-text", "One palette on every screen, the same on Monday as on Friday. ", make("u", { "data-cast": "accent" }, words("Read more"))),
      make("div", { class: "thing-row" }, part("accent", "thing-button", "Get started"), part("accent", "thing-button outlined", "Watch"))),
    make("div", { class: "thing-cards" }, card(1, "Draw", "Lines, areas, type."), card(2, "Share", "With those you like."), card(3, "Keep", "As long as it lasts.")));
}

const heights = [86, 62, 100, 44, 74, 55];

function chart() {
  const bars = heights.map((height, index) => draw("rect", { class: `s${index + 1}`, x: 8 + index * 34, y: 112 - height, width: 24, height, rx: 3 }));
  const lines = [28, 56, 84].map((y) => draw("line", { class: "thing-line", x1: 0, x2: 210, y1: y, y2: y }));
  let turn = -Math.PI / 2;
  const slices = heights.map((size, index) => {
    const from = turn;
    turn += (size / 421) * 2 * Math.PI;
    const at = (/** @type {number} */ angle, /** @type {number} */ radius) =>
      `${(60 + radius * Math.cos(angle)).toFixed(2)} ${(60 + radius * Math.sin(angle)).toFixed(2)}`;
    return draw("path", { class: `s${index + 1}`,
      d: `M${at(from + 0.02, 54)}A54 54 0 0 1 ${at(turn - 0.02, 54)}L${at(turn - 0.03, 32)}A32 32 0 0 0 ${at(from + 0.03, 32)}Z` });
  });
  return thing("A chart with categories", "thing-chart",
    part("text", "thing-caption", "Visits by channel"),
    make("div", { class: "thing-plots" }, draw("svg", { viewBox: "0 0 210 116" }, ...lines, ...bars,
      draw("line", { class: "thing-axis", x1: 0, x2: 210, y1: 112, y2: 112 })), draw("svg", { viewBox: "0 0 120 120" }, ...slices)),
    make("div", { class: "thing-legend" }, ...heights.map((_, index) => make("span", {}, make("i", { class: `s${index + 1}` }), make("span", { class: "thing-words thing-series" })))));
}

/** @param {boolean} isDark */
function poster(isDark) {
  return thing(isDark ? "A poster, dark" : "A poster", "thing-poster", draw("svg", { viewBox: "0 0 300 400", preserveAspectRatio: "xMidYMid slice" },
    draw("circle", { class: "s1", cx: 214, cy: 160, r: 84 }), draw("path", { class: "s2", d: "M0 400V214a150 150 0 0 1 150 150v36z" }),
    draw("rect", { class: "s3", x: 150, y: 286, width: 150, height: 114 }), draw("path", { class: "s4", d: "M150 286a75 75 0 0 1 150 0z" }),
    draw("circle", { class: "s5", cx: 62, cy: 300, r: 30 }), draw("path", { class: "s6", d: "M150 400a57 57 0 0 1 114 0z" })),
  part("text", "thing-shout", ""));
}

/** The things of one page: light or dark, seen with all cones or without some. */
export class Things {
  element;
  #titles;
  #series;

  /** @param {boolean} isDark @param {("page" | "chart" | "poster")[]} kinds */
  constructor(isDark, kinds) {
    const makers = { page: () => webPage(isDark), chart, poster: () => poster(isDark) };
    this.element = make("div", { class: "things" }, ...kinds.map((kind) => makers[kind]()));
    this.#titles = this.element.querySelectorAll(".thing-title > *, .thing-shout > *");
    this.#series = this.element.querySelectorAll(".thing-series");
  }

  /** @param {Roles} roles @param {string} title @param {string[]} names of the categories
   * @param {(hex: string) => string} seenAs what a color looks like */
  paint(roles, title, names, seenAs) {
    const { style } = this.element;
    for (const role of /** @type {const} */ (["ground", "surface", "text", "accent", "second", "onAccent"])) {
      style.setProperty(`--t-${role}`, seenAs(roles[role].hex));
    }
    for (let index = 0; index < 6; index++) {
      const { series } = roles;
      style.setProperty(`--s${index + 1}`, seenAs((series[index % Math.max(1, series.length)] ?? roles.accent).hex));
    }
    for (const element of this.#titles) write(element, title);
    this.#series.forEach((element, index) => {
      const name = names[index] ?? "";
      write(element, name);
      const entry = /** @type {HTMLElement} */ (element.parentElement);
      entry.hidden = name === "";
    });
  }
}

/** @param {Element} element @param {string} text */
function write(element, text) {
  if (element.getAttribute("data-text") !== text) element.setAttribute("data-text", text);
}
