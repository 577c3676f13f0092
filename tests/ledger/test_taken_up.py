"""An earlier hand of a game alone as the next one of a new game: the same cards and scores, and a log that holds."""

from __future__ import annotations

from random import Random

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.ledger.advance import voters
from p2pcards.ledger.payloads import NOTE, PlayedByComputer, check_notes, note_payload, read_note, read_start
from p2pcards.ledger.position import Position
from p2pcards.ledger.taken_up import NotTakenUp, take_up_hand
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import read_transcript
from p2pcards.ledger.writer import LedgerWriter
from p2pcards.results.reading import read_result
from p2pcards.wire.crypto import Ed25519PrivateKey
from rigs.quick_logs import quick_game
from rigs.recorded import played

SEED = 4
DEAL = 77


def meddle(writer: LedgerWriter, rng: Random) -> None:
    """Hands are swapped, opened, given up, and played again."""
    position = writer.position
    if position.phase is not Phase.PLAY or position.simultaneous or position.count > 60 or rng.random() < 0.9:
        return
    assert voters(position) == ()
    if rng.random() < 0.5:
        writer.restart()
    elif rng.random() < 0.5:
        writer.redeal(0)
    else:
        writer.turn_hands(not position.face_up)


def identity(key: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(Random(f"{key} {SEED}").randbytes(32))


def restored(key: str, log: list[bytes]) -> LedgerWriter:
    start = read_start(log)
    return LedgerWriter.restored(identity(key), start.frame, start.position, log)


def dealt(old: LedgerWriter, hand: int) -> Position:
    """Where it stood when this hand had been dealt for the last time, as far as players have nothing to do with it."""
    found = [
        logged.after
        for logged in old.log
        if logged.after.phase is Phase.PLAY
        and logged.before.phase in (Phase.CHECKS, Phase.DEALING)
        and logged.before.state.hand == hand - 1
    ]
    return found[-1]


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_hand_is_dealt_again_as_it_was(key: str) -> None:
    log = quick_game(key, SEED, meddle=meddle, deal=DEAL)
    old = restored(key, log)
    hand = min(2, old.position.state.hand)
    made = take_up_hand(identity(key), log, hand, Random(1).randbytes)
    read_transcript(made)
    assert "restart" in read_result(made).marks
    new = restored(key, made)
    assert new.position.game_id != old.position.game_id
    assert new.first.header.previous == old.position.head
    there = dealt(old, hand)
    assert new.position.state.hand == hand - 1 and new.position.state.scores == there.state.scores
    new.deal()
    while new.position.phase is Phase.DEALING:
        new.deal()
    assert new.position.state == there.state


def test_what_the_computer_played_for_us_is_noted_there_too() -> None:
    log = quick_game("hearts", SEED, deal=DEAL)
    log[2:2] = [note_payload(PlayedByComputer(3)), note_payload(PlayedByComputer(9999))]
    new = take_up_hand(identity("hearts"), log, 2, Random(1).randbytes)
    check_notes(new)
    assert [read_note(one) for one in new if one[:1] == NOTE] == [PlayedByComputer(3)]
    assert {"auto", "restart"} <= set(read_result(new).marks)


def test_only_hands_whose_cards_can_be_dealt_again_are_taken_up() -> None:
    numbered, shuffled = quick_game("whist", SEED, deal=DEAL), quick_game("whist", SEED)
    for log, hand, why in (
        (numbered, 99, "There's no hand 99 in this game: it has hands 1 to "),
        (shuffled, 1, "its deal has no number"),
        (played("hearts").payloads[0], 1, "You can't start from a hand with friends: everyone shuffled"),
    ):
        with pytest.raises(NotTakenUp, match=why):
            take_up_hand(identity("whist"), log, hand, Random(1).randbytes)
