import { printed } from "./commands.js";
import { openDialog } from "./dialogs.js";
import { loadStyle, make } from "./dom.js";

/** Shows every command that has a key, from the one table of them.
 * @param {import("./commands.js").Commands} commands */
export async function openKeys(commands) {
  await loadStyle("/menu.css");
  /** @type {Map<string, HTMLElement[]>} */
  const groups = new Map();
  for (const { label, group, keys } of commands.all) {
    if (!keys || !group) continue;
    const row = make("li", {}, make("span", { class: "grow" }, label), ...keys.map((key) => make("kbd", {}, printed(key))));
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  groups.get("Colors")?.push(
    make("li", {}, make("span", { class: "grow" }, "Go from color to color"), make("kbd", {}, "← → ↑ ↓")),
    make("li", {}, make("span", { class: "grow" }, "Select, extend, toggle"), make("kbd", {}, "Enter"), make("kbd", {}, `${printed("Shift")}`), make("kbd", {}, printed("Mod"))));
  const lists = [...groups].map(([name, rows]) => make("section", {}, make("h3", {}, name), make("ul", { class: "keys" }, ...rows)));
  openDialog("Keys", ...lists).classList.add("wide-dialog");
}
