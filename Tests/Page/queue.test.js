import assert from "node:assert/strict";
import { test } from "node:test";
import { RPCError } from "../../Sources/CWebPage/files/connection.js";
import { EditQueue } from "../../Sources/CWebPage/files/queue.js";

/** Storage as a browser's, which outlives a page. */
function storage() {
  const kept = new Map();
  return {
    kept,
    all: async () => [...kept.values()].map((edit) => ({ ...edit })),
    put: async (edit) => kept.set(edit.edit, { ...edit }),
    remove: async (edit) => kept.delete(edit.edit),
  };
}

const refuse = (code) => new RPCError({ message: code, data: { code, message: code, hint: null } });
const rest = () => new Promise((resolve) => setTimeout(resolve, 5));

test("an edit that got no answer is sent again under the same id, by the next page too", async () => {
  const store = storage();
  const first = [];
  const offline = new EditQueue(store, async (method, parameters) => {
    first.push(parameters.edit);
    throw new Error("the connection ended");
  });
  await offline.add("p", "rename", { color: "a", name: "Ash", seen: "n:1" });
  await rest();
  assert.equal(offline.waiting, 1);
  const sent = [];
  const later = new EditQueue(store, async (method, parameters) => {
    sent.push(parameters);
    return { id: "a", seen: "n:2", conflicts: [] };
  });
  await later.load();
  await later.flush();
  assert.equal(sent.length, 1);
  assert.equal(sent[0].edit, first[0]);
  assert.equal(sent[0].seen, "n:1");
  assert.equal(store.kept.size, 0);
});

test("edits of one register that wait become one, with what the first one saw", async () => {
  let isOpen = false;
  const sent = [];
  const queue = new EditQueue(storage(), async (method, parameters) => {
    sent.push(parameters);
    return {};
  }, () => isOpen);
  await queue.add("p", "set", { color: "a", value: "#111111", seen: "n:1" });
  await rest();
  await queue.add("p", "set", { color: "a", value: "#222222", seen: "n:9" });
  isOpen = true;
  await queue.flush();
  await rest();
  assert.deepEqual(sent.map(({ value, seen }) => [value, seen]), [["#222222", "n:1"]]);
});

test("an edit that may have arrived is not changed any more", async () => {
  let isFirst = true;
  const sent = [];
  const queue = new EditQueue(storage(), async (method, parameters) => {
    sent.push(parameters.value);
    if (!isFirst) return {};
    isFirst = false;
    throw new Error("the connection ended");
  });
  await queue.add("p", "set", { color: "a", value: "#111111" });
  await rest();
  await queue.add("p", "set", { color: "a", value: "#222222" });
  await rest();
  assert.deepEqual(sent, ["#111111", "#111111", "#222222"]);
});

test("a later edit has not seen what others wrote meanwhile", async () => {
  const answers = [{ seen: "n:1,2;m:7", conflicts: ["color"] }, { seen: "n:3", conflicts: [] }];
  const sent = [];
  let release = () => {};
  const gate = new Promise((resolve) => (release = resolve));
  const queue = new EditQueue(storage(), async (method, parameters) => {
    sent.push(parameters);
    await gate;
    return answers.shift();
  });
  queue.add("p", "set", { color: "a", value: "#111111", seen: "n:1" });
  await rest();
  queue.add("p", "set", { color: "a", value: "#222222", seen: "n:1" });
  await rest();
  release();
  await rest();
  assert.deepEqual(sent.map(({ seen }) => seen), ["n:1", "n:1"]);
});

test("a refused edit goes and is told; one that is only delayed stays", async () => {
  const store = storage();
  let code = "bad-seen";
  const queue = new EditQueue(store, async () => {
    throw refuse(code);
  });
  let refused = 0;
  queue.addEventListener("refused", () => (refused += 1));
  await queue.add("p", "rename", { color: "a", name: "b" });
  await rest();
  assert.deepEqual([refused, queue.waiting, store.kept.size], [1, 0, 0]);
});

const several = () => ({
  order: 1, edit: "e", palette: "p", method: "add", state: /** @type {const} */ ("waiting"), wasSent: false,
  parameters: { value: "-", at: 1, colors: [
    { id: "x", value: "#336699", name: "Steel" }, { id: "y", value: "#ff0000", name: "", note: "warm" },
  ] },
});

test("an edit of one of several new colors has seen what the addition wrote", async () => {
  let isOpen = false;
  const sent = [];
  const queue = new EditQueue(storage(), async (method, parameters) => {
    sent.push([method, parameters.seen]);
    return method === "add" ? { colors: [{ id: "x", seen: "n:1" }, { id: "y", seen: "n:2" }] } : {};
  }, () => isOpen);
  await queue.add("p", "add", { value: "-", at: 1, colors: [{ id: "x", value: "#336699", name: "Steel" }, { id: "y", value: "#ff0000", name: "" }] });
  await queue.add("p", "rename", { color: "y", name: "Yolk" });
  isOpen = true;
  await queue.flush();
  await rest();
  assert.deepEqual(sent, [["add", undefined], ["rename", "n:2"]]);
});

test("a palette made offline is sent with its own id, before what was put into it", async () => {
  const sent = [];
  let isOnline = false;
  const queue = new EditQueue(storage(), async (method, parameters) => {
    sent.push([method, parameters.id ?? parameters.palette]);
    return {};
  }, () => isOnline);
  await queue.add("p", "new", { name: "Meadow" });
  await queue.add("p", "add", { id: "c", value: "#ff0000" });
  await queue.add("p", "title", { name: "Field" });
  isOnline = true;
  await queue.flush();
  assert.deepEqual(sent, [["new", "p"], ["add", "c"], ["title", "p"]]);
});

test("a name that was taken meanwhile costs neither the palette nor what is in it", async () => {
  const names = [];
  let isOnline = false;
  const queue = new EditQueue(storage(), async (method, { name }) => {
    if (method === "new") names.push(name);
    if (method === "new" && name !== "Sea 3") throw refuse("exists");
    return {};
  }, () => isOnline);
  await queue.add("p", "new", { name: "Sea" });
  await queue.add("p", "add", { id: "c", value: "#ff0000" });
  isOnline = true;
  await queue.flush();
  assert.deepEqual(names, ["Sea", "Sea 2", "Sea 3"]);
  assert.equal(queue.waiting, 0);
});

test("what was put into a palette that may not be made is given up with it", async () => {
  const store = storage();
  let isOnline = false;
  const queue = new EditQueue(store, async () => { throw refuse("not-allowed"); }, () => isOnline);
  let refused = 0;
  queue.addEventListener("refused", () => (refused += 1));
  await queue.add("p", "new", { name: "Sea" });
  await queue.add("p", "add", { id: "c", value: "#ff0000" });
  isOnline = true;
  await queue.flush();
  assert.equal(refused, 1);
  assert.equal(store.kept.size, 0);
});

test("a palette that others changed meanwhile is not dropped by who did not see it", async () => {
  const sent = [];
  let now = "before";
  let isOnline = false;
  const queue = new EditQueue(storage(), async (method) => {
    sent.push(method);
    return {};
  }, () => isOnline, async () => now);
  const codes = [];
  queue.addEventListener("refused", ({ detail }) => codes.push(detail.error.code));
  await queue.add("p", "drop", {}, "before");
  await queue.add("q", "drop", {}, "other");
  isOnline = true;
  await queue.flush();
  assert.deepEqual(sent, ["drop"]);
  assert.deepEqual(codes, ["changed"]);
});
