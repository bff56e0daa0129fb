import assert from "node:assert/strict";
import { test } from "node:test";
import { isOf, project } from "../../Sources/CWebPage/files/projection.js";

const record = (id) => ({ id, name: id, color: "#000000", hex: "#000000", index: null, note: "", conflicts: [], seen: "n:1" });
const edit = (method, parameters) => ({ order: 1, edit: "e", palette: "p", method, parameters, state: /** @type {const} */ ("waiting"), wasSent: false });

test("the list shows what waits", () => {
  const list = project(["a", "b", "c"].map(record), [
    edit("add", { id: "x", value: "#336699", name: "New", at: 0 }),
    edit("rename", { color: "b", name: "Bee" }),
    edit("move", { color: "c", at: 0 }),
    edit("remove", { colors: ["a"] }),
  ]);
  assert.deepEqual(list.map(({ name }) => name), ["c", "New", "Bee"]);
});

test("a palette's own edits are none of its colors", () => {
  assert.deepEqual(project([record("x")], [edit("title", { name: "Cedar" }), edit("drop", {})]).map(({ id }) => id), ["x"]);
});

const several = () => ({
  order: 1, edit: "e", palette: "p", method: "add", state: /** @type {const} */ ("waiting"), wasSent: false,
  parameters: { value: "-", at: 1, colors: [
    { id: "x", value: "#336699", name: "Steel" }, { id: "y", value: "#ff0000", name: "", note: "warm" },
  ] },
});

test("several colors of one edit are shown together, and as this page's own", () => {
  const list = project(["a", "b"].map(record), [several()]);
  assert.deepEqual(list.map(({ id }) => id), ["a", "x", "y", "b"]);
  assert.deepEqual(list.slice(1, 3).map(({ name, note }) => [name, note]), [["Steel", ""], ["#ff0000", "warm"]]);
  // What the node lists already is not shown twice.
  assert.deepEqual(project(["x", "a"].map(record), [several()]).map(({ id }) => id), ["x", "y", "a"]);
  const diff = (...ids) => ({
    palette: "p", deletions: [], moves: [], updates: [], insertions: ids.map((id, index) => ({ index, color: record(id) })),
  });
  assert.equal(isOf(diff("x", "y"), [several()]), true);
  assert.equal(isOf(diff("x", "z"), [several()]), false);
});
