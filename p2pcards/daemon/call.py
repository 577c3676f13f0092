"""Calling somebody: from an address as a person writes it to a channel with the identity known there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pcards.control.exits import NETWORK, REFUSED, STORAGE, USAGE
from p2pcards.daemon.acquaintance import sentence_of
from p2pcards.links.channel import Channel, ChannelRefused, NotOurs, Ourselves, WrongKey, open_channel
from p2pcards.links.link import LinkLost
from p2pcards.links.pairing import CodeRefused, prove_code
from p2pcards.links.tcp import BadAddress, CannotConnect, connect, format_address, parse_address
from p2pcards.links.via import connect_via
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.peers import KeyChanged, by_address, by_key, load_peers
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.spoken import Code

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

CONNECT_DEADLINE = 10.0
CHANNEL_DEADLINE = 10.0


class CallFailed(Exception):
    """Nobody was reached; the argument is a sentence, code one of `exits`."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


async def call(
    address: str,
    key: bytes | None,
    via: str,
    *,
    home: Home,
    identity: Ed25519PrivateKey,
    nursery: trio.Nursery,
    code: Code | None = None,
) -> Channel:
    """A channel to whoever is at `address`. key: who has to be there; None: whoever was there the last time, and
    anybody if nobody was. via: the command that carries the bytes, "" for TCP; nursery: of that command. code: what
    both have to prove, if there is one.

    Raises CallFailed.
    """
    try:
        host, port = parse_address(address)
        there = format_address(host, port)
        known = None if key else by_address(load_peers(home), there)
        if via:
            stream: trio.abc.Stream = await connect_via(via, host, port, nursery=nursery)
        else:
            stream = await connect(host, port, deadline=CONNECT_DEADLINE)
        pin = key or (known.key if known else None)
        channel = await open_channel(
            stream, initiator=True, identity=identity, pin=pin, where=there, deadline=CHANNEL_DEADLINE
        )
        if code is not None:
            await _prove(channel, code, identity)
        return channel
    except WrongKey as wrong:
        raise CallFailed(_why_wrong(home, wrong), REFUSED) from None
    except (Ourselves, BadAddress) as mistake:
        raise CallFailed(str(mistake), USAGE) from None
    except NotOurs as refused:
        raise CallFailed(str(refused), REFUSED) from None
    except (ChannelRefused, CannotConnect) as failed:
        raise CallFailed(str(failed), NETWORK) from None
    except StoreError as error:
        raise CallFailed(sentence_of(error), STORAGE) from None


async def _prove(channel: Channel, code: Code, identity: Ed25519PrivateKey) -> None:
    """Raises CallFailed, the channel closed."""
    try:
        with trio.fail_after(CHANNEL_DEADLINE):
            await prove_code(channel, code, public_bytes(identity))
    except BaseException as failed:
        await channel.aclose()
        if isinstance(failed, CodeRefused):
            raise CallFailed(str(failed), REFUSED) from None
        if not isinstance(failed, LinkLost | trio.TooSlowError):
            raise
        why = (
            str(failed) if isinstance(failed, LinkLost) else f"{channel.where} does not say whether the code is right."
        )
        raise CallFailed(f"{why} The code may be burnt by that; ask for the new one.", NETWORK) from None


def _why_wrong(home: Home, wrong: WrongKey) -> str:
    try:
        known = by_key(load_peers(home), wrong.pin)
    except StoreError:
        known = None
    return sentence_of(KeyChanged(known, wrong.seen)) if known else str(wrong)
