// A game as a listener follows it, record by record: which entry may follow, signed by whom, and whether the deal was fair
// (records.md, fair-deal.md). Nothing here changes what it is given: a refused record leaves the game as it was.
import { LENGTH, commitment, derivedSalt, handSecret, leadsTo, shuffle } from "./deal.mjs";
import { GAMES, PACK, allowed, begin, goOn, happening, range } from "./games.mjs";
import { ENTRY, FACES, HEADER, HEADER_SHAPE, YES, admit, bin, bool, bytes, checkSignature, int, list, makeFrame, need, nextHead, pack, row, same,
  splitFrame, splitRecord, u16, u8, unpack } from "./wire.mjs";

export const [ACTION, COMMIT, OUTCOME, DEAL, TAKEOVER, RETURN, OPENING, CHECK, CLOSE, , PAUSE, CONTINUE, UNDO, REDEAL, , , , ABSENT] = range(18);
const MAY_FOLLOW = { // in which phase; show: a phase of play in which the coordinator owes an OUTCOME
  checks: [CHECK, ABSENT, TAKEOVER, RETURN, DEAL, CLOSE],
  dealing: [DEAL, TAKEOVER, RETURN, CLOSE],
  play: [ACTION, COMMIT, TAKEOVER, RETURN, PAUSE, OPENING, REDEAL], // no UNDO: these games take nothing back
  show: [OUTCOME, TAKEOVER, RETURN, PAUSE, OPENING, REDEAL],
  paused: [CONTINUE, TAKEOVER, RETURN, OPENING],
  opening: [OPENING, TAKEOVER, RETURN],
  closed: [],
};
const [base, seat, side, hand, value] = [int(), int(3), int(15), int(0xffffffff, 1), bin(24)];
const valueOrNone = (v) => value(v) || bin(0, 0)(v);
const pairs = (v) => bin(0, 510)(v) && v.length % 2 === 0 && v.every((place, i) => i % 2 || i === 0 || v[i - 2] < place);
const isOpening = (v) => Array.isArray(v) && bin(0, 10)(v[0]) && v[0].length % 10 === 0 && int(63)(v[1]); // [salt, action, fields...]
const yeses = (v) => list(row(side, bin(64)), 3)(v) && v.every(([one], i) => i === 0 || v[i - 1][0] < one);
const actionOf = (g, number) => GAMES[g.key].actions[number];
const fieldsFit = (g, action, fields) => actionOf(g, action) !== undefined && row(...actionOf(g, action).shape)(fields);
const ENTRIES = [ // by kind
  (v, g) => row(base, seat, int(63))(v.slice(0, 3)) && fieldsFit(g, v[2], v.slice(3)),
  (v, g) => row(base, seat, int(63), bin(20))(v) && actionOf(g, v[2]) !== undefined,
  row(pairs, pairs), row(base, hand, bin(0, 15), pairs, pairs), row(base, seat, int(3)), row(base, seat),
  row(base, hand, value, list((v) => Array.isArray(v) && int()(v[0]) && isOpening(v.slice(1)), 64)),
  row(base, side, int(), int(4), valueOrNone), (v, g) => row(base, int(g.version > 1 ? 2 : 1))(v), row(bin(1, 255)), row(base), row(base), row(base, yeses),
  row(base, side, yeses), row(base), row(base, seat), row(base, bool), row(base, side), // before the last three for a player who is alone
];

// A header as it comes, with what I staked and what else I know put back; a whole one as it is.
export function wholeHeader(data, me, end, nonce, coordinator) {
  const [{ value: header, signature }, rest] = splitFrame(data);
  need(rest.length === 0, "length");
  if (Array.isArray(header[4])) {
    header[4].filter(Array.isArray).forEach((side, i) => {
      side[0] ??= i ? me : coordinator;
      side[3] ??= end;
    });
  }
  header[10] ??= nonce;
  const body = pack(header);
  return bytes(u16(body.length + 64), body, signature);
}
// The same the other way round, for the side that sends it to this one, which has staked.
export function abridgedHeader(frame, mine) {
  const [{ value, signature }] = splitFrame(frame);
  const sides = value[4].map(([key, name, character, end], i) => [[0, mine].includes(i) ? null : key, name, character, i === mine ? null : end]);
  const body = pack(value.with(4, sides).with(10, null));
  return bytes(u16(body.length + 64), body, signature);
}
// The record of my move, from the frame and opening that I sent and what TAKEN brings.
export function ownRecord(sent, rest) {
  const [{ raw }, opening] = splitFrame(sent);
  return bytes(raw, rest, opening);
}

