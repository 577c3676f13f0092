// Three games, as their pages say (games/*.md, rules/*.md). One state serves a view and the truth: a card that nobody here
// has seen is null. An event has its slots; `open`: the places that an outcome must fill; `mine(seat)`: those that this seat
// sees; `leader`: a seat that the outcome must name, or undefined.
import { bin, either, int, list, need, nil } from "./wire.mjs";

export const PACK = [0, 16, 32, 48].flatMap((suit) => Array.from({ length: 13 }, (_, i) => suit + i + 2));
const rank = (card) => card & 15;
const suit = (card) => card >> 4;
const range = (n) => Array.from({ length: n }, (_, i) => i);
const ascending = (cards) => [...cards].sort((a, b) => a - b);
const aCard = (v) => PACK.includes(v);
const dealtTo = (t, seat, upTo) => range(upTo).filter((i) => (t.dealer + 1 + i) % t.seats === seat);
const happens = (kind, slots, more) => ({ kind, slots, open: [], mine: () => [], ...more });

// Takes a card out of a hand; one that was not seen there stands for a hidden one, unless it is known to be elsewhere.
function remove(t, seat, card) {
  const hand = t.hands[seat];
  const elsewhere = t.gone.includes(card) || t.hands.some((other) => other.includes(card));
  const place = hand.includes(card) ? hand.indexOf(card) : elsewhere && card !== null ? -1 : hand.indexOf(null);
  need(place >= 0, "rules");
  hand.splice(place, 1);
  t.open = t.open.filter((other) => other !== card);
}

// The first event of a game without a first dealer, and what every deal has in common.
function dealing(t, pack, draw, open, mine, leader) {
  if (t.dealer === null) return happens("drawn", [draw ? draw[0] : null], { open: [0] });
  return happens("dealt", pack ? [...pack] : range(52).map(() => null), { open, mine, leader });
}
function drawn(t, event) {
  t.dealer = PACK.indexOf(event.slots[0]) % t.seats;
}
function drawing(t, seat) {
  need(t.stock.length > 0, "rules");
  return happens("drew", [t.stock[0]], { seat, mine: (other) => (other === seat ? [0] : []) });
}
function newHand(t, event, cards) {
  Object.assign(t, { hand: t.hand + 1, open: [], gone: [], stage: "play" });
  t.hands = range(t.seats).map((seat) => dealtTo(t, seat, cards).map((place) => event.slots[place]));
}

// Both hands, or what is left of all, are turned up: a hand that everybody knows needs no outcome, another is given whole.
function showing(t) {
  const slots = [], open = [];
  for (const hand of t.hands) {
    const known = hand.every((card) => t.open.includes(card));
    const truth = !hand.includes(null);
    if (!known) open.push(...range(hand.length).map((i) => slots.length + i));
    slots.push(...(truth ? ascending(hand) : hand.map(() => null)));
  }
  return happens("shown", slots, { open });
}
function shown(t, event) {
  let place = 0;
  t.hands = t.hands.map((hand) => {
    const cards = event.slots.slice(place, (place += hand.length));
    const fits = cards.every((card, i) => aCard(card) && (i === 0 || cards[i - 1] < card) && !t.gone.includes(card));
    need(fits && hand.every((card) => card === null || cards.includes(card)), "rules");
    return cards;
  });
}

// --- hearts -----------------------------------------------------------------------------------------------------------

