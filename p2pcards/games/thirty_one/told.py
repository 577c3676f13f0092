"""Thirty-one: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import spell_cards
from p2pcards.cards.eyes import slots_of
from p2pcards.games.advice.collecting import PACK, without_cards
from p2pcards.games.advice.words import DRAW_STOCK, END_TURN, TAKE_DISCARD
from p2pcards.games.drawing import Discard, Draw, Knock, Take
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.telling import Found, Playing, Skill, Told, Way
from p2pcards.games.thirty_one import rules as thirty_one


def aim(view: thirty_one.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    value = thirty_one.hand_value(held)
    match action:
        case Take():
            top = view.discards[-1].card
            best = max([thirty_one.hand_value(without_cards([*held, top], [other])) for other in held])
            return f"to improve from {value} to {best}" if best > value else ""
        case Draw() if view.discards:
            top = view.discards[-1].card
            best = max([thirty_one.hand_value(without_cards([*held, top], [other])) for other in held])
            return f"since the {top} doesn't improve your {value}" if best <= value else ""
        case Discard(card=card):
            return f"to keep {thirty_one.hand_value(without_cards(held, [card]))}"
        case Knock():
            return f"to end the hand with {value}"
        case thirty_one.Stand():
            return f"to keep your {value}"
        case thirty_one.Blitz():
            return "to win the hand right away"
        case _:
            return ""


def analysis(_game: AnyGame, view: thirty_one.State, seat: Seat) -> Found:
    """Findings on what a hand is good for, for the player who holds it."""
    held = view.hands[seat].cards
    suits = sorted({card.suit for card in held}, key=lambda suit: -thirty_one.suit_value(held, suit))
    of = {suit: [card for card in held if card.suit == suit] for suit in suits}
    each = [f"{suit.name.lower()} {thirty_one.suit_value(held, suit)} ({spell_cards(of[suit])})" for suit in suits]
    best = suits[0]
    idle = [card for card in held if card.suit != best]
    seen = {slot.card.face for slot in slots_of(view) if slot.card}
    left = [card for card in PACK if card.suit == best and card not in seen]
    return [
        ("worth", ", ".join(each)),
        (f"{best.name.lower()} unseen", spell_cards(sorted(left, reverse=True)) if left else "none"),
        (f"to discard for more {best.name.lower()}", spell_cards(idle) if idle else "none"),
    ]


def knock_at_once(legal: Sequence[thirty_one.Action]) -> Sequence[thirty_one.Action]:
    """A knock as soon as there may be one."""
    return [action for action in legal if isinstance(action, Knock)] or legal


TOLD = Told(
    about="Nobody really knows where it comes from. The object is to collect cards of one suit that count as "
    "close to 31 as possible.",
    words={
        "draw": DRAW_STOCK,
        "take": TAKE_DISCARD,
        "discard": END_TURN,
        "knock": "Ends the hand: everyone else has one more turn, and the lowest hand loses a life.",
        "stand": "Keeps your hand without drawing, after someone has knocked.",
        "blitz": "Shows a blitz, 31 in one suit: everyone else loses a life.",
    },
    aim=aim,
    analysis=analysis,
    mishaps=("cost you a life",),
    short={"starting_points": 1},
    figures=(Figure("hands lost", "hands in which you lost a life", "lost"),),
    strategy="strategies/rummies",
    playing=Playing(
        by_lot=knock_at_once,
        levels={"standard": Skill(Way.SEARCH, 1_500)},
        editions={"standard": 4},
        merged=dict.fromkeys(("expert", "champion", "master"), "standard"),
    ),
)
