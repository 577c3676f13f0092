"""A listener, which waits for a coordinator, follows the games that are chosen, and plays its seat.

What a message of the coordinator does stands in a table that says in which presence it is taken; protocol/machines.md
is printed from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any

from p2pcards.games.game import Action
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.transitions import Phase
from p2pcards.session import listener_table
from p2pcards.session.bounds import FROM_A_COORDINATOR, Pace, Pulse, heard, left_out
from p2pcards.session.checkpoint import checkpoint
from p2pcards.session.coordinator import why_of
from p2pcards.session.doubt import GivingWay, HasPlayer, OpenGame, StandingNow, any_player, stranger
from p2pcards.session.effects import (
    FAULT_TOLD,
    Close,
    Effect,
    Faulted,
    Me,
    PeerId,
    Send,
    Tell,
    Think,
    YieldTable,
    no_such_command,
)
from p2pcards.session.followed_game import FollowedGame
from p2pcards.session.listener_table import ListenerTable, doubt_absence, listener_view, note_takeover, take_of_lost
from p2pcards.session.listener_words import COMMANDS, do_hint, take_proposal, take_vote
from p2pcards.session.presence import Presence
from p2pcards.views.advice import Rated
from p2pcards.views.happenings import Notice
from p2pcards.views.standpoint import Cast
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import (
    Again,
    Ask,
    Bye,
    Chat,
    Clocks,
    Doors,
    Handover,
    HeaderPart,
    Hello,
    LookOn,
    Message,
    NoSeat,
    Offer,
    People,
    Ping,
    Pong,
    Proposal,
    Quick,
    RecordMessage,
    RefusedMove,
    Resume,
    ShowHand,
    Taken,
    Vote,
    WatchersNow,
    decode_message,
    encode_message,
)
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.reasons import ByeCode

NOT_NOW = "A coordinator can't send this now."

# --- what a listener does with the messages of the coordinator --------------------------------------------------------


def hello(table: ListenerTable, message: Hello, _now: float) -> list[Effect]:
    """Take the coordinator's HELLO."""
    return table.greet(message)


def bye(table: ListenerTable, message: Bye, now: float) -> list[Effect]:
    """The coordinator hangs up: for good, or to call again."""
    told = table.note_given_up(now) if message.code is ByeCode.HANDED_OVER else []
    if message.code is ByeCode.NO_WATCHING:
        table.successor.not_let_in()
    left, gone = message.code is ByeCode.LEAVES, message.code is ByeCode.STOPPED or bool(told)
    return [*table.link.close(), *table.lose(why_of(message.code, message.text), left, gone), *told]


def ping(table: ListenerTable, message: Ping, _now: float) -> list[Effect]:
    """Answer the coordinator's PING with PONG."""
    return table.link.send(Pong(message.number))


def pong(_table: ListenerTable, _message: Pong, _now: float) -> list[Effect]:
    """Ignore PONG: that anything came shows that the link is alive."""
    return []


def talk(table: ListenerTable, message: Chat | Quick, _now: float) -> list[Effect]:
    """Tell our player of a chat line or phrase."""
    return [heard(message, table.people.name_of(message.author))]


def people(table: ListenerTable, message: People, _now: float) -> list[Effect]:
    """Take the list of people at the table and the chosen game."""
    return table.take_people(message)


def watchers(table: ListenerTable, message: WatchersNow, _now: float) -> list[Effect]:
    """Take the list of watchers."""
    return [Tell(happening) for happening in table.take_watchers(message)]


def shown_hand(table: ListenerTable, message: ShowHand, _now: float) -> list[Effect]:
    """Take the hand that a player shows our player, who watches."""
    table.take_shown_hand(message)
    return []


def seat_given(table: ListenerTable, message: Hello, _now: float) -> list[Effect]:
    """Take the seat that our player, who watched, asked for."""
    return table.sit_down(message)


def no_seat(table: ListenerTable, _message: NoSeat, _now: float) -> list[Effect]:
    """Tell our player, who watches, that there is no seat."""
    return [Tell(Notice(f"There's no free seat at {table.link.name}'s table. You're still watching."))]


