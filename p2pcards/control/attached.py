"""What a front end holds in its hand: one table of the daemon, attached."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from p2pcards.session.tableview import Command, Happening, TableView


class Refusal(Exception):
    """Why the daemon did not do what was asked, as a sentence."""


class Attached(Protocol):
    """One attached table."""

    async def command(self, command: Command) -> None:
        """Says something to the table; returns when it is done. Raises Refusal."""

    def updates(self) -> AsyncIterator[TableView | Happening]:
        """What comes from the table, the present view first. Ends when the daemon closes the table or goes away."""

    async def detach(self) -> None:
        """Lets go of the table; the seat is kept."""
