"""Says what the p2pcards of an environment plays at: whether its kernels are compiled, and how fast a master decides.

PYTHON -P scripts/try_wheel.py      with the Python of the environment; fails where they are not compiled
"""

from __future__ import annotations

import runpy
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from random import Random
from time import perf_counter

import p2pcards
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.registry import GAMES
from p2pcards.players.choose import choose

SCRIPTS = Path(__file__).resolve().parent


def main() -> int:
    sources = runpy.run_path(str(SCRIPTS / "build_kernels"))["kernels"](SCRIPTS.parent)
    kernels = [import_module(".".join(source.with_suffix("").parts)) for source in sources]
    plain = [kernel.__name__ for kernel in kernels if not str(kernel.__file__).endswith(tuple(EXTENSION_SUFFIXES))]
    print(f"p2pcards {p2pcards.__version__} in {Path(p2pcards.__file__).parent}, Python {sys.version.split()[0]}")
    if plain:
        print(f"{len(plain)} of {len(kernels)} kernels are not compiled: {', '.join(plain)}.")
        return 1
    print(
        f"{len(kernels)} kernels are compiled. A master took {seconds_of_master():.2f} s for the first card of whist."
    )
    return 0


def seconds_of_master() -> float:
    game, rng = GAMES["whist"], Random(1)
    state = game.start(game.options(), 0)
    pack = list(game.pack(state.options))
    rng.shuffle(pack)
    state = game.play(state, game.deal(state, tuple(pack), tuple(pack)))
    (seat,) = state.to_act
    start = perf_counter()
    choose(game, redact(state, eyes_of_viewer(seat)), seat, "master", rng)
    return perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
