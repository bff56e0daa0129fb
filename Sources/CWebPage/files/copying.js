import { frontDialog, toast } from "./announce.js";
import { inGamut, parseColor } from "./color.js";
import { make } from "./dom.js";

/** Copies a text, and says so; what is secret stays out of sight.
 * @param {string} text */
export async function copyText(text, isSecret = false) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages without TLS have no clipboard; what is selected can be copied everywhere.
    const field = make("textarea", { value: text, class: "unseen", "aria-label": "Copy" });
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    (frontDialog() ?? document.body).append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    focused.focus();
  }
  const lines = text.split("\n").length;
  toast(isSecret ? "Copied" : lines > 1 ? `Copied ${lines.toLocaleString("en")} lines` : `Copied ${text}`);
}

/** Copies colors as hex, one a line; those that sRGB does not have as they were written.
 * @param {import("./diff.js").Color[]} colors */
export function copyColors(colors) {
  return copyText(colors.map(({ color, hex }) => {
    const rgb = parseColor(color)?.rgb;
    return rgb && !inGamut(rgb) ? color : hex;
  }).join("\n"));
}
