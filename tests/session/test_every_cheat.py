"""Coordinators who do whatever the messages allow, against listeners that are our own machines:
docs/models/README.md."""

from __future__ import annotations

from functools import partial

import pytest

from p2pcards.ledger import advance, fair
from p2pcards.session.doubt import Doubt, OpenGames
from p2pcards.session.followed_game import FollowedGame
from rigs.cheating_host import TRICKS, Victim, new_host
from rigs.exploring import explore
from rigs.pure import remember_pure

pytestmark = pytest.mark.no_cover

slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("listeners", "made_up", "tricks", "together", "played", "yeses"),
    [
        (1, 0, 2, True, False, 0),
        (1, 0, 1, True, True, 0),
        (2, 0, 0, False, False, 0),
        (2, 0, 0, False, True, 1),
        (1, 1, 0, True, True, 1),
        (1, 2, 0, True, True, 2),
        slow(1, 0, 4, True, False, 0),
        slow(1, 0, 2, True, True, 0),
        slow(2, 0, 1, False, False, 0),
        slow(2, 0, 1, False, True, 1),
        slow(2, 0, 2, True, True, 1),
        slow(3, 0, 0, True, True, 2),
        slow(3, 0, 1, True, True, 1),
        slow(1, 1, 1, True, True, 1),
        slow(1, 2, 1, True, True, 1),
        slow(2, 1, 0, True, True, 1),
    ],
)
def test_whatever_a_coordinator_tries_it_chooses_no_pack(
    listeners: int,
    made_up: int,
    tricks: int,
    together: bool,
    played: bool,
    yeses: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    remember_pure(monkeypatch)
    host = new_host(
        listeners, tricks=TRICKS, left=tricks, together=together, played=played, made_up=made_up, yeses=yeses
    )
    found = explore(host, most=200_000)
    assert found.ends
    with capsys.disabled():
        print(f" {listeners} and {made_up}, {tricks} tricks: {found} ", end="")


# --- the search bites -------------------------------------------------------------------------------------------------


def found_with(listeners: int, tricks: tuple[str, ...], left: int, played: bool = False) -> None:
    explore(new_host(listeners, tricks=tricks, left=left, played=played), most=10_000)


def test_a_listener_that_takes_a_deal_without_those_awaited_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in version 1, where those who had checked had a part."""

    def parts(position: object) -> object:
        return old(position.changed(roll=position.checked))  # type: ignore[attr-defined]

    old = fair.parts_of_deal
    monkeypatch.setattr(advance, "parts_of_deal", parts)
    with pytest.raises(AssertionError, match="would take any of"):
        found_with(2, (), 0, played=True)


def test_a_listener_that_plays_on_when_it_is_called_absent_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FollowedGame, "left_out", lambda _game: None)
    with pytest.raises(AssertionError, match="without asking"):
        found_with(2, (), 0, played=True)


def test_a_listener_that_gives_its_part_of_another_pack_without_asking_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two made-up sides, of which one drops out once everybody has checked: the pack before it, and that after it, are
    the listener's."""
    monkeypatch.setattr(FollowedGame, "asks", False)
    with pytest.raises(AssertionError, match="before its player has agreed"):
        explore(new_host(1, played=True, together=True, made_up=2), most=10_000)
    monkeypatch.setattr(Victim, "check_agreed", lambda _victim: None)
    with pytest.raises(AssertionError, match="2 packs of side 1's to choose from"):
        explore(new_host(1, played=True, together=True, made_up=2), most=10_000)


def test_a_listener_that_takes_any_new_game_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenGames, "broken_off_by", lambda *_: None)
    with pytest.raises(AssertionError, match="names none"):
        found_with(1, ("unnamed",), 1)


def test_a_listener_that_takes_a_game_of_which_it_has_no_log_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Doubt, "accepts", lambda *_: True)
    with pytest.raises(AssertionError, match="without asking"):
        found_with(1, ("lost",), 1, played=True)


def test_a_listener_that_takes_a_deal_to_which_it_has_not_agreed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Doubt, "accepts", lambda *_: True)
    monkeypatch.setattr(fair, "awaited_sides", lambda _position: frozenset())
    with pytest.raises(AssertionError, match="never was"):
        found_with(1, ("ghost",), 1)


def test_a_listener_that_decides_anew_when_it_is_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(game: FollowedGame, _said: object, _why: str) -> object:
        game.follower.give_up_pending()
        return game.do_what_is_due()

    monkeypatch.setattr(FollowedGame, "refused", refused)
    with pytest.raises(AssertionError, match="two moves"):
        found_with(1, ("refuse",), 1)
