"""Packs, and the one shuffle."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import Card
from p2pcards.cards.pack import pack_of, shuffle
from rigs.vectors import hex_of, read


def test_packs() -> None:
    assert len(set(pack_of())) == 52 and list(pack_of()) == sorted(pack_of())
    pinochle = pack_of(range(9, 15), copies=2)
    assert len(pinochle) == 48 and set(Counter(pinochle).values()) == {2}


@given(st.binary(max_size=40), st.sampled_from(["pack", "draw"]), st.integers(1, 4))
def test_a_shuffle_is_a_permutation_that_the_secret_and_the_label_decide(
    secret: bytes, label: str, copies: int
) -> None:
    pack = pack_of(copies=copies)
    assert sorted(shuffle(pack, secret, label)) == list(pack)
    assert shuffle(pack, secret, label) == shuffle(pack, secret, label)
    assert shuffle(pack, secret, "pack") != shuffle(pack, secret, "draw")
    assert shuffle(pack, secret, label) != shuffle(pack, secret + b"x", label)


def test_the_shuffle_is_the_one_that_is_described() -> None:
    order, _ = described(b"secret")
    assert shuffle(pack_of(), b"secret", "pack") == order


def described(secret: bytes) -> tuple[tuple[Card, ...], dict[int, list[int]]]:
    """Fisher-Yates with two-byte numbers out of SHA-256 blocks, counted here independently: the order of 52 cards, and
    for each place the numbers that came, the last of which was taken."""
    stream = b"".join(
        sha256(b"p2pcards shuffle pack\0" + secret + block.to_bytes(4, "big")).digest() for block in range(8)
    )
    numbers = [int.from_bytes(stream[i : i + 2], "big") for i in range(0, len(stream), 2)]
    order, came = list(pack_of()), dict[int, list[int]]()
    for last in range(51, 0, -1):
        came[last] = [numbers.pop(0)]
        while came[last][-1] >= limit(last):
            came[last].append(numbers.pop(0))
        place = came[last][-1] % (last + 1)
        order[last], order[place] = order[place], order[last]
    return tuple(order), came


def limit(last: int) -> int:
    return 65536 // (last + 1) * (last + 1)


def test_a_number_at_the_limit_is_thrown_away_and_one_below_it_is_taken() -> None:
    for name, place, numbers in (
        ("shuffle-limit.txt", 39, [limit(39), 65531, 19049]),
        ("shuffle-below.txt", 46, [limit(46) - 1]),
    ):
        secret = hex_of(read(name), "secret")
        order, came = described(secret)
        assert came[place] == numbers, name
        assert shuffle(pack_of(), secret, "pack") == order, name


def test_small_packs() -> None:
    assert shuffle((), b"", "pack") == ()
    assert shuffle(pack_of()[:1], b"", "pack") == pack_of()[:1]


def test_every_order_comes_up() -> None:
    """4,800 shuffles of four cards: each of the 24 orders 200 times, give or take seven standard deviations."""
    seen = Counter(shuffle(pack_of()[:4], number.to_bytes(4, "big"), "pack") for number in range(4_800))
    assert len(seen) == 24 and all(100 < count < 300 for count in seen.values())
