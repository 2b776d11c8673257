/** The server's API, with types. */

/**
 * @typedef {{ name: string, concepts: number, bits: number, direct: number, roots: number, first_roots: string[], example: string | null, notes: Record<string, string> }} Model
 * @typedef {{ bit: number, from: string[], owners: number, first_owners: string[] }} Bit
 * @typedef {{ concept: string, label: string | null, aliases: string[], parents: string[], children_count: number, children: string[], hypernyms: number, hyponyms: number, information_content: number, code: string, bits: Bit[] }} About
 * @typedef {{ child: string, parent: string, is_a: boolean, chain: string[], shared: number[], missing: Bit[], lowest_common_hypernyms: string[] }} Why
 * @typedef {{ of: string[], bits: number[], named: string[], nearest_above: string[], count: number, most_general_below: string[], below: string[] }} Place
 * @typedef {{ name: string, text: string, role: "above" | "centre" | "below", x: number, y: number, width: number, hyponyms: number }} GraphNode
 * @typedef {{ width: number, height: number, nodes: GraphNode[], edges: { from: string, to: string, path: string }[], left_out: number }} Drawing
 * @typedef {{ concept: string, found: string, typos: number }} Found
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
   * @param {string[]} suggestions
   */
  constructor(detail, suggestions) {
    super(detail);
    this.suggestions = suggestions;
  }
}

/**
 * @param {string} path
 * @param {Record<string, string | number | string[] | undefined>} parameters
 * @param {AbortSignal} [signal]
 */
async function get(path, parameters, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, model: model || undefined })) {
    if (Array.isArray(value)) value.forEach((one) => query.append(name, one));
    else if (value !== undefined) query.append(name, String(value));
  }
  const response = await fetch(`/v1/${path}?${query}`, { signal });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({ detail: `${response.status} ${response.statusText}` }));
  throw new Problem(problem.detail, problem.suggestions ?? []);
}

/** @returns {Promise<Model[]>} */
export const models = async () => (await get("models", {})).json();

/** @param {string} name @returns {Promise<About>} */
export const concept = async (name) => (await get("concept", { name, limit: 0 })).json();

/** @param {string} name @param {number} width @param {number} children @returns {Promise<Drawing>} */
export const graph = async (name, width, children) => (await get("graph", { name, width: Math.round(width), children })).json();

/** @param {string} child @param {string} parent @returns {Promise<Why>} */
export const explain = async (child, parent) => (await get("explain", { child, parent })).json();

/** @param {string[]} of @returns {Promise<Place>} */
export const meet = async (of) => (await get("meet", { of, limit: 50 })).json();

/** @param {string[]} of @returns {Promise<Place>} */
export const join = async (of) => (await get("join", { of, limit: 50 })).json();

/** @param {string} name @param {string} by @returns {Promise<{ concepts: { concept: string, score: number }[] }>} */
export const nearest = async (name, by) => (await get("nearest", { name, by, count: 8 })).json();

/** @param {string} text @param {AbortSignal} signal @returns {Promise<{ concepts: Found[] }>} */
export const search = async (text, signal) => (await get("search", { text, count: 12 }, signal)).json();

/** @returns {Promise<Uint32Array>} */
export const map = async () => new Uint32Array(await (await get("map", {})).arrayBuffer());

/** @returns {Promise<string[]>} */
export const names = async () => (await get("names", {})).json();
