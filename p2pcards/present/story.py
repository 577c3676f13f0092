"""What happened, in sentences: one for each `Happening`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import singledispatch
from typing import Any, TypeVar

from p2pcards.games.names import USUAL, preset_in_words
from p2pcards.games.options import value_text
from p2pcards.games.spelling import is_card_word, third_person
from p2pcards.present.cards import Style, count_text, with_cards, with_tens, words_text
from p2pcards.views.absence import Absence
from p2pcards.views.happenings import (
    Acted,
    ActionOutdated,
    ActionRefused,
    AgainAnswered,
    AlternativesExplained,
    CallProgress,
    CardsCame,
    CardsDistributed,
    CardsRecalled,
    CodeBurnt,
    CodeShown,
    DealsThrownAway,
    FirstDealerDrawn,
    GameBrokenOff,
    GameChosen,
    GameEnded,
    GameStarted,
    GameWithoutLog,
    GameWon,
    Gestured,
    HandAnalyzed,
    HandDealt,
    HandDisputed,
    HandGivenUp,
    HandOpened,
    HandRestarted,
    HandScored,
    HandsExchanged,
    HandsTurned,
    Happening,
    Hinted,
    LeftOutOfDeal,
    LongWaits,
    LookingOn,
    MeldsReviewed,
    Notice,
    Obvious,
    OptionSet,
    PartMissing,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    PlayerLost,
    Proposed,
    RedialAsked,
    RedialPlanned,
    Remarked,
    Said,
    SaidNo,
    SeatReturned,
    SeatTakenOver,
    ShuffledAnew,
    Starts,
    StrangeStandIn,
    TablePaused,
    TableResumed,
    TakenBack,
    TakenOverUntruly,
    TricksReviewed,
    TrickTaken,
    TurnedUp,
    Unfinished,
    Unreachable,
    WordsToCompare,
)
from p2pcards.views.tableview import MeldView
from p2pcards.wire.address import is_meeting, place_called
from p2pcards.wire.clean import clean
from p2pcards.wire.reasons import TakeoverReason

H = TypeVar("H", bound=Happening)
PLAIN = Style(ascii=True)
LONGEST = 500  # characters of a text
PEOPLE = ("name", "names", "winners", "unsigned", "dealer", "absent", "to", "takers", "seats")
"""Where a happening has the names of players."""


def story(happening: Happening, me: str = "", style: Style = PLAIN) -> str:
    """The sentence of a happening, with "you" for the player called `me`."""
    told = _cleaned(happening)
    return sentence(words_of(told, me, style), _people(told))


def sentence(text: str, names: Iterable[str] = ()) -> str:
    """With a capital at the start and a stop at the end; as in `capital`."""
    text = text.strip()
    if not text:
        return text
    return capital(text, names) + ("" if text[-1] in '.!?:"' else ".")


def capital(text: str, names: Iterable[str] = ()) -> str:
    """With a capital at the start, unless that is one of these names: a player is called as they call themselves."""
    if any(re.match(rf"{re.escape(name)}(?!\w)", text) for name in names if name):
        return text
    return text[:1].upper() + text[1:]


def countdown_text(name: str, character: str, seconds: float) -> str:
    """``Cy: granny takes over in 41 s``."""
    return f"{name}: {character} takes over in {max(0, round(seconds))} s"


def names_text(names: tuple[str, ...]) -> str:
    """``Ann, Bob and Cy``."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def _cleaned(happening: H) -> H:
    """The happening with every text in it made safe to show."""
    values = {field.name: getattr(happening, field.name) for field in fields(happening)}
    return replace(happening, **{name: _clean(value) for name, value in values.items()})


def _people(happening: Happening) -> list[str]:
    """The names of those whom a happening is about."""
    told = [getattr(happening, field.name) for field in fields(happening) if field.name in PEOPLE]
    return [name for one in told for name in ([one] if isinstance(one, str) else one)]


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value, LONGEST)
    return tuple([_clean(part) for part in value]) if isinstance(value, tuple) else value


# --- parts of sentences -----------------------------------------------------------------------------------------------


def _who(mine: bool, name: str, third: str, second: str) -> str:
    """``Bob plays`` or ``you play``."""
    return f"you {second}" if mine else f"{name} {third}"


