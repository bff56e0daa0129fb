/** @typedef {import("./diff.js").Color} Color */
/** What is being made of a color: what it was when the hand was laid on it, and which values somebody saw then.
 * @typedef {{id: string, was: string, seen: string | undefined}} Made */

const restMilliseconds = 250;

/** One change of one color by the picker, from the first touch to the release, or to a rest where there is none. */
export class Gesture {
  /** @type {Made | null} */
  #made = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isHeld = false;
  /** What it was before the gesture that was taken back and whose pointer is still down.
   * @type {string | null} */
  #cancelled = null;
  /** The gesture that ended last, with what came of it.
   * @type {(Made & {value: string}) | null} */
  last = null;

  constructor(target = globalThis) {
    target.addEventListener?.("pointerdown", () => (this.#isHeld = true), true);
    for (const type of ["pointerup", "pointercancel"]) target.addEventListener?.(type, () => this.#release(), true);
  }

  get isUnderWay() {
    return this.#made !== null;
  }

  /** Whether the pointer that made what was taken back is down still. */
  get isCancelled() {
    return this.#cancelled !== null;
  }

  /** What the color was when this began. */
  get was() {
    return this.#made?.was ?? this.#cancelled ?? "";
  }

  /** Something was made of a color. It is over at rest once that was `isDone`, and at the release of the pointer.
   * @param {Color} color @param {boolean} isDone @param {() => void} end */
  touch(color, isDone, end) {
    if (this.#made?.id !== color.id) this.#made = { id: color.id, was: color.color, seen: color.seen };
    clearTimeout(this.#timer);
    if (isDone) this.#timer = setTimeout(end, this.#isHeld ? 0 : restMilliseconds);
  }

  /** @returns {Made | null} what was under way */
  end() {
    clearTimeout(this.#timer);
    const made = this.#made;
    this.#made = null;
    return made;
  }

  /** @returns {Made | null} what is to be taken back */
  cancel() {
    const made = this.end();
    if (made && this.#isHeld) this.#cancelled = made.was;
    return made;
  }

  #release() {
    this.#isHeld = false;
    // The last event of what was taken back comes with the release.
    if (this.#cancelled !== null) setTimeout(() => (this.#cancelled = null));
  }
}
