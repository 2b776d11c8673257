/** What concepts are called and mean. Answers name concepts by id; the page shows labels. */

import * as api from "./api.js";
import { conceptAddress } from "./address.js";
import { h } from "./dom.js";

/** The server takes at most so many at once. */
const MOST = 500;

/** @type {Map<string, Map<string | number, api.Summary>>} */
const kept = new Map();

const known = () => {
  const model = kept.get(api.currentModel()) ?? new Map();
  kept.set(api.currentModel(), model);
  return model;
};

/**
 * Learns what concepts are called; those known already are not asked for again.
 * @param {Iterable<string | number>} concepts names or numbers
 * @param {AbortSignal} signal
 */
export async function learn(concepts, signal) {
  const memory = known();
  const missing = [...new Set(concepts)].filter((one) => !memory.has(one));
  for (let at = 0; at < missing.length; at += MOST) {
    const part = missing.slice(at, at + MOST);
    const answer = await api.summaries(part, signal);
    for (const summary of answer.concepts) {
      if (!summary) continue;
      memory.set(summary.concept, summary);
      memory.set(summary.id, summary);
    }
  }
}

/**
 * What is known of a concept, if it was learnt.
 * @param {string | number} concept
 * @returns {api.Summary | undefined}
 */
export const summary = (concept) => known().get(concept);

/** What people call a concept, else its name. @param {string} name */
export const called = (name) => summary(name)?.called ?? name;

/** A name for people: the label, with the id small and grey beside it. @param {string} name */
export function fullName(name) {
  const label = called(name);
  return label === name
    ? h("bdi", {}, name)
    : h("span", { class: "full-name" }, h("bdi", {}, label), " ", h("bdi", { class: "id" }, name));
}

/**
 * A link to a concept, which can be dragged into fields that take concepts.
 * @param {string} name
 * @param {{ id?: boolean }} [options] whether the id is shown beside the label
 */
export function conceptLink(name, { id = false } = {}) {
  const text = id ? fullName(name) : h("bdi", {}, called(name));
  return h(
    "a",
    {
      class: "concept",
      href: conceptAddress(name),
      title: summary(name)?.definition ?? name,
      draggable: "true",
      ondragstart: (/** @type {DragEvent} */ event) => carry(event, name),
    },
    text,
  );
}

/**
 * Concepts as a list, each with its definition.
 * @param {string[]} names
 * @param {(name: string) => (Node | string | null)} [aside] what stands on the right
 */
export function conceptList(names, aside = () => null) {
  const row = (/** @type {string} */ name) => {
    const [definition, right] = [summary(name)?.definition, aside(name)];
    return h(
      "li",
      {},
      h(
        "div",
        {},
        conceptLink(name, { id: true }),
        definition && h("p", { class: "definition", dir: "auto" }, definition),
      ),
      right && h("span", { class: "aside" }, right),
    );
  };
  return h("ul", { class: "results" }, ...names.map(row));
}

/**
 * Puts a concept's name on a drag.
 * @param {DragEvent} event
 * @param {string} name
 */
export function carry(event, name) {
  event.dataTransfer?.setData("text/plain", name);
}

/**
 * What went wrong, with what may have been meant, and a way to try again.
 * @param {unknown} error
 * @param {() => void} [again]
 */
export function errorBox(error, again) {
  const suggestions = error instanceof api.Problem ? error.suggestions : [];
  // What the server does not know or understand, it will not the next time either.
  const isFinal = error instanceof api.Problem && error.status >= 400 && error.status < 429;
  return h(
    "div",
    { class: "error", role: "alert" },
    h("p", {}, error instanceof Error ? error.message : String(error)),
    suggestions.length > 0 &&
      h(
        "p",
        { class: "row" },
        "Did you mean ",
        ...suggestions.map((one) => conceptLink(one, { id: true })),
      ),
    again && !isFinal && h("button", { type: "button", onclick: again }, "Try again"),
  );
}

/**
 * Does what fills a part of the page. If it fails, the error is shown there instead; if it is no
 * longer wanted, nothing.
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} work
 */
export async function attempt(place, signal, work) {
  try {
    await work();
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof api.Problem)) console.error(error);
    const title = place.matches("article") ? h("h1", {}, "That did not work") : "";
    place.replaceChildren(
      title,
      errorBox(error, () => attempt(place, signal, work)),
    );
  } finally {
    if (!signal.aborted) place.removeAttribute("aria-busy");
  }
}
