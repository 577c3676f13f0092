// Starts the Python of a browser in Node.js, with noble beside it, and runs tests/rigs/in_pyodide.py there.
//
//     node node_pyodide.mjs PACKAGES ROOT SITE WORK MODULE...
//
// PACKAGES: a node_modules folder with pyodide and noble. ROOT: the repository. SITE: Python's installed packages, of which
// each MODULE (a folder or a file) is taken. WORK: where the logs are, and the report is put.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [packages, root, site, work, ...modules] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(path.join(packages, file)));
const { ed25519, x25519 } = await load("@noble/curves/ed25519.js");
const { chacha20poly1305 } = await load("@noble/ciphers/chacha.js");
const { loadPyodide } = await load("pyodide/pyodide.mjs");
globalThis.noble = { ed25519, x25519, chacha20poly1305 };

const py = await loadPyodide();
const mount = (from, to) => {
  py.FS.mkdirTree(to);
  py.FS.mount(py.FS.filesystems.NODEFS, { root: from }, to);
};
for (const room of ["p2pcards", "tests", "scripts", "protocol"]) mount(path.join(root, room), `/app/${room}`);
mount(work, "/given");
py.FS.mkdirTree("/site");
for (const module of modules) {
  const from = path.join(site, module);
  if (fs.statSync(from).isDirectory()) mount(from, `/site/${module}`);
  else py.FS.writeFile(`/site/${module}`, fs.readFileSync(from));
}
try {
  py.runPython(`
import os, sys
from pathlib import Path
sys.path[:0] = ["/app", "/app/tests", "/app/scripts", "/site"]
os.chdir("/app")
from rigs.in_pyodide import main
main(Path("/given"))
`);
} catch (error) {
  // Node.js would print the line of the error, which is all of Pyodide.
  console.error(String(error.message ?? error));
  process.exit(1);
}
process.exit(0); // whatever timers are left
