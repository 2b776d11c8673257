/** The API, as its OpenAPI document describes it. */

import { byId, h } from "./dom.js";
import { errorBox } from "./summaries.js";

/**
 * @typedef {{ name: string, required?: boolean, description?: string, schema?: { type?: string |
 *   string[], minimum?: number, maximum?: number } }} Parameter
 * @typedef {{ tags?: string[], summary?: string, description?: string, parameters?: Parameter[],
 *   requestBody?: unknown, responses: Record<string, { description: string }> }} Operation
 * @typedef {{ info: { title: string, description: string, version: string }, paths: Record<string,
 *   Record<string, Operation>> }} Document
 */

/** @param {Parameter} parameter */
function row(parameter) {
  const kinds = [parameter.schema?.type ?? "string"]
    .flat()
    .filter((kind) => kind !== "null")
    .join(" or ");
  return h(
    "tr",
    {},
    h("td", {}, h("code", {}, parameter.name), parameter.required ? " *" : ""),
    h("td", {}, kinds),
    h("td", {}, parameter.description ?? ""),
  );
}

/**
 * @param {string} path
 * @param {string} verb
 * @param {Operation} operation
 */
function entry(path, verb, operation) {
  const parameters = operation.parameters ?? [];
  const answers = Object.entries(operation.responses).map(([status, { description }]) =>
    h("tr", {}, h("td", {}, h("code", {}, status)), h("td", {}, description)),
  );
  return h(
    "details",
    {},
    h(
      "summary",
      {},
      h("code", { class: "verb" }, verb.toUpperCase()),
      h("code", {}, path),
      " ",
      operation.summary ?? "",
    ),
    h(
      "div",
      { class: "inner" },
      operation.description && h("p", {}, operation.description),
      parameters.length > 0 &&
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h("tr", {}, h("th", {}, "Parameter"), h("th", {}, "Type"), h("th", {}, "Meaning")),
          ),
          h("tbody", {}, ...parameters.map(row)),
        ),
      Boolean(operation.requestBody) &&
        h("pre", { tabindex: "0" }, '{"pairs": [["child", "parent"], …], "model": "…"}'),
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", {}, "Status"), h("th", {}, "Answer"))),
        h("tbody", {}, ...answers),
      ),
    ),
  );
}

/** @param {Document} document */
function page(document) {
  /** @type {Map<string, HTMLElement[]>} */
  const groups = new Map();
  for (const [path, verbs] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(verbs)) {
      const tag = operation.tags?.[0] ?? "other";
      groups.set(tag, [...(groups.get(tag) ?? []), entry(path, verb, operation)]);
    }
  }
  const example = `curl '${location.origin}/v1/is-a?child=dog.n.01&parent=animal.n.01'`;
  return [
    h("h1", {}, `${document.info.title} ${document.info.version}`),
    h("p", {}, document.info.description),
    h("pre", { tabindex: "0" }, example),
    h(
      "p",
      {},
      h("a", { href: "/v1/openapi.json" }, "The OpenAPI document"),
      " describes it in machine-readable form.",
    ),
    ...[...groups].flatMap(([tag, entries]) => [h("h2", {}, tag), ...entries]),
  ];
}

try {
  const response = await fetch("/v1/openapi.json");
  byId("main").replaceChildren(...page(await response.json()));
} catch (error) {
  byId("main").replaceChildren(errorBox(error));
}
