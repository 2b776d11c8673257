/** Draws the map: its cells, names and marks, and the small map beside it. */

import { css } from "./map-paint.js";
import { box, sheet, words } from "./save.js";
import { summary } from "./summaries.js";

export class Drawing {
  /** @param {import("./map-view.js").View} view */
  constructor(view) {
    this.view = view;
    this.pen = /** @type {CanvasRenderingContext2D} */ (
      view.canvas.getContext("2d", { willReadFrequently: true })
    );
    this.image = new ImageData(1, 1);
    /** @type {ImageData | null} the small map, until its size or the theme changes */
    this.overview = null;
  }

  paint() {
    const { pen, view } = this;
    const { canvas, painter } = view;
    const [width, height, dots] = [
      canvas.clientWidth,
      canvas.clientHeight,
      Math.min(2, devicePixelRatio || 1),
    ];
    if (!width || !height) return;
    const dark = isDark();
    painter.wear(dark);
    const wish = this.view.wishedRow();
    this.view.row =
      this.view.row &&
      Math.abs(wish - this.view.row) > 0.5 &&
      !matchMedia("(prefers-reduced-motion: reduce)").matches
        ? this.view.row + (wish - this.view.row) * 0.3
        : wish;
    if (this.view.row !== wish) this.view.show();
    if (
      this.image.width !== Math.round(width * dots) ||
      this.image.height !== Math.round(height * dots)
    ) {
      [canvas.width, canvas.height] = [Math.round(width * dots), Math.round(height * dots)];
      this.image = new ImageData(canvas.width, canvas.height);
    }
    this.view.runs = painter.paint(this.image, view, dots);
    pen.putImageData(this.image, 0, 0);
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    this.write(dark);
    this.mark(dark);
    this.paintSmall(dark);
    if (this.view.runs.some((run) => !summary(this.view.cells.concept[run.cell] ?? -1)))
      this.view.learnSoon();
  }

  /** Writes names into the cells that are wide enough. @param {boolean} dark */
  write(dark) {
    const { pen } = this;
    pen.font = "13px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillStyle = dark ? "#f4f6f6" : "#17201f";
    for (const run of this.view.runs) {
      const about = summary(this.view.cells.concept[run.cell] ?? -1);
      if (!about || run.y + this.view.row < 8) continue;
      const [text, letters] = [about.called, Math.floor((run.width - 12) / 7)];
      if (letters >= 3)
        pen.fillText(
          text.length > letters ? `${text.slice(0, letters - 1)}…` : text,
          run.x + 6,
          Math.max(0, run.y) + Math.min(this.view.row, run.y + this.view.row) / 2 + 1,
        );
    }
  }

  /** Where a cell is on the canvas; leaves reach down. @param {number} cell */
  spot(cell) {
    const scale = this.view.canvas.clientWidth / (this.view.to - this.view.from);
    const x = ((this.view.cells.start[cell] ?? 0) - this.view.from) * scale;
    const y = (this.view.cells.level(cell) - this.view.top) * this.view.row;
    const height =
      this.view.cells.child(cell) < 0
        ? Math.max(this.view.row, this.view.canvas.clientHeight - y)
        : this.view.row;
    return {
      x,
      y,
      width: ((this.view.cells.end[cell] ?? 0) - (this.view.cells.start[cell] ?? 0)) * scale,
      height,
    };
  }

