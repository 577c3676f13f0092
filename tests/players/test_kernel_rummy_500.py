"""What may be laid down at rummy 500, in whole numbers and by the rules, with hands that have much to lay down."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.eyes import Slot, eye_of_seat, make_bag
from p2pcards.cards.pack import pack_of
from p2pcards.games.game import Stage
from p2pcards.games.melds import runs_in, sets_in
from p2pcards.games.rummy_500.rules import Options, Phase, State, legal
from p2pcards.games.rummy_500.seen import read
from p2pcards.games.spreads import lay_down_meld
from rigs.followed import moves_of, wanted

pytestmark = pytest.mark.no_cover

PACK = pack_of()
SETS = [Options(aces=aces, discard_to_go_out=keeps) for aces, keeps in product(("low", "high", "both"), (False, True))]


def state_of(options: Options, held: Sequence[Card], table: Sequence[Sequence[Card]] = ()) -> State:
    """Seat 0 has drawn. table: melds of seat 1, which holds all other cards."""
    state: Any = State.start(options, 1)
    spreads = tuple([lay_down_meld(1, meld, options.aces) for meld in table])
    others = [card for card in PACK if card not in held and not any(card in meld for meld in table)]
    hands = tuple(
        [make_bag(seat, [Slot(card, eye_of_seat(seat)) for card in some]) for seat, some in enumerate((held, others))]
    )
    new: State = replace(
        state, stage=Stage.PLAY, to_act=(0,), hand=1, dealer=1, hands=hands, spreads=spreads, phase=Phase.MELD
    )
    return new


def some_state(rng: Random, options: Options) -> State:
    """Hands of one suit, and of a few ranks of another, with some melds on the table."""
    suits, ranks = rng.sample(range(4), 2), rng.sample(range(2, 15), 5)
    near = [card for card in PACK if card.suit == suits[0] or card.rank in ranks]
    rng.shuffle(near)
    left, table = near[: rng.randint(0, 14)], []
    while melds := [*sets_in(left), *runs_in(left, options.aces)]:
        table.append(rng.choice(melds))
        left = [card for card in left if card not in table[-1]]
    held = [card for card in near if not any(card in meld for meld in table)]
    return state_of(options, held[: rng.randint(1, 14)], table)


def check(state: State) -> None:
    """Every legal action can be made move by move, and nothing else."""
    reading = read(state, 0)
    ways = [tuple(reading.moves(action)) for action in legal(state, 0)]
    for way in ways:
        position = reading.position.copy()
        for place, move in enumerate(way):
            assert moves_of(position) == wanted(ways, way[:place])[0], (state, way[:place])
            position.make_move(move)


@pytest.mark.parametrize("options", SETS)
def test_what_may_be_laid_down_is_as_by_the_rules(options: Options) -> None:
    rng = Random(1)
    for _ in range(300):
        check(some_state(rng, options))


@pytest.mark.parametrize("options", SETS)
def test_a_whole_suit_may_be_melded_in_as_many_ways_as_by_the_rules(options: Options) -> None:
    suit = [card for card in PACK if card.suit == 2]
    check(state_of(options, suit))
    check(state_of(options, [*suit, *parse_cards("2C")]))


@pytest.mark.parametrize("options", SETS)
def test_an_ace_is_laid_off_as_by_the_rules(options: Options) -> None:
    for table in ("2S 3S 4S", "JS QS KS", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "AC AD AH"):
        check(state_of(options, parse_cards("AS 5D"), [parse_cards(table)]))
    check(
        state_of(
            options, parse_cards("AS 5D"), [parse_cards("2S 3S 4S"), parse_cards("JS QS KS"), parse_cards("AC AD AH")]
        )
    )
    check(state_of(options, parse_cards("AS"), [parse_cards("2S 3S 4S")]))
