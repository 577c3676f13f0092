"""An action typed in two lines: the first was refused because it lacks something, and the second says it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from p2pcards.cards.card import parse_card
from p2pcards.games.spelling import FILLERS, SIGNS, SUIT_WORDS, is_card_word


def is_unfinished(words: Sequence[str], legal: Sequence[str]) -> bool:
    """Whether these words are part of a legal action, but not a whole one. legal: as in `TableView`."""
    return _is_part(words, legal) and not is_whole(words, legal)


def is_whole(words: Sequence[str], legal: Sequence[str]) -> bool:
    """Whether these words are a legal action, with its verb or without it."""
    said = spelled(words)
    return any(said in (spelled(action), spelled(without_verb(action))) for action in map(str.split, legal))


def completed(unfinished: tuple[str, ...], words: tuple[str, ...], legal: Sequence[str]) -> tuple[str, ...]:
    """What is typed now, after the unfinished words that were typed before if it goes on with them."""
    goes_on = bool(unfinished) and _is_part((*unfinished, *words), legal) and not is_whole(words, legal)
    return (*unfinished, *words) if goes_on else words


def without_verb(action: list[str]) -> list[str]:
    """The words of a legal action but for its verb; the play of a card has none."""
    return action if is_card_word(action[0]) else action[1:]


def spelled(words: Sequence[str]) -> Counter[str]:
    """The words as `games.spelling.spell` writes them, in any order: 8♦ is 8D, and hearts is h."""
    kept = [word for word in words if word.lower() not in FILLERS]
    return Counter([_card(word) if is_card_word(word) else SUIT_WORDS.get(word.lower(), word.lower()) for word in kept])


def _is_part(words: Sequence[str], legal: Sequence[str]) -> bool:
    said = spelled(words)
    return bool(said) and any(said <= spelled(action.split()) for action in legal)


def _card(word: str) -> str:
    try:
        return str(parse_card(word.translate(SIGNS)))
    except ValueError:  # a hidden one
        return word
