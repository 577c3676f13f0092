"""A hand of each game by taps in Firefox, at the size of a telephone: the page is drawn and moved there too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2pcards.games.names import GAME_NAMES
from rigs.pages import Firefox, browsing
from rigs.paging import WHOLE, begin, take_seat, take_turns, take_turns_by_keys
from rigs.program import Program
from rigs.served import Served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with browsing("firefox", tmp_path_factory.mktemp("firefox") / "profile") as running:
        assert isinstance(running, Firefox)
        yield running


@pytest.mark.parametrize("key", GAME_NAMES)
def test_a_hand_of_each_game_by_taps(firefox: Firefox, program: Program, key: str) -> None:
    begin(program, key)
    with Served(program) as served:
        page = firefox.open(served.address, 360, 640)
        take_seat(page)
        assert page.value("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [360, 640]
        assert take_turns(page, WHOLE, "0")[-1] == "over"
        page.close()


@pytest.mark.parametrize("key", ["whist", "hearts"])
def test_a_hand_by_keys_alone(firefox: Firefox, program: Program, key: str) -> None:
    begin(program, key)
    with Served(program) as served:
        page = firefox.open(served.address, 1280, 800)
        take_seat(page)
        assert take_turns_by_keys(page, WHOLE)[-1] == "over"
        page.close()
