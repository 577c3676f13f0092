"""Logs of games that nobody played, good ones and ones with one thing wrong, with what a reader has to find in each."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from p2pcards.conform import against_listener as them
from p2pcards.conform.bench import Numbered, split_command
from p2pcards.conform.game import THEM, OurGame
from p2pcards.conform.runner import Judged
from p2pcards.games.game import Stage
from p2pcards.ledger.advance import offered
from p2pcards.ledger.fair import chain_value
from p2pcards.ledger.follower import LedgerFollower
from p2pcards.ledger.payloads import CHECKED, COUNT, HEADER, ME, PENDING, RECORD, Numbering, Start, start_payloads
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.writer import Logged
from p2pcards.store.logs import log_bytes
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.packing import pack
from p2pcards.wire.reasons import CloseReason, TakeoverReason
from p2pcards.wire.records import (
    SALT,
    VALUE,
    AbsentEntry,
    CloseEntry,
    FaceUpEntry,
    Header,
    Record,
    RestartEntry,
    ReturnEntry,
    Side,
    SwapEntry,
    TakeoverEntry,
    UndoEntry,
    read_record,
)

FINISHED, UNFINISHED, FALSE, DAMAGED = "finished", "unfinished", "false", "damaged"
EXITS = {FINISHED: 0, UNFINISHED: 6, FALSE: 7, DAMAGED: 7}
"""The exit code of a program that has read the log, by its finding."""

Payloads = list[bytes]


@dataclass(frozen=True, slots=True)
class LogCase(Numbered):
    """A log file, and what a reader must find in it."""

    finding: str
    make: Callable[[Random], bytes]  # makes the bytes of the file

    @property
    def file(self) -> str:
        return f"{self.number}.log"


# --- games ------------------------------------------------------------------------------------------------------------


class LoggedGame(OurGame):
    """Its two players and those who watch are all ours, and side THEM keeps the log. score: that ends a game of crazy
    eights; sealed: the log counts itself."""

    def __init__(
        self,
        chance: Random,
        *,
        game: str = "crazy_eights",
        others: int = 0,
        score: int = 0,
        sealed: bool = False,
        change: Callable[[Header], Header] = lambda header: header,
    ) -> None:
        super().__init__(chance, game, others, seated=True)
        self.options = replace(self.options, winning_score=score) if score else self.options
        key, seed = self.new_key(), chance.randbytes(VALUE)
        side = Side(public_bytes(key), "Log", "betty", chain_value(seed, 0))
        header = self.header_with(side, chance.randbytes(16))
        frame = self.sign_header(change(header))
        self.open_game(self.sign_header(header), header)
        self.follower = LedgerFollower(key, Start(THEM, seed, self.writer.frame, header))
        self._numbering = Numbering()
        self._sealed = sealed
        self.payloads: Payloads = []
        for payload in start_payloads(THEM, seed, frame):
            self.write(payload)

    def write(self, payload: bytes) -> None:
        for one in self._numbering.dress(payload) if self._sealed else [payload]:
            self._numbering.add_payload(one)
            self.payloads.append(one)

    def log(self, logged: Logged) -> None:
        self.write(RECORD + bytes(self.follower.receive_record(bytes(logged.for_side(THEM))).record))

    def check_all(self) -> None:
        check = bytes(self.follower.check())
        self.write(CHECKED + check)
        self.log(self.writer.add_sent(*read_record(check)))
        for one in self.made_up:
            self.log(self.writer.add_sent(*read_record(bytes(self.check_of(one)))))

    def step(self) -> None:
        if self.position.phase is Phase.CHECKS:
            self.check_all()
        if (logged := self.record_due()) is not None:
            self.log(logged)
        else:
            self.act()

    def act(self) -> None:
        position = self.position
        seat = position.state.to_act[0]
        if position.signer(seat) == 0:
            self.log(self.writer.move(seat, self.chance.choice(offered(position, seat))))
            return
        action = self.chance.choice(offered(self.follower.position, seat))
        move = bytes(self.follower.move(action, self.chance.randbytes(SALT)))
        self.write(PENDING + move)
        self.log(self.writer.add_sent(*read_record(move)))

    def until(self, done: Callable[[Position], bool]) -> LoggedGame:
        while not done(self.position):
            self.step()
        return self

    def end(self) -> LoggedGame:
        """In mid-hand, with all that has to follow."""
        self.log(self.writer.open_hand())
        self.check_all()
        self.log(self.writer.close(CloseReason.ENDED))
        return self


def a_game(chance: Random, *, sealed: bool = False) -> LoggedGame:
    """One that is won with its first hand."""
    game = LoggedGame(chance, score=1, sealed=sealed)
    game.until(lambda at: at.phase is Phase.CHECKS and at.state.stage == Stage.OVER)
    game.check_all()
    game.log(game.writer.close(CloseReason.WON))
    return game


def whole(*, sealed: bool = False) -> Callable[[Random], bytes]:
    return lambda chance: log_bytes(a_game(chance, sealed=sealed).payloads)


def in_mid_hand(chance: Random) -> bytes:
    return log_bytes(LoggedGame(chance).until(them.our_turn).payloads)


def hearts(chance: Random) -> bytes:
    """With private passes, in the log of one who has made one."""
    return log_bytes(LoggedGame(chance, game="hearts").until(them.after_a_hand).payloads)


# --- where a record is added that nobody may take ---------------------------------------------------------------------


def at_our_turn(game: LoggedGame) -> None:
    game.until(them.our_turn)


def at_their_turn(game: LoggedGame) -> None:
    game.until(them.their_turn)


def at_checks(game: LoggedGame) -> None:
    """Side THEM has checked, and nobody else."""
    game.log(game.writer.add_sent(*read_record(bytes(game.follower.check()))))


def paused(game: LoggedGame) -> None:
    game.until(them.our_turn)
    game.log(game.writer.takeover(0, TakeoverReason.ASKED_FOR))
    game.log(game.writer.pause())


def between_hands(game: LoggedGame) -> None:
    game.until(them.after_a_hand)


def after_the_end(game: LoggedGame) -> None:
    game.until(them.our_turn).end()


def with_two_who_drop_out(game: LoggedGame) -> None:
    game.until(them.after_a_hand)
    for one in game.made_up:
        at_checks(game)
        game.log(game.writer.add_sent(*read_record(bytes(game.check_of(one, value=b"")))))
    at_checks(game)


def undo_agreed(game: LoggedGame) -> Record:
    """Of an event that no seat has made, or that nobody may take back."""
    entry = UndoEntry(game.position.count)
    return game.signed(replace(entry, yeses=(game.follower.yes(entry),)))


def ends_with(
    at: Callable[[LoggedGame], None], make: Callable[[LoggedGame], Record | bytes], others: int = 0
) -> Callable[[Random], bytes]:
    """A log that is good up to its last record."""

    def file(chance: Random) -> bytes:
        game = LoggedGame(chance, others=others)
        at(game)
        return log_bytes([*game.payloads, RECORD + bytes(make(game))])

    return file


# --- what else may be wrong -------------------------------------------------------------------------------------------


def places(payloads: Payloads, kind: bytes) -> list[int]:
    return [place for place, payload in enumerate(payloads) if payload[:1] == kind]


def changed(change: Callable[[Payloads, Random], Payloads], *, sealed: bool = False) -> Callable[[Random], bytes]:
    """The log of a game with other payloads."""
    return lambda chance: log_bytes(change(a_game(chance, sealed=sealed).payloads, chance))


def without(kind: bytes, which: int) -> Callable[[Payloads, Random], Payloads]:
    def change(payloads: Payloads, _: Random) -> Payloads:
        place = places(payloads, kind)[which]
        return [*payloads[:place], *payloads[place + 1 :]]

    return change


def doubled(kind: bytes, which: int) -> Callable[[Payloads, Random], Payloads]:
    def change(payloads: Payloads, _: Random) -> Payloads:
        place = places(payloads, kind)[which]
        return [*payloads[: place + 1], *payloads[place:]]

    return change


def exchanged(payloads: Payloads, _: Random) -> Payloads:
    """Two neighbouring records."""
    one, other = places(payloads, RECORD)[5:7]
    payloads = list(payloads)
    payloads[one], payloads[other] = payloads[other], payloads[one]
    return payloads


def flipped(kind: bytes, which: int) -> Callable[[Payloads, Random], Payloads]:
    """A bit of its last byte."""

    def change(payloads: Payloads, _: Random) -> Payloads:
        place = places(payloads, kind)[which]
        payload = payloads[place]
        return [*payloads[:place], payload[:-1] + bytes((payload[-1] ^ 1,)), *payloads[place + 1 :]]

    return change


def another_seed(payloads: Payloads, chance: Random) -> Payloads:
    return [ME + pack([THEM, chance.randbytes(VALUE)]), *payloads[1:]]


def unknown_letter(payloads: Payloads, _: Random) -> Payloads:
    return [*payloads[:4], b"Z", *payloads[4:]]


def out_of_bounds(chance: Random) -> bytes:
    """A log that is nothing but a header, well signed."""
    return log_bytes(LoggedGame(chance, change=lambda header: replace(header, between_hands=3601)).payloads)


def opened_with_another_value(chance: Random) -> bytes:
    game = LoggedGame(chance).until(them.our_turn)
    entry = replace(them.opening_of(game), value=chain_value(game.seed, 2))
    game.log(game.writer.restore(bytes(game.signed(entry))))
    return log_bytes(game.payloads)


def shown_another_card(chance: Random) -> bytes:
    """One of the cards that were dealt to THEM is truly ours."""
    game = LoggedGame(chance)
    at_checks(game)
    logged, record = them.false_deal(game)
    game.write(RECORD + bytes(record))
    game.follower.receive_record(bytes(record))
    assert logged.number + 1 == game.position.count
    game.log(game.writer.open_hand())
    return log_bytes(game.payloads)


def with_a_bit_changed(place: int) -> Callable[[Random], bytes]:
    return on_bytes(lambda data: data[:place] + bytes((data[place] ^ 1,)) + data[place + 1 :])


def on_bytes(change: Callable[[bytes], bytes]) -> Callable[[Random], bytes]:
    return lambda chance: change(in_mid_hand(chance))


LAST_ZEROS = 700
"""More than a sector, so that a power cut may have left them."""

BY_LOSS = them.BY_LOSS
LOGS: tuple[LogCase, ...] = (
    LogCase(201, "RE-5", "a game that was won", FINISHED, whole()),
    LogCase(202, "LG-1", "a game that was won, in a log with digests", FINISHED, whole(sealed=True)),
    LogCase(203, "RE-5", "a game in mid-hand", UNFINISHED, in_mid_hand),
    LogCase(204, "FD-12", "a hand of hearts, with openings", UNFINISHED, hearts),
    LogCase(205, "LG-11", "the last record is cut short", UNFINISHED, on_bytes(lambda data: data[:-3])),
    LogCase(206, "LG-11", "a power cut has left zeros", UNFINISHED, on_bytes(lambda data: data + bytes(LAST_ZEROS))),
    LogCase(207, "LG-10", "a byte was changed", DAMAGED, with_a_bit_changed(60)),
    LogCase(208, "LG-10", "a length was changed", DAMAGED, with_a_bit_changed(18)),
    LogCase(209, "LG-10", "another first line", DAMAGED, on_bytes(lambda data: b"p2pcards log 2\n" + data[15:])),
    LogCase(210, "LG-6", "a payload with an unknown letter", FALSE, changed(unknown_letter)),
    LogCase(211, "LG-3 LG-4", "a seed that does not belong to the chain", FALSE, changed(another_seed)),
    LogCase(212, "RE-5", "a record is left out", FALSE, changed(without(RECORD, 6))),
    LogCase(213, "RE-5", "a record appears twice", FALSE, changed(doubled(RECORD, 6))),
    LogCase(214, "RE-5", "two records are exchanged", FALSE, changed(exchanged)),
    LogCase(215, "RE-5", "the signature of a record was changed", FALSE, changed(flipped(RECORD, -1))),
    LogCase(216, "RE-5", "the signature of the header was changed", FALSE, changed(flipped(HEADER, 0))),
    LogCase(217, "LG-1", "a move of its owner is left out", FALSE, changed(without(PENDING, 1), sealed=True)),
    LogCase(218, "LG-1", "a check of its owner appears twice", FALSE, changed(doubled(CHECKED, 0), sealed=True)),
    LogCase(219, "LG-1", "a digest was changed", FALSE, changed(flipped(COUNT, 0), sealed=True)),
    LogCase(220, "LG-1", "a digest is missing", FALSE, changed(without(COUNT, -1), sealed=True)),
    LogCase(221, "RE-5", "a number of the header is out of bounds", FALSE, out_of_bounds),
    LogCase(222, "FD-12", "a hand was opened with another value", FALSE, opened_with_another_value),
    LogCase(223, "FD-12", "its owner was shown a card of ours", FALSE, shown_another_card),
    LogCase(224, "RD-4", "an entry of unknown kind", FALSE, ends_with(at_our_turn, them.body(18, None))),
    LogCase(225, "RE-2", "a body that could be shorter", FALSE, ends_with(at_our_turn, them.long_number)),
    LogCase(226, "RE-4 RE-5", "a signature whose s is too big", FALSE, ends_with(at_our_turn, them.too_big_s)),
    LogCase(227, "RE-5", "an entry that somebody else signed", FALSE, ends_with(at_our_turn, them.by_a_stranger)),
    LogCase(228, "RE-5", "an entry over another head", FALSE, ends_with(at_our_turn, them.over_another_head)),
    LogCase(229, "RE-5", "a move of its owner that we signed", FALSE, ends_with(at_their_turn, them.played_for_them)),
    LogCase(
        230,
        "RE-5",
        "a RETURN of a seat that was not taken over",
        FALSE,
        ends_with(at_our_turn, them.ours(ReturnEntry, THEM)),
    ),
    LogCase(231, "RE-5", "something behind CLOSE", FALSE, ends_with(after_the_end, them.ours(TakeoverEntry, *BY_LOSS))),
    LogCase(
        232, "RE-5", "CLOSE as won in mid-hand", FALSE, ends_with(at_our_turn, them.ours(CloseEntry, CloseReason.WON))
    ),
    LogCase(233, "RE-6", "a card that the pack does not have", FALSE, ends_with(at_our_turn, them.no_card_of_the_pack)),
    LogCase(
        234,
        "RE-9",
        "an entry on another base",
        FALSE,
        ends_with(at_our_turn, lambda game: game.signed(them.takeover(game, before=1))),
    ),
    LogCase(235, "RE-10", "a clock that ran in a pause", FALSE, ends_with(paused, them.ours(TakeoverEntry, *BY_LOSS))),
    LogCase(236, "RE-11", "an UNDO of a move that cannot be taken back", FALSE, ends_with(at_our_turn, undo_agreed)),
    LogCase(237, "RE-14", "a RESTART of a game with people", FALSE, ends_with(at_our_turn, them.ours(RestartEntry))),
    LogCase(238, "RE-14", "a SWAP", FALSE, ends_with(at_our_turn, them.ours(SwapEntry, THEM))),
    LogCase(239, "RE-14", "a FACE UP", FALSE, ends_with(at_our_turn, them.ours(FaceUpEntry, True))),
    LogCase(240, "RE-15", "an empty OUTCOME behind a move", FALSE, ends_with(at_our_turn, them.empty_outcome)),
    LogCase(
        241, "FD-1", "a check that does not fit its chain", FALSE, ends_with(at_checks, them.others_check(bytes(24)), 1)
    ),
    LogCase(242, "FD-3", "a DEAL while somebody has not checked", FALSE, ends_with(at_checks, them.early_deal(), 1)),
    LogCase(243, "FD-3", "a DEAL that calls them absent", FALSE, ends_with(at_checks, them.early_deal(2), 1)),
    LogCase(244, "FD-4", "an ABSENT before the first deal", FALSE, ends_with(at_checks, them.ours(AbsentEntry, 2), 1)),
    LogCase(
        245,
        "FD-4",
        "a check without a value before the first deal",
        FALSE,
        ends_with(at_checks, them.others_check(b""), 1),
    ),
    LogCase(
        246,
        "FD-5",
        "an ABSENT of the last listener on the roll",
        FALSE,
        ends_with(between_hands, them.ours(AbsentEntry, THEM)),
    ),
    LogCase(
        247,
        "FD-8",
        "another check of somebody who dropped out",
        FALSE,
        ends_with(with_two_who_drop_out, them.others_check(), 2),
    ),
)


# --- what a reader says of them ---------------------------------------------------------------------------------------


EXPECTED = "expected.json"


def write_logs(folder: Path, cases: Sequence[LogCase], chance: Random) -> None:
    """Each log, and what a reader has to find in it. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for case in cases:
        (folder / case.file).write_bytes(case.make(chance))
    expected = [
        {"log": case.file, "finding": case.finding, "musts": case.musts.split(), "title": case.title} for case in cases
    ]
    (folder / EXPECTED).write_text(json.dumps(expected, indent=2) + "\n")


def judge_command(case: LogCase, folder: Path, run: str, patience: float) -> Judged:
    """By the exit code of a command that reads the log. Raises CannotStart and OSError."""
    words = [word.replace("{log}", str(folder / case.file)) for word in split_command(run)]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        return Judged(case, "failed", f"It has not ended within {patience:g} s.")
    if done.returncode == EXITS[case.finding]:
        return Judged(case, "ok")
    return Judged(
        case, "failed", f"It ends with {done.returncode}; {EXITS[case.finding]} is due, as it is {case.finding}."
    )


def judge_answer(case: LogCase, answers: Mapping[str, object]) -> Judged:
    """answers: by the name of a log what was found."""
    found = answers.get(case.file)
    if found == case.finding or (found in (FALSE, DAMAGED) and case.finding in (FALSE, DAMAGED)):
        return Judged(case, "ok")
    said = f"It finds {found!r}" if case.file in answers else "It says nothing"
    return Judged(case, "failed", f"{said}; the log is {case.finding}.")
