import { keyOf } from "./address.js";

/** What this browser keeps: edits that were not sent, and the last lists that were seen. Without IndexedDB (private
 * windows of some browsers) it keeps them as long as the page is open. */
export class BrowserStore {
  /** @type {IDBDatabase | null} */
  #database = null;
  /** Whether something could not be kept. */
  #isFull = false;

  async open() {
    try {
      this.#database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(keyOf("hued"), 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore("edits", { keyPath: "edit" });
          request.result.createObjectStore("lists");
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    } catch {
      this.#database = null;
    }
  }

  get isLasting() {
    return this.#database !== null && !this.#isFull;
  }

  /** Something could not be kept. */
  fill() {
    this.#isFull = true;
  }

  /** Forgets all that is kept. */
  async clear() {
    for (const name of ["edits", "lists"]) await this.#ask(name, "readwrite", (store) => store.clear());
  }

  /** @returns {Promise<import("./queue.js").Edit[]>} */
  async all() {
    return (await this.#ask("edits", "readonly", (edits) => edits.getAll())) ?? [];
  }

  /** @param {import("./queue.js").Edit} edit */
  put(edit) {
    return this.#ask("edits", "readwrite", (edits) => edits.put({ ...edit }));
  }

  /** @param {import("./queue.js").Edit} edit */
  remove(edit) {
    return this.#ask("edits", "readwrite", (edits) => edits.delete(edit.edit));
  }

  /** @param {string} key @param {unknown} value */
  keep(key, value) {
    // What is kept of lists is only shown until the node tells more.
    return this.#ask("lists", "readwrite", (lists) => lists.put(value, key)).catch(() => {});
  }

  /** @param {string} key @returns {Promise<any>} */
  kept(key) {
    return this.#ask("lists", "readonly", (lists) => lists.get(key));
  }

  /** @param {string} name @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} use */
  #ask(name, mode, use) {
    const database = this.#database;
    if (!database) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode);
      const request = use(transaction.objectStore(name));
      // A page that is left aborts what is not committed, and a commit that waits for the answer comes too late.
      if (mode === "readwrite") transaction.commit?.();
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request.error);
    });
  }
}
