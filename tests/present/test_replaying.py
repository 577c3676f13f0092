"""A game shown again step by step, and hands as data and as text."""

from __future__ import annotations

import json
from random import Random

import pytest

from p2pcards.games.spelling import is_card_word
from p2pcards.ledger.transitions import Phase
from p2pcards.ledger.verify import moments, moments_as, read_transcript
from p2pcards.players.characters import CHARACTERS
from p2pcards.players.choose import choose
from p2pcards.present.cards import Style
from p2pcards.present.replaying import (
    FASTEST,
    SLOWEST,
    ReplayPage,
    ReplayReel,
    export_data,
    export_lines,
    obey_command,
    play_next_page,
    replay_pages_of,
)
from p2pcards.views.standpoint import CastMember
from rigs.recorded import new_table, played

CAST = tuple([CastMember(one.key, one.name, one.level) for one in CHARACTERS.values()])
PLAIN = Style(ascii=True)


def story_of(shown: tuple[ReplayPage, ...]) -> str:
    return "\n".join([line for page in shown for line in page.story])


# --- pages ------------------------------------------------------------------------------------------------------------


def test_the_own_view_tells_what_its_player_was_told() -> None:
    shown = replay_pages_of(moments(read_transcript(played("hearts").payloads[1])), CAST, PLAIN)
    text = story_of(shown)
    assert "You deal hand 1." in text and "You pass " in text and "passes three cards to " in text
    assert "You ran out of time, so Granny Mildred is playing for you." in text and "Press Enter" not in text
    assert "Hand 2: shuffle verified." in text
    dealt = [page for page in shown if page.hands]
    assert [len(page.hands) for page in dealt] == [1, 1]
    assert all(page.hands[0].startswith("Your hand: ") for page in dealt)


def test_all_cards_open_show_every_hand_and_every_pass() -> None:
    transcript = read_transcript(played("hearts").payloads[1])
    shown = replay_pages_of(moments_as(transcript, None, 1), CAST, PLAIN)
    text = story_of(shown)
    assert "You" not in text and "three cards" not in text and text.count(" passes ") == 4
    (dealt,) = [page for page in shown if page.hands]
    assert len(dealt.hands) == 4
    assert sorted(" ".join(dealt.hands).split()[4:])  # names and 52 cards
    assert sum(len(line.split(":")[1].split()) for line in dealt.hands) == 52
    first = shown[3].table
    assert sum(line.partition(":")[0] in ("side 0", "side 1", "side 2", "Granny") for line in first) >= 3


def test_what_is_said_of_a_trick_comes_when_it_is_known_who_took_it() -> None:
    lines = story_of(replay_pages_of(moments(read_transcript(played("hearts").payloads[1])), CAST, PLAIN)).splitlines()
    queen = next(i for i, line in enumerate(lines) if line.endswith((" takes the QS.", " take the QS.")))
    taker = lines[queen].rpartition(" take")[0]
    trick = next(i for i in range(queen, 0, -1) if lines[i].lower().endswith(("takes the trick.", "take the trick.")))
    assert lines[trick].lower().startswith(taker.lower())
    assert not [line for line in lines[trick + 1 : queen] if " plays " in line]


def test_a_drawn_card_is_named_where_all_cards_are_open() -> None:
    transcript = read_transcript(played("crazy_eights").payloads[1])
    open_text = story_of(replay_pages_of(moments_as(transcript, None, 1), CAST, PLAIN))
    own_text = story_of(replay_pages_of(moments(transcript), CAST, PLAIN))
    drawn = [line for line in open_text.splitlines() if " draws" in line]
    assert drawn and all(is_card_word(line.rstrip(".").split()[-1]) for line in drawn)
    assert any(line.endswith(" draws from the stock.") for line in own_text.splitlines()), "others draw face down"


def test_a_seat_is_shown_as_its_player_saw_it() -> None:
    transcript = read_transcript(played("hearts").payloads[0])
    theirs = replay_pages_of(moments_as(transcript, 1, 1), CAST, PLAIN)
    mine = replay_pages_of(
        [one for one in moments(read_transcript(played("hearts").payloads[1])) if one.hand == 1], CAST, PLAIN
    )
    assert [page.record for page in theirs] == [page.record for page in mine]
    assert [page.hands for page in theirs] == [page.hands for page in mine]
    same = [one.story == other.story for one, other in zip(theirs, mine, strict=True)]
    assert sum(same) >= len(same) - 1, "the opening is told as the owner of the log found it"


# --- going through them -----------------------------------------------------------------------------------------------


