"""Card backs that a player has drawn: text files with what is repeated over the back."""

from __future__ import annotations

from p2pcards.present.width import width
from p2pcards.store.errors import StoreError
from p2pcards.store.files import read_whole
from p2pcards.store.home import Home
from p2pcards.wire.clean import clean

MOST_ROWS, MOST_COLUMNS = 6, 9
"""Of what is repeated: as much as the largest card has."""


def own_back(home: Home, name: str) -> tuple[str, ...]:
    """The rows of a back, all of one width, each character a column wide. Raises StoreError, which says what is wrong
    with its file."""
    path = home.back(name)
    data = read_whole(path)
    if data is None:
        raise StoreError(f"The card back {path} does not exist.", "Draw it as a few characters in a file of that name.")
    try:
        rows = [row.rstrip() for row in data.decode().splitlines()]
    except ValueError:
        raise StoreError(f"The card back {path} is no text.", "Write it as UTF-8.") from None
    while rows and not rows[-1]:
        rows.pop()
    columns = max(map(len, rows), default=0)
    if not (0 < columns <= MOST_COLUMNS and len(rows) <= MOST_ROWS):
        raise StoreError(
            f"The card back {path} must have one to {MOST_ROWS} rows of at most {MOST_COLUMNS} characters.",
            "It is repeated over the whole card.",
        )
    for number, row in enumerate(rows, 1):
        if clean(row) != row or any(width(character) != 1 for character in row):
            raise StoreError(
                f"Line {number} of the card back {path} has a character that does not take one column.",
                "Use letters, signs or lines.",
            )
    return tuple([row.ljust(columns) for row in rows])
