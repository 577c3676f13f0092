"""The page's files in real browsers: a log and a whole home go from a page to a terminal and back, and what is no such
file gets its sentence and changes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from p2pcards.store.files import find_home
from p2pcards.store.identity import load_or_make_identity
from p2pcards.wire.keys import fingerprint, public_bytes
from rigs.page_files import PageWithFiles, saving
from rigs.program import MakeProgram, Program
from rigs.served import Served

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

OpenPage = Callable[..., PageWithFiles]
FIRST = "Saved in this browser"
ROOM = 20_000_000
"""Bytes that a page may keep: the program and a home, not two."""
ROOM_OF_FIREFOX = "dom.quotaManager.temporaryStorage.fixedLimit"
"""The preference, in kB."""
FILL = """void (() => {{
  const opening = indexedDB.open('fill', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('all');
  opening.onsuccess = () => {{
    const work = opening.result.transaction('all', 'readwrite');
    const data = new Uint8Array({size});
    for (let at = 0; at < data.length; at += 65536) crypto.getRandomValues(data.subarray(at, at + 65536));
    work.objectStore('all').put(data, 1);
    work.oncomplete = () => {{ window.filled = true; }};
  }};
}})() ?? null"""
FOR_NOW = "but may clear them when space runs low"
LASTING = "until you clear this page's data"
NOT_WHOLE = "This backup is damaged or cut short: its digest doesn't match."


@pytest.fixture
def ann(make_program: MakeProgram) -> Program:
    """Who hosts, and so serves the page."""
    return make_program("ann").inside()


@pytest.fixture
def link(ann: Program) -> str:
    return str(ann.data("host", "--web", "0", "--name", "Ann", "--bind", "127.0.0.1")["link"])


@pytest.fixture
def open_page(name: str, link: str, tmp_path: Path) -> Iterator[OpenPage]:
    """The page without an invitation, or at another address; preferences: of Firefox."""
    with ExitStack() as browsers:

        def open_one(address: str = "", preferences: dict[str, Any] | None = None) -> PageWithFiles:
            browser, saved = browsers.enter_context(saving(name, tmp_path / "browser", preferences))
            page = PageWithFiles(browser.open(address or link.partition("#")[0]), saved)
            if "#" in address:
                page.push("Play something else")
            if not address.endswith(".js"):
                page.until(FIRST)
            return page

        yield open_one


@pytest.fixture
def ben(make_program: MakeProgram) -> Program:
    """Who has played at a terminal: his name is set, a game of hearts is begun, his daemon has stopped."""
    ben = make_program("ben").inside()
    ben.out("config", "set", "name", "Ben")
    ben.data("play", "hearts", "--seed", "3")
    ben.out("stop")
    return ben


def key_of(program: Program) -> str:
    return fingerprint(public_bytes(load_or_make_identity(find_home({"P2PCARDS_HOME": str(program.home)}))))


def exported(program: Program, tmp_path: Path) -> bytes:
    file = tmp_path / f"{program.home.name}.p2phome"
    file.unlink(missing_ok=True)
    program.out("saves", "export-home", str(file), "--yes")
    return file.read_bytes()


def begin(page: PageWithFiles, game: str = "Whist") -> None:
    page.push(game)
    page.push("Deal the cards")
    page.until("Your turn")


def open_files(page: PageWithFiles) -> str:
    page.push("Menu")
    page.push("Files: save, import, check")
    return page.until("Or drop a file")


def save_home(page: PageWithFiles) -> Path:
    page.push("Save everything")
    page.until("anyone who has it can play as you")
    page.push("Save the file")
    return page.saved()


# --- a log ------------------------------------------------------------------------------------------------------------


def test_a_log_of_the_page_is_verified_by_a_terminal_and_one_of_a_terminal_by_the_page(
    open_page: OpenPage, ann: Program, ben: Program
) -> None:
    page = open_page()
    begin(page)
    page.push("Menu")
    page.push("Save this game's log")
    log = page.saved()
    assert log.suffix == ".log"
    said = ann("verify", str(log)).stdout
    assert said.startswith(f"{log}: unfinished; everything so far matches what was signed.")
    theirs = Path(ben.data("logs")[0]["file"])
    told = ann("verify", str(theirs)).stdout.replace(f"{theirs.parent}/", "").splitlines()
    page.drop(theirs.name, theirs.read_bytes())
    assert page.told(theirs.name) == [line.strip() for line in told if line]
    open_files(page)
    whole = theirs.read_bytes()
    damaged = whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:]
    page.choose("Check a log", "it.log", damaged)
    assert page.told("it.log")[0] == "it.log: damaged."


# --- a home -----------------------------------------------------------------------------------------------------------


def test_a_home_goes_from_the_page_to_a_terminal_and_back(
    open_page: OpenPage, make_program: MakeProgram, tmp_path: Path
) -> None:
    page, there = open_page(), make_program("there").inside()
    page.type(".own-name input", "Zoe")
    begin(page)
    open_files(page)
    home = save_home(page)
    assert home.suffix == ".p2phome"
    said = there.out("saves", "import", str(home))
    assert said.startswith(f"You are Zoe (the key {key_of(there)}), with 1 game (1 unfinished) and no friends.")
    assert there.data("saves")[0]["game"] == "whist"
    there.data("play", "hearts", "--seed", "3")
    there.out("stop")
    page.drop("it.p2phome", exported(there, tmp_path))
    assert "The file has 1 new game." in page.told("it.p2phome")[0]


def test_a_home_of_a_terminal_has_its_seat_under_its_key_from_the_page(
    open_page: OpenPage, link: str, ann: Program, ben: Program, tmp_path: Path
) -> None:
    """Where nobody has played yet nothing is asked."""
    page = open_page(link)
    page.choose("Import a backup", "ben.p2phome", exported(ben, tmp_path))
    assert page.told("Import")[0] == f"You are Ben (the key {key_of(ben)}), with 1 game (1 unfinished) and no friends."
    assert "Hearts" in page.until("Continue").partition("Play against")[0]
    page.push("Sit down")
    page.until("Waiting for Ann")
    (peer,) = ann.data("peers", "list")
    assert (peer["name"], peer["fingerprint"], peer["proof"]) == ("Ben", key_of(ben), "code")


def test_a_home_takes_the_place_of_another_after_a_question_alone_and_stays_after_a_reload(
    open_page: OpenPage, ben: Program, tmp_path: Path
) -> None:
    page = open_page()
    begin(page)
    page.drop("ben.p2phome", exported(ben, tmp_path))
    asked = page.until("Replace what's here?")
    assert "The backup has Ben (the key " in asked
    assert "You'll lose that unless you save it as a file first." in asked
    page.push("Cancel")
    page.until("Your turn")
    page.drop("ben.p2phome", exported(ben, tmp_path))
    page.push("Save a backup first")
    before = page.saved()
    page.push("Replace")
    assert page.told("Import")[0].startswith("You are Ben (the key ")
    page.tab.reload()
    assert "hand 1: Ben 0" in page.until(FIRST)
    page.choose("Import a backup", before.name, before.read_bytes())
    page.push("Replace")
    assert "someone without a name" in page.told("Import")[0]


def test_each_file_that_is_none_has_its_sentence_and_changes_nothing(
    open_page: OpenPage, ben: Program, tmp_path: Path
) -> None:
    page = open_page()
    home = exported(ben, tmp_path)
    begin(page)
    open_files(page)
    before = save_home(page).read_bytes()
    for data, sentence in (
        (home[:-5], NOT_WHOLE),
        (home[:200] + bytes([home[200] ^ 1]) + home[201:], NOT_WHOLE),
        (b"p2pcards home 2\n" + home[16:], "This saved home was written by a later version of p2pcards."),
        (b"p2pcards save 1\n", "This save is damaged or cut short"),
        (b"\x89PNG", "This isn't a p2pcards log, saved game or backup."),
        (b"", "This isn't a p2pcards log, saved game or backup."),
        (b"p2pcards log 1\n", "This file is over 64 MB, too big for a log or a backup."),
    ):
        page.choose("Import a backup", "<b>it</b>", data, 1 << 26 if "over 64 MB" in sentence else 0)
        (told,) = page.told("<b>it</b>")
        assert told.startswith(sentence)
    assert save_home(page).read_bytes() == before
    page.drop("ben.p2phome", home)
    page.until("Replace what's here?")
    page.drop("cut.p2phome", home[:-5])
    assert page.told("cut.p2phome")[0].startswith(NOT_WHOLE)
    page.push("Replace")
    assert page.told("Your files") == ["That backup is no longer loaded. Import it again."]


def test_a_page_of_ones_own_machine_says_who_reads_files(name: str, program: Program, tmp_path: Path) -> None:
    with Served(program) as served, saving(name, tmp_path / "browser") as (browser, saved):
        page = PageWithFiles(browser.open(served.address), saved)
        page.until("Play against the computer")
        page.drop("it.log", b"")
        assert "To check a log: p2pcards verify FILE" in page.told("it.log")[0]


# --- whether it stays -------------------------------------------------------------------------------------------------


def test_the_browser_is_asked_to_keep_it_at_the_first_seat_and_what_it_says_is_told(
    name: str, open_page: OpenPage, link: str
) -> None:
    """Firefox asks its person, here one who says yes at once."""
    asked = "dom.storageManager.prompt.testing"
    page = open_page(preferences={asked: True, f"{asked}.allow": True})
    assert FOR_NOW in page.until(FIRST)
    if name == "chromium":
        page.tab.keep_for_good(link)
    begin(page)
    assert LASTING in open_files(page)


def test_a_storage_that_is_nearly_full_is_told(name: str, open_page: OpenPage) -> None:
    if name == "chromium":
        pytest.skip("Chromium tells every page that it has 10 GB more than it uses.")
    page = open_page(preferences={ROOM_OF_FIREFOX: 4000})
    begin(page)
    page.tab.value(FILL.format(size=3_750_000))
    page.once("window.filled === true")
    open_files(page)
    assert "It's almost full (4 MB of 4 MB): free some space." in page.until("almost full")


def test_where_nothing_can_be_kept_a_home_is_brought_all_the_same(
    name: str, open_page: OpenPage, ben: Program, tmp_path: Path
) -> None:
    if name == "chromium":
        pytest.skip("Chromium forbids the storage of a page by a policy of the whole machine alone.")
    page = open_page(preferences={"network.cookie.cookieBehavior": 2})
    page.until("This browser won't save anything here")
    page.choose("Import a backup", "ben.p2phome", exported(ben, tmp_path))
    assert page.told("Import")[0].startswith("You are Ben (the key ")
    assert "hand 1: Ben 0" in page.until("Continue")


def test_a_home_for_which_there_is_no_room_leaves_the_one_that_is_here(
    name: str, open_page: OpenPage, link: str, ben: Program, tmp_path: Path
) -> None:
    here = link.partition("#")[0]
    page = open_page(f"{here}worker.js", {ROOM_OF_FIREFOX: ROOM // 1024})
    if name == "chromium":
        page.tab.limit_storage(here, ROOM)
    page.go_to(here)
    page.until(FIRST)
    begin(page)
    (ben.home / "backs").mkdir()
    (ben.home / "backs/own1.txt").write_bytes(os.urandom(ROOM))
    page.drop("ben.p2phome", exported(ben, tmp_path))
    page.push("Replace")
    assert page.told("Import")[0].startswith("Your browser has no room for that backup")
    assert "Whist" in page.until("Continue").partition("Play against")[0]
    page.tab.reload()
    assert "Whist" in page.until("Continue").partition("Play against")[0]
