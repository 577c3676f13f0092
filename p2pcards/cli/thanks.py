"""`p2pcards credits`: whose work this is, and whose it builds on."""

from __future__ import annotations

from p2pcards import __version__
from p2pcards.cli.options import AsJson
from p2pcards.cli.output import columns, show

MODELS = {
    "The Real Deal": "a collection of ten classic card games, against twelve computer opponents of different skill or "
    "with friends over a network or modem; most of the games, and the names of the characters",
    "Hearts Deluxe": "hearts with its options",
    "TeleCards": "crazy eights, cribbage and gin rummy for two",
    "MeggieSoft Pinochle": "pinochle for two",
}
"""The programs whose games are played here, by rules written anew, with what is taken from each."""

LIBRARIES = {
    "trio": ("Nathaniel J. Smith and others", "MIT or Apache 2.0"),
    "trio-parallel": ("Richard Sheridan", "MIT or Apache 2.0"),
    "msgpack": ("Inada Naoki and others", "Apache 2.0"),
    "cryptography": ("The Python Cryptographic Authority", "Apache 2.0 or BSD"),
    "typer": ("Sebastian Ramirez and others", "MIT"),
    "pyserial": ("Chris Liechti", "BSD"),
    "spake2": ("Brian Warner", "MIT"),
    "tomlkit": ("Sebastien Eustace and others", "MIT"),
    "textual": ("Will McGugan", "MIT"),
    "openskill": ("Vivek Joshy and others", "MIT"),
    "pygal": ("Florian Mounier, Kozea and others", "LGPL 3 or later"),
    "h11": ("Nathaniel J. Smith and others", "MIT"),
    "wsproto": ("Benno Rice and others", "MIT"),
    "xterm.js": ("The xterm.js authors", "MIT"),
}
"""By whom each library is, and its licence."""


def credits(as_json: AsJson = False) -> None:  # noqa: A001 - the command has this name
    """Tell whose work this is. The games that were the models, and the libraries."""
    from p2pcards.present.width import wrap

    data = {
        "name": "p2pcards",
        "version": __version__,
        "authors": "the p2pcards developers",
        "license": "MIT",
        "models": [{"name": name, "for": what} for name, what in MODELS.items()],
        "libraries": [{"name": name, "authors": by, "license": terms} for name, (by, terms) in LIBRARIES.items()],
    }
    lines = [
        f"p2pcards {__version__}, by the p2pcards developers. It is free (MIT licence), and comes without warranty."
    ]
    lines += ["", "The games follow those of these programs, by rules written anew:"]
    for name, what in MODELS.items():
        lines += wrap(f"{name}: {what}", indent="    ", first="  ")
    lines += ["", "The libraries that it uses:"]
    lines += [f"  {row}" for row in columns([(name, *rest) for name, rest in LIBRARIES.items()])]
    show(data, lines, as_json)
