/**
 * What is shown is in the address, behind the #: a view, its concepts, and settings.
 *
 *     #/                                     the start
 *     #/concept/dog.n.01                     a concept; ?from=24&filter=… for its children, ?all=1 unfolded
 *     #/is-a/whale.n.02/fish.n.01            a question
 *     #/combine/piano.n.01/violin.n.01       what they have in common, and what is all of them
 *     #/combine?x=dog.n.01 & pup.n.01        an expression
 *     #/new?name=pho&parent=soup.n.01        a concept that is not there; ?x=… or ?definition=…
 *     #/map/dog.n.01?at=0,120.5,3            the map: from leaf to leaf, and the first level
 *
 * Each may end in &model=….
 */

/** @typedef {{ view: string, names: string[], settings: URLSearchParams }} Address */

const VIEWS = ["", "concept", "is-a", "combine", "new", "map"];

/**
 * Reads an address; null if there is no such view, or its text is damaged.
 * @param {string} hash
 * @returns {Address | null}
 */
export function parse(hash) {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  try {
    const [view = "", ...names] = path.split("/").map(decodeURIComponent);
    if (!VIEWS.includes(view)) return null;
    return {
      view,
      names: names.filter((name) => name !== ""),
      settings: new URLSearchParams(query),
    };
  } catch {
    return null;
  }
}

/** The model that addresses name; empty for the server's first. */
let model = "";

/** @param {string} name */
export function useModel(name) {
  model = name;
}

/**
 * Writes an address.
 * @param {string} view
 * @param {string[]} [names]
 * @param {Record<string, string | number | string[] | undefined>} [settings]
 */
export function address(view, names = [], settings = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...settings, model })) {
    for (const one of [value ?? ""].flat()) if (one) query.append(name, String(one));
  }
  const path = [view, ...names].map(encodeURIComponent).join("/");
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

/** @param {string} name */
export const conceptAddress = (name) => address("concept", [name]);

/** Goes to an address. @param {string} to */
export function go(to) {
  if (location.hash === to) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = to;
}

/** Changes the address of what is shown already: nothing is drawn again. @param {string} to */
export function rewrite(to) {
  if (location.hash !== to) history.replaceState(history.state, "", to);
}

/** The whole address of a view, to be sent to others. @param {string} [to] */
export const whole = (to = location.hash) => `${location.origin}${location.pathname}${to}`;
