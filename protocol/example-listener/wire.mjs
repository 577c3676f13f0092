// Bytes: msgpack, shapes, frames, signatures, keys, messages (records.md, messages.md).
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { decode, encode } from "@msgpack/msgpack";

export class Refused extends Error {} // the message begins with the cause, as records.md names it
export const need = (good, cause) => { if (!good) throw new Refused(cause); };
export const bytes = (...parts) => Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
export const sha256 = (...parts) => createHash("sha256").update(bytes(...parts)).digest();
export const u32 = (number) => { const b = Buffer.alloc(4); b.writeUInt32BE(number); return b; };
export const u16 = (number) => Buffer.from([number >> 8, number & 255]);
export const u8 = (number) => Buffer.from([number]);
export const same = (a, b) => Buffer.compare(a, b) === 0;

// --- msgpack: the shortest encoding, no maps, no floats ---------------------------------------------------------------

export const pack = (value) => Buffer.from(encode(value));
export function unpack(data) {
  let value, again;
  try {
    value = decode(new Uint8Array(data), { maxArrayLength: 4096, maxMapLength: 0, maxExtLength: 0 });
    again = encode(value, { maxDepth: 16 });
  } catch { need(false, "encoding"); }
  need(same(again, data), "encoding");
  return value;
}

// A shape is a function that says whether a value has it.
export const int = (max = 0xffffffff, min = 0) => (v) => Number.isInteger(v) && v >= min && v <= max;
export const bool = (v) => typeof v === "boolean";
export const str = (max) => (v) => typeof v === "string" && [...v].length <= max;
export const bin = (min, max = min) => (v) => v instanceof Uint8Array && v.length >= min && v.length <= max;
export const list = (shape, max) => (v) => Array.isArray(v) && v.length <= max && v.every(shape);
export const row = (...shapes) => (v) => Array.isArray(v) && v.length === shapes.length && shapes.every((shape, i) => shape(v[i]));
export const nil = (v) => v === null;
export const either = (...shapes) => (v) => shapes.some((shape) => shape(v));

// --- keys and signatures ----------------------------------------------------------------------------------------------

const DER = { ed25519: "302a300506032b6570032100", x25519: "302a300506032b656e032100", seed: "302e020100300506032b657004220420" };
export const publicKey = (curve, raw) => createPublicKey({ key: bytes(Buffer.from(DER[curve], "hex"), raw), format: "der", type: "spki" });
export const privateKey = (seed) => createPrivateKey({ key: bytes(Buffer.from(DER.seed, "hex"), seed), format: "der", type: "pkcs8" });
export const rawPublic = (key) =>
  (key.type === "public" ? key : createPublicKey(key)).export({ format: "der", type: "spki" }).subarray(-32);

const P = 2n ** 255n - 19n;
const Y8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL = [0n, 1n, P - 1n, Y8, P - Y8];
export function admit(raw) {
  const y = BigInt(`0x${Buffer.from(raw).reverse().toString("hex")}`) & (2n ** 255n - 1n);
  need(raw.length === 32 && y < P && !SMALL.includes(y), "signature");
}
export function checkSignature(raw, data, signature) {
  admit(raw);
  need(verify(null, data, publicKey("ed25519", raw), signature), "signature");
}

// --- frames -----------------------------------------------------------------------------------------------------------

export const VERSION = 3; // headers of version 1 are read too
export const ENTRY = "p2pcards entry 1", FACES = "p2pcards faces 1", HEADER = "p2pcards header 1", YES = "p2pcards yes 1";

// The frame that these bytes begin with (raw: with its length), and what follows it.
export function splitFrame(data) {
  need(data.length >= 2, "length");
  const end = 2 + data.readUInt16BE(0);
  need(end >= 67 && end <= 4096 && data.length >= end, "length");
  const body = data.subarray(2, end - 64);
  const value = unpack(body);
  need(Array.isArray(value), "shape");
  return [{ raw: data.subarray(0, end), body, value, signature: data.subarray(end - 64, end) }, data.subarray(end)];
}
// The frames of a record, and its opening with the two zero bytes before it.
export function splitRecord(data) {
  const frames = [];
  let frame, rest = data;
  while (rest.length && (rest.length < 2 || rest.readUInt16BE(0))) {
    [frame, rest] = splitFrame(rest);
    frames.push(frame);
  }
  return [frames, rest];
}
export function makeFrame(key, context, value, label = ENTRY) {
  const body = pack(value);
  return bytes(u16(body.length + 64), body, sign(null, bytes(label, context, body), key));
}
export const nextHead = (head, frame) => sha256("p2pcards head 1", head, frame.raw.subarray(2));

