import { find, make } from "./dom.js";

const panel = find("welcome");
let shown = "";
/** One for all that is shown, so that what is typed while that changes stays.
 * @type {HTMLElement | null} */
let join = null;

/** Says what to do where there is nothing to show yet.
 * @param {import("./page.js").Page} page @param {"locked" | "none" | "empty" | ""} state
 * @param {string} revocation who took the access back, if that is why it is locked */
export function showWelcome(page, state, revocation) {
  panel.hidden = state === "";
  if (state + revocation === shown) return;
  shown = state + revocation;
  join ??= joinForm(page);
  const say = (/** @type {string} */ title, /** @type {string} */ text, /** @type {HTMLElement[]} */ ...rest) =>
    panel.replaceChildren(make("h2", {}, title), make("p", {}, text), ...rest);
  const importing = make("button", { class: "edits quiet", onclick: () => find("files").click() }, "Import files");
  if (state === "locked" && revocation) {
    say("No access any more", `${revocation} What this browser had kept is deleted. A new link or code lets you in again.`, join);
  } else if (state === "locked") {
    say("This library is locked", "Open the link that “hued serve” or “hued open” prints, or enter a join code.", join);
  } else if (state === "none") {
    say("Begin a palette", "It lives here, on your machines and with everyone you share it with. Palette files and images can be dropped anywhere on the page.",
      starts(page), make("div", { class: "row" }, make("button", { class: "quiet edits", onclick: () => begin(page, "sample") }, "Look at a sample"),
        make("button", { class: "quiet edits", onclick: () => page.palettes.create() }, "New palette"), importing), join);
  } else if (state === "empty") {
    say("An empty palette", "Make a color with the picker and add it, paste colors, or begin with one of these.",
      starts(page), make("div", { class: "row" }, importing));
  }
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
