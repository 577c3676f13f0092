"""Songs at the table of the line mode, played by a command of the player's own, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from p2pcards.control.own_command import OwnCommandFailed, run_own_command
from p2pcards.frontend.sound import PAUSE, Jukebox


async def play_songs(jukebox: Jukebox, report: Callable[[str], None]) -> None:
    """Play until cancelled, or until the command fails, which `report` is told, as it is of each song."""
    try:
        while True:
            with trio.CancelScope() as playing:
                song = jukebox.next_song(playing.cancel)
                if song is None:
                    await trio.sleep_forever()
                else:
                    report(jukebox.now)
                    await run_own_command(jukebox.command, arguments=(song,), deadline=math.inf)
                    await trio.sleep(PAUSE)
    except OwnCommandFailed as failed:
        report(jukebox.failed(failed))
