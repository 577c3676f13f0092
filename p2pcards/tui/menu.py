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
    """The words in Textual's command palette. The screen has `words`, and begins a line by `begin`."""

    async def discover(self) -> Hits:
        for line, meaning in self._words():
            yield DiscoveryHit(line, self._said(line), help=meaning)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for line, meaning in self._words():
            if (score := matcher.match(f"{line} {meaning}")) > 0:
                yield Hit(score, matcher.highlight(f"{line} {meaning}"), self._said(line), text=line, help=meaning)

    def _words(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = self.screen.words()  # type: ignore[attr-defined]
        return found

    def _said(self, line: str) -> Callable[[], None]:
        return lambda: self.screen.begin(line)  # type: ignore[attr-defined]
