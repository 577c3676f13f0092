"""What the person at this end was advised, and doing it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.games.game import Action
from p2pcards.ledger.position import Position
from p2pcards.session.effects import CommandError, Effect, Tell, Think
from p2pcards.session.own_seat import check_assist, hint_for
from p2pcards.views.advice import advice
from p2pcards.views.happenings import Notice

Entropy = Callable[[int], bytes]


class Hints:
    """Those of one table. A hint is good until something happens in the game."""

    def __init__(self) -> None:
        self._asked: Think | None = None
        self._to_do = False  # what is asked for is done as soon as it is known
        self._action: Action = None
        self._head = b""  # of the log when it was asked for

    def ask(self, position: Position, arguments: Sequence[str], entropy: Entropy) -> list[Effect]:
        """Raises CommandError."""
        check_assist(position, "hint")
        think, words = hint_for(position, int.from_bytes(entropy(8), "big")), " ".join(arguments).lower()
        if words not in ("", "do"):
            raise CommandError(f"A hint is asked for by 'hint', and done by 'hint do', not by 'hint {words[:20]}'.")
        self._asked, self._to_do, self._action, self._head = think, words == "do", None, position.head
        return [think]

    def awaits(self, think: Think, position: Position | None) -> bool:
        """Whether this is the newest question, in a game that still stands where it stood."""
        return think is self._asked and position is not None and position.head == self._head

    def hinted(
        self, think: Think, action: Action, position: Position | None, do: Callable[[], list[Effect]]
    ) -> list[Effect]:
        """The answer to a question, if it is awaited. do: does what the hint says; may raise CommandError."""
        if position is None or not self.awaits(think, position):
            return []
        self._asked, self._action = None, action
        told: list[Effect] = [Tell(advice(position, think.seat, action))]
        try:
            return [*told, *(do() if self._to_do else [])]
        except CommandError as error:
            return [*told, Tell(Notice(str(error)))]

    def advised(self, position: Position) -> Action:
        """What the last hint said. Raises CommandError."""
        if self._action is None or position.head != self._head:
            raise CommandError("There is no hint to do now. 'hint' gives one, and 'hint do' does it at once.")
        return self._action
