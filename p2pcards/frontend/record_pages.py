"""The records, the scoreboard and the games that can go on, as pages: data for programs, and the same as lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from p2pcards.control.messages import Happened
from p2pcards.frontend.manner import Manner
from p2pcards.games.names import GAME_NAMES, name_with_preset
from p2pcards.games.registry import GAMES, find_game
from p2pcards.games.telling import level_texts
from p2pcards.games.wording import join_with_and, quantity_text
from p2pcards.players.levels import LEVELS
from p2pcards.present.dates import DAY, MINUTE, local_time_text
from p2pcards.present.width import align_columns, fit_text, pad_right, text_width, wrap_words
from p2pcards.results import standings
from p2pcards.results.book import Book, Entered, Rating, level_of
from p2pcards.results.keeping import Progress, Tell, ask_book, reset, take_back_reset, tell_nobody
from p2pcards.results.result import COMPUTER, MARKS, PERSON, GameResult
from p2pcards.results.saves import SavedGame
from p2pcards.results.scoreboard import (
    GAME,
    BoardState,
    ScoreLine,
    board_state,
    keep_saved,
    make_board,
    no_board,
    reset_board,
    save_board,
)
from p2pcards.store.files import Home, StoreError
from p2pcards.store.logs import SUFFIX
from p2pcards.store.profiles import homes_beside
from p2pcards.views.happenings import GameWon
from p2pcards.views.tableview import TableView

if TYPE_CHECKING:
    from p2pcards.games.game import AnyGame


# --- the games that can go on, as they are shown wherever one is chosen -----------------------------------------------


HEADINGS = ("save", "game", "last played", "hand", "score", "")
LISTENS = "a friend hosts"
"""What is said of a game that another resumes."""
FEW = 8
"""Games that are listed unasked: there is one that is meant most of the time, and it was played lately."""


def saved_games_table(saves: Sequence[SavedGame]) -> list[str]:
    """A line for each saved game, below a heading."""
    rows = [_saved_game_row(one) for one in saves]
    return align_columns([HEADINGS, *rows], (3,))


def _saved_game_row(one: SavedGame) -> tuple[str, ...]:
    waits = "" if one.coordinates else LISTENS
    return one.called, _game_name(one), _last_played(one)[:MINUTE], str(one.scores.hand), _scores_text(one), waits


def saved_game_line(one: SavedGame) -> str:
    """One line about a saved game, such as ``friday: Hearts, 2026-11-20 19:04, hand 3: Ann 12, Granny 31, Betty 7,
    Wayne 54``."""
    waits = "" if one.coordinates else f"; {LISTENS}"
    name = f"{one.name}: " if one.name else ""
    return f"{name}{_game_name(one)}, {_last_played(one)[:MINUTE]}, hand {one.scores.hand}: {_scores_text(one)}{waits}"


def saved_game_data(one: SavedGame) -> dict[str, Any]:
    """A saved game as `saves --json` shows it."""
    return {
        "save": one.log.stem,
        "name": one.name or None,
        "file": str(one.log.path),
        "game": one.log.game,
        "preset": one.scores.preset,
        "played": _last_played(one),
        "hand": one.scores.hand,
        "people": list(one.players),
        "coordinates": one.coordinates,
        "sides": [{"players": list(side.names), "score": side.score} for side in one.scores.sides],
    }


def _game_name(one: SavedGame) -> str:
    return name_with_preset(GAME_NAMES.get(one.log.game, one.log.game), one.scores.preset)


def _last_played(one: SavedGame) -> str:
    return local_time_text(one.log.changed / 1_000_000_000)


def _scores_text(one: SavedGame) -> str:
    return ", ".join([f"{join_with_and(side.names)} {side.score}" for side in one.scores.sides])


# --- the records as pages ---------------------------------------------------------------------------------------------


Row = dict[str, Any]
Table = list[Sequence[str]]
BLUE, RED, PLAIN = "\x1b[34m", "\x1b[31m", "\x1b[0m"
INKS = {True: BLUE, False: RED}
SIGN = {"me": "P", "peer": "P", "computer": "C"}
"""Before each name, so that people and computer players are told apart without colours too."""
NAME_COLUMNS = 24
RATED = (
    "Ratings start at 25; +- is two standard deviations. Games with undo, redeal, restart, swapped or open hands, "
    "or with the computer in a person's seat aren't rated."
)


@dataclass(frozen=True, slots=True)
class RecordPage:
    data: Any  # for JSON
    rows: Sequence[Row]  # a table, for CSV
    lines: Sequence[str]


def records_page(book: Book, game: AnyGame, by: str = "wins", colour: bool = False) -> RecordPage:
    """How often each player has won a game. by: the order, "wins" or "percent"."""
    found = standings.standings(book, game.key)
    found = standings.by_percent(found) if by == "percent" else found
    rows = [_standing_row(one) for one in found]
    levels = [{"level": one.level, **_rating_data(one.rating)} for one in standings.level_ratings(book, game.key)]
    own = standings.own_figures(book, game.key)
    figures = [
        {"figure": one.figure.key, "value": round(one.value, 2), "of": one.tries, "meaning": one.figure.meaning}
        for one in own
    ]
    data = {"game": game.key, "players": rows, "levels": levels, "figures": figures}
    if not rows:
        return RecordPage(data, rows, [_no_games_text(game.key)])
    lines = [_records_title(game, by), *_standings_table(rows, colour)]
    if levels:
        told = ", ".join([f"{one['level']} {_rating_text(one)}" for one in levels])
        alike = level_texts([game], [str(one["level"]) for one in levels])
        lines += ["", *wrap_words(" ".join([f"Computer players: {told}.", *alike]), indent="  ")]
    if own:
        shown = [(one.figure.key, f"{one.value:.1f}{' %' * one.figure.share}", one.figure.meaning) for one in own]
        lines += ["", "Your play", *align_columns(shown, (1,))]
    return RecordPage(data, rows, [*lines, "", *wrap_words(RATED)])


def standing_lines(book: Book, game: AnyGame, colour: bool = False) -> list[str]:
    """Lines with how often each player has won this game, and nothing else."""
    rows = [_standing_row(one) for one in standings.standings(book, game.key)]
    percent = "To sort by win rate: records percent"
    return [_records_title(game), *_standings_table(rows, colour), "", percent] if rows else []


def games_page(book: Book) -> RecordPage:
    """For each game, how often it was played and how often a person of this home has won it."""
    rows: list[Row] = []
    for key in standings.games_played(book):
        mine = next((one for one in standings.standings(book, key) if one.kind == PERSON), None)
        games, won, rating = (mine.games, mine.won, mine.rating) if mine else (0, 0, None)
        rows.append({"game": key, "games": games, "won": won, **_rating_data(rating)})
    if not rows:
        return RecordPage(rows, rows, [_no_games_text()])
    table: Table = [("game", "games", "won", "percent", "rating")]
    table += [
        (GAME_NAMES[row["game"]], str(row["games"]), str(row["won"]), _percent_text(row), _rating_text(row))
        for row in rows
    ]
    return RecordPage(rows, rows, [*align_columns(table, (1, 2, 3)), "", "For one game: records GAME"])


def history_page(book: Book, game: str = "", level: str = "", most: int = 100, colour: bool = False) -> RecordPage:
    """The games that ended here, newest first. game, level: only these, "" for all; most: how many; colour: won games
    are blue, lost ones red."""
    rows = [_history_row(one) for one in standings.history(book, game, level, most)]
    if not rows:
        return RecordPage(rows, rows, [_no_games_text(game)])
    return RecordPage(rows, rows, _game_lines(rows, one_kind=bool(game), colour=colour))


def league_page(home: Home, game: str = "", tell: Tell = tell_nobody, progress: Progress = tell_nobody) -> RecordPage:
    """Wins and points of everyone we have played with, and of the other profiles on this machine. game: its key, "" for
    all. tell, progress: as in `keeping.ask_book`. Raises StoreError."""
    found: list[standings.PlayerStanding] = []
    for one in homes_beside(home):
        if one is home or one.results.exists():
            there = ask_book(one, lambda book: standings.people_standings(book, game), tell, progress)
            found += there if one is home else [each for each in there if each.kind == PERSON]
    rows = [_standing_row(one) for one in sorted(found, key=lambda one: (-one.won, -one.percent, one.name))]
    data = [row | {"lost": row["games"] - row["won"]} for row in rows]
    if not rows:
        return RecordPage(data, data, [_no_games_text(game)])
    table: Table = [("", "player", "won", "lost", "percent", "points", "against", "a game")]
    for row in data:
        numbers = [str(row[key]) for key in ("points", "against")]
        won = [str(row["won"]), str(row["lost"]), _percent_text(row)]
        table.append((SIGN[row["kind"]], fit_text(row["name"], NAME_COLUMNS), *won, *numbers, f"{row['average']:.1f}"))
    return RecordPage(data, data, [GAME_NAMES[game] if game else "All games", *align_columns(table, range(2, 8))])


def against_page(book: Book, game: str = "") -> RecordPage:
    """The results against each person we have met, told apart by their keys. game: its key, "" for all."""
    rows: list[Row] = [
        {
            "name": one.name,
            "key": one.key,
            "games": one.games,
            "won": one.won,
            "mine": one.points,
            "theirs": one.against,
        }
        for one in standings.head_to_head(book, game)
    ]
    if not rows:
        return RecordPage(rows, rows, ["No finished games with other people yet."])
    table: Table = [("with", "games", "you won", "your points", "their points")]
    table += [(row["name"], *[str(row[key]) for key in ("games", "won", "mine", "theirs")]) for row in rows]
    return RecordPage(rows, rows, align_columns(table, (1, 2, 3, 4)))


def hall_page(home: Home, game: str = "", tell: Tell = tell_nobody, progress: Progress = tell_nobody) -> RecordPage:
    """The best and worst scores, and the closest and widest wins, of each game over all profiles on this machine. game:
    its key, "" for all. tell, progress: as in `keeping.ask_book`. Raises StoreError."""

    def best(book: Book) -> dict[str, list[standings.Extreme]]:
        return {key: standings.hall_of_fame(book, key) for key in standings.games_played(book) if game in ("", key)}

    homes = [one for one in homes_beside(home) if one is home or one.results.exists()]
    halls = [ask_book(one, best, tell, progress) for one in homes]
    played = sorted({key for one in halls for key in one})
    rows: list[Row] = [
        {
            "game": key,
            "what": one.what,
            "points": one.points,
            "against": one.against,
            "name": one.name,
            "kind": one.kind,
            "ended": local_time_text(one.entered.ended / 1000),
            "log": _log_name(one.entered),
        }
        for key in played
        for one in standings.hall_of_all([one[key] for one in halls if key in one])
    ]
    if not rows:
        return RecordPage(rows, rows, [_no_games_text(game)])
    lines: list[str] = []
    for key in played:
        own = [row for row in rows if row["game"] == key]
        table = [
            (row["what"], f"{row['points']} to {row['against']}", _player_text(row), row["ended"][:DAY]) for row in own
        ]
        lines += ["", GAME_NAMES[key], *align_columns(table, (1,))]
    return RecordPage(rows, rows, lines[1:])


def board_page(result: GameResult, colour: bool = False) -> RecordPage:
    """The scores of a game hand by hand, also of one in progress. colour: hands that the player here did best in are
    blue, others red."""
    rows: list[Row] = []
    totals = [0] * len(result.seats)
    for hand in result.hands:
        totals = [total + points for total, points in zip(totals, hand.points, strict=True)]
        rows.append({"hand": hand.number, "points": list(hand.points), "totals": totals, "items": hand.items})
    data = {
        "game": result.game,
        "preset": result.preset,
        "level": level_of(result),
        "over": result.over,
        "players": [
            {"name": seat.name, "kind": seat.kind, "points": seat.points, "won": seat.won} for seat in result.seats
        ],
        "hands": rows,
        "marks": [MARKS[mark] for mark in result.marks],
    }
    flat = [
        {"hand": row["hand"], "seat": place + 1, "name": seat.name, "points": points, "total": total}
        for row in rows
        for place, (seat, points, total) in enumerate(zip(result.seats, row["points"], row["totals"], strict=True))
    ]
    return RecordPage(data, flat, _board_lines(result, colour))


# --- private ----------------------------------------------------------------------------------------------------------


def _no_games_text(game: str = "") -> str:
    return f"No finished games{f' of {GAME_NAMES[game]}' if game else ''} yet."


def _dye_lines(lines: Sequence[str], inks: Sequence[str]) -> list[str]:
    """Each line in its colour, "" for none."""
    return [f"{ink}{line}{PLAIN}" if ink else line for ink, line in zip(inks, lines, strict=True)]


def _records_title(game: AnyGame, by: str = "wins") -> str:
    return f"{game.name}, by {'win rate' if by == 'percent' else 'games won'}"


def _standing_row(one: standings.PlayerStanding) -> Row:
    return {
        "kind": one.kind,
        "name": one.name,
        "key": one.key,
        "games": one.games,
        "won": one.won,
        "percent": round(one.percent, 1),
        "points": one.points,
        "against": one.against,
        "average": round(one.points / one.games, 1),
        **_rating_data(one.rating),
    }


def _standings_table(rows: Sequence[Row], colour: bool) -> list[str]:
    table: Table = [("", "player", "games", "won", "percent", "points", "against", "a game", "rating")]
    for row in rows:
        numbers = [str(row[key]) for key in ("games", "won")]
        points = [str(row["points"]), str(row["against"]), f"{row['average']:.1f}"]
        table.append(
            (
                SIGN[row["kind"]],
                fit_text(row["name"], NAME_COLUMNS),
                *numbers,
                _percent_text(row),
                *points,
                _rating_text(row),
            )
        )
    head, *lines = align_columns(table, range(2, 8))
    return [head, *_dye_lines(lines, [BLUE if colour and row["kind"] == COMPUTER else "" for row in rows])]


def _game_lines(rows: Sequence[Row], *, one_kind: bool, colour: bool) -> list[str]:
    """The history as lines. The points are beside the game, or below it where its name leaves no room. one_kind: all
    are of one game."""
    head, *games = _game_blocks(rows, one_kind)
    inks = [INKS.get(row["won"], "") if colour else "" for row in rows]
    dyed = [_dye_lines(lines, [ink] * len(lines)) for ink, lines in zip(inks, games, strict=True)]
    return [*head, *chain(*dyed)]


def _game_blocks(rows: Sequence[Row], one_kind: bool) -> list[list[str]]:
    """The lines of the heading, then those of each game."""
    points = [
        ["points"],
        *[[f"{one}," for one in _points_by_side(row)[:-1]] + _points_by_side(row)[-1:] for row in rows],
    ]
    if one_kind:
        table: Table = [("ended", "level", "result")]
        table += [(row["ended"][:DAY], row["level"], _outcome_text(row)) for row in rows]
        firsts = align_columns(table)
        column = max(map(text_width, firsts)) + 2
        pairs = zip(firsts, points, strict=True)
        return [wrap_words(told, first=pad_right(first, column - 1), indent=" " * column) for first, told in pairs]
    table = [("ended", "game", "level", "result")]
    table += [(row["ended"][:DAY], GAME_NAMES[row["game"]], row["level"], _outcome_text(row)) for row in rows]
    head, *firsts = align_columns(table)
    indent = " " * (DAY + 2)
    pairs = zip(firsts, points[1:], strict=True)
    return [[head], *[[first, *wrap_words(told, first=indent, indent=indent)] for first, told in pairs]]


def _history_row(one: Entered) -> Row:
    result = one.result
    return {
        "id": result.id,
        "ended": local_time_text(one.ended / 1000),
        "game": result.game,
        "preset": result.preset,
        "level": level_of(result),
        "players": _player_rows(result),
        "sides": [list(side) for side in result.sides],
        "finished": result.won,
        "won": None if result.mine is None or not result.won else result.seats[result.mine].won,
        "rated": result.is_rated,
        "counts": one.counts and result.won,
        "marks": [MARKS[mark] for mark in result.marks],
        "log": _log_name(one),
    }


def _player_rows(result: GameResult) -> list[Row]:
    return [
        {name: getattr(seat, name) for name in ("name", "kind", "key", "level", "points", "won")}
        for seat in result.seats
    ]


def _outcome_text(row: Row) -> str:
    if not row["finished"]:
        return "ended early"
    told = {True: "won", False: "lost", None: "no winner"}[row["won"]]
    return told + ("" if row["rated"] else ", not rated") + ("" if row["counts"] else ", reset")


def _points_by_side(row: Row) -> list[str]:
    sides = [[row["players"][seat] for seat in side] for side in row["sides"]]
    return [
        f"{' and '.join([fit_text(one['name'], NAME_COLUMNS) for one in side])} {side[0]['points']}" for side in sides
    ]


def _log_name(one: Entered) -> str | None:
    """The log's name as `p2pcards logs` lists it, None where it has none."""
    return one.log and one.log.removesuffix(SUFFIX)


