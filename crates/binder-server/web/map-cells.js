/** The cells of the map: level after level, each level from left to right; places are in leaves. */
export class Cells {
  /** @param {Uint32Array} data as the server sends it */
  constructor(data) {
    const [leaves = 0, levels = 0, count = 0] = data;
    this.leaves = leaves;
    this.levels = levels;
    this.count = count;
    this.ends = data.subarray(3, 3 + levels);
    let at = 3 + levels;
    this.start = data.subarray(at, (at += count));
    this.end = data.subarray(at, (at += count));
    this.concept = data.subarray(at, (at += count));
    /** The cell of each concept. */
    this.cell = new Int32Array(count);
    for (let cell = 0; cell < count; cell++) this.cell[this.concept[cell] ?? 0] = cell;
  }

  /** @param {number} level */
  first(level) {
    return level === 0 ? 0 : (this.ends[level - 1] ?? 0);
  }

  /**
   * The first cell of a level that ends after a place. Painting goes from left to right, so it may
   * say from which cell on.
   * @param {number} level
   * @param {number} x
   * @param {number} [begin]
   * @returns {number}
   */
  at(level, x, begin) {
    const { end } = this;
    const last = this.ends[level] ?? 0;
    let [low, step] = [begin ?? this.first(level), 1];
    while (low + step <= last && (end[low + step - 1] ?? 0) <= x) {
      low += step;
      step *= 2;
    }
    let high = Math.min(last, low + step);
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((end[middle] ?? 0) > x) high = middle;
      else low = middle + 1;
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

  /**
   * The deepest cell at a place, at a level or above it; leaves reach down.
   * @param {number} level
   * @param {number} x
   */
  reaching(level, x) {
    for (let at = Math.min(level, this.levels - 1); at >= 0; at--) {
      const cell = this.find(at, x);
      if (cell >= 0) return cell;
    }
    return -1;
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

  /** The first cell directly below one, or -1. @param {number} cell */
  child(cell) {
    const below = this.find(this.level(cell) + 1, this.start[cell] ?? 0);
    return below >= 0 ? below : -1;
  }

  /** The deepest level with a cell between two places. @param {number} from @param {number} to */
  deepest(from, to) {
    for (let level = this.levels - 1; level > 0; level--) {
      const cell = this.at(level, from);
      if (cell < (this.ends[level] ?? 0) && (this.start[cell] ?? 0) < to) return level;
    }
    return 0;
  }
}
