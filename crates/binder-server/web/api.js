/** The server's API, with types. */

/**
 * @typedef {{ question: "is-a" | "join", concepts: [string, string] }} Example
 * @typedef {{ name: string, concepts: number, bits: number, direct: number, roots: number,
 *   first_roots: string[], example: string | null, examples: Example[], places: boolean, writes:
 *   boolean, notes: Record<string, string> }} Model
 * @typedef {{ bit: number, from: string[], owners: number, first_owners: string[] }} Bit
 * @typedef {{ concept: string, label: string | null, aliases: string[], synonyms: string[],
 *   definition: string | null, parents: string[], children_count: number, children: string[],
 *   hypernyms: number, hyponyms: number, information_content: number, code: string, bits: Bit[] }}
 *   About
 * @typedef {{ id: number, concept: string, label: string | null, called: string, definition: string
 *   | null, synonyms: string[], parents: string[], parent_ids: number[], path: string[], hyponyms:
 *   number }} Summary
 * @typedef {{ child: string, parent: string, is_a: boolean, chain: string[], shared: number[],
 *   missing: Bit[], lowest_common_hypernyms: string[] }} Why
 * @typedef {{ of: string[], bits: number[], named: string[], nearest_above: string[], count:
 *   number, most_general_below: string[], below: string[] }} Place
 * @typedef {{ name: string, text: string, role: "above" | "centre" | "below" | "fold", x: number,
 *   y: number, width: number, hyponyms: number, bits: number[], folded: string[] }} GraphNode
 * @typedef {{ width: number, height: number, nodes: GraphNode[], edges: { from: string, to: string,
 *   path: string }[], children: number, matching: number, left_out: number }} Drawing
 * @typedef {{ concept: string, found: string, typos: number, by: string }} Found
 * @typedef {{ text: string, concept: string, label: string | null, by: string, senses: number,
 *   others: string[] }} Taken
 * @typedef {{ name: string, parents: string[], children_count: number, children: string[], code:
 *   string, own: number[], appended_bits: number }} Preview
 * @typedef {{ concept: string, label: string | null, p: number }} PlaceOf
 * @typedef {{ name: string, places: PlaceOf[], parents: string[], safe: PlaceOf | null, same_as:
 *   PlaceOf | null, why: { genus: string | null, ending: string | null, mentioned: string[],
 *   neighbours: { concept: string, words: string[] }[] }, code: string | null }} Placed
 * @typedef {Record<string, string | number | boolean | string[] | undefined>} Parameters
 */

/** The model that questions go to; empty for the server's first. */
let model = "";

/** @param {string} name */
export function useModel(name) {
  model = name;
}

export function currentModel() {
  return model;
}

/** A failed request, with the server's message. */
export class Problem extends Error {
  /**
   * @param {string} detail
   * @param {number} status 0 if the server did not answer
   * @param {string[]} suggestions
   */
  constructor(detail, status, suggestions) {
    super(detail);
    this.status = status;
    this.suggestions = suggestions;
  }
}

/**
 * The path of a question.
 * @param {string} route
 * @param {Parameters} parameters
 */
export function path(route, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, model: model || undefined })) {
    if (value !== undefined) [value].flat().forEach((one) => query.append(name, String(one)));
  }
  return `/v1/${route}${query.size ? `?${query}` : ""}`;
}

/**
 * @param {string} to
 * @param {RequestInit} options
 */
async function ask(to, options) {
  const response = await fetch(to, options).catch((error) => {
    if (options.signal?.aborted) throw error;
    throw new Problem(
      "The server does not answer. It may have been stopped; start it again with binder serve.",
      0,
      [],
    );
  });
  if (response.ok) return response;
  const problem = await response
    .json()
    .catch(() => ({ detail: `${response.status} ${response.statusText}` }));
  throw new Problem(problem.detail, response.status, problem.suggestions ?? []);
}

/** @param {string} route @param {Parameters} parameters @param {AbortSignal} [signal] */
const get = async (route, parameters, signal) =>
  (await ask(path(route, parameters), { signal })).json();

/** @param {string} route @param {object} body @param {AbortSignal} [signal] */
const post = async (route, body, signal) =>
  (
    await ask(`/v1/${route}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...body, model: model || undefined }),
      signal,
    })
  ).json();

/** @param {AbortSignal} [signal] @returns {Promise<Model[]>} */
export const models = async (signal) => (await ask("/v1/models", { signal })).json();

/** @param {string} name @param {AbortSignal} signal @returns {Promise<About>} */
export const concept = (name, signal) => get("concept", { name, limit: 0 }, signal);

/**
 * @param {(string | number)[]} concepts
 * @param {AbortSignal} signal
 * @returns {Promise<{ concepts: (Summary | null)[] }>}
 */
export const summaries = (concepts, signal) => post("summaries", { concepts }, signal);

/** @param {string} text @param {AbortSignal} signal @returns {Promise<Taken>} */
export const find = (text, signal) => get("find", { text }, signal);

/** @param {Parameters} wish @param {AbortSignal} signal @returns {Promise<Drawing>} */
export const graph = (wish, signal) => get("graph", wish, signal);

/**
 * @param {string} child
 * @param {string} parent
 * @param {AbortSignal} signal
 * @returns {Promise<Why>}
 */
export const explain = (child, parent, signal) => get("explain", { child, parent }, signal);

/** @param {string[]} of @param {AbortSignal} signal @returns {Promise<Place>} */
export const meet = (of, signal) => get("meet", { of, limit: 50 }, signal);

/** @param {string[]} of @param {AbortSignal} signal @returns {Promise<Place>} */
export const join = (of, signal) => get("join", { of, limit: 50 }, signal);

/**
 * @param {string} text
 * @param {number} offset
 * @param {number} limit
 * @param {AbortSignal} signal
 * @returns {Promise<Place>}
 */
export const expression = (text, offset, limit, signal) =>
  get("expression", { text, offset, limit }, signal);

/**
 * @param {string} name
 * @param {string} by
 * @param {AbortSignal} signal
 * @returns {Promise<{ concepts: { concept: string, score: number }[] }>}
 */
export const nearest = (name, by, signal) => get("nearest", { name, by, count: 8 }, signal);

/** @param {string} text @param {AbortSignal} signal @returns {Promise<{ concepts: Found[] }>} */
export const search = (text, signal) => get("search", { text, count: 12 }, signal);

/**
 * @param {{ name: string, parents?: string[], expression?: string }} concept
 * @param {AbortSignal} signal
 * @returns {Promise<Preview>}
 */
export const preview = (concept, signal) => post("preview", concept, signal);

/**
 * Adds a concept to the model's file, where the server allows that.
 * @param {{ name: string, parents?: string[], expression?: string, definition?: string }} concept
 * @param {AbortSignal} signal
 * @returns {Promise<Preview>}
 */
export const add = (concept, signal) => post("concepts", concept, signal);

/**
 * @param {{ name: string, definition: string }} concept
 * @param {AbortSignal} signal
 * @returns {Promise<Placed>}
 */
export const place = (concept, signal) => post("place", concept, signal);

/** @returns {Promise<Uint32Array>} */
export const map = async () =>
  new Uint32Array(await (await ask(path("map", {}), {})).arrayBuffer());
