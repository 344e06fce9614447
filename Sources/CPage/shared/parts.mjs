// Parts of a page that the server renders and the page loads later or again.

import { ask } from "./server.mjs";

/** The address of a part of the screen at an address. */
function partAddress(address, name) {
  const url = new URL(address, location.href);
  url.searchParams.set("part", name);
  return url;
}

/** Loads a part as nodes; throws without an answer, or a refusal. */
export async function fetchPart(address, name, signal) {
  const response = await accepted(await ask(partAddress(address, name), { signal }));
  return nodes(await response.text());
}

/** Returns an answer; throws a refusal with the reason as its message and the status as its cause. */
export async function accepted(response) {
  if (response.ok) return response;
  const text = await response.text();
  const isMarkup = response.headers.get("Content-Type")?.startsWith("text/html");
  const refusal = new Error(isMarkup ? "" : text.trim(), { cause: response.status });
  // The server may explain itself in a card.
  const card = isMarkup ? nodes(text).firstElementChild : null;
  if (card?.matches(".card")) refusal.card = card;
  throw refusal;
}

/** Whether a modifier key is held, so that an event means something else to the browser. */
export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;

/** The nodes of markup from the server. */
export function nodes(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

/**
 * Replaces the content of a container. The status line stays and gets the new text, since screen
 * readers announce only changes of existing elements.
 */
export function replaceContent(container, content) {
  const statusIn = (node) => [...node.children].find((child) => child.matches("[role=status]"));
  const [status, next] = [statusIn(container), statusIn(content)];
  if (!status) return container.replaceChildren(content);
  next?.remove();
  status.className = next?.className ?? "visually-hidden";
  status.textContent = next?.textContent ?? "";
  while (status.nextSibling) status.nextSibling.remove();
  container.append(content);
}

/** Posts a form without leaving the page; returns the answer. */
export function post(form, submitter) {
  return postFields(form.action, new FormData(form, submitter));
}

/** Posts the fields of a form. */
export function postFields(address, fields) {
  return ask(address, {
    method: "POST",
    headers: { "X-Faketrack": "1" },
    body: new URLSearchParams(fields),
  });
}

async function load(part, address) {
  part.setAttribute("aria-busy", "true");
  let content;
  try {
    content = await fetchPart(address, part.dataset.part);
  } catch (error) {
    content = failureOf(error, () => load(part, address));
  }
  const failure = [content, ...content.children].find((node) => node.matches?.(".notice.error"));
  const before = [...part.children].filter((child) => !child.matches("[role=status], .notice, .waiting"));
  if (failure && before.length > 0) {
    // The previous content stays.
    part.querySelector(".notice.error")?.remove();
    before[0].before(failure);
  } else {
    replaceContent(part, content);
  }
  part.removeAttribute("aria-busy");
  // Tracks are shown as they are read.
  if (!failure && part.querySelector("[data-waiting]")) setTimeout(load, 1000, part, address);
}

/** The card for a server that cannot be reached. */
export function unreachable(retry) {
  return failureCard("Can't reach faketrack", "Is it still running in its terminal?", retry);
}

/** Titles and remedies of refusals by status. */
const REFUSALS = {
  403: ["Access denied", "Open the page at the address that faketrack printed."],
  404: ["Not found", "faketrack may have been restarted: reload the page."],
  500: ["faketrack failed", "Retry; if it fails again, report a problem."],
  503: ["faketrack is busy", "Retry in a moment."],
};

/** The card for a request that failed: what the server says about it, if it answered. */
export function failureOf(error, retry) {
  if (error.card) {
    error.card.classList.add("pinned");
    return error.card;
  }
  const status = error.cause;
  if (typeof status !== "number") return unreachable(retry);
  const [title, remedy] = REFUSALS[status] ?? ["Request refused", ""];
  return failureCard(title, `${error.message || `The status is ${status}.`} ${remedy}`.trim(), retry);
}

/** A card with a failure and its remedy; `retry` is called by its button, if given. */
export function failureCard(title, remedy, retry = null) {
  const card = nodes(
    '<section class="card notice error" role="alert"><h2></h2><p></p><div class="actions"></div></section>',
  ).firstElementChild;
  card.querySelector("h2").textContent = title;
  card.querySelector("p").textContent = remedy;
  if (retry) {
    const button = nodes('<button class="button primary">Retry</button>').firstChild;
    button.addEventListener("click", retry);
    card.querySelector(".actions").append(button);
  }
  return card;
}

export function start() {
  for (const part of document.querySelectorAll("[data-part]")) {
    if (part.querySelector("[data-waiting]")) load(part, location.href);
  }
  document.addEventListener("click", (event) => {
    const retry = event.target.closest("[data-retry]");
    const part = retry && document.querySelector(`[data-part="${retry.dataset.retry}"]`);
    if (!part || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const bars = '<p class="bar"></p><p class="bar"></p><p class="bar short"></p>';
    // The previous content stays until the new one is loaded.
    if (part.children.length === 1 && part.contains(retry)) {
      part.replaceChildren(nodes(`<div class="waiting">${bars}</div>`));
    }
    load(part, retry.href);
  });
}
