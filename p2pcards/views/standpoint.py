"""A position from the standpoint of one side: the table as its person sees it, and what a record means to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from p2pcards.cards.card import spell_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer, known_faces_in, redact, slots_of
from p2pcards.games.game import Action, AnyGame, Layout, Made, Pile, Seat, Sheet, Stage, Tally, Trump
from p2pcards.games.options import declared_options, find_option, values_by_key
from p2pcards.games.prose import (
    differing_keys,
    nearest_preset,
    option_effect_text,
    preset_and_differences,
    rules_in_brief,
)
from p2pcards.games.spelling import cards_in_text, may_play_card, offered_words, spell_action
from p2pcards.ledger.advance import events_to_take_back, full_log_reason, log_is_full, offered_actions
from p2pcards.ledger.position import Position, Step
from p2pcards.ledger.signed import NEEDED, Use, may_use_log
from p2pcards.ledger.transitions import Phase
from p2pcards.views.absence import Absence, absence_row_of, all_timed_out
from p2pcards.views.happenings import (
    Acted,
    CardsCame,
    FirstDealerDrawn,
    GameChosen,
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
    HostChanged,
    LookingOn,
    OptionSet,
    PartMissing,
    Remarked,
    SeatReturned,
    SeatsChanged,
    SeatTakenOver,
    Starts,
    TablePaused,
    TableResumed,
    TakenBack,
    TrickTaken,
    TurnedUp,
)
from p2pcards.views.tableview import (
    MeldView,
    PersonView,
    PileView,
    ProposalView,
    SeatView,
    SheetView,
    TableView,
    TallyItemView,
    TallyView,
    TrumpView,
)
from p2pcards.wire.clean import clean
from p2pcards.wire.names import given_name
from p2pcards.wire.reasons import CloseReason, TakeoverReason, Verdict
from p2pcards.wire.records import (
    NAME,
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
    assist_names,
)

# --- the characters that play for people and in empty seats, as a table knows them ------------------------------------


@dataclass(frozen=True, slots=True)
class CastMember:
    """A character."""

    key: str  # as in a header
    name: str  # for people
    level: str  # of its play


Cast = tuple[CastMember, ...]


def cast_level(cast: Cast, character: str) -> str:
    return next((member.level for member in cast if member.key == character), "novice")


def character_name(cast: Cast, character: str) -> str:
    """A character's name for people. A key outside this cast came from another program, and is made safe to show."""
    for member in cast:
        if member.key == character:
            return member.name
    return given_name(character)


# --- the table as the person of one side sees it, made from a position ------------------------------------------------


def player_name(position: Position, seat: Seat, cast: Cast) -> str:
    """The name of the player in a seat: a person, or the character of an empty seat."""
    entry = position.header.seats[seat]
    return character_name(cast, entry.character) if entry.side is None else position.names[entry.side]


def name_or_you(position: Position, seat: Seat, cast: Cast) -> str:
    return "you" if seat == position.seat else player_name(position, seat, cast)


def fill_in_names(text: str, position: Position, cast: Cast) -> str:
    """The game's text with the names of seats filled in; "you" and "your" for the person whose position this is."""

    def name(match: re.Match[str]) -> str:
        seat = int(match[1])
        if match[2] and seat == position.seat:
            return "your"
        return name_or_you(position, seat, cast) + (match[2] or "")

    return SEAT_IN_TEXT.sub(name, text)


def sheet_view(hand: int, sheet: Sheet) -> SheetView:
    return SheetView(hand, sheet.items, sheet.hand, sheet.totals)


def meld_view(meld: Made, name: str) -> MeldView:
    """name: of the player who made the meld, or can make it."""
    return MeldView(name, spell_cards(meld.cards), meld.name, meld.points)


