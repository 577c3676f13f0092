"""What a log says of its game is what its players saw at the end."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.ledger.payloads import NOTE
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.results.reading import read_result
from p2pcards.results.result import DamagedResult, pack_result, unpack_result
from p2pcards.store.logs import read_log
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import TakeoverReason
from rigs.net import Net
from rigs.quick_logs import Meddle, quick_game
from rigs.recorded import SIDES, Table, played

OLD = sorted((Path(__file__).parent.parent / "ledger" / "version-0.1.0").glob("*.log"))


@pytest.mark.parametrize("key", GAMES)
def test_a_result_is_what_verify_finds(key: str) -> None:
    payloads = quick_game(key, 1)
    result, found = read_result(payloads), verify_log(payloads)
    state = found.position.state
    assert tuple([seat.points for seat in result.seats]) == state.scores
    assert {seat for seat, one in enumerate(result.seats) if one.won} >= set(state.winners if result.won else ())
    assert [(hand.number, hand.points) for hand in result.hands] == [
        (number, sheet.hand) for number, sheet in found.position.sheets
    ]
    assert result.over and result.won == found.finished and result.id == found.position.game_id.hex()
    assert (result.mine, result.network) == (0, False)
    assert unpack_result(pack_result(result)) == result


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_logs_of_the_first_version_are_read(path: Path) -> None:
    result = read_result(read_log(path).payloads)
    assert result.over == (path.stem != "hearts-unfinished")
    winners = {seat for seat, one in enumerate(result.seats) if one.won}
    assert winners in ([set(side) for side in result.sides] if result.over else [set()])


def test_partners_win_together_and_have_the_others_against_them() -> None:
    result = read_result(quick_game("whist", 1))
    assert result.sides == ((0, 2), (1, 3))
    north, east, south, west = result.seats
    assert (north.won, north.points, north.against) == (south.won, south.points, south.against)
    assert east.won is west.won is not north.won and north.against == east.points


def test_the_lowest_is_the_best_of_the_others_in_hearts() -> None:
    result = read_result(quick_game("hearts", 1))
    for place, seat in enumerate(result.seats):
        assert seat.against == min([other.points for at, other in enumerate(result.seats) if at != place])


def test_everybody_sees_the_same_result_with_themselves_in_it() -> None:
    table = played("hearts")
    results = [read_result(table.payloads[side]) for side in SIDES]
    assert [one.mine for one in results] == [0, 1, 2]
    assert all([seat.kind for seat in one.seats] == [_kind(one.mine, at) for at in range(4)] for one in results)
    told = {(tuple([(seat.points, seat.won) for seat in one.seats]), one.marks, one.id) for one in results}
    assert len(told) == 1 and results[0].marks == ("substitute", "ended") and results[0].network


def _kind(mine: int | None, seat: int) -> str:
    return "me" if seat == mine else "peer" if seat in SIDES else "computer"


def test_who_only_keeps_the_table_has_no_seat_in_it() -> None:
    table = Table("cribbage", GAMES["cribbage"].options(), 3)
    table.until(Phase.CHECKS, 1)
    result = read_result(table.payloads[2])
    assert result.mine is None and [seat.kind for seat in result.seats] == ["peer", "peer"]


def _restart(writer: LedgerWriter, _rng: Random) -> None:
    if writer.position.phase is Phase.PLAY and writer.position.count == 3:
        writer.restart()


def _swap(writer: LedgerWriter, _rng: Random) -> None:
    if writer.position.phase is Phase.PLAY and writer.position.count == 1:
        writer.swap(1)


def _open(writer: LedgerWriter, _rng: Random) -> None:
    if writer.position.phase is Phase.PLAY and writer.position.count == 3:
        writer.turn_hands(True)


def _undo(writer: LedgerWriter, rng: Random) -> None:
    position = writer.position
    if position.phase is Phase.PLAY and position.count < 60 and position.steps and position.steps[-1].seat == 0:
        with suppress(Refused):  # what has shown a card is not taken back
            writer.undo()


def _redeal(writer: LedgerWriter, _rng: Random) -> None:
    if writer.position.phase is Phase.PLAY and writer.position.dealt == 1 and writer.position.count == 3:
        writer.redeal(0)


def _away(writer: LedgerWriter, _rng: Random) -> None:
    if writer.position.phase is Phase.PLAY and writer.position.count == 3:
        writer.takeover(0, TakeoverReason.CLOCK_RAN_OUT)
        writer.give_back(0)


MEDDLING: list[tuple[str, str, Meddle]] = [
    ("whist", "restart", _restart),
    ("whist", "swap", _swap),
    ("whist", "open", _open),
    ("pinochle2", "undo", _undo),
    ("whist", "redeal", _redeal),
    ("whist", "substitute", _away),
]


@pytest.mark.parametrize(("key", "mark", "meddle"), MEDDLING, ids=[mark for _, mark, _ in MEDDLING])
def test_what_makes_a_game_easier_is_marked_and_not_rated(key: str, mark: str, meddle: Meddle) -> None:
    result = read_result(quick_game(key, 1, meddle=meddle))
    assert result.marks == (mark,) and not result.is_rated


def test_an_honest_game_is_rated() -> None:
    result = read_result(quick_game("whist", 1))
    assert result.marks == () and result.is_rated


def test_a_seat_that_the_computer_plays_is_marked_once_in_the_log_of_its_player() -> None:
    net = Net(1, auto=None, seed=3)
    net.sit_down("winning_score=61", game="cribbage")
    net.run()
    net.say(1, "auto", "carefree")
    net.run()
    net.say(0, "end")
    net.run()
    (anns,), (bobs,) = [list(log.values()) for log in net.logs]
    assert [payload[:1] for payload in bobs].count(NOTE) == 1 and NOTE not in [payload[:1] for payload in anns]
    assert "auto" in read_result(bobs).marks and "auto" not in read_result(anns).marks


def test_every_game_that_is_played_alone_has_a_number_and_is_rated_all_the_same() -> None:
    assert read_result(quick_game("whist", 1, deal=7)).is_rated


def test_a_game_that_is_not_over_has_its_scores_so_far() -> None:
    payloads = quick_game("whist", 1)
    for length in range(2, len(payloads)):
        result = read_result(payloads[:length])
        assert not result.over and not result.won
        assert [seat.points for seat in result.seats] == [
            sum([hand.points[at] for hand in result.hands]) for at in range(4)
        ]


def test_a_damaged_result_is_told_as_such() -> None:
    data = pack_result(read_result(quick_game("whist", 1)))
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(DamagedResult):
            unpack_result(bytes(changed))
    with pytest.raises(DamagedResult):
        unpack_result(data[:-1])
