import { openDialog } from "./dialogs.js";
import { loadStyle, make } from "./dom.js";
import { moment } from "./times.js";

/** Of so many it is asked who deleted them. */
const mostAsked = 60;

/** Lists the palettes that were deleted, those first that were deleted last.
 * @param {import("./page.js").Page} page */
export async function openTrash({ library, connection, palettes }) {
  // Lists of people and of palettes look alike.
  await Promise.all([loadStyle("/share.css"), library.findDropped().catch(() => {})]);
  const visible = new Set(library.palettes.map(({ id }) => id));
  const dropped = library.dropped.filter(({ id }) => !visible.has(id));
  const entries = await Promise.all(dropped.map(async (palette, index) => ({ palette, drop: index < mostAsked ? await library.dropOf(palette.id) : null })));
  entries.sort((one, other) => (other.drop?.time ?? "").localeCompare(one.drop?.time ?? ""));
  const list = make("ul", { class: "members" }, ...entries.map(({ palette: { id, name, count }, drop }) =>
    make("li", {}, make("span", { class: "grow" }, make("b", {}, name),
      make("span", { class: "value" }, `${count === 1 ? "1 color" : `${count.toLocaleString("en")} colors`}${drop ? ` · deleted by ${drop.author ?? "somebody"}, ${moment(drop.time)}` : ""}`)),
    make("button", { class: "edits", "aria-label": `Restore ${name}`, onclick: () => {
      palettes.restore(id);
      dialog.close();
    } }, "Restore"))));
  if (entries.length === 0) {
    list.append(make("li", { class: "hint" }, connection.isOpen ? "No palette was deleted." : "You are offline, and no deleted palette is known here."));
  }
  const dialog = openDialog("Deleted palettes", list);
}
