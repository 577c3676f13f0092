// Who sends what when (messages.md, coordinator.md): a coordinator's table, without the links and without the outside world.
import { chain } from "../example-listener/deal.mjs";
import { ABSENT, CHECK, CLOSE, OPENING, RETURN, TAKEOVER, abridgedHeader, awaited } from "../example-listener/follow.mjs";
import { HEADER, Refused, VERSION, bytes, makeFrame, need, pack, rawPublic, readMessage, same, sha256, splitFrame, u8, unpack,
  writeMessage } from "../example-listener/wire.mjs";
import { wordsOf } from "../example-listener/words.mjs";
import { openGame } from "./game.mjs";

const CHECK_SECONDS = 10, CHARACTERS = ["granny", "wayne", "papa", "betty"], LEVEL = "example", EDITION = 1; // a level of our own: fair-deal.md
const LINE = 0, CLOCK = 1, LEFT = 2, ASKED = 3; // reasons of TAKEOVER
const AT_ONCE = { CHAT: [20, 0.5], QUICK: [20, 0.5], AWAY: [6, 5], AGAIN: [6, 5] }; // messages.md, How fast

// guests: one for each address that is called; home: as openHome gives it; options: of hearts; games: how many are played; now: in seconds.
export function openTable({ guests, home, name, options, grace, clock, games, chance, now, say, done }) {
  const me = rawPublic(home.identity);
  let game = null, offer = null, previous = Buffer.alloc(0), played = 0, checksBegan = now(), turnBegan = now();
  let waits = false, deferred = []; // after a restart nothing new is made until everybody has said how far their log goes

  const send = (guest, ...message) => guest.link?.send(writeMessage(...message));
  const tell = (...message) => guests.forEach((guest) => send(guest, ...message));
  const others = (guest) => guests.filter((one) => one !== guest);
  const sideOf = (guest) => (game ? game.sides.findIndex(([key]) => guest.key && same(key, guest.key)) : -1);
  const guestOf = (side) => guests.find((guest) => sideOf(guest) === side);
  const seatOf = (side) => game.seats.findIndex(([one]) => one === side);
  const here = (guest) => Boolean(guest?.link && guest.complete);
  const over = () => !game || game.known().phase === "closed";
  const farewell = (guest, code, text) => { send(guest, "BYE", code, text); guest.link?.hangUp(); };

  function people() {
    const all = [{ name, character: CHARACTERS[0], link: true }, ...guests.filter((guest) => guest.name)];
    const seat = (i) => (game ? seatOf(i === 0 ? 0 : sideOf(all[i])) : i);
    const rows = all.map((one, i) => [one.name, one.character, seat(i) < 0 ? null : seat(i), Boolean(one.link)]);
    guests.forEach((guest) => send(guest, "PEOPLE", rows, Math.max(0, all.indexOf(guest)), "hearts", options));
  }
  function clocks() {
    tell("CLOCKS", game.seats.map(([side], seat) => {
      if (game.known().taken.includes(seat)) return [2, null];
      if (!side || here(guestOf(side))) return [0, null];
      return [1, Math.max(0, Math.round((guestOf(side)?.lostAt ?? began) + game.grace - now()))];
    }));
  }

  // --- a game begins ------------------------------------------------------------------------------------------------------
  function begin() {
    offer = { nonce: chance(16), seed: chance(24), stakes: new Map() };
    guests.forEach((guest) => { guest.again = false; });
    tell("OFFER", offer.nonce);
  }
  function beginWithAll() {
    const theirs = guests.map((guest) => [guest.key, guest.name, guest.character, offer.stakes.get(guest)]);
    const sides = [[me, name, CHARACTERS[0], chain(offer.seed)[0]], ...theirs];
    const seats = CHARACTERS.map((free, seat) => [...(sides[seat] ? [seat, sides[seat][2]] : [null, free]), LEVEL, EDITION]);
    const values = ["p2pcards", VERSION, "hearts", options, sides, seats, grace, clock, previous, null, offer.nonce, 0, null];
    const header = makeFrame(home.identity, "", values, HEADER);
    home.begin(pack([0, offer.seed]), header);
    game = openGame(home.identity, offer.seed, header, (record) => home.keep("R", record));
    [offer, checksBegan] = [null, now()];
    guests.forEach((guest) => { guest.complete = Boolean(guest.link); sendHeader(guest, true); });
    people();
  }
  function sendHeader(guest, staked) {
    const frame = staked ? abridgedHeader(game.header, sideOf(guest)) : game.header, count = Math.ceil(frame.length / 400);
    for (let part = 0; part < count; part++) send(guest, "HEADER", part, count, frame.subarray(400 * part, 400 * part + 400));
  }

  // --- what I owe ---------------------------------------------------------------------------------------------------------
  function publish({ entry: [kind, base, what, number, verdict], by }) {
    const last = game.records.length - 1;
    for (const side of game.listeners.filter((one) => here(guestOf(one)))) {
      const record = game.record(last, side), { link } = guestOf(side);
      if (side !== by) link.send(bytes(u8(0), u8(last & 255), record));
      else if (kind !== CHECK) link.send(bytes(u8(3), u8(last & 255), game.heads.at(-1).subarray(0, 4))); // nothing stands behind an action of hearts
    }
    if (kind === CHECK) say("check of", what, "hand", number, "verdict", verdict);
    if ([OPENING, ABSENT].includes(kind)) checksBegan = now();
    if ([TAKEOVER, RETURN].includes(kind)) { say(kind === TAKEOVER ? "taken over" : "given back", what); clocks(); }
    if (kind === CLOSE) finish();
    turnBegan = now();
  }
  function next() {
    const g = game.known();
    if (g.phase === "checks") return afterChecks(g);
    if (g.phase === "dealing") return game.deal();
    if (g.phase === "show") return game.show();
    if (g.phase === "opening") return game.openHand();
    const [seat] = game.mine(); // mine come first where several act at once, before anything of the others is looked at
    return seat === undefined ? null : game.play(seat);
  }
  function afterChecks(g) {
    const late = now() - checksBegan >= CHECK_SECONDS, owing = game.over() ? [] : awaited(g);
    const first = !game.records.some(({ entry }) => entry[0] === OPENING);
    // Nobody is absent before the first deal, and never the last on the roll: without them a pack could be chosen (fair-deal.md, The roll).
    const [gone] = late && !first && g.roll.length > 1 ? owing : [];
    if (gone) return game.add(game.sign(ABSENT, gone));
    if (first && game.listeners.some((side) => !g.checked[side]?.length)) return null;
    if (owing.length || (!late && game.listeners.some((side) => here(guestOf(side)) && !g.checked[side]))) return null;
    return game.over() ? game.add(game.sign(CLOSE, 0)) : game.deal();
  }
  function proceed() {
    for (let record; !over() && !waits && (record = next());) publish(record);
  }
  function takeOver(side, reason) {
    if (over() || waits || game.known().taken.includes(seatOf(side))) return;
    publish(game.add(game.sign(TAKEOVER, seatOf(side), reason)));
  }
  function settle(guest) { // who plays the seat of somebody who has come or has asked for something
    if (over() || waits || sideOf(guest) < 0) return;
    if (guest.away) takeOver(sideOf(guest), ASKED);
    else if (here(guest) && game.known().taken.includes(seatOf(sideOf(guest)))) publish(game.add(game.sign(RETURN, seatOf(sideOf(guest)))));
    proceed();
  }
  function finish() {
    [played, previous] = [played + 1, game.heads.at(-1)];
    say("won with", ...game.scores, "after", game.records.length, "records");
    if (played < games) return tell("AGAIN", 0, true);
    guests.forEach((guest) => farewell(guest, 8, "That was all.")); // silence about another game, and no AGAIN false
    done();
  }

  // --- how far the logs go (messages.md, Resume) ----------------------------------------------------------------------------
  const askHowFar = (guest) => send(guest, "RESUME", game.heads[0].subarray(0, 16), game.records.length, game.heads.at(-1));
  function resumed(guest, id, count, head) {
    if (!game || !same(id, game.heads[0].subarray(0, 16))) return;
    const { length } = game.records, nothing = count === 0 && same(head, Buffer.alloc(32));
    guest.ahead = count;
    if (count > length && waits) return ask(guest);
    if (count > length || !(nothing || same(head, game.heads[count]))) {
      say("another history:", guest.name);
      guest.gone = true;
      return farewell(guest, 9, "Neither log can be continued with the other.");
    }
    if (nothing) sendHeader(guest);
    for (let number = count; number < length; number++) guest.link.send(bytes(u8(0), u8(number & 255), game.record(number, sideOf(guest))));
    guest.complete = true;
    if (!over()) clocks();
    release(false);
    settle(guest);
  }
  function release(anyhow) {
    if (!waits || !(anyhow || guests.every((guest) => here(guest) || guest.gone))) return;
    [waits, checksBegan] = [false, now()];
    guests.filter(here).forEach(settle);
    const moves = deferred;
    deferred = [];
    for (const [guest, data] of moves) if (here(guest)) takeMove(guest, data);
    proceed();
  }
  function restored(guest, number, data) { // a record that my log has lost
    if (number !== game.records.length || !waits) return;
    const ahead = guests.filter((one) => one.link && one.ahead > number);
    if (!game.restore(Buffer.from(data))) return ahead.filter((one) => one !== guest).forEach(ask); // somebody else has its opening
    say("got back record", number);
    ahead.filter((one) => one.ahead === number + 1).forEach(askHowFar);
  }
  function ask(guest) { // once from each record on
    if (guest.asked !== game.records.length) send(guest, "ASK", game.records.length);
    guest.asked = game.records.length;
  }

  // --- moves --------------------------------------------------------------------------------------------------------------
  function takeMove(guest, data) {
    if (over()) return;
    if (waits) return deferred.push([guest, data]);
    const [{ raw, value: [kind, base, who] }, opening] = splitFrame(data), side = sideOf(guest);
    need([0, 1, CHECK].includes(kind) && (kind === CHECK ? who === side : who === seatOf(side)), "seat");
    if (game.records.some(({ frame }) => same(frame, raw))) return; // its record is on its way
    try {
      publish(game.add(raw, opening, side));
    } catch (error) {
      const late = ["base", "fairness"].includes(error.message) || (["seat", "signature"].includes(error.message) && base !== game.records.length);
      if (!(error instanceof Refused) || !(late || error.message === "rules")) throw error;
      return send(guest, "REFUSED", base, late ? 0 : 1, late ? "It came late." : "It is against the rules.");
    }
    proceed();
  }

  // --- what comes ---------------------------------------------------------------------------------------------------------
  // Whether there is a slot for what they say: each is free again some seconds after the one before it.
  function slot(guest, kind) {
    const [many, seconds] = AT_ONCE[kind], free = Math.max(guest.slots[kind] ?? 0, now() - many * seconds) + seconds;
    if (free > now()) return false;
    guest.slots[kind] = free;
    return true;
  }
  const HANDLERS = {
    PING: (guest, number) => send(guest, "PONG", number),
    STAKE(guest, nonce, end) {
      if (!offer || !same(nonce, offer.nonce)) return;
      offer.stakes.set(guest, end);
      if (guests.every((one) => offer.stakes.has(one) && one.link)) beginWithAll();
    },
    RESUME: resumed,
    HAVE: restored,
    AWAY(guest, away) { guest.wants = away; wish(guest); },
    PROPOSAL(guest, what, base) { // every hand is played as it was dealt
      if (!over() && base === game.records.length) send(guest, "VOTE", base, 0, Buffer.alloc(0));
    },
    CHAT(guest, author, number, text) {
      if (!slot(guest, "CHAT")) return;
      guest.said += 1;
      others(guest).forEach((one) => send(one, "CHAT", 1 + guests.indexOf(guest), guest.said, text));
    },
    QUICK(guest, author, phrase) {
      if (slot(guest, "QUICK")) others(guest).forEach((one) => one.link?.send(bytes(u8(2), u8(((1 + guests.indexOf(guest)) << 6) | phrase))));
    },
    AGAIN(guest, side, yes) {
      guest.again = yes;
      if (slot(guest, "AGAIN")) others(guest).forEach((one) => send(one, "AGAIN", sideOf(guest), yes));
      if (over() && !offer && played && guests.every((one) => one.again)) begin();
    },
    WORDS(guest, commitment) {
      guest.words = { commitment, nonce: chance(16) };
      send(guest, "WORDS NONCE", guest.words.nonce);
    },
    "WORDS REVEAL"(guest, nonce) {
      const { hash } = guest.link;
      need(guest.words && same(sha256("p2pcards words commitment 1", hash, nonce), guest.words.commitment), "fairness");
      say("words", ...wordsOf(hash, nonce, guest.words.nonce));
    },
    BYE(guest, code, text) {
      say("bye", guest.name ?? guest.address, code, text);
      Object.assign(guest, { left: code === 0, gone: [0, 1, 4, 9].includes(code) });
      tick();
      guest.link.hangUp();
    },
  };

  // --- links and time -----------------------------------------------------------------------------------------------------
  function freeName(wanted, names = [name, ...guests.map((guest) => guest.name)]) {
    return [wanted, ...[2, 3, 4].map((n) => `${wanted.slice(0, 22)} ${n}`)].find((one) => !names.includes(one));
  }
  function greet(guest, version, coordinates, theirs, character) {
    if (version !== VERSION) return farewell(guest, 1, `I speak version ${VERSION}.`);
    if (coordinates) return farewell(guest, 4, "I am a coordinator too.");
    if (guest.key && !same(guest.key, guest.link.peer)) return farewell(guest, 7, "I look for somebody else there.");
    guest.key = guest.link.peer;
    const side = sideOf(guest);
    if (!over() && side < 0) return farewell(guest, 7, "A game is on in which you have no side.");
    Object.assign(guest, { greeted: true, name: null, character });
    guest.name = side > 0 && !over() ? game.sides[side][1] : freeName(theirs);
    people();
    if (side > 0) askHowFar(guest);
    if (offer) return send(guest, "OFFER", offer.nonce);
    if (over() && !played && guests.every((one) => one.greeted)) begin();
  }
  function lost(guest) {
    if (!guest.link) return;
    Object.assign(guest, { link: null, greeted: false, complete: false, ahead: 0, asked: -1, lostAt: now() });
    offer?.stakes.delete(guest);
    people();
    if (!over()) clocks();
  }
  function wish(guest) {
    if (guest.wants === guest.away || !slot(guest, "AWAY")) return;
    guest.away = guest.wants;
    settle(guest);
  }
  function tick() {
    if (over()) return;
    if (now() - began >= game.grace) release(true);
    guests.forEach(wish);
    for (const side of game.listeners) {
      const guest = guestOf(side);
      if (guest?.left) takeOver(side, LEFT);
      else if (!here(guest) && now() - (guest?.lostAt ?? began) >= game.grace) takeOver(side, LINE);
      else if (here(guest) && game.clock && game.due().includes(seatOf(side)) && now() - turnBegan >= game.clock) takeOver(side, CLOCK);
    }
    proceed();
  }

  const kept = home.load(), began = now();
  if (kept("H").length) {
    let loading = true;
    game = openGame(home.identity, unpack(kept("M")[0])[1], kept("H")[0], (record) => loading || home.keep("R", record));
    kept("R").forEach((record) => game.restore(record));
    loading = false;
    previous = game.heads.at(-1);
    waits = !over();
    say("goes on from", game.records.length, "records");
  }
  return {
    joined(guest, link) {
      Object.assign(guest, { link, greeted: false, complete: false });
      send(guest, "HELLO", VERSION, true, name, CHARACTERS[0]);
    },
    receive(guest, data) {
      if (data[0] === 1) return here(guest) && takeMove(guest, data.subarray(1));
      const [kind, ...fields] = readMessage(data);
      if (guest.greeted || kind === "BYE") return HANDLERS[kind]?.(guest, ...fields); // what a listener has no cause to say is passed over
      need(kind === "HELLO", "shape");
      greet(guest, ...fields);
    },
    refuse(guest, error) { if (error instanceof Refused) send(guest, "BYE", 5, `Refused: ${error.message}.`); },
    count: () => game?.records.length ?? 0,
    lost, tick,
  };
}
export const guestAt = (address) => ({ address, link: null, key: null, name: null, slots: {}, said: 0, away: false, wants: false, lostAt: -Infinity });
