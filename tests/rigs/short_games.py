"""Games made short, and what the log of one proves."""

from __future__ import annotations

from p2pcards.games.telling import load_told
from p2pcards.ledger.verify import Findings, verify_log
from p2pcards.store.files import Home
from p2pcards.store.logs import list_logs, read_log


def short(key: str) -> tuple[tuple[str, str], ...]:
    """The options that make a game of this key as short as it can be."""
    return tuple([(option, str(value)) for option, value in load_told(key).short.items()])


def proven(home: Home) -> Findings:
    """What the log of the only game of this home proves."""
    (log,) = list_logs(home)
    found = verify_log(read_log(log.path).payloads)
    assert found.finished and found.honest and found.unproven is None
    return found
