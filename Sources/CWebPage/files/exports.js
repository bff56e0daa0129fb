import { base } from "./address.js";
import { toast } from "./announce.js";
import { copyText } from "./copying.js";
import { openDialog } from "./dialogs.js";
import { loadStyle, make } from "./dom.js";
import { makeTabs } from "./tabs.js";

/** @typedef {{name: string, title: string, extensions: string[], writes: boolean}} Format */

/** What is looked at as code, by the names of the formats, with the titles of its tabs.
 * @type {[string, string][]} */
const codes = [["css", "CSS"], ["scss", "SCSS"], ["tailwind", "Tailwind"], ["dtcg", "Tokens"], ["swift", "Swift"], ["android", "Android"], ["json", "JSON"]];
const pictures = ["svg", "png"];
/** More than anybody reads; what is copied and saved is whole. */
const mostShown = 12_000;

/** Shows the palette as code, as pictures and as files, and the address under which it is served; or some of its colors as
 * code and as files.
 * @param {import("./page.js").Page} page @param {readonly string[]} ids the colors; none for all of them */
export async function openExport(page, ids = []) {
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
  /** What a format makes of the colors.
   * @param {string} format @returns {Promise<Uint8Array>} */
  const write = async (format) => {
    const { bytes } = await page.connection.call("export", { palette: palette.id, format, colors: ids });
    return Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
  };
  const path = (/** @type {string} */ name) => `${base}p/${palette.id}.${name}`;
  const file = (/** @type {Format} */ { name, extensions }) => `${palette.name}.${extensions[0] ?? name}`;
  const code = new Code(ids.length > 0 ? async (name) => ({ text: new TextDecoder().decode(await write(name)), headers: null }) : (name) => fetched(path(name)));
  const known = codes.filter(([name]) => formats.some((format) => format.name === name));
  const { list, choose } = makeTabs("Code", known.map(([name, title]) => [`code-${name}`, title, make("div", { hidden: true })]),
    (id) => code.show(id.slice("code-".length)));
  // One panel for all tabs: what it shows is another text.
  for (const tab of list.children) tab.setAttribute("aria-controls", code.element.id);
  const address = new Address(page, palette.id, path);
  code.heard = (name, tag, isPublic) => address.show(name, tag, isPublic);
  const shown = formats.filter(({ name }) => pictures.includes(name));
  const what = ids.length === 0 ? palette.name : ids.length === 1 ? `1 color of ${palette.name}` : `${ids.length.toLocaleString("en")} colors of ${palette.name}`;
  const save = (/** @type {Format} */ format) => async () => {
    try {
      saveFile(await write(format.name), file(format));
    } catch (error) {
      toast(error.message);
    }
  };
  const label = (/** @type {Format} */ { title, name, extensions }) => [make("b", {}, title), make("span", { class: "value" }, `.${extensions[0] ?? name}`)];
  const dialog = openDialog(`Export ${what}`, make("div", { class: "code-tabs" }, list), code.element,
    ...(ids.length > 0 ? [] : [address.element, make("h3", {}, "Pictures"),
      make("div", { class: "pictures" }, ...shown.map((format) => make("a", { href: path(format.name), download: file(format) },
        make("img", { src: path(format.name), alt: "", loading: "lazy" }), format.title)))]),
    make("h3", {}, "Files"),
    make("ul", { class: "formats" }, ...formats.map((format) => make("li", {}, ids.length > 0
      ? make("button", { onclick: save(format) }, ...label(format))
      : make("a", { href: path(format.name), download: file(format) }, ...label(format))))));
  dialog.classList.add("wide");
  follow(page, dialog, (count) => {
    code.showAgain();
    // At the same address the browser would show what it has.
    for (const image of dialog.querySelectorAll("img")) image.src = `${image.src.split("?")[0]}?${count}`;
  });
  if (ids.length === 0) linked(page, palette.id).then((found) => { if (found) dialog.append(...found); });
  choose(`code-${known[0]?.[0] ?? "css"}`);
}

/** Shows again what a dialog has of the palette, a moment after others changed that.
 * @param {import("./page.js").Page} page @param {HTMLDialogElement} dialog @param {(count: number) => void} show */
function follow(page, dialog, show) {
  let timer = 0;
  let count = 0;
  const soon = () => {
    timer ||= window.setTimeout(() => {
      timer = 0;
      show(++count);
    }, 300);
  };
  page.library.addEventListener("colors", soon);
  dialog.addEventListener("close", () => {
    page.library.removeEventListener("colors", soon);
    clearTimeout(timer);
  });
}

/** What the node serves, with its headers.
 * @param {string} path */
async function fetched(path) {
  const response = await fetch(path);
  const text = await response.text();
  if (!response.ok) throw new Error(text || `The node answers ${response.status}`);
  return { text, headers: response.headers };
}

/** @param {Uint8Array} bytes @param {string} name */
function saveFile(bytes, name) {
  const href = URL.createObjectURL(new Blob([bytes]));
  make("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
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
  /** The number of the newest reading; what an older one brings is not shown. */
  #turn = 0;
  #view = make("pre", { tabIndex: 0, "aria-label": "Preview" });
  #copy;
  #read;

  /** @param {(name: string) => Promise<{text: string, headers: Headers | null}>} read the text in a format */
  constructor(read) {
    this.#read = read;
    this.#copy = make("button", { class: "copy-code", onclick: () => copyText(this.#text) }, "Copy");
    this.element.append(this.#view, this.#copy);
  }

  /** @param {string} name */
  show(name) {
    this.#name = name;
    this.#copy.disabled = true;
    this.#view.scrollTop = 0;
    return this.showAgain();
  }

  /** Shows what the palette is by now. */
  async showAgain() {
    const name = this.#name;
    const turn = ++this.#turn;
    try {
      const { text, headers } = await this.#read(name);
      if (this.#turn !== turn) return;
      this.#text = text;
      this.#view.textContent = text.length > mostShown ? `${text.slice(0, mostShown)}\n…` : text;
      this.#copy.disabled = false;
      const isPublic = !(headers?.get("cache-control") ?? "private").includes("private");
      this.heard(name, headers?.get("etag") ?? "", isPublic);
    } catch (error) {
      if (this.#turn === turn) this.#view.textContent = error instanceof TypeError ? "The code is shown when the connection is back." : error.message;
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
