"""`p2pcards records`, `history`, `league`, `hall` and `board` over the logs of real games."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards.cli.terminal import escape_unprintable
from p2pcards.control.exits import DAMAGED, USAGE
from p2pcards.games.registry import GAMES
from p2pcards.store.logs import MAGIC
from rigs.old_logs import OF_0_1_0, home_with_old_logs
from rigs.program import AtTerminal, Program

KINDS = {"me", "peer", "computer"}


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Has played, and only looks."""
    folder = tmp_path_factory.mktemp("home")
    home_with_old_logs(folder)
    return Program(folder, inside=True)


@pytest.fixture
def own(tmp_path: Path) -> Program:
    """Has played, and changes what counts."""
    home_with_old_logs(tmp_path)
    return Program(tmp_path, inside=True)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_who_has_won_a_game_how_often(ann: Program) -> None:
    data = ann.data("records", "spades")
    assert data["game"] == "spades"
    assert {one["name"]: (one["games"], one["won"], one["points"], one["against"]) for one in data["players"]} == {
        "Ann": (1, 1, 122, 90),
        "Reddy Betty": (1, 1, 122, 90),
        "Wacky Wayne": (1, 0, 90, 122),
        "Dizzy Lizzy": (1, 0, 90, 122),
    }
    assert {one["kind"] for one in data["players"]} == {"me", "computer"}
    text = ann.out("records", "spades")
    assert text.startswith("Spades, by games won\n")
    assert [line[0] for line in text.splitlines()[2:6]] == ["P", "C", "C", "C"]
    assert "\x1b" not in text
    assert rows(ann.out("records", "spades", "--csv"))[0]["name"] == "Ann"


def test_computer_players_are_blue_at_a_terminal(ann: Program) -> None:
    text = ann.inside(columns=100).out("records", "spades")
    lines = [line for line in text.splitlines() if "Wayne" in line or "Ann" in line]
    assert [line.startswith("\x1b[34mC") for line in lines] == [False, True]
    assert text == escape_unprintable(text)


def test_all_games(ann: Program) -> None:
    games = ann.data("records")
    assert {one["game"] for one in games} == OF_0_1_0
    assert all(one["games"] == 1 for one in games)
    (me,) = [one for one in ann.data("records", "spades")["players"] if one["kind"] == "me"]
    assert me["rating"] and [one["rating"] for one in games if one["game"] == "spades"] == [me["rating"]]
    assert "For one game: records GAME" in ann.out("records")


def test_by_percent(ann: Program) -> None:
    shares = [one["percent"] for one in ann.data("records", "hearts", "--by", "percent")["players"]]
    assert shares == sorted(shares, reverse=True)
    assert ann.out("records", "hearts", "--by", "percent").startswith("Hearts, by win rate\n")


def test_with_whom(ann: Program) -> None:
    others = ann.data("records", "--against")
    assert others and all(len(one["key"]) == 64 for one in others)
    assert ann.data("records", "spades", "--against") == []
    assert ann.out("records", "spades", "--against") == ("No finished games with other people yet.\n")


def test_the_history_is_the_newest_first(ann: Program) -> None:
    games = ann.data("history")
    assert [one["ended"] for one in games] == sorted([one["ended"] for one in games], reverse=True)
    assert games[0]["game"] == "whist" and len(games) == 14
    assert [one["game"] for one in ann.data("history", "--most", "2")] == ["whist", "thirty_one"]
    assert [one["game"] for one in ann.data("history", "--game", "Spades")] == ["spades"]
    assert {one["level"] for one in ann.data("history", "--level", "novice")} == {"novice"}
    assert len(rows(ann.out("history", "--csv"))) == len(games)
    line, points = ann.out("history", "--most", "1").splitlines()[1:]
    assert line.split()[1:] == ["Whist", "novice", "lost"]
    assert points.strip() == "Ann and Reddy Betty 4, Wacky Wayne and Dizzy Lizzy 7"
    assert max(map(len, ann.out("history").splitlines())) < 80


def test_the_league_has_people_alone(ann: Program) -> None:
    league = ann.data("league")
    assert {one["kind"] for one in league} <= KINDS - {"computer"}
    (me,) = [one for one in league if one["name"] == "Ann"]
    assert me["games"] == me["won"] + me["lost"] and me["average"] == round(me["points"] / me["games"], 1)
    assert rows(ann.out("league", "--csv"))[0]["name"] == "Ann"
    assert len({line[3:30] for line in ann.out("league").splitlines()}) == len(league) + 2  # nobody's name twice


def test_the_hall_of_fame(ann: Program) -> None:
    found = {one["what"]: one for one in ann.data("hall", "--game", "spades")}
    assert (found["highest score"]["points"], found["lowest score"]["points"]) == (122, 90)
    assert found["widest win"]["log"] == ann.data("history", "--game", "spades")[0]["log"]
    assert {one["game"] for one in ann.data("hall")} == OF_0_1_0
    assert ann.out("hall", "--game", "spades").startswith("Spades\nhighest score")


