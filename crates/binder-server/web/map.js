/** The whole hierarchy as an icicle plot on a canvas. The server sends the cells. */

import * as api from "./api.js";
import { announce, byId, conceptAddress, errorBox, grouped, h } from "./dom.js";

const ROW = 30;

/** The cells, level after level, each level from left to right; widths are in leaves. */
class Cells {
  /**
   * @param {Uint32Array} data
   * @param {string[]} names
   */
  constructor(data, names) {
    const [leaves = 0, levels = 0, count = 0] = data;
    this.leaves = leaves;
    this.names = names;
    this.ends = data.subarray(3, 3 + levels);
    let at = 3 + levels;
    this.start = data.subarray(at, at += count);
    this.end = data.subarray(at, at += count);
    this.concept = data.subarray(at, at += count);
    this.levels = levels;
  }

  /** @param {number} level */
  first(level) {
    return level === 0 ? 0 : this.ends[level - 1] ?? 0;
  }

  /**
   * The first cell of a level that ends after a place.
   * @param {number} level
   * @param {number} x
   */
  at(level, x) {
    let [low, high] = [this.first(level), this.ends[level] ?? 0];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.end[middle] ?? 0) > x) high = middle; else low = middle + 1;
    }
    return low;
  }

  /**
   * The cell at a place, or -1.
   * @param {number} level
   * @param {number} x
   */
  find(level, x) {
    if (level < 0 || level >= this.levels) return -1;
    const cell = this.at(level, x);
    return cell < (this.ends[level] ?? 0) && (this.start[cell] ?? 0) <= x ? cell : -1;
  }

  /** @param {number} cell */
  level(cell) {
    let level = 0;
    while ((this.ends[level] ?? Infinity) <= cell) level++;
    return level;
  }

  /** @param {number} cell */
  parent(cell) {
    return this.find(this.level(cell) - 1, this.start[cell] ?? 0);
  }

  /** @param {number} cell */
  name(cell) {
    return this.names[this.concept[cell] ?? -1] ?? "";
  }

  /** The cell of a name, or -1. @param {string} name */
  named(name) {
    const concept = this.names.indexOf(name);
    return concept < 0 ? -1 : this.concept.indexOf(concept);
  }
}

/** @type {Map<string, Promise<Cells>>} */
const loaded = new Map();

const load = () => {
  const key = api.currentModel();
  const cells = loaded.get(key) ?? Promise.all([api.map(), api.names()]).then(([data, names]) => new Cells(data, names));
  loaded.set(key, cells);
  return cells;
};

/**
 * Shows the map, at a concept if one is named.
 * @param {HTMLElement} place
 * @param {string} [name]
 */
export async function showMap(place, name) {
  const title = h("div", { class: "head" }, h("h2", {}, "Map"), h("p", { class: "hint", id: "map-hint" }, "Loading…"));
  place.replaceChildren(title);
  try {
    const cells = await load();
    byId("map-hint").textContent = `${grouped(cells.names.length)} concepts, each as wide as the leaves below it. Click or scroll to zoom, drag to move; arrow keys, Enter and Escape do it too.`;
    const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { tabindex: "0", role: "application", "aria-label": "Map of the hierarchy: arrow keys move, Enter zooms in, Escape zooms out, O opens the concept" }));
    const crumbs = h("div", { class: "crumbs", "aria-label": "Where you are" });
    place.append(crumbs, canvas);
    const view = new View(cells, canvas, crumbs);
    const cell = name ? cells.named(name) : -1;
    if (cell >= 0) view.zoomTo(cell, false);
    else view.show();
  } catch (error) {
    place.replaceChildren(title, errorBox(error));
  }
}

