"""A finished game as a session apart: its table and what happens there, as its log has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from p2pcards.frontend.watched import SHOWN, Shown
from p2pcards.games.game import Action
from p2pcards.ledger.verify import Moment
from p2pcards.present.replaying import moment_happenings
from p2pcards.session.effects import CommandError
from p2pcards.views.happenings import Happening
from p2pcards.views.standpoint import Cast, Standpoint, table_view
from p2pcards.views.tableview import Command, TableView


class Replayed:
    """A finished game as one viewer sees it. moments: at least one."""

    def __init__(self, moments: Sequence[Moment], cast: Cast) -> None:
        self._cast = cast
        self._position = moments[0].before
        self._steps = self._replay(moments)

    def _replay(self, moments: Sequence[Moment]) -> Iterator[Happening | Shown]:
        for moment in moments:
            happened = moment_happenings(moment, self._cast)
            self._position = moment.after
            yield from happened
            if happened:
                yield SHOWN

    def go_on(self, _action: Action = None) -> Happening | Shown | None:
        """The next happening, or that the table is to be shown now; None at the end."""
        return next(self._steps, None)

    def view(self) -> TableView:
        """The table as the viewer sees it."""
        return replace(table_view("listener", (), self._cast, game=Standpoint(self._position)), apart=True)

    def looked(self, _command: Command) -> list[Happening]:
        """Nobody plays, so nothing can be asked. Raises CommandError."""
        raise CommandError("This game is from a log. To step through it, run p2pcards replay.")
