// A game as a listener follows it, record by record: who may say what, signed by whom, and whether the deal was fair
// (records.md, fair-deal.md). Nothing here changes what it is given: a refused record leaves the game as it was.
import { LENGTH, commitment, derivedSalt, handSecret, leadsTo, shuffle } from "./deal.mjs";
import { GAMES, PACK, allowed, begin, knowsHand } from "./games.mjs";
import { ENTRY, FACES, HEADER, HEADER_SHAPE, admit, bin, bytes, checkSignature, int, list, makeFrame, need, nextHead, pack, row, same,
  splitFrame, u8, unpack } from "./wire.mjs";

const [ACTION, COMMIT, OUTCOME, DEAL, TAKEOVER, RETURN, OPENING, CLOSE] = [0, 1, 2, 3, 4, 5, 6, 8];
export const CHECK = 7;
const [base, seat, side, hand, value] = [int(), int(3), int(15), int(0xffffffff, 1), bin(24)];
const pairs = (v) => bin(0, 510)(v) && v.length % 2 === 0 && v.every((place, i) => i % 2 || i === 0 || v[i - 2] < place);
const move = (v) => bin(0, 10)(v[1]) && v[1].length % 10 === 0 && int(63)(v[2]); // record, salt, action, fields
const SHAPES = [(v) => row(base, seat, int(63))(v.slice(0, 3)), row(base, seat, int(63), bin(20)), row(pairs, pairs),
  row(base, hand, bin(0, 15), pairs, pairs), row(base, seat, int(3)), row(base, seat),
  row(base, hand, value, list((v) => Array.isArray(v) && int()(v[0]) && move(v), 64)), row(base, side, int(), int(4), value), row(base, int(1))];
const actionOf = (g, number) => GAMES[g.key].actions[number];

// me: my public key; end: of my chain; coordinator: the identity at the other end of the channel.
export function readHeader(data, me, end, coordinator) {
  const [frame, rest] = splitFrame(data);
  need(rest.length === 0, "length");
  const header = unpack(frame.body);
  need(HEADER_SHAPE(header), "shape");
  const [, , key, options, sides, seats, , , , dealer] = header;
  const [keys, owners] = [sides.map((one) => one[0]), seats.map((one) => one[0])];
  const sitting = owners.filter((one) => one !== null);
  need(new Set(sitting).size === sitting.length && sitting.every((one) => one < keys.length), "shape");
  need(new Set(keys.map(String)).size === keys.length, "shape");
  keys.forEach(admit);
  checkSignature(keys[0], bytes(HEADER, frame.body), frame.signature);
  need(Object.hasOwn(GAMES, key) && GAMES[key].options.length === options.length, "rules");
  const table = begin(key, options, dealer);
  need(table.seats === seats.length && (dealer === null || dealer < seats.length), "rules");
  const mine = keys.findIndex((theirs) => same(theirs, me));
  need(same(keys[0], coordinator) && mine > 0 && same(sides[mine][3], end), "rules");
  const head = nextHead(Buffer.alloc(0), frame);
  return { key, mine, table, keys, owners, id: head.subarray(0, 16), seat: owners.indexOf(mine), head0: head, head, count: 0, phase: "checks",
    hand: 0, phaseHead: head, phaseBase: 0, several: false, taken: [], checked: {}, known: sides.map((one) => [one[3], 0]), verdict: 0,
    script: [], ended: false };
}

// --- records ----------------------------------------------------------------------------------------------------------

function readRecord(g, data) {
  const frames = [];
  let faces = null, opening = null, rest = data;
  while (rest.length && (rest.length < 2 || rest.readUInt16BE(0))) {
    const [frame, more] = splitFrame(rest);
    const body = unpack(frame.body);
    need(Array.isArray(body) && !faces, "shape");
    const [kind, ...fields] = body;
    Object.assign(frame, { kind, fields });
    rest = more;
    if (kind === 9) {
      need(frames.length && row(bin(1, 255))(fields) && frames[0].kind <= DEAL, "shape");
      faces = frame;
      continue;
    }
    need(int(8)(kind) && SHAPES[kind](fields) && (kind > COMMIT || actionOf(g, fields[2])), "shape");
    need(kind !== ACTION || row(...actionOf(g, fields[2]).shape)(fields.slice(3)), "shape");
    need(!frames.length || (frames.length === 1 && kind === OUTCOME && frames[0].kind <= COMMIT && fields[0].length + fields[1].length), "shape");
    frames.push(frame);
  }
  need(frames.length, "length");
  if (rest.length) {
    opening = unpack(rest.subarray(2));
    need(frames[0].kind === COMMIT && Array.isArray(opening) && move([0, ...opening]), "shape");
  }
  return { entry: frames[0], outcome: frames[1], faces, opening };
}

