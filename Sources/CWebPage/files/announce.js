import { find, make, raise } from "./dom.js";

/** How long a message stands: one to read, one with a button, and one that is pointed at or has the focus. */
const stands = { alone: 4500, offering: 9000, held: 1500 };

/** Where messages stand, once there was one.
 * @type {HTMLElement | null} */
let stack = null;

/** The dialog in front: it makes all that is not in it silent and out of reach. */
export function frontDialog() {
  return [...document.querySelectorAll("dialog[open]")].at(-1);
}

/** Says something to those who listen to the page.
 * @param {string} text */
export function announce(text) {
  const region = find("announcements");
  // A line of its own each time, so that the same words are heard again.
  region.replaceChildren(make("span", {}, text));
  const inside = frontDialog()?.querySelector(":scope > [role=status]");
  if (inside) inside.textContent = text;
}

/** Shows a short message, which may be over before its time.
 * @param {string} text @param {{label: string, run: () => void}} [action]
 * @returns {() => void} what takes it away */
export function offer(text, action) {
  announce(text);
  stack ??= find("toasts");
  const message = make("div", { class: "toast" }, make("span", {}, text));
  if (action) message.append(make("button", { onclick: () => { action.run(); end(); } }, action.label));
  // One line at a time.
  stack.replaceChildren(message);
  moveToasts();
  const end = () => {
    if (!message.isConnected) return;
    const isFocused = message.contains(document.activeElement);
    message.remove();
    if (isFocused) dispatchEvent(new Event("lost"));
    moveToasts();
  };
  const fade = () => {
    if (message.matches(":hover, :focus-within")) setTimeout(fade, stands.held);
    else end();
  };
  setTimeout(fade, action ? stands.offering : stands.alone);
  return end;
}

/** Shows a short message and says it.
 * @param {string} text @param {{label: string, run: () => void}} [action] */
export function toast(text, action) {
  offer(text, action);
}

/** Puts the message that is shown where it is seen, heard and pressed: above all else, and in the dialog in front. */
export function moveToasts() {
  if (!stack) return;
  const home = frontDialog() ?? find("messages");
  if (stack.parentElement !== home) home.append(stack);
  raise(stack, stack.childElementCount > 0);
}
