"""Whom somebody does not want to hear."""

from __future__ import annotations

import pytest

from at_hand import TableAtHand
from p2pcards.frontend.manner import heard_lines, hears, muted_after, names_here
from p2pcards.frontend.words import NotUnderstood
from p2pcards.views.happenings import Notice, Said

VIEW = TableAtHand("whist", "", 1).view()


def test_a_player_who_is_muted_is_not_heard_until_they_are_named_again() -> None:
    name = names_here(VIEW)[0]
    muted, said = muted_after(frozenset(), name.lower().split(), VIEW)
    assert muted == {name} and said.startswith(f"{name} is muted.")
    assert not hears(Said(name, "hello"), muted) and hears(Said("Bob", "hello"), muted)
    assert hears(Said(name, "hello", mine=True), muted) and hears(Notice(f"{name} is away."), muted)
    assert heard_lines([f'{name}: "Oops."', 'Bob: "Oops."'], muted) == ['Bob: "Oops."']
    assert heard_lines([f'Slick Sam, playing for {name}: "Oops."'], muted) == []
    assert muted_after(muted, (), VIEW) == (muted, f"Muted: {name}. To unmute: mute NAME")
    assert muted_after(muted, name.split(), VIEW) == (frozenset(), f"{name} is unmuted.")
    assert muted_after(frozenset(), (), VIEW) == (frozenset(), "No one is muted.")


def test_who_is_not_here_cannot_be_muted() -> None:
    with pytest.raises(NotUnderstood, match="There's no 'nemo' at this table"):
        muted_after(frozenset(), ("Nemo",), VIEW)
