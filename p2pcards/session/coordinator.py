"""The coordinator of a table, which connects out to the listeners, sets the rules, chooses the games and deals.

What a message does stands in a table that says in which presence of the listener it is taken; protocol/machines.md is
printed from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from math import inf
from typing import Any

from p2pcards.games.game import Action
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session.bounds import FROM_A_LISTENER, Pace, Pulse, heard, left_out
from p2pcards.session.checkpoint import checkpoint
from p2pcards.session.doubt import StandingNow, stranger
from p2pcards.session.effects import (
    FAULT_TOLD,
    Close,
    Effect,
    Faulted,
    Me,
    PeerId,
    Send,
    TakeTable,
    Tell,
    Think,
    no_such_command,
)
from p2pcards.session.gallery import Watcher
from p2pcards.session.guests import Guest, UngreetedLink
from p2pcards.session.live_game import LiveGame
from p2pcards.session.lobby import EditionOf, LeftOpen, first_edition
from p2pcards.session.presence import ASKED_FOR_NONE, Presence
from p2pcards.session.succession import Hosting, SuccessionStep
from p2pcards.session.table import Table, coordinator_view
from p2pcards.session.table_words import COMMANDS, do_hint, take_proposal, take_vote
from p2pcards.views.advice import Rated
from p2pcards.views.happenings import AgainAnswered
from p2pcards.views.standpoint import Cast
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import (
    Again,
    Away,
    Bye,
    Chat,
    Give,
    Have,
    Hello,
    Message,
    MoveMessage,
    Ping,
    Pong,
    Proposal,
    Quick,
    Resume,
    ShowHand,
    Stake,
    Vote,
    Watch,
    bye_to_other_version,
    decode_message,
    encode_message,
)
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import ByeCode, whose_is_older
from p2pcards.wire.records import VERSION

# --- what a coordinator does with the messages of listeners -----------------------------------------------------------


COORDINATES_TOO = "is hosting too, so one of you has to listen"

FIRST = (Hello, Watch, Bye)
"""The first message on a link is one of these."""


def take_first(table: Table, link: UngreetedLink, message: Message, now: float) -> list[Effect]:
    """Take the first message on a link, which must be HELLO or WATCH; seats the caller, lets them watch, or turns them
    away. Raises Refused."""
    match message:
        case Hello(version=version) | Watch(version=version) if version != VERSION:
            return table.attendance.turn_away(
                link, bye_to_other_version(version), whose_is_older(version, VERSION), now
            )
        case Hello(coordinates=True) if link.key in table.members():
            # Theirs may be the game that counts: then they say the same, and this side gives way.
            told: list[Effect] = [Send(link.peer, encode_message(Bye(ByeCode.SUCCEEDED)))]
            return told if table.claims_table(link.key) else []
        case Hello(coordinates=True):
            return table.attendance.turn_away(link, Bye(ByeCode.SAME_ROLE), COORDINATES_TOO, now)
        case Hello():
            return table.seat(link, message, now)
        case Watch():
            return table.receive_watcher(link, message)
        case Bye(ByeCode.SUCCEEDED) if link.key in table.members() and not table.has_majority:
            table.attendance.forget_link(link.peer)
            return [Close(link.peer), *table.yield_table(SuccessionStep.OUTRANKED, link.key)]
        case Bye(code, text):
            table.attendance.forget_link(link.peer)
            why = f"{link.where} {why_of(code, text)}"
            return [Close(link.peer), *table.attendance.call_failed(link.address, why, now)]
        case _:
            raise Refused(Cause.SHAPE, "a link must begin with HELLO or WATCH")


def why_of(code: ByeCode, text: str) -> str:
    """The end of a sentence that says why somebody hung up, after their name."""
    return code.sentence + (f" ({clean(text, 200)})" if text else "")


# --- at the table -----------------------------------------------------------------------------------------------------


def ping(_table: Table, guest: Guest, message: Ping, _now: float) -> list[Effect]:
    """Answer a guest's PING with PONG."""
    return guest.send(Pong(message.number))


def pong(_table: Table, _guest: Guest, _message: Pong, _now: float) -> list[Effect]:
    """Ignore PONG: that anything came shows that the link is alive."""
    return []


