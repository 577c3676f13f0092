// Three games, as their pages describe them (games/*.md, rules/*.md). One kind of table serves a view and the truth: a card that has not
// been seen here is null. What happens is an event: its slots; open(slots): the places that an outcome must fill; mine(seat): those that
// this seat sees; leader: null where an outcome must name the seat, or else the true seat; and then(slots, leader), which carries it out.
// An action of a game is the shape of its fields, the moves that a seat has, and what it changes besides where its card is.
import { bin, either, int, list, need, nil, row } from "./wire.mjs";

export const range = (n) => Array.from({ length: n }, (_, i) => i);
export const PACK = [0, 16, 32, 48].flatMap((suit) => range(13).map((i) => suit + i + 2));
const rank = (card) => card & 15;
const suit = (card) => card >> 4;
const ascending = (cards) => [...cards].sort((a, b) => a - b);
const subsets = (cards) => cards.reduce((all, card) => [...all, ...all.map((one) => [...one, card])], [[]]);
const aCard = (v) => PACK.includes(v);

// --- what the games have in common ------------------------------------------------------------------------------------

// Takes a card out of a hand; a card that was not seen there takes the place of a hidden one, unless it is known to be elsewhere.
function remove(t, seat, card) {
  const hand = t.hands[seat];
  const elsewhere = [t.pile, t.stock, ...t.hands].flat().includes(card);
  const place = hand.includes(card) ? hand.indexOf(card) : elsewhere ? -1 : hand.indexOf(null);
  need(place >= 0, "rules");
  hand.splice(place, 1);
  t.open = t.open.filter((other) => other !== card);
}

// The first dealer is drawn, or the pack is dealt.
function deal(game, t, pack = range(52).map(() => null), draw = [null]) {
  if (t.dealer === null) return { slots: [draw[0]], open: () => [0], then([card]) { t.dealer = PACK.indexOf(card) % t.seats; } };
  const count = game.dealt(t);
  const to = (seat) => range(count).filter((i) => (t.dealer + 1 + i) % t.seats === seat);
  const hands = (slots) => range(t.seats).map((seat) => to(seat).map((place) => slots[place]));
  return { slots: [...pack], mine: to, ...game.deal(t, hands(pack)),
    then(slots, leader) {
      Object.assign(t, { stage: "play", hands: hands(slots), stock: slots.slice(count), pile: [], open: [] });
      game.begin(t, leader);
    } };
}

// The event of an action: its slots are the card that it lays on the pile, or draws, or the cards that only its seat sees.
function acted(one, t, seat, fields) {
  if (one.hidden) return { slots: [...(fields?.[0] ?? [null, null, null])], then: (cards) => one.play(t, seat, cards) };
  if (one.draws) return { slots: [t.stock[0]], mine: (other) => (other === seat ? [0] : []), then([card]) {
    t.stock.shift();
    t.hands[seat].push(card);
    one.play(t, seat, card);
  } };
  return { slots: one.shape.length && fields[0] !== null ? [fields[0]] : [], then([card]) {
    if (card !== undefined) {
      remove(t, seat, card);
      t.pile.push(card);
    }
    one.play(t, seat, ...fields);
  } };
}
const action = (shape, moves, play, more) => ({ shape, moves, play, ...more });
const plain = (play, more) => action([], () => [[]], play, more); // without fields, and legal whatever the hand is

// What is left in the hands is turned up: a hand that everybody knows needs no outcome, any other is given whole.
function showing(t, after) {
  const known = t.hands.flatMap((hand) => hand.map(() => hand.every((card) => t.open.includes(card))));
  return { slots: t.hands.flatMap((hand) => (hand.includes(null) ? hand.map(() => null) : ascending(hand))),
    open: () => range(known.length).filter((i) => !known[i]),
    then(slots) {
      t.hands = t.hands.map((hand) => {
        const cards = slots.splice(0, hand.length);
        need(cards.every((card, i) => (i === 0 || cards[i - 1] < card) && !t.pile.includes(card)), "rules");
        need(hand.every((card) => card === null || cards.includes(card)), "rules");
        return cards;
      });
      after();
      t.stage = "opening";
    } };
}

