"""The book holds every game that is over, whatever happens to it and to who writes it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.registry import GAMES
from p2pcards.results import book as schema
from p2pcards.results import keeping, reading
from p2pcards.results import keeping as facts_file
from p2pcards.results.before import measured_before
from p2pcards.results.book import VERSION, Book, Entered, enter_games, figure_counts, iterate_entered, prepare, writing
from p2pcards.results.keeping import ask_book, keep_without_logs, proofread_all, rebuild, reset, take_back_reset
from p2pcards.results.reading import read_result
from p2pcards.results.result import GameResult, SeatResult, pack_result
from p2pcards.results.standings import PlayerStanding, count_games, head_to_head, own_curve, standings
from p2pcards.store.files import Home, StoreError, find_home, make_folders
from p2pcards.store.identity import take_identity
from p2pcards.store.logs import log_names, read_log
from rigs.bad_logs import finished
from rigs.giving_up import longest_wait
from rigs.quick_logs import quick_game, write_log
from rigs.recorded import never_was

SHORT = ("whist", "euchre", "cribbage", "oh_hell", "hearts")
"""Games that chance brings to their end."""
OLD = Path(__file__).parent / "schema-1.sqlite"
DUMPS = (
    "SELECT id, game, ended, level, won, counts, log, result FROM games",
    "SELECT id, seat, seats.game, seats.counts, who, subject, seats.won, points, against, margin, mu, sigma "
    "FROM seats JOIN games USING (number)",
    "SELECT id, played FROM games",
    "SELECT * FROM players",
    "SELECT * FROM ratings",
    "SELECT id, figures.game, figures.counts, figure, hits, tries FROM figures JOIN games USING (number)",
)


def dump(book: Book) -> list[list[tuple[Any, ...]]]:
    """All that is in the book but the numbers of its games."""
    return [sorted(book.execute(one).fetchall()) for one in DUMPS]


def ids(home: Home) -> set[str]:
    return ask_book(home, lambda book: {one for (one,) in book.execute("SELECT id FROM games")})


LATER_COLUMN = schema.STEPS[4]
"""That the rows of this version have, wherever they are written."""


def use_schema_version(patch: pytest.MonkeyPatch, version: int) -> None:
    """Make books as this version did; one that has been made still needs `drop_played_column`."""
    patch.setattr(schema, "STEPS", (*schema.STEPS[:version], LATER_COLUMN))
    patch.setattr(schema, "VERSION", version)


def drop_played_column(home: Home) -> None:
    with closing(sqlite3.connect(home.results)) as book:
        book.execute("ALTER TABLE games DROP COLUMN played")


def names(home: Home) -> list[str]:
    """Of its logs."""
    return sorted([path.name for path in home.logs.iterdir()])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path / "home")})


def play(home: Home, number: int, games: tuple[str, ...] = SHORT) -> str:
    """One more game, later than those with smaller numbers; its id."""
    key = games[number % len(games)]
    payloads = quick_game(key, number)
    path = write_log(home, payloads, f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}", key, number)
    os.utime(path, (1_790_000_000 + 60 * number, 1_790_000_000 + 60 * number))
    return read_result(payloads).id


@pytest.mark.parametrize(
    "many",
    [
        pytest.param(16, id="16"),
        pytest.param(45, id="45", marks=pytest.mark.slow),
        pytest.param(1000, id="1000", marks=pytest.mark.slow),
    ],
)
def test_what_is_made_again_is_what_grew_game_by_game(home: Home, many: int) -> None:
    played, rng = set(), Random(1)
    for number in range(many):
        played.add(play(home, number, tuple(GAMES)))
        if rng.random() < 0.3:
            ask_book(home, count_games)
    grown = ask_book(home, dump)
    assert ids(home) == played
    assert rebuild(home) == ()
    assert ask_book(home, dump) == grown
    home.results.unlink()
    assert ask_book(home, dump) == grown


@given(order=st.permutations(range(6)), size=st.integers(1, 6))
def test_the_order_in_which_games_are_entered_changes_nothing(order: list[int], size: int) -> None:
    """Logs are found late after a crash, or come with an import."""
    batches = [order[at : at + size] for at in range(0, 6, size)]
    assert _entered([*batches, order[:2]]) == _in_order()


@cache
def _in_order() -> list[list[tuple[Any, ...]]]:
    return _entered([range(6)])


@cache
def _results() -> list[GameResult]:
    return [read_result(quick_game("cribbage", number)) for number in range(6)]


def _entered(batches: list[Any]) -> list[list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as book:
        prepare(book)
        for batch in batches:  # what stands there already is left as it is
            with writing(book):
                enter_games(book, [Entered(_results()[at], 1000 + at, None) for at in batch])
        return dump(book)


def test_a_game_that_is_not_over_comes_in_when_it_is(home: Home) -> None:
    payloads = quick_game("whist", 1)
    path = write_log(home, payloads[:-1], "2026-11-01", "whist", 1)
    assert ask_book(home, count_games) == 0
    path.unlink()
    write_log(home, payloads, "2026-11-01", "whist", 1)
    assert ask_book(home, count_games) == 1


def test_a_reset_counts_no_more_and_is_not_revived_until_it_is_taken_back(home: Home) -> None:
    for number in range(10):
        play(home, number)
    before = ask_book(home, dump)
    assert reset(home, "whist", 1) == 2
    assert ask_book(home, lambda book: standings(book, "whist")) == []
    assert ask_book(home, count_games) == 8 and len(ids(home)) == 10
    after = ask_book(home, dump)
    rebuild(home)
    assert ask_book(home, dump) == after
    home.results.unlink()
    assert ask_book(home, dump) == after
    play(home, 10)
    assert ask_book(home, lambda book: count_games(book, "whist")) == 1, "what comes later counts"
    assert take_back_reset(home, "whist", 2) == 2 and take_back_reset(home, "whist", 3) == 0
    assert ask_book(home, count_games) == 11
    (last,) = home.logs.glob("*0000000a.log")
    last.unlink()
    home.results.unlink()
    assert ask_book(home, dump) == before


def test_games_whose_logs_are_gone_stay(home: Home) -> None:
    for number in range(6):
        play(home, number)
    before = ask_book(home, dump)
    pruned = names(home)[:3]
    keep_without_logs(home, set(pruned[:2]))
    for name in pruned:
        (home.logs / name).unlink()
    expected = [[(*row[:6], None if row[6] in pruned else row[6], row[7]) for row in before[0]], *before[1:]]
    rebuild(home)  # the third was deleted by hand: the book alone knows it, and keeps it now
    assert ask_book(home, dump) == expected
    home.results.unlink()
    assert ask_book(home, dump) == expected


# --- damage -----------------------------------------------------------------------------------------------------------


def test_a_damaged_database_is_kept_aside_and_made_again(home: Home) -> None:
    for number in range(5):
        play(home, number)
    before, whole = ask_book(home, dump), home.results.read_bytes()
    for seed in range(12):
        data, rng = bytearray(whole), Random(seed)
        if seed % 2:
            del data[rng.randrange(100, len(data)) :]
        else:
            start = 100 * rng.randrange(2) if seed % 4 else 0
            data[start : start + 4096] = rng.randbytes(4096)
        home.results.write_bytes(data)
        told: list[str] = []
        assert ask_book(home, dump, told.append) == before, seed
        assert all("was moved to" in one for one in told), seed
        aside = list(home.state.glob("records.sqlite.damaged-*"))
        assert bool(told) == bool(aside), seed
        for one in home.state.glob("records.sqlite*"):
            one.unlink()


def test_a_result_with_a_changed_byte_is_noticed(home: Home) -> None:
    play(home, 0)
    before = ask_book(home, dump)
    with closing(sqlite3.connect(home.results, isolation_level=None)) as book:
        book.execute("UPDATE games SET result = CAST(X'00' || substr(result, 2) AS BLOB)")
    book.close()
    told: list[str] = []
    ask_book(home, lambda found: list(iterate_entered(found)), told.append)
    assert len(told) == 1 and "is damaged" in told[0]
    assert ask_book(home, dump) == before


def test_the_proofreader_finds_what_nobody_who_asks_would_see(home: Home) -> None:
    for number in range(5):
        play(home, number)
    before, whole = ask_book(home, dump), home.results.read_bytes()
    for column in ("points", "won", "margin", "counts", "who", "subject", "mu", "sigma"):
        for file in home.state.glob("records.sqlite*"):
            file.unlink()
        home.results.write_bytes(whole)
        with closing(sqlite3.connect(home.results, isolation_level=None)) as book:
            book.execute(f"UPDATE seats SET {column} = 3 WHERE number = 2 AND seat = 1")
        book.close()
        told: list[str] = []
        proofread_all(home, told.append)
        assert len(told) == 1 and "is damaged" in told[0] and ask_book(home, dump) == before, column
        proofread_all(home, told.append)
        assert len(told) == 1, column


def test_what_others_write_while_it_is_proofread_is_no_damage(home: Home) -> None:
    for number in range(3):
        play(home, number)
    ask_book(home, count_games)
    numbers, told = iter(range(3, 100)), list[str]()

    def meanwhile() -> None:
        play(home, next(numbers))
        ask_book(home, count_games)

    proofread_all(home, told.append, pause=meanwhile)
    assert told == [] and ask_book(home, count_games) > 3


@pytest.mark.parametrize("many", [pytest.param(40, id="40"), pytest.param(1000, id="1000", marks=pytest.mark.slow)])
def test_one_flipped_bit_costs_no_game(home: Home, many: int) -> None:
    for number in range(3):
        play(home, number)
    before, whole = ask_book(home, dump), home.results.read_bytes()
    for seed in range(many):
        data, rng = bytearray(whole), Random(seed)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        home.results.write_bytes(data)
        proofread_all(home)
        assert ask_book(home, dump) == before, seed
        for aside in home.state.glob("records.sqlite*"):
            aside.unlink()


def test_damaged_facts_are_kept_aside_and_made_again_from_the_book(home: Home) -> None:
    for number in range(10):
        play(home, number)
    reset(home, "whist", 1)
    pruned = names(home)[:1]
    keep_without_logs(home, set(pruned))
    (home.logs / pruned[0]).unlink()
    before = ask_book(home, dump)
    data = bytearray(home.facts.read_bytes())
    data[len(data) // 2] ^= 1
    home.facts.write_bytes(data)
    told: list[str] = []
    assert ask_book(home, dump, told.append) == before
    assert len(told) == 1 and "records.facts is damaged" in told[0]
    home.results.unlink()
    assert ask_book(home, dump) == before


def test_a_torn_end_of_the_facts_is_a_fact_that_was_never_told(home: Home) -> None:
    for number in range(5):
        play(home, number)
    before = ask_book(home, dump)
    reset(home, "whist", 1)
    data = home.facts.read_bytes()
    home.facts.write_bytes(data[:-3])
    assert ask_book(home, dump) == before
    assert reset(home, "whist", 2) == 1
    assert facts_file.load_facts(home)


def test_a_damaged_log_is_told_and_holds_nothing_up(home: Home) -> None:
    for number in range(5):
        play(home, number)
    name = names(home)[0]
    data = bytearray((home.logs / name).read_bytes())
    data[200] ^= 1
    (home.logs / name).write_bytes(data)
    assert ask_book(home, count_games) == 4
    assert rebuild(home) == (name,)


def test_a_file_of_a_later_version_is_left_as_it_is(home: Home) -> None:
    play(home, 0)
    ask_book(home, count_games)
    with closing(sqlite3.connect(home.results, isolation_level=None)) as book:
        book.execute(f"PRAGMA user_version = {VERSION + 1}")
    book.close()
    before = home.results.read_bytes()
    with pytest.raises(StoreError, match="later version"):
        ask_book(home, count_games)
    assert home.results.read_bytes() == before


def test_the_first_released_schema_still_opens(home: Home) -> None:
    home.state.mkdir(parents=True)
    shutil.copy(OLD, home.results)
    expected = json.loads(OLD.with_suffix(".json").read_text())
    found = ask_book(home, lambda book: {key: [_plain(one) for one in standings(book, key)] for key in GAMES})
    assert {key: rows for key, rows in found.items() if rows} == expected
    play(home, 0)
    assert ask_book(home, count_games) == sum([max([row[2] for row in rows]) for rows in expected.values()]) + 1


def _plain(one: PlayerStanding) -> list[Any]:
    rating = one.rating and [round(one.rating.mu, 6), round(one.rating.sigma, 6), one.rating.games]
    return [one.kind, one.name, one.games, one.won, one.points, one.against, rating]


def test_a_full_disk_shows_the_records_and_keeps_what_there_was(
    home: Home, file_size_limit: Callable[[int], AbstractContextManager[None]]
) -> None:
    for number in range(5):
        play(home, number)
    ask_book(home, count_games)
    for number in range(5, 10):
        play(home, number)
    told: list[str] = []
    with file_size_limit(4096):
        assert ask_book(home, count_games, told.append) == 10
    assert len(told) == 1 and "the records are shown but not saved" in told[0]
    assert ask_book(home, count_games) == 10


# --- several at once --------------------------------------------------------------------------------------------------

ASKS = """
import sys
from p2pcards.results.keeping import ask_book, rebuild
from p2pcards.results.standings import PlayerStanding, count_games, standings
from p2pcards.store.files import find_home
home = find_home({"P2PCARDS_HOME": sys.argv[1]})
print("ready", flush=True)
seen = 0
while seen < int(sys.argv[2]):
    now = ask_book(home, count_games)
    assert now >= seen, "a game is lost"
    ask_book(home, lambda book: standings(book))
    if sys.argv[3] == "rebuilds":
        rebuild(home)
    seen = now
