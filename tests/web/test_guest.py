"""Trio as a guest of a browser's loop: the insides of Trio that are replaced are those of the Trio that is locked, and
in Node.js, whose loop is a browser's, it does what Trio does."""

from __future__ import annotations

import inspect
import json
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
import trio
from trio import to_thread
from trio._core import _run

from p2pcards.page.files import whole_page_files
from rigs.giving_up import longest_wait
from rigs.node_programs import program

ROOT = Path(__file__).parents[2]

KNOWN = {
    "GuestState": "aac3fb607f307c1e",
    "_io_kqueue.py": "baed36af04ad7665",
    "_wakeup_socketpair.py": "f673547dcb8337d0",
}
"""Of each part of Trio on which `web/worker/guest.py` builds, how the SHA-256 of its text begins. If one differs, read
what has changed, and whether the guest still does what Trio wants; `test_trio_is_a_guest` tries it."""


def test_the_insides_of_trio_are_those_that_are_known() -> None:
    core = Path(_run.__file__).parent
    found = {
        "GuestState": inspect.getsource(_run.GuestState),
        "_io_kqueue.py": (core / "_io_kqueue.py").read_text(),
        "_wakeup_socketpair.py": (core / "_wakeup_socketpair.py").read_text(),
    }
    assert {name: sha256(text.encode()).hexdigest()[:16] for name, text in found.items()} == KNOWN
    assert "start_thread_soon" in vars(_run)
    assert callable(to_thread.run_sync)
    assert {"open_tcp_stream", "open_tcp_listeners"} <= vars(trio).keys()


SCRIPT = """
import {{ readFileSync }} from "node:fs";
globalThis.noble = await import("./noble.js");
globalThis.WebSocket ??= class {{}};
const {{ loadPyodide }} = await import("./pyodide.js");
const {{ default: createPyodideModule }} = await import("./pyodide.asm.js");
const python = await loadPyodide({{ createPyodideModule, lockFileContents: {lock}, packageBaseUrl: "./" }});
globalThis.location ??= new URL("http://localhost/");
python.FS.writeFile("/lib/libraries.zip", readFileSync("libraries.zip"));
python.unpackArchive(readFileSync("program.zip").buffer, "zip", {{ extractDir: "/program" }});
python.runPython("import sys; sys.path[:0] = ['/program', '/lib/libraries.zip']");
globalThis.over = (told) => {{ console.log(told); process.exit(0); }};
python.runPython({script});
"""

GUEST = """
import js
from p2pcards.web.worker import guest
loop = guest.host_trio(js)
import trio
from trio.testing import memory_stream_pair
from pyodide.ffi import create_once_callable

async def main():
    told = []
    give, take = trio.open_memory_channel(10)
    async def count(name):
        for number in range(2):
            await trio.sleep(0.02)
            await give.send((name, number))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(count, "a")
        nursery.start_soon(count, "b")
        told.append(sorted([await take.receive() for _ in range(4)]))
        begun = trio.current_time()
        with trio.move_on_after(0.05) as waiting:
            await trio.sleep_forever()
        told.append([waiting.cancelled_caught, trio.current_time() - begun >= 0.05])
        rung, token = trio.Event(), trio.lowlevel.current_trio_token()
        js.setTimeout(create_once_callable(lambda: token.run_sync_soon(rung.set)), 10)
        await rung.wait()
        rung = trio.Event()
        js.setTimeout(create_once_callable(lambda: rung.set()), 10)
        await rung.wait()
        told.append(await trio.to_thread.run_sync(lambda one: one + 1, 4, abandon_on_cancel=True))
        one, other = memory_stream_pair()
        await one.send_all(b"heard")
        told.append((await other.receive_some()).decode())
        try:
            await trio.open_tcp_stream("localhost", 1)
        except OSError as error:
            told.append(error.strerror)
        for _ in range(1000):
            await trio.lowlevel.checkpoint()
    return told

import json
guest.begin_trio(loop, main, lambda outcome: js.over(json.dumps(outcome.unwrap())))
"""


EVERYTHING = """
import importlib, json, js, os, pkgutil
import p2pcards.web.worker.start
lacks = {}
for one in pkgutil.walk_packages(["/program/p2pcards"], "p2pcards."):
    if not one.name.endswith("__main__"):
        try:
            importlib.import_module(one.name)
        except ImportError as error:
            lacks[one.name] = str(error)
from openskill.models import PlackettLuce
import spake2, sqlite3, tomlkit
js.over(json.dumps(lacks))
"""


@pytest.mark.node
def test_trio_is_a_guest(tmp_path: Path) -> None:
    """Timers, cancellation, being woken from outside, what was meant for threads, and nothing reaches a network."""
    assert in_node(tmp_path, GUEST) == [
        [["a", 0], ["a", 1], ["b", 0], ["b", 1]],
        [True, True],
        5,
        "heard",
        "a page can only use WebSockets",
    ]


@pytest.mark.node
def test_all_that_the_program_imports_is_in_the_page(tmp_path: Path) -> None:
    """Also what it imports late: the page has not the whole of the standard library."""
    assert in_node(tmp_path, EVERYTHING) == {}


def in_node(folder: Path, script: str) -> object:
    """What it says at its end, in the Python of a page."""
    files = whole_page_files()
    listed = json.loads(next(file.content for name, file in files.items() if name.startswith("set-")))
    for name, file in files.items():
        if name.startswith(listed["engine"]):
            (folder / name.removeprefix(listed["engine"])).write_bytes(file.content)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "program.zip").write_bytes(files[listed["program"]].content)
    (folder / "run.mjs").write_text(SCRIPT.format(lock=json.dumps(listed["python"]), script=json.dumps(script)))
    done = subprocess.run(
        [program("node"), "run.mjs"], cwd=folder, capture_output=True, text=True, check=False, timeout=longest_wait()
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])
