import { base, keyOf } from "./address.js";

/** An answer of the node that says no. `code` is a stable word. */
export class RPCError extends Error {
  /** @param {{message: string, data?: {code: string, message: string, hint: string | null}}} error */
  constructor(error) {
    super(error.data?.message ?? error.message);
    this.code = error.data?.code ?? "failed";
    this.hint = error.data?.hint ?? "";
  }
}

/** The call may or may not have arrived: the connection ended before its answer. */
export class Disconnected extends Error {
  constructor() {
    super("You are offline, and this needs the connection");
  }
}

const longestWaitMilliseconds = 8000;
/** How long a silence lasts until the node is asked, until it is doubted, and until the connection ends. */
const silence = { asks: 3000, doubts: 5000, ends: 20_000 };

/** Where the page keeps the second half of its session: for its own origin, while a cookie is sent to all ports. */
const halfKey = keyOf("session");

/** The second half of the session where the browser does not keep it: it lasts as long as this page. */
let unkeptHalf = "";

/** Keeps the second half of a session.
 * @param {string} half */
export function keepHalf(half) {
  try {
    localStorage.setItem(halfKey, half);
  } catch {
    localStorage.removeItem(halfKey);
    unkeptHalf = half;
  }
}

/** A connection to the node that dials again, with events "open", "closed", "answering" and "message". */
export class Connection extends EventTarget {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void, heard?: (progress: any) => void}>} */
  #calls = new Map();
  #lastCall = 0;
  #failures = 0;
  /** Whether the node has seen both halves of the session on this socket. */
  #isIntroduced = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** When something was heard of the node last, or the dial began. */
  #heardAt = 0;
  /** When the oldest call was made that is not answered. */
  #askedAt = Infinity;
  #isAnswering = true;

  constructor() {
    super();
    setInterval(() => this.#listen(), 500);
  }

  /** Whether the node answers, as far as one can know; a cable that was pulled looks like one that is open. */
  get isAnswering() {
    return this.isOpen && this.#isAnswering;
  }

  #listen() {
    if (!this.#socket) return;
    const now = performance.now();
    const since = now - this.#heardAt;
    if (this.isOpen && this.#calls.size === 0 && since >= silence.asks) this.#ask("whoami", {}).catch(() => {});
    // A page that slept has heard nothing either: only a question without an answer says something.
    const isWaiting = now - this.#askedAt >= silence.doubts - silence.asks;
    if (isWaiting && since >= silence.ends) this.#end(this.#socket);
    else if (isWaiting && since >= silence.doubts) this.#answers(false);
  }

  /** @param {boolean} isAnswering */
  #answers(isAnswering) {
    if (this.#isAnswering === isAnswering) return;
    this.#isAnswering = isAnswering;
    this.dispatchEvent(new Event("answering"));
  }

  /** How many dials failed in a row. */
  get failures() {
    return this.#failures;
  }

  get isOpen() {
    return this.#isIntroduced && this.#socket?.readyState === WebSocket.OPEN;
  }

  dial() {
    clearTimeout(this.#timer);
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${base}rpc`, "hued.rpc.v1");
    this.#socket = socket;
    this.#isIntroduced = false;
    this.#heardAt = this.#askedAt = performance.now();
    socket.onopen = () => this.#introduce();
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = () => this.#end(socket);
  }

  /** Shows the second half of the session, without which nothing else is answered. */
  async #introduce() {
    try {
      await this.#ask("session", { half: localStorage.getItem(halfKey) ?? unkeptHalf });
    } catch {
      return;
    }
    this.#isIntroduced = true;
    this.#failures = 0;
    this.dispatchEvent(new Event("open"));
  }

  /** Takes a socket that no longer answers for closed. */
  #end(/** @type {WebSocket} */ socket) {
    if (this.#socket !== socket) return;
    this.#socket = null;
    socket.onclose = null;
    socket.close();
    for (const call of this.#calls.values()) call.reject(new Disconnected());
    this.#calls.clear();
    this.#isAnswering = true;
    this.#failures += 1;
    this.dispatchEvent(new Event("closed"));
    const limit = Math.min(longestWaitMilliseconds, 500 * 2 ** Math.min(this.#failures, 6));
    this.#timer = setTimeout(() => this.dial(), 200 + Math.random() * limit);
  }

  /** The browser says that the network is gone. */
  hangUp() {
    if (this.#socket) this.#end(this.#socket);
  }

  /** @param {string} method @param {Record<string, unknown>} parameters
   * @param {(progress: any) => void} [heard] hears how far a long call is @returns {Promise<any>} */
  call(method, parameters = {}, heard) {
    return this.isOpen ? this.#ask(method, parameters, heard) : Promise.reject(new Disconnected());
  }

  /** @param {string} method @param {Record<string, unknown>} parameters @param {(progress: any) => void} [heard]
   * @returns {Promise<any>} */
  #ask(method, parameters, heard) {
    const socket = this.#socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.reject(new Disconnected());
    this.#lastCall += 1;
    const id = this.#lastCall;
    if (this.#calls.size === 0) this.#askedAt = performance.now();
    const answer = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, heard }));
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: parameters, ...(heard && { progress: true }) }));
    return answer;
  }

  /** @param {any} message */
  #receive(message) {
    this.#heardAt = performance.now();
    this.#answers(true);
    if (message.method === "progress") {
      this.#calls.get(message.params.id)?.heard?.(message.params);
      return;
    }
    if (message.method) {
      this.dispatchEvent(new CustomEvent("message", { detail: message }));
      return;
    }
    const waiting = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    this.#askedAt = this.#calls.size > 0 ? this.#heardAt : Infinity;
    if (message.error) waiting?.reject(new RPCError(message.error));
    else waiting?.resolve(message.result);
  }
}