const QUEEN = 0x3c, TWO = 0x02;
const CYCLES = { left: [1], left_right_across: [1, 3, 2], left_right_across_none: [1, 3, 2, 0], none: [0] };
const hearts = {
  options: ["end_score", "end_when", "passing", "opening_lead", "two_must_be_led", "points_on_first_trick", "break_hearts",
    "queen_breaks_hearts", "queen_points", "jack_of_diamonds", "no_trick_bonus", "moon", "exact_resets", "quit_when_points_played"],
  seats: () => 4,
  actions: [{ hidden: true, shape: [bin(3)] }, { hidden: false, shape: [aCard] }],
  to(t) { const cycle = CYCLES[t.o.passing]; return cycle[(t.hand - 1) % cycle.length]; },
  leader(t, hands) {
    if (t.o.opening_lead === "eldest") return undefined;
    const seat = hands.findIndex((hand) => hand.includes(TWO));
    return hands.some((hand) => hand.includes(null)) ? null : seat;
  },
  deal(t, pack, draw) {
    const stays = this.to({ ...t, hand: t.hand + 1 }) === 0;
    const hands = pack ? range(4).map((seat) => dealtTo(t, seat, 52).map((place) => pack[place])) : [[null]];
    return dealing(t, pack, draw, [], (seat) => dealtTo(t, seat, 52), stays ? this.leader(t, hands) : undefined);
  },
  act(t, seat, action, fields) {
    return action === 1 ? happens("played", [fields[0]], { seat }) : happens("passed", fields ? [...fields[0]] : [null, null, null], { seat });
  },
  show(t) {
    const slots = range(4).flatMap((seat) => ascending(t.passed[(seat + 4 - this.to(t)) % 4]));
    const hands = t.hands.map((hand, seat) => [...hand, ...slots.slice(3 * seat, 3 * seat + 3)]);
    return happens("exchanged", slots, { mine: (seat) => range(3).map((i) => 3 * seat + i), leader: this.leader(t, hands) });
  },
  play(t, event) {
    const { kind, seat, slots } = event;
    if (kind === "drawn") return drawn(t, event);
    if (kind === "passed") {
      t.passed[seat] = slots;
      slots.forEach((card) => remove(t, seat, card));
      t.toAct = t.toAct.filter((other) => other !== seat);
      if (!t.toAct.length) t.stage = "show";
    } else if (kind === "played") this.playCard(t, seat, slots[0]);
    else {
      if (kind === "dealt") newHand(t, event, 52);
      else t.hands.forEach((hand, owner) => hand.push(...slots.slice(3 * owner, 3 * owner + 3)));
      Object.assign(t, { stage: "play", toAct: [0, 1, 2, 3], passed: [], trick: [], broken: false, tricks: 0, points: 0 });
      t.passing = kind === "dealt" && this.to(t) !== 0;
      if (t.passing) return;
      t.toAct = [t.o.opening_lead === "eldest" ? (t.dealer + 1) % 4 : event.leader];
      const hand = t.hands[t.toAct[0]];
      if (t.o.opening_lead === "eldest" || hand.includes(TWO)) return;
      remove(t, t.toAct[0], TWO);
      hand.push(TWO);
    }
  },
  playCard(t, seat, card) {
    remove(t, seat, card);
    t.gone.push(card);
    t.trick.push([seat, card]);
    t.points += this.point(card) ? 1 : 0;
    t.broken ||= suit(card) === 2 || (card === QUEEN && t.o.queen_breaks_hearts);
    t.toAct = [(seat + 1) % 4];
    if (t.trick.length < 4) return;
    const follow = t.trick.filter(([, other]) => suit(other) === suit(t.trick[0][1]));
    t.toAct = [follow.reduce((best, one) => (rank(one[1]) > rank(best[1]) ? one : best))[0]];
    t.trick = [];
    t.tricks += 1;
    if (t.tricks === 13 || (t.o.quit_when_points_played && t.points === 14)) {
      Object.assign(t, { stage: "over", toAct: [], dealer: (t.dealer + 1) % 4 });
    }
  },
  point: (card) => suit(card) === 2 || card === QUEEN,
  legal(t, seat) {
    const hand = t.hands[seat];
    if (t.passing) {
      const cards = ascending(hand);
      return cards.flatMap((a, i) => cards.slice(i + 1).flatMap((b, j) =>
        cards.slice(i + j + 2).map((c) => [0, Uint8Array.of(a, b, c)])));
    }
    return this.cards(t, hand).map((card) => [1, card]);
  },
  cards(t, hand) {
    const first = t.tricks === 0;
    if (first && !t.trick.length && t.o.opening_lead === "two_of_clubs") {
      return hand.filter((card) => (t.o.two_must_be_led ? card === TWO : suit(card) === 0));
    }
    const follows = hand.filter((card) => t.trick.length && suit(card) === suit(t.trick[0][1]));
    const unbroken = (card) => suit(card) === 2 || (card === QUEEN && t.o.queen_breaks_hearts);
    const barred = !t.trick.length && t.o.break_hearts && !t.broken ? unbroken : () => false;
    const cards = follows.length ? follows : hand;
    const better = cards.filter((card) => !barred(card) && !(first && !t.o.points_on_first_trick && this.point(card)));
    return better.length ? better : cards;
  },
};

