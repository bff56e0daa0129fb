/** @typedef {{id: string, name: string, color: string, hex: string, index: number | null, note: string,
 *   conflicts: string[], seen?: string, pending?: boolean}} Color */
/** @typedef {{palette: string, deletions: {index: number, id: string}[], insertions: {index: number, color: Color}[],
 *   moves: {from: number, to: number, id: string, seen?: string}[], updates: {index: number, color: Color, was: Color}[],
 *   node?: string, author?: string | null, visitor?: string}} Diff */

/** The list after a diff: what goes or moves is taken out by old index, what comes is put in by new index.
 * @param {Color[]} colors @param {Diff} diff @returns {Color[]} */
export function applyDiff(colors, diff) {
  const taken = new Set(diff.deletions.map(({ index }) => index));
  const arrivals = diff.insertions.map(({ index, color }) => ({ index, color }));
  for (const { from, to, seen } of diff.moves) {
    taken.add(from);
    // A move writes to its color: an edit from now on has seen that.
    arrivals.push({ index: to, color: seen === undefined ? colors[from] : { ...colors[from], seen } });
  }
  arrivals.sort((left, right) => left.index - right.index);
  const rest = colors.filter((_, index) => !taken.has(index));
  /** @type {Color[]} */
  const result = [];
  let next = 0;
  for (const { index, color } of arrivals) {
    while (result.length < index && next < rest.length) result.push(rest[next++]);
    result.push(color);
  }
  while (next < rest.length) result.push(rest[next++]);
  for (const { index, color } of diff.updates) result[index] = color;
  return result;
}

/** A short text that is another one when colors are added, removed or edited.
 * @param {Color[]} colors */
export function fingerprint(colors) {
  let hash = colors.length;
  for (const { id, seen } of colors) {
    for (const letter of id + seen) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  }
  return hash.toString(36);
}
