"""Whole hands of the players' kernels a second, the deal included: at random and by rules of thumb, compiled and not,
beside OpenSpiel's where it has the game. All take turns, so that a busy moment of the machine meets each of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from statistics import median
from typing import Any

from benchmarks.copies import Asked, Copies
from benchmarks.figures import progress, rounded, share
from benchmarks.hands import OH_HELL_CARDS, options_of
from benchmarks.spiel_hands import GAMES as SPIEL
from p2pcards.games.registry import GAMES
from p2pcards.players.search import READERS

ROUNDS = 7
SECONDS = 0.2
FLOORS = {"hearts": ("within", 2.0), "gin_rummy": ("python", 5.0)}
"""By game how many times as many hands as OpenSpiel's ours must be, compiled; and which of its."""

INTERPRETER = "OPEN_SPIEL"
"""The environment variable that names a Python which has OpenSpiel (`pip install open_spiel`)."""


def measure(made: Copies) -> dict[str, Any]:
    peer = os.environ.get(INTERPRETER) or sys.executable
    has_peer = subprocess.run([peer, "-c", "import pyspiel"], capture_output=True, check=False).returncode == 0
    with ExitStack() as stack:
        ours = {
            name: stack.enter_context(Asked("benchmarks.hands", place))
            for name, place in (("compiled", made.compiled), ("plain", made.plain))
        }
        spiel = stack.enter_context(Asked("benchmarks.spiel_hands", None, peer)) if has_peer else None
        games = {key: _game(key, ours, spiel if key in SPIEL else None) for key in READERS}
    beside = {} if has_peer else {"open_spiel": f"is not there: 'pip install open_spiel', and {INTERPRETER}=PYTHON"}
    return {"unit": "hands a second of the processor", **games, **beside}


def _game(key: str, ours: Mapping[str, Asked], spiel: Asked | None) -> dict[str, Any]:
    progress(f"hands of {GAMES[key].name}")
    rates: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for way in ("random", "thumb"):
            for name, program in ours.items():
                played = program.ask(key, way, SECONDS)
                rates.setdefault(f"{way} {name}", []).append(played["hands"] / played["seconds"])
        if spiel:
            _ask_spiel(key, spiel, rates)
    typical = {name: median(found) for name, found in rates.items()}
    return {
        "moves_a_hand": {way: rounded(number) for way, number in ours["compiled"].ask(key, "moves").items()},
        **{name.replace(" ", "_"): rounded(rate) for name, rate in typical.items()},
        "compiled_to_plain": rounded(typical["random compiled"] / typical["random plain"]),
        **_ratios(key, typical),
    }


def _ask_spiel(key: str, spiel: Asked, rates: dict[str, list[float]]) -> None:
    """Its hands of cribbage are games; what counts there are the deals, of which there are as many within."""
    name = spiel_name(key)
    python = spiel.ask(name, "python", SECONDS)
    within = spiel.ask(name, "within", SECONDS)
    deals = python["deals"] / python["hands"] if key == "cribbage" else 1
    for way, played in (("python", python), ("within", within)):
        rates.setdefault(f"open_spiel {way}", []).append(deals * played["hands"] / played["seconds"])


def spiel_name(key: str) -> str:
    """A game as OpenSpiel calls it, with as many cards and players as here."""
    return SPIEL[key].format(players=GAMES[key].seats(options_of(GAMES[key])), tricks=OH_HELL_CARDS)


def _ratios(key: str, rates: Mapping[str, float]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for way in ("python", "within"):
        if f"open_spiel {way}" not in rates:
            continue
        ratio = rates["random compiled"] / rates[f"open_spiel {way}"]
        held, floor = FLOORS.get(key, ("", 0.0))
        found[f"to_open_spiel_{way}"] = share(ratio, "times", floor) if held == way else rounded(ratio)
    return found
