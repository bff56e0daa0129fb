import { base, groupsKey, keyOf, rolesKey } from "./address.js";
import { announce, toast } from "./announce.js";
import { keepHalf } from "./connection.js";
import { find } from "./dom.js";
import { isOfPalette } from "./projection.js";
import { describe } from "./status.js";
import { moment } from "./times.js";

/** Whether this browser is let in, and what it says of that: the state of the connection, rights, and what is kept.
 * Event: "change", when something may be allowed that was not, or the other way round. */
export class Access extends EventTarget {
  #page;
  #queue;
  #store;
  #presence;
  #failure = "";
  #revocation = "";
  /** A code that nobody has answered yet.
   * @type {string} */
  #code = "";

  /** @param {import("./page.js").Page} page @param {import("./queue.js").EditQueue} queue
   * @param {import("./store.js").BrowserStore} store @param {import("./presence.js").Presence} presence */
  constructor(page, queue, store, presence) {
    super();
    this.#page = page;
    this.#queue = queue;
    this.#store = store;
    this.#presence = presence;
    const { connection, rights } = page;
    connection.addEventListener("open", () => this.#opened());
    connection.addEventListener("answering", () => this.sayState());
    connection.addEventListener("closed", () => this.#closed());
    addEventListener("online", () => connection.dial());
    addEventListener("offline", () => connection.hangUp());
    queue.addEventListener("change", () => this.sayState());
    queue.addEventListener("unkept", () => {
      store.fill();
      this.sayWhatIsKept();
    });
    queue.addEventListener("refused", (event) => {
      const { error } = /** @type {CustomEvent} */ (event).detail;
      if (error.code === "not-allowed") this.#set({ role: "viewer", grants: [] });
    });
    queue.addEventListener("answered", (event) => {
      const { edit } = /** @type {CustomEvent} */ (event).detail;
      // The first edit gives whoever made it the id that their face is known by.
      if (isOfPalette(edit) || rights.node === null) this.learn();
    });
  }

  /** Who took the access of this browser back, as a sentence. */
  get revocation() {
    return this.#revocation;
  }

  /** Begins a session with a code, which travels in a header: in no address, no history and no log. The next dial sends it
   * again where the node is away, or a hub of a fleet has not opened the library yet.
   * @param {string} code */
  async join(code) {
    if (!code) return;
    history.replaceState(history.state, "", location.pathname);
    const bare = code.includes("#") ? code.slice(code.indexOf("#") + 1) : code;
    const response = await fetch(`${base}session`, { headers: { authorization: `Bearer ${bare}` } }).catch(() => null);
    const isFirst = this.#code !== bare;
    this.#code = response === null || response.status === 503 ? bare : "";
    if (response === null && isFirst) toast("The node is away; the code is shown again when it is back");
    if (this.#code) return this.sayState();
    this.#failure = response?.ok ? "" : "That code is used up, has expired or is wrong.";
    if (response?.ok) {
      const { connection, rights } = this.#page;
      keepHalf((await response.json()).half);
      rights.hasAccess = true;
      this.#revocation = "";
      // The session of another code may be open still.
      connection.hangUp();
      connection.dial();
    } else toast(this.#failure);
    this.sayState();
  }

  async #opened() {
    this.#page.rights.hasAccess = true;
    this.#failure = "";
    this.sayState();
    await this.learn();
  }

  /** Asks the node what this page may do, and under which id. */
  async learn() {
    const { connection, rights } = this.#page;
    this.#set(await connection.call("whoami").catch(() => rights.told));
    await this.#presence.introduce();
    this.#presence.tell();
  }

  async #closed() {
    const { connection, rights } = this.#page;
    this.sayState();
    if (this.#code) return this.join(this.#code);
    if (connection.failures > 2 && !rights.hasAccess) return;
    const isNow = connection.failures === 1;
    const refusal = await whyRefused();
    if (refusal) return this.#revoke(refusal.owner, isNow);
    if (connection.failures < 2) return;
    const health = await fetch("/healthz").catch(() => null);
    if (health?.ok && connection.failures >= 2 && !connection.isOpen) {
      rights.hasAccess = false;
      this.#set(rights.told);
    }
    this.sayState();
  }

  /** The right of this browser was taken back: nothing of what it kept stays.
   * @param {string} owner @param {boolean} isNow whether that was just now */
  async #revoke(owner, isNow) {
    if (this.#revocation) return this.sayState();
    const { grid, library, rights } = this.#page;
    const name = library.palette?.name;
    this.#revocation = `${owner} took your access${name ? ` to ${name}` : ""} back${isNow ? ` on ${moment(new Date())}` : ""}.`;
    rights.hasAccess = false;
    grid.selection.clear();
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    const isOfPalette = (/** @type {string} */ key) => key.startsWith(groupsKey) || key.startsWith(rolesKey);
    for (const key of [keyOf("palette"), keyOf("session"), ...Object.keys(localStorage).filter(isOfPalette)]) localStorage.removeItem(key);
    await this.#queue.clear();
    library.forget();
    await this.#store.clear().catch(() => {});
    history.replaceState(null, "", base);
    this.#set(null);
    announce(this.#revocation);
  }

  /** @param {import("./rights.js").Told | null} told */
  #set(told) {
    const { rights } = this.#page;
    rights.told = told;
    /** @type {HTMLInputElement} */ (find("you")).placeholder = rights.spokenName || "your name";
    this.show();
    this.dispatchEvent(new Event("change"));
  }

  /** Shows what may be done: rights may differ from palette to palette. */
  show() {
    const { canEdit, commands, grid, library, rights } = this.#page;
    document.body.classList.toggle("viewer", !rights.mayEdit(library.current));
    grid.canEdit = canEdit;
    find("share").hidden = !rights.mayShare;
    commands.refresh();
    this.sayState();
  }

  /** Says how the connection is. */
  sayState() {
    const { connection, library, rights } = this.#page;
    const { isOpen, isAnswering, failures } = connection;
    const { text, kind } = describe({
      isOpen, isAnswering, failures, hasAccess: rights.hasAccess, mayEdit: rights.mayEdit(library.current), waiting: this.#queue.waiting, failure: this.#failure,
    });
    const state = find("state");
    state.dataset.kind = kind;
    if (state.textContent !== text) state.textContent = text;
  }

  /** Says what this browser keeps, and has the page itself kept: browsers do that where they trust the certificate. */
  async sayWhatIsKept() {
    const registered = isSecureContext ? await navigator.serviceWorker?.register(`${base}sw.js`).then(() => true, () => false) : false;
    const kept = registered ? "Edits made offline survive a reload." : "Edits made offline are kept.";
    const edits = this.#store.isLasting ? kept : "This browser keeps nothing: edits made offline last while the page is open.";
    const why = isSecureContext ? "This browser does not trust the certificate, so" : "Without HTTPS";
    find("keeps").textContent = registered ? edits : `${edits} ${why} the page itself cannot open offline.`;
  }
}

/** Why the node lets this browser in no more, if that is so.
 * @returns {Promise<{owner: string} | null>} */
async function whyRefused() {
  const response = await fetch(`${base}session`).catch(() => null);
  const isTold = response?.status === 401 && response.headers.get("content-type") === "application/json";
  return isTold ? response.json() : null;
}
