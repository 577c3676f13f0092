"""Whom somebody does not want to hear."""

from __future__ import annotations

import pytest

from at_hand import TableAtHand
from p2pcards.frontend.manner import is_heard, other_names_at_table, toggle_muted, unmuted_lines
from p2pcards.frontend.words import NotUnderstood
from p2pcards.views.happenings import Notice, Said

VIEW = TableAtHand("whist", "", 1).view()


def test_a_player_who_is_muted_is_not_heard_until_they_are_named_again() -> None:
    name = other_names_at_table(VIEW)[0]
    muted, said = toggle_muted(frozenset(), name.lower().split(), VIEW)
    assert muted == {name} and said.startswith(f"{name} is muted.")
    assert not is_heard(Said(name, "hello"), muted) and is_heard(Said("Bob", "hello"), muted)
    assert is_heard(Said(name, "hello", mine=True), muted) and is_heard(Notice(f"{name} is away."), muted)
    assert unmuted_lines([f'{name}: "Oops."', 'Bob: "Oops."'], muted) == ['Bob: "Oops."']
    assert unmuted_lines([f'Slick Sam, playing for {name}: "Oops."'], muted) == []
    assert toggle_muted(muted, (), VIEW) == (muted, f"Muted: {name}. To unmute: mute NAME")
    assert toggle_muted(muted, name.split(), VIEW) == (frozenset(), f"{name} is unmuted.")
    assert toggle_muted(frozenset(), (), VIEW) == (frozenset(), "No one is muted.")


def test_who_is_not_here_cannot_be_muted() -> None:
    with pytest.raises(NotUnderstood, match="There's no 'nemo' at this table"):
        toggle_muted(frozenset(), ("Nemo",), VIEW)
