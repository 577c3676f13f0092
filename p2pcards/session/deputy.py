"""Who plays at this end in place of the person: a computer player until further notice, or the rest of a hand that was
claimed or conceded."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.claims import REST, claimed, conceded
from p2pcards.games.game import IllegalAction, Seat
from p2pcards.ledger.payloads import PlayedByComputer, note_payload
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.session.effects import CommandError, Effect, Remember, Tell
from p2pcards.session.opponents import check_level
from p2pcards.views.happenings import Notice

USUAL = "novice"


class Deputy:
    """That of the person at one table. auto: the level at which the computer plays my seat, or None."""

    def __init__(self, auto: str | None) -> None:
        self.auto = auto
        self._rest: tuple[bytes, int] | None = None  # the hand whose rest is played by itself
        self._order: tuple[str, ...] = ()  # of the cards that I claimed
        self._noted = b""  # the game in whose log it stands that I do not play it myself

    def level(self, position: Position) -> str | None:
        """What decides in my seat now, as `choose` takes it; None where I do."""
        playing_rest = self._rest is not None and self._rest == _hand_on(position)
        return " ".join([REST, *self._order]) if playing_rest else self.auto

    def note(self, position: Position) -> list[Effect]:
        """It stands in the log of a game, once, that the computer plays my seat: the game is not as good as mine."""
        if self.auto is None or self._noted == position.game_id:
            return []
        self._noted = position.game_id
        return [Remember(note_payload(PlayedByComputer(position.count)))]

    def shown(self, position: Position) -> str:
        """The same as a view has it: a level, `claims.REST`, or ""."""
        return (self.level(position) or "").partition(" ")[0]

    def set(self, arguments: Sequence[str], levels: Sequence[str]) -> list[Effect]:
        """What the person has asked for. levels: those that there are. Raises CommandError."""
        word = " ".join(arguments).lower() or USUAL
        if word == "off" and self.auto is None:
            raise CommandError("You play your seat yourself already. 'auto' has the computer play it.")
        if word != "off":
            check_level(word, levels)
        self.auto = None if word == "off" else word
        if self.auto is None:
            return [Tell(Notice("You play your seat yourself again."))]
        return [Tell(Notice(f"The computer plays your seat from now on (level {word}). 'auto off' ends that."))]

    def claim(self, position: Position, seat: Seat) -> str:
        """The rest of the hand, all tricks of which are mine, is played by itself; what is said to the others. Raises
        CommandError, in the rule's own words."""
        try:
            order = claimed(position.game, position.own_view, seat)
        except IllegalAction as error:
            raise CommandError(str(error)) from error
        self._rest, self._order = _hand_on(position), tuple(map(str, order))
        return f"I claim the rest: {' '.join(self._order)}."

    def concede(self, position: Position, seat: Seat) -> str:
        """Likewise where none is."""
        try:
            conceded(position.game, position.own_view, seat)
        except IllegalAction as error:
            raise CommandError(str(error)) from error
        self._rest, self._order = _hand_on(position), ()
        return "I concede the rest: I can take no more tricks."


def _hand_on(position: Position) -> tuple[bytes, int] | None:
    """The game, and the record with which the hand that is on was dealt: one that is dealt again is another."""
    on = position.phase in (Phase.PLAY, Phase.PAUSED)
    return (position.game_id, position.steps[0].record) if on and position.steps else None
