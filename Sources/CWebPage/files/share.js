import { base } from "./address.js";
import { announce, toast } from "./announce.js";
import { copyText } from "./copying.js";
import { openDialog } from "./dialogs.js";
import { loadStyle, make } from "./dom.js";
import { colorOf } from "./presence.js";
import { initials } from "./row.js";
import { moment } from "./times.js";

/** @typedef {{code: string, link?: string, role: string, expires: string, qr?: string[]}} Code */

const roles = [["viewer", "can look"], ["editor", "can edit"], ["owner", "can edit, share and revoke"]];
const times = [["10m", "10 minutes"], ["1h", "1 hour"], ["1d", "1 day"], ["7d", "7 days"]];

/** Shares the palette in view, or the library, and lists who has which rights. A code is made when it is copied, or
 * when its picture is shown: one that nobody takes would stay open.
 * @param {import("./page.js").Page} page */
export async function openShare(page) {
  await loadStyle("/share.css");
  const { palette } = page.library;
  const select = (/** @type {string} */ id, /** @type {string[][]} */ choices) =>
    make("select", { id }, ...choices.map(([value, text]) => make("option", { value }, text)));
  const scope = select("share-scope", [...(palette ? [[palette.id, palette.name]] : []), ["", "The whole library"]]);
  const role = select("share-role", roles.map(([name, text]) => [name, `${name}: ${text}`]));
  role.value = "editor";
  const expires = select("share-expires", times);
  const name = make("input", { id: "share-name", maxLength: 60, placeholder: "optional", autocomplete: "off" });
  const made = make("div", { class: "made" });
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ control) =>
    make("div", { class: "field" }, make("label", { for: control.id }, label), control);
  const members = make("ul", { class: "members" });
  /** The code for what is chosen now; another choice needs another one.
   * @type {Promise<Code> | null} */
  let code = null;
  const ask = () => {
    code ??= page.connection.call("share", {
      ...(scope.value && { palette: scope.value }), role: role.value, expires: expires.value,
      ...(name.value.trim() && { name: name.value.trim() }),
    });
    code.then(() => listMembers(page, members), () => (code = null));
    return code;
  };
  const forget = () => {
    code = null;
    made.replaceChildren();
  };
  for (const control of [scope, role, expires, name]) control.addEventListener("input", forget);
  const run = (/** @type {(code: Code) => void} */ use) => async () => {
    try {
      use(await ask());
    } catch (error) {
      toast(error.message);
    }
  };
  const linkOf = (/** @type {Code} */ one) => one.link ?? `${location.origin}${base}#${one.code}`;
  const copied = (/** @type {Code} */ one, /** @type {string} */ text) => {
    copyText(text, true);
    if (made.childElementCount === 0) made.replaceChildren(make("p", { class: "hint" }, goodFor(one)));
  };
  openDialog("Share", make("div", { class: "share-form" }, field("Share", scope), field("Role", role), field("Good for", expires), field("Name of the guest", name)),
    make("div", { class: "row actions" },
      make("button", { class: "primary", onclick: run((one) => copied(one, linkOf(one))) }, "Copy link"),
      make("button", { onclick: run((one) => copied(one, one.code)) }, "Copy code"),
      make("button", { onclick: run((one) => showCode(made, one)) }, "Show QR code")),
    made, make("h3", {}, "Who has access"), members);
  listMembers(page, members);
}

/** @param {Code} code */
function goodFor({ role, expires }) {
  const until = new Date(expires);
  const isToday = until.toDateString() === new Date().toDateString();
  const time = until.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return `For one ${role}, once, until ${isToday ? time : `${until.toLocaleDateString([], { day: "numeric", month: "long" })}, ${time}`}.`;
}

/** @param {HTMLElement} made @param {Code} code */
function showCode(made, code) {
  made.replaceChildren(...(code.qr ? [drawQR(code.qr)] : []), make("div", { class: "grow" }, make("p", { class: "hint" }, goodFor(code)),
    make("textarea", { readOnly: true, rows: 5, value: code.code, "aria-label": "Join code" })));
}

/** @param {string[]} rows of 0 and 1 */
function drawQR(rows) {
  const quiet = 4;
  const size = rows.length + 2 * quiet;
  const canvas = make("canvas", { class: "qr", width: size * 4, height: size * 4, role: "img", "aria-label": "QR code of the join code" });
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.scale(4, 4);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size);
  context.fillStyle = "#000";
  rows.forEach((row, y) => [...row].forEach((bit, x) => {
    if (bit === "1") context.fillRect(x + quiet, y + quiet, 1, 1);
  }));
  return canvas;
}

/** @param {import("./page.js").Page} page @param {HTMLElement} list */
async function listMembers(page, list) {
  try {
    const { tokens } = await page.connection.call("tokens");
    list.replaceChildren(...tokens.map((/** @type {any} */ grant) => person(page, list, grant)));
    if (tokens.length === 0) list.replaceChildren(make("li", { class: "hint" }, "Nobody yet."));
  } catch (error) {
    list.replaceChildren(make("li", { class: "hint" }, error.message));
  }
}

/** @param {import("./page.js").Page} page @param {HTMLElement} list @param {any} grant */
function person(page, list, grant) {
  const name = grant.name ?? (grant.kind ? "somebody" : "a guest");
  const where = page.library.named(grant.palette ?? "")?.name ?? "the whole library";
  const here = grant.member ? page.library.present.find(({ member }) => member === grant.member) : undefined;
  const seen = grant.kind === null ? `has not come yet; good until ${moment(grant.expires)}` : here ? "here now" : grant.lastSeen ? `seen ${ago(grant.lastSeen)}` : "not seen yet";
  const face = make("span", { class: "face", "aria-hidden": "true" }, initials(name));
  face.style.setProperty("--who", colorOf({ member: grant.member, node: here?.node ?? grant.node ?? grant.id }));
  face.classList.toggle("awaited", grant.kind === null);
  return make("li", {}, face, make("span", { class: "grow" }, make("b", {}, name),
    make("span", { class: "value" }, `${grant.role} of ${where}${grant.kind && grant.kind !== "page" ? `, ${grant.kind}` : ""} · ${seen}`)),
    make("button", { class: "quiet", "aria-label": `Revoke ${name}`, onclick: async () => {
      try {
        await page.connection.call("revoke", { token: grant.id });
        announce(`${name} has no access any more`);
        listMembers(page, list);
      } catch (error) {
        toast(error.message);
      }
    } }, "Revoke"));
}

/** How long ago it is, for people.
 * @param {string} time */
function ago(time) {
  const minutes = Math.round((Date.now() - Date.parse(time)) / 60_000);
  if (minutes < 2) return "just now";
  if (minutes < 60) return `${minutes} minutes ago`;
  if (minutes < 24 * 60) return minutes < 120 ? "an hour ago" : `${Math.floor(minutes / 60)} hours ago`;
  return moment(time);
}
