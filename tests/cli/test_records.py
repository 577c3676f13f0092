"""`p2pcards logs` and `p2pcards verify` on real logs, sound and spoilt."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from p2pcards.control.exits import DAMAGED, UNFINISHED, USAGE
from p2pcards.ledger.payloads import ME, RECORD
from p2pcards.players import levels
from p2pcards.store.logs import MAGIC, encode_record, read_log
from rigs.program import MakeProgram, Program

Played = tuple[Program, Program]


def log_of(program: Program) -> Path:
    return Path(program.data("logs")[0]["file"])


def write(path: Path, payloads: Sequence[bytes]) -> str:
    path.write_bytes(MAGIC + b"".join(encode_record(payload) for payload in payloads))
    return str(path)


def payloads_of(path: Path) -> list[bytes]:
    return read_log(path).payloads


def test_logs_are_listed(played: Played) -> None:
    for program, coordinates in zip(played, (True, False), strict=True):
        (log,) = program.data("logs")
        assert (log["game"], log["state"], log["players"]) == ("crazy_eights", "finished", ["Ann", "Bob"])
        assert log["coordinates"] is coordinates
        assert log["records"] > 10
        assert f"{log['log']}  finished  {log['records']}" in program.out("logs")


def test_the_logs_of_one_game_are_listed_alone(played: Played) -> None:
    ann = played[0]
    assert ann.data("logs", "--game", "eights") == ann.data("logs")
    assert ann.out("logs", "--game", "whist") == "You haven't played Whist here yet.\n"
    assert ann.data("logs", "--game", "whist") == []
    assert ann.refused("logs", "--game", "wist") == (USAGE, "There's no game 'wist'. Did you mean 'whist'?\n")


def test_no_logs(inside: Program) -> None:
    assert inside.out("logs") == "You haven't played a game here yet.\n"
    assert inside.data("logs") == []


def test_a_finished_game(played: Played) -> None:
    ann, bob = played
    name = ann.data("logs")[0]["log"]
    (log,) = ann.data("verify", name)["logs"]
    assert (log["state"], log["game"], log["preset"]) == ("finished", "crazy_eights", None)
    assert log["options"]["winning_score"] == 50
    assert [side["name"] for side in log["sides"]] == ["Ann", "Bob"]
    assert [side["fingerprint"] for side in log["sides"]] == [one.data("identity")["fingerprint"] for one in played]
    assert [(side["you"], side["known_as"]) for side in log["sides"]] == [(True, None), (False, "Bob")]
    assert len(log["winners"]) == 1 and max(seat["score"] for seat in log["seats"]) >= 50
    assert log["hands"] and all(hand["proven"] and not hand["not_signed"] for hand in log["hands"])
    assert (log["broken_off"], log["unproven"], log["withheld"]) == (0, None, False)
    assert log["takeovers"] == log["returns"] == []
    text = ann.out("verify", name[: len("2026-11-20-c")])
    assert "finished, and everything matches what was signed." in text
    assert f"head {log['head']}" in text
    assert f"Bob: key {log['sides'][1]['fingerprint']}, player, known here as Bob" in text
    assert f"Hands opened and replayed: {len(log['hands'])}, proven: {len(log['hands'])}." in text
    (other,) = bob.data("verify", str(log_of(bob)))["logs"]
    assert (other["head"], other["seats"]) == (log["head"], log["seats"])
    assert other["log_of"] == 1


def test_two_logs_of_one_game_agree(played: Played) -> None:
    ann, bob = (str(log_of(program)) for program in played)
    data = played[0].data("verify", ann, bob)
    assert data["exit"] == 0
    (one,) = data["comparisons"]
    assert (one["same_game"], one["forked_at"]) == (True, None)
    assert f"{ann} and {bob} are from the same game and agree to the end." in played[0].out("verify", ann, bob)


def test_a_stranger_can_verify_too(played: Played, inside: Program) -> None:
    log = str(log_of(played[0]))
    assert inside.out("verify", log).count("not known here") == 2
    assert not inside.home.exists(), "verifying leaves nothing behind"


def test_a_flipped_byte_is_named_by_its_offset(played: Played, inside: Program, tmp_path: Path) -> None:
    path = log_of(played[0])
    data, records = path.read_bytes(), read_log(path).records
    offset, payload = records[len(records) // 2]
    for place in (offset + 2, offset + 8 + len(payload) // 2, offset + 8 + len(payload)):
        spoilt = tmp_path / "spoilt.log"
        spoilt.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        done = inside("verify", str(spoilt))
        assert done.returncode == DAMAGED
        assert f"the record at offset {offset} has changed" in done.stdout


@pytest.mark.parametrize("place", [-1, 20, 2])
def test_a_change_that_fits_the_checks_is_found_by_the_signatures(
    played: Played, inside: Program, tmp_path: Path, place: int
) -> None:
    path = log_of(played[0])
    records = [number for number, payload in enumerate(payloads_of(path)) if payload[:1] == RECORD]
    payloads = payloads_of(path)
    number = records[place]
    payloads[number] = payloads[number][:-1] + bytes([payloads[number][-1] ^ 1])
    forged = write(tmp_path / "forged.log", payloads)
    offset = read_log(Path(forged)).records[number][0]
    done = inside("verify", forged)
    assert done.returncode == DAMAGED
    assert f"Record {records.index(number) + 1}, at offset {offset}, isn't valid: " in done.stdout


def test_a_record_left_out_is_found(played: Played, inside: Program, tmp_path: Path) -> None:
    payloads = payloads_of(log_of(played[1]))
    del payloads[[number for number, payload in enumerate(payloads) if payload[:1] == RECORD][20]]
    done = inside("verify", "--json", write(tmp_path / "short.log", payloads))
    assert done.returncode == DAMAGED
    assert '"state": "false"' in done.stdout


def test_a_torn_tail_is_reported_and_the_rest_stands(played: Played, inside: Program, tmp_path: Path) -> None:
    path = log_of(played[0])
    records = read_log(path).records
    offset = records[-3][0]
    torn = tmp_path / "torn.log"
    torn.write_bytes(path.read_bytes()[: offset + 30])
    done = inside("verify", str(torn), str(path))
    assert done.returncode == UNFINISHED
    assert "unfinished; everything so far matches what was signed." in done.stdout
    assert f"The last 30 bytes, from offset {offset}, are an unfinished record." in done.stdout
    assert "are from the same game and agree; one is longer." in done.stdout


@pytest.mark.parametrize(
    ("data", "code", "sentence"),
    [
        (b"", UNFINISHED, "It ends before the game's header."),
        (MAGIC, UNFINISHED, "It ends before the game's header."),
        (MAGIC + encode_record(ME + b"\x92\x00\xc4\x00"), UNFINISHED, "It ends before the game's header."),
        (MAGIC + encode_record(b""), DAMAGED, "The beginning, at offset "),
        (MAGIC + encode_record(b"M") + encode_record(b"H"), DAMAGED, "The beginning, at offset "),
        (b"hello\n", DAMAGED, "This isn't a p2pcards log"),
    ],
)
def test_what_holds_no_game(inside: Program, tmp_path: Path, data: bytes, code: int, sentence: str) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(data)
    done = inside("verify", str(path))
    assert (done.returncode, done.stderr) == (code, "")
    assert sentence in done.stdout
    logs = inside.home / "logs"
    logs.mkdir(parents=True)
    shutil.copy(path, logs / "2026-11-20-hearts-7f3a.log")
    assert inside.data("logs")[0]["state"] in ("unfinished", "false", "damaged")


def test_two_stories_of_one_game_are_a_fork(make_program: MakeProgram, inside: Program) -> None:
    """A coordinator with two copies of a home tells a different story in each."""
    inside.data("play", "crazy_eights", "--preset", "telecards", "--set", "winning_score=50", "--name", "Ann")
    inside.out("stop")
    at_my_turn = inside.data("logs")[0]["records"]
    other = make_program("other").inside()
    shutil.copytree(inside.home, other.home)
    inside.data("resume", "--auto", "novice")
    other.data("resume")
    other.out("attach", said="away\n")
    other.out("stop")
    other.data("resume", "--auto", "novice")  # what a seat set to --auto has asked for keeps no table waiting
    paths = []
    for one in (inside, other):
        paths.append(one.wait_for("finished")["file"])
        one.out("stop")
    done = inside("verify", *paths)
    assert done.returncode == DAMAGED
    assert f"differ from record {at_my_turn + 1} on" in done.stdout
    assert done.stdout.count("finished, and everything matches what was signed") == 2
    assert "Ann signed both versions." in done.stdout
    (log,) = other.data("verify", paths[1])["logs"]
    made, tried = (sum(hand[one] for hand in log["hands"]) for one in ("decisions", "tried"))
    # As the sources are written a search may be cut short, and what a clock ended cannot be repeated.
    all_tried = made == tried or os.environ["P2PCARDS_KERNELS"] == "written"
    assert made >= tried > 10 and all_tried and not any(hand["not_repeated"] for hand in log["hands"])
    took = other.out("verify", paths[1])
    assert f"Computer players' moves: {made}, {tried} reproduced." in took
    assert f"At record {at_my_turn + 1} Ann's character took over: the player asked for it." in took
    assert f"At record {at_my_turn + 2} the table paused: everyone was away." in took
    assert f"At record {at_my_turn + 3} the game resumed." in took


def test_decisions_of_another_edition_are_not_tried_and_not_held_against_anybody(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later program, whose novices have learned something, reads a log of this one."""
    inside = make_program("ann").inside()
    rules = ("--preset", "telecards", "--set", "winning_score=50")
    inside.data("play", "crazy_eights", *rules, "--auto", "novice", "--name", "Ann")
    path = inside.wait_for("finished")["file"]
    inside.out("stop")
    made = sum(hand["decisions"] for hand in inside.data("verify", path)["logs"][0]["hands"])
    assert made
    monkeypatch.setattr(levels, "edition_of", lambda _game, _level: 2)
    told = inside.out("verify", path)
    assert f"Computer players' moves: {made}, 0 reproduced." in told
    assert f"{made} came from levels or editions that this program doesn't have." in told


