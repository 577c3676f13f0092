"""The repository itself: nothing in it names a machine, everything installed is pinned, contracts say why."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Written so that this file does not match itself.
FOREIGN = {
    "the address of a package index": re.compile(r"index[-_ ]url|find[-_]links|[/]simple\b|py[p]i\.org", re.IGNORECASE),
    "a local address": re.compile(r"file:/{2,3}[\w/]"),
    "a path of one machine": re.compile(r"(?<![\w.~}$>-])[/](?:work|home|root|Users)(?:[/]\w|$|[\s\"'`),])"),
    "a folder outside the repository": re.compile(r"\.\.[/]shared\b"),
}


def tracked() -> list[Path]:
    """Every file that is, or would be, in the repository."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def findings(text: str) -> list[str]:
    return [f"{line}: names {what}" for line in text.splitlines() for what, bad in FOREIGN.items() if bad.search(line)]


def test_no_file_names_an_index_address_or_a_path_of_one_machine() -> None:
    files = tracked()
    assert ROOT / "pyproject.toml" in files
    found = {str(path.relative_to(ROOT)): findings(path.read_text(errors="replace")) for path in files}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        "--extra-index" + "-url https://example.org",
        "https://example.org/" + "simple/trio",
        "file:/" + "//srv/wheels",
        "see /" + "work/notes.md",
        '"/' + 'home/ann/cards"',
        "cd /" + "root",
        "../" + "shared/design.md",
    ],
)
def test_the_search_for_foreign_names_bites(line: str) -> None:
    assert findings(line)


@pytest.mark.parametrize("line", ["#!/usr/bin/env bash", "a/home/b", "~/games/cards", "/tmp", "$root/scripts"])
def test_the_search_for_foreign_names_leaves_the_rest_alone(line: str) -> None:
    assert not findings(line)


def test_every_import_contract_gives_its_reason() -> None:
    before = (ROOT / "pyproject.toml").read_text().split("[[tool.importlinter.contracts]]\n")[:-1]
    assert len(before) >= 5
    for text in before:
        comment = text.rstrip("\n").rsplit("\n\n", 1)[-1].splitlines()
        assert comment[0].startswith("# Reason: "), comment
        assert all(line.startswith("# ") for line in comment), comment


def test_the_version_of_the_package_is_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    init = (ROOT / "p2pcards" / "__init__.py").read_text()
    assert f'__version__ = "{project["version"]}"' in init


GUIDE = ROOT / "p2pcards" / "guide"
"""Its links lead to pages that are made as well: docs/guide has them all."""


def test_every_link_of_a_page_leads_somewhere() -> None:
    pages = [
        path
        for path in tracked()
        if path.suffix == ".md" and "protocol" not in path.parts and not path.is_relative_to(GUIDE)
    ]
    assert len(pages) > 20
    for page in pages:
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)  # code links to nothing
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            assert target.startswith("https://") or (page.parent / target).exists(), f"{page}: {target}"


def test_the_design_names_every_room() -> None:
    text = (ROOT / "docs/design.md").read_text()
    rooms = {path.name for path in (ROOT / "p2pcards").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert {room for room in rooms if f"\n{room}/ " not in text} == set()


def test_the_pages_that_are_written_by_hand_stay_short() -> None:
    """What git keeps is not kept in a page. docs/commands.md and the ladder's figures are written by scripts."""
    pages = {path.name: path.read_text() for path in (ROOT / "docs").glob("*.md") if path.name != "commands.md"}
    before, _, rest = pages["strength.md"].partition("## The ladder\n")
    pages["strength.md"] = before + rest[rest.index("\n## ") :]
    words = {name: len(text.split()) for name, text in pages.items()}
    assert sum(words.values()) <= 14_000, sorted(words.items(), key=lambda one: -one[1])


def test_the_first_lines_of_every_module_say_what_it_is_about() -> None:
    for path in (ROOT / "p2pcards").rglob("*.py"):
        assert re.match(r'"""[A-Z`].{20}', path.read_text(), re.DOTALL), path
