import assert from "node:assert/strict";
import { test } from "node:test";
import { byEdit, changed, nextName, projectPalettes } from "../../Sources/CWebPage/files/catalog.js";

const palette = (id, name = id) => ({ id, name, count: 0, digest: "" });

test("palettes that were made, renamed, dropped and restored here are shown at once, in the node's order", () => {
  const edit = (id, method, parameters = {}) => ({ palette: id, method, parameters });
  const told = [palette("a", "Ash"), palette("b", "Bay")];
  const edits = [edit("c", "new", { name: "Aster" }), edit("a", "title", { name: "Cedar" }), edit("b", "drop")];
  assert.deepEqual(projectPalettes(told, edits).map(({ id, name }) => [id, name]), [["c", "Aster"], ["a", "Cedar"]]);
  const restored = projectPalettes(told, [...edits, edit("b", "restore")], [palette("b", "Bay")]);
  assert.deepEqual(restored.map(({ id }) => id), ["c", "b", "a"]);
  // What the node knows already is not shown twice.
  assert.equal(projectPalettes(told, [edit("a", "new", { name: "Ash" })]).length, 2);
});

test("a difference of the library keeps the list in order", () => {
  const list = changed([palette("a", "Ash"), palette("b", "Bay")], {
    added: [palette("c", "Aster")], changed: [palette("a", "Cedar")], removed: ["b"],
  });
  assert.deepEqual(list.map(({ name }) => name), ["Aster", "Cedar"]);
});

test("palettes stand in the order of their last edits, those in front that nobody has told the time of", () => {
  const palette = (name, edited) => ({ id: name, name, count: 0, digest: "", ...(edited && { edited }) });
  const told = [palette("a", "2026-01-01T10:00:00.000Z"), palette("b", "2026-01-01T10:00:00.001Z"), palette("c", "2026-01-01T10:00:00.001Z")].sort(byEdit);
  const names = (palettes) => palettes.map(({ name }) => name).join("");
  assert.equal(names(told), "bca");
  const edited = changed(told, { added: [palette("d")], changed: [palette("a", "2026-01-01T10:00:01.000Z")], removed: ["a"] }, byEdit);
  assert.equal(names(edited), "dabc");
  const made = [{ palette: "e", method: "new", parameters: { name: "e" } }, { palette: "c", method: "title", parameters: { name: "C" } }];
  assert.equal(names(projectPalettes(told, made, [], byEdit)), "eCba");
});

test("a name that is taken gets a number, or the next one", () => {
  assert.equal(nextName("Sea"), "Sea 2");
  assert.equal(nextName("Sea 9"), "Sea 10");
});
