"""A listener's link to the coordinator, and since when the two have greeted each other."""

from __future__ import annotations

from p2pcards.session.coordinator_link import CoordinatorLink
from p2pcards.session.liveness import Pulse


def test_they_have_greeted_each_other_from_hello_to_the_end_of_the_link() -> None:
    link, greeted = CoordinatorLink(), []
    for step in (
        lambda: link.open(7, b"key", "here", Pulse(0.0)),
        lambda: link.greet("Ann"),
        link.end,
        lambda: link.open(8, b"key", "there", Pulse(1.0)),
        lambda: link.greet("Ann"),
    ):
        greeted.append(link.greeted)
        step()
    assert [*greeted, link.greeted] == [False, False, True, False, False, True]
    assert (link.peer, link.name, link.where) == (8, "Ann", "there")
