/** Outlines in a square of 16, drawn with one stroke.
 * @type {Record<string, string>} */
const paths = {
  copy: "M5.5 5.5V3a1 1 0 0 1 1-1H13a1 1 0 0 1 1 1v6.5a1 1 0 0 1-1 1h-2.5M3 5.5h6.5a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V6.5a1 1 0 0 1 1-1z",
  note: "M3 2.5h10v7l-4 4H3zM13 9.5H9v4M5.5 5.5h5M5.5 8h3",
  duplicate: "M2.5 2.5h11v11h-11zM8 5.5v5M5.5 8h5",
  delete: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9M6.7 7v4M9.3 7v4",
  undo: "M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6",
  redo: "m10.5 3 3 3-3 3M13.5 6h-7a4 4 0 0 0 0 8H10",
  menu: "M3 8h.01M8 8h.01M13 8h.01",
  grid: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  list: "M2.5 4h11M2.5 8h11M2.5 12h11",
  strips: "M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11",
  add: "M8 3v10M3 8h10",
  use: "M2.5 3h11v10h-11zM2.5 5.8h11M5 9h3M5 11h5",
  eyedropper: "m2.5 13.5.5-2.5 6-6 2 2-6 6zM8 4l4 4M10 6l2.3-2.3a1 1 0 0 0 0-1.4l-.6-.6a1 1 0 0 0-1.4 0L8 4",
  close: "m3.5 3.5 9 9M12.5 3.5l-9 9",
  share: "M8 9.5V2M5 4.5 8 2l3 2.5M4 7.5H3V14h10V7.5h-1",
  history: "M8 4.5V8l2.5 1.5M2.7 6A5.7 5.7 0 1 1 2.3 8M2.5 2.5V6H6",
  export: "M8 2v7.5M5 7l3 2.5L11 7M3 11v3h10v-3",
  palettes: "M2.5 3h11M2.5 8h11M2.5 13h7",
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
