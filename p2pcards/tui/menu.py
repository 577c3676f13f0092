"""Everything that can be said now, for who would rather choose than remember: the menu and the command palette."""

from __future__ import annotations

from collections.abc import Callable

from textual.command import DiscoveryHit, Hit, Hits, Provider

from p2pcards.frontend.words import WORDS
from p2pcards.views.tableview import TableView

BY_CARDS = ("play", "pass", "draw", "suit")
"""Words of the game, which cards and buttons stand for."""


def words_now(view: TableView) -> list[tuple[str, str]]:
    """(how it begins, what it does) of every word that works now, with a space behind one that wants more."""
    working = [(name, word) for name, word in WORDS.items() if word.works(view) and name not in BY_CARDS]
    return [(f"{name} " if word.least else name, word.meaning) for name, word in working]


class WordPalette(Provider):
    """The words in Textual's command palette. The screen has a `view`, and begins a line by `begin`."""

    async def discover(self) -> Hits:
        for line, meaning in words_now(self._view()):
            yield DiscoveryHit(line, self._said(line), help=meaning)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for line, meaning in words_now(self._view()):
            if (score := matcher.match(f"{line} {meaning}")) > 0:
                yield Hit(score, matcher.highlight(f"{line} {meaning}"), self._said(line), text=line, help=meaning)

    def _view(self) -> TableView:
        found: TableView = self.screen.view  # type: ignore[attr-defined]
        return found

    def _said(self, line: str) -> Callable[[], None]:
        return lambda: self.screen.begin(line)  # type: ignore[attr-defined]
