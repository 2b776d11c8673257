/** A code as circles, grouped by the ancestor that gave each bit. */

import { announce, counted, grouped, h, tip } from "./dom.js";
import { saveButtons, bitsPicture } from "./save.js";
import { called, conceptLink } from "./summaries.js";

/** @typedef {{ from: string[], bits: number[], own: boolean }} Group */

/** Codes of more bits than this are folded: only the groups show at first. */
const MOST_SHOWN = 128;

export const MEANING =
  "A concept hands each of its bits down to everything below it, so “A is a B” holds exactly when A has every bit of B.";

/**
 * The bits of a concept by the ancestor that gave them, the most general first.
 * @param {import("./api.js").About} about
 */
export function groupsOf(about) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const { bit, from } of about.bits) {
    const key = JSON.stringify(from);
    const group = groups.get(key) ?? { from, bits: [], own: from.includes(about.concept) };
    group.bits.push(bit);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => Number(a.own) - Number(b.own));
}

/**
 * The bits of a concept. Pointing at a group lights its bits; pointing at a bit lights its group.
 * `lit` hears which
 * concepts that concerns, and the function that is returned lights given bits.
 * @param {import("./api.js").About} about
 * @param {string[]} order the ancestors, the most general first
 * @param {(names: string[]) => void} lit
 */
export function bitsCard(about, order, lit) {
  const rank = new Map(order.map((name, at) => [name, at]));
  const groups = groupsOf(about).sort(
    (a, b) =>
      Number(a.own) - Number(b.own) ||
      (rank.get(a.from[0] ?? "") ?? 0) - (rank.get(b.from[0] ?? "") ?? 0),
  );
  const groupOf = new Map(groups.flatMap((group) => group.bits.map((bit) => [bit, group])));
  const circles = [...about.code].map((digit, at) => {
    const group = groupOf.get(at);
    if (digit === "0" || !group) return h("span", { class: "bit", "data-bit": at });
    const meaning = about.bits.find((one) => one.bit === at);
    const text = meaning ? meaningOf(meaning, about.concept) : "";
    const circle = h("button", {
      type: "button",
      class: `bit on${group.own ? " own" : ""}`,
      "data-bit": at,
      tabindex: "-1",
      "aria-label": text,
    });
    tip(circle, () => text);
    point(
      circle,
      () => {
        light(new Set([at]), [group]);
        lit(group.from);
      },
      quiet,
    );
    return circle;
  });
  const strip = h(
    "div",
    {
      class: "bits",
      role: "group",
      "aria-label": `${about.bits.length} of ${about.code.length} bits are set; the arrow keys go from one to the next`,
    },
    ...circles,
  );
  rove(strip, ".on");
  const rows = groups.map((group) => {
    const dots = group.bits
      .slice(0, 40)
      .map(() => h("span", { class: `bit on${group.own ? " own" : ""}` }));
    const row = h(
      "li",
      { class: "group" },
      group.own
        ? h("strong", {}, "its own")
        : h(
            "span",
            {},
            ...group.from.slice(0, 3).flatMap((name, at) => [at ? ", " : "", conceptLink(name)]),
          ),
      h(
        "span",
        { class: "dots", role: "img", "aria-label": counted(group.bits.length, "bit") },
        ...dots,
      ),
    );
    point(
      row,
      () => {
        light(new Set(group.bits), [group]);
        lit(group.from);
      },
      quiet,
    );
    return row;
  });
  const list = h(
    "ul",
    { class: "groups", "aria-label": "Which ancestor gave which bits" },
    ...rows,
  );

  /** @param {Set<number>} bits @param {Group[]} some */
  function light(bits, some) {
    strip.classList.add("lit");
    circles.forEach((circle, at) => circle.classList.toggle("light", bits.has(at)));
    rows.forEach((row, at) =>
      row.classList.toggle("light", some.includes(/** @type {Group} */ (groups[at]))),
    );
  }
  function quiet() {
    strip.classList.remove("lit");
    [...circles, ...rows].forEach((one) => one.classList.remove("light"));
    lit([]);
  }
  const wide = about.code.length > MOST_SHOWN;
  const whole = wide
    ? h("details", {}, h("summary", {}, `All ${grouped(about.code.length)} bits`), strip)
    : strip;
  const saved = saveButtons(`bits of ${called(about.concept)}`, () => bitsPicture(about, groups));
  const card = [
    h(
      "div",
      { class: "head" },
      h("h2", { id: "bits-title" }, "Its bits"),
      h("p", { class: "hint" }, `${about.bits.length} of ${about.code.length} are set`),
      saved,
    ),
    h("p", { class: "hint" }, MEANING),
    ...(about.bits.length
      ? [whole, list]
      : [h("p", {}, "It has no bits: everything is below it.")]),
  ];
  /**
   * Lights the bits that a concept has; null puts everything out.
   * @param {number[] | null} bits
   * @param {string} [name]
   */
  const lightBits = (bits, name) => {
    if (!bits) return quiet();
    const set = new Set(bits);
    light(
      set,
      groups.filter((group) => group.bits.every((bit) => set.has(bit))),
    );
    if (name) announce(`${called(name)} has ${counted(bits.length, "bit")}`);
  };
  return { card, lightBits };
}

