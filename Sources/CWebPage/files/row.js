import { make } from "./dom.js";

/** @typedef {import("./diff.js").Color} Color */
/** Somebody else who has a color selected.
 * @typedef {{name: string, hue: number}} Other */

/** An empty row of the grid, with its one cell. */
export function makeRow() {
  const cell = make("div", { role: "gridcell", class: "cell" },
    make("span", { class: "area" }), make("span", { class: "label" },
      make("span", { class: "name" }), make("span", { class: "hex" }), make("span", { class: "note" })),
    make("span", { class: "others" }));
  return make("div", { role: "row", class: "color" }, cell);
}

/** Shows a color in a row.
 * @param {HTMLElement} row @param {Color} color
 * @param {{index: number, isTab: boolean, isSelected: boolean, others: Other[], hex: string}} how
 * @param {() => void} resolve what the chip of a conflict does */
export function fillRow(row, color, { index, isTab, isSelected, others, hex }, resolve) {
  const cell = /** @type {HTMLElement} */ (row.firstElementChild);
  row.setAttribute("aria-rowindex", String(index + 1));
  cell.tabIndex = isTab ? 0 : -1;
  cell.setAttribute("aria-selected", String(isSelected));
  const state = [color.name, color.hex, color.note, color.pending && "not sent yet",
    others.length > 0 && `selected by ${others.map(({ name }) => name).join(", ")}`].filter(Boolean).join(", ");
  if (cell.getAttribute("aria-label") !== state) cell.setAttribute("aria-label", state);
  row.style.setProperty("--color", hex);
  row.classList.toggle("translucent", hex.length > 7);
  row.classList.toggle("pending", Boolean(color.pending));
  setText(row, ".name", color.name);
  setText(row, ".hex", color.hex);
  setText(row, ".note", color.note);
  const marks = row.querySelector(".others");
  const wanted = others.map(({ name }) => name).join("\n");
  if (marks instanceof HTMLElement && marks.dataset.names !== wanted) {
    marks.dataset.names = wanted;
    marks.replaceChildren(...others.map(({ name, hue }) => {
      const mark = make("span", { class: "visitor", title: name }, initials(name));
      mark.style.setProperty("--hue", String(hue));
      return mark;
    }));
  }
  const chip = row.querySelector(".conflict");
  if (color.conflicts.length === 0) chip?.remove();
  else if (!chip) {
    cell.append(make("button", {
      class: "conflict", tabIndex: -1, "aria-label": `Resolve conflict of ${color.name}`,
      onclick: resolve,
    }, "conflict"));
  } else chip.setAttribute("aria-label", `Resolve conflict of ${color.name}`);
}

/** Lets a row fade away.
 * @param {HTMLElement} row */
export function leave(row) {
  row.classList.add("leave");
  row.removeAttribute("data-id");
  row.setAttribute("aria-hidden", "true");
  row.querySelectorAll("button, [tabindex]").forEach((part) => part.setAttribute("inert", ""));
  setTimeout(() => row.remove(), 220);
}

/** @param {HTMLElement} row @param {string} part @param {string} text */
function setText(row, part, text) {
  const element = row.querySelector(part);
  if (element && element.textContent !== text) element.textContent = text;
}

/** What stands for a name where there is room for two letters.
 * @param {string} name */
export function initials(name) {
  return [...name.trim()].slice(0, 2).join("").toUpperCase() || "?";
}

/** A hue of a name's own.
 * @param {string} name */
export function hueOf(name) {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 3600;
  return sum % 360;
}
