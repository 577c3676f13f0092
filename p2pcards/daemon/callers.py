"""Who calls by telephone: the name that their number has in the dialling directory, where the call is noted too."""

from __future__ import annotations

import re
import time

from p2pcards.links.modem.caller import CallerShown
from p2pcards.store.directory import Entry, load_directory, note_call
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home

LOCAL = 7
"""Digits that tell one number from another where one of the two is written without its area."""


def who_calls(home: Home, caller: CallerShown) -> str:
    """A sentence about a call that comes in; whoever is in the directory has it noted there."""
    if not (caller.number or caller.name):
        return "The caller withholds their number." if caller.withheld else "The caller's number is not known."
    try:
        entry = next((one for one in load_directory(home) if same_number(one.number, caller.number)), None)
        if entry is not None:
            note_call(home, entry.name, time.strftime("%Y-%m-%d %H:%M"), "they called")
    except StoreError:
        entry = None
    return f"{_name(entry, caller)} calls."


def _name(entry: Entry | None, caller: CallerShown) -> str:
    if entry is not None:
        return f"{entry.name} ({caller.number})"
    return f"{caller.number} ({caller.name})" if caller.number and caller.name else caller.number or caller.name


def same_number(one: str, other: str) -> bool:
    """Whether two numbers are the same, but for an area code or the digit for an outside line in front of one."""
    short, long = sorted([_longest_part(text) for text in (one, other)], key=len)
    return bool(short) and (short == long or (len(short) >= LOCAL and long.endswith(short)))


def _longest_part(number: str) -> str:
    """The digits between two pauses: before them an outside line is asked for, behind them an extension."""
    parts = [re.sub("[^0-9]", "", part) for part in re.split("[,Ww!@]", number)]
    return max(parts, key=len)
