/**
 * A text field that completes names of concepts, after the ARIA pattern for comboboxes with a list.
 */

import * as api from "./api.js";
import { announce, h } from "./dom.js";
import { called, learn, summary } from "./summaries.js";

let count = 0;

/**
 * @param {HTMLInputElement} input
 * @param {(name: string) => void} chosen called with the name of the concept that was chosen
 */
export function combobox(input, chosen) {
  const id = `options-${++count}`;
  const list = h("ul", {
    class: "options",
    role: "listbox",
    id,
    hidden: true,
    // A list that scrolls would take the focus on Tab, and lose it when it is hidden.
    tabindex: "-1",
    "aria-label": "Concepts",
  });
  const note = h("p", { class: "options note", role: "alert", hidden: true });
  input.parentElement?.append(list, note);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": id,
    "aria-expanded": "false",
  }))
    input.setAttribute(name, value);
  /** @type {string[]} */
  let found = [];
  /** @type {Map<string, string>} the word by which each was found */
  let by = new Map();
  let active = -1;
  let running = new AbortController();

  const close = () => {
    running.abort();
    list.hidden = note.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  /** @param {string} text */
  const say = (text) => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    note.textContent = text;
    note.hidden = false;
  };
  /** @param {number} index */
  const choose = (index) => {
    const name = found[index];
    if (!name) return;
    input.value = called(name);
    close();
    chosen(name);
  };
  /** @param {number} index */
  const mark = (index) => {
    active = index;
    [...list.children].forEach((item, at) =>
      item.setAttribute("aria-selected", String(at === index)),
    );
    const item = list.children[index];
    if (!item) return;
    input.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({ block: "nearest" });
  };
  const open = () => {
    const option = (/** @type {string} */ name, /** @type {number} */ at) =>
      h(
        "li",
        {
          role: "option",
          id: `${id}-${at}`,
          "aria-selected": "false",
          onpointerdown: (/** @type {Event} */ event) => {
            event.preventDefault();
            choose(at);
          },
        },
        ...described(name, by.get(name) ?? ""),
      );
    list.replaceChildren(...found.map(option));
    list.hidden = false;
    note.hidden = true;
    input.setAttribute("aria-expanded", "true");
    mark(0);
    announce(`${found.length} concepts, ${called(found[0] ?? "")}`);
  };
  const look = async () => {
    running.abort();
    const text = input.value.trim();
    if (!text) return close();
    const { signal } = (running = new AbortController());
    try {
      const hits = (await api.search(text, signal)).concepts;
      const names = [...new Set(hits.map((hit) => hit.concept))];
      await learn(names, signal);
      if (signal.aborted || document.activeElement !== input) return;
      found = names;
      by = new Map(hits.reverse().map((hit) => [hit.concept, hit.found]));
      if (found.length) open();
      else say(`Nothing is called anything like “${text}”.`);
    } catch (error) {
      if (!signal.aborted) say(error instanceof Error ? error.message : String(error));
    }
  };
  input.addEventListener("input", look);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", async (event) => {
    const isOpen = !list.hidden;
    if (event.key === "ArrowDown" && !isOpen) await look();
    else if (event.key === "ArrowDown") mark((active + 1) % found.length);
    else if (event.key === "ArrowUp" && isOpen) mark((active - 1 + found.length) % found.length);
    else if (event.key === "Escape" && (isOpen || !note.hidden)) close();
    else if (event.key === "Enter" && isOpen) choose(active);
    else if (event.key === "Enter" && input.value.trim()) {
      close();
      chosen(input.value.trim());
    } else return;
    event.preventDefault();
  });
}

/**
 * A concept in a list of search results: told apart by its definition and the way up.
 * @param {string} name
 * @param {string} by the word by which it was found
 */
function described(name, by) {
  const about = summary(name);
  const other = about?.synonyms.find((one) => one.toLowerCase() === by);
  const path = about?.path.slice(0, 4) ?? [];
  return [
    h(
      "span",
      { class: "option-name" },
      h("bdi", {}, called(name)),
      other && other !== called(name) && h("span", { class: "hint" }, "also ", h("bdi", {}, other)),
      called(name) !== name && h("bdi", { class: "id" }, name),
    ),
    about?.definition && h("span", { class: "definition", dir: "auto" }, about.definition),
    path.length > 0 &&
      h(
        "span",
        { class: "path" },
        "a kind of ",
        ...path.flatMap((step, at) => [at ? " › " : "", h("bdi", {}, step)]),
      ),
  ].filter((part) => Boolean(part));
}

/**
 * A labelled field that completes names. It remembers the name of the concept that was chosen while
 * its text stays the same.
 * @param {string} label
 * @param {string} id
 * @param {(name: string) => void} chosen
 */
export function conceptField(label, id, chosen) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      id,
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "a concept",
      dir: "auto",
    })
  );
  const field = h("div", { class: "combobox" }, h("label", { for: id }, label), input);
  let [name, text] = ["", ""];
  const set = (/** @type {string} */ to) => {
    [name, text] = [to, to && called(to)];
    input.value = text;
  };
  const take = (/** @type {string} */ to) => {
    set(to);
    chosen(to);
  };
  combobox(input, take);
  input.addEventListener("dragover", (event) => event.preventDefault());
  input.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.getData("text/plain") ?? "");
  });
  const value = () => (input.value === text ? name : input.value.trim());
  return { field, input, set, value };
}
