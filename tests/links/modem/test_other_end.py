"""Who is at the other end of a line before any HELLO, and pieces that are lost again and again."""

from __future__ import annotations

from math import inf

from p2pcards.links.modem.retransmission import KEPT, LEAST, STUBBORN, Cut, Retransmission, Stranger


def test_text_is_known_by_what_came_last_whatever_the_parity() -> None:
    one, there = Stranger(), []
    began = [one.began]
    for time, data in ((7.0, bytes(range(128, 160)) * 40), (9.0, b"Welcome to the \x1b[1mboard\r\n" * 40)):
        one.came(data, time)
        there.append(one.is_there)
        began.append(one.began)
    assert (there, began) == ([False, True], [inf, 7.0, 7.0]), "noise, then text"
    assert "Welcome to the board" in one.words


def test_a_text_has_so_many_bytes_at_the_least_and_the_last_are_kept() -> None:
    one, there = Stranger(), []
    for byte in b"login:":
        there.append(one.is_there)
        one.came(bytes([byte | 0x80]), 1.0)
    assert (there, one.is_there, one.words) == ([False] * LEAST, True, "login:")
    one.came(b"x" * KEPT, 2.0)
    assert set(one.words) <= set("x…")


def test_a_piece_is_stubborn_once_it_was_lost_so_often_and_until_it_arrives() -> None:
    piece, stubborn = Cut(1, b"payload", 1), []
    for number in range(STUBBORN):
        stubborn.append(piece.is_stubborn)
        piece.send(2 + number)
        piece.lose()
    stubborn.append(piece.is_stubborn)
    piece.arrive()
    stubborn.append(piece.is_stubborn)
    assert stubborn == [False] * STUBBORN + [True, False]


def test_what_was_brought_over_lately_counts_at_both_ends() -> None:
    """Two machines that hear each other at once, and two thousand bytes from one to the other."""
    ann, ben = [Retransmission(rate=2400, calls=calls, nonce=b"%4d" % calls, now=0.0) for calls in (True, False)]
    left, now, read = b"x" * 2000, 0.0, b""
    while len(read) < 2000:
        left = left[ann.outgoing.write(left) :]
        for one, other in ((ann, ben), (ben, ann)):
            while wire := one.output(now):
                other.receive(wire, now)
        read += ben.incoming.read(None)
        now = max(now, min(ann.next_time(), ben.next_time()))
        assert now < 60, "it does not arrive"
    goodput = [one.quality(now).goodput for one in (ann, ben)]
    assert all(100 < rate < 240 for rate in goodput), goodput
    assert [one.quality(now + 100).goodput < 1 for one in (ann, ben)] == [True, True], "that is long ago"
