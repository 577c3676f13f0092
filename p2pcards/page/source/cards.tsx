/** A card as it is drawn: the symbols of cards.svg, which stand in the page. */

import { BACK, faceOf, suitOf } from "./words";

export function CardFace({ card, back }: { card: string; back: string }) {
  const name = card === BACK ? `#b${back}` : `#c${faceOf(card)}`;
  return (
    <svg class={`face ${card === BACK ? "back" : suitOf(card)}`} viewBox="0 0 100 140" aria-hidden="true"><use href={name} /></svg>
  );
}
