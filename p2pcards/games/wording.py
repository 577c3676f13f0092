"""Quantities and lists in words."""

from __future__ import annotations

from collections.abc import Iterable


def quantity_text(number: int, what: str) -> str:
    """``0 tricks``, ``1 trick``, ``2 tricks``."""
    return f"{number} {what}{'s' * (number != 1)}"


def join_with_and(words: Iterable[object]) -> str:
    """``Ann``, ``Ann and Bob``, ``Ann, Bob and Cy``; "" for none."""
    return _join_words([*map(str, words)], "and")


def join_with_or(words: Iterable[object]) -> str:
    """``9C``, ``9C or 9D``, ``9C, 9D or 9H``; "" for none."""
    return _join_words([*map(str, words)], "or")


def _join_words(words: list[str], conjunction: str) -> str:
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}" if len(words) > 1 else "".join(words)
