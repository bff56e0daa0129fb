// What sRGB shows of a color outside of it, as the engine and CSS Color 4 choose it: chroma is taken away until what
// clipping still changes cannot be seen.

import { clip, oklchToRGB, rgbToOKLab } from "./color.js";

/** @typedef {import("./color.js").RGB} RGB */
/** @typedef {import("./color.js").OKLCH} OKLCH */

const justNoticeable = 0.02;
const precision = 0.0001;
/** How far a channel may lie outside and still count as inside, up to what rounding explains. */
const tolerance = 0.000075;

/** @param {RGB} rgb @param {number} [slack] */
const isInside = ({ r, g, b }, slack = 0) => Math.min(r, g, b) >= -slack && Math.max(r, g, b) <= 1 + slack;

/** How far clipping moves a color, in OKLab.
 * @param {OKLCH} lch */
function clippingError(lch) {
  const clipped = rgbToOKLab(clip(oklchToRGB(lch)));
  const angle = (lch.h * Math.PI) / 180;
  return Math.hypot(clipped.l - lch.l, clipped.a - lch.c * Math.cos(angle), clipped.b - lch.c * Math.sin(angle));
}

/** @param {OKLCH} origin @returns {RGB} */
export function mapToSRGB(origin) {
  if (origin.l >= 1) return { r: 1, g: 1, b: 1 };
  if (origin.l <= 0) return { r: 0, g: 0, b: 0 };
  const rgb = oklchToRGB(origin);
  if (isInside(rgb, tolerance) || clippingError(origin) < justNoticeable) return clip(rgb);
  let [low, high] = [0, origin.c];
  let isLowInside = true;
  const current = { ...origin };
  while (high - low > precision) {
    current.c = (low + high) / 2;
    if (isLowInside && isInside(oklchToRGB(current))) {
      low = current.c;
      continue;
    }
    const error = clippingError(current);
    if (error >= justNoticeable) high = current.c;
    else if (justNoticeable - error < precision) break;
    else {
      isLowInside = false;
      low = current.c;
    }
  }
  return clip(oklchToRGB(current));
}