def _board_lines(result: GameResult, colour: bool) -> list[str]:
    """The scores hand by hand as lines."""
    table: Table = [("hand", *[fit_text(seat.name, NAME_COLUMNS) for seat in result.seats])]
    table += [(str(hand.number), *[f"{points:+}" for points in hand.points]) for hand in result.hands]
    table.append(("total", *[str(seat.points) for seat in result.seats]))
    level = f", against {level_of(result)}" if level_of(result) else ""
    game = name_with_preset(GAME_NAMES[result.game], result.preset)
    title = f"{game}{level}, {'finished' if result.over else 'unfinished'}"
    head, *hands, total = align_columns(table, range(1, len(table[0])))
    inks = [_hand_colour(result, hand.points) if colour else "" for hand in result.hands]
    lines = [title, head, *_dye_lines(hands, inks), total]
    for hand in result.hands[-1:]:
        lines += ["", f"Hand {hand.number}"]
        for side in result.sides:
            items = hand.items[side[0]] if hand.items else ()
            what = ", ".join([f"{label} {points}" for label, points in items]) or "nothing"
            names = join_with_and([result.seats[seat].name for seat in side])
            lines += wrap_words(f"{names}: {what}.", indent="  ")
    winners = tuple([seat.name for seat in result.seats if seat.won])
    lines += ["", f"{join_with_and(winners)} won."] if winners else []
    marks = "; ".join([MARKS[mark] for mark in result.marks])
    return lines + (wrap_words(f"Not rated: {marks}.") if marks else [])


