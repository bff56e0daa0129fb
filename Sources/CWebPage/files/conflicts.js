import { make, openDialog, swatch } from "./dom.js";
import { toast } from "./announce.js";

/** Shows the values that were written at the same time, and lets one be chosen.
 * @param {import("./page.js").Page} page @param {string} id */
export async function openConflict(page, id) {
  const color = page.library.color(id);
  if (!color) return;
  /** @type {{conflicts: {id: string, register: string, values: {value: string, author: string | null, node: string, shown: boolean}[]}[]}} */
  let answer;
  try {
    answer = await page.connection.call("conflicts", { palette: page.library.current });
  } catch {
    toast("The values are shown when the connection is back");
    return;
  }
  const conflicts = answer.conflicts.filter((conflict) => conflict.id === id);
  // A value is told as it was written, in whatever space; its hex is for the node to say.
  const written = conflicts.filter(({ register }) => register === "color").flatMap(({ values }) => values.map(({ value }) => value));
  /** @type {Map<string, string>} */
  const hexes = new Map(await Promise.all(written.map(async (value) => {
    const facts = await page.connection.call("color", { value }).catch(() => null);
    return /** @type {[string, string]} */ ([value, facts?.hex ?? value]);
  })));
  const sections = conflicts.map(({ register, values }) =>
    make("fieldset", { class: "choices" }, make("legend", {}, `${register} of ${color.name}`),
      ...values.map(({ value, author, node, shown }) => {
        const hex = register === "color" ? hexes.get(value) : "";
        const who = author ?? node.slice(0, 8);
        const text = hex || value || "(empty)";
        return make("button", {
          class: "choice", "aria-label": `Keep ${text} by ${who}${shown ? ", shown now" : ""}`,
          onclick: () => {
            page.edit("resolve", { color: id, register, value, seen: color.seen });
            dialog.close();
          },
        }, hex ? swatch(hex) : null, make("b", {}, text), make("span", { class: "who" }, `${who}${shown ? " · shown now" : ""}`));
      })));
  if (sections.length === 0) return;
  const dialog = openDialog("Resolve conflict", make("p", { class: "hint" },
    "These were written at the same time. Nothing is lost until you choose."), ...sections);
}
