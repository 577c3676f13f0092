"""People who act by what the test says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from p2pcards.wire.records import read_record
from rigs.net import Answer, Net

T = TypeVar("T")


def spoken(net: Net, i: int, choice: int = 0) -> str:
    """One of the actions open to a person, as the table spells it."""
    legal = net.view(i).legal
    return legal[choice % len(legal)]


def act(net: Net, i: int, words: str = "") -> None:
    net.say(i, "act", *(words or spoken(net, i)).split())
    net.run()


def to_act(net: Net) -> int:
    """The machine whose turn it is."""
    seat: int = net.at(0).state.to_act[0]
    side = net.at(0).header.seats[seat].side
    assert side is not None
    return side


def entries(net: Net, i: int, kind: type[T]) -> list[T]:
    found = [read_record(payload[1:])[1][0] for payload in net.log(i) if payload[:1] == b"R"]
    return [entry for entry in found if isinstance(entry, kind)]


def run_to(net: Net, count: int) -> None:
    """Until so many records stand in the coordinator's log."""
    while net.position(0) is None or net.at(0).count < count:
        net.deliver(net.next_event())


def until(net: Net, done: Callable[[], bool], seconds: float = 600.0) -> None:
    """One event after the other, so that what comes at once is met on its way."""
    end = net.now + seconds
    while not done():
        if net.queue:
            net.deliver(net.next_event())
        else:
            assert net.pass_time(end), "it does not come"


def thoughts(net: Net) -> list[Answer]:
    return [event for event in net.queue if isinstance(event, Answer)]


def by_hand(
    listeners: int = 1,
    game: str = "crazy_eights",
    preset: str = "telecards",
    seed: int = 1,
    allow: str = "",
    options: tuple[str, ...] = (),
) -> Net:
    """A table of people who act by what the test says. allow: what may help them."""
    net = Net(listeners, auto=None, seed=seed)
    if allow:
        net.say(0, "allow", *allow.split())
    net.sit_down(*options, game=game, preset=preset)
    net.run()
    return net


def begun(
    game: str = "crazy_eights",
    options: tuple[str, ...] = (),
    *,
    auto: str | None = None,
    seed: int = 1,
    grace: int = 60,
    between_hands: int = 0,
) -> Net:
    """Ann and Bob, machines 0 and 1, have begun a game, to which Cy, machine 2, was not called."""
    net = Net(2, auto=auto, seed=seed, grace=grace, between_hands=between_hands)
    net.say(0, "invite", "1")
    net.run()
    net.say(0, "game", game)
    for option in options:
        net.say(0, "set", option)
    net.say(0, "start")
    return net
