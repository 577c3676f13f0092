"""What could be done to a table that goes on without its host: the rows of protocol/threats.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2pcards.ledger.branches import counts
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import NOTE, Succeeded, read_note
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import verify_log
from p2pcards.session import table
from p2pcards.session.coordinator import Coordinator
from p2pcards.session.listener import Listener
from p2pcards.session.succession import Hosting
from p2pcards.views.happenings import HostChanged
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import (
    Bye,
    Door,
    Doors,
    Handover,
    Hello,
    Message,
    Offer,
    RecordMessage,
    Resume,
    encode_message,
)
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import VERSION, Header, encode_header
from rigs.net import Arrival, Net, message_of
from rigs.people import run_to, until
from rigs.pure import remembered_signatures
from rigs.stranger import Stranger, last_bye
from rigs.succeeding import begins, playing

signatures = remembered_signatures()

ANN, BOB, CY = range(3)


def key(net: Net, i: int) -> bytes:
    return public_bytes(net.keys[i])


def said(net: Net, i: int, j: int) -> list[Message]:
    """What one has sent to the other."""
    return [message_of(data) for sender, to, data in net.sent if (sender, to) == (i, j)]


def tell(net: Net, i: int, message: Message) -> None:
    """Ann says something to this listener that her own program would not."""
    place = next(end for end, other in net.links.items() if (end[0], other[0]) == (i, ANN))
    told = Arrival(*place, encode_message(message))
    net.queue.append(told)
    until(net, lambda: told not in net.queue)


def refuses(net: Net, i: int, j: int) -> bool:
    return any(isinstance(one, Bye) and one.code is ByeCode.BROKE_PROTOCOL for one in said(net, i, j))


def in_second_hand(option: str = "end_score=60") -> Net:
    """All have checked the first hand of hearts, and the second is on."""
    net = playing(option=option)
    until(net, lambda: net.position(CY) is not None and net.at(CY).opened == 1 and net.at(CY).phase is Phase.PLAY)
    run_to(net, net.at(ANN).count + 6)
    return net


def base_of(net: Net, i: int) -> Position:
    """The latest base in the log of a listener, as it is read again."""
    return LedgerFollower.restored(net.keys[i], net.log(i)).bases[-1]


# --- a false successor ------------------------------------------------------------------------------------------------


def with_seats(header: Header) -> Header:
    """Cy, who is side 1, has no seat any more."""
    return replace(
        header, seats=tuple([replace(one, side=None if one.side == 1 else one.side) for one in header.seats])
    )


CHANGES: dict[str, Callable[[Header], Header]] = {
    "scores": lambda header: replace(header, continues=(1, 0, (0, 0, 0, 26), 0)),
    "from the beginning": lambda header: replace(header, continues=None, first_dealer=0),
    "nobody decides": lambda header: replace(header, quorum=()),
    "only these two decide": lambda header: replace(header, quorum=tuple(sorted(one.key for one in header.sides))),
    "another head": lambda header: replace(header, previous=bytes(32)),
    "another grace": lambda header: replace(header, grace=5),
    "other options": lambda header: replace(header, options=(header.options[0], 50, *header.options[2:])),
    "my seat": with_seats,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_successor_who_goes_on_otherwise_is_refused(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[Header], Header]
) -> None:
    net = in_second_hand()
    net.lose(ANN)

    def encode(header: Header) -> bytes:
        return encode_header(change(header))

    monkeypatch.setattr(table, "encode_header", encode)
    until(net, lambda: refuses(net, CY, BOB), 60)
    assert not net.tales(CY, HostChanged) and len(net.logs[CY]) == 1


def test_no_hand_that_a_listener_has_checked_is_made_void(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob goes on from the beginning; also Cy's log alone says that she has checked the first hand."""
    net = in_second_hand()
    assert base_of(net, CY).opened == 1
    assert [one.opened for one in LedgerFollower.restored(net.keys[CY], net.log(CY)).bases] == [1]
    header = LedgerFollower.restored(net.keys[BOB], net.log(BOB)[:2]).position
    monkeypatch.setattr(Hosting, "base", property(lambda _: header))
    net.lose(ANN)
    until(net, lambda: refuses(net, CY, BOB), 60)
    assert len(net.logs[CY]) == 1


