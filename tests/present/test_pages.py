"""The guide: what it says to type can be typed, and every term is found."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest
import typer

from p2pcards.cli import main
from p2pcards.cli.line_words import WORDS
from p2pcards.games.options import declared
from p2pcards.games.registry import GAMES
from p2pcards.present.glossary import TERMS
from p2pcards.present.hand import ORDERS
from p2pcards.present.pages import ELSEWHERE, PAGES, contents_lines, page_lines, read_lines
from p2pcards.present.width import width
from p2pcards.store.settings_file import find_setting

QUOTED = re.compile(r"'([^']+)'")


def commands() -> set[str]:
    tree: Any = typer.main.get_command(main.program())
    return set(tree.commands)


@pytest.mark.parametrize("key", PAGES)
def test_a_page_opens_by_its_word_and_fits(key: str) -> None:
    lines = read_lines(key.upper())
    assert lines == page_lines(key) and lines[0] == PAGES[key].title and len(lines) > 5
    assert max(map(width, lines)) <= 79
    assert any(line.split()[0] == key for line in contents_lines())


@pytest.mark.parametrize("key", PAGES)
def test_what_a_page_says_to_type_is_there(key: str) -> None:
    for typed in QUOTED.findall(PAGES[key].text):
        first, *rest = shlex.split(" ".join(typed.split()))
        if first == "p2pcards":
            assert rest[0] in commands(), typed
            if rest[:2] in (["config", "set"], ["config", "clear"]) and rest[2] != "KEY":
                find_setting(rest[2])
        elif first == "sort":
            assert rest[0] in ORDERS
        elif first not in WORDS:
            assert first.startswith("--") or find_setting(first).name == first, typed
    assert {words.split()[0] for words in ELSEWHERE} <= commands()


def test_a_term_opens_its_lines_and_any_other_word_lists_where_it_stands() -> None:
    assert read_lines("Trick") == [
        "Trick: One card of each player, taken by the highest of the suit led or by the",
        "  highest trump.",
    ]
    assert all(line in page_lines("glossary") for term in TERMS for line in read_lines(term) if term not in PAGES)
    assert list(TERMS) == sorted(TERMS)
    assert read_lines("autoplay")[:2] == ["autoplay stands on these pages:", "  start: Getting started"]
    assert read_lines("Black Maria")[0].startswith("Black lady: ")
    assert read_lines("xyzzy") == []


def test_the_terms_of_pinochle_for_two_are_told() -> None:
    told = [
        "author",
        "default",
        "game",
        "goal",
        "hand",
        "knock",
        "meld",
        "opponent",
        "option",
        "phase",
        "player",
        "stock",
        "table",
        "trick",
        "trump",
    ]
    assert set(told) <= set(TERMS)
    assert "roundhouse" in {option.key for option in declared(GAMES["pinochle2"].options)} & set(TERMS)
