"""How long a host is called after a restart who does not let us sit down."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.control.exits import NETWORK
from p2pcards.daemon.bell import Bell
from p2pcards.daemon.calling import NotReached
from p2pcards.daemon.opening import WITHOUT_GAME, Serve, keep_calling
from p2pcards.wire.reasons import ByeCode

THERE, PHONE = "127.0.0.1:4747", "tel:5551234"


class Table:
    """As `Runner`, as far as it is wanted here. why: the last sentence, once it is closed."""

    def __init__(self, answers: bool) -> None:
        self.over = False
        self.why = ""
        self.calls = 0
        self.call_now = Bell()
        self.links = SimpleNamespace(not_reached=lambda _address, _failed: None)
        self.told: list[Any] = []
        self.attachments = SimpleNamespace(announce=self.told.append)
        self._answers = answers

    listens = True

    def here(self) -> int:
        return 0

    def view(self) -> Any:
        return SimpleNamespace(records=0)

    def end(self, why: str) -> None:
        self.over, self.why = True, why

    async def dial(self, _address: str, _key: bytes | None) -> tuple[Any, str]:
        await trio.lowlevel.checkpoint()
        self.calls += 1
        if not self._answers:
            raise NotReached("Nobody answers.", NETWORK)
        return SimpleNamespace(peer=bytes(32)), ""


def refusing(bye: ByeCode | None) -> Any:
    async def serve(_link: object, _proven: str = "", _address: str = "") -> Any:
        await trio.lowlevel.checkpoint()
        return SimpleNamespace(goodbye=bye, met=False)

    return serve


@pytest.mark.parametrize(
    ("answers", "said"), [(False, "Nobody answers."), (True, f"The host {ByeCode.CROWDED.sentence}.")]
)
async def test_where_no_game_waits_it_is_an_hour(autojump_clock: MockClock, answers: bool, said: str) -> None:
    table: Any = Table(answers)
    serve: Serve = refusing(ByeCode.CROWDED)
    begun = trio.current_time()
    with trio.fail_after(2 * WITHOUT_GAME):
        await keep_calling(table, THERE, serve, patient=True, gives_up=begun + WITHOUT_GAME)
    assert WITHOUT_GAME <= trio.current_time() - begun < WITHOUT_GAME + 60
    assert table.why == f"{said} The table is closed. To call again: p2pcards join {THERE}"
    assert table.calls > 100


@pytest.mark.parametrize(("listens", "calls"), [(False, 60), (True, 6)])
async def test_a_host_who_gave_way_to_our_player_is_called_again_at_once(
    autojump_clock: MockClock, listens: bool, calls: int
) -> None:
    table: Any = Table(answers=True)
    table.listens = listens
    with trio.move_on_after(59.5):
        await keep_calling(table, THERE, refusing(None), patient=True)
    assert table.calls == calls


@pytest.mark.parametrize(("bye", "again"), [(ByeCode.ASKS_PLAYER, True), (ByeCode.LEAVES, False)])
async def test_the_old_host_is_a_guest_whose_goodbye_does_not_end_our_table(
    autojump_clock: MockClock, bye: ByeCode, again: bool
) -> None:
    """Who took the table over hosts now, and reaches the old host at the address that was called before."""
    table: Any = Table(answers=True)
    table.listens = False
    with trio.move_on_after(WITHOUT_GAME):
        await keep_calling(table, THERE, refusing(bye), patient=True)
    assert not table.over and (table.calls > 1) is again


async def test_where_a_game_waits_it_has_no_end(autojump_clock: MockClock) -> None:
    table: Any = Table(answers=True)
    with trio.move_on_after(24 * WITHOUT_GAME):
        await keep_calling(table, THERE, refusing(ByeCode.CROWDED), patient=True)
    assert not table.over


async def test_why_a_telephone_call_has_failed_is_said_before_it_is_made_again() -> None:
    table: Any = Table(answers=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(keep_calling, table, PHONE, refusing(ByeCode.CROWDED), patient=True))
        for text in ("", "Nobody answers. "):
            await wait_all_tasks_blocked()
            (notice,) = table.told
            assert notice.text == f"{text}To call the host again: p2pcards join {PHONE}"
            table.told.clear()
            table.call_now.ring()
        nursery.cancel_scope.cancel()
