/** Cards in words, and small things that many parts need. */

const RANKS: Record<string, string> = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", "9": "nine", "8": "eight", "7": "seven", "6": "six", "5": "five", "4": "four", "3": "three", "2": "two" };
const SUITS: Record<string, string> = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
export const SIGNS: Record<string, string> = { spades: "♠", hearts: "♥", diamonds: "♦", clubs: "♣" };

export const BACK = "--";

/** The query of a link for watching. */
export const WATCH = "?watch";

/** As a screen reader says it. */
export function cardWords(card: string): string {
  if (card === BACK) return "a face-down card";
  return `${RANKS[card[0] ?? ""] ?? card} of ${SUITS[card[1] ?? ""] ?? ""}`;
}

/** The card without the strokes by which a table tells copies apart. */
export function faceOf(card: string): string {
  return card.slice(0, 2);
}

export function suitOf(card: string): string {
  return card[1] ?? "";
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
