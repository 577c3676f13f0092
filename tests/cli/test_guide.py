"""`games`, `options`, `rules`, `characters`, `identity` and `peers`, as a person and as a program reads them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from p2pcards import __version__
from p2pcards.control.exits import STORAGE, USAGE
from p2pcards.frontend.guide_pages import RENAMED, find_address, find_part
from p2pcards.games.registry import GAMES
from p2pcards.players.characters import CHARACTERS
from p2pcards.present.guide import typed_address
from p2pcards.store.files import find_home
from p2pcards.store.identity import load_peers
from rigs.program import MakeProgram, Program

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_games(inside: Program) -> None:
    data = inside.data("games")
    assert [one["game"] for one in data] == list(GAMES)
    assert data[0]["presets"]["real-deal"] == {"seats": 4}
    text = inside.out("games")
    assert [line.split()[0].rstrip(",") for line in text.splitlines() if line[0] != " "] == list(GAMES)


@pytest.mark.parametrize("key", GAMES)
def test_options_and_rules(inside: Program, key: str) -> None:
    rows = inside.data("options", key)
    text = inside.out("options", key)
    rules = inside.out("rules", key)
    for row in rows:
        assert row.keys() == {"option", "type", "range", "default", "meaning", "presets", "value", "from"}
        assert row["presets"].keys() == GAMES[key].presets.keys()
        assert f"{row['option']}: " in text
        assert f"{row['option']} = " in rules
    for preset in GAMES[key].presets:
        in_force = inside.data("rules", key, "--preset", preset)["options"]
        assert in_force == {row["option"]: row["presets"][preset] for row in rows}


def test_rules_tell_what_was_changed(inside: Program) -> None:
    changed = ("--preset", "telecards", "--set", "winning_score=123", "--set", "jack_skips=yes")
    options = inside.data("rules", "crazy_eights", *changed)["options"]
    assert (options["winning_score"], options["jack_skips"]) == (123, True)
    assert "winning_score = 123" in inside.out("rules", "crazy_eights", *changed)


def test_rules_are_told_as_the_options_make_them(inside: Program) -> None:
    usual, other = [
        " ".join(inside.out("rules", "hearts", *changed).split())
        for changed in ((), ("--set", "passing=none", "--set", "queen_points=off", "--set", "end_score=50"))
    ]
    for sentence in ("- the queen of spades: 13", "pass three cards face down", "someone reaches 100"):
        assert sentence in usual and sentence not in other
    for sentence in ("- the queen of spades: nothing", "No cards are passed.", "someone reaches 50"):
        assert sentence in other and sentence not in usual
    told = inside.data("rules", "crazy_eights", "--set", "players=2")["rules"]
    assert "Two play, with seven cards each" in told and "{" not in told


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("brake_hearts=on", "There's no option 'brake_hearts' here. Did you mean 'break_hearts'?"),
        ("moon=dedukt", "moon must be one of deduct, add, not 'dedukt'. Did you mean 'deduct'?"),
        ("end_score=5", "end_score must be a number from 25 to 10000, not 5."),
        ("moon", "--set needs KEY=VALUE, such as end_score=50, not 'moon'."),
    ],
)
def test_rules_with_a_wrong_option_are_a_sentence(inside: Program, change: str, sentence: str) -> None:
    assert inside.refused("rules", "hearts", "--set", change) == (USAGE, f"{sentence}\n")


def test_a_preset_with_its_game_is_a_game_too(inside: Program) -> None:
    told = inside.data("rules", "double-pack-pinochle")
    assert (told["game"], told["preset"], told["options"]["game"]) == ("pinochle", "double-pack", "double_pack")
    assert inside.data("rules", "standard gin")["preset"] == "standard"
    assert inside.data("rules", "double-pack pinochle", "--preset", "real-deal")["preset"] == "real-deal"
    assert "Options, with the double pack:" in inside.out("rules", "Double-Pack Pinochle")


FACTS = {
    "auction_pitch": ("All Fours", "English", "high, low, jack and game"),
    "cribbage": ("Sir John Suckling", "1609", "1642", "Noddy", "colonists"),
    "crazy_eights": ("Swedish Rummy", "Crazy Jacks", "Comet", "1768", "Bellecour"),
    "euchre": ("Pennsylvania Dutch", "1864", "Bauer", "northeastern"),
    "hearts": ("Reverse", "18th century"),
    "oh_hell": ("Oh Pshaw", "Blackout", "New York", "late 1930s", "England"),
    "pinochle": ("United States", "middle of the 19th century"),
    "pinochle2": ("rummy", "whist"),
    "thirty_one": ("Nobody", "31"),
    "spades": ("partners", "spades are always trump"),
    "whist": ("seven points", "over six"),
}


def test_about_a_game(inside: Program) -> None:
    for key in GAMES:
        told = inside.data("about", key)
        assert (told["game"], told["name"]) == (key, GAMES[key].name)
        assert len(told["about"]) > 50
        assert [fact for fact in FACTS.get(key, ()) if fact not in told["about"]] == []
        lines = inside.out("about", key).splitlines()
        assert lines[0] == GAMES[key].name and max(map(len, lines)) <= 79
        assert lines[-1] == f"How to play: p2pcards rules {key}"
    assert inside.data("about", "31")["game"] == "thirty_one"
    code, said = inside.refused("about", "haerts")
    assert (code, said) == (USAGE, "There's no game 'haerts'. Did you mean 'hearts'?\n")


def test_the_guide(inside: Program) -> None:
    contents = inside.out("guide")
    assert contents == inside.out("help")
    assert "  2. Getting started (guide start), and" in contents and "(guide games)" in contents
    assert inside.out("guide", "start").startswith("Getting started\n\n  Want to watch a game")
    assert inside.data("guide", "Black", "lady")["lines"][1].startswith("  The queen of spades in hearts")
    for words, said in (
        (["stratgy"], "The guide has nothing on 'stratgy'. Did you mean 'strategies'?\n"),
        (["xyzzy"], "The guide has nothing on 'xyzzy'. Type guide for the list of pages.\n"),
    ):
        assert inside.refused("guide", *words) == (USAGE, said)


def test_a_heading_is_found_by_its_former_name_too(inside: Program) -> None:
    for former, now in RENAMED.items():
        page, _, anchor = former.partition("#")
        assert find_part(*now.partition("#")[::2]) and not find_part(page, anchor), former
        assert find_address(typed_address(former)) == now, "at the table as well"
        told = inside.out("guide", *typed_address(now).split())
        assert inside.out("guide", *typed_address(former).split()) == told
        assert inside.out("guide", *anchor.split("-")) == told
    assert inside.out("guide", "Hearts", "played", "well").startswith("Hearts strategy\n")
    assert inside.out("help", "who", "has", "won", "how", "often").startswith("Wins and losses\n")
    assert inside.out("guide", "well") != inside.out("guide", "hearts strategy")


def test_help_explains_a_command_or_reads_in_the_guide(inside: Program) -> None:
    assert inside.out("help", "play").startswith("Usage: p2pcards play [OPTIONS] [GAME]")
    assert "Change a setting." in inside.out("help", "config", "set")
    assert "Usage: p2pcards config" in inside.data("help", "config")["lines"][0]
    assert inside.out("help", "layout") == inside.out("guide", "layout")
    assert inside.out("help", "rules", "hearts") == inside.out("guide", "rules", "hearts")
    assert inside.refused("help", "xyzzy") == inside.refused("guide", "xyzzy")


def test_credits_name_every_library(inside: Program) -> None:
    project = tomllib.loads(PROJECT.read_text())["project"]
    needed = [*project["dependencies"], "Pyodide", "noble", "preact"]
    data = inside.data("credits")
    assert {one["name"] for one in data["libraries"]} == {re.split("[<>=]", one)[0] for one in needed}
    text = inside.out("credits")
    assert text.startswith(f"p2pcards {__version__}, by the p2pcards developers.")
    assert "The Real Deal: ten classic card games" in text
    assert max(map(len, text.splitlines())) <= 100


def test_characters_and_the_levels_they_play_at(inside: Program) -> None:
    data = inside.data("characters")
    assert [one["character"] for one in data] == list(CHARACTERS)
    assert {"character": "granny", "name": "Granny Mildred", "level": "standard"} in data
    assert "granny   Granny Mildred  standard" in inside.out("characters")


def test_an_identity_is_made_once_and_kept(inside: Program) -> None:
    first = inside.data("identity")
    assert inside.data("identity") == first
    assert first["fingerprint"] in inside.out("identity")
    assert (inside.home / "identity.pem").stat().st_mode & 0o777 == 0o600


def test_an_identity_that_others_may_read_is_refused(inside: Program) -> None:
    inside.out("identity")
    (inside.home / "identity.pem").chmod(0o644)
    code, said = inside.refused("identity")
    assert code == STORAGE
    assert "Other users can read your identity" in said and "chmod 600" in said


def test_peers_are_listed_and_forgotten(played: tuple[Program, Program], make_program: MakeProgram) -> None:
    ann = played[0]
    (known,) = ann.data("peers", "list")
    assert known["name"] == "Bob"
    assert known["fingerprint"] == played[1].data("identity")["fingerprint"]
    assert known["address"].startswith("127.0.0.1:")
    assert f"Bob   {known['fingerprint']}  {known['address']}" in ann.out("peers", "list")
    copy = make_program("copy").inside()
    copy.home.mkdir()
    copy.home.joinpath("peers.json").write_bytes(ann.home.joinpath("peers.json").read_bytes())
    assert copy.out("peers", "forget", "bob") == f"Forgot Bob (key {known['fingerprint']}).\n"
    assert load_peers(find_home({"P2PCARDS_HOME": str(copy.home)})) == ()
    assert copy.out("peers", "list") == "You haven't met anyone yet.\n"


def test_a_damaged_list_of_peers_is_refused_and_kept(inside: Program) -> None:
    inside.home.mkdir()
    inside.home.joinpath("peers.json").write_text("{}")
    for line in (["peers", "list"], ["peers", "forget", "Bob"]):
        code, said = inside.refused(*line)
        assert code == STORAGE
        assert "is damaged" in said
    assert inside.home.joinpath("peers.json").read_text() == "{}"
