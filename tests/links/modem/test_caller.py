"""Who calls, as modems tell it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links.modem.hayes import LONGEST_NAME, CallerShown, caller_in

SINGLE = "040B" + b"11231512555".hex() + "00"
DATE, NUMBER, NAME = b"\x01\x0811231512", b"\x02\x075551234", b"\x07\x03ANN"
MULTIPLE = bytes([0x80, len(DATE + NUMBER + NAME)]) + DATE + NUMBER + NAME


@pytest.mark.parametrize(
    ("lines", "caller"),
    [
        ([], None),
        (["RING", "DATE = 1123", "TIME = 1512"], None),
        (["NMBR = 5551234"], CallerShown("5551234")),
        (["NMBR=5551234", "NAME=SMITH  ANN"], CallerShown("5551234", "SMITH ANN")),
        (["DDN_NMBR= 01715551234"], CallerShown("01715551234")),
        (["NMBR = P"], CallerShown(withheld=True)),
        (["NMBR = O", "NAME = O"], CallerShown()),
        (["NMBR = 555", "NAME = BUSY"], CallerShown("555", "BUSY")),
        ([f"MESG = {SINGLE}"], CallerShown("555")),
        ([f"MESG={MULTIPLE.hex()}17"], CallerShown("5551234", "ANN")),
        (["MESG = 800304014F"], CallerShown()),
        (["MESG = 80030401" + b"P".hex()], CallerShown(withheld=True)),
        (["MESG = nonsense"], None),
        (["MESG = 8"], None),
    ],
)
def test_what_a_modem_tells(lines: list[str], caller: CallerShown | None) -> None:
    assert caller_in(lines) == caller


@given(st.lists(st.text(max_size=90) | st.binary(max_size=60).map(lambda data: f"MESG = {data.hex()}"), max_size=8))
def test_whatever_comes_is_one_harmless_line_or_nothing(lines: list[str]) -> None:
    found = caller_in([*lines, *(f"NAME = {line}" for line in lines)])
    for text in (found.number, found.name) if found else ():
        assert len(text) <= LONGEST_NAME and text.isascii() and (text.isprintable() or not text)
