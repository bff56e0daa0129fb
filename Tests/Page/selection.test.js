import assert from "node:assert/strict";
import { test } from "node:test";
import { Selection } from "../../Sources/CWebPage/files/selection.js";

const list = ["a", "b", "c", "d"].map((id) => ({ id }));
const indexes = new Map(list.map(({ id }, index) => [id, index]));

test("a range extends from the color that was chosen first", () => {
  const selection = new Selection();
  selection.set(["c"], "c");
  selection.extend("a", list, indexes);
  assert.deepEqual([...selection.ids], ["a", "b", "c"]);
  selection.extend("d", list, indexes);
  assert.deepEqual([...selection.ids], ["c", "d"]);
});

test("what is gone is selected no more, and told", () => {
  const selection = new Selection();
  let changes = 0;
  selection.addEventListener("change", () => (changes += 1));
  selection.set(["a", "b"], "a");
  assert.deepEqual(selection.keep((id) => id !== "b"), ["b"]);
  assert.equal(selection.only, "a");
  assert.deepEqual(selection.keep(() => true), []);
  assert.equal(changes, 2);
});
