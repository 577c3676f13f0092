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
from p2pcards.games.wording import join_with_and, quantity_text
from p2pcards.present.cards import Style, action_text, count_text, draw_cards_in_text, tens_as_numbers
from p2pcards.views import happenings
from p2pcards.views.absence import Absence
from p2pcards.views.tableview import MeldView
from p2pcards.wire.address import is_meeting, place_called
from p2pcards.wire.clean import clean
from p2pcards.wire.reasons import TakeoverReason

H = TypeVar("H", bound=happenings.Happening)
PLAIN = Style(ascii=True)
LONGEST = 500  # characters of a text
PEOPLE = (
    "name",
    "names",
    "host",
    "former",
    "winners",
    "unsigned",
    "dealer",
    "absent",
    "to",
    "takers",
    "seats",
    "changes",
)
"""Where a happening has the names of players."""


def happening_sentence(happening: happenings.Happening, me: str = "", style: Style = PLAIN) -> str:
    """The sentence for a happening, with "you" for the player called `me`."""
    told = _clean_happening(happening)
    return as_sentence(happening_words(told, me, style), _people_in(told))


ADDRESS_FIRST = re.compile(r"\w\S*[:./@]\w")
"""Matches a text that begins with an address, as `bob.example:8781` or `ws://bob.example`."""


def as_sentence(text: str, names: Iterable[str] = ()) -> str:
    """The text with a capital at the start and a period at the end; names: as in `capitalize_start`."""
    text = text.strip()
    if not text:
        return text
    return capitalize_start(text, names) + ("" if text[-1] in '.!?:"' else ".")


def capitalize_start(text: str, names: Iterable[str] = ()) -> str:
    """The text with a capital at the start, unless it begins with one of these names, which keep their spelling, or
    with an address."""
    if ADDRESS_FIRST.match(text) or any(re.match(rf"{re.escape(name)}(?!\w)", text) for name in names if name):
        return text
    return text[:1].upper() + text[1:]


def countdown_text(name: str, character: str, seconds: float) -> str:
    """``Cy: granny takes over in 41 s``."""
    return f"{name}: {character} takes over in {max(0, round(seconds))} s"


def _clean_happening(happening: H) -> H:
    """The happening with every text in it made safe to show."""
    values = {field.name: getattr(happening, field.name) for field in fields(happening)}
    return replace(happening, **{name: _clean_value(value) for name, value in values.items()})


def _people_in(happening: happenings.Happening) -> list[str]:
    """The names of the players in a happening."""
    return _names_in([getattr(happening, field.name) for field in fields(happening) if field.name in PEOPLE])