// --- hearts -----------------------------------------------------------------------------------------------------------

const QUEEN = 0x3c, TWO = 0x02, JACK = 0x1b;
const CYCLES = { left: [1], left_right_across: [1, 3, 2], left_right_across_none: [1, 3, 2, 0], none: [0] };
const isPoint = (card) => suit(card) === 2 || card === QUEEN;
const asHeart = (t, card) => suit(card) === 2 || (card === QUEEN && t.o.queen_breaks_hearts);
const breaks = (t, card, led) => asHeart(t, card) && (t.o.queen_breaks_hearts || suit(led) !== 2);
const ends = (t, card) => isPoint(card) || (card === JACK && t.o.jack_of_diamonds); // whether the end of a hand may wait for it
const passedTo = ({ o, hand }) => CYCLES[o.passing][hand % CYCLES[o.passing].length];

function leaderOf(t, hands) {
  if (t.o.opening_lead === "eldest") return undefined; // everybody knows
  return hands.flat().includes(null) ? null : hands.findIndex((hand) => hand.includes(TWO));
}
function lead(t, leader) {
  t.passed = null;
  t.toAct = [leader ?? (t.dealer + 1) % 4];
  if (leader === undefined) return;
  remove(t, leader, TWO); // it is there, face up from now on
  t.hands[leader].push(TWO);
}
const passes = (t, seat) => subsets(ascending(t.hands[seat])).filter((cards) => cards.length === 3)
  .map((cards) => [Uint8Array.from(cards)]);
function legalCards(t, seat) {
  const hand = t.hands[seat], first = t.pile.length < 4, leads = t.pile.length % 4 === 0;
  if (first && leads && t.o.opening_lead === "two_of_clubs") {
    return hand.filter((card) => (t.o.two_must_be_led ? card === TWO : suit(card) === 0));
  }
  const led = leads ? null : suit(t.pile.at(-(t.pile.length % 4)));
  const follows = hand.filter((card) => suit(card) === led);
  const cards = follows.length ? follows : hand;
  const unbroken = leads && t.o.break_hearts && !t.broken;
  const better = cards.filter((card) => !(unbroken && asHeart(t, card)) && !(first && !t.o.points_on_first_trick && isPoint(card)));
  return better.length ? better : cards;
}
const hearts = {
  options: ["end_score", "end_when", "passing", "opening_lead", "two_must_be_led", "points_on_first_trick", "break_hearts",
    "queen_breaks_hearts", "queen_points", "jack_of_diamonds", "no_trick_bonus", "moon", "exact_resets", "quit_when_points_played"],
  seats: () => 4,
  dealt: () => 52,
  deal: (t, hands) => ({ leader: passedTo(t) === 0 ? leaderOf(t, hands) : undefined }),
  begin(t, leader) {
    t.broken = false;
    if (passedTo(t) === 0) lead(t, leader);
    else Object.assign(t, { passed: [], toAct: range(4) });
  },
  may: (t) => (t.passed ? [0] : [1]),
  actions: [
    action([bin(3)], passes, (t, seat, cards) => { // Pass
      cards.forEach((card) => remove(t, seat, card));
      t.passed[seat] = cards;
      t.toAct = t.toAct.filter((other) => other !== seat);
      if (!t.toAct.length) t.stage = "show";
    }, { hidden: true }),
    action([aCard], (t, seat) => legalCards(t, seat).map((card) => [card]), (t, seat, card) => { // Play
      t.toAct = [(seat + 1) % 4];
      t.broken ||= breaks(t, card, t.pile[t.pile.length - 1 - (t.pile.length - 1) % 4]);
      if (t.pile.length % 4) return;
      const trick = t.pile.slice(-4);
      const best = Math.max(...trick.filter((card) => suit(card) === suit(trick[0])));
      t.toAct = [(seat + 1 + trick.indexOf(best)) % 4];
      const all = PACK.filter((one) => ends(t, one)).length;
      const played = t.pile.length === 52 || (t.o.quit_when_points_played && t.pile.filter((one) => ends(t, one)).length === all);
      if (played) Object.assign(t, { stage: "opening", toAct: [], dealer: (t.dealer + 1) % 4, hand: t.hand + 1 });
    }),
  ],
  show(t) {
    const slots = range(4).flatMap((seat) => ascending(t.passed[(seat + 4 - passedTo(t)) % 4]));
    const hands = t.hands.map((hand, seat) => [...hand, ...slots.slice(3 * seat, 3 * seat + 3)]);
    return { slots, mine: (seat) => range(3).map((i) => 3 * seat + i), leader: leaderOf(t, hands), then(cards, leader) {
      t.hands.forEach((hand, seat) => hand.push(...cards.slice(3 * seat, 3 * seat + 3)));
      t.stage = "play";
      lead(t, leader);
    } };
  },
};

