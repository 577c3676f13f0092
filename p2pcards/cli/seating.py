"""How somebody wants to sit down, by the options of a command."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seating:
    """How to sit down. ascii: suits as letters; plain: lines only; detached: not at all; as_json: not at all, and tell
    programs about the table; line: in line mode."""

    ascii: bool = False
    plain: bool = False
    detached: bool = False
    as_json: bool = False
    line: bool = False
