"""Every placement of up to two faults over whole games: whatever breaks, everybody ends with the same game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest

from p2pcards.cards.pack import shuffle
from p2pcards.games.crazy_eights.rules import Play
from p2pcards.games.game import Action
from p2pcards.ledger import advance
from p2pcards.session.effects import Think
from p2pcards.views.happenings import Acted
from rigs.in_part import spread
from rigs.net import Answer, Arrival, Event, Net
from rigs.pure import remember_pure, remembered_signatures
from rigs.whole import check_whole, is_whole

signatures = remembered_signatures()

pytestmark = pytest.mark.no_cover  # several times as slow under measurement; the other tests cover the machines

CUT_BEFORE, CUT_AFTER, TWICE, CRASH = "cut before", "cut after", "twice", "crash"
ALL = 1_000
"""More outward effects than any step has: the crash comes after all of them."""


@dataclass(frozen=True, slots=True)
class Fault:
    """At the delivery with this number. effects: of a crash, how many outward effects of the step are still carried
    out."""

    step: int
    kind: str
    effects: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A game to be disturbed. steady: what is chosen depends on the view alone, and a machine that is made again draws
    the same random bytes, so that runs repeat each other."""

    listeners: int
    game: str
    preset: str
    options: tuple[str, ...]
    seed: int = 1
    steady: bool = False

    def net(self) -> Net:
        return Net(self.listeners, seed=self.seed, player=steady if self.steady else thrifty, fresh=not self.steady)


def thrifty(think: Think) -> Action:
    """Plays a card whenever it can, so that games are short."""
    return Random(think.seed).choice(plays(think))


def steady(think: Think) -> Action:
    choices, layout = plays(think), think.game.layout(think.view)
    heights = [len(pile.slots) * weight for pile, weight in zip(layout.piles, (5, 3, 5, 3), strict=False)]
    return choices[(sum(heights) + len(layout.trick)) % len(choices)]


def plays(think: Think) -> tuple[Action, ...]:
    legal = think.game.legal(think.view, think.seat)
    return tuple([action for action in legal if isinstance(action, Play)]) or legal


SHORT = Scene(1, "crazy_eights", "telecards", ("winning_score=1", "draw_one_only=yes"))
THREE = Scene(2, "crazy_eights", "real-deal", ("winning_score=1", "players=3"))
HEARTS = Scene(2, "hearts", "real-deal", ("end_score=25",))
THIRTEEN_MOVES = b"88"


@pytest.fixture
def stacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pack comes in one and the same order, so that the game has thirteen moves whatever happens to it."""
    for module in (advance, advance):
        monkeypatch.setattr(module, "shuffle", lambda pack, _secret, label: shuffle(pack, THIRTEEN_MOVES, label))
    remember_pure(monkeypatch)


# --- playing on through faults --------------------------------------------------------------------------------------


def play(scene: Scene, *faults: Fault, placed: list[Fault] | None = None) -> Net:
    """A whole game with these faults. placed: takes the faults that could follow the last of these."""
    net = scene.net()
    due = {fault.step: fault for fault in faults}
    last = max(due, default=-1)
    for _ in range(10_000):
        if net.queue:
            step, event = net.steps, net.next_event()
            if step in due:
                suffer(net, event, due.pop(step))
            else:
                net.deliver(event)
            if placed is not None and step > last:
                placed += possible(step, event, net.outward)
        elif is_whole(net):
            return net
        elif not tend(scene, net):
            assert net.now < 3_600, "the game does not go on"
            net.pass_time(net.now + 60)
    raise AssertionError("the game does not come to its end")


def suffer(net: Net, event: Event, fault: Fault) -> None:
    """One delivery with a fault."""
    if fault.kind == CRASH:
        net.crash_after = fault.effects
        net.deliver(event)
        return
    if fault.kind == CUT_BEFORE and isinstance(event, Arrival):
        net.steps += 1
    else:
        net.deliver(event)
    if isinstance(event, Arrival) and (event.machine, event.peer) in net.links:
        if fault.kind == TWICE:
            net.deliver(event)
            net.steps -= 1
        else:
            net.cut(event.machine, event.peer)


def possible(step: int, event: Event, outward: int) -> Iterator[Fault]:
    """Every fault that can meet this delivery; a crash at each boundary of its effects, the last one after all."""
    if isinstance(event, Arrival):
        yield from (Fault(step, CUT_BEFORE), Fault(step, CUT_AFTER), Fault(step, TWICE))
    if isinstance(event, Arrival | Answer):
        yield from (Fault(step, CRASH, effects) for effects in range(outward))
        yield Fault(step, CRASH, ALL)


def tend(scene: Scene, net: Net) -> bool:
    """What the person at the coordinator's table does where the program cannot go on by itself."""
    table = net.table
    keys = [machine.table.me.key for machine in net.machines]
    if table.game is not None:
        lost = [guest for guest in table.guests if not guest.here and not guest.redial.address]
        if lost and not table.game.over:
            net.say(0, "reseat", lost[0].name, str(keys.index(lost[0].key)))
        return bool(lost) and not table.game.over
    here = {guest.key for guest in table.guests if guest.here}
    away = [str(i) for i in range(1, scene.listeners + 1) if keys[i] not in here]
    calls = [address for address in away if address not in table.attendance.invited]
    for address in calls:
        net.say(0, "invite", address)
    if away or table.lobby.offer is not None:
        return bool(calls)
    net.say(0, "game", scene.game, scene.preset)
    for option in scene.options:
        net.say(0, "set", option)
    net.say(0, "start")
    return True


