"""The module p2pcards/wire/lookalikes.py: letters and figures that look like others, from Unicode's own list
(confusables.txt of UTS #39), as the package homoglyphs-fork has it.."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import resources
from importlib.metadata import version

PACKAGE = "homoglyphs_fork"
UNICODE = "14.0.0"
"""What the Python knows that writes it, 3.11: a newer one knows more characters by itself, and so leaves them out."""
SAME = str.maketrans("01i", "oll")
"""Figures and letters of our own that look alike."""
WIDTH = 112
"""Characters of a line of the table."""


def files() -> Mapping[str, Callable[[], str]]:
    """Nothing where another Python would leave out other characters."""
    return {"lookalikes.py": module} if unicodedata.unidata_version == UNICODE else {}


def alike() -> list[frozenset[str]]:
    """Texts, most of them one character, that look the same: each with all that look like it."""
    found = json.loads((resources.files(PACKAGE) / "confusables.json").read_text())
    leader: dict[str, str] = {}

    def lead(text: str) -> str:
        while leader.setdefault(text, text) != text:
            text = leader[text]
        return text

    for text, others in found.items():
        for other in others:
            leader[lead(_shown(text))] = lead(_shown(other))
    classes: dict[str, set[str]] = {}
    for text in leader:
        classes.setdefault(lead(text), set()).add(text)
    return sorted(map(frozenset, classes.values()), key=min)


def _shown(text: str) -> str:
    """Without the marks of direction that the list has around letters that are read from the right."""
    return "".join([char for char in text if unicodedata.category(char) != "Cf"])


def read(text: str) -> str:
    """Its letters and figures, whatever their case and compatibility form; accents and signs are left out."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    letters = "".join([char for char in folded if char.isalnum() and not "\u02b0" <= char <= "\u02ff"])
    return letters.translate(SAME)


def table() -> dict[str, str]:
    """By what they are read as all characters that are not read so by themselves."""
    found: dict[str, str] = {}
    for texts in alike():
        if (best := best_of(texts)) is not None:
            others = [text for text in texts if len(text) == 1 and _is_for_table(text, best)]
            if others:
                found[read(best)] = "".join(sorted({*found.get(read(best), ""), *others}))
    return dict(sorted(found.items()))


def best_of(texts: Iterable[str]) -> str | None:
    """What they are read as: of our own letters and figures if one is there, else the shortest; None for signs."""
    readable = sorted([text for text in texts if read(text)], key=lambda text: (not _is_ours(text), len(text), text))
    return readable[0] if readable else None


def _is_ours(text: str) -> bool:
    return text.isascii() and text.isalnum()


def _is_for_table(char: str, best: str) -> bool:
    """A sign counts where it looks like one of our own; what this Python does not know is a letter to a newer one."""
    letter = char.isalnum() or unicodedata.category(char) == "Cn" or _is_ours(best)
    return letter and not _is_ours(char) and read(char) != read(best)


def _lines(text: str) -> Iterator[str]:
    for start in range(0, len(text), WIDTH):
        yield f'        "{text[start : start + WIDTH]}"'


def module() -> str:
    rows = []
    for letters, chars in table().items():
        one = f'    "{letters}": "{chars}",'
        rows.append(one if len(one) < WIDTH else f'    "{letters}": (\n' + "\n".join(_lines(chars)) + "\n    ),")
    return (
        f'"""Characters that look like others. Written by scripts/made from Unicode\'s own list, as it stands '
        f'in\n{PACKAGE} {version(PACKAGE)}."""\n\nfrom __future__ import annotations\n\n'
        "LOOKALIKES: dict[str, str] = {\n" + "\n".join(rows) + '\n}\n"""By what they are read as, as far as case and '
        'compatibility forms (NFKC) do not tell already."""\n'
    )
