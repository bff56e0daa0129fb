import { make } from "./dom.js";

/** Makes tabs, one of which is chosen by a press or by arrow keys.
 * @param {string} label @param {[string, string, HTMLElement][]} tabs id, title and panel @param {(id: string) => void} chosen */
export function makeTabs(label, tabs, chosen) {
  const buttons = tabs.map(([id, title, panel]) => {
    panel.id = `${id}-panel`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `${id}-tab`);
    return make("button", { role: "tab", id: `${id}-tab`, "aria-controls": panel.id, onclick: () => choose(id) }, title);
  });
  const list = make("div", { role: "tablist", "aria-label": label, class: "tabs" }, ...buttons);
  list.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: buttons.length - 1 - at }[event.key];
    if (by === undefined || at < 0) return;
    event.preventDefault();
    const to = (at + by + buttons.length) % buttons.length;
    buttons[to].focus();
    choose(tabs[to][0]);
  });
  /** @param {string} id */
  function choose(id) {
    tabs.forEach(([one, , panel], index) => {
      buttons[index].ariaSelected = String(one === id);
      buttons[index].tabIndex = one === id ? 0 : -1;
      panel.hidden = one !== id;
    });
    chosen(id);
  }
  return { list, choose };
}
