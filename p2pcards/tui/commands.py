"""What is said to the table from the screen: the lines of the line mode, with panels for what they ask and show."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from p2pcards.control.attached import AttachedTable, Refusal
from p2pcards.daemon.crew import beside
from p2pcards.frontend.asked_first import FirstQuestion, first_question
from p2pcards.frontend.guide_pages import address_asked
from p2pcards.frontend.looks import LOOKS, TAKE_LONG, Showing
from p2pcards.frontend.manner import Manner, beside_asked
from p2pcards.frontend.option_pages import NotTaken, can_change_rules
from p2pcards.frontend.record_pages import YES_NO, answer_saving, saving_question
from p2pcards.frontend.words import Local, NotUnderstood, for_table, moved_as, sorted_as, understand
from p2pcards.games.registry import UnknownGame
from p2pcards.present.cards import Arrangement, with_tens
from p2pcards.present.story import sentence
from p2pcards.views.tableview import Command
from p2pcards.wire.clean import clean

TITLES = {
    "score": "Scores",
    "who": "At the table",
    "last": "Last trick",
    "help": "Words",
    "guide": "Guide",
    "hall": "Hall of fame",
}


@dataclass(frozen=True, slots=True)
class Panels:
    """What the screen does for who says something: read shows lines under a title, ask returns one of the answers or
    "", both with the address of what the guide tells of it; guide opens the guide; told says a sentence, arrange
    changes the hand, part leaves the table, "detached" or "left" for good, song answers the word `song` with these
    arguments, options opens the settings, or with a key and a value changes one, mute leaves out what somebody says,
    beside says what stands beside the table, rules opens those of the next game."""

    read: Callable[[str, Sequence[str], str], None]
    ask: Callable[[str, Sequence[str], str], Awaitable[str]]
    guide: Callable[[str], None]
    told: Callable[[str, bool], None]
    arrange: Callable[[Arrangement], None]
    part: Callable[[str], Awaitable[None]]
    song: Callable[[Sequence[str]], str]
    options: Callable[[Sequence[str]], Awaitable[None]]
    mute: Callable[[Sequence[str]], None]
    beside: Callable[[str], None]
    rules: Callable[[], Awaitable[None]]


class Commands:
    """Says lines to one table, one after the other."""

    def __init__(
        self, table: AttachedTable, manner: Callable[[], Manner], present: Callable[[], Showing], panels: Panels
    ) -> None:
        self._table = table
        self._manner = manner
        self._present = present
        self._panels = panels

    async def say(self, line: str) -> None:
        """Whatever is wrong with a line is told in a sentence."""
        try:
            await self._do(line)
        except (NotUnderstood, NotTaken, Refusal, UnknownGame) as problem:
            self._panels.told(sentence(with_tens(clean(str(problem), 1000))), True)

    async def _do(self, line: str) -> None:
        now = self._present()
        typed = understand(line, now.view)
        if isinstance(typed, Local):
            await self._answer(typed, now)
        elif typed is not None:
            question = first_question(typed, now.view, now.style, self._manner())
            await (self._ask(typed, question) if question else self._carry_out(typed))

    async def _ask(self, command: Command, question: FirstQuestion) -> None:
        now = self._present()
        text = question.text(command, now.view, now.style)
        about = f"words#{command.name}"
        answer = await self._panels.ask(text.removesuffix(" yes/no"), question.answers(now.view), about)
        taken = question.take(command, self._present().view, answer or "no")
        if taken.said:
            self._panels.told(taken.said, False)
        if taken.again:
            await self._ask(command, question)
        for follows in taken.commands:
            await self._carry_out(follows)

    async def _carry_out(self, command: Command) -> None:
        if command.name == "leave":
            await self._part("left")
        else:
            await self._table.command(for_table(command))

    async def _part(self, result: str) -> None:
        """As `Panels.part`, once they have said what becomes of the scoreboard."""
        manner = self._manner()
        question = await beside(saving_question, self._present().view, manner)
        if question:
            answer = await self._panels.ask(question, YES_NO, "records#the-scoreboard")
            if not answer:
                self._panels.told("You stay.", False)
                return
            self._panels.told(await beside(answer_saving, manner, answer), False)
        await self._panels.part(result)

    async def _answer(self, word: Local, now: Showing) -> None:
        if word.name == "detach":
            await self._part("detached")
        elif word.name in ("sort", "move"):
            change = sorted_as if word.name == "sort" else moved_as
            self._panels.arrange(change(word.arguments, now.arrangement, now.view))
        elif word.name == "song":
            self._panels.told(self._panels.song(word.arguments), False)
        elif word.name == "mute":
            self._panels.mute(word.arguments)
        elif word.name == "beside":
            self._panels.beside(beside_asked(word.arguments))
        elif word.name == "config":
            await self._panels.options(word.arguments)
        elif word.name == "options" and not word.arguments and can_change_rules(now.view):
            await self._panels.rules()
        elif address := address_asked(word.name, word.arguments, now.view):
            self._panels.guide(address)
        else:
            title = TITLES.get(word.name, word.name.capitalize())
            look = partial(LOOKS[word.name], now, word.arguments)
            lines = await beside(look) if word.name in TAKE_LONG else look()
            self._panels.read(title, lines, f"words#{word.name}")
