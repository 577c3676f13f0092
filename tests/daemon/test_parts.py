"""The small parts of the daemon, each by itself."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2pcards.cli.command import Failure
from p2pcards.cli.opening import wait_for_daemon_end
from p2pcards.control.messages import (
    Admission,
    Gone,
    Happened,
    Host,
    News,
    OpenHost,
    OpenJoin,
    OpenLine,
    OpenListen,
    Persona,
    Serial,
    Shown,
)
from p2pcards.daemon.attachments import EARLIER, KEPT, SLOWEST, VIEWS, WAITING, Attachments
from p2pcards.daemon.connection import LAST_WORDS, QUEUE_LIMIT, WATCHER_LIMIT, Connection
from p2pcards.daemon.diagnostics import LIMIT, Diagnostics
from p2pcards.daemon.engine import Engine
from p2pcards.daemon.lock import AlreadyRuns, take_lock
from p2pcards.daemon.own_command import RARE, Hook
from p2pcards.daemon.tables import HOSTED, NAME, Kept, hosted, keep_hosted, keep_listening, kept_listening
from p2pcards.daemon.thinking import decide_here
from p2pcards.links.link import LinkLost
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.effects import Effect, Me, Remember, Tell
from p2pcards.session.listener import Listener
from p2pcards.views.happenings import Acted, Happening, Notice
from p2pcards.views.tableview import Command, TableView
from p2pcards.wire.messages import MAX_WATCHERS, Bye, Chat, Quick, encode_message
from p2pcards.wire.reasons import ByeCode
from rigs import memory
from rigs.conformance import ANNA
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome
from rigs.memory import memory_pair
from rigs.net import CAST

A, B = bytes(32), bytes(range(32))


def told(number: int) -> Happening:
    return Notice(text=str(number))


class Screen:
    """A front end that takes what is sent when `reads` is set, and the table that it looks at."""

    def __init__(self) -> None:
        self.got: list[News] = []
        self.reads = trio.Event()
        self.records = 0

    def view(self) -> TableView:
        return TableView("listener", "play", records=self.records)

    async def take(self, message: News) -> None:
        await self.reads.wait()
        self.got.append(message)


async def test_a_slow_front_end_gets_every_happening_and_the_newest_view(nursery: trio.Nursery) -> None:
    attachments, screen = Attachments(), Screen()
    attachment = attachments.attach()
    nursery.start_soon(attachment.news, screen.view, screen.take)
    await wait_all_tasks_blocked()
    for number in range(5):
        screen.records = number
        attachments.tell(told(number))
        attachments.changed()
    screen.reads.set()
    await wait_all_tasks_blocked()
    first, *happenings, last = screen.got
    assert first == Shown(TableView("listener", "play"))
    assert happenings == [Happened(told(number)) for number in range(5)]
    assert last == Shown(TableView("listener", "play", records=4))
    attachments.changed()  # and a view like the last one is not sent again
    attachments.close("closed")
    await wait_all_tasks_blocked()
    assert screen.got[-1] == Gone("closed")
    assert len(screen.got) == 8


async def test_what_happens_is_told_at_once_and_its_view_follows_when_the_step_ends(nursery: trio.Nursery) -> None:
    attachments, screen = Attachments(), Screen()
    screen.reads.set()
    nursery.start_soon(attachments.attach().news, screen.view, screen.take)
    await wait_all_tasks_blocked()
    screen.records = 1
    attachments.tell(told(1))
    await wait_all_tasks_blocked()
    assert screen.got[1:] == [Happened(told(1))]
    attachments.changed()
    await wait_all_tasks_blocked()
    assert screen.got[2:] == [Shown(screen.view())]
    nursery.cancel_scope.cancel()


def looks_at(records: int) -> Callable[[], TableView]:
    return lambda: TableView("listener", "play", records=records)


async def test_each_step_has_the_view_of_its_moment_also_where_a_front_end_is_slow(nursery: trio.Nursery) -> None:
    attachments, screen = Attachments(), Screen()
    nursery.start_soon(attachments.attach().news, screen.view, screen.take)
    await wait_all_tasks_blocked()
    attachments.tell(told(1), looks_at(1))  # what happens in one step of the machine
    attachments.tell(told(2))
    attachments.tell(told(3), looks_at(3))
    attachments.changed(looks_at(3))
    attachments.changed(looks_at(4))  # nothing has happened, so this is the view of what was before
    attachments.announce(told(5))
    attachments.tell(told(6), looks_at(6))
    attachments.changed(looks_at(6))
    screen.records = 7
    screen.reads.set()
    await wait_all_tasks_blocked()
    seen = [one.view.records if isinstance(one, Shown) else f"told {_text(one)}" for one in screen.got]
    assert seen == [0, "told 1", 1, "told 2", "told 3", 4, "told 5", "told 6", 7], "the last view is of now"
    nursery.cancel_scope.cancel()


async def test_of_too_many_views_the_oldest_are_left_out_and_what_led_to_them_is_told(nursery: trio.Nursery) -> None:
    attachments, screen, made, most = Attachments(), Screen(), list[int](), VIEWS + 50
    nursery.start_soon(attachments.attach().news, screen.view, screen.take)
    await wait_all_tasks_blocked()

    def look(number: int) -> TableView:
        made.append(number)
        return TableView("listener", "play", records=number)

    for number in range(1, most + 1):
        attachments.tell(told(number))
        attachments.changed(partial(look, number))
    screen.records = most
    screen.reads.set()
    await wait_all_tasks_blocked()
    views = [one.view.records for one in screen.got if isinstance(one, Shown)]
    lines = [_text(one) for one in screen.got if isinstance(one, Happened)]
    assert lines == [str(number + 1) for number in range(most)]
    assert views == [0, *range(most - VIEWS + 1, most + 1)]
    assert made == views[1:-1], "a view is made when it is sent"
    nursery.cancel_scope.cancel()


def _text(news: News) -> str:
    assert isinstance(news, Happened) and isinstance(news.happening, Notice)
    return news.happening.text


async def test_who_detaches_is_still_told_what_has_happened(nursery: trio.Nursery) -> None:
    attachments, screen, over = Attachments(), Screen(), trio.Event()
    attachment = attachments.attach()

    async def show() -> None:
        await attachment.news(screen.view, screen.take)
        over.set()

    nursery.start_soon(show)
    await wait_all_tasks_blocked()
    attachments.announce(told(1))
    screen.records = 1
    attachment.dismiss()
    attachments.announce(told(2))
    screen.reads.set()
    await over.wait()
    views = [Shown(TableView("listener", "play", records=records)) for records in (0, 1)]
    assert screen.got == [views[0], Happened(told(1)), views[1]]


async def test_a_front_end_that_does_not_read_loses_the_oldest_lines_with_a_count_and_nothing_else(
    nursery: trio.Nursery,
) -> None:
    attachments, screen, most = Attachments(), Screen(), WAITING + 412
    nursery.start_soon(attachments.attach().news, screen.view, screen.take)
    await wait_all_tasks_blocked()
    for number in range(most):
        attachments.tell(told(number))
    screen.records = 7
    attachments.changed()
    screen.reads.set()
    await wait_all_tasks_blocked()
    first, left_out, *lines, last = screen.got
    assert first == Shown(TableView("listener", "play"))
    assert isinstance(left_out, Happened) and isinstance(left_out.happening, Notice)
    assert left_out.happening.text.startswith("412 lines skipped here")
    assert lines == [Happened(told(number)) for number in range(412, most)]
    assert last == Shown(TableView("listener", "play", records=7)), "the view is whole"
    attachments.tell(told(most))
    await wait_all_tasks_blocked()
    assert screen.got[-1] == Happened(told(most)), "it is said once"
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("before", "away"), [(0, 0), (3, 2), (KEPT, 5), (0, KEPT + 50)])
async def test_who_attaches_is_shown_a_little_of_before_and_all_that_nobody_saw(before: int, away: int) -> None:
    attachments = Attachments()
    attachment = attachments.attach()
    for number in range(before):
        attachments.tell(told(number))
    attachments.detach(attachment)
    for number in range(away):
        attachments.tell(told(1000 + number))
    assert attachments.unread == away
    screen = Screen()
    screen.reads.set()
    attachment = attachments.attach()
    attachments.close("closed")
    await attachment.news(screen.view, screen.take)
    shown = [message for message in screen.got if isinstance(message, Happened)]
    if away > KEPT:
        assert shown.pop(0) == Happened(Notice(f"{away - KEPT} lines skipped here (too many to keep)."))
    earlier = [message for message in shown if message.earlier]
    assert shown[: len(earlier)] == earlier and len(earlier) == min(before, EARLIER)
    assert [message.happening for message in shown[len(earlier) :]] == [told(1000 + number) for number in range(away)][
        -KEPT:
    ]


async def nothing(message: bytes) -> None:
    pass


async def test_closing_sends_what_waits_first(nursery: trio.Nursery) -> None:
    link, far = memory_pair(A, B)
    connection = Connection(link)
    for number in range(9):
        connection.send(bytes([number]))
    connection.close()
    assert await connection.run(nothing) is None
    assert [await far.receive() for _ in range(9)] == [bytes([number]) for number in range(9)]
    with pytest.raises(LinkLost):
        await far.receive()


async def test_a_lost_link_says_why_after_its_last_words(autojump_clock: MockClock) -> None:
    link, far = memory_pair(A, B)
    await far.send(b"bye")
    await far.aclose()
    connection, heard = Connection(link), []
    connection.send(b"into nowhere")

    async def received(message: bytes) -> None:
        heard.append(message)

    assert await connection.run(received) == "The other side closed the link."
    assert heard == [b"bye"]


async def test_a_peer_that_stops_reading_is_hung_up_on_and_holds_nobody_up(autojump_clock: MockClock) -> None:
    link, _far = memory_pair(A, B)
    connection, why = Connection(link), []

    async def run() -> None:
        why.append(await connection.run(nothing))

    with trio.fail_after(LAST_WORDS + 1):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await wait_all_tasks_blocked()
            for _ in range(QUEUE_LIMIT // link.max_size + 100):
                connection.send(bytes(link.max_size))
    assert why == ["this process has stopped reading."]


async def test_less_may_wait_for_a_watcher_than_for_a_player(autojump_clock: MockClock) -> None:
    link, _far = memory_pair(A, B)
    connection, why = Connection(link), []
    connection.send_later(WATCHER_LIMIT, trio.Lock())

    async def run() -> None:
        why.append(await connection.run(nothing))

    with trio.fail_after(LAST_WORDS + 1):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await wait_all_tasks_blocked()
            for _ in range(WATCHER_LIMIT // link.max_size + 100):
                connection.send(bytes(link.max_size))
    assert why == ["this process has stopped reading."] and WATCHER_LIMIT * MAX_WATCHERS <= QUEUE_LIMIT * 4


async def test_watchers_are_sent_to_in_turns_and_whoever_sits_down_has_all_in_order() -> None:
    link, far = memory_pair(A, B)
    connection, lane = Connection(link), trio.Lock()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.run, nothing)
        connection.send(b"before")
        connection.send_later(WATCHER_LIMIT, lane)
        async with lane:  # it is another's turn
            connection.send(b"later")
            assert await far.receive() == b"before"
            await wait_all_tasks_blocked()
            assert not link.waiting
        assert await far.receive() == b"later"
        async with lane:
            connection.send(b"waits")
            connection.send_at_once()
            connection.send(b"a seat")
            assert [await far.receive(), await far.receive()] == [b"waits", b"a seat"]
        connection.send_later(WATCHER_LIMIT, lane)
        connection.send(b"goodbye")
        connection.close()
        assert await far.receive() == b"goodbye"


class SlowLine:
    rate = 2400
    quality = "2400 bps"

    async def freed(self) -> None:
        await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("slow", [True, False])
async def test_on_a_slow_line_moves_go_before_talk(slow: bool) -> None:
    link, far = memory_pair(A, B)
    link.line = SlowLine() if slow else None
    connection = Connection(link)
    waiting = [b"%d" % number for number in range(memory.WAITING + 1)]
    talk = [encode_message(Chat(0, 1, "hello")), encode_message(Quick(0, 1))]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.run, nothing)
        await wait_all_tasks_blocked()
        for message in [*waiting, *talk, b"a move"]:
            connection.send(message)
        heard = [await far.receive() for _ in range(len(waiting) + 3)]
        assert heard == [*waiting, *([b"a move", *talk] if slow else [*talk, b"a move"])]
        connection.send(talk[0])
        assert await far.receive() == talk[0]
        goodbye = encode_message(Bye(ByeCode.LEAVES))
        for message in [*waiting, *talk, goodbye]:
            connection.send(message)
        connection.close()
        assert [await far.receive() for _ in range(len(waiting) + 3)] == [*waiting, *talk, goodbye]
        nursery.cancel_scope.cancel()


async def test_the_hook_runs_without_a_shell_one_at_a_time(tmp_path: Path) -> None:
    script, out = tmp_path / "hook.py", tmp_path / "out"
    script.write_text(
        "import os, sys\n"
        "open(sys.argv[1], 'a').write(os.environ['P2PCARDS_EVENT'] + ' ' + os.environ['P2PCARDS_TABLE'] + sys.argv[2])"
    )
    async with trio.open_nursery() as nursery:
        commands = dict.fromkeys(("turn", "joined"), f"{sys.executable} {script} {out} '; $HOME'")
        hook = Hook(commands, "t1", nursery, Diagnostics(tmp_path / "d"))
        for event in ("turn", "joined", "turn", "exit", ""):
            hook.ring(event)
        await hook.finish()
        assert out.read_text() == "turn t1; $HOMEjoined t1; $HOME", "each once, and those that have a command"
        hook.ring("turn")
    assert out.read_text().endswith("turn t1; $HOME")


async def test_a_hook_for_what_others_bring_about_runs_a_few_times_and_then_slowly(
    tmp_path: Path, mock_clock: MockClock, nursery: trio.Nursery
) -> None:
    at_once, each = RARE["joined"]
    out = tmp_path / "out"
    hook = Hook({"joined": f"sh -c 'echo met >> {out}'"}, "t1", nursery, Diagnostics(tmp_path / "d"))
    for _ in range(139):
        hook.ring("joined")
        await hook.finish()
    assert len(out.read_text().splitlines()) == at_once
    for _ in range(2):
        mock_clock.jump(each)
        await wait_all_tasks_blocked()
        await hook.finish()
        assert len(out.read_text().splitlines()) == at_once + 1, "those that came meanwhile are one"


async def test_a_hook_that_does_not_end_is_ended(tmp_path: Path, autojump_clock: MockClock) -> None:
    """The clock jumps, so the ten seconds are over at once."""
    async with trio.open_nursery() as nursery:
        Hook({"turn": "sleep 1000"}, "t1", nursery, Diagnostics(tmp_path / "d")).ring("turn")
    assert "t1 hook failed: the command for turn took longer than 10 s" in (tmp_path / "d").read_text()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("no-such-program-here", "can't be started: No such file or directory"),
        ("false", "exited with code 1"),
        ("'", "can't be parsed: No closing quotation"),
        (" ", "doesn't name a program"),
    ],
)
async def test_a_hook_that_fails_is_noted_and_disturbs_nothing(tmp_path: Path, command: str, why: str) -> None:
    async with trio.open_nursery() as nursery:
        Hook({"turn": command}, "t1", nursery, Diagnostics(tmp_path / "d")).ring("turn")
    assert f"t1 hook failed: the command for turn {why}\n" in (tmp_path / "d").read_text()


def test_the_diagnostic_log_is_capped_and_tells_no_text_of_a_fault(tmp_path: Path) -> None:
    log = Diagnostics(tmp_path / "d.txt")
    try:
        raise ValueError("QS KH")
    except ValueError as error:
        log.fault("t1", error)
    text = (tmp_path / "d.txt").read_text()
    assert "t1 FAULT ValueError at test_parts.py:" in text
    assert "QS" not in text
    for _ in range(3 * LIMIT // 1000):
        log.note("x" * 1000)
    assert LIMIT > (tmp_path / "d.txt").stat().st_size > 0
    assert (tmp_path / "d.old").stat().st_size < LIMIT + 2000


def test_what_the_interpreter_says_at_a_crash_goes_to_the_diagnostic_log_also_after_a_new_one_was_begun(
    tmp_path: Path,
) -> None:
    log, stderr = Diagnostics(tmp_path / "d.txt"), os.dup(2)
    try:
        log.take_stderr()
        os.write(2, b"first words\n")
        assert (tmp_path / "d.txt").read_bytes() == b"first words\n"
        os.write(2, b"x" * (LIMIT + 1))
        log.note("it is full")
        os.write(2, b"last words\n")
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
    assert (tmp_path / "d.old").read_bytes() == b"first words\n" + b"x" * (LIMIT + 1)
    assert re.fullmatch(rb"[-\dT:]{19}Z it is full\nlast words\n", (tmp_path / "d.txt").read_bytes())


def test_one_process_at_a_time_has_the_lock(tmp_path: Path) -> None:
    lock = take_lock(tmp_path / "lock")
    with pytest.raises(AlreadyRuns, match=f"pid {os.getpid()}"):
        take_lock(tmp_path / "lock")
    os.close(lock)
    os.close(take_lock(tmp_path / "lock"))


def test_a_player_who_stops_a_daemon_waits_until_it_has_ended_or_says_that_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    wait_for_daemon_end(path, 0)  # there never was one
    lock = take_lock(path)
    with pytest.raises(Failure, match=f"still running after 0 s. Try 'p2pcards stop' again, or kill {os.getpid()}"):
        wait_for_daemon_end(path, 0)
    ends = Thread(target=os.close, args=(lock,))
    ends.start()
    wait_for_daemon_end(path, longest_wait())
    ends.join()


FLAT = {
    "kind": "listen", "game": "", "preset": "", "changes": [], "hosts": [], "via": "", "log": "", "port": 4747,
    "name": "Ann", "character": "", "auto": None, "grace": None, "turn_clock": None, "seed": None, "lan": False,
    "require_code": False, "known_only": False, "serial": None,
}  # fmt: skip
"""A request as version 0.1.0 wrote it."""


def test_what_is_listened_on_is_kept(make_home: MakeHome) -> None:
    home = make_home("ann")
    assert kept_listening(home) == []
    at_modem = OpenLine(Serial(device="/dev/ttyS0", init=("ATL0",)), Persona("Ann"), Admission(True))
    there = OpenJoin(Host("192.0.2.7:4747"), via="nc %h %p")
    requests: list[Kept] = [OpenListen(4747, Persona("Ann", auto="novice")), OpenListen(4748, lan=True)]
    requests += [OpenListen(4749, bind="127.0.0.1")]
    requests += [at_modem, there]
    keep_listening(home, requests)
    assert kept_listening(home) == requests
    keep_listening(home, [OpenListen(0), OpenJoin(Host(""))])
    assert kept_listening(home) == []
    for text in ("", "{", "7", '[{"port": 1}]', '[{"is": "OpenPlay", "rules": {}}]', json.dumps([FLAT])):
        (home.state / NAME).write_text(text)
        assert kept_listening(home) == []


def test_where_a_game_is_hosted_is_kept_as_long_as_its_log(make_home: MakeHome) -> None:
    home = make_home("ann")
    here, there = (
        OpenHost(4747, admission=Admission(known_only=True)),
        OpenHost(4748, persona=Persona("Ann"), bind="::1"),
    )
    keep_hosted(home, "one", here, {"one"})
    keep_hosted(home, "two", there, {"one", "two"})
    assert (hosted(home, "one"), hosted(home, "two"), hosted(home, "three")) == (here, there, None)
    keep_hosted(home, "three", here, {"two", "three"})
    assert hosted(home, "one") is None and hosted(home, "two") == there
    at_modem = OpenHost(serial=Serial(device="/dev/ttyS7", speed=9600, rings=2))
    keep_hosted(home, "four", at_modem, {"four"})
    assert hosted(home, "four") == at_modem
    keep_hosted(home, "four", OpenHost(serial=Serial()), {"four"})
    assert hosted(home, "four") is None
    for text in ("", "{", "[]", '{"one": 7}', '{"one": {"port": 1}}', json.dumps({"one": {**FLAT, "kind": "host"}})):
        (home.state / HOSTED).write_text(text)
        assert hosted(home, "one") is None


# --- the engine -------------------------------------------------------------------------------------------------------


async def test_a_machine_that_made_a_mistake_is_asked_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it still meant to write could be of half a step."""
    machine = Listener(Me(ANNA, "Ann", "wayne"), entropy=os.urandom, now=0.0, cast=())
    done: list[Effect] = []

    def fails(_now: float) -> list[Effect]:
        raise RuntimeError

    monkeypatch.setattr(machine, "tick", fails)
    monkeypatch.setattr(machine, "after_effects", lambda _now: [] if done else [Remember(b"half")])
    engine = Engine(
        "t1",
        machine,
        Attachments(),
        Diagnostics(tmp_path / "notes"),
        carry_out=done.append,
        settled=lambda: None,
        decide=decide_here,
    )
    engine.step(lambda machine, now: machine.tick(now))
    assert engine.broken and done == []