const moverOf = (g, who) => (g.owners[who] === null || g.taken.includes(who) ? 0 : g.owners[who]);
const due = (g, kind) => ((kind <= COMMIT && g.several) || kind === CHECK ? [g.phaseBase, g.phaseHead] : [g.count, g.head]);

// The game after a record, or Refused.
export function advance(before, data) {
  const g = structuredClone(before);
  const { entry, outcome, faces, opening } = readRecord(g, data);
  const { kind, fields } = entry;
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
  const step = STEPS[kind](g, fields, opening);
  if (step) take(g, step, kind === DEAL ? fields.slice(3) : (outcome ?? entry).kind === OUTCOME ? (outcome ?? entry).fields : [[], []], faces);
  return g;
}

function moves(g, who, hidden, action) {
  need(g.phase === "play" && g.table.stage === "play" && g.table.toAct.includes(who) && actionOf(g, action).hidden === hidden, "rules");
}
const STEPS = {
  [ACTION](g, [, who, action, ...fields]) {
    moves(g, who, false, action);
    need(!knowsHand(g.table, who) || allowed(g.key, g.table, who, [action, ...fields]), "rules");
    return { who, action, fields, event: GAMES[g.key].act(g.table, who, action, fields) };
  },
  [COMMIT](g, [at, who, action, committed], opening) {
    moves(g, who, true, action);
    let fields = null;
    need((who === g.seat) === (opening !== null), "faces");
    if (opening) {
      need(opening[0].length === 10 && same(commitment(opening[0], opening.slice(1)), committed) && opening[1] === action, "faces");
      fields = opening.slice(2);
      need(row(...actionOf(g, action).shape)(fields) && allowed(g.key, g.table, who, [action, ...fields]), "rules");
    }
    return { who, action, fields, committed, at, record: g.count - 1, event: GAMES[g.key].act(g.table, who, action, fields) };
  },
  [OUTCOME](g) {
    need(g.phase === "play" && g.table.stage === "show", "rules");
    return { event: GAMES[g.key].show(g.table) };
  },
  [DEAL](g, [, number, absent]) {
    const again = g.phase === "dealing";
    need((again || g.phase === "checks") && !g.ended && number === g.hand + (again ? 0 : 1), "rules");
    need(same(Uint8Array.from(g.keys.keys()).filter((one) => one && !g.checked[one]), absent), "fairness");
    if (!again) Object.assign(g, { hand: number, start: structuredClone(g.table), script: [] });
    return { event: GAMES[g.key].deal(g.table) };
  },
  [TAKEOVER](g, [, who]) {
    need(g.phase !== "closed" && g.owners[who] !== null && !g.taken.includes(who), "rules");
    g.taken.push(who);
  },
  [RETURN](g, [, who]) {
    need(g.phase !== "closed" && g.taken.includes(who), "rules");
    g.taken = g.taken.filter((other) => other !== who);
  },
  [OPENING](g, [, number, opened, openings]) {
    need((g.phase === "opening" || g.phase === "play") && number === g.hand, "rules");
    g.ended = g.phase === "play";
    g.verdict = judge(g, opened, openings);
    if (g.verdict !== 1) g.known[0] = [opened, number];
    Object.assign(g, { phase: "checks", phaseHead: g.head, phaseBase: g.count, checked: {}, several: false });
  },
  [CHECK](g, [, who, number, , shown]) {
    need(g.phase === "checks" && number === g.hand && !g.checked[who], "rules");
    need(leadsTo(shown, g.known[who][0], number + 1 - g.known[who][1]), "fairness");
    g.known[who] = [shown, number + 1];
    g.checked[who] = shown;
  },
  [CLOSE](g) {
    need(["checks", "dealing"].includes(g.phase), "rules"); // who has won is not counted here
    g.phase = "closed";
  },
};