def talk(table: Table, guest: Guest, message: Chat | Quick, _now: float) -> list[Effect]:
    """Pass a guest's chat line or phrase on to everybody."""
    said = table.talk.relay(message, table.attendance.place(guest), guest.key)
    table.gallery.note(said)
    sent = [effect for other in table.attendance.others(guest) for effect in other.send(said)]
    return [*sent, heard(said, guest.name)]


def bye(table: Table, guest: Guest, message: Bye, now: float) -> list[Effect]:
    """A guest hangs up: for good, or to come back."""
    closed: list[Effect] = [Close(guest.link.peer)] if guest.link else []
    if message.code is ByeCode.BROKE_PROTOCOL and table.game:
        table.game.next_deal.refuses_header(table.game.position, table.side_of(guest))
    never_again = message.code is ByeCode.TAKEN and guest.presence is Presence.CATCHING_UP and not table.between_games
    end = table.leave if message.code is ByeCode.LEAVES else table.lose
    effects = closed + end(guest, why_of(message.code, message.text), now)
    if never_again:  # they have gone on with this game elsewhere, and sign nothing more in it
        guest.redial.stop()
    return effects


def stake(table: Table, guest: Guest, message: Stake, now: float) -> list[Effect]:
    """Take a guest's chain end for the game on offer, which begins once all are in."""
    table.lobby.stake(guest.key, message.nonce, message.end)
    return table.start_if_ready(now)


def again(table: Table, guest: Guest, message: Again, now: float) -> list[Effect]:
    """Take a guest's answer to "play again?", and start if everybody agrees."""
    if table.game is None or not table.game.over:
        return []
    table.lobby.answer(guest.key, message.yes)
    answer = Again(table.attendance.place(guest), message.yes)
    sent = [effect for other in table.attendance.others(guest) for effect in other.send(answer)]
    return [Tell(AgainAnswered(guest.name, message.yes)), *sent, *table.play_again_if_agreed(now)]


def resume_past(table: Table, guest: Guest, message: Resume, _now: float) -> list[Effect]:
    """Send a guest the records of an earlier game that they lack, or compare logs of the game to be continued."""
    return table.past.missing(guest, message) or table.compare_log(guest, message)


def resume_past_or_this(table: Table, guest: Guest, message: Resume, now: float) -> list[Effect]:
    """Take a RESUME before the one for the game in progress: it may be about an earlier game."""
    return table.past.missing(guest, message) or resume(table, guest, message, now)


# --- in a game --------------------------------------------------------------------------------------------------------


def resume(table: Table, guest: Guest, message: Resume, now: float) -> list[Effect]:
    """Take the RESUME of the game in progress and send what the guest's log lacks."""
    game, side = _game_of(table, guest)
    effects = game.resume(side, message, now) + table.begin_anew(now)
    return effects if guest.here else effects + table.tell_people()


def have(table: Table, guest: Guest, message: Have, now: float) -> list[Effect]:
    """Take a record from a guest whose log is ahead of ours."""
    game, side = _game_of(table, guest)
    return game.have(side, message, now)


def have_left_behind(table: Table, _guest: Guest, message: Have, _now: float) -> list[Effect]:
    """Take a record of the game to be continued from a guest whose log is ahead of ours."""
    return table.take_left_behind(message)


def move(table: Table, guest: Guest, message: MoveMessage, _now: float) -> list[Effect]:
    """Take a guest's move or check."""
    game, side = _game_of(table, guest)
    return game.receive_move(side, message.record)


def away(table: Table, guest: Guest, message: Away, now: float) -> list[Effect]:
    """Have a guest's character play, or the guest again, as they ask."""
    game, side = _game_of(table, guest)
    return game.ask_substitute(side, message.away, now)


def give(table: Table, guest: Guest, message: Give, now: float) -> list[Effect]:
    """Plan that a guest's seat goes to a watcher after this hand, or to nobody."""
    game, _ = _game_of(table, guest)
    seat = game.seat_of(guest)
    if seat is None or game.over:
        return []
    changes = {other: key for other, key in game.changes.items() if other != seat}
    if message.name is None:
        return table.plan_seats(changes, f"{guest.name} keeps their seat.", now)
    names = {table.me.name: table.me.name} | {one.identity.name: one.name for one in table.guests}
    taker = names.get(message.name, "")
    key = table.watchers().get(taker)
    if key is None or key in changes.values():
        return []
    return table.plan_seats({**changes, seat: key}, f"{guest.name} gives their seat to {taker} after this hand.", now)


