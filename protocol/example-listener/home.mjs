// What is kept on disk: the identity, and the log of one game (log.md). One process at a time may use a home.
import { randomBytes } from "node:crypto";
import { existsSync, fdatasyncSync, mkdirSync, openSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { Refused, bytes, need, privateKey, u32 } from "./wire.mjs";

const FIRST = Buffer.from("p2pcards log 1\n");
const LONGEST = 1_048_576;
const start = (size) => bytes(u32(size), u32(crc32(bytes("p2pcards log record", u32(size)))));
const whole = (payload) => bytes(start(payload.length), payload, u32(crc32(payload)));

// Whether the file ends with the record at `at`, and that with zeros: from its first byte on, or from the beginning of a sector.
function wasNotWritten(data, at, end) {
  let written = data.length;
  while (written > at && data[written - 1] === 0) written -= 1;
  return data.length <= end && (written === at || Math.ceil(written / 512) * 512 < data.length);
}

// The payloads of the whole records, and where they end. What follows there was never sent: it is torn.
export function readLog(data) {
  if (data.length < FIRST.length && FIRST.subarray(0, data.length).equals(data)) return { payloads: [], end: 0 };
  if (data.every((byte) => byte === 0)) return { payloads: [], end: 0 };
  need(data.subarray(0, FIRST.length).equals(FIRST), "damaged 0");
  const payloads = [];
  let at = FIRST.length;
  while (data.length - at >= 8) {
    const size = data.readUInt32BE(at);
    const known = data.subarray(at, at + 8).equals(start(size)) && size <= LONGEST;
    if (known && data.length < at + 12 + size) break;
    const payload = data.subarray(at + 8, at + 8 + size);
    if (!known || !data.subarray(at, at + 12 + size).equals(whole(payload))) {
      need(wasNotWritten(data, at, at + 12 + (known ? size : LONGEST)), `damaged ${at}`);
      break;
    }
    payloads.push(payload);
    at += 12 + size;
  }
  return { payloads, end: at };
}

const runs = (pid) => { try { return process.kill(pid, 0); } catch { return false; } };

export function openHome(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [secret, log, lock] = ["identity", "game.log", "lock"].map((name) => join(folder, name));
  const owner = existsSync(lock) && Number(readFileSync(lock, "utf8"));
  if (owner && owner !== process.pid && runs(owner)) throw new Refused(`The process ${owner} uses ${folder}.`);
  writeFileSync(lock, String(process.pid));
  if (!existsSync(secret)) writeFileSync(secret, randomBytes(32), { mode: 0o600 });
  let file = null;
  const write = (data) => {
    try {
      writeFileSync(file, data);
      fdatasyncSync(file);
    } catch (error) { // nothing may follow a part of a record: at the next start that part is moved aside
      console.error(`${log} cannot be written: ${error.message}.`);
      process.exit(1);
    }
  };
  const keep = (letter, rest) => write(whole(bytes(letter, rest)));
  return {
    identity: privateKey(readFileSync(secret)),
    keep,
    // What was kept with each letter, in order.
    load() {
      if (!existsSync(log)) return () => [];
      const data = readFileSync(log);
      const { payloads, end } = readLog(data);
      if (end < data.length) { // the tail is moved aside
        writeFileSync(`${log}.torn-${end}`, data.subarray(end));
        truncateSync(log, end);
      }
      file = openSync(log, "a");
      return (letter) => payloads.filter((payload) => payload[0] === letter.charCodeAt(0)).map((payload) => payload.subarray(1));
    },
    begin(memory, header) {
      if (existsSync(log)) renameSync(log, `${log}.${Date.now()}`);
      file = openSync(log, "ax");
      write(FIRST);
      keep("M", memory);
      keep("H", header);
    },
  };
}