// --- crazy eights -----------------------------------------------------------------------------------------------------

const isEight = (card) => rank(card) === 8;
const eightsDealt = (t) => (t.seats === 2 ? 14 : 5 * t.seats);
const starterOf = (slots, from) => slots.findIndex((card, i) => i >= from && card !== null && !isEight(card));

function eightsPlays(t, seat) {
  const hand = t.hands[seat];
  return hand.filter((card) => isEight(card) || suit(card) === t.suit || rank(card) === rank(t.pile.at(-1)))
    .flatMap((card) => (isEight(card) && hand.length > 1 ? range(4).map((named) => [card, named]) : [[card, null]]));
}
function turn(t, seat, places) {
  Object.assign(t, { toAct: [(seat + places * t.way + 2 * t.seats) % t.seats], owed: 0, drew: false });
}
const crazyEights = {
  options: ["winning_score", "two_draws_two", "jack_skips", "king_reverses", "draw_one_only", "players"],
  seats: (o) => o.players,
  dealt: eightsDealt,
  deal: (t) => ({ open: (slots) => range(1 + starterOf(slots, eightsDealt(t))).slice(eightsDealt(t)) }),
  begin(t) {
    const eights = starterOf(t.stock, 0);
    need(eights >= 0, "faces");
    const [top, ...rest] = t.stock.slice(eights);
    Object.assign(t, { stock: [...rest, ...t.stock.slice(0, eights)], eights, pile: [top], suit: suit(top), way: 1, passes: 0 });
    turn(t, t.dealer, 1);
  },
  may(t) {
    if (t.owed) return [1];
    return t.stock.length && !(t.o.draw_one_only && t.drew) ? [0, 1] : [0, 2];
  },
  actions: [
    action([aCard, either(nil, int(3))], eightsPlays, (t, seat, card, named) => { // Play
      Object.assign(t, { suit: isEight(card) ? named : suit(card), passes: 0 });
      if (!t.hands[seat].length) return Object.assign(t, { stage: "show", toAct: [] });
      if (rank(card) === 13 && t.o.king_reverses && t.seats > 2) t.way = -t.way;
      turn(t, seat, rank(card) === 11 && t.o.jack_skips ? 2 : 1);
      if (rank(card) === 2 && t.o.two_draws_two) t.owed = Math.min(2, t.stock.length);
    }),
    plain((t, seat, card) => { // Draw
      if (t.stock.length < t.eights) t.open.push(card); // it lay face up
      if (t.owed) t.owed -= 1;
      else t.drew = true;
    }, { draws: true }),
    action([], (t, seat) => (eightsPlays(t, seat).length ? [] : [[]]), (t, seat) => { // Pass
      t.passes = t.stock.length ? 0 : t.passes + 1;
      if (t.passes === t.seats) Object.assign(t, { stage: "show", toAct: [] });
      else turn(t, seat, 1);
    }),
  ],
  show: (t) => showing(t, () => { t.dealer = (t.dealer + 1) % t.seats; }),
};

