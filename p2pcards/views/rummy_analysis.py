"""What a hand is worth where cards are collected, what it lacks, and what can be let go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from p2pcards.cards.card import Card, spelled
from p2pcards.cards.eyes import slots_of
from p2pcards.cards.pack import pack_of
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.cribbage.score import combination_points, pegging_points, show_points
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.gin_rummy import rules as gin_rummy
from p2pcards.games.gin_rummy.deadwood import best_arrangement, card_points
from p2pcards.games.melds import is_set, run_order, runs_in, sets_in
from p2pcards.games.rummy_500 import rules as rummy_500
from p2pcards.games.spreads import joins
from p2pcards.games.thirty_one import rules as thirty_one
from p2pcards.views.rummy_aims import fitting, kept_words, with_starter, without
from p2pcards.views.trick_analysis import Found

PACK = pack_of()
MOST = 4
"""How many ways to lay cards away, and pairs that lack a card, are told."""


def of_gin_rummy(_game: AnyGame, view: gin_rummy.State, seat: Seat) -> Found:
    held = view.hands[seat].cards
    hand = best_arrangement(held)
    rest = sorted(hand.rest, key=card_points, reverse=True)
    return [
        ("melds", ", ".join([spelled(meld) for meld in hand.melds]) or "none"),
        ("lack one card", _near_words(view, rest, "low")),
        ("deadwood", f"{spelled(rest)}, {hand.points} points" if rest else "none"),
        ("can be let go, fitting nothing", _idle(rest, held)),
    ]


def of_rummy_500(_game: AnyGame, view: rummy_500.State, seat: Seat) -> Found:
    held, aces = view.hands[seat].cards, view.options.aces
    melds = [set(meld) for meld in (*sets_in(held), *runs_in(held, aces))]
    whole = [sorted(meld) for meld in melds if not any(meld < other for other in melds)]
    goes = [card for card in held if any(joins(spread, card, aces) for spread in view.spreads)]
    rest = [card for card in held if card not in goes and not any(card in meld for meld in whole)]
    found = [("melds", ", ".join([spelled(meld) for meld in whole]) or "none")]
    found += [("can be laid off", spelled(goes))] * bool(goes)
    found.append(("lack one card", _near_words(view, rest, aces)))
    return [*found, ("can be let go, fitting nothing", _idle(rest, held))]


def of_thirty_one(_game: AnyGame, view: thirty_one.State, seat: Seat) -> Found:
    held = view.hands[seat].cards
    suits = sorted({card.suit for card in held}, key=lambda suit: -thirty_one.suit_value(held, suit))
    of = {suit: [card for card in held if card.suit == suit] for suit in suits}
    each = [f"{suit.name.lower()} {thirty_one.suit_value(held, suit)} ({spelled(of[suit])})" for suit in suits]
    best = suits[0]
    idle = [card for card in held if card.suit != best]
    seen = {slot.card.face for slot in slots_of(view) if slot.card}
    left = [card for card in PACK if card.suit == best and card not in seen]
    return [
        ("worth", ", ".join(each)),
        (f"{best.name.lower()} not seen", spelled(sorted(left, reverse=True)) if left else "none"),
        (f"can be let go for more {best.name.lower()}", spelled(idle) if idle else "none"),
    ]


def of_cribbage(_game: AnyGame, view: cribbage.State, seat: Seat) -> Found:
    held = view.hands[seat].cards
    if view.phase == cribbage.Phase.DISCARD and len(held) > 4:
        return _to_lay_away(view, seat, held)
    if view.phase == cribbage.Phase.PLAY:
        series = [slot.card for _, slot in view.played[view.series :]]
        fits = [card for card in held if any(play.card == card for play in _plays(view, seat))]
        pegs = [f"{card} pegs {pegging_points([*series, card])}" for card in fits if pegging_points([*series, card])]
        found = [("fit under 31", spelled(fits) if fits else "none now"), ("peg now", ", ".join(pegs) or "none")]
        return [*found, *_with_the_starter(view, seat)]
    return _with_the_starter(view, seat) or [("points", f"{combination_points(held)} in {spelled(held)}")]


def _plays(view: cribbage.State, seat: Seat) -> Iterator[cribbage.Play]:
    """What could be played, whosever turn it is."""
    for action in cribbage.legal(view, seat) if seat in view.to_act else ():
        if isinstance(action, cribbage.Play):
            yield action


def _to_lay_away(view: cribbage.State, seat: Seat, held: Sequence[Card]) -> Found:
    """What is kept with each of the best ways to lay two cards away, over all starters; what is laid in the crib counts
    for its owner what it makes by itself."""
    sign = 1 if view.dealer == seat else -1
    ways = [
        (with_starter(without(held, laid), view) + sign * combination_points(laid), laid)
        for laid in combinations(held, 2)
    ]
    best = sorted(ways, reverse=True)[:MOST]
    return [(f"lay away {spelled(laid)}", f"to keep {kept_words(without(held, laid), laid, view)}") for _, laid in best]


def _with_the_starter(view: cribbage.State, seat: Seat) -> Found:
    """What the four cards count when they are shown."""
    mine = [*view.hands[seat].cards, *[slot.card for player, slot in view.played if player == seat]]
    if not view.starter or not view.starter[0].card or len(mine) != 4:
        return []
    starter = view.starter[0].card
    return [("your hand counts", f"{show_points(mine, starter)} with the starter {starter}")]


# --- melds that lack a card -------------------------------------------------------------------------------------------


def _near_words(view: Any, rest: Sequence[Card], aces: str) -> str:
    """Pairs of the cards that are left over, with what would make them a meld, the most cards first."""
    seen = {slot.card.face for slot in slots_of(view) if slot.card}
    left = [card for card in PACK if card not in seen]
    found = []
    for pair in combinations(sorted(rest), 2):
        wanted = [card for card in left if is_set([*pair, card]) or run_order([*pair, card], aces)]
        found += [(len(wanted), f"{spelled(pair)} lack {' or '.join(map(str, wanted))}")] * bool(wanted)
    best = sorted(found, key=lambda one: -one[0])[:MOST]
    return "; ".join([words for _, words in best]) or "none"


def _idle(rest: Iterable[Card], held: Sequence[Card]) -> str:
    """Those that no other card of the hand goes with."""
    cards = [card for card in rest if not fitting(card, held)]
    return spelled(cards) if cards else "none"
