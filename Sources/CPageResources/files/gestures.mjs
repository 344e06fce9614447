// What people do to a map with fingers, mouse and keys.

/** Pixels that a pointer may stray and still be a click. */
const STRAY = 6;
/** Pixels around a place in which a pointer or a finger means it. */
const REACH = { mouse: 14, finger: 22 };
const KEY_STEP = 80;
/** Pixels that a wheel turns for one zoom; touchpads tell a pinch as a turn with the control key. */
const WHEEL = { turn: 300, pinch: 100 };
/** The pixels of a unit of a wheel, by its mode: pixels, lines, pages. */
const UNITS = [1, 16, 400];

/**
 * Listens to a canvas. One finger scrolls the page, as it does elsewhere; two move the map.
 *
 * @param on `panned(dx, dy)`, `zoomed(change, x, y)`, `pinched(dx, dy, change, x, y)`, `refused()` for
 *   one finger that would move the map, `hovered(x, y, reach)`, `left()`, `clicked(x, y, reach)`
 */
export function listen(canvas, on) {
  listenToPointers(canvas, on);
  canvas.addEventListener("dblclick", (event) => on.zoomed(1, event.offsetX, event.offsetY));

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaY * UNITS[event.deltaMode];
    const change = -pixels / (event.ctrlKey ? WHEEL.pinch : WHEEL.turn);
    on.zoomed(Math.max(-1, Math.min(1, change)), event.offsetX, event.offsetY);
  }, { passive: false });

  canvas.addEventListener("keydown", (event) => {
    const action = {
      ArrowLeft: () => on.panned(KEY_STEP, 0),
      ArrowRight: () => on.panned(-KEY_STEP, 0),
      ArrowUp: () => on.panned(0, KEY_STEP),
      ArrowDown: () => on.panned(0, -KEY_STEP),
      "+": () => on.zoomed(1),
      "=": () => on.zoomed(1),
      "-": () => on.zoomed(-1),
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}

function listenToPointers(canvas, on) {
  const pointers = new Map();
  const reach = (event) => (event.pointerType === "mouse" ? REACH.mouse : REACH.finger);

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const isFinger = event.pointerType !== "mouse";
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, moved: 0, isFinger, pinches: false });
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
    } else if (others.length === 0 && !pointer.pinches && pointer.moved >= STRAY) {
      if (pointer.isFinger) on.refused();
      else on.panned(x - before.x, y - before.y);
    }
  });

  function pinch(before, after, other) {
    const spread = ({ x, y }) => Math.max(1, Math.hypot(x - other.x, y - other.y));
    const [x, y] = [(before.x + other.x) / 2, (before.y + other.y) / 2];
    const [dx, dy] = [(after.x - before.x) / 2, (after.y - before.y) / 2];
    on.pinched(dx, dy, Math.log2(spread(after) / spread(before)), x, y);
  }

  canvas.addEventListener("pointerup", (event) => {
    const pointer = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (!pointer || pointer.pinches || pointer.moved >= STRAY) return;
    on.clicked(event.offsetX, event.offsetY, reach(event));
  });

  canvas.addEventListener("pointercancel", (event) => {
    const pointer = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    // The page scrolls with it.
    if (pointer?.isFinger && !pointer.pinches) on.refused();
  });
  canvas.addEventListener("pointerleave", () => on.left());

  // Two fingers scroll nothing, wherever they go.
  for (const name of ["touchstart", "touchmove"]) {
    canvas.addEventListener(name, (event) => {
      if (event.targetTouches.length > 1) event.preventDefault();
    }, { passive: false });
  }
}