def reel() -> ReplayReel:
    return ReplayReel(
        tuple([ReplayPage(number * 2 + 1, 1 + number // 5, (f"story {number}.",), ()) for number in range(10)])
    )


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("", 4),
        ("next", 4),
        ("n", 4),
        ("back", 2),
        ("b", 2),
        ("7", 6),
        ("hand 2", 5),
        ("h 1", 0),
        ("HAND 2", 5),
        ("1", 0),
        ("10", 9),
    ],
)
def test_a_command_goes_to_its_step(said: str, place: int) -> None:
    start = ReplayReel(reel().pages, 3)
    after, answer = obey_command(start, said)
    assert (after.place, answer) == (place, "")
    assert after.title == f"Step {place + 1} of 10, hand {1 + place // 5}, record {place * 2 + 1}"


@pytest.mark.parametrize(
    ("place", "said", "answer"),
    [
        (9, "next", "That was the last step."),
        (0, "back", "That was the first step."),
        (3, "0", "Pick a step from 1 to 10."),
        (3, "11", "Pick a step from 1 to 10."),
        (3, "hand", "Which hand? Pick one of 1, 2."),
        (3, "hand 3", "Which hand? Pick one of 1, 2."),
        (3, "fly", "Unknown command 'fly'. Commands: next (Enter), back"),
        (3, "help", "Commands: next (Enter), back"),
    ],
)
def test_what_cannot_be_is_said(place: int, said: str, answer: str) -> None:
    after, told = obey_command(ReplayReel(reel().pages, place), said)
    assert after.place == place and told.startswith(answer)


def test_first_and_last() -> None:
    for place in (0, 4, 9):
        start = ReplayReel(reel().pages, place)
        assert obey_command(start, "first")[0].place == 0
        assert obey_command(start, "last")[0].place == 9


def test_it_plays_by_itself_to_the_end_as_fast_as_it_is_told() -> None:
    playing, _ = obey_command(ReplayReel(reel().pages, 7), "play")
    assert playing.playing
    playing = play_next_page(playing)
    assert (playing.place, playing.playing) == (8, True)
    playing = play_next_page(playing)
    assert (playing.place, playing.playing) == (9, False)
    assert obey_command(playing, "stop")[0].playing is False
    faster = slower = reel()
    for _ in range(20):
        faster, said = obey_command(faster, "faster")
        slower, _ = obey_command(slower, "slower")
    assert (faster.pause, slower.pause, said) == (FASTEST, SLOWEST, "A card every 0.125 s.")
    assert obey_command(reel(), "quit")[0].done and obey_command(reel(), "q")[0].done


# --- export -----------------------------------------------------------------------------------------------------------


def test_every_move_of_a_computer_player_says_its_level_and_seed_and_can_be_repeated() -> None:
    """From the exported line alone, with the view of the seat out of the log."""
    transcript = read_transcript(played("hearts").payloads[1])
    data = export_data(transcript, [moments_as(transcript, None, 1)], "with all cards open", CAST)
    (hand,) = data["hands"]
    assert json.loads(json.dumps(data)) == data
    moves = [row for row in hand["records"] if "words" in row]
    assert {row["by"] for row in moves} == {"person", "computer", "character"}
    views = {made.record + 1: made.view for made in transcript.hands[0].decisions}
    for row in moves:
        assert ("level" in row) == ("seed" in row) == (row["by"] != "person")
        if row["by"] != "person":
            view = views[row["record"]]
            assert row["held"] == [str(card) for card in view.hands[row["seat"]].cards]
            made = [
                choose(transcript.end.game, view, row["seat"], row["level"], Random(int(row["seed"], 16)))
                for _ in range(2)
            ]
            assert made[0] == made[1]
    assert [len(cards) for cards in hand["dealt"]] == [13] * 4
    assert (hand["proven"], hand["why"]) == (True, "the hand matches what you saw")
    assert len(hand["totals"]) == 4


def test_a_hand_as_text_can_be_pasted() -> None:
    transcript = read_transcript(played("hearts").payloads[1])
    data = export_data(transcript, [moments_as(transcript, None, number) for number in (1, 2)], "seen so", CAST)
    lines = export_lines(data)
    text = "\n".join(lines)
    assert text.isascii()
    assert lines[0].startswith("Hearts (hearts-deluxe), game ") and "seen so." in " ".join(lines[:2])
    assert "Hand 1, dealt by side 1" in lines and "Hand 2, dealt by side 2" in lines
    assert "side 1 ran out of time, so " in text
    seeds = [line for line in lines if ", novice, seed " in line]
    assert len(seeds) > 10 and all(len(line.rpartition(" ")[2]) == 64 for line in seeds)
    assert text.count("Proven: the hand matches what you saw.") == 2
    assert "Random(int(seed, 16))" in lines[-1]


def test_before_it_is_opened_a_hand_has_no_seeds_and_proves_nothing() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    for _ in range(12):
        table.step()
    transcript = read_transcript(table.payloads[1])
    mine = [one for one in moments(transcript) if one.hand == 1]
    data = export_data(transcript, [mine], "as side 1 saw it", CAST)
    (hand,) = data["hands"]
    assert hand["proven"] is None and hand["totals"] is None
    assert {row["seed"] for row in hand["records"] if "seed" in row} == {None}
    assert [bool(cards) for cards in hand["dealt"]] == [False, True, False, False]
    text = "\n".join(export_lines(data))
    assert "Not proven: the hand wasn't opened." in text and "unknown until the hand is opened" in text


def test_a_pause_is_told_when_a_hand_is_replayed_or_exported() -> None:
    table = new_table("hearts")
    table.until(Phase.PLAY, 1)
    table.spread(table.writer.pause())
    table.spread(table.writer.resume())
    transcript = read_transcript(table.payloads[1])
    told = [page.story for page in replay_pages_of(moments(transcript), CAST, PLAIN)][-2:]
    assert told == [
        ("Paused: everyone is away.",),
        ("The game resumes.",),
    ]
    data = export_data(transcript, [[one for one in moments(transcript) if one.hand == 1]], "as side 1 saw it", CAST)
    rows = data["hands"][0]["records"][-2:]
    assert [(row["kind"], tuple(row["story"])) for row in rows] == [("pause", told[0]), ("continue", told[1])]
    assert export_lines(data)[-2].endswith("The game resumes.")
