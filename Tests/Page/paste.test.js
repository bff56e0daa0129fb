import assert from "node:assert/strict";
import { test } from "node:test";
import { parseColor } from "../../Sources/CWebPage/files/color.js";
import { readColors } from "../../Sources/CWebPage/files/paste.js";

const read = (/** @type {string} */ text) =>
  readColors(text, (one) => parseColor(one) !== null).map(({ value, name }) => (name ? `${name}=${value}` : value));

test("one color is one color, in any notation", () => {
  for (const text of ["#fff", "tomato", "rgb(1 2 3 / 50%)", " oklch(70% 0.1 30) ", "ff8800"]) assert.deepEqual(read(text), [text.trim()]);
});

test("a list has a color a line, with or without names", () => {
  assert.deepEqual(read("red\ngreen\n\nblue"), ["red", "green", "blue"]);
  assert.deepEqual(read("Paper\t#fffdf5\nInk  rgb(1 2 3)\r\n#ff0000 Fire engine"), ["Paper=#fffdf5", "Ink=rgb(1 2 3)", "Fire engine=#ff0000"]);
  assert.deepEqual(read("#f00 #0f0, #00f"), ["#f00", "#0f0", "#00f"]);
});

test("stylesheets and tokens are lists too", () => {
  assert.deepEqual(read(":root {\n  --paper: #fff;\n  --ink: #111;\n}"), ["paper=#fff", "ink=#111"]);
  assert.deepEqual(read("$brand: #e4572e;\n$sea: hsl(200 60% 40%);"), ["brand=#e4572e", "sea=hsl(200 60% 40%)"]);
  assert.deepEqual(read('{\n "a": "#fff",\n "b": "oklch(70% 0.1 30)"\n}'), ["a=#fff", "b=oklch(70% 0.1 30)"]);
});

test("prose with a color in it is no list", () => {
  assert.deepEqual(read("hello world\nthis is text\n#fff"), []);
  assert.deepEqual(read(""), []);
  assert.deepEqual(read("see issue #123 for more"), []);
});
