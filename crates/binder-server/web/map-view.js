/** What part of the map is seen, what is chosen on it, and how it is moved. */

import * as api from "./api.js";
import { address, conceptAddress, go, rewrite, whole } from "./address.js";
import { combobox } from "./combobox.js";
import { announce, byId, copyButton, grouped, h, latest, show } from "./dom.js";
import { Drawing } from "./map-draw.js";
import { Input } from "./map-input.js";
import { Painter } from "./map-paint.js";
import { saveButtons } from "./save.js";
import { called, conceptLink, learn, summary } from "./summaries.js";

/** @typedef {import("./map-cells.js").Cells} Cells */

/** The least and the greatest height of a level. */
const [LOW, HIGH] = [22, 84];

export class View {
  /**
   * @param {Cells} cells
   * @param {HTMLElement} place
   */
  constructor(cells, place) {
    this.cells = cells;
    this.painter = new Painter(cells);
    this.canvas = /** @type {HTMLCanvasElement} */ (
      h("canvas", {
        tabindex: "0",
        role: "application",
        "aria-label":
          "Map of the hierarchy: arrow keys move, Enter zooms in, Escape zooms out, plus and minus zoom, O opens the concept",
      })
    );
    this.small = /** @type {HTMLCanvasElement} */ (h("canvas", { "aria-hidden": "true" }));
    this.crumbs = h("div", { class: "crumbs", role: "navigation", "aria-label": "Where you are" });
    this.about = h("p", { class: "about-cell" });
    /** What is seen: from leaf to leaf, the level of the first row, and the height of a row. */
    this.from = 0;
    this.to = Math.max(1, cells.leaves);
    this.top = 0;
    this.row = HIGH;
    this.chosen = -1;
    this.hovered = -1;
    this.pending = 0;
    this.gliding = {};
    /** @type {Set<number>} the cells that a search lights up */
    this.lit = new Set();
    /** @type {import("./map-paint.js").Run[]} */
    this.runs = [];
    this.signal = new AbortController().signal;
    /** The name in the address, if nothing has it. */
    this.unknown = "";
    this.drawing = new Drawing(this);
    this.build(place);
    new Input(this);
  }

  /** @param {HTMLElement} place */
  build(place) {
    const button = (
      /** @type {string} */ text,
      /** @type {string} */ label,
      /** @type {() => void} */ act,
    ) => h("button", { type: "button", "aria-label": label, onclick: act }, text);
    const search = /** @type {HTMLInputElement} */ (
      h("input", {
        id: "map-search",
        type: "search",
        placeholder: "Find on the map",
        autocomplete: "off",
        spellcheck: "false",
        dir: "auto",
      })
    );
    const finder = h(
      "div",
      { class: "combobox map-search" },
      h("label", { class: "hidden", for: "map-search" }, "Find on the map"),
      search,
    );
    combobox(search, (name) => this.goTo(name));
    const next = latest(new AbortController().signal);
    search.addEventListener("input", () => this.lightUp(search.value.trim(), next()));
    const hint = `${grouped(this.cells.count)} concepts, each as wide as the leaves below it. Click to zoom in, double-click to open.`;
    this.zoomers = h(
      "div",
      { class: "zoomers" },
      button("+", "Zoom in", () => this.zoomBy(0.6)),
      button("−", "Zoom out", () => this.zoomBy(1 / 0.6)),
      button("⤢", "Show everything", () => this.zoomTo(-1)),
    );
    this.minimap = h("div", { class: "minimap" }, this.small);
    show(
      place,
      h(
        "div",
        { class: "head" },
        h("h1", {}, "Map"),
        h("p", { class: "hint", id: "map-hint" }, hint),
        h(
          "span",
          { class: "tools" },
          finder,
          saveButtons("map", () => this.drawing.picture()),
          copyButton("Copy link", () => whole(this.address())),
        ),
      ),
      this.crumbs,
      h("div", { class: "stage" }, this.canvas, this.minimap, this.zoomers),
      this.about,
    );
    new ResizeObserver(() => {
      this.drawing.overview = null;
      this.show();
    }).observe(this.canvas);
    addEventListener("themechange", () => {
      this.drawing.overview = null;
      this.show();
    });
  }

  /** @param {number} cell */
  async open(cell) {
    if (cell < 0) return;
    const id = this.cells.concept[cell] ?? 0;
    await learn([id], this.signal);
    const name = summary(id)?.concept;
    if (name) go(conceptAddress(name));
  }

  /** @param {string} name */
  async goTo(name) {
    await learn([name], this.signal);
    const id = summary(name)?.id;
    if (id !== undefined) this.zoomTo(this.cells.cell[id] ?? -1);
  }

  /** Lights up what a search finds. @param {string} text @param {AbortSignal} signal */
  async lightUp(text, signal) {
    this.lit = new Set();
    try {
      if (text) {
        const names = (await api.search(text, signal)).concepts.map((hit) => hit.concept);
        await learn(names, signal);
        this.lit = new Set(names.map((name) => this.cells.cell[summary(name)?.id ?? -1] ?? -1));
      }
    } catch {
      // The list below the field says why.
    }
    this.show();
  }

