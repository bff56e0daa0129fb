import assert from "node:assert/strict";
import { test } from "node:test";
import * as color from "../../Sources/CWebPage/files/color.js";

/** @param {number} actual @param {number} expected */
const near = (actual, expected, slack = 0.0005) =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} is not ${expected}`);

test("OKLCH of the primaries is that of CSS Color 4", () => {
  for (const [hex, l, c, h] of /** @type {[string, number, number, number][]} */ ([
    ["#ff0000", 0.62796, 0.25768, 29.2339], ["#00ff00", 0.86644, 0.29483, 142.4953],
    ["#0000ff", 0.45201, 0.31321, 264.052], ["#ffff00", 0.96798, 0.21101, 109.7692],
  ])) {
    const lch = color.rgbToOKLCH(color.parseHex(hex).rgb);
    near(lch.l, l);
    near(lch.c, c);
    near(lch.h, h, 0.02);
    assert.equal(color.toHex(color.oklchToRGB(lch)), hex);
  }
});

test("every notation reads back what it prints", () => {
  for (let red = 0; red < 256; red += 51) {
    for (let green = 0; green < 256; green += 51) {
      for (let blue = 0; blue < 256; blue += 17) {
        const rgb = { r: red / 255, g: green / 255, b: blue / 255 };
        const hex = color.toHex(rgb);
        for (const notation of ["hex", "rgb", "hsl", "oklch"]) {
          const text = color.print({ rgb, alpha: 1 }, notation);
          const read = color.parseColor(text);
          assert.ok(read, text);
          for (const part of /** @type {const} */ (["r", "g", "b"])) near(read.rgb[part], rgb[part], 0.006);
        }
        assert.equal(color.toHex(color.hsbToRGB(color.rgbToHSB(rgb))), hex);
      }
    }
  }
});

test("hex rounds to nearest", () => {
  assert.equal(color.toHex({ r: 0.5, g: 0.999, b: 0.0019 }), "#80ff00");
  assert.equal(color.toHex({ r: 1, g: 0, b: 0 }, 0.5), "#ff000080");
});

test("what is no color is refused", () => {
  for (const text of ["", "#12", "#12345", "#ggg", "rgb(1 2)", "rgb(1 2 x)", "url(x)", "var(--x)"]) {
    assert.equal(color.parseColor(text), null, text);
  }
});

test("the edge of the gamut is inside, and a little more is outside", () => {
  for (let h = 0; h < 360; h += 15) {
    const c = color.chromaEdge(0.6, h);
    assert.ok(color.inGamut(color.oklchToRGB({ l: 0.6, c, h })));
    assert.ok(!color.inGamut(color.oklchToRGB({ l: 0.6, c: c + 0.005, h })));
  }
});

test("contrast is that of WCAG", () => {
  const white = { r: 1, g: 1, b: 1 };
  near(color.contrast({ r: 0, g: 0, b: 0 }, white), 21);
  near(color.contrast(color.parseHex("#777777").rgb, white), 4.48, 0.005);
  assert.equal(color.grade(4.49), "AA large");
  assert.equal(color.grade(4.5), "AA");
});

test("colors outside of sRGB look as the engine says", () => {
  for (const [text, hex] of [
    ["color(display-p3 0 1 0)", "#00fb29"], ["oklch(70% 0.3 150)", "#00c248"], ["lab(50 90 -30)", "#e500ab"],
    ["color(rec2020 1 0 0.2)", "#ff4958"], ["lch(60 110 300)", "#9685ff"], ["color(prophoto-rgb 0.2 0.9 0.1)", "#00e762"],
    ["color(a98-rgb 0 1 0.2)", "#00ec70"], ["color(xyz-d50 0.3 0.6 0.1)", "#00ee31"],
  ]) {
    const parsed = color.parseColor(text);
    assert.ok(parsed, text);
    assert.equal(color.print(parsed, "hex"), hex, text);
  }
});

test("a color of any space is written back as it was", () => {
  for (const text of [
    "color(display-p3 1 0.2 0.1)", "color(rec2020 0.1 0.9 0.3)", "color(a98-rgb 0 1 0.2)", "color(prophoto-rgb 0.2 0.9 0.1)",
    "color(xyz-d50 0.3 0.6 0.1)", "color(xyz-d65 0.3 0.6 0.1)", "color(srgb-linear 0.5 0.25 0.125)", "color(srgb 0.5 0.25 0.125)",
    "oklch(0.7 0.3 150)", "oklab(0.6 0.1 -0.1)", "lab(50 90 -30)", "lch(60 110 300)", "hsl(210 50% 40%)", "hwb(210 10% 20%)", "#12345678",
  ]) {
    const parsed = color.parseColor(text);
    assert.ok(parsed, text);
    assert.equal(color.write(parsed), text);
  }
  assert.equal(color.write(color.parseColor("rgb(255, 52, 30)") ?? assert.fail()), "#ff341e");
});
