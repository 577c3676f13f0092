"""The pages of protocol/ against each other, the program and the tests: nothing in the book may be stale."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

from making import book, commands, guide, readme, registry
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.links import pairing
from p2pcards.wire import messages
from rigs.game_pages import page_faults

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "protocol"
MADE = {name: make() for name, make in {**book.files(), **registry.files()}.items()}
GUIDE = {name: make() for name, make in guide.files().items()}
PAGES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md") if "node_modules" not in path.parts)
# These speak of the word itself, or are made from the program.
WITHOUT = {
    "musts.md",
    "threats.md",
    "machines.md",
    "registry.md",
    *[page for page in PAGES if page.startswith(("vectors/", "rules/"))],
}
MUST = re.compile(r"\bMUST\b")
WITHDRAWN = "withdrawn"
ROW = re.compile(rf"\| ([^|]*) \| (.*MUST.*|{WITHDRAWN}) \| (.*) \|")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


MUSTS = "\n## Musts\n"
"""The heading below which the page of a game lists its own."""


def words_of(page: str) -> str:
    """A page without its line ends, its list of MUSTs, and the sentence that says what MUST means."""
    text = " ".join((FOLDER / page).read_text().partition(MUSTS)[0].split())
    return re.sub(r"[^.]*\bRFC 2119\b[^.]*\.", "", text)


def test_a_page_that_is_made_from_the_program_is_current() -> None:
    for page, text in MADE.items():
        assert page in PAGES, f"run scripts/made, which writes protocol/{page}"
        assert (FOLDER / page).read_text() == text, f"look at what changed in {page}, then run scripts/made --part book"


def test_the_guide_in_docs_has_every_page_as_the_program_shows_it() -> None:
    folder = ROOT / "docs" / "guide"
    there = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.md")}
    assert there.keys() == GUIDE.keys(), "run scripts/made --part guide"
    assert [name for name, text in GUIDE.items() if there[name] != text] == [], "run scripts/made --part guide"


def test_the_page_of_commands_is_what_their_help_says() -> None:
    (page,) = commands.files()
    assert (ROOT / "docs" / page).read_text() == commands.page(), "run scripts/made --part commands"


def test_the_readme_lists_every_game() -> None:
    assert readme.README.read_text() == readme.page(), "run scripts/made --part readme"
    for game in GAMES.values():
        assert game.name in readme.games()


def test_the_page_of_a_game_lists_its_actions_and_events() -> None:
    for key, game in GAMES.items():
        page = FOLDER / "games" / f"{key}.md"
        assert page.exists(), f"write protocol/games/{key}.md: what travels in this game"
        assert page_faults(game, page.read_text()) == [], key


def test_only_games_have_pages() -> None:
    for folder in ("games", "rules"):
        assert {path.stem for path in (FOLDER / folder).iterdir()} <= set(GAMES), f"of what game is protocol/{folder}?"


# --- MUST -------------------------------------------------------------------------------------------------------------


@cache
def listed() -> dict[str, list[tuple[str, str]]]:
    """By page: the words around each MUST that musts.md lists, or the page of a game itself, and its tests."""
    return {
        page: [(words, tests) for _, words, tests in rows if words != WITHDRAWN] for page, rows in must_rows().items()
    }


@cache
def must_rows() -> dict[str, list[tuple[str, str, str]]]:
    """By page: id, words and tests of each row, with those of the MUSTs that were withdrawn."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    page = ""
    own = [f"## {one}\n{(FOLDER / one).read_text().partition(MUSTS)[2]}" for one in PAGES if one.startswith("games/")]
    for line in "\n".join([(FOLDER / "musts.md").read_text(), *own]).splitlines():
        if line.startswith("## "):
            page = line.removeprefix("## ")
        elif match := ROW.fullmatch(line):
            found.setdefault(page, []).append((match[1], match[2], match[3]))
    return found


def test_every_must_is_listed_once() -> None:
    for page in [page for page in PAGES if page not in WITHOUT]:
        text = words_of(page)
        covered: list[int] = []
        for words, _ in listed().get(page, []):
            assert text.count(words) == 1, f"{page} says {text.count(words)} times: {words}"
            start = text.index(words)
            covered += [start + found.start() for found in MUST.finditer(words)]
        missing = [text[max(0, m.start() - 60) : m.end() + 60] for m in MUST.finditer(text) if m.start() not in covered]
        place = f'below "## Musts" in protocol/{page}' if page.startswith("games/") else "in protocol/musts.md"
        assert missing == [], f"list them {place}, with the tests that hold the program to it ({page})"
        assert len(covered) == len(set(covered)), page


