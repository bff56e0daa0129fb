import { parseColor, print } from "./color.js";
import { RPCError } from "./connection.js";

/** @typedef {import("./diff.js").Color} Color */
/** @typedef {import("./library.js").Palette} Palette */
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
/** What sets one register, so that a later one may take the place of one that was not sent yet. */
const registers = new Map([["set", "value"], ["rename", "name"], ["note", "text"], ["title", "name"]]);

/** Edits in the order in which they were made, kept until the node has them. Each has an id of its own, so one that
 * is sent twice counts once. */
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

/** Whether an edit makes, renames, drops or brings back a palette.
 * @param {Edit} edit */
export function isOfPalette({ method, parameters }) {
  return ["new", "title", "drop"].includes(method) || (method === "restore" && parameters.color === undefined);
}

/** "Sea" is followed by "Sea 2", and that by "Sea 3".
 * @param {string} name */
export function nextName(name) {
  const [, base, number] = /^(.*?)(?: (\d{1,6}))?$/s.exec(name) ?? [];
  return `${base} ${Number(number ?? 1) + 1}`;
}

/** The palettes as they will be when the node has the edits, in the node's order.
 * @param {Palette[]} palettes @param {Edit[]} edits @param {Palette[]} dropped @returns {Palette[]} */
export function projectPalettes(palettes, edits, dropped = [], inOrder = byName) {
  if (edits.length === 0) return palettes;
  const byID = new Map(palettes.map((palette) => [palette.id, palette]));
  for (const { palette: id, method, parameters } of edits) {
    const known = byID.get(id);
    if (method === "drop") byID.delete(id);
    else if (known && method === "title") byID.set(id, { ...known, name: parameters.name });
    else if (!known && method === "new") byID.set(id, { id, name: parameters.name, count: 0, digest: "" });
    else if (!known && method === "restore") {
      const was = dropped.find((palette) => palette.id === id);
      if (was) byID.set(id, was);
    }
  }
  return [...byID.values()].sort(inOrder);
}

/** @param {Palette} left @param {Palette} right */
export function byName(left, right) {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : left.id < right.id ? -1 : 1;
}

/** Those first that were edited last; what nobody has told the time of is being edited.
 * @param {Palette} left @param {Palette} right */
export function byEdit(left, right) {
  const [one, other] = [left.edited ?? "~", right.edited ?? "~"];
  return one > other ? -1 : one < other ? 1 : byName(left, right);
}

/** The colors that an edit adds: one, or several together.
 * @param {Record<string, any>} parameters @returns {{id: string, value: string, name?: string, note?: string}[]} */
function additions({ colors, id, value, name, note }) {
  return colors ?? [{ id, value, name, note }];
}

/** The ids of the colors that an edit touches.
 * @param {Edit} edit @returns {string[]} */
export function touched({ method, parameters }) {
  if (method === "act") return parameters.edits.flatMap((/** @type {any} */ one) => touched(partOf(one)));
  if (method === "add") return additions(parameters).map(({ id }) => id);
  return parameters.colors ?? [parameters.color];
}

/** One of several edits that are one action, as if it stood alone.
 * @param {Record<string, any>} part @returns {Edit} */
function partOf({ method, ...parameters }) {
  return { order: 0, edit: "", palette: "", method, parameters, state: "waiting", wasSent: false };
}

/** The list as it will be when the node has the edits.
 * @param {Color[]} colors @param {Edit[]} edits @returns {Color[]} */
export function project(colors, edits) {
  const own = edits.filter((edit) => !isOfPalette(edit));
  if (own.length === 0) return colors;
  const list = [...colors];
  /** Where colors stand, as long as none comes, goes or moves.
   * @type {Map<string, number> | null} */
  let places = null;
  for (const edit of own) {
    for (const part of edit.method === "act" ? edit.parameters.edits.map(partOf) : [edit]) {
      if (["add", "remove", "move"].includes(part.method)) places = null;
      else places ??= new Map(list.map(({ id }, index) => [id, index]));
      projectOne(list, part, places);
    }
  }
  return list;
}

/** @param {Color[]} list @param {Edit} edit @param {Map<string, number> | null} places */
function projectOne(list, edit, places) {
  const { method, parameters } = edit;
  if (method === "add") {
    const known = new Set(list.map(({ id }) => id));
    const added = additions(parameters).filter(({ id }) => !known.has(id)).map(({ id, value, name, note }) => {
      const hex = hexOf(value);
      return { id, name: name || hex, color: value, hex, index: null, note: note ?? "", conflicts: [], pending: true };
    });
    list.splice(place(list, parameters), 0, ...added);
  } else if (method === "remove") {
    takeOut(list, touched(edit));
  } else if (method === "move") {
    const moved = takeOut(list, touched(edit)).map((color) => ({ ...color, pending: true }));
    list.splice(place(list, parameters), 0, ...moved);
  } else {
    const index = places?.get(parameters.color) ?? -1;
    if (index >= 0) list[index] = { ...list[index], ...written(method, parameters, list[index]), pending: true };
  }
}

/** Takes colors out of a list, and gives them in the order in which they are named.
 * @param {Color[]} list @param {string[]} ids */
function takeOut(list, ids) {
  const wanted = new Set(ids);
  const found = new Map(list.filter(({ id }) => wanted.has(id)).map((color) => [color.id, color]));
  if (found.size > 0) {
    const rest = list.filter(({ id }) => !wanted.has(id));
    list.length = 0;
    for (const color of rest) list.push(color);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** @param {string} method @param {Record<string, any>} parameters @param {Color} color @returns {Partial<Color>} */
function written(method, parameters, color) {
  if (method === "resolve") {
    const { register, value } = parameters;
    const conflicts = color.conflicts.filter((one) => one !== register);
    return { ...(register === "color" ? { color: value, hex: hexOf(value) } : { [register]: value }), conflicts };
  }
  if (method === "set") return { color: parameters.value, hex: hexOf(parameters.value) };
  if (method === "rename") return { name: parameters.name };
  if (method === "note") return { note: parameters.text };
  return {};
}

/** @param {Color[]} list @param {Record<string, any>} parameters */
function place(list, { at, before, after }) {
  if (typeof at === "number") return Math.min(at, list.length);
  const index = list.findIndex(({ id }) => id === (before ?? after));
  if (index < 0) return list.length;
  return before ? index : index + 1;
}

/** @param {string} value */
function hexOf(value) {
  const parsed = parseColor(value);
  return parsed ? print(parsed, "hex") : "#808080";
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