def _hand_colour(result: GameResult, points: Sequence[int]) -> str:
    """The colour of a hand's row, "" where no player of this home took part or nobody did best. points: of the hand, by
    side."""
    mine = next((side for side in result.sides if result.mine in side), None)
    if mine is None:
        return ""
    others = [points[side[0]] for side in result.sides if side != mine]
    best, own = (min if result.low_wins else max)(others), points[mine[0]]
    return "" if own == best else BLUE if (own < best) == result.low_wins else RED


def _player_text(row: Mapping[str, Any]) -> str:
    return f"{row['name']} (computer)" if row["kind"] == COMPUTER else str(row["name"])


def _rating_data(rating: Rating | None) -> Row:
    if rating is None:
        return {"rating": None, "uncertainty": None, "rated_games": 0}
    return {"rating": round(rating.mu, 2), "uncertainty": round(2 * rating.sigma, 2), "rated_games": rating.games}


def _rating_text(row: Row) -> str:
    return "" if row["rating"] is None else f"{row['rating']:.1f} +-{row['uncertainty']:.1f}"


def _percent_text(row: Row) -> str:
    return f"{100 * row['won'] / row['games']:.0f} %" if row["games"] else ""


# --- what the records tell at a table and on the title screen ---------------------------------------------------------


ALL = "all"
MOST = 20
"""Games of the history."""
NONE_KEPT = "This table keeps no records."
BY = ("wins", "percent")
YES_NO = ("yes", "no")
AFRESH = ("reset", "recover")
"""What may be done with the records of a game: count from now on only, and take the last of these back."""
RECORD_WORDS = ("records", "history", "league", "hall")


