/**
 * Paints the map into pixels. A level is one line of colours that is copied downwards, so a frame
 * costs the same whatever
 * the number of concepts. Where a level has no cell, the line keeps the colour from above: leaves
 * reach down to the end.
 */

/**
 * @typedef {{ from: number, to: number, top: number, row: number }} Window from leaf to leaf, the
 *   first level, the height of a level
 * @typedef {{ cell: number, level: number, x: number, y: number, width: number }} Run a cell that
 *   is wide enough for words
 */

/** Cells of at least this many pixels get words. */
const WORDS = 42;

export class Painter {
  /** @param {import("./map-cells.js").Cells} cells */
  constructor(cells) {
    this.cells = cells;
    this.line = new Uint32Array(0);
    this.edge = new Uint32Array(0);
    this.dark = false;
    this.palette = new Uint32Array(0);
    this.gap = 0;
  }

  /** Takes on a theme. @param {boolean} dark */
  wear(dark) {
    if (this.palette.length && this.dark === dark) return;
    this.dark = dark;
    this.palette = new Uint32Array(360 * 101);
    for (let hue = 0; hue < 360; hue++)
      for (let light = 0; light <= 100; light++)
        this.palette[hue * 101 + light] = rgb(hue, dark ? 0.34 : 0.5, light / 100);
    this.gap = dark ? 0xff25211c : 0xffffffff;
  }

  /**
   * The colour of a cell: branches differ in hue, neighbours a little, deeper cells are paler.
   * @param {number} cell
   * @param {number} level
   */
  colour(cell, level) {
    const { cells } = this;
    const middle = ((cells.start[cell] ?? 0) + (cells.end[cell] ?? 0)) / 2 / cells.leaves;
    const hue =
      Math.floor(165 + middle * 300 + (((cells.concept[cell] ?? 0) * 47) % 31) + 345) % 360;
    const light =
      Math.round(this.dark ? Math.max(20, 38 - level * 1.3) : Math.min(91, 68 + level * 1.6)) +
      (cell & 1) * 2;
    return this.palette[hue * 101 + light] ?? 0;
  }

  /**
   * Paints what a window shows, and returns the cells that are wide enough for words.
   * @param {ImageData} image
   * @param {Window} window
   * @param {number} dots device pixels per pixel
   * @returns {Run[]}
   */
  paint(image, window, dots) {
    const { width, height } = image;
    const pixels = new Uint32Array(image.data.buffer);
    if (this.line.length !== width) {
      this.line = new Uint32Array(width);
      this.edge = new Uint32Array(width);
    }
    this.line.fill(this.gap);
    /** @type {Run[]} */
    const runs = [];
    const perPixel = (window.to - window.from) / width;
    let painted = 0;
    for (let level = 0; level < this.cells.levels; level++) {
      const y = Math.round((level - window.top) * window.row * dots);
      if (y >= height) break;
      this.scan(level, window.from, perPixel, y / dots, dots, runs);
      const end = Math.min(height, Math.round((level + 1 - window.top) * window.row * dots));
      if (end <= 0) continue;
      if (y >= 0 && y < height) pixels.set(this.edge, y * width);
      copy(pixels, this.line, width, Math.max(0, y + 1), end);
      painted = end;
    }
    copy(pixels, this.line, width, painted, height);
    return runs;
  }

  /**
   * The colours of a level. `edge` is its first line, with a gap above each cell that begins here.
   * @param {number} level
   * @param {number} from
   * @param {number} perPixel
   * @param {number} y
   * @param {number} dots
   * @param {Run[]} runs
   */
  scan(level, from, perPixel, y, dots, runs) {
    const { cells, line, edge } = this;
    const [width, last] = [line.length, cells.ends[level] ?? 0];
    edge.set(line);
    let cell = cells.first(level);
    for (let x = 0; x < width;) {
      cell = cells.at(level, from + (x + 0.5) * perPixel, cell);
      if (cell >= last) return;
      const begin = Math.round(((cells.start[cell] ?? 0) - from) / perPixel);
      const left = Math.max(x, begin);
      if (left >= width) return;
      const end = Math.round(((cells.end[cell] ?? 0) - from) / perPixel);
      const right = Math.min(width, Math.max(end, left + 1));
      line.fill(this.colour(cell, level), left, right);
      edge.fill(this.gap, left, right);
      if (right - left > 3 * dots && right === end) line[right - 1] = edge[right - 1] = this.gap;
      if (right - left > WORDS * dots)
        runs.push({ cell, level, x: left / dots, y, width: (right - left) / dots });
      x = right;
    }
  }
}

/**
 * Copies a line into the lines from `begin` to `end`.
 * @param {Uint32Array} pixels
 * @param {Uint32Array} line
 * @param {number} width
 * @param {number} begin
 * @param {number} end
 */
function copy(pixels, line, width, begin, end) {
  if (begin >= end) return;
  pixels.set(line, begin * width);
  for (let done = 1; done < end - begin; done *= 2) {
    pixels.copyWithin(
      (begin + done) * width,
      begin * width,
      (begin + Math.min(done, end - begin - done)) * width,
    );
  }
}

/**
 * A colour as a pixel: alpha, blue, green, red.
 * @param {number} hue
 * @param {number} saturation
 * @param {number} light
 */
function rgb(hue, saturation, light) {
  const chroma = saturation * Math.min(light, 1 - light);
  const part = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (light - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return (0xff000000 | (part(4) << 16) | (part(8) << 8) | part(0)) >>> 0;
}

/** A pixel as a colour for drawings. @param {number} pixel */
export const css = (pixel) => `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