// --- crazy eights -----------------------------------------------------------------------------------------------------

const eights = {
  options: ["winning_score", "two_draws_two", "jack_skips", "king_reverses", "draw_one_only", "players"],
  seats: (o) => o.players,
  actions: [{ hidden: false, shape: [aCard, either(nil, int(3))] }, { hidden: false, shape: [] }, { hidden: false, shape: [] }],
  cards: (t) => (t.seats === 2 ? 14 : 5 * t.seats),
  deal(t, pack, draw) {
    const from = this.cards(t);
    const starter = (slots) => range(52).slice(from, 1 + slots.findIndex((card, i) => i >= from && card !== null && rank(card) !== 8));
    return dealing(t, pack, draw, starter, (seat) => dealtTo(t, seat, from));
  },
  act(t, seat, action, fields) {
    if (action === 0) return happens("played", [fields[0]], { seat, suit: fields[1] });
    return action === 2 ? happens("passed", [], { seat }) : drawing(t, seat);
  },
  show: showing,
  play(t, event) {
    const { kind, seat, slots } = event;
    if (kind === "drawn") return drawn(t, event);
    if (kind === "shown") {
      shown(t, event);
      t.dealer = (t.dealer + 1) % t.seats;
      t.stage = "over";
    } else if (kind === "dealt") {
      const from = this.cards(t);
      const starter = slots.findIndex((card, i) => i >= from && card !== null && rank(card) !== 8);
      need(starter >= from && slots.slice(from, starter).every((card) => card !== null), "faces");
      newHand(t, event, from);
      Object.assign(t, { stock: [...slots.slice(starter + 1), ...slots.slice(from, starter)], eights: starter - from });
      Object.assign(t, { top: slots[starter], suit: suit(slots[starter]), way: 1, owed: 0, drew: 0, passes: 0, toAct: [(t.dealer + 1) % t.seats] });
      t.gone = [t.top];
    } else if (kind === "drew") {
      if (t.stock.length <= t.eights) t.open.push(t.stock[0]);
      t.hands[seat].push(slots[0]);
      t.stock.shift();
      if (t.owed) t.owed -= 1;
      else t.drew += 1;
    } else if (kind === "passed") {
      t.passes = t.stock.length ? 0 : t.passes + 1;
      if (t.passes === t.seats) Object.assign(t, { stage: "show", toAct: [] });
      else this.turn(t, seat, 1);
    } else {
      const card = slots[0];
      remove(t, seat, card);
      t.gone.push(card);
      Object.assign(t, { top: card, suit: rank(card) === 8 ? event.suit : suit(card), passes: 0 });
      if (t.hands[seat].length === 0) return Object.assign(t, { stage: "show", toAct: [] });
      if (rank(card) === 13 && t.o.king_reverses && t.seats > 2) t.way = -t.way;
      this.turn(t, seat, rank(card) === 11 && t.o.jack_skips ? 2 : 1);
      if (rank(card) === 2 && t.o.two_draws_two) t.owed = Math.min(2, t.stock.length);
    }
  },
  turn(t, seat, places) {
    Object.assign(t, { toAct: [(seat + places * t.way + 2 * t.seats) % t.seats], owed: 0, drew: 0 });
  },
  legal(t, seat) {
    if (t.owed) return [[1]];
    const hand = t.hands[seat];
    const plays = hand.filter((card) => rank(card) === 8 || suit(card) === t.suit || (rank(card) === rank(t.top))).flatMap((card) =>
      rank(card) === 8 && hand.length > 1 ? range(4).map((named) => [0, card, named]) : [[0, card, null]]);
    const draws = t.stock.length && !(t.o.draw_one_only && t.drew) ? [[1]] : [];
    return plays.length || draws.length ? [...plays, ...draws] : [[2]];
  },
};

