/**
 * First sight: what this is, with the proof, a search, and three questions that are answered live.
 */

import * as api from "./api.js";
import { address } from "./address.js";
import { MEANING } from "./bits.js";
import { byId, grouped, h, show, skeleton } from "./dom.js";
import { attempt, called, learn } from "./summaries.js";

/**
 * @param {api.Model} model
 * @param {AbortSignal} signal
 */
export async function startView(model, signal) {
  document.title = "Binder";
  byId("claim").textContent = claim(model);
  byId("meaning").textContent = MEANING;
  const place = byId("examples");
  if (place.dataset.model === model.name) return;
  show(place, ...model.examples.map(() => h("div", { class: "card example" }, skeleton(4))));
  await attempt(place, signal, async () => {
    const cards = await Promise.all(
      model.examples.map((example) =>
        example.question === "join" ? inCommon(example, signal) : isA(example, signal),
      ),
    );
    show(place, ...cards);
    place.dataset.model = model.name;
  });
}

/**
 * "82,115 concepts, 57 bits each, all 6.7 billion pairs checked."
 * @param {api.Model} model
 */
export function claim(model) {
  const { notes, concepts, bits } = model;
  const size = `${grouped(concepts)} ${concepts === 1 ? "concept" : "concepts"}, ${bits} ${bits === 1 ? "bit" : "bits"} each`;
  const pairs = Number(notes.pairs_checked);
  if (!pairs) return `${size}.`;
  const errors = Number(notes.errors);
  return `${size}, all ${inWords(pairs)} pairs checked${errors ? `: ${grouped(errors)} wrong` : ""}.`;
}

/** 6.7 billion, 16 million, 12,432. @param {number} number */
function inWords(number) {
  for (const [unit, word] of /** @type {[number, string][]} */ ([
    [1e12, "trillion"],
    [1e9, "billion"],
    [1e6, "million"],
  ])) {
    if (number >= unit) return `${(number / unit).toFixed(number / unit < 10 ? 1 : 0)} ${word}`;
  }
  return grouped(number);
}

/** @param {api.Example} example @param {AbortSignal} signal */
async function isA(example, signal) {
  const [child, parent] = example.concepts;
  const why = await api.explain(child, parent, signal);
  const reason = why.is_a ? why.chain.slice(1, -1) : why.lowest_common_hypernyms;
  await learn([child, parent, ...reason], signal);
  const because = why.is_a
    ? reason.length
      ? `by way of ${reason.slice(0, 4).map(called).join(", ")}${reason.length > 4 ? " …" : ""}`
      : "directly"
    : `both are: ${reason.map(called).join(", ") || "nothing in common"}`;
  return card(
    address("is-a", example.concepts),
    ["Is ", h("bdi", {}, called(child)), " a kind of ", h("bdi", {}, called(parent)), "?"],
    why.is_a ? "Yes" : "No",
    why.is_a ? "yes" : "no",
    because,
  );
}

/** @param {api.Example} example @param {AbortSignal} signal */
async function inCommon(example, signal) {
  const join = await api.join(example.concepts, signal);
  await learn([...example.concepts, ...join.nearest_above], signal);
  const [a, b] = example.concepts;
  const answer = join.nearest_above.map(called).join(", ") || "Nothing";
  return card(
    address("combine", example.concepts),
    ["What are ", h("bdi", {}, called(a)), " and ", h("bdi", {}, called(b)), " both?"],
    answer,
    "yes",
    "their nearest common hypernym",
  );
}

/**
 * @param {string} href
 * @param {(Node | string)[]} question
 * @param {string} answer
 * @param {string} kind
 * @param {string} because
 */
const card = (href, question, answer, kind, because) =>
  h(
    "a",
    { class: "card example", href },
    h("span", { class: "question" }, ...question),
    h("strong", { class: kind }, answer),
    h("span", { class: "hint" }, because),
  );