def offer(table: ListenerTable, message: Offer, now: float) -> list[Effect]:
    """Answer the offer of a game with the end of a new chain."""
    return table.stake(message, now)


def again(table: ListenerTable, message: Again, _now: float) -> list[Effect]:
    """Take another player's answer to "play again?"."""
    before = table.people.again
    answered = table.people.answer_again(message.side, message.yes)
    return [] if table.people.again == before else [Tell(answered)]


def header(table: ListenerTable, message: HeaderPart, now: float) -> list[Effect]:
    """Take a part of a game's header."""
    return table.take_header(message, now)


def resume(table: ListenerTable, message: Resume, now: float) -> list[Effect]:
    """Take the question how far our log of a game goes."""
    return listener_table.resume(table, message, now)


def look_on(table: ListenerTable, message: LookOn, _now: float) -> list[Effect]:
    """Take the announcement of a game in which we have no side."""
    table.announce_game(message)
    return []


def doors(table: ListenerTable, message: Doors, _now: float) -> list[Effect]:
    """Take the addresses of the others."""
    table.note_doors(message)
    return []


def handover(table: ListenerTable, message: Handover, now: float) -> list[Effect]:
    """The coordinator hands the table over."""
    return table.take_handover(message, now)


def clocks(table: ListenerTable, message: Clocks, now: float) -> list[Effect]:
    """Take the state of every seat and the time its player has."""
    table.set_clocks(message, now)
    return []


# --- in a game --------------------------------------------------------------------------------------------------------


def record(table: ListenerTable, message: RecordMessage, now: float) -> list[Effect]:
    """Take a record of the game in progress."""
    if table.lost_game is not None:
        return take_of_lost(table, table.lost_game, message)
    effects = _game_of(table).receive_record(message)
    table.note_end(now)
    return effects + note_takeover(table, now) + doubt_absence(table)


def taken(table: ListenerTable, message: Taken, _now: float) -> list[Effect]:
    """Take the answer that our move is logged."""
    return _game_of(table).take_answer(message)


def refused(table: ListenerTable, message: RefusedMove, _now: float) -> list[Effect]:
    """Take the refusal of our move."""
    return _game_of(table).refused(message, clean(message.text, 200))


def ask(table: ListenerTable, message: Ask, _now: float) -> list[Effect]:
    """Send the records that the coordinator's log lacks."""
    return _game_of(table).give_records(message)


def proposal(table: ListenerTable, message: Proposal, _now: float) -> list[Effect]:
    """Take another side's proposal to undo or redeal."""
    return take_proposal(_game_of(table), message)


def vote(table: ListenerTable, message: Vote, _now: float) -> list[Effect]:
    """Take another side's no to a proposal."""
    return take_vote(_game_of(table), message)


def record_left_behind(table: ListenerTable, message: RecordMessage, now: float) -> list[Effect]:
    """Take a record of a game that has lost its coordinator."""
    return table.take_left_behind(message, now)


def ask_left_behind(table: ListenerTable, message: Ask, now: float) -> list[Effect]:
    """Send what a successor's log lacks of a game that has lost its coordinator."""
    return table.give_left_behind(message, now)


def looked_on_record(table: ListenerTable, message: RecordMessage, _now: float) -> list[Effect]:
    """Take a record of the game that we watch."""
    return table.receive_looked_on(message)


def _game_of(table: ListenerTable) -> FollowedGame:
    """The game that this listener follows. Raises Refused if its log is not here."""
    if table.game is None:
        raise Refused(Cause.SHAPE, NOT_NOW)
    return table.game


Take = Callable[[ListenerTable, Any, float], list[Effect]]

_AT_ALL_TIMES: dict[type[Message], Take] = {
    Bye: bye,
    Ping: ping,
    Pong: pong,
    Chat: talk,
    Quick: talk,
    People: people,
    Offer: offer,
    Again: again,
    HeaderPart: header,
    Clocks: clocks,
    Doors: doors,
    Handover: handover,
    WatchersNow: watchers,
}
_BEHIND_THE_TABLE: dict[type[Message], Take] = {
    **{kind: take for kind, take in _AT_ALL_TIMES.items() if kind not in (Offer, Again)},
    LookOn: look_on,
    RecordMessage: looked_on_record,
    ShowHand: shown_hand,
    Hello: seat_given,
    NoSeat: no_seat,
}
_WITH_A_SIDE: dict[type[Message], Take] = {
    Resume: resume,
    RecordMessage: record,
    Taken: taken,
    RefusedMove: refused,
    Ask: ask,
    Proposal: proposal,
    Vote: vote,
}

