"""A save as one file: whatever is changed in it is refused."""

from __future__ import annotations

from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.store.files import StoreError
from p2pcards.store.logs import (
    MAGIC,
    SAVE_MAGIC,
    BadSave,
    LaterSave,
    encode_record,
    parse_log,
    parse_save,
    read_carried,
    save_bytes,
    write_save,
)
from rigs.in_part import naming

PAYLOADS = [b"M" + bytes(30), b"H" + bytes(range(90)), b"", b"R" * 40]
LOG = MAGIC + b"".join([encode_record(payload) for payload in PAYLOADS])
SAVE = save_bytes(parse_log(LOG))


def with_digest(whole: bytes) -> bytes:
    return whole + sha256(whole).digest()


def test_it_holds_the_log_byte_by_byte() -> None:
    assert with_digest(SAVE_MAGIC + LOG) == SAVE
    assert parse_save(SAVE).payloads == PAYLOADS
    assert save_bytes(parse_log(LOG + b"\0\0\0\7")) == SAVE  # without a record that was never finished


def test_every_changed_byte_is_refused() -> None:
    for place, change in product(range(len(SAVE)), (1, 0x80, 0xFF)):
        with naming((place, change)), pytest.raises((BadSave, LaterSave)) as refused:
            parse_save(SAVE[:place] + bytes([SAVE[place] ^ change]) + SAVE[place + 1 :])
        assert str(refused.value).endswith(".")


def test_one_that_was_cut_short_is_refused() -> None:
    for size in range(len(SAVE)):
        with naming(size), pytest.raises(BadSave):
            parse_save(SAVE[:size])


@given(st.binary(max_size=60), st.sampled_from([b"", SAVE_MAGIC, SAVE_MAGIC + MAGIC]))
def test_whatever_else_it_holds_is_refused(data: bytes, before: bytes) -> None:
    with pytest.raises(StoreError):
        parse_save(before + data)


@given(st.binary(max_size=60), st.sampled_from([b"", MAGIC, LOG[:-1]]))
def test_a_log_that_is_not_whole_is_refused_also_with_its_digest(data: bytes, before: bytes) -> None:
    if before + data not in (LOG, MAGIC):
        with pytest.raises(StoreError):
            parse_save(with_digest(SAVE_MAGIC + before + data))


@pytest.mark.parametrize(
    "data",
    [b"p2pcards save 2\nanything", with_digest(SAVE_MAGIC + LOG.replace(b"log 1", b"log 7", 1)), b"p2pcards save 10\n"],
)
def test_one_of_a_later_version_is_named_so(data: bytes) -> None:
    with pytest.raises(LaterSave, match="later version"):
        parse_save(data)


def test_the_damaged_place_is_named() -> None:
    place = len(SAVE_MAGIC) + len(MAGIC) + 12 + len(PAYLOADS[0]) + 9
    with pytest.raises(BadSave, match=f"offset {len(MAGIC) + 12 + len(PAYLOADS[0])} "):
        parse_save(SAVE[:place] + b"\xff" + SAVE[place + 1 :])
    with pytest.raises(BadSave, match="This is a log"):
        parse_save(LOG)


def test_the_file_is_for_its_owner_and_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "one.p2psave"
    write_save(path, parse_log(LOG))
    assert path.stat().st_mode & 0o777 == 0o600
    assert parse_save(read_carried(path)).payloads == PAYLOADS
    with pytest.raises(StoreError, match="already"):
        write_save(path, parse_log(MAGIC))
    assert path.read_bytes() == SAVE


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/zero")):
        with pytest.raises(BadSave, match="isn't a file"):
            parse_save(read_carried(path))
    with pytest.raises(StoreError, match="There's no file"):
        read_carried(tmp_path / "nothing")
