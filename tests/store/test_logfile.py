"""The log on disk: what a cut, a changed byte, a full disk and a killed writer leave."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.store.files import StoreError
from p2pcards.store.logs import (
    MAGIC,
    MAX_PAYLOAD,
    DamagedLog,
    LogContents,
    LogFile,
    TornTail,
    encode_record,
    held,
    parse_log,
    read_log,
)

Limit = Callable[[int], AbstractContextManager[None]]
PAYLOADS = st.lists(st.binary(max_size=40), max_size=5)


def file_of(payloads: list[bytes]) -> bytes:
    return MAGIC + b"".join(map(encode_record, payloads))


def record_starts(payloads: list[bytes]) -> list[int]:
    """Where each record begins, and where the last one ends."""
    starts = [len(MAGIC)]
    for payload in payloads:
        starts.append(starts[-1] + len(payload) + 12)
    return starts


@given(PAYLOADS)
def test_every_payload_comes_back_with_its_offset(payloads: list[bytes]) -> None:
    found = parse_log(file_of(payloads))
    assert found.records == tuple(zip(record_starts(payloads)[:-1], payloads, strict=True))
    assert (found.torn, found.torn_offset) == (b"", len(file_of(payloads)))


@given(PAYLOADS, st.data())
def test_any_cut_is_clean_or_torn_with_exactly_the_records_before_it(
    payloads: list[bytes], data: st.DataObject
) -> None:
    whole = file_of(payloads)
    cut = data.draw(st.integers(0, len(whole)))
    found = parse_log(whole[:cut])
    ends = record_starts(payloads)
    count = sum(end <= cut for end in ends[1:])
    assert found.payloads == payloads[:count]
    assert found.torn_offset == (ends[count] if cut >= len(MAGIC) else 0)
    assert found.torn == whole[found.torn_offset : cut]


@given(PAYLOADS, st.data())
def test_any_changed_byte_is_refused_with_the_offset_of_its_record(payloads: list[bytes], data: st.DataObject) -> None:
    changed = bytearray(file_of(payloads))
    place = data.draw(st.integers(0, len(changed) - 1))
    changed[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(DamagedLog) as refused:
        parse_log(bytes(changed))
    expected = max((start for start in record_starts(payloads) if start <= place), default=0)
    assert refused.value.offset == expected
    assert f"offset {expected}" in str(refused.value)


@given(st.binary(max_size=80))
def test_whatever_follows_the_first_line_is_read_or_refused_and_never_anything_else(rest: bytes) -> None:
    try:
        found = parse_log(MAGIC + rest)
    except DamagedLog:
        return
    assert file_of(found.payloads) + found.torn == MAGIC + rest


def test_a_length_over_the_limit_is_damage_though_its_check_fits() -> None:
    record = encode_record(bytes(MAX_PAYLOAD))
    assert parse_log(MAGIC + record).records == ((15, bytes(MAX_PAYLOAD)),)
    too_long = (MAX_PAYLOAD + 1).to_bytes(4, "big")
    header = too_long + crc32(b"p2pcards log record" + too_long).to_bytes(4, "big")
    with pytest.raises(DamagedLog):
        parse_log(MAGIC + header)
    with pytest.raises(ValueError, match="over the limit"):
        encode_record(bytes(MAX_PAYLOAD + 1))


def test_the_worked_example_of_the_protocol() -> None:
    page = (Path(__file__).parents[2] / "protocol" / "log.md").read_text()
    example = re.search(r"```hex\n(.*?)```", page, re.DOTALL)
    assert example
    drawn = bytes.fromhex("".join(line[:48].split("   ")[0] for line in example[1].splitlines()))
    assert drawn == file_of([b"hello", b""])
    cut = parse_log(drawn[:39])
    assert (len(cut.records), cut.torn_offset, len(cut.torn)) == (1, 32, 7)
    for place, before, after in ((25, 0x6C, 0x6D), (18, 5, 6)):
        assert drawn[place] == before
        with pytest.raises(DamagedLog) as refused:
            parse_log(drawn[:place] + bytes([after]) + drawn[place + 1 :])
        assert refused.value.offset == 15


def test_a_log_is_made_continued_and_read(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "game.log"
    log = LogFile.create(path)
    assert [log.append(b"one"), log.append(b"two")] == [15, 30]
    log.close()
    log.close()
    log = LogFile.open(path)
    assert log.torn is None
    assert log.append(b"three") == 45
    assert read_log(path).records == ((15, b"one"), (30, b"two"), (45, b"three"))
    log.close()
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(StoreError, match="already"):
        LogFile.create(path)


def test_append_syncs_before_it_returns_and_a_measurement_may_leave_that_out(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    seen: list[bytes] = []
    log = LogFile.create(path, sync=lambda fd: seen.append(path.read_bytes()))
    log.append(b"one")
    assert seen == [file_of([b"one"])]
    log.close()


def test_a_second_writer_gets_a_sentence_and_a_reader_is_let_in(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    log = LogFile.create(path)
    log.append(b"one")
    with pytest.raises(StoreError, match="in use"):
        LogFile.open(path)
    assert read_log(path).records == ((15, b"one"),)
    log.close()
    LogFile.open(path).close()


def test_a_log_that_is_not_there_or_a_folder_gets_a_sentence(tmp_path: Path) -> None:
    for use in (LogFile.open, read_log):
        with pytest.raises(StoreError, match="There's no log"):
            use(tmp_path / "none.log")
        with pytest.raises(StoreError, match="folder, not a file"):
            use(tmp_path)


@pytest.mark.parametrize("kept", [0, 4, 15, 20, 31, 40])
def test_a_torn_tail_is_moved_aside_and_reported(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "game.log"
    whole = file_of([b"one", b"two"])
    path.write_bytes(whole[:kept])
    log = LogFile.open(path)
    start = 0 if kept < 15 else 15 if kept < 30 else 30
    if kept in (0, 15):
        assert log.torn is None
    else:
        aside = tmp_path / f"game.log.torn-{start}"
        assert log.torn == TornTail(aside, start, kept - start)
        assert aside.read_bytes() == whole[start:kept]
    log.append(b"new")
    log.close()
    assert path.read_bytes() == (whole[:start] or MAGIC) + encode_record(b"new")


def test_a_second_torn_tail_at_the_same_place_does_not_replace_the_first(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    names = []
    for tail in (b"\1", b"\2", b"\1"):
        path.write_bytes(MAGIC + tail)
        log = LogFile.open(path)
        assert log.torn
        names.append(log.torn.path.name)
        log.close()
    assert names == ["game.log.torn-15", "game.log.torn-15-2", "game.log.torn-15"]


def test_a_damaged_log_is_refused_for_writing_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    damaged = file_of([b"one", b"two"]).replace(b"one", b"onf")
    path.write_bytes(damaged)
    with pytest.raises(DamagedLog) as refused:
        LogFile.open(path)
    assert refused.value.offset == 15
    assert path.read_bytes() == damaged
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.log"]


def test_appends_are_refused_until_the_file_is_whole_again(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    log = LogFile.create(path)
    log.append(b"one")
    kept = os.dup(log._fd)
    full = os.open("/dev/full", os.O_RDWR)  # a real device without space, that cannot be cut back either
    os.dup2(full, log._fd)
    with pytest.raises(StoreError, match=r"Nothing is lost so far, but the last move .* the disk is full"):
        log.append(b"two")
    with pytest.raises(StoreError, match="nothing more can be saved"):
        log.append(b"two")
    os.dup2(kept, log._fd)
    os.close(kept)
    os.close(full)
    os.pwrite(log._fd, b"\0\0", 30)  # the part of a record that a failing disk may have taken
    assert log.append(b"two") == 30
    log.close()
    assert path.read_bytes() == file_of([b"one", b"two"])


def test_what_an_interrupted_append_left_is_cut_off_by_the_next(tmp_path: Path) -> None:
    interrupts = iter([KeyboardInterrupt])

    def interrupted_once(fd: int) -> None:
        for interrupt in interrupts:
            raise interrupt

    path = tmp_path / "game.log"
    log = LogFile.create(path, sync=interrupted_once)
    with pytest.raises(KeyboardInterrupt):
        log.append(b"a long payload")
    assert log.append(b"short") == 15
    log.close()
    assert path.read_bytes() == file_of([b"short"])


FILL = """
import sys
from pathlib import Path
from p2pcards.store.files import StoreError
from p2pcards.store.logs import LogFile
path = Path(sys.argv[1])
log, kept = LogFile.create(path), 0
try:
    while True:
        log.append(kept.to_bytes(4, "big") * 250)
        kept += 1
