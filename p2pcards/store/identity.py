"""The key pair that this home is known by, and the peers that we have met, with the key that each is known by."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from p2pcards.games.nearest import did_you_mean
from p2pcards.store.files import (
    NAME_LIMIT,
    NAME_RULE,
    Home,
    StoreError,
    clean_name,
    locked,
    read_whole,
    store_error,
    write_whole,
)
from p2pcards.wire.address import MEETING, is_meeting, meeting_address_of
from p2pcards.wire.crypto import Ed25519PrivateKey, pem_of, private_key_in
from p2pcards.wire.keys import admit, fingerprint, public_bytes
from p2pcards.wire.names import looks

# --- the key pair that this home is known by --------------------------------------------------------------------------


def load_or_make_identity(home: Home) -> Ed25519PrivateKey:
    """The private key of this home, made at the first call. Raises StoreError for a file that others may read or that
    holds no Ed25519 key; it is left as it is."""
    if (found := _load_identity(home.identity)) is not None:
        return found
    with locked(home.identity):
        if (found := _load_identity(home.identity)) is not None:
            return found
        made = Ed25519PrivateKey.generate()
        write_whole(home.identity, pem_of(made))
        return made


def load_or_make_key(home: Home) -> bytes:
    """The public key of this home, as friends know it; `load_or_make_identity` has its private key."""
    return public_bytes(load_or_make_identity(home))


def take_identity(home: Home, key: Ed25519PrivateKey) -> None:
    """Make this the key of a home that has none. Raises StoreError where it has another."""
    with locked(home.identity):
        found = _load_identity(home.identity)
        if found is None:
            write_whole(home.identity, pem_of(key))
        elif public_bytes(found) != public_bytes(key):
            raise StoreError(
                f"{home.identity} already has a different key.", "Move it aside if none of your friends know it."
            )


def _load_identity(path: Path) -> Ed25519PrivateKey | None:
    """The identity in this file, None if there is no file. Raises StoreError for one that others may read or that holds
    no key."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise store_error(error, f"Can't read your identity {path}") from error
    if mode & 0o077:
        raise StoreError(
            f"Other users can read your identity {path}, so it isn't used.",
            f"Try: chmod 600 {path}. If someone might have copied it, move it aside to get a new one.",
        )
    try:
        return private_key_in(data)
    except ValueError:
        raise StoreError(
            f"Your identity {path} is damaged: it has no Ed25519 key.",
            "Restore it from a backup, or move it aside to get a new one. Then your friends must forget the old one.",
        ) from None


# --- the peers that we have met, and the key that each is known by ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Peer:
    """One known peer: `name` is ours for it and unique, times are unix seconds.

    `address` is HOST:PORT, empty when we never reached the peer there. `proof`: one of PROOFS.
    """

    name: str
    key: bytes
    first_seen: int
    last_seen: int
    address: str
    proof: str = "first use"


PROOFS = ("first use", "code", "trusted")
"""How we know whose key it is: we took it on trust, a code or a link that we had from them shows it, or our own
player says so."""

UNPROVEN_LIMIT = 500
"""Peers that are known by first use alone: anybody can make as many keys as they like."""


class KeyChanged(StoreError):
    """Somebody answered for a known peer with another key."""

    def __init__(self, peer: Peer, shown: bytes) -> None:
        super().__init__(
            f"{peer.name}'s key is {fingerprint(peer.key)}, but {fingerprint(shown)} answered. Either {peer.name} has "
            "a new machine or installation, or someone else answered.",
            f"Ask {peer.name} another way, such as by phone. If the new key is right: p2pcards peers forget "
            f"{shlex.quote(peer.name)}",
        )
        self.peer = peer
        self.shown = shown


def load_peers(home: Home) -> tuple[Peer, ...]:
    """All friends, sorted by name. Raises StoreError for a damaged file, which is left as it is."""
    data = read_whole(home.peers)
    if data is None:
        return ()
    try:
        listed = json.loads(data)
        if type(listed) is not list:
            raise ValueError("it isn't a list")
        peers = tuple(_peer_of(entry) for entry in listed)
        if len({peer.key for peer in peers}) < len(peers) or len({peer.name.casefold() for peer in peers}) < len(peers):
            raise ValueError("a peer is listed twice")
    except (ValueError, RecursionError) as error:
        raise _refused_peers(home.peers, error) from None
    return _sorted(peers)


