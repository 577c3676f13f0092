"""Hearts: what is shown of it where files are made."""

from __future__ import annotations

from typing import Any

from p2pcards.cards.card import Card, Suit
from p2pcards.games.game import Stage
from p2pcards.games.hearts import rules as hearts
from rigs.shown import Shown, Together


def shared_win(_before: Any, state: Any) -> bool:
    return len(state.winners) > 1


def jack_is_missing(_before: Any, state: Any) -> bool:
    """Hearts: the hand goes on, as the jack of diamonds has not fallen, though all other cards that count have."""
    fallen = [slot.card for slots in state.taken for slot in slots]
    all_others = state.stage is Stage.PLAY and not state.trick and sum(map(is_point, fallen)) == 14
    return all_others and hearts.JACK not in fallen


def is_point(card: Card) -> bool:
    return card.suit == Suit.HEARTS or card == hearts.QUEEN


def led_unbroken(_before: Any, state: Any) -> bool:
    """Hearts: they have been led and are not broken; the leader now holds some, and other cards too."""
    if state.trick or state.passed or state.broken or state.stage is not Stage.PLAY:
        return False
    led = any(slot.card.suit == Suit.HEARTS for slots in state.taken for slot in slots)
    suits = {card.suit for card in state.hands[state.leader].cards}
    return led and Suit.HEARTS in suits and len(suits) > 1


SHOWN = Shown(
    beside={"end_when": {"end_score": 25}, "exact_resets": {"end_score": 25}},
    held={
        "moon": "AC KC QC AD KD QD AH KH QH JH AS KS QS",
        "moon and jack": "AC KC QC AD KD JD AH KH QH JH AS KS QS",
    },
    together=(
        Together(
            "the hand ends when the jack of diamonds has fallen too",
            {"quit_when_points_played": True, "jack_of_diamonds": True},
            ("quit_when_points_played", "jack_of_diamonds"),
            jack_is_missing,
        ),
        Together("a heart that is led does not break hearts", {}, (), led_unbroken, strict=True),
        Together("any heart breaks hearts", {"queen_breaks_hearts": True}, ("queen_breaks_hearts",), strict=True),
        Together("the first trick, led by the eldest hand", {"opening_lead": "eldest"}, (), strict=True),
        Together(
            "the moon where the queen costs nothing", {"queen_points": False, "moon": "add"}, ("moon",), held="moon"
        ),
        Together(
            "the moon, with the jack of diamonds among the tricks",
            {"jack_of_diamonds": True, "moon": "add"},
            ("jack_of_diamonds", "moon"),
            held="moon and jack",
        ),
        Together("level at the lowest: a shared win", {"end_score": 25}, (), shared_win),
        Together(
            "nothing taken, though the queen costs nothing",
            {"no_trick_bonus": True, "queen_points": False},
            ("no_trick_bonus", "queen_points"),
        ),
    ),
    seed=3,
)
