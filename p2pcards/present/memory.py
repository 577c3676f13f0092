"""The tricks and cards of a hand as lines, for who looks back at them."""

from __future__ import annotations

from p2pcards.present.cards import Style, words_text
from p2pcards.present.story import sentence
from p2pcards.present.width import wrap
from p2pcards.views.in_game import CardsRecalled, TricksReviewed
from p2pcards.wire.clean import clean


def trick_list(reviewed: TricksReviewed, style: Style) -> list[str]:
    """A line for each trick."""
    lines = []
    for number, (trick, taker) in enumerate(zip(reviewed.tricks, reviewed.takers, strict=True), 1):
        played = ", ".join([f"{clean(name, 24)} {words_text(card, style)}" for name, card in trick])
        lines += wrap(f"{number}: {played}; taken by {clean(taker, 24)}.", indent="  ")
    return lines


def card_list(recalled: CardsRecalled, style: Style) -> list[str]:
    """A line for each place where cards lie that were seen."""
    seen = [sentence(f"{clean(place, 60)}: {words_text(cards, style)}") for place, cards in recalled.seen]
    return [line for text in seen for line in wrap(text, indent="  ")]
