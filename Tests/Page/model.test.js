import assert from "node:assert/strict";
import { test } from "node:test";
import { ColorModel } from "../../Sources/CWebPage/files/model.js";

test("a change is told once, and a write of the same value not at all", () => {
  const model = new ColorModel("#336699");
  let told = 0;
  model.observe(() => (told += 1));
  model.setHSB({ h: 10 });
  assert.equal(told, 1);
  model.setHSB({ h: 10 });
  model.setRGB(model.state.rgb);
  model.setText(model.hex);
  model.setAlpha(1);
  assert.equal(told, 1);
});

test("views that write back what they are told make no loop", () => {
  const model = new ColorModel("#336699");
  let told = 0;
  model.observe(({ rgb }) => model.setRGB(rgb));
  model.observe(({ hsb }) => model.setHSB(hsb));
  model.observe(() => model.setText(model.hex));
  model.observe(() => (told += 1));
  model.setRGB({ r: 0.2, g: 0.4, b: 0.8 });
  model.lighten(10);
  assert.equal(told, 2);
});

test("hue and saturation survive black and grey", () => {
  const model = new ColorModel("#336699");
  const { h, s } = model.state.hsb;
  model.setHSB({ b: 0 });
  model.setRGB({ r: 0, g: 0, b: 0 });
  model.setHSB({ b: 60 });
  assert.ok(Math.abs(model.state.hsb.h - h) < 1e-9);
  assert.ok(Math.abs(model.state.hsb.s - s) < 1e-9);
  model.setHSB({ s: 0 });
  model.setOKLCH({ l: 0.5 });
  model.setHSB({ s: 50 });
  assert.ok(Math.abs(model.state.hsb.h - h) < 1e-9);
});

test("the OKLCH hue survives grey", () => {
  const model = new ColorModel("#336699");
  const { h } = model.state.lch;
  model.setOKLCH({ c: 0 });
  model.setOKLCH({ c: 0.05 });
  assert.ok(Math.abs(model.state.lch.h - h) < 1e-9);
});

test("chroma stops at the edge of what the color's space can hold", () => {
  const model = new ColorModel("#336699");
  model.keepsSpace = true;
  model.setOKLCH({ c: 0.4 });
  assert.ok(model.state.lch.c < 0.25);
  const { r, g, b } = model.state.rgb;
  assert.ok(Math.min(r, g, b) >= 0 && Math.max(r, g, b) <= 1);
  const inSRGB = model.state.lch.c;
  model.keepsSpace = false;
  model.setOKLCH({ c: 0.4 });
  assert.ok(model.state.lch.c > inSRGB, "a new color reaches as far as Display P3");
  assert.match(model.css, /^oklch\(/);
});

test("a color keeps its space, and one component leaves the others", () => {
  for (const [text, changed] of [
    ["color(display-p3 0 1 0)", "color(display-p3 0 1 0 / 0.99)"], ["oklch(0.7 0.15 150)", "oklch(0.7 0.15 150 / 0.99)"],
    ["lab(50 20 -30)", "lab(50 20 -30 / 0.99)"], ["hwb(210 10% 20%)", "hwb(210 10% 20% / 0.99)"],
    ["color(rec2020 0.2 0.4 0.6)", "color(rec2020 0.2 0.4 0.6 / 0.99)"], ["#ff8800", "#ff8800fc"],
  ]) {
    const model = new ColorModel("#000000");
    model.keepsSpace = true;
    assert.ok(model.setText(text));
    assert.equal(model.css, text);
    model.setAlpha(0.99);
    assert.equal(model.css, changed);
  }
  const model = new ColorModel("oklch(0.7 0.15 150)");
  model.keepsSpace = true;
  model.setOKLCH({ l: 0.6 });
  assert.equal(model.css, "oklch(0.6 0.15 150)");
});
