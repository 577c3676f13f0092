// The channel, for the side that waited: Noise_XX_25519_ChaChaPoly_SHA256 and the identities inside it (channel.md).
import { createCipheriv, createDecipheriv, createHmac, diffieHellman, generateKeyPairSync, sign } from "node:crypto";
import { bytes, checkSignature, need, publicKey, rawPublic, same, sha256 } from "./wire.mjs";

const DEADLINE = 10_000; // milliseconds for the whole handshake
const TAG = 16;

class Half {
  constructor(key) { this.key = key; this.count = 0n; }
  nonce() { const n = Buffer.alloc(12); n.writeBigUInt64LE(this.count++, 4); return n; }
  seal(text, about = Buffer.alloc(0)) {
    const cipher = createCipheriv("chacha20-poly1305", this.key, this.nonce(), { authTagLength: TAG });
    cipher.setAAD(about, { plaintextLength: text.length });
    return bytes(cipher.update(text), cipher.final(), cipher.getAuthTag());
  }
  open(sealed, about = Buffer.alloc(0)) {
    const end = sealed.length - TAG;
    const cipher = createDecipheriv("chacha20-poly1305", this.key, this.nonce(), { authTagLength: TAG });
    cipher.setAAD(about, { plaintextLength: end });
    cipher.setAuthTag(sealed.subarray(end));
    return bytes(cipher.update(sealed.subarray(0, end)), cipher.final()); // throws unless it opens
  }
}

function derive(chaining, material) {
  const hmac = (key, ...parts) => createHmac("sha256", key).update(bytes(...parts)).digest();
  const secret = hmac(chaining, material);
  const first = hmac(secret, Buffer.from([1]));
  return [first, hmac(secret, first, Buffer.from([2]))];
}

async function* frames(socket, limits) {
  let arrived = Buffer.alloc(0);
  for await (const chunk of socket) {
    arrived = bytes(arrived, chunk);
    while (arrived.length >= 2) {
      const size = arrived.readUInt16BE(0);
      need(size >= limits.least && size <= limits.most, "length");
      if (arrived.length < 2 + size) break;
      yield arrived.subarray(2, 2 + size);
      arrived = arrived.subarray(2 + size);
    }
  }
}

function write(socket, data) {
  socket.write(bytes(Buffer.from([data.length >> 8, data.length & 255]), data));
}

// identity: our private Ed25519 key. Gives { peer: her identity, hash: of the handshake, send(message), messages: what comes }.
export async function answer(socket, identity) {
  const limits = { least: 32, most: 32 };
  const incoming = frames(socket, limits);
  const late = setTimeout(() => socket.destroy(), DEADLINE);
  const read = async (size) => {
    limits.least = limits.most = size;
    const { value, done } = await incoming.next();
    need(!done, "length");
    return value;
  };
  let hash = Buffer.from("Noise_XX_25519_ChaChaPoly_SHA256");
  let chaining = hash, half = null;
  const mixHash = (data) => { hash = sha256(hash, data); };
  const mixKey = (ours, theirs) => {
    const shared = diffieHellman({ privateKey: ours, publicKey: publicKey("x25519", theirs) });
    need(!same(shared, Buffer.alloc(32)), "signature");
    let key;
    [chaining, key] = derive(chaining, shared);
    half = new Half(key);
  };
  const seal = (text) => { const sealed = half.seal(text, hash); mixHash(sealed); return sealed; };
  const open = (sealed) => { const text = half.open(sealed, hash); mixHash(sealed); return text; };
  const signed = (role) => bytes("p2pcards channel 1", Buffer.from([role]), hash);

  try {
    const [ephemeral, fixed] = [generateKeyPairSync("x25519"), generateKeyPairSync("x25519")];
    mixHash(Buffer.from("p2pcards 1"));
    const first = await read(32);
    mixHash(first);
    mixHash(Buffer.alloc(0)); // the empty payload of message 1
    const e = rawPublic(ephemeral.publicKey);
    mixHash(e);
    mixKey(ephemeral.privateKey, first);
    const s = seal(rawPublic(fixed.publicKey));
    mixKey(fixed.privateKey, first);
    write(socket, bytes(e, s, seal(bytes(rawPublic(identity), sign(null, signed(2), identity)))));
    const third = await read(160);
    mixKey(ephemeral.privateKey, open(third.subarray(0, 48)));
    const about = signed(1);
    const payload = open(third.subarray(48));
    const peer = payload.subarray(0, 32);
    checkSignature(peer, about, payload.subarray(32));
    need(!same(peer, rawPublic(identity)), "signature");
    const [theirs, ours] = derive(chaining, Buffer.alloc(0)).map((key) => new Half(key));
    [limits.least, limits.most] = [1 + TAG, 4096 + TAG];
    return {
      peer,
      hash,
      send: (message) => write(socket, ours.seal(message)),
      messages: (async function* () { for await (const sealed of incoming) yield theirs.open(sealed); })(),
    };
  } finally {
    clearTimeout(late);
  }
}
