"""What a front end of a real daemon is sent: each thing that happens, and the table after it."""

from __future__ import annotations

import trio

from p2pcards.control.client import connect
from p2pcards.control.messages import Happened, OpenPlay, Persona, Rules, TimeLimits
from p2pcards.views.happenings import Acted, HandOpened, HandScored, TrickTaken
from p2pcards.views.tableview import Command, TableView
from rigs.giving_up import longest_wait
from rigs.homes import MakeHome

TRICKS = 13


async def a_hand(home: MakeHome) -> list[TableView | Happened]:
    """All that comes of a hand of whist alone, up to the pause after it."""
    news: list[TableView | Happened] = []
    async with connect(home("ann")) as client:
        with trio.fail_after(longest_wait()):
            rules = Rules("whist", changes=(("winning_score", "9"),))  # more than a hand can count: a pause follows it
            await client.open(OpenPlay(rules, Persona("Ann"), TimeLimits(between_hands=20)))
            table = await client.attach()
            async for one in table.updates():
                news.append(one)
                if isinstance(one, TableView):
                    if one.pause is not None:
                        return news
                    if one.legal:
                        await table.command(Command("act", tuple(one.legal[0].split())))
    raise AssertionError("the table was closed")


async def test_every_card_and_every_trick_has_a_view_and_the_last_trick_one_before_the_end(make_home: MakeHome) -> None:
    news = await a_hand(make_home)
    views = [one for one in news if isinstance(one, TableView) and one.phase == "play"]
    tricks = [view.last_trick for view in views if view.last_trick and not view.trick]
    assert len(set(tricks)) == TRICKS and all(len(trick) == 4 for trick in tricks)
    cards = {(len(view.trick), view.trick) for view in views if view.trick}
    acted = [isinstance(one, Happened) and isinstance(one.happening, Acted) for one in news]
    unseen = max(sum(acted[: news.index(views[0])]) - 1, 0)  # before I came
    assert sum(acted) == 4 * TRICKS and len(cards) + TRICKS == 4 * TRICKS - unseen, "a view for each card"

    last, over = views[-2], views[-1]
    assert last.last_trick == over.last_trick and (last.pause, over.pause) == (None, 0)
    end = [type(one.happening if isinstance(one, Happened) else one) for one in news[news.index(views[-3]) + 1 :]]
    assert end == [Acted, TrickTaken, HandScored, TableView, HandOpened, TableView]


async def test_what_happened_before_somebody_came_is_told_before_the_first_view(make_home: MakeHome) -> None:
    home = make_home("ann")
    async with connect(home) as client:
        with trio.fail_after(longest_wait()):
            await client.open(OpenPlay(Rules("hearts"), Persona("Ann")))
            news = []
            async for one in (await client.attach()).updates():
                news.append(one)
                if isinstance(one, TableView):
                    break
    assert len(news) > 1 and all(isinstance(one, Happened) for one in news[:-1])
