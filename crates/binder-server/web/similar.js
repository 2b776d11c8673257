/** The concepts most like one. */

import * as api from "./api.js";
import { h, latest, show, skeleton } from "./dom.js";
import { attempt, conceptList, learn } from "./summaries.js";

/** The measures, and what each compares. */
const MEASURES = {
  lin: "by shared meaning",
  "wu-palmer": "by shared depth",
  path: "by steps apart",
  jaccard: "by shared bits",
  hamming: "by differing bits",
};

/**
 * @param {HTMLElement} place
 * @param {string} name
 * @param {AbortSignal} signal
 */
export async function similarCard(place, name, signal) {
  const next = latest(signal);
  const list = h("div", {}, skeleton(6));
  const fill = async () => {
    const [mine, by] = [next(), choice.value];
    await attempt(list, mine, async () => {
      const { concepts } = await api.nearest(name, by, mine);
      await learn(
        concepts.map((one) => one.concept),
        mine,
      );
      const scores = new Map(
        concepts.map((one) => [
          one.concept,
          by === "hamming" ? String(one.score) : one.score.toFixed(2),
        ]),
      );
      if (concepts.length)
        show(
          list,
          conceptList([...scores.keys()], (one) => scores.get(one) ?? ""),
        );
      else show(list, h("p", { class: "hint" }, "There is nothing else in this model."));
    });
  };
  const options = Object.entries(MEASURES).map(([value, text]) => h("option", { value }, text));
  const choice = /** @type {HTMLSelectElement} */ (
    h("select", { "aria-label": "How to compare", onchange: fill }, ...options)
  );
  show(
    place,
    h(
      "div",
      { class: "head" },
      h("h2", { id: "similar-title" }, "Most similar"),
      h("span", { class: "tools" }, choice),
    ),
    list,
  );
  await fill();
}
