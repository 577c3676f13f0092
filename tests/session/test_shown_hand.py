"""A player shows their hand to one watcher, and nobody else can read it."""

from __future__ import annotations

import pytest

from p2pcards.present.cards import Style
from p2pcards.present.table import open_hand_lines, people_lines
from p2pcards.session.effects import CommandError
from p2pcards.views.tableview import TableView
from p2pcards.wire.keys import public_bytes
from p2pcards.wire.messages import ShowHand, encode_message
from p2pcards.wire.shown_hand import MAX_SEALED, ShownHand, open_hand, seal_hand
from rigs.net import Net, message_of
from rigs.people import act, to_act
from rigs.pure import remembered_signatures
from rigs.watching import ANN, BOB, CY, begun, come, notices, watched

signatures = remembered_signatures()


def key_in(net: Net, i: int) -> bytes:
    return public_bytes(net.keys[i])


def shown(net: Net, player: int = BOB) -> TableView:
    """What Cy sees, who watches a game in which this player shows them their hand."""
    net.say(player, "show", "Cy")
    net.run()
    return net.view(CY)


def hand_of(net: Net, i: int) -> list[int]:
    """The cards of a player's hand, as they see them."""
    view = net.view(i)
    assert view.me is not None
    return sorted(view.seats[view.me].known)


def hand_seen(net: Net) -> list[int]:
    """The cards of the hand that Cy is shown."""
    view = net.view(CY)
    assert view.shown is not None
    return sorted(view.seats[view.shown].known)


@pytest.mark.parametrize("player", [ANN, BOB])
@pytest.mark.parametrize("game", ["crazy_eights", "gin_rummy", "hearts", "rummy_500", "spades"])
def test_a_watcher_sees_the_hand_that_is_shown_to_them_as_it_is_played(game: str, player: int) -> None:
    net = watched(begun(game))
    view = shown(net, player)
    assert view.shown is not None and view.shown == net.view(player).me and hand_seen(net) == hand_of(net, player)
    assert [one.seat for one in view.seats if any(one.known)] == [view.shown], "and no other hand"
    for _ in range(20):
        act(net, to_act(net))
        assert hand_seen(net) == hand_of(net, player)
    assert any(f"{net.view(CY).seats[view.shown].name}:" in line for line in open_hand_lines(net.view(CY), Style()))


def test_between_a_card_and_the_next_word_of_the_player_the_hand_lacks_that_card() -> None:
    net = watched(begun())
    shown(net)
    while to_act(net) != BOB:
        act(net, to_act(net))
    before = net.view(CY)
    net.say(BOB, "act", *net.view(BOB).legal[0].split())
    seen = [before]
    while net.queue:
        net.deliver(net.next_event())
        seen.append(net.view(CY))
    assert all(view.shown == before.shown and any(view.seats[view.shown or 0].known) for view in seen)
    assert hand_seen(net) == hand_of(net, BOB)


def test_everyone_is_told_whose_hand_is_shown_to_whom() -> None:
    net = watched(begun())
    shown(net)
    assert notices(net, ANN)[-1] == "Bob shows Cy their hand."
    assert notices(net, CY)[-1] == "Bob shows you their hand."
    assert notices(net, BOB)[-1] == "Cy sees your hand. To stop: show none"
    assert any(line.startswith("Cy: watching") and "sees Bob's hand" in line for line in people_lines(net.view(ANN)))
    assert any("sees your hand" in line for line in people_lines(net.view(BOB)))
    net.say(BOB, "show", "none")
    net.run()
    assert net.view(CY).shown is None and not any(any(one.known) for one in net.view(CY).seats)
    assert notices(net, ANN)[-1] == "Bob no longer shows Cy their hand."
    assert notices(net, BOB)[-1] == "You don't show your hand to anyone now."
    assert not any("sees" in line for line in people_lines(net.view(ANN)))


