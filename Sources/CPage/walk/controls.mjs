// The controls of the walk: its buttons, its speed, the steps from photo to photo, the keys, the full screen.

import { hasModifier } from "../shared/parts.mjs";

/** Elements with other uses for keys, which do not control the walk there. */
const CONTROL = "button, a, select, input:not([type=range]), summary, dialog, [popover], .card";

export class Controls {
  #scrubber;
  #photos;
  #speed = document.getElementById("speed");
  #fullScreen = document.querySelector("[data-fullscreen]");
  /** The action of the play and pause key, or undefined. */
  #playPause;

  /** Called with a form to send, and its submitter. */
  onSend = () => {};

  constructor(scrubber, photos) {
    this.#scrubber = scrubber;
    this.#photos = photos;
    for (const step of document.querySelectorAll("[data-step]")) {
      step.hidden = false;
      step.addEventListener("click", () => this.#step(Number(step.dataset.step)));
    }
    document.addEventListener("submit", (event) => {
      const form = event.target;
      if (!form.matches("[data-quiet], [data-profile]")) return;
      event.preventDefault();
      this.onSend(form, event.submitter);
    });
    this.#speed.addEventListener("change", () => this.#speed.form.requestSubmit());
    // It may have been changed while the scripts were loading.
    if (!this.#speed.selectedOptions[0].defaultSelected) queueMicrotask(() => this.#speed.form.requestSubmit());
    document.addEventListener("keydown", (event) => this.#pressed(event));
    document.addEventListener("keyup", (event) => this.#released(event));
    if (!document.fullscreenEnabled) return;
    this.#fullScreen.hidden = false;
    this.#fullScreen.addEventListener("click", toggleFullScreen);
  }

  /** Shows the controls and the speed of a state of the walk. */
  show({ actions, playPause, speed, hasFiles }) {
    this.#playPause = playPause;
    const focused = document.activeElement?.closest("[data-action]");
    for (const form of document.querySelectorAll("[data-action]")) {
      form.hidden = actions[0] !== form.dataset.action;
    }
    for (const form of document.querySelectorAll("[data-secondary]")) {
      form.hidden = !actions.slice(1).includes(form.dataset.secondary);
    }
    if (focused?.hidden) this.focus();
    document.querySelector("[data-files]").hidden = !hasFiles;
    const isChoice = [...this.#speed.options].some((option) => option.value === speed);
    if (isChoice && document.activeElement !== this.#speed) this.#speed.value = speed;
    for (const button of document.querySelectorAll(".lengths button")) {
      button.setAttribute("aria-pressed", button.value === speed);
    }
  }

  /** Focuses the first control, when the focused button is gone. */
  focus() {
    document.querySelector("[data-action]:not([hidden]) button")?.focus();
  }

  /** Enables or disables all forms; the focus returns to the control that had it. */
  enable(isEnabled) {
    for (const form of document.querySelectorAll("main form[method=post]")) {
      for (const control of form.elements) {
        if (!isEnabled && control === document.activeElement) control.dataset.focused = "";
        control.disabled = !isEnabled;
      }
    }
    const focused = isEnabled ? document.querySelector("[data-focused]") : null;
    if (!focused) return;
    delete focused.dataset.focused;
    if (document.activeElement === document.body) focused.focus();
  }

  /** Goes to the next photo along the track, or the one before. */
  #step(step) {
    const here = this.#scrubber.chosen ?? this.#scrubber.shown;
    const goal = this.#photos.next(here, step);
    if (goal) this.#scrubber.goTo(goal.meters);
  }

  #pressed(event) {
    if (hasModifier(event) || event.target.closest(CONTROL)) return;
    const { key } = event;
    if ((key === " " || key === "k") && this.#playPause) {
      event.preventDefault();
      if (!event.repeat) document.querySelector(`[data-action="${this.#playPause}"] button`).click();
    } else if (key === "f" && !event.repeat && document.fullscreenEnabled) {
      toggleFullScreen();
    } else if (this.#isForScrubber(event)) {
      this.#scrubber.keyPressed(event);
    }
  }

  #released(event) {
    if (this.#isForScrubber(event)) this.#scrubber.keyReleased(event);
  }

  /** Whether an arrow key is pressed where nothing else has a use for it. */
  #isForScrubber({ key, target }) {
    return (key === "ArrowLeft" || key === "ArrowRight") && !target.closest(`${CONTROL}, canvas, input`);
  }
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}
