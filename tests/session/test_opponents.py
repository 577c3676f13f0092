"""Which computer characters play, and at which level."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from p2pcards.daemon.machines import CAST
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import GAMES
from p2pcards.players.levels import LEVELS, edition_of, has_player
from p2pcards.session.effects import CommandError
from p2pcards.session.lobby import Choice, Company, make_continuing_header, make_header
from p2pcards.views.happenings import Notice
from p2pcards.wire.records import EDITIONS, NO_ASSISTS, Side
from rigs.merged import merge
from rigs.net import Net, novices
from rigs.people import by_hand, run_to


def lobby() -> Net:
    """A table of hearts for Ann and Bob, between games."""
    net = by_hand(1, game="hearts", preset="real-deal")
    net.say(0, "end")
    net.run()
    return net


def seats(net: Net) -> list[tuple[str, str]]:
    """The names and levels of those who play."""
    net.say(0, "start")
    net.run()
    return [(seat.name, seat.level) for seat in net.view(0).seats]


def test_characters_and_levels_are_chosen_by_seat_and_people_sit_before_them() -> None:
    net = lobby()
    for words in (("3", "lizzy:carefree"), ("4", "Luan"), ("2", "granny")):
        net.say(0, "computer", *words)
    said = [tale.text for tale in net.tales(0, Notice)]
    assert "Lizzy (carefree) plays in seat 3 if nobody sits there." in said
    found = seats(net)
    assert found[1][0] == "Bob" and found[2:] == [("Lizzy", "carefree"), ("Luan", "carefree")]


def test_a_choice_is_taken_back_and_moved() -> None:
    net = lobby()
    net.say(0, "computer", "3", "luan")
    net.say(0, "computer", "3", "any")
    net.say(0, "computer", "4", "luan:novice")
    found = seats(net)
    assert found[3] == ("Luan", "novice") and found[2][0] != "Luan"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("5", "luan"), "Which seat, 1 to 4\\?"),
        (("x", "luan"), "Which seat"),
        (("1" * 5000, "luan"), "Which seat"),
        (("3", "lizy"), "There's no character 'lizy'. Did you mean 'lizzy'\\?"),
        (("3", "luan:novise"), "There's no level 'novise'. Did you mean 'novice'\\?"),
        (
            ("3", "luan:9"),
            "There's no level '9'. Levels: carefree, novice, standard, expert, champion, master.",
        ),
        (("4", "lizzy"), "That character already plays in seat 3."),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(words: tuple[str, ...], sentence: str) -> None:
    net = lobby()
    net.say(0, "computer", "3", "lizzy")
    with pytest.raises(CommandError, match=sentence):
        net.say(0, "computer", *words)


def test_a_character_that_stands_for_somebody_here_is_not_an_opponent_and_a_game_is_not_changed() -> None:
    net = lobby()
    mine = next(person.character for person in net.view(0).people if person.link == "you")
    with pytest.raises(CommandError, match=r"Ann already has that character\."):
        net.say(0, "computer", "3", mine)
    net.say(0, "start")
    net.run()
    with pytest.raises(CommandError, match="between games"):
        net.say(0, "computer", "3", "lizzy")
    with pytest.raises(CommandError, match="Only the host"):
        net.say(1, "computer", "3", "lizzy")


MERGED = "In crazy eights, a champion plays like an expert."


def merged_notes(net: Net, end: int) -> list[str]:
    """What is said there that tells of it."""
    return [tale.text for tale in net.tales(end, Notice) if MERGED in tale.text]


def test_a_level_that_plays_as_a_lower_one_in_the_game_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at hearts, where it is a level of its own; as soon as the game is another, and not for each seat."""
    merge(monkeypatch, "crazy_eights", champion="expert")
    net = lobby()
    net.say(0, "computer", "3", "lizzy:champion")
    assert not merged_notes(net, 0)
    net.say(0, "game", "crazy_eights")
    assert merged_notes(net, 0) == [MERGED]
    net.say(0, "computer", "4", "luan:champion")
    net.say(0, "auto", "champion")
    assert seats(net)[2:] == [("Lizzy", "champion"), ("Luan", "champion")], "the header has what was chosen"
    assert merged_notes(net, 0) == [MERGED]
    assert not merged_notes(net, 1)


def test_somebody_who_listens_is_told_of_the_level_that_plays_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    merge(monkeypatch, "crazy_eights", champion="expert")
    net = by_hand(1)
    net.say(1, "auto", "champion")
    net.say(1, "auto", "off")
    net.say(1, "auto", "champion")
    said = "The computer is playing for you (champion). Type 'auto off' to take over."
    assert merged_notes(net, 1) == [f"{said} {MERGED}"]
    assert not merged_notes(net, 0)


def test_who_sits_down_with_such_a_level_is_told_as_the_game_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    merge(monkeypatch, "crazy_eights", champion="expert")
    net = Net(1, auto="champion", player=novices)
    net.sit_down(game="crazy_eights", preset="telecards")
    run_to(net, 9)
    for end in (0, 1):
        assert merged_notes(net, end) == [MERGED]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_guest_is_given_a_stand_in_that_all_have_also_where_search_is_slow(game: str) -> None:
    choice = Choice(GAMES[game], GAMES[game].options())
    for member in CAST:
        sides = tuple([Side(bytes([number]) * 32, "", member.key, bytes(24)) for number in range(2)])
        company = Company(sides, edition_of=partial(edition_of, slow=True))
        found = make_header(
            company,
            choice,
            CAST,
            bytes(16),
            grace=60,
            turn_clock=180,
            between_hands=0,
            previous=None,
            before=b"",
            assists=NO_ASSISTS,
            deal=None,
        )
        (guest,) = [seat for seat in found.seats if seat.side == 1]
        assert has_player(game, guest.level, guest.edition)
        assert LEVELS.index(guest.level) <= LEVELS.index(member.level)


def test_a_successor_gives_the_old_host_a_stand_in_that_all_have() -> None:
    """The character of a host plays at a level of their own machine, where search may be slow."""
    net = Net(2, auto="novice")
    net.sit_down()
    run_to(net, 6)
    position = net.at(0)
    header = position.header
    own = [replace(seat, level="expert", edition=EDITIONS) if seat.side == 0 else seat for seat in header.seats]
    before = replace(position, header=replace(header, seats=tuple(own)))
    sides = tuple([replace(header.sides[number], end=bytes(24)) for number in (1, 0, 2)])
    company = Company(sides, edition_of=partial(edition_of, slow=True))
    found = make_continuing_header(company, CAST, bytes(16), before, {}, turn_clock=180, succeeds=True)
    assert [seat.side for seat in found.seats if seat.side is not None] == [1, 0, 2]
    assert all(has_player(found.game, seat.level, seat.edition) for seat in found.seats)
