/** @typedef {"grid" | "list" | "strips"} Layout */
/** Cells that stand together: the first, how many, and where their rows begin.
 * @typedef {{first: number, count: number, top: number}} Block */
/** How cells stand: so many in a row, each so wide and high, with a gap between; all in pixels. Without blocks all of
 * them stand together.
 * @typedef {{columns: number, width: number, height: number, gap: number, blocks?: Block[]}} Shape */

/** How many cells each group has that begins a row of its own, and how much of the height is for something else.
 * @typedef {{counts: readonly number[], taken: number}} Groups */

/** Sizes that the style needs as well: it has them as custom properties. */
export const sizes = { gap: 4, cell: 118, list: 48, strip: 56, head: 44 };
/** @type {Block[]} */
const whole = [{ first: 0, count: Infinity, top: 0 }];
/** How much wider than high a cell is at best. */
const bestRatio = 1.25;
/** The height of a cell by its width, where not all cells are in view. */
const scrolledRatio = 0.86;

/** The cells with which a number of colors fills a room; where they do not fit, it scrolls.
 * @param {Layout} layout @param {number} count @param {number} width @param {number} height
 * @param {Groups} groups @returns {Shape} */
export function fit(layout, count, width, height, { counts, taken } = alone(count)) {
  if (layout === "list") return { columns: 1, width, height: sizes.list, gap: 0 };
  if (layout === "strips") {
    return { columns: 1, width, height: Math.max(sizes.strip, Math.floor((height - taken) / Math.max(1, count))), gap: 0 };
  }
  const { gap, cell } = sizes;
  const most = Math.max(1, Math.floor((width + gap) / (cell + gap)));
  /** @type {Shape | null} */
  let best = null;
  let least = Infinity;
  // Among few, what is empty is the place of the next one.
  const fullness = count > 4 && counts.length === 1 ? 4 : 1.5;
  for (let columns = 1; columns <= Math.min(most, counts.reduce((one, other) => Math.max(one, other), 0)); columns++) {
    const rows = counts.reduce((sum, one) => sum + Math.ceil(one / columns), 0);
    const shape = shaped(columns, Math.max(1, rows), width, height - taken);
    if (shape.height < cell * scrolledRatio) continue;
    const empty = 1 - count / (columns * Math.max(1, rows));
    const cost = Math.abs(Math.log(shape.width / shape.height / bestRatio)) + fullness * empty;
    if (cost < least) [best, least] = [shape, cost];
  }
  if (best) return best;
  const wide = (width - gap * (most - 1)) / most;
  return { columns: most, width: wide, height: Math.round(wide * scrolledRatio), gap };
}

/** @param {number} count @returns {Groups} */
const alone = (count) => ({ counts: [count], taken: 0 });

/** @param {number} columns @param {number} rows @param {number} width @param {number} height @returns {Shape} */
function shaped(columns, rows, width, height) {
  const { gap } = sizes;
  return { columns, width: (width - gap * (columns - 1)) / columns, height: Math.floor((height - gap * (rows - 1)) / rows), gap };
}

/** The last block that begins at a place or before it.
 * @param {Block[] | undefined} blocks @param {"first" | "top"} key @param {number} value */
export function blockAt(blocks = whole, key, value) {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle][key] <= value) low = middle;
    else high = middle - 1;
  }
  return blocks[low];
}

/** Where a cell stands.
 * @param {Shape} shape @param {number} index */
export function positionOf({ columns, width, height, gap, blocks }, index) {
  const { first, top } = blockAt(blocks, "first", index);
  const at = index - first;
  return { x: (at % columns) * (width + gap), y: top + Math.floor(at / columns) * (height + gap) };
}

/** The first cell of the row that is so far down.
 * @param {Shape} shape @param {number} y */
export function rowAt({ columns, height, gap, blocks }, y) {
  const { first, count, top } = blockAt(blocks, "top", y + sizes.head);
  return first + Math.min(Math.max(0, Math.floor((y - top) / (height + gap))) * columns, count);
}

/** How long so many cells are.
 * @param {Shape} shape @param {number} count */
export function lengthOf({ columns, height, gap, blocks = whole }, count) {
  const { first, top } = blocks[blocks.length - 1];
  return Math.max(0, top + Math.ceil((count - first) / columns) * (height + gap) - gap);
}

/** The place in front of which something would go that is dropped at a point, and where it shows: at the end of a row, or
 * of a block, behind the last cell there.
 * @param {Shape} shape @param {number} count @param {number} x @param {number} y */
export function dropAt({ columns, width, height, gap, blocks }, count, x, y) {
  const { first, count: most, top } = blockAt(blocks, "top", y + sizes.head);
  const room = Math.min(most, count - first);
  const isList = columns === 1;
  const far = (y - top) / (height + gap);
  const last = Math.max(0, Math.ceil(room / columns) - 1);
  const row = isList ? Math.min(room, Math.max(0, Math.round(far))) : Math.min(last, Math.max(0, Math.floor(far)));
  const across = far > last + 1 ? columns : Math.min(columns, Math.max(0, Math.round(x / (width + gap))));
  const column = isList ? 0 : Math.min(across, room - row * columns);
  return { at: first + row * columns + column, x: column * (width + gap), y: top + row * (height + gap) };
}

/** Where a cell stands while one is held at another place than its own, and the others make room.
 * @param {number} index @param {number} from the place of the one that is held @param {number} at where it is held */
export function heldPlace(index, from, at) {
  if (index === from) return at;
  return index - Number(index > from && index <= at) + Number(index < from && index >= at);
}

/** The cell to which a key leads from another one; undefined where the key leads nowhere.
 * @param {string} key @param {Shape} shape @param {number} count @param {number} index @param {number} page in rows */
export function cellBy(key, shape, count, index, page) {
  /** @type {Record<string, number>} */
  const rows = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
  /** @type {Record<string, number>} */
  const cells = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 };
  const to = key in rows ? index + rows[key] * shape.columns : cells[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}
