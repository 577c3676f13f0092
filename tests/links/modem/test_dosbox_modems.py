"""Calls between two modems that others have written."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rigs.giving_up import longest_wait
from rigs.modem.dosbox_modems import ModemPair, dosbox_modems

pytestmark = pytest.mark.modem

PARTY = Path(__file__).parents[2] / "rigs/modem/party.py"


class Party:
    """A program that calls or is called; happened: what it has printed."""

    def __init__(self, pair: ModemPair, log: Path, device: str, *what: str) -> None:
        self._log = log
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, PARTY, device, *what],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=pair.for_program(),
            )
        self._read = 0

    def do(self, command: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()

    def waits_for(self, *words: object) -> list[object]:
        """What happens next that begins so; what is before it is passed over."""
        end = time.monotonic() + longest_wait()
        while time.monotonic() < end:
            lines = self._log.read_text(encoding="utf-8").split("\n")[:-1]
            for place in range(self._read, len(lines)):
                if lines[place].startswith(json.dumps(words)[:-1]):
                    self._read = place + 1
                    happened: list[object] = json.loads(lines[place])
                    return happened
            time.sleep(0.02)
        raise AssertionError(f"{words} did not happen:\n{self._log.read_text(encoding='utf-8')}")

    def hears(self, text: str) -> None:
        """This text comes next, in any pieces."""
        came = ""
        while len(came) < len(text):
            came += str(self.waits_for("came")[1])
        assert came == text


Start = Callable[..., Party]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a party (pair, device, what to do); all are ended with the test."""
    started: list[Party] = []

    def one(pair: ModemPair, device: str, *what: str) -> Party:
        started.append(Party(pair, tmp_path / f"{len(started)}.log", pair.devices[device], *what))
        return started[-1]

    try:
        yield one
    finally:
        for party in started:
            party.process.kill()
            party.process.communicate()


def end(*parties: Party) -> None:
    for one in parties:
        one.do("end")
    assert [one.process.wait(longest_wait()) for one in parties] == [0] * len(parties)


def connect(ann: Party, bob: Party) -> tuple[object, object]:
    """They call each other; what DCD is like at either end then."""
    bob.do("call")
    bob.waits_for("told", "setting up")
    ann.do("call")
    ann.waits_for("told", "dialling")
    bob.waits_for("told", "ringing")
    bob.waits_for("told", "answering")
    return ann.waits_for("connected")[2], bob.waits_for("connected")[2]


def speak(ann: Party, bob: Party) -> None:
    ann.do("send " + "from Ann to Bob " * 20)
    bob.do("send " + "from Bob to Ann " * 20)
    bob.hears("from Ann to Bob " * 20)
    ann.hears("from Bob to Ann " * 20)


def test_dial_ring_answer_speak_hang_up_and_redial(modem_pair: ModemPair, start: Start) -> None:
    ann, bob = start(modem_pair, "a", "dial", modem_pair.numbers["b"]), start(modem_pair, "b", "answer")
    assert ann.waits_for("open") == ["open", False]
    assert connect(ann, bob) == (True, True)
    speak(ann, bob)
    ann.do("hang up")
    assert ann.waits_for("hung up")[1] is False
    assert "the other side hung up" in str(bob.waits_for("over")[1])
    bob.do("send lost words")
    bob.waits_for("not sent")
    bob.do("hang up")
    bob.waits_for("hung up")
    assert connect(ann, bob) == (True, True)
    speak(ann, bob)
    end(ann, bob)


def test_without_control_lines(bare_modem_pair: ModemPair, start: Start) -> None:
    ann, bob = start(bare_modem_pair, "a", "dial", bare_modem_pair.numbers["b"]), start(bare_modem_pair, "b", "answer")
    assert connect(ann, bob) == (None, None)
    speak(ann, bob)
    bob.do("hang up")
    bob.waits_for("hung up")
    ann.waits_for("over")
    ann.do("hang up")
    ann.waits_for("hung up")
    assert connect(ann, bob) == (None, None)
    speak(ann, bob)
    end(ann, bob)


@pytest.mark.parametrize("wired", [True, False])
def test_after_a_kill_in_a_call_the_modem_can_be_used_again(wired: bool, start: Start) -> None:
    """These modems connect the caller before anybody answers."""
    with dosbox_modems(control_lines=wired) as pair:
        dials = (pair, "a", "dial", pair.numbers["b"])
        ann, bob = start(*dials), start(pair, "b", "answer")
        connect(ann, bob)
        ann.process.kill()
        ann.process.wait()
        again = start(*dials)
        again.do("call")
        bob.waits_for("over")
        again.waits_for("connected")
        bob.do("hang up")
        bob.waits_for("hung up")
        bob.do("call")
        bob.waits_for("connected")
        speak(again, bob)
        end(again, bob)


def test_nobody_is_there(modem_pair: ModemPair, start: Start) -> None:
    ann = start(modem_pair, "a", "dial", "127000000001" + "16999")
    ann.do("call")
    assert ann.waits_for("failed")[1] == "NO CARRIER"
    end(ann)
