import assert from "node:assert/strict";
import { test } from "node:test";
import * as values from "../../Sources/CWebPage/files/color.js";
import * as conversions from "../../Sources/CWebPage/files/conversions.js";
import { simulate } from "../../Sources/CWebPage/files/vision.js";

const color = { ...values, ...conversions };

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

test("colors of every space have the values of the web platform's tests", () => {
  for (const [text, r, g, b] of /** @type {[string, number, number, number][]} */ ([
    ["lab(50% 50 0)", 0.756208, 0.304487, 0.475634], ["lab(70% -45 0)", 0.10751, 0.75558, 0.66398],
    ["lab(70% 0 70)", 0.766254, 0.663607, 0.055775], ["lab(55% 0 -60)", 0.128128, 0.53105, 0.927645],
    ["lch(50% 50 0)", 0.756208, 0.304487, 0.475634], ["lch(70% 45 180)", 0.10751, 0.75558, 0.66398],
    ["oklab(50% 0.05 0)", 0.48477, 0.3429, 0.38412], ["oklab(70% -0.1 0)", 0.29264, 0.70096, 0.63017],
    ["oklab(70% 0 0.125)", 0.73942, 0.60484, 0.1965], ["oklab(55% 0 -0.2)", 0.27888, 0.38072, 0.89414],
    ["oklch(50% 0.2 0)", 0.70492, 0.02351, 0.37073], ["oklch(50% 0.2 270)", 0.23056, 0.3173, 0.82628],
    ["oklch(80% 0.15 160)", 0.32022, 0.85805, 0.61147], ["oklch(55% 0.15 345)", 0.67293, 0.27791, 0.5228],
  ])) {
    const parsed = color.parseColor(text) ?? assert.fail(text);
    near(parsed.rgb.r, r);
    near(parsed.rgb.g, g);
    near(parsed.rgb.b, b);
  }
  // All of them are the green of CSS.
  for (const text of [
    "lab(46.2775% -47.5621 48.5837)", "lch(46.2775% 67.9892 134.3912)", "oklab(51.975% -0.1403 0.10768)", "oklch(51.975% 0.17686 142.495)",
    "hwb(120 0% 49.8039%)", "hsl(120 100% 25.1%)", "color(srgb-linear 0 0.21586 0)", "color(display-p3 0.21604 0.49418 0.13151)",
    "color(a98-rgb 0.281363 0.498012 0.116746)", "color(prophoto-rgb 0.230479 0.395789 0.129968)", "color(xyz 0.07719 0.15438 0.02573)",
  ]) assert.equal(color.print(color.parseColor(text) ?? assert.fail(text), "hex"), "#008000", text);
});

test("the primaries look to missing cones as Machado, Oliveira and Fernandes have them", () => {
  for (const [kind, ...columns] of /** @type {[string, ...number[][]][]} */ ([
    ["protan", [0.152286, 0.114503, -0.003882], [1.052583, 0.786281, -0.048116], [-0.204868, 0.099216, 1.051998]],
    ["deutan", [0.367322, 0.280085, -0.01182], [0.860646, 0.672501, 0.04294], [-0.227968, 0.047413, 0.968881]],
    ["tritan", [1.255528, -0.078411, 0.004733], [-0.076749, 0.930809, 0.691367], [-0.178779, 0.147602, 0.3039]],
  ])) {
    for (const [index, light] of columns.entries()) {
      const [r, g, b] = light.map((part) => color.clamp(color.coded(part), 0, 1));
      assert.equal(simulate(["#ff0000", "#00ff00", "#0000ff"][index], kind), color.toHex({ r, g, b }));
    }
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
