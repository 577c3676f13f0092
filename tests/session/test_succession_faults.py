"""A host gone at every delivery of a game, and every placement of one more fault while the others go on: whoever is
there plays on in one game, and nobody signs hands of two branches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from p2pcards.cards.pack import shuffle
from p2pcards.games.crazy_eights.rules import Play
from p2pcards.games.game import Action, Stage
from p2pcards.ledger import advance
from p2pcards.session.effects import Think
from p2pcards.session.listener import Listener
from p2pcards.wire.reasons import CloseReason
from rigs.in_part import naming, spread
from rigs.net import Arrival, Event, Loss, Net
from rigs.people import until
from rigs.pure import remember_pure, remembered_signatures
from rigs.succeeding import check_logs, check_nobody_votes_twice, deliver_next

signatures = remembered_signatures()

pytestmark = pytest.mark.no_cover  # several times as slow under measurement; the other tests cover the machines

ANN, BOB, CY = range(3)
GRACE, LOBBY_GRACE, LATE = 30, 60, 2
THIRTEEN_MOVES = b"88"


@pytest.fixture(autouse=True)
def stacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pack comes in one and the same order, so that runs repeat each other."""
    monkeypatch.setattr(advance, "shuffle", lambda pack, _secret, label: shuffle(pack, THIRTEEN_MOVES, label))
    remember_pure(monkeypatch)


@dataclass(frozen=True, slots=True)
class SuccessionScene:
    listeners: int
    game: str
    preset: str
    options: tuple[str, ...]

    def begin(self) -> Net:
        net = Net(self.listeners, grace=GRACE, player=steady, fresh=False)
        for i in range(1, self.listeners + 1):
            net.say(ANN, "invite", str(i))
        net.run()
        net.say(ANN, "game", self.game, self.preset)
        for option in self.options:
            net.say(ANN, "set", option)
        net.say(ANN, "start")
        return net

    def after(self, deliveries: int) -> Net:
        net, begun = self.begin(), 0
        while begun < deliveries:
            begun += deliver_next(net)
        return net

    def deliveries(self) -> int:
        """How many there are in the whole game."""
        net, count = self.begin(), 0
        while not all(is_over(net, i) for i in range(self.listeners + 1)):
            count += deliver_next(net)
        return count


def steady(think: Think) -> Action:
    """Chooses by the view alone."""
    legal = think.game.legal(think.view, think.seat)
    choices = tuple([action for action in legal if isinstance(action, Play)]) or legal
    layout = think.game.layout(think.view)
    heights = [len(pile.slots) * weight for pile, weight in zip(layout.piles, (5, 3, 5, 3), strict=False)]
    return choices[(sum(heights) + len(layout.trick)) % len(choices)]


CRAZY = SuccessionScene(2, "crazy_eights", "real-deal", ("winning_score=150", "players=3"))
FOUR = SuccessionScene(3, "crazy_eights", "real-deal", ("winning_score=60", "players=4"))
HEARTS = SuccessionScene(2, "hearts", "real-deal", ("end_score=25",))


# --- what must hold in the end --------------------------------------------------------------------------------------


def is_over(net: Net, i: int) -> bool:
    return net.position(i) is not None and net.at(i).ended is CloseReason.WON


def one_game(net: Net, here: list[int]) -> bool:
    """Whether all of these are in one game that one of them coordinates."""
    games = {net.at(i).game_id if net.position(i) is not None else b"" for i in here}
    hosts = [i for i in net.hosts() if i in here]
    return len(games) == 1 and b"" not in games and len(hosts) == 1 and net.at(hosts[0]).coordinates


def are_playing(net: Net, i: int) -> bool:
    """Whether a machine has begun a hand of a game that is not won."""
    position = net.position(i)
    return position is not None and position.dealt > 0 and position.state.stage != Stage.OVER


# --- the host gone --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "every"),
    [
        pytest.param(CRAZY, 23, id="crazy eights"),
        pytest.param(FOUR, 151, id="four"),
        pytest.param(HEARTS, 53, id="hearts"),
        pytest.param(CRAZY, 1, marks=pytest.mark.slow, id="crazy eights, all"),
        pytest.param(FOUR, 1, marks=pytest.mark.slow, id="four, all"),
        pytest.param(HEARTS, 1, marks=pytest.mark.slow, id="hearts, all"),
    ],
)
def test_the_host_gone_at_every_delivery(
    scene: SuccessionScene, every: int, capsys: pytest.CaptureFixture[str]
) -> None:
    placed = range(0, scene.deliveries() + 1, every)
    for deliveries in placed:
        with naming(deliveries):
            go_on_without_the_host(scene, deliveries)
    with capsys.disabled():
        print(f" the host gone at {len(placed)} deliveries ", end="")


