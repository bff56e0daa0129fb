import { announce, toast } from "./announce.js";
import { make, openDialog, swatch } from "./dom.js";

/** @typedef {{dot: string, time: string, author: string | null, node: string, kind: string, id: string,
 *   registers: Record<string, string>}} Change */

const pageSize = 100;
/** @type {Record<string, string>} */
const setters = { color: "set", name: "rename", note: "note" };

/** Who changed what and when; brings back what was, and shows the palette as it was at a time.
 * @param {import("./page.js").Page} page */
export function openHistory(page) {
  const palette = page.library.current;
  if (!palette) return;
  const list = make("ol", { class: "changes" });
  const preview = make("div", { class: "preview", hidden: true });
  const more = make("button", { hidden: true, onclick: () => load() }, "Show earlier");
  const dialog = openDialog("History", preview, list, more);
  dialog.classList.add("drawer");
  /** @type {string | null} */
  let last = null;
  /** Whose changes, of which minute, the list ends with. */
  let ending = "";

  /** @returns {Promise<void>} */
  async function load() {
    try {
      /** @type {{changes: Change[]}} */
      const { changes } = await page.connection.call("history", { palette, limit: pageSize, ...(last && { before: last }) });
      last = changes[changes.length - 1]?.dot ?? last;
      more.hidden = changes.length < pageSize;
      for (const change of changes) {
        const by = change.author ?? change.node.slice(0, 8);
        const when = new Date(change.time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
        if (ending !== by + when) list.append(make("li", { class: "when" }, make("b", {}, by), make("time", { dateTime: change.time }, when)));
        ending = by + when;
        list.append(entry(change));
      }
      if (list.childElementCount === 0) list.append(make("li", { class: "hint" }, "Nothing was changed yet."));
    } catch (error) {
      list.replaceChildren(make("li", { class: "hint" },
        page.connection.isOpen ? error.message : "History is shown when the connection is back."));
    }
  }

  /** @param {Change} change */
  function entry(change) {
    const { registers, kind, id } = change;
    const color = page.library.color(id);
    const name = color?.name ?? registers.name ?? (id === palette ? "the palette" : "a color");
    /** @type {Record<string, string>} */
    const verbs = { add: "added", set: "changed", delete: "deleted", restore: "restored", drop: "dropped" };
    const what = kind === "set" && registers.place && Object.keys(registers).length === 1 ? "moved" : verbs[kind] ?? kind;
    const value = ["color", "name", "note"].filter((key) => registers[key] !== undefined)
      .map((key) => registers[key]).join(" · ");
    const isBack = page.canEdit && kind === "delete" && !color;
    const canReuse = page.canEdit && kind === "set" && color !== undefined && Object.keys(setters).some((key) => key in registers);
    return make("li", {}, registers.color ? swatch(registers.color) : make("span", { class: "swatch none" }),
      make("span", { class: "grow" }, `${what} `, make("b", {}, name),
        value && what !== "added" ? make("span", { class: "value" }, value) : null),
      isBack && make("button", { class: "quiet", "aria-label": `Restore ${name}`, onclick: () => page.edit("restore", { color: id }) }, "Restore"),
      canReuse && make("button", { class: "quiet", "aria-label": `Restore this value of ${name}`, onclick: () => reuse(change) }, "Restore"),
      make("button", { class: "quiet", "aria-label": `As it was at ${new Date(change.time).toLocaleString()}`, onclick: () => show(change.time) }, "View"));
  }

  /** @param {Change} change */
  function reuse({ id, registers }) {
    const keys = /** @type {Record<string, string>} */ ({ color: "value", name: "name", note: "text" });
    for (const [register, method] of Object.entries(setters)) {
      if (registers[register] === undefined) continue;
      const seen = page.library.color(id)?.seen;
      page.edit(method, { color: id, [keys[register]]: registers[register], seen });
    }
  }

  /** @param {string} time */
  async function show(time) {
    try {
      const { colors } = await page.connection.call("list", { palette, at: time });
      preview.hidden = false;
      const when = new Date(time).toLocaleString();
      preview.replaceChildren(make("b", {}, `As it was at ${when}: ${colors.length} colors`),
        make("div", { class: "run" }, ...colors.slice(0, 400).map((/** @type {import("./diff.js").Color} */ color) => {
          const one = swatch(color.hex);
          one.title = `${color.name} ${color.hex}`;
          return one;
        })));
      announce(`As it was at ${when}: ${colors.length} colors`);
    } catch (error) {
      toast(error.message);
    }
  }

  load();
}
