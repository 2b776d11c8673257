/** Shows the view that the address names. */

import * as api from "./api.js";
import { combinePanel } from "./combine.js";
import { combobox } from "./combobox.js";
import { showConcept } from "./concept.js";
import { announce, byId, conceptAddress, conceptLink, errorBox, grouped, h } from "./dom.js";
import { drawGraph } from "./graph.js";
import { isaPanel } from "./isa.js";
import { showMap } from "./map.js";

/** @type {api.Model[]} */
let models = [];
let shown = "";

const search = /** @type {HTMLInputElement} */ (byId("search-input"));
const setChild = isaPanel(byId("isa"));
const combine = combinePanel(byId("combine"));

combobox(search, (name) => { location.hash = conceptAddress(name); search.select(); });

/** The place and the rest of a concept, once it is known what it is called. @param {string} name */
async function open(name) {
  const about = await showConcept(byId("concept"), name, combine.add);
  document.title = about ? `${about.concept} · Binder` : "Binder";
  if (!about) return byId("graph").replaceChildren();
  shown = about.concept;
  setChild(about.concept);
  announce(`${about.concept}, ${about.label ?? ""}, ${about.hyponyms} below`);
  await Promise.all([drawGraph(byId("graph"), about.concept), alike(about.concept, "lin")]);
}

/**
 * Shows the most similar concepts.
 * @param {string} name
 * @param {string} by
 */
async function alike(name, by) {
  const measures = ["lin", "wu-palmer", "path", "jaccard", "hamming"];
  const choice = h("select", { "aria-label": "Measure", style: "width:auto", onchange: (/** @type {Event} */ event) => alike(name, /** @type {HTMLSelectElement} */ (event.target).value) },
    ...measures.map((measure) => h("option", { value: measure, selected: measure === by }, measure)));
  const head = h("div", { class: "head", style: "justify-content:space-between;align-items:center" }, h("h2", { id: "alike-title" }, "Most similar"), choice);
  try {
    const { concepts } = await api.nearest(name, by);
    const row = (/** @type {{ concept: string, score: number }} */ one) => h("li", {}, conceptLink(one.concept), h("span", {}, by === "hamming" ? String(one.score) : one.score.toFixed(3)));
    byId("alike").replaceChildren(head, h("ul", { class: "results" }, ...concepts.map(row)));
  } catch (error) {
    byId("alike").replaceChildren(head, errorBox(error));
  }
}

/** Shows what the address names. */
async function route() {
  const [, view = "", rest = ""] = location.hash.match(/^#\/([^/]*)\/?(.*)$/) ?? [];
  const isMap = view === "map";
  byId("view-map").hidden = !isMap;
  byId("view-concept").hidden = isMap;
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    if (/** @type {HTMLElement} */ (link).dataset.view === (isMap ? "map" : "concept")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (isMap) return showMap(byId("view-map"), rest ? decodeURIComponent(rest) : "");
  const name = view === "concept" && rest ? decodeURIComponent(rest) : current()?.example ?? current()?.first_roots[0];
  if (name) await open(name);
  else byId("concept").replaceChildren(h("p", { class: "hint" }, "The model has no concepts."));
}

const current = () => models.find((model) => model.name === api.currentModel()) ?? models[0];

function chooseModels() {
  const select = /** @type {HTMLSelectElement} */ (byId("model"));
  select.replaceChildren(...models.map((model) => h("option", { value: model.name }, model.name)));
  select.hidden = models.length < 2;
  select.addEventListener("change", () => {
    api.useModel(select.value);
    combine.clear();
    foot();
    if (location.hash === "#/") route(); else location.hash = "#/";
  });
}

function foot() {
  const model = current();
  if (!model) return;
  const exact = model.notes.errors === "0" ? "; every pair was checked, none is wrong" : "";
  byId("footer").textContent = `${model.name}: ${grouped(model.concepts)} concepts in ${model.bits} bits each${exact}`;
}

function theme() {
  const root = document.documentElement;
  const kept = localStorage.getItem("theme");
  if (kept) root.dataset.theme = kept;
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    dispatchEvent(new Event("resize"));
    if (!byId("view-map").hidden) route();
  });
}

addEventListener("hashchange", () => { byId("tip").hidden = true; route(); });
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === "/" && !typing) {
    event.preventDefault();
    search.focus();
    search.select();
  }
});
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width || !shown || byId("view-concept").hidden) return;
  width = innerWidth;
  drawGraph(byId("graph"), shown);
});

theme();
try {
  models = await api.models();
  chooseModels();
  foot();
  await route();
} catch (error) {
  byId("concept").replaceChildren(errorBox(error));
}
