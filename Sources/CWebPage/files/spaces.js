import { coded, hsbToRGB, hslToRGB, linear, oklabToRGB, oklchToRGB, rgbToHSB, rgbToHSL, rgbToOKLab, rgbToOKLCH } from "./conversions.js";

// The color spaces of CSS beside sRGB. All meet in sRGB that reaches beyond 0 to 1, where no color is lost.

/** @typedef {import("./color.js").RGB} RGB */
/** Three components, as CSS writes them in that space.
 * @typedef {[number, number, number]} Triple */
/** @typedef {{toRGB(triple: Triple): RGB, fromRGB(rgb: RGB): Triple, write(triple: Triple): string}} Space */

/** @typedef {readonly number[]} Matrix */
const srgbToXYZ = [506752 / 1228815, 87881 / 245763, 12673 / 70218, 87098 / 409605, 175762 / 245763, 12673 / 175545, 7918 / 409605, 87881 / 737289, 1001167 / 1053270];
const p3ToXYZ = [608311 / 1250200, 189793 / 714400, 198249 / 1000160, 35783 / 156275, 247089 / 357200, 198249 / 2500400, 0, 32229 / 714400, 5220557 / 5000800];
const rec2020ToXYZ = [63426534 / 99577255, 20160776 / 139408157, 47086771 / 278816314, 26158966 / 99577255, 472592308 / 697040785, 8267143 / 139408157, 0, 19567812 / 697040785, 295819943 / 278816314];
const a98ToXYZ = [573536 / 994567, 263643 / 1420810, 187206 / 994567, 591459 / 1989134, 6239551 / 9945670, 374412 / 4972835, 53769 / 1989134, 351524 / 4972835, 4929758 / 4972835];
const prophotoToXYZ50 = [0.7977666449006423, 0.13518129740053308, 0.0313477341283922, 0.2880748288194013, 0.711835234241873, 0.0000899369387256457, 0, 0, 0.8251046025104602];
const d50ToD65 = [0.9554734214880752, -0.023098454948764523, 0.06325924320057066, -0.028369709333863583, 1.0099953980813041, 0.021041441191917306, 0.012314014864481996, -0.02050764929889898, 1.330365926242124];
const one = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** @param {Matrix} m @param {Triple} v @returns {Triple} */
const times = (m, [x, y, z]) => [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];

/** @param {Matrix} m @param {Matrix} n */
const product = (m, n) => [0, 3, 6].flatMap((row) => [0, 1, 2].map((column) =>
  m[row] * n[column] + m[row + 1] * n[column + 3] + m[row + 2] * n[column + 6]));

/** @param {Matrix} m */
function inverse(m) {
  const minor = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ d) => m[a] * m[d] - m[b] * m[c];
  const adjugate = [
    minor(4, 5, 7, 8), -minor(1, 2, 7, 8), minor(1, 2, 4, 5), -minor(3, 5, 6, 8), minor(0, 2, 6, 8), -minor(0, 2, 3, 5),
    minor(3, 4, 6, 7), -minor(0, 1, 6, 7), minor(0, 1, 3, 4),
  ];
  const whole = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6];
  return adjugate.map((part) => part / whole);
}

/** @param {number} power */
const gamma = (power) => ({
  decode: (/** @type {number} */ value) => Math.sign(value) * Math.abs(value) ** power,
  encode: (/** @type {number} */ value) => Math.sign(value) * Math.abs(value) ** (1 / power),
});
const plain = gamma(1);
const prophoto = {
  decode: (/** @type {number} */ value) => (Math.abs(value) <= 16 / 512 ? value / 16 : gamma(1.8).decode(value)),
  encode: (/** @type {number} */ value) => (Math.abs(value) < 1 / 512 ? value * 16 : gamma(1.8).encode(value)),
};
const rec2020 = {
  decode: (/** @type {number} */ value) => gamma(2.4).decode(value),
  encode: (/** @type {number} */ value) => gamma(2.4).encode(value),
};
const xyzToSRGB = inverse(srgbToXYZ);

/** @param {string} name @returns {(triple: Triple) => string} */
const inColor = (name) => (triple) => `color(${name} ${triple.map((part) => short(part, 5)).join(" ")}`;

/** A space of `color()`, by how its light becomes XYZ at D65.
 * @param {string} name @param {Matrix} toXYZ @param {{decode(value: number): number, encode(value: number): number}} curve
 * @returns {Space} */
function predefined(name, toXYZ, curve) {
  const there = product(xyzToSRGB, toXYZ);
  const back = inverse(there);
  return {
    toRGB(triple) {
      const [r, g, b] = times(there, /** @type {Triple} */ (triple.map(curve.decode)));
      return { r: coded(r), g: coded(g), b: coded(b) };
    },
    fromRGB: ({ r, g, b }) => /** @type {Triple} */ (times(back, [linear(r), linear(g), linear(b)]).map(curve.encode)),
    write: inColor(name),
  };
}

