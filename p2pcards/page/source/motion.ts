/** Which card is which from one table to the next, so that each goes on from where it lay: pure. */

import type { Laid, Placed } from "./layout";
import { BACK } from "./words";

/** A card on its way or at rest. key: the same as long as it is the same card; from: where a new one comes from; gone: it
 *  goes there and is taken away. */
export interface Moving extends Placed {
  key: string;
  from: { x: number; y: number } | null;
  gone: boolean;
  delay: number;
}

let count = 0;

/** seat: who has just acted, null where that is not known; taker: to whom a trick goes. */
export function followed(before: readonly Moving[], now: Laid, last: Laid | null, seat: number | null, taker: number | null): Moving[] {
  const left = before.filter((card) => !card.gone);
  const found: (Moving | null)[] = now.cards.map(() => null);
  const take = (fits: (old: Moving, card: Placed) => boolean) => {
    now.cards.forEach((card, number) => {
      if (found[number]) return;
      const place = left.findIndex((old) => fits(old, card));
      const [old] = place >= 0 ? left.splice(place, 1) : [];
      if (old) found[number] = { ...card, key: old.key, from: null, gone: false, delay: 0 };
    });
  };
  take((old, card) => old.card === card.card && old.zone === card.zone);
  take((old, card) => old.card === card.card && card.card !== BACK);
  // A card that was held face down, or laid on a pile, shows what it is.
  take((old, card) => card.card !== BACK && old.card === BACK && seat !== null && card.zone !== "hand" && old.zone.startsWith(`held ${seat} `));
  let dealt = 0;
  const shrunk = shrunkPile(before, now);
  const cards = now.cards.map((card, number): Moving => {
    const old = found[number];
    if (old) return old;
    count += 1;
    const from = last ? origin(card, last, seat, shrunk) : null;
    const delay = card.zone === "hand" && now.cards.filter((one) => one.zone === "hand").length > 2 ? (dealt += 1) * 28 : 0;
    return { ...card, key: `k${count}`, from, gone: false, delay: Math.min(delay, 400) };
  });
  const away = taker === null ? null : (now.anchors[`seat ${taker}`] ?? null);
  const going = left
    .filter((old) => away !== null && (old.zone.startsWith("trick ") || old.zone.startsWith("row ")))
    .map((old): Moving => ({ ...old, x: (away?.x ?? 0) - old.s * 25, y: (away?.y ?? 0) - old.s * 35, s: old.s * 0.5, mood: "", gone: true, delay: 0 }));
  return [...cards, ...going];
}

/** The pile from which a card has been drawn. */
function shrunkPile(before: readonly Moving[], now: Laid): string | null {
  const zones = new Set(before.map((card) => card.zone).filter((zone) => zone.startsWith("pile ")));
  const size = (cards: readonly Placed[], zone: string) => cards.filter((card) => card.zone === zone).length;
  for (const zone of zones) if (size(now.cards, zone) < size(before, zone)) return zone;
  return [...zones][0] ?? null;
}

function origin(card: Placed, last: Laid, seat: number | null, pile: string | null): { x: number; y: number } | null {
  const zone = card.zone === "hand" || card.zone.startsWith("held ") ? pile : card.zone.startsWith("trick ") ? `seat ${card.zone.slice(6)}` : seat === null ? null : `seat ${seat}`;
  const anchor = (zone && last.anchors[zone]) || (card.zone === "hand" ? Object.entries(last.anchors).find(([name]) => name.startsWith("seat "))?.[1] : undefined);
  return anchor ? { x: anchor.x - card.s * 50, y: anchor.y - card.s * 70 } : null;
}
