import { base } from "./address.js";

/** Makes an element. Text becomes text nodes, never markup: names come from strangers. Keys that begin with "on" are
 * listeners, "class" and those with a dash are attributes, all others are properties.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any>} properties @param {...(Node | string | null | false)} children
 * @returns {HTMLElementTagNameMap[Tag]} */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class" || key === "role" || key === "for" || key.includes("-")) element.setAttribute(key, value);
    else Reflect.set(element, key, value);
  }
  for (const child of children) if (child !== null && child !== false) element.append(child);
  return element;
}

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (element);
}

/** Makes elements the children of another one, with as few moves as it takes; what has the focus keeps it.
 * @param {Element} parent @param {Element[]} children */
export function arrange(parent, children) {
  const kept = new Set(children);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = child.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  if (parent.contains(focused) && focused !== document.activeElement) focused?.focus({ preventScroll: true });
}

/** What the browser makes of a CSS color; null where it is none.
 * @param {string} text @returns {import("./color.js").Parsed | null} */
export function readCSS(text) {
  const context = make("canvas", { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  if (!context || /^currentcolor$/i.test(text)) return null;
  const before = context.fillStyle = "#010203";
  context.fillStyle = text;
  if (context.fillStyle === before) return null;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b, alpha] = [...context.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  return { rgb: { r, g, b }, alpha, space: "hex" };
}

/** What to paint a color with: its own value, where the browser knows it; it shows as much of it as the screen can.
 * @param {string} color @param {string} hex */
export function paintable(color, hex) {
  if (/^(#|rgb)/.test(color)) return color;
  return CSS.supports("color", color) ? color : hex;
}

/** Fetches a style sheet, once.
 * @param {string} path @returns {Promise<unknown>} */
export function loadStyle(path) {
  const href = base + path.slice(1);
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = make("link", { rel: "stylesheet", href });
  // What it looks like does not matter more than that it is there.
  const loaded = new Promise((resolve) => (link.onload = link.onerror = resolve));
  document.head.append(link);
  return loaded;
}

/** A swatch that shows transparency on a checkerboard.
 * @param {string} color */
export function swatch(color, name = "swatch") {
  const area = make("span", { class: name, "aria-hidden": "true" });
  area.style.setProperty("--color", color);
  return area;
}

/** Follows a pointer that is pressed on an element: `point` hears where in an area it is, from 0 to 1 across and down,
 * and `end` that it is released.
 * @param {HTMLElement} element @param {HTMLElement} area @param {(x: number, y: number) => void} point @param {() => void} end */
export function followPointer(element, area, point, end) {
  const tell = (/** @type {PointerEvent} */ event) => {
    const box = area.getBoundingClientRect();
    const share = (/** @type {number} */ part) => Math.min(1, Math.max(0, part));
    point(share((event.clientX - box.left) / box.width), share((event.clientY - box.top) / box.height));
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    tell(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) tell(event);
  });
  element.addEventListener("pointerup", end);
}

/** Shows or hides what has the attribute "popover", in front of everything that was shown before.
 * @param {HTMLElement} element @param {boolean} isShown */
export function raise(element, isShown = true) {
  const popover = /** @type {any} */ (element);
  popover.hidePopover();
  if (isShown) popover.showPopover();
}