const srgbCurve = { decode: linear, encode: coded };
const xyz50 = predefined("xyz-d50", d50ToD65, plain);
const white = [0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585];

/** @type {Pick<Space, "toRGB" | "fromRGB">} */
const lab = {
  toRGB([l, a, b]) {
    const fy = (l + 16) / 116;
    const back = (/** @type {number} */ f) => (f ** 3 > 216 / 24389 ? f ** 3 : (116 * f - 16) / (24389 / 27));
    return xyz50.toRGB([white[0] * back(fy + a / 500), l > 8 ? fy ** 3 : l / (24389 / 27), white[2] * back(fy - b / 200)]);
  },
  fromRGB(rgb) {
    const [x, y, z] = xyz50.fromRGB(rgb).map((part, index) => {
      const share = part / white[index];
      return share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116;
    });
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  },
};

/** @param {number} a @param {number} b @returns {[number, number]} */
const polar = (a, b) => [Math.hypot(a, b), ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360];

/** @param {number} value @param {number} digits */
function short(value, digits) {
  const text = Number(value.toFixed(digits));
  return Object.is(text, -0) ? 0 : text;
}
const percent = (/** @type {string} */ name) => (/** @type {Triple} */ [h, s, l]) => `${name}(${short(h, 3)} ${short(s, 3)}% ${short(l, 3)}%`;
const three = (/** @type {string} */ name, /** @type {number[]} */ digits) => (/** @type {Triple} */ triple) =>
  `${name}(${triple.map((part, index) => short(part, digits[index])).join(" ")}`;

/** By the names that CSS has for them; "hsb" is hued's own.
 * @type {Record<string, Space>} */
export const spaces = {
  srgb: { toRGB: ([r, g, b]) => ({ r, g, b }), fromRGB: ({ r, g, b }) => [r, g, b], write: inColor("srgb") },
  hsl: { toRGB: ([h, s, l]) => hslToRGB({ h, s, l }), fromRGB: (rgb) => { const { h, s, l } = rgbToHSL(rgb); return [h, s, l]; }, write: percent("hsl") },
  hsb: { toRGB: ([h, s, b]) => hsbToRGB({ h, s, b }), fromRGB: (rgb) => { const { h, s, b } = rgbToHSB(rgb); return [h, s, b]; }, write: percent("hsb") },
  hwb: {
    toRGB([h, w, k]) {
      if (w + k >= 100) return { r: w / (w + k), g: w / (w + k), b: w / (w + k) };
      return hsbToRGB({ h, s: 100 - (100 * w) / (100 - k), b: 100 - k });
    },
    fromRGB(rgb) {
      const { h, s, b } = rgbToHSB(rgb);
      return [h, (b * (100 - s)) / 100, 100 - b];
    },
    write: percent("hwb"),
  },
  oklab: { toRGB: ([l, a, b]) => oklabToRGB({ l, a, b }), fromRGB: (rgb) => { const { l, a, b } = rgbToOKLab(rgb); return [l, a, b]; }, write: three("oklab", [5, 5, 5]) },
  oklch: { toRGB: ([l, c, h]) => oklchToRGB({ l, c, h }), fromRGB: (rgb) => { const { l, c, h } = rgbToOKLCH(rgb); return [l, c, h]; }, write: three("oklch", [5, 5, 3]) },
  lab: { ...lab, write: three("lab", [3, 3, 3]) },
  lch: {
    toRGB: ([l, c, h]) => lab.toRGB([l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]),
    fromRGB(rgb) {
      const [l, a, b] = lab.fromRGB(rgb);
      return [l, ...polar(a, b)];
    },
    write: three("lch", [3, 3, 3]),
  },
  "display-p3": predefined("display-p3", p3ToXYZ, srgbCurve),
  "srgb-linear": predefined("srgb-linear", srgbToXYZ, plain),
  "a98-rgb": predefined("a98-rgb", a98ToXYZ, gamma(563 / 256)),
  "prophoto-rgb": predefined("prophoto-rgb", product(d50ToD65, prophotoToXYZ50), prophoto),
  rec2020: predefined("rec2020", rec2020ToXYZ, rec2020),
  "xyz-d65": predefined("xyz-d65", one, plain),
  "xyz-d50": xyz50,
};

/** Spaces that hold the colors of sRGB and no others. */
export const narrow = new Set(["hex", "srgb", "hsl", "hsb", "hwb"]);

/** A color as CSS of a space.
 * @param {string} space @param {RGB} rgb */
export function writeIn(space, rgb, alpha = 1) {
  const { fromRGB, write } = spaces[space];
  return `${write(fromRGB(rgb))}${alpha < 1 ? ` / ${short(alpha, 4)}` : ""})`;
}
