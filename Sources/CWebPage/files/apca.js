// Contrast of all pairs: what a pair needs is worked out once a color, so that a pair costs a subtraction.

import { luminance, parseHex } from "./color.js";

/** A color as contrast sees it: the relative luminance of WCAG 2, and the perceived lightness of APCA as a text and as
 * a ground, once where the ground is the lighter one and once where the text is.
 * @typedef {{y: number, light: number, darkText: number, lightGround: number, lightText: number, darkGround: number}} Measure */

/** How APCA 0.1.9 (0.0.98G-4g) lifts what is nearly black: the eye and the screen add light of their own.
 * @param {number} y */
const lifted = (y) => (y > 0.022 ? y : y + (0.022 - y) ** 1.414);

/** @param {string} hex of an opaque color @returns {Measure} */
export function measure(hex) {
  const { r, g, b } = (parseHex(hex) ?? { rgb: { r: 0, g: 0, b: 0 } }).rgb;
  const light = lifted(0.2126729 * r ** 2.4 + 0.7151522 * g ** 2.4 + 0.072175 * b ** 2.4);
  return {
    y: luminance({ r, g, b }), light,
    darkText: light ** 0.57, lightGround: light ** 0.56, lightText: light ** 0.62, darkGround: light ** 0.65,
  };
}

/** The contrast ratio of WCAG 2.
 * @param {Measure} text @param {Measure} ground */
export function ratio(text, ground) {
  return text.y > ground.y ? (text.y + 0.05) / (ground.y + 0.05) : (ground.y + 0.05) / (text.y + 0.05);
}

/** The lightness contrast of APCA: above 0 for a dark text on a light ground, below 0 for a light text.
 * @param {Measure} text @param {Measure} ground */
export function lightnessContrast(text, ground) {
  if (Math.abs(ground.light - text.light) < 0.0005) return 0;
  if (ground.light > text.light) {
    const contrast = (ground.lightGround - text.darkText) * 1.14;
    return contrast < 0.1 ? 0 : (contrast - 0.027) * 100;
  }
  const contrast = (ground.darkGround - text.lightText) * 1.14;
  return contrast > -0.1 ? 0 : (contrast + 0.027) * 100;
}

/** What a pair must reach: a ratio of WCAG 2 or a lightness contrast of APCA.
 * @typedef {{name: string, title: string, passes(text: Measure, ground: Measure): boolean}} Threshold */

/** @param {number} least @param {string} title @returns {Threshold} */
const wcag = (least, title) => ({ name: `wcag-${least}`, title, passes: (text, ground) => ratio(text, ground) >= least });
/** @param {number} least @param {string} title @returns {Threshold} */
const apca = (least, title) =>
  ({ name: `apca-${least}`, title, passes: (text, ground) => Math.abs(lightnessContrast(text, ground)) >= least });

/** @type {Threshold[]} */
export const thresholds = [
  wcag(3, "3 : 1, large text"), wcag(4.5, "4.5 : 1, AA"), wcag(7, "7 : 1, AAA"),
  apca(45, "Lc 45, headlines"), apca(60, "Lc 60, text"), apca(75, "Lc 75, long text"),
];

/** How many ordered pairs of different colors reach a threshold.
 * @param {Measure[]} measures @param {Threshold} threshold */
export function countPassing(measures, { passes }) {
  let count = 0;
  for (const text of measures) for (const ground of measures) if (text !== ground && passes(text, ground)) count += 1;
  return count;
}

/** A ratio cut to one decimal: 4.46 is no 4.5.
 * @param {number} value */
export const shortRatio = (value) => (Math.floor(value * 10 + 1e-9) / 10).toFixed(1);
