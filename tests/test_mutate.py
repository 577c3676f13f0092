"""scripts/mutate: what is changed and what is not, which tests are the nearest, and whole runs in a small tree."""

from __future__ import annotations

import ast
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rigs.giving_up import longest_wait

ROOT = Path(__file__).parents[1]
MUTATE: dict[str, Any] = runpy.run_path(str(ROOT / "scripts/mutate"), run_name="mutate")

CHANGES = (
    ("if a < b <= c: pass", ["if a <= b <= c: pass", "if a < b < c: pass", "if not (a < b <= c): pass"]),
    ("if (a) == b: pass", ["if (a) != b: pass"]),
    ("x = a is  not b, a not in b", ["x = a is b, a not in b", "x = a is  not b, a in b"]),
    ("x = a and b and (c or d)", ["x = a or b and (c or d)", "x = a and b or (c or d)", "x = a and b and (c and d)"]),
    ("x = y if not z else -w", ["x = y if z else -w", "x = y if not z else w"]),
    ("x = [y for y in z if y.ready]", ["x = [y for y in z if not (y.ready)]"]),
    ("while go_on(): stop()", ["while not (go_on()): stop()", "while go_on(): pass"]),
    ("x += a // b", ["x -= a // b", "x += a * b"]),
    ("x = 7, True", ["x = 8, True", "x = 6, True", "x = 7, False"]),
    ("x = 0.5", ["x = 1.5", "x = -0.5"]),
    ("while True: x()", ["while False: x()", "while True: pass"]),
    ("await send(x)", ["pass"]),
    ("def f(): return x, y", ["def f(): return None"]),
    ("def f(): yield x", ["def f(): yield None"]),
    ('é = "ü" if a else b << c', ['é = "ü" if not (a) else b << c', 'é = "ü" if a else b >> c']),
    ("x = (a  # or 1 + 2\n + b)", ["x = (a  # or 1 + 2\n - b)"]),
)

PASSED_OVER = (
    "def f(a: int | None, *b: tuple[int, ...]) -> X[1]: ...",
    "@cached(100)\ndef f(): ...",
    "class A(B, total=False): ...",
    "x: Y[3]",
    "assert a < b, 7",
    "x = zip(a, b, strict=True)",
    'x = "a" + b',
    'x = f"{a + 1} {b if c else d}"',
    "if TYPE_CHECKING: import a",
    "def f(): return",
    "def f(): return None",
)


def changed(source: str) -> list[str]:
    data = source.encode()
    return [MUTATE["changed"](data, change).decode() for change in MUTATE["changes_of"]("x.py", data)]


def test_each_kind_of_change_is_made_at_its_place() -> None:
    for source, expected in CHANGES:
        assert sorted(changed(source)) == sorted(expected), source


def test_what_changes_nothing_that_a_test_could_notice_is_passed_over() -> None:
    for source in PASSED_OVER:
        assert changed(source) == [], source


