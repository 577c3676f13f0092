"""The kernels compiled by mypyc play as they do uncompiled. A wheel has them where there is a C compiler."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = Path("p2pcards/games")
PACKAGES = (Path("p2pcards"), GAMES, GAMES / "deals")
CACHE = Path(sys.prefix) / "compiled-kernels"
"""By what they were made from. The compiler takes more than a minute, so the next run takes what is there."""
MAKING = "making-"

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")


@needs_compiler
@pytest.mark.parametrize(("playouts", "number"), [(20, 4), pytest.param(60, 12, marks=pytest.mark.slow)])
def test_compiled_kernels_decide_as_the_sources_do(tmp_path: Path, playouts: int, number: int) -> None:
    plain, compiled = tmp_path / "plain", tmp_path / "compiled"
    for place in (plain, compiled):
        shutil.copytree(ROOT / "p2pcards", place / "p2pcards", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copytree(compiled_kernels(), compiled, dirs_exist_ok=True)
    check_kernels(plain, compiled, playouts, number)


@pytest.mark.slow
@needs_compiler
def test_a_wheel_has_the_kernels_compiled(tmp_path: Path) -> None:
    plain, compiled = tmp_path / "plain", tmp_path / "compiled"
    assert "py3-none-any" in wheel(ROOT, plain, P2PCARDS_COMPILE="never")
    assert "py3-none-any" not in wheel(ROOT, compiled)
    check_kernels(plain, compiled, 60, 12)


@needs_compiler
def test_a_wheel_of_one_small_kernel_has_it_compiled(tmp_path: Path) -> None:
    """All that makes the wheel is ours; the program is so small that the compiler is soon done."""
    compiled = tmp_path / "compiled"
    assert "py3-none-any" not in wheel(small_program(tmp_path / "small"), compiled)
    assert (compiled / GAMES / "deals/double.py").exists()
    say = "from p2pcards.games.deals import double; print(double.__file__, double.double(21))"
    file, doubled = run("-P", "-c", say, PYTHONPATH=path_to(compiled)).split()
    assert file.endswith(".so") and doubled == "42"


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_without_a_compiler_a_wheel_suits_every_machine(tmp_path: Path, whole: bool) -> None:
    program = ROOT if whole else small_program(tmp_path / "small")
    said = wheel(program, tmp_path / "wheel", PATH=str(tmp_path))
    assert "py3-none-any" in said
    assert "The kernels are left uncompiled, which plays the same but slower: error: " in said


def check_kernels(plain: Path, compiled: Path, playouts: int, number: int) -> None:
    """Of two places with the program, the kernels of one are compiled, and both decide alike."""
    kernels = sources(ROOT)
    assert sources(plain) == sources(compiled) == kernels, "the sources are in every wheel"
    modules = {f"{path.parent.name}/{path.name.partition('.')[0]}" for path in (compiled / GAMES).rglob("*.so")}
    assert kernels <= modules and not list(plain.rglob("*.so"))
    assert kernel_of(plain) == str(plain / GAMES / "hearts/deal.py") and kernel_of(compiled).endswith(".so")
    one, other = [decisions(place, playouts, number) for place in (plain, compiled)]
    assert one == other
    assert len(set(one)) > 5
    for sender, receiver in ((plain, compiled), (compiled, plain)):
        sent = run("-P", "-m", "rigs.sending", PYTHONPATH=path_to(sender)).strip()
        assert run("-P", "-m", "rigs.sending", sent, PYTHONPATH=path_to(receiver)) == "True\n"


def kernels_of(place: Path) -> list[Path]:
    found: list[Path] = runpy.run_path(str(ROOT / "scripts/build_kernels"))["kernels"](place)
    return found


def compiled_kernels() -> Path:
    """The folder that has them, made where no run has made it of the same sources, script, compiler and Python."""
    made_from = blake2b(f"{sys.version} {version('mypy')} {version('setuptools')}".encode(), digest_size=8)
    made_from.update(run_program("cc", "--version").encode())
    for file in (ROOT / "scripts/build_kernels", *[ROOT / path for path in kernels_of(ROOT)]):
        made_from.update(f"{file.name} {file.stat().st_size} ".encode() + file.read_bytes())
    folder = CACHE / made_from.hexdigest()
    if not folder.exists():
        CACHE.mkdir(exist_ok=True)
        making = Path(mkdtemp(dir=CACHE, prefix=MAKING))
        run(ROOT / "scripts/build_kernels", making)
        for other in CACHE.iterdir():
            if not other.name.startswith(MAKING):  # another run may be at work
                shutil.rmtree(other)
        making.rename(folder)
    return folder


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
    said = run("-m", "hatchling", "build", "--target", "wheel", "--directory", packed, folder=program, **environment)
    (file,) = packed.iterdir()
    ZipFile(file).extractall(place)
    return f"{said}{file.name}"


def sources(place: Path) -> set[str]:
    """Of the kernels there."""
    return {f"{path.parent.name}/{path.stem}" for path in kernels_of(place)}


def decisions(place: Path, playouts: int, number: int) -> list[str]:
    """Of the program at a place, in so many positions of each game, at a level that tries so many hands out."""
    told = run("-P", "-m", "rigs.decisions", "standard", playouts, number, PYTHONPATH=path_to(place))
    return told.splitlines()


def kernel_of(place: Path) -> str:
    say = "from p2pcards.games.hearts import deal; print(deal.__file__)"
    return run("-P", "-c", say, PYTHONPATH=path_to(place)).strip()


def path_to(place: Path) -> str:
    return os.pathsep.join((str(place), str(ROOT / "tests")))


def run(*arguments: str | int | Path, folder: Path = ROOT, **environment: str) -> str:
    """What a process of Python says, on both its streams."""
    return run_program(sys.executable, *arguments, folder=folder, **environment)


def run_program(*arguments: str | int | Path, folder: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, arguments)),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
