import { clip, toHex, mapToSRGB } from "./color.js";
import { oklabToRGB, rgbToOKLab, rgbToOKLCH, wrapHue, oklchToRGB } from "./conversions.js";

/** @typedef {import("./color.js").RGB} RGB */

/** Turns of the OKLCH hue, by kind of harmony.
 * @type {Record<string, number[]>} */
const turns = {
  Complementary: [0, 180], Triad: [0, 120, 240], Tetrad: [0, 90, 180, 270],
  Analogous: [-30, 0, 30], Split: [0, 150, 210],
};

/** What can be made from one color. */
export const kinds = [...Object.keys(turns), "Tints", "Shades", "OKLCH ramp"];

/** The colors, as hex.
 * @param {RGB} rgb @param {string} kind @param {number} steps */
export function harmony(rgb, kind, steps) {
  const lch = rgbToOKLCH(rgb);
  if (kind in turns) {
    return turns[kind].map((turn) => turn === 0 ? toHex(clip(rgb)) : toHex(mapToSRGB(oklchToRGB({ ...lch, h: wrapHue(lch.h + turn) }))));
  }
  const part = (/** @type {number} */ index) => index / Math.max(1, steps - 1);
  if (kind === "OKLCH ramp") {
    return Array.from({ length: steps }, (_, index) => {
      const l = 0.97 - 0.82 * part(index);
      // Less chroma at both ends, where light and dark colors look muddy with much of it.
      const c = lch.c * Math.sin(Math.PI * (0.12 + 0.76 * part(index))) ** 0.5;
      return toHex(mapToSRGB(oklchToRGB({ l, c, h: lch.h })));
    });
  }
  const from = rgbToOKLab(rgb);
  const to = kind === "Tints" ? { l: 1, a: 0, b: 0 } : { l: 0, a: 0, b: 0 };
  return Array.from({ length: steps }, (_, index) => {
    const share = index / steps;
    const mix = (/** @type {"l" | "a" | "b"} */ axis) => from[axis] + (to[axis] - from[axis]) * share;
    return toHex(clip(oklabToRGB({ l: mix("l"), a: mix("a"), b: mix("b") })));
  });
}