def go_on_without_the_host(scene: SuccessionScene, deliveries: int) -> None:
    net, others = scene.after(deliveries), list(range(1, scene.listeners + 1))
    play = all(are_playing(net, i) for i in others)
    before = {net.at(i).game_id for i in others} if play else set()
    net.lose(ANN)
    if not play:
        until(net, lambda: not net.queue and len(net.hosts()) == 1, LOBBY_GRACE + LATE)
        net.run_for(60)
        assert len(net.hosts()) == 1
    else:
        until(net, lambda: one_game(net, others) and net.at(BOB).game_id not in before, GRACE + LATE)
        assert len({net.at(i).header for i in others}) == 1
        assert len({net.at(i).state.scores for i in others}) == 1
        hand = net.at(BOB).hand_in_progress()
        net.come_back(ANN)
        until(net, lambda: all(is_over(net, i) for i in others) and not net.queue, 3_000)
        assert len({net.at(i).head for i in others}) == 1
        assert all(net.at(i).counted == net.at(i).opened for i in others)
        if net.at(BOB).state.hand > hand:
            assert net.at(ANN).head == net.at(BOB).head and net.at(ANN).seat is not None
    check_logs(net)
    check_nobody_votes_twice(net)


# --- and one more fault ---------------------------------------------------------------------------------------------

CUT_BEFORE, CUT_AFTER, CRASH, DELAYED, GONE = "cut before", "cut after", "crash", "delayed", "gone as well"
AWAY = 100
"""Seconds for which somebody else is gone as well."""


@dataclass(frozen=True, slots=True)
class FurtherFault:
    """At the delivery with this number after the host was lost."""

    number: int
    kind: str


def possible(number: int, event: Event) -> Iterator[FurtherFault]:
    """Every fault that can meet this delivery."""
    if isinstance(event, Arrival):
        yield from (FurtherFault(number, CUT_BEFORE), FurtherFault(number, CUT_AFTER), FurtherFault(number, DELAYED))
    yield from (FurtherFault(number, CRASH), FurtherFault(number, GONE))


def suffer(net: Net, fault: FurtherFault) -> None:
    """One delivery with a fault."""
    event = net.next_event()
    i = event.machine
    if fault.kind == DELAYED and isinstance(event, Arrival):
        behind = [one for one in net.queue if isinstance(one, Arrival | Loss) and one.peer == event.peer]
        net.queue = [one for one in net.queue if one not in behind] + [event, *behind]
        return
    if fault.kind != CUT_BEFORE:
        net.deliver(event)
    if fault.kind in (CUT_BEFORE, CUT_AFTER) and isinstance(event, Arrival) and (i, event.peer) in net.links:
        net.cut(i, event.peer)
    elif fault.kind == CRASH:
        net.crash(i)
    elif fault.kind == GONE:
        net.lose(i)


def go_on_through(
    scene: SuccessionScene, deliveries: int, fault: FurtherFault | None, placed: list[FurtherFault] | None = None
) -> Net:
    """The host is lost after so many deliveries, and comes back late. placed: takes the faults that could be."""
    net = scene.after(deliveries)
    before, others = net.at(BOB).game_id, range(1, scene.listeners + 1)
    net.lose(ANN)
    end, number = net.now + 600, 0
    gone: tuple[int, float] | None = None
    while net.queue or net.now < end:
        if not net.queue:
            if gone is not None and net.now >= gone[1]:
                net.come_back(gone[0])
                gone = None
            net.pass_time(end if gone is None else gone[1])
            continue
        if placed is not None and any(net.position(i) is None or net.at(i).game_id == before for i in others):
            placed += possible(number, net.queue[0])
        if fault is not None and number == fault.number:
            i = net.queue[0].machine
            suffer(net, fault)
            gone = (i, net.now + AWAY) if fault.kind == GONE else None
        else:
            net.deliver(net.next_event())
        number += 1
    return net


def check_company(net: Net, others: range) -> None:
    """All are in one game, or it is over for all of them, or each waits for the host or a word of its person."""
    games = [net.at(i).game_id if net.position(i) is not None else b"" for i in others]
    together = len(net.hosts()) == 1 and len(set(games)) == 1 and len({net.at(i).head for i in others}) == 1
    assert together or all(waits(net, i) for i in others), (games, net.hosts())
    check_logs(net)
    check_nobody_votes_twice(net)


def waits(net: Net, i: int) -> bool:
    machine = net.machines[i]
    return isinstance(machine, Listener) and machine.table.link.peer is None and net.wake[i] is None


@pytest.mark.parametrize(
    ("scene", "at", "every"),
    [
        pytest.param(CRAZY, 220, 7, id="in a hand"),
        pytest.param(FOUR, 700, 40, id="four"),
        pytest.param(CRAZY, 220, 1, marks=pytest.mark.slow, id="in a hand, all"),
        pytest.param(FOUR, 700, 1, marks=pytest.mark.slow, id="four, all"),
    ],
)
def test_every_placement_of_one_more_fault(
    scene: SuccessionScene, at: int, every: int, capsys: pytest.CaptureFixture[str]
) -> None:
    placed: list[FurtherFault] = []
    go_on_through(scene, at, None, placed)
    chosen = spread(every, placed, lambda fault: fault.kind)
    for fault in chosen:
        with naming(fault):
            check_company(go_on_through(scene, at, fault), range(1, scene.listeners + 1))
    with capsys.disabled():
        print(f" {len(chosen)} of {len(placed)} placements of one more fault ", end="")
