// Parts of a page that come later, or again: the server makes them, this puts them in place.

/** The address of a part of the screen at an address. */
function partAddress(address, name) {
  const url = new URL(address, location.href);
  url.searchParams.set("part", name);
  return url;
}

/** Gets a part as nodes; throws when the server does not answer, or refuses: the cause is the status then. */
export async function fetchPart(address, name, signal) {
  const response = await fetch(partAddress(address, name), { signal });
  if (!response.ok) throw new Error(`status ${response.status}`, { cause: response.status });
  return nodes(await response.text());
}

/** The nodes of markup that the server made. */
export function nodes(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

/**
 * Puts content in place of what is in a container. The status line stays, with the new text, since
 * screen readers tell only of changes in what was there before.
 */
export function replaceContent(container, content) {
  const lineIn = (node) => [...node.children].find((child) => child.matches("[role=status]"));
  const [line, next] = [lineIn(container), lineIn(content)];
  if (!line) return container.replaceChildren(content);
  next?.remove();
  line.className = next?.className ?? "unseen";
  line.textContent = next?.textContent ?? "";
  while (line.nextSibling) line.nextSibling.remove();
  container.append(content);
}

/** Posts the form without leaving the page; returns the answer. */
export function post(form, submitter) {
  return postFields(form.action, new FormData(form, submitter));
}

/** Posts what a form had in it. */
export function postFields(address, fields) {
  return fetch(address, {
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
  } catch {
    content = unreachable(() => load(part, address));
  }
  const failure = [content, ...content.children].find((node) => node.matches?.(".notice.error"));
  const before = [...part.children].filter((child) => !child.matches("[role=status], .notice, .waiting"));
  if (failure && before.length > 0) {
    // What was there is worth more than nothing.
    part.querySelector(".notice.error")?.remove();
    before[0].before(failure);
  } else {
    replaceContent(part, content);
  }
  part.removeAttribute("aria-busy");
}

/** The card for a server that does not answer. */
export function unreachable(retry) {
  return failureCard("faketrack does not answer", "Is it still running in its terminal?", retry);
}

/** A card that says what went wrong and what to do about it; `retry` does it again, where that helps. */
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
    // What is there stays until there is something else.
    if (part.children.length === 1 && part.contains(retry)) {
      part.replaceChildren(nodes(`<div class="waiting">${bars}</div>`));
    }
    load(part, retry.href);
  });
}
