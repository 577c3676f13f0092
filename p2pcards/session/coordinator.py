"""The coordinator: she connects out to the listeners, sets the rules, chooses the games, deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from p2pcards.games.game import Action, Game, Seat
from p2pcards.games.options import option_values
from p2pcards.games.spelling import spell
from p2pcards.ledger.payloads import ADDRESS, RECORD, read_address, read_start
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.arrivals import greeted
from p2pcards.session.chatting import clean_chat, heard, too_fast
from p2pcards.session.coordinator_commands import COMMANDS
from p2pcards.session.coordinator_view import coordinators_view
from p2pcards.session.effects import (
    Close,
    CommandError,
    Dial,
    Effect,
    Peer,
    Proceed,
    Send,
    Tell,
    Think,
    WakeAt,
)
from p2pcards.session.guests import Guest, Stranger, send
from p2pcards.session.liveness import Pulse
from p2pcards.session.me import Me
from p2pcards.session.resuming import have, resume
from p2pcards.session.running import Running
from p2pcards.session.starting import play_again_if_agreed, start_if_ready, tell_again
from p2pcards.views.cast import Cast, character_name
from p2pcards.views.commands import Command
from p2pcards.views.happenings import (
    AgainAnswered,
    Hinted,
    PlayerLeft,
    PlayerLost,
    RedialAsked,
    RedialPlanned,
    Unreachable,
)
from p2pcards.views.tableview import TableView
from p2pcards.wire.address import TELEPHONE
from p2pcards.wire.clean import clean
from p2pcards.wire.entries import TakeoverEntry
from p2pcards.wire.header import VERSION
from p2pcards.wire.messages import (
    Again,
    Away,
    Bye,
    Chat,
    Have,
    Hello,
    Message,
    MoveMessage,
    People,
    Person,
    Ping,
    Pong,
    Quick,
    Resume,
    Stake,
    decode_message,
    encode_message,
)
from p2pcards.wire.reasons import ByeCode, TakeoverReason
from p2pcards.wire.refused import Refused


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
    ) -> None:
        self.me = me
        self.entropy = entropy
        self.cast = cast
        self.grace = grace
        self.turn_clock = turn_clock
        self.alone = alone
        self.strangers: dict[Peer, Stranger] = {}
        self.guests: list[Guest] = []
        self.invited: dict[str, bool] = {}  # addresses being called, and whether a partner answers there
        self.chosen: tuple[Game, Any] | None = None
        self.sitting: tuple[bytes, ...] = ()  # the keys of those who are to sit, if they were named; the others watch
        self.offer: bytes | None = None  # the nonce of the game that is being started
        self.offer_ends = 0.0  # when those who have given no stake are put out
        self.running: Running | None = None
        self.my_again: bool | None = None
        self.chats = 0
        if log:
            self._restore(log, now)

    # --- links --------------------------------------------------------------------------------------------------------

    def joined(
        self, peer: Peer, key: bytes, where: str, now: float, address: str = "", pace: float = 0.0
    ) -> list[Effect]:
        self.strangers[peer] = Stranger(key, where, address, Pulse(now, pace))
        hello = Hello(VERSION, True, self.me.name, self.me.character)
        return [Send(peer, encode_message(hello)), *self._wake(now)]

    def receive(self, peer: Peer, message: bytes, now: float) -> list[Effect]:
        stranger, guest = self.strangers.get(peer), self._guest(peer)
        try:
            if stranger:
                stranger.pulse.hear(now)
                effects = greeted(self, peer, stranger, decode_message(message), now)
            elif guest and guest.pulse:
                guest.pulse.hear(now)
                effects = self._receive(guest, decode_message(message), now)
            else:
                return []
        except Refused as refusal:
            effects = self.throw_out(peer, str(refusal), now)
        return effects if effects and isinstance(effects[-1], Proceed) else effects + self._wake(now)

    def proceed(self, now: float) -> list[Effect]:
        return (self.running.after_record(now) if self.running else []) + self._wake(now)

    def lost(self, peer: Peer, why: str, now: float) -> list[Effect]:
        stranger = self.strangers.pop(peer, None)
        if stranger is not None:
            return self.dial_failed(stranger.address, why, now)
        guest = self._guest(peer)
        return [] if guest is None else self._lose(guest, why, now) + self._wake(now)

    def dial_failed(self, address: str, why: str, now: float, again: bool = True) -> list[Effect]:
        effects = self.call_later(address, why, now, again)
        if self.invited.pop(address, None) is not None:
            effects.append(Tell(Unreachable(address=address, why=why)))
        return effects + self._wake(now)

    def call_later(self, address: str, why: str, now: float, again: bool = True) -> list[Effect]:
        effects: list[Effect] = []
        for guest in self.guests:
            if guest.address == address and guest.dialling:
                guest.dial_failed(now, again)
                effects.append(
                    Tell(RedialPlanned(name=guest.name, address=address, seconds=guest.redial_delay, why=why))
                )
        return effects

    def _guest(self, peer: Peer) -> Guest | None:
        return next((guest for guest in self.guests if guest.peer == peer), None)

    def throw_out(self, peer: Peer, why: str, now: float) -> list[Effect]:
        """The other side broke the protocol: its link ends, its seat waits as after any loss."""
        effects: list[Effect] = [Send(peer, encode_message(Bye(ByeCode.BROKE_PROTOCOL, why[:200]))), Close(peer)]
        why = f"broke the protocol: {why}"
        stranger, guest = self.strangers.pop(peer, None), self._guest(peer)
        effects += self.dial_failed(stranger.address, why, now) if stranger else []
        return effects + (self._lose(guest, why, now) if guest else [])

    def _lose(self, guest: Guest, why: str, now: float) -> list[Effect]:
        guest.lose(now)
        running, side = self.running, self.side_of(guest)
        if running is None or side is None or guest.gone or self.offer is not None:
            self.guests.remove(guest)
            left = [Tell(PlayerLeft(name=guest.name, why=why)), *self.tell_people()]
            return [*left, *start_if_ready(self, now), *play_again_if_agreed(self, now)]
        seat = running.position.header.seat_of(side)
        seconds = None if seat is None or running.over else running.grace
        character = character_name(self.cast, guest.character)
        lost = Tell(PlayerLost(name=guest.name, why=why, seconds=seconds, character=character))
        follows = play_again_if_agreed(self, now) if running.over else running.proceed(now)
        return [lost, *self.tell_people(), *follows]

    def put_out(self, guest: Guest, code: ByeCode, why: str, now: float) -> list[Effect]:
        """Somebody who has no side in the game that is on has to go. code: of the BYE."""
        goodbye = [*send(guest, Bye(code)), Close(guest.peer)] if guest.peer is not None else []
        guest.gone = True
        return goodbye + self._lose(guest, why, now)

    def side_of(self, guest: Guest) -> int | None:
        """Her side in the game that is on."""
        if self.running is None:
            return None
        return next((side for side, other in self.running.guests.items() if other is guest), None)

    def stopping(self) -> list[Effect]:
        """The program ends; the game can be resumed."""
        return [effect for guest in self.guests for effect in send(guest, Bye(ByeCode.STOPPED))]

    # --- messages -----------------------------------------------------------------------------------------------------

    def _receive(self, guest: Guest, message: Message, now: float) -> list[Effect]:
        match message:
            case Ping(number):
                return send(guest, Pong(number))
            case Pong(number):
                if guest.pulse:
                    guest.pulse.pong(number, now)
                return []
            case Chat() | Quick():
                return self._talk(guest, message, now)
            case Bye(code, text):
                return self._bye(guest, code, text, now)
            case Stake(nonce, end):
                if nonce == self.offer:
                    guest.stake = end
                return start_if_ready(self, now)
            case Again(yes=yes) if self.running is not None and self.running.over:
                guest.again = yes
                return [Tell(AgainAnswered(name=guest.name, yes=yes)), *tell_again(self, guest, yes, now)]
            case _:
                return self._game_message(guest, message, now)

    def _game_message(self, guest: Guest, message: Message, now: float) -> list[Effect]:
        running, side = self.running, self.side_of(guest)
        if running is None or side is None:
            return []
        match message:
            case Resume():
                return resume(running, side, message, now) + self.tell_people()
            case Have():
                return have(running, side, message, now)
            case MoveMessage(record) if guest.synced:
                return running.take(side, record)
            case Away(away):
                guest.asked = away
                return running.settle(side, now)
            case _:
                return []

    def _bye(self, guest: Guest, code: ByeCode, text: str, now: float) -> list[Effect]:
        peer = guest.peer
        assert peer is not None
        running, side = self.running, self.side_of(guest)
        guest.gone = guest.gone or code == ByeCode.LEAVES
        effects: list[Effect] = [Close(peer)]
        why = code.sentence + (f" ({clean(text, 200)})" if text else "")
        if not guest.gone or running is None or side is None or running.over:
            return effects + self._lose(guest, why, now)
        guest.lose(now)
        guest.redial_at = None
        effects += [Tell(PlayerLeft(name=guest.name, why=why)), *self.tell_people()]
        return effects + running.settle(side, now)

    # --- chat and people ----------------------------------------------------------------------------------------------

    def _talk(self, guest: Guest, said: Chat | Quick, now: float) -> list[Effect]:
        if too_fast(guest, now):
            return []
        author = 1 + self.guests.index(guest)
        if isinstance(said, Chat):
            guest.chats += 1
            said = Chat(author, guest.chats, clean_chat(said.text))
        else:
            said = Quick(author, said.phrase)
        others = [other for other in self.guests if other is not guest]
        sent = [effect for other in others for effect in send(other, said)]
        return [*sent, heard(said, guest.name)]

    def tell_people(self) -> list[Effect]:
        """The table as it is now, to everybody."""
        game = self.chosen[0].key if self.chosen else None
        options = option_values(self.chosen[1]) if self.chosen else ()
        people = [Person(self.me.name, self.me.character, self.seat_number(None), True)]
        people += [Person(guest.name, guest.character, self.seat_number(guest), guest.here) for guest in self.guests]
        effects: list[Effect] = []
        for place, guest in enumerate(self.guests, 1):
            effects += send(guest, People(tuple(people), place, game, options))
        return effects

    def seat_number(self, guest: Guest | None) -> Seat | None:
        if self.running is None:
            return None
        side = 0 if guest is None else self.side_of(guest)
        return None if side is None else self.running.position.header.seat_of(side)

    # --- the person at this table -------------------------------------------------------------------------------------

    def command(self, command: Command, now: float) -> list[Effect]:
        if command.name not in COMMANDS:
            raise CommandError(f"There is no command {command.name!r} here.")
        return COMMANDS[command.name](self, command.arguments, now) + self._wake(now)

    def hinted(self, think: Think, action: Action, now: float) -> list[Effect]:
        return [Tell(Hinted(words=spell(action)))]

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        if self.running is None:
            return []
        return self.running.thought(think, action, now) + self._wake(now)

    # --- time ---------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> list[Effect]:
        effects: list[Effect] = []
        for peer, stranger in list(self.strangers.items()):
            if stranger.pulse.is_lost(now):
                del self.strangers[peer]
                effects += [Close(peer), *self.dial_failed(stranger.address, "said nothing", now)]
        for guest in list(self.guests):
            effects += self._look_at(guest, now)
        if self.offer is not None and now >= self.offer_ends:
            for guest in [guest for guest in self.guests if guest.stake is None]:
                effects += self.put_out(
                    guest, ByeCode.BROKE_PROTOCOL, "did not take part when the game was to begin", now
                )
        if self.running is not None and not self.running.over:
            effects += self.running.tick(now)
        return effects + self._wake(now)

    def _look_at(self, guest: Guest, now: float) -> list[Effect]:
        if guest.pulse is not None and guest.peer is not None:
            if guest.pulse.is_lost(now):
                return [Close(guest.peer), *self._lose(guest, "did not answer any more", now)]
            number = guest.pulse.ping_due(now)
            return [] if number is None else send(guest, Ping(number))
        if guest.redial_at is not None and now >= guest.redial_at and not guest.dialling:
            if guest.address.startswith(TELEPHONE) and not guest.consent:
                guest.redial_at = None
                return [Tell(RedialAsked(name=guest.name, address=guest.address))]
            guest.redialled()
            return [Dial(guest.address, guest.key)]
        return []

    def _wake(self, now: float) -> list[Effect]:
        times = [stranger.pulse.lost_at() for stranger in self.strangers.values()]
        times += [guest.pulse.next_time() for guest in self.guests if guest.pulse is not None]
        times += [self.offer_ends] if self.offer is not None else []
        times += [guest.redial_at for guest in self.guests if guest.redial_at is not None and not guest.dialling]
        if self.running is not None and not self.running.over:
            due = self.running.next_time()
            times += [due] if due is not None else []
        return [WakeAt(max(min(times), now))] if times else []

    # --- after a restart ----------------------------------------------------------------------------------------------

    def _restore(self, log: Sequence[bytes], now: float) -> None:
        """The game of a log goes on, with the listeners called at the addresses that it remembers. Raises Refused."""
        start = read_start(log)
        mine = start.header.sides[0]
        self.me = replace(self.me, name=mine.name, character=mine.character)
        writer = LedgerWriter(self.me.identity, start.frame, start.position)
        addresses: dict[int, str] = {}
        reasons: dict[Seat | None, TakeoverReason] = {}
        for payload in log[2:]:
            if payload[:1] == RECORD:
                entry = writer.restore(payload[1:]).entries[0]
                if isinstance(entry, TakeoverEntry):
                    reasons[entry.seat] = entry.reason
            elif payload[:1] == ADDRESS:
                side, address = read_address(payload)
                addresses[side] = address
        guests: dict[int, Guest] = {}
        for side, person in enumerate(start.header.sides[1:], 1):
            guest = Guest(person.key, person.name, person.character, addresses.get(side, ""))
            guest.lose(now)
            seat = start.header.seat_of(side)
            reason = reasons.get(seat) if seat in writer.position.substituted else None
            guest.asked, guest.gone = reason is TakeoverReason.ASKED_FOR, reason is TakeoverReason.LEFT
            guest.redial_at = now if guest.address and not guest.gone else None
            guests[side] = guest
        self.guests = list(guests.values())
        self.chosen = (writer.position.game, writer.position.state.options)
        self.grace, self.turn_clock = start.header.grace, start.header.turn_clock
        held = any(not guest.gone for guest in self.guests)
        self.running = Running(self.me, writer, guests, self.cast, now, held=held)

    def view(self, now: float) -> TableView:
        return coordinators_view(self, now)
