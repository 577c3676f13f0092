"""Who is at the other end of a line before any HELLO, and pieces that are lost again and again."""

from __future__ import annotations

from math import inf

from p2pcards.links.modem.outgoing import STUBBORN, Cut
from p2pcards.links.modem.stranger import KEPT, LEAST, Stranger


def test_text_is_known_by_what_came_last_whatever_the_parity() -> None:
    one = Stranger()
    assert (one.is_there, one.began) == (False, inf)
    one.came(bytes(range(128, 160)) * 40, 7.0)
    assert one.is_there is False, "noise"
    one.came(b"Welcome to the \x1b[1mboard\r\n" * 40, 9.0)
    assert (one.is_there, one.began) == (True, 7.0)
    assert "Welcome to the board" in one.words
    parted = Stranger()
    for byte in b"login:":
        assert not parted.is_there
        parted.came(bytes([byte | 0x80]), 1.0)
    assert parted.is_there and parted.words == "login:" and len("login:") == LEAST
    parted.came(b"\xfd" + b"x" * KEPT, 2.0)
    assert "login" not in parted.words and set(parted.words) <= set("x…")


def test_a_piece_is_stubborn_once_it_was_lost_so_often_and_until_it_arrives() -> None:
    piece = Cut(1, b"payload", 1)
    for _ in range(STUBBORN):
        assert piece.is_stubborn is False
        piece.send(2)
        piece.lose()
    assert (piece.is_stubborn, piece.lost) == (True, True)
    piece.arrive()
    assert (piece.is_stubborn, piece.lost) == (False, False)
