"""docs/hardening.md against the tests: each that it names is there, and states the figures of its row."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
ROWS = [
    line.strip("| ").split(" | ")
    for line in (ROOT / "docs/hardening.md").read_text().splitlines()
    if line.startswith("| ") and "`tests/" in line
]


@cache
def source(file: str) -> str:
    return (ROOT / file).read_text()


def missing(tests: str) -> list[str]:
    """The tests among these that do not exist."""
    named = TEST.findall(tests)
    return [f"{file}::{name}" for file, name in named if not (ROOT / file).exists() or name not in functions(file)]


@cache
def functions(file: str) -> set[str]:
    nodes = ast.walk(ast.parse(source(file)))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def unstated(figures: str, tests: str) -> set[str]:
    """The figures that stand in none of the files of these tests."""
    numbers = {number.replace(",", "") for number in re.findall(r"\d[\d,]*", figures)}
    text = " ".join(source(file) for file, _ in TEST.findall(tests)).replace("_", "")
    return {number for number in numbers if not re.search(rf"(?<!\d){number}(?!\d)", text)}


def test_there_are_rows() -> None:
    assert len(ROWS) > 20 and {len(row) for row in ROWS} == {4}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: TEST.findall(row[-1])[0][1])
def test_a_row_names_tests_that_do_what_it_says(row: list[str]) -> None:
    _, how_often, _, tests = row
    assert TEST.search(tests) and missing(tests) == []
    assert unstated(how_often, tests) == set()


def test_the_search_for_what_is_missing_bites() -> None:
    here = "`tests/test_hardening.py::test_there_are_rows`"
    assert missing(here) == [] and missing(here.replace("rows", "none"))
    assert unstated("over 20 rows", here) == set()
    assert unstated(f"{9 * 111_111} rows", here) == {str(9 * 111_111)}
