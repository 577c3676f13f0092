"""Who plays in my place: a computer until further notice, and the rest of a hand."""

from __future__ import annotations

from contextlib import suppress

import pytest

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.claims import claimable_cards, verify_concession
from p2pcards.games.game import IllegalAction
from p2pcards.games.tricks import trick_counts
from p2pcards.session.effects import CommandError
from p2pcards.views.happenings import HandScored, Notice, Said, TrickTaken
from rigs.net import Net
from rigs.people import act, by_hand, to_act
from rigs.pure import remembered_signatures

signatures = remembered_signatures()


@pytest.mark.parametrize("end", [0, 1])
def test_the_computer_plays_a_seat_until_it_is_told_not_to(end: int) -> None:
    net = by_hand(1, seed=2)
    net.say(end, "auto")
    assert net.tales(end, Notice)[-1].text.startswith("The computer is playing for you (novice).")
    for _ in range(6):
        net.run()
        assert net.view(end).auto == "novice" and not net.view(end).legal
        if net.view(1 - end).legal:
            act(net, 1 - end)
    count = net.at(0).count
    assert count > 10
    net.say(end, "auto", "off")
    net.run()
    while to_act(net) != end:
        act(net, 1 - end)
    assert net.view(end).legal and not net.view(end).auto


def test_a_level_is_named_and_a_question_that_is_open_is_asked_anew() -> None:
    net = by_hand(1)
    for end in (0, 1):
        with pytest.raises(CommandError, match=r"There's no level 'novise'\. Did you mean 'novice'"):
            net.say(end, "auto", "novise")
        with pytest.raises(CommandError, match="You're already playing yourself"):
            net.say(end, "auto", "off")
    first = to_act(net)
    net.say(first, "auto", "carefree")
    net.say(first, "auto", "off")  # before the answer came
    count = net.at(0).count
    net.run()
    assert net.at(0).count == count and net.view(first).legal


def trick_by_trick(net: Net, end: int, what: str) -> bool:
    """Plays on until this end may claim, or concede; whether it came to that."""
    is_certain = {"claim": claimable_cards, "concede": verify_concession}[what]
    for _ in range(400):
        if not net.at(0).state.to_act:
            return False
        who, seat = to_act(net), net.at(end).seat
        assert seat is not None
        if who == end:
            with suppress(IllegalAction):
                is_certain(net.at(0).game, redact(net.at(end).view, eyes_of_viewer(seat)), seat)
                return True
        act(net, who)
    return False


@pytest.mark.parametrize(
    ("what", "end", "seed"), [("claim", 0, 2), ("claim", 1, 2), ("concede", 0, 6), ("concede", 1, 7)]
)
def test_the_rest_of_a_hand_is_played_by_itself_and_told_once(what: str, end: int, seed: int) -> None:
    """seed: of a game in which it comes to that soon."""
    net = by_hand(1, game="whist", preset="real-deal", seed=seed)
    assert trick_by_trick(net, end, what)
    seat, before = net.at(end).seat, net.at(end).view.taken
    assert seat is not None
    tricks, scored = trick_counts(before), len(net.tales(end, HandScored))
    net.say(end, what)
    net.run()
    while len(net.tales(end, HandScored)) == scored:
        assert net.view(end).auto == "rest" and not net.view(end).legal
        act(net, 1 - end)
    said = [one.text for one in net.tales(1 - end, Said) if "the rest" in one.text]
    assert len(said) == 1 and not net.view(end).auto
    takes = [one.mine for one in net.tales(end, TrickTaken)][sum(tricks) - 13 :]
    assert takes and (all(takes) if what == "claim" else not any(takes))


def test_what_is_not_certain_is_not_claimed() -> None:
    net = by_hand(1, game="whist", preset="real-deal", seed=4)
    end = to_act(net)
    with pytest.raises(CommandError, match=r"^that's not certain, since .. could take a trick$"):
        net.say(end, "claim")
    with pytest.raises(CommandError, match=r"^that's not certain, since .. could take a trick$"):
        net.say(end, "concede")
    act(net, end)
    after = to_act(net)
    with pytest.raises(CommandError, match="you can only claim the rest when it's your lead"):
        net.say(after, "claim")
    eights = by_hand(1)
    with pytest.raises(CommandError, match="you can't claim or concede now"):
        eights.say(to_act(eights), "claim")