except StoreError as error:
    print(kept, error, flush=True)
try:
    log.append(bytes(5000))
except StoreError as error:
    print("again", error, flush=True)
for spare in path.parent.glob("spare"):
    spare.unlink()
if "--more" in sys.argv:
    log.append(b"more")
"""


def test_a_real_file_size_limit_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(path)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_500, 20_500)),
    )
    first, second = done.stdout.splitlines()
    kept = int(first.split()[0])
    assert "Nothing is lost so far" in first
    assert "the file would get too big" in first
    assert second.startswith("again")
    found = read_log(path)
    assert found.torn == b""
    assert [payload[:4] for _, payload in found.records] == [n.to_bytes(4, "big") for n in range(kept)]
    assert kept == (20_500 - 15) // 1012


def test_a_log_that_cannot_be_begun_leaves_no_file(tmp_path: Path, file_size_limit: Limit) -> None:
    with file_size_limit(5), pytest.raises(StoreError, match="Can't write the log"):
        LogFile.create(tmp_path / "game.log")
    assert list(tmp_path.iterdir()) == []


def test_a_torn_tail_that_cannot_be_moved_aside_stays_where_it_is(tmp_path: Path, file_size_limit: Limit) -> None:
    path = tmp_path / "game.log"
    torn = MAGIC + encode_record(b"a long payload")[:20]
    path.write_bytes(torn)
    with file_size_limit(5), pytest.raises(StoreError, match="Can't write"):
        LogFile.open(path)
    assert path.read_bytes() == torn
    assert list(tmp_path.iterdir()) == [path]


def can_mount() -> bool:
    if not shutil.which("unshare"):
        return False
    trial = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(trial, capture_output=True, check=False).returncode == 0


needs_mount = pytest.mark.skipif(not can_mount(), reason="no right to mount a small disk of our own here")


@needs_mount
def test_a_really_full_disk_loses_nothing_and_the_game_goes_on_when_there_is_space(tmp_path: Path) -> None:
    disk, kept_copy = tmp_path / "disk", tmp_path / "copy.log"
    disk.mkdir()
    script = (
        'mount -t tmpfs -o size=64k none "$1" && head -c 20000 /dev/zero > "$1/spare" && '
        '"$2" -c "$3" "$1/game.log" --more && cp "$1/game.log" "$4"'
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, "sh", str(disk), sys.executable, FILL, str(kept_copy)],
        capture_output=True,
        text=True,
        check=True,
    )
    kept = int(done.stdout.split()[0])
    assert "Nothing is lost so far" in done.stdout
    assert done.stdout.count("the disk is full") == 2
    found = read_log(kept_copy)
    assert found.torn == b""
    numbers = [n.to_bytes(4, "big") for n in range(kept)]
    assert [payload[:4] for _, payload in found.records] == [*numbers, b"more"]


WRITE = """
import os, sys
from pathlib import Path
from p2pcards.store.logs import LogFile, read_log
log = LogFile.open(Path(sys.argv[1]))
number = len(read_log(log.path).records)
while True:
    log.append(number.to_bytes(8, "big") * (1 + number % 400))
    os.write(1, number.to_bytes(8, "big"))
    number += 1
