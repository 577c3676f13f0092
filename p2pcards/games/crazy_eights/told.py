"""Crazy Eights: what is told of it beside its rules."""

from __future__ import annotations

from p2pcards.cards.card import Suit, spell_cards
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.drawing import Draw
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.playing import Pass
from p2pcards.games.telling import Found, Playing, Skill, Told, Way


def aim(view: crazy_eights.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case crazy_eights.Play() if len(held) == 1:
            return "to go out"
        case crazy_eights.Play(card=card, suit=Suit() as named):
            number = sum([other.suit == named and other.rank != card.rank for other in held])
            return f"to name {named.name.lower()} (you hold {number})" if number else ""
        case crazy_eights.Play(card=card):
            number = sum([other.suit == card.suit for other in held]) - 1
            if card.suit != view.suit:
                return f"to change the suit to {card.suit.name.lower()} (you hold {number} more)" if number else ""
            points = crazy_eights.card_count(view.options, card)[1]
            most = max([crazy_eights.card_count(view.options, other)[1] for other in held if other.suit == card.suit])
            return f"to get rid of {points} points" if points == most and points > 1 else ""
        case Draw() if view.owed:
            return "since the two makes you draw"
        case Draw() | Pass():
            plays = any(isinstance(other, crazy_eights.Play) for other in crazy_eights.legal(view, seat))
            return "" if plays else "since none of your cards fits"
        case _:
            return ""


def analysis(_game: AnyGame, view: crazy_eights.State, seat: Seat) -> Found:
    """Findings on what a hand is good for, for the player who holds it."""
    held = view.hands[seat].cards
    eights = [card for card in held if card.rank == crazy_eights.EIGHT]
    top, suit = view.discards[-1].card, view.suit
    fits = [card for card in held if card not in eights and (card.suit == suit or card.rank == top.rank)]
    counts = {card: crazy_eights.card_count(view.options, card)[1] for card in held}
    most = [card for card in held if counts[card] == max(counts.values())]
    suits = sorted({card.suit for card in held}, key=lambda one: -sum([card.suit == one for card in held]))
    number = [f"{one.name.lower()} {sum([card.suit == one for card in held if card not in eights])}" for one in suits]
    return [
        ("playable now", spell_cards(fits) if fits else "only the eights" if eights else "none"),
        *[("wild", spell_cards(eights))] * bool(eights),
        ("by suit", ", ".join(number)),
        (
            "costliest if someone else goes out",
            f"{spell_cards(most)}, {counts[most[0]]} each; {sum(counts.values())} in hand",
        ),
    ]


TOLD = Told(
    about="Crazy eights is also known as Swedish Rummy, or as Crazy Jacks when jacks are wild. One of the earliest "
    "games of its kind on record is Comet, which Abbe Bellecour called new in 1768.",
    words={
        "play": "Plays a card of the top card's suit or rank; an eight goes on anything and names a suit.",
        "draw": "Draws the top card of the stock; it's still your turn.",
        "pass": "Ends your turn when you can neither play nor draw.",
    },
    aim=aim,
    analysis=analysis,
    mishaps=("leave you with an eight", "let another player go out first"),
    short={"winning_score": 1},
    figures=(Figure("hands won", "hands in which you scored", "won"),),
    strategy="strategies/rummies",
    playing=Playing(
        levels={"standard": Skill(Way.SEARCH, 2_000)},
        editions={"standard": 4},
        merged=dict.fromkeys(("expert", "champion", "master"), "standard"),
    ),
)
