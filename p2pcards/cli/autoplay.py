"""`p2pcards autoplay`: a session apart, in which the computer plays every hand, yours too, until it is stopped."""

from __future__ import annotations

import os
import random
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.home import our_home
from p2pcards.cli.options import Ascii, AsJson, Changes, GameKey
from p2pcards.cli.output import at_terminal, columns, say, show, takes_suits
from p2pcards.cli.wanted import rules_of

if TYPE_CHECKING:
    from p2pcards.session.coordinator import Coordinator
    from p2pcards.views.happenings import Happening

STOP = (b"q", b"Q", b"\x04")
STOP_HELP = "q stops it."


def autoplay(
    game: GameKey,
    level: Annotated[str, typer.Option(metavar="LEVEL", help="At which all hands are played: novice.")] = "novice",
    games: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="How many games; at a terminal until it is stopped, else one."),
    ] = None,
    preset: Annotated[
        str, typer.Option(metavar="PRESET", help="The rules to start from; if left out, the game's first.")
    ] = "",
    changes: Changes = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same seed gives the same games.")] = None,
    ascii_only: Ascii = False,
    as_json: AsJson = False,
) -> None:
    """Watch the computer play every hand of a game, yours too. Your own games stay as they are."""
    from p2pcards.present.cards import Style
    from p2pcards.store.names import clean_name, login_name
    from p2pcards.store.settings import PACES
    from p2pcards.store.settings_read import load_settings

    found, preset, _, changed = rules_of(game, preset, changes)
    looked_at = at_terminal() and not as_json
    chance = random.Random(seed) if seed is not None else random.SystemRandom()
    settings = load_settings(our_home())
    name = clean_name(settings.name or login_name())
    machine, told = _table(level, name, chance)
    commands = [("game", (found.key, preset)), *[("set", pair) for pair in changed.items()], ("start", ())]
    pace = PACES[settings.speed] if looked_at else 0.0
    style = Style(ascii_only or not takes_suits(), colour=looked_at and "NO_COLOR" not in os.environ)
    board = Board(found.key, preset, told)
    if not as_json:
        say(f"The computer plays every hand of {found.name}, level {told}." + f" {STOP_HELP}" * looked_at)
    wanted = games or (None if looked_at else 1)
    with suppress(KeyboardInterrupt), _keys(looked_at) as stops:
        for happening in _course(machine, commands, wanted):
            board.note(happening)
            if not as_json:
                _tell(happening, machine, name, style)
                if stops(_pause_after(happening) * pace):
                    break
    show(board.data(), board.lines(), as_json)


# --- the games --------------------------------------------------------------------------------------------------------


def _table(level: str, name: str, chance: random.Random) -> tuple[Coordinator, str]:
    """A table of this process alone, without a log, and the level that is played. Raises UnknownLevel."""
    from p2pcards.players.characters import CHARACTERS, own_character
    from p2pcards.players.levels import find_level
    from p2pcards.session.coordinator import Coordinator
    from p2pcards.session.me import Me
    from p2pcards.views.cast import CastMember
    from p2pcards.wire.keys import PrivateKey, public_bytes

    found = find_level(level)
    identity = PrivateKey.from_private_bytes(chance.randbytes(32))
    me = Me(identity, name, own_character(public_bytes(identity)).key, found)
    cast = tuple([CastMember(one.key, one.name, found) for one in CHARACTERS.values()])
    return Coordinator(me, entropy=chance.randbytes, now=0.0, cast=cast, turn_clock=0, alone=True), found


def _course(
    machine: Coordinator, commands: Sequence[tuple[str, tuple[str, ...]]], games: int | None
) -> Iterator[Happening]:
    """All that happens in so many games, one after the other; None: no end."""
    from p2pcards.views.commands import Command

    played = 0
    while games is None or played < games:
        for name, arguments in commands if not played else [("again", ("yes",))]:
            yield from _what_follows(machine, Command(name, arguments))
        played += 1


def _what_follows(machine: Coordinator, command: Any) -> Iterator[Happening]:
    """What happens after a command, with every decision that computers take."""
    from p2pcards.players.choose import choose
    from p2pcards.session.effects import Tell, Think

    todo = machine.command(command, 0.0)
    while todo := todo or machine.after_effects(0.0):
        effect, *todo = todo
        if isinstance(effect, Tell):
            yield effect.happening
        elif isinstance(effect, Think):
            action = choose(effect.game, effect.view, effect.seat, effect.level, random.Random(effect.seed))
            todo += machine.thought(effect, action, 0.0)


@dataclass
class Board:
    """The score board of the session: what the seats have in each game that came to its end, and who won it."""

    game: str
    preset: str
    level: str

    def __post_init__(self) -> None:
        self._names: tuple[str, ...] = ()
        self._scores: list[tuple[int, ...]] = []
        self._winners: list[tuple[str, ...]] = []

    def note(self, happening: Happening) -> None:
        from p2pcards.views.happenings import GameWon

        if isinstance(happening, GameWon):
            self._names = happening.names
            self._scores.append(happening.totals)
            self._winners.append(happening.winners)

    def data(self) -> dict[str, Any]:
        seats = [
            {
                "name": name,
                "won": sum([name in winners for winners in self._winners]),
                "scores": [scores[seat] for scores in self._scores],
            }
            for seat, name in enumerate(self._names)
        ]
        return {
            "game": self.game,
            "preset": self.preset,
            "level": self.level,
            "finished": len(self._scores),
            "seats": seats,
        }

    def lines(self) -> list[str]:
        count = len(self._scores)
        if not count:
            return ["No game was finished."]
        rows = [("player", "won", "scores")]
        rows += [(one["name"], str(one["won"]), " ".join(map(str, one["scores"]))) for one in self.data()["seats"]]
        return [f"{count} game{'s' * (count > 1)} finished.", *columns(rows)]


# --- what is shown, and the key that stops ----------------------------------------------------------------------------


def _tell(happening: Happening, machine: Coordinator, name: str, style: Any) -> None:
    from p2pcards.present.score import sheet_lines
    from p2pcards.present.story import story
    from p2pcards.present.table import hand_lines
    from p2pcards.views.in_game import HandDealt, HandScored

    say(story(happening, name, style))
    if isinstance(happening, HandDealt):
        say("\n".join(hand_lines(machine.view(0.0), style)))
    if isinstance(happening, HandScored):
        say("\n".join(sheet_lines(happening, name, style)))


def _pause_after(happening: Happening) -> int:
    """How many times the pace of an action eyes need for it."""
    from p2pcards.views.in_game import Acted, HandScored

    return 1 if isinstance(happening, Acted) else 3 if isinstance(happening, HandScored) else 0


@contextmanager
def _keys(at_a_terminal: bool) -> Iterator[Callable[[float], bool]]:
    """Gives a function that waits for so many seconds, and says whether the key that stops was pressed meanwhile."""
    if not at_a_terminal:
        yield lambda _seconds: False
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def stops(seconds: float) -> bool:
        return bool(select.select([fd], [], [], seconds)[0]) and os.read(fd, 1) in (*STOP, b"")

    try:
        tty.setcbreak(fd)
        yield stops
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
