"""The scoreboard of two-handed pinochle: what it shows, the words that change it, and what is asked at the exit."""

from __future__ import annotations

import time
from collections.abc import Sequence

from p2pcards.frontend.manner import Manner
from p2pcards.frontend.record_pages import BLUE, PLAIN, RED, RecordPage, Row
from p2pcards.frontend.record_words import NONE_KEPT
from p2pcards.present.dates import DAY, local_time
from p2pcards.present.width import columns
from p2pcards.results.keeping import Progress, Tell, silent
from p2pcards.results.score_file import (
    BoardState,
    board_state,
    keep_saved,
    make_board,
    no_board,
    reset_board,
    save_board,
)
from p2pcards.results.scoreboard import GAME, ScoreLine
from p2pcards.store.errors import StoreError
from p2pcards.store.home import Home
from p2pcards.views.tableview import TableView

CHANGES = ("new", "save", "reset", "recover")
"""What may be done with it."""
YES_NO = ("yes", "no")


def scoreboard_page(home: Home, colour: bool = False, tell: Tell = silent, progress: Progress = silent) -> RecordPage:
    """The games and the rounds of the one that is on, also those that are not saved yet. tell, progress: as in
    `keeping.ask`. Raises StoreError."""
    state = board_state(home, _today(), tell, progress)
    if state is None:
        return RecordPage(None, [], [no_board().with_advice])
    games, rounds = _rows(state.now.games), _rows(state.now.rounds)
    data = {
        "file": str(home.scoreboard),
        "game": len(games) + 1,
        "games": games,
        "rounds": rounds,
        "log": state.now.log or None,
        "saved": state.now == state.saved,
    }
    lines = ["Scoreboard of two-handed pinochle", *_table("game", games, colour)]
    lines += ["", f"Game {len(games) + 1}", *_table("round", rounds, colour)]
    new = _new(state)
    return RecordPage(data, games, [*lines, *(["", f"Not saved yet: {new}."] if new else [])])


def scoreboard_lines(home: Home | None, change: str = "", colour: bool = False) -> list[str]:
    """The scoreboard, or what is said of one of CHANGES, once that is done. It may take long, as `record_lines`."""
    if home is None:
        return [NONE_KEPT]
    told: list[str] = []
    try:
        lines = [change_board(home, change)] if change else scoreboard_page(home, colour, told.append).lines
    except StoreError as error:
        lines = [error.with_advice]
    return [*told, *lines]


def change_board(home: Home, change: str) -> str:
    """Do one of CHANGES; what is said about it. Raises StoreError."""
    if change == "new":
        make_board(home)
        return f"The scoreboard begins with game 1. It is kept in {home.scoreboard}."
    if change == "save":
        save_board(home, _today())
        return "The scoreboard is saved."
    if change == "reset":
        reset_board(home, _today())
        return (
            "The scoreboard begins with game 1 again, and the rounds of the game that is on stay. 'scoreboard save' "
            "keeps that; 'scoreboard recover' brings back what was saved."
        )
    keep_saved(home)
    return "The scoreboard is as it was saved."


def saving_question(view: TableView, manner: Manner) -> str:
    """What is asked before somebody leaves the table, "" where there is nothing to ask. A file that cannot be read
    keeps nobody: `scoreboard` tells what is wrong with it. The logs that have changed are read first, which may take
    long."""
    alone = all(person.link == "you" for person in view.people)
    if manner.home is None or not manner.asks or not alone or view.game != GAME or view.apart or view.looks_on:
        return ""
    try:
        state = board_state(manner.home, _today())
    except StoreError:
        return ""
    return f"Save the scoreboard ({new})?" if state and (new := _new(state)) else ""


def answer_saving(manner: Manner, answer: str) -> str:
    """Save the scoreboard, or keep it as it was saved; what is said about it, "" for no answer to that."""
    meant = {"y": "save", "yes": "save", "n": "recover", "no": "recover"}.get(answer.lower())
    try:
        return change_board(manner.home, meant) if meant and manner.home else ""
    except StoreError as error:
        return error.with_advice


# --- private ----------------------------------------------------------------------------------------------------------


def _today() -> str:
    return local_time(time.time())[:DAY]


def _rows(lines: Sequence[ScoreLine]) -> list[Row]:
    return [
        {
            "number": number,
            "mine": one.mine,
            "theirs": one.theirs,
            "date": one.day,
            "level": one.level,
            "won": one.won,
        }
        for number, one in enumerate(lines, 1)
    ]


def _table(what: str, rows: Sequence[Row], colour: bool) -> list[str]:
    """What was won is blue, what was lost red."""
    if not rows:
        return [f"No {what} is over yet."]
    said, inks = {True: "won", False: "lost", None: "even"}, {True: BLUE, False: RED}
    table = [(what, "you", "they", "date", "level", "")]
    for row in rows:
        points = [str(row[key]) for key in ("number", "mine", "theirs")]
        table.append((points[0], points[1], points[2], row["date"], row["level"], said[row["won"]]))
    sums = [str(sum(row[key] for row in rows)) for key in ("mine", "theirs")]
    won = [row["won"] for row in rows]
    table.append(("total", sums[0], sums[1], "", "", f"{won.count(True)} won, {won.count(False)} lost"))
    head, *lines, total = columns(table, (0, 1, 2))
    pairs = zip(lines, won, strict=True)
    return [head, *[f"{inks[one]}{line}{PLAIN}" if colour and one in inks else line for line, one in pairs], total]


def _new(state: BoardState) -> str:
    """What is not saved yet, in a few words; "" where all is."""
    if state.now == state.saved:
        return ""
    parts = ["begun anew"] if state.reset else []
    parts += [_count(state.games, "game")] if state.games else []
    parts += [_count(state.rounds, "round")] if state.rounds else []
    return ", ".join(parts) or "changed"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