def test_only_the_watcher_can_read_the_hand() -> None:
    net = watched(begun())
    shown(net)
    (said,) = [one for _, to, data in net.sent if to == ANN and isinstance(one := message_of(data), ShowHand)]
    game = net.at(ANN).game_id
    assert said.key == key_in(net, CY)
    assert open_hand(net.keys[ANN], key_in(net, BOB), game, said.sealed) is None
    read = open_hand(net.keys[CY], key_in(net, BOB), game, said.sealed)
    assert read is not None and sorted(read.cards) == hand_of(net, BOB)
    assert open_hand(net.keys[CY], key_in(net, BOB), bytes(16), said.sealed) is None, "of another game"
    assert open_hand(net.keys[CY], key_in(net, ANN), game, said.sealed) is None, "of another player"
    assert len(said.sealed) < MAX_SEALED


def test_a_watcher_is_shown_one_hand() -> None:
    net = watched(begun())
    shown(net)
    with pytest.raises(CommandError, match="Cy already sees Bob's hand, and can see only one"):
        net.say(ANN, "show", "Cy")
    with pytest.raises(CommandError, match=r"Who should see your hand\? Watching now: Cy"):
        net.say(BOB, "show", "Dee")
    before = net.view(CY)
    net.step(ANN, lambda: net.table.pass_on_hand(key_in(net, ANN), ShowHand(key_in(net, CY), b"x")))
    net.run()
    assert net.view(CY).shown == before.shown


def test_it_ends_with_either_link_and_goes_on_in_the_next_game() -> None:
    net = watched(begun())
    shown(net)
    net.cut_all(BOB)
    net.run()
    assert net.view(CY).shown is None and not net.view(ANN).watchers[0].sees
    net.run_for(30)
    assert not net.view(ANN).watchers[0].sees, "until Bob says so again"
    shown(net)
    net.say(CY, "leave")
    net.run()
    come(net)
    assert net.view(CY).shown is None and not net.view(BOB).watchers[0].sees


def test_a_hand_for_somebody_who_does_not_watch_is_passed_over() -> None:
    net = begun()
    net.run()
    sealed = seal_hand(net.keys[BOB], key_in(net, CY), net.at(ANN).game_id, ShownHand(1, (1, 2)))
    count = len(net.sent)
    (peer,) = [guest.link.peer for guest in net.table.guests if guest.link]
    net.step(ANN, lambda: net.machines[ANN].receive(peer, encode_message(ShowHand(key_in(net, CY), sealed)), net.now))
    net.run()
    assert not [data for _, _, data in net.sent[count:] if isinstance(message_of(data), ShowHand)]
    assert net.view(ANN).people[1].link == "here"


@pytest.mark.parametrize("sealed", [b"x", bytes(32), bytes(MAX_SEALED)], ids=len)
def test_what_cannot_be_opened_is_passed_over(sealed: bytes) -> None:
    net = watched(begun())
    net.step(ANN, lambda: net.table.pass_on_hand(key_in(net, BOB), ShowHand(key_in(net, CY), sealed)))
    net.run()
    assert net.view(CY).shown is None and net.view(CY).looks_on
    shown(net)
    assert hand_seen(net) == hand_of(net, BOB)


def test_more_cards_than_the_player_holds_are_not_shown() -> None:
    net = watched(begun())
    cards = tuple(range(1, 40))
    sealed = seal_hand(net.keys[BOB], key_in(net, CY), net.at(ANN).game_id, ShownHand(net.at(ANN).count, cards))
    net.step(ANN, lambda: net.table.pass_on_hand(key_in(net, BOB), ShowHand(key_in(net, CY), sealed)))
    net.run()
    assert net.view(CY).shown is None


def test_a_delay_holds_the_hand_back_too() -> None:
    net = watched(begun())
    net.say(ANN, "watchers", "delay", "20")
    net.say(BOB, "show", "Cy")
    net.run_for(5)
    assert net.view(CY).shown is None
    net.run_for(20)
    assert hand_seen(net) == hand_of(net, BOB)