def test_every_must_has_an_id_that_it_keeps() -> None:
    """Two letters and a number without a gap, whatever page its sentence stands on now: a new one takes the next, a
    withdrawn one keeps its row."""
    numbers: dict[str, list[int]] = {}
    for one in [one for rows in must_rows().values() for one, _, _ in rows]:
        assert re.fullmatch(r"[A-Z]{2}-[1-9][0-9]*", one)
        numbers.setdefault(one[:2], []).append(int(one[3:]))
    for letters, found in numbers.items():
        assert sorted(found) == [*range(1, len(found) + 1)], letters


def test_no_page_is_listed_that_is_not_there() -> None:
    assert set(listed()) <= set(PAGES) - WITHOUT


@cache
def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def missing_tests(text: str) -> list[str]:
    named = TEST.findall(text)
    return [f"{file}::{name}" for file, name in named if not (ROOT / file).exists() or name not in names_in(file)]


def test_the_default_of_an_option_that_was_added_is_that_of_real_deal() -> None:
    """As records.md says; another preset is no default."""
    added = [(game, option) for game in GAMES.values() for option in declared_options(game.options) if option.added]
    assert added
    for game, option in added:
        assert getattr(game.presets["real-deal"], option.key) == option.default, (game.key, option.key)


def test_every_test_that_the_book_names_exists() -> None:
    for words, tests in [row for rows in listed().values() for row in rows]:
        assert TEST.search(tests), f"no test is named for: {words}"
    for page in ("musts.md", "threats.md", *[page for page in PAGES if page.startswith("games/")]):
        assert missing_tests((FOLDER / page).read_text()) == []
    assert missing_tests("`tests/test_book.py::test_that_does_not_exist`")


def test_every_way_to_cheat_has_its_row_and_its_test() -> None:
    text = (FOLDER / "threats.md").read_text()
    cheats = {name for name in names_in("tests/session/test_cheats.py") if name.startswith("test_")}
    assert set(re.findall(r"`(test_\w+)`", text)) == cheats - {
        "test_a_game_without_cheats_has_nothing_to_be_said_of_it"
    }
    widths = [line.count("|") for line in text.splitlines() if line.startswith("|")]
    assert set(widths) == {4, 5}


# --- tables against the program ---------------------------------------------------------------------------------------


def test_every_message_stands_in_the_table_with_its_elements() -> None:
    text = (FOLDER / "messages.md").read_text()
    rows = re.findall(r"^\| ([A-Z ]+) \| `\[kind((?:, [\w -]+)*)\]` \|", text, re.MULTILINE)
    named = {name: number for number, name, *_ in registry.message_rows()}
    assert [int(named[name]) for name, _ in rows] == sorted(messages._ARRAYS)
    for name, elements in rows:
        assert elements.count(",") == len(messages._ARRAYS[int(named[name])][1]), name


def test_every_entry_stands_in_the_table() -> None:
    text = (FOLDER / "records.md").read_text()
    rows = re.findall(r"^\| ([A-Z ]+) \| `\[kind[],]", text, re.MULTILINE)
    assert rows == [name for _, name, who, _ in registry.entry_rows() if not who.endswith("no entry")]


def test_a_label_of_the_program_has_a_row_in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(registry.LABELS, "p2pcards pack 2")
    with pytest.raises(AssertionError, match="p2pcards pack 2"):
        registry.registry_page()


def test_proofs_are_compared_in_constant_time() -> None:
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(pairing))) if isinstance(node, ast.Call)]
    assert any(isinstance(call.func, ast.Name) and call.func.id == "compare_digest" for call in calls)


# --- links ------------------------------------------------------------------------------------------------------------


def test_every_link_leads_somewhere() -> None:
    for page in PAGES:
        path = FOLDER / page
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
            assert (path.parent / target).exists(), f"{page}: {target}"


def test_the_table_of_contents_names_every_page() -> None:
    text = (FOLDER / "README.md").read_text()
    targets = set(re.findall(r"\]\(([^)#]+)\)", text))
    assert {page for page in PAGES if "/" not in page} - {"README.md"} <= targets
    assert {
        "games/",
        "rules/",
        "vectors/README.md",
        "example-listener/README.md",
        "example-coordinator/README.md",
    } <= targets
