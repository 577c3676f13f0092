"""The title screen."""

from __future__ import annotations

import asyncio
import signal

import pytest
from textual.pilot import Pilot

from p2pcards.frontend.manner import Manner
from p2pcards.games.registry import GAMES
from p2pcards.tui.appearance import Appearance, Sitting
from p2pcards.tui.colours import Palette
from p2pcards.tui.felt import Felt
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.tiles import Title, draw_title
from p2pcards.tui.title import BUTTONS, TitleApp, TitleChoices
from rigs.program import AtTerminal, Program

KNOWN = TitleChoices(
    games=tuple([(key, game.name) for key, game in GAMES.items()]),
    peers=(("Bob", "Bob, 192.0.2.7:4747"),),
    numbers=(("Anna", "Anna, 555-1234"),),
    unfinished=(("2026-11-20-whist-7f3a", "2026-11-20-whist-7f3a, Ann, Bob"),),
    tables=(("t1", "t1: Whist, playing."),),
)
PLAIN_SITTING = Sitting(Manner(), Appearance(Look(), Palette("none")))


def chosen(*keys: str, known: TitleChoices = KNOWN) -> list[str] | None:
    """What comes of these keys; None where the screen stays."""

    async def press() -> list[str] | None:
        app = TitleApp(known, lambda: PLAIN_SITTING)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
        return app.return_value

    return asyncio.run(press())


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("enter",), ["play", "hearts"]),
        (("right", "enter"), ["play", "crazy_eights"]),
        (("down", "enter"), ["play", "euchre"]),
        (("left", "enter"), []),  # the last button
        (("L",), ["listen"]),
        (("c", "enter"), ["connect", "Bob"]),
        (("c", "down", "enter"), ["connect"]),
        (("c", "down", "down", "enter", *"ann", "enter", "enter"), ["connect", "ann"]),
        (("c", "down", "down", "enter", *"ann", "enter", *"7-a-b", "enter"), ["connect", "ann", "--code", "7-a-b"]),
        (("c", "escape"), None),
        (("d", "enter"), ["dial", "Anna"]),
        (("d", "down", "enter", *"555", "enter"), ["dial", "555"]),
        (("r", "enter"), ["resume", "2026-11-20-whist-7f3a"]),
        (("t", "enter"), ["attach", "t1"]),
        (("h", "enter", "escape"), None),
        (("m", "down", "enter"), ["rules", "hearts"]),
        (("right", "right", "right", "m", "down", "enter"), ["resume", "2026-11-20-whist-7f3a"]),
        (("q",), []),
        (("escape",), []),
        (("z",), None),
    ],
)
def test_keys_choose_a_command(keys: tuple[str, ...], words: list[str] | None) -> None:
    assert chosen(*[{"-": "minus"}.get(key, key) for key in keys]) == words


def test_what_there_is_none_of_is_said() -> None:
    assert chosen("r", "escape", "t", "escape", known=TitleChoices(KNOWN.games)) is None


def test_tiles_are_clicked() -> None:
    async def click(pilot: Pilot[list[str]], zone: str, button: int) -> None:
        box = next(one.box for one in felt(pilot).zones if one.name == zone)
        await pilot.click(Felt, offset=(box.column + 1, box.row), button=button)
        await pilot.pause()

    def felt(pilot: Pilot[list[str]]) -> Picture:
        return pilot.app.screen_stack[1].query_one(Felt).picture

    async def play() -> tuple[list[str] | None, list[str] | None]:
        first, second = [TitleApp(KNOWN, lambda: PLAIN_SITTING) for _ in range(2)]
        async with first.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await click(pilot, "game 3", 1)
        async with second.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await click(pilot, "game 3", 3)
            await pilot.press("enter")
            await pilot.pause()
        return first.return_value, second.return_value

    assert asyncio.run(play()) == (["play", "whist"], ["play", "whist"])


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_tile_and_button_has_room(size: tuple[int, int], ascii_only: bool) -> None:
    for at in range(len(GAMES) + len(BUTTONS)):
        title = Title([game.name for game in GAMES.values()], BUTTONS, at, ["Open: t1: Whist, playing."])
        picture = draw_title(title, Look(ascii=ascii_only), *size)
        assert picture.faults == () and picture.cursor is not None
        assert not ascii_only or "".join(picture.text()).isascii()
        assert all(word in "\n".join(picture.text()) for game in GAMES.values() for word in game.name.split())


def test_a_command_is_run_and_the_title_comes_again(program: Program) -> None:
    program.inside().out("config", "set", "name", "Zoe")
    program.inside().out("config", "set", "character", "betty")
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("card games, played from machine")
        terminal.type("\r")
        terminal.until("Hearts .real-deal.")
        terminal.type("\x11")
        terminal.until("card games, played from machine")
        terminal.until("Open: t1: Hearts")
        terminal.type("q")
        assert terminal.end() == 0
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("card games, played from machine")
        terminal.type("\r")
        terminal.until("Hearts .real-deal.")
        terminal.signal(signal.SIGTERM)
        assert terminal.end() == 0
        assert "Seat kept." in terminal.text
    with AtTerminal(program) as terminal:
        terminal.until("p2pcards play")
        assert terminal.end() == 0
