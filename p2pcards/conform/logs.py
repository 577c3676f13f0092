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
from p2pcards.ledger.advance import offered_actions
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
        """The name of the log's file."""
        return f"{self.number}.log"


# --- games ------------------------------------------------------------------------------------------------------------


class LoggedGame(OurGame):
    """A game whose players and watchers are all ours, with the log of side THEM. score: that ends a game of crazy
    eights; sealed: the log counts its records itself."""

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
        """Append a payload to the log."""
        for one in self._numbering.prepare_payload(payload) if self._sealed else [payload]:
            self._numbering.add_payload(one)
            self.payloads.append(one)

    def log(self, logged: Logged) -> None:
        """Append a record to the log."""
        self.write(RECORD + bytes(self.follower.receive_record(bytes(logged.for_side(THEM))).record))

    def check_all(self) -> None:
        check = bytes(self.follower.check())
        self.write(CHECKED + check)
        self.log(self.writer.add_sent(*read_record(check)))
        for one in self.made_up:
            self.log(self.writer.add_sent(*read_record(bytes(self.check_of(one)))))

    def step(self) -> None:
        """Do whatever is due next."""
        if self.position.phase is Phase.CHECKS:
            self.check_all()
        if (logged := self.record_due()) is not None:
            self.log(logged)
        else:
            self.act()

    def act(self) -> None:
        """Make a legal move for a seat that owes one."""
        position = self.position
        seat = position.state.to_act[0]
        if position.signer(seat) == 0:
            self.log(self.writer.move(seat, self.chance.choice(offered_actions(position, seat))))
            return
        action = self.chance.choice(offered_actions(self.follower.position, seat))
        move = bytes(self.follower.move(action, self.chance.randbytes(SALT)))
        self.write(PENDING + move)
        self.log(self.writer.add_sent(*read_record(move)))

    def until(self, done: Callable[[Position], bool]) -> LoggedGame:
        """Play until this holds; returns the game itself."""
        while not done(self.position):
            self.step()
        return self

    def end(self) -> LoggedGame:
        """End the game in mid-hand, with all the records that have to follow."""
        self.log(self.writer.open_hand())
        self.check_all()
        self.log(self.writer.close(CloseReason.ENDED))
        return self


def play_short_game(chance: Random, *, sealed: bool = False) -> LoggedGame:
    """A game that is won with its first hand."""
    game = LoggedGame(chance, score=1, sealed=sealed)
    game.until(lambda at: at.phase is Phase.CHECKS and at.state.stage == Stage.OVER)
    game.check_all()
    game.log(game.writer.close(CloseReason.WON))
    return game


def log_of_whole_game(*, sealed: bool = False) -> Callable[[Random], bytes]:
    return lambda chance: log_bytes(play_short_game(chance, sealed=sealed).payloads)


def log_in_mid_hand(chance: Random) -> bytes:
    return log_bytes(LoggedGame(chance).until(them.is_our_turn).payloads)


def log_of_hearts(chance: Random) -> bytes:
    """A log with private passes, one of them its owner's."""
    return log_bytes(LoggedGame(chance, game="hearts").until(them.is_hand_over).payloads)


# --- where a record is added that nobody may take ---------------------------------------------------------------------


def play_to_our_turn(game: LoggedGame) -> None:
    game.until(them.is_our_turn)


def play_to_their_turn(game: LoggedGame) -> None:
    game.until(them.is_their_turn)


def play_to_checks(game: LoggedGame) -> None:
    """Play until side THEM alone has checked."""
    game.log(game.writer.add_sent(*read_record(bytes(game.follower.check()))))


def pause_game(game: LoggedGame) -> None:
    game.until(them.is_our_turn)
    game.log(game.writer.takeover(0, TakeoverReason.ASKED_FOR))
    game.log(game.writer.pause())


def play_to_end_of_hand(game: LoggedGame) -> None:
    game.until(them.is_hand_over)


def play_past_end(game: LoggedGame) -> None:
    game.until(them.is_our_turn).end()


def play_with_two_dropouts(game: LoggedGame) -> None:
    game.until(them.is_hand_over)
    for one in game.made_up:
        play_to_checks(game)
        game.log(game.writer.add_sent(*read_record(bytes(game.check_of(one, value=b"")))))
    play_to_checks(game)


