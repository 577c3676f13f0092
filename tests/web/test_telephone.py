"""The page of drawn cards on telephones and tablets: nothing lies under anything, and nothing is clipped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from p2pcards.frontend.menus import MENUS
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import GAMES
from p2pcards.views.tableview import TableView
from rigs.browser import Browser, ShownPage
from rigs.laid_pages import (
    faults,
    groups_of_menu,
    laid_page,
    open_group,
    open_menu,
    show,
    show_start,
    states,
    unreached,
)

pytestmark = pytest.mark.browser

SIZES = ((360, 640), (390, 844), (430, 932), (768, 1024))
SMALLEST = (320, 568)
CROWDED = ("crazy_eights", "pinochle", "pinochle2", "rummy_500")
"""Games whose piles have not the room there that they need beside all else; everything can be pressed all the same."""
SEED = 11
OTHERS = (3, 5, 8, 21)


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShownPage]:
    with laid_page(browser, tmp_path_factory.mktemp("page")) as shown:
        yield shown


@cache
def views_of(key: str, seed: int = SEED) -> dict[str, TableView]:
    return states(key, "", seed, 2)


@pytest.mark.parametrize("key", GAMES)
def test_nothing_overlaps_and_nothing_is_clipped(page: ShownPage, key: str) -> None:
    """Each state in one of the sizes, in turn."""
    wrong = []
    for number, (state, view) in enumerate(views_of(key).items()):
        wrong += faults_at(page, state, view, SIZES[number % len(SIZES)])
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SEED, *OTHERS])
@pytest.mark.parametrize("key", GAMES)
def test_nothing_overlaps_and_nothing_is_clipped_at_any_size(page: ShownPage, key: str, seed: int) -> None:
    found = views_of(key, seed)
    assert [wrong for size in SIZES for state in found for wrong in faults_at(page, state, found[state], size)] == []


def faults_at(page: ShownPage, state: str, view: TableView, size: tuple[int, int]) -> list[str]:
    page.resize(*size)
    show(page, view)
    return [f"{state} at {size}: {fault}" for fault in faults(page)]


@pytest.mark.parametrize("key", [key for key in GAMES if key not in CROWDED])
def test_nothing_overlaps_and_nothing_is_clipped_in_the_smallest_window(page: ShownPage, key: str) -> None:
    assert [wrong for state, view in views_of(key).items() for wrong in faults_at(page, state, view, SMALLEST)] == []


@pytest.mark.parametrize("key", GAMES)
def test_everything_can_be_pressed_in_the_smallest_window(page: ShownPage, key: str) -> None:
    page.resize(*SMALLEST)
    lost = []
    for state, view in views_of(key).items():
        show(page, view)
        lost += [f"{state}: {name}" for name in unreached(page)]
    assert lost == []


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_has_the_groups_of_the_terminals_and_nothing_in_it_is_cut(
    page: ShownPage, size: tuple[int, int]
) -> None:
    page.resize(*size)
    view = next(view for view in views_of("pinochle").values() if view.legal)
    show(page, view)
    open_menu(page, view)
    assert groups_of_menu(page) == list(MENUS)
    wrong = faults(page)
    for number in range(len(MENUS)):
        open_group(page, number)
        wrong += faults(page)
    words = page.value("document.querySelector('.menus').textContent")
    assert "Square corners" not in words
    assert "Back to the shell" not in words
    assert wrong == []


def test_a_hint_is_offered_only_where_it_is_allowed(page: ShownPage) -> None:
    view = next(view for view in views_of("hearts").values() if view.legal and "hint" in view.assists)
    page.resize(*SIZES[0])
    for allowed in (True, False):
        assists = view.assists if allowed else tuple([one for one in view.assists if one != "hint"])
        show(page, replace(view, assists=assists))
        assert page.value("!!document.querySelector('.controls [aria-label=Hint]')") is allowed


def test_the_tile_of_a_game_that_is_named_for_a_suit_shows_it(page: ShownPage) -> None:
    page.resize(*SIZES[0])
    show_start(page)
    parts = "[...one.childNodes].map(part => part.textContent)"
    shown = page.value(f"[...document.querySelectorAll('.games button')].map(one => {parts})")
    tiles = {name: sign for sign, name in shown}
    assert {*tiles} == {*GAME_NAMES.values()}
    assert (tiles["Hearts"], tiles["Spades"]) == ("♥", "♠")