// --- gin rummy --------------------------------------------------------------------------------------------------------

const low = (card) => (rank(card) === 14 ? 1 : rank(card));
const worth = (cards) => cards.reduce((sum, card) => sum + Math.min(10, low(card)), 0);
const isSet = (cards) => cards.every((card) => rank(card) === rank(cards[0]));
const isRun = (cards) => cards.every((card) => suit(card) === suit(cards[0]))
  && cards.map(low).sort((a, b) => a - b).every((r, i, all) => i === 0 || r === all[i - 1] + 1);
const isMeld = (cards) => cards.length >= 3 && (isSet(cards) || isRun(cards));

// Every choice of melds of a hand that have no card in common.
function arrangements(hand) {
  const bySuit = [...hand].sort((a, b) => suit(a) - suit(b) || low(a) - low(b));
  const runs = range(hand.length).flatMap((i) => range(hand.length - i - 2).map((more) => bySuit.slice(i, i + more + 3)));
  const same = PACK.slice(0, 13).map((card) => hand.filter((other) => rank(other) === rank(card)));
  const sets = same.flatMap((cards) => [cards, ...cards.map((card) => cards.filter((other) => other !== card))]);
  const from = (melds, chosen) => [chosen, ...melds.flatMap((meld, i) =>
    from(melds.slice(i + 1).filter((other) => !other.some((card) => meld.includes(card))), [...chosen, meld]))];
  return from([...runs.filter(isRun), ...sets.filter(isMeld)], []);
}
const left = (hand, melds) => hand.filter((card) => !melds.flat().includes(card));
const deadwood = (hand) => Math.min(...arrangements(hand).map((melds) => worth(left(hand, melds))));

// Of the arrangements with the least deadwood the usual one: texts of the same order as what is compared are sorted.
function usual(hand) {
  const text = (numbers) => String.fromCharCode(...ascending(numbers));
  const key = (melds) => text([99 - melds.filter(isSet).flat().length]) + text(left(melds.flat(), melds.filter(isSet)).map(low))
    + "\0" + melds.map(text).sort().join("\0");
  const least = deadwood(hand);
  return arrangements(hand).filter((melds) => worth(left(hand, melds)) === least).sort((a, b) => (key(a) < key(b) ? -1 : 1))[0];
}

// The least deadwood of a hand that lays off on these melds what it can, on runs before sets.
function laidOff(hand, melds) {
  const layOff = (rest, table) => {
    const found = rest.flatMap((card) => table.filter((meld) => isMeld([...meld, card])).map((meld) => [card, meld]));
    const best = found.find(([, meld]) => !isSet(meld)) ?? found[0];
    return best ? layOff(left(rest, [[best[0]]]), table.map((meld) => (meld === best[1] ? [...meld, best[0]] : meld))) : worth(rest);
  };
  return Math.min(...arrangements(hand).map((own) => layOff(left(hand, own), melds)));
}

