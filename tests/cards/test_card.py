"""A card as one byte, and as a person writes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import BACK, Card, Suit, is_card_byte, parse_card, parse_cards, spell_cards

CARDS = st.builds(Card.of, st.integers(2, 14), st.sampled_from(Suit), st.integers(0, 3))


@given(CARDS)
def test_a_card_is_one_byte_that_tells_rank_suit_and_copy(card: Card) -> None:
    assert 0 < card < 256 and is_card_byte(card)
    assert Card.of(card.rank, card.suit, card.copy) == card
    assert card.face == Card.of(card.rank, card.suit)


@given(st.integers(0, 255))
def test_a_byte_is_a_card_or_not(byte: int) -> None:
    card = Card(byte)
    if is_card_byte(byte):
        assert Card.of(card.rank, card.suit, card.copy) == byte
    else:
        with pytest.raises(ValueError, match="there is no card of rank"):
            Card.of(card.rank, card.suit, card.copy)


@pytest.mark.parametrize(("rank", "suit", "copy"), [(1, 0, 0), (15, 0, 0), (2, 4, 0), (2, -1, 0), (2, 0, 4)])
def test_there_are_no_other_cards(rank: int, suit: int, copy: int) -> None:
    with pytest.raises(ValueError, match="there is no card"):
        Card.of(rank, suit, copy)


@given(CARDS)
def test_a_card_is_read_as_it_is_written(card: Card) -> None:
    assert parse_card(str(card)) == card
    assert parse_card(f" {str(card).lower()}") == card
    assert card.face == parse_card(str(card)[:2]) and repr(card) == str(card)


def test_the_ways_to_write_a_card() -> None:
    assert parse_cards("QS 10h tH 2c") == (
        Card.of(12, Suit.SPADES),
        Card.of(10, Suit.HEARTS),
        Card.of(10, Suit.HEARTS),
        Card.of(2, Suit.CLUBS),
    )
    assert spell_cards(parse_cards("QS 10h 2c")) == "QS TH 2C" and parse_cards(spell_cards([])) == ()
    assert str(BACK) == "--" and not BACK and not is_card_byte(BACK)


@given(st.text(max_size=6))
def test_whatever_a_person_types_is_a_card_or_a_sentence(word: str) -> None:
    try:
        card = parse_card(word)
    except ValueError as error:
        assert "cards are written like QS, 10h or 2c" in str(error)
    else:
        assert is_card_byte(card)


@pytest.mark.parametrize("word", ["", "Q", "1S", "QSS", "--", "SQ", "110H"])
def test_what_is_no_card(word: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(word)
