"""What a record means to the person of one side: happenings, made from the positions around it."""

from __future__ import annotations

from collections import Counter

from p2pcards.cards.eyes import PUBLIC, redact, slots_of, viewer
from p2pcards.games.game import Layout, Stage
from p2pcards.games.spelling import cards_in, may_play, spell
from p2pcards.ledger.advance import full_sentence, is_full
from p2pcards.ledger.position import Position, Step
from p2pcards.ledger.signed import NEEDED, Use, may
from p2pcards.views.cast import Cast, character_name
from p2pcards.views.happenings import (
    Acted,
    CardsCame,
    FirstDealerDrawn,
    GameEnded,
    GameStarted,
    GameWon,
    HandDealt,
    HandDisputed,
    HandGivenUp,
    HandOpened,
    HandRestarted,
    HandScored,
    HandsExchanged,
    HandsTurned,
    Happening,
    LookingOn,
    PartMissing,
    Remarked,
    SeatReturned,
    SeatTakenOver,
    Starts,
    TablePaused,
    TableResumed,
    TakenBack,
    TrickTaken,
    TurnedUp,
)
from p2pcards.views.table_view import seat_name, sheet_view, with_names
from p2pcards.wire.entries import (
    AbsentEntry,
    Agreed,
    CheckEntry,
    CloseEntry,
    ContinueEntry,
    DealEntry,
    Entry,
    FaceUpEntry,
    Learning,
    OpeningEntry,
    PauseEntry,
    RedealEntry,
    RestartEntry,
    ReturnEntry,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
)
from p2pcards.wire.header import assist_names
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict


def tell_start(position: Position, cast: Cast) -> GameStarted:
    """A game begins with this position."""
    names, header = _names(position, cast), position.header
    allowed = () if position.alone else assist_names(header.assists)
    return GameStarted(position.game.name, names, _sides(position, names), header.deal, allowed)


def tell_looking_on(position: Position, cast: Cast) -> LookingOn:
    """The person at this end has come while this game is on, and looks on."""
    names = _names(position, cast)
    return LookingOn(position.game.name, position.state.hand, names, _sides(position, names))


def tell(before: Position, after: Position, entry: Entry, cast: Cast) -> list[Happening]:
    match entry:
        case DealEntry():
            return _tell_deal(before, after, cast)
        case TakeoverEntry(seat=seat, reason=reason):
            return [_tell_takeover(after, seat, reason, cast)]
        case ReturnEntry(seat=seat):
            character = character_name(cast, after.header.seats[seat].character)
            return [SeatReturned(seat_name(after, seat, cast), character, seat == after.seat)]
        case AbsentEntry(side=side):
            return [PartMissing(after.names[side], side == after.side)]
        case PauseEntry():
            return [TablePaused()]
        case ContinueEntry():
            return [TableResumed()]
        case UndoEntry() | RedealEntry() | RestartEntry() | SwapEntry() | FaceUpEntry():
            return [_tell_course(before, entry, cast)]
        case OpeningEntry():
            theirs = after.finding is Verdict.GOOD and not may(Use.PROVE, after)
            why = NEEDED[Use.PROVE].without if theirs else after.finding.sentence
            return [HandOpened(before.state.hand, may(Use.PROVE, after), why)]
        case CheckEntry(side=side, verdict=verdict):
            good = verdict is Verdict.GOOD
            return [] if good else [HandDisputed(after.names[side], after.opened, verdict.sentence)]
        case CloseEntry(reason=reason):
            return [_tell_end(before, after, reason, cast)]
        case _:
            return _tell_event(before, after, cast)


def _names(position: Position, cast: Cast) -> tuple[str, ...]:
    return tuple([seat_name(position, seat, cast) for seat in range(len(position.header.seats))])


