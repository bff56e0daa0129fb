// What a history says of each action, and what can be brought back from it. Pure.

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {{action: string, time: string, author: string | null, member?: string, node: string, kind: string, count: number, summary: string,
 *   undone: boolean | null, colors: {id: string, name: string | null, hex: string | null}[]}} Action */
/** A color as it was: how it is brought back, and under which name it is offered.
 * @typedef {{id: string, name: string, edits: {method: string, parameters: Record<string, unknown>}[]}} Return */

/** The day of a time as people say it.
 * @param {Date} time @param {Date} now */
export function dayOf(time, now) {
  const start = (/** @type {Date} */ date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((start(now) - start(time)) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const isThisYear = time.getFullYear() === now.getFullYear();
  return time.toLocaleDateString([], { weekday: days < 7 ? "long" : undefined, day: "numeric", month: "long", year: isThisYear ? undefined : "numeric" });
}

/** What brings a color back to what it was: nothing where it is so already, or was not there.
 * @param {Color | undefined} then @param {Color | undefined} now @returns {Return | null} */
export function wayBack(then, now) {
  if (!then) return null;
  const { id, name } = then;
  if (!now) return { id, name, edits: [{ method: "restore", parameters: { color: id } }] };
  const edits = [];
  const { seen } = now;
  if (then.color !== now.color) edits.push({ method: "set", parameters: { color: id, value: then.color, seen } });
  if (then.name !== now.name) edits.push({ method: "rename", parameters: { color: id, name: then.name, seen } });
  if (then.note !== now.note) edits.push({ method: "note", parameters: { color: id, text: then.note, seen } });
  return edits.length > 0 ? { id, name, edits } : null;
}

/** What an action deleted comes back by itself: nothing of what is there.
 * @param {Action} action @param {(id: string) => Color | undefined} now @returns {Return[]} */
export function deleted({ kind, colors }, now) {
  if (kind !== "delete") return [];
  return colors.filter(({ id }) => !now(id)).slice(0, 3)
    .map(({ id, name }) => ({ id, name: name ?? "the color", edits: [{ method: "restore", parameters: { color: id } }] }));
}

/** Whether two lists show the same.
 * @param {readonly Color[]} one @param {readonly Color[]} other */
export function isSame(one, other) {
  return one.length === other.length && one.every((color, index) => {
    const { id, name, note } = other[index];
    return color.id === id && color.name === name && color.note === note && color.color === other[index].color;
  });
}
