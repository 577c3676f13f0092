"""The dialogues of protocol/vectors against the machines: both of them, and a listener that has the files alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest

from making.dialogues import vectors
from p2pcards.players.levels import LEVELS
from p2pcards.session.effects import Effect, Me, Send, Think
from p2pcards.session.listener import Listener
from p2pcards.session.listener_table import ListenerTable
from p2pcards.views.tableview import Command
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.messages import (
    Again,
    Away,
    Bye,
    Chat,
    CodeAnswer,
    CodeProof,
    Give,
    GiveCode,
    Handover,
    Hello,
    LookOn,
    Message,
    MoveMessage,
    NoSeat,
    Offer,
    Ping,
    Pong,
    Proposal,
    Quick,
    ShowHand,
    Vote,
    Watch,
    WatchersNow,
    WordsCommitment,
    WordsNonce,
    WordsReveal,
    decode_message,
)
from p2pcards.wire.packing import decode_action
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.records import SALT, VALUE, ActionEntry, CommitEntry, decode_opening, read_record
from rigs.dialogues import FROM_ANN, FROM_BOB, LINK, LOST, OPENED, OVER, REFUSED, WRONG
from rigs.net import CAST

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "protocol/vectors/dialogues"
NAMES = sorted(path.name for path in FOLDER.iterdir())
Lines = list[tuple[str, str]]


class Bob:
    """A listener that is told what stands in a file, and must say what stands there. said: how many messages."""

    def __init__(self, given: Lines) -> None:
        values = dict(given)
        hello = decode_message(bytes.fromhex(next(value for key, value in given if key == FROM_BOB)))
        assert isinstance(hello, Hello)
        identity = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(values["private key"]))
        me = Me(identity, hello.name, hello.character, auto=LEVELS[0])
        self._machine = Listener(me, entropy=self._entropy, now=0.0, cast=CAST, levels=LEVELS)
        self._ann = bytes.fromhex(values["key of the coordinator"])
        self._seeds = iter([bytes.fromhex(value) for key, value in given if key == "chain seed"])
        self._salt = bytes(SALT)
        self._peer = 0
        self._waits = False
        self._asked: Think | None = None
        self._under_way: deque[bytes] = deque()
        self.said = 0

    def _entropy(self, size: int) -> bytes:
        return {VALUE: lambda: next(self._seeds), SALT: lambda: self._salt}.get(size, lambda: bytes(size))()

    def follow(self, lines: Lines) -> None:
        for key, value in lines:
            if key == WRONG:
                return
            if key == REFUSED:
                self._carry_out(self._machine.receive(self._peer, bytes.fromhex(value), 0.0))
                said = decode_message(self._under_way.pop())
                assert isinstance(said, Bye) and said.code is ByeCode.BROKE_PROTOCOL
            if key == LINK:
                self._link(value)
            elif key == FROM_ANN:
                assert not self._under_way, "something was said that does not stand here"
                self._greet()
                self._carry_out(self._machine.receive(self._peer, bytes.fromhex(value), 0.0))
            elif key in (FROM_BOB, LOST[FROM_BOB]):
                if not self._under_way:
                    self._decide(decode_message(bytes.fromhex(value)))
                assert self._under_way.popleft().hex() == value
                self.said += 1
        assert not self._under_way

    def _link(self, what: str) -> None:
        assert what in (OPENED, OVER) and not self._under_way
        if what == OVER:
            self._carry_out(self._machine.lost(self._peer, "the line broke", 0.0))
            return
        self._peer += 1
        self._waits = True

    def _greet(self) -> None:
        """The waiter says nothing before something has come."""
        if self._waits:
            self._waits = False
            self._carry_out(self._machine.joined(self._peer, self._ann, "the telephone", 0.0))

    def _decide(self, message: Message) -> None:
        """The player does what stands there next."""
        if isinstance(message, Again):
            self._carry_out(self._machine.command(Command("again"), 0.0))
            return
        assert isinstance(message, MoveMessage) and self._asked is not None
        record, (entry, *_) = read_record(message.record)
        if isinstance(entry, CommitEntry):
            self._salt, number, fields = decode_opening(record.opening)
        else:
            assert isinstance(entry, ActionEntry)
            number, fields = entry.action, entry.fields
        asked, self._asked = self._asked, None
        self._carry_out(self._machine.thought(asked, decode_action(asked.game, number, fields), 0.0))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        while effects:
            self._under_way += [effect.message for effect in effects if isinstance(effect, Send)]
            for effect in effects:
                if isinstance(effect, Think):
                    self._asked = effect
            effects = self._machine.after_effects(0.0)


def lines_of(name: str) -> Lines:
    found = [line.partition(": ") for line in (FOLDER / name).read_text().splitlines()]
    return [(key, value) for key, _, value in found]


def test_no_dialogue_is_missing() -> None:
    assert sorted(vectors()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_dialogue_is_what_both_machines_say(name: str) -> None:
    assert (FOLDER / name).read_text() == vectors().get(name), "read it, and run scripts/made --part dialogues"


@pytest.mark.parametrize("name", NAMES)
def test_a_listener_that_has_the_file_alone_says_the_same(name: str) -> None:
    given = lines_of(name)
    bob = Bob(given)
    bob.follow(given)
    assert bob.said >= 2


def test_a_listener_that_gives_another_end_at_each_offer_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    stake = ListenerTable.stake

    def stake_anew(table: ListenerTable, said: Offer, now: float) -> list[Effect]:
        monkeypatch.setattr(table, "_staked", b"")
        return stake(table, said, now)

    monkeypatch.setattr(ListenerTable, "stake", stake_anew)
    given = lines_of("stake-that-outlives-its-link.txt")
    with pytest.raises(AssertionError):
        Bob([*given, ("chain seed", bytes(VALUE).hex())]).follow(given)


def test_every_message_that_a_game_cannot_do_without_stands_in_a_dialogue() -> None:
    keys = (FROM_ANN, FROM_BOB)
    found = [decode_message(bytes.fromhex(value)) for name in NAMES for key, value in lines_of(name) if key in keys]
    without = {Ping, Pong, Chat, Quick, Away, Proposal, Vote, LookOn, Give, Handover, GiveCode, CodeAnswer, CodeProof}
    without |= {WordsCommitment, WordsNonce, WordsReveal, Watch, WatchersNow, ShowHand, NoSeat}
    assert {type(message) for message in found} - without == set(get_args(Message)) - without
