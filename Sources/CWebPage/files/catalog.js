// Lists of palettes: their order, and what differences and edits make of them. Pure.

/** @typedef {import("./library.js").Palette} Palette */
/** @typedef {import("./queue.js").Edit} Edit */

/** @param {Palette} left @param {Palette} right */
export function byName(left, right) {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : left.id < right.id ? -1 : 1;
}

/** Those first that were edited last; what nobody has told the time of is being edited.
 * @param {Palette} left @param {Palette} right */
export function byEdit(left, right) {
  const [one, other] = [left.edited ?? "~", right.edited ?? "~"];
  return one > other ? -1 : one < other ? 1 : byName(left, right);
}

/** "Sea" is followed by "Sea 2", and that by "Sea 3".
 * @param {string} name */
export function nextName(name) {
  const [, base, number] = /^(.*?)(?: (\d{1,6}))?$/s.exec(name) ?? [];
  return `${base} ${Number(number ?? 1) + 1}`;
}

/** The palettes after a difference of the library.
 * @param {Palette[]} palettes @param {{added: Palette[], changed: Palette[], removed: string[]}} difference */
export function changed(palettes, difference, inOrder = byName) {
  const gone = new Set(difference.removed);
  const byID = new Map(palettes.filter(({ id }) => !gone.has(id)).map((palette) => [palette.id, palette]));
  for (const palette of [...difference.added, ...difference.changed]) byID.set(palette.id, palette);
  return [...byID.values()].sort(inOrder);
}

/** The palettes as they will be when the node has the edits, in the node's order.
 * @param {Palette[]} palettes @param {Edit[]} edits @param {Palette[]} dropped @returns {Palette[]} */
export function projectPalettes(palettes, edits, dropped = [], inOrder = byName) {
  if (edits.length === 0) return palettes;
  const byID = new Map(palettes.map((palette) => [palette.id, palette]));
  for (const { palette: id, method, parameters } of edits) {
    const known = byID.get(id);
    if (method === "drop") byID.delete(id);
    else if (known && method === "title") byID.set(id, { ...known, name: parameters.name });
    else if (!known && method === "new") byID.set(id, { id, name: parameters.name, count: 0, digest: "" });
    else if (!known && method === "restore") {
      const was = dropped.find((palette) => palette.id === id);
      if (was) byID.set(id, was);
    }
  }
  return [...byID.values()].sort(inOrder);
}
