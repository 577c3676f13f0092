"""Which hands count, and from where a successor's log may continue a game (protocol/company.md).

A game can have two branches after a hand: the log of a coordinator who is cut off, and that of a successor. A hand
counts once more than half of its quorum have checked it, in a game of two once its coordinator has. Nobody checks hands
in two branches, so the hands of at most one branch count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from p2pcards.games.game import Seat, Stage
from p2pcards.ledger.continuing import kept_values
from p2pcards.ledger.position import Position, players_of
from p2pcards.ledger.transitions import Phase
from p2pcards.wire.reasons import CloseReason
from p2pcards.wire.records import CONTINUED_SINCE, Header, Side

# --- which hands count ------------------------------------------------------------------------------------------------


def present_players(position: Position) -> tuple[bytes, ...]:
    """The keys of the people who play their own seats."""
    header = position.header
    seats = [(seat, entry.side) for seat, entry in enumerate(header.seats) if entry.side is not None]
    return tuple([header.sides[side].key for seat, side in seats if seat not in position.taken_over])


def without_player(position: Position, seat: Seat) -> frozenset[bytes]:
    """The quorum once the player of this seat has left for good."""
    side = position.header.seats[seat].side
    return position.quorum if side is None else position.quorum - {position.header.sides[side].key}


def is_majority(keys: frozenset[bytes], quorum: frozenset[bytes]) -> bool:
    """True if these are more than half of a quorum."""
    return 2 * len(keys & quorum) > len(quorum)


def is_game_of_two(header: Header) -> bool:
    """True for a game that its coordinator began with one other person. That person alone is no majority of the two, so
    no branch without the coordinator counts: the coordinator is enough, and no hand changes the quorum."""
    players = players_of(header)
    return header.quorum is None and len(players) == 2 and header.sides[0].key in players


def is_enough(position: Position, keys: frozenset[bytes]) -> bool:
    """True if a hand that these people have checked counts. keys: the coordinator's among them."""
    quorum, host = position.quorum, position.header.sides[0].key
    return is_majority(keys, quorum) or (host in quorum and is_game_of_two(position.header))


def quorum_after(quorum: frozenset[bytes], present: frozenset[bytes]) -> frozenset[bytes]:
    """The quorum after a hand that counts, played by those present. It changes by one person at a time, so that a
    majority before the hand and a majority after it always have somebody in common."""
    new = sorted(present - quorum) or sorted(quorum - present)
    return quorum ^ frozenset(new[:1]) if present else quorum


def count_hand(position: Position, counted_before: bool = False) -> Position:
    """The position with the hand opened last counted, if enough people have checked it. Those who were there when it
    was opened are the quorum of the next. counted_before: the hand before it counts, as the rest does then where this
    one is broken off."""
    if position.broken_off:
        return replace(position, counted=position.opened) if counted_before else position
    return _count_with(position, [position.header.sides[side].key for side in (0, *position.checkers)])


def count_continued(position: Position) -> Position:
    """The position with the hand opened last counted, if enough people were present: a game continues in
    another log before anybody has checked the hand, and only while everyone is here."""
    return _count_with(position, [position.header.sides[0].key, *position.present])


def _count_with(position: Position, keys: list[bytes]) -> Position:
    """The position with the hand opened last counted, if these people are enough."""
    if position.counted == position.opened or not is_enough(position, frozenset(keys)):
        return position
    of_two = is_game_of_two(position.header)
    quorum = position.quorum if of_two else quorum_after(position.quorum, position.present)
    return replace(position, counted=position.opened, quorum=quorum)


def counts(position: Position) -> bool:
    """True if the last hand counts: always in a game of before there were branches."""
    return position.header.version < CONTINUED_SINCE or position.counted == position.opened


def continues_another(header: Header) -> bool:
    """True if this game continues one in another log."""
    return header.continues is not None or header.quorum is not None


# --- bases ------------------------------------------------------------------------------------------------------------


def is_base(position: Position) -> bool:
    """True if a successor can continue from here: the header, or a hand just opened, of a game that is not won."""
    if position.count == 0:
        return True
    opened = position.phase is Phase.CHECKS and position.opened == position.dealt > 0 and not position.checkers
    return opened and not position.broken_off and position.state.stage == Stage.DEAL


MOST_BASES = 3


def bases_after_record(bases: Sequence[Position], position: Position) -> list[Position]:
    """The bases, the latest last, once a record has led to this position: none after the last hand of a game that is
    won or broken off."""
    if is_base(position):
        return [*bases, position][-MOST_BASES:]
    over = position.phase is Phase.CHECKS and (position.broken_off or position.state.stage == Stage.OVER)
    return [] if over else list(bases)


def bases_at(position: Position, bases: Sequence[Position]) -> tuple[Position, ...]:
    """The positions from which a successor may continue a game that has come so far, the latest last. bases: of its
    log, whether it is closed or not."""
    if position.phase is not Phase.CLOSED:
        return tuple(bases)
    return (position,) if position.ended is CloseReason.CONTINUED else ()


def bases_after_check(bases: Sequence[Position], hand: int) -> list[Position]:
    """The bases that remain after this side has signed its check of a hand: nobody checks hands in two branches, so a
    successor can continue only after the last hand that was checked."""
    return [base for base in bases if base.opened >= hand]


def kept_at(base: Position) -> tuple[object, ...] | None:
    """What the header of a successor has in *continues*: None before the first hand of a game."""
    return kept_values(base.game, base.state) if base.state.hand else None


def quorum_of_successor(base: Position) -> tuple[bytes, ...]:
    """The *quorum* in the header of a successor from this base."""
    return tuple(sorted(base.quorum))


def quorum_of_next(before: Position, sides: Iterable[Side]) -> tuple[bytes, ...] | None:
    """The *quorum* in a header with these sides by which the same coordinator continues a game: None as long as no
    successor has continued it and the whole quorum is among the sides; () where its last hand counts for nobody."""
    if before.header.quorum is None and before.quorum <= {side.key for side in sides}:
        return None
    return quorum_of_successor(before) if before.header.quorum is None or counts(before) else ()


def successor_may_begin(base: Position, header: Header) -> bool:
    """True if this header continues from a base as it has to: the same game, scores and quorum, and a coordinator who
    had a side."""
    first_dealer = None if base.state.hand else base.header.first_dealer
    same = (base.game.key, base.header.options, len(base.header.seats), base.header.grace, kept_at(base), first_dealer)
    told = (header.game, header.options, len(header.seats), header.grace, header.continues, header.first_dealer)
    was_there = bool(base.header.side_of(header.sides[0].key))
    return same == told and was_there and header.previous == base.head and header.quorum == quorum_of_successor(base)