// me: my public key; end: of my chain; coordinator: the identity at the other end of the channel.
export function readHeader(data, me, end, coordinator) {
  const [{ body, value: header, signature, ...frame }, rest] = splitFrame(data);
  need(rest.length === 0, "length");
  need(HEADER_SHAPE(header), "shape");
  need(!Number.isInteger(header[12]) || header[4].length === 1, "shape"); // a numbered deal is for one side alone
  const goesOn = header[14]; // what a game that is continued has kept
  need(!goesOn || (header[8].length && header[9] === null), "shape");
  const [, version, key, options, sides, seats, grace, , previous, dealer] = header;
  const quorum = header[15]; // in the header of a successor: those of whom more than half make a hand count
  need(!quorum || (header[8].length && new Set(quorum.map(String)).size === quorum.length), "shape");
  const keys = sides.map((one) => one[0]), owners = seats.map((one) => one[0]);
  const sitting = owners.filter((one) => one !== null);
  need(seats.length >= 2 && keys.length >= 1 && (dealer === null || dealer < seats.length), "shape");
  need(new Set(sitting).size === sitting.length && sitting.every((one) => one < keys.length), "shape");
  need(new Set(keys.map(String)).size === keys.length, "shape");
  keys.forEach(admit);
  checkSignature(keys[0], bytes(HEADER, body), signature);
  need(Object.hasOwn(GAMES, key) && GAMES[key].options.length === options.length, "rules");
  const table = begin(key, options, dealer);
  need(table.seats === seats.length, "rules");
  if (goesOn) goOn(key, table, goesOn);
  const mine = keys.findIndex((theirs) => same(theirs, me));
  need(same(keys[0], coordinator) && mine > 0 && same(sides[mine][3], end), "rules");
  const head = nextHead(Buffer.alloc(0), frame);
  return { version, key, mine, table, continues: Boolean(goesOn), quorum: quorum?.map(String), dealer, grace, keys, owners, previous, id: head.subarray(0, 16), seat: owners.indexOf(mine), head0: head, head, count: 0, hand: 0,
    phase: "checks", roll: version === 1 ? null : range(keys.length).slice(1), several: false, phaseHead: head, phaseBase: 0, taken: [], checked: {}, silent: {}, known: sides.map((one) => [one[3], 0]), last: [],
    verdict: 0, script: [], ended: false, opened: 0, counted: 0, present: [], checkers: [],
    majorityOf: (quorum ?? owners.filter((one) => one !== null).map((one) => keys[one])).map(String) };
}

// --- where a successor of the coordinator may go on (company.md) ------------------------------------------------------

// A hand counts once the coordinator and those who checked it are more than half of the quorum; of two who began a game the coordinator is enough.
export const countHand = (g) => countWith(g, g.checkers.map((one) => String(g.keys[one])));
// Nobody has checked a hand after which the game is closed to continue: those who played it are counted.
export const countContinued = (g) => countWith(g, g.present);
function countWith(g, keys) {
  const sitting = g.owners.filter((one) => one !== null), host = String(g.keys[0]);
  const ofTwo = !g.quorum && sitting.length === 2 && sitting.includes(0);
  const enough = 2 * g.majorityOf.filter((one) => one === host || keys.includes(one)).length > g.majorityOf.length
    || (ofTwo && g.majorityOf.includes(host));
  if (g.counted === g.opened || g.ended || !enough) return;
  g.counted = g.opened;
  if (g.present.length && !ofTwo) g.majorityOf = oneChanged(g.majorityOf, g.present);
}
const ascending = (keys) => [...keys].sort((a, b) => Buffer.compare(Buffer.from(a.split(",")), Buffer.from(b.split(","))));
// The quorum with one key more, or one less: so two majorities, before and after, have somebody in common.
function oneChanged(quorum, present) {
  const [comes] = ascending(present.filter((one) => !quorum.includes(one)));
  const [drops] = ascending(quorum.filter((one) => !present.includes(one)));
  return comes ? [...quorum, comes] : quorum.filter((one) => one !== drops);
}
// Whether the game can go on from here: from the header, or right after a hand was opened. Here nobody counts who has won.
export const isBase = (g) => g.count === 0 || (g.phase === "checks" && g.opened === g.hand && g.hand > 0 && !g.checkers.length && !g.ended);
// Whether a new game goes on from this base as it has to; points are not counted here.
export function succeedsRightly(begun, base) {
  const stood = ({ key, grace, table: { o, hand, dealer, seats } }) => JSON.stringify([key, grace, o, hand, dealer, seats]);
  const known = base.keys.some((theirs) => same(theirs, begun.keys[0]));
  return known && same(begun.previous, base.head) && stood(begun) === stood(base) && String(begun.quorum) === String(ascending(base.majorityOf))
    && (base.seat < 0 || begun.seat === base.seat) && begun.continues === base.table.hand > 0;
}

