"""Sentences of a hand run together, for line mode."""

from __future__ import annotations

from p2pcards.present.gathering import Gathering
from p2pcards.present.story import happening_sentence
from p2pcards.present.width import text_width
from p2pcards.views.happenings import Acted, Happening, Remarked, Starts, TrickTaken


def told(*happenings: Happening) -> list[str]:
    gathering = Gathering()
    lines = [line for one in happenings for line in gathering.add(one, happening_sentence(one))]
    assert gathering.waits == bool(happenings)
    return [*lines, *gathering.take()]


def did(name: str, words: str, says: str = "") -> Acted:
    return Acted(name, 1, words, "", False, says)


def test_the_plays_of_a_trick_are_one_sentence() -> None:
    trick = (did("Bob", "QS"), did("Ada", "KS"), did("Cy", "2S"))
    assert told(*trick, TrickTaken("Ada", False), did("Ada", "5H"), did("Cy", "6H")) == [
        "Bob plays QS, Ada KS, Cy 2S. Ada takes the trick.",
        "Ada plays 5H, Cy 6H.",
    ]


def test_what_one_player_does_is_one_sentence() -> None:
    draws = [did("Bob", "draw", "draw from the stock")] * 3
    assert told(*draws, did("Bob", "8D h"), did("Ada", "QH")) == [
        "Bob draws from the stock three times and plays 8D, naming hearts. Ada plays QH."
    ]
    assert told(did("Bob", "9H"), TrickTaken("Bob", False)) == ["Bob plays 9H and takes the trick."]
    assert told(did("Bob", "go", 'say "go"'), Remarked("Bob", "peg 1 for go")) == ['Bob says "go" and pegs 1 for go.']


def test_an_auction_is_one_sentence_a_round() -> None:
    assert told(did("Bob", "pass"), did("Ada", "bid 5"), did("Cy", "bid 6"), did("Bob", "pass")) == [
        "Bob passes, Ada bids 5, Cy 6. Bob passes."
    ]


def test_who_begins_is_told_unless_they_do() -> None:
    begins = Starts("Bob", "trick", False)
    assert told(begins, did("Bob", "2C")) == ["Bob plays 2C."]
    assert told(begins) == ["Bob leads to the first trick."]
    assert told(Remarked("Bob", "have the 2C"), begins) == ["Bob has the 2C. Bob leads to the first trick."]


def test_a_line_is_no_longer_than_a_screen_is_wide() -> None:
    lines = told(*[did(name, f"bid {number}") for number in range(500, 520) for name in ("Wacky Wayne", "Dizzy Lizzy")])
    assert len(lines) == 10 and all(text_width(line) < 80 for line in lines)
