"""Names that come from elsewhere, made harmless."""

import getpass
import unicodedata

from p2pcards.wire.clean import ESCAPE_SEQUENCE

NAME_LIMIT = 24
"""Characters of a peer's name."""

_NAMELESS = "stranger"
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols to Unicode, nothing to the eye
_MARKS_LIMIT = 2  # combining marks on one letter; more of them spill over the lines above and below


def clean_name(name: str) -> str:
    """A name that a peer gave itself as it may be shown and typed: one line of at most NAME_LIMIT visible characters.

    Escape sequences, control, format and bidirectional characters, blank letters, piles of combining marks and leading
    dashes (they would read as an option) are left out.
    """
    letters = (" " if letter in "\t\n\r" else letter for letter in ESCAPE_SEQUENCE.sub("", name))
    visible = "".join(letter for letter in letters if _category(letter) != "C" and letter not in _BLANK_LETTERS)
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", visible):
        marks = marks + 1 if _category(letter) == "M" else 0
        if marks <= _MARKS_LIMIT:
            kept.append(letter)
    cleaned = " ".join("".join(kept).split()).lstrip("- ")[:NAME_LIMIT].rstrip()
    return cleaned if any(_category(letter) != "M" for letter in cleaned) else _NAMELESS


def login_name() -> str:
    """The name that this machine knows its user by, as a player's."""
    try:
        return clean_name(getpass.getuser())
    except (OSError, KeyError):
        return "player"


def _category(letter: str) -> str:
    """Unicode's major category: C for what controls or formats, M for combining marks."""
    return unicodedata.category(letter)[0]
