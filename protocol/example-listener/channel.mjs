// The channel: Noise_XX_25519_ChaChaPoly_SHA256 and the identities inside it (channel.md).
import { createCipheriv, createDecipheriv, diffieHellman, generateKeyPairSync, hkdfSync, sign } from "node:crypto";
import { bytes, checkSignature, need, publicKey, rawPublic, same, sha256, u16 } from "./wire.mjs";

const TAG = 16;
const EMPTY = Buffer.alloc(0);

class Half {
  constructor(key) { this.key = key; this.count = 0n; }
  cipher(create, about, plaintextLength) {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64LE(this.count++, 4);
    return create("chacha20-poly1305", this.key, nonce, { authTagLength: TAG }).setAAD(about, { plaintextLength });
  }
  seal(text, about = EMPTY) {
    const cipher = this.cipher(createCipheriv, about, text.length);
    return bytes(cipher.update(text), cipher.final(), cipher.getAuthTag());
  }
  open(sealed, about = EMPTY) {
    const end = sealed.length - TAG;
    const cipher = this.cipher(createDecipheriv, about, end).setAuthTag(sealed.subarray(end));
    return bytes(cipher.update(sealed.subarray(0, end)), cipher.final()); // throws unless it opens
  }
}

function derive(chaining, material) {
  const both = Buffer.from(hkdfSync("sha256", material, chaining, EMPTY, 64));
  return [both.subarray(0, 32), both.subarray(32)];
}

const write = (socket, data) => socket.write(bytes(u16(data.length), data));
// Reads what follows a length in this range; null at the end of the stream.
function reader(socket) {
  const chunks = socket.iterator();
  let arrived = EMPTY;
  const take = async (size) => {
    while (arrived.length < size) {
      const { value, done } = await chunks.next();
      if (done) return null;
      arrived = bytes(arrived, value);
    }
    const taken = arrived.subarray(0, size);
    arrived = arrived.subarray(size);
    return taken;
  };
  return async (least, most = least) => {
    const length = await take(2);
    if (!length) return null;
    const size = length.readUInt16BE(0);
    need(size >= least && size <= most, "length");
    return take(size);
  };
}

// What both ends of a handshake keep. mix: something into the hash; key: of a shared secret; mine: my identity with its signature, sealed;
// theirs: whose identity it is.
function handshake(identity) {
  let hash = Buffer.from("Noise_XX_25519_ChaChaPoly_SHA256");
  let chaining = hash, half = null;
  const mix = (data) => { hash = sha256(hash, data); return data; };
  const seal = (text) => mix(half.seal(text, hash));
  const open = (sealed) => { const text = half.open(sealed, hash); mix(sealed); return text; };
  const signed = (role) => bytes("p2pcards channel 1", Buffer.from([role]), hash);
  mix("p2pcards 1");
  return { mix, seal, open,
    key({ privateKey }, theirs) {
      const shared = diffieHellman({ privateKey, publicKey: publicKey("x25519", theirs) });
      need(!same(shared, Buffer.alloc(32)), "signature");
      const [next, key] = derive(chaining, shared);
      [chaining, half] = [next, new Half(key)];
    },
    mine: (role) => seal(bytes(rawPublic(identity), sign(null, signed(role), identity))),
    theirs(role, sealed) {
      const about = signed(role);
      const payload = open(sealed);
      const peer = payload.subarray(0, 32);
      checkSignature(peer, about, payload.subarray(32));
      need(!same(peer, rawPublic(identity)), "signature");
      return peer;
    },
    // { peer: the identity at the other end, hash: of the handshake, send(message), receive(): a message or null }
    channel(peer, socket, read, opens) {
      const halves = derive(chaining, EMPTY).map((key) => new Half(key));
      const [ours, their] = opens ? halves : halves.reverse();
      const receive = async () => { const sealed = await read(1 + TAG, 4096 + TAG); return sealed && their.open(sealed); };
      return { peer, hash, send: (message) => write(socket, ours.seal(message)), receive };
    },
  };
}

// The waiter's end. identity: our private Ed25519 key.
export async function answer(socket, identity) {
  const read = reader(socket), hands = handshake(identity);
  const ephemeral = generateKeyPairSync("x25519"), fixed = generateKeyPairSync("x25519");
  const first = await read(32);
  need(first, "length");
  hands.mix(first);
  hands.mix(EMPTY); // the payload of message 1
  const e = hands.mix(rawPublic(ephemeral.publicKey));
  hands.key(ephemeral, first);
  const s = hands.seal(rawPublic(fixed.publicKey));
  hands.key(fixed, first);
  write(socket, bytes(e, s, hands.mine(2)));
  const third = await read(160);
  need(third, "length");
  hands.key(ephemeral, hands.open(third.subarray(0, 48)));
  return hands.channel(hands.theirs(1, third.subarray(48)), socket, read, false);
}

// The opener's end, for ../example-coordinator.
export async function call(socket, identity) {
  const read = reader(socket), hands = handshake(identity);
  const ephemeral = generateKeyPairSync("x25519"), fixed = generateKeyPairSync("x25519");
  write(socket, hands.mix(rawPublic(ephemeral.publicKey)));
  hands.mix(EMPTY);
  const second = await read(192);
  need(second, "length");
  const e = hands.mix(second.subarray(0, 32));
  hands.key(ephemeral, e);
  hands.key(ephemeral, hands.open(second.subarray(32, 80)));
  const peer = hands.theirs(2, second.subarray(80));
  const s = hands.seal(rawPublic(fixed.publicKey));
  hands.key(fixed, e);
  write(socket, bytes(s, hands.mine(1)));
  return hands.channel(peer, socket, read, true);
}
