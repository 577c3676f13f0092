"""A listener's link to the coordinator, and since when the two have greeted each other."""

from __future__ import annotations

from p2pcards.session.bounds import Pulse
from p2pcards.session.presence import CoordinatorLink


def test_they_have_greeted_each_other_from_hello_to_the_end_of_the_link() -> None:
    link, greeted = CoordinatorLink(), list[bool]()
    for peer, where in ((7, "here"), (8, "there")):
        greeted.append(link.greeted)
        link.open(peer, b"key", where, "", Pulse(0.0))
        greeted.append(link.greeted)
        link.greet("Ann")
        greeted.append(link.greeted)
        if peer == 7:
            link.drop()
    assert greeted == [False, False, True] * 2
    assert (link.peer, link.name, link.where) == (8, "Ann", "there")