const gin = {
  options: ["winning_score", "gin_bonus", "undercut_bonus", "knock_limit", "layoff", "oklahoma", "oklahoma_ace_gin", "oklahoma_spades_double",
    "big_gin", "big_gin_bonus", "hollywood", "game_bonus", "box_bonus", "shutout_double"],
  seats: () => 2,
  actions: [[], [], [], [aCard], [aCard, either(nil, list(bin(3, 11), 3))], [either(nil, aCard)]].map((shape) => ({ hidden: false, shape })),
  deal: (t, pack, draw) => dealing(t, pack, draw, [20], (seat) => dealtTo(t, seat, 20)),
  act(t, seat, action, fields) {
    if (action === 2) return drawing(t, seat);
    if (action < 4) return happens(["passed", "took", "", "discarded"][action], fields, { seat });
    return happens("knocked", fields[0] === null ? [] : [fields[0]], { seat, gin: action === 5, melds: fields[1] ?? null });
  },
  show: showing,
  play(t, event) {
    const { kind, seat, slots } = event;
    if (kind === "drawn") return drawn(t, event);
    if (kind === "shown") {
      shown(t, event);
      t.dealer = this.winner(t);
      t.stage = "over";
    } else if (kind === "dealt") {
      newHand(t, event, 20);
      const up = slots[20];
      t.limit = !t.o.oklahoma ? t.o.knock_limit : low(up) === 1 && t.o.oklahoma_ace_gin ? 0 : worth([up]);
      Object.assign(t, { stock: slots.slice(21), discards: [up], gone: [up], phase: "first", toAct: [1 - t.dealer], taken: null, turns: 0 });
    } else if (kind === "passed") {
      t.phase = t.phase === "first" ? "second" : "forced";
      t.toAct = [1 - seat];
    } else if (kind === "took") {
      need(t.discards.length > 0, "rules");
      t.taken = t.discards.pop();
      t.gone = t.gone.filter((card) => card !== t.taken);
      t.hands[seat].push(t.taken);
      t.open.push(t.taken);
      t.phase = "discard";
    } else if (kind === "drew") {
      t.hands[seat].push(slots[0]);
      t.stock.shift();
      t.phase = "discard";
    } else {
      need(t.phase === "discard", "rules");
      slots.forEach((card) => { remove(t, seat, card); t.gone.push(card); });
      if (kind === "knocked") return Object.assign(t, { knock: [seat, event.gin, event.melds], stage: "show", toAct: [] });
      Object.assign(t, { phase: "draw", taken: null, turns: t.turns + 1, toAct: [1 - seat] });
      t.discards.push(slots[0]);
      if (t.stock.length <= 2 || t.turns === 200) Object.assign(t, { stage: "over", toAct: [] });
    }
  },
  winner(t) {
    const [seat, isGin, named] = t.knock;
    const [hand, other] = [t.hands[seat], t.hands[1 - seat]];
    const points = deadwood(hand);
    const melds = named ? named.map((meld) => [...meld]) : usual(hand);
    need(isGin ? points === 0 : points > 0 && points <= t.limit, "rules");
    need(melds.every((meld) => isMeld(meld) && meld.every((card) => hand.includes(card))) && new Set(melds.flat()).size === melds.flat().length, "rules");
    need(worth(left(hand, melds)) === points, "rules");
    const theirs = points && t.o.layoff ? laidOff(other, melds) : deadwood(other);
    return points === 0 || points < theirs ? seat : 1 - seat;
  },
  legal(t, seat) {
    if (t.phase !== "discard") return { first: [[0], [1]], second: [[0], [1]], forced: [[2]], draw: [[1], [2]] }[t.phase];
    const hand = t.hands[seat];
    const moves = t.o.big_gin && deadwood(hand) === 0 ? [[5, null]] : [];
    for (const card of hand.filter((one) => one !== t.taken)) {
      const points = deadwood(hand.filter((one) => one !== card));
      moves.push([3, card]);
      if (points === 0) moves.push([5, card]);
      else if (points <= t.limit) moves.push([4, card, null]);
    }
    return moves;
  },
};

// --- all --------------------------------------------------------------------------------------------------------------

export const GAMES = { hearts, crazy_eights: eights, gin_rummy: gin };

export function begin(key, values, dealer) {
  const o = Object.fromEntries(GAMES[key].options.map((name, i) => [name, values[i]]));
  return { o, seats: GAMES[key].seats(o), dealer, hand: 0, stage: "deal", toAct: [], hands: [], open: [], gone: [] };
}
export const knowsHand = (t, seat) => !t.hands[seat].includes(null);

// Whether a seat whose hand is known may do this; melds that a knocker names are judged when the hand is shown.
export function allowed(key, t, seat, move) {
  const plain = key === "gin_rummy" && move[0] === 4 ? [4, move[1], null] : move;
  return GAMES[key].legal(t, seat).some((one) => JSON.stringify(one) === JSON.stringify(plain));
}
