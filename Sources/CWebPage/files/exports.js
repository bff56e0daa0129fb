import { toast } from "./announce.js";
import { copyText } from "./copying.js";
import { loadStyle, make, openDialog } from "./dom.js";
import { makeTabs } from "./tabs.js";

/** @typedef {{name: string, title: string, extensions: string[], writes: boolean}} Format */

/** What is looked at as code, by the names of the formats, with the titles of its tabs.
 * @type {[string, string][]} */
const codes = [["css", "CSS"], ["scss", "SCSS"], ["tailwind", "Tailwind"], ["dtcg", "Tokens"], ["swift", "Swift"], ["android", "Android"], ["json", "JSON"]];
const pictures = ["svg", "png"];
/** More than anybody reads; what is copied and saved is whole. */
const mostShown = 12_000;

/** Shows the palette as code, as pictures and as files, and the address under which it is served.
 * @param {import("./page.js").Page} page */
export async function openExport(page) {
  await loadStyle("/export.css");
  const { palette } = page.library;
  if (!palette) return;
  /** @type {Format[]} */
  let formats;
  try {
    formats = (await page.connection.call("formats")).formats.filter((/** @type {Format} */ { writes }) => writes);
  } catch (error) {
    toast(error.message);
    return;
  }
  const path = (/** @type {string} */ name) => `/p/${palette.id}.${name}`;
  const file = (/** @type {Format} */ { name, extensions }) => `${palette.name}.${extensions[0] ?? name}`;
  const code = new Code(page, path);
  const known = codes.filter(([name]) => formats.some((format) => format.name === name));
  const { list, choose } = makeTabs("Code", known.map(([name, title]) => [`code-${name}`, title, make("div", { hidden: true })]),
    (id) => code.show(id.slice("code-".length)));
  // One panel for all tabs: what it shows is another text.
  for (const tab of list.children) tab.setAttribute("aria-controls", code.element.id);
  const address = new Address(page, palette.id, path);
  code.heard = (name, tag, isPublic) => address.show(name, tag, isPublic);
  const shown = formats.filter(({ name }) => pictures.includes(name));
  const dialog = openDialog(`Export ${palette.name}`,
    make("div", { class: "code-tabs" }, list), code.element, address.element,
    make("h3", {}, "Pictures"),
    make("div", { class: "pictures" }, ...shown.map((format) => make("a", { href: path(format.name), download: file(format) },
      make("img", { src: path(format.name), alt: "", loading: "lazy" }), format.title))),
    make("h3", {}, "Files"),
    make("ul", { class: "formats" }, ...formats.map((format) => make("li", {},
      make("a", { href: path(format.name), download: file(format) }, make("b", {}, format.title), make("span", { class: "value" }, `.${format.extensions[0] ?? format.name}`))))));
  dialog.classList.add("wide");
  linked(page, palette.id).then((found) => { if (found) dialog.append(...found); });
  choose(`code-${known[0]?.[0] ?? "css"}`);
}

/** The files on the node's machine that follow the palette, and what they cannot hold of it; for owners.
 * @param {import("./page.js").Page} page @param {string} palette */
async function linked(page, palette) {
  if (document.getElementById("share")?.hidden ?? true) return null;
  /** @type {{file: string, palette: string, state: string, error: string?, notes: string[]}[]} */
  let links;
  try {
    ({ links } = await page.connection.call("links"));
  } catch {
    return null;
  }
  const own = links.filter((link) => link.palette === palette);
  if (own.length === 0) return null;
  return [make("h3", { id: "linked-title" }, "Linked files"), make("ul", { class: "linked", "aria-labelledby": "linked-title" }, ...own.map(({ file, state, error, notes }) =>
    make("li", {}, make("b", {}, file), make("span", { class: "value" }, state === "live" ? "follows" : state),
      ...[error, ...notes].filter((words) => words).map((words) => make("p", { class: "hint" }, words)))))];
}

/** A palette as code, with a button that copies it. */
class Code {
  element = make("div", { class: "code", id: "code-view", role: "tabpanel", "aria-label": "Code" });
  /** Hears of each text that came: its format, its tag, and whether everybody may read it.
   * @type {(name: string, tag: string, isPublic: boolean) => void} */
  heard = () => {};
  #text = "";
  #name = "";
  #view = make("pre", { tabIndex: 0, "aria-label": "Preview" });
  #copy;
  #path;

  /** @param {import("./page.js").Page} page @param {(name: string) => string} path */
  constructor(page, path) {
    this.#path = path;
    this.#copy = make("button", { class: "copy-code", onclick: () => copyText(this.#text) }, "Copy");
    this.element.append(this.#view, this.#copy);
  }

  /** @param {string} name */
  async show(name) {
    this.#name = name;
    this.#copy.disabled = true;
    try {
      const response = await fetch(this.#path(name));
      const text = await response.text();
      if (this.#name !== name) return;
      if (!response.ok) throw new Error(text || `The node answers ${response.status}`);
      this.#text = text;
      this.#view.textContent = text.length > mostShown ? `${text.slice(0, mostShown)}\n…` : text;
      this.#view.scrollTop = 0;
      this.#copy.disabled = false;
      const isPublic = !(response.headers.get("cache-control") ?? "private").includes("private");
      this.heard(name, response.headers.get("etag") ?? "", isPublic);
    } catch (error) {
      if (this.#name === name) this.#view.textContent = error instanceof TypeError ? "The code is shown when the connection is back." : error.message;
    }
  }
}

/** The address under which the palette is served as a file, for those who link to it. */
class Address {
  element = make("div", { class: "address" });
  #page;
  #palette;
  #path;
  #field = make("input", { readOnly: true, "aria-label": "Address of the file" });
  #words = make("p", { class: "hint" });
  #publish = make("button", { onclick: () => this.#change() }, "Publish");
  #isPublic = false;
  #name = "css";
  #tag = "";

  /** @param {import("./page.js").Page} page @param {string} palette @param {(name: string) => string} path */
  constructor(page, palette, path) {
    this.#page = page;
    this.#palette = palette;
    this.#path = path;
    this.element.append(make("div", { class: "row" }, this.#field, make("button", { onclick: () => copyText(this.#field.value) }, "Copy address"), this.#publish), this.#words);
  }

  /** @param {string} name @param {string} tag @param {boolean} isPublic */
  show(name, tag, isPublic) {
    this.#name = name;
    this.#tag = tag;
    this.#isPublic = isPublic;
    this.#field.value = new URL(this.#path(name), location.href).href;
    this.#publish.hidden = document.getElementById("share")?.hidden ?? true;
    this.#publish.textContent = isPublic ? "Unpublish" : "Publish";
    const cached = tag ? ` Its ETag is ${tag}: 304 while nothing changed.` : "";
    this.#words.textContent = (isPublic ? "Published: a site can link to it, and everybody may read it." : "For those with access; published, a site can link to it.") + cached;
  }

  async #change() {
    const { connection } = this.#page;
    try {
      if (this.#isPublic) {
        const { tokens } = await connection.call("tokens");
        const grants = tokens.filter((/** @type {any} */ one) => one.kind === "public" && one.palette === this.#palette);
        for (const { id } of grants) await connection.call("revoke", { token: id });
      } else await connection.call("share", { palette: this.#palette, public: true });
      this.show(this.#name, this.#tag, !this.#isPublic);
    } catch (error) {
      toast(error.message);
    }
  }
}
