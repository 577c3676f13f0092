"""The title screen: what to do first, and what is asked until it is known which command is meant. A table that it opens
is shown in its place, without a look at the shell in between; any other command is run when the screen has ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import NamedTuple

import trio
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from p2pcards.control.attached import AttachedTable
from p2pcards.daemon.crew import beside
from p2pcards.frontend.option_pages import NotTaken, OptionPage
from p2pcards.games.wording import quantity_text
from p2pcards.links.address import text_of_link
from p2pcards.present.guide import CONTENTS
from p2pcards.present.width import wrap_words
from p2pcards.tui.app import AtTables
from p2pcards.tui.appearance import ReadSitting
from p2pcards.tui.felt import Felt
from p2pcards.tui.options_screen import OptionsScreen
from p2pcards.tui.panels import ChoicePanel, HelpAsked, LinePanel, ReadingPanel
from p2pcards.tui.picture.tiles import Title, button_letter, draw_title, tiles_across
from p2pcards.tui.program import given_back, release_on_signals, run_hosted, running_program
from p2pcards.tui.table_screen import TableScreen

# --- what is asked on the title screen until it is known which command is meant ---------------------------------------


Choices = tuple[tuple[str, str], ...]
"""(what is meant, how it is shown)"""
Words = list[str]
"""Of a command."""

ELSEWHERE, NEARBY, NOBODY = " ", "  ", "   "
"""None of those that are listed; those who answer on this network; no more of them. Nobody is called so."""
OF_A_GAME = (
    ("play", "play"),
    ("against", "play against opponents you choose"),
    ("autoplay", "watch the computer play"),
    ("rules", "how to play"),
    ("options", "change your rules"),
    ("about", "its history"),
    ("records", "records: wins, ratings and more"),
    ("history", "past games"),
)
WAYS = (
    ("listen", "at an address, with your code"),
    ("listen --lan", "on this network"),
    ("listen --modem", "on your modem"),
)
HOSTING = (
    ("host", "from anywhere, with a code"),
    ("host --web", "with a link that opens in a browser"),
    ("host --modem", "by calling your modem"),
)
AT_ADDRESS = (ELSEWHERE, "an address ...")
HOSTS = "friends#listening-and-connecting"
OF_ALL_GAMES = (
    ("records", "your wins in each game"),
    ("history", "past games"),
    ("league", "everyone you've played with"),
    ("hall", "the hall of fame"),
    ("scoreboard", "two-handed pinochle scoreboard"),
)
OF_ONE_GAME = (
    ("records", "wins, losses and ratings"),
    ("records percent", "sorted by winning percentage"),
    ("history", "past games"),
    ("league", "everyone you've played it with"),
    ("hall", "its hall of fame"),
    ("records reset", "start over ..."),
    ("records recover", "undo the last reset"),
)
RESETS = "records reset"
ONE_GAME = " "
NAME = "Your name at the table:"
CHARACTER = "Who plays for you while you're away?"
RECORDS = "records"
"""The page of the guide about them."""
CODE = "The code on your friend's screen (leave empty if you've played before):"


@dataclass(frozen=True, slots=True)
class TitleChoices:
    """The data of the title screen. In Choices each pair is (value, label)."""

    games: Choices  # keys and names
    peers: Choices = ()  # known peers
    numbers: Choices = ()  # the directory of telephone numbers
    unfinished: Choices = ()  # logs
    tables: Choices = ()  # open tables
    characters: Choices = ()
    login: str = ""  # the player's name if none is set
    profiles: Choices = ()  # players on this machine
    player: str = ""  # the current profile; "" if there is only one
    switched: str = ""  # the profile that was switched to at the table; "" for none
    # (words that continue the game in progress or the last one, the question about it); None without such a game.
    goes_on: tuple[tuple[str, ...], str] | None = None
    own: Callable[[], str] = field(default=lambda: "")  # our character if none is set
    opponents: Callable[[str], int] = field(default=lambda _: 1)  # number of opponents in a game, by its key
    # Of the computer players of a game, by its key, the weakest first.
    levels: Callable[[str], Choices] = field(default=lambda _: ())
    # By key of a game: the question that our rules leave open at the start, and its answers; "" for none.
    question: Callable[[str], tuple[str, Choices]] = field(default=lambda _: ("", ()))
    rules: Callable[[str], OptionPage] | None = None  # the page of the rules of a game, by its key
    brief: Callable[[str], str] = field(default=lambda _: "")  # these rules in a few sentences
    # (word, key of a game or "" for all): lines of the records; slow.
    records: Callable[[str, str], Sequence[str]] = field(default=lambda _word, _game: ())
    nearby: Callable[[], Choices] = field(default=lambda: ())  # listeners on this network; slow


ReadChoices = Callable[[], TitleChoices]
"""Reads them as they are now, which takes a while."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The dialogs of the title screen. The last argument of `choose`, `ask` and `read` is an address in the guide."""

    choose: Callable[[str, Choices, str], Awaitable[str]]  # (title, choices, address): the chosen one; "" for none
    # (question, usual answer, address): a typed line; None if the player left.
    ask: Callable[[str, str, str], Awaitable[str | None]]
    read: Callable[[str, Sequence[str], str], Awaitable[None]]  # (title, lines, address)
    change: Callable[[OptionPage], Awaitable[None]]
    guide: Callable[[str], None]  # opens the guide at an address


