import { find, make, raise } from "./dom.js";

/** Says something to those who listen to the page.
 * @param {string} text */
export function announce(text) {
  const region = find("announcements");
  // A line of its own each time, so that the same words are heard again.
  region.replaceChildren(make("span", {}, text));
  // A dialog makes everything else silent, so it says the same itself.
  const dialog = document.querySelector("dialog[open]");
  if (!dialog) return;
  const inside = dialog.querySelector(":scope > .unseen[role=status]") ?? make("p", { role: "status", class: "unseen" });
  dialog.append(inside);
  inside.textContent = text;
}

/** Shows a short message and says it.
 * @param {string} text @param {{label: string, run: () => void}} [action] */
export function toast(text, action) {
  announce(text);
  const stack = find("toasts");
  const message = make("div", { class: "toast" }, make("span", {}, text));
  if (action) message.append(make("button", { onclick: () => { action.run(); message.remove(); } }, action.label));
  // One line at a time, above dialogs too: what opens last in the top layer stands in front.
  stack.replaceChildren(message);
  raise(stack);
  setTimeout(() => {
    message.remove();
    if (stack.childElementCount === 0) raise(stack, false);
  }, action ? 9000 : 4500);
}
