"""What a coordinator does with the messages of listeners: a function for each, and the table that says in which
presence of the listener which of them is taken. protocol/machines.md is printed from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from p2pcards.session.attendance import UngreetedLink
from p2pcards.session.course_commands import take_proposal, take_vote
from p2pcards.session.effects import Close, Effect, Tell
from p2pcards.session.guest import Guest
from p2pcards.session.live_game import LiveGame
from p2pcards.session.presence import ASKED_FOR_NONE, Presence
from p2pcards.session.table import Table
from p2pcards.session.talk import heard
from p2pcards.views.happenings import AgainAnswered
from p2pcards.wire.clean import clean
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
    Ping,
    Pong,
    Proposal,
    Quick,
    Resume,
    Stake,
    Vote,
)
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.refused import Cause, Refused

FIRST = (Hello, Bye)
"""The first message on a link is one of these."""


def take_first(table: Table, link: UngreetedLink, message: Message, now: float) -> list[Effect]:
    """The first message on a link. Raises Refused."""
    match message:
        case Hello(version=version) if version != VERSION:
            return table.attendance.turn_away(link, ByeCode.OTHER_VERSION, now)
        case Hello(coordinates=True):
            return table.attendance.turn_away(link, ByeCode.SAME_ROLE, now)
        case Hello():
            return table.seat(link, message, now)
        case Bye(code, text):
            table.attendance.forget_link(link.peer)
            why = f"{link.where} {why_of(code, text)}"
            return [Close(link.peer), *table.attendance.call_failed(link.address, why, now)]
        case _:
            raise Refused(Cause.SHAPE, "a link begins with HELLO")


def why_of(code: ByeCode, text: str) -> str:
    """Why somebody hung up, a sentence without its subject."""
    return code.sentence + (f" ({clean(text, 200)})" if text else "")


# --- at the table -----------------------------------------------------------------------------------------------------


def ping(_table: Table, guest: Guest, message: Ping, _now: float) -> list[Effect]:
    return guest.send(Pong(message.number))


def pong(_table: Table, _guest: Guest, _message: Pong, _now: float) -> list[Effect]:
    """That anything came shows that the link is alive."""
    return []


def talk(table: Table, guest: Guest, message: Chat | Quick, _now: float) -> list[Effect]:
    said = table.talk.relay(message, table.attendance.place(guest), guest.key)
    sent = [effect for other in table.attendance.others(guest) for effect in other.send(said)]
    return [*sent, heard(said, guest.name)]


def bye(table: Table, guest: Guest, message: Bye, now: float) -> list[Effect]:
    closed: list[Effect] = [Close(guest.link.peer)] if guest.link else []
    if message.code is ByeCode.BROKE_PROTOCOL and table.game:
        table.game.next_deal.refuses_header(table.game.position, table.side_of(guest))
    end = table.leave if message.code is ByeCode.LEAVES else table.lose
    return closed + end(guest, why_of(message.code, message.text), now)


def stake(table: Table, guest: Guest, message: Stake, now: float) -> list[Effect]:
    table.lobby.stake(guest.key, message.nonce, message.end)
    return table.start_if_ready(now)


def again(table: Table, guest: Guest, message: Again, now: float) -> list[Effect]:
    if table.game is None or not table.game.over:
        return []
    table.lobby.answer(guest.key, message.yes)
    answer = Again(table.attendance.place(guest), message.yes)
    sent = [effect for other in table.attendance.others(guest) for effect in other.send(answer)]
    return [Tell(AgainAnswered(guest.name, message.yes)), *sent, *table.play_again_if_agreed(now)]


def resume_past(table: Table, guest: Guest, message: Resume, _now: float) -> list[Effect]:
    return table.past.missing(guest, message)


def resume_past_or_this(table: Table, guest: Guest, message: Resume, now: float) -> list[Effect]:
    """Before they say how far their log of the game goes that is on."""
    return table.past.missing(guest, message) or resume(table, guest, message, now)


# --- in a game --------------------------------------------------------------------------------------------------------


def resume(table: Table, guest: Guest, message: Resume, now: float) -> list[Effect]:
    game, side = _game_of(table, guest)
    effects = game.resume(side, message, now) + table.begin_anew(now)
    return effects if guest.here else effects + table.tell_people()


def have(table: Table, guest: Guest, message: Have, now: float) -> list[Effect]:
    game, side = _game_of(table, guest)
    return game.have(side, message, now)


def move(table: Table, guest: Guest, message: MoveMessage, _now: float) -> list[Effect]:
    game, side = _game_of(table, guest)
    return game.take(side, message.record)


def away(table: Table, guest: Guest, message: Away, now: float) -> list[Effect]:
    game, side = _game_of(table, guest)
    return game.ask_substitute(side, message.away, now)


def proposal(table: Table, guest: Guest, message: Proposal, now: float) -> list[Effect]:
    game, side = _game_of(table, guest)
    return take_proposal(game, side, message, now)


def vote(table: Table, guest: Guest, message: Vote, now: float) -> list[Effect]:
    game, side = _game_of(table, guest)
    return take_vote(game, side, message, now)


def _game_of(table: Table, guest: Guest) -> tuple[LiveGame, int]:
    """The game in which a guest has a side, and the side: whoever is catching up or at the table has one."""
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
    **{(Presence.CATCHING_UP, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
    (Presence.CATCHING_UP, Resume): resume_past_or_this,
    **{(Presence.AT_THE_TABLE, kind): take for kind, take in (_AT_ALL_TIMES | _WITH_A_SIDE).items()},
    (Presence.AT_THE_TABLE, MoveMessage): move,
    (Presence.AT_THE_TABLE, Proposal): proposal,
    (Presence.AT_THE_TABLE, Vote): vote,
}
"""Anything else a listener has no cause to say, and it is passed over: it may have crossed with the end of a game."""