@dataclass(frozen=True, slots=True)
class RecordsRequest:
    """A parsed request for records."""

    word: str  # one of RECORD_WORDS
    game: str = ""  # its key; "" for all games
    by: str = BY[0]  # one of BY
    level: str = ""  # of the strongest computer player; "" for any
    change: str = ""  # one of AFRESH; "" to show them only
    sure: bool = False  # the change needs no confirmation


def parse_records_request(word: str, arguments: Sequence[str], here: str | None = None) -> RecordsRequest:
    """Parse the words after `records`, `history`, `league` and the like. here: key of the game meant where none is
    named. Raises UnknownGame."""
    asked = RecordsRequest(word, "" if word == "league" else here or "")
    for argument in map(str.lower, arguments):
        if argument == ALL:
            asked = replace(asked, game="")
        elif word == "history" and argument in LEVELS:
            asked = replace(asked, level=argument)
        elif word == "records" and argument in BY:
            asked = replace(asked, by=argument)
        elif word == "records" and argument in AFRESH:
            asked = replace(asked, change=argument)
        elif asked.change and argument == YES_NO[0]:
            asked = replace(asked, sure=True)
        else:
            asked = replace(asked, game=find_game(argument).key)
    return asked


def run_records_request(home: Home | None, asked: RecordsRequest, colour: bool = False) -> list[str]:
    """Carry out the requested change, if any, and return the records as lines. It reads changed logs first, which may
    take long."""

    def read(home: Home, tell: Tell) -> Sequence[str]:
        if asked.change:
            return [change_records(home, asked.game, asked.change)]
        if asked.word == "league":
            return league_page(home, asked.game, tell).lines
        if asked.word == "hall":
            return hall_page(home, asked.game, tell).lines
        return ask_book(home, lambda book: _requested_page(book, asked, colour), tell).lines

    return _read_lines(home, read)


