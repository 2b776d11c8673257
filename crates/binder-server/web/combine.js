/** What concepts have in common, what is all of them, and expressions over concepts. */

import * as api from "./api.js";
import { address, go, rewrite, whole } from "./address.js";
import { conceptField } from "./combobox.js";
import {
  announce,
  byId,
  copyButton,
  counted,
  curlLine,
  grouped,
  h,
  latest,
  show,
  skeleton,
} from "./dom.js";
import { download } from "./save.js";
import { attempt, called, conceptList, fullName, learn, summary } from "./summaries.js";

/** How many results are on a page, and how many the server gives at once. */
const PAGE = 50;
const MOST = 10_000;

/** What the signs mean. */
const SIGNS = [
  ["&", "and", "what is both"],
  ["|", "in common", "what both are"],
  ["!", "not", "the bits that it lacks"],
  ["(", "(", "open a group"],
  [")", ")", "close a group"],
];

/**
 * The two forms, made once.
 * @param {HTMLElement} place
 * @param {HTMLElement} lab
 */
export function combineForms(place, lab) {
  /** @type {string[]} */
  let chosen = [];
  const set = (/** @type {string[]} */ names) => go(address("combine", names));
  const add = (/** @type {string} */ name) => {
    field.set("");
    if (name && !chosen.includes(name)) set([...chosen, name]);
  };
  const field = conceptField("Add a concept", "combine-add", add);
  const chips = h("div", { class: "chips", role: "list", "aria-label": "Concepts to combine" });
  chips.addEventListener("dragover", (event) => {
    event.preventDefault();
    chips.classList.add("over");
  });
  chips.addEventListener("dragleave", () => chips.classList.remove("over"));
  chips.addEventListener("drop", (event) => {
    event.preventDefault();
    chips.classList.remove("over");
    add(event.dataTransfer?.getData("text/plain") ?? "");
  });
  show(
    place,
    h("h1", {}, "What have they in common?"),
    h(
      "p",
      { class: "hint" },
      "Choose two or more concepts: what all of them are, and what is all of them at once.",
    ),
    h("div", { class: "ask" }, field.field),
    chips,
  );

  const text = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "expression",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "for example  dog & pup",
      "aria-describedby": "expression-help",
    })
  );
  const insert = (/** @type {string} */ piece) => {
    const [from, to] = [
      text.selectionStart ?? text.value.length,
      text.selectionEnd ?? text.value.length,
    ];
    const gap = from > 0 && !/[\s(!]$/.test(text.value.slice(0, from)) && piece !== ")" ? " " : "";
    text.setRangeText(`${gap}${piece}${/^[&|]$/.test(piece) ? " " : ""}`, from, to, "end");
    text.focus();
  };
  const piece = conceptField("Insert a concept", "expression-add", (name) => {
    piece.set("");
    insert(/^[\w.\-:]+$/.test(name) ? name : `"${name.replaceAll(/["\\]/g, "\\$&")}"`);
  });
  const form = h(
    "form",
    {
      class: "ask",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (text.value.trim()) go(address("combine", [], { x: text.value.trim() }));
      },
    },
    h(
      "div",
      {},
      h("label", { for: "expression" }, "Expression"),
      h(
        "div",
        { class: "row stretch" },
        text,
        h("button", { type: "submit", class: "main" }, "Evaluate"),
      ),
    ),
    h(
      "div",
      { class: "row" },
      ...SIGNS.map(([sign = "", word = "", meaning = ""]) =>
        h(
          "button",
          { type: "button", title: `Insert ${sign}: ${meaning}`, onclick: () => insert(sign) },
          word === sign ? sign : `${word}  ${sign}`,
        ),
      ),
    ),
    piece.field,
  );
  show(
    lab,
    h(
      "div",
      { class: "head" },
      h("h2", {}, "Expression"),
      h(
        "p",
        { class: "hint", id: "expression-help" },
        "a & b is what is both, a | b what both are, !a has the bits that a lacks. No code can say “everything that is a or b”.",
      ),
    ),
    form,
    h("div", { id: "expression-answer" }),
  );

  return (/** @type {string[]} */ names, /** @type {string} */ expression) => {
    chosen = names;
    text.value = expression;
    const remove = (/** @type {string} */ name) => () => set(chosen.filter((one) => one !== name));
    const chip = (/** @type {string} */ name) =>
      h(
        "span",
        { class: "chip", role: "listitem", title: summary(name)?.definition ?? name },
        fullName(name),
        h(
          "button",
          { type: "button", "aria-label": `Remove ${called(name)}`, onclick: remove(name) },
          "×",
        ),
      );
    show(
      chips,
      ...(names.length
        ? names.map(chip)
        : [
            h(
              "span",
              { class: "hint", role: "listitem" },
              "None yet; concepts can also be dragged here.",
            ),
          ]),
    );
  };
}

