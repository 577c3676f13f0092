"""Claiming and conceding the rest of a hand: held against every world and every play that could be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Suit, parse_cards, spell_cards
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.changing import changed
from p2pcards.games.claims import claimable_cards, is_settled, next_claimed_action, verify_concession
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS, Tricks
from p2pcards.games.game import AnyGame, IllegalAction, Layout, Seat, Stage
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from p2pcards.games.whist import rules as whist
from p2pcards.games.whist.deal import Whist
from p2pcards.views.standpoint import ends_trick
from rigs.endings import FEW, TRICK_GAMES, positions, worlds
from rigs.tricked import kept

RARE = ("oh_hell", "auction_pitch", "pinochle_bid")  # where too many cards are never seen


def takers(game: AnyGame, state: Any, seat: Seat, order: Sequence[str], shown: Layout | None = None) -> Iterator[Seat]:
    """Who takes each trick to the end of the hand, in every way in which the others can play while this seat plays the
    rest by itself. shown: the layout of the state, where it is known."""
    before = shown or game.layout(state)
    mover = state.to_act[0]
    mine = mover == seat
    for action in (
        [next_claimed_action(game, redact(state, eyes_of_viewer(seat)), seat, order)]
        if mine
        else game.legal(state, mover)
    ):
        after = game.play(state, game.decide(state, mover, action))
        layout = game.layout(after)
        if ends_trick(before, layout):
            assert layout.taker is not None
            yield layout.taker
        if after.stage == Stage.PLAY and after.hand == state.hand:
            yield from takers(game, after, seat, order, layout)


def is_certain(what: Any, game: AnyGame, view: Any, seat: Seat) -> bool:
    try:
        what(game, view, seat)
    except IllegalAction:
        return False
    return True


@pytest.mark.no_cover  # several times as slow under measurement
@pytest.mark.parametrize("games", [2, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", TRICK_GAMES)
@pytest.mark.parametrize("most", [1, FEW])
def test_what_is_certain_holds_in_every_world(key: str, most: int, games: int) -> None:
    game, rng = GAMES[key], Random(7)
    found: Counter[str] = Counter()
    for preset in game.presets.values():
        pack = game.pack(preset)
        for seed in range(games):
            for state in positions(game, preset, seed, most):
                seat = state.to_act[0]
                view = redact(state, eyes_of_viewer(seat))
                for what, all_mine in ((claimable_cards, True), (verify_concession, False)):
                    if is_certain(what, game, view, seat) and not is_settled(game, view, seat):
                        found[what.__name__] += 1
                        order = list(map(str, claimable_cards(game, view, seat))) if all_mine else []
                        for world in worlds(view, pack, rng) if found[what.__name__] < 2 * games else [state]:
                            taken = [taker == seat for taker in takers(game, world, seat, order)]
                            assert taken and (all(taken) if all_mine else not any(taken)), (what, view, world)
    assert sum(found.values()) or key in RARE, found


# --- by hand ----------------------------------------------------------------------------------------------------------


def whist_end(*held: str) -> Any:
    """Whist with hearts as trump near the end of a hand: what each seat holds; seat 0 is to lead."""
    gone = Counter(GAMES["whist"].pack(whist.Options())) - Counter(parse_cards(" ".join(held)))
    fields = kept(Whist(True, 0, Taking(SUITS[Suit.HEARTS])), held, piles=(spell_cards(gone),))
    return changed(GAMES["whist"].start(whist.Options(), 3), stage=Stage.PLAY, to_act=(0,), hand=1, dealer=3, **fields)


@pytest.mark.parametrize(
    ("held", "order"),
    [
        (("AH KH 2C", "QH JH 9C", "TH 8C 7C", "3C 4C 5C"), ""),  # three trumps, and two rounds to draw them
        (("AH KH 2C", "QH JH 9S", "8S 7S 6S", "3S 4S 5S"), "AH KH 2C"),
        (("AH KC QC", "JH JC TC", "9C 8C 7C", "6C 5C 4C"), "AH KC QC"),
        (("AH KC 2C", "JH JC TC", "9C 8C 7C", "6C 5C 4C"), ""),
        (("AH KC 2C", "JH QC 9S", "8S 7S 6S", "5S 4S 3S"), "AH KC 2C"),  # the queen falls under the king
        (("KC QC 2C", "JH JC TC", "9C 8C 7C", "6C 5C 4C"), ""),
        (("2C", "3C", "4C", "5C"), ""),
    ],
)
def test_the_rest_of_whist(held: tuple[str, ...], order: str) -> None:
    view = redact(whist_end(*held), eyes_of_viewer(0))
    if order:
        assert claimable_cards(GAMES["whist"], view, 0) == parse_cards(order)
    else:
        with pytest.raises(IllegalAction, match=r"^that's not certain, since .[CDHS] could take a trick$"):
            claimable_cards(GAMES["whist"], view, 0)


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (("2C 3D", "4C 5C", "6D 7D", "8C 9D"), ""),
        (("2C 3D", "4C 5C", "6S 7S", "8C 9S"), "3D could take a trick"),  # nobody need follow
        (("2H 3C", "4C 5C", "6C 7C", "8C 9C"), "2H could take a trick"),
        (("6C 3C", "4C 5C", "7C TC", "8C 9C"), "6C could take a trick"),
    ],
)
def test_a_hand_that_is_conceded(held: tuple[str, ...], why: str) -> None:
    view = redact(whist_end(*held), eyes_of_viewer(0))
    if why:
        with pytest.raises(IllegalAction, match=why):
            verify_concession(GAMES["whist"], view, 0)
    else:
        verify_concession(GAMES["whist"], view, 0)


def test_a_claim_is_played_in_its_order() -> None:
    """Also when the rest, looked at anew, could be another player's: the queen may lie where nobody plays from."""
    view = redact(whist_end("AC 2C", "JD TD", "9D 8D", "7D 6D"), eyes_of_viewer(0))
    assert spell_action(next_claimed_action(GAMES["whist"], view, 0, ("AC", "2C"))) == "AC"
    assert spell_action(next_claimed_action(GAMES["whist"], view, 0, ())) == "2C"


@pytest.mark.parametrize(
    ("held", "settled"),
    [
        (("2C 9D", "4C 5C", "6D 7D", "8C TD"), True),
        (("2C 9D", "4C 5C", "6D 7D", "8C 2H"), False),
        (("2C 9D", "4C 5C", "QS 7D", "8C TD"), False),
    ],
)
def test_hearts_without_a_card_that_counts_may_be_claimed_by_anybody(held: tuple[str, ...], settled: bool) -> None:
    game = GAMES["hearts"]
    gone = Counter(game.pack(hearts.Options())) - Counter(parse_cards(" ".join(held)))
    deal = Hearts(hearts.rules_of(hearts.Options(), 4), 3, Tricks(4))
    deal.start_play(0)
    fields = kept(deal, held, piles=(spell_cards(gone),))
    state = changed(game.start(hearts.Options(), 3), stage=Stage.PLAY, to_act=(0,), hand=4, dealer=3, **fields)
    view = redact(state, eyes_of_viewer(0))
    if settled:
        assert claimable_cards(game, view, 0) == parse_cards("2C 9D") and is_settled(game, view, 0)
    else:
        with pytest.raises(IllegalAction, match=r"^that's not certain"):
            claimable_cards(game, view, 0)
