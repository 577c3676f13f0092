"""Cards as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from p2pcards.cards.card import SUIT_LETTERS, Card, Suit, parse_card
from p2pcards.games.spelling import SPELLED, SUIT_WORDS, is_card_word

SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
# Four colours that colour-blind people can tell apart, on a light face because the colour of the terminal is unknown.
# In the 256 colours that every terminal has they come nearest to S #000000, H #C23B00, D #0067C7 and C #00795A.
COLOURS = {Suit.CLUBS: 29, Suit.DIAMONDS: 26, Suit.HEARTS: 130, Suit.SPADES: 16}
FACE = 231
NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
]


@dataclass(frozen=True, slots=True)
class Style:
    """How things are shown. ascii: suits as letters; colour: suits in four colours as well."""

    ascii: bool = False
    colour: bool = False


def card_text(card: int, style: Style) -> str:
    """``Q♠``, ``10♥``; ``QS``, ``10H`` in ASCII; ``Q♠'`` for an open copy; ``--`` for a hidden card."""
    if not card:
        return "--"
    card = Card(card)
    rank = "10" if card.rank == 10 else str(card)[0]
    text = rank + (SUIT_LETTERS[card.suit] if style.ascii else SIGNS[card.suit]) + "'" * card.copy
    return f"\x1b[48;5;{FACE};38;5;{COLOURS[card.suit]}m{text}\x1b[0m" if style.colour else text


def cards_text(cards: Iterable[int], style: Style) -> str:
    return " ".join([card_text(card, style) for card in cards])


def with_tens(sentence: str) -> str:
    """What the rules say of an action, its tens as people write them: ``TC`` as ``10C``."""
    return re.sub(r"\bT(?=[CDHS]\b)", "10", sentence)


def with_cards(sentence: str, style: Style) -> str:
    """A sentence of the game's with the cards in it drawn: ``peg 2 for 7S 8D`` as ``peg 2 for 7♠ 8♦``."""
    return SPELLED.sub(lambda match: card_text(parse_card(match[0]), style), sentence)


def count_text(count: int, what: str = "card") -> str:
    """``one card``, ``three cards``, ``32 cards``."""
    number = NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)
    return f"{number} {what}{'' if count == 1 else 's'}"


def words_text(words: str, style: Style) -> str:
    """A spelled action or list of cards with its cards and suits drawn: ``8D h`` as ``8♦, naming hearts``."""
    shown: list[str] = []
    hidden = 0
    after_card = False
    for word in words.split():
        if word == "--":
            hidden += 1
            continue
        if is_card_word(word):
            shown.append(card_text(parse_card(word), style))
        elif word.lower() in SUIT_WORDS:
            name = Suit(SUIT_LETTERS.index(SUIT_WORDS[word.lower()].upper())).name.lower()
            if after_card:
                shown[-1] += ","
            shown.append(f"naming {name}" if after_card else name)
        else:
            shown.append(word)
        after_card = is_card_word(word)
    return " ".join([*shown, *([count_text(hidden)] if hidden else [])])
