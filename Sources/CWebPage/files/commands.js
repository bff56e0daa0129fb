import { toast } from "./announce.js";

/** Something that can be done, by menus, by buttons and by keys alike. `keys` are as in "Mod+Shift+Z", where Mod is
 * Control, and Command on a Mac; keys of a command that is `inColors` count while a color has the focus. `when` says
 * whether it can be done now. Commands without a `group` stand in no list of keys.
 * @typedef {{name: string, label: string, group?: string, keys?: string[], inColors?: boolean, isDanger?: boolean,
 *   when?(): boolean, run(): unknown}} Command */

const isMac = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.platform ?? "");
/** @type {Record<string, string>} */
const signs = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Delete: "Del", Escape: "Esc",
  Mod: isMac ? "⌘" : "Ctrl", Alt: isMac ? "⌥" : "Alt", Shift: isMac ? "⇧" : "Shift",
};

/** The one table of what the page can do. Event: "change", when what can be done may be something else.
 * The window hears "lost" when a button that had the focus is off and no other beside it is on. */
export class Commands extends EventTarget {
  /** @type {Map<string, Command>} */
  #commands = new Map();
  /** @type {{button: HTMLButtonElement, name: string}[]} */
  #buttons = [];

  /** @param {...Command} commands */
  add(...commands) {
    for (const command of commands) {
      if (this.#commands.has(command.name)) throw new Error(`there are two commands ${command.name}`);
      this.#commands.set(command.name, command);
    }
  }

  get all() {
    return [...this.#commands.values()];
  }

  /** @param {string} name */
  get(name) {
    const command = this.#commands.get(name);
    if (!command) throw new Error(`there is no command ${name}`);
    return command;
  }

  /** @param {string} name */
  isEnabled(name) {
    return this.get(name).when?.() ?? true;
  }

  /** Does it, if that can be done now.
   * @param {string} name */
  run(name) {
    if (this.isEnabled(name)) whenThere(() => this.get(name).run());
  }

  /** Does what a key stands for.
   * @param {KeyboardEvent} event @param {boolean} isInColors whether a color has the focus
   * @returns {boolean} whether it stands for something */
  press(event, isInColors) {
    const key = keyOf(event);
    const command = this.all.find(({ keys, inColors }) => keys?.includes(key) && (!inColors || isInColors));
    if (!command) return false;
    event.preventDefault();
    this.run(command.name);
    return true;
  }

  /** Makes a button do it: its tooltip tells the key, and it is off while that cannot be done.
   * @param {HTMLElement} button @param {string} name */
  bind(button, name) {
    const { label, keys, run } = this.get(name);
    const element = /** @type {HTMLButtonElement} */ (button);
    element.addEventListener("click", () => whenThere(run));
    if (keys) element.setAttribute("aria-keyshortcuts", keys.map(spoken).join(" "));
    element.title = keys ? `${label} (${printed(keys[0])})` : label;
    element.disabled = !this.isEnabled(name);
    this.#buttons.push({ button: element, name });
  }

  /** What can be done may be something else now. */
  refresh() {
    /** @type {HTMLButtonElement | null} */
    let left = null;
    for (const { button, name } of this.#buttons) {
      const isOff = !this.isEnabled(name);
      if (button.disabled === isOff) continue;
      if (isOff && button === document.activeElement) left = button;
      button.disabled = isOff;
    }
    if (left) this.#leave(left);
    this.dispatchEvent(new Event("change"));
  }

  /** A button that is off cannot keep the focus, and keys would begin at the top of the page.
   * @param {HTMLButtonElement} left */
  #leave(left) {
    const beside = this.#buttons.map(({ button }) => button).filter((one) => one.parentElement === left.parentElement && !one.disabled);
    const next = beside.find((one) => left.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) ?? beside.at(-1);
    if (next) next.focus();
    else dispatchEvent(new Event("lost"));
  }
}

/** Does something for which a part of the page may have to be fetched; says so where that fails.
 * @param {() => unknown} run */
export async function whenThere(run) {
  try {
    await run();
  } catch (error) {
    // Browsers have no other sign of that, each with words of its own.
    if (!/import|module/i.test(error.message)) throw error;
    toast("That part of the page comes when the connection is back");
  }
}

/** A key as the table writes it.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean}} event */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const name = key.length === 1 ? key.toUpperCase() : key;
  // What Shift makes of a key that is no letter, such as "?", is in the key already.
  const isShifted = shiftKey && (key.length > 1 || name !== key.toLowerCase());
  return [(ctrlKey || metaKey) && "Mod", altKey && "Alt", isShifted && "Shift", name].filter(Boolean).join("+");
}

/** A key as people read it.
 * @param {string} key */
export function printed(key) {
  return key.split("+").map((part) => signs[part] ?? part).join(isMac ? "" : "+");
}

/** A key as `aria-keyshortcuts` has it.
 * @param {string} key */
const spoken = (key) => key.replace("Mod", isMac ? "Meta" : "Control");
