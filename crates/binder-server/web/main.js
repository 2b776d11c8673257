/** Shows the view that the address names. */

import * as api from "./api.js";
import * as addresses from "./address.js";
import { combineForms, combineView } from "./combine.js";
import { combobox } from "./combobox.js";
import { conceptView } from "./concept.js";
import { byId, h, show } from "./dom.js";
import { freshForm, freshView } from "./fresh.js";
import { isaForm, isaView } from "./isa.js";
import { mapView } from "./map.js";
import { claim, startView } from "./start.js";
import { errorBox } from "./summaries.js";

/** @type {api.Model[]} */
let models = [];
let running = new AbortController();

const searches = ["search-input", "start-input"].map(
  (id) => /** @type {HTMLInputElement} */ (byId(id)),
);
for (const search of searches)
  combobox(search, (name) => {
    search.value = "";
    search.blur();
    addresses.go(addresses.conceptAddress(name));
  });
const fillIsa = isaForm(byId("isa"));
const fillCombine = combineForms(byId("combine"), byId("lab"));
const fillFresh = freshForm(byId("fresh"));

/**
 * How far each page of the history was scrolled. A page that was there before gets back to where it
 * was, also when it is loaded anew; a new one begins at the top.
 * @type {Map<number, number>}
 */
const scrolled = new Map(JSON.parse(sessionStorage.getItem("scrolled") ?? "[]"));
addEventListener("pagehide", () =>
  sessionStorage.setItem("scrolled", JSON.stringify([...scrolled])),
);
history.scrollRestoration = "manual";
let pages = Date.now();
addEventListener("scroll", () => scrolled.set(history.state?.page ?? 0, scrollY), {
  passive: true,
});

/** What is on the page, without what is set on it. */
let shown = "";

/**
 * Where a page of the history is to be scrolled to; null if it stays where it is.
 * @param {addresses.Address} here
 */
function scrollTarget(here) {
  const before = scrolled.get(history.state?.page ?? 0);
  const what = JSON.stringify([here.view, here.names]);
  const isOther = what !== shown;
  shown = what;
  if (history.state?.page) return before ?? 0;
  history.replaceState({ page: ++pages }, "");
  return isOther ? 0 : null;
}

/** Shows what the address names, and stops whatever was under way for the one before. */
async function route() {
  running.abort();
  const { signal } = (running = new AbortController());
  byId("tip").hidden = true;
  const here = addresses.parse(location.hash);
  const model = here && chooseModel(here.settings.get("model") ?? "");
  if (!here || !model) return lost();
  const name = here.view || "start";
  const target = scrollTarget(here);
  reveal(name);
  if (target !== null) scrollTo(0, target);
  document.title = "Binder";
  const views = {
    start: () => startView(model, signal),
    concept: () => conceptView(here, signal),
    "is-a": () => isaView(here, signal, fillIsa),
    combine: () => combineView(here, signal, fillCombine),
    new: () => freshView(here, signal, fillFresh, model),
    map: () => mapView(here, signal),
  };
  await views[/** @type {keyof typeof views} */ (name)]();
  // A page that was scrolled far down is long enough only now.
  if (target && !signal.aborted) scrollTo(0, target);
}

/** Shows one view and marks its link. @param {string} name */
function reveal(name) {
  for (const view of document.querySelectorAll(".view"))
    /** @type {HTMLElement} */ (view).hidden = view.id !== `view-${name}`;
  document.documentElement.toggleAttribute("data-start", name === "start");
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll("nav a[data-view]")
  )) {
    link.href = addresses.address(link.dataset.view ?? "");
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  /** @type {HTMLAnchorElement} */ (byId("brand")).href = addresses.address("");
}

/** An address that leads nowhere. */
function lost() {
  reveal("lost");
  const unknown = addresses.parse(location.hash)?.settings.get("model");
  document.title = "Not found · Binder";
  show(
    byId("lost"),
    h("h1", {}, "This link leads nowhere"),
    h(
      "p",
      {},
      unknown && models.length
        ? `No model here is called “${unknown}”. `
        : "Perhaps a part of it was lost on the way. ",
    ),
    h("p", {}, "You can ", h("a", { href: "#/" }, "start afresh"), ", or search above."),
    models.length > 1 &&
      h(
        "p",
        {},
        "Models: ",
        ...models.flatMap((model, at) => [
          at ? ", " : "",
          h("a", { href: `#/?model=${encodeURIComponent(model.name)}` }, model.name),
        ]),
      ),
  );
}

/** Turns to a model; undefined if there is none of that name. @param {string} name */
function chooseModel(name) {
  const model = name ? models.find((one) => one.name === name) : models[0];
  if (!model) return undefined;
  const asked = model === models[0] ? "" : model.name;
  api.useModel(asked);
  addresses.useModel(models.length > 1 ? model.name : "");
  /** @type {HTMLSelectElement} */ (byId("model")).value = model.name;
  byId("footer").textContent = `${model.name}: ${claim(model)}`;
  return model;
}

function offerModels() {
  const select = /** @type {HTMLSelectElement} */ (byId("model"));
  show(select, ...models.map((model) => h("option", { value: model.name }, model.name)));
  select.hidden = models.length < 2;
  select.addEventListener("change", () =>
    addresses.go(`#/?model=${encodeURIComponent(select.value)}`),
  );
}

function theme() {
  const root = document.documentElement;
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    dispatchEvent(new Event("themechange"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
    dispatchEvent(new Event("themechange")),
  );
}

async function begin() {
  try {
    models = await api.models();
    offerModels();
    addEventListener("hashchange", route);
    await route();
  } catch (error) {
    reveal("lost");
    show(byId("lost"), h("h1", {}, "Binder"), errorBox(error, begin));
  }
}

addEventListener("keydown", (event) => {
  const typing =
    event.target instanceof HTMLInputElement ||
    event.target instanceof HTMLSelectElement ||
    event.target instanceof HTMLTextAreaElement;
  if (event.key !== "/" || typing) return;
  event.preventDefault();
  const search = searches.find((one) => one.checkVisibility({ visibilityProperty: true }));
  search?.focus();
  search?.select();
});

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
theme();
await begin();
