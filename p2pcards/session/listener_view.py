"""The table as the person at a listener's end sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pcards.games.options import OptionError, options_from
from p2pcards.games.registry import GAMES
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.views.cast import character_name
from p2pcards.views.game_view import with_choice, with_game
from p2pcards.views.tableview import PersonView, TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.header import NAME
from p2pcards.wire.keys import fingerprint

if TYPE_CHECKING:
    from p2pcards.session.listener import Listener


def listeners_view(table: Listener, now: float) -> TableView:
    view = TableView(role="listener", phase="lobby", people=_people(table))
    follower = table.game
    if follower is None:
        return _with_choice(table, view)
    left = {seat: max(0.0, time - now) for seat, (_, time) in enumerate(table.clocks) if time is not None}
    position = follower.position
    away = [seat for seat, (state, _) in enumerate(table.clocks) if state == 1]
    sides = [position.header.seats[seat].side for seat in away if seat < len(position.header.seats)]
    absent = [side for side in sides if side is not None] + ([0] if table.link is None else [])
    view = with_game(
        view,
        position,
        table.cast,
        absent=frozenset(absent),
        countdown=left,
        may_act=follower.pending is None and table.link is not None,
    )
    waiting = view.waiting if table.link else "the coordinator to connect again"
    return replace(view, waiting=waiting, turn_seconds=_turn_seconds(table, follower, now))


def _turn_seconds(table: Listener, follower: LedgerFollower, now: float) -> float | None:
    """What is left on my turn clock, while it runs; the coordinator's clock decides."""
    clock = follower.position.header.turn_clock
    if not clock or table.turn_began is None or table.link is None or follower.pending is not None:
        return None
    return max(0.0, table.turn_began + clock - now)


def _with_choice(table: Listener, view: TableView) -> TableView:
    game = GAMES.get(table.people.game or "")
    if game is None:
        return view
    try:
        return with_choice(view, game, options_from(game.options, table.people.options))
    except OptionError:
        return view


def _people(table: Listener) -> tuple[PersonView, ...]:
    key = fingerprint(table.me.key)
    if not table.people.people:
        return (PersonView(table.me.name, character_name(table.cast, table.me.character), "you", "", key=key),)
    rows = []
    for place, person in enumerate(table.people.people):
        mine = place == table.people.you
        here = person.here if place else table.link is not None
        rows.append(
            PersonView(
                clean(person.name, NAME),
                table.character(person.character),
                "you" if mine else "here" if here else "away",
                table.link.where if table.link and place == 0 else "",
                person.seat,
                coordinates=place == 0,
                key=key if mine else fingerprint(table.link.key) if table.link and place == 0 else "",
                again=table.agreed if mine else None,
            )
        )
    return tuple(rows)
