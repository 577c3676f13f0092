"""Who comes back to a hand is told how it stands."""

from __future__ import annotations

import pytest

from at_hand import TableAtHand
from p2pcards.games.names import GAME_NAMES
from p2pcards.present.cards import Style, card_text
from p2pcards.present.table import recap_hand
from p2pcards.views.tableview import Command, TableView

STYLE = Style()


def in_the_middle(key: str, actions: int = 9, preset: str = "", seed: int = 3) -> TableView:
    table = TableAtHand(key, preset, seed)
    while actions and table.view().phase == "play":
        table.say(Command("act", tuple(table.suggestion().split())))
        actions -= 1
    return table.view()


@pytest.mark.parametrize("key", GAME_NAMES)
def test_who_dealt_what_is_trump_and_the_score_in_every_game(key: str) -> None:
    view = in_the_middle(key)
    first, *more = recap_hand(view, STYLE)
    dealer = next(seat for seat in view.seats if seat.dealer)
    name = "you" if dealer.seat == view.me else dealer.name
    assert first.startswith(f"So far in hand {view.hand}; {name} dealt") and first.endswith(".")
    if view.trump:
        assert f"trump: {view.trump.suit}" in first and view.trump.maker in first
        assert not view.trump.bid or f"bid {view.trump.bid}" in first
        assert not view.trump.card or card_text(view.trump.card, STYLE) in first
    for seat in view.seats:
        assert str(seat.score) in more[-1] and more[-1].startswith("Score: ")
    told = " ".join(more[:-1])
    assert all(seat.note.split()[0] in told for seat in view.seats if seat.note)


def test_bids_and_tricks_of_a_contract() -> None:
    first, notes, score = recap_hand(in_the_middle("spades", preset="usual"), STYLE)
    assert "took 6 for a contract of 7" in first
    assert notes.startswith("You: bid 2, took 3; ")
    assert score == "Score: you and Dizzy Lizzy 0, Wacky Wayne and Chung Lee 0."


def test_between_hands_there_is_nothing_to_tell() -> None:
    assert recap_hand(TableView("listener", "lobby"), STYLE) == []
    assert recap_hand(TableView("listener", "over", hand=3), STYLE) == []
