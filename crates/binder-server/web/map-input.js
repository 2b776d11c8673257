/** What fingers, the mouse and the keyboard do to the map. */

import { byId } from "./dom.js";

export class Input {
  /** @param {import("./map-view.js").View} view */
  constructor(view) {
    this.view = view;
    /** @type {Map<number, { x: number, y: number }>} the fingers or the mouse */
    this.pointers = new Map();
    /**
     * Where a drag or a pinch began, and what was seen then.
     * @type {{ x: number, y: number, gap: number, from: number, to: number, top: number,
     *   moved: boolean, cell: number } | null}
     */
    this.drag = null;
    /** The cell under the first click of two, and when that was. */
    this.clicked = -1;
    this.clickTime = -Infinity;
    this.listen();
  }

  listen() {
    const { canvas } = this.view;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      this.grasp();
    });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    const release = (/** @type {PointerEvent} */ event) => {
      const clicked =
        this.drag && !this.drag.moved && this.pointers.size === 1 && event.type === "pointerup";
      const cell = this.drag?.cell ?? -1;
      this.pointers.delete(event.pointerId);
      this.drag = null;
      if (this.pointers.size) this.grasp();
      if (clicked) this.click(cell, event.timeStamp);
      else this.view.settle();
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => {
      byId("tip").hidden = true;
      this.view.hovered = -1;
      this.view.show();
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.view.gliding = {};
        const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        const shift =
          ((event.deltaX || event.deltaY) / canvas.clientWidth) * (this.view.to - this.view.from);
        if (sideways) this.view.see(this.view.from + shift, this.view.to + shift, this.view.top);
        else
          this.view.zoomAt(
            event.offsetX / canvas.clientWidth,
            Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.002)),
          );
        this.view.settle();
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => this.key(event));
    this.view.small.addEventListener("pointerdown", (event) => this.jump(event));
    this.view.small.addEventListener("pointermove", (event) => {
      if (event.buttons) this.jump(event);
    });
  }

  /** Begins a drag or a pinch with the pointers that are down. */
  grasp() {
    const [a, b] = [...this.pointers.values()];
    if (!a) return;
    this.view.gliding = {};
    const [x, y] = b ? [(a.x + b.x) / 2, (a.y + b.y) / 2] : [a.x, a.y];
    this.drag = {
      x,
      y,
      gap: b ? Math.hypot(a.x - b.x, a.y - b.y) : 0,
      from: this.view.from,
      to: this.view.to,
      top: this.view.top,
      moved: Boolean(b),
      cell: this.view.cellAt(x, y),
    };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag, pointers } = this;
    const { canvas } = this.view;
    if (pointers.has(event.pointerId))
      pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    const [a, b] = [...pointers.values()];
    if (drag && a) {
      const [x, y] = b ? [(a.x + b.x) / 2, (a.y + b.y) / 2] : [a.x, a.y];
      drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > 4;
      if (!drag.moved) return;
      const factor = b && drag.gap ? drag.gap / Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)) : 1;
      const width = this.view.clamped((drag.to - drag.from) * factor);
      const held = drag.from + (drag.x / canvas.clientWidth) * (drag.to - drag.from);
      const from = held - (x / canvas.clientWidth) * width;
      this.view.see(from, from + width, drag.top - (y - drag.y) / this.view.row);
      return;
    }
    const cell = this.view.cellAt(event.offsetX, event.offsetY);
    if (cell !== this.view.hovered) {
      this.view.hovered = cell;
      this.view.show();
      if (cell >= 0) this.view.learnSoon();
    }
    const tip = byId("tip");
    tip.hidden = cell < 0 || event.pointerType === "touch";
    if (tip.hidden) return;
    tip.textContent = this.view.described(cell);
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
  }

  /** Moves the window to where the small map is pressed. @param {PointerEvent} event */
  jump(event) {
    const middle = (event.offsetX / this.view.small.clientWidth) * this.view.cells.leaves;
    const width = this.view.to - this.view.from;
    this.view.see(middle - width / 2, middle + width / 2, this.view.top);
    this.view.settle();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { cells } = this.view;
    const chosen =
      this.view.chosen < 0
        ? Math.max(
            0,
            cells.reaching(Math.max(0, Math.round(this.view.top)), Math.max(0, this.view.from)),
          )
        : this.view.chosen;
    const level = cells.level(chosen);
    const beside = (/** @type {number} */ step) => {
      const next = chosen + step;
      return next >= cells.first(level) && next < (cells.ends[level] ?? 0) ? next : chosen;
    };
    const below = cells.child(chosen);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") this.view.choose(beside(-1));
    else if (event.key === "ArrowRight") this.view.choose(beside(1));
    else if (event.key === "ArrowUp") this.view.choose(Math.max(0, cells.parent(chosen)));
    else if (event.key === "ArrowDown") this.view.choose(below >= 0 ? below : chosen);
    else if (event.key === "Enter") this.view.zoomTo(chosen);
    else if (event.key === "Escape") this.view.zoomTo(cells.parent(chosen));
    else if (event.key === "+" || event.key === "=") this.view.zoomBy(0.6);
    else if (event.key === "-") this.view.zoomBy(1 / 0.6);
    else if (event.key === "Home") this.view.zoomTo(-1);
    else if (event.key.toLowerCase() === "o") this.view.open(chosen);
    else return;
    event.preventDefault();
  }

  /** @param {number} cell @param {number} time */
  click(cell, time) {
    if (cell < 0 && this.clicked < 0) return;
    if (time - (this.clickTime ?? -1e9) < 400) {
      // The first click has moved the map; what was under it is meant.
      this.clickTime = -1e9;
      this.view.open(this.clicked);
      return;
    }
    this.clickTime = time;
    this.clicked = cell;
    this.view.zoomTo(cell === this.view.chosen ? this.view.cells.parent(cell) : cell);
  }
}
