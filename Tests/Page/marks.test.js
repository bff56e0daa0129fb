import assert from "node:assert/strict";
import { test } from "node:test";
import { Marks } from "../../Sources/CWebPage/files/marks.js";

const color = (id, hex = "#336699") => ({ id, name: id, color: hex, hex, index: null, note: "", conflicts: [] });

/** Marks, and what they told to be another. */
function begin() {
  const marks = new Marks();
  const told = [];
  marks.addEventListener("change", (event) => told.push(/** @type {CustomEvent} */ (event).detail));
  return { marks, told };
}

test("what is made of a color is shown beside what it was, for as long as it is made", () => {
  const { marks, told } = begin();
  marks.preview(({ id }) => (id === "a" ? { color: "#ff0000", was: "#336699" } : null), new Set(["a"]));
  assert.deepEqual([marks.of(color("a")).look, marks.of(color("a")).was], ["#ff0000", "#336699"]);
  assert.deepEqual([marks.of(color("b")).look, marks.of(color("b")).was], ["#336699", ""]);
  marks.preview(null);
  assert.equal(marks.of(color("a")).look, "#336699");
  // Those before are drawn again, and no others.
  assert.deepEqual(told.map((ids) => [ids.has("a"), ids.has("b")]), [[true, false], [true, false]]);
});

test("others see what they see of what is being made, too", () => {
  const { marks, told } = begin();
  marks.seenAs = (hex) => (hex === "#ff0000" ? "#808000" : hex);
  marks.preview(() => ({ color: "#ff0000", was: "#336699" }), new Set(["a"]));
  assert.equal(marks.of(color("a")).look, "#808000");
  assert.equal(told[0], null);
});

test("who else has a color selected stands at that one", () => {
  const { marks } = begin();
  marks.others = new Map([["a", [{ name: "Bob", color: "#000080" }]]]);
  assert.deepEqual(marks.of(color("a")).others.map(({ name }) => name), ["Bob"]);
  assert.deepEqual(marks.of(color("b")).others, []);
  assert.equal(marks.of(color("b")).parts, null);
});

test("a color that nobody named gets a suggestion once there are some", async () => {
  const { marks, told } = begin();
  assert.equal(marks.of(color("a")).suggested, "");
  const plain = { ...color("b", "#ff6348"), name: "#FF6348" };
  assert.equal(marks.of(plain).suggested, "");
  while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.equal(marks.of(plain).suggested, "Tomato");
  assert.equal(marks.of({ ...plain, name: "\u200b" }).suggested, "Tomato");
});
