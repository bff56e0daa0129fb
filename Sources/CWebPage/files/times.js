/** A time as people say it.
 * @param {string | Date} time */
export function moment(time) {
  return new Date(time).toLocaleString([], { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });
}
