// The drop zone: a file that is dropped, or chosen, is sent at once.

export function start() {
  const form = document.querySelector("[data-drop]");
  const input = form.querySelector("input[type=file]");
  input.addEventListener("change", () => {
    if (input.files.length > 0) form.requestSubmit();
  });
  let depth = 0;
  const mark = (change) => {
    depth = Math.max(0, depth + change);
    form.classList.toggle("over", depth > 0);
  };
  // The whole page accepts a drop: a near miss must not open the file instead of the page.
  addEventListener("dragenter", () => mark(1));
  addEventListener("dragleave", () => mark(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    mark(-depth);
    if (event.dataTransfer.files.length === 0) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
