import assert from "node:assert/strict";
import { test } from "node:test";
import { fit, placeAt, positionOf, sizes } from "../../Sources/CWebPage/files/layout.js";

test("colors fill the room at every size and number, as far as they fit", () => {
  for (const [width, height] of [[300, 500], [640, 480], [920, 700], [1700, 1200]]) {
    for (let count = 1; count <= 24; count++) {
      const { columns, width: wide, height: high, gap } = fit("grid", count, width, height);
      const rows = Math.ceil(count / columns);
      assert.ok(Math.abs(columns * (wide + gap) - gap - width) < 0.01, `${count} in ${width} x ${height}: the width`);
      if (rows * (101 + gap) - gap > height) continue;
      assert.ok(height - (rows * (high + gap) - gap) < rows + 0.01, `${count} in ${width} x ${height}: the height`);
      assert.ok(columns * rows - count < columns, "no row is empty");
    }
  }
});

test("colors that do not fit are as wide as they must be, and scroll", () => {
  const { columns, width, height } = fit("grid", 5000, 900, 600);
  assert.ok(width >= sizes.cell && columns === 7);
  assert.ok(height * Math.ceil(5000 / columns) > 600);
});

test("what is dropped at a color's left edge goes in front of it", () => {
  const shape = fit("grid", 40, 900, 600);
  for (const index of [0, 1, shape.columns - 1, shape.columns, 39]) {
    const { x, y } = positionOf(shape, index);
    assert.equal(placeAt(shape, 40, x + 1, y + shape.height / 2), index);
  }
  assert.equal(placeAt(shape, 40, 1e6, 1e6), 40);
});
