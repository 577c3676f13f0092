"""How a bot of OpenSpiel answers with an action of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from openspiel.bridge import Bridge
from openspiel.euchre import ALONE, lowest, number
from openspiel.hand import Hand
from p2pcards.games.drawing import Discard
from p2pcards.games.euchre.rules import Accept
from p2pcards.games.game import Action, Seat


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot is to choose between. theirs: their state; open: those of their actions that both rules allow;
    after(hand) -> the history up to here of an imagined hand."""

    bridge: Bridge
    hand: Hand
    view: Any
    seat: Seat
    theirs: Any
    open: Sequence[int]
    after: Callable[[Hand], list[int]]


Bot = Callable[[Question], int]
"""It answers with one of the open actions."""


def answer(bridge: Bridge, bot: Bot, hand: Hand, view: Any, seat: Seat) -> Action:
    """What is one action with us may be several with them, and cards to pass come in any order."""
    spelled = {action: bridge.spelled(hand, seat, action) for action in bridge.game.legal(view, seat)}
    chosen: list[int] = []
    while not (whole := [action for action, numbers in spelled.items() if sorted(numbers) == sorted(chosen)]):
        fitting = [numbers for numbers in spelled.values() if set(chosen) <= set(numbers)]
        wanted = set().union(*fitting).difference(chosen)
        after = partial(_with_chosen, bridge, tuple(chosen))
        theirs = bridge.replay(after(hand))
        both = [one for one in theirs.legal_actions() if one in wanted]
        chosen.append(both[0] if len(both) == 1 else bot(Question(bridge, hand, view, seat, theirs, both, after)))
    if isinstance(whole[0], Accept):
        return _alone_or_not(bridge, bot, hand, view, seat)
    return whole[0]


def _with_chosen(bridge: Bridge, chosen: Sequence[int], hand: Hand) -> list[int]:
    return [*bridge.history(hand), *chosen]


def _alone_or_not(bridge: Bridge, bot: Bot, hand: Hand, view: Any, seat: Seat) -> Action:
    """With us the maker says it at once, with them after the dealer's discard, which others do not see: it is thought
    to be the lowest card."""
    own: list[Discard] = []

    def accepted(other: Hand) -> list[int]:
        return bridge.history(other.then(seat, Accept(False)))

    def exchanged(other: Hand) -> list[int]:
        discard = own[0] if own else Discard(lowest(other))
        return bridge.history(other.then(seat, Accept(False)).then(hand.dealer, discard))[:-1]

    def ask(after: Callable[[Hand], list[int]]) -> int:
        theirs = bridge.replay(after(hand))
        return bot(Question(bridge, hand, view, seat, theirs, theirs.legal_actions(), after))

    if seat == hand.dealer:
        laid = ask(accepted)
        own.append(Discard(next(card for card in hand.dealt[seat] if number(card) == laid)))
    return Accept(ask(exchanged) == ALONE)
