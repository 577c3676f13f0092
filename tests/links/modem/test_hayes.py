"""The dialogue with a modem, byte by byte and with times of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.links.modem import hayes
from p2pcards.links.modem.calls import Dialogue
from p2pcards.links.modem.hayes import (
    ENDS,
    SENTENCES,
    BadCommand,
    CallerShown,
    Connected,
    Dialect,
    Failed,
    HungUp,
    Progress,
    clean_command,
    read_result,
    redial_after,
)
from rigs.modem.scripted_modem import Speech, with_even_parity, with_mark_parity

SET_UP = ["ATE0V1Q0", "ATX4", "AT&C1&D2", "ATS0=0S2=43S12=50S7=60"]
READY = [*SET_UP, "ATS0?"]
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
    assert done.dialogue.outcome == Connected("CONNECT", None)


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
        (b"", "silent", "No modem answers"),
        (b"\r\nERROR\r\n", "strange", "rejects ATE0V1Q0"),
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
    ("reply", "result", "ends"),
    [(word, word, "") for word in sorted(ENDS)]
    + [
        ("NO DIAL TONE", "NO DIALTONE", ""),
        ("LINE-IN-USE", "LINE IN USE", ""),
        ("DELAYED 00:10:00", "DELAYED", "Try again in 10 minutes. The modem said: DELAYED 00:10:00"),
        ("DELAYED 01:10:00", "DELAYED", "Try again in 70 minutes. The modem said: DELAYED 01:10:00"),
        ("BLACKLISTED 00:30", "BLACKLISTED", " The modem said: BLACKLISTED 00:30"),
        ("ERROR: no route to host", "ERROR", " The modem said: ERROR: no route to host"),
        ("NO CARRIER (remote closed)", "NO CARRIER", " The modem said: NO CARRIER (remote closed)"),
        ("BUSY: try later", "BUSY", " The modem said: BUSY: try later"),
        ("+CME ERROR: 30", "ERROR", " The modem said: ERROR: 30"),
    ],
)
def test_every_result_has_its_sentence(reply: str, result: str, ends: str) -> None:
    done = talk(hayes.dial("5551234"), says(ATDT=f"\r\nRINGING\r\n\r\n{reply}\r\n".encode()))
    assert isinstance(done.dialogue.outcome, Failed)
    assert done.dialogue.outcome.result == result
    assert done.dialogue.outcome.sentence.startswith(SENTENCES[result].partition("{")[0])
    assert done.dialogue.outcome.sentence.endswith(ends)
    assert "{" not in done.dialogue.outcome.sentence
    assert done.now < 5
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


def test_carrier_tells_the_true_rate_and_unknown_lines_are_shown() -> None:
    words = b"\r\nCARRIER 33600/V34\r\nPROTOCOL: LAPM\r\n\x07LINE \xe9OK?\r\nCONNECT 115200/V34\r\n"
    done = talk(hayes.dial("5"), says(ATDT=words))
    assert done.dialogue.outcome == Connected("CONNECT 115200/V34", 33600)
    assert done.told[-3:] == [
        Progress("carrier", "33600/V34"),
        Progress("said", "PROTOCOL: LAPM"),
        Progress("words", "LINE OK?"),
    ]


@pytest.mark.parametrize(
    ("words", "rate"),
    [
        ("CONNECT", None),
        ("CONNECT 300", 300),
        ("CONNECT 0600", 600),
        ("CONNECT 9600/ARQ/V32", 9600),
        ("CONNECT 115200/V34/LAPM/V42BIS/33600:TX/31200:RX", 33600),
        ("CONNECT 38400/V.32bis 14400/V.42bis", 14400),
        ("CONNECTED", None),
        ("CONNECTED TO 192.168.1.100:6400", None),
        ("CONNECT 192.168.1.100:6400", None),
        ("+MCR: V34\r\n+MRR: 26400,28800\r\nCONNECT 115200", 26400),
        ("CARRIER 1200\r\nCARRIER LOST\r\nCONNECT", 1200),
    ],
)
def test_the_rate_is_read_where_a_modem_tells_it(words: str, rate: int | None) -> None:
    done = talk(hayes.dial("5"), says(ATDT=f"\r\n{words}\r\n".encode()))
    assert isinstance(done.dialogue.outcome, Connected)
    assert done.dialogue.outcome.rate == rate


def test_words_that_may_be_the_end_are_shown_at_once_and_end_the_call_soon() -> None:
    done = talk(hayes.dial("5"), says(ATDT=b"\r\nGROUP BARRED\r\n"))
    assert Progress("words", "GROUP BARRED") in done.told
    assert isinstance(done.dialogue.outcome, Failed)
    assert done.dialogue.outcome.result == "unknown"
    assert '"GROUP BARRED"' in done.dialogue.outcome.sentence
    assert done.now < hayes.WORDS + 10


@pytest.mark.parametrize(
    "before", [b"LINE QUALITY GOOD\r\nRINGING\r\n", b"AUTOSTREAM: LEVEL 1\r\n", b"ERROR CONTROL: LAPM\r\n"]
)
def test_words_that_something_follows_are_not_the_end(before: bytes) -> None:
    dialogue = Dialogue(hayes.dial("5"))
    dialogue.start(0.0)
    conversation = Talk(dialogue, lambda command: b"" if "DT" in command else OK).run(until=3)
    conversation.hear(b"\r\n" + before)
    conversation.run(until=40)
    assert dialogue.outcome is None
    conversation.hear(b"\r\nCONNECT 1200\r\n")
    conversation.run()
    assert dialogue.outcome == Connected("CONNECT 1200", 1200)


@pytest.mark.parametrize(
    ("digits", "outcome"),
    [
        (b"1\r", Connected("CONNECT", None)),
        (b"5\r", Connected("CONNECT 1200", 1200)),
        (b"010\r", Connected("CONNECT 2400", 2400)),
        (b"7\r", Failed("BUSY", SENTENCES["BUSY"])),
        (b"3\r", Failed("NO CARRIER", SENTENCES["NO CARRIER"])),
    ],
)
def test_a_modem_that_stays_with_digits(digits: bytes, outcome: hayes.Outcome) -> None:
    assert talk(hayes.dial("5"), lambda command: digits if "DT" in command else b"0\r").dialogue.outcome == outcome


def test_digits_are_nothing_from_a_modem_that_speaks_in_words() -> None:
    done = talk(hayes.dial("5"), says(ATDT=b"\r\n7\r\n\r\n3\r\n\r\nCONNECT 2400\r\n"))
    assert done.dialogue.outcome == Connected("CONNECT 2400", 2400)


@pytest.mark.parametrize("speech", [with_even_parity, with_mark_parity])
def test_parity_bits_are_stripped(speech: Speech) -> None:
    words = b"\r\nLINE CHECKED\r\n\r\nCONNECT 1200\r\n"
    done = talk(hayes.dial("5"), lambda command: speech(words if "DT" in command else OK))
    assert done.dialogue.outcome == Connected("CONNECT 1200", 1200)
    assert Progress("words", "LINE CHECKED") in done.told


@pytest.mark.parametrize(
    "echo",
    [
        lambda command: "".join(2 * character for character in command) + "\r\r",
        lambda command: command.lower() + "\r",
        lambda command: command,
        lambda command: "}~" + command + " ",
        lambda command: command + "\n",
    ],
    ids=["twice", "small letters", "on the same line", "noise", "line feed"],
)
def test_odd_echo_is_no_answer(echo: Callable[[str], str]) -> None:
    def modem(command: str) -> bytes:
        return echo(command).encode() + (b"CONNECT 2400\r\n" if "DT" in command else b"OK\r\n")

    done = talk(hayes.dial("5551234"), modem)
    assert done.commands == [*SET_UP, "ATDT5551234"]
    assert done.dialogue.outcome == Connected("CONNECT 2400", 2400)
    assert not [told for told in done.told if "555" in told.text and told.kind != "dialling"]


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


def waiting(answers: Answers, rings: int = 1) -> Talk:
    """A dialogue that waits for a call."""
    dialogue = Dialogue(hayes.answer(Dialect(rings=rings)))
    dialogue.start(0.0)
    conversation = Talk(dialogue, answers).run(until=5)
    assert conversation.commands == READY
    return conversation


CALLED_BY = b"\r\nDATE = 1123\r\n\r\nTIME = 1512\r\n\r\nNMBR = 5551234\r\n\r\nNAME = SMITH ANN\r\n"


@pytest.mark.parametrize("rings", [2, 3])
def test_who_calls_is_told_before_the_call_is_answered_after_so_many_rings(rings: int) -> None:
    answers = lambda command: b"\r\nCONNECT 2400\r\n" if command == "ATA" else OK  # noqa: E731
    conversation = waiting(answers, rings)
    for rung in range(rings):
        assert "ATA" not in conversation.commands
        conversation.hear(b"\r\nRING\r\n")
        if rung == 0:
            conversation.hear(CALLED_BY)
        conversation.run(until=conversation.now + 6)
    told = [one for one in conversation.told if one.kind != "said"]
    assert [one.kind for one in told] == ["setting up", "ready", "ringing", "caller", "answering"]
    assert told[3].caller == CallerShown("5551234", "SMITH ANN")
    assert conversation.dialogue.outcome == Connected("CONNECT 2400", 2400)


def test_a_number_that_comes_before_the_first_ring_counts_for_it() -> None:
    conversation = waiting(lambda command: b"\r\nCONNECT\r\n" if command == "ATA" else OK)
    conversation.hear(CALLED_BY + b"\r\nRING\r\n")
    conversation.run()
    assert Progress("caller", caller=CallerShown("5551234", "SMITH ANN")) in conversation.told


def test_a_caller_who_hangs_up_before_the_last_ring_was_missed_and_the_waiting_goes_on() -> None:
    conversation = waiting(lambda _: OK, 3)
    conversation.hear(b"\r\nRING\r\n" + CALLED_BY)
    conversation.run(until=conversation.now + 30)
    assert [one.kind for one in conversation.told if one.kind != "said"][2:5] == ["ringing", "caller", "missed"]
    assert "ATA" not in conversation.commands
    assert conversation.dialogue.outcome is None


def test_a_call_is_answered_on_its_ring() -> None:
    conversation = waiting(lambda command: b"\r\nCONNECT 2400\r\n" if command == "ATA" else OK)
    conversation.hear(b"\r\nRING\r\n\r\nMARK = 5551234\r\n\r\nRING\r\n")
    conversation.run()
    assert conversation.commands == [*READY, "ATA"]
    assert conversation.dialogue.outcome == Connected("CONNECT 2400", 2400)
    assert [told.kind for told in conversation.told] == ["setting up", "ready", "ringing", "said", "answering"]


@pytest.mark.parametrize("digits", [False, True])
def test_a_modem_that_answers_by_itself_is_told_nothing_while_it_does(digits: bool) -> None:
    ok = b"0\r" if digits else OK
    dialogue = Dialogue(hayes.answer())
    dialogue.start(0.0)
    conversation = Talk(dialogue, lambda command: b"\r\n003\r\n" + ok if command == "ATS0?" else ok).run(until=5)
    assert Progress("by itself", "3") in conversation.told
    for _ in range(3):
        conversation.hear(b"2\r" if digits else b"\r\nRING\r\n")
        conversation.run(until=conversation.now + 6)
    conversation.hear(b"1\r" if digits else b"\r\nCONNECT\r\n")
    conversation.run()
    assert conversation.commands == READY
    assert dialogue.outcome == Connected("CONNECT", None)


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
    assert conversation.commands == READY * 2
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
    "text",
    [
        "ATL0",
        "at m0",
        "AT&F",
        "ATZ",
        "AT+MS=V34;+DS=0",
        "AT&D0%C1\\N3",
        "AT#CID=1",
        "AT#CID=1;+DS=0",
        "AT-STE=7",
        "AT#CID?",
        "ATS95=44",
        " ATX3 ",
    ],
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
        ("ATDT911", "'DT911'"),
        ("ATM0L0d555", "'d555'"),
        ("AT+MS=V34;D5", "'D5'"),
        ("AT#CID=1D5", "'D5'"),
        ("ATE0;D0900123456", "';D0900"),
        ("AT;D5", "';D5'"),
        ("AT/D5", "'/D5'"),
        ("AT,D5", "',D5'"),
        ("AT(D)5", "'\\(D\\)5'"),
        ("AT+FCLASS=0;;D5", "';D5'"),
        ('AT+CKPD="0900"', "'\\+CKPD"),
        ("AT+FCLASS=8", "'\\+FCLASS"),
        ("AT&Z0=0900", "'&Z0"),
        ("AT&L1", "'&L1'"),
        ("ATH1", "'H1'"),
        ("ATS0=1", "answer by itself"),
        ("ATM0 S0 = 2", "answer by itself"),
        ("ATS=1", "'S=1'"),
        ("AT\\O", "'\\\\O'"),
        ("ATA", "'A'"),
        ("ATO", "'O'"),
        ("AT" + "M0" * 20, "42 characters"),
    ],
)
def test_commands_that_do_more(text: str, sentence: str) -> None:
    with pytest.raises(BadCommand, match=sentence):
        clean_command(text)


SETTINGS = ("L0", "m 1", "&K3", "S95=44", "s7 = 60", "%C1", "\\N3", "#CID=1;", "-STE=7;", "+MS=V34,1;", "+DS=0;", "Z")
CALLS = (
    "D5",
    "dt0900",
    "A",
    "O",
    "o0",
    "&Z0=5",
    "H1",
    "S0=1",
    "+CKPD=5",
    "+A",
    "$D",
    "*D5",
    "\\O",
    "&L1",
    "+FCLASS=8;",
)
BETWEEN = (
    "",
    " ",
    ";",
    ";;",
    "/",
    ",",
    "(",
    '"',
    "+",
    "+;",
    "=",
    "?",
    "%",
    "\\",
    "#",
    "*",
    "$",
    "-",
)  # &A, &D only set up


@given(
    st.lists(st.sampled_from(SETTINGS), max_size=3),
    st.sampled_from(BETWEEN),
    st.sampled_from(CALLS),
    st.sampled_from(BETWEEN),
    st.lists(st.sampled_from(SETTINGS), max_size=3),
)
def test_no_spelling_makes_a_call(before: list[str], left: str, call: str, right: str, after: list[str]) -> None:
    with pytest.raises(BadCommand):
        clean_command(f"AT{''.join(before)}{left}{call}{right}{''.join(after)}")


@given(st.lists(st.sampled_from(SETTINGS), max_size=4))
def test_settings_may_follow_one_another(chosen: list[str]) -> None:
    command = "AT" + "".join(chosen)
    assert clean_command(command) == command


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
    allowed = {*READY, "ATDT5551234", "ATA", "ATH0", ""}
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
