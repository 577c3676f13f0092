"""What is asked on the title screen until it is known which command is meant."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from p2pcards.daemon.crew import beside
from p2pcards.frontend.option_pages import NotTaken, OptionPage
from p2pcards.tui.appearance import ReadSitting

Choices = tuple[tuple[str, str], ...]
"""(what is meant, how it is shown)"""
Words = list[str]
"""Of a command."""

ELSEWHERE, NEARBY, NOBODY = " ", "  ", "   "
"""None of those that are listed; whoever answers on this network; no more of them. Nobody is called so."""
OF_A_GAME = (
    ("play", "play"),
    ("against", "play, and choose against whom"),
    ("autoplay", "watch the computer play every hand"),
    ("rules", "how it is played"),
    ("options", "change your rules"),
    ("about", "where it comes from"),
    ("records", "who has won it how often"),
    ("history", "the games that were played"),
)
WAYS = (
    ("listen", "for somebody to whom you tell your address"),
    ("listen --lan", "for somebody on this network, who finds you"),
    ("listen --modem", "for a telephone call, at your modem"),
)
OF_ALL_GAMES = (
    ("records", "how often you have won each game"),
    ("history", "the games that were played"),
    ("league", "everybody you have played with"),
    ("hall", "the hall of fame"),
    ("scoreboard", "the scoreboard of two-handed pinochle"),
)
ONE_GAME = " "
NAME = "Your name at the table:"
CHARACTER = "The character that stands for you:"
RECORDS = "records"
"""The page of the guide about them."""
CODE = "The code that is shown there, or nothing if you have played before:"


@dataclass(frozen=True, slots=True)
class TitleChoices:
    """What can be chosen from. games: keys and names; peers: whom we know, numbers: who is in the directory of
    telephone numbers; unfinished: logs; tables: those that are open; characters: those that there are; opponents: how
    many a game has; levels: of the computer players of a game, the weakest first; login: the name where none is set;
    rules: makes the page of the rules of a game; records: what a word of the records tells of a game, "" for all, which
    takes a while; nearby: looks who listens on this network, which takes a while; profiles: who may play on this
    machine; player: who does, "" where there is only one."""

    games: Choices
    peers: Choices = ()
    numbers: Choices = ()
    unfinished: Choices = ()
    tables: Choices = ()
    characters: Choices = ()
    login: str = ""
    profiles: Choices = ()
    player: str = ""
    opponents: Callable[[str], int] = field(default=lambda _: 1)
    levels: Callable[[str], Choices] = field(default=lambda _: ())
    rules: Callable[[str], OptionPage] | None = None
    records: Callable[[str, str], Sequence[str]] = field(default=lambda _word, _game: ())
    nearby: Callable[[], Choices] = field(default=lambda: ())


@dataclass(frozen=True, slots=True)
class Asking:
    """choose: one of these under a title, "" for none; ask: a line, None where it was left; read: shows lines; change:
    shows a page of options; guide: opens the guide. The last of each is the address of what the guide tells of it."""

    choose: Callable[[str, Choices, str], Awaitable[str]]
    ask: Callable[[str, str, str], Awaitable[str | None]]
    read: Callable[[str, Sequence[str], str], Awaitable[None]]
    change: Callable[[OptionPage], Awaitable[None]]
    guide: Callable[[str], None]


class Errands:
    """Each returns the words of a command, None where none is meant."""

    def __init__(self, known: TitleChoices, asking: Asking, sitting: ReadSitting) -> None:
        self._known = known
        self._asking = asking
        self._read_sitting = sitting

    async def play(self, key: str, opponents: Sequence[str] = ()) -> Words | None:
        return await self._introduced(["play", key, *(["--with", ",".join(opponents)] if opponents else [])])

    async def of_game(self, key: str, name: str) -> Words | None:
        """What there is to do with one game."""
        about = f"rules/{key}"
        saved = [(f"resume {log}", f"go on with {shown}") for log, shown in self._known.unfinished if f"-{key}-" in log]
        usual = [(word, shown) for word, shown in OF_A_GAME]
        chosen = await self._asking.choose(name, (*usual[:2], *saved, *usual[2:]), about)
        if chosen == "play":
            return await self.play(key)
        if chosen == "against":
            return await self._against(key, name)
        if chosen == "autoplay":
            return await self._autoplay(key, name)
        if chosen == "options" and self._known.rules:
            await self._asking.change(self._known.rules(key))
        elif chosen in ("records", "history"):
            await self._read_records(chosen, key, name)
        elif chosen in ("rules", "about"):
            self._asking.guide(f"{chosen}/{key}")
        return chosen.split() if chosen.startswith("resume ") else None

    async def _against(self, key: str, name: str) -> Words | None:
        """One character after the other, as many as there are seats."""
        chosen: list[str] = []
        for number in range(1, self._known.opponents(key) + 1):
            left = tuple([one for one in self._known.characters if one[0] not in chosen])
            title = f"{name}: who plays in seat {number + 1}?"
            one = await self._asking.choose(title, ((NOBODY, "whoever is free"), *left), "opponents")
            if not one:
                return None
            if one == NOBODY:
                break
            chosen.append(one)
        return await self.play(key, chosen)

    async def _autoplay(self, key: str, name: str) -> Words | None:
        asked = f"{name}: at which level?"
        level = await self._asking.choose(asked, self._known.levels(key), "opponents#the-levels")
        return ["autoplay", key, "--level", level] if level else None

    async def listen(self) -> Words | None:
        way = await self._asking.choose("How do you wait for a friend?", WAYS, "friends#listening-and-connecting")
        return await self._introduced(way.split()) if way else None

    async def connect(self) -> Words | None:
        about = "friends#listening-and-connecting"
        others = ((NEARBY, "somebody on this network ..."), (ELSEWHERE, "an address ..."))
        who = await self._asking.choose("Whom do you call?", (*self._known.peers, *others), about)
        if who == NEARBY:
            found = await beside(self._known.nearby)
            none = ["Nobody on this network is listening. Your friend's screen shows an address, too."]
            if not found:
                await self._asking.read("Connect", none, about)
                return None
            who = await self._asking.choose("Who listens on this network:", found, about)
        elif who == ELSEWHERE:
            who = await self._asking.ask("The address, as your friend's screen shows it:", "", about) or ""
        elif who:
            return await self._introduced(["connect", who])
        if not who:
            return None
        code = await self._asking.ask(CODE, "", about)
        if code is None:
            return None
        given = ["--code", code.removeprefix("--code").strip()] if code else []
        return await self._introduced(["connect", who.split()[-1], *given])

    async def dial(self) -> Words | None:
        about = "friends#by-telephone"
        whom = await self._asking.choose(
            "Whom do you dial?", (*self._known.numbers, (ELSEWHERE, "a number ...")), about
        )
        if whom == ELSEWHERE:
            whom = await self._asking.ask("The telephone number:", "", about) or ""
        return await self._introduced(["dial", whom]) if whom else None

    async def resume(self) -> Words | None:
        found = self._known.unfinished
        return await self._one_of("resume", "Which game goes on?", found, "No game is unfinished.", "keeping")

    async def tables(self) -> Words | None:
        about = "keeping#several-games-at-once"
        asked = "At which table do you sit down?"
        return await self._one_of("attach", asked, self._known.tables, "No table is open.", about)

    async def profile(self) -> Words | None:
        about = "keeping#several-people-on-one-machine"
        new = (ELSEWHERE, "somebody else ...")
        who = await self._asking.choose("Who plays?", (*self._known.profiles, new), about)
        if who != ELSEWHERE:
            return ["profiles", "switch", who] if who else None
        name = await self._asking.ask("The name of the new profile, which others see, too:", "", about)
        return ["profiles", "add", "--switch", "--", name] if name else None

    async def records(self) -> Words | None:
        shown = (*OF_ALL_GAMES, (ONE_GAME, "who has won one game how often ..."))
        word = await self._asking.choose("Which records?", shown, RECORDS)
        if word == ONE_GAME:
            key = await self._asking.choose("Of which game?", self._known.games, RECORDS)
            if key:
                await self._read_records("records", key, dict(self._known.games)[key])
        elif word:
            await self._read_records(word, "", dict(OF_ALL_GAMES)[word].capitalize())
        return None

    async def _read_records(self, word: str, game: str, title: str) -> None:
        lines = await beside(self._known.records, word, game)
        await self._asking.read(title, lines, RECORDS)

    async def options(self) -> Words | None:
        now = self._read_sitting()
        if now.manner.options is None:
            await self._asking.read("Options", now.faults, "settings")
        else:
            await self._asking.change(now.manner.options)
        return None

    async def _one_of(self, command: str, question: str, choices: Choices, none: str, about: str) -> Words | None:
        if not choices:
            await self._asking.read(command.capitalize(), [none], about)
            return None
        chosen = await self._asking.choose(question, choices, about)
        return [command, chosen] if chosen else None

    # --- name and character, at first -----------------------------------------------------------------------------

    async def _introduced(self, words: Words) -> Words | None:
        """The same words, when it is known who sits down; with name and character where these are asked for every
        time, so that they are not asked for again."""
        page = self._read_sitting().manner.options
        if page is None:
            return words
        now = {row.key: row.value for _, rows in page.groups() for row in rows}
        always = now["ask"] == "always"
        if now["ask"] == "never":
            return words
        if (always or not now["name"]) and not await self._name(page, now["name"]):
            return None
        if always or not now["character"]:
            character = await self._asking.choose(CHARACTER, self._known.characters, "opponents")
            if not character:
                return None
            page.change("character", character)
        now = {row.key: row.value for _, rows in page.groups() for row in rows}
        return [*words, *(["--name", now["name"], "--as", now["character"]] if always else [])]

    async def _name(self, page: OptionPage, now: str) -> bool:
        """Asked until it is one, or is left."""
        usual = now or self._known.login
        while (typed := await self._asking.ask(NAME, usual, "start")) is not None:
            try:
                if (typed or usual) != now:  # a profile's own name is not set: it goes with the profile
                    page.change("name", typed or usual)
                return True
            except NotTaken as fault:
                await self._asking.read("Your name", [str(fault)], "start")
        return False
