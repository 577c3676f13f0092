"""What a listener does with the messages of the coordinator: a function for each, and the table that says in which
presence which of them is taken. protocol/machines.md is printed from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from p2pcards.session import asking
from p2pcards.session.asking import doubt_absence, take_of_lost
from p2pcards.session.effects import Effect, Tell
from p2pcards.session.followed_game import FollowedGame
from p2pcards.session.listener_course import take_proposal, take_vote
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.presence import Presence
from p2pcards.session.table_messages import why_of
from p2pcards.session.talk import heard
from p2pcards.views.happenings import AgainAnswered
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import (
    Again,
    Ask,
    Bye,
    Chat,
    Clocks,
    HeaderPart,
    Hello,
    LookOn,
    Message,
    Offer,
    People,
    Ping,
    Pong,
    Proposal,
    Quick,
    RecordMessage,
    RefusedMove,
    Resume,
    Taken,
    Vote,
)
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.refused import Cause, Refused


def hello(table: ListenerTable, message: Hello, _now: float) -> list[Effect]:
    return table.greet(message)


def bye(table: ListenerTable, message: Bye, _now: float) -> list[Effect]:
    left = message.code is ByeCode.LEAVES
    return [*table.link.close(), *table.lose(why_of(message.code, message.text), left)]


def ping(table: ListenerTable, message: Ping, _now: float) -> list[Effect]:
    return table.link.send(Pong(message.number))


def pong(_table: ListenerTable, _message: Pong, _now: float) -> list[Effect]:
    """That anything came shows that the link is alive."""
    return []


def talk(table: ListenerTable, message: Chat | Quick, _now: float) -> list[Effect]:
    return [heard(message, table.people.name_of(message.author))]


def people(table: ListenerTable, message: People, _now: float) -> list[Effect]:
    return [Tell(happening) for happening in table.people.see(message, table.sides())]


def offer(table: ListenerTable, message: Offer, now: float) -> list[Effect]:
    return table.stake(message, now)


def again(table: ListenerTable, message: Again, _now: float) -> list[Effect]:
    return [Tell(AgainAnswered(table.people.name_of(message.side), message.yes))]


def header(table: ListenerTable, message: HeaderPart, now: float) -> list[Effect]:
    return table.take_header(message, now)


def resume(table: ListenerTable, message: Resume, now: float) -> list[Effect]:
    return asking.resume(table, message, now)


def look_on(table: ListenerTable, message: LookOn, _now: float) -> list[Effect]:
    table.announce_game(message)
    return []


def clocks(table: ListenerTable, message: Clocks, now: float) -> list[Effect]:
    table.set_clocks(message, now)
    return []


# --- in a game --------------------------------------------------------------------------------------------------------


def record(table: ListenerTable, message: RecordMessage, now: float) -> list[Effect]:
    if table.lost_game is not None:
        return take_of_lost(table, table.lost_game, message)
    effects = _game_of(table).take(message)
    table.note_end(now)
    return effects + doubt_absence(table)


def taken(table: ListenerTable, message: Taken, _now: float) -> list[Effect]:
    return _game_of(table).take_answer(message)


def refused(table: ListenerTable, message: RefusedMove, _now: float) -> list[Effect]:
    return _game_of(table).refused(message, clean(message.text, 200))


def ask(table: ListenerTable, message: Ask, _now: float) -> list[Effect]:
    return _game_of(table).give_records(message)


def proposal(table: ListenerTable, message: Proposal, _now: float) -> list[Effect]:
    return take_proposal(_game_of(table), message)


def vote(table: ListenerTable, message: Vote, _now: float) -> list[Effect]:
    return take_vote(_game_of(table), message)


def looked_on_record(table: ListenerTable, message: RecordMessage, _now: float) -> list[Effect]:
    return table.look(message)


def _game_of(table: ListenerTable) -> FollowedGame:
    """Whoever is catching up or at the table follows a game, if it is not one of which no log is here. Raises
    Refused."""
    if table.game is None:
        raise Refused(Cause.SHAPE, "A coordinator does not send this now.")
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
    **{(Presence.LOOKING_ON, kind): take for kind, take in _AT_ALL_TIMES.items()},
    (Presence.LOOKING_ON, RecordMessage): looked_on_record,
    **{(Presence.CATCHING_UP, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
    **{(Presence.AT_THE_TABLE, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
}
"""Anything else the coordinator has no cause to send: it broke the protocol."""
