"""What happened, in sentences: one for each `Happening`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import singledispatch
from typing import Any, TypeVar

from p2pcards.games.names import preset_in_words
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
    """``Cy: 41 s until granny plays for them``."""
    return f"{name}: {max(0, round(seconds))} s until {character} plays for them"


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
    rest = rest if mine else rest.replace(" and lay ", " and lays ")
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
    if one.looks_on:
        return f"{one.name} comes to the table{character}{where} and looks on. They can have a seat from the next game"
    return f"{_who(one.name == me, one.name, 'sits', 'sit')} down at the table{character}{where}"


@words_of.register
def _(one: PlayerLeft, me: str, _style: Style) -> str:
    return f"{_who(one.name == me, one.name, 'has', 'have')} left the table for good"


@words_of.register
def _(one: PlayerLost, _me: str, _style: Style) -> str:
    after = "" if one.seconds is None else f". {one.character or 'The computer'} plays in {round(one.seconds)} s"
    return f"{one.name} is {Absence.CUT_OFF}{_why(one.why)}{after}"


@words_of.register
def _(one: Unfinished, _me: str, _style: Style) -> str:
    return (
        f"your game with {one.name} is not over. Leave this table, and 'p2pcards resume' goes on with it; a new game "
        f"breaks it off, and {one.name} is told so"
    )


@words_of.register
def _(one: GameBrokenOff, _me: str, _style: Style) -> str:
    times = f". {one.name} has broken off {one.times} games with you" if one.times > 1 else ""
    what = f"{one.name} begins another game and breaks off your game of {one.game}, which is not over{times}"
    if not one.asks:
        return what
    return (
        f"{what}. The new game does not say so. {one.name} may have lost the log, or not liked the cards. Your program "
        f"has hung up on {one.name}; say 'accept' to play on. Your log will note it"
    )


@words_of.register
def _(one: DealsThrownAway, _me: str, _style: Style) -> str:
    return (
        f"{one.name} begins a game, and has ended or broken off {one.times} with you within a day, each when its cards "
        "could be known. Somebody who does that may be looking for cards that suit. Your program has hung up on "
        f"{one.name}; say 'accept' to play on"
    )


@words_of.register
def _(one: LeftOutOfDeal, _me: str, _style: Style) -> str:
    what = f"{one.name} says that you are away and shuffles without your part, though you are here and have given it"
    if not one.here:
        what = (
            f"{one.name} shuffled without your part while your line was lost, though you had signed it before. It may "
            "have been lost with the line"
        )
    times = f" {one.name} has done so {one.times} times." if one.times > 1 else ""
    return (
        f"{what}. Somebody who does that can swap a pack they do not like for another.{times} Your log has your part, "
        f"signed. Your program has hung up on {one.name}; say 'accept' to play on"
    )


@words_of.register
def _(one: ShuffledAnew, _me: str, _style: Style) -> str:
    if not one.name:
        return (
            f"the cards were shuffled while you were away, so {one.host}'s program could know them all beforehand. Say "
            "'accept' to play on all the same, or 'leave'"
        )
    again = f" again ({count_text(one.times, 'time')} in this game)" if one.times > 1 else ""
    known = "whom you have never met" if not one.met else "whom you have met before"
    brought = f"{one.host} brought {one.name}, {known}"
    return (
        f"{one.name} dropped out{again}, so the cards are shuffled anew; a dishonest host could swap packs that way. "
        f"{brought}: say 'accept' to play on"
    )


@words_of.register
def _(one: LongWaits, _me: str, _style: Style) -> str:
    waits = [f"{_at_most(one.cut_off)} for a player who is cut off"] if one.cut_off else []
    if one.turn != 0:
        waits.append("as long as a player likes for a turn" if one.turn is None else f"{_at_most(one.turn)} for a turn")
    waits += [f"{_at_most(one.between_hands)} after each hand"] if one.between_hands else []
    return f"You may have to wait long at {one.name}'s table: {', '.join(waits)}"


def _at_most(seconds: int) -> str:
    many, unit = (seconds // 3600, "hour") if seconds % 3600 == 0 else (-(-seconds // 60), "minute")
    return f"up to {many} {unit}{'s' * (many != 1)}"


@words_of.register
def _(one: TakenOverUntruly, _me: str, _style: Style) -> str:
    return (
        f"{one.name} had your seat taken over because {one.why}, and that isn't so. Your log notes it, and "
        "'p2pcards peers list' counts it"
    )


@words_of.register
def _(one: StrangeStandIn, _me: str, _style: Style) -> str:
    return (
        f"When you are away {one.name}'s program would play for you as a player that yours does not have, so its moves "
        f"could not be checked. Use the same version of p2pcards as {one.name}, or say 'accept' to play all the same"
    )


@words_of.register
def _(one: GameWithoutLog, _me: str, _style: Style) -> str:
    return (
        f"{one.name} goes on with a game of {one.game} that you have begun, and of which there is no log here. It may "
        f"have been lost here; {one.name} could tell another end of it than you have seen. Your program has hung up on "
        f"{one.name}; say 'accept' to take the game as {one.name} tells it. Your log will note it"
    )


@words_of.register
def _(one: PlayerBack, me: str, _style: Style) -> str:
    return f"{_who(one.name == me, one.name, 'is', 'are')} back at the table"


@words_of.register
def _(one: RedialPlanned, _me: str, _style: Style) -> str:
    where, seconds = place_called(one.address), round(one.seconds)
    return f"{one.name} is called again {where} in {seconds} s, and then until somebody answers"


@words_of.register
def _(one: RedialAsked, _me: str, _style: Style) -> str:
    return (
        f"{one.name} was at {one.address}; to call that number again, in this game also by itself when the line is "
        "lost once more, say: redial"
    )


@words_of.register
def _(one: Unreachable, _me: str, _style: Style) -> str:
    where = place_called(one.address) if is_meeting(one.address) else f"to {one.address}"
    return f"no connection {where}{_why(one.why)}"


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
    told = f"first-time guests need this code: {one.code} (it works once, for {_span(one.seconds)})"
    return f"{told}; the link {one.link} has it" if one.link else told


@words_of.register
def _(one: CodeBurnt, _me: str, _style: Style) -> str:
    return (
        f"somebody gave a wrong code ({one.where}), so {one.code} is burnt; a new one comes in {_span(one.seconds)}, "
        "while there is room. A friend who mistyped needs that one"
    )


@words_of.register
def _(one: WordsToCompare, _me: str, _style: Style) -> str:
    return (
        f"compare with {one.name} by voice: {one.words}. If {one.name} has the same three words, nobody sits between "
        "you, and 'p2pcards peers trust' notes it; if not, leave the table"
    )


@words_of.register
def _(one: GameChosen, _me: str, _style: Style) -> str:
    whose = f", {preset_in_words(one.preset)}" if one.preset else ""
    return f"the game is {one.game}{whose}{_rules(one.rules)}"


@words_of.register
def _(one: OptionSet, _me: str, _style: Style) -> str:
    return f"the option {one.key} is now {value_text(one.value)}{_rules(one.effect)}"


@words_of.register
def _(one: GameStarted, me: str, _style: Style) -> str:
    allowed = f". Allowed to everybody: {names_text(one.allowed)}" if one.allowed else ""
    deal = f". This is deal {one.deal}" if one.deal is not None else ""
    people = ", ".join([f"{name} ({MET[met]})" for name, met in one.met])
    here = f". With you at the table: {people}" if people else ""
    return f"{one.game} begins: {_seated(one.seats, one.sides, me)}{here}{deal}{allowed}{_rules(one.rules)}"


MET = {
    "": "you have never met",
    "first use": "you have met before",
    "code": "key confirmed",
    "trusted": "key confirmed",
}
"""How somebody's key is known."""


