"""Advice at tables of real daemons, whose workers think."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from p2pcards.control.client import connect
from p2pcards.control.declined import Declined
from p2pcards.control.messages import Host, OpenConnect, OpenListen, OpenPlay, Persona, Rules, TimeLimits
from p2pcards.views.happenings import Acted, AlternativesExplained, HandAnalyzed, Hinted, Notice
from p2pcards.views.tableview import Command
from rigs.homes import MakeHome, happening, view

ADVISED: tuple[type[AlternativesExplained | Notice], ...] = (AlternativesExplained, Notice)
"""What answers 'explain': the one whose turn it is, and anybody else."""


@pytest.mark.own_start
async def test_alone_the_alternatives_are_explained_and_the_first_of_them_is_the_hint(make_home: MakeHome) -> None:
    async with connect(make_home("ann")) as client:
        await client.open(OpenPlay(Rules("hearts"), seed=1))  # whatever is dealt, there is a choice of cards to pass
        table = await client.attach()
        shown = await view(table, lambda shown: bool(shown.legal))
        await table.command(Command("analyze"))
        assert (await happening(table, HandAnalyzed)).found
        await table.command(Command("explain"))
        said = await happening(table, AlternativesExplained)
        assert said.hands > 10 and said.weighed > 1 and said.legal == len(shown.legal)
        assert {one.words for one in said.alternatives} <= set(shown.legal)
        await table.command(Command("hint", ("do",)))
        assert (await happening(table, Hinted)).words == said.alternatives[0].words
        acted = await happening(table, Acted)
        assert acted.mine and acted.words == said.alternatives[0].words


async def test_two_people_are_advised_where_it_was_allowed_each_of_their_own_cards(make_home: MakeHome) -> None:
    ann, bob = make_home("ann"), make_home("bob")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(bob))
        opened = await client.open(OpenListen(0, Persona("Bob")))
        at_bob = await client.attach()
        client = await stack.enter_async_context(connect(ann))
        hosts = (Host(f"127.0.0.1:{opened.port}"),)
        await client.open(OpenConnect(hosts, Rules("crazy_eights"), Persona("Ann"), TimeLimits()))
        at_ann = await client.attach()
        await at_ann.command(Command("start"))
        for table in (at_ann, at_bob):
            await view(table, lambda shown: shown.phase == "play" and shown.hand == 1)
            for word in ("explain", "analyze"):
                with pytest.raises(Declined, match="Hints are off at this table"):
                    await table.command(Command(word))
        await at_ann.command(Command("end"))
        await view(at_ann, lambda shown: shown.phase in ("lobby", "over"))
        await at_ann.command(Command("allow", ("hint",)))
        await at_ann.command(Command("start"))
        for table in (at_ann, at_bob):
            shown = await view(table, lambda shown: shown.assists == ("hint",) and shown.hand == 1)
            await table.command(Command("explain"))
            answer = await happening(table, ADVISED)
            if isinstance(answer, Notice) and "weaker" in answer.text:  # said once where no kernels are compiled
                answer = await happening(table, ADVISED)
            if isinstance(answer, Notice):
                assert not shown.legal and answer.text.startswith("Waiting for ")
            elif shown.legal:  # where not, the turn has come to them meanwhile
                assert {one.words for one in answer.alternatives} <= set(shown.legal)
            await table.command(Command("analyze"))
            assert (await happening(table, HandAnalyzed)).found