class Errands:
    """The dialogs that lead to a command; each returns its words, None if it was cancelled."""

    def __init__(self, known: TitleChoices, asking: Asking, sitting: ReadSitting) -> None:
        self._known = known
        self._asking = asking
        self._read_sitting = sitting

    async def play(self, key: str, opponents: Sequence[str] = ()) -> Words | None:
        """Play a game against the computer. key: of the game; opponents: characters, none for any."""
        asked, answers = self._known.question(key)
        answer = await self._asking.choose(asked, answers, f"rules/{key}") if asked else ""
        if asked and not answer:
            return None
        words = ["play", key, *(["--with", ",".join(opponents)] if opponents else [])]
        return await self._with_persona([*words, *(["--set", answer] if answer else [])])

    async def of_game(self, key: str, name: str) -> Words | None:
        """Choose what to do with one game."""
        about = f"rules/{key}"
        saved = [(f"resume {log}", f"continue {shown}") for log, shown in self._known.unfinished if f"-{key}-" in log]
        usual = [(word, shown) for word, shown in OF_A_GAME]
        chosen = await self._asking.choose(name, (*usual[:2], *saved, *usual[2:]), about)
        if chosen == "play":
            return await self.play(key)
        if chosen == "against":
            return await self._choose_opponents(key, name)
        if chosen == "autoplay":
            return await self._autoplay(key, name)
        if chosen == "options" and self._known.rules:
            await self._asking.change(self._known.rules(key))
        elif chosen == "records":
            await self._choose_records(key, name)
        elif chosen == "history":
            await self._read_records(chosen, key, name)
        elif chosen in ("rules", "about"):
            self._asking.guide(f"{chosen}/{key}")
        return chosen.split() if chosen.startswith("resume ") else None

    async def _choose_opponents(self, key: str, name: str) -> Words | None:
        """Choose one opponent after the other, one for each seat."""
        chosen: list[str] = []
        for number in range(1, self._known.opponents(key) + 1):
            left = tuple([one for one in self._known.characters if one[0] not in chosen])
            title = f"{name}: who takes seat {number + 1}?"
            one = await self._asking.choose(title, ((NOBODY, "anyone"), *left), "opponents")
            if not one:
                return None
            if one == NOBODY:
                break
            chosen.append(one)
        return await self.play(key, chosen)

    async def _autoplay(self, key: str, name: str) -> Words | None:
        """Watch the computer play every hand of a game."""
        asked = f"{name}: which level?"
        level = await self._asking.choose(asked, self._known.levels(key), "opponents#the-levels")
        return ["autoplay", key, "--level", level] if level else None

    async def go_on(self) -> Words | None:
        return [*self._known.goes_on[0]] if self._known.goes_on else None

    async def listen(self) -> Words | None:
        """Wait for a friend's call."""
        way = await self._asking.choose("How will your friend reach you?", WAYS, "friends#listening-and-connecting")
        return await self._with_persona(way.split()) if way else None

    async def host(self) -> Words | None:
        """Open a table for friends."""
        way = await self._asking.choose("How will friends join?", HOSTING, HOSTS)
        return await self._with_persona(way.split()) if way else None

    async def join(self) -> Words | None:
        """Join a friend's table, after asking for its address or code."""
        who = await self._asking.choose("Whose table?", (*self._known.peers, AT_ADDRESS), HOSTS)
        if who == ELSEWHERE:
            return await self._ask_address("join", HOSTS)
        return await self._with_persona(["join", who]) if who else None

    async def connect(self) -> Words | None:
        """Call friends who are listening."""
        about = "friends#listening-and-connecting"
        others = ((NEARBY, "someone on this network ..."), AT_ADDRESS)
        who = await self._asking.choose("Who do you want to call?", (*self._known.peers, *others), about)
        if who == NEARBY:
            found = await beside(self._known.nearby)
            none = ["No one on this network is waiting. Try the address on your friend's screen."]
            if not found:
                await self._asking.read("Connect", none, about)
                return None
            who = await self._asking.choose("Waiting on this network:", found, about)
            return await self._ask_code(["connect", who], about) if who else None
        if who == ELSEWHERE:
            return await self._ask_address("connect", about)
        return await self._with_persona(["connect", who]) if who else None

    async def _ask_address(self, command: str, about: str) -> Words | None:
        """Ask for an address. A pasted invitation stands for the link in it, or its last word."""
        typed = await self._asking.ask("The address on your friend's screen:", "", about)
        if not typed:
            return None
        return await self._ask_code([command, typed if text_of_link(typed)[1] else typed.split()[-1]], about)

    async def _ask_code(self, words: Words, about: str) -> Words | None:
        if text_of_link(words[-1])[1]:  # it is in the link
            return await self._with_persona([*words])
        code = await self._asking.ask(CODE, "", about)
        if code is None:
            return None
        given = ["--code", code.removeprefix("--code").strip()] if code else []
        return await self._with_persona([*words, *given])

    async def dial(self) -> Words | None:
        """Call a friend by modem."""
        about = "friends#by-telephone"
        whom = await self._asking.choose(
            "Who do you want to dial?", (*self._known.numbers, (ELSEWHERE, "a number ...")), about
        )
        if whom == ELSEWHERE:
            whom = await self._asking.ask("Phone number:", "", about) or ""
        return await self._with_persona(["dial", whom]) if whom else None

    async def resume(self) -> Words | None:
        """Resume an unfinished game."""
        found = self._known.unfinished
        return await self._choose_argument("resume", "Continue which game?", found, "No unfinished games.", "keeping")

    async def tables(self) -> Words | None:
        """Sit down at an open table."""
        about = "keeping#several-games-at-once"
        asked = "Which table?"
        return await self._choose_argument("attach", asked, self._known.tables, "No open tables.", about)

    async def profile(self) -> Words | None:
        """Switch to another profile."""
        about = "keeping#several-people-on-one-machine"
        new = (ELSEWHERE, "someone new ...")
        who = await self._asking.choose("Who's playing?", (*self._known.profiles, new), about)
        if who != ELSEWHERE:
            return ["profiles", "switch", who] if who else None
        name = await self._asking.ask("Name of the new profile (others see it):", "", about)
        return ["profiles", "add", "--switch", "--", name] if name else None

    async def records(self) -> Words | None:
        """Show the records; leads to no command."""
        shown = (*OF_ALL_GAMES, (ONE_GAME, "one game ..."))
        word = await self._asking.choose("Which records?", shown, RECORDS)
        if word == ONE_GAME:
            key = await self._asking.choose("Which game?", self._known.games, RECORDS)
            if key:
                await self._choose_records(key, dict(self._known.games)[key])
        elif word:
            await self._read_records(word, "", dict(OF_ALL_GAMES)[word].capitalize())
        return None

    async def _choose_records(self, key: str, name: str) -> None:
        word = await self._asking.choose(name, OF_ONE_GAME, RECORDS)
        if word == RESETS:
            sure = (("no", "No, keep them"), ("yes", "Yes, start over, ratings too (you can undo it)"))
            asked = f"Start your {name} records over?"
            if await self._asking.choose(asked, sure, f"{RECORDS}#start-over") != "yes":
                return
        if word:
            await self._read_records(word, key, name)

    async def _read_records(self, word: str, game: str, title: str) -> None:
        lines = await beside(self._known.records, word, game)
        await self._asking.read(title, lines, RECORDS)

    async def options(self) -> Words | None:
        """Open the settings; leads to no command."""
        now = self._read_sitting()
        if now.manner.options is None:
            await self._asking.read("Options", now.faults, "settings")
        else:
            await self._asking.change(now.manner.options)
        return None

    async def _choose_argument(
        self, command: str, question: str, choices: Choices, none: str, about: str
    ) -> Words | None:
        if not choices:
            await self._asking.read(command.capitalize(), [none], about)
            return None
        chosen = await self._asking.choose(question, choices, about)
        return [command, chosen] if chosen else None

    # --- name and character, at first -----------------------------------------------------------------------------

    async def _with_persona(self, words: Words) -> Words | None:
        """The words, once the player's name and character are known; with them added where the settings ask for them
        every time."""
        page = self._read_sitting().manner.options
        if page is None:
            return words
        now = {row.key: row.value for _, rows in page.groups() for row in rows}
        always = now["ask"] == "always"
        if now["ask"] == "never":
            return words
        if (always or not now["name"]) and not await self._ask_name(page, now["name"]):
            return None
        alone = words[0] == "play"  # nobody is away there
        if always or not (now["character"] or alone):
            usual = now["character"] or self._known.own()
            usual_first = sorted(self._known.characters, key=lambda one: one[0] != usual)
            character = await self._asking.choose(CHARACTER, tuple(usual_first), "opponents")
            if not character:
                return None
            page.change("character", character)
        now = {row.key: row.value for _, rows in page.groups() for row in rows}
        return [*words, *(["--name", now["name"], "--as", now["character"]] if always else [])]

    async def _ask_name(self, page: OptionPage, now: str) -> bool:
        """Ask for a valid name; False if it was cancelled."""
        usual = now or self._known.login
        while (typed := await self._asking.ask(NAME, usual, "start")) is not None:
            try:
                if (typed or usual) != now:  # a profile's own name is not set: it goes with the profile
                    page.change("name", typed or usual)
                return True
            except NotTaken as fault:
                await self._asking.read("Your name", [str(fault)], "start")
        return False