def _of(mine: bool, name: str, words: str) -> str:
    """``Bob pegs 2`` or ``you peg 2`` for the words ``peg 2``."""
    verb, _, rest = words.partition(" ")
    rest = rest if mine else re.sub(r"(?<= and )(discard|lead)\b", lambda second: third_person(second[1]), rest)
    return f"{_who(mine, name, third_person(verb), verb)} {rest}".strip()


def _names(names: tuple[str, ...], me: str) -> tuple[str, ...]:
    return tuple(["you" if name == me else name for name in names])


def _seated(seats: tuple[str, ...], sides: tuple[tuple[str, ...], ...], me: str) -> str:
    order = names_text(_names(seats, me))
    against = " against ".join(names_text(_names(side, me)) for side in sides)
    return f"{against}. Clockwise: {order}" if sides else order


def _rules(told: str) -> str:
    """What holds, as sentences that follow another."""
    return f". {told}" if told else ""


def _why(why: str) -> str:
    why = why.rstrip(".")
    return f": {why[0].lower() if why[1:2].islower() else why[0]}{why[1:]}" if why else ""


def _span(seconds: float) -> str:
    return f"{max(1, round(seconds / 60))} min" if seconds >= 90 else f"{max(0, round(seconds))} s"


# --- a sentence a happening -------------------------------------------------------------------------------------------


@singledispatch
def words_of(happening: Happening, _me: str, _style: Style) -> str:
    """The sentence without capital and stop. me, style: as in `story`."""
    raise TypeError(f"{type(happening).__name__} has no sentence")


@words_of.register
def _(one: PlayerJoined, me: str, _style: Style) -> str:
    character = f" as {one.character}" if one.character else ""
    where = f" ({one.where})" if one.where else ""
    if one.hosts:
        return f"you joined {one.name}'s table{where}"
    if one.looks_on:
        return f"{one.name} joins{character}{where} to watch and can play in the next game"
    return f"{_who(one.name == me, one.name, 'joins', 'join')} the table{character}{where}"


@words_of.register
def _(one: PlayerLeft, me: str, _style: Style) -> str:
    return f"{'you' if one.name == me else one.name} left the table"


@words_of.register
def _(one: PlayerLost, _me: str, _style: Style) -> str:
    after = "" if one.seconds is None else f". {one.character or 'The computer'} takes over in {round(one.seconds)} s"
    return f"{one.name} is {Absence.CUT_OFF}{_why(one.why)}{after}"


@words_of.register
def _(one: Unfinished, _me: str, _style: Style) -> str:
    return (
        f"you have an unfinished game with {one.name}. To finish it, leave this table and run p2pcards resume. "
        f"Starting a new one abandons it, and {one.name} will see that"
    )


@words_of.register
def _(one: GameBrokenOff, _me: str, _style: Style) -> str:
    times = f". {one.name} has abandoned {one.times} games with you" if one.times > 1 else ""
    what = f"{one.name} is starting a new game, which abandons your unfinished game of {one.game}{times}"
    if not one.asks:
        return what
    return (
        f"{what}. The new game doesn't mention that: {one.name} may have lost the log, or may not have liked the "
        f"cards. Your program hung up on {one.name}. Type 'accept' to play on; your log will note it"
    )


@words_of.register
def _(one: DealsThrownAway, _me: str, _style: Style) -> str:
    return (
        f"{one.name} is starting a game, but has abandoned {one.times} deals with you in the past day, each after "
        f"they could have seen the cards. That's a way to fish for good ones. Your program hung up on {one.name}. Type "
        "'accept' to play on"
    )


@words_of.register
def _(one: LeftOutOfDeal, _me: str, _style: Style) -> str:
    what = f"{one.name} marked you absent and shuffled without you, though you're here and did your part"
    if not one.here:
        what = (
            f"{one.name} shuffled without you while you were cut off, though you'd already sent your part. It may "
            "have been lost on the way"
        )
    times = f" {one.name} has done this {one.times} times." if one.times > 1 else ""
    return (
        f"{what}. A dishonest host could swap decks that way.{times} Your log has the proof. Your program hung up on "
        f"{one.name}. Type 'accept' to play on"
    )