// --- records ----------------------------------------------------------------------------------------------------------

function readRecord(g, data) {
  const [frames, rest] = splitRecord(data);
  need(frames.length, "length");
  need(frames.every(({ value: [kind, ...fields] }) => int(g.version === 1 ? 9 : 17)(kind) && ENTRIES[kind](fields, g)), "shape");
  need(/^([01]2?9?|[23]9?|[4-8]|a|b|c|d|e|f|10|11)$/.test(frames.map((frame) => frame.value[0].toString(16)).join("")), "shape");
  const faces = frames.at(-1).value[0] === 9 ? frames.pop() : null;
  const [entry, outcome] = frames;
  need(!outcome || outcome.value[1].length + outcome.value[2].length, "shape");
  const opening = rest.length ? unpack(rest.subarray(2)) : null;
  need(!rest.length || (entry.value[0] === COMMIT && isOpening(opening)), "shape");
  return { entry, outcome, faces, opening };
}

export const moverOf = (g, who) => (g.owners[who] === null || g.taken.includes(who) ? 0 : g.owners[who]);
export const due = (g, kind) => ((kind <= COMMIT && g.several) || kind === CHECK ? [g.phaseBase, g.phaseHead] : [g.count, g.head]);

// The game after a record, or Refused.
export function advance(before, data) {
  const g = structuredClone(before);
  const { entry, outcome, faces, opening } = readRecord(g, data);
  const [kind, ...fields] = entry.value;
  const [expected, context] = due(g, kind);
  need(kind === OUTCOME || fields[0] === expected, "base");
  need(![ACTION, COMMIT, TAKEOVER, RETURN].includes(kind) || fields[1] < g.owners.length, "seat");
  need(kind !== CHECK || (fields[1] > 0 && fields[1] < g.keys.length), "seat");
  const by = kind <= COMMIT ? moverOf(g, fields[1]) : kind === CHECK ? fields[1] : 0;
  checkSignature(g.keys[by], bytes(ENTRY, context, entry.body), entry.signature);
  g.head = nextHead(g.head, entry);
  if (outcome) {
    checkSignature(g.keys[0], bytes(ENTRY, g.head, outcome.body), outcome.signature);
    g.head = nextHead(g.head, outcome);
  }
  g.count += 1;
  need(MAY_FOLLOW[g.phase].includes(kind), "rules");
  if (kind === REDEAL) checkYeses(before, kind, fields);
  const step = STEPS[kind](g, fields, opening);
  const shown = kind === DEAL ? fields.slice(3) : kind === OUTCOME ? fields : outcome ? outcome.value.slice(1) : [[], []];
  if (step) take(g, step, shown, faces);
  return g;
}

// Everybody who plays their own seat has to have said yes, but for the coordinator, who says it by the entry.
function checkYeses(g, kind, fields) {
  const given = fields.pop();
  const voters = [...new Set(g.owners.map((_, who) => moverOf(g, who)))].filter((one) => one > 0).sort();
  need(String(voters) === String(given.map(([one]) => one)), "signature");
  given.forEach(([one, signature]) => checkSignature(g.keys[one], bytes(YES, g.head, pack([kind, ...fields])), signature));
}

