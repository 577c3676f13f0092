"""Logs of whole games, made without a table: somebody plays against computer players, and everybody by chance."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from p2pcards.games.game import Stage
from p2pcards.games.options import header_values, set_options
from p2pcards.games.registry import GAMES
from p2pcards.ledger.advance import offered_actions
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.payloads import RECORD, start_payloads
from p2pcards.ledger.position import begin
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.levels import LEVELS
from p2pcards.store.files import Home
from p2pcards.store.logs import MAGIC, encode_record, log_name
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import HEADER_LABEL, Header, SeatEntry, Side, encode_header, sign
from rigs.short_games import short

MOST = 400
"""Records after which a game that chance does not finish is ended."""
Meddle = Callable[[LedgerWriter, Random], None]
"""What else the person does before a step."""


def do_nothing(_writer: LedgerWriter, _rng: Random) -> None:
    """As most games are played."""


def quick_game(
    key: str,
    seed: int,
    name: str = "Ann",
    meddle: Meddle = do_nothing,
    deal: int | None = None,
    identity: Ed25519PrivateKey | None = None,
) -> list[bytes]:
    """The payloads of the log of a short game, which is played once. identity: of the person, else one of chance."""
    return [*_played(key, seed, name, meddle, deal, identity)]


@cache
def _played(
    key: str, seed: int, name: str, meddle: Meddle, deal: int | None, own: Ed25519PrivateKey | None
) -> tuple[bytes, ...]:
    rng, game = Random(f"{key} {seed}"), GAMES[key]
    options = set_options(game.options(), dict(short(key)))
    identity, chain = own or Ed25519PrivateKey.from_private_bytes(rng.randbytes(32)), rng.randbytes(24)
    side = Side(public_bytes(identity), name, "wayne", chain_value(chain, 0))
    others = rng.sample(list(CHARACTERS), game.seats(options) - 1)
    seats = [SeatEntry(0, "wayne", "novice"), *[SeatEntry(None, one, rng.choice(LEVELS)) for one in others]]
    header = Header(key, header_values(options), (side,), tuple(seats), 60, 0, b"", 0, rng.randbytes(16), deal=deal)
    frame = sign(identity, HEADER_LABEL, b"", encode_header(header))
    writer = LedgerWriter(identity, frame, begin(frame, header, 0, chain))
    while writer.position.phase is not Phase.CLOSED:
        meddle(writer, rng)
        _step(writer, rng)
    return (*start_payloads(0, chain, frame), *[RECORD + bytes(one.record) for one in writer.log])


def write_log(home: Home, payloads: list[bytes], date: str, game: str, number: int) -> Path:
    """Into the folder of logs, as a daemon would have written it."""
    home.logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = home.logs / log_name(date, game, number.to_bytes(4), 4)
    path.write_bytes(MAGIC + b"".join(map(encode_record, payloads)))
    return path


def _step(writer: LedgerWriter, rng: Random) -> None:
    position = writer.position
    state = position.state
    if position.phase is Phase.OPENING:
        writer.open_hand()
    elif position.phase is Phase.CHECKS and state.stage == Stage.OVER:
        writer.close(CloseReason.WON)
    elif position.phase is Phase.CHECKS and position.count > MOST:
        writer.close(CloseReason.ENDED)
    elif position.phase in (Phase.CHECKS, Phase.DEALING):
        writer.deal()
    elif state.stage == Stage.SHOW:
        writer.show()
    else:
        seat = rng.choice(state.to_act)
        writer.move(seat, rng.choice(offered_actions(position, seat)))
