"""The codes of a table that waits, by a clock that the test sets."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.daemon.first_contact import HOUR, LIFE, MOST, PAUSES, REMEMBERED, Codes
from p2pcards.wire.reasons import ByeCode
from p2pcards.wire.spoken import Code


def codes(seed: int = 1) -> Codes:
    return Codes(Random(seed).randbytes)


def other_than(code: Code) -> int:
    return code.number % 99 + 1


def test_a_code_is_good_for_one_exchange() -> None:
    made = codes()
    code = made.make(0)
    assert made.claim(code.number, 1) == code
    assert made.code is None
    assert made.claim(code.number, 1) == ByeCode.BURNT_CODE, "while somebody is at it, and when it was not proven"
    made.used(code)
    assert made.claim(code.number, 2) == ByeCode.USED_CODE
    assert made.ready_at(2) <= 2, "the next one comes at once"


def test_a_code_lives_ten_minutes() -> None:
    made = codes()
    code = made.make(0)
    assert made.ends == LIFE
    assert made.claim(code.number, LIFE) == ByeCode.OLD_CODE
    assert made.code is None
    again = made.make(LIFE)
    assert made.claim(code.number, LIFE) == ByeCode.OLD_CODE and made.code == again, "an old code burns nothing"


def test_a_wrong_number_is_a_wrong_guess_and_burns_the_code() -> None:
    made = codes()
    code = made.make(0)
    assert made.claim(other_than(code), 1) == ByeCode.WRONG_CODE
    assert made.claim(code.number, 1) == ByeCode.BURNT_CODE
    assert made.claim(other_than(code), 1) == ByeCode.WRONG_CODE and made.code is None


def test_burnt_codes_are_replaced_after_1_then_5_then_25_seconds() -> None:
    made, now, pauses = codes(), 0.0, []
    for _ in range(5):
        code = made.make(now)
        assert made.claim(code.number, now) == code
        made.burn(code, now)
        pauses.append(made.ready_at(now) - now)
        now = made.ready_at(now)
    assert pauses == [*PAUSES, PAUSES[-1], PAUSES[-1]] == [1, 5, 25, 25, 25]
    code = made.make(now + HOUR)
    made.burn(code, now + HOUR)
    assert made.ready_at(now + HOUR) == now + HOUR + 1, "an hour later it begins again"


def test_there_are_20_codes_an_hour() -> None:
    made, now = codes(), 0.0
    for _ in range(MOST):
        code = made.make(now)
        made.used(code)
        now += 10
    assert made.none_left(now)
    assert made.ready_at(now) == HOUR, "when the first of them is an hour old"
    fresh = next(number for number in range(1, 100) if number not in made._past)
    assert made.claim(fresh, now) == ByeCode.NO_CODE_LEFT
    assert made.claim(code.number, now) == ByeCode.USED_CODE
    assert not made.none_left(HOUR)


@given(st.integers(0, 2**32), st.lists(st.sampled_from(["burn", "use", "expire", "guess", "wait"]), max_size=80))
def test_whatever_happens_the_limits_hold(seed: int, steps: list[str]) -> None:
    made, now = codes(seed), 0.0
    times: list[float] = []
    numbers: list[int] = []
    for step in steps:
        if made.code is None:
            now = max(now, made.ready_at(now))
            code = made.make(now)
            assert code.number not in numbers[-REMEMBERED:]
            times.append(now)
            numbers.append(code.number)
            assert sum(time > now - HOUR for time in times) <= MOST
        assert made.code is not None
        current = made.code
        if step == "wait":
            now += LIFE / 3
            if now >= made.ends:
                made.expire()
        elif step == "expire":
            made.expire()
        elif step == "guess":
            assert made.claim(other_than(current), now) in (
                ByeCode.WRONG_CODE,
                ByeCode.BURNT_CODE,
                ByeCode.OLD_CODE,
                ByeCode.USED_CODE,
            )
        else:
            claimed = made.claim(current.number, now)
            assert claimed == current and isinstance(claimed, Code)
            made.used(claimed) if step == "use" else made.burn(claimed, now)
        assert made.code in (None, current)
