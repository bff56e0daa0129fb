import { nextName } from "./catalog.js";
import { RPCError } from "./connection.js";
import { isOfPalette, partOf, touched } from "./projection.js";

/** An edit that was made here and is not yet seen in what the node tells. `saw` is what it is only right for: the node
 * is asked first whether that still holds.
 * @typedef {{order: number, edit: string, palette: string, method: string, parameters: Record<string, any>,
 *   state: "waiting" | "sent" | "answered", wasSent: boolean, saw?: string}} Edit */
/** @typedef {{all(): Promise<Edit[]>, put(edit: Edit): Promise<unknown>, remove(edit: Edit): Promise<unknown>}} EditStorage */
/** @typedef {(method: string, parameters: Record<string, unknown>) => Promise<any>} Send */
/** Tells what is there now of what an edit saw.
 * @typedef {(edit: Edit) => Promise<string>} Look */

/** Refusals that pass: the edit is sent again later. */
const passing = new Set(["over-quota", "disk-full", "locked", "unreachable", "read-only"]);
/** What sets one register: a later one replaces one that was not sent yet. */
const registers = new Map([["set", "value"], ["rename", "name"], ["note", "text"], ["title", "name"]]);

/** Edits in the order in which they were made, kept until the node has them. Each has an id of its own, so one that
 * is sent twice counts once. Events: "change"; "made", when an edit is made, taken back or made again; "answered" and
 * "refused" (detail: the edit and the answer), "unkept". */
export class EditQueue extends EventTarget {
  /** @type {Edit[]} */
  #edits = [];
  #order = 0;
  /** What was taken back before it was sent, the newest last.
   * @type {Edit[]} */
  #taken = [];
  #isSending = false;
  /** Somebody asked to send while that was being tried. */
  #isAsked = false;
  #storage;
  #send;
  #isReady;
  #look;

  /** @param {EditStorage} storage @param {Send} send
   * @param {() => boolean} isReady whether there is a connection to send on @param {Look} look */
  constructor(storage, send, isReady = () => true, look = async ({ saw }) => saw ?? "") {
    super();
    this.#storage = storage;
    this.#send = send;
    this.#isReady = isReady;
    this.#look = look;
  }

  /** The edits that make, rename, drop or bring back palettes, and are not in the library's list yet. */
  get editsOfPalettes() {
    return this.#edits.filter(isOfPalette);
  }

  /** The edits of a palette that its list does not show yet.
   * @param {string} palette */
  edits(palette) {
    return this.#edits.filter((edit) => edit.palette === palette);
  }

  /** How many edits the node has not answered. */
  get waiting() {
    return this.#edits.filter(({ state }) => state !== "answered").length;
  }

  /** Reads the edits that an earlier page left. */
  async load() {
    const kept = await this.#storage.all();
    kept.sort((left, right) => left.order - right.order);
    this.#edits = [...kept.map((edit) => ({ ...edit, state: /** @type {const} */ ("waiting") })), ...this.#edits];
    this.#order = Math.max(this.#order, ...kept.map(({ order }) => order));
    this.#changed();
  }

