"""What is asked and shown of the rules before a game begins, with real daemons."""

from __future__ import annotations

import re

import pytest

from p2pcards.control.exits import USAGE
from rigs.program import AtTerminal, Program

ASKED = "How are the hands counted\\? H: by hand, with muggins; A: automatically"
COUNTING = ("cribbage", "--preset", "telecards")


def counting(program: Program, table: str = "t1") -> str:
    """How the hands are counted at a table."""
    shown = program.out("attach", table, said="options\n")
    return shown.split("counting: now ")[1].split(";")[0]


@pytest.mark.parametrize(("typed", "value"), [("x\nh\n", "manual"), ("a\n", "auto"), ("\n", "auto")])
def test_cribbage_in_the_telecards_preset_asks_how_to_count(program: Program, typed: str, value: str) -> None:
    with AtTerminal(program, "play", *COUNTING, "--name", "Ann") as terminal:
        terminal.until(ASKED)
        terminal.until(r"H or A \[A\]: ")
        terminal.type(typed)
        if typed.startswith("x"):
            terminal.until("Type H or A.")
        terminal.until("Cut for the first deal")
        assert terminal.end("\x03") == 0
    assert counting(program) == value


def test_it_is_not_asked_where_it_was_said_or_nobody_can_answer(program: Program) -> None:
    with AtTerminal(program, "play", *COUNTING, "--set", "counting=manual", "--name", "Ann") as terminal:
        terminal.until("Cut for the first deal")
        assert "How are the hands" not in terminal.text
        assert terminal.end("\x03") == 0
    assert counting(program) == "manual"
    assert "How are the hands" not in program.out("play", *COUNTING, "--name", "Ann", said="table\n")
    assert counting(program, "t2") == "auto"


def test_a_lobby_asks_it_at_the_start(program: Program) -> None:
    opened = program.data("host", "--port", "0", "--game", COUNTING[0], *COUNTING[1:], "--name", "Ann")
    with AtTerminal(program, "attach", opened["table"]) as terminal:
        terminal.until("start")
        terminal.type("start\n")
        terminal.until(ASKED)
        terminal.until("H/A > ")
        terminal.type("maybe\n")
        terminal.until("Type H or A.")
        terminal.until("H/A > ")
        terminal.type("h\n")
        terminal.until("Cut for the first deal")
        assert terminal.end("\x03") == 0
    assert counting(program, opened["table"]) == "manual"
    again = program.data("host", "--port", "0", "--game", COUNTING[0], *COUNTING[1:], "--name", "Ann")
    said = program.out("attach", again["table"], said="start\n")
    assert "How are the hands" not in said
    assert "Cribbage begins" in said


def test_the_rules_are_shown_and_changed_before_the_cards_are_dealt(program: Program) -> None:
    program.inside().out("config", "set", "auto_start", "off")
    shown = program.out("play", "pinochle2", "--name", "Ann", said="who\n")
    rules = "To 1000. 48 cards; melds are added right away; the last trick counts 10.\n"
    assert rules in " ".join(shown.split("\n  "))
    with AtTerminal(program, "play", "cribbage", "--set", "board=racetrack", "--name", "Ann") as terminal:
        terminal.until(r"Next game: Cribbage \(own rules\)\.")
        terminal.until(r"As most people play it, but board = racetrack\. To 121\.")
        terminal.until(r"Cribbage, 1 player \| Enter deals, set K=V, help > ")
        terminal.type("set winning_score 61\n")
        terminal.until("Option winning_score is now 61. The first to peg 61 wins")
        terminal.type("\n")
        terminal.until("Your hand")
        assert terminal.end("\x03") == 0
    shown = program.out("attach", said="options\n")
    assert "winning_score: now 61" in shown and "board: now racetrack" in shown


def test_what_a_preset_leaves_open_is_asked_when_the_cards_are_to_be_dealt(program: Program) -> None:
    program.inside().out("config", "set", "auto_start", "off")
    with AtTerminal(program, "play", *COUNTING, "--name", "Ann") as terminal:
        terminal.until("Enter deals")
        assert "How are the hands" not in terminal.text
        terminal.type("\n")
        terminal.until(ASKED)
        terminal.type("\n")
        terminal.until("Cut for the first deal")
        assert terminal.end("\x03") == 0
    assert counting(program) == "auto"


def test_enter_starts_nothing_where_friends_are_waited_for(program: Program) -> None:
    opened = program.data("host", "--port", "0", "--game", "hearts", "--known-only", "--name", "Ann")
    said = program.out("attach", opened["table"], said="\n")
    assert "Hearts, 1 player | start, set K=V" in said
    assert program.data("status")["tables"][0]["phase"] == "lobby"


def rules_of(program: Program, *opening: str) -> dict[str, str]:
    """The values of all options at a table that is opened so."""
    opened = program.data(*opening, "--name", "Ann")
    shown = program.out("attach", opened["table"], said="options\n")
    return dict(re.findall(r"^(\w+): now ([^;]*);", shown, re.MULTILINE))