// --- gin rummy --------------------------------------------------------------------------------------------------------

const low = (card) => (rank(card) === 14 ? 1 : rank(card));
const worth = (cards) => cards.reduce((sum, card) => sum + Math.min(10, low(card)), 0);
const without = (cards, ...others) => cards.filter((card) => !others.includes(card));
const isSet = (cards) => cards.every((card) => rank(card) === rank(cards[0]));
const isRun = (cards) => new Set(cards.map(suit)).size === 1 && ascending(cards.map(low)).every((r, i, all) => r === all[0] + i);
const isMeld = (cards) => cards.length >= 3 && (isSet(cards) || isRun(cards));

// Every choice of melds of a hand that have no card in common.
function arrangements(hand) {
  const from = (melds, chosen) => [chosen, ...melds.flatMap((meld, i) =>
    from(melds.slice(i + 1).filter((other) => !other.some((card) => meld.includes(card))), [...chosen, meld]))];
  return from(subsets(hand).filter(isMeld), []);
}
const deadwood = (hand, melds) => worth(without(hand, ...melds.flat()));
const leastDeadwood = (hand) => Math.min(...arrangements(hand).map((melds) => deadwood(hand, melds)));

// Texts have the same order as the rows of numbers in them.
const text = (numbers) => String.fromCharCode(...ascending(numbers));
const inWords = (melds) => melds.map(text).sort().join("\0");
function usualOrder(melds) {
  const sets = melds.filter(isSet).flat();
  return [text([99 - sets.length]), text(without(melds.flat(), ...sets).map(low)), inWords(melds)].join("\0");
}
// The melds that a knocker lays down: those that were named, or the usual ones; undefined if the hand does not have those named.
function laidDown(hand, named) {
  const least = leastDeadwood(hand);
  const best = arrangements(hand).filter((melds) => deadwood(hand, melds) === least);
  if (!named) return best.sort((a, b) => (usualOrder(a) < usualOrder(b) ? -1 : 1))[0];
  return best.find((melds) => inWords(melds) === named.map((meld) => String.fromCharCode(...meld)).join("\0"));
}
// The least deadwood of these cards when one after the other may be laid off on melds.
function laidOff(cards, melds) {
  return Math.min(worth(cards), ...cards.flatMap((card) => melds.filter((meld) => isMeld([...meld, card])).map((meld) =>
    laidOff(without(cards, card), [...without(melds, meld), [...meld, card]]))));
}
const mayEnd = (t, isGin) => (points) => (isGin ? points === 0 : points > 0 && points <= t.limit);
function ginWinner(t) {
  const [seat, isGin, named] = t.knock;
  const [hand, other] = [t.hands[seat], t.hands[1 - seat]];
  const points = leastDeadwood(hand), melds = laidDown(hand, named);
  need(melds && mayEnd(t, isGin)(points), "rules");
  const table = points && t.o.layoff ? melds : [];
  const theirs = Math.min(...arrangements(other).map((own) => laidOff(without(other, ...own.flat()), table)));
  return points === 0 || points < theirs ? seat : 1 - seat;
}

// The cards of a hand that may be discarded and leave a deadwood that fits.
const discards = (t, seat, fits) => without(t.hands[seat], t.taken).filter((card) => fits(leastDeadwood(without(t.hands[seat], card))));
const bigGin = (t, seat) => (t.o.big_gin && leastDeadwood(t.hands[seat]) === 0 ? [null] : []);
const knocked = (isGin) => (t, seat, card, melds = null) => Object.assign(t, { knock: [seat, isGin, melds], stage: "show", toAct: [] });

