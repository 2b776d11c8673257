/**
 * A concept that is not in the model: where it would stand, and its code. Nothing is written unless
 * the server allows it and one asks for it.
 */

import * as api from "./api.js";
import { address, conceptAddress, go, whole } from "./address.js";
import { across } from "./bits.js";
import { conceptField } from "./combobox.js";
import { announce, byId, copyButton, counted, grouped, h, show, skeleton } from "./dom.js";
import { attempt, called, conceptLink, conceptList, errorBox, learn } from "./summaries.js";

/** @typedef {{ name: string, parents: string[], expression: string, definition: string }} New */

/**
 * The form, made once.
 * @param {HTMLElement} place
 */
export function freshForm(place) {
  /** @type {string[]} */
  let parents = [];
  const name = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "new-name",
      type: "text",
      autocomplete: "off",
      placeholder: "its name",
      dir: "auto",
    })
  );
  const expression = /** @type {HTMLInputElement} */ (
    h("input", {
      id: "new-expression",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "for example  dog & pup",
    })
  );
  const definition = /** @type {HTMLTextAreaElement} */ (
    h("textarea", {
      id: "new-definition",
      rows: "2",
      placeholder: "what it means, in a sentence",
      dir: "auto",
    })
  );
  const chips = h("div", { class: "chips", role: "list", "aria-label": "Parents" });
  const field = conceptField("Parents", "new-parent", (parent) => {
    field.set("");
    if (parent && !parents.includes(parent)) {
      parents = [...parents, parent];
      expression.value = "";
      chip();
    }
  });
  const chip = () =>
    show(
      chips,
      ...(parents.length
        ? parents.map((parent) =>
            h(
              "span",
              { class: "chip", role: "listitem" },
              h("bdi", {}, called(parent)),
              h(
                "button",
                {
                  type: "button",
                  "aria-label": `Remove ${called(parent)}`,
                  onclick: () => {
                    parents = parents.filter((one) => one !== parent);
                    chip();
                  },
                },
                "×",
              ),
            ),
          )
        : [h("span", { class: "hint", role: "listitem" }, "What is it a kind of?")]),
    );
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const [text, typed] = [expression.value.trim(), field.value()];
    const all = typed && !parents.includes(typed) ? [...parents, typed] : parents;
    field.set("");
    go(
      address("new", [], {
        name: name.value.trim(),
        parent: text ? [] : all,
        x: text,
        definition: definition.value.trim(),
      }),
    );
  };
  const labelled = (/** @type {HTMLElement} */ input, /** @type {string} */ text) =>
    h("div", {}, h("label", { for: input.id }, text), input);
  const placing = h(
    "div",
    { id: "new-placing" },
    labelled(definition, "Or say what it means, and the place is found"),
  );
  const form = h(
    "form",
    { class: "ask", onsubmit: submit },
    labelled(name, "Name"),
    field.field,
    chips,
    labelled(expression, "Or an expression that defines it"),
    placing,
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "main" }, "Show its place and code"),
    ),
  );
  show(
    place,
    h("h1", {}, "A new concept"),
    h(
      "p",
      { class: "hint" },
      "See the code that a concept would get. The codes of all others stay as they are.",
    ),
    form,
  );
  return (/** @type {New} */ fresh, /** @type {boolean} */ places) => {
    parents = fresh.parents;
    [name.value, expression.value, definition.value] = [
      fresh.name,
      fresh.expression,
      fresh.definition,
    ];
    placing.hidden = !places;
    chip();
  };
}

/**
 * @param {import("./address.js").Address} here
 * @param {AbortSignal} signal
 * @param {(fresh: New, places: boolean) => void} fill
 * @param {{ places: boolean, writes: boolean }} server whether it can place concepts by their words,
 *   and add them
 */
export async function freshView(here, signal, fill, { places, writes }) {
  const answer = byId("new-answer");
  const { settings } = here;
  const fresh = {
    name: settings.get("name") ?? "",
    parents: settings.getAll("parent"),
    expression: settings.get("x") ?? "",
    definition: settings.get("definition") ?? "",
  };
  await attempt(answer, signal, async () => {
    await learn(fresh.parents, signal);
    fill(fresh, places);
    const byPlace =
      places && fresh.definition !== "" && !fresh.expression && fresh.parents.length === 0;
    if (!fresh.name || !(fresh.parents.length || fresh.expression || byPlace)) {
      byId(fresh.name ? "new-parent" : "new-name").focus();
      return show(
        answer,
        h("p", { class: "hint" }, "Give it a name and at least one parent, or an expression."),
      );
    }
    show(answer, skeleton(8));
    const seen = byPlace ? await placed(fresh, signal) : await previewed(fresh, signal);
    show(
      answer,
      ...seen.parts,
      h(
        "div",
        { class: "row actions" },
        writes && seen.wish && addButton({ ...seen.wish, definition: fresh.definition }, signal),
        copyButton("Copy link", () => whole()),
      ),
    );
    document.title = `${fresh.name}, new · Binder`;
  });
}

/** @typedef {{ name: string, parents?: string[], expression?: string }} Wish */

