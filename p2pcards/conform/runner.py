"""Plays the cases one after the other, and says of each what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import trio

from p2pcards.conform.bench import PAUSE, TRIES, Bench, Broken, KitCase, Numbered, Passed, PutOff
from p2pcards.games.wording import quantity_text

PAGES = {
    "RD": "README.md",
    "CH": "channel.md",
    "FC": "first-contact.md",
    "WS": "websocket.md",
    "MS": "messages.md",
    "RE": "records.md",
    "FD": "fair-deal.md",
    "LG": "log.md",
}
"""The pages of protocol/ by the letters of their ids."""

LAST = 6
"""Messages that are shown of a case that failed."""

SHOWN = 64
"""Bytes of each; all of them are in the JSON."""

LONGEST = 30
"""Times the patience that a whole case may take, however busily it goes on."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of a case."""

    case: Numbered
    result: str  # ok, failed or skipped
    why: str = ""  # what went wrong, or what a skipped case lacked; "" if it passed
    passed: tuple[Passed, ...] = ()  # the traffic of its links; () unless it failed

    @property
    def page(self) -> str:
        """The page of the protocol that the case tests."""
        return PAGES[self.case.musts[:2]]


async def judge_case(case: KitCase, bench: Bench) -> Judged:
    if lacks := case.needs - bench.offers:
        return Judged(case, "skipped", f"needs {', '.join(sorted(lacks))}")
    for _ in range(TRIES):
        with suppress(PutOff):
            return await _judge_case_once(case, bench)
        await trio.sleep(PAUSE)
    return Judged(case, "failed", "It is busy every time we call.", tuple(bench.passed))


async def _judge_case_once(case: KitCase, bench: Bench) -> Judged:
    bench.passed.clear()
    try:
        async with bench.open():
            bench.start()
            with trio.fail_after(LONGEST * bench.patience):
                await case.play(bench)
    except PutOff:
        raise
    except Broken as broken:
        return Judged(case, "failed", str(broken), tuple(bench.passed))
    except trio.TooSlowError:
        return Judged(case, "failed", "It comes to no end.", tuple(bench.passed))
    finally:
        bench.end()
    return Judged(case, "ok")


def group_by_page(judged: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """The results by page of the protocol, in its order."""
    for page in PAGES.values():
        if of_page := [one for one in judged if one.page == page]:
            yield page, of_page


def result_lines(judged: Judged) -> list[str]:
    case = judged.case
    first = f"  {case.number:>3}  {judged.result:<7}  {case.musts:<10}  {case.title}"
    if judged.result == "ok":
        return [first]
    return [first, f"                             {judged.why}", *_traffic_lines(judged.passed)]


def _traffic_lines(passed: Sequence[Passed]) -> list[str]:
    marks = {"sent": "we >", "got": "it >", "link": "----"}
    hexed = [
        one.words or one.data[:SHOWN].hex(" ") + (f" ... ({len(one.data)} bytes)" if len(one.data) > SHOWN else "")
        for one in passed
    ]
    return [f"                             {marks[one.way]} {text}" for one, text in zip(passed, hexed, strict=True)][
        -LAST:
    ]


def summary_line(judged: Sequence[Judged]) -> str:
    results = [one.result for one in judged]
    skipped = f", {results.count('skipped')} skipped" if "skipped" in results else ""
    return (
        f"{quantity_text(len(results), 'case')}: {results.count('ok')} ok, {results.count('failed')} failed{skipped}."
    )


def results_data(judged: Sequence[Judged]) -> dict[str, object]:
    return {
        "cases": [
            {
                "number": one.case.number,
                "page": one.page,
                "musts": one.case.musts.split(),
                "title": one.case.title,
                "result": one.result,
                "why": one.why,
                "bytes": [[passed.way, passed.words or passed.data.hex()] for passed in one.passed],
            }
            for one in judged
        ],
        "ok": sum(one.result == "ok" for one in judged),
        "failed": sum(one.result == "failed" for one in judged),
        "skipped": sum(one.result == "skipped" for one in judged),
    }
