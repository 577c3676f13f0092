"""Chat: relayed to everybody, safe to show, counted for each author, never a flood."""

from __future__ import annotations

import pytest

from p2pcards.session.bounds import TALK
from p2pcards.session.effects import CommandError
from p2pcards.views.happenings import Gestured, Said
from p2pcards.wire.messages import CHAT_SIZE, Chat, Message, encode_message
from rigs.net import Arrival, Net, message_of


def table(listeners: int = 2) -> Net:
    net = Net(listeners, auto=None)
    for i in range(1, listeners + 1):
        net.say(0, "invite", str(i))
    net.run()
    return net


def heard(net: Net, i: int) -> list[tuple[object, object]]:
    return [(told.name, told.text) for told in net.tales(i, Said)]


def raw(net: Net, sender: int, to: int, message: Message) -> None:
    """A message that the sender's own program would never send."""
    place = next(end for end, other in net.links.items() if (end[0], other[0]) == (to, sender))
    net.queue.append(Arrival(*place, encode_message(message)))
    net.run()


def test_what_anybody_says_everybody_hears_once() -> None:
    net = table()
    for i in range(3):
        net.say(i, "say", "hello", "from", str(i))
    net.run()
    for i in range(3):
        assert sorted(heard(net, i)) == [
            ("Ann", "hello from 0"),
            ("Bob", "hello from 1"),
            ("Cy", "hello from 2"),
        ]
        assert [told.mine for told in net.tales(i, Said)].count(True) == 1


def test_chat_goes_on_before_during_and_after_a_game() -> None:
    net = Net(2, seed=5)
    net.sit_down("winning_score=1")
    net.say(1, "say", "during")
    net.run()
    net.say(2, "say", "after")
    net.run()
    assert heard(net, 0) == [("Bob", "during"), ("Cy", "after")]
    assert net.at(0).ended == 0 == net.at(1).ended


def test_each_author_has_a_count_of_its_own() -> None:
    net = table()
    for i, text in ((1, "one"), (1, "two"), (2, "three"), (0, "four"), (1, "five")):
        net.say(i, "say", text)
    net.run()
    chats = [(to, message_of(data)) for sender, to, data in net.sent if sender == 0]
    counted = [(to, chat.author, chat.number) for to, chat in chats if isinstance(chat, Chat)]
    assert sorted(counted) == [(1, 0, 1), (1, 2, 1), (2, 0, 1), (2, 1, 1), (2, 1, 2), (2, 1, 3)]


def test_a_listener_cannot_speak_for_somebody_else_nor_choose_their_number() -> None:
    net = table()
    raw(net, 1, 0, Chat(0, 77, "I am Ann"))
    assert heard(net, 2) == heard(net, 0) == [("Bob", "I am Ann")]


def test_nothing_that_is_said_moves_a_cursor() -> None:
    net = table()
    ugly = "\x1b[2Jre\u202edrum\u200b \x07 \n new line"
    for chat in (Chat(2, 1, ugly), Chat(2, 2, "x" * CHAT_SIZE)):
        raw(net, 1, 0, chat)
        raw(net, 0, 1, chat)
    for i in range(3):
        for told in net.tales(i, Said):
            assert str(told.text).isprintable()
    relayed = [message_of(data) for sender, to, data in net.sent if (sender, to) == (0, 2)]
    assert all(chat.text.isprintable() for chat in relayed if isinstance(chat, Chat))


def test_a_flood_is_cut_off_and_hinders_nobody_else() -> None:
    net = table()
    for number in range(60):
        net.say(1, "say", f"line {number}")
    net.say(2, "say", "quiet please")
    net.run()
    assert len(heard(net, 0)) == TALK.at_once + 1 and heard(net, 1)[-1] == ("Cy", "quiet please")
    net.run_for(11)
    net.say(1, "say", "sorry")
    net.run()
    assert heard(net, 2)[-1] == ("Bob", "sorry")


def test_a_quick_phrase_and_a_gesture_reach_everybody_in_two_bytes() -> None:
    net = table()
    sent = len(net.sent)
    net.say(1, "quick", "well")
    net.say(0, "quick", "Waves")
    net.run()
    for i in range(3):
        assert heard(net, i) == [("Bob", "Well played.")]
        assert [(told.name, told.text) for told in net.tales(i, Gestured)] == [("Ann", "waves")]
    assert [len(data) for _, _, data in net.sent[sent:]] == [2] * 4


def test_a_phrase_that_there_is_not() -> None:
    net = table()
    for i in (0, 1):
        with pytest.raises(CommandError, match="Phrases: hello, luck"):
            net.say(i, "quick", "goodness")


def test_quick_phrases_are_no_flood_either() -> None:
    net = table()
    for _ in range(TALK.at_once + 5):
        net.say(1, "quick", "ha")
    net.run()
    assert len(heard(net, 2)) == TALK.at_once
