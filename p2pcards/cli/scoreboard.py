"""`p2pcards scoreboard`: games of two-handed pinochle against the computer, in a text file."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from p2pcards.cli.failing import Failure
from p2pcards.cli.home import our_home
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import bar, say, show, shows_colours
from p2pcards.control.exits import USAGE


class Change(StrEnum):
    NEW = "new"
    SAVE = "save"
    RESET = "reset"
    RECOVER = "recover"


def scoreboard(
    change: Annotated[
        Change | None,
        typer.Argument(metavar="[new|save|reset|recover]", help="What to do with it; if left out, it is shown."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Your games of two-handed pinochle against the computer, and the rounds of the one that is on."""
    from p2pcards.frontend.record_pages import change_board, scoreboard_page
    from p2pcards.results.keeping import silent
    from p2pcards.results.score_file import BoardRefused

    home, said = our_home(), ""
    if change:
        try:
            said = change_board(home, change.value)
        except BoardRefused as refused:
            raise Failure(refused.with_advice, USAGE) from None
    if said and not as_json:
        say(said)
        return
    progress = bar("logs read") if sys.stderr.isatty() else silent
    page = scoreboard_page(home, shows_colours(), lambda sentence: say(sentence, sys.stderr), progress)
    show(page.data, page.lines, as_json)
