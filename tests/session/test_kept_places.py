"""A guest whose line is cut keeps their place at the table, in every state of it, until they leave or are put out."""

from __future__ import annotations

import pytest

from p2pcards.session.doubt import Familiarity
from p2pcards.session.effects import CommandError
from p2pcards.session.table import STAKING
from p2pcards.views.happenings import GameStarted, LookingOn, Notice, PlayerBack, PlayerLeft, PlayerLost
from p2pcards.wire.messages import Bye, Hello, Offer
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION
from rigs.net import Net, message_of
from rigs.stranger import Stranger, last_bye

ANN, BOB, CY = range(3)
HELLO = Hello(VERSION, False, "Mal", "papa")


def links(net: Net) -> dict[str, str]:
    return {person.name: person.link for person in net.view(ANN).people if person.link != "you"}


def go_away(net: Net, i: int) -> None:
    """And nobody reaches them."""
    net.deaf.add(i)
    net.cut_all(i)
    net.run()


def come_back(net: Net, i: int) -> None:
    net.deaf.discard(i)
    net.connect(i, ANN)
    net.run()


def in_the_lobby(*, chosen: bool) -> Net:
    net = Net(2, auto=None)
    for i in (BOB, CY):
        net.say(ANN, "invite", str(i))
    net.run()
    if chosen:
        net.say(ANN, "game", "crazy_eights")
        net.run()
    return net


def in_a_game() -> Net:
    net = in_the_lobby(chosen=True)
    net.say(ANN, "start")
    net.run()
    return net


def between_games() -> Net:
    net = in_a_game()
    net.say(ANN, "end")
    net.run()
    return net


def at_the_end_of_a_game() -> Net:
    net = Net(2)
    net.sit_down("winning_score=1")
    net.run_until(lambda: net.view(ANN).phase == "over")
    return net


def looking_on() -> Net:
    """Bob came when a game of Ann and Cy was on."""
    net = Net(2, auto=None)
    net.say(ANN, "invite", str(CY))
    net.run()
    net.say(ANN, "game", "crazy_eights")
    net.say(ANN, "start")
    net.run()
    net.connect(BOB, ANN)
    net.run()
    assert net.view(BOB).looks_on
    return net


STATES = {
    "before a game is chosen": lambda: in_the_lobby(chosen=False),
    "with a game chosen": lambda: in_the_lobby(chosen=True),
    "in a game": in_a_game,
    "between games": between_games,
    "at the end of a game": at_the_end_of_a_game,
    "looking on": looking_on,
}


@pytest.mark.parametrize("state", STATES)
def test_a_guest_who_is_cut_off_is_away_and_then_back_where_they_were(state: str) -> None:
    net = STATES[state]()
    before = net.view(BOB).phase, net.view(BOB).looks_on
    go_away(net, BOB)
    for i in (ANN, CY):
        assert {one.name: one.link for one in net.view(i).people}["Bob"] == "away"
        assert net.tales(i, PlayerLost)[-1].name == "Bob" and PlayerLeft not in net.kinds(i)
    come_back(net, BOB)
    assert net.tales(ANN, PlayerBack)[-1].name == "Bob" and links(net) == {"Bob": "here", "Cy": "here"}
    assert (net.view(BOB).phase, net.view(BOB).looks_on) == before


@pytest.mark.parametrize("state", STATES)
def test_a_guest_who_is_away_can_be_put_out(state: str) -> None:
    net = STATES[state]()
    go_away(net, BOB)
    net.say(ANN, "kick", "Bob")
    net.run()
    assert links(net) == {"Cy": "here"} and net.tales(ANN, PlayerLeft)[-1].name == "Bob"


def test_a_guest_who_was_invited_is_called_again_in_the_lobby() -> None:
    net = in_the_lobby(chosen=False)
    net.cut_all(BOB)
    net.run_for(5)
    assert [address for _, address in net.dials] == ["1", "2", "1"] and links(net) == {"Bob": "here", "Cy": "here"}


# --- a game that begins -----------------------------------------------------------------------------------------------


def test_a_game_begins_without_a_guest_who_is_away_when_the_host_says_so_again() -> None:
    net = in_the_lobby(chosen=True)
    go_away(net, BOB)
    with pytest.raises(CommandError) as told:
        net.say(ANN, "start")
    assert str(told.value) == (
        "Bob is cut off (seat kept). Give them a moment, or type 'start' again to play without them."
    )
    net.say(ANN, "start")
    net.run()
    assert net.view(ANN).phase == "play" and [side.name for side in net.at(ANN).header.sides] == ["Ann", "Cy"]
    assert links(net) == {"Bob": "away", "Cy": "here"}
    come_back(net, BOB)
    assert LookingOn in net.kinds(BOB) and net.tales(ANN, PlayerBack)[-1].name == "Bob"
    net.say(ANN, "end")
    net.run()
    net.say(ANN, "start")
    net.run()
    assert [side.name for side in net.at(ANN).header.sides] == ["Ann", "Bob", "Cy"]