/**
 * @param {import("./address.js").Address} here
 * @param {AbortSignal} signal
 * @param {(names: string[], expression: string) => void} fill
 */
export async function combineView(here, signal, fill) {
  const [results, answer] = [byId("combine-results"), byId("expression-answer")];
  const expression = here.settings.get("x") ?? "";
  const names = here.names;
  fill(names, expression);
  // What is below appears when it will not be pushed down any more.
  byId("lab").hidden = names.length > 1 && results.childElementCount === 0;
  await Promise.all([
    attempt(results, signal, async () => {
      if (names.length) await learn(names, signal);
      fill(names, expression);
      if (names.length === 1) byId("combine-add").focus();
      if (names.length < 2) return results.replaceChildren();
      if (results.childElementCount === 0) show(results, skeleton(9));
      const [meet, join] = await Promise.all([api.meet(names, signal), api.join(names, signal)]);
      await learn(
        [...meet.named, ...meet.most_general_below, ...join.nearest_above, ...join.of],
        signal,
      );
      // Words became concepts: the chips and the address say which.
      if (join.of.length === names.length) {
        fill(join.of, expression);
        rewrite(address("combine", join.of, { x: expression }));
      }
      show(results, ...inCommon(join), ...both(meet), ...share(join.of));
      document.title = `${join.of.map(called).join(" and ")} · Binder`;
      announce(
        `In common: ${join.nearest_above.map(called).join(", ") || "nothing"}. ${counted(meet.count, "concept")} ${meet.count === 1 ? "is" : "are"} all of these.`,
      );
    }),
    evaluate(answer, expression, signal),
  ]);
  if (!signal.aborted) byId("lab").hidden = false;
}

/** @param {api.Place} join */
function inCommon(join) {
  const title = h("h2", {}, "What all of them are");
  if (join.nearest_above.length === 0)
    return [title, h("p", { class: "hint" }, "They have nothing above them in common.")];
  return [title, h("div", { id: "join" }, conceptList(join.nearest_above))];
}

/** @param {api.Place} meet */
function both(meet) {
  const title = h("h2", {}, "What is all of them at once");
  if (meet.count === 0) return [title, h("p", { class: "hint", id: "meet-none" }, "Nothing is.")];
  const names = meet.named.length ? meet.named : meet.most_general_below;
  return [
    title,
    h("p", { class: "hint" }, `${counted(meet.count, "concept")}, the most general first:`),
    h("div", { id: "meet" }, conceptList(names)),
  ];
}

/** @param {string[]} names */
function share(names) {
  return [
    h("h2", {}, "Share it"),
    h(
      "div",
      { class: "row actions" },
      copyButton("Copy link", () => whole(address("combine", names))),
    ),
    curlLine(api.path("join", { of: names })),
  ];
}

/**
 * @param {HTMLElement} place
 * @param {string} text
 * @param {AbortSignal} signal
 */
