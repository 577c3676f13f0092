"""Where a page's worker begins (`page/worker.js`): the home is laid out, a daemon serves it, and the page is served by
it. What the page may ask for besides (`web/front`) concerns files: the page has no others."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import js
from pyodide.ffi import create_once_callable, create_proxy, to_js

from p2pcards.web.worker import guest

LOOP = guest.take_in(js)

import trio  # noqa: E402 - as the guest that it has just become

from p2pcards.frontend.verdict import Known, judge, verdict_lines  # noqa: E402
from p2pcards.store.files import Home, StoreError, find_home  # noqa: E402
from p2pcards.store.identity import load_or_make_identity, load_peers  # noqa: E402
from p2pcards.store.logs import DamagedLog, Sync, list_logs, parse_log  # noqa: E402
from p2pcards.web.front import serve_front  # noqa: E402
from p2pcards.web.worker.house import client_of, daemon_within  # noqa: E402
from p2pcards.web.worker.keeping import Changes, Keeper, lay_out  # noqa: E402
from p2pcards.web.worker.thinking import thinking_here  # noqa: E402
from p2pcards.web.worker.websocket import Kept, connecting  # noqa: E402
from p2pcards.wire.clean import clean  # noqa: E402
from p2pcards.wire.keys import public_bytes  # noqa: E402

PLACE = Path("/p2pcards")
PROGRAM = Path("/program")
GIVEN = Path("/given")
"""The file that the page has handed over last."""
NOWHERE = (
    "This browser keeps nothing for this page; in a private window that is so. Your seat, your key and your log are "
    "there as long as the page is open: save the log as a file before you close it."
)
NO_ROOM = (
    "The browser has no room for what this page keeps. The game goes on in memory alone: save its log as a file before "
    "you close the page, or free some space and reload it."
)
TAKEN = (
    "The table has been opened in another tab of this browser, and goes on there. This one does nothing more; close "
    "it, or reload it to go on here."
)


class ShelfOfBrowser:
    """As `keeping.Shelf`, in the browser's storage. shelf: of worker.js."""

    def __init__(self, shelf: Any) -> None:
        self._shelf = shelf

    def put(self, changes: Changes, done: Callable[[str], object], *, anew: bool) -> None:
        rows = to_js([[key, piece] for key, piece in changes.items()])
        self._shelf.put(rows, anew, create_once_callable(done))


class PageOfWorker:
    """The page at the other end of worker.js, as `front.PageLink`; what it asks for files is answered here."""

    def __init__(self, host: Any, home: Home) -> None:
        self._host = host
        self._home = home
        self._said, self._heard = trio.open_memory_channel[str](1000)

    def hear(self, text: str) -> None:
        """Called by JavaScript. A page that says so much at once that it finds no room is not heard."""
        with suppress(trio.WouldBlock):
            self._said.send_nowait(text)

    async def send(self, text: str) -> None:
        await trio.lowlevel.checkpoint()
        self._host.post(text)

    def called(self) -> None:
        """Somebody was reached."""
        self._host.called()

    def tell(self, kind: str, text: str) -> None:
        self._host.post(json.dumps({"is": kind, "text": text}))

    async def receive(self) -> str:
        while True:
            text = await self._heard.receive()
            asked = _asked(text)
            if asked is None:
                return text
            try:
                ASKED[asked["is"]](self, asked)
            except StoreError as error:
                self.tell("refused", error.with_advice)

    # --- files --------------------------------------------------------------------------------------------------------

    def save_log(self, _asked: Mapping[str, Any]) -> None:
        logs = list_logs(self._home)
        if not logs:
            raise StoreError("There is no log yet.", "One begins with the first game.")
        latest = max(logs, key=lambda log: log.changed)
        self._save(latest.name, latest.path.read_bytes())

    def save_home(self, _asked: Mapping[str, Any]) -> None:
        self._save("p2pcards-home.zip", zipped(PLACE, lambda path: path.suffix != ".lock"))

    def verify(self, asked: Mapping[str, Any]) -> None:
        name = str(asked.get("name"))
        known = Known(
            {peer.key: peer.name for peer in load_peers(self._home)}, public_bytes(load_or_make_identity(self._home))
        )
        try:
            found = judge(name, parse_log(GIVEN.read_bytes()), known)
        except DamagedLog as damaged:
            found = judge(name, damaged, known)
        lines = [clean(line, 2000) for line in verdict_lines(found.data)]
        self._host.post(json.dumps({"is": "verdict", "name": name, "lines": lines}))

    def _save(self, name: str, data: bytes) -> None:
        self._host.save(name, to_js(data))


ASKED: Mapping[str, Callable[[PageOfWorker, Mapping[str, Any]], None]] = {
    "log": PageOfWorker.save_log,
    "home": PageOfWorker.save_home,
    "verify": PageOfWorker.verify,
}


def _asked(text: str) -> dict[str, Any] | None:
    """What the page asks for files, None where it is said to the table."""
    try:
        said = json.loads(text) if len(text) < 1000 else None
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and said.get("is") in ASKED else None


def zipped(folder: Path, wanted: Callable[[Path], bool], made: Callable[[bytes], bytes] = bytes) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and wanted(path):
                archive.writestr(path.relative_to(folder).as_posix(), made(path.read_bytes()))
    return found.getvalue()


UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
"""In the head of a compiled file behind its first four bytes: it counts whatever its text is (PEP 552). By the name
under which it is kept it belongs to this very program."""


def compiled() -> Any:
    """What Python has made of the program's text, for the next visit."""
    return to_js(zipped(PROGRAM, lambda path: path.suffix == ".pyc", lambda data: data[:4] + UNCHECKED + data[16:]))


# --- the start --------------------------------------------------------------------------------------------------------


def begin(host: Any) -> Any:
    """host: what worker.js gives. Returns what takes what the page says."""
    os.environ.update(P2PCARDS_HOME=str(PLACE), LOGNAME="friend")
    home = find_home(os.environ)
    page = PageOfWorker(host, home)
    pieces = {key: bytes(piece.to_py()) for key, piece in host.pieces.entries()} if host.pieces else {}
    lay_out(pieces, PLACE)
    over = trio.Event()
    kept: Kept = _nothing_to_wait_for
    sync: Sync = _not_kept
    if host.shelf:
        keeper = Keeper(PLACE, ShelfOfBrowser(host.shelf), pieces, partial(page.tell, "kept"), over.set)
        kept, sync = keeper.kept, keeper.sync
    else:
        page.tell("kept", NO_ROOM if host.full else NOWHERE)
    vars(os).update(fsync=sync, fdatasync=sync, geteuid=os.getuid)
    guest.begin(LOOP, partial(_run, page, home, sync, kept, over), partial(_ended, page))
    return create_proxy(page.hear)


async def _nothing_to_wait_for() -> None:
    await trio.lowlevel.checkpoint()


def _not_kept(_fd: int) -> None:
    """There is nowhere."""


async def _run(page: PageOfWorker, home: Home, sync: Sync, kept: Kept, over: trio.Event) -> None:
    async with (
        daemon_within(home, sync, thinking_here, connecting(kept, page.called)) as switchboard,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(serve_front, page, home, partial(client_of, switchboard))
        await over.wait()
        page.tell("gone", TAKEN)
        nursery.cancel_scope.cancel()


def _ended(page: PageOfWorker, outcome: Any) -> None:
    try:
        outcome.unwrap()
    except BaseException as error:
        import traceback

        traceback.print_exception(error)
        page.tell("gone", f"Something went wrong in the page ({type(error).__name__}). Reload it: your seat is kept.")


__all__ = ["begin", "compiled"]