def _sides(position: Position, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    sides = position.game.sides(position.view.options)
    return tuple([tuple([names[seat] for seat in side]) for side in sides])


def _tell_takeover(after: Position, seat: int, reason: TakeoverReason, cast: Cast) -> Happening:
    character = character_name(cast, after.header.seats[seat].character)
    return SeatTakenOver(seat_name(after, seat, cast), character, reason.sentence, seat == after.seat)


def _tell_course(before: Position, entry: Agreed | Learning, cast: Cast) -> Happening:
    match entry:
        case UndoEntry():
            step = before.steps[-1]
            assert step.seat is not None
            mine = step.seat == before.seat
            return TakenBack(seat_name(before, step.seat, cast), spell(step.action), mine)
        case RedealEntry(side=side):
            return HandGivenUp(before.names[side], side == before.side, before.alone)
        case RestartEntry():
            return HandRestarted()
        case SwapEntry(seat=seat):
            return HandsExchanged(seat_name(before, seat, cast))
        case FaceUpEntry(up=up):
            return HandsTurned(up)


def _tell_deal(before: Position, after: Position, cast: Cast) -> list[Happening]:
    dealer = seat_name(after, after.state.dealer or 0, cast)
    if after.state.hand == before.state.hand:
        remarks = _remarks(before, after, cast)
        if after.state.dealer is None:
            return remarks  # players cut for it
        words = "" if remarks else " ".join(_news(after.steps[-1], before, after, PUBLIC))
        return [*remarks, FirstDealerDrawn(words, dealer)]
    absent = tuple([after.names[side] for side in after.absent])
    return [
        HandDealt(after.state.hand, dealer, absent),
        *_remarks(before, after, cast),
        *_who_starts(before, after, cast),
    ]


def _who_starts(before: Position, after: Position, cast: Cast) -> list[Happening]:
    """Who acts first, after the deal, and who plays the first card, where that is decided later."""
    if len(after.state.to_act) != 1:
        return []
    (seat,) = after.state.to_act
    layout = after.layout
    dealt = after.state.hand != before.state.hand
    leads = seat == layout.leader and not (layout.trick or layout.last_trick)
    if leads and may_play(after.game, after.view, seat) and (dealt or not may_play(before.game, before.view, seat)):
        to = "trick" if layout.called == "trick" else "card"
        return [Starts(seat_name(after, seat, cast), to, seat == after.seat)]
    return [Starts(seat_name(after, seat, cast), "", seat == after.seat)] if dealt else []


def _tell_event(before: Position, after: Position, cast: Cast) -> list[Happening]:
    step = after.steps[-1]
    acted = None if step.seat is None else _tell_action(step, step.seat, before, after, cast)
    remarks = _remarks(before, after, cast)
    happenings = [*([acted] if acted else []), *_cards_that_came(before, after, acted)]
    if not acted and not remarks and (words := _news(step, before, after, PUBLIC)):
        happenings.append(TurnedUp(" ".join(words)))
    taker = after.layout.taker
    if ends_trick(before.layout, after.layout) and taker is not None:
        happenings.append(TrickTaken(seat_name(after, taker, cast), taker == after.seat))
    happenings += [*remarks, *_who_starts(before, after, cast)]
    if before.state.dealer is None and after.state.dealer is not None:
        happenings.append(FirstDealerDrawn("", seat_name(after, after.state.dealer, cast)))
    if after.state.stage in (Stage.DEAL, Stage.OVER) and after.state.sheet:
        sheet = sheet_view(after.state.hand, after.state.sheet)
        happenings.append(HandScored(_names(after, cast), after.game.sides(after.state.options), sheet))
    return happenings


def ends_trick(before: Layout, after: Layout) -> bool:
    """Whether a trick was taken between the two; the one before it may have had the same cards where a pack has them
    twice."""
    return bool(before.trick and not after.trick and after.last_trick)


def _remarks(before: Position, after: Position, cast: Cast) -> list[Happening]:
    """What is said aloud of the event that led from one position to the other."""
    event = redact(after.steps[-1].shown, viewer(before.seat))
    return [
        Remarked(
            "" if remark.seat is None else seat_name(after, remark.seat, cast),
            with_names(remark.words, after, cast),
            remark.seat is not None and remark.seat == after.seat,
        )
        for remark in after.game.remarks(before.view, event, after.view)
    ]


def _cards_that_came(before: Position, after: Position, acted: Acted | None) -> list[Happening]:
    """Those that are new in my hand, unless the action that brought them names them."""
    if after.seat is None:
        return []
    held, now = [Counter(one.view.hands[after.seat].cards) for one in (before, after)]
    named = cards_in(_named(acted)) if acted and acted.mine else []
    came = [str(card) for card in (now - held).elements() if card not in named]
    return [CardsCame(" ".join(came))] if came else []


def _named(acted: Acted) -> str:
    """The words with which an action is told: its cards are those that it brings only where it names none itself."""
    if acted.says:
        return acted.says
    return acted.words if len(acted.words.split()) > 1 else f"{acted.words} {acted.cards}"


def _tell_action(step: Step, seat: int, before: Position, after: Position, cast: Cast) -> Acted:
    mine = seat == after.seat
    action = step.action
    if step.commitment and not mine:
        action = after.game.private[type(action)](before.state)
    cards = " ".join(_news(step, before, after, viewer(before.seat))) if mine else ""
    says = with_names(after.game.says(before.view, seat, action), after, cast)
    return Acted(seat_name(after, seat, cast), seat, spell(action), cards, mine, says)


def _news(step: Step, before: Position, after: Position, eyes: int) -> list[str]:
    """The cards that an event shows to these eyes and that this side's person did not know, as words; of cards that
    the pack has more than once also another of one that they knew."""
    known, now = [Counter([slot.card.face for slot in slots_of(view)]) for view in (before.view, after.view)]
    gained = now - known
    words = []
    for slot in slots_of(redact(step.shown, eyes)):
        face = slot.card.face
        if face and (not known[face] or gained[face] > 0):
            words.append(str(slot.card))
            gained[face] -= 1
    return words


def _tell_end(before: Position, after: Position, reason: CloseReason, cast: Cast) -> Happening:
    if reason is not CloseReason.WON:
        return GameEnded(full_sentence() if is_full(before) else reason.sentence)
    names = _names(after, cast)
    signed = {0, *after.checked}  # the coordinator by the closing entry itself
    return GameWon(
        names,
        after.state.scores,
        tuple([names[seat] for seat in after.state.winners]),
        tuple([name for side, name in enumerate(after.names) if side not in signed]),
        after.head.hex(),
    )
