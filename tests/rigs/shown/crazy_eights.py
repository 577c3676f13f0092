"""Crazy Eights: what is shown of it where files are made."""

from __future__ import annotations

from typing import Any

from p2pcards.games.game import Stage
from rigs.shown import Shown, Together, Until


def shared_block(_before: Any, state: Any) -> bool:
    """Crazy eights: two are lowest in a block, and divide something."""
    return bool(state.sheet) and sum(dict(items).get("lowest in the block", 0) > 0 for items in state.sheet.items) > 1


def king_played(_before: Any, state: Any) -> bool:
    return any(slot.card.rank == KING for slot in state.discards[1:])


def all_counted(_before: Any, state: Any) -> bool:
    """Crazy eights: a two, a jack and a king are left in the hands of others."""
    return bool(state.sheet) and any({"twos", "jacks", "kings"} <= set(dict(items)) for items in state.sheet.items)


def two_for_a_short_stock(left: int) -> Until:
    """Crazy eights: a two is played when so few cards are left in the stock, and is not the last card of the hand."""
    return lambda before, state: (
        before.stage is state.stage is Stage.PLAY
        and len(state.discards) > len(before.discards)
        and state.discards[-1].card.rank == 2
        and len(state.stock) == left
    )


def starting_with(rank: int) -> Until:
    return lambda _before, state: bool(state.discards) and state.discards[0].card.rank == rank


def ending_with(rank: int) -> Until:
    """Crazy eights: somebody goes out with such a card."""
    return lambda _before, state: (
        bool(state.sheet) and min(map(len, state.hands)) == 0 and state.discards[-1].card.rank == rank
    )


KING, JACK = 13, 11
SPECIALS = {"two_draws_two": True, "jack_skips": True, "king_reverses": True}
SHOWN = Shown(
    together=(
        Together("a block in which two are lowest", {"players": 3}, (), shared_block),
        Together(
            "two cards for a two where only one may be drawn",
            {"two_draws_two": True, "draw_one_only": True},
            ("two_draws_two", "draw_one_only"),
        ),
        Together("a jack between two players", {"players": 2, "jack_skips": True}, ("jack_skips",)),
        Together(
            "a king between two players does nothing",
            {"players": 2, "king_reverses": True},
            (),
            king_played,
        ),
        Together("twos, jacks and kings that are left count 25", SPECIALS, tuple(SPECIALS), all_counted),
        Together("a two as the starter does nothing", SPECIALS, (), starting_with(2)),
        Together("a jack as the starter does nothing", SPECIALS, (), starting_with(JACK)),
        Together("a king as the starter does nothing", SPECIALS, (), starting_with(KING)),
        Together("a two when one card is left to draw", SPECIALS, (), two_for_a_short_stock(1)),
        Together("a two when no card is left to draw", SPECIALS, (), two_for_a_short_stock(0)),
        Together("a two as the last card", SPECIALS, (), ending_with(2)),
        Together("a jack as the last card", SPECIALS, (), ending_with(JACK)),
    ),
    secrets={"real-deal": "playthrough 11", "telecards": "playthrough 3"},  # an eight is turned up before the starter
    seed=2,
)
