"""The title screen: what to do first. What is chosen is a command of the program, which is run when it has ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from textual import events, work
from textual.app import App, ComposeResult
from textual.screen import Screen

from p2pcards.frontend.guide_index import page_blocks
from p2pcards.frontend.option_pages import OptionPage
from p2pcards.present.pages import CONTENTS
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.felt import Felt
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.options_screen import OptionsScreen
from p2pcards.tui.panels import ChoicePanel, HelpAsked, LinePanel, ReadingPanel
from p2pcards.tui.picture.tiles import Title, draw_title, tiles_across
from p2pcards.tui.terminal import given_back, keep_through_stops

Choices = tuple[tuple[str, str], ...]
"""(what is meant, how it is shown)"""

BUTTONS = ("Listen", "Connect", "Dial", "Resume", "Tables", "Options", "Help", "Quit")
OF_A_GAME = (
    ("play", "play"),
    ("rules", "how it is played"),
    ("options", "change your rules"),
    ("about", "where it comes from"),
)
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
    telephone numbers; unfinished: logs; tables: those that are open; rules: makes the page of the rules of a game."""

    games: Choices
    peers: Choices = ()
    numbers: Choices = ()
    unfinished: Choices = ()
    tables: Choices = ()
    rules: Callable[[str], OptionPage] | None = None


class TitleScreen(Screen[None]):
    """Ends the program with the words of a command, none where nothing is to be done any more."""

    def __init__(self, known: TitleChoices, sitting: ReadSitting) -> None:
        super().__init__()
        self._known = known
        self._read_sitting = sitting
        self._sitting = sitting()
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
        yield Felt(self._sitting.appearance.palette)

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
        usual = [(f"{word} {key}", shown) for word, shown in OF_A_GAME]
        line = await self._choose(name, (*usual[:1], *saved, *usual[1:]))
        if line == f"options {key}" and self._known.rules:
            await self._change(self._known.rules(key))
        elif line:
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
        page = self._sitting.manner.options
        if page is None:
            await self.app.push_screen_wait(ReadingPanel("Options", [*self._sitting.faults], self._about))
        else:
            await self._change(page)
        return None

    async def _change(self, page: OptionPage) -> None:
        await self.app.push_screen_wait(OptionsScreen(page, self._read_sitting))
        self._sitting = self._read_sitting()
        self.query_one(Felt).wear(self._sitting.appearance.palette)
        self._paint()

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
        picture = draw_title(title, self._sitting.appearance.look, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)

    def _lines(self) -> list[str]:
        """What is open or unfinished."""
        faults = list(self._sitting.faults)
        tables = [f"Open: {shown}" for _, shown in self._known.tables]
        count = len(self._known.unfinished)
        return [*faults, *tables, *([f"{count} unfinished: Resume goes on with one."] if count else [])]


class TitleApp(App[list[str]]):
    TITLE = "p2pcards"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, known: TitleChoices, sitting: ReadSitting) -> None:
        super().__init__()
        self._first = TitleScreen(known, sitting)
        self._sitting = sitting

    def on_mount(self) -> None:
        keep_through_stops(self._driver)
        self.push_screen(self._first)

    def on_help_asked(self, event: HelpAsked) -> None:
        self.push_screen(HelpScreen(page_blocks, event.address, self._sitting().appearance.palette))


def run_title(known: TitleChoices, sitting: ReadSitting) -> list[str]:
    """The words of a command, none where nothing is to be done any more."""
    with given_back():
        return TitleApp(known, sitting).run() or []
