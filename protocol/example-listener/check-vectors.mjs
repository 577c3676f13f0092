// Whether this implementation agrees with ../vectors: node check-vectors.mjs [FOLDER]. Prints what differs, and how many files were compared.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chain, commitment, derivedSalt, handSecret, shuffle } from "./deal.mjs";
import { advance, countContinued, countHand, ownRecord, readHeader, wholeHeader } from "./follow.mjs";
import { GAMES, allowed, begin, happening } from "./games.mjs";
import { readLog } from "./home.mjs";
import { takeSeat } from "./seat.mjs";
import { privateKey, rawPublic, readMessage, splitFrame, splitRecord, unpack } from "./wire.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../vectors", import.meta.url));
const hex = (text) => Buffer.from(text, "hex");
const read = (name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n").map((line) => {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 2)];
});
const at = {}; // the positions of side 1 in a game: after the header, and after each record

function positions(name) {
  if (at[name]) return at[name];
  const lines = read(name);
  const get = (key) => hex(lines.find(([one]) => one === key)[1]);
  const [me, ann] = [1, 0].map((side) => rawPublic(privateKey(get(`private key ${side}`))));
  const found = [readHeader(get("header"), me, chain(get("chain seed 1"))[0], ann)];
  let record = null;
  for (const [key, value] of lines) {
    if (key === "record" || key === "to side 1") record = hex(value);
    if (key === "taken") {
      const [, , head, rest] = readMessage(hex(value));
      const [[entry], opening] = splitRecord(record);
      record = ownRecord(Buffer.concat([entry.raw, opening]), rest);
      if (!advance(found.at(-1), record).head.subarray(0, 4).equals(head)) throw new Error("TAKEN differs");
    }
    if (key === "head" && record) found.push(advance(found.at(-1), record));
    if (key === "head" && Buffer.from(found.at(-1).head).toString("hex") !== value) throw new Error(`head ${found.length - 1} differs`);
  }
  return (at[name] = found);
}

// Whether the seat, given the coordinator's lines of a dialogue and the choices of its player, says those of the listener.
function agreesWith(lines) {
  const all = (key) => lines.filter(([one]) => one === key).map(([, value]) => value);
  const [seeds, [hello]] = [all("chain seed").map(hex), all("listener")];
  let said = [], wrong = false, ahead = null, seat = null, link = null; // said: and not yet found in the dialogue; ahead: what stands there next
  const chosen = () => { // salt, number, fields
    const [{ value: [, , , ...open] }, opening] = splitFrame(ahead.subarray(1));
    return opening.length ? unpack(opening.subarray(2)) : [Buffer.alloc(10), ...open];
  };
  seat = takeSeat({
    home: { identity: privateKey(hex(all("private key")[0])), load: () => () => [], keep() {}, begin() {} },
    name: unpack(hex(hello))[3],
    chance: (size) => (size === 24 ? seeds.shift() : wrong ? Buffer.alloc(size) : chosen()[0]),
    decide: (actions) => (wrong ? actions[0] : chosen().slice(1)), // whatever it is, something else is sent in place of it
    say() {},
  });
  for (const [i, [key, value]] of lines.entries()) {
    if (key === "listener, wrong") return true;
    if (["link", "coordinator"].includes(key) && said.length) return false;
    const [next, message] = lines.slice(i).find(([one]) => /^listener/.test(one)) ?? ["", ""];
    [wrong, ahead] = [next === "listener, wrong", hex(message)];
    if (key === "link" && link) seat.lose(link);
    if (key === "link") link = value === "opened" && { send: (data) => said.push(data), hangUp() {}, peer: hex(all("key of the coordinator")[0]) };
    const toRefuse = lines.slice(i).some(([one]) => one === "coordinator, refused") && !lines.slice(i).some(([one]) => one === "listener");
    if (/^coordinator(, refused)?$/.test(key) && toRefuse) {
      try { seat.receive(hex(value)); } catch { return true; }
      if (key !== "coordinator") return false;
    } else if (key === "coordinator" && seat.sitsAt(link)) seat.receive(hex(value));
    else if (key === "coordinator") seat.greet(link, hex(value));
    if (/^listener/.test(key) && said.shift()?.toString("hex") !== value) return false;
  }
  return said.length === 0;
}

