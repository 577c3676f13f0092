// The page's second half: Python, which runs the same program as a terminal does, and its home. Between this worker and
// the page go JSON texts (web/front.py has them), and files:
//
//   page -> worker  {is: "verify", name, bytes}   a log is checked; answered by {"is": "verdict", name, lines}
//                   {is: "bring", name, bytes}    a game or a home is taken, a log checked; answered by
//                                                 {"is": "brought", name, lines, anew}, anew: it is another home, or by
//                                                 {"is": "replace", name, lines}: what comes, and what would be lost
//                   {"is": "replace"}             the home that was brought takes the place of this one
//                   {"is": "log"}                 the log of the table, or the latest; answered by {is: "file", ...}
//                   {"is": "home"}                the whole home; answered in the same way
//   worker -> page  {is: "connection", port, ...} a WebRTC connection, which a worker cannot have; what goes through the
//                                                 port is in web/worker/data_channel.py
//                   "ready"                       the program runs; what the page said before has waited
//                   {is: "file", name, bytes}     to be saved
//                   {"is": "read", title, lines}  why something of that does not go
//                   {"is": "loading", part, percent}   what of the page is being loaded, and how much has come
//                   {"is": "opening", "text"}     what the start is at after that
//                   {"is": "kept", "text"}        whether what is written is kept
//                   {"is": "hash", "text", space} of all files of the page; space: it lies on a web space
//                   {"is": "older", "text"}       the page has changed where it came from: what to do
//                   {is: "wrong_page", text, there}   not the page that the link names, and nothing more comes; there:
//                                                 its address has that page by now
//                   {"is": "gone", "text"}        nothing more comes: what happened, and what to try

"use strict";

const said = [];
let receive = (message) => said.push(message);
onmessage = (event) => receive(event.data);

const tell = (is, text) => postMessage(JSON.stringify({ is, text }));

// --- the home, in the browser's storage ------------------------------------------------------------------------------

// IndexedDB, and not the file system of the origin: that one is there over https alone, and a friend's page comes over
// http. One row says whose the home is: whoever starts last takes it, and all that the page before it tries to keep
// after that is refused, so there is one writer whatever a browser does with tabs that nobody looks at.
const NAME = "p2pcards";
const PIECES = "pieces";
const MADE = "made";
const OWNER = "\0owner";
const mine = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function openHome() {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => [PIECES, MADE].forEach((store) => opening.result.createObjectStore(store));
  const database = await answered(opening);
  const work = database.transaction(PIECES, "readwrite", { durability: "strict" });
  const store = work.objectStore(PIECES);
  store.put(mine, OWNER);
  const [keys, values] = await Promise.all([answered(store.getAllKeys()), answered(store.getAll())]);
  const pieces = new Map(keys.map((key, at) => [key, values[at]]));
  pieces.delete(OWNER);
  const full = await new Promise((resolve) => {
    work.oncomplete = () => resolve(false);
    work.onabort = () => resolve(true);
  });
  return { database, pieces, full };
}

// As `keeping.Shelf` wants it: what belongs together is kept together, and after a failure nothing but a whole home is.
function shelfOf(database) {
  let broken = false;
  return {
    put(changes, anew, done) {
      broken = broken && !anew;
      const work = database.transaction(PIECES, "readwrite", { durability: "strict" });
      const store = work.objectStore(PIECES);
      let why = "fails";
      store.get(OWNER).onsuccess = (event) => {
        if (event.target.result !== mine) why = "lost";
        if (why === "lost" || broken) return work.abort();
        if (anew) {
          store.clear();
          store.put(mine, OWNER);
        }
        for (const [key, piece] of changes) piece ? store.put(piece, key) : store.delete(key);
      };
      work.oncomplete = () => done("");
      work.onabort = () => {
        broken = true;
        if (work.error?.name === "QuotaExceededError") {
          why = "full";
          madeOf(database).clear(); // a snapshot makes room for a home
        }
        done(why);
      };
    },
  };
}

// A snapshot of Python's memory with the program imported, by the build that it fits. A start from it that never got as
// far as "ready" may have been its fault, so the next one takes another.
const STARTING = "\0starting";

// What fails here is no fault of the page: Firefox reports an error that nobody has taken as one of the worker.
function madeOf(database) {
  const work = database.transaction(MADE, "readwrite");
  work.onerror = (event) => event.preventDefault();
  return work.objectStore(MADE);
}

async function takeSnapshot(database, build) {
  const store = madeOf(database);
  const [broke, snapshot] = await Promise.all([answered(store.get(STARTING)), answered(store.get(build))]);
  if (broke || !snapshot) store.clear();
  store.put(build, STARTING);
  return broke ? undefined : snapshot;
}

const keepSnapshot = (database, build, snapshot) => madeOf(database).put(snapshot, build);
const startedWell = (database) => madeOf(database).delete(STARTING);

// --- the start -------------------------------------------------------------------------------------------------------

const GONE = "Reload the page. If that doesn't help, ask your friend whether the table is still open.";

class Failure extends Error {}

