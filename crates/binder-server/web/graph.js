/** Draws a concept's place as laid out by the server. */

import * as api from "./api.js";
import { address, conceptAddress, rewrite } from "./address.js";
import { point } from "./bits.js";
import { byId, counted, grouped, h, latest, put, s, show, tip } from "./dom.js";
import { complete, saveButtons } from "./save.js";
import { attempt, called, carry, learn, summary } from "./summaries.js";

const HEIGHT = 30;
/** How many children are on a page. */
const PAGE = 24;

/**
 * The drawing of a concept, with its children page by page.
 * @param {HTMLElement} place
 * @param {string} name
 * @param {URLSearchParams} settings
 * @param {AbortSignal} signal
 * @param {(bits: number[] | null, name?: string) => void} light
 */
export async function graphCard(place, name, settings, signal, light) {
  const next = latest(signal);
  const state = {
    from: Math.max(0, Number.parseInt(settings.get("from") ?? "0") || 0),
    filter: settings.get("filter") ?? "",
    all: settings.get("all") === "1",
  };
  const picture = h("div", {
    class: "graph",
    tabindex: "0",
    role: "region",
    "aria-label": "Drawing; scrolls when enlarged",
  });
  const pager = h("div", { class: "row pager" });
  let zoom = 1;
  const scale = () => {
    const svg = /** @type {SVGElement | null} */ (picture.querySelector("svg"));
    if (!svg) return;
    svg.style.width = zoom === 1 ? "100%" : `${picture.clientWidth * zoom}px`;
    svg.style.maxWidth = zoom === 1 ? svg.getAttribute("data-width") + "px" : "none";
  };
  const zoomBy = (/** @type {number} */ factor) => () => {
    zoom = Math.min(6, Math.max(1, zoom * factor));
    scale();
    const centre = picture.querySelector(".centre");
    if (centre)
      picture.scrollLeft +=
        centre.getBoundingClientRect().left +
        centre.getBoundingClientRect().width / 2 -
        picture.getBoundingClientRect().left -
        picture.clientWidth / 2;
  };
  const draw = async () => {
    const mine = next();
    rewrite(
      address("concept", [name], {
        from: state.from,
        filter: state.filter,
        all: state.all ? 1 : "",
      }),
    );
    await attempt(picture, mine, async () => {
      const width = Math.round(Math.max(280, picture.clientWidth - 2));
      const drawing = await api.graph(
        { name, width, children: PAGE, offset: state.from, filter: state.filter, fold: !state.all },
        mine,
      );
      await learn(
        drawing.nodes.flatMap((node) => [node.name, ...node.folded]),
        mine,
      );
      picture.replaceChildren(svg(drawing, name, light, unfold));
      picture.style.minHeight = "";
      scale();
      pages(drawing);
    });
  };
  const unfold = () => {
    state.all = !state.all;
    draw();
  };
  const turn = (/** @type {number} */ to) => () => {
    state.from = to;
    draw();
  };
  const filter = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "search",
      id: "children-filter",
      placeholder: "Find a child",
      value: state.filter,
      autocomplete: "off",
      oninput: () => {
        state.filter = filter.value.trim();
        state.from = 0;
        draw();
      },
    })
  );
  const status = h("span", { class: "hint", "aria-live": "polite" });
  const buttons = h("span", { class: "row" });
  const pages = (/** @type {api.Drawing} */ drawing) => {
    const [first, last] = [
      Math.min(state.from + 1, drawing.matching),
      Math.min(state.from + PAGE, drawing.matching),
    ];
    const of = state.filter
      ? `${grouped(drawing.matching)} of ${counted(drawing.children, "child", "children")} called “${state.filter}”`
      : counted(drawing.children, "child", "children");
    status.textContent =
      drawing.matching > PAGE ? `${grouped(first)} to ${grouped(last)} of ${of}` : of;
    const arrow = (
      /** @type {string} */ text,
      /** @type {string} */ label,
      /** @type {number} */ to,
      /** @type {boolean} */ possible,
    ) =>
      h(
        "button",
        { type: "button", "aria-label": label, disabled: !possible, onclick: turn(to) },
        text,
      );
    show(
      buttons,
      drawing.matching > PAGE &&
        arrow("‹", "Previous children", Math.max(0, state.from - PAGE), state.from > 0),
      drawing.matching > PAGE &&
        arrow("›", "More children", state.from + PAGE, last < drawing.matching),
    );
    pager.hidden = drawing.children === 0;
    filterRow.hidden = drawing.children <= PAGE && !state.filter;
    unfoldButton.hidden = !(state.all || drawing.nodes.some((node) => node.role === "fold"));
    unfoldButton.textContent = state.all ? "Fold long chains" : "Show every step";
  };
  const filterRow = h(
    "span",
    {},
    h("label", { class: "hidden", for: "children-filter" }, "Find a child"),
    filter,
  );
  const unfoldButton = h("button", {
    type: "button",
    class: "quiet",
    hidden: true,
    onclick: unfold,
  });
  put(pager, status, buttons, filterRow);
  const saved = saveButtons(`place of ${called(name)}`, () =>
    complete(/** @type {SVGElement} */ (picture.querySelector("svg"))),
  );
  show(
    place,
    h(
      "div",
      { class: "head" },
      h("h2", { id: "graph-title" }, "Its place"),
      h("p", { class: "hint" }, "Above it, what it is; below it, its kinds."),
      h(
        "span",
        { class: "tools" },
        unfoldButton,
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": "Enlarge the drawing",
            onclick: zoomBy(1.4),
          },
          "+",
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": "Reduce the drawing",
            onclick: zoomBy(1 / 1.4),
          },
          "−",
        ),
        saved,
      ),
    ),
    picture,
    pager,
  );
  picture.style.minHeight = "26rem";
  let width = innerWidth;
  addEventListener(
    "resize",
    () => {
      if (innerWidth !== width) {
        width = innerWidth;
        draw();
      }
    },
    { signal },
  );
  await draw();
}

