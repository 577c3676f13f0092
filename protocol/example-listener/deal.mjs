// Randomness that everybody can check (fair-deal.md).
import { bytes, pack, sha256, u32, u8 } from "./wire.mjs";

export const LENGTH = 16384;
const step = (value) => sha256("p2pcards chain 1", value).subarray(0, 24);

// The values of a chain from its end, v(0), up to its seed, v(LENGTH).
export function chain(seed) {
  const values = [Buffer.from(seed)];
  for (let i = 0; i < LENGTH; i++) values.push(step(values[i]));
  return values.reverse();
}

// Whether a value hashes to an earlier one in exactly so many steps.
export function leadsTo(value, earlier, steps) {
  if (steps < 1 || steps > LENGTH) return false;
  for (let i = 0; i < steps; i++) value = step(value);
  return Buffer.compare(value, earlier) === 0;
}

// listeners: [side, value] of each of whom there is one in the pack, in order.
export const handSecret = (version, head0, hand, value, listeners) =>
  sha256(version === 1 ? "p2pcards pack 1" : "p2pcards pack 2", head0, u32(hand), value, ...listeners.flatMap(([side, theirs]) => [u8(Number(side)), theirs]));

export function shuffle(unshuffled, secret, label) {
  const cards = [...unshuffled];
  let stream = Buffer.alloc(0), block = 0;
  const draw = () => {
    if (stream.length < 2) stream = bytes(stream, sha256(`p2pcards shuffle ${label}`, u8(0), secret, u32(block++)));
    const x = stream.readUInt16BE(0);
    stream = stream.subarray(2);
    return x;
  };
  for (let last = cards.length - 1; last > 0; last--) {
    const limit = 65536 - (65536 % (last + 1));
    let x = draw();
    while (x >= limit) x = draw();
    const place = x % (last + 1);
    [cards[last], cards[place]] = [cards[place], cards[last]];
  }
  return cards;
}

export const commitment = (salt, action) => sha256("p2pcards commit 1", salt, pack(action)).subarray(0, 20);
export const derivedSalt = (value, seat, base) => sha256("p2pcards salt 1", value, u8(seat), u32(base)).subarray(0, 10);