const STEPS = { // what each kind of entry does; those that make an event return its step of the script
  [ACTION](g, [, who, action, ...fields]) {
    need(g.table.toAct.includes(who) && !actionOf(g, action).hidden && allowed(g.key, g.table, who, action, fields), "rules");
    return { who, action, fields };
  },
  [COMMIT](g, [at, who, action, committed], opening) {
    need(g.table.toAct.includes(who) && actionOf(g, action).hidden, "rules");
    need((who === g.seat) === (opening !== null), "faces");
    const [salt, ...chosen] = opening ?? [];
    if (opening) {
      need(salt.length === 10 && chosen[0] === action && same(commitment(salt, chosen), committed), "faces");
      need(fieldsFit(g, action, chosen.slice(1)) && allowed(g.key, g.table, who, action, chosen.slice(1)), "rules");
    }
    return { who, action, fields: opening && chosen.slice(1), committed, at, record: g.count - 1 };
  },
  [OUTCOME]: () => ({}),
  [DEAL](g, [, number, absent]) {
    const again = g.phase === "dealing";
    need(!g.ended && number === g.hand + (again ? 0 : 1), "rules");
    if (!again) need(awaited(g).length === 0, "fairness");
    if (!again) Object.assign(g, partsOf(g));
    need(same(Uint8Array.from(g.absent), absent), "fairness");
    if (!again) Object.assign(g, { hand: number, start: structuredClone(g.table), origin: structuredClone(g.table), script: [] });
    return {};
  },
  [TAKEOVER](g, [, who, why]) {
    need(g.owners[who] !== null && !g.taken.includes(who), "rules");
    need(g.phase !== "paused" || why > 1, "rules"); // no clock runs
    g.taken.push(who);
    if (why === 2) g.majorityOf = g.majorityOf.filter((one) => one !== String(g.keys[g.owners[who]])); // for good
  },
  [RETURN](g, [, who]) {
    need(g.taken.includes(who), "rules");
    g.taken = g.taken.filter((other) => other !== who);
  },
  [OPENING](g, [, number, opened, openings]) {
    need(number === g.hand, "rules");
    const countsBefore = g.counted === g.opened;
    g.opened = number;
    g.ended = g.phase !== "opening";
    Object.assign(g, { checkers: [], present: g.owners.filter((one, i) => one !== null && !g.taken.includes(i)).map((one) => String(g.keys[one])) });
    if (g.ended && countsBefore) g.counted = number;
    countHand(g);
    g.verdict = judge(g, opened, openings);
    if (g.verdict !== 1) g.known[0] = [opened, number];
    if (g.roll) g.roll = range(g.keys.length).filter((one) => one && g.known[one][1] === number);
    g.last = g.known.map(([value]) => value);
    if (g.givenUp) Object.assign(g, { table: structuredClone(g.origin), givenUp: false });
    Object.assign(g, { phase: "checks", phaseHead: g.head, phaseBase: g.count, checked: {}, silent: {}, several: false });
  },
  [REDEAL](g, [, who]) {
    need(g.owners.includes(who), "seat");
    Object.assign(g, { phase: "opening", givenUp: true });
  },
  [CHECK](g, [, who, number, , shown]) {
    need(number === g.hand && !g.checked[who], "rules");
    const gives = shown.length > 0;
    need(gives ? leadsTo(shown, g.known[who][0], number + 1 - g.known[who][1]) : g.roll, "fairness");
    need(gives || !needed(g, who), "fairness");
    if (gives) g.known[who] = [shown, number + 1];
    else if (awaited(g).includes(who)) {
      g.silent[who] = shown; // until the next OPENING
      dropOut(g, who);
    }
    g.checked[who] = shown;
    g.checkers.push(who);
    countHand(g);
  },
  [ABSENT](g, [, who]) {
    need(awaited(g).includes(who) && !needed(g, who), "rules");
    dropOut(g, who);
  },
  [PAUSE](g) { g.phase = "paused"; },
  [CONTINUE](g) { g.phase = g.table.stage; },
  [CLOSE](g, [, why]) { // who has won is not counted here
    const opened = g.phase === "checks" && g.hand > 0 && g.hand === g.opened && !g.ended && !Object.keys(g.checked).length;
    need(why < 2 || (opened && g.version > 2), "rules");
    if (why === 2) countContinued(g);
    Object.assign(g, { phase: "closed", goesOn: why === 2 });
  },
};

// Both packs of a hand, where the coordinator's value is this; parts: of all listeners, as partsOf gives them.
export function packsOf(g, hand, value, parts) {
  const secret = handSecret(g.version, g.head0, hand, value, parts);
  return [shuffle(PACK, secret, "pack"), shuffle(PACK, secret, "draw")];
}
// The sides that the next deal has to wait for; and what becomes of the table when one of them gives nothing.
export const awaited = (g) => (g.ended ? [] : (g.roll ?? []).filter((one) => !g.checked[one]));
// The first hand is dealt by all, and none by the coordinator alone.
const needed = (g, who) => awaited(g).includes(who) && (g.hand === 0 || g.roll.length === 1);
function dropOut(g, who) {
  Object.assign(g, { roll: g.roll.filter((one) => one !== who), hand: g.hand + 1, checked: { ...g.silent }, phaseHead: g.head, phaseBase: g.count });
}