def records_after_game(home: Home | None, game: str, colour: bool = False) -> list[str]:
    """The records as lines once a game of this kind is over, read as in `run_records_request`. game: its key."""
    return _read_lines(
        home, lambda home, tell: ask_book(home, lambda book: standing_lines(book, GAMES[game], colour), tell)
    )


def records_reset_question(home: Home, game: str, tell: Tell = tell_nobody, progress: Progress = tell_nobody) -> str:
    """Ask for confirmation before the records of a game are reset; "" where none of its games count. Raises
    StoreError."""
    games = ask_book(home, lambda book: standings.count_games(book, game), tell, progress)
    if not games:
        return ""
    counted = _games_count_text(games, "no longer ")
    return f"This starts your {GAME_NAMES[game]} records and ratings over: {counted}. Logs are kept."


def records_change_question(home: Home | None, asked: RecordsRequest) -> str:
    """Ask for confirmation before this request changes the records; "" where it changes none. May take long, as
    `run_records_request`."""
    if home is None or asked.change != "reset" or asked.sure or not asked.game:
        return ""
    try:
        told = records_reset_question(home, asked.game)
    except StoreError:
        return ""  # what is wrong is said in place of what was asked for
    return f"{told} Reset?" if told else ""


def change_records(home: Home, game: str, change: str) -> str:
    """Carry out one of AFRESH, and return the confirmation. Raises StoreError."""
    if not game:
        return "Which game? Type: records GAME reset"
    name, now = GAME_NAMES[game], int(time.time())
    if change == "reset":
        done = reset(home, game, now)
        if not done:
            return NO_RESET.format(name=name)
        return f"{name}: {_games_count_text(done, 'no longer ')}. To undo: records {game} recover"
    done = take_back_reset(home, game, now)
    return f"{name}: {_games_count_text(done)} again." if done else f"There's no reset of {name} to undo."


