// What people do to a map with fingers, mouse and keys.

/** Pixels that a pointer may stray and still be a click. */
const STRAY = 6;
const KEY_STEP = 80;

/**
 * Listens to a canvas.
 *
 * @param on `panned(dx, dy)`, `zoomed(change, x, y)`, `hovered(x, y)`, `left()`, `clicked(x, y)`
 */
export function listen(canvas, on) {
  const pointers = new Map();

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, moved: 0 });
  });

  canvas.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return on.hovered(event.offsetX, event.offsetY);
    const [dx, dy] = [event.offsetX - pointer.x, event.offsetY - pointer.y];
    const others = [...pointers.values()].filter((other) => other !== pointer);
    if (others.length === 1) {
      const [other] = others;
      const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
      const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
      if (before > 0 && after > 0) on.zoomed(Math.log2(after / before), other.x, other.y);
    }
    pointer.x = event.offsetX;
    pointer.y = event.offsetY;
    pointer.moved += Math.hypot(dx, dy);
    if (pointer.moved >= STRAY && others.length === 0) on.panned(dx, dy);
  });

  canvas.addEventListener("pointerup", (event) => {
    const pointer = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (pointer && pointer.moved < STRAY) on.clicked(event.offsetX, event.offsetY);
  });

  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointerleave", () => on.left());
  canvas.addEventListener("dblclick", (event) => on.zoomed(1, event.offsetX, event.offsetY));

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    on.zoomed(Math.max(-1, Math.min(1, -pixels / 300)), event.offsetX, event.offsetY);
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
