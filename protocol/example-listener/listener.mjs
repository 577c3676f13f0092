// A listener for p2pcards that plays random legal actions: node listener.mjs --port 0 --name Nora --home DIR
//   --chat TEXT      says this once, when a game has begun
//   --drop-after N   cuts its link once, after so many records, and waits to be called again
import { randomBytes, randomInt } from "node:crypto";
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { answer } from "./channel.mjs";
import { openHome } from "./home.mjs";
import { takeSeat } from "./seat.mjs";
import { writeMessage } from "./wire.mjs";

const { values: flags } = parseArgs({ options: { port: { type: "string", default: "0" }, name: { type: "string", default: "Nora" },
  home: { type: "string", default: "example-home" }, chat: { type: "string" }, "drop-after": { type: "string" } } });
const home = openHome(flags.home);
const say = (...words) => console.log(words.join(" "));
const decide = (actions) => actions[randomInt(actions.length)];
const seat = takeSeat({ home, name: flags.name, chance: randomBytes, decide, say, chat: flags.chat });
let dropAfter = Number(flags["drop-after"] ?? Infinity);

const DEADLINE = 10_000; // milliseconds for the handshake and the first message

async function serve(socket) {
  const late = setTimeout(() => socket.destroy(), DEADLINE);
  const channel = await answer(socket, home.identity);
  const link = { send: (data) => channel.send(data), hangUp: () => socket.end(), peer: channel.peer, hash: channel.hash };
  const first = await channel.receive();
  clearTimeout(late);
  if (!first) return socket.end();
  if (!seat.greet(link, first)) return undefined;
  let heard = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heard > 15_000) socket.destroy();
    else if (Date.now() - heard >= 5_000) channel.send(writeMessage("PING", 0));
  }, 5_000);
  try {
    for (let data; (data = await channel.receive()) && seat.sitsAt(link);) { // until the coordinator has called again
      heard = Date.now();
      seat.receive(data);
      if (seat.count() >= dropAfter) {
        say("cut off after", seat.count(), "records");
        dropAfter = Infinity;
        seat.lose(link);
        socket.destroy();
      }
    }
  } catch (error) {
    if (!seat.sitsAt(link)) return undefined; // I have cut it off myself
    seat.refuse(error);
    throw error;
  } finally {
    clearInterval(watch);
    seat.lose(link);
    socket.end();
  }
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => {});
  serve(socket).catch((error) => { say("link ended:", error.message); socket.end(); });
});
server.listen(Number(flags.port), "127.0.0.1", () => say(server.address().port));
