"""The people whom this home knows: looking them up, adding to them, and what our player is told about it."""

from __future__ import annotations

import time

from p2pcards.links.address import lasting
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.store.names import clean_name
from p2pcards.store.peers import Peer, by_key, by_name, load_peers, remember
from p2pcards.wire.keys import fingerprint


def known(home: Home, key: bytes) -> Peer | None:
    """Whoever has this key; nobody while the list cannot be read."""
    try:
        return by_key(load_peers(home), key)
    except StoreError:
        return None


def knows(home: Home, key: bytes) -> bool:
    return known(home, key) is not None


def greet_stranger(home: Home, key: bytes, name: str) -> list[str]:
    """Sentences for our player when somebody whom they do not know has come by themselves and without a code."""
    told = [
        f"You meet {clean_name(name)} for the first time, without a code: nobody has proven that the key "
        f"{fingerprint(key)} is {clean_name(name)}'s. Say 'words' and compare by voice, to be sure that nobody sits "
        "between you."
    ]
    return told + _namesake(home, key, name, "")


def meet(home: Home, key: bytes, name: str, address: str, proof: str) -> list[str]:
    """Remember a peer who goes by `name`. address: where we called them, "" if they called us; proof: "code" if they
    have proven one, else "". Returns sentences for our player."""
    try:
        before = by_key(load_peers(home), key)
        there = lasting(address) if address else ""
        peer = remember(home, key, name, there, int(time.time()), proof or "first use")
    except StoreError as error:
        return [error.with_advice]
    if proof and (before is None or before.proof != peer.proof):
        told = [f"{peer.name} confirmed the code; you won't need one next time."]
    elif before is None and address:
        told = [
            f"You meet {peer.name} for the first time and trust the key {fingerprint(key)} from now on. To be sure "
            "that nobody sits between you, say 'words' and compare by voice; or meet with the code that is shown there."
        ]
    else:
        told = []
    return told + (_namesake(home, key, name, peer.name) if before is None else [])


def _namesake(home: Home, key: bytes, name: str, known_as: str) -> list[str]:
    """A warning where we know the name by another key. known_as: what this one is remembered as, "" if they are not."""
    try:
        other = by_name(load_peers(home), clean_name(name))
    except StoreError:
        return []
    if other is None or other.key == key:
        return []
    kept = f" This one is remembered as {known_as}." if known_as else ""
    return [f"Careful: you know another {clean_name(name)}, by another key.{kept}"]
