"""What a typed line asks for."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from p2pcards.frontend.looks import LOOKS
from p2pcards.frontend.words import WORDS, Local, NotUnderstood, help_lines, help_on_word, parse_line
from p2pcards.games.registry import GAMES
from p2pcards.games.spelling import verbs_of
from p2pcards.games.telling import load_told
from p2pcards.session import listener_words, table_words
from p2pcards.views.tableview import Command, SeatView, TableView

SEATS = tuple(SeatView(i, name, "granny", "novice", "person", 0, 5) for i, name in enumerate(("Dee", "Bob")))
TURN = TableView(
    "listener",
    "play",
    me=0,
    game="crazy_eights",
    seats=SEATS,
    legal=("8D h", "8D s", "QS", "draw"),
    assists=("hint",),
)
WAITING = replace(TURN, legal=())
LOBBY = TableView("coordinator", "lobby", game="hearts")
OVER = replace(WAITING, phase="over")


LINKED = ("ws://192.0.2.7:1/table", "7-acorn-zebra")
LINKED_PARTNER = (LINKED[0], "partner", LINKED[1])


@pytest.mark.parametrize(
    ("view", "line", "asked"),
    [
        (TURN, "QS", Command("act", ("QS",))),
        (TURN, "  10h ", Command("act", ("10h",))),
        (TURN, "QS,", Command("act", ("QS",))),
        (TURN, "8d, h", Command("act", ("8d", "h"))),
        (TURN, "draw,", Command("act", ("draw",))),
        (TURN, "q♠", Command("act", ("q♠",))),
        (TURN, "8d suit h", Command("act", ("8d", "suit", "h"))),
        (TURN, "suit h", Command("act", ("suit", "h"))),
        (TURN, "DRAW", Command("act", ("draw",))),
        (TURN, "dr", Command("act", ("draw",))),
        (TURN, "play qs", Command("act", ("play", "qs"))),
        (TURN, "pass QS KS AS", Command("act", ("pass", "QS", "KS", "AS"))),
        (TURN, "hearts", Command("act", ("hearts",))),
        (TURN, "zzzz 4", Command("act", ("zzzz", "4"))),
        (WAITING, "qs", Command("act", ("qs",))),
        (replace(TURN, game="gin_rummy"), "knock", Command("act", ("knock",))),
        (replace(WAITING, game="spades"), "bid 4", Command("act", ("bid", "4"))),
        (replace(TURN, game="euchre"), "take it up", Command("act", ("take", "it", "up"))),
        (TURN, "say  hello  there ", Command("say", ("hello  there",))),
        (TURN, "'hello", Command("say", ("hello",))),
        (TURN, "save friday night", Command("save", ("friday", "night"))),
        (TURN, "hin", Command("hint")),
        (TURN, "ta", Local("table")),
        (TURN, "help say", Local("help", ("say",))),
        *[
            (view, word, Local("detach"))
            for view in (TURN, WAITING, LOBBY, OVER)
            for word in ("quit", "exit", "q", "Q")
        ],
        (TURN, "leave yes", Command("leave", ("yes",))),
        (LOBBY, "set end_score=50", Command("set", ("end_score", "50"))),
        (LOBBY, "set end_score = 50", Command("set", ("end_score", "50"))),
        (LOBBY, "set end_score 50", Command("set", ("end_score", "50"))),
        (LOBBY, "game hearts real-deal", Command("game", ("hearts", "real-deal"))),
        (LOBBY, "game", Local("games")),
        (LOBBY, "invite 192.0.2.7 partner", Command("invite", ("192.0.2.7", "partner"))),
        (LOBBY, "invite > Come! http://192.0.2.7:1/#7-acorn- > zebra partner", Command("invite", LINKED_PARTNER)),
        (LOBBY, "invite http://192.0.2.7:1/#7–acorn–zebra, at 8!", Command("invite", LINKED)),
        (LOBBY, "invite 192.0.2.7 7-acorn-zebra", Command("invite", ("192.0.2.7", "7-acorn-zebra"))),
        (LOBBY, "reseat 2 192.0.2.9", Command("reseat", ("2", "192.0.2.9"))),
        (LOBBY, "sta", Command("start")),
        (OVER, "yes", Command("again", ("yes",))),
        (OVER, "N", Command("again", ("no",))),
        (OVER, "again", Command("again")),
        (TURN, "   ", None),
    ],
)
def test_lines_that_are_understood(view: TableView, line: str, asked: Command | Local | None) -> None:
    assert parse_line(line, view) == asked


@pytest.mark.parametrize(
    ("view", "line", "sentence"),
    [
        (TURN, "tabel", "Unknown command 'tabel'. Did you mean 'table'?"),
        (WAITING, "zzzz", "Unknown command 'zzzz'. Type help for a list, or say TEXT to chat."),
        (TURN, "h", "'h' could be hint, hand, history, hall, help. Type one more letter."),
        (TURN, "sa hello", "'sa' could be say, save. Type one more letter."),
        (TURN, "hand 3", "Usage: hand"),
        (TURN, "say", "Usage: say TEXT"),
        (TURN, "'", "Usage: say TEXT"),
        (TURN, "play", "Usage: QS"),
        (LOBBY, "kick", "Usage: kick SEAT|NAME"),
        (LOBBY, "set end_score", "Usage: set KEY=VALUE."),
        (LOBBY, "invite a b c d", "Usage: invite HOST [partner] [CODE]"),
    ],
)
def test_lines_that_are_not_understood_say_what_to_type(view: TableView, line: str, sentence: str) -> None:
    with pytest.raises(NotUnderstood) as problem:
        parse_line(line, view)
    assert str(problem.value).startswith(sentence)


@pytest.mark.parametrize("word", WORDS)
def test_what_a_word_does_is_said_in_the_imperative(word: str) -> None:
    """As in `help`: with a verb first."""
    verb = WORDS[word].meaning.split()[0]
    assert verb.islower() and (verb == "pass" or not verb.endswith("s")) and not WORDS[word].meaning.endswith(".")


def test_enter_goes_on_from_a_hand_that_is_over() -> None:
    over = replace(TURN, legal=(), pause=20)
    assert parse_line("", over) == Command("next") == parse_line("next", over)
    assert parse_line("", replace(over, pause=None)) is None


def test_every_command_of_a_table_has_its_word() -> None:
    taken = set(table_words.COMMANDS) | set(listener_words.COMMANDS)
    assert taken - {"act"} <= {name for name, word in WORDS.items() if not word.local}


def test_help_begins_with_what_works_now() -> None:
    lines = help_lines(TURN)
    assert lines[0] == "Your turn. You can: 8D SUIT, QS, draw"
    text = "\n".join(lines)
    now, later = text.split("At other times:")
    assert "  hint " in now
    assert "  start" not in now
    assert "again" in later
    assert "invite HOST" in later.split("For the host:")[1]
    assert "  start " in "\n".join(help_lines(LOBBY)).split("At other times:")[0]


def test_one_word_is_explained() -> None:
    assert "KEY=VALUE" in help_on_word("set", LOBBY)[0]
    assert help_on_word("qs", TURN) == [
        "  QS                     play a card: rank, then suit (QS, 10h, 2c)",
        "play: Plays a card of the top card's suit or rank; an eight goes on anything",
        "  and names a suit.",
        "  Now: 8D SUIT, QS",
    ]
    assert help_on_word("hint", WAITING)[-1] == "  You can't use it right now."
    gin = replace(TURN, game="gin_rummy", game_name="Gin Rummy", legal=("discard 4C", "knock 4C"))
    assert help_on_word("knock", gin) == [
        "knock: Ends the hand with this discard, if your deadwood is within the limit.",
        "  Now: knock 4C",
    ]
    assert help_on_word("take", gin) == [
        "take: Takes the top card of the discard pile.",
        "  You can't take right now. See rules.",
    ]
    assert help_on_word("draw", gin)[-1] == "  You can't draw right now. See rules."
    order = help_on_word("order", replace(TURN, game="euchre", game_name="Euchre", legal=("accept", "pass")))
    assert order[0].startswith("order: Orders up the upcard") and order[-1] == "  Now: accept"
    with pytest.raises(NotUnderstood):
        help_on_word("zzzz", TURN)


def test_every_word_of_the_front_end_is_answered() -> None:
    local = {name for name, word in WORDS.items() if word.local}
    assert local == {*LOOKS, "detach", "song", "sort", "move", "config", "mute", "beside", "stagger", "tint"}


def test_every_word_of_every_game_is_explained() -> None:
    for key, game in GAMES.items():
        assert set(load_told(key).words) == set(verbs_of(game)), key
        for word, meaning in load_told(key).words.items():
            assert re.fullmatch(r"[A-Z].*\.", meaning), f"{key} {word}: {meaning}"
