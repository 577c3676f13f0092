"""scripts/p2pcards on machines where something is missing. A shell script stands in for the Python found there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rigs.giving_up import GIVE_UP

ROOT = Path(__file__).parents[1]

# Makes an environment whose python writes down what it is asked to do, and needs no network for that.
WORKING = f"""#!/bin/sh
case "$*" in
    *find_spec*) echo 3.11.2; exit 0 ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && echo venv >>"$(dirname "$0")/calls" ;;
    "-m pip --version") [ -e "$(dirname "$0")/../pip" ] ;;
    "-m pip install "*) sleep 0.2; touch "$(dirname "$0")/../pip"; echo "Collecting trio" ;;
    "-P -m p2pcards "*) echo "ran $* in $PWD" ;;
    *fcntl*) exec {sys.executable} "$@" ;;
esac
"""


def make_python(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of what scripts/p2pcards needs, in a folder with a space in its name."""
    folder = tmp_path / "the root"
    (folder / "scripts").mkdir(parents=True)
    (folder / "locks").mkdir()
    for name in ("scripts/p2pcards", "scripts/environment.sh", "locks/run.txt", "locks/web.txt", "locks/dev.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def start(root: Path, python: Path, *args: str, cwd: Path | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [root / "scripts" / "p2pcards", *args],
        cwd=cwd or root,
        env={**os.environ, "PYTHON": str(python)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(root: Path, python: Path, *args: str, cwd: Path | None = None) -> tuple[int, str, str]:
    with start(root, python, *args, cwd=cwd) as process:
        out, err = process.communicate(timeout=GIVE_UP)
    return process.returncode, out, err


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("echo 3.11.2; exit 4", "apt install python3-venv"),
        ("echo 3.9.2; exit 3", "is Python 3.9.2, and 3.11 or newer is needed"),
        ("exit 1", "does not run as Python"),
    ],
)
def test_a_python_that_will_not_do_gets_a_sentence(root: Path, tmp_path: Path, answer: str, sentence: str) -> None:
    python = make_python(tmp_path / "python", f"#!/bin/sh\n{answer}\n")
    code, out, err = run(root, python, "--help")
    assert (code, out) == (69, "")
    assert sentence in err
    assert not (root / ".venv-run").exists()


def test_a_missing_python_gets_a_sentence(root: Path, tmp_path: Path) -> None:
    code, _, err = run(root, tmp_path / "none", "--help")
    assert code == 69
    assert f"PYTHON={tmp_path / 'none'} does not run as Python" in err


def test_the_environment_is_made_once_and_again_when_the_lock_changed(root: Path, tmp_path: Path) -> None:
    python = make_python(tmp_path / "python", WORKING)
    code, out, err = run(root, python, "games", "--json")
    assert (code, out) == (0, f"ran -P -m p2pcards games --json in {root}\n")
    assert "Making the environment in .venv-run" in err
    assert "done in" in err
    assert run(root, python, "games")[2] == ""

    with (root / "locks" / "run.txt").open("a") as lock:
        lock.write("new==1\n")
    assert "Making the environment" in run(root, python, "games")[2]
    assert run(root, python, "games")[2] == ""
    assert (tmp_path / "calls").read_text().split() == ["venv"]


def test_what_a_browser_needs_is_added_when_it_is_asked_for_and_kept(root: Path, tmp_path: Path) -> None:
    python = make_python(tmp_path / "python", WORKING)
    run(root, python, "games")
    _, out, err = run(root, python, "web", "--port", "8000")
    assert out == f"ran -P -m p2pcards web --port 8000 in {root}\n"
    assert "Making the environment in .venv-run" in err
    assert run(root, python, "web")[2] == ""
    assert run(root, python, "games")[2] == ""
    assert (tmp_path / "calls").read_text().split() == ["venv"]


def test_any_working_directory_and_a_symlink(root: Path, tmp_path: Path) -> None:
    python = make_python(tmp_path / "python", WORKING)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = elsewhere / "cards"
    link.symlink_to(root / "scripts" / "p2pcards")
    command: list[str | Path] = [link, "who is", "there"]
    environment = {**os.environ, "PYTHON": str(python)}
    done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"ran -P -m p2pcards who is there in {elsewhere}\n"
    assert (root / ".venv-run").is_dir()
    assert list(elsewhere.iterdir()) == [link]


def test_two_started_at_once_make_one_environment(root: Path, tmp_path: Path) -> None:
    python = make_python(tmp_path / "python", WORKING)
    both = [start(root, python, str(number)) for number in (1, 2)]
    said = [process.communicate(timeout=GIVE_UP) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert [out.split(" in ")[0] for out, _ in said] == ["ran -P -m p2pcards 1", "ran -P -m p2pcards 2"]
    assert (tmp_path / "calls").read_text().split() == ["venv"]


def test_a_failed_install_leaves_nothing_and_shows_the_cause(root: Path, tmp_path: Path) -> None:
    broken = WORKING.replace('touch "$(dirname "$0")/../pip"', 'echo "ERROR: no space left on device"; exit 1')
    code, out, err = run(root, make_python(tmp_path / "python", broken), "games")
    assert (code, out) == (69, "")
    assert "ERROR: no space left on device" in err
    assert "the packages could not be installed" in err
    assert not (root / ".venv-run").exists()
