"""`p2pcards conform`: its cases against the book, and what it says where nobody is judged."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from p2pcards.conform.cases import COORDINATOR, LISTENER
from p2pcards.conform.logs import EXPECTED, LOGS, write_logs
from p2pcards.conform.runner import PAGES
from p2pcards.control.exits import FINE, NETWORK, UNEXPECTED, USAGE
from p2pcards.frontend.verdict import Known, judge_log
from p2pcards.ledger.advance import Replay
from p2pcards.ledger.verify import FalseLog, verify_log
from p2pcards.store.logs import DamagedLog, parse_log
from p2pcards.wire.packing import Cause
from p2pcards.wire.reasons import Verdict
from rigs.ports import lasting_port
from rigs.program import MakeProgram

MUSTS = (Path(__file__).parents[2] / "protocol" / "musts.md").read_text()
KINDS = {"listener": (LISTENER, 1), "coordinator": (COORDINATOR, 101), "log": (LOGS, 201)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_case_has_a_number_of_its_own_and_musts_of_the_book(kind: str) -> None:
    cases, first = KINDS[kind]
    assert [case.number for case in cases] == list(range(first, first + len(cases)))
    listed = set(re.findall(r"^\| ([A-Z]{2}-\d+) \|", MUSTS, re.MULTILINE))
    assert [case.number for case in cases if not set(case.musts.split()) <= listed] == []
    assert len({case.title for case in cases}) == len(cases)


def test_the_letters_of_an_id_lead_to_its_page() -> None:
    for letters, page in PAGES.items():
        assert f"| {letters}-1 |" in MUSTS.partition(f"\n## {page}\n")[2].partition("\n## ")[0], page


def test_a_case_that_there_is_not_and_a_listener_that_is_not_there(make_program: MakeProgram) -> None:
    program = make_program("judge")
    done = program("conform", "listen", "127.0.0.1:1", "--case", "999")
    assert done.returncode == USAGE and "There's no case 999 here." in done.stderr
    done = program("conform", "listen", f"127.0.0.1:{lasting_port()}")
    assert done.returncode == NETWORK and "Nobody is listening at" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tel:5551234",), "Use HOST:PORT or ws://HOST:PORT."),
        (("localhost", "--run", "'no end"), "A quote may be missing."),
        (("localhost", "--run", "no-such-program {home}"), "'no-such-program' cannot be started"),
    ],
)
def test_what_nobody_can_be_judged_by(make_program: MakeProgram, words: tuple[str, ...], said: str) -> None:
    done = make_program("judge")("conform", "listen", *words, "--case", "1")
    assert done.returncode == USAGE and said in done.stderr


def finding(log: Path) -> str:
    """As `p2pcards verify` has it."""
    try:
        return judge_log(log.name, parse_log(log.read_bytes()), Known({}, b"")).state
    except DamagedLog as damaged:
        return judge_log(log.name, damaged, Known({}, b"")).state


def test_our_reader_finds_what_there_is_to_find_and_one_that_believes_everything_does_not(
    make_program: MakeProgram, tmp_path: Path
) -> None:
    folder, answers, program = tmp_path / "logs", tmp_path / "answers.json", make_program("judge").inside()
    assert program("conform", "logs", str(folder)).returncode == FINE
    expected = json.loads((folder / EXPECTED).read_text())
    assert len(expected) == len(LOGS) == len(list(folder.glob("*.log")))

    answers.write_text(json.dumps({one["log"]: finding(folder / one["log"]) for one in expected}))
    done = program("conform", "logs", str(folder), "--answers", str(answers), "--json")
    found = json.loads(done.stdout)
    assert [one for one in found["cases"] if one["result"] != "ok"] == [] and done.returncode == FINE

    answers.write_text(json.dumps({one["log"]: "finished" for one in expected}))
    done = program("conform", "logs", str(folder), "--answers", str(answers), "--json")
    failed = {one["number"] for one in json.loads(done.stdout)["cases"] if one["result"] == "failed"}
    assert done.returncode == UNEXPECTED
    assert failed == {case.number for case in LOGS if case.finding != "finished"} and len(failed) >= 45


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    write_logs(folder, LOGS, Random(1))
    return folder


CAUSES = {
    Cause.ENCODING: {225},
    Cause.SHAPE: {221, 224, 240},
    Cause.BASE: {212, 213, 214, 234},
    Cause.SIGNATURE: {215, 216, 226, 227, 228, 229},
    Cause.RULES: {230, 231, 232, 233, 235, 236, 237, 238, 239, 244, 246, 247},
    Cause.FAIRNESS: {241, 242, 243, 245},
}


def test_what_is_wrong_with_a_log_is_what_its_case_says(logs: Path) -> None:
    """And nothing that comes before it in the order of the checks."""
    causes: dict[Cause, set[int]] = {}
    for case in LOGS:
        if case.number in set().union(*CAUSES.values()):
            with pytest.raises(FalseLog) as found:
                verify_log(parse_log((logs / case.file).read_bytes()).payloads)
            causes.setdefault(found.value.cause, set()).add(case.number)
    assert causes == CAUSES


@pytest.mark.parametrize(
    ("part", "instead", "cases"),
    [
        ("p2pcards.ledger.advance.check_signature", lambda *_: None, {226, 227, 228, 229}),
        ("p2pcards.ledger.advance._check_base", lambda *_: None, {234}),
        ("p2pcards.ledger.verify.replay_hand", lambda *_: Replay(Verdict.GOOD), {223}),
        ("p2pcards.ledger.fair.is_needed", lambda *_: False, {244, 246}),
        ("p2pcards.ledger.fair.awaited_sides", lambda *_: frozenset(), {242}),
        ("p2pcards.ledger.payloads.Numbering.add_payload", lambda *_: None, {217, 218, 219, 220}),
        ("p2pcards.wire.packing.pack", lambda *_: b"", {201, 203}),
    ],
)
def test_a_reader_without_a_part_of_ours_is_caught(
    logs: Path, monkeypatch: pytest.MonkeyPatch, part: str, instead: Callable[..., Any], cases: set[int]
) -> None:
    monkeypatch.setattr(part, instead)
    found = {case.number: finding(logs / case.file) for case in LOGS if case.number in cases}
    assert {case.number for case in LOGS if case.number in cases and found[case.number] != case.finding} == cases


def test_a_command_that_reads_logs_is_judged_by_its_exit_code(make_program: MakeProgram, tmp_path: Path) -> None:
    cases = ("--case", "201", "--case", "203", "--case", "212", "--json")
    verify = f"{sys.executable} -m p2pcards verify {{log}}"
    program = make_program("judge")
    done = program("conform", "logs", str(tmp_path / "ours"), "--run", verify, *cases)
    assert [one["result"] for one in json.loads(done.stdout)["cases"]] == ["ok"] * 3 and done.returncode == FINE
    believes = f"{sys.executable} -c pass {{log}}"
    done = program("conform", "logs", str(tmp_path / "other"), "--run", believes, *cases)
    found = json.loads(done.stdout)
    assert [one["result"] for one in found["cases"]] == ["ok", "failed", "failed"] and done.returncode == UNEXPECTED
    assert found["cases"][2]["why"] == "It ends with 0; 7 is due, as it is false."


def test_no_folder_is_written_over_and_answers_have_a_shape(make_program: MakeProgram, tmp_path: Path) -> None:
    program, answers = make_program("judge").inside(), tmp_path / "answers"
    answers.write_text("[1]")
    done = program("conform", "logs", str(tmp_path))
    assert done.returncode == USAGE and "isn't empty" in done.stderr
    done = program("conform", "logs", str(tmp_path), "--answers", str(answers))
    assert done.returncode == USAGE and "isn't a JSON object" in done.stderr
    assert list(tmp_path.glob("*.log")) == []
