/** "Is A a B?" with the reasons. */

import * as api from "./api.js";
import { compared, meaningOf } from "./bits.js";
import { conceptField } from "./combobox.js";
import { announce, conceptLink, errorBox, h } from "./dom.js";

/**
 * Creates the panel and returns a function that sets the first concept.
 * @param {HTMLElement} place
 */
export function isaPanel(place) {
  const answer = h("div", { id: "isa-answer" });
  const ask = async () => {
    const [a, b] = [child.input.value.trim(), parent.input.value.trim()];
    if (!a || !b) return;
    try {
      const why = await api.explain(a, b);
      const [one, other] = await Promise.all([api.concept(why.child), api.concept(why.parent)]);
      answer.replaceChildren(...reasons(why, one.code, other.code));
      announce(why.is_a ? `Yes, ${why.child} is a ${why.parent}` : `No, ${why.child} is not a ${why.parent}`);
    } catch (error) {
      answer.replaceChildren(errorBox(error));
    }
  };
  const child = conceptField("Is", "isa-child", ask);
  const parent = conceptField("a", "isa-parent", ask);
  const form = h("form", { class: "ask", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); ask(); } },
    child.field, parent.field, h("div", { class: "row" },
      h("button", { type: "submit", class: "main", id: "isa-ask" }, "Ask"),
      h("button", { type: "button", class: "quiet", onclick: () => { [child.input.value, parent.input.value] = [parent.input.value, child.input.value]; ask(); } }, "Swap")));
  place.replaceChildren(h("div", { class: "head" }, h("h2", { id: "isa-title" }, "Is A a B?")), form, answer);
  return (/** @type {string} */ name) => { child.input.value = name; };
}

/**
 * @param {api.Why} why
 * @param {string} childCode
 * @param {string} parentCode
 */
function reasons(why, childCode, parentCode) {
  if (why.is_a) {
    return [h("div", { class: "answer" },
      h("strong", {}, "Yes"),
      h("ol", { class: "chain", "aria-label": "The way up" }, ...why.chain.map((step) => h("li", {}, conceptLink(step)))),
      h("p", {}, `${why.parent} has ${why.shared.length} ${why.shared.length === 1 ? "bit" : "bits"}, and ${why.child} has them all:`),
      ...compared(childCode, parentCode))];
  }
  const reason = why.missing[0];
  const more = why.missing.length > 1 ? ` (one of ${why.missing.length} such bits)` : "";
  return [h("div", { class: "answer no" },
    h("strong", {}, "No"),
    reason && h("p", {}, `${why.child} lacks bit ${reason.bit} of ${why.parent}${more}. ${meaningOf(reason, why.parent)}.`),
    ...compared(childCode, parentCode),
    why.lowest_common_hypernyms.length > 0 && h("p", {}, "What both are: ", ...why.lowest_common_hypernyms.flatMap((name, at) => [at ? ", " : "", conceptLink(name)])))];
}
