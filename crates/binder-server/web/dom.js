/** Small helpers to make elements. Text is always set as text, so names can hold anything. */

/**
 * Makes an element. Attributes beginning with `on` are listeners; `null`, `undefined` and `false` are left out.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), attributes, children));
}

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children));
}

/**
 * @param {Element} element
 * @param {Record<string, unknown>} attributes
 * @param {(Node | string | null | undefined | false)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => /** @type {Node | string} */ (child)));
  return element;
}

/**
 * The element of an id, which must exist.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * A link to a concept, which can be dragged to the panel Combine.
 * @param {string} name
 * @param {string} [text]
 */
export function conceptLink(name, text = name) {
  return h("a", { class: "concept", href: conceptAddress(name), draggable: "true", ondragstart: (/** @type {DragEvent} */ event) => carry(event, name) }, text);
}

/** @param {string} name */
export function conceptAddress(name) {
  return `#/concept/${encodeURIComponent(name)}`;
}

/**
 * Puts a concept's name on a drag.
 * @param {DragEvent} event
 * @param {string} name
 */
export function carry(event, name) {
  event.dataTransfer?.setData("text/plain", name);
}

/**
 * Announces a text to screen readers.
 * @param {string} text
 */
export function announce(text) {
  byId("live").textContent = text;
}

/**
 * What went wrong, to be shown.
 * @param {unknown} error
 */
export function errorBox(error) {
  return h("p", { class: "error", role: "alert" }, error instanceof Error ? error.message : String(error));
}

/** 82,114 for 82114. @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en");
}

/**
 * Shows a tip beside an element while the pointer or the focus is on it.
 * @param {Element} element
 * @param {() => (Node | string)} content
 */
export function tip(element, content) {
  const box = byId("tip");
  const show = () => {
    box.replaceChildren(content());
    box.hidden = false;
    const place = element.getBoundingClientRect();
    const left = Math.min(Math.max(8, place.left + place.width / 2 - box.offsetWidth / 2), innerWidth - box.offsetWidth - 8);
    const above = place.top - box.offsetHeight - 8;
    box.style.left = `${left}px`;
    box.style.top = `${above > 8 ? above : place.bottom + 8}px`;
  };
  const hide = () => { box.hidden = true; };
  element.addEventListener("pointerenter", show);
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focus", show);
  element.addEventListener("blur", hide);
}
