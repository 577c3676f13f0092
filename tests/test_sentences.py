"""scripts/sentences: all that a player can read, and nothing else; and what none of it may say."""

from __future__ import annotations

import json
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LISTER = runpy.run_path(str(ROOT / "scripts" / "sentences"))
found_here = cache(lambda: list(LISTER["sentences"]()))


@pytest.mark.parametrize(
    ("place", "begins"),
    [
        ("p2pcards/tui/table_screen.py", "Thinking ..."),
        ("p2pcards/frontend/words.py", "play a card: rank, then suit"),
        ("p2pcards/page/source/start.tsx", "Your name at the table"),
        ("p2pcards/games/whist/rules.py", "Whist"),
        ("p2pcards/players/characters.py", "Dizzy Lizzy"),
        ("p2pcards/guide/start.md", "# "),
        ("README.md", "- Twelve computer characters"),
    ],
)
def test_what_reaches_a_player_is_listed_with_its_place(place: str, begins: str) -> None:
    found = [one for one in found_here() if one.place == place and one.text.startswith(begins)]
    assert found
    for one in found[:3]:
        lines = (ROOT / place).read_text().splitlines()
        assert begins.rsplit(maxsplit=1)[-1] in "\n".join(lines[one.line - 1 : one.line + 4])


SOURCE = '''
"""What a module is for."""

import re

NAME = re.compile("some (?P<one>[a-z]+) pattern")


def told(name: str) -> str:
    """A docstring is for engineers."""
    assert name, "nor is what an assert says"
    return f"Hello {name}, your turn." + "key" + "two parts "  "are one"
'''


def test_docstrings_patterns_and_asserts_are_no_sentences() -> None:
    found = [one.text for one in LISTER["of_python"]("p2pcards/cli/some.py", SOURCE)]
    assert found == ["Hello {...}, your turn.", "two parts are one"]
    assert "What a module is for." in [one.text for one in LISTER["of_python"]("p2pcards/games/x/rules.py", SOURCE)]


def test_tags_and_code_of_the_page_are_no_sentences() -> None:
    source = """import { a } from "some thing";
// a comment of two words
const part = <b onClick={() => deeds.open("x")}>Deal the cards</b>;
const said = `${left} left to play`;
"""
    found = [one.text for one in LISTER["of_typescript"]("p2pcards/page/source/x.tsx", source)]
    assert found == ["Deal the cards", "{...} left to play"]


def test_paragraphs_entries_and_rows_are_found_where_they_begin() -> None:
    page = (
        "# The title\n\nOne paragraph\nof two lines.\n\n```sh\np2pcards play now\n```\n\n- one entry\n- another entry\n"
    )
    found = [(one.line, one.text) for one in LISTER["of_prose"]("README.md", page)]
    assert found == [
        (1, "# The title"),
        (3, "One paragraph of two lines."),
        (10, "- one entry"),
        (11, "- another entry"),
    ]


def test_a_draw_is_repeated_by_its_seed() -> None:
    found = found_here()
    drawn = LISTER["drawn"](found, 200, 53)
    assert drawn == LISTER["drawn"](found, 200, 53) != LISTER["drawn"](found, 200, 54)
    assert len({one.text for one in drawn}) == 200


def test_the_list_is_printed_by_folder_as_lines_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert LISTER["main"](["p2pcards/tui", "--count"]) == 0
    count = int(capsys.readouterr().out.splitlines()[-1].split()[0])
    assert LISTER["main"](["p2pcards/tui", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == count > 50
    assert LISTER["main"](["nowhere"]) == 1


FOR_PLAYERS = (
    "p2pcards/games",
    "p2pcards/views",
    "p2pcards/present",
    "p2pcards/frontend",
    "p2pcards/tui",
    "p2pcards/web",
)
FOREIGN = re.compile(
    r"\bcoordinat|\blurch|\bdeuces?\b|\bcourt cards?\b|\bcolour|\bdialling|\bburnt\b|\banew\b|\blikewise\b|\bbesides\b|"
    r"\bsomebody\b|\beverybody\b|\bany more\b",
    re.IGNORECASE,
)
"""The protocol's words for people, British and bookish ones."""


def test_players_are_told_in_the_words_of_players() -> None:
    told = [one for one in found_here() if one.place.startswith((*FOR_PLAYERS, "p2pcards/page", "README.md"))]
    assert [f"{one.place}:{one.line}: {one.text}" for one in told if FOREIGN.search(one.text)] == []
