"""The tests of `rigs/in_pyodide` in a browser's own worker: Python, noble and the program are the page's files as a
host serves them, started as `page/worker.js` does; what tests need besides, pytest and all of the standard library,
lies behind them."""

from __future__ import annotations

import io
import json
import sysconfig
import time
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from p2pcards.links.tcp import port_of
from p2pcards.links.webdoor import WebDoor
from p2pcards.page.files import KINDS, PageFile, whole_page_files
from rigs.giving_up import longest_wait
from rigs.node_pyodide import ROOT, TESTERS, packages
from rigs.pages import LOOKING, RunningBrowser

PROBE = """
const part = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
const given = new Promise((resolve) => { onmessage = (event) => resolve(event.data); });
async function run() {
  const set = await (await fetch("SET")).json();
  const engine = new URL(set.engine, location).href;
  const [{ loadPyodide }, { default: createPyodideModule }, noble] = await Promise.all(
    ["pyodide", "pyodide.asm", "noble"].map((name) => import(`${engine}${name}.js`)),
  );
  self.noble = noble;
  const python = await loadPyodide({
    createPyodideModule, indexURL: engine, stdLibURL: `${engine}python_stdlib.zip`, lockFileContents: set.python,
    packageBaseUrl: engine,
  });
  python.FS.writeFile("/lib/libraries.zip", await part(`${engine}libraries.zip`));
  python.FS.writeFile("/lib/whole.zip", await part("whole.zip"));
  python.unpackArchive((await part(set.program)).buffer, "zip", { extractDir: "/app" });
  python.unpackArchive((await part("tests.zip")).buffer, "zip", { extractDir: "/" });
  python.globals.set("given", await given);
  return python.runPython(`
import os, sys
from importlib.machinery import PathFinder
from pathlib import Path

class Behind:
    # What the page's standard library lacks comes from the whole one, parts of packages too.
    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, ["/".join(["/lib/whole.zip", *name.split(".")[:-1]])])

sys.meta_path.append(Behind)
sys.path[:0] = ["/app", "/lib/libraries.zip", "/app/tests", "/app/scripts", "/site"]
os.chdir("/app")
from rigs.in_pyodide import main
main(Path("/given"), given.split())
Path("/given/report.json").read_text()
`);
}
run().then((report) => postMessage(report), (error) => postMessage(JSON.stringify({ error: String(error) })));
"""
START = """
(() => {
  window.report = null;
  const probe = new Worker("probe.js", { type: "module" });
  probe.onmessage = ({ data }) => { window.report = data; };
  probe.onerror = (event) => { window.report = JSON.stringify({ error: event.message }); };
  probe.postMessage(TESTS);
  return true;
})()
"""
NEEDED = "tests/*.py", "tests/rigs/**/*", "tests/wire/*", "tests/session/*", "tests/links/*", "scripts/**/*.py"
"""Of the repository, besides the program and the protocol."""


def _zipped(files: Iterator[tuple[str, Path]]) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, path in files:
            archive.writestr(name, path.read_bytes())
    return found.getvalue()


def _tests(logs: Path) -> Iterator[tuple[str, Path]]:
    """By the path that they have there. logs: a folder of those that are verified."""
    for pattern in (*NEEDED, "protocol/**/*"):
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts and path.name != "conftest.py":
                yield f"app/{path.relative_to(ROOT)}", path
    site = Path(sysconfig.get_paths()["purelib"])
    for name in TESTERS.split():
        for path in sorted([site / name, *(site / name).rglob("*.py")]):
            if path.is_file():
                yield f"site/{path.relative_to(site)}", path
    for path in sorted(logs.glob("*.log")):
        yield f"given/{path.name}", path


def worker_files(logs: Path) -> dict[str, PageFile]:
    """Those of the page, and beside them what runs the tests. Skips the test where npm gives no standard library."""
    whole = packages() / "pyodide/python_stdlib.zip"
    listed = next(name for name in whole_page_files() if name.startswith("set-"))
    probe = PROBE.replace("SET", listed).encode()
    beside = {"probe.js": probe, "whole.zip": whole.read_bytes(), "tests.zip": _zipped(_tests(logs))}
    return {
        **whole_page_files(),
        **{name: PageFile(body, KINDS[Path(name).suffix], "", False) for name, body in beside.items()},
    }


@asynccontextmanager
async def serving(files: dict[str, PageFile]) -> AsyncIterator[str]:
    """The address of a table's door that has these files."""
    door = WebDoor(files)

    async def answer(stream: trio.SocketStream) -> None:
        async with stream:
            assert await door.caller(stream) is None

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, answer, [listener])
        yield f"http://127.0.0.1:{port_of(listener)}/"
        nursery.cancel_scope.cancel()


async def worker_report(browser: RunningBrowser, logs: Path, tests: tuple[str, ...]) -> dict[str, Any]:
    """What `in_pyodide.main` reports from the worker of a page there."""
    async with serving(worker_files(logs)) as address:
        page = await trio.to_thread.run_sync(browser.open, f"{address}probe.js")
        end = time.monotonic() + longest_wait()
        while page.value("document.readyState === 'complete' && location.protocol") != "http:":
            assert time.monotonic() < end, "the page does not come"
            await trio.sleep(LOOKING)
        page.value(START.replace("TESTS", json.dumps(" ".join(tests))))
        while (found := page.value("window.report")) is None:
            assert time.monotonic() < end, "the worker does not come to an end"
            await trio.sleep(LOOKING)
        page.close()
    report: dict[str, Any] = json.loads(found)
    assert "error" not in report, report["error"]
    return report