  /** Marks a cell and brings it into sight. @param {number} cell */
  choose(cell) {
    this.chosen = cell;
    const [start, end] = [this.cells.start[cell] ?? 0, this.cells.end[cell] ?? 0];
    const width = Math.max(this.to - this.from, end - start);
    const from = start < this.from || end > this.to ? (start + end - width) / 2 : this.from;
    const level = this.cells.level(cell);
    const rows = this.canvas.clientHeight / this.row;
    const top =
      level < this.top ? level : level > this.top + rows - 2 ? level - rows + 2 : this.top;
    this.see(from, from + width, top);
    this.tell();
    this.settle();
  }

  /** What is shown of a cell: its label and how wide it is. @param {number} cell */
  described(cell) {
    const about = summary(this.cells.concept[cell] ?? -1);
    const leaves = (this.cells.end[cell] ?? 0) - (this.cells.start[cell] ?? 0);
    return `${about?.called ?? "…"}, ${grouped(leaves)} ${leaves === 1 ? "leaf" : "leaves"}`;
  }

  /** Says where the reader is: the way down, and what the chosen concept means. */
  async tell() {
    const { cells, crumbs } = this;
    const way = [];
    for (let cell = this.chosen; cell >= 0; cell = cells.parent(cell)) way.unshift(cell);
    const { chosen } = this;
    await learn(
      way.map((cell) => cells.concept[cell] ?? 0),
      this.signal,
    ).catch(() => {});
    if (chosen !== this.chosen) return;
    const label = (/** @type {number} */ cell) => summary(cells.concept[cell] ?? -1)?.called ?? "…";
    show(
      crumbs,
      h("button", { type: "button", onclick: () => this.zoomTo(-1) }, "everything"),
      ...way.map((cell) =>
        h(
          "button",
          { type: "button", onclick: () => this.zoomTo(cell) },
          h("bdi", {}, label(cell)),
        ),
      ),
    );
    const about = summary(cells.concept[chosen] ?? -1);
    if (!about) {
      const { unknown } = this;
      show(this.about, unknown && `Nothing here is called “${unknown}”; this is the whole map.`);
    } else {
      const others = about.parents.filter(
        (_, at) => cells.cell[about.parent_ids[at] ?? -1] !== cells.parent(chosen),
      );
      await learn(others, this.signal).catch(() => {});
      if (chosen !== this.chosen) return;
      show(
        this.about,
        conceptLink(about.concept, { id: true }),
        others.length > 0 &&
          h(
            "span",
            { class: "others" },
            "also a kind of ",
            ...others.flatMap((name, at) => [
              at ? ", " : "",
              h(
                "button",
                { type: "button", class: "link", onclick: () => this.goTo(name) },
                called(name),
              ),
            ]),
          ),
        h("span", { class: "text", dir: "auto" }, about.definition ?? ""),
      );
    }
    announce(chosen < 0 ? "The whole map" : this.described(chosen));
    this.show();
  }

  /**
   * Lets a cell fill the width, its parent above it; -1 is everything. Becomes a step in the
   * history.
   * @param {number} cell
   */
  zoomTo(cell) {
    this.chosen = cell;
    this.unknown = "";
    const [from, to, top] = this.around(cell);
    this.tell();
    this.glide(from, to, top);
    const id = this.cells.concept[cell];
    const push = () => {
      const to = this.address();
      if (this.chosen === cell && location.hash !== to) history.pushState(null, "", to);
    };
    if (id === undefined) push();
    else learn([id], this.signal).then(push, () => {});
  }

  /**
   * The window in which a cell fills the width.
   * @param {number} cell
   * @returns {[number, number, number]}
   */
  around(cell) {
    if (cell < 0) return [0, Math.max(1, this.cells.leaves), 0];
    const [from, to] = [this.cells.start[cell] ?? 0, this.cells.end[cell] ?? 0];
    const margin = (to - from) * 0.04;
    return [from - margin, to + margin, Math.max(0, this.cells.level(cell) - 1)];
  }

  /** The address of what is seen: a concept alone where the map is as a click on it leaves it. */
  address() {
    const about = summary(this.cells.concept[this.chosen] ?? -1);
    const [from, to, top] = this.around(this.chosen);
    const close = (/** @type {number} */ a, /** @type {number} */ b) =>
      Math.abs(a - b) < (to - from) * 1e-3;
    const usual =
      this.glides ||
      (close(this.from, this.fit(from, to)[0]) &&
        close(this.to, this.fit(from, to)[1]) &&
        Math.abs(this.top - this.bounded(top)) < 0.05);
    return address(
      "map",
      about ? [about.concept] : [],
      usual
        ? {}
        : { at: [this.from, this.to, this.top].map((one) => Number(one.toFixed(2))).join(",") },
    );
  }

