/** Draws a concept's place as laid out by the server. */

import * as api from "./api.js";
import { carry, conceptAddress, errorBox, grouped, h, s, tip } from "./dom.js";

const HEIGHT = 30;

/**
 * @param {HTMLElement} place
 * @param {string} name
 * @param {number} [children]
 */
export async function drawGraph(place, name, children = 40) {
  try {
    const drawing = await api.graph(name, Math.max(260, place.clientWidth - 4), children);
    const more = drawing.left_out > 0 && h("button", { type: "button", class: "quiet", onclick: () => drawGraph(place, name, Math.min(1000, children * 4)) }, `${grouped(drawing.left_out)} more children`);
    const row = more && h("div", { class: "row", style: "justify-content:center" }, more);
    place.replaceChildren(svg(drawing, name), ...(row ? [row] : []));
    const centre = drawing.nodes.find((node) => node.role === "centre");
    if (centre) place.scrollLeft = centre.x - place.clientWidth / 2;
  } catch (error) {
    place.replaceChildren(errorBox(error));
  }
}

/**
 * @param {api.Drawing} drawing
 * @param {string} name
 */
function svg(drawing, name) {
  const { width, height } = drawing;
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `${name}, what is above it and directly below` },
    ...drawing.edges.map((edge) => s("path", { class: "edge", d: edge.path })),
    ...drawing.nodes.map(box));
}

/** @param {api.GraphNode} node */
function box(node) {
  const relation = { above: "above", centre: "this concept", below: "directly below" }[node.role];
  const covers = `${grouped(node.hyponyms)} below`;
  const element = s("a", { class: `node ${node.role}`, href: conceptAddress(node.name), "aria-label": `${node.name}, ${relation}, ${covers}`, draggable: "true", ondragstart: (/** @type {DragEvent} */ event) => carry(event, node.name) },
    s("rect", { x: node.x - node.width / 2, y: node.y - HEIGHT / 2, width: node.width, height: HEIGHT, rx: 9 }),
    s("text", { x: node.x, y: node.y }, node.text));
  tip(element, () => `${node.name}: ${covers}`);
  return element;
}
