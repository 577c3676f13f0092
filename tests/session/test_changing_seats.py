"""A seat that changes hands between two hands: the game goes on in another log, with the same scores."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from p2pcards.games.options import header_values
from p2pcards.games.registry import GAMES
from p2pcards.ledger.continuing import kept_values
from p2pcards.ledger.payloads import read_start
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.results.book import Book
from p2pcards.results.keeping import ask_book, proofread_all, rebuild, reset, take_back_reset
from p2pcards.results.reading import read_result
from p2pcards.results.standings import count_games, own_figures, standings
from p2pcards.session.effects import CommandError
from p2pcards.store.files import find_home
from p2pcards.store.logs import CONTINUED, facts_of
from p2pcards.views.happenings import GameEnded, GameStarted, Notice, PlayerLeft, SeatsChanged
from p2pcards.wire.messages import Give, Message, Offer, Stake
from p2pcards.wire.reasons import ByeCode, CloseReason
from p2pcards.wire.records import Header, encode_header
from rigs.in_part import every_nth
from rigs.net import Net, message_of
from rigs.people import begun, run_to, until
from rigs.pure import remembered_signatures
from rigs.quick_logs import write_log
from rigs.stranger import raw
from rigs.whole import check_whole

signatures = remembered_signatures()

ANN, BOB, CY = range(3)


hearts = partial(begun, "hearts", options=("end_score=40",), auto="carefree")
"""A game of Ann and Bob with computers, and Cy beside it."""


def at_table(net: Net) -> bool:
    """Whether Bob is there."""
    return len(net.view(BOB).people) > 1


def come(net: Net) -> None:
    """Cy calls, and looks on, and the others know it."""
    net.connect(CY, ANN)
    while not all(any(one.name == "Cy" for one in net.view(i).people) for i in (ANN, BOB) if i == ANN or at_table(net)):
        net.deliver(net.next_event())


def to_next_log(net: Net) -> None:
    """Until the game goes on in another log, and its first hand is dealt there."""
    first = net.at(ANN).game_id
    until(net, lambda: net.at(ANN).game_id != first and net.at(ANN).dealt > 0)


LONG = {"whist": ("winning_score=7",)}
"""Options of games that might be over with their first hand."""


def seated(net: Net) -> list[str]:
    return [seat.name for seat in net.view(ANN).seats]


# --- a person takes a computer's seat ---------------------------------------------------------------------------------


OF_MORE_THAN_TWO = [key for key, game in GAMES.items() if game.seats(next(iter(game.presets.values()))) > 2]


@pytest.mark.parametrize("key", every_nth(3, OF_MORE_THAN_TWO))
def test_a_watcher_takes_over_from_a_computer_after_the_hand(key: str) -> None:
    net = begun(key, LONG.get(key, ()), auto="carefree")
    run_to(net, 6)
    come(net)
    computer = next(seat for seat in net.view(ANN).seats if seat.plays == "computer")
    net.say(ANN, "seat", "Cy")
    old = net.at(ANN).game_id
    to_next_log(net)
    header, before = net.at(ANN).header, verify_log(net.logs[ANN][old]).position
    assert before.ended is CloseReason.CONTINUED and header.previous == before.head
    assert header.continues == kept_values(before.game, before.state)
    assert net.at(ANN).state.scores == before.state.scores and net.at(ANN).state.hand == before.state.hand + 1
    assert seated(net)[computer.seat] == "Cy" and net.at(ANN).header.seat_of(2) == computer.seat
    for i in (ANN, BOB, CY):
        assert net.tales(i, SeatsChanged) == [SeatsChanged((("Cy", computer.name),), before.state.hand + 1)]
        assert not net.tales(i, GameEnded) and len(net.tales(i, GameStarted)) == (i != CY)
    net.run_for(3600)
    check_whole(net)
    assert {verify_log(net.logs[i][net.at(ANN).game_id]).position.head for i in (ANN, BOB, CY)} == {net.at(ANN).head}


def test_scores_and_hands_go_on_and_the_game_is_won_by_them() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    to_next_log(net)
    assert net.at(ANN).hands_before == 1 and net.at(ANN).state.hand == 2
    net.run_for(3600)
    end = net.at(ANN)
    assert end.ended is CloseReason.WON and max(end.state.scores) >= 40
    assert [number for number, _ in end.sheets] == list(range(1, end.state.hand + 1)), "the first hand stands on it too"
    assert verify_log(net.log(BOB)).position.sheets == end.sheets[1:]


def test_the_coordinator_is_told_for_whom_the_next_hand_waits() -> None:
    net = hearts()
    net.auto = None
    net.crash(CY)  # comes back as one for whom no computer plays
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    net.step(CY, lambda: net.machines[CY].attend(False))
    until(net, lambda: bool(net.tales(ANN, SeatsChanged)))
    net.run_for(120)
    told = [one.text for one in net.tales(ANN, Notice)]
    assert told.count("Hand 2 begins when Cy is ready. To end it now, type 'end'.") == 1


def test_a_log_that_is_read_again_goes_on_as_it_was() -> None:
    """The coordinator and a listener lose all but their logs in the middle of the hand that follows."""
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    to_next_log(net)
    run_to(net, 12)
    for i in (BOB, ANN):
        net.crash(i)
    net.connect(CY, ANN)
    net.run_for(3600)
    assert net.at(ANN).ended is CloseReason.WON
    check_whole(net)


def test_a_host_who_starts_again_in_the_middle_of_a_hand_looks_at_none() -> None:
    net = hearts(between_hands=20)
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    to_next_log(net)
    until(net, lambda: net.at(ANN).opened == 1)
    until(net, lambda: net.at(ANN).dealt == 2 and net.at(ANN).phase is Phase.PLAY)
    net.auto = None
    net.crash(ANN)  # comes back as one for whom no computer plays
    assert net.at(ANN).sheets and net.view(ANN).pause is None


def test_who_plays_alone_goes_on_with_a_friend_who_comes() -> None:
    net = Net(2, auto="carefree")
    net.say(ANN, "game", "hearts")
    net.say(ANN, "set", "end_score=40")
    net.say(ANN, "start")
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    to_next_log(net)
    assert "Cy" in seated(net) and net.at(ANN).header.deal is None and net.at(ANN).header.turn_clock
    net.run_for(3600)
    check_whole(net)


def test_where_seats_are_open_whoever_comes_sits_down_unasked() -> None:
    net = hearts()
    net.say(ANN, "seats", "open")
    run_to(net, 6)
    come(net)
    to_next_log(net)
    assert "Cy" in seated(net)


def test_the_coordinator_gives_their_own_seat_and_watches() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    mine = net.at(ANN).seat
    net.say(ANN, "give", "Cy")
    to_next_log(net)
    assert mine is not None and seated(net)[mine] == "Cy" and net.at(ANN).seat is None
    assert net.tales(CY, SeatsChanged)[-1].changes == (("Cy", "Ann"),)
    net.run_for(3600)
    check_whole(net)


def test_a_listener_gives_their_seat_away_and_has_it_back() -> None:
    net = hearts(options=("end_score=100",))
    run_to(net, 6)
    come(net)
    seat = net.at(BOB).seat
    net.say(BOB, "give", "Cy")
    to_next_log(net)
    assert seat is not None and seated(net)[seat] == "Cy" and net.at(BOB).seat is None
    assert net.view(BOB).auto == "", "the computer plays no seat of theirs"
    net.say(CY, "give", "Bob")
    to_next_log(net)
    assert seated(net)[seat] == "Bob" and net.at(CY).seat is None and net.at(BOB).seat == seat
    assert net.view(BOB).auto == "carefree"
    net.run_for(3600)
    check_whole(net)


def test_a_watcher_who_is_promised_two_seats_gets_the_last_one() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    mine = net.at(ANN).seat
    net.say(ANN, "seat", "Cy")
    net.say(ANN, "give", "Cy")
    to_next_log(net)
    assert mine is not None and seated(net)[mine] == "Cy" and seated(net).count("Cy") == 1
    net.run_for(3600)
    check_whole(net)


def test_a_seat_stays_with_its_player_if_the_watcher_is_gone_by_then() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    mine = net.at(ANN).seat
    net.say(ANN, "seat", "Cy")
    net.say(ANN, "give", "Cy")
    net.cut_all(CY)
    net.deaf.add(CY)
    to_next_log(net)
    assert net.at(ANN).seat == mine and "Cy" not in seated(net)


def test_who_gives_a_seat_may_keep_it_after_all_and_gives_it_to_nobody_who_has_one() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    with pytest.raises(CommandError, match="Waiting for a seat: Cy"):
        net.say(BOB, "give", "Ann")
    net.say(BOB, "give", "Cy")
    net.say(BOB, "give", "none")
    raw(net, BOB, ANN, Give("Ann"), Give("nobody of that name"))
    first = net.at(ANN).game_id
    net.run_for(3600)
    assert net.at(ANN).game_id == first and net.at(ANN).ended is CloseReason.WON


def test_a_plan_can_be_dropped() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    net.say(ANN, "seat", "none")
    first = net.at(ANN).game_id
    net.run_for(3600)
    assert net.at(ANN).game_id == first and net.at(ANN).ended is CloseReason.WON


def test_who_cannot_be_seated() -> None:
    net = hearts()
    run_to(net, 6)
    with pytest.raises(CommandError, match="Waiting for a seat: nobody"):
        net.say(ANN, "seat", "Cy")
    come(net)
    with pytest.raises(CommandError, match="Waiting for a seat: Cy"):
        net.say(ANN, "seat", "Bob")
    taken = next(seat.seat for seat in net.view(ANN).seats if seat.name == "Bob")
    with pytest.raises(CommandError, match="No computer player"):
        net.say(ANN, "seat", "Cy", str(taken + 1))
    with pytest.raises(CommandError, match="seats open"):
        net.say(ANN, "seats")


# --- somebody is away -------------------------------------------------------------------------------------------------


def test_seats_change_when_everybody_who_plays_is_here() -> None:
    net = hearts(grace=3600)
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    net.deaf.add(BOB)
    net.cut_all(BOB)
    first = net.at(ANN).game_id
    net.run_for(60)
    assert net.at(ANN).game_id == first
    net.deaf.clear()
    to_next_log(net)
    assert "Cy" in seated(net) and "Bob" in seated(net)


def test_the_seat_of_who_has_left_goes_to_a_watcher_too() -> None:
    net = hearts()
    run_to(net, 6)
    net.say(BOB, "leave")
    come(net)
    bob = next(seat.seat for seat in net.view(ANN).seats if seat.name == "Bob")
    net.say(ANN, "seat", "Cy", str(bob + 1))
    to_next_log(net)
    assert seated(net)[bob] == "Cy" and net.tales(ANN, PlayerLeft)


def test_a_watcher_who_is_gone_by_then_is_missed_by_nobody() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    net.deaf.add(CY)
    net.cut_all(CY)
    net.run_for(3600)
    assert "Cy" not in seated(net) and net.at(ANN).ended is CloseReason.WON
    check_whole(net)


# --- a listener loses its chain before the first hand of the next log -------------------------------------------------


def lose_chain(net: Net, listener: int, seconds: float = 60) -> Header:
    """A listener ends before it has the header of the log that continues the game, and is back; returns that header."""
    until(net, lambda: net.at(ANN).hands_before == 1)
    failed = net.at(ANN).header
    net.crash(listener)
    if listener == CY:  # whom nobody calls
        net.connect(CY, ANN)
        net.run()
        net.connect(CY, ANN)
    assert net.run_until(lambda: net.at(ANN).header != failed and net.at(ANN).dealt > 0, seconds)
    return failed


@pytest.mark.parametrize("listener", [BOB, CY])
def test_a_game_whose_next_hand_can_never_be_dealt_continues_once_more(listener: int) -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    failed = lose_chain(net, listener)
    header = net.at(ANN).header
    assert (header.previous, header.continues) == (failed.previous, failed.continues)
    assert [seat.side for seat in header.seats] == [seat.side for seat in failed.seats]
    told = "lost this game's log, but no cards of this hand were dealt yet, so the hand starts over."
    assert [one.text for one in net.tales(ANN, Notice)].count(f"{net.at(ANN).names[listener]} {told}") == 1
    net.run_for(3600)
    assert net.at(ANN).ended is CloseReason.WON and net.at(ANN).state.scores == net.at(BOB).state.scores
    assert [number for number, _ in net.at(ANN).sheets] == list(range(1, net.at(ANN).state.hand + 1))
    check_whole(net)


def test_a_seat_that_was_given_away_stays_so_when_the_hand_starts_over() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(BOB, "give", "Cy")
    lose_chain(net, CY)
    assert net.at(BOB).seat is None and net.at(CY).seat is not None
    net.run_for(3600)
    check_whole(net)


def test_a_game_that_is_ended_before_its_next_hand_stays_ended() -> None:
    net = hearts()
    net.auto = None
    net.crash(CY)  # comes back as one for whom no computer plays
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    net.step(CY, lambda: net.machines[CY].attend(False))
    until(net, lambda: bool(net.tales(ANN, SeatsChanged)))
    net.run_for(20)
    net.say(ANN, "end")
    net.cut_all(BOB)
    net.run_for(3600)
    assert net.at(ANN).ended is CloseReason.ENDED and len(net.logs[ANN]) == 2
    assert net.table.between_games


@pytest.mark.parametrize("when", [Offer, Stake])
def test_a_host_who_leaves_while_a_seat_changes_hands_ends_the_table(when: type[Message]) -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    until(net, lambda: net.at(ANN).ended is CloseReason.CONTINUED and isinstance(message_of(net.sent[-1][2]), when))
    net.say(ANN, "leave")
    net.run_for(60)
    assert net.finished and len(net.logs[ANN]) == 1


# --- a coordinator who lies -------------------------------------------------------------------------------------------


def forged(monkeypatch: pytest.MonkeyPatch, change: dict[str, object], previous: bytes = b"") -> None:
    """Ann's next header that names this game before, or continues any, is another than she owes."""
    from p2pcards.session import table

    def encode(header: Header) -> bytes:
        changes = header.continues if not previous else header.previous == previous
        return encode_header(replace(header, **change) if changes else header)  # type: ignore[arg-type]

    monkeypatch.setattr(table, "encode_header", encode)


