"""How a game must end, whatever happened to it."""

from __future__ import annotations

from p2pcards.ledger.payloads import read_start
from p2pcards.ledger.verify import Findings, verify_log
from p2pcards.wire.keys import public_bytes
from rigs.net import Net, records


def chain_end(net: Net, i: int) -> tuple[int, bytes, int | None]:
    position = net.at(i)
    return position.count, position.head, position.ended


def sides(net: Net) -> list[int]:
    """The machines that have a side in the coordinator's game, in the order of the sides."""
    keys = [public_bytes(key) for key in net.keys]
    return [keys.index(side.key) for side in net.at(0).header.sides]


def is_whole(net: Net) -> bool:
    """Whether everybody in the game has all of it, and the game is over."""
    if net.position(0) is None or net.at(0).ended is None:
        return False
    end = chain_end(net, 0)
    return all(net.position(i) is not None and chain_end(net, i) == end for i in sides(net))


def check_whole(net: Net) -> dict[int, Findings]:
    """The game is over, and everybody in it has the same chain, all the faces of its own, and a log that proves it.
    Returns the findings by machine."""
    truth = net.at(0)
    findings = {}
    for side, i in enumerate(sides(net)):
        position = net.at(i)
        assert chain_end(net, i) == chain_end(net, 0)
        seat = truth.header.seat_of(side)
        if i:
            assert position.state == truth.views[-1 if seat is None else seat], "faces are missing"
        log = net.logs[i][truth.game_id]
        assert read_start(log).side == side
        assert len(records(log)) == truth.count, "a record is lost, or remembered twice"
        findings[i] = found = verify_log(log)
        assert found.position.head == truth.head and found.honest and found.unproven is None
        assert found.finished == (truth.ended == 0)
    return findings