// The listeners' values in the next pack; in place of that of one who is absent the last one, from when the roll was called.
export function partsOf(g) {
  const here = g.roll ?? Object.keys(g.checked).map(Number);
  const listeners = range(g.keys.length).slice(1);
  const parts = listeners.filter((one) => g.roll || here.includes(one)).map((one) => [one, here.includes(one) ? g.checked[one] : g.last[one]]);
  return { parts, absent: listeners.filter((one) => !here.includes(one)) };
}

// Fills in what the coordinator shows of an event, and lets it happen.
function take(g, step, [cards, seats], faces) {
  const { slots, open = () => [], mine = () => [], leader, then } = happening(g.key, g.table, step);
  const places = [...cards].filter((_, i) => i % 2 === 0);
  places.forEach((place, i) => {
    need(place < slots.length && [null, cards[2 * i + 1]].includes(slots[place]), "faces");
    slots[place] = cards[2 * i + 1];
  });
  need(String(open(slots)) === String(places), "faces");
  need(leader === null ? seats.length === 2 && seats[0] === 1 && seats[1] < g.owners.length : seats.length === 0, "faces");
  const hidden = mine(g.seat).filter((place) => slots[place] === null);
  need(hidden.length === (faces ? faces.value[1].length : 0), "faces");
  if (faces) checkSignature(g.keys[0], bytes(FACES, g.head, u8(g.seat), faces.body), faces.signature);
  hidden.forEach((place, i) => { slots[place] = faces.value[1][i]; });
  const seen = slots.filter((card) => card !== null);
  need(seen.every((card) => PACK.includes(card)) && new Set(seen).size === seen.length, "faces");
  const was = g.table.toAct.length;
  g.script.push({ ...step, slots: [...slots], leader: leader === null ? seats[1] : leader });
  then(slots, g.script.at(-1).leader);
  g.phase = g.table.stage;
  const { length } = g.table.toAct;
  if (length === 0 || length >= was) Object.assign(g, { several: length > 1, phaseHead: g.head, phaseBase: g.count });
}

// The verdict on an opened hand: the hand is replayed with the whole pack, and each event must be the one that was shown.
function judge(g, opened, openings) {
  if (!leadsTo(opened, g.known[0][0], g.hand - g.known[0][1])) return 1;
  const commits = g.script.filter((step) => step.committed);
  if (commits.length !== openings.length) return 2;
  for (const [i, step] of commits.entries()) {
    const [record, given, action, ...fields] = openings[i];
    const salt = given.length ? given : derivedSalt(opened, step.who, step.at);
    if (record !== step.record || action !== step.action || !same(commitment(salt, [action, ...fields]), step.committed)) return 2;
    if (!fieldsFit(g, action, fields)) return 2;
    step.fields = fields;
  }
  const packs = packsOf(g, g.hand, opened, g.parts);
  for (const step of g.script) {
    if (step.who !== undefined && !allowed(g.key, g.start, step.who, step.action, step.fields)) return 3;
    const { slots, leader, then } = happening(g.key, g.start, step, ...packs);
    if (leader !== step.leader || slots.some((card, i) => ![null, card].includes(step.slots[i]))) return 4;
    then(slots, leader);
  }
  return 0;
}

// Whether a record calls me absent, though I have signed a check on one of these bases.
export function leavesMeOut(g, data, checks) {
  const [kind, , side] = splitFrame(data)[0].value;
  return kind === ABSENT && side === g.mine && checks.includes(g.phaseBase);
}

// --- what I sign ------------------------------------------------------------------------------------------------------

// Whether I owe an entry of this kind; at: and one that I have signed on this base can still be accepted.
export function owes(g, kind, at = due(g, kind)[0]) {
  const owed = kind === CHECK ? !g.checked[g.mine] && g.hand < LENGTH : g.table.toAct.includes(g.seat) && moverOf(g, g.seat) === g.mine;
  return owed && at === due(g, kind)[0] && MAY_FOLLOW[g.phase].includes(kind);
}
export const signCheck = (g, key, chain) => makeFrame(key, g.phaseHead, [CHECK, g.phaseBase, g.mine, g.hand, g.verdict, chain[g.hand + 1]]);
export function signMove(g, key, [action, ...fields], salt) {
  const [at, context] = due(g, ACTION);
  if (!actionOf(g, action).hidden) return makeFrame(key, context, [ACTION, at, g.seat, action, ...fields]);
  const frame = makeFrame(key, context, [COMMIT, at, g.seat, action, commitment(salt, [action, ...fields])]);
  return bytes(frame, Buffer.alloc(2), pack([salt, action, ...fields]));
}
