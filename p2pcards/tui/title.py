"""The title screen: what to do first. What is chosen is a command of the program, which is run when it has ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from p2pcards.frontend.guide_pages import page_blocks
from p2pcards.frontend.option_pages import OptionPage
from p2pcards.present.guide import CONTENTS
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.errands import Asking, Choices, Errands, TitleChoices
from p2pcards.tui.felt import Felt
from p2pcards.tui.help_screen import HelpScreen
from p2pcards.tui.options_screen import OptionsScreen
from p2pcards.tui.panels import ChoicePanel, HelpAsked, LinePanel, ReadingPanel
from p2pcards.tui.picture.tiles import Title, draw_title, letter_of, tiles_across
from p2pcards.tui.program import Program, given_back, program_of, run_hosted

BUTTONS = ("Listen", "Connect", "Dial", "Resume", "Tables", "Record[s]", "Profile", "Options", "Help", "Quit")
"""Each has its letter in brackets, unless that is the first."""


class TitleScreen(Screen[None]):
    """Ends the program with the words of a command, none where nothing is to be done any more."""

    def __init__(self, known: TitleChoices, sitting: ReadSitting) -> None:
        super().__init__()
        self._known = known
        self._read_sitting = sitting
        self._sitting = sitting()
        self._at = 0
        self._errands = errands = Errands(
            known, Asking(self._choose, self._ask, self._read, self._change, self._guide), sitting
        )
        self._deeds: Mapping[str, Callable[[], Awaitable[list[str] | None]]] = {
            "Listen": errands.listen,
            "Connect": errands.connect,
            "Dial": errands.dial,
            "Resume": errands.resume,
            "Tables": errands.tables,
            "Record[s]": errands.records,
            "Profile": errands.profile,
            "Options": errands.options,
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
            place = next((place for place, label in enumerate(BUTTONS) if letter == letter_of(label)), None)
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
            program_of(self).begin(self._do, lambda: self._errands.play(games[place][0]))
        else:
            program_of(self).begin(self._do, self._deeds[BUTTONS[place - len(games)]])

    def _more(self, place: int) -> None:
        program_of(self).begin(self._do, lambda: self._errands.of_game(*self._known.games[place]))

    async def _do(self, deed: Callable[[], Awaitable[list[str] | None]]) -> None:
        words = await deed()
        if words is not None:
            self.app.exit(words)

    async def _help(self) -> list[str] | None:
        self._guide(CONTENTS)
        return None

    async def _quit(self) -> list[str] | None:
        return []

    # --- what is asked ------------------------------------------------------------------------------------------------

    async def _choose(self, title: str, choices: Choices, about: str) -> str:
        return await program_of(self).asked(ChoicePanel(title, choices, about)) or ""

    async def _ask(self, question: str, usual: str, about: str) -> str | None:
        typed = await program_of(self).asked(LinePanel(question, about, usual))
        return None if typed is None else typed.strip()

    async def _read(self, title: str, lines: Sequence[str], about: str) -> None:
        await program_of(self).asked(ReadingPanel(title, lines, about))

    async def _change(self, page: OptionPage) -> None:
        await program_of(self).asked(OptionsScreen(page, self._read_sitting))
        self._sitting = self._read_sitting()
        self.query_one(Felt).wear(self._sitting.appearance.palette)
        self._paint()

    def _guide(self, address: str) -> None:
        self.post_message(HelpAsked(address))

    def _paint(self) -> None:
        title = Title([name for _, name in self._known.games], BUTTONS, self._at, self._lines())
        picture = draw_title(title, self._sitting.appearance.look, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)

    def _lines(self) -> list[str]:
        """Who plays, and what is open or unfinished."""
        known, faults = self._known, list(self._sitting.faults)
        player = [f"{known.player} plays. Profile: somebody else does."] if known.player else []
        tables = [f"Open: {shown}" for _, shown in known.tables]
        count = len(known.unfinished)
        return [*faults, *player, *tables, *([f"{count} unfinished: Resume goes on with one."] if count else [])]


class TitleApp(Program[list[str]]):
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, known: TitleChoices, sitting: ReadSitting) -> None:
        super().__init__()
        self._first = TitleScreen(known, sitting)
        self._sitting = sitting

    def on_mount(self) -> None:
        self.push_screen(self._first)

    def on_help_asked(self, event: HelpAsked) -> None:
        self.push_screen(HelpScreen(page_blocks, event.address, self._sitting().appearance.palette))


def run_title(known: TitleChoices, sitting: ReadSitting) -> list[str]:
    """The words of a command, none where nothing is to be done any more."""
    with given_back():
        return run_hosted(TitleApp(known, sitting).until_left) or []
