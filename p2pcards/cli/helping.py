"""What `--help` prints: commands by section, three examples for each, and the page of exit codes."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

from p2pcards.cli.command import HUNG_UP, INTERRUPTED, PIPE_CLOSED, TERMINATED
from p2pcards.control.exits import MEANINGS

if TYPE_CHECKING:
    import typer

SECTIONS = {
    "Play": ("play", "games", "rules", "options", "about", "characters", "web", "autoplay"),
    "Play with friends": ("host", "join", "watch", "listen", "connect", "dial", "directory", "modem", "words", "reach"),
    "Games on this machine": (
        *("resume", "saves", "attach", "detach", "status", "leave", "stop"),
        *("logs", "replay", "verify", "export"),
    ),
    "Records": ("records", "history", "league", "hall", "board", "scoreboard"),
    "Settings": ("config", "profiles", "peers", "identity"),
    "More": ("guide", "help", "demo", "simulate", "conform", "completion", "credits"),
}
RARE = frozenset(
    (
        *("about", "autoplay", "conform", "completion", "credits", "detach", "dial", "directory", "export"),
        *("identity", "logs", "modem", "scoreboard", "simulate", "verify"),
    )
)
"""Listed by ``--help --all`` only."""
ALL = "--all"
EXIT_CODES = "exit-codes"
"""The topic of `p2pcards help` that lists them."""

EXAMPLES = {
    "play": ("play hearts", "play cribbage --with betty,granny:expert", "play spades --set winning_score=200"),
    "listen": ("listen", "listen --web", "listen --modem /dev/ttyUSB0"),
    "connect": ("connect 192.0.2.7 --game euchre", "connect Bob", "connect 48213-crossword-clockwork"),
    "dial": ("dial 555-1234", "dial Anna --game gin", "dial 555-1234 --device /dev/ttyUSB0 --init courier"),
    "host": ("host --game hearts", "host --web", "host --known-only"),
    "join": ("join 48213-crossword-clockwork", "join Bob", "join -"),
    "watch": ("watch 48213-crossword-clockwork", "watch Bob", "watch --log friday"),
    "resume": ("resume", "resume friday", "resume friday --hand 3"),
    "attach": ("attach", "attach t2", "attach t2 --plain"),
    "detach": ("detach", "detach t2", "detach --help"),
    "status": ("status", "status --json", "--profile Ann status"),
    "leave": ("leave", "leave t2", "leave t2 --yes"),
    "stop": ("stop", "--profile Ann stop", "stop --help"),
    "games": ("games", "games --json", "play"),
    "options": ("options hearts", "options gin --json", "options rummy_500"),
    "rules": ("rules hearts", "rules cribbage --preset telecards", "rules spades --set winning_score=200"),
    "about": ("about cribbage", "about whist", "about gin --json"),
    "characters": ("characters", "characters betty", "characters --json"),
    "guide": ("guide", "guide start", "guide strategies hearts"),
    "help": ("help", "help play", f"help {EXIT_CODES}"),
    "verify": ("verify 2026-11-20-hearts", "verify mine.log theirs.log", "verify friday --decisions sample"),
    "records": ("records", "records hearts", "records hearts --by percent"),
    "history": ("history", "history --game hearts --most 10", "history --csv"),
    "league": ("league", "league --game euchre", "league --csv"),
    "hall": ("hall", "hall --game cribbage", "hall --json"),
    "board": ("board", "board friday", "board friday --csv"),
    "scoreboard": ("scoreboard", "scoreboard new", "scoreboard save"),
    "replay": ("replay friday", "replay friday --hand 3", "replay friday --as Bob"),
    "export": ("export friday", "export friday --hand 3 --open", "export friday --format json"),
    "words": ("words", "words hearts", "words --json"),
    "identity": ("identity", "identity --json", "--profile Ann identity"),
    "reach": ("reach", "reach --json", "--profile Ann reach"),
    "simulate": ("simulate hearts", "simulate gin --players expert,novice --games 500", "simulate whist --jobs 4"),
    "autoplay": ("autoplay hearts", "autoplay gin --level expert --others novice", "autoplay whist --games 3"),
    "demo": ("demo", "demo --game gin --points 25", "demo --kill coordinator --keep homes"),
    "credits": ("credits", "credits --json", "--version"),
    "completion": ("completion bash", "completion zsh", "completion fish"),
    "profiles": ("profiles", "profiles add Ann", "profiles switch Ann"),
    "profiles list": ("profiles list", "profiles list --json", "profiles"),
    "profiles add": ("profiles add Ann", "profiles add Ann --switch", "profiles add 'Aunt Ann'"),
    "profiles switch": ("profiles switch Ann", "profiles switch Default", "--profile Ann play hearts"),
    "profiles rename": ("profiles rename Ann Anna", "profiles rename Ann 'Aunt Ann'", "profiles list"),
    "profiles remove": ("profiles remove Ann", "profiles remove Ann --yes", "profiles list"),
    "saves": ("saves", "saves --game hearts", "saves --all"),
    "saves name": ("saves name 2026-11-20-hearts friday", "saves name friday monday", "saves name friday"),
    "saves throw": ("saves throw friday", "saves throw friday --yes", "saves throw friday --take-back"),
    "saves export": ("saves export friday", "saves export friday friday.p2psave", "saves export friday --yes"),
    "saves export-home": ("saves export-home", "saves export-home mine.p2phome", "saves export-home --yes"),
    "saves import": ("saves import friday.p2psave", "saves import mine.p2phome", "saves import x.p2psave --game gin"),
    "logs": ("logs", "logs --game hearts", "logs --json"),
    "logs prune": ("logs prune --keep 100", "logs prune --keep 100 --dry-run", "logs prune --keep 0 --yes"),
    "config": ("config list", "config set name Ann", "config get port"),
    "config list": ("config list", "config list --json", "--profile Ann config list"),
    "config get": ("config get name", "config get options.hearts.end_score", "config get events.turn.bell"),
    "config set": ("config set name Ann", "config set options.hearts.end_score 50", "config set bell false"),
    "config clear": ("config clear name", "config clear presets.hearts", "config clear knock"),
    "config test": ("config test turn", "config test game_won", "config test speech"),
    "config edit": ("config edit", "--profile Ann config edit", "config path"),
    "config path": ("config path", "config path --json", "--profile Ann config path"),
    "peers": ("peers list", "peers trust Bob", "peers rename Bob Robert"),
    "peers list": ("peers list", "peers list --json", "words"),
    "peers rename": ("peers rename Bob Robert", "peers rename Bob 'Uncle Bob'", "peers list"),
    "peers trust": ("peers trust Bob", "words", "identity"),
    "peers forget": ("peers forget Bob", "peers forget 'Uncle Bob'", "peers list"),
    "directory": ("directory add Anna 555-1234", "directory list", "dial Anna"),
    "directory add": (
        "directory add Anna 555-1234",
        "directory add Anna 9,555-1234 --note 'after six'",
        "directory add Anna 555-1234 --rate 9600",
    ),
    "directory list": ("directory list", "directory list --json", "dial Anna"),
    "directory edit": (
        "directory edit Anna --number 555-4321",
        "directory edit Anna --name Ann",
        "directory edit Anna --note ''",
    ),
    "directory remove": ("directory remove Anna", "directory remove 'Aunt Ann'", "directory list"),
    "modem": ("modem test", "modem test /dev/ttyUSB0", "modem test ttyUSB0 --trace"),
    "modem test": ("modem test", "modem test /dev/ttyUSB0", "modem test ttyUSB0 --speed 9600 --trace"),
    "web": ("web", "web --port 8080", "web build site"),
    "web build": ("web build site", "web build /srv/www/cards", "web build site --json"),
    "web verify": (
        "web verify https://cards.example.org/",
        "web verify http://localhost:8080/",
        "web verify https://cards.example.org/ --json",
    ),
    "conform": ("conform listen 192.0.2.7:4747", "conform connect --port 4747", "conform logs folder"),
    "conform listen": (
        "conform listen 192.0.2.7:4747",
        "conform listen ws://192.0.2.7:4747 --case 19",
        "conform listen localhost:4747 --run './listener {home}'",
    ),
    "conform connect": (
        "conform connect --port 4747",
        "conform connect --port 4747 --case 19",
        "conform connect --port 4747 --run './coordinator {home}'",
    ),
    "conform logs": (
        "conform logs folder",
        "conform logs folder --run './reader {log}'",
        "conform logs folder --answers found.json",
    ),
}
"""Three of each command, as they are typed after ``p2pcards``."""

EXITS = {
    **MEANINGS,
    HUNG_UP: "the terminal was closed in full-screen mode",
    INTERRUPTED: "stopped by Ctrl-C",
    PIPE_CLOSED: "the program reading the output stopped early",
    TERMINATED: "stopped by SIGTERM in full-screen mode",
}
EPILOG = f"""\b
Every command: p2pcards --help {ALL}
One command:   p2pcards COMMAND --help
The guide:     p2pcards guide
Exit codes:    p2pcards help {EXIT_CODES}"""


def exit_code_lines() -> list[str]:
    """The page of exit codes, as lines."""
    return ["Exit codes", "", *[f"{code:>5}  {meaning}" for code, meaning in EXITS.items()]]


def examples_epilog(name: str) -> str:
    """The epilog with examples for a command's help, in which each line stays a line. name: of the command, as "config
    set"."""
    return "\n".join(["\b", "Examples:", *[f"  p2pcards {example}" for example in EXAMPLES[name]]])


def add_group_examples(name: str, group: typer.Typer) -> None:
    """Add the examples to the help of each command in a group. name: of the group."""
    for command in group.registered_commands:
        inner = command.name or (command.callback.__name__ if command.callback else "")
        command.epilog = examples_epilog(f"{name} {inner}")


def first_sentence(about: str) -> str:
    """The first sentence of a command's help, without its period."""
    first = " ".join(inspect.cleandoc(about).partition("\n\n")[0].split())
    return first.partition(". ")[0].removesuffix(".")


class SectionedHelp(TyperGroup):
    """A group whose help lists its commands by section; rarely used ones only with `ALL`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[ALL] = ALL in args  # as --help prints before another option is read
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, names in SECTIONS.items():
            shown = names if ctx.meta.get(ALL) else [name for name in names if name not in RARE]
            with formatter.section(title):
                formatter.write_dl(self._command_rows(shown))

    def _command_rows(self, names: Iterable[str]) -> list[tuple[str, str]]:
        return [(f"{name:<10}", first_sentence(self.commands[name].help or "")) for name in names]
