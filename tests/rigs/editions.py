"""What the players of an edition decide, in one number for each game and level, as tests/players/editions.json keeps
it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.auction_pitch.deal import AuctionPitch
from p2pcards.games.deals.bits import Chance
from p2pcards.games.deals.position import SearchPosition
from p2pcards.games.deals.taking import Bidden
from p2pcards.games.euchre.deal import DECLINE, Euchre
from p2pcards.games.game import AnyGame, Seat
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import spell_action
from p2pcards.games.telling import Skill, Way
from p2pcards.games.whist.deal import Whist
from p2pcards.players.choose import choose
from p2pcards.players.levels import edition_of, searches
from p2pcards.players.search import READERS, random_world, rate_choices, rate_exactly
from p2pcards.views.advice import Rated
from rigs.decisions import random_positions

FILE = Path(__file__).resolve().parents[1] / "players/editions.json"
LEVELS = ("novice", "standard", "expert", "champion")
"""By rules of thumb, by tables, by trying out, and with endings played exactly; what the others do is one of these."""

CHOSEN, HANDS, TRIED, ENDED = 150, 60, 2, 1
"""By preset: decisions of a novice, hands that are played on by the rules of thumb of a search, decisions that are
tried out, and decisions in endings."""
PLAYOUTS, NODES = 16, 5_000
"""A search gets a hundredth of what it has at a table: it weighs all that it would, though not as well."""


def kept() -> dict[str, dict[str, list[Any]]]:
    """By game and level: the edition, and what it decides."""
    found: dict[str, dict[str, list[Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def page() -> str:
    """The same with games and editions that are new. What an edition has decided is never written anew: where it
    decides otherwise now, it is not that edition any more."""
    before = kept()
    now = {
        key: {
            level: one
            if (one := before.get(key, {}).get(level, [0]))[0] == edition
            else [edition, *decided(key, level)]
            for level in LEVELS
            for edition in [edition_of(key, level)]
        }
        for key in GAMES
    }
    return json.dumps(now, indent=1) + "\n"


USUAL = "usual"
"""The preset that came last, for which each game and level has a number of its own: what stood before stays."""


def decided(key: str, level: str) -> list[str]:
    """What is decided by the presets of the source documents together, then by the usual one where its rules are its
    own."""
    presets = GAMES[key].presets
    others = [preset for preset in presets if preset != USUAL]
    own = [preset for preset in presets if presets[preset] not in [presets[other] for other in others]]
    return [_decided(key, level, others), *([_decided(key, level, own)] if own else [])]


def _decided(key: str, level: str, presets: Sequence[str]) -> str:
    """The first digits of a SHA-256 of all that a level decides, and weighs, in positions that are always the same."""
    found = sha256()
    for preset in presets:
        way = {"expert": _tried_out, "champion": _ended}.get(level) if key in READERS else None
        if level == "standard" and searches(key, level):
            way = _tried_out
        for line in way(key, preset) if way else _by_thumb(key, preset, level):
            found.update(f"{line}\n".encode())
    return found.hexdigest()[:16]


def _positions(key: str, preset: str, every: int) -> Iterator[tuple[AnyGame, Any, Seat]]:
    """Views and the seats that decide by them: one position of so many."""
    game = GAMES[key]
    for state, seat in islice(random_positions(game, game.presets[preset], Random(f"{key} {preset}")), 0, None, every):
        yield game, redact(state, eyes_of_viewer(seat)), seat


def _by_thumb(key: str, preset: str, level: str) -> Iterator[str]:
    for number, (game, view, seat) in enumerate(islice(_positions(key, preset, 1), CHOSEN)):
        yield spell_action(choose(game, view, seat, level, Random(number)))


def _tried_out(key: str, preset: str) -> Iterator[str]:
    """The moves of whole hands by the rules of thumb of a search; then what a search finds by them."""
    for number, (_, view, seat) in enumerate(islice(_positions(key, preset, 5), HANDS)):
        chance = Chance(number + 1)
        world, moves = random_world(READERS[key](view, seat), chance), list[int]()
        while world.turn >= 0:
            move = world.rule_of_thumb_move(chance)
            moves.append(_first_number(world, move))
            world.make_move(move)
        yield f"{moves} {world.final_worth(seat)} {world.final_merit(seat)}"
    for number, (_, view, seat) in enumerate(islice(_positions(key, preset, 11), TRIED)):
        yield _told(rate_choices(READERS[key](view, seat), seat, Skill(Way.SEARCH, PLAYOUTS), Random(number)))


def _first_number(world: SearchPosition, move: int) -> int:
    """A move as it was numbered when editions were first kept: in games of tricks a card was fifteen times its suit and
    its rank, from 0 for a two."""
    match world:
        case Euchre() if world.suit >= 0 and move == DECLINE:
            return 60
        case Whist() | Hearts() | Bidden(bidden=4) | AuctionPitch(bidding=False):
            return 15 * (move >> 4) + (move & 15) - 2
        case Euchre() if world.suit >= 0:
            return 15 * (move >> 4) + (move & 15) - 2
        case _:
            return move


def _ended(key: str, preset: str) -> Iterator[str]:
    found = 0
    for number, (_, view, seat) in enumerate(islice(_positions(key, preset, 3), CHOSEN)):
        if found == ENDED:
            break
        reading = READERS[key](view, seat)
        if len(reading.choices) == 2 and random_world(reading, Chance(1)).sides_in_ending():
            found += 1
            yield _told(rate_exactly(reading, seat, NODES, Random(number)) or ())


def _told(weighed: tuple[Rated, ...]) -> str:
    return ", ".join([f"{spell_action(one.action)} {one.worth:.6f}" for one in weighed])
