"""The keys of a table that say a line."""

LINES = {
    "f1": "help",
    "question_mark": "help",
    "f2": "sort",
    "f3": "score",
    "f4": "hint",
    "h": "hint",
    "f5": "explain",
    "x": "explain",
    "f6": "analyze",
    "a": "analyze",
    "f7": "last",
    "l": "last",
    "f8": "recall",
    "v": "score",
    "o": "do",
    "z": "undo",
    "m": "melds",
    "g": "rules",
    "f9": "rules",
    "f11": "beside",
    "ctrl+o": "config",
    "ctrl+c": "detach",
}
"""What keys say that are not for cards or buttons."""
