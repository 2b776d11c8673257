/** Small helpers to make elements. Text is always set as text, so names can hold anything. */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. Attributes beginning with `on` are listeners; `null`, `undefined` and `false`
 * are left out.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (fill(document.createElement(tag), attributes, children));
}

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children)
  );
}

/**
 * @param {Element} element
 * @param {Record<string, unknown>} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, ...children);
  return element;
}

/**
 * Appends children.
 * @param {Element} element
 * @param {...Child} children
 */
export function put(element, ...children) {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child);
}

/**
 * Shows children instead of what is there.
 * @param {Element} element
 * @param {...Child} children
 */
export function show(element, ...children) {
  element.replaceChildren();
  put(element, ...children);
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
 * Announces a text to screen readers.
 * @param {string} text
 */
export function announce(text) {
  byId("live").textContent = text;
}

/** 82,114 for 82114. @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en");
}

/**
 * "1 bit", "2 bits".
 * @param {number} number
 * @param {string} thing
 * @param {string} [things]
 */
export function counted(number, thing, things = `${thing}s`) {
  return `${grouped(number)} ${number === 1 ? thing : things}`;
}

/** Grey lines where text will be, as high as the text. @param {number} lines */
export function skeleton(lines) {
  return h(
    "div",
    { class: "skeleton", "aria-hidden": "true" },
    ...Array.from({ length: lines }, (_, at) =>
      h("span", { style: `width:${[92, 78, 85, 60][at % 4]}%` }),
    ),
  );
}

/**
 * Gives signals of which only the last one lives: each new one ends the one before, and all end
 * with `outer`.
 * @param {AbortSignal} outer
 */
export function latest(outer) {
  let running = new AbortController();
  return () => {
    running.abort();
    running = new AbortController();
    return AbortSignal.any([outer, running.signal]);
  };
}

/** Lets the browser paint and listen before the work goes on. */
export const pause = () =>
  new Promise((done) => {
    setTimeout(done);
  });

/**
 * A button that copies a text.
 * @param {string} text what the button says
 * @param {() => string} content
 */
export function copyButton(text, content) {
  const button = h("button", { type: "button", class: "copy" }, text);
  button.addEventListener("click", async () => {
    const copied = await navigator.clipboard.writeText(content()).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? "Copied" : "Not allowed to copy";
    announce(copied ? "Copied" : "The browser does not allow copying");
    setTimeout(() => {
      button.textContent = text;
    }, 1500);
  });
  return button;
}

/**
 * A line for a terminal, with a button that copies it.
 * @param {string} path the question, as a path of the server
 */
export function curlLine(path) {
  const line = `curl '${location.origin}${path.replaceAll("'", "%27")}'`;
  return h(
    "div",
    { class: "curl" },
    h("code", { tabindex: "0" }, line),
    copyButton("Copy", () => line),
  );
}

/**
 * Shows a tip beside an element while the pointer or the focus is on it.
 * @param {Element} element
 * @param {() => (Node | string)} content
 * @param {number} [delay] in milliseconds, for what is often passed over
 */
export function tip(element, content, delay = 0) {
  const box = byId("tip");
  let waiting = 0;
  const open = () => {
    if (!element.isConnected) return;
    box.replaceChildren(content());
    box.hidden = false;
    const place = element.getBoundingClientRect();
    const left = Math.min(
      Math.max(8, place.left + place.width / 2 - box.offsetWidth / 2),
      innerWidth - box.offsetWidth - 8,
    );
    const above = place.top - box.offsetHeight - 8;
    box.style.left = `${left}px`;
    box.style.top = `${above > 8 ? above : place.bottom + 8}px`;
  };
  const close = () => {
    clearTimeout(waiting);
    box.hidden = true;
  };
  element.addEventListener("pointerenter", () => {
    waiting = setTimeout(open, delay);
  });
  element.addEventListener("pointerleave", close);
  element.addEventListener("focus", open);
  element.addEventListener("blur", close);
}
