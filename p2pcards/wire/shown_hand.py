"""The hand that a player shows to a watcher, sealed so that nobody on the way can read it (protocol/company.md)."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from p2pcards.wire.crypto import ChaCha20Poly1305, InvalidTag
from p2pcards.wire.keys import PrivateKey, RefusedKey, pair_secret, public_bytes

LABEL = b"p2pcards shown hand 1"
NONCE, TAG, COUNT = 12, 16, 4
"""Bytes."""
MAX_SHOWN = 96
"""Cards of the longest hand."""
MAX_SEALED = NONCE + TAG + COUNT + MAX_SHOWN


@dataclass(frozen=True, slots=True)
class ShownHand:
    count: int  # number of records of the game after which it is this
    cards: tuple[int, ...]  # as bytes


def seal_hand(player: PrivateKey, watcher: bytes, game_id: bytes, hand: ShownHand) -> bytes:
    """Seal a hand of the player for the watcher with this public key. Raises RefusedKey."""
    key = _key(pair_secret(player, watcher), public_bytes(player), watcher, game_id)
    plain = hand.count.to_bytes(COUNT, "big") + bytes(hand.cards)
    nonce = hmac.digest(key, plain, "sha256")[:NONCE]  # so that no nonce stands for two hands
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, plain, None)


def open_hand(watcher: PrivateKey, player: bytes, game_id: bytes, sealed: bytes) -> ShownHand | None:
    """The hand that the player with this public key has sealed for us, None if it is not that."""
    try:
        key = _key(pair_secret(watcher, player), player, public_bytes(watcher), game_id)
        plain = ChaCha20Poly1305(key).decrypt(sealed[:NONCE], sealed[NONCE:], None)
    except (InvalidTag, RefusedKey, ValueError):
        return None
    if len(plain) < COUNT:
        return None
    return ShownHand(int.from_bytes(plain[:COUNT], "big"), tuple(plain[COUNT:]))


def _key(secret: bytes, player: bytes, watcher: bytes, game_id: bytes) -> bytes:
    return hmac.digest(secret, LABEL + player + watcher + game_id, "sha256")
