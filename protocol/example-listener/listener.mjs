// A listener for p2pcards that plays random legal actions: node listener.mjs --port 0 --name Nora --home DIR
//   --chat TEXT      says this once, when a game has begun
//   --drop-after N   cuts its link once, after so many records, and waits to be called again
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { answer } from "./channel.mjs";
import { chain } from "./deal.mjs";
import { CHECK, advance, owes, readHeader, signCheck, signMove } from "./follow.mjs";
import { GAMES } from "./games.mjs";
import { openHome } from "./home.mjs";
import { AGAIN, ASK, BYE, CHAT, CODE, HAVE, HEADERS, HELLO, MOVE, OFFER, PING, PONG, RECORD, REFUSED, RESUME, Refused, STAKE, WORDS,
  WORDS_NONCE, WORDS_REVEAL, bytes, need, pack, rawPublic, readMessage, same, sha256, splitFrame, u8, unpack } from "./wire.mjs";

const { values: flags } = parseArgs({ options: { port: { type: "string", default: "0" }, name: { type: "string", default: "Nora" },
  home: { type: "string", default: "example-home" }, chat: { type: "string" }, "drop-after": { type: "string" } } });
const home = openHome(flags.home);
const me = rawPublic(home.identity);
const say = (...words) => console.log(words.join(" "));
const send = (...message) => link?.channel.send(pack(message));
const entryOf = (data) => unpack(splitFrame(data)[0].body);

let { seed, header, records, pending } = home.load(); // pending: a frame that I have signed and whose record has not come
let values = seed && chain(seed);
let game = header ? records.reduce(advance, readHeader(header, me, values[0], home.coordinator(header))) : null;
let link = null, upTo = 0, parts = [], words = null, tried = []; // tried: the actions that were sent in this place
const over = () => !game || game.phase === "closed";

// --- what I owe -------------------------------------------------------------------------------------------------------

function act() {
  if (!link || over() || game.count < upTo) return;
  if (pending && owes(game, ...entryOf(pending))) return; // it was sent
  pending = null;
  if (owes(game, CHECK)) pending = signCheck(game, home.identity, values); // not kept: the log gives the same one again
  else if (owes(game, 0)) {
    const left = GAMES[game.key].legal(game.table, game.seat).filter((one) => !tried.includes(JSON.stringify(one)));
    need(left.length, "rules");
    const chosen = left[randomInt(left.length)];
    tried.push(JSON.stringify(chosen));
    pending = signMove(game, home.identity, chosen, randomBytes(10));
    home.keepPending(pending);
  }
  if (pending) link.channel.send(bytes(u8(MOVE), pending));
}

// --- what comes -------------------------------------------------------------------------------------------------------

function begin() {
  header = Buffer.concat(parts);
  game = readHeader(header, me, values[0], link.channel.peer);
  [parts, records, pending, tried, upTo] = [[], [], null, [], 0];
  home.begin(game.mine, seed, header);
  if (flags.chat) send(CHAT, 0, 1, flags.chat);
  flags.chat = undefined;
  act();
}

function cutOff() {
  say("cut off after", game.count, "records");
  flags["drop-after"] = undefined;
  link.socket.destroy();
  link = null;
}