def refused_by(net: Net, listener: int) -> bool:
    """Whether a listener has told Ann that she broke the protocol."""
    byes = [message_of(data) for sender, to, data in net.sent if (sender, to) == (listener, ANN)]
    return any(getattr(message, "code", None) is ByeCode.BROKE_PROTOCOL for message in byes)


@pytest.mark.parametrize(
    "change",
    [
        {"continues": (1, 0, (0, 0, 0, 99), 0)},
        {"continues": (9, 0, (0, 0, 0, 0), 0)},
        {"options": header_values(GAMES["hearts"].options())},
    ],
)
def test_a_game_that_goes_on_otherwise_than_it_stood_is_refused(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, object]
) -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    forged(monkeypatch, change)
    net.run_for(60)
    assert refused_by(net, BOB)
    assert net.at(BOB).phase is Phase.CLOSED and net.at(BOB).ended is CloseReason.CONTINUED


def test_a_game_does_not_go_on_without_my_seat() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    bob = net.at(BOB).seat
    assert bob is not None
    game, changes = net.table.game, {bob: net.table.guests[1].key}
    assert game is not None
    net.step(ANN, lambda: game.plan_changes(changes, net.now))
    net.run_for(60)
    assert refused_by(net, BOB)


def test_a_log_that_was_continued_before_is_not_continued_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann breaks off the second log in the middle of a hand, and continues the first once more, as it stood."""
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    to_next_log(net)
    one = net.at(ANN).header
    assert one.continues is not None
    net.say(ANN, "end")
    change: dict[str, object] = {"previous": one.previous, "continues": one.continues, "first_dealer": None}
    forged(monkeypatch, change, net.at(ANN).head)
    net.say(ANN, "start")
    until(net, lambda: refused_by(net, BOB))
    assert len(net.logs[BOB]) == 2


def test_nobody_knows_a_pack_that_is_thrown_away_so() -> None:
    """The game goes on elsewhere right after an OPENING; from the first check on it has to be dealt here."""
    net = hearts(between_hands=20)
    run_to(net, 6)
    come(net)
    until(net, lambda: net.at(ANN).opened == 1 and bool(net.at(ANN).checked))
    first = net.at(ANN).game_id
    net.say(ANN, "seat", "Cy")
    assert net.at(ANN).game_id == first and not net.at(ANN).ended
    to_next_log(net)
    assert net.at(ANN).hands_before == 2


def test_a_game_that_is_closed_to_go_on_and_never_does_is_one_that_nobody_has_won() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    until(net, lambda: net.at(BOB).ended is CloseReason.CONTINUED)
    log = net.logs[BOB][net.at(BOB).game_id]
    assert facts_of(log).state == CONTINUED and not verify_log(log).finished
    result = read_result(log)
    assert result.over and not result.won and result.marks[-1] == "seats"
    assert not net.listener(BOB).open_games.open_with(net.at(BOB).header.sides[0].key, [])


def test_each_of_the_two_logs_verifies_by_itself() -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    to_next_log(net)
    logs = list(net.logs[BOB].values())
    assert [verify_log(log).honest for log in logs] == [True, True]
    assert [read_start(log).header.continues is not None for log in logs] == [False, True]


def test_hands_count_for_who_played_them_and_the_game_for_who_won_it(tmp_path: Path) -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    net.say(ANN, "seat", "Cy")
    net.run_for(3600)
    for i in (ANN, BOB):
        home = find_home({"P2PCARDS_HOME": str(tmp_path / str(i))})
        for number, log in enumerate(net.logs[i].values()):
            write_log(home, log, "2026-11-01", "hearts", number)
        first, last = [read_result(log) for log in net.logs[i].values()]
        assert (len(first.hands), first.is_played, first.won) == (1, True, False) and last.won
        before = ask_book(home, records)
        assert before == (1, {1}, {1 + len(last.hands)})
        assert reset(home, "hearts", 1) == 1 and ask_book(home, records) == (0, set(), set())
        rebuild(home)
        assert ask_book(home, records) == (0, set(), set())
        assert take_back_reset(home, "hearts", 2) == 1 and ask_book(home, records) == before
        told: list[str] = []
        proofread_all(home, told.append)
        assert not told


def records(book: Book) -> tuple[int, set[int], set[int]]:
    """How many games count, for each player, and over how many hands the figures of our own play are."""
    figures = own_figures(book, "hearts")
    return count_games(book), {one.games for one in standings(book)}, {one.tries for one in figures}


@pytest.mark.parametrize("first", ["seat", "handover"])
def test_a_host_who_hands_the_table_over_hears_that_the_seats_change_afterwards(first: str) -> None:
    net = hearts()
    run_to(net, 6)
    come(net)
    words = {"seat": "Cy", "handover": "Bob"}
    for name in (first, *[one for one in words if one != first]):
        net.say(ANN, name, words[name])
    told = "Bob hosts after this hand. Bob can change seats then."
    assert net.tales(ANN, Notice)[-1].text == (told if first == "seat" else told.replace(". Bob", ", and"))
    until(net, lambda: net.hosts() == [BOB] and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    net.say(BOB, "seat", "Cy")
    until(net, lambda: net.position(CY) is not None and net.at(CY).seat is not None)
