import assert from "node:assert/strict";
import { test } from "node:test";
import { chromaEdge, toHex } from "../../Sources/CWebPage/files/color.js";
import { oklchToRGB } from "../../Sources/CWebPage/files/conversions.js";
import { edges, fillPlane, widestChroma } from "../../Sources/CWebPage/files/plane.js";

test("the edge of sRGB is where the slider has it", () => {
  for (let h = 0; h < 360; h += 30) {
    const { srgb } = edges(h, 11);
    for (let row = 1; row < 10; row++) assert.ok(Math.abs(srgb[row] - chromaEdge(row / 10, h)) < 0.004, `${h} ${row}`);
  }
});

test("the primaries of P3 lie on its edge", () => {
  // CSS Color 4: color(display-p3 1 0 0) and so on in OKLCH.
  for (const [l, c, h] of [[0.64857, 0.29949, 28.9581], [0.84883, 0.36853, 145.645], [0.46636, 0.32316, 264.052]]) {
    const { p3 } = edges(h, 10_001);
    assert.ok(Math.abs(p3[Math.round(l * 10_000)] - c) < 0.003, `${p3[Math.round(l * 10_000)]} is not ${c}`);
    assert.ok(c < widestChroma);
  }
});

test("P3 is never narrower than sRGB", () => {
  for (let h = 0; h < 360; h += 10) {
    const { srgb, p3 } = edges(h, 51);
    srgb.forEach((chroma, row) => assert.ok(p3[row] >= chroma - 1e-3));
  }
});

test("each pixel has the color of its place, and is clear beyond P3", () => {
  const [width, height, h] = [40, 21, 150];
  const data = new Uint8ClampedArray(width * height * 4).fill(7);
  fillPlane(data, width, height, h, false);
  const { srgb, p3 } = edges(h, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const [l, c] = [(height - 1 - y) / (height - 1), (x / (width - 1)) * widestChroma];
      if (c > p3[height - 1 - y] + 0.01) assert.equal(data[at + 3], 0);
      if (c > srgb[height - 1 - y] - 0.01) continue;
      const hex = toHex(oklchToRGB({ l, c, h }));
      [1, 3, 5].forEach((digit, channel) =>
        assert.ok(Math.abs(data[at + channel] - parseInt(hex.slice(digit, digit + 2), 16)) <= 2, `${x} ${y}`));
      assert.equal(data[at + 3], 255);
    }
  }
});
