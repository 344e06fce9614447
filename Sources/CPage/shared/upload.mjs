// Uploads of tracks that are dropped on any page or chosen on Home, without leaving the page.

import { failureCard, nodes, unreachable } from "./parts.mjs";

/** Milliseconds after which an upload shows its progress. */
const PROGRESS_DELAY = 200;

let request = null;

/** Whether an upload is in progress; it opens Home unless it fails. */
export function isSendingTrack() {
  return request !== null;
}

class TrackUpload {
  #form = document.querySelector("[data-drop]");
  /** Covers the page during a drag, since the page may change under it. */
  #cover = nodes('<div class="drop-cover" hidden><p>Drop to add the track</p></div>').firstChild;
  /** Shows progress and failures above the page. */
  #notice = nodes('<div class="upload" aria-live="polite"></div>').firstChild;
  /** Whether a part of the page is dragged, such as a photo. */
  #isOwnDrag = false;

  constructor() {
    document.body.append(this.#cover, this.#notice);
    this.#listenForDrops();
    this.#listenToForm();
    addEventListener("pagehide", () => (request = null));
    this.#notice.addEventListener("click", (event) => {
      const link = event.target.closest('a[href$="#file"]');
      if (!link || !this.#form) return;
      event.preventDefault();
      this.#form.querySelector("input").click();
    });
  }

  #listenForDrops() {
    addEventListener("dragstart", () => (this.#isOwnDrag = true));
    addEventListener("dragend", () => (this.#isOwnDrag = false));
    const hasFiles = (event) => !this.#isOwnDrag && event.dataTransfer.types.includes("Files");
    for (const name of ["dragenter", "dragover"]) {
      addEventListener(name, (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        this.#cover.hidden = false;
      });
    }
    this.#cover.addEventListener("dragleave", () => (this.#cover.hidden = true));
    addEventListener("drop", (event) => {
      this.#cover.hidden = true;
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.#add(event.dataTransfer.files);
    });
  }

  #listenToForm() {
    const input = this.#form?.querySelector("input[type=file]");
    input?.addEventListener("change", () => this.#add(input.files));
    this.#form?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add(input.files);
    });
  }

  async #add([file, ...others]) {
    if (!file) return;
    request?.abort();
    request = null;
    if (others.length > 0) return this.#show(failureCard("One track at a time", "Drop a single GPX file."));
    if (!(await isReadable(file))) {
      const message = "The browser cannot read it: is it a folder, or has it been moved?";
      return this.#show(failureCard(`${file.name} was not sent`, message));
    }
    await this.#send(file);
    // The same file can be chosen again, perhaps corrected.
    this.#form?.reset();
  }

  async #send(file) {
    const sent = new XMLHttpRequest();
    request = sent;
    const progress = new Progress(file.name, () => sent.abort());
    const timer = setTimeout(() => this.#show(progress.card), PROGRESS_DELAY);
    const end = await post(sent, file, (share) => progress.show(share));
    clearTimeout(timer);
    if (sent.status === 204) return location.assign("/");
    // Another upload has replaced it.
    if (request !== sent) return;
    request = null;
    if (end === "abort") return this.#show("");
    if (end === "error") return this.#show(unreachable(() => this.#send(file)));
    const isMarkup = sent.getResponseHeader("Content-Type")?.startsWith("text/html");
    this.#show(
      isMarkup
        ? nodes(sent.responseText).firstElementChild
        : failureCard(`${file.name} was not added`, sent.responseText),
    );
  }

  #show(content) {
    this.#notice.replaceChildren(content);
    const actions = this.#notice.querySelector(".error .actions");
    if (!actions) return;
    const close = nodes('<button class="button">Close</button>').firstChild;
    close.addEventListener("click", () => this.#show(""));
    actions.append(close);
  }
}

/** The progress of an upload. */
class Progress {
  card = nodes(
    '<section class="card notice"><h2></h2><progress max="1" value="0"></progress>' +
      '<div class="actions"><button class="button">Cancel</button></div></section>',
  ).firstElementChild;
  #title = this.card.querySelector("h2");
  #bar = this.card.querySelector("progress");
  #name;

  constructor(name, cancel) {
    this.#name = name;
    this.card.querySelector("button").addEventListener("click", cancel);
    this.show(0);
  }

  /** Shows the sent share from 0 to 1; then the server reads the file. */
  show(share) {
    this.#title.textContent = `${share < 1 ? "Sending" : "Reading"} ${this.#name} …`;
    this.#bar.setAttribute("aria-label", this.#title.textContent);
    if (share < 1) this.#bar.value = share;
    else this.#bar.removeAttribute("value");
  }
}

/** Sends the file like the form on Home; resolves to the last event: load, error or abort. */
function post(request, file, onProgress) {
  return new Promise((resolve) => {
    for (const name of ["load", "error", "abort"]) {
      request.addEventListener(name, () => resolve(name));
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
    const form = new FormData();
    form.append("file", file);
    request.open("POST", "/tracks");
    request.setRequestHeader("X-Faketrack", "1");
    request.send(form);
  });
}

/** Whether the file can be read; a folder looks like a file until then. */
async function isReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

export function start() {
  new TrackUpload();
}
