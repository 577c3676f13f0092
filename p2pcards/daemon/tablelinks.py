"""The links of a table's peers: calls and callers become links, and what comes over a link goes where it belongs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial

import trio

from p2pcards.control.exits import NETWORK, REFUSED, UNEXPECTED
from p2pcards.daemon.acquaintance import has_made_sure_of
from p2pcards.daemon.attachments import Attachments
from p2pcards.daemon.calling import Caller, CodeNotTaken, Invitations, NotReached
from p2pcards.daemon.connection import WATCHER_LIMIT, Connection
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.engine import Engine
from p2pcards.daemon.first_contact import VoiceCheck
from p2pcards.daemon.introductions import Counterpart, Introductions
from p2pcards.links.link import Line, Link, LinkLost
from p2pcards.session.effects import FAULT_TOLD, Dial
from p2pcards.views.happenings import CallProgress, Notice
from p2pcards.wire.address import goes_over_serial_line, invitation_in
from p2pcards.wire.clean import clean
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import (
    Bye,
    asks_to_watch,
    compares_words,
    decode_message,
    encode_message,
    is_goodbye,
    is_of_play,
    resumed_game_id,
)
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import ByeCode, whose_is_older
from p2pcards.wire.records import VERSION

DIRECT = "You{and_name} are connected directly now."
THROUGH = "No direct connection{to_name} yet, so the game runs {way}. p2pcards keeps trying."

GOODBYE = 5.0
"""Seconds that somebody who cannot come in has for taking the BYE that says so."""

HANGING_UP = 10.0
"""Seconds that the modem of a call that is over may take for it, before the next call tries its port."""

EITHER_SAYS = (ByeCode.OTHER_VERSION, ByeCode.SAME_ROLE)
"""What is as true of the other side, whichever of the two says it."""

Resumes = Callable[[bytes, bytes], Awaitable[None]]
"""Is told before somebody with this key speaks of this game, to go on with it or to ask for its end, or (b"") begins
one, and returns when they can."""


@dataclass(frozen=True, slots=True)
class Role:
    """What depends on whether our player's end coordinates the table. listens: it does not; resumes: see
    `Resumes`."""

    listens: bool
    resumes: Resumes

    @property
    def bye(self) -> ByeCode:
        """The code of the BYE to a peer for whom there is no place."""
        return ByeCode.TAKEN if self.listens else ByeCode.FULL


class TableLinks:
    """Those of one table. note: writes a line of diagnostics."""

    def __init__(
        self,
        caller: Caller,
        invitations: Invitations,
        introductions: Introductions,
        voice: VoiceCheck,
        engine: Engine,
        attachments: Attachments,
        *,
        role: Role,
        diagnostics: Diagnostics,
        note: Callable[[str], None],
    ) -> None:
        self._caller = caller
        self._invitations = invitations
        self._introductions = introductions
        self._voice = voice
        self._engine = engine
        self._attachments = attachments
        self._role = role
        self._diagnostics = diagnostics
        self._note = note
        self._failures: dict[str, NotReached] = {}
        self._lines: dict[str, Line] = {}  # of the last calls, by address
        self._codes_not_taken: dict[str, str] = {}  # by address, where the key was tried alone after that
        self._progress_told: dict[str, set[str]] = {}  # by address, since somebody was reached there last
        self._report: Callable[[str], None] | None = None
        self._gallery = trio.Lock()  # in turns, watchers are sent to

    # --- calls --------------------------------------------------------------------------------------------------------

    async def call(self, dial: Dial, nursery: trio.Nursery) -> None:
        """Carry out a `Dial`: connect, and serve the link until it is over. nursery: runs what carries it."""
        try:
            link, proven = await self.dial(dial.address, dial.key, nursery)
        except NotReached as failed:
            self._failures[dial.address] = failed
            why, again, there = str(failed), failed.again, failed.there
            await self._engine.flowing()
            self._engine.step(lambda machine, now: machine.dial_failed(dial.address, why, now, again, there))
        else:
            await self.serve(link, proven, dial.address)

    async def dial(self, address: str, key: bytes | None, nursery: trio.Nursery) -> tuple[Link, str]:
        """(link, how it was proven): "code" if both proved the one kept for this call, "link" for a link, else "".
        Raises NotReached."""
        if (before := self._lines.pop(address, None)) is not None:
            with trio.move_on_after(HANGING_UP):
                await before.freed()
        try:
            link, proven = await self._dial(address, key, nursery)
        except NotReached as failed:
            self._note(f"call failed: {failed}")
            raise
        self._progress_told.pop(address, None)
        if link.line is not None:
            self._lines[address] = link.line
        return link, proven

    async def _dial(self, address: str, key: bytes | None, nursery: trio.Nursery) -> tuple[Link, str]:
        """Like `dial`, with a refused code tried again as a friend."""
        code = self._invitations.code_for(address)
        tell = partial(self._tell_progress, address)
        call = partial(self._caller.call, address, nursery=nursery, tell=tell, trace=self.trace_line)
        try:
            invited = key is None and invitation_in(address) is not None
            return await call(key, code=code), "code" if code else "link" if invited else ""
        except CodeNotTaken as refused:
            # A code is for a first meeting: who has met already comes in by their key, as with a link that was used.
            if goes_over_serial_line(address) or not has_made_sure_of(self._caller.home, refused.key):
                raise
            self._codes_not_taken[address] = str(refused)
            return await call(refused.key), ""

    def _tell_progress(self, address: str, text: str) -> None:
        """Tell the progress of a call; over a network each sentence once, however often the call is tried again."""
        told = self._progress_told.setdefault(address, set())
        if text not in told or goes_over_serial_line(address):
            told.add(text)
            self.tell_line(text)

    def tell_line(self, text: str) -> None:
        """Tell the progress of a call on a slow line: to whoever waits for the table to open, else to the front
        ends."""
        if self._report is None:
            self._attachments.announce(CallProgress(text))
        else:
            self._report(text)

    def trace_line(self, said: str) -> None:
        """Write a line of the modem's dialogue to the diagnostics."""
        self._note(f"modem {said}")

    @contextmanager
    def reporting_to(self, report: Callable[[str], None] | None) -> Iterator[None]:
        """While in this context, `report` gets the progress of slow calls."""
        self._report = report
        try:
            yield
        finally:
            self._report = None

    @property
    def failures(self) -> Mapping[str, NotReached]:
        """The failed calls by address."""
        return self._failures

    def not_reached(self, address: str, failed: NotReached) -> None:
        """Note a failed call; the first reason for an address is kept."""
        self._failures.setdefault(address, failed)
        self._engine.stepped.ring()

    # --- a link at the table ------------------------------------------------------------------------------------------

    async def serve(self, link: Link, proven: str = "", address: str = "") -> Counterpart | None:
        """Serve a link at the table until it is over; returns the counterpart, None if not seated. proven: as in
        `Counterpart`; address: where we called them. A fault of the program costs only this link."""
        try:
            return await self._serve(Connection(link, address), proven)
        except LinkLost:
            raise
        except Exception as error:
            self._diagnostics.fault(f"link to {fingerprint(link.peer)}", error)
            await link.aclose()
            if address:
                self.not_reached(address, NotReached(f"{link.where} {FAULT_TOLD}.", UNEXPECTED))
            return None

    async def _serve(self, connection: Connection, proven: str) -> Counterpart | None:
        """Seat a connection and carry its messages until it is over."""
        link, address = connection.link, connection.address
        who = None if self._engine.over else self._introductions.takes(connection, proven)
        if who is None:
            await self._turn_away(link)
            return None
        if not await self._flows_for(who):
            await link.aclose()
            return None
        for other in self._introductions.who_gives_way(who):
            self._put_out(other, f"had to make room for {'a newcomer' if who.stranger else 'a friend'}")
        self._introductions.enter(who)
        self._note(f"peer {who.number} is {fingerprint(link.peer)} at {link.where}")
        standing = partial(self._introductions.standing_of, who)
        self._engine.step(
            lambda machine, now: machine.joined(
                who.number, link.peer, link.where, now, address, connection.pace, standing
            )
        )
        try:
            why = await connection.run(partial(self._receive, who), partial(self._tell_way, who))
        finally:
            self._introductions.leave(who)
            self._voice.lost(connection)
            self._engine.stepped.ring()
        self._note(f"peer {who.number} {'lost: ' + why if why else 'closed'}")
        if why is not None:
            await self._lose(who, why)
        return who

    def _tell_way(self, who: Counterpart, is_direct: bool) -> None:
        """Tell our player that a link has become direct, or no longer is."""
        name, way = self._introductions.name_of(who.key), who.connection.link.way.partition(",")[0]
        direct = DIRECT.format(and_name=f" and {name}" if name else "")
        through = THROUGH.format(to_name=f" to {name}" if name else "", way=way)
        self._attachments.announce(Notice(direct if is_direct else through))

    async def _turn_away(self, link: Link) -> None:
        """Tell a caller that there is no place, and close the link; a slow reader holds up nothing."""
        with suppress(LinkLost), trio.move_on_after(GOODBYE):
            await link.send(encode_message(Bye(ByeCode.STOPPED if self._engine.over else ByeCode.CROWDED)))
        await link.aclose()

    async def _flows_for(self, who: Counterpart) -> bool:
        """Wait until the table is not paused; False if they have come again on a newer link meanwhile."""
        with self._introductions.waiting(who) as scope:
            await self._engine.flowing()
        return not scope.cancelled_caught

    async def _receive(self, who: Counterpart, message: bytes) -> None:
        """Take a message; a fault of the program outside the machine costs only this link."""
        try:
            await self._hear(who, message)
        except Exception as error:
            self._diagnostics.fault(f"peer {who.number}", error)
            self._put_out(who, FAULT_TOLD, ByeCode.FAILED)

    async def _hear(self, who: Counterpart, message: bytes) -> None:
        """Take a message: about words, or for the machine."""
        if self._engine.paused:
            await self._engine.flowing()
        of_play = is_of_play(message)
        if not of_play and compares_words(message) and who.met:
            self._voice.receive_words(who.connection, message)
        elif self._introductions.too_much(who):
            self._put_out(who, "started too many games for a stranger in one day")
        else:
            who.greet(message)
            if not of_play:
                await self._prepare(who, message)
            self._introductions.charge_to(
                who, lambda: self._engine.step(lambda machine, now: machine.receive(who.number, message, now))
            )
            if who.watches or asks_to_watch(message):
                self._note_watching(who)

    def _note_watching(self, who: Counterpart) -> None:
        """Note whether a peer watches: a watcher takes no place at the table, and is sent to when no player is."""
        who.note_watching(self._engine.watches(who.number))
        if who.watches:
            who.connection.send_later(WATCHER_LIMIT, self._gallery)
        else:
            who.connection.send_at_once()

    async def _prepare(self, who: Counterpart, message: bytes) -> None:
        """Read the logs that the machine will need for this message."""
        if is_goodbye(message):
            self._hear_goodbye(who, message)
        if (game_id := resumed_game_id(message)) is not None:
            await self._role.resumes(who.key, game_id)
            await self._engine.flowing()

    def _hear_goodbye(self, who: Counterpart, message: bytes) -> None:
        """Take a BYE; as the first message of a call it means that the call failed."""
        try:
            bye = decode_message(message)
        except Refused:
            return
        if isinstance(bye, Bye):
            who.part(bye.code)
            connection = who.connection
            if connection.address and not who.met:
                text = f" ({clean(bye.text, 200)})" if bye.text else ""
                why = f"{connection.link.where} {bye.code.sentence}{text}."
                if bye.code is ByeCode.NEEDS_CODE:  # a code was given: the answer to it is the reason
                    why = self._codes_not_taken.get(connection.address, why)
                self.not_reached(connection.address, NotReached(why, REFUSED))

    async def _lose(self, who: Counterpart, why: str) -> None:
        """Tell the machine that a link is lost. why: the end of a sentence."""
        if who.connection.address:
            self.not_reached(who.connection.address, NotReached(why, NETWORK))
        await self._engine.flowing()
        self._engine.step(lambda machine, now: machine.lost(who.number, why, now))

    def _put_out(self, who: Counterpart, why: str, code: ByeCode | None = None) -> None:
        """Say BYE, close the link and tell the machine. why: the end of a sentence."""
        who.connection.send(encode_message(Bye(self._role.bye if code is None else code)))
        who.connection.close()
        self._engine.step(lambda machine, now: machine.lost(who.number, why, now))

    # --- what the machine says ----------------------------------------------------------------------------------------

    def send(self, peer: int, message: bytes) -> None:
        """Send a message of the machine's to this peer, if they are here."""
        if (who := self._introductions.counterpart_at(peer)) is not None:
            if is_goodbye(message):
                self._note_misfit(who, message)
            who.connection.send(message)

    def _note_misfit(self, who: Counterpart, message: bytes) -> None:
        """Note a call as failed if our side says BYE to the one who answered."""
        bye, connection = decode_message(message), who.connection
        if isinstance(bye, Bye) and bye.code in EITHER_SAYS and connection.address and not who.met:
            version = who.version if bye.code is ByeCode.OTHER_VERSION else None
            why = bye.code.sentence if version is None else whose_is_older(version, VERSION)
            self.not_reached(connection.address, NotReached(f"{connection.link.where} {why}.", REFUSED))

    def close(self, peer: int) -> None:
        """Close the link to this peer once all is sent."""
        if (who := self._introductions.counterpart_at(peer)) is not None:
            who.connection.close()

    def take_role(self, role: Role) -> None:
        """Our player's end coordinates the table from now on, or listens."""
        self._role = role

    def hang_up_all(self) -> None:
        """Close all links; the machine that had them is gone."""
        for who in self._introductions.everybody:
            who.connection.close()

    async def close_all(self) -> None:
        """Close all links, and wait as long as slow ones may take."""
        connections = [who.connection for who in self._introductions.everybody]
        for connection in connections:
            connection.close()
        with trio.move_on_after(max([one.last_words for one in connections], default=0.0)):
            while self._introductions.everybody:
                await self._engine.stepped.wait()

    def qualities(self) -> dict[str, str]:
        """The quality of slow lines, as text, by the fingerprint of the peer."""
        everybody = self._introductions.everybody
        return {fingerprint(who.key): who.connection.link.line.quality for who in everybody if who.connection.link.line}

    def ways(self) -> dict[str, str]:
        """What links that are not direct go through, as text, by the fingerprint of the peer."""
        ways = [(who.key, who.connection.link.way) for who in self._introductions.everybody]
        return {fingerprint(key): way for key, way in ways if way}
