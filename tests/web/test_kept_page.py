"""The page as files, and what is found where an address serves another one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from p2pcards.page.files import PageFile, page_files, page_hash, program_zip
from p2pcards.web.kept_page import differences, is_address, write_page

FILES = {
    "index.html": PageFile(b"<p>cards</p>", "text/html", "", False),
    "deep/engine.js": PageFile(b"let x = 1;", "text/javascript", "", True),
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def space(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address of a web space that serves it."""
    folder = tmp_path / "space"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_web_space_serves_what_was_written_for_it(space: tuple[Path, str]) -> None:
    folder, address = space
    write_page(FILES, folder)
    assert [*differences(FILES, address)] == []
    with pytest.raises(FileExistsError):
        write_page(FILES, folder)


def test_each_file_that_is_another_is_named(space: tuple[Path, str]) -> None:
    folder, address = space
    write_page(FILES, folder)
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
