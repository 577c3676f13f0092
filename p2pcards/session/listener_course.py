"""What a listener proposes and agrees to of what changes the course of a hand otherwise than by play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2pcards.ledger.course import check_yes
from p2pcards.session.effects import CommandError, Effect, Tell
from p2pcards.session.followed_game import FollowedGame
from p2pcards.session.listener_commands import check_connected, game_on
from p2pcards.session.listener_table import ListenerTable
from p2pcards.session.proposals import FOR_ONE, NO_PROPOSAL, wanted
from p2pcards.views.in_game import Proposed, SaidNo
from p2pcards.wire.entries import EntryKind, Yes
from p2pcards.wire.messages import Proposal, Vote
from p2pcards.wire.refused import Refused

Arguments = Sequence[str]
AWAY = "The coordinator is not connected; nobody can agree to that now."


# --- what my player says ----------------------------------------------------------------------------------------------


def undo(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    return _propose(table, EntryKind.UNDO)


def redeal(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    return _propose(table, EntryKind.REDEAL)


def _propose(table: ListenerTable, what: EntryKind) -> list[Effect]:
    game = game_on(table)
    check_connected(table, AWAY)
    position = game.position
    try:
        entry = wanted(what, position, position.side)
    except Refused as refusal:
        raise CommandError(str(refusal)) from refusal
    yes = game.follower.yes(entry)
    proposal = Proposal(what, entry.base, yes.side, yes.signature)
    game.propose(proposal)
    return [*table.link.send(proposal), Tell(Proposed(table.me.name, what is EntryKind.REDEAL, mine=True))]


def yes(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    game = game_on(table)
    proposal = _to_answer(table, game)
    said = game.follower.yes(wanted(proposal.what, game.position, proposal.side))
    game.propose(None)
    return table.link.send(Vote(proposal.base, said.side, said.signature))


def no(table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    game = game_on(table)
    proposal = _to_answer(table, game)
    game.propose(None)
    vote = Vote(proposal.base, game.position.side, b"")
    return [*table.link.send(vote), Tell(SaidNo(table.me.name, mine=True))]


def _to_answer(table: ListenerTable, game: FollowedGame) -> Proposal:
    """What is proposed, and waits for my answer. Raises CommandError."""
    check_connected(table, AWAY)
    if game.to_answer is None:
        raise CommandError(NO_PROPOSAL)
    return game.to_answer


def for_one(_table: ListenerTable, _arguments: Arguments) -> list[Effect]:
    raise CommandError(FOR_ONE)


COURSE_COMMANDS: dict[str, Callable[[ListenerTable, Arguments], list[Effect]]] = {
    "undo": undo,
    "redeal": redeal,
    "yes": yes,
    "no": no,
    **dict.fromkeys(("restart", "swap", "open"), for_one),
}


# --- what the coordinator says ----------------------------------------------------------------------------------------


def take_proposal(game: FollowedGame, said: Proposal) -> list[Effect]:
    """One that could not be logged is passed over: it may have crossed with a record. Raises Refused for a signature
    that does not fit."""
    position = game.position
    if said.base != position.count or said.side == position.side or said.side >= len(position.header.sides):
        return []
    try:
        entry = wanted(said.what, position, said.side)
    except Refused:
        return []
    if said.side:
        check_yes(position, entry, Yes(said.side, said.signature))
    game.propose(said)
    return [Tell(Proposed(position.names[said.side], said.what is EntryKind.REDEAL))]


def take_vote(game: FollowedGame, said: Vote) -> list[Effect]:
    """A no, which the coordinator tells everybody of."""
    position = game.position
    if said.base != position.count or said.signature or said.side >= len(position.header.sides):
        return []
    game.propose(None)
    return [Tell(SaidNo(position.names[said.side]))]
