"""What there is to read, and where: the pages of the guide, and every word, game, option and setting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from p2pcards.frontend.words import WORDS
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.options import declared
from p2pcards.games.registry import GAMES
from p2pcards.present.glossary import TERMS
from p2pcards.present.pages import INDEX, PAGES, contents_lines, page_lines, term_lines
from p2pcards.present.width import wrap
from p2pcards.store.settings import declared_settings


@dataclass(frozen=True, slots=True)
class Topic:
    """where: what is typed to read of it; text: what it says, where a word is looked for."""

    name: str
    where: str
    text: str


def topics() -> Iterator[Topic]:
    for key, page in PAGES.items():
        yield Topic(page.title, f"p2pcards guide {key}", page.text)
    for term, text in TERMS.items():
        yield Topic(term, f"p2pcards guide {term}", text)
    for name, word in WORDS.items():
        yield Topic(f"{name}, at the table", f"help {name}", word.meaning)
    for key, game in GAMES.items():
        yield Topic(game.name, f"p2pcards rules {key}", " ".join(game.also))
        for option in declared(game.options):
            yield Topic(f"{option.key}, in {game.name}", f"p2pcards options {key}", option.meaning)
    for one in declared_settings():
        whole = one.name == one.name.lower()  # words in capitals stand for any
        yield Topic(f"{one.name}, a setting", f"p2pcards config {f'get {one.name}' if whole else 'list'}", one.meaning)


def read_guide(words: str) -> list[str]:
    """The contents; a page; a term; the index; or every topic that has these words; nothing where there is none."""
    asked = words.lower().strip()
    if not asked:
        return contents_lines()
    if asked in PAGES:
        return page_lines(asked)
    if asked in TERMS:
        return term_lines(asked)
    found = [topic for topic in topics() if asked == INDEX or asked in f"{topic.name} {topic.text}".lower()]
    found.sort(key=lambda topic: topic.name.lower())
    return [line for topic in found for line in wrap(f"{topic.name}: {topic.where}", indent="    ")]


def nothing_text(words: str) -> str:
    """What is said where there is nothing to read."""
    meant = did_you_mean(words.lower(), [*PAGES, INDEX, *TERMS], 0.6) or "'guide' lists the pages."
    return f"The guide tells nothing of {words[:30]!r}. {meant}"