// Of whatever fails: some of it nobody waits for, and Pyodide waits for ever for an engine that does not come.
let fail;
const failed = new Promise((_, reject) => {
  fail = reject;
});

// --- the loader ------------------------------------------------------------------------------------------------------

// By how the address of a part ends what the page calls it; the rest is Python.
const NAMES = { ".json": "the page", "digests.txt": "the page", "_stdlib.zip": "Python's library", "libraries.zip": "the libraries", ".zip": "the games" };
const nameOf = (address) => NAMES[Object.keys(NAMES).find((end) => address.endsWith(end))] ?? "Python";

const missing = (address) =>
  new Failure(`Loading ${nameOf(address)} failed: ${address} didn't load completely. Check your connection, then reload the page.`);

async function part(address, how) {
  const answer = await fetch(address, how).catch(() => null);
  if (!answer?.ok) throw missing(address);
  return answer;
}

// The digits of the page's hash in the link (protocol/reach.md), "" if it has none; source/link.ts passes them.
const NAMED = self.name;
const WRONG_PAGE =
  "This isn't the page in your friend's link, so it didn't join: one of you has an older version, or it was changed on the way. Ask your friend to reload their page and send you the new link.";
const UNCHECKED = "A browser can't check over plain http that this is the page in the link. Open the link with https:// instead.";

class WrongPage extends Error {}

const sha256 = async (data) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// By file name, if the link names the page.
let digests = null;

async function readDigests() {
  if (!self.isSecureContext) throw new Failure(UNCHECKED);
  const text = await (await part("digests.txt", { cache: "no-cache" })).arrayBuffer();
  if ((await sha256(text)).slice(0, 32) !== NAMED) throw new WrongPage();
  digests = new Map(new TextDecoder().decode(text).split("\n").map((line) => line.split(" ")));
  // The page has started this loader unchecked.
  const loader = location.pathname.split("/").pop();
  await checked(loader, await part(loader));
}

// The same answer, once its bytes are those of the page in the link.
async function checked(address, answer) {
  if (!digests) return answer;
  const data = await answer.arrayBuffer().catch(() => Promise.reject(missing(address)));
  if ((await sha256(data)) !== digests.get(address)) throw new WrongPage();
  return new Response(data, answer);
}

// On a web space of one's own the large files lie compressed (web/kept_page.py), and its server knows nothing of that; a
// host says so, and the browser unpacks them; service.js has unpacked what it keeps. An engine has to be called application/wasm.
const PACKED = /\.(wasm|zip)$/;
const unpacked = (answer) => new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });

// All parts that `set.json` lists, each with its size in bytes, from now on under way. Of each an answer or, of a script,
// what it exports; the page is told how much has come.
function loadParts(sizes, packed) {
  const left = { ...sizes };
  const sum = (bytes) => Object.values(bytes).reduce((all, some) => all + some, 0);
  let told = "";
  const came = (address, bytes) => {
    left[address] -= bytes;
    const percent = Math.floor(100 - (100 * sum(left)) / sum(sizes));
    const next = Object.keys(left).find((one) => left[one] > 0);
    const now = JSON.stringify({ is: "loading", part: next ? nameOf(next) : "", percent });
    if (now !== told) postMessage((told = now));
  };
  const file = async (address) => {
    const answer = await part(address);
    const whole = packed && PACKED.test(address) ? unpacked(answer) : answer;
    const counted = new WritableStream({
      write: (bytes) => came(address, bytes.length),
      close: () => {
        if (left[address] && !digests) throw missing(address);
      },
    });
    // Of a copy, as a browser keeps what it compiles beside the answer itself.
    whole.clone().body.pipeTo(counted).catch(() => fail(missing(address)));
    return checked(address, whole);
  };
  const script = async (address) => {
    // The very bytes that were checked: a server may answer otherwise the next time.
    const from = digests ? URL.createObjectURL(await (await checked(address, await part(address))).blob()) : new URL(address, location);
    const exported = await import(from).catch(() => null);
    if (!exported) throw missing(address);
    came(address, left[address]);
    return exported;
  };
  const parts = Object.fromEntries(Object.keys(sizes).map((address) => [address, address.endsWith(".js") ? script(address) : file(address)]));
  Object.values(parts).forEach((one) => one.catch(fail));
  runWhatComes(parts, () => Object.keys(left).every((address) => !left[address] || !address.endsWith(".wasm")));
  return parts;
}

// Pyodide fetches two of the parts by itself, and tells nobody where one of them does not run. A first visit starts it
// twice, of one copy of each.
function runWhatComes(parts, arrived) {
  const fetchIt = self.fetch;
  const here = new URL(".", location).href;
  self.fetch = (address, ...more) => {
    const name = String(address).replace(here, "");
    if (!parts[name]) return fetchIt(address, ...more);
    return name.endsWith(".wasm") ? parts[name] : parts[name].then((answer) => answer.clone());
  };
  let compiling;
  WebAssembly.instantiateStreaming = async (answer, imports) => {
    try {
      const module = await (compiling ??= WebAssembly.compileStreaming(answer));
      return { module, instance: await WebAssembly.instantiate(module, imports) };
    } catch (error) {
      if (arrived())
        fail(new Failure(`The part of the page that deals the cards doesn't run in this browser (${error.message}). ${GONE}`));
      throw error;
    }
  };
}

