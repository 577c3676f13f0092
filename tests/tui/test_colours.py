"""The inks as colours."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from p2pcards.frontend.record_pages import BLUE, PLAIN, RED
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import usual_arrangement
from p2pcards.present.score import GREEN
from p2pcards.store.files import StoreError
from p2pcards.store.settings import COLOURS, check_values
from p2pcards.tui.appearance import INKS, OF_TOOLKIT, Appearance, Palette, ink_style, toolkit_colours
from p2pcards.tui.panels import PanelBox, apply_palette
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.scene import new_scene
from p2pcards.tui.picture.table import draw_scene
from rigs.screen_scenes import scene_of
from rigs.screen_table import screened

OF_CARDS = {"face", "dim_face", "marked_face", "melded_face", "new_face", "spades", "hearts", "diamonds", "clubs"}


def test_every_part_is_on_the_screen_and_every_ink_has_parts() -> None:
    used = {part for pair in INKS.values() for part in pair}
    assert used | OF_CARDS | set(OF_TOOLKIT) == set(COLOURS)


def test_a_colour_of_ones_own_is_shown() -> None:
    palette = Palette(own=(("table", "#010203"), ("hearts", "#ff0000")))
    assert ink_style("note", palette).bgcolor != ink_style("note").bgcolor
    assert str(ink_style("", palette)) == "#c5d6c5 on #010203"
    assert str(ink_style("card.hearts", palette)).endswith("#ff0000 on #f4f1e6")


def test_panels_and_what_was_won_and_lost_have_colours_of_ones_own() -> None:
    palette = Palette(own=(("panel", "#010203"), ("won", "#00ff00"), ("table", "#ffffff")))

    async def look() -> None:
        async with screened("hearts", appearance=Appearance(Look(), palette)) as table:
            app = table.pilot.app
            await table.press("l")
            box = app.screen.query_one(PanelBox)
            assert box.styles.background.hex == "#010203"
            await table.press("escape", "f10")
            assert app.screen.query_one("#bar").styles.background.hex == "#010203"
            text = apply_palette(f"{BLUE}Ann{PLAIN} {RED}Ben{PLAIN}", app.get_css_variables())
            assert "[38;2;0;255;0m" in text and "[38;2;255;107;107m" in text

    asyncio.run(look())
    assert toolkit_colours(Palette("none", palette.own)) == {}


def test_the_scores_lie_on_the_colour_of_the_table_unless_they_have_their_own() -> None:
    table = Palette(own=(("table", "#010203"),))
    assert str(ink_style("score", table)).endswith("on #010203")
    assert str(ink_style("score", Palette(own=(*table.own, ("sheet", "#040506"))))).endswith("on #040506")
    assert str(ink_style("meld.now", Palette(own=(("flash", "#00ffff"),)))).startswith("bold blink #00ffff")


def test_a_total_with_melds_of_the_hand_in_progress_is_italic_and_has_their_colour() -> None:
    table = scene_of("pinochle2", seed=3)
    melds = replace(table.view, made=((("flush", 150),), ()))
    runs = [run for row in draw_scene(replace(table, view=melds), 80, 24).rows for run in row]
    assert [text.strip() for text, ink in runs if ink == "score.so_far"] == ["0"]
    assert ink_style("score.so_far").italic and ink_style("score.so_far", Palette("none")).italic
    assert str(ink_style("score.so_far", Palette(own=(("made", "#00ff00"),)))).startswith("italic #00ff00")
    assert "[38;2;143;214;148m" in apply_palette(f"{GREEN}flush{PLAIN}", {})


def test_two_colours_of_suits() -> None:
    two = Palette("two")
    assert ink_style("card.hearts", two) == ink_style("card.diamonds", two) != ink_style("card.clubs", two)


def test_without_colours_nothing_has_one_and_what_matters_is_told_otherwise() -> None:
    drawn = [
        ink
        for key in GAMES
        for row in draw_scene(new_scene(scene_of(key).view, Look(), usual_arrangement(key)), 80, 24).rows
        for _, ink in row
    ]
    styles = {ink: ink_style(ink, Palette("none")) for ink in drawn}
    assert all(style.color is None and style.bgcolor is None for style in styles.values())
    assert ink_style("card.dim", Palette("none")).dim and ink_style("card.hearts.chosen", Palette("none")).bold


@pytest.mark.parametrize(
    ("part", "colour", "said"),
    [
        ("tabel", "#000000", "There's no screen part 'tabel'. Parts: table, "),
        ("table", "green", "must be written as #rrggbb, such as #12402a, not 'green'"),
        ("table", 3, "must be written as #rrggbb"),
    ],
)
def test_what_is_no_colour_is_refused(part: str, colour: object, said: str) -> None:
    with pytest.raises(StoreError, match=said):
        check_values({"colours": {part: colour}})


def test_a_meld_that_may_be_laid_at_once_stands_out_and_flashes() -> None:
    runs = [run for row in draw_scene(scene_of("pinochle2", until="meld"), 80, 24).rows for run in row]
    ((text, ink),) = [run for run in runs if run[1] == "meld.now"]
    assert text.endswith(" now")
    assert (
        ink_style(ink).blink
        and ink_style(ink, Palette("none")).blink
        and ink_style(ink).color != ink_style("note").color
    )