async function evaluate(place, text, signal) {
  if (!text) return place.replaceChildren();
  show(place, skeleton(6));
  const next = latest(signal);
  await attempt(place, signal, async () => {
    const first = await api.expression(text, 0, PAGE, signal);
    await learn([...first.named, ...first.nearest_above, ...first.below], signal);
    const list = h("div", { id: "expression-below" }, conceptList(first.below));
    const more = h("div", { class: "row pager" });
    const turn = async (/** @type {number} */ from) => {
      const mine = next();
      await attempt(list, mine, async () => {
        const page = await api.expression(text, from, PAGE, mine);
        await learn(page.below, mine);
        show(list, conceptList(page.below));
        pages(from);
      });
    };
    const pages = (/** @type {number} */ from) =>
      show(
        more,
        first.count > PAGE &&
          h(
            "button",
            { type: "button", disabled: from === 0, onclick: () => turn(Math.max(0, from - PAGE)) },
            "‹ Previous",
          ),
        first.count > PAGE &&
          h(
            "span",
            { class: "hint" },
            `${grouped(from + 1)} to ${grouped(Math.min(first.count, from + PAGE))} of ${grouped(first.count)}`,
          ),
        first.count > PAGE &&
          h(
            "button",
            {
              type: "button",
              disabled: from + PAGE >= first.count,
              onclick: () => turn(from + PAGE),
            },
            "Next ›",
          ),
      );
    pages(0);
    show(
      place,
      first.named.length > 0 && h("h3", {}, "It is exactly"),
      first.named.length > 0 && conceptList(first.named),
      ...(first.named.length === 0 && first.count > 0 ? aboveIt(first) : []),
      h(
        "h3",
        { id: "expression-count" },
        first.count
          ? `${counted(first.count, "concept")} at or below it`
          : "Nothing is that",
      ),
      list,
      more,
      h(
        "div",
        { class: "row actions" },
        copyButton("Copy link", () => whole(address("combine", [], { x: text }))),
        first.count > 0 &&
          h(
            "button",
            { type: "button", onclick: () => exportAll(text, first.count, "json") },
            "Save as JSON",
          ),
        first.count > 0 &&
          h(
            "button",
            { type: "button", onclick: () => exportAll(text, first.count, "csv") },
            "Save as CSV",
          ),
      ),
      curlLine(api.path("expression", { text })),
    );
    announce(`${counted(first.count, "concept")} at or below it`);
  });
}

/**
 * What is above an expression that is no concept.
 * @param {api.Place} place
 */
function aboveIt(place) {
  return [
    h(
      "p",
      { class: "hint" },
      "No concept has exactly these bits. What is above has only bits of these, what is below has all of them.",
    ),
    place.nearest_above.length > 0 && h("h3", {}, "Nearest above it"),
    place.nearest_above.length > 0 && conceptList(place.nearest_above),
  ];
}

/**
 * Saves all results.
 * @param {string} text
 * @param {number} count
 * @param {"json" | "csv"} kind
 */
async function exportAll(text, count, kind) {
  const signal = new AbortController().signal;
  /** @type {string[]} */
  const names = [];
  while (names.length < count) {
    const page = await api.expression(text, names.length, MOST, signal);
    if (page.below.length === 0) break;
    names.push(...page.below);
  }
  await learn(names, signal);
  const rows = names.map((name) => ({
    concept: name,
    label: summary(name)?.label ?? null,
    definition: summary(name)?.definition ?? null,
  }));
  const cell = (/** @type {string | null} */ value) => `"${(value ?? "").replaceAll('"', '""')}"`;
  const csv = [
    "concept,label,definition",
    ...rows.map((row) => [row.concept, row.label, row.definition].map(cell).join(",")),
  ].join("\r\n");
  const content =
    kind === "json"
      ? JSON.stringify({ expression: text, count: rows.length, concepts: rows }, null, 1)
      : `${csv}\r\n`;
  download(
    `binder-${text}.${kind}`,
    new Blob([content], { type: kind === "json" ? "application/json" : "text/csv" }),
  );
}