// --- messages ---------------------------------------------------------------------------------------------------------

const name = str(24), game = either(nil, str(40)), option = either(bool, int(2 ** 31 - 1, -(2 ** 31) + 1), str(40));
const MESSAGES = [ // from kind 16 on
  ["HELLO", int(255), bool, name, name], ["BYE", int(255), str(200)], ["PING", int()], ["PONG", int()], ["CHAT", int(3), int(), str(400)],
  ["PEOPLE", list(row(name, name, either(nil, int(3)), bool), 4), either(nil, int(3)), game, list(option, 64)],
  ["OFFER", bin(16)], ["STAKE", bin(16), bin(24)], ["HEADER", int(15), int(16, 1), bin(0, 400)], ["RESUME", bin(16), int(), bin(32)],
  ["REFUSED", int(), int(255), str(200)], ["AWAY", bool], ["CLOCKS", list(row(int(2), either(nil, int(86400))), 4)],
  ["AGAIN", int(3), bool], ["ASK", int()], ["HAVE", int(), bin(0, 4000)], ["CODE", int(99999, 1), bin(32)],
  ["CODE ANSWER", bin(32), bin(16)], ["CODE PROOF", bin(16)], ["WORDS", bin(32)], ["WORDS NONCE", bin(16)], ["WORDS REVEAL", bin(16)],
  ["PROPOSAL", int(13, 12), int(), int(3), either(bin(0), bin(64))], ["VOTE", int(), int(3), either(bin(0), bin(64))],
  ["LOOK ON", bin(16), int()], ["GIVE", either(nil, name)], ["WATCH", int(255), name],
  ["WATCHERS", list(row(name, bin(32), either(nil, name)), 16)],
  ["HANDOVER", bin(32)], ["DOORS", list(row(int(3), bin(32), str(300)), 4)], ["SHOW", bin(32), bin(0, 128)], [], ["NO SEAT"], // 47 is none
];
export const writeMessage = (kind, ...fields) => pack([16 + MESSAGES.findIndex(([one]) => one === kind), ...fields]);
export const writeMove = (frame) => bytes(Buffer.from([1]), frame);

// The name of a message, and its fields.
export function readMessage(data) {
  need(data.length > 0, "length");
  if (data[0] === 0 && data.length > 2) return ["RECORD", data[1], data.subarray(2)];
  if (data[0] === 3 && data.length > 5) return ["TAKEN", data[1], data.subarray(2, 6), data.subarray(6)];
  if (data[0] === 2 && data.length === 2 && (data[1] & 63) < 32) return ["QUICK", data[1] >> 6, data[1] & 63];
  need(data[0] >= 0x80, "shape"); // a coordinator sends no MOVE
  const value = unpack(data);
  need(Array.isArray(value) && int(MESSAGES.length + 15, 16)(value[0]), "shape");
  const [kind, ...shapes] = MESSAGES[value[0] - 16];
  need(kind, "shape");
  const another = kind === "HELLO" && value[1] !== VERSION && int(255)(value[1]); // of another version only the version is read
  need(another || row(...shapes)(value.slice(1)), "shape");
  return [kind, ...value.slice(1)];
}

const header = (version, edition, ...more) => row((v) => v === "p2pcards", int(version, version), str(40), list(option, 64),
  list(row(bin(32), name, name, bin(24)), 4), list(row(either(nil, int(3)), name, name, ...edition), 4), int(86400), int(86400),
  either(bin(0), bin(32)), either(nil, int(3)), bin(16), ...more);
const [seat, newer] = [[int(65535, 1)], [int(31), either(nil, int())]];
const kept = (v, depth = 4) => int(2 ** 20, -(2 ** 20))(v)
  || (depth > 0 && Array.isArray(v) && v.length <= 16 && v.every((one) => kept(one, depth - 1)));
const [pause, continues, quorum] = [int(3600, 1), (v) => Array.isArray(v) && kept(v), list(bin(32), 4)];
export const HEADER_SHAPE = either(header(1, []), header(VERSION, seat, ...newer), header(VERSION, seat, ...newer, pause),
  header(VERSION, seat, ...newer, either(nil, pause), continues),
  header(VERSION, seat, ...newer, either(nil, pause), either(nil, continues), quorum));
