"""A log that a daemon writes, and what is told of it where something of it is missing, doubled or exchanged."""

from __future__ import annotations

from contextlib import AsyncExitStack

from p2pcards.control.client import connect
from p2pcards.control.messages import Host, OpenConnect, OpenListen, Persona
from p2pcards.frontend.verdict import Known, judge_log, verdict_lines
from p2pcards.ledger.payloads import CHECKED, COUNT, NOTE, PENDING, note_number
from p2pcards.store.logs import ENDED_EARLY, FALSE, MAGIC, LogEntry, encode_record, indexed_logs, list_logs, read_log
from p2pcards.views.happenings import GameEnded, HandDealt
from p2pcards.views.tableview import Command
from rigs.homes import MakeHome, happening, kill_daemon, view


async def test_what_is_left_out_or_doubled_in_a_real_log_is_told_by_verify(make_home: MakeHome) -> None:
    """A computer plays for both, which each notes; the listener's daemon is killed once in between."""
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        bobs = await stack.enter_async_context(connect(bob))
        opened = await bobs.open(OpenListen(0, Persona("Bob", auto="novice")))
        anns = await stack.enter_async_context(connect(ann))
        host = Host(f"127.0.0.1:{opened.port}")
        at_ann = await anns.attach((await anns.open(OpenConnect((host,), persona=Persona("Ann")))).table)
        for command in (Command("game", ("hearts",)), Command("start")):
            await at_ann.command(command)
        await happening(at_ann, HandDealt)
        kill_daemon(bob)
        bobs = await stack.enter_async_context(connect(bob))
        at_bob = await bobs.attach((await bobs.open(OpenListen(opened.port, Persona("Bob", auto="novice")))).table)
        await view(at_bob, lambda shown: shown.phase == "play" and shown.people[0].link == "here")
        await at_ann.command(Command("end"))
        await happening(at_bob, GameEnded)
        await happening(at_ann, GameEnded)
    for home in (ann, bob):
        assert [facts.state for _, facts in indexed_logs(home)] == [ENDED_EARLY]
    (log,) = list_logs(bob)
    payloads = read_log(log.path).payloads
    numbers = [note_number(payload) for payload in payloads if payload[:1] == NOTE]
    assert numbers == list(range(len(numbers))) and numbers
    assert payloads[-2][:1] == COUNT
    asides = {payload[:1]: place for place, payload in enumerate(payloads[:-1]) if payload[:1] not in b"MHR"}
    assert asides.keys() == {CHECKED, PENDING, NOTE, COUNT}
    for place in asides.values():
        left_out = [*payloads[:place], *payloads[place + 1 :]]
        twice = [*payloads[: place + 1], *payloads[place:]]
        assert "left out" in told_of(log, left_out) or "is missing" in told_of(log, left_out)
        assert "repeated" in told_of(log, twice)
        assert [facts.state for _, facts in indexed_logs(bob)] == [FALSE]


def told_of(log: LogEntry, payloads: list[bytes]) -> str:
    """What `verify` says of these payloads in place of those of the log."""
    log.path.write_bytes(MAGIC + b"".join(map(encode_record, payloads)))
    return "\n".join(verdict_lines(judge_log(log.name, read_log(log.path), Known({}, b"")).data))
