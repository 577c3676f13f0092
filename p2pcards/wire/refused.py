"""The one error for anything from a peer or a log that is not as it must be."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """What was wrong, in the order in which a receiver checks."""

    LENGTH = "length"
    ENCODING = "encoding"
    SHAPE = "shape"
    BASE = "base"
    SEAT = "seat"
    SIGNATURE = "signature"
    RULES = "rules"
    FAIRNESS = "fairness"
    FACES = "faces"
    HISTORY = "history"


class Refused(Exception):
    """Something received or read that is refused: `cause` says at which check, the text is a sentence."""

    def __init__(self, cause: Cause, sentence: str) -> None:
        super().__init__(sentence)
        self.cause = cause