def test_a_board_is_the_game_hand_by_hand(ann: Program) -> None:
    (spades,) = [log["log"] for log in ann.data("logs", "--game", "spades")]
    board = ann.data("board", spades)
    assert (board["game"], board["over"], board["level"]) == ("spades", True, "novice")
    assert board["hands"][-1]["totals"] == [one["points"] for one in board["players"]]
    assert len(rows(ann.out("board", spades, "--csv"))) == 4 * len(board["hands"])
    plain, coloured = ann.out("board", spades), ann.inside(columns=100).out("board", spades)
    assert plain.splitlines()[0].endswith("against novice, finished") and "\x1b" not in plain
    mine = next(place for place, one in enumerate(board["players"]) if one["kind"] == "me")
    for hand, line in zip(board["hands"], coloured.splitlines()[2:], strict=False):
        blue = hand["points"][mine] > hand["points"][mine - 1]
        assert line.startswith("\x1b[34m" if blue else "\x1b[31m") and line.endswith("\x1b[0m")
    unfinished = next(log["log"] for log in ann.data("logs") if log["state"] == "unfinished")
    assert ann.data("board", unfinished)["over"] is False


def test_a_rating_is_drawn(ann: Program, tmp_path: Path) -> None:
    picture = tmp_path / "spades.svg"
    assert ann.out("records", "spades", "--plot", str(picture)).startswith(f"{picture} shows your rating")
    assert "<svg" in picture.read_text() and "Spades" in picture.read_text()
    assert all(hasattr(finder, "find_spec") for finder in sys.meta_path)  # Python 3.11 warns where one has none
    code, said = ann.refused("records", "hearts", "--plot", str(tmp_path / "none.svg"))
    assert code == USAGE and said.startswith("You haven't finished a rated game of Hearts")


@pytest.mark.parametrize(
    "words", [["league"], ["hall"], ["history"], ["records", "spades"]], ids=lambda words: words[0]
)
def test_who_asks_the_records_loads_no_other_game_and_nothing_heavy(ann: Program, words: list[str]) -> None:
    ann.out("records")  # every log is read
    run = f"from p2pcards.cli.main import run_command; run_command({words})"
    look = f"import sys; {run}; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", look], env=ann.environment, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert {f"p2pcards.games.{game}.rules" for game in GAMES} & loaded == {
        f"p2pcards.games.{game}.rules" for game in words[1:]
    }
    assert not {"trio", "textual", "p2pcards.ledger"} & loaded


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("records hart", "There's no game 'hart'. Did you mean 'hearts'?\n"),
        ("history --game hart", "There's no game 'hart'. Did you mean 'hearts'?\n"),
        ("hall --game hart", "There's no game 'hart'. Did you mean 'hearts'?\n"),
        ("history --level novise", "There's no level 'novise'. Did you mean 'novice'?\n"),
        ("records hearts --json --csv", "Use --json or --csv, not both.\n"),
        ("league --json --csv", "Use --json or --csv, not both.\n"),
        ("records --reset", "This option needs a game: p2pcards records GAME"),
        ("records --take-back", "This option needs a game: p2pcards records GAME"),
        ("records --plot x.svg", "This option needs a game: p2pcards records GAME"),
        ("records spades --take-back", "You haven't reset Spades, so there's nothing to take back.\n"),
        ("board nothing", "There's no log 'nothing'."),
    ],
)
def test_what_does_not_go_is_told(ann: Program, words: str, said: str) -> None:
    code, sentence = ann.refused(*words.split())
    assert code == USAGE
    assert sentence.startswith(said)


def test_a_board_of_a_log_that_tells_no_game(ann: Program, tmp_path: Path) -> None:
    path = tmp_path / "empty.log"
    path.write_bytes(MAGIC)
    code, said = ann.refused("board", str(path))
    assert code == DAMAGED and said.startswith(f"Can't read a game from {path}: ")


def test_a_reset_counts_from_then_on_and_is_taken_back(own: Program) -> None:
    before, other = own.data("records", "spades"), own.data("records", "hearts")
    code, said = own.refused("records", "spades", "--reset")
    assert code == USAGE and said.endswith("Add --yes to reset.\n")
    assert own.data("records", "spades") == before
    assert own.out("records", "spades", "--reset", "--yes") == "Spades: 1 game won't count anymore.\n"
    assert own.data("records", "spades")["players"] == []
    assert own.data("records", "hearts") == other
    assert own.data("history", "--game", "spades")[0]["counts"] is False
    assert own.out("records", "spades", "--reset", "--yes").startswith("No Spades games to reset")
    assert own.data("records", "rebuild") == {"games": 13, "unreadable": []}
    assert own.out("records", "spades", "--take-back") == "Spades: 1 game counts again.\n"
    assert own.data("records", "spades") == before


def test_a_player_who_is_asked_may_say_no(own: Program) -> None:
    with AtTerminal(own, "records", "spades", "--reset") as terminal:
        terminal.until(r"Reset\? \[y/N\] ")
        terminal.type("n\n")
        terminal.until(r"OK, nothing changed\.")
        assert terminal.end() == 0
    assert own.data("records", "spades")["players"]
    with AtTerminal(own, "records", "spades", "--reset") as terminal:
        terminal.until(r"Reset\? \[y/N\] ")
        terminal.type("y\n")
        terminal.until(r"Spades: 1 game won.t count anymore\.")
        assert terminal.end() == 0
    assert own.data("records", "spades")["players"] == []


def test_nobody_has_played_yet(tmp_path: Path) -> None:
    program = Program(tmp_path, inside=True)
    for words in ("records", "history", "league", "hall"):
        assert program.out(words) == "No finished games yet.\n"
        assert program.data(words) == []
        assert program.out(words, "--csv") == ""
    assert program.refused("board") == (USAGE, "You haven't played a game here yet.\n")
    assert program.data("records", "hearts") == {"game": "hearts", "players": [], "levels": [], "figures": []}
