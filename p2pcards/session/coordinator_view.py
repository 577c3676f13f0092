"""What the person who coordinates a table sees of it. To gather what it is made from is cheap, and done at each step;
to make it costs more, and waits until somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from p2pcards.session.guest import Guest
from p2pcards.session.own_seat import allowed_assists
from p2pcards.session.table import Table
from p2pcards.views.cast import character_name
from p2pcards.views.table_view import Standpoint, table_view
from p2pcards.views.tableview import PersonView, TableView
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.reasons import CloseReason


def coordinator_view(table: Table, now: float) -> Callable[[], TableView]:
    """What makes the view of this moment, also later."""
    choice, game = table.lobby.choice, table.game
    people = [_my_row(table), *[_row(table, guest) for guest in table.guests]]
    chosen = (choice.game, choice.options) if choice else None
    played = (game.position.game, game.position.state.options) if game else None
    if game is None or game.position.ended is CloseReason.ENDED or (game.over and chosen not in (None, played)):
        left_open, pairing = table.lobby.left_open(), _pairing(table)
        lobby = partial(table_view, "coordinator", people, table.cast, choice=chosen)
        return lambda: replace(lobby(), left_open=left_open, pairing=pairing)
    stand = Standpoint(
        game.position,
        game.absent(),
        game.clocks.countdown(game.position, now),
        not game.awaiting_logs,
        game.clocks.turn_seconds(game.position, game.position.seat, not game.awaiting_logs, now),
        proposal=game.proposals.to_answer,
        auto=table.deputy.shown(game.position),
        assists=allowed_assists(game.position),
    )
    return partial(table_view, "coordinator", people, table.cast, game=stand)


def _pairing(table: Table) -> tuple[str, ...]:
    if any(guest.identity.partner for guest in table.guests):
        return ()
    here = [guest for guest in table.guests if guest.here]
    return tuple([guest.name for guest in here]) if table.lobby.wants_partner([guest.key for guest in here]) else ()


def _my_row(table: Table) -> PersonView:
    character, seat = character_name(table.cast, table.me.character), table.seat_of(None)
    return PersonView(table.me.name, character, "you", "", seat, coordinates=True, key=fingerprint(table.me.key))


def _row(table: Table, guest: Guest) -> PersonView:
    return PersonView(
        guest.name,
        character_name(table.cast, guest.identity.character),
        "here" if guest.here else "away",
        guest.where,
        table.seat_of(guest),
        partner=guest.identity.partner,
        key=fingerprint(guest.key),
        again=table.lobby.answered(guest.key),
        looks_on=table.looks_on(guest),
    )
