"""Who calls, as a modem tells it between rings: formatted (`NMBR = 5551234`) or as it came over the line
(`MESG = 80...`; Bellcore GR-30-CORE: single and multiple data messages)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_FIELD = re.compile(r"(NMBR|DDN_NMBR|NAME|MESG) ?= ?(.*)")
_SINGLE, _MULTIPLE = 0x04, 0x80
_NUMBERS, _NAMES = (0x02, 0x03, 0x04), (0x07, 0x08)
"""Parameters of a multiple data message: a number or why there is none, a name or why there is none."""
_DATE = 8
"""Characters of month, day, hour and minute, with which a single data message begins."""
LONGEST = 40


@dataclass(frozen=True, slots=True)
class CallerShown:
    """number, name: as they were told, printable ASCII; empty where they are not known. withheld: the caller wants it
    so."""

    number: str = ""
    name: str = ""
    withheld: bool = False


def caller_in(lines: Iterable[str]) -> CallerShown | None:
    """What these lines of a modem tell of a caller; None where they tell nothing."""
    told: dict[str, str] = {}
    for text in lines:
        if found := _FIELD.match(text):
            told |= _unformatted(found[2]) if found[1] == "MESG" else {found[1].removeprefix("DDN_"): found[2]}
    if not told:
        return None
    number, name = (_shown(told.get(key, "")) for key in ("NMBR", "NAME"))
    withheld = "P" in (number.upper(), name.upper())
    number, name = ("" if one.upper() in ("P", "O") else one for one in (number, name))
    return CallerShown(number, name, withheld)


def _unformatted(text: str) -> dict[str, str]:
    """The same from the bytes of the message, written in hexadecimal."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return {}
    kind, body = data[:1], data[2 : 2 + data[1]] if len(data) > 1 else b""
    if kind == bytes([_SINGLE]):
        return {"NMBR": body[_DATE:].decode("latin-1")}
    found: dict[str, str] = {}
    while kind == bytes([_MULTIPLE]) and len(body) > 2:
        what, value, body = body[0], body[2 : 2 + body[1]].decode("latin-1"), body[2 + body[1] :]
        if what in _NUMBERS or what in _NAMES:
            found["NMBR" if what in _NUMBERS else "NAME"] = value
    return found


def _shown(text: str) -> str:
    visible = "".join(letter for letter in text if letter.isascii() and letter.isprintable())
    return " ".join(visible.split())[:LONGEST]
