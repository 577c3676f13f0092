"""The tricks, melds and cards of a hand as lines, for who looks back at them."""

from __future__ import annotations

from p2pcards.cards.card import SUITS, parse_card
from p2pcards.present.advising import alternative_list, analysis_list
from p2pcards.present.cards import Style, cards_text, words_text
from p2pcards.present.story import sentence
from p2pcards.present.width import wrap
from p2pcards.views.happenings import (
    AlternativesExplained,
    CardsDistributed,
    CardsRecalled,
    HandAnalyzed,
    Happening,
    MeldsReviewed,
    TricksReviewed,
)
from p2pcards.wire.clean import clean


def looked_lines(happening: Happening, style: Style) -> list[str]:
    """What follows the sentence of a happening that answers who looks back; nothing of any other."""
    match happening:
        case TricksReviewed():
            return trick_list(happening, style)
        case MeldsReviewed():
            return meld_list(happening, style)
        case CardsRecalled():
            return card_list(happening, style)
        case CardsDistributed():
            return card_map(happening, style)
        case AlternativesExplained():
            return alternative_list(happening, style)
        case HandAnalyzed():
            return analysis_list(happening, style)
        case _:
            return []


def trick_list(reviewed: TricksReviewed, style: Style) -> list[str]:
    """A line for each trick."""
    lines = []
    for number, (trick, taker) in enumerate(zip(reviewed.tricks, reviewed.takers, strict=True), 1):
        played = ", ".join([f"{clean(name, 24)} {words_text(card, style)}" for name, card in trick])
        lines += wrap(f"{number}: {played}; taken by {clean(taker, 24)}.", indent="  ")
    return lines


def meld_list(reviewed: MeldsReviewed, style: Style) -> list[str]:
    """The melds of each player, with what they count together where they count anything."""
    players: dict[str, list[tuple[str, int]]] = {}
    for one in reviewed.melds:
        text = f"{one.what} ({words_text(one.cards, style)})" + f" {one.points}" * bool(one.points)
        players.setdefault(one.name, []).append((text, one.points))
    lines = []
    for name, made in players.items():
        together = sum([points for _, points in made])
        end = f"; {together} in all" if together and len(made) > 1 else ""
        lines += wrap(sentence(f"{clean(name, 24)}: {', '.join([text for text, _ in made])}{end}"), indent="  ")
    return lines


def card_map(distributed: CardsDistributed, style: Style) -> list[str]:
    """By suit what lies at each place, the highest rank first."""
    lines = []
    for suit in SUITS:
        parts = []
        for place, words in distributed.places:
            cards = sorted([card for word in words.split() if (card := parse_card(word)).suit == suit], reverse=True)
            parts += [f"{clean(place, 60)} {cards_text(cards, style)}"] if cards else []
        lines += wrap(sentence(f"{suit.name.lower()}: {'; '.join(parts)}"), indent="    ", first="  ") if parts else []
    return lines


def card_list(recalled: CardsRecalled, style: Style) -> list[str]:
    """A line for each place where cards lie that were seen, and one for those that were not, with how many there are:
    together the whole pack."""
    places = [] if recalled.what == "unseen" else list(recalled.seen)
    if recalled.what != "seen":
        places.append(("not seen", recalled.unseen))
    texts = [
        sentence(f"{clean(place, 60)} ({len(cards.split())}): {words_text(cards, style)}")
        for place, cards in places
        if cards
    ]
    return [line for text in texts for line in wrap(text, indent="  ")]
