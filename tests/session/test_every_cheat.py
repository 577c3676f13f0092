"""Coordinators who do whatever the messages allow, against listeners that are our own machines:
docs/models/README.md."""

from __future__ import annotations

from functools import partial

import pytest

from p2pcards.ledger import advance, fair
from p2pcards.session.doubt import Doubt, OpenGames
from p2pcards.session.followed_game import FollowedGame
from rigs.cheating_host import TRICKS, new_host
from rigs.exploring import explore
from rigs.pure import remember_pure

pytestmark = pytest.mark.no_cover

slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("listeners", "tricks", "together", "played"),
    [
        (1, 2, True, False),
        (1, 1, True, True),
        (2, 0, False, False),
        (2, 0, False, True),
        slow(1, 4, True, False),
        slow(1, 2, True, True),
        slow(2, 1, False, False),
        slow(2, 1, False, True),
        slow(2, 2, True, True),
        slow(3, 0, True, True),
        slow(3, 1, True, True),
    ],
)
def test_whatever_a_coordinator_tries_it_chooses_no_pack(
    listeners: int,
    tricks: int,
    together: bool,
    played: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    remember_pure(monkeypatch)
    host = new_host(listeners, tricks=TRICKS, left=tricks, together=together, played=played)
    found = explore(host, most=200_000)
    assert found.ends
    with capsys.disabled():
        print(f" {listeners} and {tricks} tricks: {found} ", end="")


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
    monkeypatch.setattr(fair, "awaited", lambda _position: frozenset())
    with pytest.raises(AssertionError, match="never was"):
        found_with(1, ("ghost",), 1)


def test_a_listener_that_decides_anew_when_it_is_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(game: FollowedGame, _said: object, _why: str) -> object:
        game.follower.give_up_pending()
        return game.what_is_due()

    monkeypatch.setattr(FollowedGame, "refused", refused)
    with pytest.raises(AssertionError, match="two moves"):
        found_with(1, ("refuse",), 1)
