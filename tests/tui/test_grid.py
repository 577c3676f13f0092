"""Pictures of tables: nothing lies on anything else, nothing is outside, nothing lacks room, whatever is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_hand import TableAtHand
from p2pcards.frontend.choosing import Button
from p2pcards.games.prose import ends_text
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import usual_arrangement
from p2pcards.present.width import text_width
from p2pcards.store import settings
from p2pcards.tui.picture import table as middle
from p2pcards.tui.picture.canvas import Box, Canvas, Picture
from p2pcards.tui.picture.faces import BACKS, FORMS, LOWER, SMALL, Look
from p2pcards.tui.picture.scene import BUTTONS, HAND, LogLine, new_scene
from p2pcards.tui.picture.table import draw_scene
from p2pcards.tui.table_shown import what_to_do_in as to_do
from p2pcards.views.tableview import Command, TableView
from rigs.screen_scenes import scene_of

SIZES = ((60, 20), (80, 24), (100, 30), (160, 50))
GAMES_AND_PRESETS = [(key, preset) for key, game in GAMES.items() for preset in game.presets]
LONGEST = 400
"""Views of a game."""
BOARDS = ("standard", "racetrack", "s_shape")


def pictured(view: TableView, size: tuple[int, int], *, ascii_only: bool, chance: Random) -> Picture:
    """The table with anything chosen."""
    table = new_scene(view, Look(ascii=ascii_only), usual_arrangement(view.game))
    places = len(table.hand)
    marked = frozenset(chance.sample(range(places), chance.randint(0, min(places, 3)))) if view.legal else frozenset()
    focus = BUTTONS if table.buttons and chance.random() < 0.3 else HAND
    told = (LogLine(f"Wacky Wayne says {'something ' * chance.randint(1, 20)}"),)
    mind = replace(table.mind, at=chance.randrange(max(places, 1)), marked=marked, focus=focus, told=told)
    table = replace(table, mind=mind)
    return draw_scene(replace(table, mind=replace(mind, status=to_do(table))), *size)


def game_at_hand(key: str, preset: str, seed: int, chance: Random, longest: int) -> list[TableView]:
    """What is seen of a game that is played at random, or of its beginning."""
    table, seen = TableAtHand(key, preset, seed), list[TableView]()
    while len(seen) < longest:
        view = table.view()
        board = chance.choice(BOARDS)
        seen.append(
            replace(view, options=tuple([(name, board if name == "board" else value) for name, value in view.options]))
        )
        if view.phase != "play" or not view.legal:
            break
        table.say(Command("act", tuple(chance.choice(view.legal).split())))
    return seen


def check_game(key: str, preset: str, seed: int, sizes: Sequence[tuple[int, int]], longest: int = LONGEST) -> None:
    """Each view in every size; of a game cut short each in one of them, in turn."""
    chance = Random(f"{key} {preset} {seed}")
    for number, view in enumerate(game_at_hand(key, preset, seed, chance, longest)):
        turn = number % len(sizes)
        for size in sizes if longest == LONGEST else sizes[turn : turn + 1]:
            ascii_only = bool((number + number // len(sizes)) % 2)
            picture = pictured(view, size, ascii_only=ascii_only, chance=chance)
            assert picture.faults == (), "\n".join(picture.text())
            assert [text_width(line) for line in picture.text()] == [size[0]] * size[1]
            assert [zone for zone in picture.zones if not is_within(zone.box, *size)] == []
            assert not ascii_only or "".join(picture.text()).isascii()


def is_within(box: Box, columns: int, rows: int) -> bool:
    return 0 <= box.column <= columns - box.columns and 0 <= box.row <= rows - box.rows


@pytest.mark.parametrize("longest", [40, pytest.param(LONGEST, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("key", "preset"), GAMES_AND_PRESETS)
def test_nothing_is_cut_in_a_game(key: str, preset: str, longest: int) -> None:
    check_game(key, preset, 0, SIZES, longest)


@pytest.mark.parametrize("longest", [60, pytest.param(LONGEST, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("key", "preset", "seed"), [("rummy_500", "", 83), ("pinochle", "double-pack", 146)])
def test_nothing_is_cut_where_most_lies_open(key: str, preset: str, seed: int, longest: int) -> None:
    """Of 200 games of each kind those with the least room at 80x24, which is in their first hand."""
    for size in SIZES[:2]:
        check_game(key, preset or next(iter(GAMES[key].presets)), seed, [size], longest)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "preset"), GAMES_AND_PRESETS)
def test_nothing_is_cut_in_200_games(key: str, preset: str) -> None:
    for seed in range(1, 200):
        check_game(key, preset, seed, SIZES[:2])


@pytest.mark.parametrize("size", [(1, 1), (20, 3), (59, 20), (60, 19), (50, 15), (40, 12)])
def test_a_window_that_is_too_small_tells_in_words(size: tuple[int, int]) -> None:
    view = TableAtHand("hearts", "", 1).view()
    picture = pictured(view, size, ascii_only=False, chance=Random(1))
    assert [text_width(line) for line in picture.text()] == [size[0]] * size[1]
    told = " ".join(" ".join(picture.text()).split())
    assert size[1] < 12 or "Your hand" in told
    assert size[1] < 15 or f"Your window is {size[0]}x{size[1]}. Make it 60x20 or larger to see cards." in told


def test_a_table_that_has_no_room_in_a_small_window_says_how_large_it_needs_to_be() -> None:
    """All the bids of spades are buttons in one row."""
    told = "\n".join(draw_scene(scene_of("spades"), 70, 24).text())
    assert "Your window is 70x24. Make it 80x24 or larger to see cards." in told and "►" not in told


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize(("key", "preset"), GAMES_AND_PRESETS)
def test_the_title_names_the_goal_in_every_window(key: str, preset: str, columns: int) -> None:
    """Of the longest titles that a game comes to."""
    table = scene_of(key, preset)
    view = replace(table.view, deal=123_456, hand=12, number=3, turn=table.view.turn and 12)
    first = " ".join(" ".join(draw_scene(replace(table, view=view), columns, 24).text()[:3]).split())
    goal = f"goal {view.goal}" if view.goal else ends_text(GAMES[key], dict(view.options))
    assert f", {goal}" in first and GAMES[key].name in first
    assert columns < 80 or ", hand 12 of game 3" in first
    told = tuple([part in first for part in ("hand 12", " of game 3", "deal 123456")])
    assert told == tuple(sorted(told, reverse=True)), "the last of them goes first"


def test_cards_are_as_large_as_they_are_wanted_where_there_is_room() -> None:
    table = scene_of("whist")
    heights = {}
    for size in settings.CARD_SIZES:
        drawn = draw_scene(replace(table, look=replace(table.look, size=size)), 160, 60)
        boxes = {zone.name: zone.box for zone in drawn.zones}
        heights[size] = boxes["hand 1"].rows, boxes["trick 3"].rows
    sizes = {"window": (8, 6), LOWER: (6, 4), "small": (3, 3), "regular": (4, 4), "large": (6, 6), "extra": (8, 6)}
    assert heights == sizes


def test_every_back_has_a_pattern() -> None:
    assert tuple(BACKS) == settings.BACKS and ("window", LOWER, *FORMS) == settings.CARD_SIZES
    patterns = list(BACKS.values())
    assert len(set(patterns)) == len(patterns) == 16
    assert all(text_width(drawn) == 1 and plain.isascii() for drawn, plain in patterns)


@given(st.data())
def test_what_is_drawn_twice_or_outside_is_a_fault(data: st.DataObject) -> None:
    canvas = Canvas(20, 5)
    taken: set[tuple[int, int]] = set()
    wrong = False
    for _ in range(data.draw(st.integers(1, 6))):
        column, row = data.draw(st.integers(-2, 21)), data.draw(st.integers(-1, 6))
        text = data.draw(st.text("ab♠", max_size=8))
        for place in range(column, column + len(text)):
            outside = not (0 <= place < 20 and 0 <= row < 5)
            if outside or (place, row) in taken:
                wrong = True
                break
            taken.add((place, row))
        canvas.put(column, row, text)
    assert bool(canvas.picture().faults) == wrong
    assert len(canvas.picture().text()) == 5


def test_what_was_drawn_last_is_pointed_at() -> None:
    canvas = Canvas(10, 3)
    canvas.zone("below", Box(0, 0, 10, 3))
    canvas.zone("above", Box(2, 1, 3, 1))
    picture = canvas.picture()
    assert (picture.at(2, 1), picture.at(5, 1), picture.at(10, 1)) == ("above", "below", "")


def test_wide_characters_take_two_places() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "日本")
    assert canvas.picture().text() == ["日本"] and canvas.picture().faults == ()


def test_a_button_is_drawn_where_it_fits_and_a_column_is_left_free_behind_it() -> None:
    """Two buttons, the second of which ends in the last column but one, or would end in the last."""
    table = replace(scene_of("whist"), buttons=(Button("Undo", "U"), Button("x" * 70, "")))
    fits = draw_scene(table, 80, 24)
    assert fits.faults == ()
    zones = [zone.box for zone in fits.zones if zone.name.startswith("button")]
    assert [(box.column, box.columns) for box in zones] == [(1, 6), (9, 70)], "two columns between them"
    assert fits.text()[zones[0].row] == " [U]ndo  " + "x" * 70 + " "
    wider = draw_scene(replace(table, buttons=(Button("Undo", "U"), Button("x" * 71, ""))), 80, 24)
    assert wider.faults == ("no room for " + "x" * 71,)
    assert wider.text()[zones[0].row].strip() == "[U]ndo"


def test_what_can_be_read_beside_the_table_ends_with_the_last_column_but_one() -> None:
    """It takes a third of the window, but not less than 27 columns nor more than 48; before it is a rule."""
    for size, side in (((80, 24), 27), ((120, 40), 40), ((200, 50), 48)):
        picture = draw_scene(scene_of("whist"), *size)
        boxes = {zone.name: zone.box for zone in picture.zones}
        places = [(boxes[name].column, boxes[name].columns) for name in ("scores", "log")]
        assert places == [(size[0] - side, side - 1)] * 2, size
        rules = {line.find("│", size[0] - side - 3) for line in picture.text()[boxes["scores"].row :][:9]}
        assert rules == {size[0] - side - 2}, size


def test_hands_that_are_over_stand_below_the_scores_where_there_is_room() -> None:
    table = scene_of("whist")
    rounds = ((3, 0, 3, 0), (0, 1, 0, 1), (2, 0, 2, 0))
    played = replace(table, view=replace(table.view, rounds=rounds))

    def beside(rows: int) -> list[list[str]]:
        picture = draw_scene(played, 100, rows)
        assert picture.faults == ()
        (box,) = [zone.box for zone in picture.zones if zone.name == "scores"]
        return [line[box.column :].split() for line in picture.text()[box.row + 3 : box.row + box.rows]]

    assert beside(24) == []
    assert beside(40) == [["hand", "1", "+3", "+0"], ["hand", "2", "+0", "+1"], ["hand", "3", "+2", "+0"],
                          ["3", "hands", "+5", "+1"]]  # fmt: skip
    assert beside(28)[-2:] == [["hand", "3", "+2", "+0"], ["3", "hands", "+5", "+1"]] and len(beside(28)) < 4


def test_the_rules_that_are_on_stand_in_a_frame_where_there_is_room() -> None:
    table = scene_of("pinochle2", "usual")
    for size, framed in (((80, 24), False), ((100, 40), True)):
        picture = draw_scene(table, *size)
        boxes = [zone.box for zone in picture.zones if zone.name == "rules"]
        assert bool(boxes) == framed and picture.faults == ()
        for box in boxes:
            rows = [line[box.column :].strip() for line in picture.text()[box.row : box.row + box.rows]]
            assert rows[0].startswith("╭─ Rules ─") and [row.strip("│ ") for row in rows[1:-1]] == [
                "bonus dix dealt",
                "bonus last trick",
            ]
    hidden = replace(table, look=replace(table.look, rules=False))
    for none in (hidden, scene_of("pinochle2", "meggiesoft")):
        assert "Rules" not in "\n".join(draw_scene(none, 100, 40).text())


def test_two_cards_of_a_trick_lie_side_by_side_in_the_middle_the_lower_one_a_row_below() -> None:
    for rows, first, second in ((11, 8, 9), (4, 5, 6), (3, 5, 5), (2, 5, 5)):
        spots = middle._trick_spots(Box(10, 5, 30, rows), SMALL, 2)
        assert [row for _, row in spots.values()] == [first, second], rows
        columns = [column for column, _ in spots.values()]
        assert columns[1] - columns[0] == SMALL.columns + 1
        assert abs(sum(columns) + SMALL.columns - 2 * 25) <= 1, "the middle of the box"


def test_what_stands_above_and_below_can_be_pointed_at_row_by_row() -> None:
    table = scene_of("whist")
    picture = draw_scene(table, 80, 24)
    boxes = {zone.name: zone.box for zone in picture.zones}
    facts = boxes["facts"].rows
    assert (boxes["title"], boxes["facts"]) == (Box(0, 0, 80, 1), Box(0, 1, 80, facts)) and facts >= 1
    assert (boxes["status"].rows, boxes["keys"]) == (1, Box(0, 23, 80, 1))
    hand = min(box.row for name, box in boxes.items() if name.startswith("hand "))
    assert boxes["status"].row == hand - 2, "between it and the hand are the buttons"
    lobby = draw_scene(replace(table, view=replace(table.view, seats=(), phase="lobby")), 80, 24)
    assert (lobby.at(3, 0), lobby.at(3, 1)) == ("title", "")
