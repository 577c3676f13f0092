"""Rummy 500: what is told of it beside its rules."""

from __future__ import annotations

from p2pcards.cards.card import spell_cards
from p2pcards.games.advice.collecting import loose_cards_text, near_melds_text, partial_melds_with
from p2pcards.games.advice.words import DRAW_STOCK, LET_GO, UNTOLD
from p2pcards.games.drawing import Discard, Draw, Meld
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.melds import runs_in, sets_in
from p2pcards.games.rummy_500 import rules as rummy_500
from p2pcards.games.spreads import end_joined
from p2pcards.games.telling import Found, Playing, Skill, Told, Way


def aim(view: rummy_500.State, seat: Seat, action: Action) -> str:
    held = list(view.hands[seat].cards)
    match action:
        case rummy_500.Take(card=card):
            place = [slot.card for slot in view.discards].index(card)
            taken = [slot.card for slot in view.discards[place:]]
            uses = list(rummy_500.ways_to_lay_down(view, [*held, *taken], card))
            melds = [(len(use.cards), use.cards) for use in uses if isinstance(use, Meld)]
            if melds:
                return f"to meld {spell_cards(max(melds)[1])}"
            return f"to lay off the {card}" if uses else ""
        case Draw():
            top = view.discards[-1].card if view.discards else None
            useless = top and not any(rummy_500.ways_to_lay_down(view, [*held, top], top))
            return f"since you can't meld or lay off the {top}" if useless else ""
        case Meld() | rummy_500.Lay():
            event = rummy_500.decide(view, seat, action)
            points = sum([one.points for one in rummy_500.melds_of_event(view, event, rummy_500.play(view, event))])
            return f"to score {points}"
        case Discard(card=card):
            return (
                f"since the {card} doesn't go with anything in your hand" if not partial_melds_with(card, held) else ""
            )
        case _:
            return ""


def analysis(_game: AnyGame, view: rummy_500.State, seat: Seat) -> Found:
    """Findings on what a hand is good for, for the player who holds it."""
    held, aces = view.hands[seat].cards, view.options.aces
    melds = [set(meld) for meld in (*sets_in(held), *runs_in(held, aces))]
    whole = [sorted(meld) for meld in melds if not any(meld < other for other in melds)]
    goes = [card for card in held if any(end_joined(spread, card, aces) for spread in view.spreads)]
    rest = [card for card in held if card not in goes and not any(card in meld for meld in whole)]
    found = [("melds", ", ".join([spell_cards(meld) for meld in whole]) or "none")]
    found += [("can be laid off", spell_cards(goes))] * bool(goes)
    found.append(("one card short", near_melds_text(view, rest, aces)))
    return [*found, (LET_GO, loose_cards_text(rest, held))]


TOLD = Told(
    about=UNTOLD,
    words={
        "draw": DRAW_STOCK,
        "take": "Takes this card and all above it from the discard pile; you must meld or lay it off right away.",
        "meld": "Lays a set or a run face up on the table, and scores it.",
        "lay": "Lays off a card: lay 5S 2S puts the five on the meld that starts with the two.",
        "discard": "Ends your turn with a discard.",
    },
    aim=aim,
    analysis=analysis,
    mishaps=("let another player go out first",),
    short={"winning_score": 100},
    figures=(
        Figure("melded a hand", "points you melded and laid off", "melded", share=False),
        Figure("left a hand", "points for cards left in your hand", "left", share=False),
    ),
    strategy="strategies/rummies",
    playing=Playing(
        levels={
            "standard": Skill(Way.THUMB),
            "champion": Skill(Way.SEARCH, 1_000),
        },
        merged={"master": "champion"},
    ),
)
