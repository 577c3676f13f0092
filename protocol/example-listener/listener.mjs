// A listener for p2pcards that plays random legal actions: node listener.mjs --port 0 --name Nora --home DIR
//   --chat TEXT      says this once, when a game has begun
//   --drop-after N   cuts its link once, after so many records, and waits to be called again
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { answer } from "./channel.mjs";
import { chain } from "./deal.mjs";
import { ACTION, CHECK, advance, owes, ownRecord, readHeader, signCheck, signMove, wholeHeader } from "./follow.mjs";
import { legal } from "./games.mjs";
import { openHome } from "./home.mjs";
import { Refused, VERSION, bytes, need, pack, rawPublic, readMessage, same, sha256, splitFrame, splitRecord, unpack, writeMessage,
  writeMove } from "./wire.mjs";

const { values: flags } = parseArgs({ options: { port: { type: "string", default: "0" }, name: { type: "string", default: "Nora" },
  home: { type: "string", default: "example-home" }, chat: { type: "string" }, "drop-after": { type: "string" } } });
const home = openHome(flags.home);
const me = rawPublic(home.identity);
const say = (...words) => console.log(words.join(" "));
const send = (...message) => link?.channel.send(writeMessage(...message));
const valueOf = (data) => splitFrame(data)[0].value;

let link = null, game = null, values = null; // values: of my chain, from its end
let records = [], pending = null; // pending: a frame that I have signed and whose record has not come
let seed = null, offered = null, parts = [], upTo = 0, words = null; // upTo: the number of records that I must have before I act
let looking = false; // at a game in which I have no side, and which I pass over
const over = () => !game || game.phase === "closed";

const kept = home.load();
if (kept("H").length) {
  const [header] = kept("H");
  values = chain(unpack(kept("M")[0])[1]);
  records = kept("R");
  pending = kept("P").at(-1) ?? null;
  game = records.reduce(advance, readHeader(header, me, values[0], valueOf(header)[4][0][0]));
}

// --- what I owe -------------------------------------------------------------------------------------------------------

function signed() {
  if (owes(game, CHECK)) return signCheck(game, home.identity, values); // not kept: the log gives the same one again
  if (!owes(game, ACTION)) return null;
  const actions = legal(game.key, game.table, game.seat);
  const frame = signMove(game, home.identity, actions[randomInt(actions.length)], randomBytes(10));
  home.keep("P", frame);
  return frame;
}
function act(again = false) {
  if (!link || over() || game.count < upTo) return;
  if (pending && !owes(game, ...valueOf(pending))) pending = null;
  if (pending && !again) return; // it has been sent
  pending ??= signed();
  if (pending) link.channel.send(writeMove(pending));
}

// --- what comes -------------------------------------------------------------------------------------------------------