@pytest.mark.parametrize(("seconds", "rightly"), [(10, False), (24, False), (26, True)])
def test_somebody_who_takes_a_table_over_too_early_is_refused(seconds: int, rightly: bool) -> None:
    """Ann may be gone for 30 seconds, and clocks may differ by 5."""
    net = in_second_hand()
    net.lose(ANN)
    net.lose(BOB)
    net.run_for(seconds)
    one = begins(net, BOB, CY, base_of(net, CY))
    assert one.closed is not rightly
    assert len(net.tales(CY, HostChanged)) == rightly
    assert rightly or last_bye(one) is ByeCode.BROKE_PROTOCOL


def test_a_stranger_does_not_take_the_table_over() -> None:
    net = in_second_hand()
    net.lose(ANN)
    net.lose(BOB)
    net.run_for(35)
    assert last_bye(begins(net, 99, CY, base_of(net, CY))) is ByeCode.BROKE_PROTOCOL
    assert not net.tales(CY, HostChanged)


def test_a_table_is_handed_to_nobody_who_is_not_there() -> None:
    for heir in (bytes(32), b"Ann"):
        net = in_second_hand()
        tell(net, BOB, Handover(key(net, ANN) if heir == b"Ann" else heir))
        assert refuses(net, BOB, ANN) and net.hosts() == [ANN]


def test_a_table_is_handed_over_by_nobody_who_has_not_said_who_is_here() -> None:
    net = Net(1)
    nosy = Stranger(net, BOB)
    nosy.say(Hello(VERSION, True, "Nosy", "wayne"))
    nosy.say(Handover(public_bytes(net.keys[BOB])))
    assert last_bye(nosy) is ByeCode.BROKE_PROTOCOL and nosy.closed and not net.hosts()[1:]


def test_nobody_stands_in_line_twice() -> None:
    net = in_second_hand()
    bob, cy = Door(1, key(net, BOB), "1"), Door(2, key(net, CY), "2")
    tell(net, BOB, Doors((bob, cy, cy, Door(2, key(net, ANN), "0"))))
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB], 60)
    machine = net.machines[BOB]
    assert isinstance(machine, Coordinator)
    assert [guest.key for guest in machine.table.guests] == [key(net, CY)]


def test_a_log_that_is_said_to_be_shorter_voids_no_hand_that_was_checked() -> None:
    """Cy says that she has nothing but the header; Bob, who has checked a hand, goes back to no earlier base."""
    net = in_second_hand()
    net.lose(CY)
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB], 60)
    bobs = LedgerFollower.restored(net.keys[BOB], net.log(BOB))
    cy = Stranger(net, BOB, CY)
    cy.say(Hello(VERSION, False, "Cy", "lizzy"))
    cy.say(Resume(bobs.position.game_id, 0, bytes(32)))
    sent = [one.number for one in cy.heard if isinstance(one, RecordMessage)]
    assert sent == list(range(bobs.bases[-1].count)), "as much as she says that she lacks"
    cy.say(Resume(bobs.position.game_id, 0, bytes(32)))
    net.run_for(10)
    assert Bye(ByeCode.OTHER_HISTORY) in cy.heard or not [one for one in cy.heard if isinstance(one, Offer)]
    assert len(net.logs[BOB]) == 1 and net.hosts() == []


# --- two branches -----------------------------------------------------------------------------------------------------


def test_of_two_who_take_the_table_over_one_gives_way() -> None:
    net = playing(option="end_score=300")
    until(net, lambda: net.position(CY) is not None and net.at(CY).opened == 1 and net.at(CY).phase is Phase.PLAY)
    net.lose(ANN)
    net.divide(BOB)
    net.run_for(60)
    assert net.hosts() == [], "neither has a majority of three"
    for i in (BOB, CY):
        net.say(i, "continue")
    until(net, lambda: net.hosts() == [BOB, CY] and all(net.position(i) and net.at(i).opened for i in (BOB, CY)))
    assert net.at(BOB).counted == net.at(CY).counted == 0
    net.divide()
    until(net, lambda: net.hosts() == [BOB] and isinstance(net.machines[CY], Listener))
    assert any(one == Bye(ByeCode.SUCCEEDED) for one in said(net, BOB, CY))


def test_nothing_more_is_signed_in_the_log_of_the_host_who_was_gone() -> None:
    net = in_second_hand("end_score=300")
    old = net.at(CY).game_id
    net.lose(ANN)
    until(net, lambda: bool(net.tales(CY, HostChanged)) and net.position(CY) is not None and net.at(CY).dealt == 1)
    for i in (BOB, CY):
        notes = [read_note(payload) for payload in net.logs[i][old] if payload[:1] == NOTE]
        assert notes[-1] == Succeeded(net.at(i).game_id)
        again = LedgerFollower.restored(net.keys[i], net.logs[i][old])
        assert again.succeeded and not again.owes_move() and not again.owes_check()
    ann = Stranger(net, CY, ANN)
    ann.say(Hello(VERSION, True, "Ann", "wayne"))
    assert last_bye(ann) is ByeCode.TAKEN
    net.lose(BOB)
    net.run()
    ann, signed = Stranger(net, CY, ANN), len(net.logs[CY][old])
    ann.say(Hello(VERSION, True, "Ann", "wayne"))
    ann.say(Resume(old, 3, bytes(32)))
    assert last_bye(ann) is ByeCode.TAKEN and len(net.logs[CY][old]) == signed


