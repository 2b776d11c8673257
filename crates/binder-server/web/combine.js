/** Meet and join of chosen concepts. */

import * as api from "./api.js";
import { conceptField } from "./combobox.js";
import { announce, conceptLink, errorBox, grouped, h } from "./dom.js";

/**
 * Creates the panel and returns a function that adds a concept.
 * @param {HTMLElement} place
 */
export function combinePanel(place) {
  /** @type {string[]} */
  let chosen = [];
  const results = h("div", { id: "combine-results", "aria-live": "polite" });
  const chips = h("div", { class: "chips", role: "list", "aria-label": "Concepts to combine" });
  const add = (/** @type {string} */ name) => {
    if (name && !chosen.includes(name)) chosen = [...chosen, name];
    field.input.value = "";
    update();
  };
  const update = async () => {
    const remove = (/** @type {string} */ name) => () => { chosen = chosen.filter((one) => one !== name); update(); };
    const chip = (/** @type {string} */ name) => h("span", { class: "chip", role: "listitem" }, name, h("button", { type: "button", "aria-label": `Remove ${name}`, onclick: remove(name) }, "×"));
    chips.replaceChildren(...(chosen.length ? chosen.map(chip) : [h("span", { class: "hint" }, "Drop concepts here")]));
    if (chosen.length < 2) return results.replaceChildren();
    try {
      const [meet, join] = await Promise.all([api.meet(chosen), api.join(chosen)]);
      results.replaceChildren(...meetResult(meet), ...joinResult(join));
      announce(`${meet.count} concepts are all of these; in common: ${join.nearest_above.join(", ") || "nothing"}`);
    } catch (error) {
      results.replaceChildren(errorBox(error));
    }
  };
  const field = conceptField("Add", "combine-add", add);
  chips.addEventListener("dragover", (event) => { event.preventDefault(); chips.classList.add("over"); });
  chips.addEventListener("dragleave", () => chips.classList.remove("over"));
  chips.addEventListener("drop", (event) => {
    event.preventDefault();
    chips.classList.remove("over");
    add(event.dataTransfer?.getData("text/plain") ?? "");
  });
  place.replaceChildren(
    h("div", { class: "head" }, h("h2", { id: "combine-title" }, "Combine"), h("p", { class: "hint" }, "What is both, and what both are")),
    chips, h("div", { class: "ask" }, field.field), results);
  update();
  return { add, clear: () => { chosen = []; update(); } };
}

/** @param {string[]} names */
const list = (names) => h("ul", { class: "results" }, ...names.map((name) => h("li", {}, conceptLink(name))));

/** @param {api.Place} meet */
function meetResult(meet) {
  const title = h("h3", { style: "font-size:.95rem;margin-top:.6rem" }, "Meet: what is all of these");
  if (meet.count === 0) return [title, h("p", { class: "hint", id: "meet-none" }, "Nothing is.")];
  const names = meet.named.length ? meet.named : meet.most_general_below;
  return [title, h("p", { class: "hint" }, `${grouped(meet.count)} ${meet.count === 1 ? "concept" : "concepts"}, the most general:`), list(names)];
}

/** @param {api.Place} join */
function joinResult(join) {
  const title = h("h3", { style: "font-size:.95rem;margin-top:.8rem" }, "Join: what all of these are");
  if (join.nearest_above.length === 0) return [title, h("p", { class: "hint" }, "They have no hypernym in common.")];
  return [title, h("p", { class: "hint" }, "lowest common hypernyms:"), list(join.nearest_above)];
}
