"""This machine as it is seen from outside: several STUN servers are asked from one UDP socket, which tells its public
address, and how the router in between changes addresses (RFC 5780 has the words)."""

from __future__ import annotations

import os
import socket
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import trio

from p2pcards.links import stun
from p2pcards.links.pcp import IP
from p2pcards.links.stun import ReflexiveAddress
from p2pcards.links.tcp import source_address

SENDINGS = (0.5, 1.0, 2.0)
"""Seconds until a request is sent again, or given up (RFC 8489, section 6.2.1, cut short)."""
LOOKUP = 3.0
"""Seconds in which the address of a server has to be found."""

NO_NAMES = "Can't find any STUN server. Check that this machine is online."
NO_WAY = "Can't reach any STUN server. Check that this machine is online."
NO_ANSWER = "No STUN server answered: this network or a firewall seems to block UDP. Try another network."


class MappingKind(StrEnum):
    """How others see one UDP socket of this machine."""

    NO_NAT = "none"
    ENDPOINT_INDEPENDENT = "endpoint-independent"  # under one address and port
    ADDRESS_DEPENDENT = "address-dependent"  # each under another one: "symmetric"
    UNKNOWN = "unknown"  # fewer than two servers answered


@dataclass(frozen=True, slots=True)
class StunAnswer:
    server: str
    seen: ReflexiveAddress
    seconds: float  # from the last request sent


@dataclass(frozen=True, slots=True)
class OutsideView:
    kind: MappingKind = MappingKind.UNKNOWN
    answers: tuple[StunAnswer, ...] = ()
    why_not: str = ""  # a sentence if no server answered; otherwise ""

    @property
    def address(self) -> IP | None:
        """The address that most servers saw, None if none did."""
        seen = Counter(answer.seen.address for answer in self.answers)
        return seen.most_common(1)[0][0] if seen else None

    @property
    def seconds(self) -> float | None:
        """The time of the fastest answer, None without one."""
        return min((answer.seconds for answer in self.answers), default=None)


async def ask_stun_servers(servers: Sequence[tuple[str, int]], version: int = 4) -> OutsideView:
    """Ask several STUN servers from one socket how they see this machine. servers: (host, port); version: of IP."""
    questions: list[_Question] = []
    with trio.socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6, socket.SOCK_DGRAM) as sock:
        await sock.bind(("", 0))

        async def ask(host: str, port: int) -> None:
            """Ask one server."""
            if (place := await _look_up(host, port, sock.family)) is not None:
                questions.append(_Question(host, place))
                await questions[-1].ask(sock)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(_hear, sock, questions)
            async with trio.open_nursery() as asking:
                for host, port in servers:
                    asking.start_soon(ask, host, port)
            nursery.cancel_scope.cancel()
        answers = tuple([question.answer for question in questions if question.answer is not None])
        if answers:
            return OutsideView(_kind(answers, sock.getsockname()[1], source_address(questions[0].place[0])), answers)
    if not questions:
        return OutsideView(why_not=NO_NAMES)
    return OutsideView(why_not=NO_ANSWER if any(question.went_out for question in questions) else NO_WAY)


def _kind(answers: Sequence[StunAnswer], port: int, own: IP | None) -> MappingKind:
    """The way in which others see the socket, judged by these answers. port, own: the socket's port and this machine's
    address."""
    seen, agreeing = Counter(answer.seen for answer in answers).most_common(1)[0]
    if (seen.address, seen.port) == (own, port):
        return MappingKind.NO_NAT
    if len(answers) < 2:
        return MappingKind.UNKNOWN
    # One that lies, or that is in the same house, changes nothing where two others agree.
    return MappingKind.ENDPOINT_INDEPENDENT if agreeing > 1 else MappingKind.ADDRESS_DEPENDENT


async def _look_up(host: str, port: int, family: int) -> Any:
    """The socket address of a host, None if it has none of this family."""
    with trio.move_on_after(LOOKUP), suppress(OSError, UnicodeError):
        found = await trio.socket.getaddrinfo(host, port, family, socket.SOCK_DGRAM)
        return found[0][4]
    return None


async def _hear(sock: trio.socket.SocketType, questions: Sequence[_Question]) -> None:
    """Hand answers to their questions."""
    while True:
        try:
            datagram, sender = await sock.recvfrom(stun.LONGEST + 1)
        except OSError:  # some systems tell so of an earlier datagram that was refused
            await trio.lowlevel.checkpoint()
            continue
        for question in questions:
            question.read_answer(datagram, sender)


class _Question:
    """To one server, until it answers or was asked often enough."""

    def __init__(self, host: str, place: Any) -> None:
        self.place = place
        self.went_out = False
        self.answer: StunAnswer | None = None
        self._host = host
        self._transaction = os.urandom(stun.TRANSACTION_SIZE)
        self._sent = 0.0
        self._answered = trio.Event()

    async def ask(self, sock: trio.socket.SocketType) -> None:
        """Send the question until it is answered, a few times at most."""
        for pause in SENDINGS:
            self._sent = trio.current_time()
            with suppress(OSError):
                await sock.sendto(stun.binding_request(self._transaction), self.place)
                self.went_out = True
            with trio.move_on_after(pause):
                await self._answered.wait()
                return

    def read_answer(self, datagram: bytes, sender: Any) -> None:
        """Take a datagram if it answers this question."""
        if sender[:2] != self.place[:2] or self.answer is not None:
            return
        if (seen := stun.read_answer(datagram, self._transaction)) is not None:
            self.answer = StunAnswer(self._host, seen, trio.current_time() - self._sent)
            self._answered.set()
