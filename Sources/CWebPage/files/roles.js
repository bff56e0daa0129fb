// Guesses what the colors of a palette are for, so that things can be painted with them.

import { fitOKLCH, parseHex, toHex } from "./color.js";
import { rgbToOKLCH } from "./conversions.js";
import { measure, ratio } from "./apca.js";

/** @typedef {{id: string, name: string, hex: string}} Paint */
/** A color in a role; without an id it is none of the palette, but made to go with it.
 * @typedef {{hex: string, id: string | null}} Cast */
/** @typedef {"ground" | "surface" | "text" | "accent" | "second"} RoleName */
/** @typedef {Record<RoleName, Cast> & {onAccent: Cast, series: Cast[]}} Roles */

/** The roles that can be given to a color, in the order of their importance.
 * @type {[RoleName, string][]} */
export const roleNames = [
  ["ground", "Ground"], ["surface", "Surface"], ["text", "Text"], ["accent", "Accent"], ["second", "Second accent"],
];

/** Words in names that say what a color is for. A name that says it is believed before any look at the color.
 * @type {Record<RoleName, RegExp>} */
const words = {
  ground: /\b(ground|background|bg|paper|canvas|base)\b/i,
  surface: /\b(surface|card|panel|muted)\b/i,
  text: /\b(text|ink|foreground|fg|body)\b/i,
  accent: /\b(accent|primary|brand|cta|link|action)\b/i,
  second: /\b(secondary|second|highlight|tertiary)\b/i,
};

/** @typedef {Paint & {l: number, c: number, h: number, measure: import("./apca.js").Measure}} Known */

/** What is known of a value; the same for each color that has it.
 * @type {Map<string, {hex: string, l: number, c: number, h: number, measure: import("./apca.js").Measure}>} */
const values = new Map();
const mostValues = 4000;

/** @param {Paint} paint @returns {Known} */
function look(paint) {
  const opaque = paint.hex.slice(0, 7);
  let known = values.get(opaque);
  if (!known) {
    if (values.size > mostValues) values.clear();
    const { rgb } = parseHex(opaque) ?? { rgb: { r: 0, g: 0, b: 0 } };
    known = { hex: opaque, ...rgbToOKLCH(rgb), measure: measure(opaque) };
    values.set(opaque, known);
  }
  return { ...known, id: paint.id, name: paint.name };
}

/** @template T @param {T[]} items @param {(item: T) => number} score @returns {T | undefined} */
function best(items, score) {
  let found;
  let most = -Infinity;
  for (const item of items) {
    const value = score(item);
    if (value > most) [found, most] = [item, value];
  }
  return found;
}

/** The roles of a palette on a light or a dark page.
 * @param {Paint[]} paints @param {boolean} isDark @param {Partial<Record<RoleName, string>>} chosen ids by role
 * @returns {Roles} */
export function guessRoles(paints, isDark, chosen = {}) {
  const known = paints.map(look);
  const left = new Set(known);
  /** @param {RoleName} role */
  const given = (role) => {
    const wanted = chosen[role];
    const one = (wanted && known.find(({ id }) => id === wanted)) || undefined;
    if (one) left.delete(one);
    return one;
  };
  /** @param {RoleName} role */
  const named = (role) => {
    const one = [...left].find(({ name }) => words[role].test(name));
    if (one) left.delete(one);
    return one;
  };
  const byHand = Object.fromEntries(roleNames.map(([role]) => [role, given(role)]));
  const hue = best(known, ({ c }) => c)?.h ?? 0;
  const made = (/** @type {number} */ l, /** @type {number} */ c) => look({ id: "", name: "", hex: toHex(fitOKLCH({ l, c, h: hue })) });
  /** @param {RoleName} role @param {(one: Known) => number} score @param {(one: Known) => boolean} isFit @param {() => Known} make */
  const cast = (role, score, isFit, make) => {
    // A ground that is named is the light page's; the dark page looks for itself.
    const isNamed = !isDark || role === "accent" || role === "second";
    const hand = byHand[role] ?? (isNamed ? named(role) : undefined);
    if (hand) return hand;
    const one = best([...left].filter(isFit), score);
    if (one) left.delete(one);
    return one ?? make();
  };
  // On a dark page a ground that was set by hand still counts, as do all other roles.
  const towards = (/** @type {number} */ l) => (isDark ? 1 - l : l);
  const ground = cast("ground", ({ l, c }) => towards(l) - c, ({ l }) => towards(l) > (isDark ? 0.68 : 0.86),
    () => (isDark ? made(0.19, 0.015) : made(0.98, 0.008)));
  const contrasts = (/** @type {Known} */ one) => ratio(one.measure, ground.measure);
  const text = cast("text", (one) => contrasts(one) - one.c * 4, (one) => contrasts(one) >= 4.5,
    () => (ground.measure.y > 0.18 ? made(0.24, 0.02) : made(0.95, 0.01)));
  const accent = cast("accent", ({ c, l }) => c + (Math.abs(l - 0.6) < 0.2 ? 0.03 : 0), (one) => one.c > 0.03 && contrasts(one) >= 2.2,
    () => best(known, (one) => one.c + contrasts(one) / 100) ?? made(0.55, 0.15));
  const second = cast("second", (one) => one.c + (Math.abs(((one.h - accent.h + 540) % 360) - 180) > 40 ? 0.1 : 0),
    (one) => one.c > 0.03 && contrasts(one) >= 1.3, () => accent);
  const surface = cast("surface", (one) => -Math.abs(contrasts(one) - 1.12) - one.c, (one) => contrasts(one) < 1.45 && contrasts(one) > 1.01,
    () => look({ id: "", name: "", hex: toHex(fitOKLCH({ l: ground.l + (ground.l > 0.5 ? -0.035 : 0.045), c: ground.c, h: ground.h })) }));
  const inks = [ground, text, look({ id: "", name: "", hex: "#ffffff" }), look({ id: "", name: "", hex: "#000000" })];
  const onAccentRatio = (/** @type {Known} */ one) => ratio(one.measure, accent.measure);
  const onAccent = inks.find((one) => onAccentRatio(one) >= 4.5) ?? best(inks, onAccentRatio) ?? text;
  const plain = (/** @type {Known} */ { hex, id }) => ({ hex, id: id || null });
  const visible = [accent, second, ...left].filter((one, index, all) => contrasts(one) >= 1.25 && all.indexOf(one) === index);
  return {
    ground: plain(ground), surface: plain(surface), text: plain(text), accent: plain(accent), second: plain(second),
    onAccent: plain(onAccent), series: visible.slice(0, 6).map(plain),
  };
}