@words_of.register
def _(one: LookingOn, me: str, _style: Style) -> str:
    hand = f", hand {one.hand}" if one.hand else ""
    return (
        f"{one.game} is on{hand}: {_seated(one.seats, one.sides, me)}. You look on, and see what everybody sees. "
        f"A seat can be had from the next game{_rules(one.rules)}"
    )


@words_of.register
def _(one: GameWon, me: str, _style: Style) -> str:
    winners = _names(one.winners, me)
    verb = "win" if "you" in winners or len(winners) > 1 else "wins"
    totals = zip(_names(one.names, me), one.totals, strict=True)
    scores = ", ".join([f"{name} {total}" for name, total in totals])
    unsigned = f". {names_text(one.unsigned)} did not sign the end" if one.unsigned else ""
    return f"the game is over, {names_text(winners)} {verb}: {scores}{unsigned}"


@words_of.register
def _(one: GameEnded, _me: str, _style: Style) -> str:
    return f"the game ended early{_why(one.why)}"


@words_of.register
def _(one: AgainAnswered, me: str, _style: Style) -> str:
    if one.yes:
        return f"{_who(one.name == me, one.name, 'wants', 'want')} to play again"
    return f"{_who(one.name == me, one.name, 'does', 'do')} not want to play again"


@words_of.register
def _(one: FirstDealerDrawn, me: str, style: Style) -> str:
    mine = one.name == me
    deals = "deal first" if mine else "deals first"
    if not one.words:
        return f"{'you' if mine else one.name} {deals}"
    return f"{_who(mine, one.name, 'cuts', 'cut')} {words_text(one.words, style)} and {deals}"


