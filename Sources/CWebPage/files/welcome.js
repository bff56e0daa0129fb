import { find, make } from "./dom.js";

const panel = find("welcome");
let shown = "";
/** One for all that is shown, so that what is typed while that changes stays.
 * @type {HTMLElement | null} */
let join = null;

/** Says what to do where there is nothing to show yet.
 * @param {import("./page.js").Page} page @param {"locked" | "none" | "empty" | ""} state */
export function showWelcome(page, state) {
  panel.hidden = state === "";
  if (state === shown) return;
  shown = state;
  join ??= joinForm(page);
  const importing = make("button", { class: "edits", onclick: () => find("files").click() }, "Import files");
  const say = (/** @type {string} */ title, /** @type {string} */ text, /** @type {HTMLElement[]} */ ...rest) =>
    panel.replaceChildren(make("h3", {}, title), make("p", {}, text), ...rest);
  if (state === "locked") {
    say("This library is locked", "Open the link that “hued serve” or “hued open” prints, or enter a join code.", join);
  } else if (state === "none") {
    const begin = make("button", { class: "primary edits", onclick: () => page.palettes.create() }, "New palette");
    say("Begin a palette", "Palettes live here, on your machines and with everyone you share them with. Drop palette files or an image anywhere on the page, or start from nothing.",
      make("div", { class: "row" }, begin, importing), join);
  } else if (state === "empty") {
    say("An empty palette", "Make a color with the sliders and press Save, or drop a palette file or an image on the page.",
      make("div", { class: "row" }, importing));
  }
}

/** @param {import("./page.js").Page} page */
function joinForm(page) {
  const field = make("input", { id: "code", autocomplete: "off", spellcheck: false, placeholder: "join code or link" });
  const form = make("form", { class: "join" }, make("label", { for: "code" }, "Have a join code?"), field, make("button", {}, "Join"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.join(field.value.trim());
  });
  return form;
}