class View {
  /**
   * @param {Cells} cells
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} crumbs
   */
  constructor(cells, canvas, crumbs) {
    this.cells = cells;
    this.canvas = canvas;
    this.crumbs = crumbs;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** What is seen: from leaf to leaf, and the level of the first row. */
    this.from = 0;
    this.to = Math.max(1, cells.leaves);
    this.top = 0;
    this.chosen = -1;
    this.hovered = -1;
    this.pending = 0;
    /** @type {{ x: number, y: number, from: number, to: number, top: number, moved: boolean } | null} */
    this.drag = null;
    this.listen();
    new ResizeObserver(() => this.show()).observe(canvas);
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.drag = { x: event.offsetX, y: event.offsetY, from: this.from, to: this.to, top: this.top, moved: false };
    });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => {
      const clicked = this.drag && !this.drag.moved;
      this.drag = null;
      if (clicked) this.click(this.cellAt(event.offsetX, event.offsetY));
    });
    canvas.addEventListener("pointerleave", () => { byId("tip").hidden = true; this.hovered = -1; this.show(); });
    canvas.addEventListener("dblclick", (event) => this.open(this.cellAt(event.offsetX, event.offsetY)));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomAt(event.offsetX / canvas.clientWidth, Math.exp(event.deltaY * 0.002));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag, canvas } = this;
    if (drag) {
      const [dx, dy] = [event.offsetX - drag.x, event.offsetY - drag.y];
      drag.moved ||= Math.hypot(dx, dy) > 4;
      if (!drag.moved) return;
      const shift = -dx / canvas.clientWidth * (drag.to - drag.from);
      this.see(drag.from + shift, drag.to + shift, drag.top - dy / ROW);
      return;
    }
    const cell = this.cellAt(event.offsetX, event.offsetY);
    if (cell !== this.hovered) {
      this.hovered = cell;
      this.show();
    }
    const tip = byId("tip");
    tip.hidden = cell < 0;
    if (cell < 0) return;
    const leaves = (this.cells.end[cell] ?? 0) - (this.cells.start[cell] ?? 0);
    tip.textContent = `${this.cells.name(cell)}, ${grouped(leaves)} ${leaves === 1 ? "leaf" : "leaves"}`;
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 16}px`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { cells } = this;
    const chosen = this.chosen < 0 ? cells.find(Math.max(0, Math.round(this.top)), this.from) : this.chosen;
    const level = cells.level(chosen);
    const beside = (/** @type {number} */ step) => {
      const next = chosen + step;
      return next >= cells.first(level) && next < (cells.ends[level] ?? 0) ? next : chosen;
    };
    const below = () => {
      const child = cells.at(level + 1, cells.start[chosen] ?? 0);
      return level + 1 < cells.levels && (cells.end[child] ?? Infinity) <= (cells.end[chosen] ?? 0) ? child : chosen;
    };
    if (event.key === "ArrowLeft") this.choose(beside(-1));
    else if (event.key === "ArrowRight") this.choose(beside(1));
    else if (event.key === "ArrowUp") this.choose(Math.max(0, cells.parent(chosen)));
    else if (event.key === "ArrowDown") this.choose(below());
    else if (event.key === "Enter" || event.key === "+") this.zoomTo(chosen);
    else if (event.key === "Escape" || event.key === "-") this.zoomTo(cells.parent(chosen));
    else if (event.key.toLowerCase() === "o") this.open(chosen);
    else return;
    event.preventDefault();
  }

  /** @param {number} cell */
  click(cell) {
    if (cell < 0) return;
    this.zoomTo(cell === this.chosen ? this.cells.parent(cell) : cell);
  }

  /** @param {number} cell */
  open(cell) {
    if (cell >= 0) location.hash = conceptAddress(this.cells.name(cell));
  }

  /** Marks a cell and brings it into sight. @param {number} cell */
  choose(cell) {
    this.chosen = cell;
    const [start, end] = [this.cells.start[cell] ?? 0, this.cells.end[cell] ?? 0];
    const width = Math.max(this.to - this.from, end - start);
    const from = start < this.from || end > this.to ? (start + end - width) / 2 : this.from;
    const level = this.cells.level(cell);
    const rows = this.canvas.clientHeight / ROW;
    const top = level < this.top ? level : level > this.top + rows - 2 ? level - rows + 2 : this.top;
    this.see(from, from + width, top);
    this.tell();
  }

  tell() {
    const { cells, crumbs } = this;
    const way = [];
    for (let cell = this.chosen; cell >= 0; cell = cells.parent(cell)) way.unshift(cell);
    crumbs.replaceChildren(h("button", { type: "button", onclick: () => this.zoomTo(-1) }, "all"),
      ...way.map((cell) => h("button", { type: "button", onclick: () => (cell === this.chosen ? this.open(cell) : this.zoomTo(cell)) }, cells.name(cell))));
    announce(this.chosen < 0 ? "The whole map" : cells.name(this.chosen));
  }

  /**
   * Lets a cell fill the width, its parent above it; -1 is everything.
   * @param {number} cell
   * @param {boolean} [smooth]
   */
  zoomTo(cell, smooth = true) {
    this.chosen = cell;
    const [from, to] = cell < 0 ? [0, this.cells.leaves] : [this.cells.start[cell] ?? 0, this.cells.end[cell] ?? 0];
    const margin = cell < 0 ? 0 : (to - from) * 0.02;
    const top = cell < 0 ? 0 : Math.max(0, this.cells.level(cell) - 2);
    this.tell();
    if (!smooth || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.see(from - margin, to + margin, top);
    this.glide(from - margin, to + margin, top);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} top
   */
  glide(from, to, top) {
    const [oldFrom, oldTo, oldTop, begun] = [this.from, this.to, this.top, performance.now()];
    const run = this.gliding = {};
    const step = (/** @type {number} */ now) => {
      if (this.gliding !== run || !this.canvas.isConnected) return;
      const t = Math.min(1, (now - begun) / 320);
      const ease = 1 - (1 - t) ** 3;
      const width = Math.exp(Math.log(oldTo - oldFrom) + (Math.log(to - from) - Math.log(oldTo - oldFrom)) * ease);
      const left = t === 1 ? from : oldFrom + (from - oldFrom) * (Math.abs(oldTo - oldFrom - (to - from)) < 1e-9 ? ease : (oldTo - oldFrom - width) / (oldTo - oldFrom - (to - from)));
      this.see(left, left + width, oldTop + (top - oldTop) * ease);
      if (t < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /**
   * @param {number} place from 0 on the left to 1 on the right
   * @param {number} factor
   */
  zoomAt(place, factor) {
    const width = Math.min(this.cells.leaves, Math.max(1, (this.to - this.from) * factor));
    const x = this.from + (this.to - this.from) * place;
    this.see(x - width * place, x + width * (1 - place), this.top);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} top
   */
  see(from, to, top) {
    const width = to - from;
    const slack = width * 0.05;
    this.from = Math.min(Math.max(from, -slack), this.cells.leaves + slack - width);
    this.to = this.from + width;
    this.top = Math.min(Math.max(0, top), Math.max(0, this.cells.levels - 3));
    this.show();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  cellAt(x, y) {
    return this.cells.find(Math.floor(y / ROW + this.top), Math.floor(this.from + x / this.canvas.clientWidth * (this.to - this.from)));
  }

  /** Paints in the next frame, once. */
  show() {
    if (!this.pending) this.pending = requestAnimationFrame(() => { this.pending = 0; this.paint(); });
  }

  paint() {
    const { canvas, pen, cells } = this;
    const [width, height, dots] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1];
    if (canvas.width !== Math.round(width * dots)) canvas.width = Math.round(width * dots);
    if (canvas.height !== Math.round(height * dots)) canvas.height = Math.round(height * dots);
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "12px ui-monospace, monospace";
    pen.textBaseline = "middle";
    const dark = getComputedStyle(canvas).colorScheme === "dark" || (document.documentElement.dataset.theme ?? "") === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    const scale = width / (this.to - this.from);
    for (let level = Math.floor(this.top); level < cells.levels && (level - this.top) * ROW < height; level++) this.paintLevel(level, scale, width, dark);
  }

  /**
   * Paints a level. Of the cells within one pixel, only one is painted, so a frame never paints
   * more cells than pixels.
   * @param {number} level
   * @param {number} scale
   * @param {number} width
   * @param {boolean} dark
   */
  paintLevel(level, scale, width, dark) {
    const { cells, pen } = this;
    const [y, end] = [(level - this.top) * ROW, cells.ends[level] ?? 0];
    for (let cell = cells.at(level, this.from); cell < end;) {
      const left = ((cells.start[cell] ?? 0) - this.from) * scale;
      if (left > width) return;
      const right = ((cells.end[cell] ?? 0) - this.from) * scale;
      pen.fillStyle = colour(cells, cell, level, dark);
      if (right - left < 1.5) {
        pen.fillRect(left, y + 1, 1, ROW - 2);
        cell = Math.max(cell + 1, cells.at(level, this.from + (left + 1) / scale));
        continue;
      }
      const [x, wide] = [Math.max(left, -2), Math.min(right, width + 2) - Math.max(left, -2)];
      pen.fillRect(x + 0.5, y + 1, wide - 1, ROW - 2);
      if (cell === this.chosen || cell === this.hovered) {
        pen.strokeStyle = dark ? "#fff" : "#111";
        pen.lineWidth = cell === this.chosen ? 2 : 1;
        pen.strokeRect(x + 1.5, y + 2, wide - 3, ROW - 4);
      }
      if (wide > 34) this.write(cells.name(cell), x, y, wide, dark);
      cell++;
    }
  }

  /**
   * @param {string} name
   * @param {number} x
   * @param {number} y
   * @param {number} wide
   * @param {boolean} dark
   */
  write(name, x, y, wide, dark) {
    const letters = Math.floor((wide - 12) / 7.3);
    if (letters < 3) return;
    this.pen.fillStyle = dark ? "#f4f6f6" : "#17201f";
    this.pen.fillText(name.length > letters ? `${name.slice(0, letters - 1)}…` : name, x + 6, y + ROW / 2 + 1);
  }
}

/**
 * The colour of a cell: the hue comes from its horizontal place, and deeper cells are paler. So
 * neighbours look similar and branches differ.
 * @param {Cells} cells
 * @param {number} cell
 * @param {number} level
 * @param {boolean} dark
 */
function colour(cells, cell, level, dark) {
  const middle = ((cells.start[cell] ?? 0) + (cells.end[cell] ?? 0)) / 2 / cells.leaves;
  // Siblings differ a little at any zoom.
  const hue = (165 + middle * 300 + ((cells.concept[cell] ?? 0) * 47) % 31 - 15 + 360) % 360;
  const light = dark ? Math.max(22, 40 - level * 1.5) : Math.min(90, 66 + level * 1.6);
  return `hsl(${hue.toFixed(0)} ${dark ? 34 : 48}% ${(light + (cell % 2) * 2).toFixed(0)}%)`;
}