def test_the_host_is_told_anew_of_a_guest_who_was_back_meanwhile() -> None:
    net = in_the_lobby(chosen=True)
    for _ in range(2):
        go_away(net, BOB)
        with pytest.raises(CommandError, match="Bob is cut off"):
            net.say(ANN, "start")
        come_back(net, BOB)
    net.say(ANN, "start")
    net.run()
    assert [side.name for side in net.at(ANN).header.sides] == ["Ann", "Bob", "Cy"]


def offered(net: Net) -> list[Offer]:
    """To Bob."""
    said = [message_of(data) for sender, to, data in net.sent if (sender, to) == (ANN, BOB)]
    return [message for message in said if isinstance(message, Offer)]


def offered_with_a_guest_who_is_slow() -> tuple[Net, Stranger]:
    """The game would begin but for Mal, who has given no stake yet."""
    net = in_the_lobby(chosen=True)
    mal = Stranger(net, ANN, 77)
    mal.say(HELLO)
    net.say(ANN, "start")
    net.run()
    assert net.view(ANN).phase == "lobby" and len(offered(net)) == 1
    return net, mal


def test_a_guest_who_is_cut_off_as_a_game_begins_is_asked_again_and_has_their_seat() -> None:
    net, mal = offered_with_a_guest_who_is_slow()
    go_away(net, BOB)
    come_back(net, BOB)
    assert len(offered(net)) == 2
    mal.say(Bye(ByeCode.LEAVES))
    net.run()
    assert [side.name for side in net.at(ANN).header.sides] == ["Ann", "Bob", "Cy"]


def test_a_guest_who_stays_away_as_a_game_begins_is_waited_for_and_keeps_their_place() -> None:
    net, mal = offered_with_a_guest_who_is_slow()
    go_away(net, BOB)
    mal.say(Bye(ByeCode.LEAVES))
    net.run()
    assert net.view(ANN).phase == "lobby"
    net.run_for(STAKING + 1)
    assert [side.name for side in net.at(ANN).header.sides] == ["Ann", "Cy"]
    assert links(net) == {"Bob": "away", "Cy": "here"}
    come_back(net, BOB)
    assert net.view(BOB).looks_on


def test_the_next_game_waits_for_a_guest_who_is_away() -> None:
    net = at_the_end_of_a_game()
    first = net.at(ANN).game_id
    go_away(net, BOB)
    for i in (ANN, CY):
        net.say(i, "again")
    net.run()
    assert net.at(ANN).game_id == first
    assert net.tales(ANN, Notice)[-1].text == (
        "Bob is cut off (seat kept). The next game waits for them. Type 'start' to play without them."
    )
    come_back(net, BOB)
    assert net.at(ANN).game_id == first
    net.say(BOB, "again")
    net.run()
    assert net.at(ANN).game_id != first and [side.name for side in net.at(ANN).header.sides] == ["Ann", "Bob", "Cy"]


# --- a table with no place left ---------------------------------------------------------------------------------------


def full(known: Familiarity) -> tuple[Net, list[Stranger]]:
    """Three guests, all of them known so well."""
    net = Net(0)
    guests = [Stranger(net, ANN, 60 + number, standing=lambda: known) for number in range(3)]
    for guest in guests:
        guest.say(HELLO)
    return net, guests


def test_nobody_is_given_the_place_of_a_friend_who_is_away() -> None:
    net, guests = full(Familiarity(since=1))
    guests[1].hang_up()
    late = Stranger(net, ANN, 77)
    late.say(HELLO)
    assert late.closed and last_bye(late) == ByeCode.FULL
    Stranger(net, ANN, 61).say(HELLO)
    assert links(net) == {"Mal": "here", "Mal 2": "here", "Mal 3": "here"}


def test_a_stranger_who_is_away_gives_way_where_no_place_is_left() -> None:
    net, guests = full(Familiarity())
    guests[1].hang_up()
    assert links(net) == {"Mal": "here", "Mal 2": "away", "Mal 3": "here"}
    Stranger(net, ANN, 77).say(Hello(VERSION, False, "Dee", "papa"))
    assert links(net) == {"Mal": "here", "Mal 3": "here", "Dee": "here"}


def test_strangers_who_have_gone_hold_up_no_start() -> None:
    net, guests = full(Familiarity())
    for guest in guests:
        guest.hang_up()
    net.say(ANN, "game", "crazy_eights")
    net.say(ANN, "start")
    assert GameStarted in net.kinds(ANN)
