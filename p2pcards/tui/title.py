"""The title screen: what to do first. What is chosen is a command of the program, which is run when it has ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from textual import events, work
from textual.app import App, ComposeResult
from textual.screen import Screen

from p2pcards.frontend.guide_index import page_blocks
from p2pcards.present.pages import CONTENTS
from p2pcards.tui.appearance import Appearance
from p2pcards.tui.felt import Felt
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.panels import ChoicePanel, HelpAsked, LinePanel, ReadingPanel
from p2pcards.tui.picture.tiles import Title, draw_title, tiles_across
from p2pcards.tui.terminal import given_back, keep_through_stops

Choices = tuple[tuple[str, str], ...]
"""(what is meant, how it is shown)"""

BUTTONS = ("Listen", "Connect", "Dial", "Resume", "Tables", "Options", "Help", "Quit")
ABOUT = {
    "Connect": "friends#listening-and-connecting",
    "Dial": "friends#by-telephone",
    "Resume": "keeping",
    "Tables": "keeping#several-games-at-once",
    "Options": "settings",
}
"""What the guide tells of what a button asks for."""
ELSEWHERE, NEARBY = " ", "  "
"""None of those that are listed; whoever answers on this network. Nobody is called so."""


@dataclass(frozen=True, slots=True)
class TitleChoices:
    """What can be chosen from. games: keys and names; peers: whom we know, numbers: who is in the directory of
    telephone numbers; unfinished: logs; tables: those that are open; settings: keys, and with their values; values:
    those that a setting may have, where they are few."""

    games: Choices
    peers: Choices = ()
    numbers: Choices = ()
    unfinished: Choices = ()
    tables: Choices = ()
    settings: Choices = ()
    values: Mapping[str, tuple[str, ...]] | None = None


class TitleScreen(Screen[None]):
    """Ends the program with the words of a command, none where nothing is to be done any more."""

    def __init__(self, known: TitleChoices, appearance: Appearance) -> None:
        super().__init__()
        self._known = known
        self._appearance = appearance
        self._at = 0
        self._about = "games"
        self._deeds: Mapping[str, Callable[[], Awaitable[list[str] | None]]] = {
            "Listen": self._listen,
            "Connect": self._connect,
            "Dial": self._dial,
            "Resume": self._resume,
            "Tables": self._tables,
            "Options": self._options,
            "Help": self._help,
            "Quit": self._quit,
        }

    def compose(self) -> ComposeResult:
        yield Felt(self._appearance.palette)

    def on_mount(self) -> None:
        self.query_one(Felt).focus()

    def on_resize(self) -> None:
        self._paint()

    def on_key(self, event: events.Key) -> None:
        games, all_ = len(self._known.games), len(self._known.games) + len(BUTTONS)
        across = tiles_across(self.size.width)
        moves = {"left": -1, "right": 1, "up": -across, "down": across}
        letter = (event.character or "").upper()
        if event.key in moves:
            self._at = (self._at + moves[event.key]) % all_
            self._paint()
        elif event.key in ("enter", "space"):
            self._take(self._at)
        elif event.key in ("escape", "ctrl+c"):
            self.app.exit([])
        elif event.key in ("f1", "question_mark"):
            self.post_message(HelpAsked("menus#the-title-screen"))
        elif letter == "M" and self._at < games:
            self._more(self._at)
        else:
            place = next((place for place, label in enumerate(BUTTONS) if letter == label[0]), None)
            if place is None:
                return
            self._take(games + place)
        event.stop()

    def on_felt_pointed(self, event: Felt.Pointed) -> None:
        kind, _, number = event.zone.partition(" ")
        if not kind or event.zone != event.pressed:
            return
        self._at = int(number) + (len(self._known.games) if kind == "button" else 0)
        self._paint()
        if kind == "game" and event.right:
            self._more(self._at)
        else:
            self._take(self._at)

    def _take(self, place: int) -> None:
        games = self._known.games
        if place < len(games):
            self.app.exit(["play", games[place][0]])
        else:
            self._do(BUTTONS[place - len(games)])

    @work
    async def _do(self, label: str) -> None:
        self._about = ABOUT.get(label, "menus#the-title-screen")
        words = await self._deeds[label]()
        if words is not None:
            self.app.exit(words)

    @work
    async def _more(self, place: int) -> None:
        """What there is to do with one game."""
        key, name = self._known.games[place]
        self._about = f"rules/{key}"
        saved = [(f"resume {log}", f"go on with {shown}") for log, shown in self._known.unfinished if f"-{key}-" in log]
        usual = [(f"{word} {key}", word) for word in ("play", "rules", "options", "about")]
        if line := await self._choose(name, (*usual[:1], *saved, *usual[1:])):
            self.app.exit(line.split())

    # --- what the buttons do: the words of a command, None where nothing was chosen -----------------------------------

    async def _listen(self) -> list[str] | None:
        return ["listen"]

    async def _connect(self) -> list[str] | None:
        others = ((NEARBY, "somebody on this network"), (ELSEWHERE, "an address ..."))
        who = await self._choose("Whom do you call?", (*self._known.peers, *others))
        if who != ELSEWHERE:
            return {"": None, NEARBY: ["connect"]}.get(who, ["connect", who])
        address = await self._ask("The address, as your friend's screen shows it:")
        if not address:
            return None
        code = await self._ask("The code that is shown there, or nothing if you have played before:")
        return ["connect", *address.split()[-1:], *(["--code", code.removeprefix("--code").strip()] if code else [])]

    async def _dial(self) -> list[str] | None:
        whom = await self._choose("Whom do you dial?", (*self._known.numbers, (ELSEWHERE, "a number ...")))
        if whom == ELSEWHERE:
            whom = await self._ask("The telephone number:")
        return ["dial", whom] if whom else None

    async def _resume(self) -> list[str] | None:
        return await self._of("resume", "Which game goes on?", self._known.unfinished, "No game is unfinished.")

    async def _tables(self) -> list[str] | None:
        return await self._of("attach", "At which table do you sit down?", self._known.tables, "No table is open.")

    async def _options(self) -> list[str] | None:
        key = await self._choose("What is to be changed?", self._known.settings)
        if not key:
            return None
        values = (self._known.values or {}).get(key, ())
        if values:
            value = await self._choose(key, tuple([(one, one) for one in values]))
        else:
            value = await self._ask(f"{key}:")
        return ["config", "set", key, *value.split()] if value else None

    async def _help(self) -> list[str] | None:
        self.post_message(HelpAsked(CONTENTS))
        return None

    async def _quit(self) -> list[str] | None:
        return []

    async def _of(self, command: str, question: str, choices: Choices, none: str) -> list[str] | None:
        if not choices:
            await self.app.push_screen_wait(ReadingPanel(command.capitalize(), [none], self._about))
            return None
        chosen = await self._choose(question, choices)
        return [command, chosen] if chosen else None

    async def _choose(self, title: str, choices: Choices) -> str:
        """ "" where nothing is chosen."""
        return await self.app.push_screen_wait(ChoicePanel(title, choices, self._about))

    async def _ask(self, question: str) -> str:
        return (await self.app.push_screen_wait(LinePanel(question, self._about))).strip()

    def _paint(self) -> None:
        title = Title([name for _, name in self._known.games], BUTTONS, self._at, self._lines())
        picture = draw_title(title, self._appearance.look, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)

    def _lines(self) -> list[str]:
        """What is open or unfinished."""
        tables = [f"Open: {shown}" for _, shown in self._known.tables]
        count = len(self._known.unfinished)
        return [*tables, *([f"{count} unfinished: Resume goes on with one."] if count else [])]


class TitleApp(App[list[str]]):
    TITLE = "p2pcards"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, known: TitleChoices, appearance: Appearance) -> None:
        super().__init__()
        self._first = TitleScreen(known, appearance)

        self._palette = appearance.palette

    def on_mount(self) -> None:
        keep_through_stops(self._driver)
        self.push_screen(self._first)

    def on_help_asked(self, event: HelpAsked) -> None:
        self.push_screen(HelpScreen(page_blocks, event.address, self._palette))


def run_title(known: TitleChoices, appearance: Appearance) -> list[str]:
    """The words of a command, none where nothing is to be done any more."""
    with given_back():
        return TitleApp(known, appearance).run() or []
