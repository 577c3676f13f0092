"""Card games played peer to peer, without a server and without a trusted dealer."""

import os
import sys
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path

__version__ = "0.3.0"

KERNELS = "P2PCARDS_KERNELS"
"""Set to "written", it has the kernels run as they are written, even where they are compiled."""

_GAMES = Path(__file__).with_name("games")


def takes_compiled() -> bool:
    """Whether a program that starts now takes the kernels compiled."""
    if os.environ.get(KERNELS) == "written":
        return False
    return any((_GAMES / f"compiled__mypyc{suffix}").exists() for suffix in EXTENSION_SUFFIXES)


def _find_written(folder: str) -> FileFinder:
    place = Path(folder)
    if _GAMES not in (place, *place.parents) or not place.is_dir():
        raise ImportError
    return FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES), (SourcelessFileLoader, BYTECODE_SUFFIXES))


# Decided once: kernels that are compiled while the program runs take no positions of those that it has loaded already.
if not takes_compiled():
    sys.path_hooks.insert(0, _find_written)
