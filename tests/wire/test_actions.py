"""Every action of every game, to and from the numbers and fields that travel."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, Card, Suit, is_card_byte
from p2pcards.cards.pack import shuffle
from p2pcards.games.game import AnyGame, Stage
from p2pcards.games.registry import GAMES
from p2pcards.wire.packing import MOST, Cause, Refused, cards_from, decode_action, encode_action
from p2pcards.wire.records import ActionEntry, decode_entry, encode_entry
from rigs.in_part import examples

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
cards = st.sampled_from([Card(byte) for byte in range(256) if is_card_byte(byte)])


def field_values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a field by the type that its class declares."""
    if get_origin(hint) in (Union, UnionType):
        return st.one_of(*[field_values(part) for part in get_args(hint)])
    if get_origin(hint) is tuple:
        return st.lists(field_values(get_args(hint)[0]), min_size=1, max_size=13).map(tuple)
    return {
        Card: cards,
        Suit: st.sampled_from(Suit),
        int: st.integers(0, MOST),
        bool: st.booleans(),
        type(None): st.none(),
    }[hint]


raw = st.none() | st.booleans() | st.integers(-5, 300) | st.binary(max_size=5) | st.tuples() | st.text(max_size=2)


@every_game
@examples(5)
@given(st.data())
def test_every_action_comes_back(game: AnyGame, data: st.DataObject) -> None:
    for number, kind in enumerate(game.actions):
        hints = get_type_hints(kind)
        action = kind(*[data.draw(field_values(hints[field.name])) for field in fields(kind)])
        encoded = encode_action(game, action)
        assert encoded[0] == number
        entry = ActionEntry(7, 1, *encoded)
        assert decode_entry(encode_entry(entry)) == entry
        back = decode_action(game, *encoded)
        assert back == action
        assert [type(getattr(back, f.name)) for f in fields(kind)] == [
            type(getattr(action, f.name)) for f in fields(kind)
        ]


@every_game
def test_whatever_is_legal_travels(game: AnyGame) -> None:
    for options in game.presets.values():
        rng = Random(1)
        state = game.start(options, 0)
        for _ in range(60):
            if state.stage == Stage.DEAL:
                event = game.deal(state, *[shuffle(game.pack(options), bytes((state.hand,)), "pack")] * 2)
            elif state.stage == Stage.SHOW:
                event = game.show(state)
            elif state.stage == Stage.PLAY:
                legal = game.legal(state, state.to_act[0])
                for action in legal[:20]:
                    assert decode_action(game, *encode_action(game, action)) == action
                event = game.decide(state, state.to_act[0], rng.choice(legal))
            else:
                break
            state = game.play(state, event)


@every_game
@examples(20)
@given(st.integers(0, 63), st.lists(raw, max_size=4))
def test_any_fields_are_an_action_or_refused(game: AnyGame, number: int, values: list[Any]) -> None:
    try:
        action = decode_action(game, number, tuple(values))
    except Refused as refused:
        assert refused.cause is Cause.SHAPE
    else:
        again = encode_action(game, action)
        assert again == (number, tuple(values))
        assert [type(value) for value in again[1]] == [type(value) for value in values]


@pytest.mark.parametrize(
    ("game", "number", "values"),
    [
        ("hearts", 0, ()),
        ("hearts", 0, (b"\0\2\3",)),
        ("hearts", 0, (b"\1",)),
        ("hearts", 0, ((2, 3, 4),)),
        ("hearts", 0, (2,)),
        ("hearts", 1, (True,)),
        ("hearts", 1, (0,)),
        ("hearts", 1, (15,)),
        ("hearts", 1, (2 + 256,)),
        ("hearts", 1, (2, 3)),
        ("hearts", 1, (b"\2",)),
        ("hearts", 2, ()),
        ("crazy_eights", 0, (8, 4)),
        ("crazy_eights", 0, (8, True)),
        ("crazy_eights", 0, (8,)),
        ("crazy_eights", 1, (None,)),
        ("crazy_eights", 3, ()),
    ],
)
def test_fields_of_another_shape(game: str, number: int, values: tuple[Any, ...]) -> None:
    with pytest.raises(Refused) as refused:
        decode_action(GAMES[game], number, values)
    assert refused.value.cause is Cause.SHAPE


def test_a_face_down_card_does_not_travel() -> None:
    assert cards_from(b"\2\x3e") == (Card(2), Card(62))
    for data in (bytes((BACK,)), b"\2\0", b"\x0f"):
        with pytest.raises(Refused):
            cards_from(data)
