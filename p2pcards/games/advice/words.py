"""Words that are told of several games."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import Card

LET_GO = "can be let go, fitting nothing"
END_TURN = "Ends your turn with a card on the discard pile, another than the one just taken from it."
TAKE_DISCARD = "Takes the top card of the discard pile."
DRAW_STOCK = "Draws the top card of the stock."
FOLLOW = "Plays a card to the trick: follow suit if you can."
BID_TRICKS = "Says how many tricks you will take"
NAME_TRUMP = "Names the trump suit, once you have won the bid."
UNTOLD = "The descriptions that this game follows tell how it is played, and nothing of where it comes from."


def voided(gone: Sequence[Card], kept: Sequence[Card]) -> str:
    """The suits of which nothing is left: ``clubs and hearts``."""
    suits = {card.suit for card in gone} - {card.suit for card in kept}
    return " and ".join([suit.name.lower() for suit in sorted(suits)])


def tricks_in_words(number: int) -> str:
    return f"{number} trick{'s' * (number != 1)}"