@words_of.register
def _(one: HandDealt, me: str, _style: Style) -> str:
    by = f" by {'you' if one.dealer == me else one.dealer}"
    verb = "have" if len(one.absent) > 1 else "has"
    without = f". {names_text(one.absent)} {verb} no part in the shuffle" if one.absent else ""
    return f"hand {one.hand} is dealt{by}{without}"


@words_of.register
def _(one: Starts, _me: str, _style: Style) -> str:
    if one.to == "trick":
        return f"{_who(one.mine, one.name, 'leads', 'lead')} to the first trick"
    if one.to == "card":
        return f"{_who(one.mine, one.name, 'plays', 'play')} first"
    return _who(one.mine, one.name, "begins", "begin")


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
    return f"{count} trick{'s' * (count != 1)} so far in this hand" if count else "no trick is over in this hand"


@words_of.register
def _(one: CardsRecalled, _me: str, _style: Style) -> str:
    unseen = len(one.unseen.split())
    return f"of {count_text(one.pack)} you have seen {one.pack - unseen or 'none'}, and not seen {unseen or 'none'}"


@words_of.register
def _(one: CardsDistributed, _me: str, _style: Style) -> str:
    return f"where the {sum([len(cards.split()) for _, cards in one.places])} cards of the pack are"


@words_of.register
def _(one: MeldsReviewed, _me: str, _style: Style) -> str:
    return f"{count_text(len(one.melds), 'meld')} so far in this hand"


@words_of.register
def _(one: AlternativesExplained, _me: str, _style: Style) -> str:
    if one.legal == 1:
        return "there is one thing that you can do"
    if not one.hands:
        return f"there are {one.legal} things that you can do. What an expert would do stands first"
    some = f"{one.weighed} of the {one.legal} things" if one.weighed < one.legal else f"the {one.legal} things"
    seen = "to the end of the hand, as all cards are known"
    how = seen if one.hands == 1 else f"in {one.hands} imagined hands"
    return f"an expert has weighed {some} that you can do, {how}; the best stands first"


@words_of.register
def _(_one: HandAnalyzed, _me: str, _style: Style) -> str:
    return "what is in your hand"


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
        return f"hand {one.hand}: deal verified"
    return f"hand {one.hand} stays unproven{_why(one.why)}"


@words_of.register
def _(one: HandDisputed, me: str, _style: Style) -> str:
    return f"{_who(one.name == me, one.name, 'says', 'say')} that hand {one.hand} does not fit{_why(one.why)}"


@words_of.register
def _(one: SeatTakenOver, _me: str, _style: Style) -> str:
    if one.why == TakeoverReason.CLOCK_RAN_OUT.sentence:
        who, whom = ("you", "you") if one.mine else (one.name, "them")
        return f"{who} ran out of time, so {one.character} is playing for {whom}"
    if one.mine:
        return f"{one.character} is playing for you{_why(one.why)}"
    return f"{one.character} plays for {one.name} from now on{_why(one.why)}"


@words_of.register
def _(one: PartMissing, _me: str, _style: Style) -> str:
    whose = "your" if one.mine else f"{one.name}'s"
    return f"the next hand is shuffled without {whose} part"


@words_of.register
def _(one: SeatReturned, _me: str, style: Style) -> str:
    return f"you are back. {_played(one, style)}" if one.mine else f"{one.name} plays for themselves again"


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
        return f"{since}; in this hand: {listed}" if latest else since
    if not latest:
        return f"{who} made no move for you"
    if len(one.moves) > len(latest):
        return f"{who} made {listed}"
    cards = all(is_card_word(move) for move in latest)
    return f"{who} played {names_text(tuple(words))} for you" if cards else f"{who} did this for you: {listed}"


@words_of.register
def _(one: TablePaused, _me: str, _style: Style) -> str:
    if one.alone:
        return "paused while you are away"
    return "paused: everyone timed out" if one.timed_out else "paused: everyone is away"


