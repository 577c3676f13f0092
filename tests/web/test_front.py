"""What goes between a page and its seat, without a browser: each game is played to its end from what a page is told."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from p2pcards.cards.card import Card
from p2pcards.games.names import GAME_NAMES
from rigs.homes import MakeHome
from rigs.paged import Paged, first_deed, paged, play_request

CARD = {"--", *[str(Card.of(rank, suit, copy)) for rank in range(2, 15) for suit in range(4) for copy in range(4)]}


async def lay_down(page: Paged, table: dict[str, Any]) -> None:
    """The first cards that go together, found by marking them as a person would."""
    can = [place for place, card in enumerate(table["hand"]) if card["can"]]
    for places in combinations(can, table["takes"]):
        page.say("marks", places=list(places))
        if (await page.until("offers"))["offers"]:
            page.say("cards", places=list(places))
            return
    raise AssertionError(table)


async def play(page: Paged, key: str) -> dict[str, Any]:
    """A game to its end, by what is offered first; the last table."""
    page.say("start")
    page.say("open", request=play_request(await page.until("start"), key))
    while True:
        table = await page.next()
        if table["is"] == "choose":
            page.say("line", text=table["choices"][0][0])
        if table["is"] != "table":
            continue
        if table["phase"] == "over":
            return table
        if not table["myTurn"] and table["pause"] is None:
            continue
        if deed := first_deed(table):
            page.say(deed.pop("is"), **deed)
        else:
            await lay_down(page, table)


def check_table(table: dict[str, Any]) -> None:
    """Everything that a page draws is there, and what it cannot draw is not."""
    assert next(seat["place"] for seat in table["seats"]) == "below"
    lying = [card for seat in table["seats"] for group in seat["lies"] for card in group["cards"]]
    cards = [one["card"] for one in (*table["hand"], *table["trick"]["cards"])]
    assert {*cards, *lying, *[card for pile in table["piles"] for card in pile["cards"]]} <= CARD
    assert len(table["scores"]["rows"]) in (1, 2, 3, 4)


@pytest.mark.parametrize("key", GAME_NAMES)
async def test_a_game_is_played_to_its_end_from_what_the_page_is_told(make_home: MakeHome, key: str) -> None:
    async with paged(make_home("ann")) as page:
        table = await play(page, key)
        tables = [said for said in page.heard if said["is"] == "table" and said.get("seats")]
        for one in tables:
            check_table(one)
        assert [said["text"] for said in page.heard if said["is"] == "told" and said["ink"] == "wrong"] == []
        assert any(seat["winner"] for seat in table["seats"])
