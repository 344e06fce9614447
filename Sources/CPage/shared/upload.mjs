// @ts-check
// Uploads of tracks that are dropped on any page or chosen on Home, without leaving the page.

import { failureCard, fetchPart, nodes, replaceContent, unreachable } from "./parts.mjs";
import { ask } from "./server.mjs";

/** Milliseconds after which an upload shows its progress. */
const PROGRESS_DELAY = 200;
/** Maximum number of files that are added at once. */
const MAX_FILES = 200;
/** Maximum depth of folders in a dropped folder. */
const MAX_DEPTH = 8;

/** A file that was not added, and the card of the server about it.
 * @typedef {{ title: string, reason: string, card?: Element }} Refusal */

let isBusy = false;

/** Whether files are being sent, or a card tells which were not added. */
export function isSendingTrack() {
  return isBusy;
}

class TrackUpload {
  /** @type {HTMLFormElement | null} */
  #form = document.querySelector("[data-drop]");
  /** Covers the page during a drag, since the page may change under it. */
  #cover = element('<div class="drop-cover" hidden><p>Drop to add the tracks</p></div>');
  /** Shows progress and failures above the page. */
  #notice = element('<div class="upload" aria-live="polite"></div>');
  /** Whether a part of the page is dragged, such as a photo. */
  #isOwnDrag = false;
  /** @type {File[]} */
  #waiting = [];
  /** The number of files taken from the queue, and the number of files added. */
  #taken = 0;
  #added = 0;
  /** @type {Refusal[]} */
  #refused = [];
  /** @type {AbortController | null} */
  #sending = null;

  constructor() {
    document.body.append(this.#cover, this.#notice);
    this.#listenForDrops();
    this.#listenToForm();
    addEventListener("pagehide", () => (isBusy = false));
    this.#notice.addEventListener("click", (event) => {
      const link = /** @type {Element} */ (event.target).closest('a[href$="#file"]');
      if (!link || !this.#form) return;
      event.preventDefault();
      this.#form.querySelector("input")?.click();
    });
  }

  #listenForDrops() {
    addEventListener("dragstart", () => (this.#isOwnDrag = true));
    addEventListener("dragend", () => (this.#isOwnDrag = false));
    /** @param {DragEvent} event */
    const filesOf = ({ dataTransfer }) =>
      !this.#isOwnDrag && dataTransfer?.types.includes("Files") ? dataTransfer : null;
    for (const name of /** @type {const} */ (["dragenter", "dragover"])) {
      addEventListener(name, (event) => {
        const files = filesOf(event);
        if (!files) return;
        event.preventDefault();
        files.dropEffect = "copy";
        this.#cover.hidden = false;
      });
    }
    this.#cover.addEventListener("dragleave", () => (this.#cover.hidden = true));
    addEventListener("drop", (event) => {
      this.#cover.hidden = true;
      const files = filesOf(event);
      if (!files) return;
      event.preventDefault();
      this.#addDropped(files);
    });
  }

  #listenToForm() {
    const form = this.#form;
    const input = form?.querySelector("input");
    if (!form || !input) return;
    const add = () => {
      this.#add([...(input.files ?? [])]);
      // The same file can be chosen again, perhaps corrected.
      form.reset();
    };
    input.addEventListener("change", add);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      add();
    });
  }

