import assert from "node:assert/strict";
import { test } from "node:test";
import { groupOf, nameInGroup, placeAmong, sectioned } from "../../Sources/CWebPage/files/sections.js";

const colors = (...names) => names.map((name) => ({ id: name, name }));
const names = (list) => list.map(({ name }) => name);
const mixed = colors("brand/red/500", "Night", "ground/low", "brand/red/700", "Paper");

test("a group is what stands before the first slash", () => {
  const groups = { "brand/red/500": "brand", "a / b": "a", Night: "", "/root": "", "half/": "", "": "" };
  for (const [name, group] of Object.entries(groups)) assert.equal(groupOf(name), group, name);
});

test("below its group a name is what stands behind it", () => {
  const names = { "brand/red/500": "red/500", "a / b": "b", Night: "Night", "/root": "/root", "half/": "half/" };
  for (const [name, short] of Object.entries(names)) assert.equal(nameInGroup(name), short, name);
});

test("colors without a group come first, and each group stands where its first color does", () => {
  const { shown, sections } = sectioned(mixed, new Set());
  assert.deepEqual(names(shown), ["Night", "Paper", "brand/red/500", "brand/red/700", "ground/low"]);
  assert.deepEqual(sections, [
    { name: "", total: 2, first: 0, count: 2 }, { name: "brand", total: 2, first: 2, count: 2 },
    { name: "ground", total: 1, first: 4, count: 1 },
  ]);
});

test("of a closed group nothing is shown but how many there are", () => {
  const { shown, sections } = sectioned(mixed, new Set(["brand"]));
  assert.deepEqual(names(shown), ["Night", "Paper", "ground/low"]);
  assert.deepEqual(sections[1], { name: "brand", total: 2, first: 2, count: 0 });
});

test("names that objects have by themselves are groups like others", () => {
  const { sections } = sectioned(colors("__proto__/a", "constructor/b"), new Set());
  assert.deepEqual(sections.map(({ name }) => name), ["__proto__", "constructor"]);
});

test("what is dropped goes in front of the color that it is dropped before, and at an edge stays with its group", () => {
  const { shown } = sectioned(mixed, new Set());
  const moved = (id, at) => {
    const place = placeAmong(mixed, shown, [id], at);
    const list = names(mixed).filter((name) => name !== id);
    return list.toSpliced(place, 0, id);
  };
  assert.deepEqual(moved("Paper", 0), ["brand/red/500", "Paper", "Night", "ground/low", "brand/red/700"]);
  assert.deepEqual(moved("brand/red/500", 3), ["Night", "ground/low", "brand/red/700", "brand/red/500", "Paper"]);
  assert.deepEqual(moved("Paper", 4), ["brand/red/500", "Night", "ground/low", "Paper", "brand/red/700"]);
});

test("in one list a place is what it is", () => {
  const list = colors("a", "b", "c", "d");
  for (const at of [0, 1, 2, 3]) assert.equal(placeAmong(list, list, ["b"], at), at);
});