  /** @param {string} palette @param {string} method @param {Record<string, any>} parameters @param {string} [saw] */
  async add(palette, method, parameters, saw) {
    this.dispatchEvent(new Event("made"));
    if (method !== "redo") this.#taken = [];
    const earlier = this.#edits.find(
      (edit) => edit.state === "waiting" && !edit.wasSent && registers.has(method) && edit.method === method &&
        edit.palette === palette && edit.parameters.color === parameters.color,
    );
    if (earlier) {
      const key = registers.get(method) ?? "";
      earlier.parameters = { ...earlier.parameters, [key]: parameters[key] };
      this.#changed();
      await this.#keep(earlier);
    } else {
      this.#order += 1;
      /** @type {Edit} */
      const edit = {
        order: this.#order, edit: uuid(), palette, method,
        parameters: { ...parameters }, state: "waiting", wasSent: false, ...(saw !== undefined && { saw }),
      };
      await this.#push(edit);
    }
    this.flush();
  }

  /** @param {Edit} edit */
  async #push(edit) {
    this.#edits.push(edit);
    this.#changed();
    await this.#keep(edit);
  }

  /** Keeping is best effort: without it the edit is sent all the same, and lasts as long as the page is open.
   * @param {Edit} edit */
  async #keep(edit) {
    try {
      await this.#storage.put(edit);
    } catch {
      this.dispatchEvent(new Event("unkept"));
    }
  }

  /** @param {Edit} edit */
  async #forget(edit) {
    try {
      await this.#storage.remove(edit);
    } catch {
      // It is sent once more by the next page, which counts as the same.
    }
  }

  /** Takes back the newest edit of a palette, if the node cannot have it yet.
   * @param {string} palette @returns {Edit | null} the edit */
  takeBack(palette) {
    const edit = this.edits(palette).filter((one) => !isOfPalette(one)).at(-1);
    if (!edit || edit.state !== "waiting" || edit.wasSent || edit.method === "undo" || edit.method === "redo") return null;
    this.dispatchEvent(new Event("made"));
    this.#edits = this.#edits.filter((one) => one !== edit);
    this.#taken.push(edit);
    this.#changed();
    this.#forget(edit);
    return edit;
  }

  /** Makes the edit again that was taken back last.
   * @param {string} palette @returns {Edit | null} the edit */
  giveBack(palette) {
    const edit = this.#taken.at(-1);
    if (edit?.palette !== palette) return null;
    this.dispatchEvent(new Event("made"));
    this.#taken.pop();
    this.#order += 1;
    this.#push({ ...edit, order: this.#order }).then(() => this.flush());
    return edit;
  }

  /** Whether there is something to give back.
   * @param {string} palette */
  hasTaken(palette) {
    return this.#taken.at(-1)?.palette === palette;
  }

  /** Forgets every edit: whoever made them may not make them any more. */
  async clear() {
    const gone = this.#edits;
    this.#edits = [];
    this.#taken = [];
    this.#changed();
    for (const edit of gone) await this.#forget(edit);
  }

  /** Sends what waits, one after the other. */
  async flush() {
    this.#isAsked = true;
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#isAsked) {
      this.#isAsked = false;
      for (;;) {
        const edit = this.#edits.find(({ state }) => state === "waiting");
        if (!edit || !this.#isReady() || !(await this.#deliver(edit))) break;
      }
    }
    this.#isSending = false;
  }

  /** @param {Edit} edit @returns {Promise<boolean>} whether the next one may go */
  async #deliver(edit) {
    edit.state = "sent";
    try {
      if (!edit.wasSent) {
        if (edit.saw !== undefined && (await this.#look(edit)) !== edit.saw) {
          throw new RPCError({ message: "others changed it meanwhile", data: { code: "changed", message: "others changed it meanwhile", hint: null } });
        }
        // From here on the node may have it, even if no answer comes: it must not change any more.
        edit.wasSent = true;
        await this.#keep(edit);
      }
      const answer = await this.#send(edit.method, {
        [edit.method === "new" ? "id" : "palette"]: edit.palette, ...edit.parameters, edit: edit.edit,
      });
      edit.state = "answered";
      await this.#forget(edit);
      this.#learn(edit, answer);
      this.dispatchEvent(new CustomEvent("answered", { detail: { edit, answer } }));
      this.#changed();
      return true;
    } catch (error) {
      // Whatever else went wrong on the way, only the node refuses.
      const code = error instanceof RPCError ? error.code : undefined;
      if (code === undefined || passing.has(code)) {
        edit.state = "waiting";
        if (code) setTimeout(() => this.flush(), 3000);
        return false;
      }
      if (code === "exists" && edit.method === "new") {
        // Somebody else took the name meanwhile; what was put into the palette is not lost for that.
        edit.parameters = { name: nextName(edit.parameters.name) };
        edit.state = "waiting";
        await this.#keep(edit);
        this.#changed();
        return true;
      }
      // Without its palette nothing in it can be kept.
      const isGone = (/** @type {Edit} */ other) => other === edit || (edit.method === "new" && other.palette === edit.palette);
      const gone = this.#edits.filter(isGone);
      this.#edits = this.#edits.filter((other) => !isGone(other));
      for (const other of gone) await this.#forget(other);
      this.dispatchEvent(new CustomEvent("refused", { detail: { edit, error } }));
      this.#changed();
      return true;
    }
  }

  /** Later edits of the same register have seen what this one wrote, unless others' values stayed beside it: those
   * nobody here has seen when he made the later edit.
   * @param {Edit} edit @param {any} answer */
  #learn(edit, answer) {
    if (edit.method === "act") {
      for (const part of edit.parameters.edits.map(partOf)) {
        const ids = new Set(touched(part));
        for (const one of answer?.colors ?? []) if (ids.has(one.id)) this.#learn({ ...part, palette: edit.palette, parameters: { ...part.parameters, id: one.id, color: one.id, colors: undefined } }, one);
      }
      return;
    }
    const isAddition = edit.method === "add";
    if (isAddition && edit.parameters.colors) {
      for (const one of answer?.colors ?? []) this.#learn({ ...edit, parameters: { id: one.id } }, one);
      return;
    }
    if (typeof answer?.seen !== "string") return;
    const register = edit.method === "set" ? "color" : edit.method;
    for (const later of this.#edits) {
      if (later.state !== "waiting" || later.palette !== edit.palette) continue;
      if (later.parameters.color !== (isAddition ? edit.parameters.id : edit.parameters.color)) continue;
      const sees = isAddition || (later.method === edit.method && !answer.conflicts?.includes(register));
      if (sees && typeof later.parameters.seen !== "object") {
        later.parameters = { ...later.parameters, seen: answer.seen };
        this.#keep(later);
      }
    }
  }

  /** The node's list holds these now.
   * @param {string} palette */
  settle(palette) {
    const count = this.#edits.length;
    this.#edits = this.#edits.filter((edit) => edit.palette !== palette || edit.state !== "answered");
    if (this.#edits.length !== count) this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** A random UUID where the browser makes none: it does so in secure contexts only. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
