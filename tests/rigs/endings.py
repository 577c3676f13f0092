"""Ends of hands of tricks: positions with few cards, and the worlds that could be behind what a player sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import permutations
from random import Random
from typing import Any

from p2pcards.cards.eyes import TRUTH, Slot, eye_of_seat, eyes_of_viewer, make_bag, redact, replace_slots, slots_of
from p2pcards.cards.pack import shuffle
from p2pcards.games.changing import changed
from p2pcards.games.game import AnyGame, Stage
from p2pcards.players.choose import choose
from rigs.worlds import determinize

TRICK_GAMES = (
    "hearts",
    "spades",
    "whist",
    "oh_hell",
    "euchre",
    "auction_pitch",
    "pinochle",
    "pinochle2",
    "pinochle_bid",
)
FEW = 2  # cards in hand of the positions of which every world is looked at
WORLDS = 20  # where there are more, as many are drawn


def worlds(view: Any, pack: tuple[Any, ...], rng: Random) -> Iterator[Any]:
    """All that could be behind a view where there are few, else some of them."""
    slots = slots_of(view)
    hidden = [i for i, slot in enumerate(slots) if not slot.card]
    unseen = list((Counter(pack) - Counter([slot.card.face for slot in slots if slot.card])).elements())
    if len(hidden) > 2 * FEW + 2:
        for _ in range(WORLDS):
            yield determinize(view, pack, rng)
        return
    for order in set(permutations(unseen)):
        world = list(slots)
        for place, card in zip(hidden, order, strict=True):
            world[place] = Slot(card, 0)
        filled = replace_slots(view, world)
        if hasattr(filled, "deal"):
            yield redact(filled, TRUTH)
            continue
        hands = tuple(
            [
                make_bag(held.owner, [Slot(s.card, s.eyes or eye_of_seat(held.owner)) for s in held.slots])
                for held in filled.hands
            ]
        )
        yield redact(changed(filled, hands=hands), TRUTH)


def positions(game: AnyGame, options: Any, seed: int, most: int) -> Iterator[Any]:
    """Those of some hands played by computers in which the seats hold so few cards."""
    rng = Random(seed)
    state = game.start(options, 0)
    while state.stage != Stage.OVER and state.hand < 4:
        if state.stage == Stage.DEAL:
            secret = sha256(f"{seed} {state.hand}".encode()).digest()
            pack = game.pack(options)
            event = game.deal(state, shuffle(pack, secret, "pack"), shuffle(pack, secret, "draw"))
        elif state.stage == Stage.SHOW:
            event = game.show(state)
        else:
            seat = state.to_act[0]
            if len(state.hands[seat]) <= most and game.ranking(state):
                yield state
            action = choose(game, redact(state, eyes_of_viewer(seat)), seat, "novice", rng)
            event = game.decide(state, seat, action)
        state = game.play(state, event)
