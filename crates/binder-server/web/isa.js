/** "Is A a kind of B?" with the reasons. */

import * as api from "./api.js";
import { address, go, whole } from "./address.js";
import { compared, MEANING } from "./bits.js";
import { conceptField } from "./combobox.js";
import { announce, byId, copyButton, counted, curlLine, h, show, skeleton } from "./dom.js";
import {
  attempt,
  called,
  conceptLink,
  conceptList,
  fullName,
  learn,
  summary,
} from "./summaries.js";

/** The form, made once. @param {HTMLElement} place */
export function isaForm(place) {
  const ask = () => {
    const names = [child.value(), parent.value()];
    if (names[0] && names[1]) go(address("is-a", names));
    else if (names[0]) parent.input.focus();
    else child.input.focus();
  };
  const child = conceptField("Is this", "isa-child", ask);
  const parent = conceptField("a kind of this?", "isa-parent", ask);
  const swap = () => {
    const [a, b] = [child.value(), parent.value()];
    child.set(b);
    parent.set(a);
    ask();
  };
  const form = h(
    "form",
    {
      class: "ask two",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        ask();
      },
    },
    child.field,
    parent.field,
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "main", id: "isa-ask" }, "Ask"),
      h("button", { type: "button", onclick: swap }, "Swap"),
    ),
  );
  show(place, h("h1", {}, "Is it a kind of …?"), form);
  return (/** @type {string} */ a, /** @type {string} */ b) => {
    child.set(a);
    parent.set(b);
  };
}

/**
 * @param {import("./address.js").Address} here
 * @param {AbortSignal} signal
 * @param {(child: string, parent: string) => void} fill
 */
export async function isaView(here, signal, fill) {
  const [child = "", parent = ""] = here.names;
  const answer = byId("isa-answer");
  if (!child || !parent) {
    await attempt(answer, signal, async () => {
      if (child) await learn([child], signal);
      fill(child, "");
      show(
        answer,
        h("p", { class: "hint" }, "Choose two concepts, and the answer comes with its reasons."),
      );
      byId(child ? "isa-parent" : "isa-child").focus();
    });
    return;
  }
  show(answer, skeleton(10));
  await attempt(answer, signal, async () => {
    fill(child, parent);
    const why = await api.explain(child, parent, signal);
    const common = why.is_a ? [] : why.lowest_common_hypernyms.slice(0, 1);
    const [one, other, ...ways] = await Promise.all([
      api.concept(why.child, signal),
      api.concept(why.parent, signal),
      ...common.flatMap((top) => [
        api.explain(why.child, top, signal),
        api.explain(why.parent, top, signal),
      ]),
    ]);
    const chains = ways.map((way) => way.chain);
    await learn(
      [
        why.child,
        why.parent,
        ...why.chain,
        ...why.lowest_common_hypernyms,
        ...why.missing.flatMap((bit) => bit.from),
        ...chains.flat(),
      ],
      signal,
    );
    fill(why.child, why.parent);
    const taken = [
      ...(await understood(child, why.child, (other) => [other, why.parent], signal)),
      ...(await understood(parent, why.parent, (other) => [why.child, other], signal)),
    ];
    show(
      answer,
      verdict(why),
      ...taken,
      meant(why),
      ...(why.is_a ? yes(why) : no(why, chains)),
      ...reasons(why, one.code, other.code),
      ...share(why),
    );
    document.title = `${why.is_a ? "Yes" : "No"}: ${called(why.child)}, ${called(why.parent)} · Binder`;
    announce(
      why.is_a
        ? `Yes, ${called(why.child)} is a kind of ${called(why.parent)}`
        : `No, ${called(why.child)} is not a kind of ${called(why.parent)}`,
    );
  });
}

/**
 * The verdict in large letters.
 * @param {api.Why} why
 */
function verdict(why) {
  const link = why.is_a ? " is a kind of " : " is not a kind of ";
  return h(
    "p",
    { class: `verdict ${why.is_a ? "yes" : "no"}` },
    h("strong", {}, why.is_a ? "Yes." : "No."),
    " ",
    conceptLink(why.child),
    link,
    conceptLink(why.parent),
    ".",
  );
}

/** Which sense of each word is meant. @param {api.Why} why */
const meant = (why) =>
  h("div", { class: "meant" }, conceptList([...new Set([why.child, why.parent])]));

