// A coordinator for p2pcards that plays hearts with the listeners at these addresses: node coordinator.mjs --home DIR localhost:4747 ...
//   --name NAME --end-score N --games N --grace SECONDS --turn-clock SECONDS
//   --drop-after N   cuts all its links once, after so many records, and calls again
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { parseArgs } from "node:util";
import { call } from "../example-listener/channel.mjs";
import { openHome } from "../example-listener/home.mjs";
import { writeMessage } from "../example-listener/wire.mjs";
import { guestAt, openTable } from "./table.mjs";

const text = (value) => ({ type: "string", default: value });
const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { name: text("Carl"), home: text("example-home"), games: text("1"),
  "end-score": text("100"), grace: text("60"), "turn-clock": text("180"), "drop-after": { type: "string" } } });
if (positionals.length < 1 || positionals.length > 3) {
  console.error("Name one to three listeners: node coordinator.mjs localhost:4747");
  process.exit(2);
}
const home = openHome(flags.home);
const say = (...words) => console.log(words.join(" ").replace(/[\p{Cc}\p{Cf}]/gu, ""));
const guests = positionals.map(guestAt);
let over = false, dropAfter = Number(flags["drop-after"] ?? Infinity);
const table = openTable({ guests, home, name: flags.name, games: Number(flags.games), grace: Number(flags.grace), clock: Number(flags["turn-clock"]),
  options: [Number(flags["end-score"]), "reach", "left", "two_of_clubs", true, false, true, false, true, false, false, "deduct", false, false],
  chance: randomBytes, now: () => performance.now() / 1000, say, done: () => { over = true; } });
const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });

// One link to a listener, until it is over; whether it is worth to call again soon.
async function talk(guest) {
  const [, host, port] = /^(.*):(\d+)$/.exec(guest.address) ?? [null, guest.address, "4747"];
  const socket = connect({ host, port: Number(port), noDelay: true });
  const began = Date.now(), count = table.count();
  const late = setTimeout(() => socket.destroy(), 10_000); // for the handshake
  let heard = began, watch = null, broken = false;
  socket.on("error", () => {});
  guest.cut = () => socket.destroy();
  try {
    const channel = await call(socket, home.identity);
    clearTimeout(late);
    table.joined(guest, { send: (data) => channel.send(data), hangUp: () => socket.end(), peer: channel.peer, hash: channel.hash });
    watch = setInterval(() => {
      if (Date.now() - heard > 15_000) socket.destroy();
      else if (Date.now() - heard >= 5_000) channel.send(writeMessage("PING", 0));
    }, 5_000);
    for (let data; (data = await channel.receive());) {
      heard = Date.now();
      table.receive(guest, data);
      if (table.count() < dropAfter) continue;
      say("cut off after", table.count(), "records");
      dropAfter = Infinity;
      guests.forEach((one) => one.cut());
    }
  } catch (error) {
    broken = !socket.destroyed;
    if (broken) table.refuse(guest, error);
    if (broken) say("link ended:", error.message);
  } finally {
    [late, watch].forEach(clearTimeout);
    table.lost(guest);
    socket.end();
  }
  return !broken && (Date.now() - began > 10_000 || table.count() > count);
}
async function keepCalling(guest) {
  for (let seconds = 1; !over && !guest.gone;) {
    const good = await talk(guest);
    seconds = good ? 1 : Math.min(2 * seconds, 30);
    if (!over) await pause(good ? 1 : seconds / 2);
  }
}
setInterval(table.tick, 250).unref();
await Promise.all(guests.map(keepCalling));
process.exit(over ? 0 : 1);
