"""What a record means to the person of one side: happenings, made from the positions around it."""

from __future__ import annotations

from collections import Counter

from p2pcards.cards.eyes import PUBLIC, redact, slots_of, viewer
from p2pcards.games.game import Stage
from p2pcards.games.spelling import spell
from p2pcards.ledger.position import Position, Step
from p2pcards.session.me import Cast, character_name
from p2pcards.session.tableview import Happening, Value
from p2pcards.session.views import seat_name
from p2pcards.wire.entries import (
    CheckEntry,
    CloseEntry,
    DealEntry,
    Entry,
    OpeningEntry,
    ReturnEntry,
    TakeoverEntry,
)
from p2pcards.wire.reasons import CloseReason


def tell(before: Position, after: Position, entry: Entry, cast: Cast) -> list[Happening]:
    match entry:
        case DealEntry():
            return _tell_deal(before, after, cast)
        case TakeoverEntry(seat=seat, reason=reason):
            character = character_name(cast, after.header.seats[seat].character)
            values = {"name": seat_name(after, seat, cast), "character": character, "why": reason.sentence}
            return [Happening("takeover", {**values, "mine": seat == after.seat})]
        case ReturnEntry(seat=seat):
            character = character_name(cast, after.header.seats[seat].character)
            name = seat_name(after, seat, cast)
            return [Happening("returned", {"name": name, "character": character, "mine": seat == after.seat})]
        case OpeningEntry(hand=hand):
            return [Happening("opened", {"hand": hand, "proven": not after.finding, "why": after.finding.sentence})]
        case CheckEntry(side=side, hand=hand, verdict=verdict):
            name = after.header.sides[side].name
            claim = Happening("checked", {"name": name, "hand": hand, "good": not verdict, "why": verdict.sentence})
            return [claim] if verdict else []
        case CloseEntry(reason=reason):
            return [_tell_end(after, reason, cast)]
        case _:
            return _tell_event(before, after, cast)


def _names(position: Position, cast: Cast) -> tuple[str, ...]:
    return tuple([seat_name(position, seat, cast) for seat in range(len(position.header.seats))])


def _tell_deal(before: Position, after: Position, cast: Cast) -> list[Happening]:
    dealer = seat_name(after, after.state.dealer or 0, cast)
    if after.state.hand == before.state.hand:
        words = " ".join(_news(after.steps[-1], before, after, PUBLIC))
        return [Happening("drawn", {"words": words, "name": dealer})]
    absent = tuple([after.header.sides[side].name for side in after.absent])
    return [Happening("dealt", {"hand": after.state.hand, "dealer": dealer, "absent": absent})]


def _tell_event(before: Position, after: Position, cast: Cast) -> list[Happening]:
    step = after.steps[-1]
    happenings = []
    if step.seat is None:
        words = _news(step, before, after, PUBLIC)
        if words:
            happenings.append(Happening("shown", {"words": " ".join(words)}))
    else:
        happenings.append(_tell_action(step, before, after, cast))
    layout = after.game.layout(after.state)
    taker = layout.taker if not layout.trick else None
    if taker is not None and layout.last_trick != before.game.layout(before.state).last_trick:
        happenings.append(Happening("trick", {"name": seat_name(after, taker, cast), "mine": taker == after.seat}))
    if after.state.stage in (Stage.DEAL, Stage.OVER) and after.state.sheet:
        sheet = after.state.sheet
        values = {"hand": after.state.hand, "points": sheet.hand, "totals": sheet.totals}
        happenings.append(Happening("hand_over", {**values, "names": _names(after, cast)}))
    return happenings


def _tell_action(step: Step, before: Position, after: Position, cast: Cast) -> Happening:
    assert step.seat is not None
    mine = step.seat == after.seat
    action = step.action
    if step.commitment and not mine:
        action = after.game.private[type(action)](before.state)
    values: dict[str, Value] = {
        "name": seat_name(after, step.seat, cast),
        "seat": step.seat,
        "words": spell(action),
        "verb": type(action).__name__.lower(),
        "cards": " ".join(_news(step, before, after, viewer(before.seat))) if mine else "",
        "mine": mine,
    }
    return Happening("acted", values)


def _news(step: Step, before: Position, after: Position, eyes: int) -> list[str]:
    """The cards that an event shows to these eyes and that this side's person did not know, as words; of cards that
    the pack has more than once also another of one that she knew."""
    known, now = [Counter([slot.card.face for slot in slots_of(view)]) for view in (before.view, after.view)]
    gained = now - known
    words = []
    for slot in slots_of(redact(step.shown, eyes)):
        face = slot.card.face
        if face and (not known[face] or gained[face] > 0):
            words.append(str(slot.card))
            gained[face] -= 1
    return words


def _tell_end(after: Position, reason: CloseReason, cast: Cast) -> Happening:
    if reason:
        return Happening("ended", {"why": reason.sentence})
    names = _names(after, cast)
    signed = {0, *after.checked}  # the coordinator by the closing entry itself
    values = {
        "names": names,
        "totals": after.state.scores,
        "winners": tuple(names[seat] for seat in after.state.winners),
        "unsigned": tuple([side.name for number, side in enumerate(after.header.sides) if number not in signed]),
    }
    return Happening("game_over", {**values, "head": after.head.hex()})
