// @ts-check
// Input on a map by touch, mouse and keyboard.

/** Maximum movement of a click in pixels. */
const CLICK_TOLERANCE = 6;
/** The reach of a pointer around a place in pixels. */
const REACH = { mouse: 14, finger: 22 };
/** Pixels that an arrow key moves the map. */
const KEY_STEP = 80;
/** Pixels of wheel movement per zoom level; touchpads report a pinch as a turn with the control key. */
const WHEEL = { turn: 300, pinch: 100 };
/** Pixels per unit of a wheel by its mode: pixels, lines, pages. */
const WHEEL_UNITS = [1, 16, 400];

/**
 * @typedef {object} MapInput
 * @property {(dx: number, dy: number) => void} panned
 * @property {(change: number, x?: number, y?: number) => void} zoomed
 * @property {(dx: number, dy: number, change: number, x: number, y: number) => void} pinched
 * @property {(words: string) => void} refused called for what scrolls the page, with what moves the map instead
 * @property {(x: number, y: number, reach: number) => void} hovered
 * @property {() => void} left
 * @property {(x: number, y: number, reach: number) => boolean} grabbed whether a mouse drags something there
 * @property {(x: number, y: number) => void} dragged
 * @property {() => void} dropped
 * @property {(x: number, y: number, reach: number) => void} clicked
 */

/**
 * Listens to a canvas. One finger scrolls the page, two move the map; the wheel scrolls the page unless the map has
 * the focus or Ctrl is held.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {MapInput} on
 */
export function listen(canvas, on) {
  listenToPointers(canvas, on);
  canvas.addEventListener("dblclick", (event) => on.zoomed(1, event.offsetX, event.offsetY));

  canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) {
      on.refused("Hold Ctrl to zoom with the wheel");
      return;
    }
    event.preventDefault();
    const pixels = event.deltaY * WHEEL_UNITS[event.deltaMode];
    const change = -pixels / (event.ctrlKey ? WHEEL.pinch : WHEEL.turn);
    on.zoomed(Math.max(-1, Math.min(1, change)), event.offsetX, event.offsetY);
  }, { passive: false });

  canvas.addEventListener("keydown", (event) => {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => on.panned(KEY_STEP, 0),
      ArrowRight: () => on.panned(-KEY_STEP, 0),
      ArrowUp: () => on.panned(0, KEY_STEP),
      ArrowDown: () => on.panned(0, -KEY_STEP),
      "+": () => on.zoomed(1),
      "=": () => on.zoomed(1),
      "-": () => on.zoomed(-1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}

/**
 * A pointer that is down; `moved` is the length of its path in pixels.
 *
 * @typedef {{x: number, y: number, moved: number, isFinger: boolean, pinches: boolean, drags: boolean}} Pointer
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {MapInput} on
 */
function listenToPointers(canvas, on) {
  /** @type {Map<number, Pointer>} */
  const pointers = new Map();
  /** @param {PointerEvent} event */
  const reach = (event) => (event.pointerType === "mouse" ? REACH.mouse : REACH.finger);

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const isFinger = event.pointerType !== "mouse";
    const [x, y] = [event.offsetX, event.offsetY];
    const drags = !isFinger && on.grabbed(x, y, reach(event));
    pointers.set(event.pointerId, { x, y, moved: 0, isFinger, pinches: false, drags });
    if (pointers.size < 2) return;
    for (const pointer of pointers.values()) pointer.pinches = true;
  });

  canvas.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    const [x, y] = [event.offsetX, event.offsetY];
    if (!pointer) return on.hovered(x, y, reach(event));
    const before = { ...pointer };
    Object.assign(pointer, { x, y, moved: pointer.moved + Math.hypot(x - pointer.x, y - pointer.y) });
    const others = [...pointers.values()].filter((other) => other !== pointer);
    if (others.length === 1) {
      pinch(before, pointer, others[0]);
    } else if (others.length === 0 && !pointer.pinches && pointer.moved >= CLICK_TOLERANCE) {
      if (pointer.isFinger) on.refused("Use two fingers to move the map");
      else if (pointer.drags) on.dragged(x, y);
      else on.panned(x - before.x, y - before.y);
    }
  });

  /**
   * @param {Pointer} before
   * @param {Pointer} after
   * @param {Pointer} other
   */
  function pinch(before, after, other) {
    /** @param {Pointer} pointer */
    const spread = ({ x, y }) => Math.max(1, Math.hypot(x - other.x, y - other.y));
    const [x, y] = [(before.x + other.x) / 2, (before.y + other.y) / 2];
    const [dx, dy] = [(after.x - before.x) / 2, (after.y - before.y) / 2];
    on.pinched(dx, dy, Math.log2(spread(after) / spread(before)), x, y);
  }

  canvas.addEventListener("pointerup", (event) => {
    const pointer = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    on.dropped();
    if (!pointer || pointer.pinches || pointer.moved >= CLICK_TOLERANCE) return;
    on.clicked(event.offsetX, event.offsetY, reach(event));
  });

  canvas.addEventListener("pointercancel", (event) => {
    const pointer = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    on.dropped();
    // The browser uses it to scroll the page.
    if (pointer?.isFinger && !pointer.pinches) on.refused("Use two fingers to move the map");
  });
  canvas.addEventListener("pointerleave", () => on.left());

  // Two fingers never scroll the page.
  /** @param {TouchEvent} event */
  const keepPinch = (event) => {
    if (event.targetTouches.length > 1) event.preventDefault();
  };
  canvas.addEventListener("touchstart", keepPinch, { passive: false });
  canvas.addEventListener("touchmove", keepPinch, { passive: false });
}
