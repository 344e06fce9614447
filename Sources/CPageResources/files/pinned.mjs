// What stays over the stream while it scrolls: the header and, as the window allows, the map or the controls.

/** The elements that may stay, depending on the window. */
const PARTS = ".tracking .stage, .tracking .panel, .tracking .controls";

/**
 * Keeps `--pinned`, the height of what stays below the header, as large as it is.
 *
 * @param stream what scrolls away under it
 * @param changed is called with the pixels from the top of the window to what is never covered
 */
export function watchPinned(stream, changed) {
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
    const pinned = Math.max(0, ...heights);
    const top = Math.ceil(header.offsetHeight + pinned);
    if (top === last) return;
    last = top;
    document.body.style.setProperty("--pinned", `${pinned}px`);
    changed(top);
  };
  const observer = new ResizeObserver(measure);
  for (const part of [header, ...parts]) observer.observe(part);
}
