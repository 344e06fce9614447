// The legend of the line: its colors, and the choice between elevation and speed.

import { height, speed } from "../shared/format.mjs";
import { nodes } from "../shared/parts.mjs";

export class Legend {
  #map;
  #units;
  #card = nodes(`<div class="card legend" hidden><div class="segments" role="group" aria-label="Colors of the line">
    <button class="button small" data-by="elevation">Elevation</button><button class="button small" data-by="speed">Speed</button>
    </div><p class="scale figures"><span></span><i></i><span></span></p></div>`).firstElementChild;

  constructor(host, map) {
    this.#map = map;
    this.#units = host.dataset.units;
    host.append(this.#card);
    map.colorBy("elevation");
    this.#card.addEventListener("click", ({ target }) => {
      const by = target.closest("[data-by]")?.dataset.by;
      if (!by) return;
      this.#map.colorBy(by);
      this.show();
    });
  }

  /** Shows the range of the colors; without one there is no legend. */
  show() {
    const { range } = this.#map;
    this.#card.hidden = !range;
    if (!range) return;
    const words = range.by === "speed" ? speed : height;
    const [low, high] = this.#card.querySelectorAll("span");
    low.textContent = words(range.low, this.#units);
    high.textContent = words(range.high, this.#units);
    for (const button of this.#card.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", button.dataset.by === range.by);
    }
  }
}
