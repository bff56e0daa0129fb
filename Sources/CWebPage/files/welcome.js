import { copyText } from "./copying.js";
import { find, make } from "./dom.js";
import { icon } from "./icons.js";

const panel = find("welcome");
let shown = "";
/** One for all that is shown, so that what is typed while that changes stays.
 * @type {HTMLElement | null} */
let join = null;

/** Says what to do where there is nothing to show yet.
 * @param {import("./page.js").Page} page */
export function showWelcome(page) {
  const { state } = document.body.dataset;
  const { revocation } = page.access;
  const name = page.library.palette?.name ?? "";
  const isOwner = page.rights.told?.role === "owner";
  const key = [state, revocation, name, isOwner].join();
  if (key === shown) return;
  shown = key;
  join ??= joinForm(page);
  const say = (/** @type {string} */ title, /** @type {string} */ text, /** @type {HTMLElement[]} */ ...rest) => {
    // Who types a code goes on: what is moved in the document loses the focus.
    const { activeElement } = document;
    panel.replaceChildren(make("h2", {}, title), make("p", {}, text), ...rest);
    if (activeElement instanceof HTMLElement && panel.contains(activeElement)) activeElement.focus();
  };
  const importing = make("button", { class: "edits quiet", onclick: () => find("files").click() }, "Import files");
  if (state === "locked" && revocation) {
    say("No access any more", `${revocation} What this browser had kept is deleted. A new link or code lets you in again.`, join);
  } else if (state === "locked") {
    say("This library is locked", "Open the link that “hued serve” or “hued open” prints, or enter a join code.", join);
  } else if (state === "none") {
    say("Begin a palette", "It lives here, on your machines and with everyone you share it with. Palette files and images can be dropped anywhere on the page.",
      starts(page), make("div", { class: "row" }, make("button", { class: "quiet edits", onclick: () => begin(page, "sample") }, "Look at a sample"),
        make("button", { class: "quiet edits", onclick: () => page.palettes.create() }, "New palette"), importing), ...(isOwner ? terminal("") : []), join);
  } else if (state === "empty") {
    say("An empty palette", "Make a color with the picker and add it, paste colors, or begin with one of these.",
      starts(page), make("div", { class: "row" }, importing), ...(isOwner ? terminal(name) : []));
  }
}

/** What an owner can type beside the page, to see it come to pass here.
 * @param {string} name of the palette, empty where there is none */
function terminal(name) {
  const command = name ? `hued add ${quoted(name)} '#e4572e' Buoy` : "hued new Harbor";
  return [make("div", { class: "terminal" }, make("span", { class: "hint" }, "Or from a terminal, and see it appear here:"),
    make("code", {}, command), make("button", { class: "quiet", "aria-label": "Copy command", onclick: () => copyText(command) }, icon("copy")))];
}

/** A word as a shell takes it.
 * @param {string} word */
function quoted(word) {
  return /^\w[\w.]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** @param {import("./page.js").Page} page @param {"ramp" | "paste" | "sample"} way */
async function begin(page, way) {
  const { openPaste, openRamp, addSample } = await import("./starts.js");
  ({ ramp: openRamp, paste: openPaste, sample: addSample })[way](page);
}

/** Three ways to begin, each with a picture of what comes of it.
 * @param {import("./page.js").Page} page */
function starts(page) {
  const picker = make("input", { type: "file", accept: "image/*", hidden: true });
  picker.addEventListener("change", async () => {
    const { importFiles } = await import("./files.js");
    importFiles(page, [...(picker.files ?? [])]);
  });
  const start = (/** @type {string} */ kind, /** @type {string} */ title, /** @type {string} */ text, /** @type {() => void} */ run) =>
    make("button", { class: `start edits ${kind}`, onclick: run }, make("span", { class: "start-picture", "aria-hidden": "true" }), make("b", {}, title), make("span", { class: "value" }, text));
  return make("div", { class: "starts" }, picker,
    start("from-image", "From an image", "Its colors, as many as you like", () => picker.click()),
    start("from-color", "From one color", "A ramp of even steps in OKLCH", () => begin(page, "ramp")),
    start("from-list", "Paste a list", "Hex, CSS, tokens, with or without names", () => begin(page, "paste")));
}

/** @param {import("./page.js").Page} page */
function joinForm(page) {
  const field = make("input", { id: "code", autocomplete: "off", spellcheck: false, placeholder: "join code or link" });
  const form = make("form", { class: "join" }, make("label", { for: "code" }, "Have a join code?"), field, make("button", {}, "Join"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.access.join(field.value.trim());
  });
  return form;
}