def preset_name(game: AnyGame, options: Any) -> str:
    """The preset with these options, or "own rules"."""
    return next((name for name, preset in game.presets.items() if preset == options), "own rules")


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A game, and the situation of the side whose position this is."""

    position: Position
    absent: frozenset[int] = frozenset()  # sides that are not connected
    countdown: Mapping[Seat, float] = field(default_factory=dict)  # by seat, seconds until a character takes it over
    may_act: bool = False  # nothing but the rules of the game prevents the person from acting
    turn_seconds: float | None = None  # left on the person's turn clock; None while it does not run
    waiting: str = ""  # the cause of waiting, if the game alone does not show it
    proposal: ProposalView | None = None
    auto: str = ""  # the substitute that plays my seat; "" for none
    assists: tuple[str, ...] = ()  # those that are allowed here, of those that need permission
    pause: int | None = None  # as in `TableView`


def table_view(
    role: str,
    people: Sequence[PersonView],
    cast: Cast,
    *,
    choice: tuple[AnyGame, Any] | None = None,
    game: Standpoint | None = None,
) -> TableView:
    """The table as the person at one end of it sees it. choice: the chosen game and its options; game: the game in
    progress, or the last one."""
    view = TableView(role, "lobby", tuple(people))
    if game is not None:
        return _add_game(view, game, cast)
    return view if choice is None else _add_choice(view, *choice)


def _add_choice(view: TableView, game: AnyGame, options: Any) -> TableView:
    values = tuple([(option.key, getattr(options, option.key)) for option in declared_options(game.options)])
    return replace(view, game=game.key, game_name=game.name, preset=preset_name(game, options), options=values)


def _add_game(view: TableView, stand: Standpoint, cast: Cast) -> TableView:
    position = stand.position
    game, state, me = position.game, position.view, position.seat
    layout = game.layout(state)
    owing = state.to_act if position.phase is Phase.PLAY else ()
    mine = me is not None and me in owing and position.signer(me) == position.side and stand.may_act
    open_to_me = offered_actions(position, me) if mine and me is not None and not stand.auto else ()
    notes = layout.seats or ("",) * len(position.header.seats)
    return replace(
        _add_choice(view, game, state.options),
        phase=_PHASES[position.ended],
        me=me,
        seats=tuple([_seat_view(stand, seat, cast, note) for seat, note in enumerate(notes)]),
        sides=game.sides(state.options),
        hand=state.hand,
        trump=None if layout.trump is None else _trump_view(layout.trump, position, cast),
        trick=tuple([(seat, int(slot.card)) for seat, slot in layout.trick]),
        called=layout.called,
        leader=layout.leader,
        last_trick=tuple([(seat, int(slot.card)) for seat, slot in layout.last_trick]),
        piles=tuple([_pile_view(pile) for pile in layout.piles]),
        notes=tuple([fill_in_names(note, position, cast) for note in layout.notes]),
        own=() if me is None else tuple([fill_in_names(fact, position, cast) for fact in game.own(state, me)]),
        indicator=() if me is None or "melds" not in stand.assists else game.indicator(state, me),
        meldable=()
        if me is None or "melds" not in stand.assists
        else tuple([meld_view(meld, "you") for meld in game.meldable(state, me)]),
        sheet=sheet_view(*position.sheets[-1]) if position.sheets else None,
        rounds=tuple([sheet.hand for _, sheet in position.sheets]),
        counted=layout.counted,
        made=layout.made,
        due=layout.due,
        tricks=layout.tricks,
        turn=layout.turn,
        tallies=tuple([_tally_view(tally, position, cast) for tally in layout.tallies]),
        goal=layout.goal,
        rear=layout.rear,
        winners=state.winners,
        legal=tuple([spell_action(action) for action in open_to_me]),
        calls=tuple([(spell_action(one), words) for one in open_to_me if (words := game.calls(state, me or 0, one))]),
        waiting=stand.waiting or _waiting_for(position, owing, cast),
        auto="" if me is None else stand.auto,
        assists=stand.assists,
        records=position.count,
        head=position.head.hex(),
        turn_seconds=stand.turn_seconds,
        turn_clock=position.header.turn_clock,
        pause=stand.pause,
        away=me is not None and me in position.taken_over and position.ended is None,
        looks_on=position.looks_on and position.ended is None,
        paused=position.phase is Phase.PAUSED,
        proposal=stand.proposal,
        deal=position.header.deal,
        face_up=position.face_up,
    )


def show_hand_in_view(view: TableView, seat: Seat, cards: tuple[int, ...]) -> TableView:
    """The view of a watcher with the hand of a seat that its player shows them. cards: as the player said last, before
    what lies on the table since."""
    if seat >= len(view.seats) or view.phase != "play":
        return view
    held, left = view.seats[seat], [*cards]
    tops = [pile.cards[-1] for pile in view.piles if pile.cards]
    for card in [*[card for at, card in view.trick if at == seat], *tops]:
        if len(left) > held.cards and card in left:
            left.remove(card)
    if len(left) > held.cards:
        return view
    seats = tuple([replace(one, known=tuple(left)) if one.seat == seat else one for one in view.seats])
    return replace(view, seats=seats, shown=seat)


SEAT_IN_TEXT = re.compile(r"\{(\d)('s)?\}")
_PHASES = {None: "play", CloseReason.CONTINUED: "play", CloseReason.WON: "over", CloseReason.ENDED: "closed"}


def _trump_view(trump: Trump, position: Position, cast: Cast) -> TrumpView:
    maker = "" if trump.maker is None else name_or_you(position, trump.maker, cast)
    return TrumpView("" if trump.suit is None else trump.suit.name.lower(), maker, trump.bid, int(trump.card or 0))


def _tally_view(tally: Tally, position: Position, cast: Cast) -> TallyView:
    items = [
        TallyItemView(item.name, fill_in_names(item.words, position, cast), item.points, tuple(map(int, item.cards)))
        for item in tally.items
    ]
    return TallyView(tally.seat, tally.what, tuple(items))


def _pile_view(pile: Pile) -> PileView:
    return PileView(pile.name, pile.seat, _cards_as_bytes(pile.slots), pile.spread, pile.kind)


def _cards_as_bytes(slots: tuple[Slot, ...]) -> tuple[int, ...]:
    return tuple([int(slot.card) for slot in slots])


def _seat_view(stand: Standpoint, seat: Seat, cast: Cast, note: str) -> SeatView:
    position = stand.position
    entry, state = position.header.seats[seat], position.view
    if entry.side is None:
        plays = "computer"
    elif seat in position.taken_over:
        plays = "character"
    elif entry.side == position.side:
        plays = "you"
    else:
        plays = "away" if entry.side in stand.absent else "person"
    held = state.hands[seat]
    return SeatView(
        seat=seat,
        name=player_name(position, seat, cast),
        character=character_name(cast, entry.character),
        level=clean(entry.level, NAME),
        plays=plays,
        score=state.scores[seat],
        cards=len(held),
        known=tuple([int(card) for card in held.cards]),
        dealer=state.dealer == seat,
        to_act=position.phase is Phase.PLAY and seat in state.to_act,
        countdown=stand.countdown.get(seat),
        note=fill_in_names(note, position, cast),
        absence=_absence_text(position, seat, plays),
    )


def _absence_text(position: Position, seat: Seat, plays: str) -> str:
    if (takeover := position.taken_over.get(seat)) is not None:
        return absence_row_of(takeover.reason).value
    return Absence.CUT_OFF.value if plays == "away" else ""


def _waiting_for(position: Position, owing: tuple[Seat, ...], cast: Cast) -> str:
    if position.ended is not None:
        return position.ended.sentence
    if position.phase is Phase.PAUSED:
        return "a player to come back"
    if owing:
        return ", ".join(name_or_you(position, seat, cast) for seat in owing)
    if position.phase is Phase.CHECKS:
        checked = {0, position.side, *position.checked}  # mine went out with the opening
        unchecked = [name for side, name in enumerate(position.names) if side not in checked]
        for_what = "to look at the hand" if position.header.between_hands and position.dealt else "to confirm the deal"
        return f"{', '.join(unchecked)} {for_what}" if unchecked else "the deal"
    return "the dealer"


# --- what is chosen before a game ------------------------------------------------------------------------------------


def tell_game_chosen(game: AnyGame, options: Any, preset: str = "") -> list[Happening]:
    """The happenings of choosing a game with these options. preset: its preset, "" if unknown: then the nearest one is
    told, and each option that differs from it."""
    values = values_by_key(options)
    nearest = preset or nearest_preset(game, values)
    others = [] if preset else differing_keys(game, nearest, values)
    chosen = GameChosen(game.name, nearest, rules_in_brief(game, values))
    return [chosen, *[tell_option_set(game, options, key) for key in others]]


def tell_option_set(game: AnyGame, options: Any, key: str) -> OptionSet:
    """The happening of an option getting its present value."""
    effect = option_effect_text(game, values_by_key(options), key)
    if find_option(type(options), key).kind == "number":  # the first of what is told of it will do
        effect = f"{re.split('[;.](?: |$)', effect)[0]}."
    return OptionSet(key, getattr(options, key), effect)


def tell_options_changed(game: AnyGame, options: Any, before: Any) -> list[Happening]:
    """The happenings of changed options while the game stays: another preset, or single options."""
    values = values_by_key(options)
    changed = [key for key, value in values_by_key(before).items() if values[key] != value]
    if len(changed) > 1 and options in game.presets.values():
        return tell_game_chosen(game, options)
    return [tell_option_set(game, options, key) for key in changed]


# --- what a record means to the person of one side --------------------------------------------------------------------


def tell_game_started(position: Position, cast: Cast, met: Callable[[bytes], str] | None = None) -> GameStarted:
    """The happening of a game's start at this position. met: how the person with a key is known here, "" for one never
    met; given where a coordinator brings others to a listener's table."""
    names, header = _player_names(position, cast), position.header
    allowed = () if position.alone else assist_names(header.assists)
    sides, rules = _sides_by_name(position, names), _rules_text(position)
    others = [(name, side.key) for name, side in zip(position.names, header.sides, strict=True)]
    del others[position.side]
    brought = tuple([(name, met(key)) for name, key in others]) if met and len(others) > 1 else ()
    return GameStarted(position.game.name, names, sides, header.deal, allowed, rules, brought)


