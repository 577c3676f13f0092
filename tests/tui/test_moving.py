"""Cards that move on the screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from at_hand import TableAtHand
from p2pcards.frontend.manner import Manner
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import card_text
from p2pcards.present.width import text_width
from p2pcards.tui.appearance import Sitting
from p2pcards.tui.picture.canvas import Canvas, Picture, overlay_picture
from p2pcards.tui.picture.faces import SMALL, Face, card_picture
from p2pcards.tui.picture.moving import CardMove, draw_in_motion, find_moves
from p2pcards.tui.picture.scene import Scene
from p2pcards.tui.picture.table import draw_scene
from p2pcards.tui.table_shown import TableShown
from p2pcards.views.tableview import Command, TableView
from rigs.screen_table import PLAIN

STEPS = 4
SIZE = (100, 36)
"""Columns and rows with room for the board of cribbage and what lies beside it."""


def shown() -> TableShown:
    return TableShown(Sitting(Manner(), PLAIN), [], lambda: 0.0)


def views_of(key: str, actions: int) -> Iterator[TableView]:
    """What the screen is sent while somebody acts so often as a novice would, and the others between."""
    table = TableAtHand(key, "", 3, slowly=True)
    for _ in range(actions):
        yield from [news for news in table.news() if isinstance(news, TableView)]
        if table.view().phase != "play":
            return
        table.say(Command("act", tuple(table.suggestion().split())))


def moves_of(key: str, actions: int) -> Iterator[tuple[Scene, Scene, tuple[CardMove, ...], list[Picture]]]:
    """The scenes before and after each view, the ways of the cards, and the pictures: of before, and of these ways."""
    now = shown()
    for view in views_of(key, actions):
        old, start = now.scene, now.picture(*SIZE)
        now.see_view(view)
        yield old, now.scene, find_moves(old, now.scene), [start, *now.moving(old, start, STEPS)]


@pytest.mark.parametrize("actions", [8, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", GAMES)
def test_every_way_leads_from_and_to_what_is_drawn(key: str, actions: int) -> None:
    kinds = Counter[tuple[str, str]]()
    for old, new, found, (start, *pictures) in moves_of(key, actions):
        end = draw_scene(new, *SIZE)
        dealt = old.view.hand != new.view.hand
        assert len(pictures) == (-(-len(new.hand) // 3) if dealt else (STEPS - 1) * bool(found))
        assert not [fault for picture in pictures for fault in picture.faults]
        for way in found:
            assert way.start in {zone.name for zone in start.zones}, way
            assert way.end in {zone.name for zone in end.zones}, way
            kinds[way.start.split()[0], way.end.split()[0]] += 1
        boxes = {zone.name: zone.box for zone in end.zones}
        for way, card in zip(found, draw_in_motion(new, found, start, end, 1.0).air, strict=True):
            box = boxes[way.end]
            assert card.card == way.card and box.row <= card.row + 1 and card.row < box.row + box.rows
            assert card.column < box.column + box.columns and box.column < card.column + SMALL.columns
    assert kinds, "no card has moved"


def test_a_card_goes_from_the_hand_to_the_trick_and_the_trick_to_its_winner() -> None:
    found = [(old, new, way) for old, new, found, _ in moves_of("whist", 20) for way in found]
    mine = [(old, way) for old, _, way in found if way.start.startswith("hand") and way.end == "trick 0"]
    assert mine and all(int(old.hand[int(way.start.split()[1])]) == way.card for old, way in mine)
    taken = [(new, way) for _, new, way in found if not way.stays]
    assert len(taken) >= 8 and all(way.end == f"seat {new.view.leader}" for new, way in taken)


def test_a_card_that_is_on_its_way_lies_nowhere_else() -> None:
    old, new, (way, *_) = next((old, new, found) for old, new, found, _ in moves_of("whist", 5) if found)
    start, end = draw_scene(old, *SIZE), draw_scene(new, *SIZE)
    for part in (0.0, 0.5, 1.0):
        on_way = draw_in_motion(new, (way,), start, end, part)
        alone = "\n".join(draw_scene(replace(on_way, air=()), *SIZE).text())
        beside = "\n".join(draw_scene(on_way, *SIZE).text())
        card = card_text(way.card, PLAIN.look.style)
        assert alone.count(card) == 0 < "\n".join(end.text()).count(card) and beside.count(card) == 1


def test_what_others_draw_is_seen_from_behind() -> None:
    found = [way for _, _, found, _ in moves_of("gin_rummy", 12) for way in found]
    drawn = [way for way in found if way.start == "pile stock" and way.end == "seat 1"]
    assert drawn and {way.card for way in drawn} == {0}
    mine = [way for way in found if way.start == "pile stock" and way.end.startswith("hand")]
    assert mine and all(way.card for way in mine)
    thrown = [way for way in found if way.end == "pile discard pile"]
    assert {way.start.split()[0] for way in thrown} == {"hand", "seat"} and all(way.card for way in thrown)


def test_a_hand_is_dealt_three_cards_at_a_time() -> None:
    hands = [(new, pictures) for old, new, _, (_, *pictures) in moves_of("whist", 30) if old.view.hand != new.view.hand]
    assert len(hands) == 3, "the first one too, where the table was there before"
    for new, pictures in hands:
        lie = ["\n".join(picture.text()[-5:]) for picture in pictures]
        shown = [sum(card_text(int(card), PLAIN.look.style) in text for card in new.hand) for text in lie]
        assert shown == [0, 3, 6, 9, 12]
        assert not [fault for picture in pictures for fault in picture.faults]


def test_another_hand_is_dealt_without_moves() -> None:
    scenes = [new for _, new, _, _ in moves_of("crazy_eights", 60)]
    first, last = scenes[0], next(scene for scene in scenes if scene.view.rounds)
    assert (
        find_moves(first, last) == ()
        and find_moves(replace(first, view=replace(first.view, game="whist")), first) == ()
    )


def test_a_picture_lies_on_another() -> None:
    canvas = Canvas(12, 4)
    canvas.put(0, 1, "一二三四五六", "wide")
    under = canvas.picture()
    card = card_picture(Face(0), SMALL, PLAIN.look)
    for column in range(-4, 12):
        over = overlay_picture(under, column, 2, card)
        assert [text_width(row) for row in over.text()] == [12] * 4
    assert overlay_picture(under, 3, 0, card).text()[1].startswith("一 ")
