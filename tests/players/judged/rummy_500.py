"""Positions of rummy 500 with a right answer. Seat 0 of two is to act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.game import Stage
from p2pcards.games.rummy_500.rules import Options, Phase, State
from p2pcards.games.spreads import lay_down_meld
from rigs.judged import Judged, at


def position(
    hand: str,
    discards: str,
    drawing: bool = False,
    table: Sequence[str] = (),
    others: int = 10,
    own: Sequence[str] = (),
    theirs: str = "",
    **changes: Any,
) -> State:
    """discards: the top card last; table, own: melds of seat 1 and of seat 0; others: how many cards seat 1 holds;
    theirs: those of them that it took from the discards."""
    options = Options(**changes)
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    up = tuple([Slot(card, PUBLIC) for card in parse_cards(discards)])
    known = [Slot(card, PUBLIC) for card in parse_cards(theirs)]
    melds = [(1, meld) for meld in table] + [(0, meld) for meld in own]
    spreads = tuple([lay_down_meld(seat, parse_cards(meld), options.aces) for seat, meld in melds])
    laid = sum([len(spread.slots) for spread in spreads])
    return State(
        options,
        (0, 0),
        (mine, make_bag(1, [*known, *[HIDDEN] * (others - len(known))])),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=1,
        first_dealer=1,
        stock=(HIDDEN,) * (52 - len(mine) - others - len(up) - laid),
        discards=up,
        spreads=spreads,
        phase=Phase.DRAW if drawing else Phase.MELD,
        turns=2 * len(up),
    )


def lone_eight(theirs: str = "") -> State:
    """The eight of spades is the only card of seat 0 that goes with no other. theirs: what seat 1 holds of its three
    cards."""
    return position("8S QH KH JC JD 3D 3C", "2S AC", table=("TC TD TS",), others=3, theirs=theirs)


JUDGED: tuple[Judged, ...] = (
    Judged(
        "the last three cards are a meld: lay them down, and the other counts a whole hand against them",
        position("3C 4C 5C", "9D KS"),
        0,
        ("meld 3C 4C 5C",),
    ),
    Judged(
        "all four are a run, and nothing need be discarded: out",
        position("3C 4C 5C 6C", "9D KS"),
        0,
        ("meld 3C 4C 5C 6C",),
    ),
    Judged(
        "the queen under one low card makes three queens",
        position("QD QH 4C 8S 2H 9C", "7H QS 2D", drawing=True),
        0,
        ("take QS",),
    ),
    Judged(
        "the other has one card: no armful of discards for three threes",
        position("3D 3H 4C", "3S KD JH 9C 7D QS", drawing=True, table=("5S 6S 7S",), others=1),
        0,
        ("draw",),
    ),
    Judged(
        "the last card goes on the table: lay it off, and the hand is over",
        position("8S", "9D KC", table=("5S 6S 7S",), others=8),
        0,
        ("lay 8S 5S",),
    ),
    Judged(
        "three aces in hand and the other with one card: 45 points now, or 45 against",
        position("AC AD AH 7C 9D", "KC 4H", others=1, table=("5S 6S 7S",)),
        0,
        ("meld AC AD AH",),
    ),
    Judged(
        "two kings lie in the discards: the third would be three kings for who takes them",
        position("KS 9D 4H 2C 7S", "KC KD 5H", others=8),
        0,
        ("discard 9D", "discard 4H", "discard 2C", "discard 7S"),
    ),
    Judged(
        "the top discard makes a run of court cards",
        position("TH JH 4C 8S 2D 6C", "3S 9C QH", drawing=True),
        0,
        ("take QH",),
    ),
    Judged(
        "the last card must be discarded: the run of four is laid down but for one card, the lowest",
        position("3C 4C 5C 6C", "9D KS", discard_to_go_out=True),
        0,
        ("meld 4C 5C 6C",),
    ),
    at(
        (440, 490),
        Judged(
            "if I go out now with the diamonds, the game is theirs: they have 82 on the table, and I 92; the hand has "
            "to go on",
            position(
                "8D 9D KD",
                "8C JD AD QH 3C 4D 9H 7D",
                drawing=True,
                table=("TC TD TH TS", "AS 2S 3S", "JS QS KS", "AH 2H 3H"),
                own=("QC KC AC", "6C 6H 6S", "5D 5H 5S"),
                others=2,
            ),
            0,
            ("draw",),
        ),
    ),
    at(
        (490, 400),
        Judged(
            "as it lies I win by far: the two costs two, where a card of the stock may go on their melds",
            position(
                "2H",
                "JC 2S",
                drawing=True,
                table=("6C 6D 6H", "9C 9D 9H 9S", "KC KD KH", "5C 5D 5H", "4C 4H 4S", "QD QH QS", "7C 7D 7H"),
                own=("AD AH AS", "TC TH TS", "3C 3D 3H 3S", "8C 8D 8S"),
                others=2,
                theirs="JH",
            ),
            0,
            ("take 2S",),
        ),
    ),
    Judged(
        "they took six and seven of spades and hold one card more: with my eight they go out on my sixty points",
        lone_eight("6S 7S"),
        0,
        ("discard QH", "discard KH", "discard JC", "discard JD", "discard 3D", "discard 3C"),
        without=lone_eight(),
    ),
)
