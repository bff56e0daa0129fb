import assert from "node:assert/strict";
import { test } from "node:test";
import { RPCError } from "../../Sources/CWebPage/files/connection.js";
import { byEdit, EditQueue, nextName, project, projectPalettes } from "../../Sources/CWebPage/files/queue.js";
import { changed, fingerprint, isOf } from "../../Sources/CWebPage/files/library.js";

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
const record = (id) => ({ id, name: id, color: "#000000", hex: "#000000", index: null, note: "", conflicts: [], seen: "n:1" });

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

test("the list shows what waits", () => {
  const edit = (method, parameters) => ({ order: 1, edit: "e", palette: "p", method, parameters, state: /** @type {const} */ ("waiting"), wasSent: false });
  const list = project(["a", "b", "c"].map(record), [
    edit("add", { id: "x", value: "#336699", name: "New", at: 0 }),
    edit("rename", { color: "b", name: "Bee" }),
    edit("move", { color: "c", at: 0 }),
    edit("remove", { colors: ["a"] }),
  ]);
  assert.deepEqual(list.map(({ name }) => name), ["c", "New", "Bee"]);
});

const several = () => ({
  order: 1, edit: "e", palette: "p", method: "add", state: /** @type {const} */ ("waiting"), wasSent: false,
  parameters: { value: "-", at: 1, colors: [
    { id: "x", value: "#336699", name: "Steel" }, { id: "y", value: "#ff0000", name: "", note: "warm" },
  ] },
});

test("several colors of one edit are shown together, and as this page's own", () => {
  const list = project(["a", "b"].map(record), [several()]);
  assert.deepEqual(list.map(({ id }) => id), ["a", "x", "y", "b"]);
  assert.deepEqual(list.slice(1, 3).map(({ name, note }) => [name, note]), [["Steel", ""], ["#ff0000", "warm"]]);
  // What the node lists already is not shown twice.
  assert.deepEqual(project(["x", "a"].map(record), [several()]).map(({ id }) => id), ["x", "y", "a"]);
  const diff = (...ids) => ({
    palette: "p", deletions: [], moves: [], updates: [], insertions: ids.map((id, index) => ({ index, color: record(id) })),
  });
  assert.equal(isOf(diff("x", "y"), [several()]), true);
  assert.equal(isOf(diff("x", "z"), [several()]), false);
});

test("an edit of one of several new colors has seen what the addition wrote", async () => {
  let isOpen = false;
  const sent = [];
  const queue = new EditQueue(storage(), async (method, parameters) => {
    sent.push([method, parameters.seen]);
    return method === "add" ? { colors: [{ id: "x", seen: "n:1" }, { id: "y", seen: "n:2" }] } : {};
  }, () => isOpen);
  await queue.add("p", "add", several().parameters);
  await queue.add("p", "rename", { color: "y", name: "Yolk" });
  isOpen = true;
  await queue.flush();
  await rest();
  assert.deepEqual(sent, [["add", undefined], ["rename", "n:2"]]);
});

const palette = (id, name = id) => ({ id, name, count: 0, digest: "" });

test("palettes that were made, renamed, dropped and restored here are shown at once, in the node's order", () => {
  const edit = (id, method, parameters = {}) => ({ palette: id, method, parameters });
  const told = [palette("a", "Ash"), palette("b", "Bay")];
  const edits = [edit("c", "new", { name: "Aster" }), edit("a", "title", { name: "Cedar" }), edit("b", "drop")];
  assert.deepEqual(projectPalettes(told, edits).map(({ id, name }) => [id, name]), [["c", "Aster"], ["a", "Cedar"]]);
  const restored = projectPalettes(told, [...edits, edit("b", "restore")], [palette("b", "Bay")]);
  assert.deepEqual(restored.map(({ id }) => id), ["c", "b", "a"]);
  // What the node knows already is not shown twice.
  assert.equal(projectPalettes(told, [edit("a", "new", { name: "Ash" })]).length, 2);
  // A palette's edits are none of its colors.
  assert.deepEqual(project([record("x")], edits.filter(({ palette: id }) => id === "a")).map(({ id }) => id), ["x"]);
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
  assert.equal(nextName("Sea 9"), "Sea 10");
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

test("a fingerprint tells other lists apart", () => {
  const one = [record("a"), record("b")];
  assert.equal(fingerprint(one), fingerprint([record("a"), record("b")]));
  assert.notEqual(fingerprint(one), fingerprint([record("b"), record("a")]));
  assert.notEqual(fingerprint(one), fingerprint([record("a"), { ...record("b"), seen: "n:2" }]));
  assert.notEqual(fingerprint(one), fingerprint(one.slice(0, 1)));
});

test("a difference of the library keeps the list in order", () => {
  const list = changed([palette("a", "Ash"), palette("b", "Bay")], {
    added: [palette("c", "Aster")], changed: [palette("a", "Cedar")], removed: ["b"],
  });
  assert.deepEqual(list.map(({ name }) => name), ["Aster", "Cedar"]);
});

test("palettes stand in the order of their last edits, those in front that nobody has told the time of", () => {
  const palette = (name, edited) => ({ id: name, name, count: 0, digest: "", ...(edited && { edited }) });
  const told = [palette("a", "2026-01-01T10:00:00.000Z"), palette("b", "2026-01-01T10:00:00.001Z"), palette("c", "2026-01-01T10:00:00.001Z")].sort(byEdit);
  const names = (palettes) => palettes.map(({ name }) => name).join("");
  assert.equal(names(told), "bca");
  const edited = changed(told, { added: [palette("d")], changed: [palette("a", "2026-01-01T10:00:01.000Z")], removed: ["a"] }, byEdit);
  assert.equal(names(edited), "dabc");
  const made = [{ palette: "e", method: "new", parameters: { name: "e" } }, { palette: "c", method: "title", parameters: { name: "C" } }];
  assert.equal(names(projectPalettes(told, made, [], byEdit)), "eCba");
});
