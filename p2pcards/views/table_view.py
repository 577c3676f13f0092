"""The table as the person of one side sees it, made from a position."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from p2pcards.cards.card import spelled
from p2pcards.cards.eyes import Slot
from p2pcards.games.game import AnyGame, Made, Seat, Sheet, Trump
from p2pcards.games.options import declared, option_values
from p2pcards.games.spelling import spell
from p2pcards.ledger.advance import offered
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.views.cast import Cast, character_name
from p2pcards.views.tableview import (
    MeldView,
    PersonView,
    PileView,
    ProposalView,
    SeatView,
    SheetView,
    TableView,
    TrumpView,
)
from p2pcards.wire.clean import clean
from p2pcards.wire.header import NAME
from p2pcards.wire.reasons import CloseReason


def seat_name(position: Position, seat: Seat, cast: Cast) -> str:
    """The name of whoever sits there: a person, or the character of an empty seat."""
    entry = position.header.seats[seat]
    return character_name(cast, entry.character) if entry.side is None else position.names[entry.side]


def name_or_you(position: Position, seat: Seat, cast: Cast) -> str:
    return "you" if seat == position.seat else seat_name(position, seat, cast)


def with_names(text: str, position: Position, cast: Cast) -> str:
    """A text of the game's with the names of seats in it: "you", "your" for the person whose position this is."""

    def name(match: re.Match[str]) -> str:
        seat = int(match[1])
        if match[2] and seat == position.seat:
            return "your"
        return name_or_you(position, seat, cast) + (match[2] or "")

    return SEAT_IN_TEXT.sub(name, text)


def sheet_view(hand: int, sheet: Sheet) -> SheetView:
    return SheetView(hand, sheet.items, sheet.hand, sheet.totals)


def meld_view(meld: Made, name: str) -> MeldView:
    """name: of whoever made it, or can."""
    return MeldView(name, spelled(meld.cards), meld.name, meld.points)


