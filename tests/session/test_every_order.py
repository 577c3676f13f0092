"""Our machines in every order of deliveries, with links and programs lost anywhere, or with one listener who cheats:
docs/models/README.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf

import pytest

from p2pcards.games.crazy_eights.rules import Play
from p2pcards.games.game import Action
from p2pcards.ledger.fair import awaited_sides, chain_value
from p2pcards.ledger.payloads import RECORD
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.session import live_game
from p2pcards.session.effects import Think
from p2pcards.session.feed import Standing, compare_logs
from p2pcards.session.game_clocks import GameClocks
from p2pcards.wire.messages import MoveMessage, Resume, decode_message, encode_message
from p2pcards.wire.records import ENTRY_LABEL, CheckEntry, Entry, EntryKind, Record, encode_entry, read_record, sign
from rigs.exploring import Explored, explore
from rigs.net import Answer, Arrival, Event, Loss, Net, frames, records
from rigs.pure import remember_pure

pytestmark = pytest.mark.no_cover

STATED = 240.0
"""Seconds in which every run comes to the next hand: the turn clock, for a move that is withheld, and the grace."""


@dataclass(frozen=True, slots=True)
class Happens:
    """deliver: the first message of a lane; agree: its person says yes; wait: time passes. Faults: cut: the line of a
    peer breaks; crash, older: a machine is made again from its log, or from one that lacks its last record. What a
    listener tries: withhold: the first message of its lane does not go out; twice: it goes out twice; empty: a check
    gives no value; back: it says that its log is shorter than it is."""

    what: str
    machine: int = 0
    lane: int | str = 0

    def __str__(self) -> str:
        return f"{self.what} {self.machine}:{self.lane}"


TRICKS = ("withhold", "twice", "empty", "back")
ANYTHING = ("cut", "crash", "older")


def entry_of(event: Event) -> Entry | None:
    said = decode_message(event.message) if isinstance(event, Arrival) else None
    return read_record(said.record)[1][0] if isinstance(said, MoveMessage) else None


def lane_of(event: Event) -> tuple[int, int | str]:
    return event.machine, event.peer if isinstance(event, Arrival | Loss) else type(event).__name__


@dataclass
class HonestTable:
    """until: the hand at whose deal a run is over. faults: how many may still happen, of these kinds. cheat: the
    listener who cheats, for whom nobody waits at the end, or 0. since: so many records stand in the log before a fault.
    older: a log was lost in part. signed: every move that a listener has signed, by its side, game and base."""

    net: Net
    until: int
    faults: int
    kinds: tuple[str, ...]
    cheat: int = 0
    since: int = 0
    older: bool = False
    signed: dict[tuple[int, bytes, int], bytes] = field(default_factory=dict)

    def choices(self) -> list[Happens]:
        net = self.net
        if self.is_over():
            return []
        lanes = dict.fromkeys([lane_of(event) for event in net.queue if not self._is_later(event)])
        fair = [Happens("deliver", *lane) for lane in lanes]
        fair += [Happens("agree", i) for i in range(len(net.machines)) if self._may_agree(i)]
        truth = net.position(0)
        if self.faults and truth is not None and truth.count >= self.since:
            return [*(fair or [Happens("wait")]), *self._faults()]
        return fair or [Happens("wait")]

    def _faults(self) -> list[Happens]:
        cuts = [Happens("cut", machine, peer) for machine, peer in self.net.links if machine]
        everybody = range(len(self.net.machines))
        made_again = [Happens("crash", i) for i in everybody]
        made_again += [Happens("older", i) for i in everybody if self._has_records(i)]
        tried = [one for event in self.net.queue if self._is_of_cheat(event) for one in self._tricks(event)]
        return [one for one in cuts + made_again + list(dict.fromkeys(tried)) if one.what in self.kinds]

    def _is_of_cheat(self, event: Event) -> bool:
        link = self.net.links.get((event.machine, event.peer)) if isinstance(event, Arrival) else None
        return link is not None and link[0] == self.cheat and not event.machine

    def _tricks(self, event: Event) -> list[Happens]:
        return [Happens(what, *lane_of(event)) for what in TRICKS if what != "empty" or self._is_check(event)]

    def _is_check(self, event: Event) -> bool:
        """Whether it is the first of its lane, and a check that builds on what is due."""
        first = next(one for one in self.net.queue if lane_of(one) == lane_of(event))
        entry = entry_of(first)
        return isinstance(entry, CheckEntry) and entry.base == self.net.at(self.cheat).open_base

    def take(self, choice: Happens) -> None:
        net = self.net
        match choice.what:
            case "deliver":
                event = next(event for event in net.queue if lane_of(event) == (choice.machine, choice.lane))
                net.queue.remove(event)
                net.deliver(event)
            case "withhold" | "twice" | "empty" | "back":
                self._try(choice)
            case "wait" if self._never_began():
                net.say(0, "start")
            case "wait":
                assert net.pass_time(STATED), "nobody is due, and the next hand does not come"
                assert net.now < STATED, "the next hand does not come in time"
            case "agree":
                net.say(choice.machine, "accept" if self._is_asked(choice.machine) else "yes")
            case "cut":
                assert isinstance(choice.lane, int)
                net.cut(choice.machine, choice.lane)
            case "older":
                self._lose_last_record(choice.machine)
                net.crash(choice.machine)
            case _:
                net.crash(choice.machine)
        self.faults -= choice.what in self.kinds
        self.look()

    def _try(self, choice: Happens) -> None:
        net = self.net
        event = next(event for event in net.queue if lane_of(event) == (choice.machine, choice.lane))
        assert isinstance(event, Arrival)
        entry, position = entry_of(event), net.position(self.cheat)
        net.queue.remove(event)
        if choice.what == "empty" and isinstance(entry, CheckEntry) and position is not None:
            body = encode_entry(replace(entry, value=b""))
            frame = sign(net.keys[self.cheat], ENTRY_LABEL, position.open_head, body)
            event = replace(event, message=encode_message(MoveMessage(bytes(Record((frame,))))))
        if choice.what == "back":
            game = net.table.game
            assert game is not None
            count = max(game.position.count - 1, 0)
            said = Resume(game.position.game_id, count, game._writer.head_at(count))
            net.deliver(replace(event, message=encode_message(said)))
        for _ in range({"withhold": 0, "twice": 2}.get(choice.what, 1)):
            net.deliver(event)

    def _has_records(self, i: int) -> bool:
        return self.net.used[i] is not None and bool(records(self.net.log(i)))

    def _lose_last_record(self, i: int) -> None:
        net, log = self.net, self.net.log(i)
        last = max(place for place, payload in enumerate(log) if payload[:1] == RECORD)
        del log[last:]
        net.kept[i] = {frames(record) for record in records(log)}
        self.older = True

    def look(self) -> None:
        """Check what must hold now; forget what decides nothing."""
        net = self.net
        truth = net.position(0)
        for sender, _, message in net.sent:
            self._check_one_move(sender, message)
            if truth is not None and not sender:
                secret = chain_value(truth.seed, truth.opened + 1)
                assert secret not in message, "the coordinator's part of a pack goes out before the hand is over"
        if truth is not None and not self.older:
            for i in range(1, len(net.machines)):
                self._check_prefix(net.position(i), truth)
        net.sent.clear()
        for told in net.told:
            told.clear()
        net.steps = net.outward = 0
        net.dials.clear()
        net.queue.sort(key=lambda event: str(lane_of(event)))

    def _check_one_move(self, sender: int, message: bytes) -> None:
        said = decode_message(message)
        if self.older or not isinstance(said, MoveMessage):
            return
        record, (entry, *_) = read_record(said.record)
        base = getattr(entry, "base", -1)
        game_id = self.net.at(sender).game_id
        first = self.signed.setdefault((sender, game_id, base), record.frames[0].body)
        assert first == record.frames[0].body, f"machine {sender} signed two moves on base {base}"

    def _check_prefix(self, theirs: Position | None, truth: Position) -> None:
        if theirs is None or theirs.game_id != truth.game_id:
            return
        assert theirs.count <= truth.count, "a listener has what the coordinator has not"
        game = self.net.table.game
        assert game is not None
        assert game._writer.head_at(theirs.count) == theirs.head, "two histories"

    def _may_agree(self, i: int) -> bool:
        if not i:
            game = self.net.table.game
            return game is not None and game.proposals.to_answer is not None
        theirs = self.net.listener(i)
        to_answer = theirs.game is not None and theirs.game.to_answer is not None
        return theirs.link.greeted and (to_answer or self._is_asked(i))

    def _is_asked(self, i: int) -> bool:
        """Whether the player of a listener is asked as somebody has dropped out."""
        game = self.net.listener(i).game if i else None
        return game is not None and game.asks

    def _is_later(self, event: Event) -> bool:
        """Whether this belongs to the play after the deal, or to a hand that nobody finishes."""
        return isinstance(event, Answer) and self._dealt(event.machine)

    def _dealt(self, i: int) -> bool:
        position = self.net.position(i)
        return position is not None and position.dealt >= self.until and position.phase is Phase.PLAY

    def _never_began(self) -> bool:
        """Somebody was lost while a game was offered anew: its person says so when they are back."""
        table = self.net.table
        here = len(table.guests) == len(self.net.machines) - 1 and all(guest.here for guest in table.guests)
        return table.game is not None and table.game.over and table.lobby.offer is None and here

    def _waits_for_cheat(self) -> bool:
        """Whether the next hand cannot be dealt without the listener who cheats, and its time is over."""
        game = self.net.table.game
        stands = game is not None and game.next_deal.waits(game.position)
        return stands and game is not None and awaited_sides(game.position) == {self.cheat}

    def is_over(self) -> bool:
        return self._waits_for_cheat() or all(
            self._dealt(i) for i in range(len(self.net.machines)) if not i or i != self.cheat
        )

    def check_end(self) -> None:
        truth = self.net.at(0)
        for i in range(1, len(self.net.machines)):
            if i == self.cheat:
                continue
            theirs = self.net.at(i)
            assert theirs.game_id == truth.game_id
            self._check_prefix(theirs, truth)
            assert len(records(self.net.log(i))) == theirs.count, "a record is lost, or remembered twice"


SEEDS = {1: 6, 2: 8}
"""By the number of listeners: of a short first hand."""
OPTIONS = "winning_score=1000", "draw_one_only=yes"


def shortest(think: Think) -> Action:
    """Plays a card whenever it can, and another one when it is asked again."""
    legal = think.game.legal(think.view, think.seat)
    cards = [action for action in legal if isinstance(action, Play)] or legal
    return cards[think.seed % len(cards)]


def table(listeners: int, *, auto: str | None = "carefree") -> Net:
    """The moment at which a game starts."""
    net = Net(listeners, seed=SEEDS[listeners], auto=auto, player=shortest, fresh=False)
    for i in range(1, listeners + 1):
        net.say(0, "invite", str(i))
    net.run()
    net.say(0, "game", "crazy_eights", "telecards")
    for option in (*OPTIONS, f"players={listeners + 1}"):
        net.say(0, "set", option)
    net.say(0, "start")
    return net


def last_moves(listeners: int) -> Net:
    """The moment before the last two moves of the first hand."""
    net = table(listeners)
    while net.position(0) is None or not net.at(0).opened:
        net.deliver(net.next_event())
    opening = next(n for n, data in enumerate(records(net.log(0))) if read_record(data)[1][0].kind is EntryKind.OPENING)
    net = table(listeners)
    while net.position(0) is None or net.at(0).count < opening - 2:
        net.deliver(net.next_event())
    return net


def redeal_asked(listeners: int) -> Net:
    """The moment at which a listener has asked to have the first hand dealt again."""
    net = table(listeners, auto=None)
    net.run()
    net.say(1, "redeal")
    return net


@dataclass(frozen=True, slots=True)
class Scene:
    """since: as in HonestTable, counted from the beginning of the scene."""

    begin: Callable[[int], Net]
    until: int
    since: int = 0


SCENES = {"first deal": Scene(table, 1), "next deal": Scene(last_moves, 2), "redeal": Scene(redeal_asked, 2, since=1)}
LOST = ("cut", "crash")


def explored(scene: Scene, listeners: int, faults: int, kinds: tuple[str, ...]) -> Explored:
    net = scene.begin(listeners)
    since = scene.since and net.at(0).count + scene.since
    world = HonestTable(net, scene.until, faults, kinds, cheat=1 if kinds is TRICKS else 0, since=since)
    world.look()
    return explore(world, most=200_000)


slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("scene", "listeners", "faults", "kinds"),
    [
        ("first deal", 1, 1, ANYTHING),
        ("next deal", 1, 1, ANYTHING),
        ("redeal", 1, 1, LOST),
        ("first deal", 2, 0, ()),
        slow("first deal", 1, 2, ANYTHING),
        slow("next deal", 1, 2, ANYTHING),
        slow("redeal", 1, 2, LOST),
        slow("first deal", 2, 1, ANYTHING),
        slow("next deal", 2, 1, ANYTHING),
        slow("redeal", 2, 1, LOST),
        slow("first deal", 2, 1, TRICKS),
        slow("next deal", 2, 1, TRICKS),
    ],
)
def test_every_order_and_every_loss_lead_to_the_next_hand(
    scene: str,
    listeners: int,
    faults: int,
    kinds: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    remember_pure(monkeypatch)
    found = explored(SCENES[scene], listeners, faults, kinds)
    assert found.ends
    with capsys.disabled():
        print(f" {scene}, {listeners} and {faults}: {found} ", end="")


# --- the search bites -------------------------------------------------------------------------------------------------


def test_a_coordinator_that_forgets_who_is_awaited_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would wait for ever for the check of somebody who is gone."""
    monkeypatch.setattr(GameClocks, "checks_end", lambda _clocks: inf)
    with pytest.raises(AssertionError, match="does not come"):
        explored(SCENES["next deal"], 1, 1, TRICKS)


def test_a_restored_coordinator_that_does_not_ask_for_what_it_lacks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def unasked(writer: LedgerWriter, said: Resume) -> Standing:
        found = compare_logs(writer, said)
        return Standing.OTHER if found is Standing.AHEAD else found

    monkeypatch.setattr(live_game, "compare_logs", unasked)
    with pytest.raises(AssertionError, match=r"does not come|two histories"):
        explored(SCENES["next deal"], 1, 1, ("older",))
