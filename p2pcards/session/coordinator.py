"""The coordinator of a table, which connects out to the listeners, sets the rules, chooses the games and deals. Here
are the methods that the program calls; what a message or a command does stands in tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf

from p2pcards.games.game import Action
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.attendance import UngreetedLink
from p2pcards.session.casting import EditionOf, LeftOpen, first_edition
from p2pcards.session.coordinator_view import coordinator_view
from p2pcards.session.course_commands import COURSE_COMMANDS
from p2pcards.session.effects import Close, CommandError, Effect, PeerId, Send, Tell, Think
from p2pcards.session.giving_way import StandingNow, stranger
from p2pcards.session.guest import Guest
from p2pcards.session.liveness import Pulse
from p2pcards.session.me import Me
from p2pcards.session.pace import FROM_A_LISTENER, Pace, left_out
from p2pcards.session.table import Table
from p2pcards.session.table_commands import COMMANDS as TABLE_COMMANDS
from p2pcards.session.table_commands import do_hint
from p2pcards.session.table_messages import TAKES, take_first
from p2pcards.views.cast import Cast
from p2pcards.views.commands import Command
from p2pcards.views.rated import Rated
from p2pcards.views.tableview import TableView
from p2pcards.wire.header import VERSION
from p2pcards.wire.messages import Bye, Hello, Message, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.refused import Refused

COMMANDS = TABLE_COMMANDS | COURSE_COMMANDS


class Coordinator:
    """One table, from its lobby through any number of games; docs/design.md lists the methods and effects."""

    def __init__(
        self,
        me: Me,
        *,
        entropy: Callable[[int], bytes],
        now: float,
        cast: Cast,
        grace: int | None = None,
        turn_clock: int = 180,
        log: Sequence[bytes] = (),
        alone: bool = False,
        levels: Sequence[str] = (),
        edition_of: EditionOf = first_edition,
        deals: Iterator[int] | None = None,
        left_open: Sequence[LeftOpen] = (),
    ) -> None:
        self.table = Table(
            me,
            cast,
            entropy,
            grace=grace,
            turn_clock=turn_clock,
            alone=alone,
            levels=levels,
            edition_of=edition_of,
            deals=deals,
            left_open=left_open,
        )
        self._pace = Pace(FROM_A_LISTENER)
        if log:
            self.table.restore(log, now)

    def wants_past(self, key: bytes, game_id: bytes) -> bool:
        """Whether a RESUME of the listener with this key, for this game, is about one of before, which is to be looked
        for."""
        return self.table.wants_past(key, game_id)

    def know_past(self, key: bytes, game: LedgerWriter | None) -> None:
        """As `PastGames.know` takes it."""
        self.table.past.know(key, game)

    # --- links --------------------------------------------------------------------------------------------------------

    def joined(
        self,
        peer: PeerId,
        key: bytes,
        where: str,
        now: float,
        address: str = "",
        pace: float = 0.0,
        standing: StandingNow = stranger,
    ) -> list[Effect]:
        me = self.table.me
        self.table.attendance.open(UngreetedLink(peer, key, where, address, Pulse(now, pace)))
        return [Send(peer, encode_message(Hello(VERSION, True, me.name, me.character)))]

    def receive(self, peer: PeerId, message: bytes, now: float) -> list[Effect]:
        attendance = self.table.attendance
        ungreeted, guest = attendance.ungreeted(peer), attendance.at(peer)
        attendance.hear(peer, now)
        try:
            if ungreeted:
                said = decode_message(message)
                self._pace.begin(ungreeted.key)
                self._pace.takes(ungreeted.key, said, now)
                return take_first(self.table, ungreeted, said, now)
            if guest:
                said = decode_message(message)
                takes = (guest.presence, type(said)) in TAKES and self._pace.takes(guest.key, said, now)
                return self._take(guest, said, now) if takes else []
        except Refused as refusal:
            return self._throw_out(peer, str(refusal), now)
        return []

    def _take(self, guest: Guest, said: Message, now: float) -> list[Effect]:
        """Raises Refused."""
        take = TAKES.get((guest.presence, type(said)))
        return take(self.table, guest, said, now) if take else []

    def _take_later(self, key: bytes, said: Message, now: float) -> list[Effect]:
        """What came too soon, and whose time has come."""
        guest = self.table.attendance.known(key)
        if guest is None or guest.link is None:
            return []
        try:
            return self._take(guest, said, now)
        except Refused as refusal:
            return self._throw_out(guest.link.peer, str(refusal), now)

    def lost(self, peer: PeerId, why: str, now: float) -> list[Effect]:
        return self._end_link(peer, why, now)

    def dial_failed(self, address: str, why: str, now: float, again: bool = True) -> list[Effect]:
        return self.table.attendance.call_failed(address, why, now, again)

    def _throw_out(self, peer: PeerId, why: str, now: float) -> list[Effect]:
        """The other side broke the protocol: its link ends, its seat waits as after any loss."""
        goodbye: list[Effect] = [Send(peer, encode_message(Bye(ByeCode.BROKE_PROTOCOL, why[:200]))), Close(peer)]
        return goodbye + self._end_link(peer, f"broke the protocol: {why}", now, behaved=False)

    def _end_link(self, peer: PeerId, why: str, now: float, behaved: bool = True) -> list[Effect]:
        attendance = self.table.attendance
        ungreeted, guest = attendance.forget_link(peer), attendance.at(peer)
        if ungreeted:
            return attendance.call_failed(ungreeted.address, why, now)
        return self.table.lose(guest, why, now, behaved) if guest else []

    def stopping(self) -> list[Effect]:
        """The program ends; the game can be resumed."""
        return [effect for guest in self.table.guests for effect in guest.send(Bye(ByeCode.STOPPED))]

    # --- the person at this table, and computer players ---------------------------------------------------------------

    def command(self, command: Command, now: float) -> list[Effect]:
        if command.name not in COMMANDS:
            raise CommandError(f"There is no command {command.name!r} here.")
        return COMMANDS[command.name](self.table, command.arguments, now)

    def hinted(self, think: Think, weighed: Sequence[Rated], now: float) -> list[Effect]:
        game = self.table.game
        position = game.position if game else None
        return self.table.hints.hinted(think, weighed, position, lambda: do_hint(self.table, (), now))

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        return self.table.game.thought(think, action, now) if self.table.game else []

    def awaits(self, think: Think) -> bool:
        """Whether the answer would still count."""
        game = self.table.game
        if think.hint:
            return self.table.hints.awaits(think, game.position if game else None)
        return game is not None and game.computers.awaits(think)

    def view(self, now: float) -> TableView:
        return self.look(now)()

    def look(self, now: float) -> Callable[[], TableView]:
        """The view of this moment, made when somebody asks for it."""
        return coordinator_view(self.table, now)

    # --- time ---------------------------------------------------------------------------------------------------------

    def after_effects(self, now: float) -> list[Effect]:
        return self.table.after_effects(now)

    def tick(self, now: float) -> list[Effect]:
        effects = self.table.tick(now)
        for key, said in self._pace.due(now):
            effects += self._take_later(key, said, now)
        for key, what, count in self._pace.dropped(now):
            guest = self.table.attendance.known(key)
            effects += [Tell(left_out(guest.name, what, count))] if guest else []
        return effects

    def next_time(self) -> float | None:
        due = min(self.table.next_time(), self._pace.next_time())
        return None if due == inf else due
