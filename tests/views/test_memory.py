"""Looking back at the tricks and cards of a hand."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from p2pcards.cards.card import parse_card
from p2pcards.control.messages import Happened
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import Style
from p2pcards.present.memory import card_list, trick_list
from p2pcards.session.effects import CommandError
from p2pcards.views.commands import Command
from p2pcards.views.in_game import CardsRecalled, HandDealt, TricksReviewed, TrickTaken
from rigs.people import by_hand

ROOT = Path(__file__).parents[2]
TABLE_AT_HAND: Any = runpy.run_path(str(ROOT / "scripts/transcripts"))["TableAtHand"]
PLAIN = Style(ascii=True)


def told(table: Any) -> list[Any]:
    return [one.happening for one in table.news() if isinstance(one, Happened)]


def asked(table: Any, word: str) -> Any:
    table.say(Command(word))
    return told(table)[-1]


@pytest.mark.parametrize("key", GAMES)
def test_the_tricks_and_the_cards_of_a_hand(key: str) -> None:
    game = GAMES[key]
    options = next(iter(game.presets))
    table = TABLE_AT_HAND(key, options, 3)
    pack = Counter([card.face for card in game.pack(game.presets[options])])
    taken: list[str] = []
    for _ in range(30):
        for one in told(table):
            if isinstance(one, HandDealt):
                taken = []
            elif isinstance(one, TrickTaken):
                taken.append(one.name)
        if not table.view().legal:
            break
        reviewed, recalled = asked(table, "review"), asked(table, "recall")
        assert isinstance(reviewed, TricksReviewed) and isinstance(recalled, CardsRecalled)
        assert ["Ann" if name == "you" else name for name in reviewed.takers] == taken
        assert len(trick_list(reviewed, PLAIN)) >= len(taken)
        words = " ".join([recalled.unseen, *[cards for _, cards in recalled.seen]]).split()
        assert Counter([parse_card(word).face for word in words]) == pack
        assert len(card_list(recalled, PLAIN)) >= len(recalled.seen)
        table.say(Command("act", tuple(table.suggestion().split())))


def test_with_people_at_the_table_nobody_looks_back() -> None:
    net = by_hand(2)
    for end in (0, 1):
        for word in ("review", "recall"):
            with pytest.raises(CommandError, match="Only who plays alone"):
                net.say(end, word)