const HANDLERS = {
  PEOPLE() {}, PONG() {}, CLOCKS() {}, QUICK() {},
  BYE(code, text) { say("bye", code, text); link.socket.end(); },
  PING(number) { send("PONG", number); },
  CHAT(author, number, text) { say("chat from", author, text.replace(/[\p{Cc}\p{Cf}]/gu, "")); },
  OFFER(nonce) {
    if (!over()) return send("BYE", 5, "A game is on.");
    looking = false;
    [seed, offered] = [randomBytes(24), nonce];
    values = chain(seed);
    parts = [];
    send("STAKE", nonce, values[0]);
  },
  "LOOK ON"() { looking = true; },
  HEADER(part, count, data) {
    if (looking) return;
    need(seed && part === parts.length && part < count, "shape");
    parts.push(data);
    if (parts.length < count) return;
    const header = wholeHeader(Buffer.concat(parts), me, values[0], offered, link.channel.peer);
    game = readHeader(header, me, values[0], link.channel.peer);
    home.begin(pack([game.mine, seed]), header);
    [seed, records, pending, upTo] = [null, [], null, 0];
    if (flags.chat) send("CHAT", 0, 1, flags.chat);
    flags.chat = undefined;
    act();
  },
  RECORD(number, data) {
    if (looking) return;
    need(game, "shape");
    const ahead = (number - game.count) & 255;
    if (ahead > 128) return; // I have it already
    const mine = ahead === 1 && owes(game, CHECK) ? [signCheck(game, home.identity, values)] : []; // it is not sent back to me
    if (ahead > mine.length) return send("RESUME", game.id, game.count, game.head);
    const news = [...mine, data];
    game = news.reduce(advance, game);
    for (const record of news) {
      home.keep("R", record);
      records.push(record);
      const [kind, , side, hand, verdict] = valueOf(record);
      if (kind === CHECK && side === game.mine) say("hand", hand, "verdict", verdict);
    }
    if (over()) say("closed after", game.count, "records");
    if (!(game.count >= Number(flags["drop-after"]))) return act();
    say("cut off after", game.count, "records");
    flags["drop-after"] = undefined;
    link.socket.destroy();
    link = null;
  },
  TAKEN(number, head, rest) {
    if (looking) return;
    need(game, "shape");
    const ahead = (number - game.count) & 255;
    if (ahead > 128) return;
    const record = pending && owes(game, ...valueOf(pending)) && ahead === 0 ? ownRecord(pending, rest) : null;
    if (!record || !same(advance(game, record).head.subarray(0, 4), head)) return send("RESUME", game.id, game.count, game.head);
    HANDLERS.RECORD(number, record);
  },
  RESUME(id, count) {
    if (!game || !same(id, game.id)) return send("RESUME", id, 0, Buffer.alloc(32));
    send("RESUME", game.id, game.count, game.head);
    say("resumes at", game.count, "of", count, "records");
    upTo = count < game.count ? Infinity : count; // the coordinator asks for what is missing there, and begins again with RESUME
    act(true);
  },
  REFUSED(base, code, text) { // another move is signed when something else has happened
    say("refused", code, text);
    if (pending && valueOf(pending)[1] === base) pending = null;
  },
  AGAIN(side) { if (side === 0) send("AGAIN", 0, true); },
  PROPOSAL(what, base) { send("VOTE", base, 0, Buffer.alloc(0)); }, // I play what I was dealt
  ASK(first) {
    say("gives the records from", first, "on");
    records.slice(first).forEach((data, i) => {
      const [frames, opening] = splitRecord(data);
      send("HAVE", first + i, bytes(...frames.filter((frame) => frame.value[0] !== 9).map((frame) => frame.raw), opening)); // without faces
    });
  },
  WORDS(commitment) {
    words = { commitment, nonce: randomBytes(16) };
    send("WORDS NONCE", words.nonce);
  },
  "WORDS REVEAL"(nonce) {
    const { hash } = link.channel;
    need(words && same(sha256("p2pcards words commitment 1", hash, nonce), words.commitment), "fairness");
    const lists = [...readFileSync(new URL("../vectors/words.txt", import.meta.url), "utf8").matchAll(/ list: (.*)/g)];
    const numbers = sha256("p2pcards words 1", hash, nonce, words.nonce).subarray(0, 3);
    say("words", ...[...numbers].map((number, i) => lists[i % 2][1].split(" ")[number]));
    words = null;
  },
};

// --- links ------------------------------------------------------------------------------------------------------------

const DEADLINE = 10_000; // milliseconds for the handshake and the first message

async function serve(socket) {
  const late = setTimeout(() => socket.destroy(), DEADLINE);
  const channel = await answer(socket, home.identity);
  const farewell = (code, text) => { channel.send(writeMessage("BYE", code, text)); socket.end(); };
  const first = await channel.receive();
  clearTimeout(late);
  if (!first) return socket.end();
  const [kind, version, coordinates] = readMessage(first);
  if (kind === "BYE") return socket.end();
  if (kind === "CODE") return farewell(16, "I ask nobody for a code.");
  need(kind === "HELLO", "shape");
  if (version !== VERSION) return farewell(1, `I speak version ${VERSION}.`);
  if (!coordinates) return farewell(4, "I am a listener too.");
  const sitting = link ? link.channel.peer : over() ? channel.peer : game.keys[0];
  if (!same(sitting, channel.peer)) return farewell(2, "I sit at another table.");
  if (link) { send("BYE", 6, "You have called again."); link.socket.end(); }
  const mine = (link = { channel, socket, heard: Date.now() });
  looking = false;
  send("HELLO", VERSION, false, flags.name, "betty");
  const watch = setInterval(() => {
    if (Date.now() - mine.heard > 15_000) socket.destroy();
    else if (Date.now() - mine.heard >= 5_000) channel.send(writeMessage("PING", 0));
  }, 5_000);
  try {
    for (let data; (data = await channel.receive()) && link === mine;) { // until the coordinator has called again
      mine.heard = Date.now();
      const [name, ...fields] = readMessage(data);
      need(HANDLERS[name], "shape");
      HANDLERS[name](...fields);
    }
  } catch (error) {
    if (link !== mine) return undefined; // I have cut it off myself
    if (error instanceof Refused) send("BYE", 5, `Refused: ${error.message}.`);
    throw error;
  } finally {
    clearInterval(watch);
    if (link === mine) link = null;
    socket.end();
  }
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => {});
  serve(socket).catch((error) => { say("link ended:", error.message); socket.end(); });
});
server.listen(Number(flags.port), "127.0.0.1", () => say(server.address().port));
