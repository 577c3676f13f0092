"""Somebody at the other end who is not p2pcards: a bulletin board, a terminal, a person who types."""

from math import inf

from p2pcards.wire.clean import ESCAPE_SEQUENCE, clean

KEPT = 400
"""Bytes of what came last."""
LEAST = 6
"""Bytes below which nothing can be said."""
SHARE = 0.95
"""Of the bytes of a text can be read; of noise, three quarters once the parity bit is stripped."""
LAYOUT = b"\0\a\b\t\n\r\x1b"
SHOWN = 160
"""Characters."""


class Stranger:
    """What came before any HELLO; began: when the first byte did, inf until then."""

    def __init__(self) -> None:
        self.began = inf
        self._said = b""

    def came(self, data: bytes, now: float) -> None:
        self.began = min(self.began, now)
        self._said = (self._said + bytes(byte & 0x7F for byte in data))[-KEPT:]

    @property
    def is_there(self) -> bool:
        """What came is text, not noise and not line frames."""
        readable = sum(32 <= byte < 126 or byte in LAYOUT for byte in self._said)
        return len(self._said) >= LEAST and readable >= SHARE * len(self._said)

    @property
    def words(self) -> str:
        """The text, safe to show."""
        return clean(ESCAPE_SEQUENCE.sub(" ", self._said.decode("ascii")), SHOWN)
