import assert from "node:assert/strict";
import { test } from "node:test";
import { parseColor } from "../../Sources/CWebPage/files/color.js";
import { shifted } from "../../Sources/CWebPage/files/several.js";

const none = { l: 0, c: 0, h: 0 };

test("a color keeps its space when several change by the same amounts", () => {
  assert.match(shifted("color(display-p3 0.9 0.3 0.2)", { ...none, l: 5 }), /^color\(display-p3 /);
  assert.match(shifted("oklch(0.5 0.1 20)", { ...none, h: 30 }), /^oklch\(0\.5 0\.1 50\)$/);
  assert.equal(shifted("no color", { ...none, l: 5 }), "no color");
});

test("grey stays grey, whatever its chroma is multiplied by", () => {
  const { rgb } = parseColor(shifted("#808080", { ...none, c: 80, h: 90 })) ?? assert.fail();
  assert.ok(Math.abs(rgb.r - rgb.g) < 0.01 && Math.abs(rgb.g - rgb.b) < 0.01);
});

test("alpha stays, and lightness ends at white", () => {
  assert.equal(parseColor(shifted("#33669980", { ...none, l: 10 }))?.alpha.toFixed(2), "0.50");
  const { rgb } = parseColor(shifted("#eeeeee", { ...none, l: 50 })) ?? assert.fail();
  assert.ok(rgb.r > 0.99 && rgb.b > 0.99);
});
