// A game of hearts as its coordinator keeps it (records.md, fair-deal.md): where the cards truly are, and beside it the game as each listener
// follows it. Every record is made or taken here, and nothing is kept that one of them would refuse.
import { chain, commitment, derivedSalt } from "../example-listener/deal.mjs";
import { ACTION, COMMIT, DEAL, OPENING, OUTCOME, advance, due, moverOf, packsOf, partsOf, readHeader } from "../example-listener/follow.mjs";
import { allowed, begin, happening, legal } from "../example-listener/games.mjs";
import { FACES, bytes, makeFrame, need, nextHead, pack, same, sha256, splitFrame, splitRecord, u32, u8, unpack } from "../example-listener/wire.mjs";

const NOTHING = Buffer.alloc(0);
const PASS = 0, PLAY = 1, QUEEN = 0x3c;

// identity: our private key; seed: of our chain; header: its frame, length included; keep: is given each record before it counts.
export function openGame(identity, seed, header, keep) {
  const values = chain(seed);
  const [, , key, options, sides, seats, grace, clock, , dealer] = splitFrame(header)[0].value;
  const views = Object.fromEntries(sides.slice(1).map(([me, , , end], i) => [i + 1, readHeader(header, me, end, sides[0][0])]));
  const listeners = Object.keys(views).map(Number);
  const truth = begin(key, options, dealer);
  const records = [], heads = [views[1].head], scores = [0, 0, 0, 0];
  let packs = [];

  const known = () => views[1]; // what everybody knows of the game, from any of the views
  const value = (hand = known().hand) => values[hand];
  const sign = (kind, ...fields) => makeFrame(identity, due(known(), kind)[1], [kind, due(known(), kind)[0], ...fields]);

  // --- one record more ----------------------------------------------------------------------------------------------------
  // frame: of the entry; opening: of a private action, with the two zero bytes; by: the listener who sent them. Raises Refused.
  function add(frame, opening = NOTHING, by = 0) {
    const after = by ? { [by]: advance(views[by], bytes(frame, opening)) } : {}; // in the order of the checks
    const [{ value: entry, ...rest }] = splitFrame(frame);
    const chosen = entry[0] === COMMIT ? chosenIn(entry, opening) : entry.slice(3);
    if (entry[0] <= COMMIT) need(truth.toAct.includes(entry[2]) && allowed(key, truth, entry[2], entry[3], chosen.slice(1)), "rules");
    const happened = entry[0] <= DEAL ? event(entry, chosen) : null;
    const record = { entry, frame, opening, by, faces: {} };
    const head = nextHead(heads.at(-1), { raw: frame, ...rest });
    for (const side of listeners) {
      record.faces[side] = happened ? facesFor(side, happened, entry, head) : NOTHING;
      after[side] ??= advance(views[side], forSide(record, side));
    }
    keep(bytes(frame, opening));
    Object.assign(views, after);
    happened?.then([...happened.slots], happened.leader);
    records.push(record);
    heads.push(head);
    if (happened && truth.stage === "opening") count(known().script);
    return record;
  }
  const forSide = ({ entry, frame, opening, faces }, side) =>
    bytes(frame, faces[side], entry[0] === COMMIT && entry[2] === views[side].seat ? opening : NOTHING);

  function chosenIn(entry, opening) {
    need(opening.length > 2, "faces");
    const [salt, ...chosen] = unpack(opening.subarray(2));
    need(same(commitment(salt, chosen), entry[4]), "faces");
    return chosen;
  }
  // What truly happens by an entry. chosen: the number of an action, and its fields.
  function event([kind, , who], chosen) {
    if (kind === DEAL && known().phase === "checks") packs = packsOf(known(), known().hand + 1, value(known().hand + 1), partsOf(known()).parts);
    return happening(key, truth, kind <= COMMIT ? { who, action: chosen[0], fields: chosen.slice(1) } : {}, ...packs);
  }
  // What everybody sees of an event that the dealer makes: cards by their places, and the seat that leads.
  function outcome(happened) {
    const { open = () => [], leader } = happening(key, known().table, {});
    const cards = open(happened.slots).flatMap((place) => [place, happened.slots[place]]);
    return [Buffer.from(cards), Buffer.from(leader === null ? [1, happened.leader] : [])];
  }
  // What one listener sees of it besides. Of an action of hearts nobody is shown more than they know.
  function facesFor(side, happened, [kind, ...fields], head) {
    if (kind <= COMMIT) return NOTHING;
    const { seat, table } = views[side], open = kind === DEAL ? fields[3] : fields[0];
    const { slots, mine = () => [] } = happening(key, table, {});
    const shown = mine(seat).filter((place) => slots[place] === null && !open.some((one, i) => i % 2 === 0 && one === place));
    return shown.length ? makeFrame(identity, bytes(head, u8(seat)), [9, Buffer.from(shown.map((place) => happened.slots[place]))], FACES) : NOTHING;
  }
  // The points of a hand, as the preset real-deal has them.
  function count(script) {
    const plays = script.filter((step) => step.action === PLAY).map((step) => [step.who, step.slots[0]]);
    const taken = [0, 0, 0, 0];
    for (let at = 0; at < plays.length; at += 4) {
      const trick = plays.slice(at, at + 4), led = trick[0][1] >> 4;
      const [winner] = trick.filter(([, card]) => card >> 4 === led).sort(([, a], [, b]) => b - a)[0];
      for (const [, card] of trick) taken[winner] += card >> 4 === 2 ? 1 : card === QUEEN ? 13 : 0;
    }
    taken.forEach((points, seat) => { scores[seat] += points === 26 ? -26 : points; });
  }

  // --- what I make --------------------------------------------------------------------------------------------------------
  // An action of a seat that I play, by a chance that can be repeated (fair-deal.md, Other chance).
  function play(seat) {
    const choices = legal(key, truth, seat), [base] = due(known(), ACTION);
    const chance = sha256("p2pcards computer 1", value(), u8(seat), u32(known().count)).readUInt32BE(0);
    const chosen = choices[chance % choices.length];
    if (chosen[0] !== PASS) return add(sign(ACTION, seat, ...chosen));
    const salt = derivedSalt(value(), seat, base);
    return add(sign(COMMIT, seat, PASS, commitment(salt, chosen)), withOpening(salt, chosen));
  }
  const withOpening = (salt, chosen) => bytes(Buffer.alloc(2), pack([salt, ...chosen]));
  function deal() {
    const again = known().phase === "dealing", { absent } = again ? known() : partsOf(known());
    return add(sign(DEAL, known().hand + (again ? 0 : 1), Buffer.from(absent), ...outcome(event([DEAL]))));
  }
  const show = () => add(makeFrame(identity, known().head, [OUTCOME, ...outcome(event([OUTCOME]))]));
  function openHand() {
    const openings = known().script.filter((step) => step.committed).map(({ record, who, at }) => {
      const [salt, ...chosen] = unpack(records[record].opening.subarray(2));
      return [record, same(salt, derivedSalt(value(), who, at)) ? NOTHING : salt, ...chosen];
    });
    return add(sign(OPENING, known().hand, value(), openings));
  }

  // --- what I had lost ----------------------------------------------------------------------------------------------------
  // A record from a log, or from a listener's: false where the opening of a listener's private action is not with it. The salts of my own
  // seats follow from my chain, so of these all actions are tried.
  function restore(data) {
    const [[{ raw, value: entry }], opening] = splitRecord(data);
    if (entry[0] !== COMMIT || opening.length) return add(raw, opening);
    const salt = derivedSalt(value(), entry[2], entry[1]);
    const chosen = legal(key, truth, entry[2]).find((one) => same(commitment(salt, one), entry[4]));
    return chosen ? add(raw, withOpening(salt, chosen)) : false;
  }

  return { header, sides, seats, grace, clock, listeners, records, heads, scores, known, add, sign, play, deal, show, openHand, restore,
    record: (number, side) => forSide(records[number], side),
    over: () => Math.max(...scores) >= options[0],
    mine: () => truth.toAct.filter((seat) => known().phase === "play" && moverOf(known(), seat) === 0),
    due: () => (known().phase === "play" ? truth.toAct : []) };
}
