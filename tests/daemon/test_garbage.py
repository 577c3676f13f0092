"""What lasts is not looked at again and again for garbage, and yet nothing that is no longer needed stays for good."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import trio

from p2pcards.control.messages import TimeLimits
from p2pcards.daemon.calling import Caller
from p2pcards.daemon.diagnostics import Diagnostics
from p2pcards.daemon.machines import make_coordinator
from p2pcards.daemon.tables import Tables, freezing_garbage_collector, unfreeze_garbage_collector
from p2pcards.session.effects import Me
from p2pcards.store.files import find_home, make_folders
from rigs.conformance import ANNA


class Knot:
    """Holds itself, so that only a collection can end it."""

    def __init__(self) -> None:
        self.self = self


def test_what_has_lasted_is_looked_at_again_only_when_somebody_says_so() -> None:
    with freezing_garbage_collector():
        knot = Knot()
        lives = weakref.ref(knot)
        gc.collect()
        assert gc.get_freeze_count() > 1000
        del knot
        gc.collect()
        assert lives() is not None, "it was set aside"
        young = Knot()
        ended = weakref.ref(young)
        del young
        gc.collect()
        assert ended() is None, "what has not lasted is collected as ever"
        unfreeze_garbage_collector()
        gc.collect()
        assert lives() is None
    assert gc.get_freeze_count() == 0


async def test_what_a_closed_table_held_is_looked_at_again(tmp_path: Path, nursery: trio.Nursery) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(home)
    tables = Tables(home, ANNA, Diagnostics(tmp_path / "notes"), lambda _: None, lambda: None)
    await nursery.start(tables.run)
    machine = make_coordinator(Me(ANNA, "Anna", "wayne", None), TimeLimits(), bytes)
    with freezing_garbage_collector():
        table = await tables.open_table(machine, Caller(home, ANNA), hooks={})
        gc.collect()
        assert gc.get_freeze_count() > 1000
        await tables.drop(table, "It is closed.")
        assert gc.get_freeze_count() == 0
    nursery.cancel_scope.cancel()
