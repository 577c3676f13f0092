"""A wheel has the kernels compiled by mypyc where there is a C compiler. They play as they do uncompiled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNELS = Path("p2pcards/players/kernels")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_compiled_kernels_decide_as_the_sources_do(tmp_path: Path) -> None:
    plain, compiled = tmp_path / "plain", tmp_path / "compiled"
    assert "py3-none-any" in wheel(plain, P2PCARDS_COMPILE="never")
    assert "py3-none-any" not in wheel(compiled)
    kernels = sources(ROOT)
    assert sources(plain) == sources(compiled) == kernels, "the sources are in every wheel"
    modules = {path.name.partition(".")[0] for path in (compiled / KERNELS).glob("*.so")}
    assert kernels - {"__init__"} <= modules and not list((plain / KERNELS).glob("*.so"))
    assert kernel_of(plain) == str(plain / KERNELS / "hearts.py") and kernel_of(compiled).endswith(".so")
    one, other = [decisions(place) for place in (plain, compiled)]
    assert one == other
    assert len(set(one)) > 5


def test_without_a_compiler_a_wheel_suits_every_machine(tmp_path: Path) -> None:
    said = wheel(tmp_path / "wheel", PATH=str(tmp_path))
    assert "py3-none-any" in said
    assert "The kernels are left uncompiled, which plays the same but slower: error: " in said


def wheel(place: Path, **environment: str) -> str:
    """Makes a wheel and unpacks it at the place. What was said, and the name of the wheel."""
    packed = place.parent / f"{place.name}.dist"
    environment = {"P2PCARDS_COMPILE": "", **environment}
    said = run("-m", "hatchling", "build", "--target", "wheel", "--directory", packed, **environment)
    (file,) = packed.iterdir()
    ZipFile(file).extractall(place)
    return f"{said}{file.name}"


def sources(place: Path) -> set[str]:
    return {path.stem for path in (place / KERNELS).glob("*.py")}


def decisions(place: Path) -> list[str]:
    """Of an unpacked wheel, at a level that tries 60 hands out."""
    return run("-P", "-m", "rigs.decisions", "standard", 60, 12, PYTHONPATH=path_to(place)).splitlines()


def kernel_of(place: Path) -> str:
    say = "from p2pcards.players.kernels import hearts; print(hearts.__file__)"
    return run("-P", "-c", say, PYTHONPATH=path_to(place)).strip()


def path_to(place: Path) -> str:
    return os.pathsep.join((str(place), str(ROOT / "tests")))


def run(*arguments: str | int | Path, **environment: str) -> str:
    """What a process of Python says, on both its streams."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
