import { toast } from "./announce.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./library.js").Palette} Palette */
/** @typedef {import("./page.js").Page} Page */

/** So many colors are offered back one by one; more are found in the history. */
const mostRestored = 100;

/** Tells who deleted a palette that was in view, or that the address names, and offers it back.
 * @param {Page} page @param {string} id @param {Palette | null} last what was known of it while it was in view */
export async function sayPalette({ library, palettes, rights }, id, last) {
  const [drop] = await Promise.all([library.dropOf(id), library.findDropped().catch(() => {})]);
  const palette = library.dropped.find((one) => one.id === id) ?? last;
  if (!palette) return toast("There is no such palette here. The list has those that there are.");
  if (!drop) return toast(`${palette.name} is not here any more`);
  library.rememberDropped(palette);
  const who = drop.node === rights.node ? "you, in another window" : drop.author ?? "somebody else";
  toast(`${palette.name} was deleted by ${who}`, rights.mayEdit(id) ? { label: "Restore", run: () => palettes.restore(id) } : undefined);
}

/** Tells who deleted colors that were selected, and offers them back.
 * @param {Page} page @param {readonly Color[]} colors @param {string} who */
export function sayColors({ edits, beside, canEdit }, colors, who) {
  const what = colors.length === 1 ? `${colors[0].name} was` : `${colors.length.toLocaleString("en")} selected colors were`;
  const back = colors.length <= mostRestored
    ? { label: "Restore", run: () => colors.forEach(({ id }) => edits.make("restore", { color: id })) }
    : { label: "History", run: () => beside.open("history") };
  toast(`${what} deleted by ${who}`, canEdit ? back : undefined);
}