def _names_in(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [name for part in value for name in _names_in(part)]


def _clean_value(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value, LONGEST)
    return tuple([_clean_value(part) for part in value]) if isinstance(value, tuple) else value


# --- parts of sentences -----------------------------------------------------------------------------------------------


def _subject_verb(mine: bool, name: str, third: str, second: str) -> str:
    """``Bob plays`` or ``you play``."""
    return f"you {second}" if mine else f"{name} {third}"


def _subject_action(mine: bool, name: str, words: str) -> str:
    """``Bob pegs 2`` or ``you peg 2`` for the words ``peg 2``."""
    verb, _, rest = words.partition(" ")
    rest = rest if mine else re.sub(r"(?<= and )(discard|lead)\b", lambda second: third_person(second[1]), rest)
    return f"{_subject_verb(mine, name, third_person(verb), verb)} {rest}".strip()


def _names_or_you(names: tuple[str, ...], me: str) -> tuple[str, ...]:
    return tuple(["you" if name == me else name for name in names])


def _seating_text(seats: tuple[str, ...], sides: tuple[tuple[str, ...], ...], me: str) -> str:
    order = join_with_and(_names_or_you(seats, me))
    against = " against ".join(join_with_and(_names_or_you(side, me)) for side in sides)
    return f"{against}. Clockwise: {order}" if sides else order


def _rules_sentences(told: str) -> str:
    """The rules in force, as sentences."""
    return f". {told}" if told else ""


def _reason_text(why: str) -> str:
    why = why.rstrip(".")
    return f": {why[0].lower() if why[1:2].islower() else why[0]}{why[1:]}" if why else ""


def _duration_text(seconds: float) -> str:
    return f"{max(1, round(seconds / 60))} min" if seconds >= 90 else f"{max(0, round(seconds))} s"


# --- a sentence a happening -------------------------------------------------------------------------------------------


@singledispatch
def happening_words(happening: happenings.Happening, _me: str, _style: Style) -> str:
    """The sentence for a happening, without capital and period. me, style: as in `happening_sentence`."""
    raise TypeError(f"{type(happening).__name__} has no sentence")


@happening_words.register
def _(one: happenings.PlayerJoined, me: str, _style: Style) -> str:
    character = f" as {one.character}" if one.character else ""
    where = f" ({one.where})" if one.where else ""
    if one.hosts:
        return f"you joined {one.name}'s table{where}"
    if one.looks_on:
        return f"{one.name} joins{character}{where} to watch and can play in the next game"
    return f"{_subject_verb(one.name == me, one.name, 'joins', 'join')} the table{character}{where}"


@happening_words.register
def _(one: happenings.PlayerLeft, me: str, _style: Style) -> str:
    return f"{'you' if one.name == me else one.name} left the table"


@happening_words.register
def _(one: happenings.PlayerLost, _me: str, _style: Style) -> str:
    when = "" if one.seconds is None or round(one.seconds) == 0 else f" in {round(one.seconds)} s"
    after = "" if one.seconds is None else f". {one.character or 'The computer'} takes over{when}"
    return f"{one.name} is {Absence.CUT_OFF}{_reason_text(one.why)}{after}"


@happening_words.register
def _(one: happenings.Unfinished, _me: str, _style: Style) -> str:
    return (
        f"you have an unfinished game with {one.name}. To finish it, leave this table and run p2pcards resume. "
        f"Starting a new one abandons it, and {one.name} will see that"
    )


@happening_words.register
def _(one: happenings.GameBrokenOff, _me: str, _style: Style) -> str:
    times = f". {one.name} has abandoned {one.times} games with you" if one.times > 1 else ""
    what = f"{one.name} is starting a new game, which abandons your unfinished game of {one.game}{times}"
    if not one.asks:
        return what
    return (
        f"{what}. The new game doesn't mention that: {one.name} may have lost the log, or may not have liked the "
        f"cards. Your program hung up on {one.name}. Type 'accept' to play on; your log will note it"
    )


@happening_words.register
def _(one: happenings.DealsThrownAway, _me: str, _style: Style) -> str:
    return (
        f"{one.name} is starting a game, but has abandoned {one.times} deals with you in the past day, each after "
        f"they could have seen the cards. That's a way to fish for good ones. Your program hung up on {one.name}. Type "
        "'accept' to play on"
    )


@happening_words.register
def _(one: happenings.LeftOutOfDeal, _me: str, _style: Style) -> str:
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


@happening_words.register
def _(one: happenings.ShuffledAnew, _me: str, _style: Style) -> str:
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


@happening_words.register
def _(one: happenings.LongWaits, _me: str, _style: Style) -> str:
    waits = [f"{_at_most_text(one.cut_off)} for a player who is cut off"] if one.cut_off else []
    if one.turn != 0:
        waits.append("no time limit for a turn" if one.turn is None else f"{_at_most_text(one.turn)} for a turn")
    waits += [f"{_at_most_text(one.between_hands)} after each hand"] if one.between_hands else []
    return f"{one.name}'s table can be slow: {', '.join(waits)}"


def _at_most_text(seconds: int) -> str:
    many, unit = (seconds // 3600, "hour") if seconds % 3600 == 0 else (-(-seconds // 60), "minute")
    return f"up to {quantity_text(many, unit)}"


@happening_words.register
def _(one: happenings.TakenOverUntruly, _me: str, _style: Style) -> str:
    return (
        f"{one.name} put a character in your seat, claiming that {one.why}. That isn't true. Your log notes it, and "
        "'p2pcards peers list' counts it"
    )


@happening_words.register
def _(one: happenings.StrangeStandIn, _me: str, _style: Style) -> str:
    return (
        f"While you're away, {one.name}'s program would play for you with a computer player that yours can't check. "
        f"Use the same version of p2pcards as {one.name}, or type 'accept' to play anyway"
    )


@happening_words.register
def _(one: happenings.GameWithoutLog, _me: str, _style: Style) -> str:
    return (
        f"{one.name} is resuming a game of {one.game} that you started, but its log isn't here, so you can't tell "
        f"whether {one.name} changed it. Your program hung up on {one.name}. Type 'accept' to trust their log; yours "
        "will note it"
    )


@happening_words.register
def _(one: happenings.PlayerBack, me: str, _style: Style) -> str:
    return f"{_subject_verb(one.name == me, one.name, 'is', 'are')} back"


@happening_words.register
def _(one: happenings.RedialPlanned, _me: str, _style: Style) -> str:
    return f"reconnecting to {one.name} in {round(one.seconds)} s ..."


@happening_words.register
def _(one: happenings.RedialAsked, _me: str, _style: Style) -> str:
    return f"{one.name} was at {one.address}. Type 'redial' to call now, and again whenever the line drops in this game"


@happening_words.register
def _(one: happenings.Unreachable, _me: str, _style: Style) -> str:
    where = place_called(one.address) if is_meeting(one.address) else f"to {one.address}"
    return f"can't connect {where}{_reason_text(one.why)}"


@happening_words.register
def _(one: happenings.CallProgress, _me: str, _style: Style) -> str:
    return one.text


@happening_words.register
def _(one: happenings.Said, _me: str, _style: Style) -> str:
    return f'{"You say" if one.mine else f"{one.name} says"}: "{one.text}"'


@happening_words.register
def _(one: happenings.Gestured, _me: str, _style: Style) -> str:
    return f"* {one.name} {one.text} *"


@happening_words.register
def _(one: happenings.CodeShown, _me: str, _style: Style) -> str:
    told = f"code for new friends: {one.code} (works once, for {_duration_text(one.seconds)})"
    return f"{told}. The link {one.link} includes it" if one.link else told


@happening_words.register
def _(one: happenings.CodeBurnt, _me: str, _style: Style) -> str:
    return (
        f"someone entered a wrong code ({one.where}), so {one.code} no longer works. A friend who mistyped needs the "
        f"next one, coming in {_duration_text(one.seconds)} if there's room"
    )


@happening_words.register
def _(one: happenings.WordsToCompare, _me: str, _style: Style) -> str:
    return (
        f"compare these words with {one.name} by voice: {one.words}. If {one.name} has the same three, nobody is "
        "listening in; 'p2pcards peers trust' records that. If not, leave the table"
    )


@happening_words.register
def _(one: happenings.GameChosen, _me: str, _style: Style) -> str:
    whose = f", {preset_in_words(one.preset)}" if one.preset not in ("", USUAL) else ""
    return f"next game: {one.game}{whose}{_rules_sentences(one.rules)}"


@happening_words.register
def _(one: happenings.OptionSet, _me: str, _style: Style) -> str:
    return f"option {one.key} is now {value_text(one.value)}{_rules_sentences(one.effect)}"


@happening_words.register
def _(one: happenings.GameStarted, me: str, _style: Style) -> str:
    allowed = f". Help allowed: {join_with_and(one.allowed)}" if one.allowed else ""
    deal = f". This is deal {one.deal}" if one.deal is not None else ""
    people = ", ".join([f"{name} ({MET[met]})" for name, met in one.met])
    here = f". At the table: {people}" if people else ""
    seating, rules = _seating_text(one.seats, one.sides, me), _rules_sentences(one.rules)
    return f"{one.game} begins: {seating}{here}{deal}{allowed}{rules}"


MET = {
    "": "never met",
    "first use": "met before",
    "code": "key confirmed",
    "trusted": "key confirmed",
}
"""How somebody's key is known."""


@happening_words.register
def _(one: happenings.LookingOn, me: str, _style: Style) -> str:
    hand = f", hand {one.hand}" if one.hand else ""
    until = "" if one.behind else " until the host seats you or the next game begins"
    seats = _seating_text(one.seats, one.sides, me)
    return f"{one.game}{hand}: {seats}. You're watching{until}{_rules_sentences(one.rules)}"


@happening_words.register
def _(one: happenings.SeatsChanged, me: str, _style: Style) -> str:
    told = [
        f"you take over from {then}" if now == me else f"{now} takes over from {'you' if then == me else then}"
        for now, then in one.changes
    ]
    names = [name for change in one.changes for name in change]
    return ". ".join([*[capitalize_start(text, names) for text in told], f"Hand {one.hand} is next"])


@happening_words.register
def _(one: happenings.HostChanged, me: str, _style: Style) -> str:
    host = "you host" if one.host == me else f"{one.host} hosts"
    hand = f"hand {one.hand} is {'dealt again' if one.again else 'next'}"
    if one.handed or not one.former:
        return f"{host} now. {capitalize_start(hand, ())}"
    now = f"{capitalize_start(host, (one.host,))} now; {hand}"
    return f"{one.former}'s machine is gone. {now}. {one.former} can come back any time"


@happening_words.register
def _(one: happenings.GameWon, me: str, _style: Style) -> str:
    winners = _names_or_you(one.winners, me)
    verb = "win" if "you" in winners or len(winners) > 1 else "wins"
    totals = zip(_names_or_you(one.names, me), one.totals, strict=True)
    scores = ", ".join([f"{name} {total}" for name, total in totals])
    unsigned = f". {join_with_and(one.unsigned)} didn't sign the result" if one.unsigned else ""
    won = "you" if winners == ("you",) else join_with_and(winners)
    return f"the game is over. {'You' if won == 'you' else won} {verb}: {scores}{unsigned}"


@happening_words.register
def _(one: happenings.GameEnded, _me: str, _style: Style) -> str:
    return f"the game ended early{_reason_text(one.why)}"


@happening_words.register
def _(one: happenings.AgainAnswered, me: str, _style: Style) -> str:
    if one.yes:
        return f"{_subject_verb(one.name == me, one.name, 'wants', 'want')} to play again"
    return _subject_verb(one.name == me, one.name, "doesn't", "don't") + " want to play again"


@happening_words.register
def _(one: happenings.FirstDealerDrawn, me: str, style: Style) -> str:
    mine = one.name == me
    deals = "deal first" if mine else "deals first"
    if not one.words:
        return f"{'you' if mine else one.name} {deals}"
    return f"{_subject_verb(mine, one.name, 'cuts', 'cut')} {action_text(one.words, style)} and {deals}"


@happening_words.register
def _(one: happenings.HandDealt, me: str, _style: Style) -> str:
    without = f". Shuffled without {join_with_and(one.absent)}" if one.absent else ""
    return f"{_subject_verb(one.dealer == me, one.dealer, 'deals', 'deal')} hand {one.hand}{without}"


@happening_words.register
def _(one: happenings.Starts, _me: str, _style: Style) -> str:
    if one.to == "trick":
        return f"{_subject_verb(one.mine, one.name, 'leads', 'lead')} to the first trick"
    if one.to == "card":
        return f"{_subject_verb(one.mine, one.name, 'plays', 'play')} first"
    return _subject_verb(one.mine, one.name, "goes first", "go first")


@happening_words.register
def _(one: happenings.Acted, _me: str, style: Style) -> str:
    if one.says:
        return _subject_action(one.mine, one.name, draw_cards_in_text(one.says, style))
    words = one.words.split()
    silent = not words or is_card_word(words[0])
    verb = "play" if silent else words[0]
    cards = words if silent else words[1:]
    what = action_text(" ".join(cards or one.cards.split()), style)
    return f"{_subject_verb(one.mine, one.name, third_person(verb), verb)} {what}".strip()


@happening_words.register
def _(one: happenings.Remarked, _me: str, style: Style) -> str:
    words = draw_cards_in_text(one.words, style)
    return _subject_action(one.mine, one.name, words) if one.name else words


@happening_words.register
def _(one: happenings.CardsCame, _me: str, style: Style) -> str:
    return f"new in your hand: {action_text(one.cards, style)}"


@happening_words.register
def _(one: happenings.TricksReviewed, _me: str, _style: Style) -> str:
    count = len(one.tricks)
    return f"{quantity_text(count, 'trick')} so far in this hand" if count else "no tricks yet in this hand"


@happening_words.register
def _(one: happenings.CardsRecalled, _me: str, _style: Style) -> str:
    unseen = len(one.unseen.split())
    return f"you've seen {one.pack - unseen or 'none'} of {count_text(one.pack)} ({unseen or 'none'} unseen)"


@happening_words.register
def _(one: happenings.CardsDistributed, _me: str, _style: Style) -> str:
    return f"where the {sum([len(cards.split()) for _, cards in one.places])} cards are:"


@happening_words.register
def _(one: happenings.MeldsReviewed, _me: str, _style: Style) -> str:
    return f"{count_text(len(one.melds), 'meld')} so far in this hand"


@happening_words.register
def _(one: happenings.AlternativesExplained, _me: str, _style: Style) -> str:
    if one.legal == 1:
        return "you have only one move"
    if not one.hands:
        return f"you have {one.legal} moves, an expert's choice first:"
    some = f"{one.weighed} of your {one.legal} moves" if one.weighed < one.legal else f"your {one.legal} moves"
    how = "played out, as all cards are known" if one.hands == 1 else f"{one.hands} simulated deals"
    return f"{some}, best first ({how}):"


@happening_words.register
def _(_one: happenings.HandAnalyzed, _me: str, _style: Style) -> str:
    return "your hand:"


@happening_words.register
def _(one: happenings.TurnedUp, _me: str, style: Style) -> str:
    return f"turned up: {action_text(one.words, style)}"


@happening_words.register
def _(one: happenings.TrickTaken, _me: str, _style: Style) -> str:
    return f"{_subject_verb(one.mine, one.name, 'takes', 'take')} the trick"


@happening_words.register
def _(one: happenings.HandScored, me: str, _style: Style) -> str:
    names, points = _names_or_you(one.names, me), one.sheet.points
    sides = one.sides or tuple([(seat,) for seat in range(len(names))])
    scored = [(join_with_and([names[seat] for seat in side]), points[side[0]]) for side in sides]
    changes = ", ".join([f"{name} {change:+d}" for name, change in scored if change])
    return f"hand {one.sheet.hand} is over: {changes or 'nobody scores'}"


@happening_words.register
def _(one: happenings.HandOpened, _me: str, _style: Style) -> str:
    if one.proven:
        return f"hand {one.hand}: shuffle verified"
    return f"hand {one.hand}: can't verify the shuffle{_reason_text(one.why)}"


@happening_words.register
def _(one: happenings.HandDisputed, me: str, _style: Style) -> str:
    return f"{_subject_verb(one.name == me, one.name, 'disputes', 'dispute')} hand {one.hand}{_reason_text(one.why)}"


@happening_words.register
def _(one: happenings.SeatTakenOver, _me: str, _style: Style) -> str:
    who, whom = ("you", "you") if one.mine else (one.name, "them")
    if one.why == TakeoverReason.CLOCK_RAN_OUT.sentence:
        return f"{who} ran out of time, so {one.character} is playing for {whom}"
    if one.why == TakeoverReason.LINE_LOST.sentence:
        return f"{who} {'were' if one.mine else 'was'} cut off, so {one.character} is playing for {whom}"
    return f"{one.character} is playing for {'you' if one.mine else one.name}"


@happening_words.register
def _(one: happenings.PartMissing, _me: str, _style: Style) -> str:
    whose = "your" if one.mine else f"{one.name}'s"
    return f"shuffling the next hand without {whose} part"


@happening_words.register
def _(one: happenings.SeatReturned, _me: str, style: Style) -> str:
    return f"you're back. {_character_play_text(one, style)}" if one.mine else f"{one.name} is playing again"


MOVES_TOLD = 3
"""The latest moves of a character that are named to a player who is back."""


def _character_play_text(one: happenings.SeatReturned, style: Style) -> str:
    """What the character did while it played for the player at this end."""
    who, latest = one.character, one.moves[-MOVES_TOLD:]
    words = [action_text(move, style) for move in latest]
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
    return f"{who} played {join_with_and(words)} for you" if cards else f"{who} made these moves for you: {listed}"


@happening_words.register
def _(one: happenings.TablePaused, _me: str, _style: Style) -> str:
    if one.alone:
        return "paused while you're away"
    return "paused: everyone timed out" if one.timed_out else "paused: everyone is away"


@happening_words.register
def _(_one: happenings.TableResumed, _me: str, _style: Style) -> str:
    return "the game resumes"


@happening_words.register
def _(one: happenings.Proposed, _me: str, _style: Style) -> str:
    what = "to deal this hand again" if one.redeal else f"to take back {'your' if one.mine else 'their'} last move"
    if one.mine:
        return f"you ask {what}. Everyone has to agree"
    return f"{one.name} asks {what}. Do you agree (yes or no)?"


@happening_words.register
def _(one: happenings.SaidNo, _me: str, _style: Style) -> str:
    return f"{_subject_verb(one.mine, one.name, 'says', 'say')} no, so play continues"


@happening_words.register
def _(one: happenings.TakenBack, _me: str, style: Style) -> str:
    what = f"{_subject_verb(one.mine, one.name, 'takes', 'take')} back: {action_text(one.words, style)}"
    answers = [f"{name} {action_text(words, style)}" for name, words in one.answers]
    return f"{what}. Also undone: {', '.join(answers)}" if answers else what


@happening_words.register
def _(one: happenings.HandGivenUp, _me: str, _style: Style) -> str:
    if one.alone:
        return "you throw in this hand for a new deal"
    return f"this hand is thrown in for a new deal, as {'you' if one.mine else one.name} asked"


@happening_words.register
def _(_one: happenings.HandRestarted, _me: str, _style: Style) -> str:
    return "this hand starts over with the same cards"


@happening_words.register
def _(one: happenings.HandsExchanged, _me: str, _style: Style) -> str:
    return f"you swap hands with {one.name}"


@happening_words.register
def _(one: happenings.HandsTurned, _me: str, _style: Style) -> str:
    return "everyone's cards are face up" if one.up else "only your own cards are face up"


TAKES = {True: "takes", False: "doesn't take"}


@happening_words.register
def _(one: happenings.Hinted, _me: str, style: Style) -> str:
    lays = f": {clean(one.lays.what, LONGEST)}{_meld_points(one.lays)}" if one.lays else ""
    aim = f", {draw_cards_in_text(one.aim, style)}" if one.aim else ""
    takes = "" if one.takes is None or aim else f", which {TAKES[one.takes]} the trick"
    obvious = _obvious_text(one.obvious, style) if one.obvious else ""
    advised, follows = _advised_action_text(one.words, style), _meld_to_follow(one, style)
    return f"suggested play: {advised}{lays}{aim}{takes}{follows}{obvious}"


def _advised_action_text(words: str, style: Style) -> str:
    return draw_cards_in_text(action_text(words, style), style)


SMALL = 0.05
"""Points that are told as none."""


def _obvious_text(one: happenings.Obvious, style: Style) -> str:
    """A further sentence: why not the obvious action."""
    play = f". The obvious play, {_advised_action_text(one.words, style)},"
    if one.mishap:
        none = "none" if not one.here else str(one.here)
        return f"{play} would {one.mishap} in {one.times} of {one.hands} simulated deals, this one in {none}"
    worse = f"about {points_text(one.worse)}" if one.worse >= SMALL else "a little"
    return f"{play} is {worse} worse{f' on average ({one.hands} simulated deals)' if one.hands > 1 else ''}"


def points_text(points: float) -> str:
    """``2.3 points``, ``1 point``, ``14 points``."""
    number = f"{points:.0f}" if points >= 9.95 else f"{points:.1f}".removesuffix(".0")
    return f"{number} point{'s' * (number != '1')}"


def _meld_to_follow(one: happenings.Hinted, style: Style) -> str:
    """The meld for which a trick is worth taking, "" for none."""
    if one.then is None:
        return ""
    when = "and then you can" if one.takes else "and if you take the trick you can"
    return (
        f", {when} meld {clean(one.then.what, LONGEST)} ({action_text(one.then.cards, style)}){_meld_points(one.then)}"
    )


def _meld_points(meld: MeldView) -> str:
    return f", {meld.points} points" if meld.points else ""


@happening_words.register
def _(one: happenings.ActionRefused, _me: str, style: Style) -> str:
    return (
        f"the host's program rejects {action_text(one.words, style)}{tens_as_numbers(_reason_text(one.why))}. "
        "You signed that move, so you can't make another. Wait until your time is up and your "
        "character plays for you, or leave"
    )


@happening_words.register
def _(one: happenings.ActionOutdated, _me: str, style: Style) -> str:
    return f"the table changed before {action_text(one.words, style)} went through. Enter it again if you still want to"


@happening_words.register
def _(one: happenings.Notice, _me: str, _style: Style) -> str:
    return one.text
