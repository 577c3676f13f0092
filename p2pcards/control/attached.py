"""An attached table of the daemon, as a front end uses it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from p2pcards.control.messages import Happened
from p2pcards.views.tableview import Command, TableView


class Refusal(Exception):
    """Why the daemon did not do what was asked, as a sentence."""


class AttachedTable(Protocol):
    """One attached table."""

    async def command(self, command: Command) -> None:
        """Gives the table a command; returns when it is done. Raises Refusal."""

    def updates(self) -> AsyncIterator[TableView | Happened]:
        """The table's updates, the present view first; they end when the daemon closes the table or goes away."""

    def caught_up(self, everything: bool) -> None:
        """Tell the table whether the person has seen everything that has come."""

    async def detach(self) -> None:
        """Lets go of the table; the seat is kept. The updates end with what had happened there before."""
