/** Drawings as files: SVG, and PNG made of it. */

import { announce, h } from "./dom.js";
import { called } from "./summaries.js";

/**
 * Hands a file to the reader.
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const link = h("a", {
    href: URL.createObjectURL(blob),
    download: name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-"),
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(/** @type {HTMLAnchorElement} */ (link).href), 10_000);
  announce(`${name} saved`);
}

/**
 * Buttons that save a picture.
 * @param {string} title
 * @param {() => SVGElement} picture the drawing, complete in itself
 */
export function saveButtons(title, picture) {
  const svg = () => new Blob([text(picture())], { type: "image/svg+xml" });
  const button = (/** @type {string} */ kind, /** @type {() => Promise<Blob>} */ make) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        title: `Save as ${kind}`,
        "aria-label": `Save as ${kind}: ${title}`,
        onclick: async () => download(`${title}.${kind.toLowerCase()}`, await make()),
      },
      kind,
    );
  return h(
    "span",
    { class: "save" },
    button("SVG", async () => svg()),
    button("PNG", () => png(picture())),
  );
}

/** @param {SVGElement} picture */
const text = (picture) => new XMLSerializer().serializeToString(picture);

/**
 * Paints an SVG drawing, twice as large.
 * @param {SVGElement} picture
 * @returns {Promise<Blob>}
 */
async function png(picture) {
  const [width, height] = ["width", "height"].map((name) => Number(picture.getAttribute(name)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text(picture))}`;
  await image.decode();
  const scale = Math.min(2, 16_000 / Math.max(width ?? 1, height ?? 1));
  const canvas = /** @type {HTMLCanvasElement} */ (
    h("canvas", {
      width: Math.ceil((width ?? 1) * scale),
      height: Math.ceil((height ?? 1) * scale),
    })
  );
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(scale, scale);
  pen.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))),
      "image/png",
    ),
  );
}

/** The properties that make up the look of a drawing. */
const LOOK = [
  "fill",
  "stroke",
  "stroke-width",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "opacity",
  "stroke-dasharray",
];

/**
 * A copy of a drawing that carries its looks with it, on the colour of the page.
 * @param {SVGElement} drawing
 */
export function complete(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const [theirs, ours] = [drawing.querySelectorAll("*"), copy.querySelectorAll("*")];
  ours.forEach((element, at) => {
    const style = getComputedStyle(/** @type {Element} */ (theirs[at]));
    for (const name of LOOK) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "href", "draggable", "tabindex"]) element.removeAttribute(name);
  });
  const [, , width, height] = (drawing.getAttribute("viewBox") ?? "0 0 1 1").split(" ");
  for (const [name, value] of Object.entries({ xmlns: SVG, width, height }))
    copy.setAttribute(name, value ?? "1");
  copy.removeAttribute("style");
  copy.prepend(box(0, 0, Number(width), Number(height), background()));
  return copy;
}

const SVG = "http://www.w3.org/2000/svg";

/** The colour behind drawings in the theme of now. */
const background = () =>
  getComputedStyle(document.querySelector(".card") ?? document.body).backgroundColor;

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [content]
 */
function node(tag, attributes, content) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (content !== undefined) element.textContent = content;
  return element;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} fill
 */
export const box = (x, y, width, height, fill) => node("rect", { x, y, width, height, fill });

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {string} fill
 * @param {number} [size]
 */
export const words = (x, y, content, fill, size = 13) =>
  node(
    "text",
    {
      x,
      y,
      fill,
      "font-size": size,
      "font-family": "system-ui, sans-serif",
      "dominant-baseline": "central",
    },
    content,
  );

/**
 * An empty drawing of a size, on the colour of the page.
 * @param {number} width
 * @param {number} height
 */
export function sheet(width, height) {
  const svg = node("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  svg.append(box(0, 0, width, height, background()));
  return svg;
}

/**
 * A concept's code as a drawing.
 * @param {import("./api.js").About} about
 * @param {import("./bits.js").Group[]} groups
 */
export function bitsPicture(about, groups) {
  const [size, across] = [20, 32];
  const rows = Math.ceil(about.code.length / across);
  const colours = getComputedStyle(
    document.querySelector(".bit.on.own") ?? document.body,
  ).backgroundColor;
  const inherited = getComputedStyle(
    document.querySelector(".bit.on:not(.own)") ?? document.body,
  ).backgroundColor;
  const ink = getComputedStyle(document.body).color;
  const own = new Set(groups.filter((group) => group.own).flatMap((group) => group.bits));
  const svg = sheet(across * size + 24, rows * size + 56);
  svg.append(words(12, 20, called(about.concept), ink, 15));
  [...about.code].forEach((digit, at) => {
    const fill = digit === "0" ? "none" : own.has(at) ? colours : inherited;
    svg.append(
      node("circle", {
        cx: 22 + (at % across) * size,
        cy: 48 + Math.floor(at / across) * size,
        r: 7,
        fill,
        stroke: digit === "0" ? "#8a959b" : fill,
      }),
    );
  });
  return svg;
}