  /** @param {DataTransfer} dropped */
  async #addDropped(dropped) {
    // Both are gone after the event.
    const entries = [...dropped.items].filter(({ kind }) => kind === "file")
      .map((item) => item.webkitGetAsEntry?.());
    /** @type {File[]} */
    const files = [];
    for (const [index, file] of [...dropped.files].entries()) {
      const entry = entries[index];
      if (!entry?.isDirectory) {
        files.push(file);
        continue;
      }
      const found = files.length;
      try {
        for await (const track of tracksIn(/** @type {FileSystemDirectoryEntry} */ (entry))) {
          if (files.push(track) > MAX_FILES) break;
        }
        if (files.length === found) this.#refuse(entry.name, "The folder has no GPX files.");
      } catch {
        this.#refuse(entry.name, "The browser cannot read this folder.");
      }
    }
    this.#add(files);
  }

  /** @param {File[]} files */
  #add(files) {
    const tracks = files.filter((file) => !isPhoto(file));
    if (tracks.length < files.length) {
      const reason = "Photos are not added here. To walk with your own, start faketrack with --photos FOLDER.";
      const photos = files.find(isPhoto)?.name ?? "";
      this.#refuse(files.length - tracks.length === 1 ? photos : "Photos", reason);
    }
    const room = MAX_FILES - this.#waiting.length;
    if (tracks.length > room) this.#refuse("The rest", `At most ${MAX_FILES} files are added at once.`);
    this.#waiting.push(...tracks.slice(0, room));
    if (!this.#sending) this.#run();
  }

  /** @type {(name: string, reason: string) => void} */
  #refuse(name, reason) {
    this.#refused.push({ title: `${name} was not sent`, reason });
  }

  /** Sends the waiting files one after the other, and tells which were not added. */
  async #run() {
    const sending = new AbortController();
    this.#sending = sending;
    isBusy = true;
    const card = progressCard();
    const [heading, name, bar] = card.children;
    card.querySelector("button")?.addEventListener("click", () => sending.abort());
    const timer = setTimeout(() => this.#show(card), PROGRESS_DELAY);
    /** @type {Element | null} */
    let failure = null;
    for (let file; !failure && (file = this.#waiting.shift()); ) {
      const count = ++this.#taken + this.#waiting.length;
      // A single file has no known end.
      heading.textContent = count > 1 ? `Sending ${this.#taken} of ${count} …` : `Sending ${file.name} …`;
      name.textContent = count > 1 ? file.name : "";
      bar.setAttribute("aria-label", heading.textContent);
      if (count > 1) bar.setAttribute("value", `${(this.#taken - 1) / count}`);
      try {
        const refusal = await send(file, sending.signal);
        if (refusal) this.#refused.push(refusal);
        else this.#added += 1;
      } catch {
        if (sending.signal.aborted) break;
        this.#waiting.unshift(file);
        this.#taken -= 1;
        failure = unreachable(() => this.#run());
      }
    }
    clearTimeout(timer);
    this.#sending = null;
    if (failure) return this.#show(failure);
    this.#waiting = [];
    if (this.#refused.length === 0 && !sending.signal.aborted && this.#added > 0) return location.assign("/");
    this.#show(this.#summary() ?? "");
    if (this.#form && this.#added > 0) await showTracks();
    this.#taken = this.#added = 0;
    this.#refused = [];
  }

  /** The card of the files that were not added. */
  #summary() {
    const [first, ...others] = this.#refused;
    if (!first) return null;
    if (others.length === 0 && this.#added === 0) return first.card ?? failureCard(first.title, first.reason);
    const count = this.#added === 1 ? "1 track was added" : `${this.#added} tracks were added`;
    const card = failureCard("Some files were not added", `${count}; not these files:`);
    const list = element("<ul></ul>");
    for (const { reason, card: own, title } of this.#refused) {
      const item = element("<li></li>");
      item.textContent = own ? own.querySelector("p")?.textContent ?? title : `${title}: ${reason}`;
      list.append(item);
    }
    card.querySelector("p")?.after(list);
    if (this.#added > 0 && !this.#form) {
      card.querySelector(".actions")?.append(element('<a class="button primary" href="/">Show the tracks</a>'));
    }
    return card;
  }

  /** @param {Node | string} content */
  #show(content) {
    isBusy = content !== "";
    this.#notice.replaceChildren(content);
    const actions = this.#notice.querySelector(".error .actions");
    if (!actions) return;
    const close = element('<button class="button">Close</button>');
    close.addEventListener("click", () => {
      this.#waiting = [];
      this.#show("");
    });
    actions.append(close);
  }
}

/** The card of the progress. */
const progressCard = () => element(
  '<section class="card notice"><h2></h2><p class="muted"></p><progress></progress>' +
    '<div class="actions"><button class="button">Cancel</button></div></section>',
);

/**
 * Sends a file like the form on Home; returns why it was not added.
 *
 * @param {File} file
 * @param {AbortSignal} signal
 * @returns {Promise<Refusal | null>}
 */
async function send(file, signal) {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return { title: `${file.name} was not sent`, reason: "The browser cannot read it: has it been moved?" };
  }
  const body = new FormData();
  body.append("file", file);
  const response = await ask("/tracks", { method: "POST", headers: { "X-Faketrack": "1" }, body, signal });
  if (response.ok) return null;
  const text = await response.text();
  const isMarkup = response.headers.get("Content-Type")?.startsWith("text/html");
  return { title: `${file.name} was not added`, reason: text, card: isMarkup ? element(text) : undefined };
}

/** Shows the added tracks on Home. */
async function showTracks() {
  const part = document.querySelector('[data-part="tracks"]');
  try {
    if (part) replaceContent(part, await fetchPart("/", "tracks"));
  } catch {
    location.assign("/");
  }
}

/**
 * The tracks in a folder and its folders.
 *
 * @type {(folder: FileSystemDirectoryEntry, depth?: number) => AsyncGenerator<File>}
 */
async function* tracksIn(folder, depth = 1) {
  const reader = folder.createReader();
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory && depth < MAX_DEPTH) {
        yield* tracksIn(/** @type {FileSystemDirectoryEntry} */ (entry), depth + 1);
      } else if (entry.isFile && /\.gpx(\.gz)?$/i.test(entry.name)) {
        const file = /** @type {FileSystemFileEntry} */ (entry);
        yield await new Promise((resolve, reject) => file.file(resolve, reject));
      }
    }
  }
}

/** @param {File} file */
const isPhoto = ({ name, type }) => type.startsWith("image/") || /\.(jpe?g|heic|heif|png|webp|tiff?)$/i.test(name);

/** @param {string} markup */
const element = (markup) => /** @type {HTMLElement} */ (nodes(markup).firstElementChild);

export function start() {
  new TrackUpload();
}
