import { find, make } from "./dom.js";

/** Says something to those who listen to the page.
 * @param {string} text */
export function announce(text) {
  const region = find("announcements");
  // A line of its own each time, so that the same words are heard again.
  region.replaceChildren(make("span", {}, text));
}

/** Shows a short message and says it.
 * @param {string} text @param {{label: string, run: () => void}} [action] */
export function toast(text, action) {
  announce(text);
  const message = make("div", { class: "toast" }, make("span", {}, text));
  if (action) message.append(make("button", { onclick: () => { action.run(); message.remove(); } }, action.label));
  find("toasts").append(message);
  setTimeout(() => message.remove(), action ? 9000 : 4500);
}
