"""The kernels compiled by mypyc play as they do uncompiled. A wheel has them where there is a C compiler."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = Path("p2pcards/games")
TRY = ROOT / "scripts/try_wheel.py"
PACKAGES = (Path("p2pcards"), GAMES, GAMES / "deals")

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
needs_compiled = pytest.mark.skipif(os.environ["P2PCARDS_KERNELS"] != "compiled", reason="the kernels are not compiled")


@needs_compiled
@pytest.mark.parametrize(("playouts", "number"), [(20, 4), pytest.param(60, 12, marks=pytest.mark.slow)])
def test_compiled_kernels_decide_as_the_sources_do(playouts: int, number: int) -> None:
    check_kernels(environment_of(ROOT, "written"), environment_of(ROOT, "compiled"), playouts, number)


@needs_compiled
def test_every_kernel_is_compiled() -> None:
    assert sources(ROOT) <= compiled_modules(ROOT)


def test_kernels_that_are_compiled_while_a_program_runs_are_left_to_the_next(tmp_path: Path) -> None:
    """They take no positions of the kernels that it has loaded already. What is put there would not load at all."""
    small_program(tmp_path)
    modules = [str(GAMES / name) for name in ("compiled__mypyc", "deals/double")]
    script = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
import p2pcards
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
for module in {modules}:
    Path({str(tmp_path)!r}, module + EXTENSION_SUFFIXES[0]).write_text("no library")
from p2pcards.games.deals import double
print(double.double(21))
"""
    assert run("-I", "-c", script).strip() == "42"
    late = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from p2pcards.games.deals import double"
    with pytest.raises(AssertionError, match="ImportError"):
        run("-c", late, environment={"P2PCARDS_KERNELS": "compiled"})
    assert run("-c", late, environment={"P2PCARDS_KERNELS": "written"}) == ""


@pytest.mark.slow
@needs_compiler
def test_a_wheel_has_the_kernels_compiled(tmp_path: Path) -> None:
    plain, compiled = tmp_path / "plain", tmp_path / "compiled"
    assert "py3-none-any" in wheel(ROOT, plain, P2PCARDS_COMPILE="never")
    assert "py3-none-any" not in wheel(ROOT, compiled)
    kernels = sources(ROOT)
    assert sources(plain) == sources(compiled) == kernels, "the sources are in every wheel"
    assert kernels <= compiled_modules(compiled) and not list(plain.rglob("*.so"))
    check_kernels(environment_of(plain, "compiled"), environment_of(compiled, "compiled"), 60, 12)


@needs_compiler
def test_a_wheel_of_one_small_kernel_has_it_compiled(tmp_path: Path) -> None:
    """All that makes the wheel is ours; the program is so small that the compiler is soon done."""
    compiled = tmp_path / "compiled"
    assert "py3-none-any" not in wheel(small_program(tmp_path / "small"), compiled)
    assert (compiled / GAMES / "deals/double.py").exists()
    say = "from p2pcards.games.deals import double; print(double.__file__, double.double(21))"
    file, doubled = run("-P", "-c", say, environment=environment_of(compiled, "compiled")).split()
    assert file.endswith(".so") and doubled == "42"


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_without_a_compiler_a_wheel_suits_every_machine(tmp_path: Path, whole: bool) -> None:
    program = ROOT if whole else small_program(tmp_path / "small")
    said = wheel(program, tmp_path / "wheel", PATH=str(tmp_path))
    assert "py3-none-any" in said
    assert "The kernels are left uncompiled, so upper levels play weaker: error: " in said


def test_no_wheel_is_made_without_kernels_where_they_are_wanted(tmp_path: Path) -> None:
    program = small_program(tmp_path / "small")
    with pytest.raises(AssertionError, match="The kernels cannot be compiled:"):
        wheel(program, tmp_path / "wheel", PATH=str(tmp_path), P2PCARDS_COMPILE="always")


