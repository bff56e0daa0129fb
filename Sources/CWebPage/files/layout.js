/** @typedef {"grid" | "list" | "strips"} Layout */
/** How cells stand: so many in a row, each so wide and high, with a gap between; all in pixels.
 * @typedef {{columns: number, width: number, height: number, gap: number}} Shape */

/** Sizes that the style needs as well: it has them as custom properties. */
export const sizes = { gap: 4, cell: 118, list: 48, strip: 56 };
/** How much wider than high a cell is at best. */
const bestRatio = 1.25;
/** The height of a cell by its width, where not all cells are in view. */
const scrolledRatio = 0.86;

/** The cells with which a number of colors fills a room; where they do not fit, it scrolls.
 * @param {Layout} layout @param {number} count @param {number} width @param {number} height @returns {Shape} */
export function fit(layout, count, width, height) {
  if (layout === "list") return { columns: 1, width, height: sizes.list, gap: 0 };
  if (layout === "strips") {
    return { columns: 1, width, height: Math.max(sizes.strip, Math.floor(height / Math.max(1, count))), gap: 0 };
  }
  const { gap, cell } = sizes;
  const most = Math.max(1, Math.floor((width + gap) / (cell + gap)));
  /** @type {Shape | null} */
  let best = null;
  let least = Infinity;
  for (let columns = 1; columns <= Math.min(most, count); columns++) {
    const shape = shaped(columns, Math.ceil(count / columns), width, height);
    if (shape.height < cell * scrolledRatio) continue;
    const empty = 1 - count / (columns * Math.ceil(count / columns));
    const cost = Math.abs(Math.log(shape.width / shape.height / bestRatio)) + 1.5 * empty;
    if (cost < least) [best, least] = [shape, cost];
  }
  if (best) return best;
  const wide = (width - gap * (most - 1)) / most;
  return { columns: most, width: wide, height: Math.round(wide * scrolledRatio), gap };
}

/** @param {number} columns @param {number} rows @param {number} width @param {number} height @returns {Shape} */
function shaped(columns, rows, width, height) {
  const { gap } = sizes;
  return { columns, width: (width - gap * (columns - 1)) / columns, height: Math.floor((height - gap * (rows - 1)) / rows), gap };
}

/** Where a cell stands.
 * @param {Shape} shape @param {number} index */
export function positionOf({ columns, width, height, gap }, index) {
  return { x: (index % columns) * (width + gap), y: Math.floor(index / columns) * (height + gap) };
}

/** The place in front of which something would go that is dropped at a point.
 * @param {Shape} shape @param {number} count @param {number} x @param {number} y */
export function placeAt({ columns, width, height, gap }, count, x, y) {
  const pitch = height + gap;
  if (columns === 1) return Math.min(Math.max(0, Math.round(y / pitch)), count);
  const column = Math.min(columns, Math.max(0, Math.round(x / (width + gap))));
  return Math.min(Math.max(0, Math.floor(y / pitch) * columns + column), count);
}