"""


def test_no_appended_record_is_lost_by_kill_minus_9(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    LogFile.create(path).close()
    rng = Random(9)
    reported = 0
    for _ in range(20):
        writer = subprocess.Popen([sys.executable, "-c", WRITE, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout
        said = writer.stdout.read(8 * rng.randint(1, 60))
        writer.send_signal(signal.SIGKILL)
        said += writer.stdout.read()
        writer.wait()
        writer.stdout.close()
        numbers = [int.from_bytes(said[i : i + 8], "big") for i in range(0, len(said), 8)]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        found = read_log(path).records
        assert reported <= numbers[0] <= len(found)
        reported = numbers[-1] + 1
        assert [payload for _, payload in found[:reported]] == [expected(number) for number in range(reported)]
    assert reported > 400


def expected(number: int) -> bytes:
    return number.to_bytes(8, "big") * (1 + number % 400)


@pytest.mark.parametrize("use", [LogFile.open, LogFile.create, read_log])
def test_a_path_through_a_file_gets_a_sentence(tmp_path: Path, use: Callable[[Path], object]) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError):
        use(tmp_path / "file" / "game.log")


@pytest.mark.parametrize(("size", "written"), [(40, 0), (600, 497), (2000, 1009)])
def test_a_record_of_which_a_power_cut_left_zeros_is_torn(size: int, written: int) -> None:
    """From its beginning, or from a sector on: the first record begins at 15."""
    record = encode_record(bytes([1]) * size)
    cut = record[:written].ljust(len(record), b"\0")
    found = parse_log(MAGIC + cut)
    assert (found.records, found.torn, found.torn_offset) == ((), cut, 15)
    with pytest.raises(DamagedLog):
        parse_log(MAGIC + cut + encode_record(b"another one follows"))


def test_zeros_that_begin_within_a_sector_are_damage() -> None:
    record = encode_record(bytes([1]) * 600)
    with pytest.raises(DamagedLog):
        parse_log(MAGIC + record[:498].ljust(len(record), b"\0"))


def test_zeros_longer_than_any_record_are_damage() -> None:
    longest = MAX_PAYLOAD + 12
    assert parse_log(MAGIC + bytes(longest)).torn == bytes(longest)
    with pytest.raises(DamagedLog):
        parse_log(MAGIC + bytes(longest + 1))
    assert parse_log(bytes(15)) == LogContents((), bytes(15), 0)


def test_a_log_is_free_unless_somebody_writes_it_and_nobody_can_open_it_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    with held(path) as free:
        assert free, "there is none"
    log = LogFile.create(path)
    with held(path) as free:
        assert not free
    log.close()
    with held(path) as free:
        assert free
        with pytest.raises(StoreError, match="in use"):
            LogFile.open(path)
    LogFile.open(path).close()
    with pytest.raises(StoreError, match="Can't open the log"), held(path / "below"):
        pass
