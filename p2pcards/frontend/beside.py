"""What stands beside the table on the full screen."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.frontend.words import NotUnderstood

BESIDE = {
    "all": "what happens and what is said",
    "talk": "what is said",
    "rules": "the rules in force, until somebody says something",
    "none": "nothing, until somebody says something",
}
"""What may stand there, by the word for it."""

IN_LINES = "Nothing stands beside the table in line mode: what happens is told as it happens."


def beside_asked(arguments: Sequence[str]) -> str:
    """One of `BESIDE`, "" for the next. Raises NotUnderstood."""
    wanted = arguments[0].lower() if arguments else ""
    if wanted and wanted not in BESIDE:
        raise NotUnderstood(f"It is typed like this: beside, or beside with one of {', '.join(BESIDE)}.")
    return wanted
