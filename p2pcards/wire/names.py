"""The names that people go by: made harmless, compared by how they look, and told apart by a key."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from p2pcards.wire.clean import ESCAPE_SEQUENCE, clean
from p2pcards.wire.header import NAME
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.lookalikes import LOOKALIKES

ByLook = Mapping[str, frozenset[bytes]]
"""Whom the person at one end knows: by the look of a name the keys of those whom they know by such a name."""

MARKED = 12
"""Characters of a name that has a mark beside it, so that both stand in the place of a name."""

_TICKS = frozenset("√✓✔✅☑🗸🗹⍻")
_LETTERS = str.maketrans({alike: letter for letter, all_alike in LOOKALIKES.items() for alike in all_alike})
_ALIKE = (("0", "o"), ("1", "l"), ("i", "l"), ("rn", "m"), ("vv", "w"))


@lru_cache(4096)
def given_name(text: str) -> str:
    """A name that somebody gave themself, or was given at a table, as it may be shown: one line of at most NAME
    characters without brackets and ticks, which are for what this program says of them; maybe nothing."""
    bare = ESCAPE_SEQUENCE.sub("", text)
    return clean("".join([" " if _is_status(char) else char for char in bare]), NAME)


def _is_status(char: str) -> bool:
    return char in _TICKS or unicodedata.category(char) in ("Ps", "Pe")


@lru_cache(4096)
def look(name: str) -> str:
    """The same for names that look the same, or nearly so: capitals, accents, blanks and signs do not count, nor which
    alphabet a letter is of. Not to be shown."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join([char for char in folded if char.isalnum()]).translate(_LETTERS)
    for written, read in _ALIKE:
        letters = letters.replace(written, read)
    return letters or name


def known_by_look(people: Iterable[tuple[bytes, str]]) -> ByLook:
    """people: (key, the name by which they are known)."""
    known: dict[str, frozenset[bytes]] = {}
    for key, name in people:
        known[look(name)] = known.get(look(name), frozenset()) | {key}
    return known


def shown_names(people: Sequence[tuple[bytes, str]], known: ByLook) -> tuple[str, ...]:
    """The names of those at a table as they are shown to somebody. people: (key, name), the key empty where it has not
    been seen yet.

    Whoever's name looks like that of somebody else, known or at the table, has the first letters of their key beside
    it, in brackets, which no name has; but a person who alone is known by that name has it for themself.
    """
    names = [given_name(name) or "somebody" for _, name in people]
    looks = [look(name) for name in names]
    shown = []
    for (key, _), name, seen in zip(people, names, looks, strict=True):
        whose = known.get(seen, frozenset())
        alone = whose == {key} if whose else looks.count(seen) == 1
        shown.append(name if alone else f"{name[:MARKED].rstrip()} [{key_letters(key)}]")
    return tuple(shown)


def key_letters(key: bytes) -> str:
    """The first half of a key's fingerprint, "?" for a key that has not been seen."""
    return fingerprint(key)[:9] if key else "?"


def without_mark(shown: str) -> str:
    """The name to which `shown_names` may have added a mark."""
    return shown.partition(" [")[0]