@words_of.register
def _(one: ShuffledAnew, _me: str, _style: Style) -> str:
    if not one.name:
        return (
            f"the cards were shuffled while you were away, so {one.host}'s program could know them all. Type 'accept' "
            "to play anyway, or 'leave'"
        )
    again = f" again ({count_text(one.times, 'time')} in this game)" if one.times > 1 else ""
    known = "someone you've never met" if not one.met else "someone you've met before"
    brought = f"{one.host} brought {one.name}, {known}"
    return (
        f"{one.name} dropped out{again}, so the cards are reshuffled. A dishonest host could swap decks that way, and "
        f"{brought}. Type 'accept' to play on"
    )


@words_of.register
def _(one: LongWaits, _me: str, _style: Style) -> str:
    waits = [f"{_at_most(one.cut_off)} for a player who is cut off"] if one.cut_off else []
    if one.turn != 0:
        waits.append("no time limit for a turn" if one.turn is None else f"{_at_most(one.turn)} for a turn")
    waits += [f"{_at_most(one.between_hands)} after each hand"] if one.between_hands else []
    return f"{one.name}'s table can be slow: {', '.join(waits)}"


def _at_most(seconds: int) -> str:
    many, unit = (seconds // 3600, "hour") if seconds % 3600 == 0 else (-(-seconds // 60), "minute")
    return f"up to {many} {unit}{'s' * (many != 1)}"


@words_of.register
def _(one: TakenOverUntruly, _me: str, _style: Style) -> str:
    return (
        f"{one.name} put a character in your seat, claiming that {one.why}. That isn't true. Your log notes it, and "
        "'p2pcards peers list' counts it"
    )


@words_of.register
def _(one: StrangeStandIn, _me: str, _style: Style) -> str:
    return (
        f"While you're away, {one.name}'s program would play for you with a computer player that yours can't check. "
        f"Use the same version of p2pcards as {one.name}, or type 'accept' to play anyway"
    )


@words_of.register
def _(one: GameWithoutLog, _me: str, _style: Style) -> str:
    return (
        f"{one.name} is resuming a game of {one.game} that you started, but its log isn't here, so you can't tell "
        f"whether {one.name} changed it. Your program hung up on {one.name}. Type 'accept' to trust their log; yours "
        "will note it"
    )


@words_of.register
def _(one: PlayerBack, me: str, _style: Style) -> str:
    return f"{_who(one.name == me, one.name, 'is', 'are')} back"


@words_of.register
def _(one: RedialPlanned, _me: str, _style: Style) -> str:
    return f"reconnecting to {one.name} in {round(one.seconds)} s ..."


@words_of.register
def _(one: RedialAsked, _me: str, _style: Style) -> str:
    return f"{one.name} was at {one.address}. Type 'redial' to call now, and again whenever the line drops in this game"


@words_of.register
def _(one: Unreachable, _me: str, _style: Style) -> str:
    where = place_called(one.address) if is_meeting(one.address) else f"to {one.address}"
    return f"can't connect {where}{_why(one.why)}"


@words_of.register
def _(one: CallProgress, _me: str, _style: Style) -> str:
    return one.text


@words_of.register
def _(one: Said, _me: str, _style: Style) -> str:
    return f'{"You say" if one.mine else f"{one.name} says"}: "{one.text}"'


@words_of.register
def _(one: Gestured, _me: str, _style: Style) -> str:
    return f"* {one.name} {one.text} *"


@words_of.register
def _(one: CodeShown, _me: str, _style: Style) -> str:
    told = f"code for new friends: {one.code} (works once, for {_span(one.seconds)})"
    return f"{told}. The link {one.link} includes it" if one.link else told


@words_of.register
def _(one: CodeBurnt, _me: str, _style: Style) -> str:
    return (
        f"someone entered a wrong code ({one.where}), so {one.code} no longer works. A friend who mistyped needs the "
        f"next one, coming in {_span(one.seconds)} if there's room"
    )


@words_of.register
def _(one: WordsToCompare, _me: str, _style: Style) -> str:
    return (
        f"compare these words with {one.name} by voice: {one.words}. If {one.name} has the same three, nobody is "
        "listening in; 'p2pcards peers trust' records that. If not, leave the table"
    )


@words_of.register
def _(one: GameChosen, _me: str, _style: Style) -> str:
    whose = f", {preset_in_words(one.preset)}" if one.preset not in ("", USUAL) else ""
    return f"next game: {one.game}{whose}{_rules(one.rules)}"


@words_of.register
def _(one: OptionSet, _me: str, _style: Style) -> str:
    return f"option {one.key} is now {value_text(one.value)}{_rules(one.effect)}"


@words_of.register
def _(one: GameStarted, me: str, _style: Style) -> str:
    allowed = f". Help allowed: {names_text(one.allowed)}" if one.allowed else ""
    deal = f". This is deal {one.deal}" if one.deal is not None else ""
    people = ", ".join([f"{name} ({MET[met]})" for name, met in one.met])
    here = f". At the table: {people}" if people else ""
    return f"{one.game} begins: {_seated(one.seats, one.sides, me)}{here}{deal}{allowed}{_rules(one.rules)}"


MET = {
    "": "never met",
    "first use": "met before",
    "code": "key confirmed",
    "trusted": "key confirmed",
}
"""How somebody's key is known."""


@words_of.register
def _(one: LookingOn, me: str, _style: Style) -> str:
    hand = f", hand {one.hand}" if one.hand else ""
    return (
        f"{one.game}{hand}: {_seated(one.seats, one.sides, me)}. You're watching, and can play in the next "
        f"game{_rules(one.rules)}"
    )


@words_of.register
def _(one: GameWon, me: str, _style: Style) -> str:
    winners = _names(one.winners, me)
    verb = "win" if "you" in winners or len(winners) > 1 else "wins"
    totals = zip(_names(one.names, me), one.totals, strict=True)
    scores = ", ".join([f"{name} {total}" for name, total in totals])
    unsigned = f". {names_text(one.unsigned)} didn't sign the result" if one.unsigned else ""
    won = "you" if winners == ("you",) else names_text(winners)
    return f"the game is over. {'You' if won == 'you' else won} {verb}: {scores}{unsigned}"


@words_of.register
def _(one: GameEnded, _me: str, _style: Style) -> str:
    return f"the game ended early{_why(one.why)}"


@words_of.register
def _(one: AgainAnswered, me: str, _style: Style) -> str:
    if one.yes:
        return f"{_who(one.name == me, one.name, 'wants', 'want')} to play again"
    return _who(one.name == me, one.name, "doesn't", "don't") + " want to play again"


@words_of.register
def _(one: FirstDealerDrawn, me: str, style: Style) -> str:
    mine = one.name == me
    deals = "deal first" if mine else "deals first"
    if not one.words:
        return f"{'you' if mine else one.name} {deals}"
    return f"{_who(mine, one.name, 'cuts', 'cut')} {words_text(one.words, style)} and {deals}"


@words_of.register
def _(one: HandDealt, me: str, _style: Style) -> str:
    without = f". Shuffled without {names_text(one.absent)}" if one.absent else ""
    return f"{_who(one.dealer == me, one.dealer, 'deals', 'deal')} hand {one.hand}{without}"


@words_of.register
def _(one: Starts, _me: str, _style: Style) -> str:
    if one.to == "trick":
        return f"{_who(one.mine, one.name, 'leads', 'lead')} to the first trick"
    if one.to == "card":
        return f"{_who(one.mine, one.name, 'plays', 'play')} first"
    return _who(one.mine, one.name, "goes first", "go first")


@words_of.register
def _(one: Acted, _me: str, style: Style) -> str:
    if one.says:
        return _of(one.mine, one.name, with_cards(one.says, style))
    words = one.words.split()
    silent = not words or is_card_word(words[0])
    verb = "play" if silent else words[0]
    cards = words if silent else words[1:]
    what = words_text(" ".join(cards or one.cards.split()), style)
    return f"{_who(one.mine, one.name, third_person(verb), verb)} {what}".strip()


@words_of.register
def _(one: Remarked, _me: str, style: Style) -> str:
    words = with_cards(one.words, style)
    return _of(one.mine, one.name, words) if one.name else words


@words_of.register
def _(one: CardsCame, _me: str, style: Style) -> str:
    return f"new in your hand: {words_text(one.cards, style)}"


@words_of.register
def _(one: TricksReviewed, _me: str, _style: Style) -> str:
    count = len(one.tricks)
    return f"{count} trick{'s' * (count != 1)} so far in this hand" if count else "no tricks yet in this hand"


@words_of.register
def _(one: CardsRecalled, _me: str, _style: Style) -> str:
    unseen = len(one.unseen.split())
    return f"you've seen {one.pack - unseen or 'none'} of {count_text(one.pack)} ({unseen or 'none'} unseen)"


@words_of.register
def _(one: CardsDistributed, _me: str, _style: Style) -> str:
    return f"where the {sum([len(cards.split()) for _, cards in one.places])} cards are:"


@words_of.register
def _(one: MeldsReviewed, _me: str, _style: Style) -> str:
    return f"{count_text(len(one.melds), 'meld')} so far in this hand"


@words_of.register
def _(one: AlternativesExplained, _me: str, _style: Style) -> str:
    if one.legal == 1:
        return "you have only one move"
    if not one.hands:
        return f"you have {one.legal} moves, an expert's choice first:"
    some = f"{one.weighed} of your {one.legal} moves" if one.weighed < one.legal else f"your {one.legal} moves"
    how = "played out, as all cards are known" if one.hands == 1 else f"{one.hands} simulated deals"
    return f"{some}, best first ({how}):"


@words_of.register
def _(_one: HandAnalyzed, _me: str, _style: Style) -> str:
    return "your hand:"


@words_of.register
def _(one: TurnedUp, _me: str, style: Style) -> str:
    return f"turned up: {words_text(one.words, style)}"


@words_of.register
def _(one: TrickTaken, _me: str, _style: Style) -> str:
    return f"{_who(one.mine, one.name, 'takes', 'take')} the trick"


@words_of.register
def _(one: HandScored, me: str, _style: Style) -> str:
    names, points = _names(one.names, me), one.sheet.points
    sides = one.sides or tuple([(seat,) for seat in range(len(names))])
    scored = [(names_text(tuple([names[seat] for seat in side])), points[side[0]]) for side in sides]
    changes = ", ".join([f"{name} {change:+d}" for name, change in scored if change])
    return f"hand {one.sheet.hand} is over: {changes or 'nobody scores'}"


@words_of.register
def _(one: HandOpened, _me: str, _style: Style) -> str:
    if one.proven:
        return f"hand {one.hand}: shuffle verified"
    return f"hand {one.hand}: can't verify the shuffle{_why(one.why)}"


@words_of.register
def _(one: HandDisputed, me: str, _style: Style) -> str:
    return f"{_who(one.name == me, one.name, 'disputes', 'dispute')} hand {one.hand}{_why(one.why)}"


@words_of.register
def _(one: SeatTakenOver, _me: str, _style: Style) -> str:
    who, whom = ("you", "you") if one.mine else (one.name, "them")
    if one.why == TakeoverReason.CLOCK_RAN_OUT.sentence:
        return f"{who} ran out of time, so {one.character} is playing for {whom}"
    if one.why == TakeoverReason.LINE_LOST.sentence:
        return f"{who} {'were' if one.mine else 'was'} cut off, so {one.character} is playing for {whom}"
    return f"{one.character} is playing for {'you' if one.mine else one.name}"


@words_of.register
def _(one: PartMissing, _me: str, _style: Style) -> str:
    whose = "your" if one.mine else f"{one.name}'s"
    return f"shuffling the next hand without {whose} part"


@words_of.register
def _(one: SeatReturned, _me: str, style: Style) -> str:
    return f"you're back. {_played(one, style)}" if one.mine else f"{one.name} is playing again"


MOVES_TOLD = 3
"""The latest moves of a character that are named to a player who is back."""


def _played(one: SeatReturned, style: Style) -> str:
    """What the character has done for the player at this end."""
    who, latest = one.character, one.moves[-MOVES_TOLD:]
    words = [words_text(move, style) for move in latest]
    listed = ", ".join(words)
    if len(one.moves) > len(latest):
        listed = f"{count_text(len(one.moves), 'move')}{'' if one.since else ' for you'}, the last: {listed}"
    if one.since:
        since = f"{who} has played for you since hand {one.since}"
        return f"{since}. In this hand: {listed}" if latest else since
    if not latest:
        return f"{who} made no moves"
    if len(one.moves) > len(latest):
        return f"{who} made {listed}"
    cards = all(is_card_word(move) for move in latest)
    return f"{who} played {names_text(tuple(words))} for you" if cards else f"{who} made these moves for you: {listed}"


@words_of.register
def _(one: TablePaused, _me: str, _style: Style) -> str:
    if one.alone:
        return "paused while you're away"
    return "paused: everyone timed out" if one.timed_out else "paused: everyone is away"


@words_of.register
def _(_one: TableResumed, _me: str, _style: Style) -> str:
    return "the game resumes"


@words_of.register
def _(one: Proposed, _me: str, _style: Style) -> str:
    what = "to deal this hand again" if one.redeal else f"to take back {'your' if one.mine else 'their'} last move"
    if one.mine:
        return f"you ask {what}. Everyone has to agree"
    return f"{one.name} asks {what}. Do you agree (yes or no)?"


@words_of.register
def _(one: SaidNo, _me: str, _style: Style) -> str:
    return f"{_who(one.mine, one.name, 'says', 'say')} no, so play continues"


@words_of.register
def _(one: TakenBack, _me: str, style: Style) -> str:
    what = f"{_who(one.mine, one.name, 'takes', 'take')} back: {words_text(one.words, style)}"
    answers = [f"{name} {words_text(words, style)}" for name, words in one.answers]
    return f"{what}. Also undone: {', '.join(answers)}" if answers else what


@words_of.register
def _(one: HandGivenUp, _me: str, _style: Style) -> str:
    if one.alone:
        return "you throw in this hand for a new deal"
    return f"this hand is thrown in for a new deal, as {'you' if one.mine else one.name} asked"


@words_of.register
def _(_one: HandRestarted, _me: str, _style: Style) -> str:
    return "this hand starts over with the same cards"


@words_of.register
def _(one: HandsExchanged, _me: str, _style: Style) -> str:
    return f"you swap hands with {one.name}"


@words_of.register
def _(one: HandsTurned, _me: str, _style: Style) -> str:
    return "everyone's cards are face up" if one.up else "only your own cards are face up"


TAKES = {True: "takes", False: "doesn't take"}


@words_of.register
def _(one: Hinted, _me: str, style: Style) -> str:
    lays = f": {clean(one.lays.what, LONGEST)}{_points(one.lays)}" if one.lays else ""
    aim = f", {with_cards(one.aim, style)}" if one.aim else ""
    takes = "" if one.takes is None or aim else f", which {TAKES[one.takes]} the trick"
    obvious = _obvious_text(one.obvious, style) if one.obvious else ""
    return f"suggested play: {_called(one.words, style)}{lays}{aim}{takes}{_then(one, style)}{obvious}"


def _called(words: str, style: Style) -> str:
    """What would be done; a card of it may have a comma behind it."""
    return with_cards(words_text(words, style), style)


SMALL = 0.05
"""Points that are told as none."""


def _obvious_text(one: Obvious, style: Style) -> str:
    """A sentence more: why not what others would have thought of."""
    play = f". The obvious play, {_called(one.words, style)},"
    if one.mishap:
        none = "none" if not one.here else str(one.here)
        return f"{play} would {one.mishap} in {one.times} of {one.hands} simulated deals, this one in {none}"
    worse = f"about {points_text(one.worse)}" if one.worse >= SMALL else "a little"
    return f"{play} is {worse} worse{f' on average ({one.hands} simulated deals)' if one.hands > 1 else ''}"


def points_text(points: float) -> str:
    """``2.3 points``, ``1 point``, ``14 points``."""
    number = f"{points:.0f}" if points >= 9.95 else f"{points:.1f}".removesuffix(".0")
    return f"{number} point{'s' * (number != '1')}"


def _then(one: Hinted, style: Style) -> str:
    """The meld that a trick is worth taking for."""
    if one.then is None:
        return ""
    when = "and then you can" if one.takes else "and if you take the trick you can"
    return f", {when} meld {clean(one.then.what, LONGEST)} ({words_text(one.then.cards, style)}){_points(one.then)}"


def _points(meld: MeldView) -> str:
    return f", {meld.points} points" if meld.points else ""


@words_of.register
def _(one: ActionRefused, _me: str, style: Style) -> str:
    return (
        f"the host's program rejects {words_text(one.words, style)}{with_tens(_why(one.why))}. You signed that move, "
        "so you can't make another. Wait until your time is up and your character plays for you, or leave"
    )


@words_of.register
def _(one: ActionOutdated, _me: str, style: Style) -> str:
    return f"the table changed before {words_text(one.words, style)} went through. Enter it again if you still want to"


@words_of.register
def _(one: Notice, _me: str, _style: Style) -> str:
    return one.text
