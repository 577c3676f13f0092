"""Positions of gin rummy with a right answer. Seat 0 is to act."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.game import Stage
from p2pcards.games.gin_rummy.rules import EACH, PRESETS, Phase, State, start
from rigs.judged import Judged


def position(hand: str, discards: str, theirs: str = "", preset: str = "telecards", **changes: Any) -> State:
    """discards: the top card last; theirs: cards that the other took from them and holds. With eleven cards seat 0 has
    drawn, with ten it is to draw."""
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    known = [Slot(card, PUBLIC) for card in parse_cards(theirs)]
    up = tuple([Slot(card, PUBLIC) for card in parse_cards(discards)])
    state: Any = start(PRESETS[preset], 1)
    fields: dict[str, Any] = {
        "phase": Phase.DISCARD if len(mine) > EACH else Phase.DRAW,
        "turns": len(up) - 1,
        "limit": 10,
        "dealer": 1 if len(up) % 2 else 0,
    }
    return State(
        **{
            "options": state.options,
            "columns": state.columns,
            "eyes": eyes_of_viewer(0),
            "stage": Stage.PLAY,
            "to_act": (0,),
            "hand": 1,
            "hands": (mine, make_bag(1, [*known, *[HIDDEN] * (EACH - len(known))])),
            "stock": (HIDDEN,) * (52 - len(mine) - EACH - len(up)),
            "discards": up,
        }
        | fields
        | changes
    )


LOOSE_COURT = "3C 4C 5C 7D 7H 7S AS 2H 4S QH KD"

JUDGED: tuple[Judged, ...] = (
    Judged(
        "the upcard makes three nines: take it",
        position("4C 5C 9D 9S JH QH 2S 3D 7S KC", "9H", phase=Phase.UPCARD),
        0,
        ("take",),
    ),
    Judged(
        "the upcard goes with nothing: pass",
        position("2C 5C 9C 3D 7D JD 4H 8H QH KD", "6S", phase=Phase.UPCARD),
        0,
        ("pass",),
    ),
    Judged(
        "a king that goes with nothing is no card to take from the discards",
        position("2C 3C 9D 9S 5H 6H QC QS 7S AD", "8C 4D KH"),
        0,
        ("draw",),
    ),
    Judged(
        "the ten goes on a run of three, and a court card goes: less deadwood, and nearer to gin",
        position("7H 8H 9H 2C 3C AD 5S 5D JC QS", "KD KC TH"),
        0,
        ("take",),
    ),
    Judged(
        "ten melded and one card to throw: gin",
        position("4H 5H 6H 8C 8H 8S JC JD JH JS 7D", "AD 2S KC 9D"),
        0,
        ("gin 7D",),
    ),
    Judged(
        "gin without breaking a meld: the end of the run or one of four jacks goes",
        position("4H 5H 6H 7H 8C 8D 8S JC JD JH JS", "AD 2S KC 9D"),
        0,
        ("gin 4H", "gin 7H", "gin JC", "gin JD", "gin JH", "gin JS"),
    ),
    Judged(
        "eleven cards in melds: big gin counts more than gin",
        position("4H 5H 6H 7H 8C 8D 8S JC JD JH JS", "AD 2S KC 9D", preset="standard"),
        0,
        ("gin",),
    ),
    Judged(
        "seven after two turns, with four cards loose: knock, the other has hardly a meld yet",
        position("7H 8H 9H QC QD QS AC 2D 3S AH KD", "KC 4D TC"),
        0,
        ("knock KD",),
    ),
    Judged(
        "two kings are gone: one that is held goes with nothing any more, and counts most",
        position("2C 3C 5D 6D 7D 8H 8S TS JS 4S KH", "KC KD 9C AH"),
        0,
        ("discard KH",),
    ),
    Judged(
        "the other took ten and jack of diamonds: the queen goes on that run, the eight of clubs hurts nobody",
        position("2C 3C 4C 6H 6S 5S 5D AH AS QD 8C", "KS 9C 8D", theirs="TD JD"),
        0,
        ("discard 8C",),
    ),
    Judged(
        "the other left the queen of clubs lying and holds no two queens, where kings are all out: the queen goes",
        position(LOOSE_COURT, "2D QC 9S TS JC 8D"),
        0,
        ("discard QH",),
        without=position(LOOSE_COURT, "2D KC 9S TS JC 8D"),
    ),
)
