"""Where a page's worker begins (`page/worker.js`): the home is laid out, a daemon serves it, and the page is served by
it. What the page may ask for besides (`web/front`) concerns files: the page has no others."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import js
from pyodide.ffi import create_once_callable, create_proxy, to_js

from p2pcards.web.worker import guest

LOOP = guest.host_trio(js)

import trio  # noqa: E402 - as the guest that it has just become

from p2pcards.daemon.reach import InPage  # noqa: E402
from p2pcards.frontend.verdict import Known, judge_log, verdict_lines  # noqa: E402
from p2pcards.results.carried import (  # noqa: E402
    HOME_SUFFIX,
    STAY_TOLD,
    add_home,
    describe_home,
    has_something,
    home_bytes,
    is_home,
    unpack_home,
)
from p2pcards.results.reading import take_save  # noqa: E402
from p2pcards.store.files import Home, StoreError, find_home, read_whole, sync_folder  # noqa: E402
from p2pcards.store.identity import load_or_make_key, load_peers  # noqa: E402
from p2pcards.store.logs import (  # noqa: E402
    MAGIC,
    SAVE_MAGIC,
    DamagedLog,
    Sync,
    list_logs,
    parse_log,
    parse_save,
)
from p2pcards.web.front import serve_front  # noqa: E402
from p2pcards.web.worker.data_channel import preparer  # noqa: E402
from p2pcards.web.worker.house import daemon_within, open_client  # noqa: E402
from p2pcards.web.worker.keeping import Changes, Keeper, write_pieces  # noqa: E402
from p2pcards.web.worker.thinking import thinking_here  # noqa: E402
from p2pcards.web.worker.websocket import Kept, broker_dialer, web_connector  # noqa: E402
from p2pcards.wire.clean import clean  # noqa: E402

PLACE = Path("/p2pcards")
GIVEN = "/given-{}"
"""A file that the page has handed over, by its number."""
BROUGHT = Path("/brought")
"""The home that is in it."""
BEFORE = Path("/before")
"""The home that has made room for it, until that is kept."""
LOG, SAVE = [magic.partition(b"1")[0] for magic in (MAGIC, SAVE_MAGIC)]
"""How logs and saved games of whatever version begin."""
NOWHERE = (
    "This browser won't save anything here, perhaps because the window is private. Your seat, key and log last until "
    "you close the page: save the log as a file first."
)
NO_ROOM = (
    "Your browser is out of room, so this game isn't saved. Save its log as a file before you close the page, or free "
    "some space and reload."
)
NO_ROOM_FOR_HOME = (
    "Your browser has no room for that backup, so nothing has changed. Free some space and import it again."
)
ONE_PLACE = "Play in one place only: continuing the same game in two places breaks it."
TAKEN = "You opened this table in another tab. Close this one, or reload it to play here."


class ShelfOfBrowser:
    """A `keeping.Shelf` in the browser's storage. shelf: from worker.js."""

    def __init__(self, shelf: Any) -> None:
        self._shelf = shelf

    def put(self, changes: Changes, done: Callable[[str], object], *, anew: bool) -> None:
        rows = to_js([[key, piece] for key, piece in changes.items()])
        self._shelf.put(rows, anew, create_once_callable(done))


