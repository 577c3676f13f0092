"""What a STUN server answers, and servers that a test makes."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

import trio

from p2pcards.links import stun
from p2pcards.links.stun import ReflexiveAddress


def attribute(kind: int, value: bytes) -> bytes:
    return stun.ATTRIBUTE.pack(kind, len(value)) + value + bytes(-len(value) % 4)


def stun_answer(seen: ReflexiveAddress, transaction: bytes) -> bytes:
    mask = int.from_bytes(stun.COOKIE + transaction, "big")
    size = seen.address.max_prefixlen
    address = (int(seen.address) ^ mask >> 128 - size).to_bytes(size // 8, "big")
    port = (seen.port ^ mask >> 112).to_bytes(2, "big")
    value = bytes([0, 1 if size == 32 else 2]) + port + address
    rest = attribute(0x8022, b"a rig") + attribute(stun.XOR_MAPPED_ADDRESS, value)
    return stun.HEAD.pack(stun.SUCCESS, len(rest), stun.COOKIE, transaction) + rest


class StandInStun:
    """On this machine. answer: to a transaction that came from an address and port; the datagrams that it sends."""

    def __init__(self, answer: Callable[[bytes, ReflexiveAddress], list[bytes]], host: str = "127.0.0.1") -> None:
        self.asked = 0
        self._answer = answer
        self._host = host
        self._sock = trio.socket.socket(type=trio.socket.SOCK_DGRAM)

    @property
    def place(self) -> tuple[str, int]:
        return self._host, self._sock.getsockname()[1]

    async def serve(self, task_status: trio.TaskStatus[None]) -> None:
        with self._sock:
            await self._sock.bind((self._host, 0))
            task_status.started()
            while True:
                request, sender = await self._sock.recvfrom(100)
                transaction = request[8:]
                assert request == stun.binding_request(transaction)
                self.asked += 1
                for datagram in self._answer(transaction, ReflexiveAddress(ipaddress.ip_address(sender[0]), sender[1])):
                    await self._sock.sendto(datagram, sender)
