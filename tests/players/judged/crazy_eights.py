"""Positions of crazy eights with a right answer. Seat 0 is to act, seat 1 comes next."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.crazy_eights.rules import PACK, Options, State
from p2pcards.games.game import Stage
from rigs.judged import Judged, at

ACTIONS: dict[str, Any] = {"two_draws_two": True, "jack_skips": True, "king_reverses": True}


def position(
    hand: str, top: str, others: tuple[int, ...] = (5, 5, 5), under: str = "", passes: int = 0, **options: Any
) -> State:
    """others: how many cards the next seats hold; under: what lies under the top card; passes: how many have passed in
    turn since that was played."""
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    up = tuple([Slot(card, PUBLIC) for card in (*parse_cards(under), *parse_cards(top))])
    return State(
        Options(players=len(others) + 1, **options),
        scores=(0,) * (len(others) + 1),
        hands=(mine, *[Bag(seat, (HIDDEN,) * held) for seat, held in enumerate(others, 1)]),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=0,
        stock=(HIDDEN,) * (52 - len(mine) - sum(others) - len(up)),
        discards=up,
        suit=up[-1].card.suit,
        passes=passes,
    )


IN_HANDS = "6C 7C TD JD QD KD"
"""What the others hold, when nothing is left to draw."""


def played_out(hand: str, passes: int) -> State:
    """The others hold two cards each, and the nine of clubs was played."""
    gone = [str(card) for card in PACK if card not in parse_cards(f"{hand} 9C {IN_HANDS}")]
    return position(hand, "9C", (2, 2, 2), " ".join(gone), passes)


PASSED = Judged(
    "nothing is left to draw, and two have passed on clubs: the next player holds both that are out, and goes out with "
    "them if I stay in the suit",
    played_out("3C KC 9D", 2),
    0,
    ("9D",),
    without=played_out("3C KC 9D", 0),
)

JUDGED: tuple[Judged, ...] = (
    Judged("the last card is played, not kept", position("3C", "9C"), 0, ("3C",)),
    Judged(
        "the four goes first: the eight goes out on whatever comes next",
        position("8S 4D", "9D"),
        0,
        ("4D",),
    ),
    Judged(
        "I cannot follow but with the eight, so I name the suit of what I hold most of",
        position("8S 2C 3D 4D KD", "9H", others=(2, 5, 5)),
        0,
        ("8S d",),
    ),
    Judged(
        "with two cards the eight brings me to the suit of the last one",
        position("8S 4D", "9C", others=(4, 3, 5)),
        0,
        ("8S d",),
    ),
    Judged(
        "both fit, and neither brings me to another card: the queen goes before it is caught",
        position("3C QC 5D 6D 7H 9H 4S", "TC", others=(2, 2, 2)),
        0,
        ("QC",),
    ),
    Judged(
        "the next player has one card left, and a two makes them draw two",
        position("2C QC 5D 6S", "9C", others=(1, 5, 5), **ACTIONS),
        0,
        ("2C",),
    ),
    Judged(
        "the next player has one card left, and a jack leaves them out",
        position("JC QC 5D 6S", "9C", others=(1, 5, 5), **ACTIONS),
        0,
        ("JC",),
    ),
    Judged(
        "a king would give the turn to the player at the right, who has one card left",
        position("KC QC 4D 6S", "9C", others=(5, 5, 1), **ACTIONS),
        0,
        ("QC",),
    ),
    Judged(
        "of two the jack brings the turn back to me, and the four goes out",
        position("JC 4C", "9C", others=(3,), jack_skips=True),
        0,
        ("JC",),
    ),
    Judged(
        "the other player is about to go out: the eight costs 50 where it is caught, the rest 13",
        position("8S KC 3C", "9C", others=(1,)),
        0,
        ("8S c",),
    ),
    at(
        (99, 10, 10, 10),
        Judged(
            "far ahead: only the 50 of an eight that is caught could bring another near, so it goes now",
            position("QD 3D 5D 8S JC", "3S", others=(1, 1, 3)),
            0,
            ("8S c", "8S s", "8S d"),
        ),
    ),
    at(
        (99, 10, 10, 10),
        Judged(
            "far ahead, and two hold one card each: the eight is not kept",
            position("7H 9H 2D KS 8S", "TH", others=(1, 3, 1)),
            0,
            ("8S d", "8S h", "8S s"),
        ),
    ),
    PASSED,
)
