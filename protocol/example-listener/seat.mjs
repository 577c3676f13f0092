// Who sends what when (messages.md): a listener's seat, without the link and without the outside world.
import { chain } from "./deal.mjs";
import { ACTION, CHECK, advance, isBase, leavesMeOut, owes, ownRecord, readHeader, signCheck, signMove, succeedsRightly, wholeHeader } from "./follow.mjs";
import { legal } from "./games.mjs";
import { Refused, VERSION, bytes, need, pack, rawPublic, readMessage, same, sha256, splitFrame, splitRecord, unpack, writeMessage,
  writeMove } from "./wire.mjs";
import { wordsOf } from "./words.mjs";

const valueOf = (data) => splitFrame(data)[0].value;
const STOPPED = 8, HANDED_OVER = 24; // codes of BYE
const SUCCEEDED = 7; // a note of a log

// home: as openHome gives it; chance: gives so many random bytes; decide: picks one of the actions that are open; say: takes words for those
// who look on; chat: is said when a game begins; now: milliseconds.
export function takeSeat({ home, name, chance, decide, say, chat, now = Date.now }) {
  const me = rawPublic(home.identity);
  const send = (...message) => link?.send(writeMessage(...message));

  let link = null; // send, hangUp, peer (the identity at its other end), hash (of the handshake)
  let game = null, values = null; // values: of my chain, from its end
  let checks = [], doubted = false; // the bases of the checks that I have signed; whether I was called absent all the same
  let records = [], pending = null; // pending: a frame that I have signed and whose record has not come
  let staked = null; // the chain that I have given the end of, and with which no game has begun
  let parts = [], words = null;
  let upTo = 0, awaited = 0; // the number of records that I must have before I act, in this game; in the one whose header comes after RESUME
  let asked = false; // by RESUME, on this link
  let looking = false; // at a game in which I have no side, and which I pass over
  let before = null; // the game that this one continues, as long as it has no deal: a successor may go on from there
  let bases = [], promised = 0; // from where a successor may go on (company.md); the last hand that I have checked, so not from before it
  let doors = [], lostAt = null, partedBy = null, heir = null; // the line; when the link was lost; the code of its BYE; who may host instead
  const over = () => !game || game.phase === "closed";
  const howFar = () => send("RESUME", game.id, game.count, game.head);
  const hosts = (one) => same(one.peer, game.keys[0]);
  const mayHost = (key) => (heir && same(heir, key)) || (lostAt !== null && now() >= lostAt + (game.grace - 5) * 1000
    && doors.some((one) => same(one, key)) && game.keys.some((one) => same(one, key)));
  const noteBase = () => { bases = isBase(game) ? [...bases, game].slice(-3) : bases; };
  const noteCheck = (check) => { promised = valueOf(check)[3]; };
  const askForEnd = () => { // it may never have come, and nothing but that is due in the game any more
    if (over() || asked || !hosts(link)) return;
    howFar();
    upTo = Infinity;
  };

  const kept = home.load();
  if (kept("H").length) {
    const [header] = kept("H");
    values = chain(unpack(kept("M")[0])[1]);
    records = kept("R");
    pending = kept("P").at(-1) ?? null;
    checks = kept("C").map((check) => valueOf(check)[1]);
    kept("C").forEach(noteCheck);
    game = readHeader(header, me, values[0], valueOf(header)[4][0][0]);
    noteBase();
    for (const record of records) {
      doubted ||= leavesMeOut(game, record, checks);
      game = advance(game, record);
      noteBase();
    }
    if (kept("N").some((note) => unpack(note)[0] === SUCCEEDED)) game = null; // it goes on in another, of which there is no log yet
  }

  // --- what I owe -----------------------------------------------------------------------------------------------------

  function signed() {
    if (owes(game, CHECK)) {
      const check = signCheck(game, home.identity, values);
      if (!checks.includes(game.phaseBase)) home.keep("C", check);
      checks.push(game.phaseBase);
      noteCheck(check);
      return check;
    }
    if (!owes(game, ACTION)) return null;
    const action = decide(legal(game.key, game.table, game.seat));
    const frame = signMove(game, home.identity, action, chance(10));
    home.keep("P", frame);
    return frame;
  }
  const ask = () => { // nobody sits here who could say yes
    send("BYE", 18, "I was called absent, though I have signed my check.");
    link.hangUp();
  };
  function act(again = false) {
    if (!link || over() || !hosts(link) || game.count < upTo) return;
    if (pending && !owes(game, ...valueOf(pending))) pending = null;
    if (pending && !again) return; // it has been sent
    pending ??= signed();
    if (pending) link.send(writeMove(pending));
  }

  const keepRecord = (record) => {
    home.keep("R", record);
    records.push(record);
  };
  // The game after each of these records, none of which counts if one is refused.
  const afterEach = (news) => news.reduce((all, record) => [...all, advance(all.at(-1), record)], [game]).slice(1);
  // A record that I lack of the game of a coordinator who is gone, from their successor: without faces, so it may not fit.
  function takeLeftBehind(ahead, data) {
    if (ahead || over()) return;
    try {
      game = advance(game, data);
    } catch (error) {
      if (error instanceof Refused) return;
      throw error;
    }
    noteBase();
    keepRecord(data);
  }

  // --- what comes -----------------------------------------------------------------------------------------------------

  const HANDLERS = {
    HELLO() { need(false, "shape"); }, // only the first
    PEOPLE() {}, WATCHERS() {}, PONG() {}, CLOCKS() {}, QUICK() {},
    BYE(code, text) {
      say("bye", code, text);
      partedBy = code;
      link.hangUp();
    },
    DOORS(all) { doors = all.map(([, key]) => key); },
    HANDOVER(key) {
      need(!same(key, link.peer) && doors.some((one) => same(one, key)), "seat");
      heir = key; // who calls me
      partedBy = HANDED_OVER;
      send("BYE", HANDED_OVER, "");
      link.hangUp();
    },
    PING(number) { send("PONG", number); },
    CHAT(author, number, text) { say("chat from", author, text.replace(/[\p{Cc}\p{Cf}]/gu, "")); },
    OFFER(nonce) {
      askForEnd();
      [looking, parts] = [false, []];
      if (!staked) {
        const seed = chance(24);
        staked = { seed, values: chain(seed) };
      }
      staked.nonce = nonce;
      send("STAKE", nonce, staked.values[0]);
    },
    "LOOK ON"() { looking = true; },
    HEADER(part, count, data) {
      if (looking) return;
      need(staked && part === parts.length && part < count, "shape");
      parts.push(data);
      if (parts.length < count) return;
      const header = wholeHeader(Buffer.concat(parts), me, staked.values[0], staked.nonce, link.peer);
      parts = [];
      const begun = readHeader(header, me, staked.values[0], link.peer);
      need(begun.version === VERSION, "rules"); // an older game goes on only where its log is
      const succeeds = begun.quorum && game && !(hosts(link) && same(begun.previous, game.head)) && (!over() || game.goesOn);
      if (game && (begun.continues || begun.quorum) && same(begun.previous, game.previous)) { // from one place in one log alone
        need(!game.hand && (succeeds || hosts(link)), "rules");
      }
      if (succeeds) {
        if (game.hand) before = null;
        const base = (over() ? [game] : before ? [before, ...bases] : bases).find((one) => same(one.head, begun.previous) && one.hand >= promised);
        need(base && mayHost(link.peer) && succeedsRightly(begun, base), "rules");
        if (!over()) home.keep("N", pack([SUCCEEDED, begun.id])); // nothing more is signed there
        say("succeeded after", base.hand, "hands");
      } else if (begun.continues && game && same(begun.previous, game.head)) { // it goes on as it stood, with my seat mine
        const stood = ({ key, table: { o, hand, dealer }, keys: [ann], seat }) => JSON.stringify([key, o, hand, dealer, [...ann], seat]);
        need(game.goesOn && stood(begun) === stood(game), "rules");
      }
      if (!over() && !succeeds && !same(begun.previous, game.head)) {
        send("BYE", 18, "Another game is on.");
        return link.hangUp();
      }
      before = [game, before].find((one) => one?.goesOn && same(begun.previous, one.head)) ?? null;
      home.begin(pack([begun.mine, staked.seed]), header);
      [game, values, records, pending, checks, doubted] = [begun, staked.values, [], null, [], false];
      [upTo, awaited, staked] = [awaited, 0, null];
      [bases, promised, heir] = [[begun], 0, null];
      if (chat) send("CHAT", 0, 1, chat);
      chat = undefined;
      act();
    },
    RECORD(number, data) {
      if (looking) return;
      need(game, "shape");
      const ahead = (number - game.count) & 255;
      if (ahead > 128) return; // I have it already
      if (!hosts(link)) return takeLeftBehind(ahead, data);
      const mine = ahead === 1 && owes(game, CHECK) ? [signCheck(game, home.identity, values)] : []; // it is not sent back to me
      if (ahead > mine.length) return howFar();
      const news = [...mine, data];
      const absent = leavesMeOut(game, data, checks);
      for (const [i, after] of afterEach(news).entries()) {
        game = after;
        noteBase();
        keepRecord(news[i]);
      }
      doubted ||= absent; // not before it is believed
      for (const record of news) {
        const [kind, , side, hand, verdict] = valueOf(record);
        if (kind === CHECK && side === game.mine) say("hand", hand, "verdict", verdict);
      }
      if (over()) say("closed after", game.count, "records");
      if (doubted) ask();
      else act();
    },
    TAKEN(number, head, rest) {
      if (looking) return;
      need(game, "shape");
      const ahead = (number - game.count) & 255;
      if (ahead > 128) return;
      const record = pending && owes(game, ...valueOf(pending)) && ahead === 0 ? ownRecord(pending, rest) : null;
      if (!record || !same(advance(game, record).head.subarray(0, 4), head)) return howFar();
      HANDLERS.RECORD(number, record);
    },
    RESUME(id, count) {
      if (before && same(id, before.id) && !hosts(link)) return send("RESUME", id, before.count, before.head);
      if (!game || !same(id, game.id)) {
        askForEnd();
        awaited = count;
        return send("RESUME", id, 0, Buffer.alloc(32));
      }
      if (!hosts(link)) return howFar(); // a successor compares logs
      asked = true;
      if (doubted && !over()) return ask();
      howFar();
      say("resumes at", game.count, "of", count, "records");
      upTo = count < game.count ? Infinity : count; // the coordinator asks for what is missing there, and begins again with RESUME
      act(true);
    },
    REFUSED(base, code, text) { // another move is signed when something else has happened
      say("refused", code, text);
      if (pending && valueOf(pending)[1] === base) pending = null;
    },
    AGAIN(side) { if (side === 0) send("AGAIN", game?.mine ?? 0, true); },
    PROPOSAL(what, base) { send("VOTE", base, 0, Buffer.alloc(0)); }, // I play what I was dealt
    ASK(first) {
      say("gives the records from", first, "on");
      records.slice(first).forEach((data, i) => {
        const [frames, opening] = splitRecord(data);
        send("HAVE", first + i, bytes(...frames.filter((frame) => frame.value[0] !== 9).map((frame) => frame.raw), opening)); // without faces
      });
    },
    WORDS(commitment) {
      words = { commitment, nonce: chance(16) };
      send("WORDS NONCE", words.nonce);
    },
    "WORDS REVEAL"(nonce) {
      const { hash } = link;
      need(words && same(sha256("p2pcards words commitment 1", hash, nonce), words.commitment), "fairness");
      say("words", ...wordsOf(hash, nonce, words.nonce));
      words = null;
    },
  };

  // --- links ----------------------------------------------------------------------------------------------------------

  const farewell = (to, code, text) => { to.send(writeMessage("BYE", code, text)); to.hangUp(); };
  return {
    // The first message on a link: whether somebody sits down on it, who is told so.
    greet(next, first) {
      const [kind, version, coordinates] = readMessage(first);
      if (kind === "BYE") return next.hangUp();
      if (kind === "CODE") return farewell(next, 16, "I ask nobody for a code.");
      need(kind === "HELLO", "shape");
      if (version !== VERSION) return farewell(next, 1, `I speak version ${VERSION}.`);
      if (!coordinates) return farewell(next, 4, "I am a listener too.");
      const welcome = link ? same(link.peer, next.peer) : over() || same(game.keys[0], next.peer) || mayHost(next.peer);
      if (!welcome) return farewell(next, 2, "I sit at another table.");
      if (game && mayHost(next.peer)) heir = next.peer; // also when they call again
      if (link) farewell(link, 6, "You have called again.");
      [link, asked, looking, parts, awaited] = [next, false, false, [], 0];
      [lostAt, partedBy] = [null, null];
      send("HELLO", VERSION, false, name, "betty");
      return true;
    },
    sitsAt: (one) => link === one,
    receive(data) {
      const [kind, ...fields] = readMessage(data);
      need(HANDLERS[kind], "shape");
      HANDLERS[kind](...fields);
    },
    refuse(error) { if (error instanceof Refused) send("BYE", 5, `Refused: ${error.message}.`); },
    lose(one) {
      if (link !== one) return;
      link = null;
      lostAt = partedBy === null || partedBy === STOPPED ? now() : null;
    },
    count: () => game?.count ?? 0,
  };
}
