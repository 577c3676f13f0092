"""Finding listeners on the network: real multicast over the loopback, and datagrams from anybody."""

import shutil
import socket
import subprocess
import sys
from random import Random

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links import lan
from p2pcards.links.lan import Found, answer_datagram, answer_probes, parse_answer, parse_probe, probe, probe_datagram
from p2pcards.links.tcp import CannotListen
from p2pcards.wire.keys import public_bytes
from rigs.conformance import ANNA, BEN
from rigs.giving_up import longest_wait

LOOPBACK = ["127.0.0.1"]
KEY_A, KEY_B = public_bytes(ANNA), public_bytes(BEN)
NONCE = b"8 octets"

names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=10)


def free_udp_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("", 0))
        port: int = sock.getsockname()[1]
        return port


@given(names, st.integers(1, 65535), st.binary(min_size=8, max_size=8))
def test_an_answer_comes_back_as_it_was_meant(name: str, port: int, nonce: bytes) -> None:
    datagram = answer_datagram(nonce, port=port, key=KEY_A, name=name)
    assert parse_answer(datagram, nonce, "192.0.2.7") == Found("192.0.2.7", port, name, KEY_A)
    assert len(datagram) <= lan.PROBE_SIZE, "an answer is no longer than the probe"


def test_a_long_name_is_cut_between_characters() -> None:
    found = parse_answer(answer_datagram(NONCE, port=1, key=KEY_A, name="Åsa" + "é" * 50), NONCE, "")
    assert found is not None
    assert found.name == "Åsa" + "é" * 18
    assert len(found.name.encode()) == lan.NAME_LIMIT


@given(st.binary(min_size=8, max_size=8))
def test_a_probe_is_read(nonce: bytes) -> None:
    assert parse_probe(probe_datagram(nonce)) == nonce


@given(st.binary(max_size=200))
def test_any_bytes_are_a_probe_or_not(datagram: bytes) -> None:
    assert parse_probe(datagram) is None
    assert parse_answer(datagram, NONCE, "") is None
    assert parse_probe(lan.PROBE + datagram) in (None, datagram[:8])


@given(st.binary(max_size=120))
def test_any_bytes_after_the_right_head_are_an_answer_or_not(rest: bytes) -> None:
    found = parse_answer(lan.ANSWER + NONCE + rest, NONCE, "")
    assert found is None or answer_datagram(NONCE, port=found.port, key=found.key, name=found.name)[lan.HEAD :] == rest


@given(st.data())
def test_an_altered_answer_is_refused_or_says_what_it_says(data: st.DataObject) -> None:
    datagram = bytearray(answer_datagram(NONCE, port=4747, key=KEY_A, name="Anna"))
    datagram[data.draw(st.integers(0, len(datagram) - 1))] ^= data.draw(st.integers(1, 255))
    found = parse_answer(bytes(datagram), NONCE, "")
    assert found is None or found.name.isprintable()


@pytest.mark.parametrize(
    "datagram",
    [
        answer_datagram(NONCE, port=4747, key=KEY_A, name="Anna")[:-1],
        answer_datagram(NONCE, port=4747, key=KEY_A, name="Anna") + b"x",
        answer_datagram(b"another ", port=4747, key=KEY_A, name="Anna"),
        answer_datagram(NONCE, port=0, key=KEY_A, name="Anna"),
        answer_datagram(NONCE, port=4747, key=bytes(32), name="Anna"),
        answer_datagram(NONCE, port=4747, key=KEY_A, name=""),
        answer_datagram(NONCE, port=4747, key=KEY_A, name=" "),
        answer_datagram(NONCE, port=4747, key=KEY_A, name="An\x1b[2Jna"),
        answer_datagram(NONCE, port=4747, key=KEY_A, name="An\u202ena"),
        answer_datagram(NONCE, port=4747, key=KEY_A, name="Anna")[:-4] + b"\xff\xff\xff\xff",
        lan.ANSWER + NONCE + b"\x12\x8b" + KEY_A + bytes([41]) + b"a" * 41,
        probe_datagram(NONCE),
    ],
)
def test_what_is_not_an_answer(datagram: bytes) -> None:
    assert parse_answer(datagram, NONCE, "192.0.2.7") is None


async def test_everyone_who_listens_is_found() -> None:
    udp_port = free_udp_port()
    assert await probe(0.01, interfaces=LOOPBACK, udp_port=udp_port) == []
    async with trio.open_nursery() as nursery:
        for name, port, key in (("Ben", 5000, KEY_B), ("Anna", 4747, KEY_A)):

            async def answer(
                task_status: trio.TaskStatus[None], name: str = name, port: int = port, key: bytes = key
            ) -> None:
                await answer_probes(
                    name=name, port=port, key=key, interfaces=LOOPBACK, udp_port=udp_port, task_status=task_status
                )

            await nursery.start(answer)
        everyone = [Found("127.0.0.1", 4747, "Anna", KEY_A), Found("127.0.0.1", 5000, "Ben", KEY_B)]
        with trio.fail_after(longest_wait()):
            while (found := await probe(0.05, interfaces=LOOPBACK, udp_port=udp_port)) != everyone:
                assert set(found) < set(everyone)
        nursery.cancel_scope.cancel()