def shown_hand(table: Table, guest: Guest, message: ShowHand, _now: float) -> list[Effect]:
    """Pass a guest's hand on to the watcher they show it to."""
    return table.pass_on_hand(guest.key, message) if table.seat_of(guest) is not None else []


def proposal(table: Table, guest: Guest, message: Proposal, now: float) -> list[Effect]:
    """Take a guest's proposal to undo or redeal."""
    game, side = _game_of(table, guest)
    return take_proposal(game, side, message, now)


def vote(table: Table, guest: Guest, message: Vote, now: float) -> list[Effect]:
    """Take a guest's vote on the open proposal."""
    game, side = _game_of(table, guest)
    return take_vote(game, side, message, now)


def _game_of(table: Table, guest: Guest) -> tuple[LiveGame, int]:
    """The game in which a guest has a side, and the side; callers know that they have one."""
    game, side = table.game, table.side_of(guest)
    assert game is not None and side is not None
    return game, side


Take = Callable[[Table, Guest, Any, float], list[Effect]]

_AT_ALL_TIMES: dict[type[Message], Take] = {
    Bye: bye,
    Ping: ping,
    Pong: pong,
    Chat: talk,
    Quick: talk,
    Stake: stake,
    Again: again,
}
_WITH_A_SIDE: dict[type[Message], Take] = {Resume: resume, Have: have, Away: away}

