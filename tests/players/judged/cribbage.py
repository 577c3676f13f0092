"""Positions of cribbage with a right answer. Seat 0 is to act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.cribbage.rules import Options, Phase, State
from p2pcards.games.game import Stage
from rigs.judged import Judged


def mine(words: str) -> Bag:
    return make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(words)])


def up(words: str) -> tuple[Slot, ...]:
    return tuple([Slot(card, PUBLIC) for card in parse_cards(words)])


def laying(hand: str, dealer: int) -> State:
    """Seat 0 lays two of six cards away."""
    return State(
        Options(),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0, 1),
        hand=1,
        dealer=dealer,
        hands=(mine(hand), Bag(1, (HIDDEN,) * 6)),
        stock=(HIDDEN,) * 40,
    )


def playing(hand: str, played: Sequence[str] = (), series: int = 0, dealer: int = 1, **changes: Any) -> State:
    """Seat 0 plays a card. played: such as "1 7H", the seat and its card; series: where the count was last 0."""
    laid = tuple([(int(words[0]), up(words[2:])[0]) for words in played])
    fields: dict[str, Any] = {"starter": up("QH"), "options": Options()} | changes
    return State(
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=dealer,
        hands=(mine(hand), Bag(1, (HIDDEN,) * (4 - sum([seat for seat, _ in laid])))),
        laid=(mine("9S KS"), Bag(1, (HIDDEN,) * 2)),
        stock=(HIDDEN,) * 39,
        phase=Phase.PLAY,
        played=laid,
        series=series,
        **fields,
    )


def counting(hand: str, starter: str, crib: str = "") -> State:
    """Seat 0, who dealt, counts its hand, or a crib of these cards."""
    after = tuple([(0, slot) for slot in up(hand)]) + tuple([(1, slot) for slot in up("TH 4D 6S 9C")])
    return State(
        Options(counting="manual"),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=0,
        laid=(Bag(0), Bag(1)) if crib else (mine("9S KS"), Bag(1, (HIDDEN,) * 2)),
        crib=up(crib),
        starter=up(starter),
        stock=(HIDDEN,) * 39,
        phase=Phase.CRIB if crib else Phase.HANDS,
        played=after,
        series=8,
    )


JUDGED: tuple[Judged, ...] = (
    Judged(
        "7 7 8 8 count 12, and a pair of fives is the best that my own crib can get",
        laying("5C 5D 7C 7H 8D 8H", dealer=0),
        0,
        ("discard 5C 5D",),
    ),
    Judged(
        "5 5 J Q count 10; a king and a two help their crib little",
        laying("5C 5H JD QS KH 2C", dealer=1),
        0,
        ("discard 2C KH", "discard 2C JD"),
    ),
    Judged(
        "four hearts with a fifteen: eight and ten are all that is left over",
        laying("2H 4H 9H KH 8C TS", dealer=1),
        0,
        ("discard 8C TS",),
    ),
    Judged(
        "5 6 7 8 are a run and a fifteen; their crib gets a king and a two, not a pair",
        laying("5S 6D 7H 8C KD 2S", dealer=1),
        0,
        ("discard KD 2S",),
    ),
    Judged(
        "of two fours and two fives I lead a four: no fifteen is to be made on it, and I have an answer to a pair",
        playing("4C 4D 5H 5S"),
        0,
        ("4C", "4D"),
    ),
    Judged(
        "never lead a five: sixteen cards make fifteen with it",
        playing("5C 3D JS KH"),
        0,
        ("3D",),
    ),
    Judged(
        "a ten makes thirty-one for 2",
        playing("TC 3D 2S", ("1 TD", "0 4S", "1 7H"), dealer=0),
        0,
        ("TC",),
    ),
    Judged(
        "a third six pegs 6, a three makes fifteen for 2",
        playing("6D 3C TS", ("0 6H", "1 6C")),
        0,
        ("6D",),
    ),
    Judged(
        "two to win: fifteen is the game, whatever they could answer",
        playing("8C 7D KH 2C", ("1 8D",), dealer=0, scores=(119, 118)),
        0,
        ("7D", "8C"),
    ),
    Judged(
        "seven, eight and ace are what they kept: the last card goes with these, so I lead no eight",
        playing("JD 8H", ("0 8D", "1 7C", "0 2H", "1 8C", "1 AD"), series=5),
        0,
        ("JD",),
    ),
    Judged(
        "an ace and an eight were kept for a seven: not twenty-four, on which it makes thirty-one",
        playing("6C 5S KD", ("1 AD", "0 5C", "1 8D"), dealer=0),
        0,
        ("5S",),
    ),
    Judged("three fives, their jack and the fourth five: 29", counting("5C 5D 5H JS", "5S"), 0, ("count 29",)),
    Judged(
        "four hearts are no flush in the crib, where the starter is not one",
        counting("2D 3D 7S TC", "KC", crib="2H 4H 6H 8H"),
        0,
        ("count 0",),
    ),
)
