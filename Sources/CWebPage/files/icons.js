/** Outlines in a square of 16, drawn with one stroke.
 * @type {Record<string, string>} */
const paths = {
  copy: "M5.5 5.5V3a1 1 0 0 1 1-1H13a1 1 0 0 1 1 1v6.500a1 1 0 0 1-1 1h-2.500M3 5.500h6.500a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V6.500a1 1 0 0 1 1-1z",
  note: "M3 2.500h10v7l-4 4H3zM13 9.500H9v4M5.500 5.500h5M5.500 8h3",
  duplicate: "M2.500 2.500h11v11h-11zM8 5.500v5M5.500 8h5",
  delete: "M2.500 4.500h11M6 4.500v-2h4v2M4 4.500l.7 9h6.600l.7-9M6.700 7v4M9.300 7v4",
  undo: "M5.500 3 2.500 6l3 3M2.500 6h7a4 4 0 0 1 0 8H6",
  redo: "m10.500 3 3 3-3 3M13.500 6h-7a4 4 0 0 0 0 8H10",
  menu: "M3 8h.01M8 8h.01M13 8h.01",
  grid: "M2.500 2.500h4.500v4.500H2.500zM9 2.500h4.500v4.500H9zM2.500 9h4.500v4.500H2.500zM9 9h4.500v4.500H9z",
  list: "M2.500 4h11M2.500 8h11M2.500 12h11",
  strips: "M2.500 2.500h11v11h-11zM2.500 6.200h11M2.500 9.800h11",
  add: "M8 3v10M3 8h10",
  use: "M2.500 3h11v10h-11zM2.500 5.800h11M5 9h3M5 11h5",
  eyedropper: "m2.500 13.500.500-2.500 6-6 2 2-6 6zM8 4l4 4M10 6l2.300-2.300a1 1 0 0 0 0-1.400l-.600-.600a1 1 0 0 0-1.400 0L8 4",
  close: "m3.500 3.500 9 9M12.500 3.500l-9 9",
  share: "M8 9.500V2M5 4.500 8 2l3 2.500M4 7.500H3V14h10V7.500h-1",
  history: "M8 4.500V8l2.500 1.500M2.700 6A5.700 5.700 0 1 1 2.300 8M2.500 2.500V6H6",
  export: "M8 2v7.500M5 7l3 2.500L11 7M3 11v3h10v-3",
  palettes: "M2.500 3h11M2.500 8h11M2.500 13h7",
};

/** An icon, which is drawn in the color of the text and says nothing.
 * @param {string} name */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name] ?? "");
  svg.append(path);
  return svg;
}