const ginRummy = {
  options: ["winning_score", "gin_bonus", "undercut_bonus", "knock_limit", "layoff", "oklahoma", "oklahoma_ace_gin",
    "oklahoma_spades_double", "big_gin", "big_gin_bonus", "hollywood", "game_bonus", "box_bonus", "shutout_double"],
  seats: () => 2,
  dealt: () => 20,
  deal: () => ({ open: () => [20] }),
  begin(t) {
    const up = t.stock.shift();
    const limit = !t.o.oklahoma ? t.o.knock_limit : low(up) === 1 && t.o.oklahoma_ace_gin ? 0 : worth([up]);
    Object.assign(t, { limit, pile: [up], phase: "first", toAct: [1 - t.dealer], taken: null, turns: 0 });
  },
  may: (t) => ({ first: [0, 1], second: [0, 1], forced: [2], draw: [1, 2], discard: [3, 4, 5] })[t.phase],
  actions: [
    plain((t, seat) => { Object.assign(t, { phase: t.phase === "first" ? "second" : "forced", toAct: [1 - seat] }); }), // Pass
    plain((t, seat) => { // Take
      Object.assign(t, { taken: t.pile.pop(), phase: "discard" });
      t.hands[seat].push(t.taken);
      t.open.push(t.taken);
    }),
    plain((t) => { t.phase = "discard"; }, { draws: true }), // Draw
    action([aCard], (t, seat) => without(t.hands[seat], t.taken).map((card) => [card]), (t, seat) => { // Discard
      Object.assign(t, { phase: "draw", taken: null, turns: t.turns + 1, toAct: [1 - seat] });
      if (t.stock.length <= 2 || t.turns === 200) Object.assign(t, { stage: "opening", toAct: [] });
    }),
    action([aCard, either(nil, list(bin(3, 11), 3))], (t, seat) => discards(t, seat, mayEnd(t, false)).map((card) => [card, null]),
      knocked(false)), // Knock
    action([either(nil, aCard)], (t, seat) => [...bigGin(t, seat), ...discards(t, seat, mayEnd(t, true))].map((card) => [card]),
      knocked(true)), // Gin
  ],
  show: (t) => showing(t, () => { t.dealer = ginWinner(t); }),
};

// --- all --------------------------------------------------------------------------------------------------------------

export const GAMES = { hearts, crazy_eights: crazyEights, gin_rummy: ginRummy };

// stage: dealing (a dealer is to be drawn first), play, show or opening; hand: how many are over; open: cards in hands that everybody knows.
export function begin(key, values, dealer) {
  const o = Object.fromEntries(GAMES[key].options.map((name, i) => [name, values[i]]));
  return { o, seats: GAMES[key].seats(o), dealer, hand: 0, stage: "dealing", toAct: [], hands: [], stock: [], pile: [], open: [] };
}
// A table at which a game goes on (company.md), from what it has kept; points are looked at, and not counted here.
export function goOn(key, t, kept) {
  const bySeat = row(...range(t.seats).map(() => int(2 ** 20, -(2 ** 20)))), seat = int(t.seats - 1);
  const columns = (v) => Array.isArray(v) && v.length === (t.o.hollywood ? 3 : 1) && v.every(row(bySeat, bySeat));
  need(row(int(65535, 1), seat, bySeat, key === "gin_rummy" ? columns : seat)(kept), "rules");
  [t.hand, t.dealer] = kept;
}
// The event of an action, of a show, or of a deal (packs: the true ones).
export function happening(key, t, { who, action: number, fields }, ...packs) {
  if (who !== undefined) return acted(GAMES[key].actions[number], t, who, fields);
  return t.stage === "show" ? GAMES[key].show(t) : deal(GAMES[key], t, ...packs);
}
export const legal = (key, t, seat) => GAMES[key].may(t).flatMap((number) =>
  GAMES[key].actions[number].moves(t, seat).map((fields) => [number, ...fields]));

// Whether a seat may do this, as far as its hand is known; melds that a knocker names are judged when the hand is shown.
export function allowed(key, t, seat, number, fields) {
  if (!GAMES[key].may(t).includes(number)) return false;
  const asked = JSON.stringify(key === "gin_rummy" && number === 4 ? [fields[0], null] : fields);
  return t.hands[seat].includes(null) || GAMES[key].actions[number].moves(t, seat).some((one) => JSON.stringify(one) === asked);
}
