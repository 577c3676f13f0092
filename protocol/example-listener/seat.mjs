// Who sends what when (messages.md): a listener's seat, without the link and without the outside world.
import { chain } from "./deal.mjs";
import { ACTION, CHECK, advance, leavesMeOut, owes, ownRecord, readHeader, signCheck, signMove, wholeHeader } from "./follow.mjs";
import { legal } from "./games.mjs";
import { Refused, VERSION, bytes, need, pack, rawPublic, readMessage, same, sha256, splitFrame, splitRecord, unpack, writeMessage,
  writeMove } from "./wire.mjs";
import { wordsOf } from "./words.mjs";

const valueOf = (data) => splitFrame(data)[0].value;

// home: as openHome gives it; chance: gives so many random bytes; decide: picks one of the actions that are open; say: takes words for those
// who look on; chat: is said when a game begins.
export function takeSeat({ home, name, chance, decide, say, chat }) {
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
  const over = () => !game || game.phase === "closed";
  const howFar = () => send("RESUME", game.id, game.count, game.head);
  const askForEnd = () => { // it may never have come, and nothing but that is due in the game any more
    if (over() || asked) return;
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
    game = records.reduce((before, record) => {
      doubted ||= leavesMeOut(before, record, checks);
      return advance(before, record);
    }, readHeader(header, me, values[0], valueOf(header)[4][0][0]));
  }

  // --- what I owe -----------------------------------------------------------------------------------------------------

  function signed() {
    if (owes(game, CHECK)) {
      const check = signCheck(game, home.identity, values);
      if (!checks.includes(game.phaseBase)) home.keep("C", check);
      checks.push(game.phaseBase);
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
    if (!link || over() || game.count < upTo) return;
    if (pending && !owes(game, ...valueOf(pending))) pending = null;
    if (pending && !again) return; // it has been sent
    pending ??= signed();
    if (pending) link.send(writeMove(pending));
  }

  // --- what comes -----------------------------------------------------------------------------------------------------

  const HANDLERS = {
    HELLO() { need(false, "shape"); }, // only the first
    PEOPLE() {}, PONG() {}, CLOCKS() {}, QUICK() {},
    BYE(code, text) { say("bye", code, text); link.hangUp(); },
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
      if (begun.continues && game && same(begun.previous, game.head)) { // it goes on as it stood, with my seat mine
        const stood = ({ key, table: { o, hand, dealer }, keys: [ann], seat }) => JSON.stringify([key, o, hand, dealer, [...ann], seat]);
        need(game.goesOn && stood(begun) === stood(game), "rules");
      }
      if (!over() && !same(begun.previous, game.head)) {
        send("BYE", 18, "Another game is on.");
        return link.hangUp();
      }
      home.begin(pack([begun.mine, staked.seed]), header);
      [game, values, records, pending, checks, doubted] = [begun, staked.values, [], null, [], false];
      [upTo, awaited, staked] = [awaited, 0, null];
      if (chat) send("CHAT", 0, 1, chat);
      chat = undefined;
      act();
    },
    RECORD(number, data) {
      if (looking) return;
      need(game, "shape");
      const ahead = (number - game.count) & 255;
      if (ahead > 128) return; // I have it already
      const mine = ahead === 1 && owes(game, CHECK) ? [signCheck(game, home.identity, values)] : []; // it is not sent back to me
      if (ahead > mine.length) return howFar();
      const news = [...mine, data];
      const absent = leavesMeOut(game, data, checks);
      game = news.reduce(advance, game);
      doubted ||= absent; // not before it is believed
      for (const record of news) {
        home.keep("R", record);
        records.push(record);
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
      if (!game || !same(id, game.id)) {
        askForEnd();
        awaited = count;
        return send("RESUME", id, 0, Buffer.alloc(32));
      }
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
      const sitting = link ? link.peer : over() ? next.peer : game.keys[0];
      if (!same(sitting, next.peer)) return farewell(next, 2, "I sit at another table.");
      if (link) farewell(link, 6, "You have called again.");
      [link, asked, looking, parts, awaited] = [next, false, false, [], 0];
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
    lose(one) { if (link === one) link = null; },
    count: () => game?.count ?? 0,
  };
}