def test_a_majority_goes_on_without_somebody_who_is_there() -> None:
    """Ann is there all the time: her hands count no more, and those of the two others do."""
    net = playing(option="end_score=300")
    until(net, lambda: net.position(CY) is not None and net.at(CY).opened == 1 and net.at(CY).phase is Phase.PLAY)
    net.divide(ANN)
    until(net, lambda: net.hosts() == [ANN, BOB] and net.position(BOB) is not None and net.at(BOB).dealt == 2)
    until(net, lambda: net.at(ANN).opened == 2)
    assert not counts(net.at(ANN)) and net.at(ANN).counted == 1
    assert net.at(BOB).counted == 1 and counts(net.at(BOB))
    assert net.at(BOB).quorum == {key(net, BOB), key(net, CY)}


def test_a_host_who_says_that_all_have_left_is_alone_in_their_quorum() -> None:
    net = in_second_hand()
    for i in (BOB, CY):
        net.say(i, "leave")
    until(net, lambda: net.at(ANN).opened == 2)
    assert net.at(ANN).quorum == {key(net, ANN)} and counts(net.at(ANN))


# --- a host who is gone on purpose, or has lied before ----------------------------------------------------------------


def test_a_host_who_vanishes_voids_the_hand_and_loses_the_table() -> None:
    net = in_second_hand()
    old, scores = net.at(BOB).game_id, net.at(BOB).state.scores
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and net.position(BOB) is not None and net.at(BOB).dealt == 1)
    left = verify_log(net.logs[BOB][old])
    assert left.honest and not left.finished
    assert (left.position.dealt, left.position.opened) == (2, 1)
    assert net.at(BOB).state.scores == net.at(CY).state.scores == scores
    assert key(net, ANN) not in [side.key for side in net.at(BOB).header.sides]


@pytest.mark.parametrize("of_cy", ["1", "0", "9", "no address"])
def test_wrong_doors_lead_to_nobody(of_cy: str) -> None:
    """Where Bob can be called Cy is told wrongly, too. So nobody plays on, until Ann is back."""
    net = in_second_hand()
    doors = Doors((Door(1, key(net, BOB), "7"), Door(2, key(net, CY), of_cy.replace("no address", "8"))))
    for i in (BOB, CY):
        tell(net, i, doors)
    net.lose(ANN)
    net.run_for(120)
    assert not any(net.tales(i, HostChanged) for i in (BOB, CY))
    net.come_back(ANN)
    until(net, lambda: all(net.position(i) is not None and net.at(i).ended is not None for i in (ANN, BOB, CY)), 3000)
    assert len({net.at(i).head for i in (ANN, BOB, CY)}) == 1


def test_one_right_door_is_enough() -> None:
    net = in_second_hand()
    for i in (BOB, CY):
        tell(net, i, Doors((Door(1, key(net, BOB), "1"), Door(2, key(net, CY), "9"))))
    net.lose(ANN)
    until(net, lambda: net.hosts() == [BOB] and bool(net.tales(CY, HostChanged)), 40)


def test_a_telephone_that_the_host_names_is_not_called() -> None:
    net = in_second_hand()
    for i in (BOB, CY):
        tell(net, i, Doors((Door(1, key(net, BOB), "tel:1"), Door(2, key(net, CY), "cable:/dev/ttyS0"))))
    net.lose(ANN)
    net.run_for(60)
    assert not [address for _, address in net.dials if address.startswith(("tel:", "cable:"))]
    assert net.hosts() == []


def test_those_who_came_through_tor_call_nobody_in_another_way() -> None:
    """A door would show to the host who names it where they are, and a meeting point to its brokers."""
    net = Net(2, grace=30)
    for i in (BOB, CY):
        net.connect(i, ANN, f"{'a' * 56}.onion:4747")
    net.run()
    for i in (BOB, CY):
        tell(net, i, Doors((Door(1, key(net, BOB), "9"), Door(2, key(net, CY), ""))))
    net.lose(ANN)
    net.run_for(600)
    assert net.dials == []
