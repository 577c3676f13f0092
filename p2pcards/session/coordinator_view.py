"""The table as the person at the coordinator's end sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pcards.session.guests import Guest
from p2pcards.views.cast import character_name
from p2pcards.views.game_view import with_choice, with_game
from p2pcards.views.tableview import PersonView, TableView
from p2pcards.wire.keys import fingerprint

if TYPE_CHECKING:
    from p2pcards.session.coordinator import Coordinator


def coordinators_view(table: Coordinator, now: float) -> TableView:
    me = PersonView(
        table.me.name,
        character_name(table.cast, table.me.character),
        "you",
        "",
        table.seat_number(None),
        coordinates=True,
        key=fingerprint(table.me.key),
    )
    people = [me, *[_person(table, guest) for guest in table.guests]]
    view = TableView(role="coordinator", phase="lobby", people=tuple(people))
    if table.running is not None and (table.chosen is None or not table.running.over or _same_choice(table)):
        running = table.running
        view = with_game(
            view,
            running.position,
            table.cast,
            absent=running.absent(),
            countdown=running.countdown(now),
            may_act=not running.held,
        )
        return replace(view, turn_seconds=running.my_turn_seconds(now))
    return view if table.chosen is None else with_choice(view, *table.chosen)


def _same_choice(table: Coordinator) -> bool:
    assert table.running is not None and table.chosen is not None
    position = table.running.position
    return position.game is table.chosen[0] and position.state.options == table.chosen[1]


def _person(table: Coordinator, guest: Guest) -> PersonView:
    return PersonView(
        guest.name,
        character_name(table.cast, guest.character),
        "here" if guest.here else "away",
        guest.where or guest.address,
        table.seat_number(guest),
        partner=guest.partner,
        key=fingerprint(guest.key),
        again=guest.again,
    )
