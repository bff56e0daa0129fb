import { printed } from "./commands.js";
import { find, make, raise } from "./dom.js";

/** Opens a menu of commands at a point, or under a button. Those that cannot be done now are left out; null is a line.
 * @param {import("./commands.js").Commands} commands @param {(string | null)[]} names
 * @param {{x: number, y: number} | HTMLElement} at */
export function openMenu(commands, names, at) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const menu = make("div", { role: "menu", class: "menu", popover: "auto", tabIndex: -1 });
  const close = () => {
    raise(menu, false);
    before?.focus();
  };
  for (const name of names) {
    if (name === null) {
      if (menu.lastElementChild && menu.lastElementChild.localName !== "hr") menu.append(make("hr", { role: "separator" }));
      continue;
    }
    if (!commands.isEnabled(name)) continue;
    const { label, keys, isDanger } = commands.get(name);
    menu.append(make("button", {
      role: "menuitem", tabIndex: -1, class: isDanger ? "dangerous" : "", "aria-label": label,
      onclick: () => {
        close();
        commands.run(name);
      },
    }, label, keys ? make("kbd", { "aria-hidden": "true" }, printed(keys[0])) : null));
  }
  if (menu.lastElementChild?.localName === "hr") menu.lastElementChild.remove();
  menu.addEventListener("keydown", (event) => {
    const items = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll("[role=menuitem]")]);
    const index = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    event.stopPropagation();
    if (event.key === "Tab") return close();
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  });
  menu.addEventListener("toggle", (event) => {
    if (/** @type {any} */ (event).newState === "closed") menu.remove();
  });
  find("messages").append(menu);
  raise(menu);
  put(menu, at);
  /** @type {HTMLElement | null} */ (menu.querySelector("[role=menuitem]"))?.focus();
}

/** @param {HTMLElement} menu @param {{x: number, y: number} | HTMLElement} at */
function put(menu, at) {
  const { width, height } = menu.getBoundingClientRect();
  const box = at instanceof HTMLElement ? at.getBoundingClientRect() : null;
  const x = box ? box.right - width : /** @type {{x: number}} */ (at).x;
  const y = box ? box.bottom + 4 : /** @type {{y: number}} */ (at).y;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
}
