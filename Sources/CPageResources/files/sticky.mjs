// The sticky parts over the photo stream: the header and, depending on the window, the map or the controls.

/** The elements that may be sticky, depending on the window. */
const PARTS = ".tracking .stage, .tracking .panel, .tracking .controls";

/**
 * Keeps `--sticky`, the height of the sticky parts below the header, up to date.
 *
 * @param stream the element that scrolls under them
 * @param changed called with the pixels from the top of the window to the uncovered area
 */
export function watchSticky(stream, changed) {
  const header = document.querySelector(".top");
  const parts = [...document.querySelectorAll(PARTS)];
  let last = null;
  const measure = () => {
    const { left, right } = stream.getBoundingClientRect();
    const heights = parts
      .filter((part) => getComputedStyle(part).position === "sticky")
      .map((part) => part.getBoundingClientRect())
      .filter((box) => box.left < right && box.right > left)
      .map((box) => box.height);
    const sticky = Math.max(0, ...heights);
    const top = Math.ceil(header.offsetHeight + sticky);
    if (top === last) return;
    last = top;
    document.body.style.setProperty("--sticky", `${sticky}px`);
    changed(top);
  };
  const observer = new ResizeObserver(measure);
  for (const part of [header, ...parts]) observer.observe(part);
}
