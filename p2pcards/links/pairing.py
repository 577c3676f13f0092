"""First contact: two sides of a channel prove to each other that they have the same spoken code, by SPAKE2.

Both identities and the handshake hash are part of the exchange, so that nobody between them can carry it on, and
a guesser learns from one exchange about one code alone. protocol/first-contact.md has the bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hmac import compare_digest, digest
from typing import TYPE_CHECKING

from p2pcards.wire.messages import PROOF, Bye, CodeAnswer, CodeProof, GiveCode, Message, decode_message, encode_message
from p2pcards.wire.packing import Refused
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.spoken import Code

if TYPE_CHECKING:
    from p2pcards.links.channel import Channel

LABEL = b"p2pcards first contact 1"
OPENER, WAITER = b"p2pcards code 1 opener", b"p2pcards code 1 waiter"
Entropy = Callable[[int], bytes]


class CodeRefused(Exception):
    """The other side does not take the code, or cannot have it. The argument is a sentence; said: the code of its BYE,
    None where it said none."""

    def __init__(self, sentence: str, said: ByeCode | None = None) -> None:
        super().__init__(sentence)
        self.said = said


class Exchange:
    """One side of one exchange. share: what it says first; proof: what shows that it has the code, once `finish` has
    taken the other side's share.

    opens: whether this side opened the stream. binding: the handshake hash; opener, waiter: the public keys.
    """

    def __init__(
        self, code: Code, *, opens: bool, binding: bytes, opener: bytes, waiter: bytes, entropy: Entropy = os.urandom
    ) -> None:
        # Deriving the constants of the group takes 50 ms, which only a first meeting has to wait for.
        from spake2 import SPAKE2_A, SPAKE2_B

        side = SPAKE2_A if opens else SPAKE2_B
        self._opens = opens
        self._spake = side(
            str(code).encode(), idA=LABEL + binding + opener, idB=LABEL + binding + waiter, entropy_f=entropy
        )
        self.share: bytes = self._spake.start()[1:]  # before it stands who says it, which both know
        self.proof = b""
        self._expected: bytes | None = None

    def finish(self, share: bytes) -> None:
        """Take the other side's share; a bad one, or our own, leaves no proof that fits."""
        from spake2 import SPAKEError
        from spake2.ed25519_basic import NotOnCurve

        try:
            key: bytes = self._spake.finish((b"B" if self._opens else b"A") + share)
        except (SPAKEError, NotOnCurve, ValueError):
            return
        opener, waiter = (digest(key, label, "sha256")[:PROOF] for label in (OPENER, WAITER))
        self.proof, self._expected = (opener, waiter) if self._opens else (waiter, opener)

    def fits(self, proof: bytes) -> bool:
        """True if this is the other side's right proof."""
        return self._expected is not None and compare_digest(self._expected, proof)


async def prove_code(channel: Channel, code: Code, key: bytes) -> None:
    """Have both sides prove the code, as the side that opened the stream. key: our own. Raises CodeRefused and
    LinkLost."""
    exchange = Exchange(code, opens=True, binding=channel.binding, opener=key, waiter=channel.peer)
    await channel.send(encode_message(GiveCode(code.number, exchange.share)))
    answer = await _heard(channel)
    if isinstance(answer, Bye):
        raise CodeRefused(f"{channel.where} {answer.code.sentence}.", answer.code)
    if not isinstance(answer, CodeAnswer):
        raise CodeRefused(f"{channel.where} gave an unexpected answer to the code.")
    exchange.finish(answer.share)
    if not exchange.fits(answer.proof):
        raise CodeRefused(f"{channel.where} {ByeCode.WRONG_CODE.sentence}.")
    await channel.send(encode_message(CodeProof(exchange.proof)))


async def code_is_proven(channel: Channel, given: GiveCode, code: Code, key: bytes) -> bool:
    """True if the other side, which opened the stream and has given its share, has the code. key: our own. Raises
    LinkLost."""
    exchange = Exchange(code, opens=False, binding=channel.binding, opener=channel.peer, waiter=key)
    exchange.finish(given.share)
    # What does not fit is answered all the same: a guess shows as wrong to both sides alike.
    await channel.send(encode_message(CodeAnswer(exchange.share, exchange.proof or bytes(PROOF))))
    reply = await _heard(channel)
    return isinstance(reply, CodeProof) and exchange.fits(reply.proof)


async def _heard(channel: Channel) -> Message | None:
    """The next message, None for bytes that are none."""
    try:
        return decode_message(await channel.receive())
    except Refused:
        return None
