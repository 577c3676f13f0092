"""Text of others in every message that has any: what comes of it is only read, on either kind of front end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args, get_type_hints

from hypothesis import example, given

from p2pcards.frontend.looks import LOOKS, Showing
from p2pcards.present.cards import Style, usual_arrangement
from p2pcards.present.story import happening_sentence
from p2pcards.present.table import prompt_text
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.scene import new_scene
from p2pcards.tui.picture.table import draw_scene
from p2pcards.views.tableview import TableView
from p2pcards.wire.messages import (
    Bye,
    Chat,
    Give,
    Hello,
    Message,
    People,
    Person,
    RefusedMove,
    Watch,
    WatcherNow,
    WatchersNow,
)
from p2pcards.wire.reasons import ByeCode, RefusalCode
from p2pcards.wire.records import NAME
from rigs.hostile_text import HOSTILE, harmful, texts_in
from rigs.in_part import examples
from rigs.net import Net
from rigs.pure import remembered_signatures
from rigs.stranger import raw

signatures = remembered_signatures()

ANN, EVE, BOB = range(3)
STYLE = Style()
SIZES = ((80, 24), (160, 50))
Said = Callable[[str], Message]

TO_THE_COORDINATOR: dict[type[Message], Said] = {
    Give: lambda text: Give(text[:NAME]),
    Chat: lambda text: Chat(1, 200, text),
    Bye: lambda text: Bye(ByeCode.STOPPED, text),
}
TO_A_LISTENER: dict[type[Message], Said] = {
    Chat: lambda text: Chat(0, 200, text),
    RefusedMove: lambda text: RefusedMove(1, next(iter(RefusalCode)), text),
    People: lambda text: People(
        (Person(text[:NAME], text[:NAME], 0, True), Person("Bob", "betty", 1, True), Person(text[:NAME], "", 2, False)),
        1,
        text[:40],
        (text[:40],),
    ),
    WatchersNow: lambda text: WatchersNow(
        (WatcherNow(text[:NAME], bytes(32)), WatcherNow("Wim", bytes(32), text[:NAME]))
    ),
    Bye: lambda text: Bye(ByeCode.STOPPED, text),
}


def has_text(kind: type[Message]) -> bool:
    texts = ("str", "Person", "WatcherNow")
    return any(text in str(hint) for hint in get_type_hints(kind).values() for text in texts)


def test_every_message_with_text_is_tried() -> None:
    said = {*TO_THE_COORDINATOR, *TO_A_LISTENER, Hello, Watch}
    assert {kind for kind in get_args(Message) if has_text(kind)} == said


def shown(view: TableView) -> str:
    """All that a person can look at."""
    told = Showing(view, STYLE, usual_arrangement(view.game), 0.0, 0, True)
    looks = [line for word in ("table", "who", "hand", "last", "score") for line in LOOKS[word](told, ())]
    pictures = [
        line
        for size in SIZES
        for line in draw_scene(new_scene(view, Look(), usual_arrangement(view.game)), *size).text()
    ]
    return "\n".join([*looks, prompt_text(view), *pictures])


def check(net: Net, *places: int) -> None:
    for i in places:
        view, told = net.view(i), net.told[i]
        assert not harmful(shown(view) + "".join([happening_sentence(one, "Ann") for one in told]))
        assert not [text for text in texts_in((view, tuple(told))) if harmful(text)]


@examples(5, slow=20)
@given(HOSTILE)
@example("\x9b2J\u202e\x1b]0;x\x07")
def test_what_a_listener_says_is_only_read(hostile: str) -> None:
    net = Net(2)
    eve = net.listener(EVE)
    eve.me = replace(eve.me, name=f"Eve{hostile}"[:NAME], character=hostile[:NAME])
    net.sit_down("winning_score=1", game="crazy_eights")
    check(net, ANN)
    net.run_until(lambda: net.position(BOB) is not None and net.at(BOB).count > 12)
    for said in TO_THE_COORDINATOR.values():
        raw(net, EVE, ANN, said(hostile))
        check(net, ANN, BOB)
    net.run_for(100.0)  # the seat is taken over by their character
    check(net, ANN, BOB)


@examples(5, slow=20)
@given(HOSTILE)
@example("\x9b2J\u202e\x1b]0;x\x07")
def test_what_a_coordinator_says_is_only_read(hostile: str) -> None:
    net = Net(2)
    ann = net.table
    ann.me = replace(ann.me, name=f"Ann{hostile}"[:NAME], character=hostile[:NAME])
    ann.cast = tuple([replace(one, key=f"{one.key[:4]}{hostile}"[:NAME], level=hostile[:NAME]) for one in ann.cast])
    net.sit_down("end_score=25", game="hearts")
    net.run_until(lambda: net.position(BOB) is not None and net.at(BOB).count > 12)
    check(net, EVE, BOB)
    for said in TO_A_LISTENER.values():
        raw(net, ANN, BOB, said(hostile))
        check(net, BOB)
