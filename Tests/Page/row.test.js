import assert from "node:assert/strict";
import { test } from "node:test";
import { initials, readable } from "../../Sources/CWebPage/files/row.js";

test("a name that nobody sees is none, and what turns the text is seen", () => {
  assert.equal(readable("Sea"), "Sea");
  assert.equal(readable("\u200b\u200d "), "");
  assert.equal(readable("abc\u202egpj.exe"), "abc\ufffdgpj.exe");
  assert.equal(readable("\u0628\u062d\u0631"), "\u0628\u062d\u0631");
  assert.equal(readable("\u{1f30a}"), "\u{1f30a}");
});

test("initials are two letters, whatever they are made of", () => {
  assert.equal(initials(" ann "), "AN");
  assert.equal(initials(""), "?");
});