def test_own_rules_count_where_no_preset_and_no_option_is_named(program: Program) -> None:
    inside = program.inside()
    inside.out("config", "set", "options.pinochle2.roundhouse", "on")
    inside.out("config", "set", "options.pinochle2.bonus_roundhouse", "on")
    inside.out("config", "set", "presets.cribbage", "telecards")
    inside.out("config", "set", "options.cribbage.counting", "manual")
    own = rules_of(program, "play", "pinochle2")
    assert (own["roundhouse"], own["bonus_roundhouse"]) == ("true", "true")
    named = rules_of(program, "play", "pinochle2", "--preset", "meggiesoft")
    assert (named["roundhouse"], named["bonus_roundhouse"]) == ("false", "false")
    assert rules_of(program, "play", "pinochle2", "--set", "bonus_roundhouse=off")["bonus_roundhouse"] == "false"
    hosted = rules_of(program, "host", "--port", "0", "--game", "cribbage")
    assert (hosted["counting"], hosted["first_dealer"]) == ("manual", "low_draw")
    with AtTerminal(program, "play", "cribbage", "--name", "Ann") as terminal:
        terminal.until("Cut for the first deal")
        assert "How are the hands" not in terminal.text, "the settings have said it"
        assert terminal.end("\x03") == 0


def test_the_rules_of_a_table_are_saved_there(program: Program) -> None:
    opened = program.data("host", "--port", "0", "--game", "hearts", "--name", "Ann")
    typed = "set end_score 50\nset jack_of_diamonds on\nsave\n"
    said = program.out("attach", opened["table"], said=typed)
    assert (
        "Your rules for Hearts from now on: as most people play it, but end_score = 50, jack_of_diamonds = true."
        in said
    )
    own = rules_of(program, "play", "hearts")
    assert (own["end_score"], own["jack_of_diamonds"]) == ("50", "true")
    said = program.out("attach", opened["table"], said="game cribbage\ngame hearts\ngame hearts hearts-deluxe\nsave\n")
    assert "Next game: Hearts.\n" in said and "Option end_score is now 50." in said
    assert "Your rules for Hearts from now on: as in Hearts Deluxe." in said
    assert {row["from"] for row in program.data("options", "hearts")} == {"preset hearts-deluxe"}


def test_what_is_set_at_a_table_is_saved_at_once_where_that_is_wanted(program: Program) -> None:
    inside = program.inside()
    for wanted, saved in (("off", "preset usual"), ("on", "settings.toml")):
        inside.out("config", "set", "save_options", wanted)
        opened = program.data("host", "--port", "0", "--game", "hearts", "--set", "passing=none", "--name", "Ann")
        program.out("attach", opened["table"], said="set end_score 60\n")
        rows = {row["option"]: row for row in inside.data("options", "hearts")}
        assert rows["end_score"]["from"] == saved
    assert rows["end_score"]["value"] == 60


def test_an_opponent_who_is_chosen_at_the_table_is_kept_where_that_is_wanted(program: Program) -> None:
    inside = program.inside()
    for wanted, kept in (("off", "\n"), ("on", "any,betty:expert\n")):
        inside.out("config", "set", "save_options", wanted)
        opened = program.data("host", "--port", "0", "--game", "hearts", "--name", "Ann")
        program.out("attach", opened["table"], said="computer 3 betty:expert\n")
        assert inside.out("config", "get", "opponents") == kept
    table = program.data("play", "hearts")["table"]
    assert "Reddy Betty" in program.out("attach", table, said="table\n")


def test_own_rules_that_do_not_go_together_are_told_and_left_out(program: Program) -> None:
    program.home.mkdir()
    (program.home / "settings.toml").write_text("[options.pinochle2]\nbonus_roundhouse = true\n")
    done = program("play", "pinochle2", "--json")
    assert done.returncode == 0
    told = "settings.toml, line 2: Options of pinochle2: bonus_roundhouse needs roundhouse: set roundhouse to"
    assert told in done.stderr


def test_the_opponents_that_one_always_wants_sit_down(program: Program) -> None:
    inside = program.inside()
    inside.out("config", "set", "opponents", "betty:expert, sam,granny")
    one = inside.data("play", "whist", "--seed", "1", "--name", "Ann", "--as", "will")
    said = program.out("attach", one["table"], said="table\n")
    assert re.search(r"2 Reddy Betty .*expert[\s\S]*4 Granny", said)
    two = inside.data("play", "pinochle2", "--seed", "1", "--with", "wayne", "--name", "Ann", "--as", "will")
    said = program.out("attach", two["table"], said="table\n")
    assert "2 Wacky Wayne" in said and "Reddy Betty" not in said
    inside.out("config", "set", "opponents", "nobody")
    code, said = inside.refused("play", "whist", "--name", "Ann", "--as", "will")
    assert code == USAGE and "There's no character 'nobody'." in said
