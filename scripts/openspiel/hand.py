"""A hand as both programs know it: what was dealt, and what was done since."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from p2pcards.cards.card import Card
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import Action, AnyGame, Seat, Stage


@dataclass(frozen=True, slots=True)
class Hand:
    """dealt: by seat the cards dealt; rest: the cards after them in the pack, the next first; done: every action since,
    and whose it was."""

    dealer: Seat
    dealt: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]
    done: tuple[tuple[Seat, Action], ...] = ()

    def then(self, seat: Seat, action: Action) -> Hand:
        return replace(self, done=(*self.done, (seat, action)))


def deal(game: AnyGame, options: Any, dealer: Seat, chance: Random) -> tuple[Any, Hand]:
    """The first hand of a game of ours, dealt."""
    state = game.start(options, dealer)
    secret = chance.randbytes(32)
    pack = shuffle(game.pack(options), secret, "pack")
    state = game.play(state, game.deal(state, pack, shuffle(game.pack(options), secret, "draw")))
    dealt = tuple([held.cards for held in state.hands])
    return state, Hand(dealer, dealt, pack[sum(map(len, dealt)) :])


def go_on(game: AnyGame, state: Any, seat: Seat, action: Action) -> Any:
    """Our state after an action, and after what the coordinator shows then."""
    state = game.play(state, game.decide(state, seat, action))
    return game.play(state, game.show(state)) if state.stage is Stage.SHOW else state
