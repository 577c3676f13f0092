"""The rules of thumb of the novice at cribbage, each in the smallest position that shows it. It sits at seat 0."""

from __future__ import annotations

from random import Random

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.cribbage.novice import choose
from p2pcards.games.cribbage.rules import Action, Count, Discard, Go, Options, Phase, State
from p2pcards.games.cutting import Cut
from p2pcards.games.game import Stage
from p2pcards.games.playing import Play


def choices(
    hand: str, phase: Phase = Phase.PLAY, series: str = "", dealer: int = 1, *, picked: bool = True
) -> set[Action]:
    """What seat 0 may choose by chance; series: cards of seat 1 that lie there."""
    state = State(
        Options(),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=dealer,
        hands=(make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)]), Bag(1, (HIDDEN,) * 4)),
        phase=phase,
        played=tuple([(1, Slot(card, PUBLIC)) for card in parse_cards(series)]),
        stock=(HIDDEN,) * 40,
        picked=picked,
    )
    return {choose(state, 0, Random(i)) for i in range(16)}


def chosen(hand: str, phase: Phase = Phase.PLAY, series: str = "", dealer: int = 1) -> Action:
    """The one thing that it chooses."""
    (choice,) = choices(hand, phase, series, dealer)
    return choice


def play(word: str) -> Play:
    return Play(parse_cards(word)[0])


def test_it_keeps_what_counts_most() -> None:
    assert chosen("5C 5D TH JH 2S 9D", Phase.DISCARD) == Discard(parse_cards("9D 2S"))


def test_it_gives_a_pair_to_its_own_crib_and_none_to_the_other() -> None:
    hand = "2C 2D 6H 7H 8S 9S"
    assert chosen(hand, Phase.DISCARD, dealer=0) == Discard(parse_cards("2C 2D"))
    assert choices(hand, Phase.DISCARD, dealer=1) == {Discard(parse_cards("2C 9S")), Discard(parse_cards("2D 9S"))}


def test_it_keeps_a_flush() -> None:
    assert chosen("2H 4H 9H KH 8C TS", Phase.DISCARD) == Discard(parse_cards("8C TS"))


def test_it_cuts_anywhere_in_the_fan_where_nobody_picks() -> None:
    places = choices("", Phase.CUT, picked=False)
    assert len(places) > 5
    assert all(isinstance(each, Cut) and each.place in range(1, 41) for each in places)


def test_it_picks_no_place_where_that_would_decide() -> None:
    assert chosen("", Phase.CUT) == chosen("", Phase.FIRST_DEAL) == Cut(None)


def test_it_pegs_what_it_can() -> None:
    assert chosen("5C 9D KC", series="TD") == play("5C")
    assert chosen("9C 7D KC", series="9D") == play("9C")


def test_it_leads_a_low_card_but_no_five() -> None:
    assert chosen("5C 4D KC") == play("4D")


def test_it_does_not_leave_five_or_twenty_one() -> None:
    assert chosen("AD 6C", series="4H") == play("6C")
    assert chosen("AD 3C", series="TH QS") == play("3C")


def test_it_leads_one_of_two_alike() -> None:
    assert choices("2D 4C 3D 4D") == {play("4C"), play("4D")}


def test_it_says_go_when_nothing_fits() -> None:
    assert chosen("9C", series="KC QC 5D") == Go()


def test_at_muggins_it_counts_right() -> None:
    starter = (Slot(parse_cards("5S")[0], PUBLIC),)
    mine = tuple([(0, Slot(card, PUBLIC)) for card in parse_cards("5C 5D 5H JS")])
    state = State(Options(counting="manual"), to_act=(0,), phase=Phase.HANDS, played=mine, starter=starter)
    assert choose(state, 0, Random(1)) == Count(29)
    crib = tuple([Slot(card, PUBLIC) for card in parse_cards("4H 6H JH TH")])
    state = State(Options(), to_act=(0,), phase=Phase.CRIB, crib=crib, starter=(Slot(parse_cards("5H")[0], PUBLIC),))
    assert choose(state, 0, Random(1)) == Count(15)
