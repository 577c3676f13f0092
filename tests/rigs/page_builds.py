"""Two builds of the page: that of this program, and one of a program in which something differs."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from p2pcards.page import files
from p2pcards.page.files import PageFile, program_zip, whole_page_files
from p2pcards.web.kept_page import write_page


def newer_build(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, PageFile]:
    whole_page_files()  # cached from here on, before anything differs
    program = io.BytesIO(program_zip())
    with zipfile.ZipFile(program, "a") as archive:
        archive.writestr("p2pcards/newer.txt", "newer")
    monkeypatch.setattr(files, "program_zip", program.getvalue)
    return whole_page_files.__wrapped__()


def hash_of(build: Mapping[str, PageFile]) -> str:
    return build["hash.txt"].content.decode().strip()


def put(build: Mapping[str, PageFile], space: Path) -> None:
    """Replace the page in a web space, and date it later: a server tells the time of a file in whole seconds."""
    later = space.stat().st_mtime + 10
    shutil.rmtree(space)
    write_page(build, space)
    for path in space.rglob("*"):
        os.utime(path, (later, later))
