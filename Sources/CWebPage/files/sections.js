// Colors in groups, which names with slashes make, as token files have them. Pure.

import { blockAt } from "./layout.js";

/** @typedef {import("./diff.js").Color} Color */
/** A group with how many colors there are in it, and how many of them are shown, from which place on.
 * @typedef {{name: string, total: number, first: number, count: number}} Section */

/** The group of a name, which is what stands before its first slash; empty where it has none.
 * @param {string} name */
export function groupOf(name) {
  const at = name.indexOf("/");
  return at > 0 && at < name.length - 1 ? name.slice(0, at).trim() : "";
}

/** The part of a name behind its group, which stands above it.
 * @param {string} name */
export function nameInGroup(name) {
  return groupOf(name) ? name.slice(name.indexOf("/") + 1).trim() : name;
}

/** Colors in sections: first those without a group, then each group where its first color stands, every one in the order
 * that it had. Of groups that are closed nothing is shown.
 * @param {readonly Color[]} colors @param {{has(name: string): boolean}} closed
 * @returns {{shown: Color[], sections: Section[]}} */
export function sectioned(colors, closed) {
  /** @type {Map<string, Color[]>} */
  const groups = new Map([["", []]]);
  for (const color of colors) {
    const name = groupOf(color.name);
    const members = groups.get(name);
    if (members) members.push(color);
    else groups.set(name, [color]);
  }
  /** @type {Color[]} */
  const shown = [];
  /** @type {Section[]} */
  const sections = [];
  for (const [name, members] of groups) {
    if (members.length === 0) continue;
    const first = shown.length;
    if (name === "" || !closed.has(name)) for (const color of members) shown.push(color);
    sections.push({ name, total: members.length, first, count: shown.length - first });
  }
  return { shown, sections };
}

/** The place among all others of colors that are dropped at a place among those that are shown. At an edge between two
 * sections they stay with their group.
 * @param {readonly Color[]} all @param {readonly Color[]} shown @param {readonly string[]} ids @param {number} at */
export function placeAmong(all, shown, ids, at) {
  const moved = new Set(ids);
  const stays = (/** @type {Color} */ { id }) => !moved.has(id);
  const others = all.filter(stays);
  const visible = shown.filter(stays);
  const previous = visible[at - 1];
  const next = visible[at];
  const group = groupOf(all.find(({ id }) => id === ids[0])?.name ?? "");
  const isWithPrevious = previous && (!next || (groupOf(previous.name) === group && groupOf(next.name) !== group));
  if (isWithPrevious) return others.indexOf(previous) + 1;
  return next ? others.indexOf(next) : 0;
}

/** The cell that is so many rows away from another one, in the same column if it can be.
 * @param {import("./layout.js").Shape} shape @param {number} count @param {number} index @param {number} rows so many down, or up if negative
 * @returns {number} */
export function rowsFrom({ columns, blocks }, count, index, rows) {
  const { first, count: room } = blockAt(blocks, "first", index);
  const column = (index - first) % columns;
  if (rows === 0) return index;
  const isDown = rows > 0;
  let to = index + (isDown ? columns : -columns);
  if (isDown && to - column >= first + room) {
    const next = blockAt(blocks, "first", first + room);
    to = first + room < count ? Math.min(next.first + column, next.first + next.count - 1) : index;
  } else if (isDown) to = Math.min(to, first + room - 1);
  else if (to < first) {
    const { first: begin } = blockAt(blocks, "first", first - 1);
    to = first > 0 ? Math.min(begin + Math.floor((first - 1 - begin) / columns) * columns + column, first - 1) : index;
  }
  return rowsFrom({ columns, blocks, width: 0, height: 0, gap: 0 }, count, to, rows + (isDown ? -1 : 1));
}
