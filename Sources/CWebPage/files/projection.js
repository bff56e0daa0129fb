// The list of colors as edits make it that the node has not told of yet. Pure.

import { parseColor, print } from "./color.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./diff.js").Diff} Diff */
/** @typedef {import("./queue.js").Edit} Edit */

/** Whether an edit makes, renames, drops or brings back a palette.
 * @param {Edit} edit */
export function isOfPalette({ method, parameters }) {
  return ["new", "title", "drop"].includes(method) || (method === "restore" && parameters.color === undefined);
}

/** The colors that an edit adds: one, or several together.
 * @param {Record<string, any>} parameters @returns {{id: string, value: string, name?: string, note?: string}[]} */
function additions({ colors, id, value, name, note }) {
  return colors ?? [{ id, value, name, note }];
}

/** The ids of the colors that an edit touches.
 * @param {Edit} edit @returns {string[]} */
export function touched({ method, parameters }) {
  if (method === "act") return parameters.edits.flatMap((/** @type {any} */ one) => touched(partOf(one)));
  if (method === "add") return additions(parameters).map(({ id }) => id);
  return parameters.colors ?? [parameters.color];
}

/** One of several edits that are one action, as if it stood alone.
 * @param {Record<string, any>} part @returns {Edit} */
export function partOf({ method, ...parameters }) {
  return { order: 0, edit: "", palette: "", method, parameters, state: "waiting", wasSent: false };
}

/** The list as it will be when the node has the edits.
 * @param {Color[]} colors @param {Edit[]} edits @returns {Color[]} */
export function project(colors, edits) {
  const own = edits.filter((edit) => !isOfPalette(edit));
  if (own.length === 0) return colors;
  const list = [...colors];
  /** Where colors stand, as long as none comes, goes or moves.
   * @type {Map<string, number> | null} */
  let places = null;
  for (const edit of own) {
    for (const part of edit.method === "act" ? edit.parameters.edits.map(partOf) : [edit]) {
      if (["add", "remove", "move"].includes(part.method)) places = null;
      else places ??= new Map(list.map(({ id }, index) => [id, index]));
      projectOne(list, part, places);
    }
  }
  return list;
}

/** @param {Color[]} list @param {Edit} edit @param {Map<string, number> | null} places */
function projectOne(list, edit, places) {
  const { method, parameters } = edit;
  if (method === "add") {
    const known = new Set(list.map(({ id }) => id));
    const added = additions(parameters).filter(({ id }) => !known.has(id)).map(({ id, value, name, note }) => {
      const hex = hexOf(value);
      return { id, name: name || hex, color: value, hex, index: null, note: note ?? "", conflicts: [], pending: true };
    });
    list.splice(place(list, parameters), 0, ...added);
  } else if (method === "remove") {
    takeOut(list, touched(edit));
  } else if (method === "move") {
    const moved = takeOut(list, touched(edit)).map((color) => ({ ...color, pending: true }));
    list.splice(place(list, parameters), 0, ...moved);
  } else {
    const index = places?.get(parameters.color) ?? -1;
    if (index >= 0) list[index] = { ...list[index], ...written(method, parameters, list[index]), pending: true };
  }
}

/** Takes colors out of a list, and gives them in the order in which they are named.
 * @param {Color[]} list @param {string[]} ids */
function takeOut(list, ids) {
  const wanted = new Set(ids);
  const found = new Map(list.filter(({ id }) => wanted.has(id)).map((color) => [color.id, color]));
  if (found.size > 0) {
    const rest = list.filter(({ id }) => !wanted.has(id));
    list.length = 0;
    for (const color of rest) list.push(color);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** @param {string} method @param {Record<string, any>} parameters @param {Color} color @returns {Partial<Color>} */
function written(method, parameters, color) {
  if (method === "resolve") {
    const { register, value } = parameters;
    const conflicts = color.conflicts.filter((one) => one !== register);
    return { ...(register === "color" ? { color: value, hex: hexOf(value) } : { [register]: value }), conflicts };
  }
  if (method === "set") return { color: parameters.value, hex: hexOf(parameters.value) };
  if (method === "rename") return { name: parameters.name };
  if (method === "note") return { note: parameters.text };
  return {};
}

/** @param {Color[]} list @param {Record<string, any>} parameters */
function place(list, { at, before, after }) {
  if (typeof at === "number") return Math.min(at, list.length);
  const index = list.findIndex(({ id }) => id === (before ?? after));
  if (index < 0) return list.length;
  return before ? index : index + 1;
}

/** @param {string} value */
function hexOf(value) {
  const parsed = parseColor(value);
  return parsed ? print(parsed, "hex") : "#808080";
}

/** Whether a diff holds nothing but what edits of this page do.
 * @param {Diff} diff
 * @param {Edit[]} edits */
export function isOf(diff, edits) {
  if (edits.some(({ method }) => ["undo", "redo", "restore"].includes(method))) return true;
  const own = new Set(edits.flatMap(touched));
  return [...diff.deletions, ...diff.moves].every(({ id }) => own.has(id)) &&
    [...diff.insertions, ...diff.updates].every(({ color }) => own.has(color.id));
}
