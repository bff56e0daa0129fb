// Finds colors in text: what somebody pastes is a color, or a list of them with or without names.

/** @typedef {{value: string, name: string}} Found */

const mostLines = 20_000;
/** A color at the beginning or at the end of a line. */
const color = /(?:#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|hsb|oklab|oklch|lab|lch|color)\([^()]*\))/i;

/** The color of a line and its name, if it has one: `#fff Paper`, `Paper: #fff`, `--paper: #fff;`, `"paper": "#fff",`.
 * @param {string} line @param {(text: string) => boolean} isColor @returns {Found | null} */
export function readLine(line, isColor) {
  const bare = line.replace(/\/\*.*?\*\/|\/\/ .*$/g, "").trim().replace(/[;,]+$/, "").trim();
  if (!bare) return null;
  if (isColor(bare)) return { value: bare, name: "" };
  const match = color.exec(bare);
  // Words on both sides make a sentence.
  if (match && /\w/.test(bare.slice(0, match.index)) && /\w/.test(bare.slice(match.index + match[0].length))) return null;
  const [value, rest] = match ? [match[0], `${bare.slice(0, match.index)} ${bare.slice(match.index + match[0].length)}`]
    : [bare.split(/[\s:=,]+/).at(-1) ?? "", bare.split(/[\s:=,]+/).slice(0, -1).join(" ")];
  if (!isColor(value)) return null;
  const name = rest.replace(/["'`{}[\]]/g, "").replace(/^\s*(?:--|\$|@)/, "").replace(/[:=,;\s]+$/, "").replace(/^[:=,;\s]+/, "").trim();
  return { value, name };
}

/** The colors of a text; none where not every line that says something is a color.
 * @param {string} text @param {(text: string) => boolean} isColor @returns {Found[]} */
export function readColors(text, isColor) {
  if (isColor(text.trim())) return [{ value: text.trim(), name: "" }];
  const lines = text.split(/\r?\n/, mostLines).filter((line) => /[^\s{}()[\];,]/.test(line));
  const found = lines.flatMap(splitLine).map((line) => readLine(line, isColor));
  const colors = found.filter((one) => one !== null);
  // A text in which half of the lines are none is prose with a color in it.
  return colors.length * 2 > found.length ? /** @type {Found[]} */ (colors) : [];
}

/** Several colors of one line: `#f00 #0f0, #00f`.
 * @param {string} line */
function splitLine(line) {
  const all = line.match(new RegExp(color, "gi")) ?? [];
  return all.length > 1 ? all : [line];
}
