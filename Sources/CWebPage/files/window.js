// Which cells of a large table are in view, and where a key leads. Pure.

/** The part of a list that is in view, with one item of margin on each side.
 * @param {number} from @param {number} room @param {number} size @param {number} count */
export function windowOf(from, room, size, count) {
  const first = Math.max(0, Math.floor(from / size) - 1);
  return { first, last: Math.min(count, Math.ceil((from + room) / size) + 1) };
}

/** The cell that a key leads to; null where it leads nowhere.
 * @param {string} key @param {[number, number]} at row and column @param {number} count of rows, and of columns
 * @returns {[number, number] | null} */
export function stepOf(key, [row, column], count) {
  /** @type {Record<string, [number, number]>} */
  const places = {
    ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
    Home: [row, 0], End: [row, count - 1], PageUp: [row - 8, column], PageDown: [row + 8, column],
  };
  const place = places[key];
  if (!place) return null;
  const limit = (/** @type {number} */ value) => Math.min(count - 1, Math.max(0, value));
  return [limit(place[0]), limit(place[1])];
}
