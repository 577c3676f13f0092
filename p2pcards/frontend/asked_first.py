"""What a person is asked before a command of theirs goes to the table, and before they leave it: what follows from
it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from p2pcards.cards.card import parse_card
from p2pcards.frontend.choosing import is_whole_action
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.words import WORDS
from p2pcards.games.options import Question
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import SIGNS, is_card_word
from p2pcards.games.wording import join_with_and
from p2pcards.present.cards import Style, action_text, card_text
from p2pcards.present.table import my_seat
from p2pcards.store.files import Home
from p2pcards.store.save_names import load_names
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.clean import clean

# --- what is asked before a game of partners --------------------------------------------------------------------------


NOBODY = "nobody"


def partner_question(names: Sequence[str]) -> str:
    """Build the question who should be the partner. names: the people to choose from."""
    if len(names) == 1:
        return f"Is {clean(names[0], 24)} your partner?"
    here = tuple([clean(name, 24) for name in names])
    return f"Who is your partner: {join_with_and(here)}?"


def partner_answer_list(names: Sequence[str]) -> tuple[str, ...]:
    """The offered answers to `partner_question`."""
    return ("yes", "no") if len(names) == 1 else (*[clean(name, 24) for name in names], NOBODY)


def parse_partner_answer(answer: str, names: Sequence[str]) -> str | None:
    """The chosen name; "none" for nobody or for Enter; None where the answer isn't understood."""
    said = answer.casefold()
    if len(names) == 1 and said in ("y", "yes"):
        return names[0]
    if said in ("", "n", "no", NOBODY):
        return "none"
    return next((name for name in names if clean(name, 24).casefold() == said), None)


# --- what is asked before somebody leaves a table, ends a game or breaks up a meld ------------------------------------


SEAT_KEPT = "Seat kept. To come back: p2pcards attach. To give it up: p2pcards leave."
TABLE_KEPT = "Table kept. To come back: p2pcards attach. To close it: p2pcards leave."


def closing_text(result: str, view: TableView) -> str:
    """The sentence shown after a front end has closed. result: "detached", "left" (for good) or "closed" (by the
    daemon)."""
    if result == "detached":
        return SEAT_KEPT if my_seat(view) is not None else TABLE_KEPT
    return "You left the table." if result == "left" else "The table is closed."


def leave_question(word: str, view: TableView) -> str:
    """Ask for confirmation before leaving or ending the game. word: "leave" or "end"."""
    others = any(person.link != "you" for person in view.people)
    if word == "end":
        return f"End the game{' for everyone' if others else ''}? The table stays open. yes/no"
    mine = my_seat(view)
    plays = f"{clean(mine.character, 24)} will play your seat." if mine else "The game continues without you."
    where = "" if view.phase == "play" else " the table"
    heirs = sum(person.link == "here" and person.seat is not None for person in view.people)
    return f"Leave{where} for good? {leaving_consequences(view.role, view.phase, others, plays, heirs)}yes/no"


def meld_question(words: Sequence[str], view: TableView, style: Style) -> str:
    """Ask for confirmation before playing a card of a meld that can still be made; "" where none is lost or nothing
    else can be played. words: the spelled action."""
    card = words[-1].translate(SIGNS) if words else ""
    played = len(words) == 1 or (len(words) == 2 and words[0].lower() == "play")
    if not played or not is_card_word(card) or len(view.legal) < 2:
        return ""
    found = str(parse_card(card))
    melds = [meld for meld in view.meldable if found in meld.cards.split()]
    if found not in view.legal or not melds:
        return ""
    best = max(melds, key=lambda meld: meld.points)
    meld = f"{clean(best.what)} ({best.points})"
    return f"{card_text(parse_card(card), style)} is part of a meld you can still make: {meld}. Play it? yes/no"


HEIRS = 2
"""The fewest players who can continue a game when its host leaves: one alone would play for nobody."""


def leaving_consequences(role: str, phase: str, others: bool, plays: str, heirs: int) -> str:
    """State in one sentence, with a trailing space, what happens to the game when the person leaves; "" for nothing.
    phase: as in `TableView`; plays: who plays a listener's seat; heirs: the number of those who could host then."""
    coordinates = role == "coordinator"
    if coordinates and phase == "play" and heirs >= HEIRS:
        return "The next player hosts, and this hand is dealt again. "
    if coordinates and others:
        ends = "the game ends for everyone (end keeps the table)" if phase == "play" else "it closes for everyone"
        return f"You're the host, so {ends}. "
    if phase != "play":
        return ""
    return "The game ends. " if coordinates else f"{plays} "


def not_leaving_text(command: str) -> str:
    """The answer when the person doesn't confirm the command "leave" or "end"."""
    return {"end": "OK, keep playing.", "act": "OK, you keep it."}.get(command, "OK, you stay.")