def test_a_place_of_the_program_is_drawn_by_its_seed_and_can_be_read_after_it() -> None:
    files = list(MUTATE["sources"](ROOT, "p2pcards/ledger"))
    assert "p2pcards/ledger/advance.py" in files
    drawn = [MUTATE["drawn"](ROOT, seed, 30, "p2pcards/ledger") for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len({(change.path, change.start, change.end) for change in drawn[0]}) == 30
    for change in drawn[0]:
        source = (ROOT / change.path).read_bytes()
        assert ast.dump(ast.parse(MUTATE["changed"](source, change))) != ast.dump(ast.parse(source)), change
        was, becomes = MUTATE["lines_of"](source, change)
        assert was != becomes and source.splitlines()[change.line - 1].decode().split()[0] in was


def test_the_nearest_tests_come_first() -> None:
    first, second, *others = MUTATE["nearest"](ROOT, "p2pcards/cards/eyes.py")
    assert first == ["tests/cards/test_eyes.py"]
    assert "tests/cards/test_worlds.py" in second
    everything = [*first, *second, *[file for group in others for file in group]]
    assert len(everything) == len(set(everything))
    assert {"tests/cards/test_pack.py", "tests/ledger/test_fair.py"} <= set(everything)


def test_what_plays_a_game_by_its_name_is_near_the_files_of_its_folder() -> None:
    for file in ("seen", "deal"):
        near = MUTATE["nearest"](ROOT, f"p2pcards/games/pinochle_bid/{file}.py")[:3]
        assert any("tests/players/test_kernels.py" in group for group in near)


def test_each_change_that_makes_no_difference_is_one_of_the_program_as_it_is() -> None:
    for path, was, becomes in MUTATE["read_equivalents"](ROOT / "docs/mutants.tsv"):
        source = (ROOT / path).read_bytes()
        lines = [MUTATE["lines_of"](source, change) for change in MUTATE["changes_of"](path, source)]
        assert (was, becomes) in lines, f"docs/mutants.tsv lists a change of {path} that is none: {was} -> {becomes}"


def test_a_line_of_too_few_columns_is_refused(tmp_path: Path) -> None:
    listed = tmp_path / "mutants.tsv"
    listed.write_text("file\tbefore\tafter\twhy\na.py\tx\ty\tit is the same\na.py\tx\ty\n")
    with pytest.raises(ValueError, match="line 3: a file, a line before"):
        MUTATE["read_equivalents"](listed)


# --- whole runs -------------------------------------------------------------------------------------------------------

FEW = """def few(number):
    return number < 3

UNUSED = 7
"""

TESTS = """from p2pcards.cards.few import few

def test_that_fails_anyway():
    assert False

def test_two_are_few():
    assert few(2)

def test_four_are_not():
    assert not few(4)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A program of one file, in a repository of its own."""
    files = {"p2pcards/cards/few.py": FEW, "tests/cards/test_few.py": TESTS}
    files |= {f"p2pcards/{name}__init__.py": "" for name in ("", "cards/")}
    listed = [f"p2pcards/cards/few.py\tUNUSED = 7\tUNUSED = {number}\tnobody asks\n" for number in (6, 8)]
    needless = ("hypothesispytest", "trio", "xdist", "xdist.looponfail", "pytest_cov")
    files["pytest.ini"] = f"[pytest]\naddopts = {' '.join([f'-p no:{plugin}' for plugin in needless])}\n"
    files["docs/mutants.tsv"] = "".join(["file\tbefore\tafter\twhy\n", *listed])
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run(["git", "init", "-q", str(tmp_path / "tree")], check=True)
    return tmp_path / "tree"


def mutate(tree: Path, *words: str) -> tuple[dict[str, Any], list[str]]:
    """The JSON object, and the lines of the progress."""
    command = [sys.executable, str(ROOT / "scripts/mutate"), "--root", str(tree), "--python", sys.executable, "--json"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=longest_wait(), check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (1 if found["survived"] + found["unfinished"] else 0), done.stderr
    return found, done.stderr.splitlines()


def test_changes_are_killed_or_survive_and_stand_in_the_file_that_goes_on(tree: Path, tmp_path: Path) -> None:
    into = tmp_path / "found.jsonl"
    part, progress = mutate(tree, "--places", "2", "--into", str(into))
    assert len(part["findings"]) == len(progress) == 2
    whole, progress = mutate(tree, "--places", "9", "--into", str(into))
    assert len(whole["findings"]) == len(into.read_text().splitlines()) == 4
    assert len(progress) == 2, "what stands in the file is not tried again"
    assert whole["findings"][:2] == part["findings"]

    verdicts = {(one["was"], one["becomes"]): (one["verdict"], one["by"]) for one in whole["findings"]}
    two = "tests/cards/test_few.py::test_two_are_few"
    assert verdicts["return number < 3", "return None"] == ("killed", two), "and not what fails anyway"
    assert verdicts["return number < 3", "return number <= 3"] == ("survived", "")
    assert [verdict for (was, _), verdict in verdicts.items() if was == "UNUSED = 7"] == [("equivalent", "nobody asks")]
    assert (tree / "p2pcards/cards/few.py").read_text() == FEW
    assert not list(tree.rglob("__pycache__")), "nothing runs in the tree"


def test_the_same_places_are_tried_again_wherever_they_have_moved_to(tree: Path, tmp_path: Path) -> None:
    into, file = tmp_path / "found.jsonl", "tests/cards/test_few.py"
    for was, becomes, verdict, by in (
        ("return number < 3", "return number <= 3", "survived", ""),
        ("return number < 3", "return number < 2", "killed", f"{file}::test_that_is_there_no_longer"),
        ("UNUSED = 7", "UNUSED = 8", "unfinished", ""),
    ):
        MUTATE["add_finding"](into, MUTATE["Finding"]("p2pcards/cards/few.py", 2, "", was, becomes, verdict, by))
    (tree / "p2pcards/cards/few.py").write_text("\n\n" + FEW.replace("= 7", "= 9"))
    (tree / file).write_text(TESTS + "    assert not few(3)\n")
    found, _ = mutate(tree, "--again", str(into))
    shown = [(one["line"], one["becomes"], one["verdict"], one["by"]) for one in found["findings"]]
    assert shown == [
        (4, "return number <= 3", "killed", f"{file}::test_four_are_not"),
        (4, "return number < 2", "killed", f"{file}::test_two_are_few"),
        (2, "UNUSED = 8", "gone", ""),
    ]
    assert (found["killed"], found["survived"], found["equivalent"], found["gone"]) == (2, 0, 0, 1)
    (tree / "p2pcards/cards/few.py").write_text("")
    found, _ = mutate(tree, "--again", str(into), "--survivors")
    assert [one["becomes"] for one in found["findings"]] == ["return number <= 3", "UNUSED = 8"]


def test_a_page_keeps_what_stands_around_its_table(tmp_path: Path) -> None:
    page, finding = tmp_path / "mutants.md", MUTATE["Finding"]
    page.write_text("# Before\n\n## The places\n\nan older table\n\n## After\n")
    found = [
        finding("p2pcards/a.py", 7, "comparison", "if a < b | c:", "if a <= b | c:", "killed", "tests/a.py::test_a"),
        finding("p2pcards/a.py", 9, "call", "f(1 | 2)", "pass", "unfinished"),
    ]
    MUTATE["write_page"](page, found)
    text = page.read_text()
    assert text.startswith("# Before\n\n## The places\n\n2 places: 1 killed, 1 unfinished; 50 % ")
    assert text.endswith("| p2pcards/a.py:9 | `` f(1 \\| 2) `` | `` pass `` | unfinished |\n\n## After\n"), (
        "a row for each that is not killed"
    )
    assert MUTATE["table"](found).endswith(
        "| p2pcards/a.py:7 | `` if a < b \\| c: `` | `` if a <= b \\| c: `` | killed: `tests/a.py::test_a` |\n"
    )


def test_what_pytest_says_is_read() -> None:
    ran, failed, hanging = [MUTATE[name] for name in ("Ran", "_failed", "_hanging")]
    line = "tests/a/test_b.py::test_c[x - FAILED y] "
    assert failed(ran(1, f"tests/a/test_b.py::test_a PASSED [ 1%]\n{line}FAILED  [ 7%]\n", 0)) == line.strip()
    assert failed(ran(2, "_______ ERROR collecting tests/a/test_b.py _______\n", 0)) == "tests/a/test_b.py"
    assert hanging(ran(None, f"tests/a/test_b.py::test_a PASSED [ 1%]\n{line}", 30.0)) == line.strip()
    assert hanging(ran(None, line, 3.0)) == "", "it had no time"
    assert hanging(ran(None, f"{line}PASSED [ 1%]\n", 30.0)) == ""
    assert hanging(ran(None, "", 30.0)) == ""