class PageOfWorker:
    """The page at the other end of worker.js, as a `front.PageLink`; its requests about files are answered here."""

    def __init__(self, host: Any, home: Home) -> None:
        self._host = host
        self._home = home
        self._said, self._heard = trio.open_memory_channel[str](1000)
        self._brought: Home | None = None  # the home that a file holds, until the person says what becomes of it
        self.gone = False  # another tab has the home
        self.over = trio.Event()  # nothing is served any more, for one reason or the other

    def hear(self, text: str) -> None:
        """Called by JavaScript. A page that says so much at once that it finds no room is not heard."""
        with suppress(trio.WouldBlock):
            self._said.send_nowait(text)

    async def send(self, text: str) -> None:
        await trio.lowlevel.checkpoint()
        self._host.post(text)

    def hold_connection(self, port: Any, *given: Any) -> None:
        """Hand the page a port, by which it holds a WebRTC connection for `data_channel`."""
        self._host.connection(port, *given)

    def called(self) -> None:
        """Note that another player was reached."""
        self._host.called()

    def tell(self, kind: str, text: str) -> None:
        """Send the page a message of this kind, with a text."""
        self._host.post(json.dumps({"is": kind, "text": text}))

    def taken(self) -> None:
        """Tell the page that another tab has taken over the home."""
        self.gone = True
        self.tell("gone", TAKEN)
        self.over.set()

    async def receive(self) -> str:
        while True:
            text = await self._heard.receive()
            asked = _file_request(text)
            if asked is None:
                return text
            try:
                ASKED[asked["is"]](self, asked)
            except StoreError as error:
                self._show_lines("read", [error.with_advice], asked)

    # --- files --------------------------------------------------------------------------------------------------------

    def save_log(self, _asked: Mapping[str, Any]) -> None:
        logs = list_logs(self._home)
        if not logs:
            raise StoreError("There's no log yet.", "Play a game first.")
        latest = max(logs, key=lambda log: log.changed)
        self._offer_download(latest.name, latest.path.read_bytes())

    def save_home(self, _asked: Mapping[str, Any]) -> None:
        self._offer_download(f"p2pcards-{time.strftime('%Y-%m-%d')}{HOME_SUFFIX}", home_bytes(self._home))

    def verify(self, asked: Mapping[str, Any]) -> None:
        """Judge a log that the page has handed over."""
        self._judge_log(_take_file(asked), asked)

    def _judge_log(self, data: bytes, asked: Mapping[str, Any]) -> None:
        name = _file_name(asked)
        known = Known({peer.key: peer.name for peer in load_peers(self._home)}, load_or_make_key(self._home))
        try:
            found = judge_log(name, parse_log(data), known)
        except DamagedLog as damaged:
            found = judge_log(name, damaged, known)
        self._show_lines("verdict", verdict_lines(found.data), asked)

    def bring(self, asked: Mapping[str, Any]) -> None:
        """Take a file: a log is judged, a game or a home imported. Before a home replaces this one the player is
        asked."""
        data = _take_file(asked)
        if data.startswith(LOG):
            return self._judge_log(data, asked)
        if not is_home(data):
            return self._bring_game(data, asked)
        self._forget_brought()
        brought = unpack_home(data, BROUGHT).home
        if load_or_make_key(brought) == load_or_make_key(self._home):
            added = add_home(self._home, brought)
            self._forget_brought()
            lines = [f"You are {describe_home(self._home)}. {added.sentence}", *added.stay[:STAY_TOLD], ONE_PLACE]
            return self._show_lines("brought", lines, asked)
        self._brought = brought
        if not has_something(self._home):
            return self.replace(asked)
        here = f"This browser has {describe_home(self._home)}. You'll lose that unless you save it as a file first."
        return self._show_lines("replace", [f"The backup has {describe_home(brought)}.", here], asked)

    def _bring_game(self, data: bytes, asked: Mapping[str, Any]) -> None:
        if not data.startswith(SAVE):
            raise StoreError("This isn't a p2pcards log, saved game or backup.", "Choose a file that p2pcards saved.")
        taken = take_save(self._home, load_or_make_key(self._home), parse_save(data), time.strftime("%Y-%m-%d"))
        waits = "You'll find it under Continue." if taken.coordinates else "Its host can resume it."
        self._show_lines(
            "brought", [f"Imported{', with more of the game than before' if taken.longer else ''}. {waits}"], asked
        )

    def replace(self, _asked: Mapping[str, Any]) -> None:
        """Let the imported home replace this one, once its daemon has ended."""
        if self._brought is None:
            raise StoreError("That backup is no longer loaded.", "Import it again.")
        self.over.set()

    async def move_in(self, keeper: Keeper | None) -> None:
        """Move into the imported home, with no daemon running; it is stored completely, or this home stays."""
        _swap_folders(PLACE, BROUGHT, BEFORE)
        if keeper is not None:
            await keeper.kept()
        if keeper is not None and keeper.fails:
            _swap_folders(PLACE, BEFORE, BROUGHT)
            self._show_lines("brought", [NO_ROOM_FOR_HOME], {}, anew=True)
        else:
            self._show_lines("brought", [f"You are {describe_home(self._home)}.", ONE_PLACE], {}, anew=True)
        self._forget_brought()
        self.over = trio.Event()

    def _forget_brought(self) -> None:
        self._brought = None
        for left in (BROUGHT, BEFORE):
            shutil.rmtree(left, ignore_errors=True)

    def _show_lines(self, kind: str, lines: Sequence[str], asked: Mapping[str, Any], *, anew: bool = False) -> None:
        name, cleaned = _file_name(asked), [clean(line, 2000) for line in lines]
        about = {"title": name or "Your files", "about": "files"} if kind == "read" else {"name": name}
        self._host.post(json.dumps({"is": kind, **about, "lines": cleaned, "anew": anew}))

    def _offer_download(self, name: str, data: bytes) -> None:
        self._host.save(name, to_js(data))


