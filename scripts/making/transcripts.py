"""The files of docs/transcripts: of every game one hand as a person sees it who plays it in plain lines.

The table and the line mode are the real ones; the socket between them is left out, so that nothing depends on time.
The person does what a novice would do. What they type stands behind the prompt.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial

import trio

from at_hand import TableAtHand
from p2pcards.cli.line import run_line_mode
from p2pcards.control.attached import Refusal
from p2pcards.control.messages import Happened
from p2pcards.frontend.manner import Manner
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import load_told
from p2pcards.present.cards import Style
from p2pcards.session.effects import CommandError
from p2pcards.views.tableview import Command, TableView
from rigs.shown import shown_of


def files() -> Mapping[str, Callable[[], str]]:
    """What makes every transcript, by its file name."""
    return {f"{key}-{preset}.txt": partial(transcript, key, preset) for key, preset in games_and_presets()}


def games_and_presets() -> Iterator[tuple[str, str]]:
    """Every game with its first preset, and presets that are games of their own."""
    for key, game in GAMES.items():
        yield key, next(iter(game.presets))
        yield from [(key, preset) for preset in load_told(key).apart]


def transcript(key: str, preset: str) -> str:
    """One hand, to its score."""
    return trio.run(_play, key, preset)


class AtTheLine:
    """A table at hand, as the line mode is attached to it."""

    def __init__(self, table: TableAtHand) -> None:
        self._table = table
        self._send, self._news = trio.open_memory_channel[TableView | Happened](10_000)
        self._go_on()

    async def command(self, command: Command) -> None:
        await trio.lowlevel.checkpoint()
        try:
            self._table.say(command)
        except CommandError as error:
            raise Refusal(str(error)) from None
        self._go_on()

    async def updates(self) -> AsyncIterator[TableView | Happened]:
        async for news in self._news:
            yield news

    def caught_up(self, everything: bool) -> None:
        """Nobody waits for that."""

    async def detach(self) -> None:
        self._send.close()

    def _go_on(self) -> None:
        for news in self._table.news():
            self._send.send_nowait(news)


class Paper(io.StringIO):
    """What is written, with what is typed behind the prompts. table: asked what to type; keyboard: where it goes."""

    def __init__(self, table: TableAtHand, keyboard: int) -> None:
        super().__init__()
        self._table = table
        self._keyboard = keyboard
        self._over = False

    def write(self, text: str) -> int:
        self._over |= re.search(r"^Hand \d+ is over", text, re.MULTILINE) is not None
        if not text.startswith(("your turn", "the game is over |")):
            return super().write(text)
        if self._over:  # a prompt can come again, when another has acted
            if self._keyboard >= 0:
                os.close(self._keyboard)
                self._keyboard = -1
            return super().write("")
        typed = self._table.suggestion()
        os.write(self._keyboard, f"{typed}\n".encode())
        return super().write(f"{text.rstrip()} {typed}\n")


async def _play(key: str, preset: str) -> str:
    source, keyboard = os.pipe()
    table = TableAtHand(key, preset, shown_of(key).seed)
    paper = Paper(table, keyboard)
    with os.fdopen(source) as lines:
        await run_line_mode(AtTheLine(table), Manner(), Style(), input=lines, output=paper, interactive=False)
    text = paper.getvalue()
    return text[: text.index("End of input.")]
