"""Taking back and dealing again at a table with people: one proposes it, all others say yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from p2pcards.ledger.advance import check_yes, deciders, events_to_take_back, voters
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import may_follow
from p2pcards.ledger.writer import LedgerWriter, Logged
from p2pcards.session.effects import Effect, Tell
from p2pcards.session.guests import Guest
from p2pcards.views.happenings import Proposed, SaidNo
from p2pcards.views.tableview import ProposalView
from p2pcards.wire.messages import Proposal, Vote
from p2pcards.wire.packing import Cause, Refused
from p2pcards.wire.records import FIRST_VERSION, Agreed, EntryKind, RedealEntry, UndoEntry, Yes

FOR_ONE = "You can only do that alone. With friends, nobody can see or change the cards."
NO_PROPOSAL = "There's nothing to agree to."


@dataclass(frozen=True, slots=True)
class OpenProposal:
    entry: Agreed  # as it would be logged, without any yes
    asker: int  # the side that proposed it
    yeses: Mapping[int, Yes | None]  # by side; None for the coordinator, whose entry is the yes


def wanted(what: EntryKind, position: Position, side: int) -> Agreed:
    """The entry of an undo or redeal that this side may propose now. Raises Refused with a sentence for the player."""
    if position.header.version < FIRST_VERSION[what]:
        raise Refused(Cause.RULES, "This game began in an older version, which can't take back moves or redeal.")
    if side not in deciders(position):
        raise Refused(Cause.RULES, "You can only ask for that while you're playing your own seat.")
    if not may_follow(position.phase, what):
        raise Refused(Cause.RULES, "You can only ask for that during a hand.")
    if what is EntryKind.REDEAL:
        return RedealEntry(position.count, side)
    seat = events_to_take_back(position)[0].seat
    assert seat is not None
    if position.header.seats[seat].side != side:
        raise Refused(Cause.RULES, "You can't take that back: another player has moved since.")
    return UndoEntry(position.count)


class Proposals:
    """What is proposed at a coordinator's table. A proposal is over once anything is logged. guests: the listeners of
    the game by side."""

    def __init__(self, writer: LedgerWriter, guests: Mapping[int, Guest]) -> None:
        self._writer = writer
        self._guests = guests
        self._last: OpenProposal | None = None

    @property
    def open(self) -> OpenProposal | None:
        """The proposal that everybody still has to answer, None if there is none."""
        last, position = self._last, self._writer.position
        if last is None or last.entry.base != position.count:
            return None
        return last if all(self._guests[side].complete for side in voters(position)) else None

    @property
    def to_answer(self) -> ProposalView | None:
        """The proposal that waits for the person at this end, None if there is none."""
        open_now = self.open
        if open_now is None or 0 in open_now.yeses or 0 not in deciders(self._writer.position):
            return None
        return ProposalView(self._name(open_now.asker), isinstance(open_now.entry, RedealEntry))

    def propose(self, what: EntryKind, side: int, signature: bytes = b"") -> list[Effect]:
        """Propose an undo or redeal to everybody. signature: a listener's yes to it. Raises Refused."""
        position = self._writer.position
        if self.open is not None:
            raise Refused(Cause.RULES, "Answer the open request first (yes or no).")
        entry = wanted(what, position, side)
        asked = [other for other in deciders(position) if other != side]
        if asked:
            self._check_they_can_answer(position)
        yes = self._checked_yes(entry, side, signature)
        self._last = OpenProposal(entry, side, {side: yes})
        sent = [
            effect
            for other in asked
            if other
            for effect in self._guests[other].send(Proposal(what, entry.base, side, signature))
        ]
        return [*sent, Tell(Proposed(self._name(side), what is EntryKind.REDEAL, side == 0))] if asked else []

    def vote(self, side: int, base: int, signature: bytes) -> list[Effect]:
        """Take a side's yes, by its signature, or no, by none. A vote on nothing open is ignored, as is a second one
        after a yes, so nobody can ask again until another has answered. Raises Refused for a wrong signature."""
        proposal = self.open
        if proposal is None or base != proposal.entry.base or side not in deciders(self._writer.position):
            return []
        if side in proposal.yeses:
            return []
        if signature:
            self._add(proposal, side, self._checked_yes(proposal.entry, side, signature))
            return []
        self._last = None
        told = [self._guests[other].send(Vote(base, side, b"")) for other in self._guests if other != side]
        return [*[effect for effects in told for effect in effects], Tell(SaidNo(self._name(side), side == 0))]

    def agree(self) -> None:
        """Note the coordinator's own yes."""
        if self.open is not None:
            self._add(self.open, 0, None)

    def agreed(self) -> Logged | None:
        """Log the proposal if everybody has agreed; None if not."""
        proposal = self.open
        if proposal is None or not proposal.yeses.keys() >= set(deciders(self._writer.position)):
            return None
        self._last = None
        yeses = tuple([yes for _, yes in sorted(proposal.yeses.items()) if yes])
        if isinstance(proposal.entry, UndoEntry):
            return self._writer.undo(yeses)
        return self._writer.redeal(proposal.asker, yeses)

    def _add(self, proposal: OpenProposal, side: int, yes: Yes | None) -> None:
        """Add a side's yes to the proposal."""
        self._last = replace(proposal, yeses={**proposal.yeses, side: yes})

    def _checked_yes(self, entry: Agreed, side: int, signature: bytes) -> Yes | None:
        """A listener's yes, checked; None for the coordinator. Raises Refused."""
        if side == 0:
            return None
        yes = Yes(side, signature)
        check_yes(self._writer.position, entry, yes)
        return yes

    def _check_they_can_answer(self, position: Position) -> None:
        """Raise Refused if a computer is about to play or a voter is away."""
        seats = position.header.seats
        if any(seats[seat].side is None or seat in position.taken_over for seat in position.state.to_act):
            raise Refused(Cause.RULES, "A computer player is about to play. Ask again after that.")
        away = [self._guests[side].name for side in voters(position) if not self._guests[side].complete]
        if away:
            raise Refused(
                Cause.RULES, f"Everyone has to agree to that, but {' and '.join(away)} can't be reached right now."
            )

    def _name(self, side: int) -> str:
        return self._writer.position.names[side]
