"""What the rules measure of a hand for the figures of a player is what happened in it, under every option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Card, Suit
from p2pcards.cards.eyes import PUBLIC, eyes_of_viewer, redact
from p2pcards.games.crazy_eights.rules import card_count
from p2pcards.games.cribbage.score import JACK, show_points
from p2pcards.games.euchre.rules import winning_place
from p2pcards.games.figures import POINTS, measure_hand
from p2pcards.games.game import AnyGame, Event, Seat, Stage
from p2pcards.games.gin_rummy.deadwood import best_arrangement, deadwood, lay_offs
from p2pcards.games.hearts.rules import QUEEN
from p2pcards.games.partners import partner_of, sides_of_four
from p2pcards.games.registry import GAMES
from p2pcards.games.rummy_500.rules import card_points
from p2pcards.games.spades.rules import is_nil
from p2pcards.games.telling import load_told
from p2pcards.games.tricks import winning_index
from rigs.laws import NOVICE, event_of, option_sets, random_move

HANDS = 12
"""Played under each set of options."""
RARE = {("hearts", "moon")}
"""What these hands need not have: tests/results/test_figures.py has a hand for it."""


@dataclass(frozen=True)
class Step:
    before: Any
    event: Event
    after: Any


Hand = Sequence[Step]
Recount = Callable[[AnyGame, Hand, Seat], Mapping[str, int | None]]


def hands_of(game: AnyGame, options: Any, rng: Random) -> Iterator[Hand]:
    """Hands that are over, from their deal on, two of three played by novices, who get to the end."""
    state, steps, found = game.start(options, None), list[Step](), 0
    favourite: type | str | None = NOVICE
    while found < HANDS:
        if state.stage == Stage.OVER:
            state = game.start(options, game.next_first_dealer(state))
        if state.stage == Stage.DEAL:
            steps, favourite = [], None if found % 3 == 2 else NOVICE
        event = event_of(game, state, random_move(game, state, rng, favourite))
        after = game.play(state, event)
        steps.append(Step(state, event, after))
        state = after
        if state.sheet is not None and state.stage in (Stage.DEAL, Stage.OVER):
            found += 1
            yield tuple(steps)


@cache
def played(key: str) -> Sequence[Hand]:
    game = GAMES[key]
    every = dict.fromkeys([*game.presets.values(), *option_sets(game.options, Random(5), 1)])
    return tuple([hand for options in every for hand in hands_of(game, options, Random(f"{key} {options}"))])


# --- counted again, from the events of a hand -------------------------------------------------------------------------


def events(hand: Hand, name: str) -> Iterator[tuple[Any, Event]]:
    return ((step.before, step.event) for step in hand if type(step.event).__name__ == name)


def taken(game: AnyGame, hand: Hand, winner: Callable[[Sequence[Card], Suit | None], int]) -> list[list[Card]]:
    """The cards of the tricks, by who took them."""
    by_seat: list[list[Card]] = [[] for _ in hand[-1].after.scores]
    trick: list[tuple[Seat, Card]] = []
    for before, event in events(hand, "Played"):
        trump = game.layout(before).trump
        trick.append((event.seat, event.card.card))
        if len(trick) == len(by_seat) - (getattr(before, "out", None) is not None):
            cards = [card for _, card in trick]
            by_seat[trick[winner(cards, trump.suit if trump else None)][0]] += cards
            trick = []
    return by_seat


def of_hearts(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    cards = taken(game, hand, winning_index)[seat]
    all_hearts = sum([card.suit == Suit.HEARTS for card in cards]) == 13
    return {"moon": all_hearts and QUEEN in cards, "queen": QUEEN in cards}


def of_spades(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    options = hand[0].before.options
    cards = taken(game, hand, winning_index)
    bids = {event.seat: event.tricks for _, event in events(hand, "Bidden")}
    side = (seat, partner_of(seat)) if options.team_play else (seat,)
    nils = [one for one in side if is_nil(options, bids[one])]
    others = [one for one in side if one not in nils]
    over = sum([len(cards[one]) // 4 - bids[one] for one in others])
    return {
        "nil": not any(cards[one] for one in nils) if nils else None,
        "contract": over >= 0 if others else None,
        "overtricks": max(over, 0),
    }


def of_whist(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    cards = taken(game, hand, winning_index)
    if hand[0].before.options.team_play:
        return {"odd tricks": max((len(cards[seat]) + len(cards[partner_of(seat)])) // 4 - 6, 0)}
    return {"odd tricks": max(len(cards[seat]) // 4 - 3, 0)}


def of_oh_hell(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    bids = {event.seat: event.tricks for _, event in events(hand, "Bidden")}
    return {"bid": len(taken(game, hand, winning_index)[seat]) // 4 == bids[seat]}


def of_euchre(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    over = hand[-1].after
    if over.maker is None:
        return {"made": 0, "march": 0, "euchre": 0}
    cards, players = taken(game, hand, winning_place), 4 - (over.out is not None)
    makers = next(side for side in sides_of_four(over.options.team_play) if over.maker in side)
    tricks = sum([len(cards[one]) // players for one in makers])
    makes = seat in makers
    return {"made": makes and tricks >= 3, "march": makes and tricks == 5, "euchre": not makes and tricks < 3}


def of_auction_pitch(_game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    bids = [(event.points, event.seat) for _, event in events(hand, "Bidden") if event.points]
    loses = bids and -hand[-1].after.sheet.hand[seat] in [points for points, bidder in bids if bidder == seat]
    return {"set": bool(loses)}


def of_gin_rummy(_game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    over = hand[-1].after
    if over.knocker is None:
        return {"gin": 0, "undercut": 0}
    cards, others = over.hands[over.knocker].cards, over.hands[1 - over.knocker].cards
    own, theirs = deadwood(cards), deadwood(others)
    if own and over.options.layoff:
        theirs = lay_offs(over.melds or best_arrangement(cards).melds, others).own.points
    return {
        "gin": not own and seat == over.knocker,
        "undercut": bool(own) and theirs <= own and seat != over.knocker,
    }


def of_cribbage(_game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    over, dealer = hand[-1].after, hand[-1].before.dealer
    if over.options.counting == "manual" or over.winners:  # what is said, and what was left to the last hole
        early = over.phase < type(over.phase).HANDS
        return {"hand": None, "crib": None} if early else {"crib": None} if seat != dealer else {}
    cards = [event.card.card for _, event in events(hand, "Played") if event.seat == seat]
    crib = [slot.card for slot in over.crib]
    starter = over.starter[0].card
    counted = {"hand": show_points(cards, starter)}
    heels = 0
    if seat == dealer:
        counted["crib"] = show_points(crib, starter, crib=True)
        heels = 2 * (starter.rank == JACK)
    pegged = over.sheet.hand[seat] - sum(counted.values()) - heels
    return {"crib": None, **counted, "play": pegged}


def of_rummy_500(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    over = hand[-1].after
    if over.stage == Stage.DEAL and hand[-1].event.__class__.__name__ != "Shown":
        return {"melded": None, "left": None}
    left = -sum([card_points(over.options, card) for card in over.hands[seat].cards])
    return {"left": left, "melded": over.sheet.hand[seat] - left}


def of_pinochle(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    over = hand[-1].after
    points = over.sheet.hand[seat]
    side = (seat, partner_of(seat))
    shown = sum([meld.points for meld in made(game, hand) if meld.seat in side])
    lost = over.bidder in side and points == -over.bid
    tricks = [slot.card for one in side for slot in over.taken[one]]
    counts = any(over.options.card_values.get(card.rank) for card in tricks)
    return {"set": lost, "melds": shown if counts and not lost else 0}


def of_pinochle_bid(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    over = hand[-1].after
    shown = sum([meld.points for meld in made(game, hand) if meld.seat == seat])
    lost = over.owner == seat and over.sheet.hand[seat] == -over.bid
    return {"set": lost, "melds": shown if over.taken[seat] and not lost else 0}


def of_pinochle2(game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    melds = sum([meld.points for meld in made(game, hand) if meld.seat == seat])
    over = hand[-1].after
    bonus = sum([points for _, points in hand[0].after.items[seat]])  # for a dix that was turned up
    if type(hand[-1].event).__name__ == "Played" and over.options.bonus_last_trick:
        bonus += 10 * (over.leader == seat)
    return {"melds": melds, "tricks": over.sheet.hand[seat] - melds - bonus}


def made(game: AnyGame, hand: Hand) -> list[Any]:
    return [meld for step in hand for meld in game.made(step.before, step.event, step.after)]


def of_crazy_eights(_game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    over = hand[-1].after
    counts = [sum([card_count(over.options, card)[1] for card in held.cards]) for held in over.hands]
    share = sum([count - min(counts) for count in counts]) // counts.count(min(counts))
    return {"won": counts[seat] == min(counts) and share > 0}


def of_thirty_one(_game: AnyGame, hand: Hand, seat: Seat) -> Mapping[str, int | None]:
    return {"lost": hand[-1].after.scores[seat] < hand[0].before.scores[seat]}


RECOUNTS: Mapping[str, Recount] = {
    "hearts": of_hearts,
    "spades": of_spades,
    "whist": of_whist,
    "oh_hell": of_oh_hell,
    "euchre": of_euchre,
    "auction_pitch": of_auction_pitch,
    "gin_rummy": of_gin_rummy,
    "cribbage": of_cribbage,
    "rummy_500": of_rummy_500,
    "pinochle": of_pinochle,
    "pinochle_bid": of_pinochle_bid,
    "pinochle2": of_pinochle2,
    "crazy_eights": of_crazy_eights,
    "thirty_one": of_thirty_one,
}


@pytest.mark.parametrize("key", RECOUNTS)
def test_what_is_measured_is_what_happened(key: str) -> None:
    game = GAMES[key]
    for hand in played(key):
        over = hand[-1].after
        for seat, found in enumerate(map(dict, measure_hand(game, over))):
            assert found.pop(POINTS) == over.sheet.hand[seat]
            again = RECOUNTS[key](game, hand, seat)
            assert {one: found.get(one) for one in again} == again, f"seat {seat} with {over.options}: {over.sheet}"


# --- of every game ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_figures_count_what_the_game_measures_and_all_of_it(key: str) -> None:
    figures = load_told(key).figures
    assert {figure.measure for figure in figures} - {POINTS} == set(GAMES[key].measures)
    for hand in played(key):
        for found in map(dict, measure_hand(GAMES[key], hand[-1].after)):
            assert all(found.get(figure.measure, 0) in (0, 1) for figure in figures if figure.share)


@pytest.mark.parametrize("key", GAMES)
def test_nothing_is_measured_that_no_hand_has(key: str) -> None:
    game = GAMES[key]
    found = {one for hand in played(key) for seat in measure_hand(game, hand[-1].after) for one, many in seat if many}
    assert set(game.measures) - found <= {one for of, one in RARE if of == key}


@pytest.mark.parametrize("key", GAMES)
def test_every_seat_and_an_onlooker_measure_the_same(key: str) -> None:
    game = GAMES[key]
    for hand in played(key)[::5]:
        for eyes in (PUBLIC, *[eyes_of_viewer(seat) for seat in range(len(hand[-1].after.scores))]):
            state = redact(hand[0].before, eyes)
            for step in hand:
                state = game.play(state, redact(step.event, eyes))
            assert measure_hand(game, state) == measure_hand(game, hand[-1].after)