@pytest.mark.parametrize(
    ("paces", "seconds"), [((), 0.0), ((0.0,), 0.0), ((0.3, 0.8), 0.8), ((-1.0, 0.3), 0.3), ((1e9,), SLOWEST)]
)
async def test_computer_players_keep_the_pace_of_the_slowest_eyes(
    paces: tuple[float, ...], seconds: float, tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """The times at which five actions of a table of computer players are told."""
    attachments, times, enough = Attachments(), [], trio.Event()
    for pace in paces:
        attachments.attach(pace)

    def carry_out(effect: Effect) -> None:
        if isinstance(effect, Tell) and isinstance(effect.happening, Acted):
            times.append(trio.current_time())
            if len(times) == 5:
                enough.set()

    me, now = Me(ANNA, "Anna", "wayne", "carefree"), trio.current_time()
    machine = Coordinator(me, entropy=bytes, now=now, cast=CAST)
    engine = Engine(
        "t1",
        machine,
        attachments,
        Diagnostics(tmp_path / "notes"),
        carry_out=carry_out,
        settled=lambda: None,
        decide=decide_here,
    )
    nursery.start_soon(engine.run)
    engine.step(lambda machine, now: machine.command(Command("game", ("hearts",)), now))
    engine.step(lambda machine, now: machine.command(Command("start"), now))
    await enough.wait()
    assert times[:5] == pytest.approx([now + seconds * number for number in range(1, 6)])
    nursery.cancel_scope.cancel()
