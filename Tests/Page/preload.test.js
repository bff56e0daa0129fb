import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../Sources/CWebPage/files/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));

test("modules are written in the form in which the node joins them", () => {
  for (const name of modules) {
    for (const [line] of read(name).matchAll(/^(?:import|export) .*/gm)) {
      assert.match(line, /^import \{(?:$|(?! \w+ as ).* from "\.\/[\w-]+\.js";$)|^export (?:async function|function|class|const) [\w$]+/, name);
    }
    assert.doesNotMatch(read(name), /^await /m, name);
  }
});

test("no module needs one that needs it", () => {
  const walk = (name, path) => {
    assert.ok(!path.includes(name), [...path, name].join(" -> "));
    for (const [, other] of read(name).matchAll(/^import [^;]*?from "\.\/([\w-]+\.js)"/gms)) walk(other, [...path, name]);
  };
  walk("page.js", []);
});

test("the page names its first module alone, which comes with all that it needs", () => {
  assert.deepEqual([...read("page.html").matchAll(/"\/([\w-]+\.js)"/g)].map(([, name]) => name), ["page.js"]);
});
