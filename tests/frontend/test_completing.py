"""An action in two lines: what goes on with the first, and what stands by itself."""

from __future__ import annotations

import pytest

from p2pcards.frontend.choosing import is_unfinished, joined_to_unfinished

EIGHTS = ("8D c", "8D d", "8D h", "8D s", "8S c", "8S d", "8S h", "8S s", "QS", "draw")
PASSES = ("pass 2C 3C 4C", "pass 2C 3C 5C", "pass 2C 4C 5C", "pass 3C 4C 5C")
RUMMY = ("discard 5H", "discard 9C", "meld 5H 6H 7H", "draw")


@pytest.mark.parametrize(
    ("first", "then", "legal", "sent"),
    [
        ("8D", "suit h", EIGHTS, "8D suit h"),
        ("8♦", "hearts", EIGHTS, "8♦ hearts"),
        ("8d", "QS", EIGHTS, "QS"),
        ("8d", "8S h", EIGHTS, "8S h"),
        ("suit h", "8S", EIGHTS, "suit h 8S"),
        ("pass 2c", "3C 4c", PASSES, "pass 2c 3C 4c"),
        ("2c", "3C and 4c", PASSES, "2c 3C and 4c"),
        ("2c", "pass 3c 4c 5c", PASSES, "pass 3c 4c 5c"),
        ("meld 5H", "9C", RUMMY, "9C"),
        ("6H", "5H 7H", RUMMY, "6H 5H 7H"),
        ("6H", "discard 5H", RUMMY, "discard 5H"),
    ],
)
def test_what_is_typed_next_completes_what_lacked_something(
    first: str, then: str, legal: tuple[str, ...], sent: str
) -> None:
    assert is_unfinished(first.split(), legal)
    assert joined_to_unfinished(tuple(first.split()), tuple(then.split()), legal) == tuple(sent.split())


@pytest.mark.parametrize(
    ("words", "legal"),
    [("QS", EIGHTS), ("8D h", EIGHTS), ("9H", EIGHTS), ("8D", ()), ("suit", EIGHTS), ("5h", RUMMY), ("--", EIGHTS)],
)
def test_what_lacks_nothing_or_is_not_legal_is_not_unfinished(words: str, legal: tuple[str, ...]) -> None:
    assert not is_unfinished(words.split(), legal)
    assert joined_to_unfinished((), tuple(words.split()), legal) == tuple(words.split())
