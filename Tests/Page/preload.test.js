import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../Sources/CWebPage/files/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");

/** The modules that a module needs before it runs. */
function needed(name, known = new Set()) {
  for (const [, other] of read(name).matchAll(/^(?:import|export) [^;]*?from "\.\/([\w-]+\.js)"/gms)) {
    if (known.has(other)) continue;
    known.add(other);
    needed(other, known);
  }
  return known;
}

test("what the page needs first is fetched at once, and nothing else is", () => {
  const named = [...read("page.html").matchAll(/rel="modulepreload" href="\/([\w-]+\.js)"/g)].map(([, name]) => name);
  assert.deepEqual(named.sort(), [...needed("page.js")].sort());
});
