/** What is meant by a card of the hand that is tapped, or pressed by a key. What comes of it is decided elsewhere. */

import type { Deeds } from "./main";
import type { Model } from "./model";

/** how: "tap" chooses first and plays then, "key" plays at once, "mark" marks. */
export function pressed(model: Model, deeds: Deeds, place: number, how: "tap" | "key" | "mark"): void {
  const table = model.table;
  const card = table?.hand?.[place];
  if (!table || !card) return;
  const lay = (places: number[]) => deeds.say("cards", { places });
  if (!table.myTurn) {
    deeds.change({ at: model.at === place ? null : place });
    return;
  }
  const alone = card.alone && table.takes <= 1;
  if (how === "mark" || (table.several && !(alone && how === "key" && !model.marked.size))) {
    const again = model.marked.size === 1 && model.marked.has(place);
    if (how !== "mark" && again && alone) lay([place]);
    else mark(model, deeds, place);
    return;
  }
  if (how === "key" || model.look.tap === "one" || model.at === place) lay([place]);
  else deeds.change({ at: place, status: null });
}

function mark(model: Model, deeds: Deeds, place: number): void {
  const marked = new Set(model.marked);
  if (!marked.delete(place)) marked.add(place);
  deeds.change({ marked, at: null, offers: null, status: null });
  if (marked.size) deeds.say("marks", { places: [...marked] });
}