// Whether each hand counts here as it should, and leaves the same quorum.
function countsAlike(name) {
  const all = (key) => read(name).filter(([one]) => one === key).map(([, value]) => value.split(" ").filter((one) => one !== "-"));
  const key = (text) => String(Uint8Array.from(hex(text))), keys = all("side").map(([one]) => Uint8Array.from(hex(one)));
  const owners = read(name).find(([one]) => one === "seats")[1].split(" ").map((one) => (one === "-" ? null : Number(one)));
  const quorum = all("named")[0][0] === "no" ? undefined : all("named")[0].map(key);
  const g = { keys, owners, quorum, majorityOf: quorum ?? owners.filter((one) => one !== null).map((one) => String(keys[one])), counted: 0, opened: 0, ended: false };
  return all("away").every((away, i) => {
    const present = owners.filter((one) => one !== null && !away.includes(String(one))).map((one) => String(keys[one]));
    Object.assign(g, { opened: i + 1, present, checkers: [] });
    countHand(g);
    for (const side of all("checks")[i]) { g.checkers.push(Number(side)); countHand(g); }
    if (all("closed").length && i === all("away").length - 1) countContinued(g);
    return (g.counted === g.opened) === (all("counts")[i][0] === "yes") && String(g.majorityOf.toSorted()) === String(all("quorum")[i].map(key).sort());
  });
}

const CHECKS = {
  quorum: (vector, name) => countsAlike(name),
  dialogue: (vector, name) => agreesWith(read(name)),
  message: ({ bytes }) => readMessage(hex(bytes)),
  game: (vector, name) => positions(name),
  record: ({ game, after }, name) => read(name).filter(([key]) => key === "record").map(([, value]) => hex(value))
    .reduce(advance, positions(game)[Number(after)]),
  header: ({ frame }, name) => {
    const lines = Object.fromEntries(read(name.startsWith("header-") ? name.replace("header-", "games/") : "games/crazy_eights.txt"));
    const [ann, bob] = [0, 1].map((side) => rawPublic(privateKey(hex(lines[`private key ${side}`]))));
    const end = chain(hex(lines["chain seed 1"]))[0];
    const given = Object.fromEntries(read(name));
    const nonce = given.value && hex(/.*h'([0-9a-f]{32})'/.exec(given.value)[1]);
    if (given["to side 1"] && !wholeHeader(hex(given["to side 1"]), bob, end, nonce, ann).equals(hex(frame))) return false;
    return readHeader(hex(frame), bob, end, ann);
  },
  log: ({ bytes }, name) => {
    const { payloads, end } = readLog(hex(bytes));
    const given = read(name).filter(([key]) => key === "payload").map(([, value]) => value);
    const agrees = String(payloads.map((payload) => payload.toString("hex"))) === String(given);
    return agrees && { torn: end < hex(bytes).length && `torn ${end}` };
  },
  chain: (vector) => Object.entries(vector).every(([key, value]) =>
    !key.startsWith("value ") || chain(hex(vector["value 16384"]))[Number(key.slice(6))].equals(hex(value))),
  secret: (v) => handSecret(Number(v.version), hex(v.head), Number(v.hand), hex(v["value of the coordinator"]),
    [1, 2, 3].map((side) => [side, v[`value of side ${side}`] ?? v[`last value of side ${side}`]]).filter(([, value]) => value)
      .map(([side, value]) => [side, hex(value)])).equals(hex(v.secret)),
  shuffle: (v) => Buffer.from(shuffle(hex(v.unshuffled), hex(v.secret), v.label)).equals(hex(v.shuffled)),
  salt: (v) => derivedSalt(hex(v["value of the coordinator"]), Number(v.seat), Number(v.base)).equals(hex(v.salt)),
  commitment: (v) => commitment(hex(v.salt), [0, Uint8Array.from(hex(v.msgpack).subarray(-3))]).equals(hex(v.commitment)),
};
// What only a coordinator receives, or somebody who plays alone; cribbage, which is not among the three games here; and whether a game is won,
// as points are not counted here.
const foreign = (vector, name) => vector["at side"] === "0" || /(close-won-between|check-none-won|continued-won).txt$/.test(name) || /(games\/|header-|entries\/)(alone|taken-back|not-opened|left-out|added|fan)/.test(vector.game ?? name);

