const slackPixels = 6;
const holdMilliseconds = 350;

/** Follows a pointer that may become a drag: a mouse by moving, a finger by resting first, since one that moves at once
 * scrolls. Escape ends a drag with nothing dropped.
 * @param {PointerEvent} start
 * @param {{begin(): void, move(event: PointerEvent): void, end(isDropped: boolean, last?: PointerEvent): void}} drag */
export function follow(start, drag) {
  const isTouch = start.pointerType === "touch";
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    drag.begin();
  };
  const timer = isTouch ? setTimeout(begin, holdMilliseconds) : undefined;
  const listening = new AbortController();
  /** @param {PointerEvent} [last] */
  const stop = (isDropped = false, last) => {
    listening.abort();
    clearTimeout(timer);
    if (!isBegun) return;
    // The click that ends a drag selects nothing; it comes before anything else is pressed, or not at all.
    const over = new AbortController();
    const how = { capture: true, signal: over.signal };
    addEventListener("click", (click) => {
      if (click.detail === 0) return;
      click.stopPropagation();
      over.abort();
    }, how);
    addEventListener("pointerdown", () => over.abort(), how);
    drag.end(isDropped, last);
  };
  /** @param {"pointermove" | "pointerup" | "pointercancel"} type @param {(event: PointerEvent) => void} run */
  const on = (type, run) => addEventListener(type, (event) => {
    if (event.pointerId === start.pointerId) run(event);
  }, { signal: listening.signal });
  let hasMoved = false;
  on("pointermove", (event) => {
    if (!isBegun) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < slackPixels) return;
      if (isTouch) return stop();
      begin();
    }
    hasMoved = true;
    drag.move(event);
  });
  on("pointerup", (event) => stop(hasMoved, event));
  on("pointercancel", () => stop());
  addEventListener("keydown", (event) => {
    if (!isBegun || event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    stop();
  }, { capture: true, signal: listening.signal });
}
