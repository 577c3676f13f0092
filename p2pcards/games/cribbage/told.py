"""Cribbage: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from p2pcards.cards.card import Card, spell_cards
from p2pcards.cards.eyes import slots_of
from p2pcards.games.advice.collecting import MOST, PACK, without_cards
from p2pcards.games.cribbage import rules as cribbage
from p2pcards.games.cribbage.board import board_lines
from p2pcards.games.cribbage.score import (
    card_count,
    combination_points,
    hand_points,
    pegged_words,
    pegging_items,
    pegging_points,
    show_points,
)
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat, possessive, sum_of_items
from p2pcards.games.playing import Play
from p2pcards.games.telling import Found, Playing, Skill, Told, Way
from p2pcards.games.wording import quantity_text


def aim(view: cribbage.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    match action:
        case cribbage.Discard(cards=laid):
            return f"to keep {kept_text(why_kept(without_cards(held, laid), laid, view))}"
        case Play(card=card):
            series = [slot.card for _, slot in view.played[view.series :]]
            return _pegging_reason([*series, card], int(view.options.winning_score) - view.scores[seat])
        case cribbage.Go():
            return "since none of your cards fits under 31"
        case _:
            return ""


@dataclass(frozen=True, slots=True)
class Kept:
    """Why four cards are kept."""

    points: int  # with any starter
    average: float  # over all starters that may come
    crib: int  # points of the other two cards by themselves
    dealer: Seat | None  # the owner of the crib


def why_kept(kept: Sequence[Card], laid: Sequence[Card], view: cribbage.State) -> Kept:
    """The worth of keeping these cards and laying those away, before and after the cut."""
    return Kept(hand_points(kept), mean_points_with_starter(kept, view), combination_points(laid), view.dealer)


def kept_text(one: Kept) -> str:
    """``8 points (10.6 on average after the cut)``."""
    kept = f"{quantity_text(one.points, 'point')} ({one.average:.1f} on average after the cut)"
    return kept + (f", with {one.crib} in {possessive(one.dealer)} crib" if one.crib and one.dealer is not None else "")


def mean_points_with_starter(kept: Sequence[Card], view: cribbage.State) -> float:
    """Average points of a hand over all starters that may come, exact."""
    seen = {slot.card for slot in slots_of(view)}
    starters = [card for card in PACK if card not in seen]
    return sum([show_points(kept, starter) for starter in starters]) / len(starters)


def _pegging_reason(series: list[Card], needed: int) -> str:
    """needed: to win the game."""
    if items := pegging_items(series):
        told = pegged_words(items)
        return (
            f"to peg out with {told}" if sum_of_items(items) >= needed else f"to peg {sum_of_items(items)} for {told}"
        )
    count = sum(map(card_count, series))
    if count < 5:
        return f"to leave the count at {count}, safe from fifteen"
    return f"to leave the count at {count}, safe from fifteen and 31" if 15 < count < 21 else ""


def analysis(_game: AnyGame, view: cribbage.State, seat: Seat) -> Found:
    """Findings on what a hand is good for, for the player who holds it."""
    held = view.hands[seat].cards
    if view.phase == cribbage.Phase.DISCARD and len(held) > 4:
        return _findings_to_lay_away(view, seat, held)
    if view.phase == cribbage.Phase.PLAY:
        series = [slot.card for _, slot in view.played[view.series :]]
        fits = [card for card in held if any(play.card == card for play in _possible_plays(view, seat))]
        pegs = [f"{card} pegs {pegging_points([*series, card])}" for card in fits if pegging_points([*series, card])]
        found = [("fit under 31", spell_cards(fits) if fits else "none now"), ("peg now", ", ".join(pegs) or "none")]
        return [*found, *_findings_with_starter(view, seat)]
    return _findings_with_starter(view, seat) or [("points", f"{hand_points(held)} in {spell_cards(held)}")]


def _possible_plays(view: cribbage.State, seat: Seat) -> Iterator[Play]:
    """What could be played, whosever turn it is."""
    for action in cribbage.legal(view, seat) if seat in view.to_act else ():
        if isinstance(action, Play):
            yield action


def _findings_to_lay_away(view: cribbage.State, seat: Seat, held: Sequence[Card]) -> Found:
    """Findings on the best ways to lay two cards away: what is kept with each, over all starters; cards laid in the
    crib count for its owner what they make by themselves."""
    sign = 1 if view.dealer == seat else -1
    ways = [
        (mean_points_with_starter(without_cards(held, laid), view) + sign * combination_points(laid), laid)
        for laid in combinations(held, 2)
    ]
    best = sorted(ways, reverse=True)[:MOST]
    return [
        (f"throw {spell_cards(laid)}", f"keeps {kept_text(why_kept(without_cards(held, laid), laid, view))}")
        for _, laid in best
    ]


def _findings_with_starter(view: cribbage.State, seat: Seat) -> Found:
    """Findings on what the four cards count when they are shown."""
    mine = [*view.hands[seat].cards, *[slot.card for player, slot in view.played if player == seat]]
    if not view.starter or not view.starter[0].card or len(mine) != 4:
        return []
    starter = view.starter[0].card
    return [("your hand counts", f"{show_points(mine, starter)} with the starter {starter}")]


TOLD = Told(
    about="The English poet Sir John Suckling (1609 to 1642) is said to have invented cribbage, partly from an "
    "older game called Noddy. Early colonists brought it to America, where it thrives to this day.",
    words={
        "discard": "Throws two cards face down to the dealer's crib.",
        "cut": "Cuts for the first deal or the starter; you pick the place, unless your program shuffles.",
        "play": "Plays a card and adds it to the count, which can't go past 31.",
        "go": "Says you can't play without going past 31.",
        "count": "Counts your hand or your crib; your opponent scores what you miss.",
    },
    aim=aim,
    analysis=analysis,
    mishaps=("give the dealer's crib 8 points or more", "leave your crib with 2 points or less"),
    short={"winning_score": 61},
    board=board_lines,
    figures=(
        Figure("average crib", "points in your crib when you dealt", "crib", share=False),
        Figure("average hand", "points for your four cards with the starter", "hand", share=False),
        Figure("average play", "points you pegged during the play", "play", share=False),
    ),
    strategy="strategies/cribbage",
    playing=Playing(
        levels={
            "standard": Skill(Way.THUMB),
            "expert": Skill(Way.SEARCH, 500),
        },
        merged=dict.fromkeys(("champion", "master"), "expert"),
    ),
)
