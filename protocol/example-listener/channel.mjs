// The channel, for the waiter: Noise_XX_25519_ChaChaPoly_SHA256 and the identities inside it (channel.md).
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

// identity: our private Ed25519 key. Gives { peer: the opener's identity, hash: of the handshake, send(message), receive(): a message or null }.
export async function answer(socket, identity) {
  const read = reader(socket);
  let hash = Buffer.from("Noise_XX_25519_ChaChaPoly_SHA256");
  let chaining = hash, half = null;
  const mixHash = (data) => { hash = sha256(hash, data); return data; };
  const mixKey = ({ privateKey }, theirs) => {
    const shared = diffieHellman({ privateKey, publicKey: publicKey("x25519", theirs) });
    need(!same(shared, Buffer.alloc(32)), "signature");
    const [next, key] = derive(chaining, shared);
    [chaining, half] = [next, new Half(key)];
  };
  const seal = (text) => mixHash(half.seal(text, hash));
  const open = (sealed) => { const text = half.open(sealed, hash); mixHash(sealed); return text; };
  const signed = (role) => bytes("p2pcards channel 1", Buffer.from([role]), hash);

  const ephemeral = generateKeyPairSync("x25519"), fixed = generateKeyPairSync("x25519");
  mixHash("p2pcards 1");
  const first = await read(32);
  need(first, "length");
  mixHash(first);
  mixHash(EMPTY); // the payload of message 1
  const e = mixHash(rawPublic(ephemeral.publicKey));
  mixKey(ephemeral, first);
  const s = seal(rawPublic(fixed.publicKey));
  mixKey(fixed, first);
  write(socket, bytes(e, s, seal(bytes(rawPublic(identity), sign(null, signed(2), identity)))));
  const third = await read(160);
  need(third, "length");
  mixKey(ephemeral, open(third.subarray(0, 48)));
  const about = signed(1);
  const payload = open(third.subarray(48));
  const peer = payload.subarray(0, 32);
  checkSignature(peer, about, payload.subarray(32));
  need(!same(peer, rawPublic(identity)), "signature");
  const [theirs, ours] = derive(chaining, EMPTY).map((key) => new Half(key));
  const receive = async () => { const sealed = await read(1 + TAG, 4096 + TAG); return sealed && theirs.open(sealed); };
  return { peer, hash, send: (message) => write(socket, ours.seal(message)), receive };
}