def make_undo(game: LoggedGame) -> Record:
    """An agreed undo of an event that no seat made, or that none may take back."""
    entry = UndoEntry(game.position.count)
    return game.signed(replace(entry, yeses=(game.follower.yes(entry),)))


def log_ending_with(
    at: Callable[[LoggedGame], None], make: Callable[[LoggedGame], Record | bytes], others: int = 0
) -> Callable[[Random], bytes]:
    """A maker of a log that is valid up to its last record, built by `make`."""

    def file(chance: Random) -> bytes:
        game = LoggedGame(chance, others=others)
        at(game)
        return log_bytes([*game.payloads, RECORD + bytes(make(game))])

    return file


def log_ending_on_our_turn(make: Callable[[LoggedGame], Record | bytes]) -> Callable[[Random], bytes]:
    return log_ending_with(play_to_our_turn, make)


def log_ending_at_checks(make: Callable[[LoggedGame], Record | bytes]) -> Callable[[Random], bytes]:
    """A maker of a log that ends, with this record, when its owner has checked and another side has not."""
    return log_ending_with(play_to_checks, make, others=1)


# --- what else may be wrong -------------------------------------------------------------------------------------------


def record_indices(payloads: Payloads, kind: bytes) -> list[int]:
    return [place for place, payload in enumerate(payloads) if payload[:1] == kind]


def changed_log(change: Callable[[Payloads, Random], Payloads], *, sealed: bool = False) -> Callable[[Random], bytes]:
    """A maker of a game's log with its payloads changed."""
    return lambda chance: log_bytes(change(play_short_game(chance, sealed=sealed).payloads, chance))


def drop_record(kind: bytes, which: int) -> Callable[[Payloads, Random], Payloads]:
    def change(payloads: Payloads, _: Random) -> Payloads:
        place = record_indices(payloads, kind)[which]
        return [*payloads[:place], *payloads[place + 1 :]]

    return change


def double_record(kind: bytes, which: int) -> Callable[[Payloads, Random], Payloads]:
    def change(payloads: Payloads, _: Random) -> Payloads:
        place = record_indices(payloads, kind)[which]
        return [*payloads[: place + 1], *payloads[place:]]

    return change


def swap_records(payloads: Payloads, _: Random) -> Payloads:
    """The payloads with two neighbouring records swapped."""
    one, other = record_indices(payloads, RECORD)[5:7]
    payloads = list(payloads)
    payloads[one], payloads[other] = payloads[other], payloads[one]
    return payloads


def flip_bit(kind: bytes, which: int) -> Callable[[Payloads, Random], Payloads]:
    """A change that flips a bit in the last byte of a record."""

    def change(payloads: Payloads, _: Random) -> Payloads:
        place = record_indices(payloads, kind)[which]
        payload = payloads[place]
        return [*payloads[:place], payload[:-1] + bytes((payload[-1] ^ 1,)), *payloads[place + 1 :]]

    return change


def change_seed(payloads: Payloads, chance: Random) -> Payloads:
    return [ME + pack([THEM, chance.randbytes(VALUE)]), *payloads[1:]]


def use_unknown_kind(payloads: Payloads, _: Random) -> Payloads:
    return [*payloads[:4], b"Z", *payloads[4:]]


def log_of_bad_header(chance: Random) -> bytes:
    """A log of nothing but a well-signed header that is out of bounds."""
    return log_bytes(LoggedGame(chance, change=lambda header: replace(header, between_hands=3601)).payloads)


def log_with_false_opening(chance: Random) -> bytes:
    game = LoggedGame(chance).until(them.is_our_turn)
    entry = replace(them.make_opening(game), value=chain_value(game.seed, 2))
    game.log(game.writer.restore(bytes(game.signed(entry))))
    return log_bytes(game.payloads)


def log_with_false_deal(chance: Random) -> bytes:
    """A log in which one of the cards dealt to THEM is really ours."""
    game = LoggedGame(chance)
    play_to_checks(game)
    logged, record = them.make_false_deal(game)
    game.write(RECORD + bytes(record))
    game.follower.receive_record(bytes(record))
    assert logged.number + 1 == game.position.count
    game.log(game.writer.open_hand())
    return log_bytes(game.payloads)


def log_with_bit_flipped(place: int) -> Callable[[Random], bytes]:
    return log_with_bytes_changed(lambda data: data[:place] + bytes((data[place] ^ 1,)) + data[place + 1 :])


