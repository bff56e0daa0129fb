import { clip, parseHex, toHex } from "./color.js";
import { coded, linear } from "./conversions.js";

/** How cones that are missing change linear light, after Machado, Oliveira and Fernandes (2009).
 * @type {Record<string, number[]>} */
const matrices = {
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900],
  achroma: [0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722],
};

/** @type {[string, string][]} */
export const deficiencies = [
  ["", "Full color vision"], ["protan", "Protanopia"], ["deutan", "Deuteranopia"],
  ["tritan", "Tritanopia"], ["achroma", "No color"],
];

/** A color as somebody without some of the cones sees it.
 * @param {string} hex @param {string} deficiency */
export function simulate(hex, deficiency) {
  const matrix = matrices[deficiency];
  const parsed = parseHex(hex);
  if (!matrix || !parsed) return hex;
  const { r, g, b } = parsed.rgb;
  const light = [linear(r), linear(g), linear(b)];
  const [red, green, blue] = [0, 3, 6].map((row) =>
    coded(matrix[row] * light[0] + matrix[row + 1] * light[1] + matrix[row + 2] * light[2]));
  return toHex(clip({ r: red, g: green, b: blue }), parsed.alpha);
}
