"""Looking back at the tricks and cards of a hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from at_hand import TableAtHand
from p2pcards.cards.card import parse_card
from p2pcards.control.messages import Happened
from p2pcards.games.registry import GAMES
from p2pcards.present.advising import card_grid, card_list, card_map, meld_list, trick_list
from p2pcards.present.cards import Style
from p2pcards.session.effects import CommandError
from p2pcards.session.own_seat import LOOKS
from p2pcards.views.happenings import (
    CardsDistributed,
    CardsRecalled,
    GameStarted,
    HandDealt,
    MeldsReviewed,
    TricksReviewed,
    TrickTaken,
)
from p2pcards.views.tableview import Command, MeldView
from rigs.people import by_hand

PLAIN = Style(ascii=True)
MELDING = ("pinochle", "pinochle2", "pinochle_bid", "rummy_500", "gin_rummy")


def told(table: Any) -> list[Any]:
    return [one.happening for one in table.news() if isinstance(one, Happened)]


def asked(table: Any, word: str, *arguments: str) -> Any:
    table.say(Command(word, arguments))
    return told(table)[-1]


def faces(words: str) -> Counter[Any]:
    return Counter([parse_card(word).face for word in words.split()])


@pytest.mark.parametrize("key", GAMES)
def test_the_tricks_and_the_cards_of_a_hand(key: str) -> None:
    game = GAMES[key]
    options = next(iter(game.presets))
    table = TableAtHand(key, options, 3)
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
        assert faces(" ".join([recalled.unseen, *[cards for _, cards in recalled.seen]])) == pack
        places = asked(table, "distribution").places
        assert faces(" ".join([cards for _, cards in places])) == pack and places[-1] == (
            "not located",
            recalled.unseen,
        )
        assert recalled.pack == pack.total() and len(card_list(recalled, PLAIN)) >= len(recalled.seen)
        table.say(Command("act", tuple(table.suggestion().split())))


def test_only_what_is_asked_for_is_recalled() -> None:
    table = TableAtHand("hearts", "real-deal", 3)
    shown = {what: card_list(asked(table, "recall", what), PLAIN) for what in ("seen", "unseen", "both")}
    assert shown["seen"] + shown["unseen"] == shown["both"]
    assert shown["seen"][0].startswith("Your hand (13): ") and shown["unseen"][0].startswith("Not seen (39): ")
    with pytest.raises(CommandError, match="'recall seen', 'recall unseen' or 'recall both', not 'all'"):
        table.say(Command("recall", ("all",)))


@pytest.mark.parametrize(("key", "seed"), [(key, seed) for key in MELDING for seed in (3, 4)])
def test_melds_are_told_as_they_were_laid(key: str, seed: int) -> None:
    """What is looked at again is what was said when it happened, and what counted."""
    table = TableAtHand(key, next(iter(GAMES[key].presets)), seed)
    most: tuple[Any, ...] = ()
    for _ in range(150):
        if not table.view().legal:
            break
        if len(melds := asked(table, "melds").melds) > len(most):
            assert melds[: len(most)] == most
            most = melds
        elif len(melds) < len(most):
            most = ()  # another hand
        table.say(Command("act", tuple(table.suggestion().split())))
        if len(most) > 2:
            break
    assert len(most) > 2 or key == "gin_rummy"
    assert all(one.name and one.what and faces(one.cards) for one in most)


@pytest.mark.parametrize("seed", range(3, 9))
def test_the_melds_of_two_handed_pinochle_lie_in_one_place_each(seed: int) -> None:
    """Own melds, the other's, and tricks are three parts; a card of a meld that was played is among the tricks."""
    table = TableAtHand("pinochle2", "meggiesoft", seed)
    kinds = set()
    for _ in range(120):
        if not table.view().legal:
            break
        places = dict(asked(table, "recall").seen)
        melds = asked(table, "melds").melds
        for place, name in (("your melds", "you"), *[(place, "Granny") for place in places if "'s melds" in place]):
            made = [one.cards for one in melds if (one.name == "you") == (name == "you")]
            assert not faces(places.get(place, "")) - faces(" ".join(made))
        kinds |= {place.rpartition("'s ")[2] for place in places}
        table.say(Command("act", tuple(table.suggestion().split())))
    assert {"your hand", "your melds", "melds", "tricks"} <= kinds


def test_what_was_shown_lies_with_its_holder() -> None:
    """Another one of two equal cards may lie in a trick meanwhile."""
    found = 0
    for seed in range(1, 30):
        table = TableAtHand("pinochle", "real-deal", seed)
        for _ in range(9):
            table.say(Command("act", tuple(table.suggestion().split())))
        places = {place: cards.split() for place, cards in asked(table, "distribution").places}
        melded = {card for place, cards in places.items() if place.endswith("'s melds") for card in cards}
        taken = {card for place, cards in places.items() if place.startswith("taken by") for card in cards}
        found += len(melded & taken)
        assert set(Counter(card for cards in places.values() for card in cards).values()) == {2}
    assert found


def test_the_distribution_is_a_grid_of_suits_and_ranks() -> None:
    places = (("your hand", "QS TS AH"), ("tricks", "QS 9H"), ("not located", "AH TH"))
    assert card_grid(CardsDistributed(places), PLAIN) == [
        "    A  Q  10 9",
        "  H a.    .  b",
        "  S    ab a",
        "  a: your hand; b: tricks; .: not located",
    ]


def test_the_distribution_is_told_suit_by_suit() -> None:
    places = (("your hand", "QS 2S TH"), ("taken by Bob", "AS"), ("not located", "KS 2H"))
    assert card_map(CardsDistributed(places), PLAIN) == [
        "  Hearts: your hand 10H; not located 2H.",
        "  Spades: your hand QS 2S; taken by Bob AS; not located KS.",
    ]


def test_melds_are_added_up() -> None:
    melds = MeldsReviewed(
        (
            MeldView("you", "QS JD", "pinochle", 40),
            MeldView("Bob", "9H", "dix", 10),
            MeldView("you", "KS QS", "royal marriage", 40),
        )
    )
    assert meld_list(melds, PLAIN) == [
        "You: pinochle (QS JD) 40, royal marriage (KS QS) 40; 80 in all.",
        "Bob: dix (9H) 10.",
    ]


def test_with_people_at_the_table_nobody_looks_back() -> None:
    net = by_hand(2)
    for end in (0, 1):
        assert net.view(end).assists == ()
        for word in (*LOOKS, "hint"):
            with pytest.raises(CommandError, match=r"at this table\. The host can turn (it|them) on"):
                net.say(end, word)


def test_what_the_coordinator_allowed_helps_everybody_from_the_next_game_on() -> None:
    net = by_hand(2)
    with pytest.raises(CommandError, match="You can only change that between games"):
        net.say(0, "allow", "hint")
    net.say(0, "end")
    net.run()
    with pytest.raises(CommandError, match=r"You can't allow 'cards'\. Choose from hint, recall, review, melds, "):
        net.say(0, "allow", "cards")
    with pytest.raises(CommandError, match="Only the host can do that"):
        net.say(1, "allow", "all")
    net.say(0, "allow", "hint,", "recall")
    net.say(0, "start")
    net.run()
    for end in (0, 1):
        assert net.view(end).assists == ("hint", "recall")
        assert net.tales(end, GameStarted)[-1].allowed == ("hint", "recall")
        net.say(end, "recall")
        assert net.tales(end, CardsRecalled)
        with pytest.raises(CommandError, match="Trick review is off at this table"):
            net.say(end, "review")