def log_with_bytes_changed(change: Callable[[bytes], bytes]) -> Callable[[Random], bytes]:
    return lambda chance: change(log_in_mid_hand(chance))


LAST_ZEROS = 700
"""More than a sector, so that a power cut may have left them."""

BY_LOSS = them.BY_LOSS
LOGS: tuple[LogCase, ...] = (
    LogCase(201, "RE-5", "a game that was won", FINISHED, log_of_whole_game()),
    LogCase(202, "LG-1", "a game that was won, in a log with digests", FINISHED, log_of_whole_game(sealed=True)),
    LogCase(203, "RE-5", "a game in mid-hand", UNFINISHED, log_in_mid_hand),
    LogCase(204, "FD-12", "a hand of hearts, with openings", UNFINISHED, log_of_hearts),
    LogCase(205, "LG-11", "the last record is cut short", UNFINISHED, log_with_bytes_changed(lambda data: data[:-3])),
    LogCase(
        206,
        "LG-11",
        "a power cut has left zeros",
        UNFINISHED,
        log_with_bytes_changed(lambda data: data + bytes(LAST_ZEROS)),
    ),
    LogCase(207, "LG-10", "a byte was changed", DAMAGED, log_with_bit_flipped(60)),
    LogCase(208, "LG-10", "a length was changed", DAMAGED, log_with_bit_flipped(18)),
    LogCase(
        209,
        "LG-10",
        "another first line",
        DAMAGED,
        log_with_bytes_changed(lambda data: b"p2pcards log 2\n" + data[15:]),
    ),
    LogCase(210, "LG-6", "a payload with an unknown letter", FALSE, changed_log(use_unknown_kind)),
    LogCase(211, "LG-3 LG-4", "a seed that does not belong to the chain", FALSE, changed_log(change_seed)),
    LogCase(212, "RE-5", "a record is left out", FALSE, changed_log(drop_record(RECORD, 6))),
    LogCase(213, "RE-5", "a record appears twice", FALSE, changed_log(double_record(RECORD, 6))),
    LogCase(214, "RE-5", "two records are exchanged", FALSE, changed_log(swap_records)),
    LogCase(215, "RE-5", "the signature of a record was changed", FALSE, changed_log(flip_bit(RECORD, -1))),
    LogCase(216, "RE-5", "the signature of the header was changed", FALSE, changed_log(flip_bit(HEADER, 0))),
    LogCase(217, "LG-1", "a move of its owner is left out", FALSE, changed_log(drop_record(PENDING, 1), sealed=True)),
    LogCase(
        218, "LG-1", "a check of its owner appears twice", FALSE, changed_log(double_record(CHECKED, 0), sealed=True)
    ),
    LogCase(219, "LG-1", "a digest was changed", FALSE, changed_log(flip_bit(COUNT, 0), sealed=True)),
    LogCase(220, "LG-1", "a digest is missing", FALSE, changed_log(drop_record(COUNT, -1), sealed=True)),
    LogCase(221, "RE-5", "a number of the header is out of bounds", FALSE, log_of_bad_header),
    LogCase(222, "FD-12", "a hand was opened with another value", FALSE, log_with_false_opening),
    LogCase(223, "FD-12", "its owner was shown a card of ours", FALSE, log_with_false_deal),
    LogCase(224, "RD-4", "an entry of unknown kind", FALSE, log_ending_on_our_turn(them.make_record_of(18, None))),
    LogCase(225, "RE-2", "a body that could be shorter", FALSE, log_ending_on_our_turn(them.overlong_number_record)),
    LogCase(
        226, "RE-4 RE-5", "a signature whose s is too big", FALSE, log_ending_on_our_turn(them.record_with_large_s)
    ),
    LogCase(
        227, "RE-5", "an entry that somebody else signed", FALSE, log_ending_on_our_turn(them.record_signed_by_stranger)
    ),
    LogCase(228, "RE-5", "an entry over another head", FALSE, log_ending_on_our_turn(them.record_over_wrong_head)),
    LogCase(
        229,
        "RE-5",
        "a move of its owner that we signed",
        FALSE,
        log_ending_with(play_to_their_turn, them.move_for_their_seat),
    ),
    LogCase(
        230,
        "RE-5",
        "a RETURN of a seat that was not taken over",
        FALSE,
        log_ending_on_our_turn(them.make_entry(ReturnEntry, THEM)),
    ),
    LogCase(
        231,
        "RE-5",
        "something behind CLOSE",
        FALSE,
        log_ending_with(play_past_end, them.make_entry(TakeoverEntry, *BY_LOSS)),
    ),
    LogCase(
        232,
        "RE-5",
        "CLOSE as won in mid-hand",
        FALSE,
        log_ending_on_our_turn(them.make_entry(CloseEntry, CloseReason.WON)),
    ),
    LogCase(
        233, "RE-6", "a card that the pack does not have", FALSE, log_ending_on_our_turn(them.play_of_unknown_card)
    ),
    LogCase(
        234,
        "RE-9",
        "an entry on another base",
        FALSE,
        log_ending_on_our_turn(lambda game: game.signed(them.make_takeover(game, before=1))),
    ),
    LogCase(
        235,
        "RE-10",
        "a clock that ran in a pause",
        FALSE,
        log_ending_with(pause_game, them.make_entry(TakeoverEntry, *BY_LOSS)),
    ),
    LogCase(236, "RE-11", "an UNDO of a move that cannot be taken back", FALSE, log_ending_on_our_turn(make_undo)),
    LogCase(
        237, "RE-14", "a RESTART of a game with people", FALSE, log_ending_on_our_turn(them.make_entry(RestartEntry))
    ),
    LogCase(238, "RE-14", "a SWAP", FALSE, log_ending_on_our_turn(them.make_entry(SwapEntry, THEM))),
    LogCase(239, "RE-14", "a FACE UP", FALSE, log_ending_on_our_turn(them.make_entry(FaceUpEntry, True))),
    LogCase(
        240, "RE-15", "an empty OUTCOME behind a move", FALSE, log_ending_on_our_turn(them.record_with_empty_outcome)
    ),
    LogCase(
        241,
        "FD-1",
        "a check that does not fit its chain",
        FALSE,
        log_ending_at_checks(them.check_of_other_side(bytes(24))),
    ),
    LogCase(
        242, "FD-3", "a DEAL while somebody has not checked", FALSE, log_ending_at_checks(them.deal_before_checks())
    ),
    LogCase(243, "FD-3", "a DEAL that calls them absent", FALSE, log_ending_at_checks(them.deal_before_checks(2))),
    LogCase(
        244, "FD-4", "an ABSENT before the first deal", FALSE, log_ending_at_checks(them.make_entry(AbsentEntry, 2))
    ),
    LogCase(
        245,
        "FD-4",
        "a check without a value before the first deal",
        FALSE,
        log_ending_at_checks(them.check_of_other_side(b"")),
    ),
    LogCase(
        246,
        "FD-5",
        "an ABSENT of the last listener on the roll",
        FALSE,
        log_ending_with(play_to_end_of_hand, them.make_entry(AbsentEntry, THEM)),
    ),
    LogCase(
        247,
        "FD-8",
        "another check of somebody who dropped out",
        FALSE,
        log_ending_with(play_with_two_dropouts, them.check_of_other_side(), 2),
    ),
)


# --- what a reader says of them ---------------------------------------------------------------------------------------


EXPECTED = "expected.json"


def write_logs(folder: Path, cases: Sequence[LogCase], chance: Random) -> None:
    """Write each log, and a file of what a reader has to find in them. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for case in cases:
        (folder / case.file).write_bytes(case.make(chance))
    expected = [
        {"log": case.file, "finding": case.finding, "musts": case.musts.split(), "title": case.title} for case in cases
    ]
    (folder / EXPECTED).write_text(json.dumps(expected, indent=2) + "\n")


def judge_command(case: LogCase, folder: Path, run: str, patience: float) -> Judged:
    """Judge by the exit code of a command that reads the log. Raises CannotStart and OSError."""
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
    """Judge by a given answer. answers: by name of a log, the finding."""
    found = answers.get(case.file)
    if found == case.finding or (found in (FALSE, DAMAGED) and case.finding in (FALSE, DAMAGED)):
        return Judged(case, "ok")
    said = f"It finds {found!r}" if case.file in answers else "It says nothing"
    return Judged(case, "failed", f"{said}; the log is {case.finding}.")