def preset_name(game: AnyGame, options: Any) -> str:
    """The preset that has these options, or "own rules"."""
    return next((name for name, preset in game.presets.items() if preset == options), "own rules")


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A game, and how the side stands to it whose position this is. absent: sides that are not connected. countdown:
    seconds until a character takes a seat over. may_act: nothing but the game keeps the person from acting.
    turn_seconds: what is left on their turn clock, None while it does not run. waiting: whom or what the table waits
    for, where the game alone does not tell. auto: what
    plays in my seat in my place, or "". assists: what is allowed here that one has to be allowed."""

    position: Position
    absent: frozenset[int] = frozenset()
    countdown: Mapping[Seat, float] = field(default_factory=dict)
    may_act: bool = False
    turn_seconds: float | None = None
    waiting: str = ""
    proposal: ProposalView | None = None
    auto: str = ""
    assists: tuple[str, ...] = ()


def table_view(
    role: str,
    people: Sequence[PersonView],
    cast: Cast,
    *,
    choice: tuple[AnyGame, Any] | None = None,
    game: Standpoint | None = None,
) -> TableView:
    """The table as the person at one end of it sees it. choice: the game that is chosen, and its options; game: the one
    that is on, or was the last."""
    view = TableView(role, "lobby", tuple(people))
    if game is not None:
        return _with_game(view, game, cast)
    return view if choice is None else _with_choice(view, *choice)


def _with_choice(view: TableView, game: AnyGame, options: Any) -> TableView:
    pairs = zip([option.key for option in declared(game.options)], option_values(options), strict=True)
    return replace(view, game=game.key, game_name=game.name, preset=preset_name(game, options), options=tuple(pairs))


def _with_game(view: TableView, stand: Standpoint, cast: Cast) -> TableView:
    position = stand.position
    game, state, me = position.game, position.view, position.seat
    layout = game.layout(state)
    owing = state.to_act if position.phase is Phase.PLAY else ()
    mine = me is not None and me in owing and position.signer(me) == position.side and stand.may_act
    notes = layout.seats or ("",) * len(position.header.seats)
    return replace(
        _with_choice(view, game, state.options),
        phase=_PHASES[position.ended],
        me=me,
        seats=tuple([_seat(stand, seat, cast, note) for seat, note in enumerate(notes)]),
        sides=game.sides(state.options),
        hand=state.hand,
        trump=None if layout.trump is None else _trump(layout.trump, position, cast),
        trick=tuple([(seat, int(slot.card)) for seat, slot in layout.trick]),
        called=layout.called,
        leader=layout.leader,
        last_trick=tuple([(seat, int(slot.card)) for seat, slot in layout.last_trick]),
        piles=tuple([PileView(pile.name, pile.seat, _bytes(pile.slots), pile.spread) for pile in layout.piles]),
        notes=tuple([with_names(note, position, cast) for note in layout.notes]),
        own=() if me is None else tuple([with_names(fact, position, cast) for fact in game.own(state, me)]),
        indicator=() if me is None or "melds" not in stand.assists else game.indicator(state, me),
        meldable=()
        if me is None or "melds" not in stand.assists
        else tuple([meld_view(meld, "you") for meld in game.meldable(state, me)]),
        sheet=sheet_view(*position.sheets[-1]) if position.sheets else None,
        rounds=tuple([sheet.hand for _, sheet in position.sheets]),
        counted=layout.counted,
        made=layout.made,
        due=layout.due,
        turn=layout.turn,
        goal=layout.goal,
        rear=layout.rear,
        winners=state.winners,
        legal=tuple([spell(action) for action in offered(position, me)])
        if mine and me is not None and not stand.auto
        else (),
        waiting=stand.waiting or _waiting(position, owing, cast),
        auto=stand.auto,
        assists=stand.assists,
        records=position.count,
        head=position.head.hex(),
        turn_seconds=stand.turn_seconds,
        away=me is not None and me in position.substituted,
        looks_on=position.looks_on and position.ended is None,
        paused=position.phase is Phase.PAUSED,
        proposal=stand.proposal,
        deal=position.header.deal,
        face_up=position.face_up,
    )


SEAT_IN_TEXT = re.compile(r"\{(\d)('s)?\}")
_PHASES = {None: "play", CloseReason.WON: "over", CloseReason.ENDED: "closed"}


def _trump(trump: Trump, position: Position, cast: Cast) -> TrumpView:
    maker = "" if trump.maker is None else name_or_you(position, trump.maker, cast)
    return TrumpView("" if trump.suit is None else trump.suit.name.lower(), maker, trump.bid, int(trump.card or 0))


def _bytes(slots: tuple[Slot, ...]) -> tuple[int, ...]:
    return tuple([int(slot.card) for slot in slots])


def _seat(stand: Standpoint, seat: Seat, cast: Cast, note: str) -> SeatView:
    position = stand.position
    entry, state = position.header.seats[seat], position.view
    if entry.side is None:
        plays = "computer"
    elif seat in position.substituted:
        plays = "character"
    elif entry.side == position.side:
        plays = "you"
    else:
        plays = "away" if entry.side in stand.absent else "person"
    held = state.hands[seat]
    return SeatView(
        seat=seat,
        name=seat_name(position, seat, cast),
        character=character_name(cast, entry.character),
        level=clean(entry.level, NAME),
        plays=plays,
        score=state.scores[seat],
        cards=len(held),
        known=tuple([int(card) for card in held.cards]),
        dealer=state.dealer == seat,
        to_act=position.phase is Phase.PLAY and seat in state.to_act,
        countdown=stand.countdown.get(seat),
        note=with_names(note, position, cast),
    )


def _waiting(position: Position, owing: tuple[Seat, ...], cast: Cast) -> str:
    if position.ended is not None:
        return position.ended.sentence
    if position.phase is Phase.PAUSED:
        return "somebody to come back"
    if owing:
        return ", ".join(name_or_you(position, seat, cast) for seat in owing)
    if position.phase is Phase.CHECKS:
        checked = {0, position.side, *position.checked}  # mine went out with the opening
        unchecked = [name for side, name in enumerate(position.names) if side not in checked]
        return ", ".join(unchecked) + " to confirm the deal" if unchecked else "the deal"
    return "the dealer"
