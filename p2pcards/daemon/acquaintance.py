"""The people whom this home knows: looking them up, adding to them, and what our player is told about it."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

from p2pcards.links.address import lasting
from p2pcards.store.files import Home, StoreError
from p2pcards.store.identity import PROOFS, Peer, by_key, load_peers, remember
from p2pcards.wire.address import is_meeting, meeting_address_of
from p2pcards.wire.keys import fingerprint
from p2pcards.wire.names import NOBODY, ByLook, known_by_look, looks, reminds_of, without_mark


def find_known_peer(home: Home, key: bytes) -> Peer | None:
    """The known peer with this key; None also while the list of friends cannot be read."""
    try:
        return by_key(load_peers(home), key)
    except StoreError:
        return None


def knows_key(home: Home, key: bytes) -> bool:
    """True if the peer with this key is known."""
    return find_known_peer(home, key) is not None


def proof_of_key(home: Home, key: bytes) -> str:
    """The way in which a peer's key is known, one of `PROOFS`; "" for an unknown peer."""
    peer = find_known_peer(home, key)
    return peer.proof if peer else ""


def has_made_sure_of(home: Home, key: bytes) -> bool:
    """True if the key was verified: by a code, by comparing words, or by hand."""
    peer = find_known_peer(home, key)
    return peer is not None and peer.proof != PROOFS[0]


LONGEST = 32
"""Of those who are known by first use alone so many have an allowance of their own."""


def has_own_allowance(home: Home, key: bytes) -> bool:
    """True if the peer is known so well that what they make us write is counted apart from others; False while the list
    of friends cannot be read."""
    version = _peers_version(home)
    return version is not None and key in _known_best(home, version)


@lru_cache(8)
def _known_best(home: Home, _version: Version) -> frozenset[bytes]:
    """The keys of verified peers, and of those known longest."""
    try:
        peers = load_peers(home)
    except StoreError:
        return frozenset()
    unproven = sorted([(peer.first_seen, peer.key) for peer in peers if peer.proof == PROOFS[0]])
    longest = [key for _, key in unproven[:LONGEST]]
    return frozenset(longest) | {peer.key for peer in peers if peer.proof != PROOFS[0]}


def known_looks(home: Home) -> ByLook:
    """The friends by the look of their names; empty while the list cannot be read."""
    version = _peers_version(home)
    return _known_looks(home, version) if version else NOBODY


Version = tuple[int, int, int]
"""Of the list, which is read once for each of them."""


def _peers_version(home: Home) -> Version | None:
    """A stamp of the peers file that changes whenever it does; None if there is no file."""
    try:
        found = _peers_path(home).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


@lru_cache(8)
def _peers_path(home: Home) -> Path:
    """The path of the peers file, cached since it is needed for each record."""
    return home.peers


@lru_cache(8)
def _known_looks(home: Home, _version: Version) -> ByLook:
    """The friends by the look of their names, cached for this state of the list."""
    try:
        return known_by_look([(peer.key, peer.name) for peer in load_peers(home)])
    except StoreError:
        return {}


def greet_stranger(home: Home, key: bytes, name: str) -> list[str]:
    """Sentences for our player about somebody unknown who came uninvited and without a code."""
    told = [
        f"You're meeting {name} for the first time, without a code, so the key {fingerprint(key)} isn't confirmed. "
        "Type 'words' and compare by voice to be sure nobody is listening in."
    ]
    return told + _warn_of_namesakes(home, key, name, "")


CAME_BY_LINK = (
    "{} joined through the link, as anyone who has it can. Type 'words' and compare by voice to be sure who it is."
)


def remember_meeting(
    home: Home, key: bytes, name: str, address: str, proof: str, *, by_link: bool = False
) -> list[str]:
    """Remember a peer met under this name. address: where we called them, "" if they called us; proof: what this
    meeting shows of their key; by_link: a link brought us together. Returns sentences for our player."""
    try:
        before = by_key(load_peers(home), key)
        there = (meeting_address_of(key) if is_meeting(address) else lasting(address)) if address else ""
        peer = remember(home, key, without_mark(name), there, int(time.time()), proof)
    except StoreError as error:
        return [error.with_advice]
    learned = before is None or before.proof != peer.proof
    if by_link and learned:
        told = [CAME_BY_LINK.format(peer.name) if not address else f"The link connected you to {peer.name}."]
    elif proof != PROOFS[0] and learned:
        told = [f"{peer.name} confirmed the code; you won't need one next time."]
    elif before is None and address:
        told = [
            f"You're meeting {peer.name} for the first time, and will trust the key {fingerprint(key)} from now on. To "
            "be sure nobody is listening in, type 'words' and compare by voice."
        ]
    else:
        told = []
    return told + (_warn_of_namesakes(home, key, name, peer.name) if before is None else [])


def _warn_of_namesakes(home: Home, key: bytes, name: str, known_as: str) -> list[str]:
    """A warning for each peer that we know by another key and a name that looks the same. known_as: the name under
    which this one is remembered, "" if they are not."""
    try:
        others = [
            peer for peer in load_peers(home) if peer.key != key and looks(peer.name) & reminds_of(without_mark(name))
        ]
    except StoreError:
        return []
    kept = f" This one is saved as {known_as}." if known_as else ""
    return [
        f"Careful: {name} isn't the {other.name} you know, whose key is {fingerprint(other.key)}.{kept}"
        for other in others
    ]
