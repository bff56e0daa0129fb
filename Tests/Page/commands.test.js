import assert from "node:assert/strict";
import { test } from "node:test";
import { Commands, keyOf } from "../../Sources/CWebPage/files/commands.js";

/** @param {string} key @param {object} held */
const pressed = (key, held = {}) => ({
  key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isTaken: false,
  preventDefault() { this.isTaken = true; }, ...held,
});

test("a key is written as the table has it", () => {
  assert.equal(keyOf(pressed("z", { ctrlKey: true })), "Mod+Z");
  assert.equal(keyOf(pressed("Z", { metaKey: true, shiftKey: true })), "Mod+Shift+Z");
  assert.equal(keyOf(pressed("ArrowLeft", { altKey: true })), "Alt+ArrowLeft");
  assert.equal(keyOf(pressed("?", { shiftKey: true })), "?");
});

test("a key runs its command, and one of the colors only while a color has the focus", () => {
  const commands = new Commands();
  /** @type {string[]} */
  const ran = [];
  commands.add(
    { name: "undo", label: "Undo", keys: ["Mod+Z"], run: () => ran.push("undo") },
    { name: "delete", label: "Delete", keys: ["Delete"], inColors: true, run: () => ran.push("delete") },
  );
  const key = pressed("z", { ctrlKey: true });
  assert.equal(commands.press(/** @type {any} */ (key), false), true);
  assert.equal(key.isTaken, true);
  const other = pressed("Delete");
  assert.equal(commands.press(/** @type {any} */ (other), false), false);
  assert.equal(other.isTaken, false);
  commands.press(/** @type {any} */ (pressed("Delete")), true);
  assert.deepEqual(ran, ["undo", "delete"]);
});

test("what cannot be done now is not done", () => {
  const commands = new Commands();
  let isOn = false;
  let count = 0;
  commands.add({ name: "save", label: "Save", when: () => isOn, run: () => (count += 1) });
  commands.run("save");
  isOn = true;
  commands.run("save");
  assert.equal(count, 1);
  assert.throws(() => commands.add({ name: "save", label: "Again", run: () => {} }), /two commands/);
});
