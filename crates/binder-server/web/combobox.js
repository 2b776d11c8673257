/** A text field that completes names of concepts, after the ARIA pattern for comboboxes with a list. */

import * as api from "./api.js";
import { announce, h } from "./dom.js";

let count = 0;

/**
 * @param {HTMLInputElement} input
 * @param {(name: string) => void} chosen called with the name of the concept that was chosen
 */
export function combobox(input, chosen) {
  const id = `options-${++count}`;
  const list = h("ul", { class: "options", role: "listbox", id, hidden: true, "aria-label": "Concepts" });
  input.parentElement?.append(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false" })) input.setAttribute(name, value);
  /** @type {api.Found[]} */
  let found = [];
  let active = -1;
  /** @type {AbortController | null} */
  let running = null;

  const close = () => {
    running?.abort();
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  /** @param {number} index */
  const choose = (index) => {
    const hit = found[index];
    if (!hit) return;
    input.value = hit.concept;
    close();
    chosen(hit.concept);
  };
  /** @param {number} index */
  const mark = (index) => {
    active = index;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    const item = list.children[index];
    if (item && found.length) {
      input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    }
  };
  const show = () => {
    const option = (/** @type {api.Found} */ hit, /** @type {number} */ at) =>
      h("li", { role: "option", id: `${id}-${at}`, "aria-selected": "false", onpointerdown: (/** @type {Event} */ event) => { event.preventDefault(); choose(at); } },
        hit.concept, h("small", {}, hit.concept.toLowerCase().replaceAll(/[_-]/g, " ").startsWith(hit.found) ? "" : hit.found));
    list.replaceChildren(...(found.length ? found.map(option) : [h("li", { class: "none" }, "No concept found")]));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(found.length ? 0 : -1);
    announce(found.length ? `${found.length} concepts, ${found[0]?.concept}` : "No concept found");
  };
  const look = async () => {
    running?.abort();
    const text = input.value.trim();
    if (!text) return close();
    const mine = running = new AbortController();
    try {
      found = (await api.search(text, mine.signal)).concepts;
      if (!mine.signal.aborted && document.activeElement === input) show();
    } catch (error) {
      if (!mine.signal.aborted) throw error;
    }
  };
  input.addEventListener("input", look);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", async (event) => {
    const open = !list.hidden;
    if (event.key === "ArrowDown" && !open) await look();
    else if (event.key === "ArrowDown") mark((active + 1) % Math.max(1, found.length));
    else if (event.key === "ArrowUp" && open) mark((active - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === "Escape" && open) close();
    else if (event.key === "Enter" && open) choose(active);
    else if (event.key === "Enter" && input.value.trim()) chosen(input.value.trim());
    else return;
    event.preventDefault();
  });
}

/**
 * A labelled field that completes names.
 * @param {string} label
 * @param {string} id
 * @param {(name: string) => void} chosen
 */
export function conceptField(label, id, chosen) {
  const input = /** @type {HTMLInputElement} */ (h("input", { id, type: "text", autocomplete: "off", spellcheck: "false", placeholder: "a concept" }));
  const field = h("div", { class: "combobox" }, h("label", { for: id }, label), input);
  combobox(input, chosen);
  input.addEventListener("dragover", (event) => event.preventDefault());
  input.addEventListener("drop", (event) => {
    event.preventDefault();
    input.value = event.dataTransfer?.getData("text/plain") ?? "";
    chosen(input.value);
  });
  return { field, input };
}
