// From one way to write a color to another, within sRGB and OKLCH. Pure: numbers in, numbers out.

/** Red, green and blue of sRGB from 0 to 1; beyond that range outside of the gamut.
 * @typedef {{r: number, g: number, b: number}} RGB */
/** Hue in degrees, saturation and brightness from 0 to 100.
 * @typedef {{h: number, s: number, b: number}} HSB */
/** Lightness from 0 to 1, chroma, hue in degrees.
 * @typedef {{l: number, c: number, h: number}} OKLCH */

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** @param {number} degrees */
export const wrapHue = (degrees) => ((degrees % 360) + 360) % 360;

/** @param {RGB} rgb @returns {HSB} */
export function rgbToHSB({ r, g, b }) {
  const most = Math.max(r, g, b);
  const span = most - Math.min(r, g, b);
  return { h: hueOf(r, g, b, most, span), s: most <= 0 ? 0 : (span / most) * 100, b: most * 100 };
}

/** @param {HSB} hsb @returns {RGB} */
export function hsbToRGB({ h, s, b }) {
  /** @param {number} n */
  const channel = (n) => {
    const k = (n + wrapHue(h) / 60) % 6;
    return (b / 100) * (1 - (s / 100) * Math.max(0, Math.min(k, 4 - k, 1)));
  };
  return { r: channel(5), g: channel(3), b: channel(1) };
}

/** @param {RGB} rgb @returns {{h: number, s: number, l: number}} */
export function rgbToHSL({ r, g, b }) {
  const most = Math.max(r, g, b);
  const least = Math.min(r, g, b);
  const span = most - least;
  const l = (most + least) / 2;
  const s = span === 0 ? 0 : span / (1 - Math.abs(2 * l - 1));
  return { h: hueOf(r, g, b, most, span), s: s * 100, l: l * 100 };
}

/** @param {{h: number, s: number, l: number}} hsl @returns {RGB} */
export function hslToRGB({ h, s, l }) {
  const lightness = l / 100;
  const reach = (s / 100) * Math.min(lightness, 1 - lightness);
  /** @param {number} n */
  const channel = (n) => {
    const k = (n + wrapHue(h) / 30) % 12;
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}

/** @param {number} r @param {number} g @param {number} b @param {number} most @param {number} span */
function hueOf(r, g, b, most, span) {
  if (span < 1e-9) return 0;
  if (most === r) return wrapHue(60 * ((g - b) / span));
  if (most === g) return 60 * ((b - r) / span + 2);
  return 60 * ((r - g) / span + 4);
}

/** The light that a coded value of sRGB stands for.
 * @param {number} value */
export function linear(value) {
  const size = Math.abs(value);
  return size <= 0.04045 ? value / 12.92 : Math.sign(value) * ((size + 0.055) / 1.055) ** 2.4;
}

/** The coded value of sRGB for an amount of light.
 * @param {number} value */
export function coded(value) {
  const size = Math.abs(value);
  return size <= 0.0031308
    ? value * 12.92
    : Math.sign(value) * (1.055 * size ** (1 / 2.4) - 0.055);
}

/** @param {RGB} rgb @returns {{l: number, a: number, b: number}} */
export function rgbToOKLab(rgb) {
  const [r, g, b] = [linear(rgb.r), linear(rgb.g), linear(rgb.b)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** @param {{l: number, a: number, b: number}} lab @returns {RGB} */
export function oklabToRGB(lab) {
  const l = (lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b) ** 3;
  const m = (lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b) ** 3;
  const s = (lab.l - 0.0894841775 * lab.a - 1.291485548 * lab.b) ** 3;
  return {
    r: coded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: coded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: coded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  };
}

/** @param {RGB} rgb @returns {OKLCH} */
export function rgbToOKLCH(rgb) {
  const { l, a, b } = rgbToOKLab(rgb);
  const c = Math.hypot(a, b);
  return { l, c, h: c < 1e-4 ? 0 : wrapHue((Math.atan2(b, a) * 180) / Math.PI) };
}

/** @param {OKLCH} lch @returns {RGB} */
export function oklchToRGB({ l, c, h }) {
  const angle = (h * Math.PI) / 180;
  return oklabToRGB({ l, a: c * Math.cos(angle), b: c * Math.sin(angle) });
}