def remember(home: Home, key: bytes, name: str, address: str, when: int, proof: str = "first use") -> Peer:
    """Note that we met `key` at `when`, and return what we know of it.

    A known key keeps the name that we know it by. A new one gets the name that it gives itself, cleaned, with a number
    behind it when the name of another peer looks like it. `address` is the one we dialled, empty when the peer called
    us. Raises KeyChanged when a stranger answered at the address of a known peer (another known peer may: the address
    is theirs now), RefusedKey when nobody can be known by `key`, StoreError too when UNPROVEN_LIMIT is reached. proof:
    of this meeting; what was proven once stays so.
    """
    admit(key)
    with locked(home.peers):
        peers = load_peers(home)
        known, there = by_key(peers, key), by_address(peers, address)
        if known is None:
            check_key(there, key)
            _check_room(peers, proof)
            met = Peer(_free_name(name, peers), key, when, when, address, proof)
        else:
            proof = max(proof, known.proof, key=PROOFS.index)
            when = max(when, known.last_seen)
            met = replace(known, last_seen=when, address=address or known.address, proof=proof)
        others = (replace(peer, address="") if peer is there else peer for peer in peers if peer.key != key)
        _write_peers(home.peers, (*others, met))
        return met


def add_peers(home: Home, others: Iterable[Peer]) -> int:
    """Add these peers where their keys are new; returns how many were. Raises StoreError."""
    with locked(home.peers):
        peers, added = load_peers(home), 0
        for one in others:
            with suppress(StoreError):  # there is no room for it
                if by_key(peers, one.key) is None:
                    _check_room(peers, one.proof)
                    taken = by_address(peers, one.address) is not None
                    named = replace(one, name=_free_name(one.name, peers), address="" if taken else one.address)
                    peers, added = (*peers, named), added + 1
        if added:
            _write_peers(home.peers, peers)
        return added


def forget(home: Home, name: str) -> Peer:
    """Remove a peer from the list; returns it. Raises StoreError."""
    with locked(home.peers):
        peers = load_peers(home)
        known = find_peer(peers, name)
        _write_peers(home.peers, tuple(peer for peer in peers if peer is not known))
        return known


def trust(home: Home, name: str) -> Peer:
    """Note that the player has verified a peer's key; returns the peer. Raises StoreError."""
    return _change_peer(home, name, lambda peer, _: replace(peer, proof="trusted"))


def rename(home: Home, name: str, wanted: str) -> Peer:
    """Give a peer another name. Raises StoreError when it is no name or taken."""

    def renamed(peer: Peer, peers: tuple[Peer, ...]) -> Peer:
        """The peer with the new name, if that is allowed."""
        check_name(peers, peer.name, wanted)
        return replace(peer, name=wanted)

    return _change_peer(home, name, renamed)


def check_name(peers: tuple[Peer, ...], name: str, wanted: str) -> None:
    """Raise StoreError when the peer called `name` cannot be called `wanted`."""
    if clean_name(wanted) != wanted:
        raise StoreError(
            f"That name would be shown as '{clean_name(wanted)}'.",
            NAME_RULE,
        )
    holder = next((peer for peer in peers if looks(peer.name) & looks(wanted) and peer.name != name), None)
    if holder is not None:
        same = holder.name.casefold() == wanted.casefold()
        known = f"'{wanted}'" if same else f"'{holder.name}', which looks like '{wanted}'"
        raise StoreError(f"You already know someone as {known}.", "Choose another name, or forget that one first.")


def find_peer(peers: tuple[Peer, ...], name: str) -> Peer:
    """The peer of this name. Raises StoreError."""
    known = by_name(peers, name)
    if known is None:
        advice = did_you_mean(name, [peer.name for peer in peers], 0.5) or "See p2pcards peers list."
        raise StoreError(f"You don't know anyone as '{clean_name(name)}'.", advice)
    return known


def check_key(known: Peer | None, shown: bytes) -> None:
    """Raise KeyChanged if a peer that we meant to reach showed another key than the known one."""
    if known is not None and known.key != shown:
        raise KeyChanged(known, shown)


def by_key(peers: tuple[Peer, ...], key: bytes) -> Peer | None:
    """The peer with this key, None if there is none."""
    return next((peer for peer in peers if peer.key == key), None)


