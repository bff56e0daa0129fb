// The plane of lightness and chroma at one hue of OKLCH: its pixels, and the edges of what screens can show.

import { coded } from "./conversions.js";

/** The chroma at the right edge of the plane: a little more than any color of Display P3 has. */
export const widestChroma = 0.37;

/** Coded values by linear light, as bytes: a power for each channel of each pixel would take most of the time. */
const steps = 4096;
const bytes = Uint8ClampedArray.from({ length: steps + 1 }, (_, index) => Math.round(coded(index / steps) * 255));

/** What a unit of chroma at a hue adds to the three roots of cone light.
 * @param {number} hue in degrees */
function slopes(hue) {
  const [a, b] = [Math.cos((hue * Math.PI) / 180), Math.sin((hue * Math.PI) / 180)];
  return [
    0.3963377774 * a + 0.2158037573 * b, -0.1055613458 * a - 0.0638541728 * b, -0.0894841775 * a - 1.291485548 * b,
  ];
}

/** From cone light to linear sRGB, and to linear Display P3. */
const toSRGB = [
  4.0767416621, -3.3077115913, 0.2309699292, -1.2684380046, 2.6097574011, -0.3413193965, -0.0041960863, -0.7034186147, 1.707614701,
];
const srgbToP3 = [0.8224619687, 0.1775380313, 0, 0.0331941989, 0.9668058011, 0, 0.0170826307, 0.0723974407, 0.9105199286];
const toP3 = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) =>
  [0, 1, 2].reduce((sum, index) => sum + srgbToP3[row * 3 + index] * toSRGB[index * 3 + column], 0)));

/** How far outside of a gamut light may be that is coded as one inside: codes are dense where it is dark. */
const [least, most] = [-0.0005 / 12.92, 1.0011];

/** The largest chroma of a gamut at a lightness and hue.
 * @param {number} lightness @param {number[]} slope @param {number[]} matrix */
function edge(lightness, slope, matrix) {
  if (lightness <= 0 || lightness >= 1) return 0;
  let low = 0;
  let high = 0.5;
  for (let step = 0; step < 14; step++) {
    const chroma = (low + high) / 2;
    let l = lightness + slope[0] * chroma;
    let m = lightness + slope[1] * chroma;
    let s = lightness + slope[2] * chroma;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    const r = matrix[0] * l + matrix[1] * m + matrix[2] * s;
    const g = matrix[3] * l + matrix[4] * m + matrix[5] * s;
    const b = matrix[6] * l + matrix[7] * m + matrix[8] * s;
    if (Math.min(r, g, b) >= least && Math.max(r, g, b) <= most) low = chroma;
    else high = chroma;
  }
  return low;
}

/** The largest chroma of sRGB and of Display P3 at evenly spaced lightnesses, from 0 to 1.
 * @param {number} hue @param {number} count */
export function edges(hue, count) {
  const slope = slopes(hue);
  const at = (/** @type {number[]} */ matrix) => Array.from({ length: count }, (_, index) => edge(index / (count - 1), slope, matrix));
  return { srgb: at(toSRGB), p3: at(toP3) };
}

/** Fills RGBA pixels: chroma grows to the right, lightness upwards. What the wider gamut cannot show stays clear, and
 * what only a wider screen could show is pale on others.
 * @param {Uint8ClampedArray} data @param {number} width @param {number} height @param {number} hue
 * @param {boolean} isWide whether the pixels are of Display P3 */
export function fillPlane(data, width, height, hue, isWide) {
  const [kl, km, ks] = slopes(hue);
  const [rl, rm, rs, gl, gm, gs, bl, bm, bs] = isWide ? toP3 : toSRGB;
  const bounds = edges(hue, height);
  const step = widestChroma / (width - 1);
  for (let y = 0; y < height; y++) {
    const row = height - 1 - y;
    const lightness = row / (height - 1);
    const inner = Math.floor(bounds.srgb[row] / step);
    const outer = Math.min(width - 1, Math.floor(bounds.p3[row] / step));
    let at = y * width * 4;
    for (let x = 0; x <= outer; x++, at += 4) {
      const chroma = x * step;
      let l = lightness + kl * chroma;
      let m = lightness + km * chroma;
      let s = lightness + ks * chroma;
      l = l * l * l;
      m = m * m * m;
      s = s * s * s;
      data[at] = byteOf(rl * l + rm * m + rs * s);
      data[at + 1] = byteOf(gl * l + gm * m + gs * s);
      data[at + 2] = byteOf(bl * l + bm * m + bs * s);
      data[at + 3] = x <= inner || isWide ? 255 : 150;
    }
    data.fill(0, at, (y + 1) * width * 4);
  }
}

/** @param {number} light */
const byteOf = (light) => bytes[light <= 0 ? 0 : light >= 1 ? steps : (light * steps + 0.5) | 0];