def game_for_records(happened: Happened, view: TableView, manner: Manner) -> str:
    """The key of the game whose records to show after this happening, "" for none."""
    news = isinstance(happened.happening, GameWon) and not happened.earlier
    kept = manner.home is not None and not (view.apart or view.looks_on)
    return view.game or "" if news and kept and manner.show_records else ""


# --- private ----------------------------------------------------------------------------------------------------------

NO_RESET = "No {name} games to reset."


def _read_lines(home: Home | None, read: Callable[[Home, Tell], Sequence[str]]) -> list[str]:
    """What was told while the lines were read, and the lines; in place of them why they can't be."""
    if home is None:
        return [NONE_KEPT]
    told: list[str] = []
    try:
        lines = read(home, told.append)
    except StoreError as error:
        lines = [error.with_advice]
    return [*told, *lines]


def _requested_page(book: Book, asked: RecordsRequest, colour: bool) -> RecordPage:
    if asked.word == "history":
        return history_page(book, asked.game, asked.level, MOST, colour)
    return records_page(book, GAMES[asked.game], asked.by, colour) if asked.game else games_page(book)


def _games_count_text(games: int, how: str = "") -> str:
    """``3 games count``; with "no longer " as how, ``3 games no longer count``."""
    return f"{quantity_text(games, 'game')} {how}count{'s' * (games == 1)}"


# --- the scoreboard of two-handed pinochle ----------------------------------------------------------------------------


CHANGES = ("new", "save", "reset", "recover")
"""What may be done with it."""


