"""The games that can go on, and one that comes from a file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from p2pcards.ledger.payloads import CHECKED
from p2pcards.ledger.transitions import Phase
from p2pcards.results import saves
from p2pcards.results.reading import UnwantedSave, take_save
from p2pcards.results.saves import saved_games
from p2pcards.store.files import Home, StoreError, find_home, make_folders
from p2pcards.store.logs import (
    MAGIC,
    NAME,
    BadSave,
    LogContents,
    LogFile,
    encode_record,
    indexed_logs,
    log_name,
    parse_log,
    read_log,
)
from p2pcards.store.save_names import give_name, throw_away
from p2pcards.wire.keys import public_bytes
from rigs.recorded import Table, never_was, new_table

DATE = "2026-11-20"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(home)
    return home


@pytest.fixture(scope="module")
def table() -> Table:
    """Hearts in the middle of the second hand, between three sides."""
    table = new_table("hearts")
    table.until(Phase.PLAY, 2)
    for _ in range(12):
        table.step()
    return table


def key_of(table: Table, side: int = 0) -> bytes:
    return public_bytes(table.keys[side])


def contents(table: Table, side: int = 0, cut: int | None = None) -> LogContents:
    return parse_log(MAGIC + b"".join([encode_record(payload) for payload in table.payloads[side][:cut]]))


def write(home: Home, table: Table, side: int = 0, cut: int | None = None) -> Path:
    path = home.logs / log_name(DATE, table.game.key, table.position.game_id)
    path.write_bytes(MAGIC + b"".join([encode_record(payload) for payload in table.payloads[side][:cut]]))
    return path


def on_disk(home: Home) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.logs.iterdir()}


def no_reading(*_of: object) -> None:
    raise AssertionError("a log was read again")


# --- the list ---------------------------------------------------------------------------------------------------------


def test_it_tells_rules_seats_and_scores(home: Home, table: Table) -> None:
    write(home, table)
    (saved,) = saved_games(home, key_of(table))
    assert (saved.log.game, saved.coordinates, saved.players) == ("hearts", True, ("side 0", "side 1", "side 2"))
    assert (saved.scores.preset, saved.scores.hand) == ("hearts-deluxe", 2)
    assert [one.score for one in saved.scores.sides] == list(table.position.state.scores)
    assert [one.names[0] for one in saved.scores.sides][:3] == ["side 0", "side 1", "side 2"]
    assert saved_games(home, key_of(table), "whist") == saved_games(home, bytes(32)) == []
    assert saved_games(home, key_of(table), "hearts", most=0) == []


def test_what_was_thrown_away_is_none_until_it_is_played_on(home: Home, table: Table) -> None:
    write(home, table, cut=20)
    (saved,) = saved_games(home, key_of(table))
    give_name(home, saved.log.stem, "friday")
    assert [one.called for one in saved_games(home, key_of(table))] == ["friday"]
    throw_away(home, saved.log.stem, saved.log.stamp)
    assert saved_games(home, key_of(table)) == []
    write(home, table)
    (again,) = saved_games(home, key_of(table))
    assert again.called == saved.log.stem, "the name went with it"


def test_scores_are_worked_out_once(home: Home, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(home, table, cut=20)
    early = saved_games(home, key_of(table))
    with monkeypatch.context() as unread:
        unread.setattr(saves, "read_log", no_reading)
        assert saved_games(home, key_of(table)) == early
    write(home, table)
    assert path.exists()
    (late,) = saved_games(home, key_of(table))
    assert late.scores != early[0].scores
    (home.state / NAME).unlink()
    assert saved_games(home, key_of(table)) == [late]


def test_scores_of_a_log_that_has_changed_meanwhile_are_not_kept(
    home: Home, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(home, table, cut=20)

    def grown(where: Path) -> LogContents:
        found = read_log(where)
        write(home, table)
        indexed_logs(home)
        return found

    with monkeypatch.context() as slow:
        slow.setattr(saves, "read_log", grown)
        saved_games(home, key_of(table))
    (saved,) = saved_games(home, key_of(table))
    assert [one.score for one in saved.scores.sides] == list(table.position.state.scores)
    assert path.exists()


def test_a_log_that_does_not_hold_is_no_save(home: Home, table: Table) -> None:
    payloads = [*table.payloads[0][:20], *table.payloads[0][25:40]]
    path = home.logs / log_name(DATE, "hearts", table.position.game_id)
    path.write_bytes(MAGIC + b"".join([encode_record(payload) for payload in payloads]))
    assert saved_games(home, key_of(table)) == []


# --- one that comes from a file ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_a_save_becomes_a_log(home: Home, table: Table, side: int) -> None:
    taken = take_save(home, key_of(table, side), contents(table, side), DATE, "hearts")
    assert (taken.longer, taken.coordinates) == (False, side == 0)
    assert parse_log(taken.log.read_bytes()).payloads == table.payloads[side]
    assert taken.log.stat().st_mode & 0o777 == 0o600
    (saved,) = saved_games(home, key_of(table, side))
    assert saved.log.path == taken.log
    LogFile.open(taken.log).close()


def test_it_continues_a_shorter_log_of_the_game(home: Home, table: Table) -> None:
    path = write(home, table, cut=30)
    taken = take_save(home, key_of(table), contents(table), DATE)
    assert (taken.log, taken.longer) == (path, True)
    assert list(on_disk(home)) == [path.name]
    assert parse_log(path.read_bytes()).payloads == table.payloads[0]


def test_a_damaged_log_of_the_game_is_in_nobodys_way(home: Home, table: Table) -> None:
    path = write(home, table)
    data = path.read_bytes()
    path.write_bytes(data[:200] + b"\xff" + data[201:])
    taken = take_save(home, key_of(table), contents(table), DATE)
    assert taken.log != path and len(on_disk(home)) == 2


def false(table: Table) -> LogContents:
    payloads = table.payloads[0]
    return parse_log(MAGIC + b"".join([encode_record(one) for one in [*payloads[:20], *payloads[21:]]]))


def other_seed(table: Table) -> LogContents:
    payloads = [table.payloads[0][0][:-1] + b"\0", *table.payloads[0][1:]]
    return parse_log(MAGIC + b"".join([encode_record(one) for one in payloads]))


REFUSED: list[tuple[Callable[[Table], LogContents], str, type[StoreError], str]] = [
    (contents, "whist", UnwantedSave, "This is a game of Hearts, not Whist."),
    (lambda table: contents(table, 1), "", UnwantedSave, "This game belongs to another identity"),
    (false, "", BadSave, "This save is invalid"),
    (other_seed, "", BadSave, "This save is invalid"),
    (lambda table: contents(table, cut=1), "", BadSave, "has no readable game"),
    (lambda table: contents(table, cut=0), "", BadSave, "has no readable game"),
]


@pytest.mark.parametrize(("save", "game", "kind", "why"), REFUSED)
def test_what_is_refused_changes_nothing(
    home: Home, table: Table, save: Callable[[Table], LogContents], game: str, kind: type[StoreError], why: str
) -> None:
    with pytest.raises(kind, match=why):
        take_save(home, key_of(table), save(table), DATE, game)
    assert on_disk(home) == {}


@pytest.mark.parametrize("game", [never_was(), never_was(Phase.PLAY), new_table("hearts")])
def test_a_save_that_its_owner_has_not_signed_is_refused(home: Home, game: Table) -> None:
    """Whole, in part, and a header alone with a chain whose values somebody else may know."""
    with pytest.raises(UnwantedSave, match="its owner signed nothing in it"):
        take_save(home, key_of(game, 1), contents(game, 1), DATE)
    assert on_disk(home) == {}


def test_a_save_whose_owner_has_agreed_to_the_header_is_taken(home: Home) -> None:
    game = new_table("hearts")
    game.payloads[1].append(CHECKED + bytes(game.follower[1].check()))
    assert not take_save(home, key_of(game, 1), contents(game, 1), DATE).coordinates


@pytest.mark.parametrize(("cut", "why"), [(None, "the same as"), (30, "which is longer")])
def test_what_is_here_is_never_shortened(home: Home, table: Table, cut: int | None, why: str) -> None:
    write(home, table)
    before = on_disk(home)
    with pytest.raises(UnwantedSave, match=why):
        take_save(home, key_of(table), contents(table, cut=cut), DATE)
    assert on_disk(home) == before


def test_another_history_of_the_game_is_refused(home: Home, table: Table) -> None:
    path = write(home, table, cut=30)
    file = LogFile.open(path)
    file.append(b"L")
    file.close()
    before = on_disk(home)
    with pytest.raises(UnwantedSave, match=r"differs from it after 30 of its"):
        take_save(home, key_of(table), contents(table), DATE)
    assert on_disk(home) == before


def test_a_game_that_is_on_is_left_alone(home: Home, table: Table) -> None:
    path = write(home, table, cut=30)
    file = LogFile.open(path)
    before = on_disk(home)
    with pytest.raises(UnwantedSave, match="open at a table"):
        take_save(home, key_of(table), contents(table), DATE)
    assert on_disk(home) == before
    file.close()


def test_a_folder_that_cannot_be_written_keeps_nothing(home: Home, table: Table) -> None:
    shutil.rmtree(home.logs)
    home.logs.write_text("")
    with pytest.raises(StoreError):
        take_save(home, key_of(table), contents(table), DATE)
    assert home.logs.read_text() == "" and not (home.state / NAME).exists()