print(seen, flush=True)
"""


def _asker(home: Home, games: int, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ASKS, str(home.state), str(games), how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_nobody_else_writes_between_the_last_look_at_the_logs_and_the_new_book(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(home, 0)
    locked = []

    def names(of: Home) -> set[str]:
        with closing(sqlite3.connect(of.results, timeout=0, isolation_level=None)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
                locked.append(False)
            except sqlite3.OperationalError:
                locked.append(True)
        return log_names(of)

    ask_book(home, count_games)
    monkeypatch.setattr(keeping, "log_names", names)
    rebuild(home)
    assert locked[-1], "the last look is one at a locked book"


@pytest.mark.parametrize("games", [pytest.param(8, id="8"), pytest.param(20, id="20", marks=pytest.mark.slow)])
def test_several_processes_read_and_write_at_once(home: Home, games: int) -> None:
    askers = [_asker(home, games, how) for how in ("asks", "asks", "rebuilds", "rebuilds")]
    for asker in askers:
        assert asker.stdout and asker.stdout.readline() == "ready\n"
    for number in range(games):
        play(home, number)
    try:
        said = [(*asker.communicate(timeout=longest_wait()), asker.returncode) for asker in askers]
    finally:
        for asker in askers:
            asker.kill()
            asker.communicate()
    assert said == [(f"{games}\n", "", 0)] * len(askers)
    grown = ask_book(home, dump)
    rebuild(home)
    assert ask_book(home, dump) == grown


@pytest.mark.parametrize("many", [pytest.param(4, id="4"), pytest.param(100, id="100", marks=pytest.mark.slow)])
def test_nothing_is_lost_when_who_writes_is_killed(home: Home, many: int) -> None:
    played, rng = set(), Random(2)
    for number in range(many):
        played.add(play(home, number))
        asker = _asker(home, 10**9, "rebuilds" if number % 2 else "asks")
        assert asker.stdout and asker.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            asker.wait(rng.uniform(0.001, 0.2))
        os.kill(asker.pid, signal.SIGKILL)
        asker.communicate()
        assert ids(home) == played
    grown = ask_book(home, dump)
    rebuild(home)
    assert ask_book(home, dump) == grown


# --- what others have made up -----------------------------------------------------------------------------------------


@pytest.fixture
def never_played(home: Home) -> str:
    """A log of a game that its coordinator alone has signed; its id."""
    payloads = never_was().payloads[1]
    write_log(home, payloads, "2026-11-01", "crazy_eights", 7)
    result = read_result(payloads)
    assert result.won and not result.signed
    return result.id


def test_a_game_that_nobody_here_has_signed_counts_nowhere(home: Home, never_played: str) -> None:
    told: list[str] = []
    assert ask_book(home, count_games, told.append) == 0 and ids(home) == set() and told == []
    assert rebuild(home) == () and ids(home) == set()


def test_a_log_of_somebody_else_counts_nowhere(home: Home) -> None:
    table = finished("telecards")
    make_folders(home)
    take_identity(home, table.keys[1])
    write_log(home, table.payloads[0], "2026-11-01", "crazy_eights", 1)
    write_log(home, quick_game("whist", 1), "2026-11-02", "whist", 2)
    assert ids(home) == set() and rebuild(home) == ()
    assert ask_book(home, standings) == []
    write_log(home, table.payloads[1], "2026-11-01", "crazy_eights", 3)
    assert ids(home) == {read_result(table.payloads[1]).id}
    assert {one.name: one.kind for one in ask_book(home, standings)}["side 1"] == "me"


def _by_name(seat: SeatResult) -> str:
    """As versions before had it."""
    return f"{seat.kind}:{seat.key if seat.kind == 'peer' else seat.name}"


@pytest.mark.parametrize("earlier", [True, False])
def test_a_player_is_one_whatever_hosts_have_called_them(
    home: Home, monkeypatch: pytest.MonkeyPatch, earlier: bool
) -> None:
    make_folders(home)
    for number, said in enumerate((str.lower, str.upper)):
        table = finished("telecards", said)
        take_identity(home, table.keys[1])
        write_log(home, table.payloads[1], "2026-11-01", "crazy_eights", number)
    if earlier:
        with monkeypatch.context() as patched:
            patched.setattr(SeatResult, "who", property(_by_name))
            use_schema_version(patched, 3)
            assert [one.games for one in ask_book(home, standings) if one.kind == "me"] == [1, 1]
        drop_played_column(home)
    (me,) = [one for one in ask_book(home, lambda book: standings(book, "crazy_eights")) if one.kind == "me"]
    assert (me.name, me.games, me.rating and me.rating.games) == ("SIDE 1", 2, 2)
    assert len(ask_book(home, lambda book: own_curve(book, "crazy_eights"))) == 2
    assert [one.games for one in ask_book(home, head_to_head)] == [2]
    told: list[str] = []
    proofread_all(home, told.append)
    grown = ask_book(home, dump)
    rebuild(home)
    assert (ask_book(home, dump), told) == (grown, [])


def test_games_that_an_earlier_version_has_counted_so_are_taken_out_and_it_is_told_once(
    home: Home, never_played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {play(home, number) for number in range(3)}
    with monkeypatch.context() as earlier:
        earlier.setattr(reading, "may_use_log", lambda *_: True)
        use_schema_version(earlier, 1)
        assert ids(home) == {*kept, never_played}
    drop_played_column(home)
    ask_book(home, count_games)
    told: list[str] = []
    assert ask_book(home, count_games, told.append) == 3 and ids(home) == kept
    ask_book(home, count_games, told.append)
    assert told == ["1 game is no longer counted, because you made no move in it."]
    grown = ask_book(home, dump)
    rebuild(home)
    assert ask_book(home, dump) == grown
    proofread_all(home, told.append)
    assert len(told) == 1


def test_figures_that_an_earlier_version_has_counted_are_counted_again_where_there_is_a_log(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        play(home, number, ("cribbage",))
    results = {name: read_result(read_log(home.logs / name).payloads) for name in names(home)}
    gone = next(name for name, result in results.items() if figure_counts(_earlier(result)) != figure_counts(result))
    with monkeypatch.context() as earlier:
        use_schema_version(earlier, 2)
        earlier.setattr(schema, "pack_result", _packed_before)
        earlier.setattr(keeping, "pack_result", _packed_before)
        earlier.setattr(schema, "figure_counts", lambda result: figure_counts(_earlier(result)))
        keep_without_logs(home, {gone})
        (home.logs / gone).unlink()
        assert ask_book(home, _figures) == {result.id: figure_counts(_earlier(result)) for result in results.values()}
    drop_played_column(home)
    told: list[str] = []
    proofread_all(home, told.append)
    assert ask_book(home, _figures, told.append) == {
        result.id: figure_counts(_earlier(result) if name == gone else result) for name, result in results.items()
    }
    found = ask_book(home, _figures)
    proofread_all(home, told.append)
    rebuild(home)
    assert ask_book(home, _figures) == found and told == []


def _earlier(result: GameResult) -> GameResult:
    hands = [replace(hand, measured=measured_before(result.game, hand.items, hand.dealer)) for hand in result.hands]
    return replace(result, hands=tuple(hands))


def _packed_before(result: GameResult) -> bytes:
    data = json.loads(zlib.decompress(pack_result(result)))
    for hand in data["hands"]:
        del hand["measured"]
    return zlib.compress(json.dumps(data).encode())


def _figures(book: Book) -> dict[str, dict[str, tuple[int, int]]]:
    """By the id of the game."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for one, figure, *pair in book.execute("SELECT id, figure, hits, tries FROM figures JOIN games USING (number)"):
        found.setdefault(one, {})[figure] = (pair[0], pair[1])
    return found
