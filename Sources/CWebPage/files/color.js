import { clamp, linear, oklchToRGB, rgbToHSL, rgbToOKLab, rgbToOKLCH } from "./conversions.js";
import { narrow, spaces, writeIn } from "./spaces.js";

// Parsing and printing colors, and what sRGB has of them. Pure: numbers in, numbers out.

/** @typedef {import("./conversions.js").RGB} RGB */
/** @typedef {import("./conversions.js").HSB} HSB */
/** @typedef {import("./conversions.js").OKLCH} OKLCH */
/** A parsed color: its value in sRGB, which may reach beyond 0 to 1, its alpha from 0 to 1, and the space that it is written
 * in: a name of CSS, or "hex".
 * @typedef {{rgb: RGB, alpha: number, space: string}} Parsed */
/** @typedef {{rgb: RGB, alpha: number}} Value */

/** Whether sRGB can show a color.
 * @param {RGB} rgb */
export function inGamut({ r, g, b }) {
  return Math.min(r, g, b) >= -0.0005 && Math.max(r, g, b) <= 1.0005;
}

/** @param {RGB} rgb @returns {RGB} */
export function clip({ r, g, b }) {
  return { r: clamp(r, 0, 1), g: clamp(g, 0, 1), b: clamp(b, 0, 1) };
}

/** Whether Display P3 can show a color.
 * @param {RGB} rgb */
export function inP3(rgb) {
  const [r, g, b] = spaces["display-p3"].fromRGB(rgb);
  return inGamut({ r, g, b });
}

/** The largest chroma that a gamut has at a lightness and hue: that of sRGB unless another one is asked.
 * @param {number} l @param {number} h */
export function chromaEdge(l, h, isInside = inGamut) {
  if (l <= 0 || l >= 1) return 0;
  let low = 0;
  let high = 0.4;
  for (let step = 0; step < 18; step++) {
    const middle = (low + high) / 2;
    if (isInside(oklchToRGB({ l, c: middle, h }))) low = middle;
    else high = middle;
  }
  return low;
}

/** The color of sRGB with the same lightness and hue and as much chroma as fits.
 * @param {OKLCH} lch */
export function fitOKLCH(lch) {
  const rgb = oklchToRGB(lch);
  return clip(inGamut(rgb) ? rgb : oklchToRGB({ ...lch, c: chromaEdge(lch.l, lch.h) }));
}

/** The color of sRGB that is nearest, as CSS Color 4 finds it: chroma is reduced until clipping makes no visible difference.
 * @param {RGB} rgb @returns {RGB} */
export function mapToSRGB(rgb) {
  if (Math.min(rgb.r, rgb.g, rgb.b) >= -0.000075 && Math.max(rgb.r, rgb.g, rgb.b) <= 1.000075) return clip(rgb);
  const { l, c, h } = rgbToOKLCH(rgb);
  if (l >= 1) return grey(1);
  if (l <= 0) return grey(0);
  const at = (/** @type {number} */ chroma) => oklchToRGB({ l, c: chroma, h });
  let [low, high, current, isLowInside] = [0, Math.min(c, 1000), c, true];
  if (clippingError(at(current)) < noticeable) return clip(at(current));
  while (high - low > 0.0001) {
    current = (low + high) / 2;
    const now = at(current);
    if (isLowInside && Math.min(now.r, now.g, now.b) >= 0 && Math.max(now.r, now.g, now.b) <= 1) {
      low = current;
      continue;
    }
    const error = clippingError(now);
    if (error >= noticeable) high = current;
    else if (noticeable - error < 0.0001) break;
    else [low, isLowInside] = [current, false];
  }
  return clip(at(current));
}

const noticeable = 0.02;

/** @param {RGB} rgb */
function clippingError(rgb) {
  const [one, other] = [rgbToOKLab(clip(rgb)), rgbToOKLab(rgb)];
  return Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b);
}

/** @param {number} value */
const grey = (value) => ({ r: value, g: value, b: value });

/** `#rrggbb`, or `#rrggbbaa` where the alpha is not 1; rounds to nearest.
 * @param {RGB} rgb */
export function toHex(rgb, alpha = 1) {
  const bytes = [rgb.r, rgb.g, rgb.b, ...(alpha < 1 ? [alpha] : [])];
  return `#${bytes
    .map((part) => Math.round(clamp(part, 0, 1) * 255).toString(16).padStart(2, "0"))
    .join("")}`;
}

