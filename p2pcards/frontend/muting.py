"""Whom somebody does not want to hear: what they say and do for fun is left out, what they play is told as ever."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.frontend.words import NotUnderstood
from p2pcards.games.nearest import did_you_mean
from p2pcards.present.story import names_text
from p2pcards.views.happenings import Gestured, Happening, Said
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

Muted = frozenset[str]


def muted_after(muted: Muted, arguments: Sequence[str], view: TableView) -> tuple[Muted, str]:
    """Who is muted after ``mute NAME``, which takes it back from whoever is muted already, and what is said about it.
    Raises NotUnderstood."""
    if not arguments:
        names = names_text(tuple([clean(name, 24) for name in sorted(muted)]))
        return muted, f"Muted: {names}. 'mute NAME' again hears them." if muted else "Nobody is muted."
    wanted = " ".join(arguments).lower()
    there = dict.fromkeys(name for name in (*names_here(view), *sorted(muted)))
    name = next((one for one in there if one.lower() == wanted), None)
    if name is None:
        meant = did_you_mean(wanted, there) or f"Here are {names_text(tuple([clean(one, 24) for one in there]))}."
        raise NotUnderstood(f"Nobody here is called {clean(wanted, 24)!r}. {meant}")
    shown = clean(name, 24)
    if name in muted:
        return muted - {name}, f"You hear {shown} again."
    return muted | {name}, f"You do not hear {shown} any more; 'mute {shown}' again takes that back."


def names_here(view: TableView) -> list[str]:
    """The other people, and the characters in the seats."""
    people = [person.name for person in view.people if person.link != "you"]
    return [*people, *[seat.name for seat in view.seats if seat.seat != view.me and seat.name not in people]]


def hears(happening: Happening, muted: Muted) -> bool:
    return not (isinstance(happening, Said | Gestured) and not happening.mine and happening.name in muted)


def heard_lines(lines: Sequence[str], muted: Muted) -> list[str]:
    """What characters say, each line with the name before it."""
    return [line for line in lines if line.partition(": ")[0] not in muted]
