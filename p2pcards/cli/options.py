"""The arguments and options that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

DAY = 86400
SEEDS = 2**63

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

# --- the game -------------------------------------------------------------------------------------------------------

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="A game, as `p2pcards games` lists them.")]
Preset = Annotated[
    str, typer.Option(metavar="PRESET", help="The rules to start from; if left out, yours or the game's first.")
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a rule option; may be repeated.")
]
ChosenGame = Annotated[
    str, typer.Option("--game", metavar="GAME", help="The game; it can be chosen at the table as well.")
]

# --- a table --------------------------------------------------------------------------------------------------------

Name = Annotated[
    str, typer.Option(metavar="NAME", help="The name that others see. Asked for once; at first your login name.")
]
Character = Annotated[
    str,
    typer.Option("--as", metavar="CHARACTER", help="Who stands for you and plays while you are away. Asked for once."),
]
Auto = Annotated[str, typer.Option(metavar="LEVEL", help="The computer plays your seat at this level.")]
Grace = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=DAY,
        metavar="SECONDS",
        help="How long a seat is kept for somebody who is cut off: 60; by telephone 180.",
    ),
]
TurnClock = Annotated[
    int | None,
    typer.Option(
        min=0, max=DAY, metavar="SECONDS", help="How long a turn may take, 0 for no limit: 0 alone, else 180."
    ),
]
Via = Annotated[
    str,
    typer.Option(metavar="COMMAND", help="Connect through a command, such as 'ssh -W %h:%p friend@example.org'."),
]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, metavar="PORT", help="The port to wait on: 4747. 0 takes a free one.")
]
RequireCode = Annotated[bool, typer.Option("--require-code", help="People you do not know need the code to come in.")]
KnownOnly = Annotated[bool, typer.Option("--known-only", help="Only people you know come in; there is no code.")]
Seed = Annotated[
    int | None,
    typer.Option(min=0, max=SEEDS - 1, metavar="N", help="The same cards again, in this home and for this name."),
]
RefusedSeed = Annotated[int | None, typer.Option("--seed", hidden=True)]
Ascii = Annotated[bool, typer.Option("--ascii", help="Suits as the letters C D H S.")]
Plain = Annotated[
    bool, typer.Option("--plain", help="Plain lines without colour or painting, for screen readers and slow lines.")
]
Line = Annotated[bool, typer.Option("--line", help="Type words line by line, as without a full screen.")]
Detached = Annotated[bool, typer.Option("--detached", help="Open the table and do not sit down.")]
OpenAsJson = Annotated[bool, typer.Option("--json", help="Like --detached, and print the table as JSON.")]
TableName = Annotated[
    str, typer.Argument(metavar="[TABLE]", help="As `p2pcards status` shows it; if left out, the latest.")
]
