"""The scoreboard on the full screen: in colours where there are any, and without them where it is read aloud."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Static

from p2pcards.frontend.manner import Manner
from p2pcards.results.scoreboard import GAME, make_board
from p2pcards.store.files import find_home
from p2pcards.tui.appearance import Palette
from p2pcards.tui.panels import ReadingPanel
from rigs.giving_up import longest_wait
from rigs.own_program import OwnProgram
from rigs.screen_table import PLAIN, Screened, screened

BLUE, RED = "#5c9dff", "#ff6b6b"


async def board_shown(table: Screened) -> ReadingPanel:
    await table.press("slash")
    await table.pilot.press(*"scoreboard", "enter")
    async with asyncio.timeout(longest_wait()):
        while not isinstance(panel := table.pilot.app.screen, ReadingPanel):
            await asyncio.sleep(0.02)
    await table.pilot.pause()
    return panel


def inks(panel: ReadingPanel, row: int) -> set[str]:
    """The colours of a line of the panel."""
    colours = [segment.style.color for segment in panel.query_one(Static).render_line(row) if segment.style]
    return {colour.get_truecolor().hex for colour in colours if colour}


@pytest.mark.parametrize(("suits", "coloured"), [("four", True), ("none", False)])
def test_what_was_won_is_blue_and_what_was_lost_red(tmp_path: Path, suits: str, coloured: bool) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_board(home)
    home.scoreboard.write_text("1010,870,2026-10-01,expert\n800,1000,2026-10-02,master\n-1,-1\n")
    reader = OwnProgram(tmp_path)
    manner = Manner(home=home, speech=reader.command)

    async def show() -> None:
        async with screened(
            GAME, size=(100, 30), manner=manner, appearance=replace(PLAIN, palette=Palette(suits))
        ) as table:
            panel = await board_shown(table)
            assert [BLUE in inks(panel, 2), RED in inks(panel, 3)] == [coloured, coloured]
            async with asyncio.timeout(longest_wait()):
                while not any("1010" in line for line in reader.got):
                    await asyncio.sleep(0.02)
            assert not any("\x1b" in line for line in reader.got)

    asyncio.run(show())
