import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestName } from "../../Sources/CWebPage/files/names.js";

test("a color is called as the CSS color that looks most like it", () => {
  assert.equal(nearestName("#c0ffee"), "Light cyan");
  assert.equal(nearestName("#66cdab"), "Medium aquamarine");
  assert.equal(nearestName("#000000"), "Black");
  assert.equal(nearestName("#ff634780"), "Tomato");
});