  /**
   * Marks what is chosen, pointed at or found, and leads to the other parents.
   * @param {boolean} dark
   */
  mark(dark) {
    const { pen } = this;
    const outline = (
      /** @type {number} */ cell,
      /** @type {string} */ colour,
      /** @type {number} */ line,
    ) => {
      const { x, y, width, height } = this.spot(cell);
      pen.strokeStyle = colour;
      pen.lineWidth = line;
      pen.strokeRect(
        Math.max(x, -4) + line / 2,
        y + line / 2,
        Math.max(2, Math.min(x + width, this.view.canvas.clientWidth + 4) - Math.max(x, -4) - line),
        height - line,
      );
    };
    const [ink, own] = [dark ? "#ffffff" : "#111111", dark ? "#f2a65a" : "#b3540b"];
    for (const cell of this.view.lit) {
      if (cell < 0) continue;
      const { x, y, width, height } = this.spot(cell);
      const wide = Math.max(5, width);
      pen.fillStyle = own;
      pen.globalAlpha = 0.45;
      pen.fillRect(x + width / 2 - wide / 2, y, wide, height);
      pen.globalAlpha = 1;
      outline(cell, own, 2);
    }
    if (this.view.hovered >= 0) outline(this.view.hovered, ink, 1);
    if (this.view.chosen < 0) return;
    outline(this.view.chosen, ink, 2.5);
    const about = summary(this.view.cells.concept[this.view.chosen] ?? -1);
    const here = this.spot(this.view.chosen);
    for (const id of about?.parent_ids ?? []) {
      const cell = this.view.cells.cell[id] ?? -1;
      if (cell < 0 || cell === this.view.cells.parent(this.view.chosen)) continue;
      const there = this.spot(cell);
      const [x1, y1, x2, y2] = [
        here.x + here.width / 2,
        here.y + 2,
        there.x + there.width / 2,
        there.y + this.view.row,
      ];
      pen.setLineDash([6, 4]);
      pen.strokeStyle = own;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.bezierCurveTo(x1, y1 - 60, x2, y2 + 60, x2, y2);
      pen.stroke();
      outline(cell, own, 2);
      pen.setLineDash([]);
    }
  }

  /** The small map: everything, and what part of it is seen. @param {boolean} dark */
  paintSmall(dark) {
    const { small, cells } = this.view;
    const pen = /** @type {CanvasRenderingContext2D} */ (
      small.getContext("2d", { willReadFrequently: true })
    );
    const [width, height] = [Math.max(1, small.clientWidth), Math.max(1, small.clientHeight)];
    if (!this.overview) {
      [small.width, small.height] = [width, height];
      this.overview = new ImageData(width, height);
      this.view.painter.paint(
        this.overview,
        { from: 0, to: Math.max(1, cells.leaves), top: 0, row: height / Math.max(1, cells.levels) },
        1,
      );
    }
    pen.putImageData(this.overview, 0, 0);
    const scale = width / Math.max(1, cells.leaves);
    const [x, wide] = [
      this.view.from * scale,
      Math.max(4, (this.view.to - this.view.from) * scale),
    ];
    const rows = height / Math.max(1, cells.levels);
    const [y, high] = [
      this.view.top * rows,
      Math.max(4, (this.view.canvas.clientHeight / this.view.row) * rows),
    ];
    pen.strokeStyle = dark ? "#ffffff" : "#111111";
    pen.lineWidth = 2;
    pen.strokeRect(x + 1, y + 1, Math.min(wide, width - x) - 2, Math.min(high, height - y) - 2);
  }

  /** What is seen, as a drawing. */
  picture() {
    const [width, height] = [this.view.canvas.clientWidth, this.view.canvas.clientHeight];
    const svg = sheet(width, height);
    const scale = width / (this.view.to - this.view.from);
    for (let level = 0; level < this.view.cells.levels; level++) {
      const y = (level - this.view.top) * this.view.row;
      for (
        let cell = this.view.cells.at(level, this.view.from);
        cell < (this.view.cells.ends[level] ?? 0);
      ) {
        const { x, width: wide, height: high } = this.spot(cell);
        if (x > width) break;
        if (y + high > 0 && y < height)
          svg.append(
            box(
              Math.max(0, x),
              y + 1,
              Math.max(0.6, Math.min(width, x + wide) - Math.max(0, x) - (wide > 3 ? 1 : 0)),
              high - 1,
              css(this.view.painter.colour(cell, level)),
            ),
          );
        cell = Math.max(cell + 1, this.view.cells.at(level, this.view.from + (x + 1) / scale));
      }
    }
    for (const run of this.view.runs) {
      const about = summary(this.view.cells.concept[run.cell] ?? -1);
      const letters = Math.floor((run.width - 12) / 7);
      const text = about?.called ?? "";
      if (letters >= 3)
        svg.append(
          words(
            run.x + 6,
            run.y + this.view.row / 2 + 1,
            text.length > letters ? `${text.slice(0, letters - 1)}…` : text,
            this.view.painter.dark ? "#f4f6f6" : "#17201f",
          ),
        );
    }
    return svg;
  }
}

/** Whether the page is dark now. */
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