  /** Goes where an address says, at once. @param {number} id @param {string} at */
  turnTo(id, at) {
    this.gliding = {};
    this.glides = false;
    this.chosen = this.cells.cell[id] ?? -1;
    const [from = NaN, to = NaN, top = NaN] = at.split(",").map(Number.parseFloat);
    const [a, b, c] =
      Number.isFinite(from) && Number.isFinite(to) && to > from
        ? [from, to, Number.isFinite(top) ? top : 0]
        : this.around(this.chosen);
    this.row = 0;
    this.see(a, b, c);
    this.tell();
  }

  /** Puts the place into the address once the map has been still for a moment. */
  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (!byId("view-map").hidden && !this.glides) rewrite(this.address());
    }, 250);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} top
   */
  glide(from, to, top) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.see(from, to, top);
    const [oldFrom, oldTo, oldTop, begun] = [this.from, this.to, this.top, performance.now()];
    const run = (this.gliding = {});
    this.glides = true;
    const step = (/** @type {number} */ now) => {
      if (this.gliding !== run) {
        this.glides = false;
        return;
      }
      const t = Math.min(1, Math.max(0, (now - begun) / 320));
      const ease = 1 - (1 - t) ** 3;
      const width = Math.exp(
        Math.log(oldTo - oldFrom) + (Math.log(to - from) - Math.log(oldTo - oldFrom)) * ease,
      );
      const left =
        t === 1
          ? from
          : oldFrom +
            (from - oldFrom) *
              (Math.abs(oldTo - oldFrom - (to - from)) < 1e-9
                ? ease
                : (oldTo - oldFrom - width) / (oldTo - oldFrom - (to - from)));
      this.see(left, left + width, oldTop + (top - oldTop) * ease);
      if (t < 1) requestAnimationFrame(step);
      else this.glides = false;
    };
    requestAnimationFrame(step);
    return undefined;
  }

  /** Zooms around the chosen cell, or the middle. @param {number} factor */
  zoomBy(factor) {
    const { cells, chosen } = this;
    const middle =
      chosen < 0
        ? 0.5
        : (((cells.start[chosen] ?? 0) + (cells.end[chosen] ?? 0)) / 2 - this.from) /
          (this.to - this.from);
    const place = middle > 0 && middle < 1 ? middle : 0.5;
    const width = this.clamped((this.to - this.from) * factor);
    const x = this.from + (this.to - this.from) * place;
    this.glide(x - width * place, x + width * (1 - place), this.top);
    this.settle();
  }

  /** @param {number} place from 0 on the left to 1 on the right @param {number} factor */
  zoomAt(place, factor) {
    const width = this.clamped((this.to - this.from) * factor);
    const x = this.from + (this.to - this.from) * place;
    this.see(x - width * place, x + width * (1 - place), this.top);
  }

  /** A width that is neither more than everything nor less than a leaf. @param {number} width */
  clamped(width) {
    return Math.min(Math.max(1, this.cells.leaves), Math.max(1, width));
  }

  /**
   * The window of this width that is within the map.
   * @param {number} from
   * @param {number} to
   * @returns {[number, number]}
   */
  fit(from, to) {
    const width = this.clamped(to - from);
    const left = Math.min(Math.max(from, 0), Math.max(1, this.cells.leaves) - width);
    return [left, left + width];
  }

  /** A first level that leaves no empty rows. @param {number} top */
  bounded(top) {
    return Math.min(Math.max(0, top), Math.max(0, this.cells.deepest(this.from, this.to)));
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} top
   */
  see(from, to, top) {
    [this.from, this.to] = this.fit(from, to);
    this.top = this.bounded(top);
    this.show();
  }

  /** The height that lets the levels in sight fill the area. */
  wishedRow() {
    const levels = this.cells.deepest(this.from, this.to) + 1 - this.top;
    return Math.min(HIGH, Math.max(LOW, this.canvas.clientHeight / Math.max(1, levels)));
  }

  /** @param {number} x @param {number} y */
  cellAt(x, y) {
    const leaf = Math.floor(this.from + (x / this.canvas.clientWidth) * (this.to - this.from));
    return this.cells.reaching(
      Math.floor(y / this.row + this.top),
      Math.min(leaf, this.cells.leaves - 1),
    );
  }

  /** Paints in the next frame, once. */
  show() {
    if (!this.pending)
      this.pending = requestAnimationFrame(() => {
        this.pending = 0;
        this.drawing.paint();
      });
  }

  /** Asks for the names in sight once the map has been still for a moment. */
  learnSoon() {
    clearTimeout(this.learning);
    this.learning = setTimeout(async () => {
      const ids = [...this.runs.map((run) => run.cell), this.hovered]
        .filter((cell) => cell >= 0)
        .map((cell) => this.cells.concept[cell] ?? 0);
      await learn(ids, this.signal).catch(() => {});
      const tip = byId("tip");
      if (!tip.hidden && this.hovered >= 0) tip.textContent = this.described(this.hovered);
      this.show();
    }, 60);
  }
}
