// Tracks that are dropped on any page, or chosen on Home: each is sent without leaving the page.

import { failureCard, nodes, unreachable } from "./parts.mjs";

/** Milliseconds after which a file that is still on its way is told of. */
const PATIENCE = 200;

let request = null;

/** Whether a track is on its way, which ends on Home unless something is wrong with it. */
export function isSendingTrack() {
  return request !== null;
}

class TrackUpload {
  #form = document.querySelector("[data-drop]");
  /** Covers the page while a file is dragged over it: what is under it may change meanwhile. */
  #cover = nodes('<div class="drop-cover" hidden><p>Drop to add the track</p></div>').firstChild;
  /** Tells how it goes, above the page, which stays as it is. */
  #notice = nodes('<div class="upload" aria-live="polite"></div>').firstChild;
  /** Whether what is dragged is part of the page, such as a photo. */
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
    const bringsFiles = (event) => !this.#isOwnDrag && event.dataTransfer.types.includes("Files");
    for (const name of ["dragenter", "dragover"]) {
      addEventListener(name, (event) => {
        if (!bringsFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        this.#cover.hidden = false;
      });
    }
    this.#cover.addEventListener("dragleave", () => (this.#cover.hidden = true));
    addEventListener("drop", (event) => {
      this.#cover.hidden = true;
      if (!bringsFiles(event)) return;
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
    if (others.length > 0) return this.#say(failureCard("One track at a time", "Drop a single GPX file."));
    if (!(await isReadable(file))) {
      const message = "The browser cannot read it: is it a folder, or has it been moved?";
      return this.#say(failureCard(`${file.name} was not sent`, message));
    }
    await this.#send(file);
    // The same file can be chosen again, perhaps mended.
    this.#form?.reset();
  }

  async #send(file) {
    const own = new XMLHttpRequest();
    request = own;
    const progress = new Progress(file.name, () => own.abort());
    const timer = setTimeout(() => this.#say(progress.card), PATIENCE);
    const end = await post(own, file, (share) => progress.show(share));
    clearTimeout(timer);
    if (own.status === 204) return location.assign("/");
    // Another file has taken its place.
    if (request !== own) return;
    request = null;
    if (end === "abort") return this.#say("");
    if (end === "error") return this.#say(unreachable(() => this.#send(file)));
    const isMarkup = own.getResponseHeader("Content-Type")?.startsWith("text/html");
    this.#say(
      isMarkup
        ? nodes(own.responseText).firstElementChild
        : failureCard(`${file.name} was not added`, own.responseText),
    );
  }

  #say(content) {
    this.#notice.replaceChildren(content);
    const actions = this.#notice.querySelector(".error .actions");
    if (!actions) return;
    const close = nodes('<button class="button">Close</button>').firstChild;
    close.addEventListener("click", () => this.#say(""));
    actions.append(close);
  }
}

/** What is shown of a file on its way. */
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

  /** Shows the share that has been sent; once all has been, the server reads it. */
  show(share) {
    this.#title.textContent = `${share < 1 ? "Sending" : "Reading"} ${this.#name} …`;
    this.#bar.setAttribute("aria-label", this.#title.textContent);
    if (share < 1) this.#bar.value = share;
    else this.#bar.removeAttribute("value");
  }
}

/** Sends the file as the form on Home does; returns the event that ended it: load, error or abort. */
function post(request, file, tell) {
  return new Promise((resolve) => {
    for (const name of ["load", "error", "abort"]) {
      request.addEventListener(name, () => resolve(name));
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => tell(loaded / total));
    const form = new FormData();
    form.append("file", file);
    request.open("POST", "/tracks");
    request.setRequestHeader("X-Faketrack", "1");
    request.send(form);
  });
}

/** Whether there is something to send: a folder looks like a file until it is read. */
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
