"""The rules of thumb of the novice at rummy 500, each in the smallest position that shows it. It sits at seat 0."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.drawing import Discard, Draw, Meld
from p2pcards.games.game import Stage
from p2pcards.games.rummy_500.novice import choose
from p2pcards.games.rummy_500.rules import GAME, Lay, Options, Phase, State, Take
from p2pcards.games.spreads import Spread, lay_down_meld


def card(word: str) -> Card:
    return parse_cards(word)[0]


def chosen(
    hand: str,
    pile: str = "2C",
    phase: Phase = Phase.MELD,
    table: Sequence[Spread] = (),
    others: int = 7,
    options: Options | None = None,
) -> object:
    """What seat 0 chooses, always the same. others: how many cards the other holds."""
    state: Any = State.start(options or Options(), 1)
    view: State = replace(
        state,
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        hands=(make_bag(0, [Slot(each, eye_of_seat(0)) for each in parse_cards(hand)]), Bag(1, (HIDDEN,) * others)),
        stock=(HIDDEN,) * 20,
        discards=tuple([Slot(each, PUBLIC) for each in parse_cards(pile)]),
        spreads=tuple(table),
        phase=phase,
    )
    choices = [choose(view, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8 and choices[0] in GAME.legal(view, 0)
    return choices[0]


SPADES = lay_down_meld(1, parse_cards("5S 6S 7S"), "both")


def test_it_lays_down_the_dearest_first_and_all_of_it() -> None:
    assert chosen("3C 4C 5C QD QH QS KS") == Meld(parse_cards("QD QH QS"))
    assert chosen("3C 4C 5C 6C QD") == Meld(parse_cards("3C 4C 5C 6C"))
    assert chosen("8S QD 2H", table=[SPADES]) == Lay(card("8S"), card("5S"))


def test_it_keeps_a_card_to_discard_where_it_must() -> None:
    out = Options(discard_to_go_out=True)
    assert chosen("3C 4C 5C 6C", options=out) == Meld(parse_cards("4C 5C 6C"))
    assert chosen("8S", table=[SPADES], options=out) == Discard(card("8S"))
    assert chosen("3C 4C 5C 6C") == Meld(parse_cards("3C 4C 5C 6C"))


def test_it_takes_discards_that_pay() -> None:
    assert chosen("QD QH 4C", pile="QS 2D", phase=Phase.DRAW) == Take(card("QS"))
    assert chosen("QD QH 4C", pile="9D 2D", phase=Phase.DRAW) == Draw()
    assert chosen("3D 3H 4C", pile="3S KD JH TC 8D", phase=Phase.DRAW) == Draw()  # too much comes with it


def test_it_discards_the_dearest_card_that_goes_with_nothing() -> None:
    assert chosen("KS KH 9D 8D 2H 7C") == Discard(card("7C"))
    assert chosen("KS 9D 8D 2H 7C") == Discard(card("KS"))


def test_it_does_not_make_a_gift_of_a_card() -> None:
    assert chosen("KS 9D", pile="KC 4S") == Discard(card("9D"))  # kings for who takes both
    assert chosen("KS 9D", pile="4S") == Discard(card("KS"))