/**
 * A button that adds the concept to the model's file, and goes to it.
 * @param {Wish & { definition: string }} wish
 * @param {AbortSignal} signal
 */
function addButton(wish, signal) {
  const button = /** @type {HTMLButtonElement} */ (
    h("button", { type: "button", class: "main", id: "new-add" }, "Add it to the model")
  );
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await api.add(wish, signal);
      announce(`${wish.name} was added`);
      go(conceptAddress(wish.name));
    } catch (error) {
      button.disabled = false;
      if (!signal.aborted) button.after(errorBox(error));
    }
  });
  return button;
}

/**
 * What it would be, and what would have to be added.
 * @param {New} fresh
 * @param {AbortSignal} signal
 * @returns {Promise<{ parts: import("./dom.js").Child[], wish: Wish | null }>}
 */
async function previewed(fresh, signal) {
  const wish = fresh.expression
    ? { name: fresh.name, expression: fresh.expression }
    : { name: fresh.name, parents: fresh.parents };
  const seen = await api.preview(wish, signal);
  await learn([...seen.parents, ...seen.children], signal);
  announce(`${seen.name} would have ${counted(seen.own.length, "bit")} of its own`);
  const parts = [
    h("h2", {}, h("bdi", {}, seen.name), " would be a kind of"),
    conceptList(seen.parents),
    seen.children_count > 0 && h("h2", {}, `and above ${counted(seen.children_count, "concept")}`),
    seen.children_count > 0 && conceptList(seen.children),
    h("h2", {}, "Its code"),
    ...code(seen.code, new Set(seen.own)),
    h(
      "p",
      { class: "hint" },
      seen.appended_bits
        ? `${counted(seen.appended_bits, "bit")} would be appended to all codes, because no free bits tell it apart from everything else.`
        : `The codes keep their ${grouped(seen.code.length)} bits.`,
    ),
  ];
  return { parts, wish };
}

/**
 * Where it belongs by its words, and what would have to be added.
 * @param {New} fresh
 * @param {AbortSignal} signal
 * @returns {Promise<{ parts: import("./dom.js").Child[], wish: Wish | null }>}
 */
async function placed(fresh, signal) {
  const found = await api.place({ name: fresh.name, definition: fresh.definition }, signal);
  const { why } = found;
  await learn(
    [
      ...found.places.map((one) => one.concept),
      ...found.parents,
      ...why.mentioned,
      ...why.neighbours.map((one) => one.concept),
    ],
    signal,
  );
  const chances = new Map(
    found.places.map((one) => [one.concept, `${(100 * one.p).toFixed(0)} %`]),
  );
  const links = (/** @type {string[]} */ names) =>
    names.flatMap((name, at) => [at ? ", " : "", conceptLink(name)]);
  announce(`It belongs below ${found.parents.map(called).join(", ") || "nothing known"}`);
  const reasons = [
    why.genus && h("li", {}, `The definition calls it “${why.genus}”.`),
    why.ending && h("li", {}, `The name ends in “${why.ending}”.`),
    why.mentioned.length > 0 &&
      h("li", {}, "The definition mentions ", ...links(why.mentioned), "."),
    ...why.neighbours.map((one) =>
      h("li", {}, "It reads like ", conceptLink(one.concept), `: ${one.words.join(", ")}.`),
    ),
  ];
  if (found.places.length === 0) {
    const none = h("p", {}, "Nothing here is like it; a longer definition would help.");
    return { parts: [none], wish: null };
  }
  const parts = [
    h("h2", {}, "Where it belongs"),
    conceptList([...chances.keys()], (name) => chances.get(name) ?? ""),
    found.same_as && h("p", {}, "Rather another name of ", conceptLink(found.same_as.concept), "."),
    h("h2", {}, "Why"),
    h("ul", {}, ...reasons.filter((one) => Boolean(one))),
    found.code && h("h2", {}, "Its code"),
    ...(found.code
      ? code(found.code, new Set())
      : [h("p", { class: "hint" }, "A bit would have to be appended to all codes.")]),
  ];
  return { parts, wish: { name: fresh.name, parents: found.parents } };
}

/**
 * A code as circles.
 * @param {string} digits
 * @param {Set<number>} own
 */
function code(digits, own) {
  const circles = [...digits].map((digit, at) =>
    h("span", { class: `bit${digit === "1" ? " on" : ""}${own.has(at) ? " own" : ""}` }),
  );
  const set = [...digits].filter((digit) => digit === "1").length;
  const key = (/** @type {string} */ kind, /** @type {string} */ text) =>
    h("span", { class: "key" }, h("span", { class: `bit ${kind}`, "aria-hidden": "true" }), text);
  return [
    h(
      "div",
      {
        class: "bits wide",
        style: across(digits.length),
        role: "img",
        "aria-label": `${set} of ${digits.length} bits are set, ${own.size} of them its own`,
      },
      ...circles,
    ),
    h(
      "p",
      { class: "row keys" },
      key("on", own.size ? "from its parents" : "set"),
      own.size > 0 && key("on own", "its own"),
      key("", "not set"),
    ),
  ];
}
