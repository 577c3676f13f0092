"""Positions of rummy 500 with a right answer. Seat 0 of two is to act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards.card import cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, bag, eye, viewer
from p2pcards.games.game import Stage
from p2pcards.games.rummy_500.rules import Options, Phase, State
from p2pcards.games.spreads import spread_of
from rigs.judged import Judged


def position(
    hand: str, discards: str, drawing: bool = False, table: Sequence[str] = (), others: int = 10, **changes: Any
) -> State:
    """discards: the top card last; table: melds of seat 1; others: how many cards seat 1 holds."""
    options = Options(**changes)
    mine = bag(0, [Slot(card, eye(0)) for card in cards(hand)])
    up = tuple([Slot(card, PUBLIC) for card in cards(discards)])
    spreads = tuple([spread_of(1, cards(meld), options.aces) for meld in table])
    laid = sum([len(spread.slots) for spread in spreads])
    return State(
        options,
        (0, 0),
        (mine, Bag(1, (HIDDEN,) * others)),
        eyes=viewer(0),
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
)
