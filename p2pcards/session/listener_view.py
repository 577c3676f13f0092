"""What the person at a listener's table sees of it. To gather what it is made from is cheap, and done at each step;
to make it costs more, and waits until somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from p2pcards.games.game import AnyGame
from p2pcards.games.options import OptionError, options_from
from p2pcards.games.registry import GAMES
from p2pcards.ledger.position import Position
from p2pcards.session.followed_game import FollowedGame
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.own_seat import allowed_assists
from p2pcards.views.cast import character_name
from p2pcards.views.table_view import Standpoint, table_view
from p2pcards.views.tableview import PersonView, ProposalView, TableView
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.messages import ClockState
from p2pcards.wire.reasons import CloseReason


def listener_view(table: ListenerTable, now: float) -> Callable[[], TableView]:
    """What makes the view of this moment, also later."""
    seen, doubted, thrown = _seen(table, now), table.doubt.name, table.doubt.thrown
    return lambda: replace(seen(), doubted=doubted, thrown_away=thrown)


def _seen(table: ListenerTable, now: float) -> Callable[[], TableView]:
    position = table.position
    if position is None or position.ended is CloseReason.ENDED:
        return partial(table_view, "listener", _rows(table), table.cast, choice=_choice(table))
    connected = table.link.peer is not None
    stand = Standpoint(
        position,
        _absent(table, position),
        {seat: max(0.0, time - now) for seat, (_, time) in enumerate(table.clocks) if time is not None},
        may_act=table.game is not None and table.game.follower.pending is None and connected,
        turn_seconds=_turn_seconds(table, table.game, now) if table.game else None,
        waiting="" if connected else "the coordinator to connect again",
        proposal=_proposal(table.game) if table.game and connected else None,
        auto=table.deputy.shown(position),
        assists=allowed_assists(position),
    )
    return partial(table_view, "listener", _rows(table), table.cast, game=stand)


def _proposal(game: FollowedGame) -> ProposalView | None:
    said = game.to_answer
    if said is None:
        return None
    return ProposalView(game.position.names[said.side], said.what is EntryKind.REDEAL)


def _absent(table: ListenerTable, position: Position) -> frozenset[int]:
    """The sides that are not connected."""
    seats = position.header.seats
    away = [seat for seat, (state, _) in enumerate(table.clocks) if state is ClockState.AWAY and seat < len(seats)]
    sides = [seats[seat].side for seat in away] + ([0] if table.link.peer is None else [])
    return frozenset([side for side in sides if side is not None])


def _turn_seconds(table: ListenerTable, game: FollowedGame, now: float) -> float | None:
    """What is left on my turn clock, while it runs; the coordinator's clock decides."""
    clock = game.position.header.turn_clock
    if not clock or game.turn_began is None or table.link.peer is None or game.follower.pending is not None:
        return None
    return max(0.0, game.turn_began + clock - now)


def _choice(table: ListenerTable) -> tuple[AnyGame, Any] | None:
    game = GAMES.get(table.people.said.game or "")
    if game is None:
        return None
    try:
        return game, options_from(game.options, table.people.said.options)
    except OptionError:
        return None


def _rows(table: ListenerTable) -> list[PersonView]:
    people, mine = table.people.said, fingerprint(table.me.key)
    if not people.people:
        return [PersonView(table.me.name, character_name(table.cast, table.me.character), "you", "", key=mine)]
    connected, sides = table.link.peer is not None, table.sides()
    rows, names = [], table.shown_people(people)
    for place, person in enumerate(people.people):
        me, host = place == people.you, place == 0
        here = connected if host else person.here
        rows.append(
            PersonView(
                names[place],
                table.people.character(person.character),
                "you" if me else "here" if here else "away",
                table.link.where if connected and host else "",
                person.seat,
                coordinates=host,
                key=mine if me else fingerprint(table.link.key) if connected and host else "",
                again=table.agreed if me else None,
                looks_on=here and sides is not None and person.name not in sides,
            )
        )
    return rows
