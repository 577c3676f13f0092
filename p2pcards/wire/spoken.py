"""What people say to each other: the code of a first meeting, and the words that two sides compare by voice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from p2pcards.games.nearest import did_you_mean
from p2pcards.wire.wordlist import FIRST, SECOND

NUMBERS = range(1, 100)
EXAMPLE = "7-crossword-clockwork"
WORDS_LABEL = b"p2pcards words 1"
COMMITMENT_LABEL = b"p2pcards words commitment 1"
NONCE = 16  # bytes


class BadCode(ValueError):
    """The text is not a code; the argument is a sentence that says what one looks like."""


@dataclass(frozen=True, slots=True)
class Code:
    """A one-time code. number: which of its maker's codes it is, and not secret; the words are."""

    number: int
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.number}-{self.first}-{self.second}"


def make_code(number: int, entropy: bytes) -> Code:
    """entropy: two random bytes, one for each word."""
    return Code(number, FIRST[entropy[0]], SECOND[entropy[1]])


def looks_like_code(text: str) -> bool:
    """Whether somebody who typed this meant a code, right or wrong."""
    return bool(re.fullmatch(r"[0-9]+-[a-z]+(-[a-z]*)?", text.strip().lower()))


def read_code(text: str) -> Code:
    """The code that a person typed: capitals do not matter, and blanks do for hyphens. Raises BadCode."""
    parts = re.fullmatch(r"0*([1-9][0-9]?)[\s-]+([a-z]+)[\s-]+([a-z]+)", text.strip().lower())
    if not parts:
        shown = "".join(char for char in text if char.isprintable())[:60]
        raise BadCode(
            f"'{shown}' is not a code. A code is a number from 1 to 99 and two words, such as {EXAMPLE}; "
            "the other side's p2pcards shows it."
        )
    number, first, second = parts.groups()
    return Code(int(number), _listed(first, FIRST), _listed(second, SECOND))


def words_commitment(binding: bytes, nonce: bytes) -> bytes:
    """What whoever begins says first. binding: the handshake hash of the channel."""
    return sha256(COMMITMENT_LABEL + binding + nonce).digest()


def words_of(binding: bytes, began: bytes, answered: bytes) -> tuple[str, str, str]:
    """The three words; began, answered: the nonces of the two sides."""
    chosen = sha256(WORDS_LABEL + binding + began + answered).digest()
    return FIRST[chosen[0]], SECOND[chosen[1]], FIRST[chosen[2]]


def _listed(word: str, words: tuple[str, ...]) -> str:
    if word in words:
        return word
    meant = did_you_mean(word, words, 0.7) or "Ask for it again, letter by letter."
    raise BadCode(f"No code has the word '{word[:30]}' in this place. {meant} A code looks like {EXAMPLE}.")
