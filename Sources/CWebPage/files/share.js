import { toast } from "./announce.js";
import { make, openDialog } from "./dom.js";

const roles = [["viewer", "can look"], ["editor", "can edit"], ["owner", "can edit, share and revoke"]];

/** Makes a join code, and lists who has which rights.
 * @param {import("./page.js").Page} page */
export function openShare(page) {
  const { palette } = page.library;
  const scope = make("select", { id: "share-scope" },
    palette ? make("option", { value: palette.id }, palette.name) : null, make("option", { value: "" }, "The whole library"));
  const role = make("select", { id: "share-role" }, ...roles.map(([name, text]) => make("option", { value: name }, `${name}: ${text}`)));
  role.value = "editor";
  const expires = make("select", { id: "share-expires" }, ...["10m", "1h", "1d", "7d"].map((time, index) =>
    make("option", { value: time }, ["10 minutes", "1 hour", "1 day", "7 days"][index])));
  const name = make("input", { id: "share-name", maxLength: 60, placeholder: "optional", autocomplete: "off" });
  const made = make("div", { class: "made" });
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ control) =>
    make("div", { class: "field" }, make("label", { for: control.id }, label), control);
  const form = make("form", {}, field("Share", scope), field("Role", role), field("Code is good for", expires),
    field("Name of the guest", name), make("div", { class: "row end" }, make("button", { class: "primary" }, "Make a code")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const answer = await page.connection.call("share", {
        ...(scope.value && { palette: scope.value }), role: role.value, expires: expires.value,
        ...(name.value.trim() && { name: name.value.trim() }),
      });
      showCode(page, made, answer);
    } catch (error) {
      toast(error.message);
    }
  });
  const members = make("ul", { class: "members" });
  openDialog("Share", form, made, make("h3", {}, "Who has access"), members);
  listMembers(page, members);
}

/** @param {import("./page.js").Page} page @param {HTMLElement} made
 * @param {{code: string, link?: string, role: string, expires: string, qr?: string[]}} answer */
function showCode(page, made, answer) {
  const link = answer.link ?? `${location.origin}/#${answer.code}`;
  const until = new Date(answer.expires).toLocaleString();
  const code = make("textarea", { readOnly: true, rows: 5, value: answer.code, "aria-label": "Join code" });
  made.replaceChildren(
    ...(answer.qr ? [drawQR(answer.qr)] : []),
    make("div", { class: "grow" }, make("p", { class: "hint" }, `For one ${answer.role}, once, until ${until}.`), code,
      make("div", { class: "row" },
        make("button", { onclick: () => page.copy(answer.code, true) }, "Copy code"),
        make("button", { onclick: () => page.copy(link, true) }, "Copy link"))));
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
    list.replaceChildren(...tokens.map((/** @type {any} */ grant) => {
      const name = grant.name ?? grant.kind ?? "somebody";
      const where = page.library.palettes.find(({ id }) => id === grant.palette)?.name ?? "the whole library";
      const seen = grant.lastSeen ? `, seen ${new Date(grant.lastSeen).toLocaleString()}` : "";
      return make("li", {}, make("span", { class: "grow" }, make("b", {}, name),
        make("span", { class: "value" }, `${grant.kind ?? "code"} · ${grant.role} of ${where}${seen}`)),
        make("button", { class: "quiet", "aria-label": `Revoke ${name}`, onclick: async () => {
          try {
            await page.connection.call("revoke", { token: grant.id });
            listMembers(page, list);
          } catch (error) {
            toast(error.message);
          }
        } }, "Revoke"));
    }));
    if (tokens.length === 0) list.replaceChildren(make("li", { class: "hint" }, "Nobody yet."));
  } catch (error) {
    list.replaceChildren(make("li", { class: "hint" }, error.message));
  }
}
