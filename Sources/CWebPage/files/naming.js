import { make } from "./dom.js";

/** Lets a name be edited where it stands.
 * @param {HTMLElement} cell @param {string} name
 * @param {(name: string | null, isByKey: boolean) => void} done hears the other name, or null where it stays as it was */
export function askName(cell, name, done) {
  const field = make("input", { class: "rename", value: name, "aria-label": `Name of ${name}`, maxLength: 300 });
  let isOver = false;
  const end = (/** @type {boolean} */ isKept, isByKey = false) => {
    if (isOver) return;
    isOver = true;
    const typed = field.value.trim();
    field.remove();
    done(isKept && typed && typed !== name ? typed : null, isByKey);
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter", true);
  });
  field.addEventListener("blur", () => end(true));
  cell.append(field);
  field.focus();
  field.select();
}