TAKES: dict[tuple[Presence, type[Message]], Take] = {
    **{(Presence.GREETED, kind): take for kind, take in _AT_ALL_TIMES.items()},
    **{(Presence.LOOKING_ON, kind): take for kind, take in _AT_ALL_TIMES.items()},
    **{(presence, Resume): resume_past for presence in ASKED_FOR_NONE},
    (Presence.GREETED, Have): have_left_behind,
    **{(Presence.CATCHING_UP, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
    (Presence.CATCHING_UP, Resume): resume_past_or_this,
    **{(Presence.AT_THE_TABLE, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
    (Presence.AT_THE_TABLE, MoveMessage): move,
    (Presence.AT_THE_TABLE, Give): give,
    (Presence.AT_THE_TABLE, ShowHand): shown_hand,
    (Presence.AT_THE_TABLE, Proposal): proposal,
    (Presence.AT_THE_TABLE, Vote): vote,
}
"""Anything else a listener has no cause to say, and it is passed over: it may have crossed with the end of a game."""


# --- behind the table -------------------------------------------------------------------------------------------------


def watcher_leaves(table: Table, watcher: Watcher, message: Bye, _now: float) -> list[Effect]:
    """A watcher hangs up."""
    return [Close(watcher.link.peer), *table.lose_watcher(watcher, why_of(message.code, message.text))]


def answer_watcher(_table: Table, watcher: Watcher, message: Ping, _now: float) -> list[Effect]:
    """Answer a watcher's PING with PONG."""
    return watcher.send(Pong(message.number))


def hear_watcher(_table: Table, _watcher: Watcher, _message: Pong, _now: float) -> list[Effect]:
    """Ignore PONG: that anything came shows that the link is alive."""
    return []


def seat_watcher(table: Table, watcher: Watcher, message: Hello, now: float) -> list[Effect]:
    """A watcher asks for a seat. Raises Refused."""
    if message.version != VERSION or message.coordinates:
        raise Refused(Cause.SHAPE, "A watcher who asks for a seat says HELLO as a listener.")
    return table.seat_watcher(watcher, message, now)


FROM_A_WATCHER: dict[type[Message], Callable[[Table, Watcher, Any, float], list[Effect]]] = {
    Bye: watcher_leaves,
    Ping: answer_watcher,
    Pong: hear_watcher,
    Hello: seat_watcher,
}
"""Anything else breaks the protocol: a watcher has no part in the game, so nothing can have crossed."""


# --- the methods that the program calls -------------------------------------------------------------------------------


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
        between_hands: int = 0,
        log: Sequence[bytes] = (),
        alone: bool = False,
        levels: Sequence[str] = (),
        edition_of: EditionOf = first_edition,
        deals: Iterator[int] | None = None,
        left_open: Sequence[LeftOpen] = (),
        takes: TakeTable | None = None,
    ) -> None:
        """takes: with which a listener became this coordinator."""
        host = Hosting(me.key, takes, now)
        self.table = Table(
            me,
            cast,
            entropy,
            grace=grace,
            turn_clock=turn_clock,
            between_hands=between_hands,
            alone=alone,
            levels=levels,
            edition_of=edition_of,
            deals=deals,
            left_open=left_open,
            host=host,
        )
        self._pace = Pace(FROM_A_LISTENER)
        if takes:
            self.table.take_over(takes.inheritance, now)
        if log:
            self.table.restore(log, now)

    def wants_past(self, key: bytes, game_id: bytes) -> bool:
        """True if a RESUME from the listener with this key is about an earlier game, which the caller then has to look
        for."""
        return self.table.wants_past(key, game_id)

    def know_past(self, key: bytes, game: LedgerWriter | None) -> None:
        """Give the earlier game that a listener asked for, None if it is not theirs or not here."""
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
        """A channel is open to the listener with this key. where, address: their end, for people and for calling back;
        pace: seconds per byte; standing: how well our player knows them."""
        me = self.table.me
        self.table.attendance.add_ungreeted(UngreetedLink(peer, key, where, address, Pulse(now, pace), standing))
        return [Send(peer, encode_message(Hello(VERSION, True, me.name, me.character)))]

    def receive(self, peer: PeerId, message: bytes, now: float) -> list[Effect]:
        """A message has come from this peer."""
        return self._safely(partial(self._receive, peer, message, now), peer, now)

    def _safely(self, take: Callable[[], list[Effect]], peer: PeerId, now: float) -> list[Effect]:
        """Run `take` on what came over a link. A refusal ends the link; so does a failure of the program, with
        everything else restored."""
        put_back = checkpoint(self)
        try:
            return take()
        except Refused as refusal:
            return self._throw_out(peer, str(refusal), now)
        except Exception as error:
            put_back()
            return self._fail(peer, error, now)

    def _receive(self, peer: PeerId, message: bytes, now: float) -> list[Effect]:
        """Take a message from a new link or a guest. Raises Refused."""
        attendance = self.table.attendance
        ungreeted, guest = attendance.ungreeted(peer), attendance.guest_at(peer)
        if ungreeted:
            ungreeted.pulse.note_heard(now)
            said = decode_message(message)
            self._pace.begin_link(ungreeted.key)
            self._pace.takes(ungreeted.key, said, now)
            return take_first(self.table, ungreeted, said, now)
        if guest and guest.link:
            guest.link.pulse.note_heard(now)
            said = decode_message(message)
            takes = (guest.presence, type(said)) in TAKES and self._pace.takes(guest.key, said, now)
            return self._take(guest, said, now) if takes else []
        watcher = self.table.gallery.watcher_at(peer)
        return self._take_from_watcher(watcher, message, now) if watcher else []

    def _take_from_watcher(self, watcher: Watcher, message: bytes, now: float) -> list[Effect]:
        """Take a watcher's message. Raises Refused."""
        watcher.link.pulse.note_heard(now)
        said = decode_message(message)
        take = FROM_A_WATCHER.get(type(said))
        if take is None:
            raise Refused(Cause.SHAPE, "A watcher can't send this.")
        return take(self.table, watcher, said, now) if self._pace.takes(watcher.key, said, now) else []

    def _take(self, guest: Guest, said: Message, now: float) -> list[Effect]:
        """Take a guest's message by the table `TAKES`. Raises Refused."""
        take = TAKES.get((guest.presence, type(said)))
        return take(self.table, guest, said, now) if take else []

    def _take_later(self, key: bytes, said: Message, now: float) -> list[Effect]:
        """Take a message that came too early and has waited."""
        guest = self.table.attendance.guest_with_key(key)
        if guest is None or guest.link is None:
            return []
        return self._safely(partial(self._take, guest, said, now), guest.link.peer, now)

    def lost(self, peer: PeerId, why: str, now: float) -> list[Effect]:
        """The link to this peer has ended. why: the end of a sentence, after their name."""
        return self._end_link(peer, why, now)

    def dial_failed(self, address: str, why: str, now: float, again: bool = True, there: bool = False) -> list[Effect]:
        """A `Dial` did not succeed. again: it may be tried again; there: their machine was seen."""
        return self.table.attendance.call_failed(address, why, now, again, there)

    def _throw_out(self, peer: PeerId, why: str, now: float) -> list[Effect]:
        """End the link of a peer who broke the protocol; their seat waits as after any loss."""
        goodbye = self._hang_up(peer, Bye(ByeCode.BROKE_PROTOCOL, why[:200]))
        return goodbye + self._end_link(peer, f"broke the protocol: {why}", now, behaved=False)

    def _fail(self, peer: PeerId, error: Exception, now: float) -> list[Effect]:
        """End the link on which the program failed."""
        goodbye = self._hang_up(peer, Bye(ByeCode.FAILED))
        return [Faulted(error), *goodbye, *self._end_link(peer, FAULT_TOLD, now, behaved=False)]

    def _hang_up(self, peer: PeerId, bye: Bye) -> list[Effect]:
        """Say BYE to a peer and close the link."""
        return [Send(peer, encode_message(bye)), Close(peer)]

    def _end_link(self, peer: PeerId, why: str, now: float, behaved: bool = True) -> list[Effect]:
        """Forget a link that has ended, of a guest or of somebody not greeted yet. behaved: they did not break the
        protocol."""
        attendance = self.table.attendance
        ungreeted, guest = attendance.forget_link(peer), attendance.guest_at(peer)
        if ungreeted:
            return attendance.call_failed(ungreeted.address, why, now)
        if (watcher := self.table.gallery.watcher_at(peer)) is not None:
            return self.table.lose_watcher(watcher, why)
        return self.table.lose(guest, why, now, behaved) if guest else []

    def attend(self, attended: bool) -> list[Effect]:
        """Our player came to the table or left; a coordinator does nothing then."""
        return []

    def stopping(self) -> list[Effect]:
        """Say goodbye, since the program ends; the game can be resumed."""
        said, table = Bye(ByeCode.STOPPED), self.table
        goodbyes = [effect for guest in table.guests for effect in guest.send(said)]
        return [*goodbyes, *[effect for watcher in table.gallery.everyone for effect in watcher.send(said)]]

    # --- the person at this table, and computer players ---------------------------------------------------------------

    def command(self, command: Command, now: float) -> list[Effect]:
        """Carry out a command of the person at this end. Raises CommandError."""
        if command.name not in COMMANDS:
            raise no_such_command(command)
        return COMMANDS[command.name](self.table, command.arguments, now)

    def hinted(self, think: Think, weighed: Sequence[Rated], now: float) -> list[Effect]:
        """The answer to a `Think` for a hint. weighed: the choices, best first."""
        game = self.table.game
        position = game.position if game else None
        return self.table.hints.hinted(think, weighed, position, lambda: do_hint(self.table, (), now))

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        """The decision of a computer player, for this `Think`."""
        return self.table.game.thought(think, action, now) if self.table.game else []

    def awaits(self, think: Think) -> bool:
        """True if the answer to this `Think` would still be used."""
        game = self.table.game
        if think.hint:
            return self.table.hints.awaits(think, game.position if game else None)
        return game is not None and game.computers.awaits(think)

    def view(self, now: float) -> TableView:
        return self.look(now)()

    def look(self, now: float) -> Callable[[], TableView]:
        """A function that makes the view of this moment whenever it is called."""
        return coordinator_view(self.table, now)

    def members(self) -> Collection[bytes]:
        """The keys of the others who are at the table, or were there when it was taken over."""
        return [*self.table.members(), *self.table.gallery.followed]

    def room(self) -> int:
        """How many more listeners may sit down."""
        return self.table.room()

    def watches(self, peer: PeerId) -> bool:
        """True if a watcher is at the other end of this link."""
        return self.table.gallery.watcher_at(peer) is not None

    # --- time ---------------------------------------------------------------------------------------------------------

    def after_effects(self, now: float) -> list[Effect]:
        """Effects that follow once all earlier ones are carried out; call until it returns none."""
        game = self.table.game
        mover = game.untold_mover if game else None
        if game is None or mover is None:
            return self.table.after_effects(now)
        put_back = checkpoint(self)
        try:
            return self.table.after_effects(now)
        except Exception as error:
            put_back()
            game.forget_untold()
            return self._fail(mover, error, now)

    def tick(self, now: float) -> list[Effect]:
        """Do what is due at this time."""
        effects = self.table.tick(now)
        for key, said in self._pace.due(now):
            effects += self._take_later(key, said, now)
        for key, what, count in self._pace.dropped(now):
            guest = self.table.attendance.guest_with_key(key)
            effects += [Tell(left_out(guest.name, what, count))] if guest else []
        return effects

    def next_time(self) -> float | None:
        """When to call `tick`; None for not before something happens."""
        due = min(self.table.next_time(), self._pace.next_time())
        return None if due == inf else due
