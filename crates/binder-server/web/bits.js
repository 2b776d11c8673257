/** A code as circles. */

import { grouped, h, tip } from "./dom.js";

/**
 * The circles of a concept. What a bit means shows on hover and on focus; the arrow keys go from one that is set to the next.
 * @param {import("./api.js").About} about
 */
export function bits(about) {
  const meanings = new Map(about.bits.map((bit) => [bit.bit, bit]));
  const circle = (/** @type {string} */ digit, /** @type {number} */ at) => {
    const meaning = meanings.get(at);
    if (digit === "0" || !meaning) return h("span", { class: "bit" });
    const own = meaning.from.includes(about.concept);
    const text = meaningOf(meaning, about.concept);
    const element = h("button", { type: "button", class: `bit on${own ? " own" : ""}`, tabindex: "-1", "aria-label": text });
    tip(element, () => text);
    return element;
  };
  const row = h("div", { class: "bits", role: "group", "aria-label": `${about.bits.length} of ${about.code.length} bits are set; use the arrow keys to see what each means` }, ...[...about.code].map(circle));
  const set = /** @type {HTMLElement[]} */ ([...row.querySelectorAll(".on")]);
  set[0]?.setAttribute("tabindex", "0");
  row.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = set.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!step || at < 0) return;
    event.preventDefault();
    const next = set[(at + step + set.length) % set.length];
    set.forEach((one) => one.setAttribute("tabindex", one === next ? "0" : "-1"));
    next?.focus();
  });
  const key = (/** @type {string} */ kind, /** @type {string} */ text) => h("span", { class: "key" }, h("span", { class: `bit ${kind}`, "aria-hidden": "true" }), text);
  return [row, h("p", { class: "row", style: "margin:.6rem 0 0;gap:0" }, key("on", "inherited"), key("on own", "its own"), key("", "not set"))];
}

/**
 * @param {import("./api.js").Bit} bit
 * @param {string} concept
 */
export function meaningOf(bit, concept) {
  const from = bit.from.includes(concept) ? `of ${concept}’s own` : `from ${bit.from.join(", ")}`;
  const others = bit.owners - bit.from.length;
  const first = bit.first_owners.filter((owner) => !bit.from.includes(owner)).slice(0, 3).join(", ");
  return `Bit ${bit.bit}, ${from}${others > 0 ? `; elsewhere ${grouped(others)} others begin with it${first ? `, such as ${first}` : ""}` : ""}`;
}

/**
 * The bits of two concepts above each other, those of the parent that the child lacks in red.
 * @param {string} childCode
 * @param {string} parentCode
 */
export function compared(childCode, parentCode) {
  const row = (/** @type {string} */ code, /** @type {boolean} */ isParent) => h("div", { class: "bits", "aria-hidden": "true", style: "margin:.5rem 0" }, ...[...code].map((digit, at) => {
    const lacking = parentCode[at] === "1" && childCode[at] === "0";
    return h("span", { class: lacking ? (isParent ? "bit reason" : "bit missing") : digit === "1" ? "bit on" : "bit" });
  }));
  return [row(childCode, false), row(parentCode, true)];
}