# --- what a person is asked before a command of theirs goes to the table ----------------------------------------------


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of answering a `FirstQuestion`."""

    said: str = ""  # shown to the person; "" for nothing
    commands: tuple[Command, ...] = ()  # sent to the table then, in order
    again: bool = False  # it was no valid answer, and the question stays open


@dataclass(frozen=True, slots=True)
class FirstQuestion:
    """A question put to the person before their command goes to the table."""

    wanted: Callable[[Manner], bool]  # a person with these settings is asked
    text: Callable[[Command, TableView, Style], str]  # the question about this command; "" if it needs none
    answers: Callable[[TableView], tuple[str, ...]]  # that may be typed
    # The result of the typed answer; the table may have changed since the question.
    take: Callable[[Command, TableView, str], Answered]


def question_before_command(command: Command, view: TableView, style: Style, manner: Manner) -> FirstQuestion | None:
    """The question to ask before this command goes to the table, None for most."""
    questions = (_save_name_question(manner.home),) if command.name == "save" else _QUESTIONS.get(command.name, ())
    asked = (one for one in questions if one.wanted(manner) and one.text(command, view, style))
    return next(asked, None)


# --- a yes to what was said -------------------------------------------------------------------------------------------


def _leave_question(command: Command, view: TableView, _style: Style) -> str:
    meant = not WORDS[command.name].works(view) or command.arguments == ("yes",)
    return "" if meant else leave_question(command.name, view)


def _lost_meld_question(command: Command, view: TableView, style: Style) -> str:
    return meld_question(command.arguments, view, style)


def _confirm_action_question(command: Command, view: TableView, style: Style) -> str:
    """Ask for confirmation of a legal action; "" for what the rules refuse anyway."""
    if view.phase != "play" or not is_whole_action(command.arguments, view.legal):
        return ""
    words = action_text(" ".join(command.arguments), style)
    verb = "Play " if is_card_word(command.arguments[0]) else ""
    return f"{verb}{words if verb else words[:1].upper() + words[1:]}? yes/no"


def _play_if_yes(command: Command, _view: TableView, answer: str) -> Answered:
    if answer.lower() in ("y", "yes"):
        return Answered(commands=(command,))
    return Answered("OK, not played.")


def _yes_no_answers(_view: TableView) -> tuple[str, ...]:
    return ("yes", "no")


def _leave_if_yes(command: Command, _view: TableView, answer: str) -> Answered:
    if answer.lower() in ("y", "yes"):
        return Answered(commands=(command,))
    return Answered(not_leaving_text(command.name))


# --- whether a game loses its name to this one ------------------------------------------------------------------------


def _save_name_question(home: Home | None) -> FirstQuestion:
    """The question before `save NAME` takes the name of another game. home: of the saved games, None where none are
    kept."""

    def text(save: Command, view: TableView, _style: Style) -> str:
        name = " ".join(save.arguments)
        other = load_names(home).called(name) if home else ""
        if other in ("", view.log) or view.phase != "play":
            return ""
        return f"The game {other} already has the name {name}. Give it to this one instead? yes/no"

    return FirstQuestion(lambda manner: manner.home is not None, text, _yes_no_answers, _save_if_yes)


def _save_if_yes(save: Command, _view: TableView, answer: str) -> Answered:
    if answer.lower() in ("y", "yes"):
        return Answered(commands=(Command("save", (*save.arguments, "yes")),))
    return Answered("OK, the other game keeps it.")


# --- which of those here is my partner --------------------------------------------------------------------------------


def _partner_question(_command: Command, view: TableView, _style: Style) -> str:
    return partner_question(view.pairing) if view.pairing else ""


def _start_with_partner(start: Command, view: TableView, answer: str) -> Answered:
    """Start the game with the answered partner; without one if no choice of partners is left."""
    names = view.pairing
    if not names:
        return Answered(commands=(start,))
    named = parse_partner_answer(answer, names)
    if named is None:
        return Answered(f"Type one of: {', '.join(partner_answer_list(names))}.", again=True)
    return Answered(commands=(Command("partner", tuple(named.split())), start))


# --- what the rules leave open ----------------------------------------------------------------------------------------


def _open_option(view: TableView) -> Question | None:
    """The rule option that the chosen preset leaves to the players, None once it is set."""
    game = GAMES.get(view.game or "")
    return game.question if game and view.left_open else None


def _open_option_question(_command: Command, view: TableView, _style: Style) -> str:
    question = _open_option(view)
    return question.text() if question else ""


def _open_option_answers(view: TableView) -> tuple[str, ...]:
    question = _open_option(view)
    return tuple(question.answers) if question else _yes_no_answers(view)


def _start_with_option(start: Command, view: TableView, answer: str) -> Answered:
    """Start the game with the answered value of the open option; Enter takes its present value."""
    question = _open_option(view)
    if question is None:
        return Answered(commands=(start,))
    value = question.value_typed(answer or str(dict(view.options)[question.key]))
    if value is None:
        return Answered(f"Type {question.letters}.", again=True)
    return Answered(commands=(Command("set", (question.key, value)), start))


# --- all of them ------------------------------------------------------------------------------------------------------

_PARTING = FirstQuestion(lambda _manner: True, _leave_question, _yes_no_answers, _leave_if_yes)
_BREAKING_UP = FirstQuestion(lambda manner: manner.check_meldable, _lost_meld_question, _yes_no_answers, _leave_if_yes)
_DOING = FirstQuestion(lambda manner: manner.confirm_plays, _confirm_action_question, _yes_no_answers, _play_if_yes)
_PAIRING = FirstQuestion(
    lambda manner: manner.asks, _partner_question, lambda view: partner_answer_list(view.pairing), _start_with_partner
)
_OPENING = FirstQuestion(lambda manner: manner.asks, _open_option_question, _open_option_answers, _start_with_option)

_QUESTIONS: Mapping[str, tuple[FirstQuestion, ...]] = {
    "leave": (_PARTING,),
    "end": (_PARTING,),
    "act": (_BREAKING_UP, _DOING),
    "start": (_PAIRING, _OPENING),
}
"""By command; the first that there is to ask is asked, and no other."""
