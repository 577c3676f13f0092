"""The guide: what it says to type can be typed, and every term is found."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest
import typer

from p2pcards.cli import main
from p2pcards.frontend.guide_index import read_guide, topics
from p2pcards.frontend.words import WORDS
from p2pcards.games.options import declared
from p2pcards.games.registry import GAMES
from p2pcards.present.glossary import TERMS
from p2pcards.present.hand import ORDERS
from p2pcards.present.pages import ELSEWHERE, PAGES, contents_lines, page_lines
from p2pcards.present.width import width
from p2pcards.store.settings_file import find_setting

QUOTED = re.compile(r"'([^']+)'")


def commands() -> set[str]:
    tree: Any = typer.main.get_command(main.program())
    return set(tree.commands)


@pytest.mark.parametrize("key", PAGES)
def test_a_page_opens_by_its_word_and_fits(key: str) -> None:
    lines = read_guide(key.upper())
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
    assert read_guide("Trick") == [
        "Trick: One card of each player, taken by the highest of the suit led or by the",
        "  highest trump.",
    ]
    assert all(line in page_lines("glossary") for term in TERMS for line in read_guide(term) if term not in PAGES)
    assert list(TERMS) == sorted(TERMS)
    assert "Getting started: p2pcards guide start" in read_guide("autoplay")
    assert read_guide("Black Maria") == ["black lady: p2pcards guide black lady"]
    assert read_guide("roundhouse")[0].startswith("Roundhouse: In two-handed pinochle")
    assert read_guide("terminal's bell") == ["bell, a setting: p2pcards config get bell"]
    assert "events.EVENT.hook, a setting: p2pcards config list" in read_guide("run at this event")
    assert read_guide("xyzzy") == []


def test_the_index_has_every_topic_once() -> None:
    names = [topic.name for topic in topics()]
    assert len(names) == len(set(names)) > 140
    text = " ".join(" ".join(read_guide("index")).split())
    begun = [line for line in read_guide("index") if not line.startswith(" ")]
    for line, name in zip(begun, sorted(names, key=str.lower), strict=True):
        assert line.startswith(f"{name}:")
    for told in (
        "Arranging your cards: p2pcards guide hand",
        "knock: p2pcards guide knock",
        "undo, at the table: help undo",
        "Two-handed Pinochle: p2pcards rules pinochle2",
        "roundhouse, in Two-handed Pinochle: p2pcards options pinochle2",
        "sort, a setting: p2pcards config get sort",
    ):
        assert told in text


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
