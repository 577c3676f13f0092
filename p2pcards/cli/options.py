"""Arguments and options that several commands share: one by one, then in classes of those that go together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass
from functools import wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import Failure
from p2pcards.cli.terminal import escape_unprintable
from p2pcards.control.exits import USAGE

if TYPE_CHECKING:
    from p2pcards.control.messages import TimeLimits

A_GAME = "A game (see `p2pcards games`)."
RULES_FROM = "The preset to start from; default: the game's first."
SAME_GAMES = "The same number gives the same games."


DAY = 86400
"""Seconds; the longest grace and turn clock that the header of a game takes."""
SEEDS = 2**63
MOST = 1_000_000
"""The largest number of hands, games or logs that an option takes."""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

# --- the game -------------------------------------------------------------------------------------------------------

GameKey = Annotated[str, typer.Argument(metavar="GAME", help=A_GAME)]
OfGame = Annotated[str, typer.Option("--game", metavar="GAME", help="Only this game.")]
Preset = Annotated[
    str, typer.Option(metavar="PRESET", help="The preset to start from; default: yours, or the game's first.")
]
Changes = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a rule; repeatable.")]

# --- a table --------------------------------------------------------------------------------------------------------

Auto = Annotated[str, typer.Option(metavar="LEVEL", help="Let the computer play your seat at this level.")]
Via = Annotated[
    str,
    typer.Option(metavar="COMMAND", help="Connect through this command, such as 'ssh -W %h:%p friend@example.org'."),
]
Seed = Annotated[
    int | None,
    typer.Option(min=0, max=SEEDS - 1, metavar="N", help="The same number deals the same cards (same home and name)."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Show suits as the letters C D H S.")]
Plain = Annotated[bool, typer.Option("--plain", help="Plain lines without color, for screen readers and slow lines.")]
Line = Annotated[bool, typer.Option("--line", help="Play in lines of text instead of on the full screen.")]
TableName = Annotated[
    str, typer.Argument(metavar="[TABLE]", help="A table (see `p2pcards status`); default: the latest.")
]

# --- a modem or a null-modem cable ------------------------------------------------------------------------------------

FASTEST = 115200
"""The fastest serial port, in bits a second."""

Device = Annotated[
    str,
    typer.Option(
        metavar="DEVICE",
        help="The modem's serial device, such as /dev/ttyUSB0; default: from the settings.",
    ),
]
Rate = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=FASTEST,
        metavar="BPS",
        help="Speed of the phone line or cable; default: what the modem reports.",
        show_default=False,
    ),
]
Rings = Annotated[
    int | None,
    typer.Option(min=0, max=100, metavar="N", help="Answer after this many rings; caller ID comes after the first."),
]
Pulse = Annotated[bool | None, typer.Option("--pulse/--tone", help="Dial by pulse or by tone.", show_default=False)]


# --- options that go together: a parameter of these classes stands for an option for each field ----------------------


@dataclass(frozen=True, slots=True)
class RulesOptions:
    """The game and its rules, where friends play."""

    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="The game; you can also pick it at the table.")
    ] = ""
    preset: Preset = ""
    changes: Changes = None


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """How the player appears at a table; "" for what the settings say."""

    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name others see; default: the one in your settings.")
    ] = ""
    character: Annotated[
        str, typer.Option("--as", metavar="CHARACTER", help="The character that plays for you while you're away.")
    ] = ""
    auto: Auto = ""


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """The time limits of a table."""

    grace: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=DAY,
            metavar="SECONDS",
            help="Time before a character takes over for a player who drops out; default: 60, by phone 180.",
        ),
    ] = None
    turn_clock: Annotated[
        int | None,
        typer.Option(
            min=0, max=DAY, metavar="SECONDS", help="Time limit for a turn, 0 for none; default: 180, solo none."
        ),
    ] = None
    between_hands: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=3600,
            metavar="SECONDS",
            help="Pause after each hand; default: 20; solo, until you press Enter.",
        ),
    ] = None

    def time_limits(self) -> TimeLimits:
        """The limits in the form that a request to the daemon takes."""
        from p2pcards.control.messages import TimeLimits

        return TimeLimits(self.grace, self.turn_clock, self.between_hands)


@dataclass(frozen=True, slots=True)
class PortOptions:
    """The port at which a table waits for friends."""

    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, metavar="PORT", help="The port to wait on; default: 4747. 0: any free one."),
    ] = None
    web: Annotated[
        str | None,
        typer.Option("--web", metavar="[PORT]", help="Let friends join from a browser, too; prints a link for them."),
    ] = None
    bind: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Wait only at this address of this machine, such as 127.0.0.1.")
    ] = ""


@dataclass(frozen=True, slots=True)
class AdmissionOptions:
    """Limits on joining a table, and the ways to it beside its port."""

    require_code: Annotated[bool, typer.Option("--require-code", help="Strangers need the code to join.")] = False
    known_only: Annotated[
        bool, typer.Option("--known-only", help="Let only people you know join; there is no code.")
    ] = False
    reach: Annotated[
        bool | None,
        typer.Option("--reach/--no-reach", help="Let friends anywhere join by the code alone, through public brokers."),
    ] = None
    onion: Annotated[
        bool, typer.Option("--onion", help="Wait on Tor only, so neither side sees the other's address.")
    ] = False


@dataclass(frozen=True, slots=True)
class SerialOptions:
    """The settings of a serial port and the modem at it."""

    speed: Annotated[
        int,
        typer.Option(
            min=0, max=FASTEST, metavar="BPS", help="Speed of the serial port; default: 115200.", show_default=False
        ),
    ] = 0
    flow: Annotated[str, typer.Option(metavar="WAY", help="Flow control: rtscts, xonxoff or none.")] = ""
    init: Annotated[
        list[str] | None,
        typer.Option(metavar="COMMAND", help="Set up the modem with this AT command, or for this make; repeatable."),
    ] = None


@dataclass(frozen=True, slots=True)
class Seating:
    """The front end that a player sits down with."""

    ascii: Ascii = False
    plain: Plain = False
    line: Line = False
    detached: Annotated[bool, typer.Option("--detached", help="Open the table without sitting down.")] = False
    as_json: Annotated[bool, typer.Option("--json", help="Like --detached, and print the table as JSON.")] = False


def refuse_seed(seed: str | None) -> None:
    """Refuse `--seed` where people play. Raises Failure."""
    if seed is not None:
        raise Failure(
            "--seed works only when you play alone: with friends, everyone shuffles. Leave it out.",
            USAGE,
        )


@dataclass(frozen=True, slots=True)
class FriendsSeating(Seating):
    """Like Seating, at a table with friends."""

    seed: Annotated[str | None, typer.Option("--seed", hidden=True, callback=refuse_seed)] = None


def spread_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer takes it: a parameter of a class above becomes an option for each field of the class."""
    spread: list[inspect.Parameter] = []
    classes: dict[str, tuple[Callable[..., Any], list[str]]] = {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        kind: Callable[..., Any] = parameter.annotation
        if is_dataclass(kind):
            fields = inspect.signature(kind, eval_str=True).parameters
            classes[parameter.name] = (kind, list(fields))
            spread += fields.values()
        else:
            spread.append(parameter)

    @wraps(command)
    def run(**given: Any) -> None:
        whole = {name: kind(**{one: given.pop(one) for one in fields}) for name, (kind, fields) in classes.items()}
        command(**given, **whole)

    keywords = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in spread]
    run.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    return run


# --- `--web`, alone or with a port ------------------------------------------------------------------------------------


WEB = "--web"


def fill_web_option(arguments: Sequence[str]) -> list[str]:
    """The arguments with a value added to a bare `--web`, as Typer has no options whose value may be left out."""
    pairs = pairwise([*arguments, ""])
    return [f"{WEB}=" if word == WEB and not after.isdecimal() else word for word, after in pairs]


def listening_port(given: PortOptions) -> tuple[int | None, bool]:
    """(port, web) for a table that waits: the port, None for the one in the settings, and whether browsers find a page
    there. Raises Failure."""
    port, web = given.port, given.web
    if not web:
        return port, web is not None
    if not web.isdecimal() or len(web) > 5 or int(web) > 65535:
        raise Failure(
            f"'{escape_unprintable(web)[:20]}' isn't a port. Use --web with a number from 1 to 65535, "
            "or with no number.",
            USAGE,
        )
    if port not in (None, int(web)):
        raise Failure(
            f"Browsers and terminals use the same port. Leave out --port, or use --web with no number and "
            f"--port {port}.",
            USAGE,
        )
    return int(web), True
