"""`p2pcards replay` and `p2pcards export` on real logs, at a terminal, in words and through pipes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2pcards.control.exits import DAMAGED, USAGE
from p2pcards.ledger.payloads import RECORD
from p2pcards.store.logs import MAGIC, encode_record, read_log
from rigs.program import AtTerminal, MakeProgram, Program

Played = tuple[Program, Program]


def log_of(program: Program) -> str:
    return str(program.data("logs")[0]["log"])


def test_through_a_pipe_all_steps_are_printed(played: Played) -> None:
    for program, mine in zip(played, ("Ann", "Bob"), strict=True):
        text = program.out("replay", log_of(program), "--ascii")
        lines = text.splitlines()
        assert lines[0].endswith(" first.") and ("deal hand 1." in text or "deals hand 1." in text)
        assert f" {mine} plays " not in text and "You play " in text
        assert [line for line in lines if line.strip().startswith("Your hand: ")]
        assert "the game is over" in text.lower()
        steps = program.data("replay", log_of(program))
        assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
        assert sum(line[:6].strip().rstrip(".").isdecimal() for line in lines) == len(steps)


def test_all_cards_open_are_the_same_in_every_log(played: Played) -> None:
    ann, bob = played
    texts = [program.out("export", log_of(program), "--open") for program in played]
    assert texts[0] == texts[1] and "with all cards" in texts[0]
    assert "--" not in texts[0]
    seen = [program.out("export", log_of(program), "--as", seat) for program, seat in ((ann, "2"), (bob, "bob"))]
    assert seen[0] == seen[1] and "as Bob saw it." in seen[0]
    (hand, *_) = json.loads(ann.out("export", log_of(ann), "--as", "Bob", "--format", "json"))["hands"]
    assert [bool(cards) for cards in hand["dealt"]] == [False, True]


def test_one_hand_alone(played: Played) -> None:
    ann, _ = played
    log = log_of(ann)
    hands = ann.data("verify", log)["logs"][0]["hands"]
    last = len(hands)
    text = ann.out("export", log, "--hand", str(last))
    assert f"Hand {last}" in text and (last == 1 or "Hand 1," not in text)
    assert {step["hand"] for step in ann.data("replay", log, "--hand", str(last))} == {last}


def test_hands_that_were_not_opened_are_nobodys_to_see(inside: Program) -> None:
    inside.data("play", "hearts", "--name", "Cy", "--seed", "3")
    inside.out("stop")
    log = log_of(inside)
    assert "Your hand: " in inside.out("replay", log)
    assert "Hand 1, dealt by" in inside.out("export", log, "--as", "Cy")
    for arguments in (("--open",), ("--as", "2"), ("--open", "--hand", "1")):
        for command in ("replay", "export"):
            code, said = inside.refused(command, log, *arguments)
            assert (code, said) == (USAGE, "Hand 1 wasn't opened, so the other hands stay hidden.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--as", "9"), "There's no seat '9'. Seats: 1 Ann, 2 Bob."),
        (("--as", "Bo"), "There's no seat 'Bo'."),
        (("--hand", "99"), "There's no hand 99 in this log. It has hands 1 to "),
        (("--as", "1", "--open"), "not both"),
    ],
)
def test_what_is_not_there_is_a_sentence(played: Played, arguments: tuple[str, ...], sentence: str) -> None:
    for command in ("replay", "export"):
        code, said = played[0].refused(command, log_of(played[0]), *arguments)
        assert code == USAGE and sentence in said


def test_a_log_that_does_not_prove_itself_is_not_shown(played: Played, inside: Program, tmp_path: Path) -> None:
    path = Path(played[0].data("logs")[0]["file"])
    payloads = read_log(path).payloads
    number = [place for place, payload in enumerate(payloads) if payload[:1] == RECORD][5]
    payloads[number] = payloads[number][:-1] + bytes((payloads[number][-1] ^ 1,))
    forged, spoilt = tmp_path / "forged.log", tmp_path / "spoilt.log"
    forged.write_bytes(MAGIC + b"".join(map(encode_record, payloads)))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    spoilt.write_bytes(data)
    for command in ("replay", "export"):
        code, said = inside.refused(command, str(forged))
        assert code == DAMAGED and "This log doesn't check out: " in said and "p2pcards verify" in said
        code, said = inside.refused(command, str(spoilt))
        assert code == DAMAGED and "has changed" in said
        code, said = inside.refused(command, "nothing")
        assert code == USAGE


def test_at_a_terminal_keys_go_through_the_steps(played: Played) -> None:
    program = Program(played[0].home)
    steps = len(program.inside().data("replay", log_of(program)))
    with AtTerminal(program, "replay", log_of(program)) as terminal:
        terminal.until(rf"Step 1 of {steps}, hand 1, record")
        for keys, words in (
            (" ", "Step 2 of"),
            ("\x1b[C", "Step 3 of"),
            ("\x1b[D", "Step 2 of"),
            ("12\r", "Step 12 of"),
            ("\x1b[F", rf"Step {steps} of"),
            (" ", "That was the last step."),
            ("\x1b[H", "Step 1 of"),
            ("99999\r", rf"Pick a step from 1 to {steps}\."),
            ("++p", "Step 3 of .* playing, a card every 0.25 s"),
            ("p", "record [0-9]+[.]\r"),
        ):
            terminal.type(keys)
            terminal.until(words)
        assert terminal.end("q") == 0


def test_in_words(make_program: MakeProgram, played: Played) -> None:
    program = Program(played[1].home)
    with AtTerminal(program, "replay", log_of(program), "--plain", "--ascii") as terminal:
        terminal.until("Commands: next")
        terminal.until("Step 1 of")
        for words, answer in (
            ("", "Step 2 of"),
            ("5", "Step 5 of"),
            ("back", "Step 4 of"),
            ("nonsense", "Unknown command"),
        ):
            terminal.type(words + "\r")
            terminal.until(answer)
        assert "\x1b" not in terminal.text
        terminal.type("quit\r")
        assert terminal.end() == 0
    with AtTerminal(program, "replay", log_of(program), "--plain") as terminal:
        terminal.until("Step 1 of")
        assert terminal.end("\x04") == 0