# --- the title screen -------------------------------------------------------------------------------------------------


BUTTONS = (
    *("Listen", "Connect", "Host [a] table", "Join", "Dial"),
    *("Resume", "Tables", "Record[s]", "Profile", "Options"),
    *("Help", "Quit"),
)
"""Each has its letter in brackets, unless that is the first. The game that is open comes before them."""


class TitleScreen(Screen[None]):
    """The title screen; gives its program the words of a command, none to quit."""

    def __init__(self, known: TitleChoices, sitting: ReadSitting) -> None:
        super().__init__()
        self._read_sitting = sitting
        self._sitting = sitting()
        self._told: Sequence[str] = ()
        self._asking = Asking(self._choose, self._ask, self._read, self._change, self._guide)
        self._offer_choices(known)

    def _offer_choices(self, known: TitleChoices) -> None:
        """Offer these choices, a game in progress first."""
        errands = Errands(known, self._asking, self._read_sitting)
        meant: tuple[Callable[[], Awaitable[Words | None]], ...] = (
            *(errands.listen, errands.connect, errands.host, errands.join, errands.dial),
            *(errands.resume, errands.tables, errands.records, errands.profile, errands.options),
            *(self._help, self._quit),
        )
        deeds = dict(zip(BUTTONS, meant, strict=True))
        if known.goes_on is not None:
            deeds = {known.goes_on[1]: errands.go_on, **deeds}
        self._known, self._errands, self._deeds, self._buttons = known, errands, deeds, tuple(deeds)
        self._at = 0 if known.goes_on is None else len(known.games)

    def begin_anew(self, known: TitleChoices, said: str) -> None:
        """Come back after a table. said: its closing sentence."""
        self._sitting = self._read_sitting()
        self.query_one(Felt).wear(self._sitting.appearance.palette)
        self._offer_choices(known)
        self.tell(said)

    def tell(self, text: str) -> None:
        """Show this text where it is read at once, in place of the last one."""
        self._told = text.splitlines()
        self._paint()

    def compose(self) -> ComposeResult:
        yield Felt(self._sitting.appearance.palette)

    def on_mount(self) -> None:
        self.query_one(Felt).focus()
        running_program(self).wear(self._sitting.appearance.palette)

    def on_resize(self) -> None:
        self._paint()

    def on_key(self, event: events.Key) -> None:
        games, all_ = len(self._known.games), len(self._known.games) + len(self._buttons)
        across = tiles_across(self.size.width)
        moves = {"left": -1, "right": 1, "up": -across, "down": across}
        letter = (event.character or "").upper()
        if event.key in moves:
            self._at = (self._at + moves[event.key]) % all_
            self._paint()
        elif event.key in ("enter", "space"):
            self._choose_tile(self._at)
        elif event.key in ("escape", "ctrl+c"):
            self._program().leave()
        elif event.key in ("f1", "question_mark"):
            self.post_message(HelpAsked("menus#the-title-screen"))
        elif letter == "M" and self._at < games:
            self._open_tile_menu(self._at)
        else:
            place = next((place for place, label in enumerate(self._buttons) if letter == button_letter(label)), None)
            if place is None:
                return
            self._choose_tile(games + place)
        event.stop()

    def on_felt_pointed(self, event: Felt.Pointed) -> None:
        kind, _, number = event.zone.partition(" ")
        if not kind or event.zone != event.pressed:
            return
        self._at = int(number) + (len(self._known.games) if kind == "button" else 0)
        self._paint()
        if kind == "game" and event.right:
            self._open_tile_menu(self._at)
        else:
            self._choose_tile(self._at)

    def _choose_tile(self, place: int) -> None:
        games = self._known.games
        if place < len(games):
            running_program(self).begin_task(self._run_errand, lambda: self._errands.play(games[place][0]))
        else:
            running_program(self).begin_task(self._run_errand, self._deeds[self._buttons[place - len(games)]])

    def _open_tile_menu(self, place: int) -> None:
        running_program(self).begin_task(self._run_errand, lambda: self._errands.of_game(*self._known.games[place]))

    async def _run_errand(self, deed: Callable[[], Awaitable[list[str] | None]]) -> None:
        words = await deed()
        if words is not None:
            await self._program().do_words(words)

    def _program(self) -> TitleApp:
        if not isinstance(self.app, TitleApp):
            raise TypeError("the title screen needs a program of its own")
        return self.app

    async def _help(self) -> list[str] | None:
        """Open the guide."""
        self._guide(CONTENTS)
        return None

    async def _quit(self) -> list[str] | None:
        """End the program."""
        return []

    # --- what is asked ------------------------------------------------------------------------------------------------

    async def _choose(self, title: str, choices: Choices, about: str) -> str:
        """Let the player choose from a list; "" if it was cancelled."""
        return await running_program(self).asked(ChoicePanel(title, choices, about)) or ""

    async def _ask(self, question: str, usual: str, about: str) -> str | None:
        """Ask for a line; None if it was cancelled. usual: the text to start with."""
        typed = await running_program(self).asked(LinePanel(question, about, usual))
        return None if typed is None else typed.strip()

    async def _read(self, title: str, lines: Sequence[str], about: str) -> None:
        """Show lines to read."""
        await running_program(self).asked(ReadingPanel(title, lines, about))

    async def _change(self, page: OptionPage) -> None:
        """Open a page of options, until it is closed."""
        await running_program(self).asked(OptionsScreen(page, self._read_sitting))
        self._sitting = self._read_sitting()
        self.query_one(Felt).wear(self._sitting.appearance.palette)
        self._paint()

    def _guide(self, address: str) -> None:
        """Open the guide at this address."""
        self.post_message(HelpAsked(address))

    def _paint(self) -> None:
        """Paint the title screen again."""
        title = Title([name for _, name in self._known.games], self._buttons, self._at, self._text_lines())
        picture = draw_title(title, self._sitting.appearance.look, self.size.width, self.size.height)
        self.query_one(Felt).show(picture)

    def _text_lines(self) -> list[str]:
        """The lines below the tiles: the rules of the selected game, who plays, and what is open or unfinished."""
        known, faults = self._known, list(self._sitting.faults)
        if self._at < len(known.games):
            faults += wrap_words(known.brief(known.games[self._at][0]), self.size.width - 4)
        player = [f"Playing as {known.player}. Press P to switch."] if known.player else []
        tables = [f"Open: {shown}" for _, shown in known.tables]
        count = len(known.unfinished)
        unfinished = [f"{quantity_text(count, 'unfinished game')}. Press R to continue."] if count else []
        return [*self._told, *faults, *player, *tables, *unfinished]


