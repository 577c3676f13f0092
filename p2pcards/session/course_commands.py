"""What the person at a coordinator's table may say to change the course of a hand otherwise than by play, and what
listeners propose of it. The commands raise CommandError."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.games.game import Seat
from p2pcards.ledger.position import Position
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import CommandError, Effect
from p2pcards.session.live_game import LiveGame
from p2pcards.session.proposals import FOR_ONE, NO_PROPOSAL
from p2pcards.session.table import Table
from p2pcards.session.table_commands import game_on
from p2pcards.views.table_view import seat_name
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.messages import Proposal, Vote
from p2pcards.wire.refused import Cause, Refused

Arguments = Sequence[str]


# --- what everybody has to agree to -----------------------------------------------------------------------------------


def undo(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    return _ask(table, EntryKind.UNDO, now)


def redeal(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    return _ask(table, EntryKind.REDEAL, now)


def _ask(table: Table, what: EntryKind, now: float) -> list[Effect]:
    game = game_on(table)
    return _said(lambda: propose(game, what, 0, b"", now))


def yes(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    game = game_on(table)
    _check_proposal(game)
    game.proposals.agree()
    return done_if_agreed(game, now)


def no(table: Table, _arguments: Arguments, _now: float) -> list[Effect]:
    game = game_on(table)
    return game.proposals.vote(0, _check_proposal(game), b"")


def _check_proposal(game: LiveGame) -> int:
    """The base of what is proposed, where the coordinator has yet to answer. Raises CommandError."""
    proposal = game.proposals.open
    if proposal is None or 0 in proposal.yeses:
        raise CommandError(NO_PROPOSAL)
    return proposal.entry.base


def propose(game: LiveGame, what: EntryKind, side: int, signature: bytes, now: float) -> list[Effect]:
    """Ask everybody for what a side would like, or do it where nobody else is to agree. Raises Refused."""
    return game.proposals.propose(what, side, signature) + done_if_agreed(game, now)


def done_if_agreed(game: LiveGame, now: float) -> list[Effect]:
    return game.change_course(lambda _writer: game.proposals.agreed(), now)


# --- what listeners say of it -----------------------------------------------------------------------------------------


def take_proposal(game: LiveGame, side: int, said: Proposal, now: float) -> list[Effect]:
    """One that could not be logged is passed over: it may have crossed with a record. Raises Refused for a signature
    that does not fit."""
    passed_over = said.side != side or said.base != game.position.count or game.awaiting_logs
    if passed_over or game.proposals.open is not None:
        return []
    try:
        return propose(game, said.what, side, said.signature, now)
    except Refused as refusal:
        if refusal.cause is Cause.SIGNATURE:
            raise
        return game.guests[side].send(Vote(said.base, 0, b""))


def take_vote(game: LiveGame, side: int, said: Vote, now: float) -> list[Effect]:
    """Raises Refused for a signature that does not fit."""
    if game.awaiting_logs:
        return []
    return game.proposals.vote(side, said.base, said.signature) + done_if_agreed(game, now)


# --- alone ------------------------------------------------------------------------------------------------------------


def restart(table: Table, _arguments: Arguments, now: float) -> list[Effect]:
    return _alone(table, LedgerWriter.restart, now)


def swap(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    seat = _other_seat(_alone_at(table), table, " ".join(arguments).lower())
    return _alone(table, lambda writer: writer.swap(seat), now)


def _other_seat(position: Position, table: Table, said: str) -> Seat:
    """The seat that is named by its number (from 1) or by whoever plays it; need not be said where there is one."""
    others = [seat for seat in range(len(position.header.seats)) if seat != position.seat]
    names = {seat: seat_name(position, seat, table.cast) for seat in others}
    meant = [seat for seat, name in names.items() if said in (str(seat + 1), name.lower(), *name.lower().split())]
    found = others if not said else meant
    if len(found) == 1:
        return found[0]
    listed = ", ".join([f"{seat + 1} {name}" for seat, name in names.items()])
    raise CommandError(f"Exchange hands with whom? Say a seat or a name: {listed}.")


def face_up(table: Table, arguments: Arguments, now: float) -> list[Effect]:
    said = " ".join(arguments).lower().removeprefix("cards").strip()
    up = {"on": True, "off": False, "": not _alone_at(table).face_up}.get(said)
    if up is None:
        raise CommandError("Say 'open on' to see everybody's cards, or 'open off'.")
    return _alone(table, lambda writer: writer.turn_hands(up), now)


def _alone_at(table: Table) -> Position:
    """The game that is on, where nobody else plays it. Raises CommandError."""
    position = game_on(table).position
    if not position.alone:
        raise CommandError(FOR_ONE)
    return position


def _alone(table: Table, change: Callable[[LedgerWriter], Logged], now: float) -> list[Effect]:
    _alone_at(table)
    return _said(lambda: game_on(table).change_course(change, now))


def _said(step: Callable[[], list[Effect]]) -> list[Effect]:
    """What a step gives, with what is against the rules said to the person."""
    try:
        return step()
    except Refused as refusal:
        raise CommandError(str(refusal)) from refusal


COURSE_COMMANDS: dict[str, Callable[[Table, Arguments, float], list[Effect]]] = {
    "undo": undo,
    "redeal": redeal,
    "yes": yes,
    "no": no,
    "restart": restart,
    "swap": swap,
    "open": face_up,
}