def endure(scene: Scene, *faults: Fault, placed: list[Fault] | None = None) -> Net:
    try:
        net = play(scene, *faults, placed=placed)
        check_whole(net)
    except Exception as error:
        raise AssertionError(f"{scene.game} with {', '.join(map(str, faults))}: {error!r}") from error
    return net


def singles(scene: Scene) -> list[Fault]:
    placed: list[Fault] = []
    net = endure(scene, placed=placed)
    assert net.kinds(0).count(Acted) >= 12
    return placed


# --- the laws -------------------------------------------------------------------------------------------------------


in_part = pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
"""One placement in so many of each kind of fault."""


@in_part
def test_every_placement_of_one_fault(every: int, capsys: pytest.CaptureFixture[str]) -> None:
    each_alone(SHORT, singles(SHORT), capsys, every)


@in_part
@pytest.mark.usefixtures("stacked")
def test_every_placement_of_one_fault_with_two_listeners(every: int, capsys: pytest.CaptureFixture[str]) -> None:
    scene = replace(THREE, steady=True)
    each_alone(scene, singles(scene), capsys, every)


def each_alone(scene: Scene, placed: list[Fault], capsys: pytest.CaptureFixture[str], every: int = 1) -> None:
    chosen = some(placed, every)
    for fault in chosen:
        endure(scene, fault)
    with capsys.disabled():
        print(f" {len(chosen)} of {len(placed)} placements of one fault ", end="")


def some(faults: list[Fault], every: int) -> list[Fault]:
    chosen = spread(every, faults, lambda fault: fault.kind)
    assert {fault.kind for fault in chosen} == {fault.kind for fault in faults}
    return chosen


def pairs(first: list[Fault], *, every: int = 1, boundaries: bool = False) -> int:
    """Games with two faults, their number. every: one in so many faults is followed by one in so many of each kind.
    boundaries: crashes between any two effects too."""
    scene, runs = replace(SHORT, steady=True), 0
    for fault in some(first, every):
        later: list[Fault] = []
        endure(scene, fault, placed=later)
        for other in some(later if boundaries else coarse(later), every):
            endure(scene, fault, other)
            runs += 1
    return runs


def coarse(faults: list[Fault]) -> list[Fault]:
    """Of the crashes those that come when a message has been processed and all has been done."""
    return [fault for fault in faults if fault.kind != CRASH or fault.effects == ALL]


@pytest.mark.usefixtures("stacked")
def test_a_game_that_begins_anew_begins_though_its_listener_is_lost_again() -> None:
    endure(replace(SHORT, steady=True), Fault(7, CRASH, ALL), Fault(23, CRASH, ALL))


@pytest.mark.parametrize(("every", "least"), [(16, 30), pytest.param(1, 10_000, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("stacked")
def test_placements_of_two_faults(every: int, least: int, capsys: pytest.CaptureFixture[str]) -> None:
    first = coarse(singles(replace(SHORT, steady=True)))
    runs = pairs(first, every=every)
    assert runs > least
    with capsys.disabled():
        print(f" {runs} placements of two faults, the first of {len(first)} ", end="")


@pytest.mark.slow
@pytest.mark.usefixtures("stacked")
def test_every_placement_of_two_faults_at_every_boundary_of_effects(capsys: pytest.CaptureFixture[str]) -> None:
    first = singles(replace(SHORT, steady=True))
    runs = pairs(first, boundaries=True)
    with capsys.disabled():
        print(f" {len(first)} + {runs} placements of one and two faults ", end="")


@pytest.mark.slow
@pytest.mark.usefixtures("stacked")
def test_every_placement_of_one_fault_in_hearts(capsys: pytest.CaptureFixture[str]) -> None:
    scene = replace(HEARTS, steady=True)
    each_alone(scene, coarse(singles(scene)), capsys)


@pytest.mark.parametrize("storms", [1, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("scene", [THREE, HEARTS], ids=["crazy eights", "hearts"])
def test_storms_of_faults(scene: Scene, storms: int) -> None:
    """Many faults in one game, drawn at random."""
    placed = singles(scene)
    for seed in range(storms):
        endure(scene, *{fault.step: fault for fault in Random(seed).sample(placed, 15)}.values())