/** @param {string[]} steps @param {string} label */
const chain = (steps, label) =>
  h(
    "ol",
    { class: "chain", "aria-label": label },
    ...steps.map((step) => h("li", {}, conceptLink(step))),
  );

/** @param {api.Why} why */
function yes(why) {
  const steps = why.chain.length - 1;
  return [
    steps > 0 && h("h2", {}, `The way up, ${counted(steps, "step")}`),
    steps > 0
      ? chain(why.chain, "The way up")
      : h("p", { class: "hint" }, "They are the same concept."),
  ];
}

/**
 * @param {api.Why} why
 * @param {string[][]} chains from each of both to what they have in common
 */
function no(why, chains) {
  const common = why.lowest_common_hypernyms;
  const [left, right] = chains;
  return [
    h("h2", {}, common.length ? "Where their ways part" : "They have nothing above them in common"),
    left &&
      right &&
      h(
        "div",
        { class: "ways" },
        chain([...left].reverse(), `Down to ${called(why.child)}`),
        chain([...right].reverse(), `Down to ${called(why.parent)}`),
      ),
    common.length > 0 && h("h2", {}, "What both are"),
    common.length > 0 && h("div", { id: "isa-common" }, conceptList(common)),
  ];
}

/**
 * @param {api.Why} why
 * @param {string} childCode
 * @param {string} parentCode
 */
function reasons(why, childCode, parentCode) {
  const all = why.shared.length + why.missing.length;
  /** @type {Map<string, number>} */
  const givers = new Map();
  for (const bit of why.missing)
    for (const name of bit.from) givers.set(name, (givers.get(name) ?? 0) + 1);
  const from = [...givers].flatMap(([name, bits], at) => [
    at ? ", " : "",
    `${bits} from `,
    conceptLink(name),
  ]);
  const text = why.is_a
    ? [
        h("bdi", {}, called(why.parent)),
        ` has ${counted(all, "bit")}, and `,
        h("bdi", {}, called(why.child)),
        " has them all.",
      ]
    : [
        h("bdi", {}, called(why.child)),
        ` lacks ${why.missing.length} of the ${counted(all, "bit")} of `,
        h("bdi", {}, called(why.parent)),
        ": ",
        ...from,
        ".",
      ];
  const key = (/** @type {string} */ kind, /** @type {string} */ meaning) =>
    h(
      "span",
      { class: "key" },
      h("span", { class: `bit ${kind}`, "aria-hidden": "true" }),
      meaning,
    );
  return [
    h("h2", {}, "What the bits say"),
    h("p", { id: "isa-reason" }, ...text),
    ...compared(childCode, parentCode, why.child, why.parent),
    h(
      "p",
      { class: "row keys" },
      key("on", "set"),
      !why.is_a && key("missing", "lacking"),
      !why.is_a && key("reason", "would be needed"),
      key("", "not set"),
    ),
    h("p", { class: "hint" }, MEANING),
  ];
}

/**
 * How a word was understood that is no name, and what else it may mean: links that ask again.
 * @param {string} asked
 * @param {string} taken
 * @param {(other: string) => string[]} again the question with another sense instead
 * @param {AbortSignal} signal
 */
async function understood(asked, taken, again, signal) {
  if (asked === taken) return [];
  const { senses, others } = await api.find(asked, signal);
  await learn(others, signal);
  const link = (/** @type {string} */ other) =>
    h(
      "a",
      { href: address("is-a", again(other)), title: summary(other)?.definition ?? other },
      fullName(other),
    );
  return [
    h(
      "p",
      { class: "taken" },
      `“${asked}” was taken for `,
      fullName(taken),
      others.length > 0 && `, the first of ${counted(senses, "sense")}. Ask again with `,
      ...others.flatMap((one, at) => [at ? ", " : "", link(one)]),
      ".",
    ),
  ];
}

/** @param {api.Why} why */
function share(why) {
  const here = address("is-a", [why.child, why.parent]);
  return [
    h("h2", {}, "Share it"),
    h(
      "div",
      { class: "row actions" },
      copyButton("Copy link", () => whole(here)),
    ),
    curlLine(api.path("explain", { child: why.child, parent: why.parent })),
  ];
}