TAKES: dict[tuple[Presence, type[Message]], Take] = {
    (Presence.INVITED, Hello): hello,
    (Presence.INVITED, Bye): bye,
    **{(Presence.GREETED, kind): take for kind, take in _AT_ALL_TIMES.items()},
    (Presence.GREETED, Resume): resume,
    (Presence.GREETED, LookOn): look_on,
    (Presence.GREETED, RecordMessage): record_left_behind,
    (Presence.GREETED, Ask): ask_left_behind,
    **{(Presence.LOOKING_ON, kind): take for kind, take in _AT_ALL_TIMES.items()},
    (Presence.LOOKING_ON, RecordMessage): looked_on_record,
    **{(Presence.WATCHING, kind): take for kind, take in _BEHIND_THE_TABLE.items()},
    **{(Presence.CATCHING_UP, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
    **{(Presence.AT_THE_TABLE, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
}
"""Anything else the coordinator has no cause to send: it broke the protocol."""


# --- a listener, which waits for a coordinator, follows the games that are chosen, and plays its seat -----------------


BETWEEN = (Phase.CHECKS, Phase.CLOSED)
"""No hand is on."""


def waits_for(name: str) -> Notice:
    """The notice that the table goes to a friend who is known better than the present host. name: the host's."""
    return Notice(
        f"A friend you know better than {name} is calling and gets this table after the hand, in five minutes at most. "
        f"Your game with {name} will be paused."
    )


def turned_away(peer: PeerId, code: ByeCode) -> list[Effect]:
    """Send away a caller for whom there is no place."""
    return [Send(peer, encode_message(Bye(code))), Close(peer)]


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
        attended: bool = True,
        has_player: HasPlayer = any_player,
        watches: bool = False,
        yields: YieldTable | None = None,
    ) -> None:
        """attended: the player is at the table; watches: they ask for no seat there; yields: with which a coordinator
        became this listener."""
        self.table = ListenerTable(me, cast, entropy, levels, attended, has_player, watches, now)
        if yields is not None:
            self.table.inherit(yields.inheritance, yields.host, now)
        self._pace = Pace(FROM_A_COORDINATOR)
        self._way = GivingWay()
        self._counted = 0, now  # records of the game that is on, and when that changed

    def knows(self, game_id: bytes) -> bool:
        """True if this game was played here or may go on here."""
        return self.table.knows(game_id)

    def know(self, game: LedgerFollower) -> None:
        """Add a game that may go on here, as its log has it; not the one in progress."""
        self.table.know(game)

    def expect(self, coordinator: str) -> None:
        """Note the name of the coordinator who is to call again about an unfinished game."""
        self.table.expect(coordinator)

    def forget(self, game_id: bytes) -> None:
        """Forget a game that goes on elsewhere; not the one in progress."""
        self.table.forget(game_id)

    def knows_open(self, coordinator: bytes) -> bool:
        """True if the unfinished games with this coordinator have been read from the logs."""
        return self.table.open_games.looked == coordinator

    def open_with(self, coordinator: bytes) -> bytes:
        """The id of the unfinished game with this coordinator, b"" if there is none."""
        one = self.table.open_with(coordinator)
        return one.game_id if one else b""

    def know_open(
        self, coordinator: bytes, last: OpenGame | None, unfinished: frozenset[bytes], thrown: Mapping[bytes, float]
    ) -> None:
        """Take what the logs say of this coordinator's unfinished games; as in `OpenGames.read_logs`."""
        self.table.open_games.read_logs(coordinator, last, unfinished, thrown)

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
        """A channel is open to the coordinator with this key. where, address: their end, for people and for calling
        back; pace: seconds per byte; standing: how well our player knows them."""
        link, given = self.table.link, list[Effect]()
        if link.peer is not None and self.table.was_succeeded(key):
            return turned_away(peer, ByeCode.TAKEN)
        if link.peer is not None and link.key != key:
            new = self._way.next != key
            if self.table.doubt.key == key or not self._way.claims(key, standing, now):
                return turned_away(peer, ByeCode.TAKEN)
            if now < self._given_at(now):
                return [*turned_away(peer, ByeCode.COMES_NEXT), *([Tell(waits_for(link.name))] if new else [])]
            given = self._give_way(now)
        elif link.peer is None and self._way.keeps_out(key, standing, now):
            return turned_away(peer, ByeCode.TAKEN)
        if link.peer is None:
            self._way.arrive(standing)
            self._counted = 0, now
        self._pace.begin_link(key)
        return [*given, *self.table.open(peer, key, where, address, Pulse(now, pace))]

    def _given_at(self, now: float) -> float:
        """When the table is given to the next coordinator: now, unless a hand is in progress."""
        return self._way.due_at(self._counted[1]) if self._phase() not in BETWEEN else now

    def _give_way(self, now: float) -> list[Effect]:
        """Take leave of the present coordinator, for somebody our player knows better."""
        self._way.keep(now)
        on, why = self._phase() is not Phase.CLOSED, "had to make room for a friend you know better"
        if on:
            why += ". Your game is paused until they call again and the table is free"
        goodbye = self.table.link.hang_up(ByeCode.GAVE_WAY if on else ByeCode.TAKEN)
        return [*goodbye, *self.table.lose(why)]

    def _phase(self) -> Phase:
        """The phase of the game in progress; CLOSED if there is none in which we have a side."""
        on = self.table.game if self.table.link.greeted else None
        return on.position.phase if on else Phase.CLOSED

    def receive(self, peer: PeerId, message: bytes, now: float) -> list[Effect]:
        """A message has come from this peer."""
        if self.table.link.peer != peer:
            return []
        effects = self._safely(partial(self._receive, message, now))
        position = self.table.position
        if position is not None and position.count != self._counted[0]:
            self._counted = position.count, now
        return effects

    def _safely(self, take: Callable[[], list[Effect]]) -> list[Effect]:
        """Run `take` on what came over the link. A refusal ends the link; so does a failure of the program, with
        everything else restored."""
        put_back = checkpoint(self)
        try:
            return take()
        except Refused as refusal:
            return self._throw_out(refusal)
        except Exception as error:
            put_back()
            return self._fail(error)

    def _receive(self, message: bytes, now: float) -> list[Effect]:
        """Take a message. Raises Refused."""
        link = self.table.link
        link.note_heard(now)
        said = decode_message(message)
        take = self._find_take(said)
        return take(self.table, said, now) if self._pace.takes(link.key, said, now) else []

    def _find_take(self, message: Message) -> Take:
        """The function of the table `TAKES` for this message now. Raises Refused if there is none."""
        presence = self.table.link.presence
        take = TAKES.get((presence, type(message)))
        if take is None:
            first = presence is Presence.INVITED
            raise Refused(Cause.SHAPE, "A link must begin with HELLO." if first else NOT_NOW)
        return take

    def _take_later(self, key: bytes, said: Message, now: float) -> list[Effect]:
        """Take a message that came too early and has waited."""
        link = self.table.link
        take = TAKES.get((link.presence, type(said))) if key == link.key else None
        return self._safely(partial(take, self.table, said, now)) if take else []

    def _throw_out(self, refusal: Refused) -> list[Effect]:
        """End the link of a coordinator who broke the protocol."""
        goodbye = self.table.link.hang_up(ByeCode.BROKE_PROTOCOL, str(refusal)[:200])
        return [*goodbye, *self.table.lose(f"sent something invalid: {refusal}")]

    def _fail(self, error: Exception) -> list[Effect]:
        """End the link on which the program failed; the coordinator may call again."""
        goodbye = self.table.link.hang_up(ByeCode.FAILED)
        return [Faulted(error), *goodbye, *self.table.lose(FAULT_TOLD)]

    def lost(self, peer: PeerId, why: str, now: float) -> list[Effect]:
        """The link to this peer has ended. why: the end of a sentence, after their name."""
        return self.table.lose(why, gone=True) if self.table.link.peer == peer else []

    def dial_failed(self, address: str, why: str, now: float, again: bool = True, there: bool = False) -> list[Effect]:
        """Do nothing: a listener dials nobody."""
        return []

    def stopping(self) -> list[Effect]:
        """Say goodbye, since the program ends; the seat is kept."""
        return self.table.link.send(Bye(ByeCode.STOPPED))

    # --- the person at this end, and their computer player ------------------------------------------------------------

    def command(self, command: Command, now: float) -> list[Effect]:
        """Carry out a command of the person at this end. Raises CommandError."""
        if command.name not in COMMANDS:
            raise no_such_command(command)
        return COMMANDS[command.name](self.table, command.arguments)

    def attend(self, attended: bool) -> list[Effect]:
        """Our player came to the table or left."""
        return self.table.attend(attended)

    def hinted(self, think: Think, weighed: Sequence[Rated], now: float) -> list[Effect]:
        """The answer to a `Think` for a hint. weighed: the choices, best first."""
        game = self.table.game
        position = game.position if game else None
        return self.table.hints.hinted(think, weighed, position, lambda: do_hint(self.table, ()))

    def thought(self, think: Think, action: Action, now: float) -> list[Effect]:
        """The decision of the computer that plays our seat, for this `Think`."""
        return self.table.game.thought(think, action) if self.table.game else []

    def awaits(self, think: Think) -> bool:
        """True if the answer to this `Think` would still be used."""
        game = self.table.game
        if think.hint:
            return self.table.hints.awaits(think, game.position if game else None)
        return game is not None and game.awaits(think)

    def view(self, now: float) -> TableView:
        return self.look(now)()

    def look(self, now: float) -> Callable[[], TableView]:
        """A function that makes the view of this moment whenever it is called."""
        return listener_view(self.table, now)

    def watches(self, peer: PeerId) -> bool:
        """False: nobody watches behind a listener."""
        return False

    def members(self) -> Collection[bytes]:
        """The keys of the others who are at the table, or were there when its coordinator was lost."""
        return self.table.members()

    def room(self) -> int:
        """How many more coordinators may sit down: one or none."""
        return 0 if self.table.link.greeted else 1

    # --- time ---------------------------------------------------------------------------------------------------------

    def after_effects(self, now: float) -> list[Effect]:
        """Effects that follow once all earlier ones are carried out; call until it returns none."""
        effects = self._follow_up(now) + self.table.note_coordinator(now)
        effects = effects or self.table.show_hand()
        if self.table.link.peer is None:
            self._way.keep(now)
            return effects or self.table.succeed(now)
        if not effects and self._way.next and now >= self._given_at(now):
            return self._give_way(now)
        return effects

    def _follow_up(self, now: float) -> list[Effect]:
        """Do what follows from records that are on disk."""
        game = self.table.game
        if game is None or not game.has_untold:
            return []
        put_back = checkpoint(self)
        try:
            return game.after_effects(now)
        except Exception as error:
            put_back()
            game.forget_untold()
            return self._fail(error)

    def tick(self, now: float) -> list[Effect]:
        """Do what is due at this time."""
        link = self.table.link
        if link.is_lost(now):
            return [*link.close(), *self.table.lose("stopped answering", gone=True)]
        effects = link.tick(now) + (self.table.game.tick(now) if self.table.game else [])
        for key, said in self._pace.due(now):
            effects += self._take_later(key, said, now)
        return effects + [Tell(left_out(link.name, what, count)) for _, what, count in self._pace.dropped(now)]

    def next_time(self) -> float | None:
        """When to call `tick`; None for not before something happens."""
        link = self.table.link.next_time()
        way = self._way.due_at(self._counted[1]) if self._way.next and link is not None else inf
        pause = self.table.game.next_time() if self.table.game else None
        due = min(inf if link is None else link, self._pace.next_time(), way, inf if pause is None else pause)
        due = min(due, self.table.successor.due() if link is None else inf)
        return None if due == inf else due
