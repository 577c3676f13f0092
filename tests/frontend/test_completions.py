"""What Tab offers at a table: words, cards, options and names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.frontend.completions import FOLLOWING, completions
from p2pcards.frontend.words import WORDS, option_keys, option_values, parse_line
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.views.tableview import Command, PersonView, SeatView, TableView
from rigs.table_double import TableDouble

PEOPLE = (
    PersonView("Dee", "granny", "you", "", 0),
    PersonView("Bob", "papa", "here", "", 1),
    PersonView("Big Bob", "pat", "away", "", 2),
)
SEATS = tuple(SeatView(i, name, "granny", "novice", "person", 0, 5) for i, name in enumerate(("Dee", "Bob", "Big Bob")))
LOBBY = TableView("coordinator", "lobby", PEOPLE, game="hearts")
EIGHTS = TableView(
    "coordinator",
    "play",
    PEOPLE,
    0,
    "crazy_eights",
    seats=SEATS,
    legal=("8D c", "8D d", "8D h", "8D s", "TS", "draw"),
    assists=("hint",),
)
PASSES = replace(EIGHTS, game="hearts", legal=("pass 2C TC QS", "pass 2C TC QH", "pass 2C QH QS", "pass TC QH QS"))
GIN = replace(EIGHTS, game="gin_rummy", legal=("discard 4C", "discard TH", "knock 4C"))
PINOCHLE = replace(EIGHTS, game="pinochle2", legal=("lay TH-JH-QH", "lay 9H", "bid 250"))
WAITING = replace(EIGHTS, legal=(), role="listener")
OVER = replace(WAITING, phase="over")
WATCHED = replace(EIGHTS, people=(*PEOPLE, PersonView("Cy", "luan", "here", ""), PersonView("Ed", "betty", "away", "")))


@pytest.mark.parametrize(
    ("view", "text", "offered"),
    [
        # words
        (EIGHTS, "records sp", "records spades "),
        (EIGHTS, "hall al", "hall all "),
        (EIGHTS, "history hearts n", "history hearts novice "),
        (EIGHTS, "hin", "hint "),
        (EIGHTS, "HIN", "hint "),
        (EIGHTS, "dr", "draw "),
        (EIGHTS, "h", "hint |hand |history |hall |help |handover "),
        (LOBBY, "st", "start "),
        (EIGHTS, "st", "stagger "),
        (WAITING, "dr", ""),
        (WAITING, "aw", "away "),
        (OVER, "y", "yes "),
        (OVER, "again ", "again yes |again no "),
        (EIGHTS, "  sco", "  score |  scoreboard "),
        (EIGHTS, "help ki", "help kick "),
        (GIN, "help kn", "help knock "),
        (EIGHTS, "quick th", "quick thanks |quick thinks "),
        (EIGHTS, "quick thanks ", ""),
        (EIGHTS, "leave ", ""),
        # cards
        (EIGHTS, "8", "8D "),
        (EIGHTS, "8d", "8d "),
        (EIGHTS, "T", "table |TS "),
        (EIGHTS, "1", "10S "),
        (EIGHTS, "play ", "play 8D |play clubs |play diamonds |play hearts |play spades |play 10S "),
        (EIGHTS, "8D ", "8D clubs |8D diamonds |8D hearts |8D spades "),
        (EIGHTS, "8D h", "8D hearts "),
        (EIGHTS, "8D suit h", "8D suit hearts "),
        (EIGHTS, "suit ", "suit clubs |suit diamonds |suit hearts |suit spades "),
        (EIGHTS, "10s ", ""),
        (EIGHTS, "9", ""),
        (PASSES, "pass ", "pass 2C |pass 10C |pass QS |pass QH "),
        (PASSES, "pass 2c QS ", "pass 2c QS 10C |pass 2c QS QH "),
        (PASSES, "pass 2C 10C Q", "pass 2C 10C QS |pass 2C 10C QH "),
        (PASSES, "pass 2C 10C QS ", ""),
        (PASSES, "2C q", "2C qs |2C qh "),
        (PASSES, "q", "quick |qs |qh "),
        (GIN, "knock ", "knock 4C "),
        (GIN, "disc ", "disc 4C |disc 10H "),
        (GIN, "1", "10H "),
        (PINOCHLE, "lay ", "lay 10H-JH-QH |lay 9H "),
        (PINOCHLE, "lay th", "lay TH-JH-QH "),
        (PINOCHLE, "bid 2", "bid 250 "),
        # games and options
        (LOBBY, "game hea", "game hearts "),
        (LOBBY, "game gin", "game gin_rummy |game gin "),
        (LOBBY, "game Gin o", "game Gin oklahoma "),
        (LOBBY, "game nosuch ", ""),
        (LOBBY, "game hearts real-deal ", ""),
        (EIGHTS, "game hea", ""),
        (EIGHTS, "rules who", ""),
        (EIGHTS, "rules whi", "rules whist "),
        (LOBBY, "options whi", "options whist "),
        (LOBBY, "set end_", "set end_score=|set end_when="),
        (LOBBY, "set end_s", "set end_score="),
        (LOBBY, "set nosuch=", ""),
        (replace(LOBBY, game=None), "set ", ""),
        (EIGHTS, "set end", ""),
        # names
        (LOBBY, "kick ", "kick Bob |kick 3 "),
        (LOBBY, "kick b", "kick Bob "),
        (LOBBY, "kick Bob ", ""),
        (LOBBY, "redial ", "redial Big Bob "),
        (LOBBY, "redial big b", "redial big Bob "),
        (LOBBY, "words ", "words Bob "),
        (LOBBY, "sit d", "sit Dee "),
        (LOBBY, "sit ", "sit Dee |sit Bob |sit Big Bob |sit all "),
        (LOBBY, "sit dee ", "sit dee Bob |sit dee Big Bob "),
        (LOBBY, "sit Dee big ", "sit Dee big Bob "),
        (LOBBY, "reseat ", "reseat 3 "),
        (LOBBY, "invite 192.0.2.7 ", "invite 192.0.2.7 partner "),
        (LOBBY, "ki b", "ki Bob "),
        (WATCHED, "seat ", "seat Cy |seat none "),
        (WATCHED, "give ", "give Cy |give none "),
        (WATCHED, "seat Cy ", ""),
        (EIGHTS, "give ", ""),
        # what anything may follow
        (EIGHTS, "say h", ""),
        (EIGHTS, "'h", ""),
        (EIGHTS, "nosuch h", ""),
    ],
)
def test_what_fits(view: TableView, text: str, offered: str) -> None:
    assert completions(text, view) == tuple(filter(None, offered.split("|")))


def test_nothing_typed_gets_all_that_works_now() -> None:
    words = {name for name, word in WORDS.items() if word.works(EIGHTS)}
    assert {word.rstrip() for word in completions("", EIGHTS)} == words | {"8D", "10S", "draw"}


def test_each_key_of_the_game_is_offered_with_its_values() -> None:
    assert [f"set {key}=" for key in option_keys(GAMES["hearts"])] == list(completions("set ", LOBBY))
    for text in ("set end_score=", "set end_score ", "set end_score = "):
        assert f"{text}100 " in completions(text, LOBBY)
    assert completions("set end_score=5", LOBBY) == tuple(
        f"set end_score={value} " for value in option_values(GAMES["hearts"], "end_score") if value.startswith("5")
    )


@pytest.mark.parametrize("key", GAMES)
def test_every_value_that_is_offered_is_in_the_range_of_its_option(key: str) -> None:
    for option in declared_options(GAMES[key].options):
        offered = option_values(GAMES[key], option.key)
        ranges = {"choice": option.choices, "flag": ("true", "false"), "number": range(option.low, option.high + 1)}
        assert offered
        assert {int(value) if option.kind == "number" else value for value in offered} <= set(ranges[option.kind])
    assert option_values(GAMES[key], "nosuch") == []


def test_every_word_that_names_something_is_completed_further() -> None:
    free = {"say", "save", "code", "leave", "end", "player", *[name for name, word in WORDS.items() if not word.most]}
    assert set(FOLLOWING) | {"play", "pass", "draw", "suit"} == set(WORDS) - free


def test_names_of_strangers_are_clean() -> None:
    people = (*PEOPLE, PersonView("E\x1b[2Jve\n", "pat", "here", "", 3))
    assert completions("kick e", replace(LOBBY, people=people)) == ("kick E[2Jve ",)


VIEWS = (LOBBY, EIGHTS, PASSES, GIN, PINOCHLE, WAITING, OVER, TableView("listener", "lobby"), TableView("x", "closed"))
LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [*WORDS, "set", "end_score=", "big", "Bob", "8D", "10c", "suit", "gin", "", "=", "'", "İ", "ß"]
        ),
        st.text(max_size=5),
    ),
    max_size=5,
).map(" ".join)


@given(LINES, st.sampled_from(VIEWS))
def test_what_is_offered_begins_with_what_was_typed_and_goes_on(text: str, view: TableView) -> None:
    offered = completions(text, view)
    assert len(set(offered)) == len(offered)
    for whole in offered:
        assert whole[: len(text)].lower() == text.lower()
        assert len(whole) > len(text)
        assert whole[-1] in " ="


@pytest.mark.parametrize("key", GAMES)
def test_tab_alone_leads_to_a_legal_action_of_every_game(key: str) -> None:
    view = TableDouble(key, 3).view()
    for action in view.legal[:40]:
        line = ""
        for word in action.split():
            offered = completions(line, view)
            found = [text for text in offered if completions_of(text) == completions_of(line + word)]
            assert found, f"{line!r} does not lead to {action!r} but to {offered}"
            line = found[0]
        asked = parse_line(line, view)
        assert isinstance(asked, Command) and asked.name == "act"


def completions_of(text: str) -> list[str]:
    """The words of a line, tens and suits in one spelling."""
    suits = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
    return [suits.get(word, word).replace("10", "T") for word in text.split()]
