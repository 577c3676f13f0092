"""The films of docs/films: at the end of a hand the last card, what is turned up and the sheet stand long enough."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
import trio
from filming import FOLDER, QUIET, SHEET, SIZES, Film, Frame, Glass, file_of, films, read, taken, written

from p2pcards.games.names import GAME_NAMES

LONG_ENOUGH = 2.0
"""Seconds; whoever goes on presses Enter two and a half after the count is over."""
PROMPT = r"Enter (deals the )?next hand"
"""The films were taken when it was longer."""
COUNTING = "Enter (counts to the end|finish count)"
SHOWN = {
    "crazy_eights": r"╭hand|hand │",
    "gin_rummy": r"[╭╔]dead|deadwood [│║]",
    "cribbage": r"[╭╔]crib|crib [│║]",
    "rummy_500": r"discard pile",
    "thirty_one": r"╭hand|hand │",
}
"""What lies open at the end, where it is no trick."""
TRICK = r"[╰+]won"
FILMS = {file_of(*film): film for film in films([*GAME_NAMES])}


def check(game: str, film: Film) -> None:
    over = [place for place, frame in enumerate(film.frames) if re.search(SHEET, frame.text)]
    assert over == list(range(over[0], over[-1] + 1)), "the sheet goes and comes"
    assert film.stood(SHEET, PROMPT, SHOWN.get(game, TRICK)) >= LONG_ENOUGH
    for frame in film.frames[over[0] : over[-1] + 1]:
        assert re.search(SHOWN.get(game, TRICK), frame.text), frame.text
        assert "hand 2" not in frame.text.splitlines()[0]
    assert "hand 2" in film.frames[-1].text.splitlines()[0]


@pytest.mark.parametrize("name", FILMS)
def test_what_a_hand_came_to_stands_until_enter(name: str) -> None:
    game, _, size = FILMS[name]
    film = read((FOLDER / name).read_bytes())
    assert film.about.startswith(game) and len(film.frames[0].rows) == size[1]
    check(game, film)


def test_every_film_is_there_and_no_other() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(FILMS)


def test_cribbage_is_counted_on_the_cards() -> None:
    """Each item stands for more than a third of a second at the pace at which the films were taken."""
    for name, (game, people, _) in FILMS.items():
        if game != "cribbage" or people:
            continue
        film = read((FOLDER / name).read_bytes())
        counting = [frame for frame in film.frames if re.search(COUNTING, frame.text)]
        assert len(counting) >= 3 and all("║" in frame.text for frame in counting[1:])
        apart = [after.time - frame.time for frame, after in pairwise(counting)]
        assert max(apart) > 0.3


def test_a_film_can_be_taken_anew() -> None:
    film = trio.run(taken, "oh_hell", False, SIZES[0])
    check("oh_hell", film)
    assert read(written(film)).frames[-1].rows == film.frames[-1].rows


def test_a_film_is_read_as_it_was_written() -> None:
    film = Film(
        "whist, alone, speed off, 3x2", (Frame(0.0, ("ab", "")), Frame(1.5, ("ab", "c|d")), Frame(2.0, ("", "c|d")))
    )
    assert read(written(film)) == film
    assert (film.stood("ab"), film.stood("c.d"), film.stood("ab", "c")) == (2.0, 0.5, 0.5)


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        ("ab\r\ncd", ("ab", "cd")),
        ("\x1b[2;3Hx\x1b[1;1H\x1b[1;31my\x1b[0m", ("y", "  x")),
        ("abcd\x1b[1;2H\x1b[K", ("a", "")),
        ("ab\x1b[2J\x1b[Hc", ("c", "")),
        ("\x1b]0;title\x07a\x1b[?25l\x1b[2Cb", ("a  b", "")),
        ("♠\x1b[B\b♥", ("♠", "♥")),
    ],
)
def test_a_terminal_shows_what_it_is_sent_however_that_is_cut(said: str, rows: tuple[str, ...]) -> None:
    for size in (1, 2, len(said)):
        glass = Glass(4, 2)
        for start in range(0, len(said), size):
            glass.feed(said[start : start + size])
        assert glass.rows() == rows
    assert QUIET > 0
