"""The rules of thumb of the novice at go fish, each in the smallest position that shows it. It sits at seat 0."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from p2pcards.cards.card import RANKS
from p2pcards.cards.eyes import HIDDEN, Bag, eyes_of_viewer
from p2pcards.games.game import Stage
from rigs.go_fish import BOOKS, GAME, Ask, Draw, Lay, Options, State
from rigs.go_fish_novice import choose
from rigs.tables import hand


def choices(words: str, **changes: Any) -> Counter[Any]:
    """What seat 0 chooses with this hand, and how often of 200 times; two others hold five cards each."""
    held = (hand(0, words), Bag(1, (HIDDEN,) * 5), Bag(2, (HIDDEN,) * 5))
    start: State = GAME.start(Options(players=3), 2)
    place = {
        "eyes": eyes_of_viewer(0),
        "stage": Stage.PLAY,
        "to_act": (0,),
        "hand": 1,
        "hands": held,
        "stock": (HIDDEN,) * 9,
    }
    view = State(**{**vars(start), **place, **changes})
    return Counter([choose(view, 0, Random(i)) for i in range(200)])


def ask(player: int, rank: str) -> Ask:
    return Ask(player, BOOKS[RANKS.index(rank)])


def test_a_book_is_laid_down_and_a_card_drawn_where_that_is_due() -> None:
    assert set(choices("QC QD QH QS 7D")) == {Lay(BOOKS[RANKS.index("Q")])}
    assert set(choices("7D QC", rank=12)) == {Draw()}


def test_a_player_known_to_hold_a_rank_is_asked_for_it() -> None:
    asked = choices("7D QC QD QH", known=((2, 7),))
    assert asked[ask(3, "7")] > 180


def test_a_rank_of_many_cards_is_asked_for_more_often() -> None:
    asked = choices("7D QC QD QH")
    assert sum(asked[ask(player, "Q")] for player in (2, 3)) > 120
    assert min(asked[ask(player, "7")] for player in (2, 3)) > 0
