"""The names that people go by: made harmless, compared by how they look, and told apart by a key."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product

from p2pcards.wire.clean import ESCAPE_SEQUENCE, clean
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.lookalikes import LOOKALIKES
from p2pcards.wire.records import NAME

ByLook = Mapping[str, frozenset[bytes]]
"""Whom the person at one end knows: by the look of a name the keys of those whom they know by such a name."""

NOBODY: ByLook = {}

MARKED = 12
"""Characters of a name that has a mark beside it, so that both stand in the place of a name."""

_TICKS = frozenset("√✓✔✅☑🗸🗹⍻")
_READ = {alike: letters for letters, all_alike in LOOKALIKES.items() for alike in all_alike} | {"!": "l"}
_READ_FOLDED = _READ | {char.casefold(): letters for char, letters in _READ.items() if len(char.casefold()) == 1}
_ALIKE = (("i", "l"), ("rn", "m"), ("vv", "w"), *zip("012345789", "olzeastbg", strict=True))
_MOST_SIGNS = 5
"""Signs of a name that look like letters, each of which may be meant as one or not; of more all are, or none."""
_LAST_WORD = re.compile(r"(.+)[\W_]+([^\W_]+)[\W_]*", re.DOTALL)
_FIRST_WORD = re.compile(r"[\W_]*([^\W_]+)[\W_]+(.+)", re.DOTALL)
_STATUS = ("trusted", "code", "first", "use", "known", "verified", "sure", "you", "me", "here", "host", "partner")
"""Words that this program says of people, or might."""


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
    return _joined(_letters(name, signs=(False,))) or name


@lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """Every look of a name, of which two that look alike have one in common: signs that look like letters may be meant
    as such or not, and capitals of one alphabet look like other letters than the small ones do."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    small = "".join([_READ_FOLDED.get(char, char) for char in folded if _is_read(char)])
    signs = sum(char in _READ and not char.isalnum() for char in name)
    ways = product((False, True), repeat=signs) if signs <= _MOST_SIGNS else [(False,) * signs, (True,) * signs]
    found = {_joined(_letters(name, way)) for way in ways} | {_joined(small)}
    return frozenset(found - {""}) or frozenset([name])


def _letters(name: str, signs: Iterable[bool]) -> list[str]:
    """What its characters are read as. signs: of each sign that looks like a letter whether it is read as one; the rest
    is left out."""
    read, found = iter(signs), []
    for char in name:
        if char in _READ:
            found.append(_READ[char] if char.isalnum() or next(read, False) else "")
            continue
        parts = unicodedata.normalize("NFKD", char)
        found += [_READ.get(one, one) for one in parts if _is_read(one)]
    return found


def _is_read(char: str) -> bool:
    """Whether it is a letter or a figure; what is written beside letters as an accent (U+02B0 to U+02FF) is none."""
    return char.isalnum() and not "\u02b0" <= char <= "\u02ff"


def _joined(letters: Iterable[str]) -> str:
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", "".join(letters)).casefold())
    for written, read in _ALIKE:
        text = text.replace(written, read)
    return text


@lru_cache(4096)
def reminds_of(name: str) -> frozenset[str]:
    """The looks of the names that somebody may take this one for: with it the same without a number at its end, and
    without what this program says of people ("Bill-2", "Bill trusted")."""
    found, bare = looks(name), name
    while (shorter := _without_status(bare)) is not None:
        found, bare = found | looks(shorter), shorter
    return found


def _without_status(name: str) -> str | None:
    """None where nothing of the kind stands there."""
    if (last := _LAST_WORD.fullmatch(name)) and (last[2].isnumeric() or look(last[2]) in _status_looks()):
        return last[1]
    if (first := _FIRST_WORD.fullmatch(name)) and look(first[1]) in _status_looks():
        return first[2]
    return None


@lru_cache(1)
def _status_looks() -> frozenset[str]:
    return frozenset(map(look, _STATUS))


def known_by_look(people: Iterable[tuple[bytes, str]]) -> ByLook:
    """people: (key, the name by which they are known)."""
    known: dict[str, frozenset[bytes]] = {}
    for key, name in people:
        for one in looks(name):
            known[one] = known.get(one, frozenset()) | {key}
    return known


def shown_names(people: Sequence[tuple[bytes, str]], known: ByLook, own: ByLook = NOBODY) -> tuple[str, ...]:
    """The names of those at a table as they are shown to somebody. people: (key, name), the key empty where it has not
    been seen yet. own: the same as `known` for the name of the one who is shown them.

    A person whose name looks like that of somebody else, known or at the table, has the first letters of their key
    beside it, in brackets, which no name has, and so has a known name with a number or a word of this program's behind
    it; but a person who alone is known by that name has it for themself.
    """
    names = [given_name(name) or "somebody" for _, name in people]
    seen = [looks(name) for name in names]
    shown = []
    for place, ((key, _), name) in enumerate(zip(people, names, strict=True)):
        whose = _whose(reminds_of(name), known) | _whose(seen[place], own)
        others = (other for at, other in enumerate(seen) if at != place)
        alone = whose == {key} if whose else not any(other & seen[place] for other in others)
        shown.append(name if alone else f"{name[:MARKED].rstrip()} [{key_letters(key)}]")
    return tuple(shown)


def _whose(found: Iterable[str], known: ByLook) -> frozenset[bytes]:
    return frozenset[bytes]().union(*[known.get(one, frozenset()) for one in found])


def key_letters(key: bytes) -> str:
    """The first half of a key's fingerprint, "?" for a key that has not been seen."""
    return fingerprint(key)[:9] if key else "?"


def without_mark(shown: str) -> str:
    """The name to which `shown_names` may have added a mark."""
    return shown.partition(" [")[0]