def tell_looking_on(position: Position, cast: Cast, *, behind: bool = False) -> LookingOn:
    """The happening of joining as an onlooker, during a game. behind: without a seat in the next one."""
    names = _player_names(position, cast)
    sides, rules = _sides_by_name(position, names), _rules_text(position)
    return LookingOn(position.game.name, position.state.hand, names, sides, rules, behind)


def tell_seats_changed(position: Position, before: Position | None, cast: Cast) -> SeatsChanged:
    """The happening of a log that continues a game. before: the end of the one that it continues, None if that was not
    seen here, which shows no changes."""
    now = _player_names(position, cast)
    then = _player_names(before, cast) if before is not None else now
    changes = [(one, other) for one, other in zip(now, then, strict=True) if one != other]
    return SeatsChanged(tuple(changes), position.hand_in_progress())


def tell_host_changed(position: Position, before: Position | None, *, handed: bool, again: bool) -> HostChanged:
    """The happening of a game that goes on from `before` at the table of another host. handed, again: as in
    `HostChanged`."""
    former = before.names[0] if before is not None else ""
    return HostChanged(position.names[0], former, handed, position.hand_in_progress(), again)


def _rules_text(position: Position) -> str:
    return preset_and_differences(position.game, values_by_key(position.state.options))


def tell_entry(before: Position, after: Position, entry: Entry, cast: Cast) -> list[Happening]:
    """The happenings of an entry that led from one position to the next, as told to the person here."""
    match entry:
        case DealEntry():
            return _tell_deal(before, after, cast)
        case TakeoverEntry(seat=seat, reason=reason):
            return [_tell_takeover(after, seat, reason, cast)]
        case ReturnEntry(seat=seat):
            return [_tell_return(before, seat, cast)]
        case AbsentEntry(side=side):
            return [PartMissing(after.names[side], side == after.side)]
        case PauseEntry():
            return [TablePaused(after.alone, _all_timed_out(after))]
        case ContinueEntry():
            return [TableResumed()]
        case UndoEntry() | RedealEntry() | RestartEntry() | SwapEntry() | FaceUpEntry():
            return [_tell_course(before, entry, cast)]
        case OpeningEntry():
            theirs = after.finding is Verdict.GOOD and not may_use_log(Use.PROVE, after)
            why = NEEDED[Use.PROVE].without if theirs else after.finding.sentence
            return [HandOpened(before.state.hand, may_use_log(Use.PROVE, after), why)]
        case CheckEntry(side=side, verdict=verdict):
            good = verdict is Verdict.GOOD
            return [] if good else [HandDisputed(after.names[side], after.opened, verdict.sentence)]
        case CloseEntry(reason=CloseReason.CONTINUED):
            return []  # told as the game goes on
        case CloseEntry(reason=reason):
            return [_tell_end(before, after, reason, cast)]
        case _:
            return _tell_event(before, after, cast)