async def test_a_listener_answers_only_so_often_and_ignores_noise(autojump_clock: trio.testing.MockClock) -> None:
    """The clock stands still while there is anything to do: one second holds ten answers, the next one ten more."""
    udp_port = free_udp_port()
    rng = Random(1)
    async with trio.open_nursery() as nursery:

        async def answer(task_status: trio.TaskStatus[None]) -> None:
            await answer_probes(
                name="Anna", port=4747, key=KEY_A, interfaces=LOOPBACK, udp_port=udp_port, task_status=task_status
            )

        await nursery.start(answer)
        with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            await asker.bind(("127.0.0.1", 0))
            asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            for _ in range(2):
                for _ in range(50):
                    await asker.sendto(rng.randbytes(rng.randrange(150)), (lan.GROUP, udp_port))
                    await asker.sendto(probe_datagram(NONCE), (lan.GROUP, udp_port))
                    await trio.testing.wait_all_tasks_blocked(0.001)
                answers = 0
                with trio.move_on_after(2):
                    while True:
                        datagram, (host, _) = await asker.recvfrom(200)
                        assert parse_answer(datagram, NONCE, host) == Found("127.0.0.1", 4747, "Anna", KEY_A)
                        answers += 1
                assert answers == lan.ANSWERS_A_SECOND
        nursery.cancel_scope.cancel()


async def test_a_liar_cannot_flood_the_list() -> None:
    """A host that answers with a thousand names fills the list, and the search ends."""
    udp_port = free_udp_port()
    with trio.fail_after(longest_wait()), trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        await lan._join(ear, LOOPBACK, udp_port)
        async with trio.open_nursery() as nursery:

            async def lie() -> None:
                datagram, asker = await ear.recvfrom(200)
                nonce = parse_probe(datagram)
                assert nonce is not None
                for number in range(1, 100_000):
                    await ear.sendto(answer_datagram(nonce, port=number % 60000 + 1, key=KEY_B, name="x"), asker)

            nursery.start_soon(lie)
            assert len(await probe(20, interfaces=LOOPBACK, udp_port=udp_port)) == lan.FOUND_LIMIT
            nursery.cancel_scope.cancel()


async def test_a_machine_on_no_network_says_so() -> None:
    with pytest.raises(CannotListen, match="without --lan"):
        await answer_probes(name="Anna", port=4747, key=KEY_A, interfaces=["192.0.2.1"], udp_port=free_udp_port())
    assert await probe(0.01, interfaces=["192.0.2.1"], udp_port=free_udp_port()) == []


async def test_a_udp_port_in_use_says_so() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("", 0))
        with pytest.raises(CannotListen, match="UDP port"):
            await answer_probes(name="Anna", port=4747, key=KEY_A, interfaces=LOOPBACK, udp_port=other.getsockname()[1])


def test_without_a_choice_the_network_comes_before_the_loopback() -> None:
    networks = lan._networks()
    assert networks == ["127.0.0.1"] or "127.0.0.1" not in networks
    assert all(":" not in address for address in networks)


ALONE_ON_A_WIRE = """
ip link set lo up && ip address add 10.9.8.7/24 dev lo && exec "$@"
"""
FOUND_THERE = """
from functools import partial
import trio
from p2pcards.links.lan import answer_probes, probe
from p2pcards.links.tcp import own_addresses

async def ask():
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(answer_probes, name="Ann", port=4747, key=bytes.fromhex(KEY)))
        with trio.fail_after(LONGEST):
            while not (found := await probe(0.05)):
                pass
        print(own_addresses()[0], [(one.host, one.name) for one in found])
        nursery.cancel_scope.cancel()

trio.run(ask)
"""


@pytest.mark.skipif(not shutil.which("unshare") or not shutil.which("ip"), reason="needs unshare and ip")
def test_a_network_without_a_router_is_one_all_the_same() -> None:
    """In a network of its own, with no route to anywhere else."""
    script = f"KEY = {KEY_A.hex()!r}\nLONGEST = {longest_wait()}\n{FOUND_THERE}"
    done = subprocess.run(
        ["unshare", "-rn", "sh", "-c", ALONE_ON_A_WIRE, "sh", sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )
    if "peration not permitted" in done.stderr:
        pytest.skip("nobody may make networks here")
    assert done.stdout == "('10.9.8.7', 'private') [('10.9.8.7', 'Ann')]\n", done.stderr
