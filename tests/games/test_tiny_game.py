"""docs/add-a-game.md, followed to the letter: in a copy of the repository each of its blocks becomes the file that it
names, what is made is made, and nothing else is touched. Then the game is checked and played as any other."""

from __future__ import annotations

import filecmp
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from rigs.program import MakeProgram

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/add-a-game.md").read_text(encoding="utf-8")
KEY, NAME = "tiny", "Tiny"
LINE = Path("p2pcards/games/names.py")
BLOCK = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COPIED = ("p2pcards", "scripts", "tests", "docs", "protocol")
LEFT = ignore_patterns("*.so", "node_modules", ".*")
OF_ANY_GAME = (
    "games/test_laws.py",
    "games/test_game_parts.py",
    "games/test_registry.py",
    "games/test_options.py",
    "games/test_option_vectors.py",
    "games/test_spelling.py",
    "games/test_tiny.py",
    "players/test_novice_tiny.py",
    "players/test_choose.py",
    "cli/test_ladder.py",
    "wire/test_actions.py",
)
"""The tests that take a game by its key. Those that are alike for every game are left to the game that is shipped, and
those of what is made to `scripts/made --check`."""
WHOLE = ("test_book.py", "results/test_figures.py", "frontend/test_guide_pages.py")
"""Those that look at all games at once."""


def steps() -> dict[str, str]:
    """The text of each file that the page tells to write; of a file that is there, a line of it."""
    found: dict[str, list[str]] = {}
    for file, text in BLOCK.findall(PAGE):
        found.setdefault(file, []).append(text)
    return {file: "\n\n".join(texts) for file, texts in found.items()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository in which the page has been followed."""
    copy = tmp_path_factory.mktemp("tree")
    for folder in COPIED:
        copytree(ROOT / folder, copy / folder, ignore=LEFT)
    for file in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "pyproject.toml"):
        (copy / file).write_bytes((ROOT / file).read_bytes())
    for file, text in steps().items():
        path = copy / file
        if path.exists():
            path.write_text(path.read_text().replace("}\n", f"{text}}}\n", 1))
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    run(copy, "scripts/made", KEY)
    return copy


def run(tree: Path, *words: str, **variables: str) -> str:
    """What a Python program of the copy says; it must succeed."""
    paths = os.pathsep.join([str(tree), str(tree / "scripts"), str(tree / "tests")])
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tree,
        env={**os.environ, **variables, "PYTHONPATH": paths, "P2PCARDS_COMPILE": "never"},
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def changes(here: Path, there: Path, place: str = "") -> Iterator[str]:
    """The files that are in one of two folders alone, or are not the same in both."""
    found = filecmp.dircmp(here / place, there / place, ignore=["__pycache__", "node_modules"])
    for name in (*found.right_only, *found.diff_files):
        path = Path(place, name)
        below = [one for one in (there / path).rglob("*") if one.is_file() and "__pycache__" not in one.parts]
        yield from [str(one.relative_to(there)) for one in below] or [str(path)]
    for name in found.common_dirs:
        yield from changes(here, there, str(Path(place, name)))


def test_the_page_writes_one_folder_one_line_one_page_and_tests() -> None:
    folder = [file for file in steps() if file.startswith(f"p2pcards/games/{KEY}/")]
    others = [f"protocol/games/{KEY}.md", f"tests/games/test_{KEY}.py", f"tests/players/test_novice_{KEY}.py"]
    assert sorted(steps()) == sorted([*folder, str(LINE), *others])
    assert steps()[str(LINE)] == f'    "{KEY}": "{NAME}",\n'


def test_nothing_else_is_touched_but_by_what_makes_files(tree: Path) -> None:
    found = {change for folder in COPIED for change in changes(ROOT / folder, tree / folder)}
    made = {Path(file).relative_to(file.split("/")[0]).as_posix() for file in MADE}
    written = {Path(file).relative_to(file.split("/")[0]).as_posix() for file in steps()}
    assert found - written == made
    assert f"- [{NAME}](rules/{KEY}.md): " in (tree / "docs/guide/games.md").read_text()
    assert f"Bid Pinochle, {NAME}" in (tree / "README.md").read_text()


MADE = (
    *[f"docs/guide/{page}.md" for page in ("games", "index", f"rules/{KEY}", f"options/{KEY}", f"about/{KEY}")],
    f"docs/transcripts/{KEY}-plain.txt",
    *[f"docs/pictures/{name}" for name in ("title.txt", f"{KEY}-plain.txt", f"{KEY}-plain.svg", f"{KEY}-end.txt")],
    f"protocol/rules/{KEY}.md",
    *[f"protocol/vectors/playthroughs/{KEY}-{preset}.txt" for preset in ("plain", "last-trick")],
    f"protocol/vectors/options/{KEY}.json",
    "tests/players/editions.json",
)


def test_what_is_made_is_as_the_program_gives_it(tree: Path) -> None:
    assert "not what the program gives" not in run(tree, "scripts/made", "--check", KEY)


def test_style_and_types_are_kept(tree: Path) -> None:
    files = [file for file in steps() if file.endswith(".py")]
    run(tree, "-m", "ruff", "check", "--quiet", "--no-cache", *files)
    run(tree, "-m", "ruff", "format", "--check", "--quiet", "--no-cache", *files)
    run(tree, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache" / KEY), *files)


def test_the_laws_and_what_is_asked_of_every_game_hold(tree: Path) -> None:
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    of_any = [f"tests/{file}" for file in OF_ANY_GAME]
    passed = re.search(r"(\d+) passed", run(tree, *words, "-k", KEY, *of_any))
    assert passed and int(passed[1]) > 30
    run(tree, *words, *[f"tests/{file}" for file in WHOLE])


def test_the_game_is_told_simulated_watched_played_and_proven(tree: Path, make_program: MakeProgram) -> None:
    def p2pcards(*words: str) -> str:
        return run(tree, "-m", "p2pcards", *words, P2PCARDS_HOME=str(home))

    home = make_program("ann").home

    assert p2pcards("rules", KEY).startswith(f"{NAME}: two players, five cards each;")
    assert "made up to show how a game is added" in p2pcards("about", KEY)
    figures = json.loads(p2pcards("simulate", KEY, "--rotate", "--players", "master,carefree", "--json"))
    assert figures["unfinished"] == 0 and figures["margin"] > 0
    assert f"In {NAME}, players use rules of thumb at every level." in p2pcards(
        "simulate", KEY, "--games", "1", "--players", "master,novice"
    )
    watched = p2pcards("autoplay", KEY, "--line", "--games", "1", "--seed", "1", "--set", "winning_score=1")
    assert "Hand 1 is over" in watched and "1 game finished." in watched
    p2pcards("config", "set", "speed", "off")
    p2pcards("play", KEY, "--set", "winning_score=1", "--auto", "novice", "--name", "Ann", "--json")
    while (log := json.loads(p2pcards("logs", "--json"))[0])["state"] != "finished":
        pass
    assert "finished, and everything matches what was signed" in p2pcards("verify", log["file"])


def test_every_check_that_the_page_names_exists() -> None:
    named = re.findall(r"`(test_\w+)`", PAGE)
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(), re.M)
    }
    assert len(named) > 10 and set(named) <= there
