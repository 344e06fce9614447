// The notice over the stage: the notice of the walk, or a failure of the page in its place.

import { failureOf, nodes } from "../shared/parts.mjs";

export class Notice {
  #place = document.querySelector("[data-notice]");
  /** The notice of the walk. */
  #markup = this.#place.innerHTML;
  /** A failure of the page that replaces it: "connection", "request", or null. */
  #failure = null;
  #leave;

  /** @param leave focuses a control when the focused button is gone */
  constructor(leave) {
    this.#leave = leave;
  }

  get markup() {
    return this.#markup;
  }

  /** Shows the notice of the walk. */
  show(markup) {
    this.#markup = markup;
    this.#failure = null;
    this.#replace(nodes(markup));
  }

  /** Runs a task that needs the server; if it fails, shows a card with a retry button. */
  async attempt(task) {
    try {
      await task();
      this.recover("request");
      return true;
    } catch (error) {
      // The card of a lost connection stays.
      if (this.#failure !== "connection") this.fail("request", failureOf(error, () => this.attempt(task)));
      return false;
    }
  }

  fail(failure, card) {
    this.#failure = failure;
    this.#replace(card);
  }

  /** Removes a card about one of these failures. */
  recover(...failures) {
    if (failures.includes(this.#failure)) this.show(this.#markup);
  }

  #replace(content) {
    const hadFocus = this.#place.contains(document.activeElement);
    this.#place.replaceChildren(content);
    if (!hadFocus) return;
    // The button of a notice has priority over the controls.
    const button = this.#place.querySelector("button");
    if (button) button.focus();
    else this.#leave();
  }
}