def _player_names(position: Position, cast: Cast) -> tuple[str, ...]:
    return tuple([player_name(position, seat, cast) for seat in range(len(position.header.seats))])


def _sides_by_name(position: Position, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    sides = position.game.sides(position.view.options)
    return tuple([tuple([names[seat] for seat in side]) for side in sides])


def _all_timed_out(position: Position) -> bool:
    seats = [seat for seat, entry in enumerate(position.header.seats) if entry.side is not None]
    held = [position.taken_over.get(seat) for seat in seats]
    return all_timed_out([None if takeover is None else takeover.reason for takeover in held])


def _tell_takeover(after: Position, seat: int, reason: TakeoverReason, cast: Cast) -> Happening:
    character = character_name(cast, after.header.seats[seat].character)
    return SeatTakenOver(player_name(after, seat, cast), character, reason.sentence, seat == after.seat)


def _tell_return(before: Position, seat: int, cast: Cast) -> Happening:
    name, character = player_name(before, seat, cast), character_name(cast, before.header.seats[seat].character)
    if seat != before.seat:
        return SeatReturned(name, character, mine=False)
    takeover, hand = before.taken_over[seat], before.hand_in_progress()
    played = [step for step in before.steps if step.seat == seat and step.record > takeover.record]
    moves = [offered_words(before.game, step.before, seat, step.action) for step in played]
    return SeatReturned(name, character, True, tuple(moves), takeover.hand if takeover.hand < hand else 0)


def _tell_course(before: Position, entry: Agreed | Learning, cast: Cast) -> Happening:
    match entry:
        case UndoEntry():
            step, *answers = events_to_take_back(before)
            assert step.seat is not None
            mine = step.seat == before.seat
            told = [(player_name(before, one.seat or 0, cast), _called_words(one, before.game)) for one in answers]
            words = offered_words(before.game, step.before, step.seat, step.action)
            return TakenBack(player_name(before, step.seat, cast), words, mine, tuple(told))
        case RedealEntry(side=side):
            return HandGivenUp(before.names[side], side == before.side, before.alone)
        case RestartEntry():
            return HandRestarted()
        case SwapEntry(seat=seat):
            return HandsExchanged(player_name(before, seat, cast))
        case FaceUpEntry(up=up):
            return HandsTurned(up)


def _tell_deal(before: Position, after: Position, cast: Cast) -> list[Happening]:
    dealer = player_name(after, after.state.dealer or 0, cast)
    if after.state.hand == before.state.hand:
        remarks = _tell_remarks(before, after, cast)
        if after.state.dealer is None:
            return remarks  # players cut for it
        words = "" if remarks else " ".join(_newly_shown_cards(after.steps[-1], before, after, PUBLIC))
        return [*remarks, FirstDealerDrawn(words, dealer)]
    absent = tuple([after.names[side] for side in after.absent])
    return [
        HandDealt(after.state.hand, dealer, absent),
        *_tell_remarks(before, after, cast),
        *_tell_who_starts(before, after, cast),
    ]


def _tell_who_starts(before: Position, after: Position, cast: Cast) -> list[Happening]:
    """Who acts first after the deal, and who leads where that is decided later."""
    if len(after.state.to_act) != 1:
        return []
    (seat,) = after.state.to_act
    layout = after.layout
    dealt = after.state.hand != before.state.hand
    leads = seat == layout.leader and not (layout.trick or layout.last_trick)
    if (
        leads
        and may_play_card(after.game, after.view, seat)
        and (dealt or not may_play_card(before.game, before.view, seat))
    ):
        to = "trick" if layout.called == "trick" else "card"
        return [Starts(player_name(after, seat, cast), to, seat == after.seat)]
    return [Starts(player_name(after, seat, cast), "", seat == after.seat)] if dealt else []


def _tell_event(before: Position, after: Position, cast: Cast) -> list[Happening]:
    step = after.steps[-1]
    acted = None if step.seat is None else _tell_action(step, step.seat, before, after, cast)
    remarks = _tell_remarks(before, after, cast)
    happenings = [*([acted] if acted else []), *_tell_cards_that_came(before, after, acted)]
    if not acted and not remarks and (words := _newly_shown_cards(step, before, after, PUBLIC)):
        happenings.append(TurnedUp(" ".join(words)))
    taker = after.layout.taker
    if ends_trick(before.layout, after.layout) and taker is not None:
        happenings.append(TrickTaken(player_name(after, taker, cast), taker == after.seat))
    happenings += [*remarks, *_tell_who_starts(before, after, cast)]
    if before.state.dealer is None and after.state.dealer is not None:
        happenings.append(FirstDealerDrawn("", player_name(after, after.state.dealer, cast)))
    if after.state.stage in (Stage.DEAL, Stage.OVER) and after.state.sheet:
        sheet = sheet_view(after.state.hand, after.state.sheet)
        happenings.append(HandScored(_player_names(after, cast), after.game.sides(after.state.options), sheet))
    return happenings


def ends_trick(before: Layout, after: Layout) -> bool:
    """Return whether a trick was taken between the two layouts; the one before may have had equal cards, in packs with
    copies."""
    return bool(before.trick and not after.trick and after.last_trick)


def _tell_remarks(before: Position, after: Position, cast: Cast) -> list[Happening]:
    """The words said aloud about the event between two positions."""
    event = redact(after.steps[-1].shown, eyes_of_viewer(before.seat))
    return [
        Remarked(
            "" if remark.seat is None else player_name(after, remark.seat, cast),
            fill_in_names(remark.words, after, cast),
            remark.seat is not None and remark.seat == after.seat,
        )
        for remark in after.game.remarks(before.view, event, after.view)
    ]


def _tell_cards_that_came(before: Position, after: Position, acted: Acted | None) -> list[Happening]:
    """My new cards, unless the action that brought them names them."""
    if after.seat is None:
        return []
    hands = [one.view.hands[after.seat] for one in (before, after)]
    if hands[0] == hands[1]:
        return []
    held, now = [Counter(hand.cards) for hand in hands]
    named = cards_in_text(_action_with_cards(acted)) if acted and acted.mine else []
    came = [str(card) for card in (now - held).elements() if card not in named]
    return [CardsCame(" ".join(came))] if came else []


def _action_with_cards(acted: Acted) -> str:
    """The words of an action; the cards that it brings are added if it names none itself."""
    if acted.says:
        return acted.says
    return acted.words if len(acted.words.split()) > 1 else f"{acted.words} {acted.cards}"


def _tell_action(step: Step, seat: int, before: Position, after: Position, cast: Cast) -> Acted:
    mine = seat == after.seat
    action = step.action if mine else _public_action(step, after.game)
    cards = " ".join(_newly_shown_cards(step, before, after, eyes_of_viewer(before.seat))) if mine else ""
    says = fill_in_names(after.game.says(before.view, seat, action), after, cast)
    return Acted(player_name(after, seat, cast), seat, spell_action(action), cards, mine, says)


def _public_action(step: Step, game: AnyGame) -> Action:
    """The action as everyone sees it."""
    return game.private[type(step.action)](step.before) if step.commitment else step.action


def _called_words(step: Step, game: AnyGame) -> str:
    """The words of another player's action."""
    return offered_words(game, step.before, step.seat or 0, _public_action(step, game))


def _newly_shown_cards(step: Step, before: Position, after: Position, eyes: int) -> list[str]:
    """The cards that an event shows and this side's person didn't know, as words; of cards that the pack has twice,
    another copy counts as new."""
    known, now = [Counter(known_faces_in(view)) for view in (before.view, after.view)]
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
        return GameEnded(full_log_reason() if log_is_full(before) else reason.sentence)
    names = _player_names(after, cast)
    signed = {0, *after.checked}  # the coordinator by the closing entry itself
    return GameWon(
        names,
        after.state.scores,
        tuple([names[seat] for seat in after.state.winners]),
        tuple([name for side, name in enumerate(after.names) if side not in signed]),
        after.head.hex(),
    )
