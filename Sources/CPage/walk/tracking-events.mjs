// The connection to the events of the walk: connects again when it is lost or refused.

import { accepted } from "../shared/parts.mjs";
import { ask } from "../shared/server.mjs";

/** Milliseconds in which a lost connection may come back before it is reported. */
const LOST_TIMEOUT = 1500;
/** Milliseconds after which a refused page tries again. */
const RETRY_DELAY = 5000;

export class TrackingEvents {
  #receivers;
  #source = null;
  /** The id of the last event, from which the server continues. */
  #cursor = null;
  #lostTimer = 0;
  #retryTimer = 0;

  /** Called when the connection is open. */
  onOpen = () => {};
  /** Called when the connection is lost. */
  onLost = () => {};
  /** Called with the error when the server refuses the connection. */
  onRefused = () => {};

  /** @param receivers called with the data and the id of an event, by its name */
  constructor(receivers) {
    this.#receivers = receivers;
    // Browsers allow six connections to a server, so a hidden page closes its own.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#disconnect();
      else this.connect();
    });
    addEventListener("pagehide", () => this.#disconnect());
    addEventListener("pageshow", () => this.connect());
  }

  get #address() {
    return `/tracking/events${this.#cursor ? `?after=${encodeURIComponent(this.#cursor)}` : ""}`;
  }

  connect() {
    // A page that was opened in the background is hidden from the start.
    if (this.#source || document.hidden) return;
    const source = new EventSource(this.#address);
    this.#source = source;
    for (const [name, receive] of Object.entries(this.#receivers)) {
      source.addEventListener(name, (event) => {
        this.#cursor = event.lastEventId;
        receive(JSON.parse(event.data), event.lastEventId);
      });
    }
    source.addEventListener("open", () => {
      clearTimeout(this.#lostTimer);
      this.#lostTimer = 0;
      this.onOpen();
    });
    source.addEventListener("error", () => {
      // The browser reconnects unless it was refused.
      if (source.readyState === EventSource.CLOSED) this.#refused();
      else this.#lostTimer ||= setTimeout(() => this.onLost(), LOST_TIMEOUT);
    });
  }

  reconnect() {
    this.#disconnect();
    this.connect();
  }

  /** Asks for the reason, which the browser withholds, and tries again later. */
  async #refused() {
    this.#disconnect();
    this.#retryTimer = setTimeout(() => this.reconnect(), RETRY_DELAY);
    const question = new AbortController();
    try {
      await accepted(await ask(this.#address, { signal: question.signal }));
      this.reconnect();
    } catch (error) {
      this.onRefused(error);
    } finally {
      question.abort();
    }
  }

  #disconnect() {
    clearTimeout(this.#lostTimer);
    clearTimeout(this.#retryTimer);
    this.#lostTimer = 0;
    this.#source?.close();
    this.#source = null;
  }
}
