"""A link for watching: who opens it asks to watch, and sees the table once the host has said yes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigs.host_at_terminal import hosting_at_terminal
from rigs.page_files import PageWithFiles
from rigs.pages import browsing
from rigs.program import MakeProgram

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("name", ["chromium", "firefox"])]

WATCHING = "/You're watching/.test(document.body?.innerText)"


def test_a_page_watches_by_the_link_for_watching(name: str, make_program: MakeProgram, tmp_path: Path) -> None:
    with (
        hosting_at_terminal(make_program("ann"), "onlooker", "Wes") as ann,
        browsing(name, tmp_path / "profile") as browser,
    ):
        page = PageWithFiles(browser.open(ann.link.replace("#", "?watch#")), Path())
        page.until("You're invited to watch")
        page.type(".invited input", "Wes")
        page.push("Watch")
        ann.answer("wants to watch", "watchers yes")
        page.once(WATCHING)
        page.tab.reload()
        page.once(WATCHING)
        page.tab.close()
        known = PageWithFiles(browser.open(ann.link.replace("#", "?watch#").partition("#")[0]), Path())
        known.until("You're invited to watch")
        known.type(".invited input", "Wes")
        known.push("Watch")
        known.once(WATCHING)