def by_name(peers: tuple[Peer, ...], name: str) -> Peer | None:
    """The peer of this name, ignoring capitals; None if there is none."""
    return next((peer for peer in peers if peer.name.casefold() == name.casefold()), None)


def by_address(peers: tuple[Peer, ...], address: str) -> Peer | None:
    """The peer last reached at this address, None if there is none."""
    return next((peer for peer in peers if address and peer.address == address), None)


def address_of(peers: tuple[Peer, ...], text: str) -> str:
    """The address of the peer called so, else the text itself, which may be an address. Only of verified peers: a
    stranger may take the name of a machine. `meet:NAME` becomes the friend's meeting address."""
    if is_meeting(text):
        friend = by_name(peers, text.removeprefix(MEETING).strip())
        return meeting_address_of(friend.key) if friend else text
    known = by_name(peers, text)
    named = known is not None and known.proof != PROOFS[0] and known.address and not re.search(r"[.:]", text)
    return known.address if known and named else text


def _change_peer(home: Home, name: str, change: Callable[[Peer, tuple[Peer, ...]], Peer]) -> Peer:
    """Replace the peer of this name by what `change` makes of it, under the file's lock. Raises StoreError."""
    with locked(home.peers):
        peers = load_peers(home)
        known = find_peer(peers, name)
        changed = change(known, peers)
        _write_peers(home.peers, tuple(changed if peer is known else peer for peer in peers))
        return changed


def _check_room(peers: tuple[Peer, ...], proof: str) -> None:
    """Raise StoreError if too many peers are unverified to add one more."""
    if proof == PROOFS[0] and sum(peer.proof == PROOFS[0] for peer in peers) >= UNPROVEN_LIMIT:
        raise StoreError(
            f"You already know {UNPROVEN_LIMIT} people whose keys aren't confirmed, so this one isn't saved.",
            "Meet with a code, or forget some of them (p2pcards peers list).",
        )


def _free_name(name: str, peers: tuple[Peer, ...]) -> str:
    """The cleaned name, with a number if another peer's looks like it."""
    wanted = clean_name(name)
    free, number = wanted, 1
    taken = frozenset[str]().union(*[looks(peer.name) for peer in peers])
    while looks(free) & taken:
        number += 1
        suffix = f"-{number}"
        free = wanted[: NAME_LIMIT - len(suffix)].rstrip() + suffix
    return free


def _sorted(peers: tuple[Peer, ...]) -> tuple[Peer, ...]:
    """The peers sorted by name."""
    return tuple(sorted(peers, key=lambda peer: (peer.name.casefold(), peer.key)))


def _write_peers(path: Path, peers: tuple[Peer, ...]) -> None:
    """Write the whole list of peers."""
    listed = [asdict(peer) | {"key": peer.key.hex()} for peer in _sorted(peers)]
    write_whole(path, (json.dumps(listed, indent=2, ensure_ascii=False) + "\n").encode())


def _peer_of(entry: object) -> Peer:
    """A peer from its JSON form. Raises ValueError."""
    if type(entry) is dict:
        entry.setdefault("proof", PROOFS[0])  # of a file from before there were codes
    if type(entry) is not dict or set(entry) != {field.name for field in fields(Peer)}:
        raise ValueError("an entry has a missing or extra field")
    name, key, address = entry["name"], entry["key"], entry["address"]
    times = entry["first_seen"], entry["last_seen"]
    if type(name) is not str or clean_name(name) != name:
        raise ValueError("a name isn't valid")
    if type(key) is not str or not re.fullmatch("[0-9a-f]{64}", key):
        raise ValueError(f"{name}'s key isn't 64 hex digits")
    if type(address) is not str or not address.isprintable() or any(type(when) is not int for when in times):
        raise ValueError(f"{name}'s address or times aren't valid")
    if entry["proof"] not in PROOFS:
        raise ValueError(f"{name}'s proof isn't valid")
    admit(bytes.fromhex(key))
    return Peer(name, bytes.fromhex(key), *times, address, entry["proof"])


def _refused_peers(path: Path, error: Exception) -> StoreError:
    """The StoreError for a damaged list of friends."""
    return StoreError(
        f"Your list of friends {path} is damaged: {error}.",
        "Fix it, or move it aside and meet everyone again as if for the first time.",
    )