// Fills in what the coordinator shows of an event, and lets it happen.
function take(g, step, [cards, seats], faces) {
  const { slots, leader, open, mine, ...event } = step.event;
  const places = [...cards].filter((_, i) => i % 2 === 0);
  places.forEach((place, i) => {
    need(place < slots.length && [null, cards[2 * i + 1]].includes(slots[place]), "faces");
    slots[place] = cards[2 * i + 1];
  });
  need(String(typeof open === "function" ? open(slots) : open) === String(places), "faces");
  need(leader === null ? seats.length === 2 && seats[0] === 1 && seats[1] < g.owners.length : seats.length === 0, "faces");
  const hidden = mine(g.seat).filter((place) => slots[place] === null);
  need(hidden.length === (faces ? faces.fields[0].length : 0), "faces");
  if (faces) checkSignature(g.keys[0], bytes(FACES, g.head, u8(g.seat), faces.body), faces.signature);
  hidden.forEach((place, i) => { slots[place] = faces.fields[0][i]; });
  const seen = slots.filter((card) => card !== null);
  need(seen.every((card) => PACK.includes(card)) && new Set(seen).size === seen.length, "faces");
  step.event = { ...event, slots, leader: leader === null ? seats[1] : leader };
  const was = g.table.toAct.length;
  GAMES[g.key].play(g.table, step.event);
  g.script.push(step);
  const { stage, toAct } = g.table;
  g.phase = { deal: "dealing", play: "play", show: "play", over: "opening" }[stage];
  if (stage !== "play" || !was || toAct.length > was) Object.assign(g, { several: toAct.length > 1, phaseHead: g.head, phaseBase: g.count });
}

// The verdict on an opened hand: it is played again with the whole pack, and each event must be the one that was shown.
function judge(g, opened, openings) {
  if (!leadsTo(opened, g.known[0][0], g.hand - g.known[0][1])) return 1;
  const commits = g.script.filter((step) => step.committed);
  if (commits.length !== openings.length) return 2;
  for (const [i, step] of commits.entries()) {
    const [record, given, ...chosen] = openings[i];
    const salt = given.length ? given : derivedSalt(opened, step.who, step.at);
    if (record !== step.record || chosen[0] !== step.action || !same(commitment(salt, chosen), step.committed)) return 2;
    step.fields = chosen.slice(1);
    if (!row(...actionOf(g, step.action).shape)(step.fields)) return 2;
  }
  const secret = handSecret(g.head0, g.hand, opened, Object.entries(g.checked));
  const packs = [shuffle(PACK, secret, "pack"), shuffle(PACK, secret, "draw")];
  const [game, truth] = [GAMES[g.key], g.start];
  for (const { who, action, fields, event } of g.script) {
    if (who !== undefined && !allowed(g.key, truth, who, [action, ...fields])) return 3;
    const real = who !== undefined ? game.act(truth, who, action, fields) : truth.stage === "show" ? game.show(truth) : game.deal(truth, ...packs);
    if (real.leader !== event.leader || real.slots.some((card, i) => ![null, card].includes(event.slots[i]))) return 4;
    game.play(truth, real);
  }
  return 0;
}

// --- what I say -------------------------------------------------------------------------------------------------------

// Whether I owe an entry of this kind; at: and one that I have signed on this base can still be taken.
export function owes(g, kind, at = due(g, kind)[0]) {
  const mine = g.phase === "play" && g.table.stage === "play" && g.table.toAct.includes(g.seat) && moverOf(g, g.seat) === g.mine;
  return (kind === CHECK ? g.phase === "checks" && !g.checked[g.mine] && g.hand < LENGTH : mine) && at === due(g, kind)[0];
}
export const signCheck = (g, key, chain) =>
  makeFrame(key, ENTRY, g.phaseHead, [CHECK, g.phaseBase, g.mine, g.hand, g.verdict, chain[g.hand + 1]]);
export function signMove(g, key, [action, ...fields], salt) {
  const [at, context] = due(g, ACTION);
  if (!actionOf(g, action).hidden) return makeFrame(key, ENTRY, context, [ACTION, at, g.seat, action, ...fields]);
  const frame = makeFrame(key, ENTRY, context, [COMMIT, at, g.seat, action, commitment(salt, [action, ...fields])]);
  return bytes(frame, Buffer.alloc(2), pack([salt, action, ...fields]));
}
