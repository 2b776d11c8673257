/** The view of a concept: what it is called and means, its place, its bits, and what is like it. */

import * as api from "./api.js";
import { address, go, whole } from "./address.js";
import { bitsCard } from "./bits.js";
import {
  announce,
  byId,
  copyButton,
  counted,
  curlLine,
  grouped,
  h,
  pause,
  show,
  skeleton,
} from "./dom.js";
import { graphCard, lightBoxes } from "./graph.js";
import { similarCard } from "./similar.js";
import { attempt, called, conceptLink, conceptList, learn, summary } from "./summaries.js";

/**
 * @param {import("./address.js").Address} here
 * @param {AbortSignal} signal
 */
export async function conceptView(here, signal) {
  const [name = ""] = here.names;
  const [head, bits, graph, similar] = ["concept", "bits", "graph", "similar"].map(byId);
  if (!head || !bits || !graph || !similar) return;
  const below = [bits, graph, similar];
  // What is below appears when it will not be pushed down any more; what was shown before stays
  // until then.
  if (!head.dataset.name) show(head, skeleton(8));
  head.setAttribute("aria-busy", "true");
  await attempt(head, signal, async () => {
    if (!name) return go("#/");
    const about = await api.concept(name, signal).catch((error) => {
      if (!signal.aborted) {
        below.forEach((card) => {
          card.hidden = true;
        });
        delete head.dataset.name;
      }
      throw error;
    });
    const above = about.bits.flatMap((bit) => bit.from);
    await learn([about.concept, ...about.parents, ...above], signal);
    head.dataset.name = name;
    bits.hidden = graph.hidden = false;
    show(head, ...card(about));
    document.title = `${called(about.concept)} · Binder`;
    announce(
      `${called(about.concept)}, ${about.definition ?? ""} ${grouped(about.hyponyms)} below it`,
    );
    await pause();
    signal.throwIfAborted();
    const order = [...new Set(above)].sort((a, b) => size(b) - size(a));
    const star = bitsCard(about, order, lightBoxes);
    show(bits, ...star.card);
    await pause();
    signal.throwIfAborted();
    await Promise.all([
      senses(about, signal),
      graphCard(graph, about.concept, here.settings, signal, star.lightBits).then(() => {
        similar.hidden = false;
        return similarCard(similar, about.concept, signal);
      }),
    ]);
  });
}

/** How many are below a concept. @param {string} name */
const size = (name) => summary(name)?.hyponyms ?? 0;

/** @param {api.About} about */
function card(about) {
  const label = called(about.concept);
  const name = about.concept;
  const stat = (/** @type {string} */ value, /** @type {string} */ text) =>
    h("li", {}, h("b", {}, value), h("span", {}, text));
  const also = about.synonyms.filter((one) => one !== label);
  return [
    h(
      "div",
      { class: "title" },
      h("h1", { id: "concept-name", tabindex: "-1", dir: "auto" }, label),
      label !== name && h("bdi", { class: "id" }, name),
    ),
    about.definition ? h("p", { class: "lead", dir: "auto" }, about.definition) : null,
    also.length > 0 &&
      h(
        "p",
        { class: "hint" },
        "also called ",
        ...also.flatMap((one, at) => [at ? ", " : "", h("bdi", {}, one)]),
      ),
    about.aliases.length > 0 &&
      h(
        "p",
        { class: "hint" },
        "other ids: ",
        ...about.aliases
          .slice(0, 8)
          .flatMap((one, at) => [at ? ", " : "", h("bdi", { class: "id" }, one)]),
      ),
    about.parents.length
      ? h(
          "p",
          { class: "parents" },
          h("span", { class: "hint" }, "is a kind of "),
          ...about.parents.flatMap((parent, at) => [at ? " and " : "", conceptLink(parent)]),
        )
      : h("p", { class: "hint" }, "Nothing is above it."),
    h("div", { id: "senses" }),
    h(
      "ul",
      { class: "stats" },
      stat(grouped(about.hypernyms), "above it"),
      stat(grouped(about.hyponyms), "below it"),
      stat(grouped(about.children_count), about.children_count === 1 ? "child" : "children"),
      stat(`${about.bits.length} of ${about.code.length}`, "bits set"),
    ),
    h(
      "div",
      { class: "row actions" },
      h("a", { class: "button", href: address("is-a", [name]) }, "Is it a …?"),
      h("a", { class: "button", href: address("combine", [name]) }, "Combine with …"),
      h("a", { class: "button", href: address("new", [], { parent: name }) }, "Add below it"),
      h("a", { class: "button", href: address("map", [name]) }, "Show on map"),
      copyButton("Copy link", () => whole(address("concept", [name]))),
    ),
    h(
      "details",
      { class: "for-programs" },
      h("summary", {}, "For programs"),
      curlLine(api.path("concept", { name })),
    ),
  ].filter((part) => Boolean(part));
}

/** How a search finds the very word. */
const SAME_WORD = ["name", "label", "synonym", "loose-synonym"];

/**
 * The other senses of the word, told apart by their definitions.
 * @param {api.About} about
 * @param {AbortSignal} signal
 */
async function senses(about, signal) {
  const word = called(about.concept);
  const { concepts } = await api.search(word, signal);
  const sense = (/** @type {api.Found} */ hit) =>
    hit.found === word.toLowerCase() && SAME_WORD.includes(hit.by);
  const same = [...new Set(concepts.filter(sense).map((hit) => hit.concept))];
  const others = same.filter((one) => one !== about.concept);
  if (others.length === 0) return;
  await learn(others, signal);
  show(
    byId("senses"),
    h(
      "details",
      {},
      h("summary", {}, `“${word}” also means ${counted(others.length, "other thing")}`),
      conceptList(others),
    ),
  );
}
