"""Pages of what can be changed, as line mode and screen show them: rows of values, and how one of these is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


class NotTaken(Exception):
    """Why a value is not taken, as a sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """Something that can be changed. value: as it is shown; values: those to go through; typed: others can be typed;
    usual: it is as the program has it."""

    key: str
    value: str
    meaning: str
    takes: str
    values: tuple[str, ...]
    usual: bool
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """What there is to hear of a setting. bell: it rings; command: runs, with this text on its standard input, these
    words at its end and this in its environment."""

    bell: bool = False
    command: str = ""
    text: str = ""
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


class OptionPage(Protocol):
    """title: what it is about; looks: whether it changes what the screen looks like; groups: the rows by what they are
    about, none where nothing can be changed any more; change: gives one a value as it is typed, reset the program's
    own, start_over all of them what they had when the page was made; trial: how one is tried. Raises NotTaken."""

    @property
    def title(self) -> str: ...
    @property
    def looks(self) -> bool: ...
    def groups(self) -> Sequence[tuple[str, Sequence[Row]]]: ...
    def change(self, key: str, text: str) -> None: ...
    def reset(self, key: str) -> None: ...
    def start_over(self) -> None: ...
    def trial(self, key: str) -> Trial | None: ...


def option_lines(page: OptionPage | None, arguments: Sequence[str]) -> list[str]:
    """What `config` says: all that can be changed, or one of it, which is given a value first. Raises NotTaken."""
    if page is None:
        raise NotTaken("Your settings cannot be read here. 'p2pcards config list' says why.")
    key, *value = arguments or ("",)
    if value:
        page.change(key, " ".join(value))
    rows = [(group, row) for group, rows in page.groups() for row in rows if key in ("", row.key)]
    if not rows:
        raise NotTaken(f"There is no setting {key!r}. 'config' lists them.")
    lines = [f"{row.key} = {row.value or 'not set'}" for _, row in rows]
    return lines if not key else [*lines, f"{rows[0][1].meaning} It takes {rows[0][1].takes}."]
