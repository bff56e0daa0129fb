import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, deleted, isSame, wayBack } from "../../Sources/CWebPage/files/moments.js";

/** @param {string} name @param {string} color */
const record = (name, color, note = "") => /** @type {any} */ ({ id: "1", name, color, note, seen: "s" });

test("days are said as people say them", () => {
  const now = new Date(2026, 10, 27, 9);
  assert.equal(dayOf(new Date(2026, 10, 27, 0, 1), now), "Today");
  assert.equal(dayOf(new Date(2026, 10, 26, 23, 59), now), "Yesterday");
  assert.match(dayOf(new Date(2026, 2, 3), now), /3/);
  assert.match(dayOf(new Date(2025, 2, 3), now), /2025/);
});

test("a color comes back as it was, with what others saw last", () => {
  assert.deepEqual(wayBack(record("Old", "red"), record("New", "blue"))?.edits, [
    { method: "set", parameters: { color: "1", value: "red", seen: "s" } },
    { method: "rename", parameters: { color: "1", name: "Old", seen: "s" } },
  ]);
  assert.deepEqual(wayBack(record("Old", "red", "note"), record("Old", "red"))?.edits,
    [{ method: "note", parameters: { color: "1", text: "note", seen: "s" } }]);
  assert.deepEqual(wayBack(record("Old", "red"), undefined)?.edits, [{ method: "restore", parameters: { color: "1" } }]);
});

test("what is so already offers nothing", () => {
  assert.equal(wayBack(record("Same", "red"), record("Same", "red")), null);
  assert.equal(wayBack(undefined, record("Same", "red")), null);
});

test("of a deletion that comes back which is still gone", () => {
  const action = /** @type {any} */ ({ kind: "delete", colors: [{ id: "1", name: "Ripe", hex: "#f00" }, { id: "2", name: "Leaf", hex: "#0f0" }] });
  assert.deepEqual(deleted(action, (id) => (id === "1" ? record("Ripe", "red") : undefined)).map(({ name }) => name), ["Leaf"]);
  assert.deepEqual(deleted({ ...action, kind: "add" }, () => undefined), []);
});

test("two lists are the same when their colors are, in the same order", () => {
  const [one, other] = [record("A", "red"), { ...record("B", "blue"), id: "2" }];
  assert.ok(isSame([one, other], [{ ...one }, { ...other }]));
  assert.ok(!isSame([one, other], [other, one]));
  assert.ok(!isSame([one], [one, other]));
  assert.ok(!isSame([one], [{ ...one, note: "x" }]));
});
