import { chromaEdge, inGamut, inP3, mapToSRGB, parseColor, print, write } from "./color.js";
import { clamp, hsbToRGB, hslToRGB, oklchToRGB, rgbToHSB, rgbToHSL, rgbToOKLCH } from "./conversions.js";
import { narrow } from "./spaces.js";

/** @typedef {import("./color.js").RGB} RGB */
/** @typedef {import("./color.js").HSB} HSB */
/** @typedef {import("./color.js").OKLCH} OKLCH */
/** `rgb` reaches beyond 0 to 1 where sRGB does not have the color; `space` is the one that it is written in.
 * @typedef {{rgb: RGB, hsb: HSB, lch: OKLCH, alpha: number, space: string}} ColorState */

/** The current color. Every view reads it and writes to it; observers hear of a change once, and of a write that
 * changes nothing not at all, so views can write back what they were told. Hues and saturation survive grey and black. */
export class ColorModel {
  /** @type {ColorState} */
  #state;
  /** @type {Set<(now: ColorState, was: ColorState) => void>} */
  #observers = new Set();

  /** Whether a color that is written in some space stays in it. A new one is written in the space that it is made in. */
  keepsSpace = false;

  constructor(text = "#5b8def") {
    const { rgb, alpha, space } = parseColor(text) ?? { rgb: { r: 0, g: 0, b: 0 }, alpha: 1, space: "hex" };
    this.#state = { rgb, alpha, space, hsb: rgbToHSB(mapToSRGB(rgb)), lch: rgbToOKLCH(rgb) };
  }

  get state() {
    return this.#state;
  }

  get hex() {
    return print(this.#state, "hex");
  }

  /** The color as CSS in its space. */
  get css() {
    return write(this.#state);
  }

  /** Whether sRGB does not have the color. */
  get isWide() {
    return !inGamut(this.#state.rgb);
  }

  /** @param {(now: ColorState, was: ColorState) => void} observer @returns {() => void} what ends it */
  observe(observer) {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** @param {RGB} rgb */
  setRGB(rgb, alpha = this.#state.alpha) {
    this.#write({ rgb, alpha, space: this.#space("hex"), hsb: this.#hsb(rgb), lch: this.#lch(rgb) });
  }

  /** @param {Partial<HSB>} part */
  setHSB(part) {
    const hsb = { ...this.#state.hsb, ...part };
    hsb.h = clamp(hsb.h, 0, 360);
    hsb.s = clamp(hsb.s, 0, 100);
    hsb.b = clamp(hsb.b, 0, 100);
    const rgb = hsbToRGB(hsb);
    this.#write({ ...this.#state, space: this.#space("hex"), rgb, hsb, lch: this.#lch(rgb) });
  }

  /** Chroma beyond what the color's space can hold stops at the edge: that of sRGB, or of Display P3.
   * @param {Partial<OKLCH>} part */
  setOKLCH(part) {
    const lch = { ...this.#state.lch, ...part };
    const space = this.#space("oklch");
    lch.c = Math.min(lch.c, chromaEdge(lch.l, lch.h, narrow.has(space) ? inGamut : inP3) || lch.c);
    const rgb = oklchToRGB(lch);
    this.#write({ ...this.#state, space, rgb: narrow.has(space) ? mapToSRGB(rgb) : rgb, lch, hsb: this.#hsb(rgb) });
  }

  /** @param {number} alpha */
  setAlpha(alpha) {
    this.#write({ ...this.#state, alpha: clamp(alpha, 0, 1) });
  }

  /** @param {string} text @returns {boolean} whether it is a color that this page can read */
  setText(text) {
    const parsed = parseColor(text);
    if (!parsed) return false;
    const { rgb, alpha, space } = parsed;
    // What a view writes back as it was told has lost digits only.
    if (space === "hex" && !this.isWide && print(parsed, "hex") === this.hex) return true;
    this.#write({ rgb, alpha, space, hsb: this.#hsb(rgb), lch: this.#lch(rgb) });
    return true;
  }

  /** Adds points of HSL lightness, as `tweak` does.
   * @param {number} points */
  lighten(points) {
    const { l, h } = this.#state.lch;
    // HSL knows nothing beyond sRGB.
    if (this.isWide) return this.setOKLCH({ l: clamp(l + points / 100, 0, 1), h });
    const hsl = rgbToHSL(this.#state.rgb);
    if (hsl.s < 1e-6) hsl.h = this.#state.hsb.h;
    this.setRGB(hslToRGB({ ...hsl, l: clamp(hsl.l + points, 0, 100) }));
  }

  /** The space of the color once it is made in another one.
   * @param {string} space */
  #space(space) {
    return this.keepsSpace ? this.#state.space : space;
  }

  /** @param {RGB} rgb */
  #hsb(rgb) {
    const hsb = rgbToHSB(mapToSRGB(rgb));
    if (hsb.b < 1e-6) return { ...this.#state.hsb, b: 0 };
    // A grey that came through OKLCH is not quite one.
    if (hsb.s < 0.05) return { h: this.#state.hsb.h, s: 0, b: hsb.b };
    if (hsb.h === 0 && this.#state.hsb.h === 360) hsb.h = 360;
    return hsb;
  }

  /** @param {RGB} rgb */
  #lch(rgb) {
    const lch = rgbToOKLCH(rgb);
    return lch.c < 1e-4 ? { ...lch, h: this.#state.lch.h } : lch;
  }

  /** @param {ColorState} state */
  #write(state) {
    const was = this.#state;
    if (same(was, state)) return;
    this.#state = state;
    for (const observer of this.#observers) observer(state, was);
  }
}

/** @param {ColorState} one @param {ColorState} other */
function same(one, other) {
  /** @param {number} a @param {number} b */
  const near = (a, b) => Math.abs(a - b) < 1e-9;
  return (
    one.space === other.space && near(one.alpha, other.alpha) &&
    near(one.rgb.r, other.rgb.r) && near(one.rgb.g, other.rgb.g) && near(one.rgb.b, other.rgb.b) &&
    near(one.hsb.h, other.hsb.h) && near(one.hsb.s, other.hsb.s) && near(one.hsb.b, other.hsb.b) &&
    near(one.lch.l, other.lch.l) && near(one.lch.c, other.lch.c) && near(one.lch.h, other.lch.h)
  );
}
