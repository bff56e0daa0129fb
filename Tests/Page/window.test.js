import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf, windowOf } from "../../Sources/CWebPage/files/window.js";

test("of a long list what is in view is made, and one more on each side", () => {
  assert.deepEqual(windowOf(0, 100, 20, 500), { first: 0, last: 6 });
  assert.deepEqual(windowOf(205, 100, 20, 500), { first: 9, last: 17 });
  assert.deepEqual(windowOf(9900, 100, 20, 500), { first: 494, last: 500 });
  assert.deepEqual(windowOf(0, 100, 20, 0), { first: 0, last: 0 });
});

test("keys go from cell to cell and stop at the edges", () => {
  assert.deepEqual(stepOf("ArrowDown", [0, 0], 3), [1, 0]);
  assert.deepEqual(stepOf("ArrowUp", [0, 2], 3), [0, 2]);
  assert.deepEqual(stepOf("End", [1, 0], 3), [1, 2]);
  assert.deepEqual(stepOf("PageDown", [0, 1], 3), [2, 1]);
  assert.equal(stepOf("a", [0, 0], 3), null);
});
