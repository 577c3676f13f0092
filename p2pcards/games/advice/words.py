"""Words that are told of several games."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import Card

LET_GO = "don't fit anything"
END_TURN = "Ends your turn with a discard (not the card you just took from the pile)."
TAKE_DISCARD = "Takes the top card of the discard pile."
DRAW_STOCK = "Draws the top card of the stock."
FOLLOW = "Plays a card to the trick: follow suit if you can."
BID_TRICKS = "Bids how many tricks you'll take"
NAME_TRUMP = "Names trump, once you've won the bid."
UNTOLD = "Our sources for this game don't say where it comes from."


def voided_suits_text(gone: Sequence[Card], kept: Sequence[Card]) -> str:
    """The suits of which nothing is left, as text: ``clubs and hearts``."""
    suits = {card.suit for card in gone} - {card.suit for card in kept}
    return " and ".join([suit.name.lower() for suit in sorted(suits)])
