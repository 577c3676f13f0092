"""The guide as a whole: every page by its name, every topic, and what is found where a word is looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from p2pcards.frontend.made_pages import GAME_KINDS, GAME_PAGES, HERE, MADE, about_game
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.nearest import did_you_mean
from p2pcards.games.registry import GAMES, UnknownGame, find_variant
from p2pcards.present.markdown import Block, Part, anchor_of, parts_of, plain_lines, read_markdown, typed_address
from p2pcards.present.pages import CONTENTS, GLOSSARY, INDEX, written_pages
from p2pcards.present.width import wrap
from p2pcards.views.tableview import TableView

SEARCH = "search/"
"""What the name of a page of findings begins with."""
WHERE = {"words": "at the table", "settings": "a setting", "characters": "a character"}
"""What is added to the names of what such a page has."""


@dataclass(frozen=True, slots=True)
class Topic:
    """address: of the page and the heading in it; text: what stands there, where a word is looked for."""

    name: str
    address: str
    text: str


def page_names() -> tuple[str, ...]:
    """Every page but those that are made for the moment, such as findings."""
    return (*written_pages(), *[name for name in MADE if name != HERE], INDEX, *GAME_PAGES)


def following_words(before: Sequence[str]) -> list[str]:
    """What may stand after these words in the name of a page."""
    names = [name.split("/") for name in page_names()]
    count = len(before)
    return list(dict.fromkeys([name[count] for name in names if len(name) > count and name[:count] == [*before]]))


def page_text(name: str, view: TableView | None = None) -> str:
    """A page as Markdown, "" where there is none. view: of the table at which it is read."""
    if name in MADE:
        return MADE[name](view)
    if name == INDEX:
        return _index()
    if name.startswith(SEARCH):
        return _findings(name.removeprefix(SEARCH))
    if name.partition("/")[0] in GAME_KINDS:
        try:
            return about_game(name, view)
        except UnknownGame:
            return ""
    return written_pages().get(name, "")


def page_blocks(name: str, view: TableView | None = None) -> tuple[Block, ...]:
    return read_markdown(page_text(name, view), "" if name.startswith(SEARCH) else name)


@cache
def topics() -> tuple[Topic, ...]:
    """Every heading of every page, in the order of the alphabet."""
    found = [
        _topic(name, part)
        for name in page_names()
        if name != INDEX
        for part in parts_of(page_blocks(name))
        if part.blocks[0].level == 1 or not name.startswith("rules/")
    ]
    return tuple(sorted(found, key=lambda topic: topic.name.lower()))


def address_of(words: str) -> str:
    """Where these words lead: to a page, a heading of one, or a term; "" where they are none of these."""
    asked = words.lower().replace("/", " ").split()
    for count in range(len(asked), 0, -1):
        name, rest = _named(asked[:count]), anchor_of(" ".join(asked[count:]))
        if name and (not rest or part_of(name, rest)):
            return f"{name}#{rest}" if rest else name
    term = anchor_of(" ".join(asked))
    return f"{GLOSSARY}#{term}" if term and part_of(GLOSSARY, term) else _named(["rules", *asked])


def address_asked(name: str, arguments: Sequence[str], view: TableView) -> str:
    """The page that a word of the table opens where the guide is at hand, "" for a word that opens none. Raises
    UnknownGame."""
    words = " ".join(arguments)
    if name == "help":
        return "" if words else HERE
    if name == "guide":
        return address_of(words) or SEARCH + words if words else CONTENTS
    if name not in GAME_KINDS:
        return ""
    game, preset = find_variant(words or view.game or "")
    return f"{name}/{words if preset else game.key}" if words or view.game else "games"


def part_of(name: str, anchor: str, view: TableView | None = None) -> Part | None:
    """The part of a page below a heading; the whole page for ""."""
    parts = parts_of(page_blocks(name, view))
    return next((part for part in parts if anchor in ("", part.anchor)), None)


def read_guide(words: str, view: TableView | None = None) -> list[str]:
    """The contents; a page, a heading or a term; or every topic that has these words; nothing where there is none."""
    address = address_of(words) if words.strip() else CONTENTS
    name, _, anchor = address.partition("#")
    if part := part_of(name, anchor, view) if name else None:
        return plain_lines(part.blocks)
    return [
        line
        for topic in _having(words)
        for line in wrap(f"{topic.name}: guide {typed_address(topic.address)}", indent="    ")
    ]


def nothing_text(words: str) -> str:
    """What is said where there is nothing to read."""
    known = [*[name for name in page_names() if "/" not in name], *_terms()]
    meant = did_you_mean(words.lower(), known, 0.6) or "'guide' lists the pages."
    return f"The guide tells nothing of {words[:30]!r}. {meant}"


# --- private ----------------------------------------------------------------------------------------------------------


def _topic(name: str, part: Part) -> Topic:
    whole = part.blocks[0].level == 1
    kind, _, key = name.partition("/")
    where = f"in {GAME_NAMES[key]}" if kind in GAME_KINDS and key in GAME_NAMES else WHERE.get(name, "")
    if name == GLOSSARY and part.title in GAME_NAMES.values():
        where = "a term"
    text = " ".join([block.text for block in part.blocks])
    if whole:
        first = next((place for place, one in enumerate(part.blocks) if place and one.level), len(part.blocks))
        text = " ".join([block.text for block in part.blocks[:first]])
    return Topic(
        part.title + (f", {where}" if where and not whole else ""),
        name if whole else f"{name}#{part.anchor}",
        " ".join([text, *(GAMES[key].also if kind == "rules" and key in GAMES else ())]),
    )


def _named(words: list[str]) -> str:
    """The page of this name, "" where there is none; a game may have any of its names."""
    kind, rest = words[0], " ".join(words[1:])
    if not rest:
        return kind if kind in page_names() else ""
    if f"{kind}/{rest}" in page_names():
        return f"{kind}/{rest}"
    try:
        game, preset = find_variant(rest)
    except UnknownGame:
        return ""
    return f"{kind}/{rest if preset else game.key}" if f"{kind}/{game.key}" in page_names() else ""


def _terms() -> list[str]:
    return [part.title.lower() for part in parts_of(page_blocks(GLOSSARY)) if part.blocks[0].level > 1]


def _having(words: str) -> list[Topic]:
    asked = words.lower().strip()
    return [topic for topic in topics() if asked in f"{topic.name} {topic.text}".lower()]


def _index() -> str:
    """Every topic below its letter."""
    letters: dict[str, list[str]] = {}
    for topic in topics():
        letter = topic.name[0].upper()
        letters.setdefault(letter if letter.isalpha() else "0 to 9", []).append(_entry(topic))
    parts = [part for letter, entries in letters.items() for part in (f"## {letter}", "\n".join(entries))]
    return "\n\n".join(["# Index", f"{len(topics())} topics, in the order of the alphabet.", *parts])


def _findings(words: str) -> str:
    found = [_entry(topic) for topic in _having(words)]
    if not found:
        return f"# Nothing found\n\n{nothing_text(words)}\n\n[Contents](contents.md), [Index](index.md)"
    return f"# Topics with {words[:30]!r}\n\n" + "\n".join(found)


def _entry(topic: Topic) -> str:
    page, mark, anchor = topic.address.partition("#")
    return f"- [{topic.name}]({page}.md{mark}{anchor})"
