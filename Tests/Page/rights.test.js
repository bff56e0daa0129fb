import assert from "node:assert/strict";
import { test } from "node:test";
import { Rights } from "../../Sources/CWebPage/files/rights.js";

test("a grant of one palette edits that one alone", () => {
  const rights = new Rights();
  assert.equal(rights.mayEdit("a"), true, "nothing is forbidden before the node said so");
  rights.told = { role: null, grants: [{ role: "editor", palette: "a" }, { role: "viewer", palette: "b" }] };
  assert.deepEqual(["a", "b", "c", null].map((palette) => rights.mayEdit(palette)), [true, false, false, false]);
  assert.equal(rights.mayShare, false);
});

test("whoever has no access edits nothing", () => {
  const rights = new Rights();
  rights.told = { role: "owner", grants: [] };
  assert.equal(rights.mayShare, true);
  rights.hasAccess = false;
  assert.equal(rights.mayEdit("a"), false);
  assert.equal(rights.mayShare, false);
});
