"""Friends behind routers of every kind sit down by a code, and play by the way that their routers leave: real daemons,
mosquitto, coturn and miniupnpd in the NAT laboratory."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.control.exits import NETWORK
from rigs.apart import START, TCP, all_pairs, at, homes_apart, hosting, play_a_game, way_between, way_of
from rigs.nat import Kind, Laboratory

pytestmark = pytest.mark.reach

PAIRS = [
    (Kind.PCP, Kind.SYMMETRIC),
    (Kind.SYMMETRIC, Kind.PCP),
    (Kind.UPNP, Kind.NO_UDP),
    (Kind.PORT_RESTRICTED, Kind.UPNP),
    (Kind.IPV6, Kind.IPV6),
    (Kind.SYMMETRIC, Kind.SYMMETRIC),
    (Kind.NO_UDP, Kind.CARRIER),
]


@pytest.mark.parametrize(("waits", "calls"), all_pairs(PAIRS))
def test_two_homes_play_by_the_way_that_their_routers_leave(
    apart: Laboratory, tmp_path: Path, waits: Kind, calls: Kind
) -> None:
    play_a_game(apart, tmp_path, waits, calls, "tcp router", way_between(waits, calls, direct=False))


def test_a_direct_game_goes_on_without_any_broker_and_new_meetings_say_why_not(
    nat_allowed: None, tmp_path: Path
) -> None:
    with homes_apart(tmp_path) as lab:
        ann, bob, cy = (
            at(lab.homes[f"{kind}{number}"], tmp_path / name, "tcp", "router", "broker")
            for name, kind, number in (("ann", Kind.PCP, 1), ("bob", Kind.SYMMETRIC, 1), ("cy", Kind.SYMMETRIC, 2))
        )
        with hosting(ann) as (host, code):
            bob.data("join", code, "--name", "Bob", "--auto", "novice")
            renewed = host.until(rf"Code for new friends: (?!{code})(\d{{5}}-\S+)")[1]
            for one in (ann, bob):
                way_of(one, TCP)
            lab.public.stop_programs()
            exit_code, said = cy.refused("join", renewed, "--name", "Cy")
            assert exit_code == NETWORK and said.startswith("Can't reach a meeting point: "), said
            host.type(START)
            host.until("Crazy Eights begins")
            host.type("away\r")
            host.until("The game is over")
            way_of(bob, TCP)
            host.type("leave yes\r")
            assert host.end() == 0
        assert bob.data("logs")[0]["state"] == "finished"


def test_a_game_goes_on_when_a_machine_gets_another_address(nat_allowed: None, tmp_path: Path) -> None:
    with homes_apart(tmp_path) as lab:
        moves = lab.homes[f"{Kind.SYMMETRIC}2"]
        ann = at(lab.homes[f"{Kind.PCP}1"], tmp_path / "ann", "tcp", "router", "broker")
        bob = at(moves, tmp_path / "bob", "tcp", "router", "broker")
        with hosting(ann) as (host, code):
            bob.data("join", code, "--name", "Bob", "--auto", "novice")
            for one in (ann, bob):
                way_of(one, TCP)
            host.type(START)
            host.until("Crazy Eights begins")
            other = moves.address.removesuffix(".2") + ".7"
            moves.ip(
                f"address delete {moves.address}/24 dev eth0",
                f"address add {other}/24 dev eth0",
                f"route add default via {moves.gateway}",
            )
            host.type("away\r")
            host.until("The game is over")
            host.type("leave yes\r")
            assert host.end() == 0
        assert bob.data("logs")[0]["state"] == "finished"
