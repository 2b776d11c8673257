/** The whole hierarchy as an icicle plot. The server sends the cells; names come when needed. */

import * as api from "./api.js";
import { byId, h, show, skeleton } from "./dom.js";
import { Cells } from "./map-cells.js";
import { View } from "./map-view.js";
import { attempt, learn, summary } from "./summaries.js";

/** @type {Map<string, Promise<Cells>>} */
const loaded = new Map();

/** The cells of the model. A load that failed is tried again. */
function load() {
  const key = api.currentModel();
  const cells = loaded.get(key) ?? api.map().then((data) => new Cells(data));
  loaded.set(key, cells);
  cells.catch(() => loaded.delete(key));
  return cells;
}

/** @type {{ model: string, view: View } | null} */
let present = null;

/**
 * Shows the map, where the address says.
 * @param {import("./address.js").Address} here
 * @param {AbortSignal} signal
 */
export async function mapView(here, signal) {
  const place = byId("view-map");
  document.title = "Map · Binder";
  const [name = ""] = here.names;
  if (!present || present.model !== api.currentModel()) {
    present = null;
    show(
      place,
      h("div", { class: "head" }, h("h1", {}, "Map")),
      h("div", { class: "crumbs" }),
      h("div", { class: "stage", "aria-busy": "true" }, skeleton(10)),
    );
  }
  const stage = /** @type {HTMLElement} */ (place.querySelector(".stage"));
  const work = async () => {
    const model = api.currentModel();
    if (!present) {
      const cells = await load();
      signal.throwIfAborted();
      present = { model, view: new View(cells, place) };
    }
    present.view.signal = signal;
    if (name) await learn([name], signal);
    const found = name ? summary(name) : undefined;
    present.view.unknown = found ? "" : name;
    present.view.turnTo(found?.id ?? -1, here.settings.get("at") ?? "");
  };
  if (present) return work();
  return attempt(stage, signal, work);
}
