"""A listener, which waits for a coordinator, follows the games that are chosen, and plays its seat. Here are the
methods that the program calls; what a message or a command does stands in tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.games.game import Action
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.session.effects import Close, CommandError, Effect, PeerId, Send, Think
from p2pcards.session.listener_commands import COMMANDS as TABLE_COMMANDS
from p2pcards.session.listener_commands import do_hint
from p2pcards.session.listener_course import COMMANDS as COURSE_COMMANDS
from p2pcards.session.listener_messages import TAKES
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.liveness import Pulse
from p2pcards.session.me import Me
from p2pcards.session.presence import Presence
from p2pcards.views.cast import Cast
from p2pcards.views.commands import Command
from p2pcards.views.rated import Rated
from p2pcards.views.tableview import TableView
from p2pcards.wire.messages import Bye, Message, decode_message, encode_message
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.refused import Cause, Refused

COMMANDS = TABLE_COMMANDS | COURSE_COMMANDS


class Listener:
    """One place to wait at, through any number of games and coordinators, one of them at a time."""

    def __init__(
        self,
        me: Me,
        *,
        entropy: Callable[[int], bytes],
        now: float,
        cast: Cast,
        levels: Sequence[str] = (),
    ) -> None:
        self.table = ListenerTable(me, cast, entropy, levels)

    def knows(self, game_id: bytes) -> bool:
        """Whether this game has been on here, or may go on."""
        return self.table.knows(game_id)

    def know(self, game: LedgerFollower) -> None:
        """A game that may go on here, as its log tells it; not the one that is on."""
        self.table.know(game)

    def forget(self, game_id: bytes) -> None:
        """This game goes on elsewhere; it is not the one that is on."""
        self.table.forget(game_id)

    # --- links --------------------------------------------------------------------------------------------------------

    def joined(
        self, peer: PeerId, key: bytes, where: str, now: float, address: str = "", pace: float = 0.0
    ) -> list[Effect]:
        link = self.table.link
        if link.peer is not None and link.key != key:
            return [Send(peer, encode_message(Bye(ByeCode.TAKEN))), Close(peer)]
        return self.table.open(peer, key, where, Pulse(now, pace))

    def receive(self, peer: PeerId, message: bytes, now: float) -> list[Effect]:
        link = self.table.link
        if link.peer != peer:
            return []
        link.hear(now)
        try:
            return self._take(decode_message(message), now)
        except Refused as refusal:
            goodbye = link.hang_up(ByeCode.BROKE_PROTOCOL, str(refusal)[:200])
            return [*goodbye, *self.table.lose(f"sent something that cannot be: {refusal}")]

    def _take(self, message: Message, now: float) -> list[Effect]:
        presence = self.table.link.presence
        take = TAKES.get((presence, type(message)))
        if take is None:
            first = presence is Presence.INVITED
            raise Refused(
                Cause.SHAPE, "A link begins with HELLO." if first else "A coordinator does not send this now."
            )
        return take(self.table, message, now)

    def lost(self, peer: PeerId, why: str, now: float) -> list[Effect]:
        return self.table.lose(why) if self.table.link.peer == peer else []

    def dial_failed(self, address: str, why: str, now: float, again: bool = True) -> list[Effect]:
        return []

    def stopping(self) -> list[Effect]:
        """The program ends; my seat waits for me."""
        return self.table.link.send(Bye(ByeCode.STOPPED))

    # --- the person at this end, and their computer player ------------------------------------------------------------

    def command(self, command: Command, now: float) -> list[Effect]:
        if command.name not in COMMANDS:
            raise CommandError(f"There is no command {command.name!r} here.")
        return COMMANDS[command.name](self.table, command.arguments)

    def hinted(self, think: Think, weighed: Sequence[Rated], now: float) -> list[Effect]:
        game = self.table.game
        position = game.position if game else None
        return self.table.hints.hinted(think, weighed, position, lambda: do_hint(self.table, ()))

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        return self.table.game.thought(think, action) if self.table.game else []

    def awaits(self, think: Think) -> bool:
        game = self.table.game
        if think.hint:
            return self.table.hints.awaits(think, game.position if game else None)
        return game is not None and game.awaits(think)

    def view(self, now: float) -> TableView:
        return self.table.view(now)

    # --- time ---------------------------------------------------------------------------------------------------------

    def after_effects(self, now: float) -> list[Effect]:
        return self.table.game.after_effects(now) if self.table.game else []

    def tick(self, now: float) -> list[Effect]:
        link = self.table.link
        if link.is_lost(now):
            return [*link.close(), *self.table.lose("did not answer any more")]
        return link.tick(now)

    def next_time(self) -> float | None:
        return self.table.link.next_time()
