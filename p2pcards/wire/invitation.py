"""The secret in a link to a meeting: a token that nobody can guess, and the key that the other end must have
(protocol/reach.md)."""

from __future__ import annotations

import re
from base64 import b32decode, b32encode
from dataclasses import dataclass
from hashlib import sha256

TOKEN, KEY_HASH = 16, 10
"""Bytes."""
LETTERS = 42
CUT = 25
"""Letters from which on a text is taken for what a program has left of an invitation; a name has fewer."""
HASH_DIGITS = 32
"""Of the hash of a page, behind the invitation in a link to it."""


class BadInvitation(ValueError):
    """The argument is a sentence."""


@dataclass(frozen=True, slots=True)
class Invitation:
    token: bytes
    key_hash: bytes  # the first KEY_HASH bytes of the SHA-256 of the waiter's public key

    def __str__(self) -> str:
        return b32encode(self.token + self.key_hash).decode().rstrip("=").lower()

    def comes_from(self, key: bytes) -> bool:
        """True if this public key is that of the one who made the invitation."""
        return sha256(key).digest()[:KEY_HASH] == self.key_hash


def make_invitation(token: bytes, key: bytes) -> Invitation:
    """Make an invitation. key: the public key of the waiter."""
    return Invitation(token, sha256(key).digest()[:KEY_HASH])


def looks_like_invitation(text: str) -> bool:
    """True if the text is an invitation or a damaged one."""
    return bool(re.fullmatch(rf"[a-z2-7]{{{CUT},}}", text, re.IGNORECASE | re.ASCII))


def has_invitation(link: str) -> bool:
    """True if a link holds an invitation, so that no code is needed."""
    return bool(re.search(rf"[:#][a-z2-7]{{{LETTERS}}}(\.[0-9a-f]{{{HASH_DIGITS}}})?$", link))


def link_for_watching(link: str) -> str:
    """The link for watching that belongs to a link for playing; "" if that leads to no page (protocol/websocket.md)."""
    page, sign, code = link.partition("#")
    return f"{page}?watch{sign}{code}" if page.startswith(("http://", "https://")) else ""


def is_for_watching(pasted: str) -> bool:
    """True if a pasted text holds a link for watching."""
    return bool(re.search(r"\?([^\s#?]*&)?watch(?==?(&|#|%(25)*23|\s|$))", pasted, re.IGNORECASE))


def read_invitation(text: str) -> Invitation:
    """Parse an invitation, in capitals or not. Raises BadInvitation."""
    if re.fullmatch(rf"[a-z2-7]{{{LETTERS}}}", text, re.IGNORECASE | re.ASCII):
        secret = b32decode(text.upper() + "=" * (-LETTERS % 8))
        invitation = Invitation(secret[:TOKEN], secret[TOKEN:])
        if str(invitation) == text.lower():
            return invitation
    raise BadInvitation("Part of this link is missing. Copy all of it, or ask your friend to send it again.")
