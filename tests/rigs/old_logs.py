"""The logs of games that were played with 0.1.0, in the home of somebody who now has this version."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from p2pcards.store.files import Home, find_home, make_folders

LOGS = Path(__file__).parents[1] / "ledger" / "version-0.1.0"
ENDED = 1_790_000_000
"""Seconds of unix time when the first of them ended; the others came a day later each."""

OF_0_1_0 = {
    *("auction_pitch", "crazy_eights", "cribbage", "euchre", "gin_rummy", "hearts", "oh_hell", "pinochle", "pinochle2"),
    *("pinochle_bid", "rummy_500", "spades", "thirty_one", "whist"),
}
"""The games that 0.1.0 had."""


def home_with_old_logs(folder: Path) -> Home:
    """One of Ann, who has played a game of each kind but three: of hearts, cribbage and crazy eights the logs are of
    others too, who had the same name for the game."""
    home = find_home({"P2PCARDS_HOME": str(folder)})
    make_folders(home)
    for number, log in enumerate(sorted(LOGS.glob("*.log"))):
        game = log.stem.partition("-")[0]
        path = home.logs / f"2026-09-{number + 1:02}-{game}-{number:04x}.log"
        shutil.copy(log, path)
        os.utime(path, (ENDED + 86400 * number,) * 2)
    return home
