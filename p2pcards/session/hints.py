"""What the person at this end was advised, and doing it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.games.game import Action
from p2pcards.ledger.position import Position
from p2pcards.session.effects import CommandError, Effect, Tell, Think
from p2pcards.session.own_seat import check_assist, hint_for, may_be_hinted
from p2pcards.views.advice import advice, explained, idle_words
from p2pcards.views.cast import Cast
from p2pcards.views.happenings import Notice
from p2pcards.views.rated import Rated


class Hints:
    """Those of one table. A hint is good until something happens in the game."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._asked: Think | None = None
        self._to_do = False  # what is asked for is done as soon as it is known
        self._to_explain = False  # all alternatives are asked for
        self._action: Action = None
        self._head = b""  # of the log when it was asked for

    def ask(self, position: Position, arguments: Sequence[str]) -> list[Effect]:
        """What to do. Raises CommandError."""
        check_assist(position, "hint")
        think, words = hint_for(position), " ".join(arguments).lower()
        if words not in ("", "do"):
            raise CommandError(f"A hint is asked for by 'hint', and done by 'hint do', not by 'hint {words[:20]}'.")
        return self._ask(think, position, to_do=words == "do", to_explain=False)

    def explain(self, position: Position) -> list[Effect]:
        """What can be done, and what comes of it; where it is not my turn, what can be done meanwhile. Raises
        CommandError."""
        check_assist(position, "hint")
        if not may_be_hinted(position):
            return [Tell(Notice(idle_words(position, self._cast)))]
        return self._ask(hint_for(position), position, to_do=False, to_explain=True)

    def _ask(self, think: Think, position: Position, *, to_do: bool, to_explain: bool) -> list[Effect]:
        self._asked, self._action, self._head = think, None, position.head
        self._to_do, self._to_explain = to_do, to_explain
        return [think]

    def awaits(self, think: Think, position: Position | None) -> bool:
        """Whether this is the newest question, in a game that still stands where it stood."""
        return think is self._asked and position is not None and position.head == self._head

    def hinted(
        self, think: Think, weighed: Sequence[Rated], position: Position | None, do: Callable[[], list[Effect]]
    ) -> list[Effect]:
        """The answer to a question, if it is awaited. weighed: what could be done, the best first; do: does what the
        hint says; may raise CommandError."""
        if position is None or not self.awaits(think, position):
            return []
        self._asked, self._action = None, weighed[0].action
        if self._to_explain:
            return [Tell(explained(position, think.seat, weighed, self._cast))]
        told: list[Effect] = [Tell(advice(position, think.seat, self._action, self._cast))]
        try:
            return [*told, *(do() if self._to_do else [])]
        except CommandError as error:
            return [*told, Tell(Notice(str(error)))]

    def advised(self, position: Position) -> Action:
        """What the last hint said. Raises CommandError."""
        if self._action is None or position.head != self._head:
            raise CommandError("There is no hint to do now. 'hint' gives one, and 'hint do' does it at once.")
        return self._action
