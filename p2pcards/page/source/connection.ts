/** A WebRTC connection for the worker, which can have none, with the data channel that both ends negotiate as number 0.
 *  What is said on the port is in web/worker/data_channel.py; all that there is to decide is decided there. */

/** servers: URLs. most: bytes of messages that the worker has not read. cost: bytes that each counts beside its own. */
export interface Wanted {
  is: "connection";
  port: MessagePort;
  servers: string[];
  most: number;
  cost: number;
}

type Asked =
  | ["begin", string]
  | ["answer", string]
  | ["candidate", string]
  | ["send", Uint8Array<ArrayBuffer>]
  | ["read", number]
  | ["close"];

/** For what was sent before it is closed, in milliseconds. */
const LINGER = 1000;

export function holdConnection({ port, servers, most, cost }: Wanted): void {
  const tell = (...said: (string | number | boolean | ArrayBuffer)[]) => port.postMessage(said);
  const connection = connect(servers);
  if (!connection) return tell("gone", false);
  const channel = connection.createDataChannel("p2pcards", { negotiated: true, id: 0 });
  let given = 0;
  let unread = 0;
  const end = (flooded = false) => {
    channel.onmessage = channel.onclose = null;
    connection.close();
    tell("gone", flooded);
  };
  const must = (step: Promise<unknown>) => void step.catch(() => end());
  const describe = async () => {
    await connection.setLocalDescription();
    const { type, sdp } = connection.localDescription!;
    tell("described", type, sdp);
  };

  connection.onicecandidate = ({ candidate }) => candidate && tell("candidate", candidate.candidate);
  connection.onconnectionstatechange = () => connection.connectionState === "failed" && end();
  channel.binaryType = "arraybuffer";
  channel.onopen = () => void leadsTo(connection).then((place) => tell("opened", ...place));
  channel.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    unread += (typeof data === "string" ? data.length : data.byteLength) + cost;
    if (unread > most) end(true);
    else tell("message", data);
  };
  channel.onbufferedamountlow = () => tell("sent", given - channel.bufferedAmount);
  channel.onclose = () => end();

  port.onmessage = ({ data: [what, value] }: MessageEvent<Asked>) => {
    if (what === "begin") {
      // One after the other, as the browser keeps their order.
      if (value) must(connection.setRemoteDescription({ type: "offer", sdp: value }));
      must(describe());
    } else if (what === "answer") {
      must(connection.setRemoteDescription({ type: "answer", sdp: value }));
    } else if (what === "candidate") {
      connection.addIceCandidate({ candidate: value, sdpMLineIndex: 0 }).catch(() => undefined);
    } else if (what === "send" && channel.readyState === "open") {
      given += value.length;
      channel.send(value);
    } else if (what === "read") {
      unread -= value;
    } else if (what === "close") {
      if (channel.readyState !== "open") return end();
      channel.close();
      setTimeout(end, LINGER);
    }
  };
}

/** None where this browser has no connections, or they are turned off. */
function connect(servers: string[]): RTCPeerConnection | null {
  const made = (urls: string[]) => new RTCPeerConnection({ iceServers: urls.map((one) => ({ urls: one })) });
  const isTaken = (server: string) => {
    try {
      made([server]).close();
      return true;
    } catch {
      return false; // at a port that this browser blocks
    }
  };
  try {
    return made(servers);
  } catch {
    try {
      return made(servers.filter(isTaken));
    } catch {
      return null;
    }
  }
}

/** The address and the port of the other end, as far as the browser tells them. */
async function leadsTo(connection: RTCPeerConnection): Promise<[string, number]> {
  const found = await connection.getStats().catch(() => new Map());
  for (const pair of found.values()) {
    const there = pair.type === "candidate-pair" && pair.nominated && found.get(pair.remoteCandidateId);
    if (there?.address) return [there.address, there.port];
  }
  return ["", 0];
}
