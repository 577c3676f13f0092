"""What the words show that the front end answers by itself, from the view that it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from p2pcards.frontend.guide_pages import guide_lines, nothing_found_text
from p2pcards.frontend.record_pages import (
    CHANGES,
    RECORD_WORDS,
    parse_records_request,
    run_records_request,
    run_scoreboard_command,
)
from p2pcards.frontend.words import NotUnderstood, help_lines, help_on_word
from p2pcards.games.registry import GAMES, find_variant
from p2pcards.present.cards import Arrangement, Style
from p2pcards.present.qr import WIDEST, qr_lines
from p2pcards.present.rules import games_lines, history_lines, option_table_lines, preset_values, rules_lines
from p2pcards.present.score import score_in_window, score_lines
from p2pcards.present.table import hand_lines, link_lines, people_lines, table_lines, trick_lines
from p2pcards.store.files import Home
from p2pcards.store.profiles import ProfileError, homes_beside, switch_beside
from p2pcards.views.tableview import TableView
from p2pcards.wire.invitation import has_invitation, link_for_watching

TAB = "Tab completes commands, cards, options and names. Press it twice for a list."


@dataclass(frozen=True, slots=True)
class Showing:
    """What a person may look at, and how it is shown."""

    view: TableView
    style: Style
    arrangement: Arrangement
    elapsed: float  # seconds since the view came
    lines: int  # height of the window or panel; 0 for none
    plain: bool  # no Tab completion and no drawn QR code
    home: Home | None = None  # of the records; None if there are none
    colour: bool = False  # show records in color


TITLES = {
    "score": "Scores",
    "who": "At the table",
    "link": "Link",
    "last": "Last trick",
    "help": "Commands",
    "guide": "Guide",
    "hall": "Hall of fame",
}
"""Of what words show, where it is not the word."""


def title_of_look(word: str) -> str:
    """The title above what this word shows."""
    return TITLES.get(word, word.capitalize())


Look = Callable[[Showing, Sequence[str]], list[str]]
"""What a word with these arguments shows. Raises NotUnderstood or UnknownGame."""


def _look_at_hand(showing: Showing, _arguments: Sequence[str]) -> list[str]:
    return hand_lines(showing.view, showing.style, showing.arrangement) or ["You have no cards right now."]


def _look_at_table(showing: Showing, _arguments: Sequence[str]) -> list[str]:
    return table_lines(showing.view, showing.style, showing.elapsed, showing.arrangement)


def _look_at_last_trick(showing: Showing, _arguments: Sequence[str]) -> list[str]:
    return trick_lines(showing.view, showing.style, last=True)


def _look_at_score(showing: Showing, arguments: Sequence[str]) -> list[str]:
    view, style = showing.view, showing.style
    if arguments and arguments[0].lower() != "all":
        raise NotUnderstood("Usage: score [all]")
    if arguments:
        return score_lines(view, style, len(view.rounds))
    return score_in_window(view, style, showing.lines) if showing.lines else score_lines(view, style)


def _look_at_people(showing: Showing, _arguments: Sequence[str]) -> list[str]:
    return people_lines(showing.view)


def _look_at_link(showing: Showing, _arguments: Sequence[str]) -> list[str]:
    view = showing.view
    if not view.link:
        return ["This table has no link. To open one that does: p2pcards host"]
    drawn = not (showing.plain or showing.style.ascii) and bool(view.code or has_invitation(view.link))
    watching = link_for_watching(view.link)
    watched = ["Link to watch without a seat:", f"  {watching}"] if watching else []
    return [*link_lines(view), *(qr_lines(view.link, WIDEST) if drawn else []), *watched]


def _look_at_player(showing: Showing, arguments: Sequence[str]) -> list[str]:
    if showing.home is None:
        return ["There are no other profiles here."]
    if not arguments:
        here, *others = [home.profile for home in homes_beside(showing.home)]
        more = f"To switch: player {others[0]}." if others else "To add a player: p2pcards profiles add NAME"
        return [f"You're playing as {here}. {more}", *[f"  {name}" for name in others]]
    try:
        now = switch_beside(showing.home, " ".join(arguments))
    except ProfileError as unknown:
        raise NotUnderstood(unknown.with_advice) from None
    if now == showing.home.profile:
        return [f"You're already playing as {now}."]
    return [f"{now} will play at your next table. {showing.home.profile} keeps this seat."]


def _look_at_games(_showing: Showing, _arguments: Sequence[str]) -> list[str]:
    return games_lines(GAMES)


def _look_at_help(showing: Showing, arguments: Sequence[str]) -> list[str]:
    if arguments:
        return help_on_word(arguments[0], showing.view)
    return [*help_lines(showing.view), *([] if showing.plain else [TAB])]


def _look_at_guide(showing: Showing, arguments: Sequence[str]) -> list[str]:
    asked = " ".join(arguments)
    return guide_lines(asked, showing.view) or [nothing_found_text(asked)]


def _look_at_game_page(name: str, showing: Showing, arguments: Sequence[str]) -> list[str]:
    view = showing.view
    key = arguments[0] if arguments else view.game
    if key is None:
        return ["No game picked yet. You can play:", *games_lines(GAMES)]
    game, preset = find_variant(key)
    if name == "about":
        return history_lines(game)
    here = game.key == view.game and not preset
    values = dict(view.options) if here else preset_values(game, preset)
    if name == "options":
        return option_table_lines(game, values if here else None)
    return rules_lines(game, values, view.preset if here else preset)


def _look_at_records(word: str, showing: Showing, arguments: Sequence[str]) -> list[str]:
    return run_records_request(showing.home, parse_records_request(word, arguments, showing.view.game), showing.colour)


def _look_at_scoreboard(showing: Showing, arguments: Sequence[str]) -> list[str]:
    change = arguments[0].lower() if arguments else ""
    if change and change not in CHANGES:
        raise NotUnderstood(f"Usage: scoreboard [{'|'.join(CHANGES)}]")
    return run_scoreboard_command(showing.home, change, showing.colour)


LOOKS: Mapping[str, Look] = {
    "hand": _look_at_hand,
    "table": _look_at_table,
    "last": _look_at_last_trick,
    "score": _look_at_score,
    **{word: partial(_look_at_records, word) for word in RECORD_WORDS},
    "scoreboard": _look_at_scoreboard,
    "who": _look_at_people,
    "link": _look_at_link,
    "player": _look_at_player,
    "games": _look_at_games,
    **{name: partial(_look_at_game_page, name) for name in ("rules", "options", "about")},
    "guide": _look_at_guide,
    "help": _look_at_help,
}
TAKE_LONG = frozenset(RECORD_WORDS) | {"scoreboard", "player"}
"""Those that are to be looked at beside the event loop."""
