/** The way to the page's Python end: a WebSocket of the daemon of this machine, or a worker in which the same program
 *  runs. JSON texts, one message each. */

import { holdConnection, type Wanted } from "./connection";
import type { Plain, Said } from "./said";

export interface Link {
  /** Whether the daemon of this machine is at the other end; else everything runs in the page. */
  local: boolean;
  say(kind: string, more?: { [key: string]: Plain }): void;
  /** A file, where everything runs in the page: "verify" or "bring". */
  give(kind: string, name: string, bytes: ArrayBuffer): void;
}

/** What the worker saves. */
export interface Saved {
  is: "file";
  name: string;
  bytes: ArrayBuffer;
}

export interface Ends {
  said(message: Said): void;
  opened(): void;
  lost(why: string): void;
  saved(file: Saved): void;
}

/** What a server beside which the daemon runs answers at this name: itself. A web space may answer anything. */
const HERE = "here";
const ITSELF = "p2pcards\n";

/** named: the digits of the page's hash in the link, "" if it has none. */
export async function openLink(ends: Ends, named: string): Promise<Link> {
  const local = await fetch(HERE).then(
    async (answer) => answer.ok && (await answer.text()) === ITSELF,
    () => false,
  );
  return local ? socketLink(ends) : workerLink(ends, named);
}

const RETRY = 1000;

function socketLink(ends: Ends): Link {
  let socket: WebSocket;
  const address = new URL("front", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const connect = () => {
    socket = new WebSocket(address);
    socket.onopen = () => ends.opened();
    socket.onmessage = (event) => ends.said(JSON.parse(String(event.data)) as Said);
    socket.onclose = (event) => {
      ends.lost(event.reason || "Can't connect to p2pcards. Start it again, and open the address it shows.");
      setTimeout(connect, RETRY);
    };
  };
  connect();
  return {
    local: true,
    give: () => undefined,
    say: (kind, more = {}) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ ...more, is: kind }));
    },
  };
}

function workerLink(ends: Ends, named: string): Link {
  const worker = new Worker(document.querySelector<HTMLMetaElement>('meta[name="worker"]')?.content ?? "", { type: "module", name: named });
  worker.onmessage = (event) => {
    const said = event.data as string | Saved | Wanted;
    if (typeof said === "object") said.is === "file" ? ends.saved(said) : holdConnection(said);
    else if (said === "ready") ends.opened();
    else ends.said(JSON.parse(said) as Said);
  };
  worker.onerror = () => ends.lost("The page couldn't start: part of it didn't load, or this browser has no WebAssembly. Reload it, or try another browser.");
  return {
    local: false,
    say: (kind, more = {}) => worker.postMessage(JSON.stringify({ ...more, is: kind })),
    give: (kind, name, bytes) => worker.postMessage({ is: kind, name, bytes }, [bytes]),
  };
}