ASKED: Mapping[str, Callable[[PageOfWorker, Mapping[str, Any]], None]] = {
    "log": PageOfWorker.save_log,
    "home": PageOfWorker.save_home,
    "verify": PageOfWorker.verify,
    "bring": PageOfWorker.bring,
    "replace": PageOfWorker.replace,
}


def _take_file(asked: Mapping[str, Any]) -> bytes:
    """The file that the page handed over with this request; it can be taken once. Raises StoreError."""
    path = Path(GIVEN.format(int(asked.get("given", 0))))
    data = read_whole(path)
    if data is None:
        raise StoreError("There's no file.", "Choose one.")
    path.unlink()
    return data


def _file_name(asked: Mapping[str, Any]) -> str:
    return clean(str(asked.get("name", "")), 200)


def _swap_folders(place: Path, taken: Path, kept: Path) -> None:
    """Let one folder take the place of another, which is kept as `kept`, and sync it all."""
    place.rename(kept)
    taken.rename(place)
    sync_folder(place)


def _file_request(text: str) -> dict[str, Any] | None:
    """The page's request about files, None for a message to the table."""
    try:
        said = json.loads(text) if len(text) < 1000 else None
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and said.get("is") in ASKED else None


# --- the start --------------------------------------------------------------------------------------------------------


def begin(host: Any) -> Any:
    """Start the worker; returns the function that takes the page's messages. host: from worker.js."""
    os.environ.update(P2PCARDS_HOME=str(PLACE), LOGNAME="friend")
    home = find_home(os.environ)
    page = PageOfWorker(host, home)
    pieces = {key: bytes(piece.to_py()) for key, piece in host.pieces.entries()} if host.pieces else {}
    write_pieces(pieces, PLACE)
    keeper: Keeper | None = None
    kept: Kept = _never_wait
    sync: Sync = _sync_nothing
    if host.shelf:
        keeper = Keeper(PLACE, ShelfOfBrowser(host.shelf), pieces, partial(page.tell, "kept"), page.taken)
        kept, sync = keeper.kept, keeper.sync
    else:
        page.tell("kept", NO_ROOM if host.full else NOWHERE)
    vars(os).update(fsync=sync, fdatasync=sync, geteuid=os.getuid)
    guest.begin_trio(
        LOOP, partial(_run_daemons, page, home, sync, kept, keeper, str(host.hash)), partial(_report_end, page)
    )
    return create_proxy(page.hear)


async def _never_wait() -> None:
    await trio.lowlevel.checkpoint()


def _sync_nothing(_fd: int) -> None:
    """Store nothing, as there is no storage."""


async def _run_daemons(
    page: PageOfWorker, home: Home, sync: Sync, kept: Kept, keeper: Keeper | None, page_hash: str
) -> None:
    """Run the daemon of the home, and of each home that replaces it, until another tab takes over."""
    folder = f"{js.location.href.rpartition('/')[0]}/"
    secure = js.location.protocol == "https:"
    in_page = InPage(broker_dialer(kept), folder if secure else "", preparer(page.hold_connection), page_hash)
    while not page.gone:
        async with (
            daemon_within(home, sync, thinking_here, web_connector(kept, page.called), in_page) as switchboard,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(serve_front, page, home, partial(open_client, switchboard), thinking_here)
            await page.over.wait()
            nursery.cancel_scope.cancel()
        if not page.gone:
            await page.move_in(keeper)


def _report_end(page: PageOfWorker, outcome: Any) -> None:
    try:
        outcome.unwrap()
    except BaseException as error:
        import traceback

        traceback.print_exception(error)
        page.tell("gone", f"Something went wrong in the page ({type(error).__name__}). Reload it; your seat is kept.")


__all__ = ["begin"]
