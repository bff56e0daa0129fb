import { moveToasts } from "./announce.js";
import { find, make } from "./dom.js";

/** A dialog that is gone when it is closed.
 * @param {string} title @param {...(Node | string)} content */
export function openDialog(title, ...content) {
  const heading = make("h2", { id: "dialog-title" }, title);
  const close = make("button", { class: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "✕");
  const dialog = make("dialog", { "aria-labelledby": "dialog-title" }, make("div", { class: "row" }, heading, close), ...content,
    make("p", { role: "status", class: "unseen" }));
  dialog.addEventListener("close", () => {
    dialog.remove();
    moveToasts();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  find("messages").append(dialog);
  dialog.showModal();
  moveToasts();
  return dialog;
}

/** Asks for a line of text; null when the question was closed.
 * @param {string} title @param {string} label
 * @returns {Promise<string | null>} */
export function ask(title, label, value = "", action = "OK") {
  return askIn(make("input", { id: "dialog-text", value, maxLength: 300, autocomplete: "off" }), title, label, action);
}

/** Asks for a text of any number of lines; null when the question was closed.
 * @param {string} title @param {string} label @param {string} value @param {string} action
 * @returns {Promise<string | null>} */
export function askLines(title, label, value, action) {
  const field = make("textarea", { id: "dialog-text", value, rows: 5, "aria-describedby": "dialog-hint" });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    field.form?.requestSubmit();
  });
  return askIn(field, title, label, action, make("p", { id: "dialog-hint", class: "hint" }, "Shift+Enter begins a line"));
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} title @param {string} label @param {string} action
 * @param {...Node} hints
 * @returns {Promise<string | null>} */
function askIn(field, title, label, action, ...hints) {
  return new Promise((resolve) => {
    const form = make("form", { method: "dialog" }, make("label", { for: "dialog-text" }, label), field, ...hints,
      make("div", { class: "row end" }, make("button", { class: "primary" }, action)));
    const dialog = openDialog(title, form);
    let answer = /** @type {string | null} */ (null);
    form.addEventListener("submit", () => (answer = field.value.trim()));
    dialog.addEventListener("close", () => resolve(answer));
    field.select();
  });
}

/** Asks before something that is hard to take back.
 * @param {string} title @param {string} text @param {string} action
 * @returns {Promise<boolean>} */
export function confirmed(title, text, action) {
  return new Promise((resolve) => {
    let answer = false;
    const yes = make("button", { class: "danger", onclick: () => { answer = true; dialog.close(); } }, action);
    const dialog = openDialog(title, make("p", { id: "dialog-about" }, text), make("div", { class: "row end" }, yes));
    dialog.setAttribute("aria-describedby", "dialog-about");
    dialog.addEventListener("close", () => resolve(answer));
  });
}
