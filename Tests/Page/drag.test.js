import assert from "node:assert/strict";
import { test } from "node:test";
import { follow } from "../../Sources/CWebPage/files/drag.js";

/** A window that hears of pointers, and what a drag told. */
function begin(pointerType = "mouse") {
  const target = new EventTarget();
  const scope = /** @type {any} */ (globalThis);
  scope.addEventListener = target.addEventListener.bind(target);
  /** @type {string[]} */
  const told = [];
  const event = (/** @type {string} */ type, rest = {}) => Object.assign(new Event(type, { cancelable: true }), { pointerId: 1, clientX: 0, clientY: 0, ...rest });
  const send = (/** @type {string} */ type, rest = {}) => {
    const sent = event(type, rest);
    let isStopped = false;
    sent.stopPropagation = () => (isStopped = true);
    target.dispatchEvent(sent);
    return isStopped;
  };
  follow(/** @type {any} */ (event("pointerdown", { pointerType })), {
    begin: () => told.push("begin"), move: ({ clientX }) => told.push(`move ${clientX}`), end: (isDropped) => told.push(isDropped ? "drop" : "end"),
  });
  return { told, send };
}

test("a mouse drags once it has moved, and what follows of the press is over with it", () => {
  const { told, send } = begin();
  send("pointermove", { clientX: 3 });
  assert.deepEqual(told, []);
  send("pointermove", { clientX: 9 });
  send("pointermove", { clientX: 20, pointerId: 2 });
  send("pointerup", { clientX: 9 });
  send("pointermove", { clientX: 30 });
  assert.deepEqual(told, ["begin", "move 9", "drop"]);
});

test("Escape ends a drag, and means nothing else then", () => {
  const { told, send } = begin();
  assert.equal(send("keydown", { key: "Escape" }), false);
  send("pointermove", { clientX: 9 });
  assert.equal(send("keydown", { key: "a" }), false);
  assert.equal(send("keydown", { key: "Escape" }), true);
  send("pointermove", { clientX: 30 });
  send("pointerup");
  assert.equal(send("keydown", { key: "Escape" }), false);
  assert.deepEqual(told, ["begin", "move 9", "end"]);
});

test("the click that ends a drag is heard by nobody, and every other one is", () => {
  const { send } = begin();
  send("pointermove", { clientX: 9 });
  send("pointerup");
  // A click of a key or of a program has no detail.
  assert.equal(send("click", { detail: 0 }), false);
  assert.equal(send("click", { detail: 1 }), true);
  assert.equal(send("click", { detail: 1 }), false);
  const other = begin();
  other.send("pointermove", { clientX: 9 });
  other.send("pointerup");
  other.send("pointerdown");
  assert.equal(other.send("click", { detail: 1 }), false);
});

test("a press that does not move is a click, and a finger that moves at once scrolls", () => {
  const { told, send } = begin();
  send("pointerup");
  assert.equal(send("click", { detail: 1 }), false);
  const finger = begin("touch");
  finger.send("pointermove", { clientX: 9 });
  finger.send("pointermove", { clientX: 20 });
  finger.send("pointerup");
  assert.deepEqual([told, finger.told], [[], []]);
});