/**
 * @param {api.Drawing} drawing
 * @param {string} name
 * @param {(bits: number[] | null, name?: string) => void} light
 * @param {() => void} unfold
 */
function svg(drawing, name, light, unfold) {
  const { width, height } = drawing;
  return s(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      "data-width": width,
      role: "group",
      "aria-label": `${called(name)}, what is above it and directly below`,
    },
    ...drawing.edges.map((edge) => s("path", { class: "edge", d: edge.path })),
    ...drawing.nodes.map((node) => box(node, light, unfold)),
  );
}

/**
 * @param {api.GraphNode} node
 * @param {(bits: number[] | null, name?: string) => void} light
 * @param {() => void} unfold
 */
function box(node, light, unfold) {
  const relation = { above: "above", centre: "this concept", below: "directly below", fold: "" }[
    node.role
  ];
  const covers = `${grouped(node.hyponyms)} below it`;
  const shape = [
    s("rect", {
      x: node.x - node.width / 2,
      y: node.y - HEIGHT / 2,
      width: node.width,
      height: HEIGHT,
      rx: 9,
    }),
    s(
      "text",
      {
        x: node.x,
        y: node.y,
        "aria-hidden": "true",
        direction: rightToLeft(node.text) ? "rtl" : null,
      },
      node.text,
    ),
  ];
  if (node.role === "fold") {
    const steps = node.folded.map(called).join(" › ");
    const fold = s(
      "a",
      {
        class: "node fold",
        role: "button",
        tabindex: "0",
        "aria-label": `Show ${node.folded.length} steps: ${steps}`,
        onclick: unfold,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            unfold();
          }
        },
      },
      ...shape,
    );
    tip(fold, () => steps, 300);
    return fold;
  }
  const label = called(node.name);
  const element = s(
    "a",
    {
      class: `node ${node.role}`,
      href: conceptAddress(node.name),
      "data-name": node.name,
      "aria-label": `${node.text === label ? "" : `${node.text}, `}${label}, ${relation}, ${covers}`,
      draggable: "true",
      ondragstart: (/** @type {DragEvent} */ event) => carry(event, node.name),
    },
    ...shape,
  );
  const about = summary(node.name);
  tip(
    element,
    () =>
      h(
        "span",
        {},
        h("bdi", {}, label),
        label === node.name ? "" : ` (${node.name})`,
        about?.definition ? `: ${about.definition}` : "",
        `; ${covers}`,
      ),
    500,
  );
  if (node.role !== "below")
    point(
      element,
      () => light(node.bits, node.name),
      () => light(null),
    );
  return element;
}

/** Whether a text begins with a letter that is written from right to left. @param {string} text */
const rightToLeft = (text) =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    text,
  );

/** Marks the boxes of concepts in the drawing. @param {string[]} names */
export function lightBoxes(names) {
  byId("graph")
    .querySelectorAll(".node")
    .forEach((node) =>
      node.classList.toggle("light", names.includes(node.getAttribute("data-name") ?? "")),
    );
}
