/** The path of the library: "/", or "/l/NAME/" at a hub that serves many. */
export const base = new URL(".", import.meta.url).pathname;

/** The key under which a browser keeps something of this library: many may have the same origin.
 * @param {string} name */
export const keyOf = (name) => (base === "/" ? name : `${name} ${base}`);

/** What keys begin with under which the browser remembers things of a palette: its sections, and its roles in use. */
export const groupsKey = keyOf("groups ");
export const rolesKey = keyOf("roles ");

/** The palette that the address names.
 * @returns {string | null} */
export function addressed() {
  return /\/palettes\/([0-9a-f-]{36})$/.exec(location.pathname)?.[1] ?? null;
}

/** The address, the title and the icon are those of the palette in view.
 * @param {import("./library.js").Library} library */
export function nameAddress({ palette, current, colors }) {
  const title = palette ? `${palette.name} · hued` : "hued";
  if (document.title !== title) document.title = title;
  if (palette && addressed() !== current) history.replaceState(null, "", `${base}palettes/${current}`);
  const stripes = colors.slice(0, 4).map(({ hex }, index, all) =>
    `<rect x="${(16 / all.length) * index}" width="${16 / all.length}" height="16" fill="${hex}"/>`).join("");
  const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  const href = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><clipPath id="c"><rect width="16" height="16" rx="4"/></clipPath><g clip-path="url(#c)">${stripes}</g></svg>`)}`;
  if (link.href !== href) link.href = href;
}
