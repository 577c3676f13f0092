"""Positions of thirty-one with a right answer. Seat 0 is to act; seat 3 dealt."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.game import Stage
from p2pcards.games.thirty_one.rules import Options, State
from rigs.judged import Judged


def position(hand: str, discards: str, next_took: str = "", **changes: Any) -> State:
    """discards: the top card last; next_took: cards that seat 1 took from them and holds."""
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    known = [Slot(card, PUBLIC) for card in parse_cards(next_took)]
    up = tuple([Slot(card, PUBLIC) for card in parse_cards(discards)])
    held = (mine, make_bag(1, [*known, *[HIDDEN] * (3 - len(known))]), Bag(2, (HIDDEN,) * 3), Bag(3, (HIDDEN,) * 3))
    fields: dict[str, Any] = {"options": Options(), "scores": (3, 3, 3, 3), "dealer": 3} | changes
    return State(
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        hands=held,
        stock=(HIDDEN,) * (52 - len(mine) - 9 - len(up)),
        discards=up,
        drawn=len(mine) == 4,
        **fields,
    )


JUDGED: tuple[Judged, ...] = (
    Judged(
        "25 before anybody else has had a turn is worth a knock: the others have what they were dealt and one draw",
        position("KH 9H 6H", "2D"),
        0,
        ("knock",),
    ),
    Judged(
        "a poor hand does not knock: three others would have to be worse",
        position("4H 7C 2S", "2D"),
        0,
        ("draw",),
    ),
    Judged(
        "with king and queen the ace of the suit makes 31: there is nothing better in the stock",
        position("KH QH 4C", "AH"),
        0,
        ("take",),
    ),
    Judged(
        "somebody has knocked and I have 13: a ten of my suit is worth taking",
        position("9H 4H 6C", "TH", knocker=1, turns=4),
        0,
        ("take",),
    ),
    Judged(
        "somebody has knocked, and 12 will be lowest: any other card is a chance, the two of the discards is none",
        position("7H 5H 6C", "2S", knocker=3, turns=7),
        0,
        ("draw",),
    ),
    Judged(
        "three hearts are kept, the club goes",
        position("KH 9H 7H 3C", "2D", turns=4),
        0,
        ("discard 3C",),
    ),
    Judged(
        "the next player took ace and ten of clubs: the king would be a blitz, the other king is not",
        position("AH 9H KC KD", "3S", next_took="AC TC", turns=8),
        0,
        ("discard KD",),
    ),
    Judged(
        "with 26 I knock before the others improve",
        position("AH JH 5H", "2D", turns=1, dealer=2),
        0,
        ("knock",),
    ),
)