/**
 * Does one thing while the pointer or the focus is on an element, and another afterwards.
 * @param {Element} element
 * @param {() => void} enter
 * @param {() => void} leave
 */
export function point(element, enter, leave) {
  element.addEventListener("pointerenter", enter);
  element.addEventListener("pointerleave", leave);
  element.addEventListener("focusin", enter);
  element.addEventListener("focusout", leave);
}

/**
 * Makes one of many elements reachable with Tab, the others with the arrow keys.
 * @param {HTMLElement} place
 * @param {string} css
 */
function rove(place, css) {
  const all = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(css)]);
  all[0]?.setAttribute("tabindex", "0");
  place.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!step || at < 0) return;
    event.preventDefault();
    const next = all[(at + step + all.length) % all.length];
    all.forEach((one) => one.setAttribute("tabindex", one === next ? "0" : "-1"));
    next?.focus();
  });
}

/**
 * @param {import("./api.js").Bit} bit
 * @param {string} concept
 */
export function meaningOf(bit, concept) {
  const from = bit.from.includes(concept)
    ? `${called(concept)}’s own`
    : `from ${bit.from.map(called).join(", ")}`;
  const others = bit.owners - bit.from.length;
  return `Bit ${bit.bit}, ${from}${others > 0 ? `; ${grouped(others)} ${others === 1 ? "other begins" : "others begin"} with it elsewhere` : ""}`;
}

/**
 * Rows of equal length, none of more than 64 circles, or half of that on a narrow screen.
 * @param {number} bits
 */
export function across(bits) {
  const rows = Math.ceil(bits / (innerWidth < 640 ? 32 : 64));
  return `--across:${Math.ceil(bits / Math.max(1, rows))}`;
}

/**
 * The bits of two concepts above each other, those of the parent that the child lacks in red.
 * @param {string} childCode
 * @param {string} parentCode
 * @param {string} child
 * @param {string} parent
 */
export function compared(childCode, parentCode, child, parent) {
  const row = (
    /** @type {string} */ code,
    /** @type {boolean} */ isParent,
    /** @type {string} */ name,
  ) => {
    const circles = [...code].map((digit, at) => {
      const lacking = parentCode[at] === "1" && childCode[at] === "0";
      const asked = parentCode[at] === "1" ? " asked" : "";
      return h("span", {
        class: `bit${asked}${lacking ? (isParent ? " reason" : " missing") : digit === "1" ? " on" : ""}`,
      });
    });
    return h(
      "div",
      { class: "compared" },
      h("span", {}, h("bdi", {}, called(name))),
      h("div", { class: "bits", "aria-hidden": "true", style: across(code.length) }, ...circles),
    );
  };
  return [row(childCode, false, child), row(parentCode, true, parent)];
}