// Python with the program imported. With a database that always comes from a snapshot: one of an earlier visit, or the
// one just made, which knows nothing of a player, as nothing of the home was read before it.
async function startPython(load, database, build) {
  if (!database) return load({});
  const kept = await takeSnapshot(database, build).catch(() => undefined);
  const python = kept && (await load({ _loadSnapshot: kept }).catch((error) => console.error(error)));
  if (python) return python;
  const made = await load({ _makeSnapshot: true }).then((one) => one.makeMemorySnapshot()).catch((error) => console.error(error));
  if (made) keepSnapshot(database, build, made);
  return load(made ? { _loadSnapshot: made } : {});
}

// Of all files, and how they lie there: "packed" on a web space, "kept" by service.js, "" at a host.
async function hashAt(address) {
  const answer = await fetch(address, { cache: "no-cache" }).catch(() => null);
  const [hash, lies = ""] = answer?.ok ? (await answer.text()).split("\n") : [""];
  return { hash, lies };
}

// A table that is found again may be kept by a newer program, with a page of its own.
async function compare(then) {
  const { hash: now } = await hashAt("hash.txt?now"); // of which service.js keeps nothing
  if (then && now && then !== now) tell("older", "Your friend's program has been updated. Reload the page; your seat is kept.");
}

async function start() {
  if (typeof WebAssembly !== "object")
    throw new Failure("This browser has no WebAssembly, or it's turned off, and the page needs it to deal cards. Try another browser.");
  if (typeof DecompressionStream !== "function")
    throw new Failure("This browser is older than 2023 and can't unpack the page. Use a newer one.");
  const came = hashAt("hash.txt");
  if (NAMED) await readDigests();
  const set = await (await checked("set.json", await part("set.json"))).json();
  const { hash, lies } = await came;
  postMessage(JSON.stringify({ is: "hash", text: hash, space: lies !== "" }));
  const parts = loadParts(set.sizes, lies === "packed");
  const bytes = async (address) => (await parts[address]).arrayBuffer();
  const home = openHome().catch(() => null);
  const program = bytes(set.program);
  const libraries = bytes(`${set.engine}libraries.zip`);
  const [{ loadPyodide }, { default: createPyodideModule }, noble] = await Promise.all(
    ["pyodide", "pyodide.asm", "noble"].map((name) => parts[`${set.engine}${name}.js`]),
  );
  self.noble = noble;
  const engine = new URL(set.engine, location).href;
  const load = async (memory) => {
    const snapshot = memory._loadSnapshot;
    const python = await loadPyodide({
      indexURL: engine,
      stdLibURL: `${engine}python_stdlib.zip`,
      lockFileContents: set.python,
      packageBaseUrl: engine,
      stdout: () => undefined,
      stderr: (line) => console.error(line),
      ...memory,
      createPyodideModule: async (settings) => {
        const module = await createPyodideModule(settings);
        // As large as the snapshot: this engine makes its own memory, and is not told how much (Pyodide 314).
        if (snapshot) module._malloc(snapshot.length);
        return module;
      },
    });
    tell("opening", "Starting the games ...");
    python.FS.writeFile("/lib/libraries.zip", new Uint8Array(await libraries));
    python.unpackArchive(await program, "zip", { extractDir: "/program" });
    if (!snapshot) python.runPython("import sys; sys.path[:0] = ['/program', '/lib/libraries.zip']");
    python.pyimport("p2pcards.web.worker.start").destroy();
    return python;
  };
  const { database, pieces, full } = (await home) ?? {};
  const keeps = !full && !digests && database; // a snapshot has no digest
  const python = await startPython(load, keeps, `${set.engine}${set.program}`);
  const begin = python.pyimport("p2pcards.web.worker.start").begin;
  const hear = begin({
    pieces,
    shelf: database && !full && shelfOf(database),
    full,
    hash,
    called: () => compare(hash),
    post: (text) => postMessage(text),
    connection: (port, servers, most, cost) => postMessage({ is: "connection", port, servers, most, cost }, [port]),
    save: (name, bytes) => postMessage({ is: "file", name, bytes: bytes.buffer }, [bytes.buffer]),
  });
  let given = 0;
  receive = (message) => {
    if (typeof message === "string") return hear(message);
    given += 1;
    python.FS.writeFile(`/given-${given}`, new Uint8Array(message.bytes));
    hear(JSON.stringify({ is: message.is, name: String(message.name).slice(0, 200), given }));
  };
  postMessage("ready");
  said.splice(0).forEach(receive);
  if (keeps) startedWell(database);
}

Promise.race([start(), failed]).catch(async (error) => {
  if (error instanceof WrongPage) {
    const { hash } = await hashAt("hash.txt?now");
    return postMessage(JSON.stringify({ is: "wrong_page", text: WRONG_PAGE, there: hash.slice(0, 32) === NAMED }));
  }
  console.error(error);
  tell("gone", error instanceof Failure ? error.message : `Something went wrong in the page (${error.name}). ${GONE}`);
});