def scoreboard_page(
    home: Home, colour: bool = False, tell: Tell = tell_nobody, progress: Progress = tell_nobody
) -> RecordPage:
    """The games, and the rounds of the one in progress, unsaved ones too. tell, progress: as for `ask_book`. Raises
    StoreError."""
    state = board_state(home, _today_text(), tell, progress)
    if state is None:
        return RecordPage(None, [], [no_board().with_advice])
    games, rounds = _scoreboard_rows(state.now.games), _scoreboard_rows(state.now.rounds)
    data = {
        "file": str(home.scoreboard),
        "game": len(games) + 1,
        "games": games,
        "rounds": rounds,
        "log": state.now.log or None,
        "saved": state.now == state.saved,
    }
    lines = ["Two-handed pinochle scoreboard", *_scoreboard_lines("game", games, colour)]
    lines += ["", f"Game {len(games) + 1}", *_scoreboard_lines("round", rounds, colour)]
    new = _unsaved_text(state)
    return RecordPage(data, games, [*lines, *(["", f"Not saved yet: {new}."] if new else [])])


def run_scoreboard_command(home: Home | None, change: str = "", colour: bool = False) -> list[str]:
    """Carry out one of CHANGES and return the confirmation; for "" the scoreboard as lines. May take long, as
    `run_records_request`."""
    return _read_lines(
        home,
        lambda home, tell: [change_scoreboard(home, change)] if change else scoreboard_page(home, colour, tell).lines,
    )


def change_scoreboard(home: Home, change: str) -> str:
    """Carry out one of CHANGES, and return the confirmation. Raises StoreError."""
    if change == "new":
        make_board(home)
        return f"New scoreboard, at game 1. It's kept in {home.scoreboard}."
    if change == "save":
        save_board(home, _today_text())
        return "Scoreboard saved."
    if change == "reset":
        reset_board(home, _today_text())
        return (
            "The scoreboard is back at game 1, with the rounds of the current game. To keep that: scoreboard save. "
            "To undo: scoreboard recover"
        )
    keep_saved(home)
    return "Scoreboard restored."


def scoreboard_save_question(view: TableView, manner: Manner) -> str:
    """Ask, before the person leaves the table, whether to save the scoreboard; "" where nothing is unsaved or its file
    cannot be read. It reads changed logs first, which may take long."""
    alone = all(person.link == "you" for person in view.people)
    if manner.home is None or not manner.asks or not alone or view.game != GAME or view.apart or view.looks_on:
        return ""
    try:
        state = board_state(manner.home, _today_text())
    except StoreError:
        return ""
    return f"Save the scoreboard ({new})?" if state and (new := _unsaved_text(state)) else ""


def answer_scoreboard_save(manner: Manner, answer: str) -> str:
    """Save the scoreboard, or keep the saved one, as answered; return the confirmation, "" for an answer that isn't
    understood."""
    meant = {"y": "save", "yes": "save", "n": "recover", "no": "recover"}.get(answer.lower())
    try:
        return change_scoreboard(manner.home, meant) if meant and manner.home else ""
    except StoreError as error:
        return error.with_advice


# --- private ----------------------------------------------------------------------------------------------------------


def _today_text() -> str:
    return local_time_text(time.time())[:DAY]


def _scoreboard_rows(lines: Sequence[ScoreLine]) -> list[Row]:
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


def _scoreboard_lines(what: str, rows: Sequence[Row], colour: bool) -> list[str]:
    """The scoreboard as lines; won rows are blue, lost ones red. what: its heading."""
    if not rows:
        return [f"No finished {what}s yet."]
    said = {True: "won", False: "lost", None: "even"}
    table = [(what, "you", "they", "date", "level", "")]
    for row in rows:
        points = [str(row[key]) for key in ("number", "mine", "theirs")]
        table.append((points[0], points[1], points[2], row["date"], row["level"], said[row["won"]]))
    sums = [str(sum(row[key] for row in rows)) for key in ("mine", "theirs")]
    won = [row["won"] for row in rows]
    table.append(("total", sums[0], sums[1], "", "", f"{won.count(True)} won, {won.count(False)} lost"))
    head, *lines, total = align_columns(table, (0, 1, 2))
    return [head, *_dye_lines(lines, [INKS.get(one, "") if colour else "" for one in won]), total]


def _unsaved_text(state: BoardState) -> str:
    """What isn't saved yet, in a few words; "" where all is."""
    if state.now == state.saved:
        return ""
    parts = ["started over"] if state.reset else []
    parts += [quantity_text(state.games, "game")] if state.games else []
    parts += [quantity_text(state.rounds, "round")] if state.rounds else []
    return ", ".join(parts) or "changed"
