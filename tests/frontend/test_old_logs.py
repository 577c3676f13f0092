"""What `verify` says of logs of released versions, which are read for good, and of drafts, as the table in
protocol/versions.md has it.

The logs of 0.2.0 and of the drafts are of tables that those programs played with themselves, or of their vectors.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from p2pcards.frontend.verdict import OF_A_DRAFT, Known, judge_log, verdict_lines
from p2pcards.ledger.payloads import header_frame
from p2pcards.store.logs import read_log
from p2pcards.wire.records import DRAFTS, READ, VERSION, version_of
from rigs.pure import remembered_signatures

signatures = remembered_signatures()

ROOT = Path(__file__).parents[2]
LOGS = ROOT / "tests" / "ledger"
PAGE = (ROOT / "protocol" / "versions.md").read_text()
ROWS = re.findall(r"^\| `([\w./-]+)` \| (\d) \| [^|]* \| ([^|]*) \|$", PAGE, re.MULTILINE)


def test_the_table_has_every_version_but_that_of_today_and_every_log_of_a_draft() -> None:
    assert {int(version) for _, version, _ in ROWS} == {*READ} - {VERSION}
    drafts = {f"drafts-of-version-2/{path.stem}" for path in (LOGS / "drafts-of-version-2").glob("*.log")}
    assert drafts == {log for log, version, _ in ROWS if version == "2"}


@pytest.mark.parametrize(("log", "version", "said"), ROWS, ids=[log for log, _, _ in ROWS])
def test_verify_says_of_a_log_what_the_table_says(log: str, version: str, said: str) -> None:
    contents = read_log(LOGS / f"{log}.log")
    assert version_of(header_frame(contents.payloads[1][1:])) == int(version)
    verdict = judge_log(log, contents, Known({}, b""), None)
    words = " ".join([line.strip() for line in verdict_lines(verdict.data)]).removeprefix(f"{log}: ")
    assert words.startswith(said)
    assert words.endswith(OF_A_DRAFT) == (verdict.state == "false")


def test_a_false_log_of_a_draft_says_so_and_one_of_today_does_not() -> None:
    assert OF_A_DRAFT in " ".join(PAGE.split())
    contents = read_log(LOGS / "version-0.1.0" / "whist.log")
    *records, (offset, last) = contents.records
    spoilt = replace(contents, records=(*records, (offset, last[:-1] + bytes((last[-1] ^ 1,)))))
    verdict = judge_log("whist", spoilt, Known({}, b""), None)
    assert verdict.state == "false" and OF_A_DRAFT not in str(verdict.data["why"])


# --- the rule ---------------------------------------------------------------------------------------------------------


def test_no_release_speaks_a_draft_and_every_released_version_is_frozen() -> None:
    newest = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert (VERSION in DRAFTS) == newest[1].endswith("(not released yet)"), "a release takes the next number"
    frozen = {path.name for path in (ROOT / "protocol" / "vectors").glob("*.sha256")}
    assert frozen == {f"version-{version}.sha256" for version in READ if version not in DRAFTS}
    rows = re.findall(r"^\| (\d) \| (released|draft)", PAGE, re.MULTILINE)
    assert rows == [(str(version), "draft" if version in DRAFTS else "released") for version in READ]
