"""Every page of the guide as a file of docs/guide, those that the program makes among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from p2pcards.frontend.guide_pages import list_page_names, page_markdown

MADE = "<!-- Made by scripts/made. What is written of it is in p2pcards/guide. -->"


def files() -> Mapping[str, Callable[[], str]]:
    return {f"{name}.md": partial(page, name) for name in list_page_names()}


def page(name: str) -> str:
    return f"{MADE}\n\n{page_markdown(name).strip()}\n"
