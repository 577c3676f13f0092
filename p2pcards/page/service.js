// Keeps a page of a web space, so that it opens without a connection (the page asks for this: source/offline.ts).
//
// All files of one build are kept together or not at all, each as the digests below have it. A page is served from one
// build as a whole: another one is kept beside it, and serves from when no page of the older one is open, or the player
// asks for it. What is not listed here goes to the network as ever.

"use strict";

const FILES = {}; // by name the SHA-256 of what a browser makes of it
const ENTRY = "index.html";
const DIGESTS = "digests.txt";
const HASHED = "hash.txt";
const ITSELF = "service.js";

const SCOPE = registration.scope;
const OURS = `p2pcards ${SCOPE} `; // another folder of this server may have a page of its own

const digest = async (data) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const build = () => digest(new TextEncoder().encode(JSON.stringify(FILES)));
const cacheOf = async () => caches.open(OURS + (await build()));

async function fetched(name) {
  // Some servers lead from index.html to the folder. A name that has a hash in it means the same bytes for ever.
  const answer = await fetch(new URL(name === ENTRY ? "./" : name, SCOPE), { cache: /-[0-9a-f]{16}/.test(name) ? "default" : "reload" });
  if (!answer.ok) throw new Error(`${name} is not there`);
  const headers = new Headers(answer.headers);
  ["Content-Encoding", "Content-Length", "Vary"].forEach((one) => headers.delete(one));
  return { data: await answer.arrayBuffer(), headers };
}

const unpack = (data) => new Response(new Response(data).body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

// What lies packed is kept unpacked, as a browser keeps what it makes of the engine beside an answer that is the engine;
// behind the hash that is said.
async function keepAll() {
  const cache = await cacheOf();
  const put = (name, data, headers) => cache.put(new URL(name, SCOPE), new Response(data, { headers }));
  const hash = await fetched(HASHED);
  const [whole, packed] = new TextDecoder().decode(hash.data).split("\n");
  const lineOf = async (name) => {
    const { data: came, headers } = await fetched(name);
    const data = packed && /\.(wasm|zip)$/.test(name) ? await unpack(came) : came;
    const found = await digest(data);
    if (name in FILES && found !== FILES[name]) throw new Error(`${name} is of another build`);
    if (name.endsWith(".wasm")) headers.set("Content-Type", "application/wasm");
    await put(name, data, headers);
    return `${name} ${found}\n`;
  };
  const digests = new TextEncoder().encode((await Promise.all([...Object.keys(FILES), ITSELF].sort().map(lineOf))).join(""));
  if ((await digest(digests)) !== whole) throw new Error(`${HASHED} is of another build`);
  await put(DIGESTS, digests, hash.headers);
  await put(HASHED, `${whole}\nkept\n`, hash.headers);
}

oninstall = (event) => event.waitUntil(keepAll());

async function forgetOthers() {
  const own = OURS + (await build());
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== own);
  await Promise.all(names.map((name) => caches.delete(name)));
}

onactivate = (event) => event.waitUntil(forgetOthers());

// The player takes this build now.
onmessage = () => skipWaiting();

// Beside a page that is kept here runs no daemon, which the page asks for at this name (source/link.ts).
const DAEMON = "here";

const kept = async (name, request) => (await (await cacheOf()).match(new URL(name, SCOPE))) ?? fetch(request);

onfetch = (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(SCOPE)) return;
  const asked = url.slice(SCOPE.length).replace(/#.*/, "");
  const name = (mode === "navigate" ? asked.replace(/\?.*/, "") : asked) || ENTRY;
  if (name === DAEMON) event.respondWith(new Response("", { status: 404 }));
  else if (name in FILES || name === DIGESTS || name === HASHED) event.respondWith(kept(name, event.request));
};
