import assert from "node:assert/strict";
import { test } from "node:test";
import { dropAt, fit, heldPlace, lengthOf, positionOf, rowAt, sizes } from "../../Sources/CWebPage/files/layout.js";
import { rowsFrom } from "../../Sources/CWebPage/files/sections.js";

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

test("groups fill the room together with what stands above them", () => {
  const groups = { counts: [1, 2, 3], taken: 100 };
  const { columns, height, gap } = fit("grid", 6, 700, 740, groups);
  const rows = groups.counts.reduce((sum, count) => sum + Math.ceil(count / columns), 0);
  const free = 740 - 100 - rows * (height + gap);
  assert.ok(free > -gap - 1 && free < rows, `${free} free`);
  assert.equal(fit("grid", 0, 700, 740, { counts: [0, 0], taken: 88 }).columns, 5, "all of them closed");
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
    assert.equal(dropAt(shape, 40, x + 1, y + shape.height / 2).at, index);
  }
  assert.equal(dropAt(shape, 40, 1e6, 1e6).at, 40);
});

test("while one is held elsewhere the others stand in the order that they would have", () => {
  for (const [from, at] of [[0, 3], [3, 0], [1, 2], [2, 2]]) {
    const shown = [];
    ["a", "b", "c", "d"].forEach((name, index) => (shown[heldPlace(index, from, at)] = name));
    const moved = ["a", "b", "c", "d"];
    moved.splice(at, 0, ...moved.splice(from, 1));
    assert.deepEqual(shown, moved, `${from} to ${at}`);
  }
});

test("a drop shows where the hand is: at the end of a row, and of a block, behind its last cell", () => {
  const blocks = [{ first: 0, count: 2, top: 0 }, { first: 2, count: 5, top: 94 }, { first: 7, count: 1, top: 238 }];
  const shape = { columns: 3, width: 96, height: 46, gap: 4, blocks };
  assert.deepEqual(dropAt(shape, 8, 290, 10), { at: 2, x: 200, y: 0 });
  assert.deepEqual(dropAt(shape, 8, 290, 100), { at: 5, x: 300, y: 94 });
  assert.deepEqual(dropAt(shape, 8, 290, 150), { at: 7, x: 200, y: 144 });
  assert.deepEqual(dropAt(shape, 8, 0, 150), { at: 5, x: 0, y: 144 });
  assert.deepEqual(dropAt({ ...shape, columns: 1, blocks: undefined }, 8, 50, 99), { at: 2, x: 0, y: 100 });
});

test("cells in blocks are found where they stand, and keys keep their column from block to block", () => {
  // Three columns: two cells, none, five, one.
  const blocks = [{ first: 0, count: 2, top: 0 }, { first: 2, count: 0, top: 94 }, { first: 2, count: 5, top: 138 }, { first: 7, count: 1, top: 282 }];
  const shape = { columns: 3, width: 96, height: 46, gap: 4, blocks };
  for (let index = 0; index < 8; index++) {
    const { x, y } = positionOf(shape, index);
    assert.equal(dropAt(shape, 8, x + 1, y + 10).at, index);
    assert.ok(rowAt(shape, y) <= index && positionOf(shape, rowAt(shape, y)).y === y);
  }
  assert.equal(lengthOf(shape, 8), 282 + 46);
  const by = (rows, index) => rowsFrom(shape, 8, index, rows);
  assert.deepEqual([1, 3, 4, 6, 7].map((index) => by(1, index)), [3, 6, 6, 7, 7]);
  assert.deepEqual([7, 5, 3, 4, 0].map((index) => by(-1, index)), [5, 2, 1, 1, 0]);
  assert.equal(by(2, 0), 5);
});