let agreed = 0;
const differ = [];
const names = readdirSync(folder, { recursive: true }).filter((one) => one.endsWith(".txt") && !/^(playthroughs|modem)/.test(one));
for (const name of names.sort()) {
  const vector = Object.fromEntries(read(name));
  if (!CHECKS[vector.type] || foreign(vector, name)) continue;
  let found = "ok";
  try {
    const result = CHECKS[vector.type](vector, name);
    if (result === false) found = "something else";
    else if (result?.torn) found = result.torn;
    else if (vector.expect.startsWith("verdict")) found = `verdict ${result.verdict}`;
  } catch (error) { found = `${error.message.startsWith("damaged") ? "" : "refused "}${error.message}`; }
  // Here 7.0 is 7, and maps and deep nesting are refused while they are decoded.
  if (vector.type === "message" && found === "refused encoding") found = found.replace("encoding", vector.expect.slice(8));
  if (found === vector.expect) agreed += 1;
  else differ.push(`${name}: ${found}, not ${vector.expect}`);
}

// A game by the truth, without its points: what each value of an option allows and refuses, and whose turn it makes.
function playedOver(key, { options, steps }) {
  const t = begin(key, options, null);
  const happens = (step, ...packs) => {
    const { slots, leader, then } = happening(key, t, step, ...packs);
    then([...slots], leader);
    if (t.stage === "show") happens({});
  };
  for (const [i, [kind, ...rest]] of steps.entries()) {
    const [who, action, ...fields] = kind === "refused" ? rest : [kind, ...rest];
    const given = fields.map((field) => unhex(field));
    const may = () => t.stage === "play" && t.toAct.includes(who) && allowed(key, t, who, action, given);
    const then = { deal: () => t.stage === "opening" && t.dealer, play: () => t.stage === "play" && t.toAct, over: () => t.stage === "opening" && rest[1] };
    if (kind === "scores") continue;
    if (kind === "draw" || kind === "deal") {
      if ((kind === "draw") !== (t.dealer === null) || t.stage === "play") return `step ${i}: nothing is to be dealt`;
      happens({}, ...Array(2).fill([...hex(rest[0])]));
    } else if (kind === "then") {
      if (String(then[rest[0]]()) !== String(rest[1])) return `step ${i}: it is ${then[rest[0]]()}`;
    } else if (may() === (kind === "refused")) return `step ${i}: ${kind === "refused" ? "it is allowed" : "it is refused"}`;
    else if (kind !== "refused") happens({ who, action, fields: given });
  }
  return null;
}
const unhex = (field) => (Array.isArray(field) ? field.map(unhex) : typeof field === "string" ? Uint8Array.from(hex(field)) : field);
for (const key of Object.keys(GAMES)) {
  for (const vector of JSON.parse(readFileSync(join(folder, "options", `${key}.json`), "utf8"))) {
    const wrong = playedOver(key, vector);
    if (wrong === null) agreed += 1;
    else differ.push(`${key}, ${vector.what ?? `${vector.option} = ${vector.value}`}: ${wrong}`);
  }
}
console.log([...differ, `${agreed} agree, ${differ.length} differ`].join("\n"));
process.exitCode = differ.length ? 1 : 0;