@words_of.register
def _(_one: TableResumed, _me: str, _style: Style) -> str:
    return "the game goes on"


@words_of.register
def _(one: Proposed, _me: str, _style: Style) -> str:
    what = "for this hand to be dealt again" if one.redeal else "to take back what they did last"
    if one.mine:
        return f"you ask {what.replace('they', 'you')}; everybody has to agree"
    return f"{one.name} asks {what}. Do you agree? Say 'yes' or 'no'"


@words_of.register
def _(one: SaidNo, _me: str, _style: Style) -> str:
    return f"{_who(one.mine, one.name, 'says', 'say')} no, so the hand goes on as it is"


@words_of.register
def _(one: TakenBack, _me: str, style: Style) -> str:
    what = f"{_who(one.mine, one.name, 'takes', 'take')} back: {words_text(one.words, style)}"
    answers = [f"{name} {words_text(words, style)}" for name, words in one.answers]
    return f"{what}, and with it the answers: {', '.join(answers)}" if answers else what


@words_of.register
def _(one: HandGivenUp, _me: str, _style: Style) -> str:
    if one.alone:
        return "you give this hand up; other cards are dealt"
    asked = f"{'you' if one.mine else one.name} asked and everybody agreed"
    return f"this hand is given up, as {asked}; other cards are dealt"


@words_of.register
def _(_one: HandRestarted, _me: str, _style: Style) -> str:
    return "the same cards are dealt again"


@words_of.register
def _(one: HandsExchanged, _me: str, _style: Style) -> str:
    return f"you and {one.name} have exchanged hands"


@words_of.register
def _(one: HandsTurned, _me: str, _style: Style) -> str:
    return "you see everybody's cards now" if one.up else "you see your own cards alone again"


@words_of.register
def _(one: Hinted, _me: str, style: Style) -> str:
    lays = f": {clean(one.lays.what, LONGEST)}{_points(one.lays)}" if one.lays else ""
    aim = f", {with_cards(one.aim, style)}" if one.aim else ""
    takes = "" if one.takes is None or aim else f", which {'takes' if one.takes else 'does not take'} the trick"
    obvious = _obvious_text(one.obvious, style) if one.obvious else ""
    return f"suggested play: {_called(one.words, style)}{lays}{aim}{takes}{_then(one, style)}{obvious}"


def _called(words: str, style: Style) -> str:
    """What would be done; a card of it may have a comma behind it."""
    return with_cards(words_text(words, style), style)


SMALL = 0.05
"""Points that are told as none."""


def _obvious_text(one: Obvious, style: Style) -> str:
    """A sentence more: why not what others would have thought of."""
    play = f". The obvious play, {_called(one.words, style)}, would"
    if one.mishap:
        none = "none" if not one.here else str(one.here)
        return f"{play} {one.mishap} in {one.times} of {one.hands} imagined hands, this one in {none}"
    worse = f"about {points_text(one.worse)}" if one.worse >= SMALL else "a little"
    return f"{play} come out {worse} worse{f' over {one.hands} imagined hands' if one.hands > 1 else ''}"


def points_text(points: float) -> str:
    """``2.3 points``, ``1 point``, ``14 points``."""
    number = f"{points:.0f}" if points >= 9.95 else f"{points:.1f}".removesuffix(".0")
    return f"{number} point{'s' * (number != '1')}"


def _then(one: Hinted, style: Style) -> str:
    """The meld that a trick is worth taking for."""
    if one.then is None:
        return ""
    when = "and then you may" if one.takes else "and if you take the trick you may"
    return f", {when} meld {clean(one.then.what, LONGEST)} ({words_text(one.then.cards, style)}){_points(one.then)}"


def _points(meld: MeldView) -> str:
    return f", {meld.points} points" if meld.points else ""


@words_of.register
def _(one: ActionRefused, _me: str, style: Style) -> str:
    return (
        f"the coordinator's program does not take {words_text(one.words, style)}{with_tens(_why(one.why))}. You have "
        "signed it, so nothing else can be played in its place: with two plays of yours they could take the one they "
        "like better. If the table does not go on, your character plays for you when your time is up; you can also "
        "leave"
    )


@words_of.register
def _(one: ActionOutdated, _me: str, style: Style) -> str:
    return (
        f"the table changed meanwhile; {words_text(one.words, style)} was not done, say it again if you still want it"
    )


@words_of.register
def _(one: Notice, _me: str, _style: Style) -> str:
    return one.text
