"""What a person is asked before a command of theirs goes to the table: the questions, their answers, what comes of
each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from p2pcards.frontend.completing import is_whole
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.pairing import partner_answers, partner_named, partner_question
from p2pcards.frontend.parting import meld_question, parting_question, staying
from p2pcards.frontend.words import WORDS
from p2pcards.games.options import Question
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import is_card_word
from p2pcards.present.cards import Style, words_text
from p2pcards.present.story import names_text
from p2pcards.views.commands import Command
from p2pcards.views.tableview import TableView


@dataclass(frozen=True, slots=True)
class Answered:
    """What comes of an answer. said: what the person is told; commands: what goes to the table then, in this order;
    again: it was none of the answers, and the question stands."""

    said: str = ""
    commands: tuple[Command, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class FirstQuestion:
    """wanted: whether somebody is asked who sits so. text: what is asked before this command, "" where nothing is.
    answers: what may be said. take: what comes of what was typed; the table may have changed since it was asked."""

    wanted: Callable[[Manner], bool]
    text: Callable[[Command, TableView, Style], str]
    answers: Callable[[TableView], tuple[str, ...]]
    take: Callable[[Command, TableView, str], Answered]


def first_question(command: Command, view: TableView, style: Style, manner: Manner) -> FirstQuestion | None:
    """What is asked before this command goes to the table, if anything."""
    asked = (one for one in _QUESTIONS.get(command.name, ()) if one.wanted(manner) and one.text(command, view, style))
    return next(asked, None)


# --- a yes to what was said -------------------------------------------------------------------------------------------


def _parting(command: Command, view: TableView, _style: Style) -> str:
    meant = not WORDS[command.name].works(view) or command.arguments == ("yes",)
    return "" if meant else parting_question(command.name, view)


def _breaking_up(command: Command, view: TableView, style: Style) -> str:
    return meld_question(command.arguments, view, style)


def _doing(command: Command, view: TableView, style: Style) -> str:
    """Nothing is asked about what the rules would refuse."""
    if view.phase != "play" or not is_whole(command.arguments, view.legal):
        return ""
    words = words_text(" ".join(command.arguments), style)
    verb = "Play " if is_card_word(command.arguments[0]) else ""
    return f"{verb}{words if verb else words[:1].upper() + words[1:]}? yes/no"


def _done_with_a_yes(command: Command, _view: TableView, answer: str) -> Answered:
    if answer.lower() in ("y", "yes"):
        return Answered(commands=(command,))
    return Answered("Nothing was done.")


def _yes_or_no(_view: TableView) -> tuple[str, ...]:
    return ("yes", "no")


def _only_with_a_yes(command: Command, _view: TableView, answer: str) -> Answered:
    if answer.lower() in ("y", "yes"):
        return Answered(commands=(command,))
    return Answered(staying(command.name))


# --- which of those here is my partner --------------------------------------------------------------------------------


def _pairing(_command: Command, view: TableView, _style: Style) -> str:
    return partner_question(view.pairing) if view.pairing else ""


def _start_paired(start: Command, view: TableView, answer: str) -> Answered:
    """Whoever has gone in the meantime is nobody's partner."""
    names = view.pairing
    if not names:
        return Answered(commands=(start,))
    named = partner_named(answer, names)
    if named is None:
        return Answered(f"It is one of {names_text(partner_answers(names))}.", again=True)
    return Answered(commands=(Command("partner", tuple(named.split())), start))


# --- what the rules leave open ----------------------------------------------------------------------------------------


def _left_open(view: TableView) -> Question | None:
    """What the chosen preset leaves to the players, who have not set it yet."""
    game = GAMES.get(view.game or "")
    return game.question if game and view.left_open else None


def _opening(_command: Command, view: TableView, _style: Style) -> str:
    question = _left_open(view)
    return question.text() if question else ""


def _open_answers(view: TableView) -> tuple[str, ...]:
    question = _left_open(view)
    return tuple(question.answers) if question else _yes_or_no(view)


def _start_with(start: Command, view: TableView, answer: str) -> Answered:
    """Enter is the value that stands there."""
    question = _left_open(view)
    if question is None:
        return Answered(commands=(start,))
    value = question.value(answer or str(dict(view.options)[question.key]))
    if value is None:
        return Answered(f"It is one of {question.letters}.", again=True)
    return Answered(commands=(Command("set", (question.key, value)), start))


# --- all of them ------------------------------------------------------------------------------------------------------

_PARTING = FirstQuestion(lambda _manner: True, _parting, _yes_or_no, _only_with_a_yes)
_BREAKING_UP = FirstQuestion(lambda manner: manner.ask_meldable, _breaking_up, _yes_or_no, _only_with_a_yes)
_DOING = FirstQuestion(lambda manner: manner.confirm, _doing, _yes_or_no, _done_with_a_yes)
_PAIRING = FirstQuestion(
    lambda manner: manner.asks, _pairing, lambda view: partner_answers(view.pairing), _start_paired
)
_OPENING = FirstQuestion(lambda manner: manner.asks, _opening, _open_answers, _start_with)

_QUESTIONS: Mapping[str, tuple[FirstQuestion, ...]] = {
    "leave": (_PARTING,),
    "end": (_PARTING,),
    "act": (_BREAKING_UP, _DOING),
    "start": (_PAIRING, _OPENING),
}
"""By command; the first that there is to ask is asked, and no other."""
