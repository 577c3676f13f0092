"""Logs of whole games in which one thing was changed, as by somebody who knows the format: none is believed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from p2pcards.ledger.payloads import ADDRESS, RECORD
from p2pcards.ledger.verify import FalseLog, verify_log
from rigs.pure import remembered_signatures
from rigs.recorded import OPTIONS, SIDES, played

signatures = remembered_signatures()

TAMPERED = 1500
FEW = 20
AFTER = 8
"""Payloads that follow what is changed, as two that do not know of each other may stand in either order."""

Payloads = list[bytes]


def flipped(payloads: Payloads, place: int, chance: Random) -> Payloads:
    """One bit is another."""
    forged = bytearray(payloads[place])
    forged[chance.randrange(len(forged))] ^= 1 << chance.randrange(8)
    return [*payloads[:place], bytes(forged), *payloads[place + 1 :]]


def shortened(payloads: Payloads, place: int, chance: Random) -> Payloads:
    cut = chance.randrange(1, len(payloads[place]))
    return [*payloads[:place], payloads[place][:cut], *payloads[place + 1 :]]


def dropped(payloads: Payloads, place: int, _chance: Random) -> Payloads:
    return [*payloads[:place], *payloads[place + 1 :]]


def repeated(payloads: Payloads, place: int, _chance: Random) -> Payloads:
    return [*payloads[: place + 1], *payloads[place:]]


def of_another_game(payloads: Payloads, place: int, _chance: Random) -> Payloads:
    """What follows comes from another game of the same people."""
    other = played("hearts", 6).payloads[1]
    return [*payloads[:place], *other[min(place, len(other) - AFTER) :]]


WAYS: tuple[Callable[[Payloads, int, Random], Payloads], ...] = (
    flipped,
    shortened,
    dropped,
    repeated,
    of_another_game,
)


@pytest.mark.parametrize("count", [FEW, pytest.param(TAMPERED, marks=pytest.mark.slow)])
def test_no_tampered_log_is_believed(count: int) -> None:
    for number in range(count):
        chance = Random(f"tampered {number}")
        payloads = played(chance.choice(tuple(OPTIONS))).payloads[chance.choice(SIDES)]
        places = [place for place, one in enumerate(payloads[:-AFTER]) if place < 2 or one[:1] == RECORD]
        way = WAYS[number % len(WAYS)]
        place = chance.choice(places[2:] if way in (dropped, of_another_game) else places)
        assert payloads[place][:1] != ADDRESS
        with pytest.raises(FalseLog):
            verify_log(way(list(payloads), place, chance))
