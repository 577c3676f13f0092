"""What is asked before a game of partners: which of those here is the partner of the person who starts it."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.present.story import names_text
from p2pcards.wire.clean import clean

NOBODY = "nobody"


def partner_question(names: Sequence[str]) -> str:
    """names: those of whom one may be it."""
    if len(names) == 1:
        return f"Is {clean(names[0], 24)} your partner, who sits opposite you?"
    here = tuple([clean(name, 24) for name in names])
    return f"Who is your partner, and sits opposite you? Here are {names_text(here)}."


def partner_answers(names: Sequence[str]) -> tuple[str, ...]:
    return ("yes", "no") if len(names) == 1 else (*[clean(name, 24) for name in names], NOBODY)


def partner_named(answer: str, names: Sequence[str]) -> str | None:
    """The name that is meant, "none" for nobody, and None where it is not understood. Enter is nobody."""
    said = answer.casefold()
    if len(names) == 1 and said in ("y", "yes"):
        return names[0]
    if said in ("", "n", "no", NOBODY):
        return "none"
    return next((name for name in names if clean(name, 24).casefold() == said), None)
