"""The dialogue with a modem, byte by byte and with times of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links.modem import hayes
from p2pcards.links.modem.hayes import (
    BadCommand,
    Connected,
    Dialect,
    Dialogue,
    Failed,
    HungUp,
    Progress,
    clean_command,
)
from p2pcards.links.modem.results import ENDS, SENTENCES, read_result, redial_after

SET_UP = ["ATE0V1Q0", "ATX4", "AT&C1&D2", "ATS0=0S2=43S12=50S7=60"]
OK = b"\r\nOK\r\n"

Answers = Callable[[str], bytes]


@dataclass
class Talk:
    """A dialogue with a modem that says what `answers` gives for each thing that is written."""

    dialogue: Dialogue
    answers: Answers
    now: float = 0.0
    commands: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    told: list[Progress] = field(default_factory=list)

    def run(self, until: float = 10_000) -> Talk:
        while self.dialogue.outcome is None and self.now < until:
            if written := self.dialogue.take_bytes():
                self.commands.append(written.decode().rstrip("\r"))
                self.times.append(self.now)
                reply = self.answers(self.commands[-1])
                if reply:
                    self.now += 0.01
                    self.hear(reply)
                    continue
            self.told += self.dialogue.take_progress()
            time = self.dialogue.next_time()
            if time is None or time > until:
                self.now = until
                break
            self.now = max(self.now, time)
            self.dialogue.tick(self.now)
        self.told += self.dialogue.take_progress()
        return self

    def hear(self, data: bytes) -> None:
        self.dialogue.receive(data, self.now)


def talk(script: hayes.Script, answers: Answers) -> Talk:
    dialogue = Dialogue(script)
    dialogue.start(0.0)
    return Talk(dialogue, answers).run()


def says(**replies: bytes) -> Answers:
    """OK to all but commands that begin so."""
    return lambda command: next((reply for start, reply in replies.items() if command.startswith(start)), OK)


def test_a_call_is_set_up_one_command_a_line_and_dialled() -> None:
    done = talk(hayes.dial("9,5551234"), says(ATDT=b"\r\nCONNECT 2400/ARQ\r\n"))
    assert done.commands == [*SET_UP, "ATDT9,5551234"]
    assert done.dialogue.outcome == Connected("CONNECT 2400/ARQ", 2400)
    assert done.told == [Progress("setting up"), Progress("dialling", "9,5551234")]


def test_pulses_and_commands_of_the_user() -> None:
    done = talk(hayes.dial("5551234", Dialect(pulse=True, commands=("ATZ", "ATM0"))), says(ATDP=b"\r\nCONNECT\r\n"))
    assert done.commands == [*SET_UP, "ATZ", "ATM0", "ATE0V1Q0S0=0S2=43", "ATDP5551234"]
    assert done.dialogue.outcome == Connected("CONNECT", 300)


def test_a_modem_may_refuse_all_but_the_first_command() -> None:
    refuse = b"\r\nERROR\r\n"
    done = talk(hayes.dial("5"), says(ATX=refuse, ATS=refuse, ATDT=b"\r\nCONNECT 1200\r\n"))
    assert [told.text for told in done.told if told.kind == "refused"] == ["ATX4", SET_UP[3]]
    assert isinstance(done.dialogue.outcome, Connected)


def test_a_modem_that_sleeps_at_first_is_asked_again() -> None:
    heard = iter([b"", OK])
    done = talk(hayes.dial("5"), lambda c: next(heard, b"\r\nCONNECT 300\r\n" if "DT" in c else OK))
    assert done.commands[:3] == ["ATE0V1Q0", *SET_UP[:2]]
    assert isinstance(done.dialogue.outcome, Connected)


def test_a_call_left_by_a_dead_program_is_ended_by_the_escape() -> None:
    online = True

    def modem(command: str) -> bytes:
        nonlocal online
        online = online and command != "+++"
        return b"" if online else b"\r\nCONNECT 300\r\n" if "DT" in command else OK

    done = talk(hayes.dial("5"), modem)
    assert done.commands == ["ATE0V1Q0", "ATE0V1Q0", "+++", "ATH0", *SET_UP, "ATDT5"]
    escape = done.commands.index("+++")
    assert done.times[escape] - done.times[escape - 1] >= 1.0


@pytest.mark.parametrize(
    ("reply", "result", "sentence"),
    [
        (b"", "silent", "as a modem does"),
        (b"\r\nERROR\r\n", "strange", "refuses ATE0V1Q0"),
        (b"ATE0V1Q0\r", "silent", "OK"),
    ],
)
def test_what_is_not_a_modem_is_said_to_be_none(reply: bytes, result: str, sentence: str) -> None:
    done = talk(hayes.dial("5551234"), lambda _: reply)
    assert isinstance(done.dialogue.outcome, Failed)
    assert done.dialogue.outcome.result == result
    assert sentence in done.dialogue.outcome.sentence
    assert not any("5551234" in command for command in done.commands)
    assert done.now < 20


@pytest.mark.parametrize(
    ("reply", "result"),
    [(word, word) for word in sorted(ENDS)]
    + [("NO DIAL TONE", "NO DIALTONE"), ("DELAYED 00:10:00", "DELAYED"), ("BLACKLISTED 00:30", "BLACKLISTED")],
)
def test_every_result_has_its_sentence(reply: str, result: str) -> None:
    done = talk(hayes.dial("5551234"), says(ATDT=f"\r\nRINGING\r\n\r\n{reply}\r\n".encode()))
    assert done.dialogue.outcome == Failed(result, SENTENCES[result])
    assert Progress("ringing") in done.told
    assert done.commands[-1] == "ATH0"


def test_no_two_results_share_a_sentence() -> None:
    assert len(set(SENTENCES.values())) == len(SENTENCES)


def test_nobody_answers_and_the_modem_says_nothing() -> None:
    done = talk(hayes.dial("5551234"), says(ATDT=b"\x00\x80"))
    assert isinstance(done.dialogue.outcome, Failed)
    assert done.dialogue.outcome.result == "nobody"
    assert done.commands[-3:] == ["ATDT5551234", "", "ATH0"]
    assert 60 < done.times[-2] - done.times[-3] < 90


def test_a_call_that_comes_about_while_it_is_given_up_is_hung_up() -> None:
    answers = {"ATDT5": b"", "": b"\r\nCONNECT 2400\r\n"}
    done = talk(hayes.dial("5"), lambda command: answers.get(command, OK))
    assert done.commands[-2:] == ["+++", "ATH0"]
    assert isinstance(done.dialogue.outcome, Failed)


def test_carrier_tells_the_true_rate_and_unknown_lines_are_for_the_log() -> None:
    words = b"\r\nCARRIER 33600/V34\r\nPROTOCOL: LAPM\r\n\x07LINE \xe9OK?\r\nCONNECT 115200/V34\r\n"
    done = talk(hayes.dial("5"), says(ATDT=words))
    assert done.dialogue.outcome == Connected("CONNECT 115200/V34", 33600)
    assert done.told[-3:] == [
        Progress("carrier", "33600/V34"),
        Progress("said", "PROTOCOL: LAPM"),
        Progress("said", "LINE OK?"),
    ]


@pytest.mark.parametrize(
    "before",
    [
        OK,
        b"\r\nRING\r\n",
        b"ATDT5551234\r",
        b"\xff\x00\x13",
        b"~}#x\x80",
        b"\r\n\r\n\n\r",
        b"NAME = BUSY\r\n",
        b"NMBR=5551234 VOICE\r\n",
        b"DISCONNECTED\r\nNO\r\n",
        b"?" * 5000,
    ],
)
def test_what_comes_before_connect_does_no_harm(before: bytes) -> None:
    done = talk(hayes.dial("5551234"), says(ATDT=before + b"\r\nCONNECT 2400\r\n~data"))
    assert done.dialogue.outcome == Connected("CONNECT 2400", 2400, b"~data")
    glued = talk(hayes.dial("5551234"), says(ATDT=before + b"CONNECT 2400\r\n"))
    assert isinstance(glued.dialogue.outcome, Connected) or before[-1:] in b"OD=S"


@pytest.mark.parametrize("echo", [True, False])
def test_echo_is_no_answer(echo: bool) -> None:
    def modem(command: str) -> bytes:
        reply = b"\r\nCONNECT 2400\r\n" if "DT" in command else OK
        return (command.encode() + b"\r" if echo else b"") + reply

    done = talk(hayes.dial("5551234"), modem)
    assert done.commands == [*SET_UP, "ATDT5551234"]
    assert not [told for told in done.told if told.kind == "said"]


def test_late_and_stale_answers_do_not_end_a_call() -> None:
    """Each OK comes one command too late, and the last after the number was dialled."""
    late = {"ATX4": b"", "AT&C1&D2": OK, SET_UP[3]: OK, "ATDT5": OK + b"\r\nCONNECT 2400\r\n"}
    done = talk(hayes.dial("5"), lambda command: late.get(command, OK))
    assert isinstance(done.dialogue.outcome, Connected)


def waiting(answers: Answers) -> Talk:
    """A dialogue that waits for a call."""
    dialogue = Dialogue(hayes.answer())
    dialogue.start(0.0)
    conversation = Talk(dialogue, answers).run(until=5)
    assert conversation.commands == SET_UP
    return conversation


def test_a_call_is_answered_on_its_ring() -> None:
    conversation = waiting(lambda command: b"\r\nCONNECT 2400\r\n" if command == "ATA" else OK)
    conversation.hear(b"\r\nRING\r\n\r\nNMBR = 5551234\r\n\r\nRING\r\n")
    conversation.run()
    assert conversation.commands == [*SET_UP, "ATA"]
    assert conversation.dialogue.outcome == Connected("CONNECT 2400", 2400)
    assert [told.kind for told in conversation.told] == ["setting up", "ready", "ringing", "said", "answering"]


@pytest.mark.parametrize("fate", [b"\r\nNO CARRIER\r\n", b"\r\nERROR\r\n", b"\r\nFAX\r\n", b""])
def test_a_call_that_comes_to_nothing_is_missed_and_the_next_is_taken(fate: bytes) -> None:
    fates = iter([fate, b"\r\nCONNECT 1200\r\n"])
    conversation = waiting(lambda command: next(fates) if command == "ATA" else OK)
    conversation.hear(b"\r\nRING\r\n")
    conversation.run(until=conversation.now + 100)
    assert [told for told in conversation.told if told.kind == "missed"] == [Progress("missed", fate.decode().strip())]
    assert conversation.dialogue.outcome is None
    conversation.hear(b"\r\nRING\r\n")
    conversation.run()
    assert conversation.dialogue.outcome == Connected("CONNECT 1200", 1200)


def test_a_modem_that_was_switched_off_and_on_is_set_up_again_and_one_that_is_gone_noticed() -> None:
    there = True
    conversation = waiting(lambda _: OK if there else b"")
    conversation.run(until=conversation.now + hayes.CHECK + 5)
    assert conversation.commands == SET_UP * 2
    there = False
    conversation.run()
    assert isinstance(conversation.dialogue.outcome, Failed)
    assert conversation.dialogue.outcome.result == "silent"


@pytest.mark.parametrize(("reply", "confirmed"), [(OK, True), (b"", False)])
def test_hanging_up_keeps_silent_around_the_escape(reply: bytes, confirmed: bool) -> None:
    done = talk(hayes.hang_up(), lambda _: reply)
    assert done.commands == ["+++", "ATH0"]
    assert done.times[0] >= 1.0
    assert done.dialogue.outcome == HungUp(confirmed)


def test_an_aborted_call_is_ended_by_a_carriage_return() -> None:
    done = talk(hayes.abort(), lambda command: OK if command else b"\r\nNO CARRIER\r\n")
    assert done.commands == ["", "ATH0"]
    assert done.dialogue.outcome == HungUp(True)
    assert done.now < 1


def test_the_line_feed_of_connect_may_come_late_or_never() -> None:
    for later, rest in ((b"\nxyz", b"xyz"), (b"xyz", b"xyz"), (b"\n", b""), (b"", b"")):
        dialogue = Dialogue(hayes.dial("5"))
        dialogue.start(0.0)
        conversation = Talk(dialogue, lambda command: b"" if "DT" in command else OK)
        conversation.run(until=2)
        dialogue.receive(b"\r\nCONNECT 2400\r", 10.0)
        assert dialogue.outcome is None
        if later:
            dialogue.receive(later, 99.0)
        else:
            dialogue.tick(10.3)
        assert dialogue.outcome == Connected("CONNECT 2400", 2400, rest)


def test_a_busy_number_is_dialled_again_three_times_and_a_person_never() -> None:
    assert [redial_after("BUSY", times) for times in range(5)] == [30.0, 30.0, 30.0, None, None]
    assert {redial_after(result, 0) for result in (ENDS - {"BUSY"}) | {"nobody", "silent"}} == {None}


@pytest.mark.parametrize(
    "text", ["ATL0", "at m0", "AT&F", "ATZ", "AT+MS=V34;+DS=0", "AT&D0%C1\\N3", "ATS95=44", " ATX3 "]
)
def test_commands_that_set_up_a_modem(text: str) -> None:
    assert clean_command(text) == text.strip()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "must begin with AT"),
        ("ls", "must begin with AT"),
        ("A/", "must begin with AT"),
        ("ATZ\rATDT911", "printable ASCII"),
        ("ATZ\n", "printable ASCII"),
        ("ATé", "printable ASCII"),
        ("ATDT911", "D makes a call"),
        ("ATM0L0d555", "D makes a call"),
        ("AT+MS=V34;D5", "D makes a call"),
        ("ATA", "A makes a call"),
        ("ATO", "O makes a call"),
        ("AT" + "M0" * 20, "42 characters"),
    ],
)
def test_commands_that_do_more(text: str, sentence: str) -> None:
    with pytest.raises(BadCommand, match=sentence):
        clean_command(text)


@given(st.text(st.characters(max_codepoint=300), max_size=50).map(lambda text: "AT" + text))
def test_a_command_is_one_command(text: str) -> None:
    try:
        command = clean_command(text)
    except BadCommand as refused:
        assert str(refused)
    else:
        assert all(32 <= ord(character) < 127 for character in command)
        assert len(command) <= 40


WORDS = [
    line.encode() for line in (*ENDS, "OK", "RING", "CONNECT", "CONNECT 9600", "RINGING", "CARRIER 1200", "AT", "+++")
]
NOISE = st.lists(st.one_of(st.binary(max_size=20), st.sampled_from([*WORDS, b"\r", b"\n", b"\r\n"])), max_size=12)
SCRIPTS = st.sampled_from([hayes.answer, hayes.abort, hayes.hang_up, lambda: hayes.dial("5551234")])


@given(NOISE)
def test_a_line_means_one_thing_whatever_is_in_it(parts: list[bytes]) -> None:
    result = read_result(b"".join(parts))
    assert result.word in {*ENDS, "OK", "RING", "CONNECT", ""}
    assert result.text == "" or result.text.isprintable()


@given(SCRIPTS, st.lists(st.tuples(NOISE, st.floats(0, 100)), max_size=20))
def test_no_bytes_in_any_cuts_at_any_stage_crash_the_dialogue(
    script: Callable[[], hayes.Script], moments: list[tuple[list[bytes], float]]
) -> None:
    dialogue = Dialogue(script())
    dialogue.start(0.0)
    now = 0.0
    allowed = {*SET_UP, "ATDT5551234", "ATA", "ATH0", ""}
    for parts, seconds in moments:
        for part in parts:
            if dialogue.outcome is None:
                dialogue.receive(part, now)
        now += seconds
        dialogue.tick(now)
        assert {*dialogue.take_bytes().replace(b"+++", b"").decode().split("\r")} <= allowed
        assert all(told.text.isascii() and (told.text.isprintable()) for told in dialogue.take_progress())
        assert dialogue.outcome is not None or dialogue.next_time() is not None


@given(NOISE, st.binary(max_size=40), st.lists(st.integers(1, 30), max_size=10))
def test_what_follows_connect_is_all_given_on(noise: list[bytes], data: bytes, cuts: list[int]) -> None:
    """However the bytes are cut, and whatever came before: data are those after CONNECT's line."""
    ends = {b"CONNECT", b"CONNECT 9600", *(word.encode() for word in ENDS)}
    before = b"".join(part for part in noise if part not in ends and b"CONNECT" not in part)
    dialogue = Dialogue(hayes.dial("5"))
    dialogue.start(0.0)
    Talk(dialogue, lambda command: b"" if "DT" in command else OK).run(until=2)
    left = before + b"\r\nCONNECT 2400\r\n" + data
    given_on = b""
    while left:
        size = cuts.pop() if cuts else len(left)
        piece, left = left[:size], left[size:]
        if dialogue.outcome:
            given_on += piece
        else:
            dialogue.receive(piece, 3.0)
    dialogue.tick(4.0)
    if isinstance(dialogue.outcome, Connected):
        assert dialogue.outcome.rest + given_on == data
    else:
        assert isinstance(dialogue.outcome, Failed | None)
        assert any(word.replace(" ", "") in before.decode("latin-1").replace(" ", "") for word in ENDS)
