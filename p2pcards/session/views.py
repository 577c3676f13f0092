"""The table as the person of one side sees it, made from a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from p2pcards.cards.eyes import Slot
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.options import declared, option_values
from p2pcards.games.spelling import spell
from p2pcards.ledger.position import Phase, Position
from p2pcards.session.me import Cast, character_name
from p2pcards.session.tableview import PileView, SeatView, SheetView, TableView, Value


def seat_name(position: Position, seat: Seat, cast: Cast) -> str:
    """The name of whoever sits there: a person, or the character of an empty seat."""
    entry = position.header.seats[seat]
    return character_name(cast, entry.character) if entry.side is None else position.header.sides[entry.side].name


def preset_name(game: AnyGame, options: Any) -> str:
    """The preset that has these options, or "own rules"."""
    return next((name for name, preset in game.presets.items() if preset == options), "own rules")


def with_choice(view: TableView, game: AnyGame, options: Any) -> TableView:
    """The view of a lobby in which a game has been chosen."""
    pairs = zip([option.key for option in declared(game.options)], option_values(options), strict=True)
    return replace(view, game=game.key, game_name=game.name, preset=preset_name(game, options), options=tuple(pairs))


def with_game(
    view: TableView,
    position: Position,
    cast: Cast,
    *,
    absent: frozenset[int],
    countdown: Mapping[Seat, float],
    may_act: bool,
) -> TableView:
    """The view of a game. absent: sides that are not connected. countdown: seconds until a character takes a seat
    over."""
    game, state, me = position.game, position.view, position.seat
    layout = game.layout(state)
    owing = state.to_act if position.phase is Phase.PLAY else ()
    mine = me is not None and me in owing and position.signer(me) == position.side and may_act
    sheet = state.sheet
    notes = layout.seats or ("",) * len(position.header.seats)
    view = with_choice(view, game, state.options)
    return replace(
        view,
        phase="closed" if position.ended == 1 else "over" if position.ended == 0 else "play",
        me=me,
        seats=tuple([_seat(position, seat, cast, absent, countdown, note) for seat, note in enumerate(notes)]),
        hand=state.hand,
        trick=tuple([(seat, int(slot.card)) for seat, slot in layout.trick]),
        last_trick=tuple([(seat, int(slot.card)) for seat, slot in layout.last_trick]),
        piles=tuple([PileView(pile.name, pile.seat, _bytes(pile.slots), pile.spread) for pile in layout.piles]),
        notes=layout.notes,
        sheet=SheetView(sheet.items, sheet.hand, sheet.totals) if sheet else None,
        winners=state.winners,
        legal=tuple([spell(action) for action in game.legal(state, me)]) if mine and me is not None else (),
        waiting=_waiting(position, owing, cast),
        records=position.count,
        head=position.head.hex(),
        away=me is not None and me in position.substituted,
    )


def _bytes(slots: tuple[Slot, ...]) -> tuple[int, ...]:
    return tuple([int(slot.card) for slot in slots])


def _seat(
    position: Position, seat: Seat, cast: Cast, absent: frozenset[int], countdown: Mapping[Seat, float], note: str
) -> SeatView:
    entry, state = position.header.seats[seat], position.view
    if entry.side is None:
        plays = "computer"
    elif seat in position.substituted:
        plays = "character"
    elif entry.side == position.side:
        plays = "you"
    else:
        plays = "away" if entry.side in absent else "person"
    held = state.hands[seat]
    return SeatView(
        seat=seat,
        name=seat_name(position, seat, cast),
        character=character_name(cast, entry.character),
        level=entry.level,
        plays=plays,
        score=state.scores[seat],
        cards=len(held),
        known=tuple([int(card) for card in held.cards]),
        dealer=state.dealer == seat,
        to_act=position.phase is Phase.PLAY and seat in state.to_act,
        countdown=countdown.get(seat),
        note=note,
    )


def _waiting(position: Position, owing: tuple[Seat, ...], cast: Cast) -> str:
    if position.ended is not None:
        return position.ended.sentence
    if owing:
        return ", ".join("you" if seat == position.seat else seat_name(position, seat, cast) for seat in owing)
    if position.phase is Phase.CHECKS:
        sides = enumerate(position.header.sides)
        checked = {0, position.side, *position.checked}  # mine went out with the opening
        unchecked = [side.name for number, side in sides if number not in checked]
        return "the checks of " + ", ".join(unchecked) if unchecked else "the deal"
    return "the dealer"


def plain(value: object) -> Value:
    """A tuple of plain values for a happening."""
    return tuple([plain(part) for part in value]) if isinstance(value, tuple | list) else value  # type: ignore[return-value]
