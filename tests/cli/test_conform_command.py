"""`p2pcards conform`: its cases against the book, and what it says where nobody is judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pcards.conform.cases import COORDINATOR, LISTENER
from p2pcards.conform.runner import PAGES
from p2pcards.control.exits import NETWORK, USAGE
from rigs.ports import lasting_port
from rigs.program import MakeProgram

MUSTS = (Path(__file__).parents[2] / "protocol" / "musts.md").read_text()
KINDS = {"listener": (LISTENER, 1), "coordinator": (COORDINATOR, 101)}


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
    done = program("conform", "listen", "127.0.0.1:1", "--case", "99999")
    assert done.returncode == USAGE and "There is no case 99999 here." in done.stderr
    done = program("conform", "listen", f"127.0.0.1:{lasting_port()}")
    assert done.returncode == NETWORK and "Nobody is listening at" in done.stderr
