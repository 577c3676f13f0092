"""Gin Rummy: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import Card, spell_cards
from p2pcards.games.advice.collecting import loose_cards_text, near_melds_text, partial_melds_with, without_cards
from p2pcards.games.advice.words import DRAW_STOCK, END_TURN, LET_GO, TAKE_DISCARD, UNTOLD
from p2pcards.games.drawing import Discard, Draw, Take
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.gin_rummy import rules as gin_rummy
from p2pcards.games.gin_rummy.deadwood import best_arrangement, card_points, deadwood
from p2pcards.games.playing import Pass
from p2pcards.games.telling import Found, Playing, Skill, Told, Way, Weighed


def aim(view: gin_rummy.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    match action:
        case Take():
            return _reason_to_take(held, view.discards[-1].card)
        case Draw() | Pass():
            if not view.discards or not view.discards[-1].card:
                return ""
            top = view.discards[-1].card
            return f"since the {top} makes no meld" if not _meld_with_card(held, top) else ""
        case Discard(card=card):
            useless = f", since the {card} doesn't go with anything else" if not partial_melds_with(card, held) else ""
            return f"to leave {deadwood(without_cards(held, [card]))} points of deadwood{useless}"
        case gin_rummy.Knock(card=card, melds=melds):
            return (
                f"to end the hand with {deadwood(without_cards(held, [card]))} points of deadwood"
                if melds
                else "to end the hand"
            )
        case gin_rummy.Gin():
            return "to end the hand with no deadwood"
        case _:
            return ""


def _reason_to_take(held: list[Card], card: Card) -> str:
    if meld := _meld_with_card(held, card):
        return f"to make {spell_cards(meld)}"
    least = min([deadwood(without_cards([*held, card], [other])) for other in held])
    before = deadwood(held)
    return f"to cut your deadwood from {before} to {least}" if least < before else ""


def _meld_with_card(held: list[Card], card: Card) -> tuple[Card, ...]:
    """The meld that this card would be in, in the best arrangement of the hand with it."""
    return next((meld for meld in best_arrangement([*held, card]).melds if card in meld), ())


def analysis(_game: AnyGame, view: gin_rummy.State, seat: Seat) -> Found:
    """Findings on what a hand is good for, for the player who holds it."""
    held = view.hands[seat].cards
    hand = best_arrangement(held)
    rest = sorted(hand.rest, key=card_points, reverse=True)
    return [
        ("melds", ", ".join([spell_cards(meld) for meld in hand.melds]) or "none"),
        ("one card short", near_melds_text(view, rest, "low")),
        ("deadwood", f"{spell_cards(rest)}, {hand.points} points" if rest else "none"),
        (LET_GO, loose_cards_text(rest, held)),
    ]


MISHAPS = ("be undercut", "let your opponent win with a knock")
UNDERCUT = 0
FEARED = 0.1
"""The share of imagined hands in which a knock is undercut, from which on that is told."""


def undercut_text(_view: gin_rummy.State, weighed: Sequence[Weighed]) -> str:
    """A sentence on how often the best knock would be undercut, done or not; "" where nothing is to be said. Where a
    knock is the obvious play and another is better, that is told already."""
    knocks = [one for one in weighed if isinstance(one.action, gin_rummy.Knock) and one.hands > 1]
    safest = min(knocks, key=lambda one: one.mishaps[UNDERCUT] / one.hands, default=None)
    told = any(one.obvious for one in knocks if one is not weighed[0])
    if safest is None or told or isinstance(weighed[0].action, gin_rummy.Gin):
        return ""
    share = safest.mishaps[UNDERCUT] / safest.hands
    if share < FEARED:
        return ""
    often = f"undercut in {round(100 * share)} of 100 simulated deals"
    return f"though it's {often}" if weighed[0] is safest else f"since a knock would be {often}"


def knock_at_once(legal: Sequence[gin_rummy.Action]) -> Sequence[gin_rummy.Action]:
    """A knock as soon as there may be one."""
    return [action for action in legal if isinstance(action, gin_rummy.Knock | gin_rummy.Gin)] or legal


TOLD = Told(
    about=UNTOLD,
    words={
        "pass": "Leaves the upcard to your opponent.",
        "take": TAKE_DISCARD,
        "draw": DRAW_STOCK,
        "discard": END_TURN,
        "knock": "Ends the hand with this discard, if your deadwood is within the limit.",
        "gin": "Ends the hand with this discard and no deadwood; without a card it's big gin.",
    },
    aim=aim,
    fear=undercut_text,
    analysis=analysis,
    mishaps=MISHAPS,
    short={"winning_score": 25},
    figures=(
        Figure("gin", "hands you ended with gin or big gin", "gin"),
        Figure("undercuts", "hands in which you undercut the knocker", "undercut"),
    ),
    strategy="strategies/rummies",
    playing=Playing(
        by_lot=knock_at_once,
        levels={
            "standard": Skill(Way.THUMB),
            "expert": Skill(Way.SEARCH, 300),
        },
        merged=dict.fromkeys(("champion", "master"), "expert"),
    ),
)