const HANDLERS = {
  [RECORD](number, data) {
    const ahead = (number - game.count) & 255;
    if (ahead > 128) return undefined; // I have it already
    const mine = ahead === 1 && owes(game, CHECK) ? [signCheck(game, home.identity, values)] : []; // it is not sent back to me
    if (ahead > mine.length) return send(RESUME, game.id, game.count, game.head);
    const news = [...mine, data];
    game = news.reduce(advance, game);
    for (const record of news) {
      home.keepRecord(record);
      records.push(record);
      const [kind, , who, hand, verdict] = entryOf(record);
      if (kind === CHECK && who === game.mine) say("hand", hand, "verdict", verdict);
    }
    tried = [];
    if (over()) say("closed after", game.count, "records");
    return game.count >= Number(flags["drop-after"] ?? NaN) ? cutOff() : act();
  },
  [BYE](code, text) { say("bye", code, text); link.socket.end(); },
  [PING](number) { send(PONG, number); },
  [CHAT](author, number, text) { say("chat from", author, text.replace(/[\p{Cc}\p{Cf}]/gu, "")); },
  [OFFER](nonce) {
    if (!over()) return send(BYE, 5, "A game is on.");
    seed = randomBytes(24);
    values = chain(seed);
    parts = [];
    return send(STAKE, nonce, values[0]);
  },
  [HEADERS](part, count, data) {
    need(values && part === parts.length && part < count, "shape");
    parts.push(data);
    if (parts.length === count) begin();
  },
  [RESUME](id, count) {
    if (!game || !same(id, game.id)) return send(RESUME, id, 0, Buffer.alloc(32));
    send(RESUME, game.id, game.count, game.head);
    say("resumes at", game.count, "of", count, "records");
    upTo = count;
    if (pending && game.count >= upTo && owes(game, ...entryOf(pending))) link.channel.send(bytes(u8(MOVE), pending));
    return act();
  },
  [REFUSED](base, code, text) {
    say("refused", code, text);
    if (!pending || entryOf(pending)[1] !== base) return;
    pending = null;
    if (code === 0) tried = [];
    act();
  },
  [AGAIN](side) { if (side === 0) send(AGAIN, 0, true); },
  [ASK](first) { records.slice(first).forEach((data, i) => send(HAVE, first + i, withoutFaces(data))); },
  [WORDS](commitment) { words = { commitment, nonce: randomBytes(16) }; send(WORDS_NONCE, words.nonce); },
  [WORDS_REVEAL](nonce) {
    const { hash } = link.channel;
    need(words && same(sha256("p2pcards words commitment 1", hash, nonce), words.commitment), "fairness");
    const lists = readFileSync(new URL("../vectors/words.txt", import.meta.url), "utf8").match(/(?<= list: ).*/g).map((line) => line.split(" "));
    say("words", ...[...sha256("p2pcards words 1", hash, nonce, words.nonce)].slice(0, 3).map((number, i) => lists[i % 2][number]));
    words = null;
  },
};

function withoutFaces(data) {
  const kept = [];
  for (let rest = data, more; rest.length; rest = more) {
    more = rest.readUInt16BE(0) ? splitFrame(rest)[1] : rest.subarray(rest.length);
    const isFaces = rest.readUInt16BE(0) && entryOf(rest)[0] === 9;
    if (!isFaces) kept.push(rest.subarray(0, rest.length - more.length));
  }
  return bytes(...kept);
}

// --- links ------------------------------------------------------------------------------------------------------------

async function serve(socket) {
  const channel = await answer(socket, home.identity);
  const farewell = (code, text) => { channel.send(pack([BYE, code, text])); socket.end(); };
  const { value, done } = await channel.messages.next();
  if (done) return undefined;
  const [kind, version, coordinates] = readMessage(value);
  if (kind === BYE) return socket.end();
  if (kind === CODE) return farewell(16, "I ask nobody for a code.");
  need(kind === HELLO, "shape");
  channel.send(pack([HELLO, 1, false, flags.name, "betty"]));
  if (version !== 1) return farewell(1, "I speak version 1.");
  if (!coordinates) return farewell(4, "I am a listener too.");
  const sitting = link ? link.channel.peer : over() ? channel.peer : game.keys[0];
  if (!same(sitting, channel.peer)) return farewell(2, "I sit at another table.");
  if (link) { send(BYE, 6, "You have called again."); link.socket.end(); }
  const mine = (link = { channel, socket, heard: Date.now() });
  const watch = setInterval(() => {
    if (Date.now() - mine.heard > 15_000) socket.destroy();
    else if (Date.now() - mine.heard >= 5_000) channel.send(pack([PING, 0]));
  }, 5_000);
  try {
    for await (const data of channel.messages) {
      if (link !== mine) return undefined;
      mine.heard = Date.now();
      const [number, ...fields] = readMessage(data);
      HANDLERS[number]?.(...fields);
    }
  } catch (error) {
    if (link !== mine) return undefined; // I have cut it off myself
    if (error instanceof Refused) send(BYE, 5, `Refused: ${error.message}.`);
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
