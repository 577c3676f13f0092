"""Calling and meeting somebody: from an address as a person writes it to a channel with the identity known there."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import trio

from p2pcards.control.exits import NETWORK, REFUSED, STORAGE, USAGE
from p2pcards.links.channel import Channel, ChannelRefused, NotOurs, Ourselves, WrongKey, open_channel
from p2pcards.links.tcp import BadAddress, CannotConnect, connect, format_address, parse_address
from p2pcards.links.via import connect_via
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.names import clean_name
from p2pcards.store.peers import KeyChanged, by_address, by_key, load_peers, remember
from p2pcards.wire.keys import fingerprint

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
    address: str, key: bytes | None, via: str, *, home: Home, identity: Ed25519PrivateKey, nursery: trio.Nursery
) -> Channel:
    """A channel to whoever is at `address`. key: who has to be there; None: whoever was there the last time, and
    anybody if nobody was. via: the command that carries the bytes, "" for TCP; nursery: of that command.

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
        return await open_channel(
            stream, initiator=True, identity=identity, pin=pin, where=there, deadline=CHANNEL_DEADLINE
        )
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


def meet(home: Home, key: bytes, name: str, address: str) -> list[str]:
    """Remember a peer who calls herself `name`. address: where we called her, "" if she called us. Returns what the
    player should be told, sentences."""
    try:
        before = by_key(load_peers(home), key)
        there = format_address(*parse_address(address)) if address else ""
        peer = remember(home, key, name, there, int(time.time()))
    except StoreError as error:
        return [sentence_of(error)]
    if before is not None:
        return []
    told = [
        f"You meet {peer.name} for the first time and trust the key {fingerprint(key)} from now on. To be sure that "
        f"nobody sits between you, have {peer.name} read out what 'p2pcards identity' prints there."
    ]
    if peer.name != clean_name(name):
        told.append(
            f"Careful: you know another {clean_name(name)}, by another key. This one is remembered as {peer.name}."
        )
    return told


def sentence_of(error: StoreError) -> str:
    return f"{error} {error.advice}".rstrip()


def _why_wrong(home: Home, wrong: WrongKey) -> str:
    try:
        known = by_key(load_peers(home), wrong.pin)
    except StoreError:
        known = None
    return sentence_of(KeyChanged(known, wrong.seen)) if known else str(wrong)