@needs_compiled
def test_an_installed_program_is_tried_for_what_it_plays_at() -> None:
    said = run("-P", TRY, folder=Path.home(), environment=environment_of(ROOT, "compiled"))
    assert f"{len(kernels_of(ROOT))} kernels are compiled" in said and "first card of whist" in said


def test_one_without_compiled_kernels_fails() -> None:
    with pytest.raises(AssertionError, match="are not compiled"):
        run("-P", TRY, environment=environment_of(ROOT, "written"))


def test_wheels_are_made_for_every_python_that_a_newcomer_may_have() -> None:
    pythons = runpy.run_path(str(ROOT / "scripts/fresh"), run_name="fresh")["PYTHONS"]
    with (ROOT / "pyproject.toml").open("rb") as file:
        made = tomllib.load(file)["tool"]["cibuildwheel"]
    assert made["build"] == [f"cp{version.replace('.', '')}-*" for version in pythons]


def check_kernels(plain: dict[str, str], compiled: dict[str, str], playouts: int, number: int) -> None:
    """The kernels that are found in one environment are compiled, and those of both decide alike."""
    assert kernel_of(plain).endswith("hearts/deal.py") and kernel_of(compiled).endswith(".so")
    one, other = [decisions(environment, playouts, number) for environment in (plain, compiled)]
    assert one == other
    assert len(set(one)) > 5
    for sender, receiver in ((plain, compiled), (compiled, plain)):
        sent = run("-P", "-m", "rigs.sending", environment=sender).strip()
        assert run("-P", "-m", "rigs.sending", sent, environment=receiver) == "True\n"


def kernels_of(place: Path) -> list[Path]:
    found: list[Path] = runpy.run_path(str(ROOT / "scripts/build_kernels"))["kernels"](place)
    return found


def small_program(place: Path) -> Path:
    """What makes a wheel, around one kernel that nobody plays with."""
    for package in PACKAGES:
        (place / package).mkdir(parents=True)
        shutil.copy(ROOT / package / "__init__.py", place / package)
    (place / GAMES / "deals/double.py").write_text("def double(number: int) -> int:\n    return 2 * number\n")
    (place / "scripts").mkdir()
    for file in ("scripts/build_hook.py", "scripts/build_kernels", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, place / file)
    return place


def wheel(program: Path, place: Path, **environment: str) -> str:
    """Makes a wheel and unpacks it at the place. What was said, and the name of the wheel."""
    packed = place.parent / f"{place.name}.dist"
    environment = {"P2PCARDS_COMPILE": "", **environment}
    said = run(
        "-m", "hatchling", "build", "--target", "wheel", "--directory", packed, folder=program, environment=environment
    )
    (file,) = packed.iterdir()
    ZipFile(file).extractall(place)
    return f"{said}{file.name}"


def sources(place: Path) -> set[str]:
    """Of the kernels there."""
    return {f"{path.parent.name}/{path.stem}" for path in kernels_of(place)}


def compiled_modules(place: Path) -> set[str]:
    return {f"{path.parent.name}/{path.name.partition('.')[0]}" for path in (place / GAMES).rglob("*.so")}


def decisions(environment: dict[str, str], playouts: int, number: int) -> list[str]:
    """In so many positions of each game, at a level that tries so many hands out."""
    return run("-P", "-m", "rigs.decisions", "standard", playouts, number, environment=environment).splitlines()


def kernel_of(environment: dict[str, str]) -> str:
    return run(
        "-P", "-c", "from p2pcards.games.hearts import deal; print(deal.__file__)", environment=environment
    ).strip()


def environment_of(place: Path, kernels: str) -> dict[str, str]:
    """Where the program at a place is found, with its kernels so."""
    return {"PYTHONPATH": os.pathsep.join((str(place), str(ROOT / "tests"))), "P2PCARDS_KERNELS": kernels}


def run(*arguments: str | int | Path, folder: Path = ROOT, environment: Mapping[str, str] | None = None) -> str:
    """What a process of Python says, on both its streams."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
