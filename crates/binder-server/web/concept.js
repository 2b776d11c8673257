/** The card of a concept. */

import * as api from "./api.js";
import { bits } from "./bits.js";
import { conceptLink, errorBox, grouped, h } from "./dom.js";

/**
 * Shows a concept and returns its description.
 * @param {HTMLElement} place
 * @param {string} name
 * @param {(name: string) => void} combine
 * @returns {Promise<api.About | null>}
 */
export async function showConcept(place, name, combine) {
  try {
    const about = await api.concept(name);
    place.replaceChildren(...card(about, combine));
    return about;
  } catch (error) {
    const suggestions = error instanceof api.Problem ? error.suggestions : [];
    const list = suggestions.length > 0 && h("p", { class: "row" }, ...suggestions.map((one) => conceptLink(one)));
    place.replaceChildren(h("h1", {}, name), errorBox(error), ...(list ? [list] : []));
    return null;
  }
}

/**
 * @param {api.About} about
 * @param {(name: string) => void} combine
 */
function card(about, combine) {
  const stat = (/** @type {string} */ value, /** @type {string} */ text) => h("li", {}, h("b", {}, value), h("span", {}, text));
  const parents = about.parents.length
    ? h("p", { class: "row" }, h("span", { class: "hint" }, "is a"), ...about.parents.map((parent) => conceptLink(parent)))
    : h("p", { class: "hint" }, "Nothing is above it.");
  return [
    h("div", { class: "top" },
      h("div", {}, h("h1", { id: "concept-name", tabindex: "-1" }, about.concept), about.label && h("p", { class: "label" }, about.label)),
      h("button", { type: "button", class: "combine-add", onclick: () => combine(about.concept) }, "Combine")),
    about.aliases.length > 0 && h("p", { class: "hint" }, `also ${about.aliases.join(", ")}`),
    parents,
    h("ul", { class: "stats" },
      stat(grouped(about.hypernyms), "above it"), stat(grouped(about.hyponyms), "below it"), stat(grouped(about.children_count), "directly below"),
      stat(String(about.bits.length), `of ${about.code.length} bits`), stat(about.information_content.toFixed(2), "information content")),
    ...bits(about),
  ].filter((part) => part !== false);
}
