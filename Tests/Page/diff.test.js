import assert from "node:assert/strict";
import { test } from "node:test";
import { applyDiff, fingerprint } from "../../Sources/CWebPage/files/diff.js";

/** @param {string} id */
const record = (id, name = id) => ({ id, name, color: "#000", hex: "#000000", index: null, note: "", conflicts: [] });

test("deletions count by old index, all else by new", () => {
  const before = ["a", "b", "c", "d"].map((id) => record(id));
  const after = applyDiff(before, {
    palette: "p",
    deletions: [{ index: 1, id: "b" }],
    insertions: [{ index: 0, color: record("x") }, { index: 4, color: record("y") }],
    moves: [{ from: 3, to: 1, id: "d" }],
    updates: [{ index: 2, color: record("a", "A"), was: record("a") }],
  });
  assert.deepEqual(after.map(({ name }) => name), ["x", "d", "A", "c", "y"]);
  assert.equal(before.length, 4);
});

test("what moved is seen as it was moved", () => {
  const before = ["a", "b"].map((id) => ({ ...record(id), seen: "1" }));
  const after = applyDiff(before, {
    palette: "p", deletions: [], insertions: [], updates: [], moves: [{ from: 1, to: 0, id: "b", seen: "2" }],
  });
  assert.deepEqual(after.map(({ id, seen }) => id + seen), ["b2", "a1"]);
  assert.equal(before[1].seen, "1");
});

test("random lists become each other", () => {
  let seed = 1;
  const random = (/** @type {number} */ limit) => (seed = (seed * 48271) % 2147483647) % limit;
  for (let round = 0; round < 300; round++) {
    const pick = () => Array.from({ length: 12 }, (_, id) => String(id)).filter(() => random(3) > 0)
      .map((id) => ({ id, order: random(1000) })).sort((left, right) => left.order - right.order).map(({ id }) => id);
    const [old, now] = [pick(), pick()];
    const moves = now.filter((id) => old.includes(id)).map((id) => ({ id, from: old.indexOf(id), to: now.indexOf(id) }));
    const after = applyDiff(old.map((id) => record(id)), {
      palette: "p", moves, updates: [],
      deletions: old.flatMap((id, index) => (now.includes(id) ? [] : [{ id, index }])),
      insertions: now.flatMap((id, index) => (old.includes(id) ? [] : [{ index, color: record(id) }])),
    });
    assert.deepEqual(after.map(({ id }) => id), now);
  }
});

test("a fingerprint tells other lists apart", () => {
  const one = [record("a"), record("b")];
  assert.equal(fingerprint(one), fingerprint([record("a"), record("b")]));
  assert.notEqual(fingerprint(one), fingerprint([record("b"), record("a")]));
  assert.notEqual(fingerprint(one), fingerprint([record("a"), { ...record("b"), seen: "n:2" }]));
  assert.notEqual(fingerprint(one), fingerprint(one.slice(0, 1)));
});