/** @param {string} text @returns {Parsed | null} */
export function parseHex(text) {
  const digits = text.replace(/^#/, "");
  if (!/^[0-9a-f]+$/i.test(digits) || ![3, 4, 6, 8].includes(digits.length)) return null;
  const pairs = digits.length < 5 ? [...digits].map((digit) => digit + digit) : digits.match(/../g);
  const [r, g, b, alpha = 1] = (pairs ?? []).map((pair) => parseInt(pair, 16) / 255);
  return { rgb: { r, g, b }, alpha, space: "hex" };
}

/** Reads every color that CSS writes with numbers, hsb() as well, and the names of the presets; null for all else.
 * @param {string} text @returns {Parsed | null} */
export function parseColor(text) {
  const source = text.trim().toLowerCase();
  const hex = parseHex(source);
  if (hex) return hex;
  if (named.has(source)) return parseHex(named.get(source) ?? "");
  if (source === "transparent") return { rgb: { r: 0, g: 0, b: 0 }, alpha: 0, space: "hex" };
  const call = /^([a-z]+)\(\s*([^()]*)\)$/.exec(source);
  if (!call) return null;
  const parts = call[2].split(/[\s,/]+/).filter(Boolean);
  const name = call[1] === "color" ? (parts.shift() ?? "").replace(/^xyz$/, "xyz-d65") : call[1].replace(/^(rgb|hsl)a$/, "$1");
  if (parts.length < 3 || parts.length > 4 || (call[1] === "color") !== isPredefined(name)) return null;
  const numbers = parts.map((part, index) => componentOf(part, wholes(name)[index] ?? 1));
  const alpha = parts.length === 4 ? clamp(numbers[3], 0, 1) : 1;
  const triple = /** @type {import("./spaces.js").Triple} */ (numbers.slice(0, 3));
  const isRGB = call[1] !== "color" && name === "rgb";
  if (numbers.some(Number.isNaN) || (!isRGB && !spaces[name])) return null;
  const rgb = isRGB ? { r: triple[0] / 255, g: triple[1] / 255, b: triple[2] / 255 } : spaces[name].toRGB(triple);
  const isWhole = isRGB && triple.every((part) => Number.isInteger(part));
  return { rgb, alpha, space: isRGB ? (isWhole ? "hex" : "srgb") : name };
}

/** @param {string} name */
const isPredefined = (name) => /^(srgb|srgb-linear|display-p3|a98-rgb|prophoto-rgb|rec2020|xyz-d65|xyz-d50)$/.test(name);

/** What 100 % is of each component.
 * @param {string} name */
function wholes(name) {
  if (name === "rgb") return [255, 255, 255];
  if (["hsl", "hsb", "hwb"].includes(name)) return [360, 100, 100];
  if (name === "lab") return [100, 125, 125];
  if (name === "lch") return [100, 150, 360];
  return name === "oklab" ? [1, 0.4, 0.4] : name === "oklch" ? [1, 0.4, 360] : [1, 1, 1];
}

/** @param {string} part @param {number} whole */
function componentOf(part, whole) {
  if (part === "none") return 0;
  const [, number, unit] = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(%|deg|turn|rad|grad)?$/.exec(part) ?? [];
  if (number === undefined) return NaN;
  const factor = unit ? { "%": whole / 100, deg: 1, turn: 360, rad: 180 / Math.PI, grad: 0.9 }[unit] ?? 1 : 1;
  return parseFloat(number) * factor;
}

/** The ways in which a color can be copied. */
export const notations = ["hex", "rgb", "hsl", "oklch", "css"];

/** @param {Value} color @param {string} notation @param {string} name */
export function print({ rgb, alpha }, notation, name = "color") {
  const tail = alpha < 1 ? ` / ${Number(alpha.toFixed(3))}` : "";
  /** @param {number} value @param {number} digits */
  const short = (value, digits) => Number(value.toFixed(digits));
  if (notation === "rgb") {
    const { r, g, b } = mapToSRGB(rgb);
    return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(" ")}${tail})`;
  }
  if (notation === "hsl") {
    const { h, s, l } = rgbToHSL(mapToSRGB(rgb));
    return `hsl(${short(h, 1)} ${short(s, 1)}% ${short(l, 1)}%${tail})`;
  }
  if (notation === "oklch") {
    const { l, c, h } = rgbToOKLCH(rgb);
    return `oklch(${short(l, 4)} ${short(c, 4)} ${short(h, 2)}${tail})`;
  }
  if (notation !== "css") return toHex(mapToSRGB(rgb), alpha);
  const identifier = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `--${identifier || "color"}: ${write({ rgb, alpha, space: "hex" })};`;
}

/** A color as CSS in the space that it is written in; in OKLCH where that space does not reach it.
 * @param {Parsed} color */
export function write({ rgb, alpha, space }) {
  if (narrow.has(space) && !inGamut(rgb)) return writeIn("oklch", rgb, alpha);
  return space === "hex" ? toHex(rgb, alpha) : writeIn(space, rgb, alpha);
}

/** The relative luminance of WCAG.
 * @param {RGB} rgb */
export function luminance({ r, g, b }) {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** The contrast ratio of WCAG 2.
 * @param {RGB} one @param {RGB} other */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (high + 0.05) / (low + 0.05);
}

/** What a ratio is good for.
 * @param {number} ratio */
export function grade(ratio) {
  return ratio >= 7 ? "AAA" : ratio >= 4.5 ? "AA" : ratio >= 3 ? "AA large" : "fails";
}

/** @param {RGB} rgb @param {number} alpha @param {RGB} under */
export function over(rgb, alpha, under) {
  /** @param {"r" | "g" | "b"} part */
  const mix = (part) => rgb[part] * alpha + under[part] * (1 - alpha);
  return { r: mix("r"), g: mix("g"), b: mix("b") };
}

/** The presets, which are also the names that this page reads by itself. */
export const presets = `
  Black 000000, White ffffff, Gray 808080, Silver c0c0c0, Red ff0000, Crimson dc143c, Tomato ff6347,
  Coral ff7f50, Orange ffa500, Gold ffd700, Yellow ffff00, Khaki f0e68c, Olive 808000, Lime 00ff00,
  Green 008000, Seagreen 2e8b57, Teal 008080, Turquoise 40e0d0, Cyan 00ffff, Skyblue 87ceeb,
  Steelblue 4682b4, Royalblue 4169e1, Blue 0000ff, Navy 000080, Indigo 4b0082, Purple 800080,
  Magenta ff00ff, Orchid da70d6, Plum dda0dd, Pink ffc0cb, Salmon fa8072, Sienna a0522d,
  Chocolate d2691e, Brown a52a2a, Maroon 800000, Beige f5f5dc, Ivory fffff0, Lavender e6e6fa
`.trim().split(/,\s+/).map((entry) => entry.split(" ")).map(([name, hex]) => [name, `#${hex}`]);

/** @type {Map<string, string>} */
const named = new Map(presets.map(([name, hex]) => [name.toLowerCase(), hex]));
