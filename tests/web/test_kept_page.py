"""The page as files, and what is found where an address serves another one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2pcards.links.webdoor import CONTENT_POLICY
from p2pcards.page.files import PageFile, files_to_lie, page_files, page_hash, program_zip
from p2pcards.web.kept_page import differences, is_address, write_page
from rigs.spaces import address_of, serving

FILES = {
    "index.html": PageFile(b"<p>cards</p>", "text/html", "", False),
    "deep/engine.js": PageFile(b"let x = 1;", "text/javascript", "", True),
}

PLAIN = {name: file.body for name, file in FILES.items()}


@pytest.fixture
def space(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address of a web space that serves it."""
    folder = tmp_path / "space"
    folder.mkdir()
    with serving(folder) as server:
        yield folder, address_of(server)


def test_a_web_space_serves_what_was_written_for_it(space: tuple[Path, str]) -> None:
    folder, address = space
    write_page(PLAIN, folder)
    assert [*differences(FILES, address)] == []
    with pytest.raises(FileExistsError):
        write_page(PLAIN, folder)


def test_the_page_that_lies_there_is_that_of_a_host(space: tuple[Path, str]) -> None:
    """What is large lies compressed, as the server may know of no compression; the hash is the same."""
    folder, address = space
    write_page(files_to_lie(), folder)
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 10_000_000
    assert [*differences(page_files(), address)] == []
    listed = json.loads((folder / "set.json").read_text())
    assert listed.pop("packed") is True
    assert listed["hash"] == page_hash()
    (folder / "set.json").write_text(json.dumps(listed | {"packed": True, "program": "another.zip"}))
    (program,) = folder.glob("program-*.zip")
    program.write_bytes(program.read_bytes()[:-1])
    assert [sentence.partition(" is another")[0] for sentence in differences(page_files(), address)] == [
        program.name,
        "set.json",
    ]


def test_the_page_carries_the_policy_that_a_web_space_does_not_send() -> None:
    """All but who may show it inside of their own, which means nothing there."""
    text = page_files()["index.html"].content.decode()
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert f"{policy}; frame-ancestors 'none'" == CONTENT_POLICY
    assert text.index(policy) < text.index("<link")


def test_no_script_has_a_name_that_a_server_may_not_know() -> None:
    """Browsers run no module that is not called JavaScript, and many servers know nothing of .mjs."""
    assert not [name for name in page_files() if name.endswith(".mjs")]


def test_each_file_that_is_another_is_named(space: tuple[Path, str]) -> None:
    folder, address = space
    write_page(PLAIN, folder)
    (folder / "deep/engine.js").write_text("let x = 2;")
    (folder / "index.html").unlink()
    missing, other = differences(FILES, address)
    assert missing == "index.html is not there."
    assert other.startswith("deep/engine.js is another: 10 bytes with the hash ")


def test_an_address_where_nothing_is_served_is_an_error(space: tuple[Path, str]) -> None:
    with pytest.raises(OSError, match="refused"):
        list(differences(FILES, "http://127.0.0.1:9/"))
    assert is_address("https://example.org/cards/")
    assert not is_address("ftp://example.org/") and not is_address("cards")


def test_the_program_is_the_same_each_time_and_has_its_own_name() -> None:
    assert program_zip() == program_zip()
    files = page_files()
    lasting = [name for name, file in files.items() if file.lasting]
    assert all("-" in name for name in lasting)
    assert page_hash().encode() in files["set.json"].body
    assert sum(len(file.body) for name, file in files.items() if name.startswith("engine-")) < 8_000_000