# --- tables that are opened from it -----------------------------------------------------------------------------------


class Seat(NamedTuple):
    """The player's seat at an open table."""

    table: AttachedTable
    told: Sequence[str] = ()  # lines to read there first


class NotSeated(Exception):
    """Why no table was opened, as a sentence."""


Deal = Callable[[Words, Callable[[str], None]], AbstractAsyncContextManager[Seat]]
"""Opens the table that the words of a command mean, and tells how far it has come. Raises NotSeated."""
TABLES = ("play", "listen", "connect", "dial", "host", "join", "resume", "attach")
"""The commands that open one."""
DEALING = {"play": "Dealing ...", "resume": "Dealing ...", "connect": "Calling ...", "dial": "Dialing ..."}


class TitleApp(AtTables[list[str]]):
    """The title screen, and every table opened from it."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, known: TitleChoices, sitting: ReadSitting, deal: Deal | None = None, again: ReadChoices | None = None
    ) -> None:
        """deal: opens tables, None to end the program with the words of any command; again: reads the choices anew."""
        super().__init__(sitting)
        self._title = TitleScreen(known, sitting)
        self._deal = deal
        self._again = again or (lambda: known)
        self._opening: trio.CancelScope | None = None
        self._left = trio.Event()
        self._said = ""

    def on_mount(self) -> None:
        self.push_screen(self._title)

    async def do_words(self, words: Words) -> None:
        """Within Trio: carry out the chosen command. Another one chosen while a table opens is dropped."""
        if self._deal is None or not words or words[0] not in TABLES:
            self.exit(words)
        elif self._opening is None:
            await self._show_opened_table(self._deal, words)

    async def _show_opened_table(self, deal: Deal, words: Words) -> None:
        """Open a table and show it over the title screen until it is left or closed; the title is refreshed
        meanwhile."""
        why = self._said = ""
        self._title.tell(f"{DEALING.get(words[0], 'Opening the table ...')}  (Esc cancels)")
        with trio.CancelScope() as self._opening:
            try:
                async with deal(words, self._title.tell) as seat:
                    await self._sit_at_table(TableScreen(seat.table, self._sitting, seat.told))
            except NotSeated as fault:
                why = str(fault)
        known = await beside(self._again)
        self._title.begin_anew(known, self._said)
        self._opening = None
        if known.switched:
            self.exit(["profiles", "switch", known.switched])
            return
        while self.screen is not self._title:
            self.pop_screen()
        if why:
            await self.asked(ReadingPanel("Couldn't open the table", [why], "trouble"))

    async def _sit_at_table(self, table: TableScreen) -> None:
        self._left = trio.Event()
        self.use_command_palette = True
        async with self.tasks_apart():
            self.show_table(table)
            await self._left.wait()
        self.use_command_palette = False

    def table_ended(self, said: str) -> None:
        self.show_table(None)
        self._said = said
        self._left.set()

    def leave(self) -> None:
        """Cancel opening a table, or end the program."""
        if self._opening is not None:
            self._opening.cancel()
        else:
            self.exit([])

    def let_go(self) -> None:
        """Leave the table, keeping the seat, and end the program."""
        super().let_go()
        self.begin_task(self._end_program)

    async def _end_program(self) -> None:
        if self._table is not None:
            await self._left.wait()
        self.exit([])

    async def action_quit(self) -> None:
        if self._table is not None:
            self._table.action_say_line("detach")
        else:
            self.leave()

    async def until_over(self) -> Ended:
        """Within Trio: wait for the end, and return how it ended."""
        with release_on_signals(self.let_go) as numbers:
            words = await self.until_left() or []
        return Ended(words, self._said if numbers else "", numbers[0] if numbers else 0)


class Ended(NamedTuple):
    words: Words  # of a command to run next; empty to exit
    said: str  # the last line of the table at which a signal reached the player
    number: int  # of that signal; 0 for none


def run_title(known: TitleChoices, sitting: ReadSitting, deal: Deal, again: ReadChoices) -> Ended:
    """Show the title screen, and the tables opened from it; returns how it ended."""
    with given_back():
        return run_hosted(TitleApp(known, sitting, deal, again).until_over)
