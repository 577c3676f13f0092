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
    """A name that a person chose, made safe to show: one line of at most NAME characters, without the brackets and
    ticks that this program adds to names; maybe ""."""
    bare = ESCAPE_SEQUENCE.sub("", text)
    return clean("".join([" " if _is_status(char) else char for char in bare]), NAME)


def _is_status(char: str) -> bool:
    """True for brackets and ticks, which only this program may put beside a name."""
    return char in _TICKS or unicodedata.category(char) in ("Ps", "Pe")


@lru_cache(4096)
def look(name: str) -> str:
    """A key that is equal for names that look alike: capitals, accents, blanks, signs and alphabets are ignored. Not to
    be shown."""
    return _fold_letters(_read_letters(name, signs=(False,))) or name


@lru_cache(4096)
def looks(name: str) -> frozenset[str]:
    """All keys under which a name may look like another; names that look alike share one. Signs that resemble letters
    count as letters or not, and capitals of one alphabet may resemble other letters than their small forms."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    small = "".join([_READ_FOLDED.get(char, char) for char in folded if _is_read(char)])
    signs = sum(char in _READ and not char.isalnum() for char in name)
    ways = product((False, True), repeat=signs) if signs <= _MOST_SIGNS else [(False,) * signs, (True,) * signs]
    found = {_fold_letters(_read_letters(name, way)) for way in ways} | {_fold_letters(small)}
    return frozenset(found - {""}) or frozenset([name])


def _read_letters(name: str, signs: Iterable[bool]) -> list[str]:
    """The letters that the characters of a name may be read as. signs: for each sign that resembles a letter, in order,
    True to read it as that letter, False to leave it out."""
    read, found = iter(signs), []
    for char in name:
        if char in _READ:
            found.append(_READ[char] if char.isalnum() or next(read, False) else "")
            continue
        parts = unicodedata.normalize("NFKD", char)
        found += [_READ.get(one, one) for one in parts if _is_read(one)]
    return found


def _is_read(char: str) -> bool:
    """True for a letter or figure; False for accents, also those written beside letters (U+02B0 to U+02FF)."""
    return char.isalnum() and not "\u02b0" <= char <= "\u02ff"


def _fold_letters(letters: Iterable[str]) -> str:
    """The letters as one text in which spellings that look alike are the same."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", "".join(letters)).casefold())
    for written, read in _ALIKE:
        text = text.replace(written, read)
    return text


@lru_cache(4096)
def reminds_of(name: str) -> frozenset[str]:
    """The looks of all names that this one could be taken for: also without a number at its end, and without the words
    that this program adds to names ("Bill-2", "Bill trusted")."""
    found, bare = looks(name), name
    while (shorter := _without_status(bare)) is not None:
        found, bare = found | looks(shorter), shorter
    return found


def _without_status(name: str) -> str | None:
    """The name without a number or a word of this program at one end; None if there is none."""
    if (last := _LAST_WORD.fullmatch(name)) and (last[2].isnumeric() or look(last[2]) in _status_looks()):
        return last[1]
    if (first := _FIRST_WORD.fullmatch(name)) and look(first[1]) in _status_looks():
        return first[2]
    return None


@lru_cache(1)
def _status_looks() -> frozenset[str]:
    """The looks of the words that this program adds to names."""
    return frozenset(map(look, _STATUS))


def known_by_look(people: Iterable[tuple[bytes, str]]) -> ByLook:
    """The keys of people by each look of their names. people: (key, the name by which they are known)."""
    known: dict[str, frozenset[bytes]] = {}
    for key, name in people:
        for one in looks(name):
            known[one] = known.get(one, frozenset()) | {key}
    return known


def shown_names(people: Sequence[tuple[bytes, str]], known: ByLook, own: ByLook = NOBODY) -> tuple[str, ...]:
    """The names of the people at a table as one of them is shown them. people: (key, name), the key empty if not seen
    yet; known: the people the viewer knows; own: the same for the viewer's own name.

    A person whose name looks like somebody else's, known or at the table, gets the first letters of their key in
    brackets, as does a known name with a number or a word of this program added. A person who alone is known by a name
    keeps it bare.
    """
    names = [given_name(name) or "somebody" for _, name in people]
    seen = [looks(name) for name in names]
    shown = []
    for place, ((key, _), name) in enumerate(zip(people, names, strict=True)):
        whose = _keys_with_looks(reminds_of(name), known) | _keys_with_looks(seen[place], own)
        others = (other for at, other in enumerate(seen) if at != place)
        alone = whose == {key} if whose else not any(other & seen[place] for other in others)
        shown.append(name if alone else f"{name[:MARKED].rstrip()} [{key_letters(key)}]")
    return tuple(shown)


def _keys_with_looks(found: Iterable[str], known: ByLook) -> frozenset[bytes]:
    """The keys of all known people whose names have one of these looks."""
    return frozenset[bytes]().union(*[known.get(one, frozenset()) for one in found])


def key_letters(key: bytes) -> str:
    """The first half of a key's fingerprint; "?" for a key that has not been seen."""
    return fingerprint(key)[:9] if key else "?"


def without_mark(shown: str) -> str:
    """The name without the key letters that `shown_names` may have added."""
    return shown.partition(" [")[0]
