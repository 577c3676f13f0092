"""The files of docs/pictures: the screen of every game's table as text, and as a picture in colours (SVG).

The table and the drawing are the real ones; the daemon between them is left out, so that nothing depends on time. The
person has played as a novice would, until there is something to see.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from rich.console import Console
from rich.segment import Segment, Segments
from rich.terminal_theme import SVG_EXPORT_THEME

from at_hand import TableAtHand
from making.portraits import sheet
from making.transcripts import games_and_presets
from p2pcards.cards.card import Card, Suit
from p2pcards.control.messages import Happened
from p2pcards.games.names import USUAL
from p2pcards.games.options import values_by_key
from p2pcards.games.prose import rules_in_brief
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import usual_arrangement
from p2pcards.present.sayings import Sayings
from p2pcards.present.story import happening_sentence
from p2pcards.present.width import wrap_words
from p2pcards.store.settings import COLOURS
from p2pcards.tui.appearance import CARD_FRAME, ink_style
from p2pcards.tui.choices import carry_selection
from p2pcards.tui.picture.art import Paint, back_svg, card_svg
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.scene import LogLine, Scene, new_scene
from p2pcards.tui.picture.table import draw_scene
from p2pcards.tui.picture.tiles import Title, draw_title
from p2pcards.tui.table_shown import what_to_do_in as to_do
from p2pcards.tui.title import BUTTONS
from p2pcards.views.tableview import Command, TableView

MOVES = 6
"""Actions of the person before the picture."""
SIZES = ((80, 24, False), (80, 24, True), (100, 30, False), (160, 50, False))
"""(columns, rows, in ASCII)"""


END_SIZES = ((60, 20), (80, 24), (120, 40))


def files() -> Mapping[str, Callable[[], str]]:
    """What makes every picture, by its file name: the screens of a game as text, one below the other, and a screen in
    colours."""
    found: dict[str, Callable[[], str]] = {"title.txt": lambda: "\n".join(_title_texts()), "cards.svg": _pack}
    found["characters.svg"] = sheet
    for key, preset in games_and_presets():
        found[f"{key}-{preset}.txt"] = partial(_grid, key, preset)
        found[f"{key}-{preset}.svg"] = partial(_drawing, key, preset)
        found[f"{key}-end.txt"] = partial(_ends, key, preset)
    return found


CARD = (100, 140)
"""Pixels of a card that is drawn, as a picture."""


def _pack() -> str:
    """All cards, a row each suit, and a back."""
    width, height = CARD
    drawn = []
    for suit in reversed(Suit):
        paint = Paint(COLOURS["face"], COLOURS[suit.name.lower()], CARD_FRAME)
        drawn += [card_svg(int(Card.of(rank, suit)), width, height, paint) for rank in range(2, 15)]
    drawn.append(back_svg(width, height, Paint(COLOURS["back_face"], COLOURS["back"], CARD_FRAME)))
    placed = [
        f'<g transform="translate({number % 13 * (width + 6)} {number // 13 * (height + 6)})">{svg}</g>'
        for number, svg in enumerate(drawn)
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{13 * (width + 6)}" height="{5 * (height + 6)}">\n' + (
        "\n".join(placed) + "\n</svg>\n"
    )


def _grid(key: str, preset: str) -> str:
    return "\n".join(_texts(key, preset))


def _drawing(key: str, preset: str) -> str:
    return _svg(draw_scene(table_of(key, preset, Look()), 80, 24))


def _ends(key: str, preset: str) -> str:
    """The end of a hand that is followed by another."""
    shown = ended(key, preset)
    return "\n".join([line.rstrip() for size in END_SIZES for line in [*draw_scene(shown, *size).text(), ""]])


def ended(key: str, preset: str) -> Scene:
    """The table when a hand is over, as Ann sees it before she goes on."""
    for seed in range(1, 9):
        table = TableAtHand(key, preset, seed, looks=True)
        while (view := table.view()).pause is None and view.phase == "play":
            table.say(Command("act", tuple(table.suggestion().split())))
        if view.pause is not None:
            return new_scene(view, Look(), usual_arrangement(key))
    raise ValueError(f"no hand of {key} is followed by another")


def table_of(key: str, preset: str, look: Look) -> Scene:
    """The table in the middle of a hand, as Ann sees it."""
    table, sayings, told = TableAtHand(key, preset, 1), Sayings(), list[LogLine]()
    for number in range(MOVES + 1):
        if number:
            table.say(Command("act", tuple(table.suggestion().split())))
        for news in table.news():
            if isinstance(news, Happened):
                told.append(LogLine(happening_sentence(news.happening, "Ann", look.style)))
                told += [LogLine(line, "chat") for line in sayings.heard(news.happening, table.view())]
    empty = new_scene(TableView("coordinator", "lobby"), look, usual_arrangement(key))
    shown = new_scene(table.view(), look, usual_arrangement(key))
    mind = replace(carry_selection(shown, empty), told=tuple(told))
    return replace(shown, mind=replace(mind, status=to_do(replace(shown, mind=mind))))


def _texts(key: str, preset: str) -> list[str]:
    return [
        line.rstrip()
        for columns, rows, ascii_only in SIZES
        for line in [*draw_scene(table_of(key, preset, Look(ascii=ascii_only)), columns, rows).text(), ""]
    ]


def _title_texts() -> list[str]:
    first = next(iter(GAMES.values()))
    brief = f"{first.name}: {rules_in_brief(first, values_by_key(first.presets[USUAL]))}"
    names = [game.name for game in GAMES.values()]
    return [
        line.rstrip()
        for columns, rows, ascii_only in SIZES
        for title in [Title(names, BUTTONS, lines=wrap_words(brief, columns - 4))]
        for line in [*draw_title(title, Look(ascii=ascii_only), columns, rows).text(), ""]
    ]


def _svg(picture: Picture) -> str:
    console = Console(
        file=io.StringIO(), width=80, record=True, force_terminal=True, color_system="truecolor", legacy_windows=False
    )
    lines = [[Segment(text, ink_style(ink)) for text, ink in row] for row in picture.rows]
    console.print(Segments([segment for line in lines for segment in [*line, Segment.line()]]), end="")
    drawn = console.export_svg(title="p2pcards", theme=SVG_EXPORT_THEME, unique_id="table")
    return re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)  # nothing is fetched from anywhere
