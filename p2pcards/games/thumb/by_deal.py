"""Novices who choose by the rules of thumb of the deal that the state keeps, which a search uses too.

A novice does not count cards: of those that were played it remembers the last trick and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from p2pcards.games.deals.bits import Chance
from p2pcards.games.game import Seat
from p2pcards.games.tricks import KeptTricks

A = TypeVar("A")


def choose_by_deal(view: KeptTricks, seat: Seat, legal: Sequence[A], moves: Callable[[A], Sequence[int]]) -> A:
    """The legal action of a seat that these rules of thumb choose. moves: the moves of the deal that make up an
    action."""
    if len(legal) == 1:
        return legal[0]
    deal = view.deal.copy()
    deal.set_turn(seat)
    deal.current_tricks().forget_played(sum([1 << deal.number_of(card) for _, card in view.last_trick]))
    chance, made = Chance(1), list[int]()  # by which these rules of thumb choose nothing
    for _ in moves(legal[0]):  # each legal action has as many
        made.append(deal.rule_of_thumb_move(chance))
        deal.make_move(made[-1])
    made.sort()  # as the cards of a pass are
    return next(action for action in legal if list(moves(action)) == made)
