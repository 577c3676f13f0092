"""The page as files, and what is found where an address serves another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from p2pcards.links.webdoor import CONTENT_POLICY
from p2pcards.page.files import PageFile, page_hash, program_zip, whole_page_files
from p2pcards.web.kept_page import find_differences, is_address, write_page
from rigs.web_space import web_space

FILES = {
    "index.html": PageFile(b"<p>cards</p>", "text/html", "", False),
    "deep/engine.js": PageFile(b"let x = 1;", "text/javascript", "", True),
}


@pytest.fixture
def space(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address of a web space that serves it."""
    folder = tmp_path / "space"
    with web_space(folder) as address:
        yield folder, address


def test_a_web_space_serves_what_was_written_for_it(space: tuple[Path, str]) -> None:
    folder, address = space
    write_page(FILES, folder)
    assert [*find_differences(FILES, address)] == []
    with pytest.raises(FileExistsError):
        write_page(FILES, folder)


def test_the_page_that_lies_there_is_that_of_a_host(space: tuple[Path, str]) -> None:
    """What is large lies compressed, as the server may know of no compression; the hash is the same."""
    folder, address = space
    write_page(whole_page_files(), folder)
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 10_000_000
    assert [*find_differences(whole_page_files(), address)] == []
    assert (folder / "hash.txt").read_text() == f"{page_hash()}\npacked\n"
    (program,) = folder.glob("program-*.zip")
    program.write_bytes(program.read_bytes()[:-1])
    (sentence,) = find_differences(whole_page_files(), address)
    assert sentence.startswith(f"{program.name} differs: ")


def test_the_page_carries_the_policy_that_a_web_space_does_not_send() -> None:
    """All but who may show it inside of their own, which means nothing there."""
    text = whole_page_files()["index.html"].content.decode()
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert f"{policy}; frame-ancestors 'none'" == CONTENT_POLICY
    assert text.index(policy) < text.index("<link")


def test_no_script_has_a_name_that_a_server_may_not_know() -> None:
    """Browsers run no module that is not called JavaScript, and many servers know nothing of .mjs."""
    assert not [name for name in whole_page_files() if name.endswith(".mjs")]


def test_each_file_that_is_another_is_named(space: tuple[Path, str]) -> None:
    folder, address = space
    write_page(FILES, folder)
    (folder / "deep/engine.js").write_text("let x = 2;")
    (folder / "index.html").unlink()
    missing, other = find_differences(FILES, address)
    assert missing == "index.html is missing."
    assert other.startswith("deep/engine.js differs: 10 bytes with hash ")


def test_an_address_where_nothing_is_served_is_an_error(space: tuple[Path, str]) -> None:
    with pytest.raises(OSError, match="refused"):
        list(find_differences(FILES, "http://127.0.0.1:9/"))
    assert is_address("https://example.org/cards/")
    assert not is_address("ftp://example.org/") and not is_address("cards")


def test_the_program_is_the_same_each_time_and_has_its_own_name() -> None:
    assert program_zip() == program_zip()
    files = whole_page_files()
    anew = {name for name, file in files.items() if not file.lasting}
    on_home_screen = {"manifest.json", "icon.svg", "icon-192.png", "icon-512.png"}
    assert anew == {"index.html", "digests.txt", "hash.txt", "preact.txt", "service.js", *on_home_screen}
    assert files["hash.txt"].content.decode() == f"{page_hash()}\n"
    assert sha256(files["digests.txt"].content).hexdigest() == page_hash()
    listed = dict(line.split(" ") for line in files["digests.txt"].content.decode().splitlines())
    others = {name: file for name, file in files.items() if name not in ("digests.txt", "hash.txt")}
    assert listed == {name: sha256(file.content).hexdigest() for name, file in others.items()}
    assert sum(len(file.body) for name, file in files.items() if name.startswith("engine-")) < 8_000_000


ASKED_BY = {"page": "index", "worker": "index", "set": "worker", "program": "set"}


def test_each_file_that_lasts_has_the_name_of_its_bytes_and_is_asked_for_by_it() -> None:
    """So one that changes changes the names of all that lead to it, up to the only file that is asked for anew. What
    keeps the page lists them all."""
    texts = {
        name: file.content for name, file in whole_page_files().items() if "/" not in name and name != "service.js"
    }
    lasting = [name for name, file in whole_page_files().items() if name in texts and file.lasting]
    assert sorted(map(_called, lasting)) == ["page", "page", "program", "set", "worker"]
    for name in lasting:
        assert name.rpartition(".")[0] == f"{_called(name)}-{sha256(texts[name]).hexdigest()[:16]}"
        asked = [other for other, text in texts.items() if f'"{name}"'.encode() in text]
        assert [_called(other) for other in asked] == [ASKED_BY[_called(name)]]


def _called(name: str) -> str:
    """Without the hash."""
    return name.partition(".")[0].partition("-")[0]
