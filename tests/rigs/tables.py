"""Tables laid out for a test: packs that deal given hands, and games played on by given actions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye_of_seat, make_bag
from p2pcards.games.game import A, Action, AnyGame, E, Game, IllegalAction, O, Remark, S, Seat, Stage, name_in_text
from p2pcards.games.options import declared_options
from rigs.laws import event_of, random_move


def hand(seat: Seat, words: str) -> Bag:
    """A hand that its seat alone has seen."""
    return make_bag(seat, [Slot(card, eye_of_seat(seat)) for card in parse_cards(words)])


def hands(*words: str) -> tuple[Bag, ...]:
    return tuple([hand(seat, text) for seat, text in enumerate(words)])


def face_up(words: str) -> tuple[Slot, ...]:
    return tuple([Slot(card, PUBLIC) for card in parse_cards(words)])


def face_down(words: str) -> tuple[Slot, ...]:
    return tuple([Slot(card) for card in parse_cards(words)])


def stacked(pack: Sequence[Card], dealer: Seat, wanted: Sequence[str], then: str = "") -> tuple[Card, ...]:
    """The pack that gives each seat the cards wanted for it (all hands equally long), and then turns up these."""
    held = [parse_cards(words) for words in wanted]
    order = [held[(dealer + 1 + i) % len(held)][n] for n in range(len(held[0])) for i in range(len(held))]
    order += parse_cards(then)
    return (*order, *[card for card in pack if card not in order])


def act(game: Game[O, S, A, E], state: S, *actions: A) -> S:
    """The state after these actions, each of the first seat to act, and what is shown when none is."""
    for action in actions:
        seat = state.to_act[0]
        game.verify(state, seat, action)
        state = game.play(state, game.decide(state, seat, action))
        if state.stage == Stage.SHOW:
            state = game.play(state, game.show(state))
    return state


def said_aloud(game: Game[O, S, A, E], state: S, action: A | None = None) -> list[str]:
    """What is said aloud as the next event happens: that of this action of the first seat to act, or what the dealer
    shows. Whatever is said of a seat has its place before the verb: ``{2} turn up TH``."""
    event = game.show(state) if action is None else game.decide(state, state.to_act[0], action)
    return _words(game.remarks(state, event, game.play(state, event)))


def said_at_deal(game: Game[O, S, A, E], state: S, pack: Sequence[Card]) -> list[str]:
    """What is said aloud when this pack is dealt."""
    event = game.deal(state, tuple(pack), tuple(pack))
    return _words(game.remarks(state, event, game.play(state, event)))


def _words(remarks: Sequence[Remark]) -> list[str]:
    return [one.words if one.seat is None else f"{name_in_text(one.seat)} {one.words}" for one in remarks]


def refusal(game: AnyGame, state: Any, seat: Seat, action: Action) -> str:
    """Why the action is refused; "" when it is not."""
    try:
        game.verify(state, seat, action)
    except IllegalAction as refused:
        assert action not in game.legal(state, seat)
        return str(refused)
    assert action in game.legal(state, seat)
    return ""


def hands_played(game: Game[O, S, A, E], options: O, seed: int, number: int) -> list[S]:
    """The states in which hands begin (after the deal) of random games, the first so many."""
    rng, state = Random(seed), game.start(options, None)
    begun: list[S] = []
    while len(begun) < number:
        after = game.play(state, event_of(game, state, random_move(game, state, rng)))
        if after.hand > state.hand:
            begun.append(after)
        state = game.start(options, game.next_first_dealer(after)) if after.stage == Stage.OVER else after
    return begun


def defaults(kind: type) -> dict[str, Any]:
    return {option.key: option.default for option in declared_options(kind)}
