import assert from "node:assert/strict";
import { test } from "node:test";
import { Strips } from "../../Sources/CWebPage/files/strips.js";

const color = (number) => ({ id: String((number * 7919) % 100_003).padStart(6, "0"), hex: `#${String(number).padStart(6, "0")}` });
const list = (count) => Array.from({ length: count }, (_, number) => color(number));

/** A node with palettes, which counts what it is asked. */
function node(palettes) {
  const asked = [];
  const call = async (method, { palette, sample }) => {
    asked.push([palette, sample]);
    const colors = palettes[palette];
    if (!colors) throw Object.assign(new Error(), { code: "not-found" });
    const lowest = colors.map(({ id }) => id).sort().slice(0, sample);
    return { colors: colors.filter(({ id }) => lowest.includes(id)) };
  };
  return { isOpen: true, asked, call };
}

test("the first colors stand for a palette, and of a long one the node's sample", async () => {
  const palettes = { few: list(3), many: list(20_000) };
  const hub = node(palettes);
  const kept = [];
  const strips = new Strips(hub, (id) => kept.push(id));
  let told = 0;
  strips.addEventListener("change", () => (told += 1));
  await strips.fetch([{ id: "few", count: 3 }, { id: "many", count: 20_000 }]);
  assert.deepEqual(strips.of("few"), ["#000000", "#000001", "#000002"]);
  assert.equal(strips.of("many").length, 12);
  assert.deepEqual(hub.asked, [["few", undefined], ["many", 12]]);
  assert.deepEqual([kept, told], [["few"], 2]);
  // Whoever has the whole list shows the same.
  const fetched = strips.of("many");
  strips.know("many", palettes.many);
  assert.deepEqual(strips.of("many"), fetched);
});

test("it is asked again after an edit, and what failed is tried again", async () => {
  const palettes = { sea: list(1) };
  const hub = node(palettes);
  const strips = new Strips(hub, () => {});
  const look = () => strips.fetch([{ id: "sea", count: 1 }, { id: "gone", count: 1 }]);
  await look();
  await look();
  assert.deepEqual(hub.asked.map(([id]) => id), ["sea", "gone", "gone"]);
  palettes.sea = list(2);
  strips.outdate("sea");
  // It shows what it was until it is known.
  assert.equal(strips.of("sea").length, 1);
  await look();
  assert.equal(strips.of("sea").length, 2);
});
