import assert from "node:assert/strict";
import { test } from "node:test";
import { measure, ratio } from "../../Sources/CWebPage/files/apca.js";
import { guessRoles } from "../../Sources/CWebPage/files/roles.js";

/** @param {Record<string, string>} colors */
const paints = (colors) => Object.entries(colors).map(([name, hex]) => ({ id: name, name, hex }));
const harbor = paints({ Buoy: "#e4572e", Deep: "#17669c", Chalk: "#fbf7ef", Night: "#13202b", Lamp: "#f2b134" });

test("the lightest is the ground, the darkest the text, the most colorful the accent", () => {
  const roles = guessRoles(harbor, false);
  assert.deepEqual([roles.ground.id, roles.text.id, roles.accent.id, roles.second.id], ["Chalk", "Night", "Buoy", "Lamp"]);
});

test("on a dark page ground and text change places", () => {
  const roles = guessRoles(harbor, true);
  assert.deepEqual([roles.ground.id, roles.text.id], ["Night", "Chalk"]);
});

test("names that say what a color is for are believed", () => {
  const roles = guessRoles(paints({ "brand/primary": "#777777", background: "#eeeeff", Body: "#222222", Loud: "#ff0000" }), false);
  assert.deepEqual([roles.ground.id, roles.text.id, roles.accent.id], ["background", "Body", "brand/primary"]);
});

test("a role that was chosen stays, and no other role takes that color", () => {
  const roles = guessRoles(harbor, false, { accent: "Lamp" });
  assert.equal(roles.accent.id, "Lamp");
  assert.notEqual(roles.second.id, "Lamp");
  assert.equal(guessRoles(harbor, false, { accent: "gone" }).accent.id, "Buoy");
});

test("a palette without light and dark colors gets ones that go with it, which can be read", () => {
  for (const isDark of [false, true]) {
    const roles = guessRoles(paints({ One: "#b04040", Two: "#40b040" }), isDark);
    assert.equal(roles.ground.id, null);
    assert.ok(ratio(measure(roles.text.hex), measure(roles.ground.hex)) >= 4.5);
  }
});

test("no palette is too small, and text on the accent can be read where that is possible", () => {
  for (const colors of [{}, { One: "#ffffff" }, { One: "#000000" }, { One: "#808080" }, { A: "#ff0000", B: "#ff0001" }]) {
    const roles = guessRoles(paints(colors), false);
    assert.ok(/^#[0-9a-f]{6}$/.test(roles.ground.hex + "") && roles.onAccent.hex.length === 7);
    assert.ok(ratio(measure(roles.onAccent.hex), measure(roles.accent.hex)) >= 4.5);
  }
});