@pytest.mark.kernels
def test_decisions_are_repeated_all_in_part_or_not_at_all(make_program: MakeProgram) -> None:
    """Searched for by a player of a level that takes its time, in a game that is left after a hand. As written that
    time is cut short, and nobody can repeat it."""
    inside = make_program("ann").inside()
    rules = ("--set", "end_score=25", "--set", "passing=none", "--set", "quit_when_points_played=true")
    inside.data("play", "hearts", *rules, "--with", "john,wayne,betty", "--auto", "carefree", "--as", "wendell")
    path = inside.wait_for("finished")["file"]
    inside.out("stop")
    tried = {}
    for way in ("all", "sample", "none"):
        (log,) = inside.data("verify", "--decisions", way, path)["logs"]
        tried[way] = sum(hand["tried"] for hand in log["hands"])
        assert not any(hand["not_repeated"] for hand in log["hands"])
        made, cut = (sum(hand[one] for hand in log["hands"]) for one in ("decisions", "other_editions"))
    assert bool(cut) == (os.environ["P2PCARDS_KERNELS"] == "written")
    assert tried["all"] == made - cut and tried["none"] == 0
    assert 0 < tried["sample"] <= tried["all"] and (cut or tried["sample"] < made)
    told = inside.out("verify", "--decisions", "sample", path)
    repeated = f"{tried['sample']} reproduced" if cut else f"{tried['sample']} checked, {tried['sample']} reproduced"
    assert f"Computer players' moves: {made}, {repeated}" in told
    assert inside.refused("verify", "--decisions", "some", path) == (
        USAGE,
        "--decisions takes all, sample, none, not 'some'.\n",
    )


def test_logs_of_different_games(played: Played, inside: Program) -> None:
    inside.data("play", "hearts", "--name", "Cy")
    inside.out("stop")
    other = str(log_of(inside))
    done = inside("verify", other, str(log_of(played[0])))
    assert done.returncode == UNFINISHED
    assert "are from different games." in done.stdout
    assert "Hand 1 was dealt but not opened, so its deal isn't proven yet." in done.stdout
