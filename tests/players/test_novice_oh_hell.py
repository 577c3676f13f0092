"""The rules of thumb of the novice at oh hell, each in the smallest position that shows it. It sits at seat 0."""

from random import Random

import pytest

from p2pcards.cards.card import Suit, mask_of_cards, parse_cards
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.oh_hell.deal import OhHell
from p2pcards.games.oh_hell.novice import choose
from p2pcards.games.oh_hell.rules import Action, Options, rules_of
from p2pcards.games.tricks import Bid
from rigs.tricked import have_bid, oh_hell_at


def chosen(hand: str, bid: int | None, trick: str = "", taken: str = "", each: int | None = None) -> str | int:
    """What seat 0 bids or plays who holds this hand, of a deal of so many cards; spades are trump."""
    held, table, pile = parse_cards(hand), parse_cards(trick), parse_cards(taken)
    number = len(held) if each is None else each
    deal = OhHell(rules_of(Options(), number), 0, Taking(SUITS[Suit.SPADES], mask_of_cards(parse_cards("3S"))))
    deal.set_cards(
        [mask_of_cards(held), 0, 0, 0, mask_of_cards(parse_cards("3S")), 0],
        [0, *[len(held)] * 3, 1, 0],
        [mask_of_cards([*parse_cards("3S"), *table, *pile]), mask_of_cards(held), 0, 0, 0],
    )
    if bid is not None:
        have_bid(deal, [bid, 0, 0, 0])
    state = oh_hell_at(deal, number, table, pile)
    choices: list[Action] = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0].tricks if isinstance(choices[0], Bid) else str(choices[0].card)


def expected(hand: str, trump: Suit | None) -> int:
    """The tricks that it expects, in thousandths."""
    cards = parse_cards(hand)
    tricks = Taking(0 if trump is None else SUITS[trump])
    return OhHell(rules_of(Options(), len(cards)), 0, tricks).expected_tricks(mask_of_cards(cards))


@pytest.mark.parametrize(("hand", "bid"), [("AS", 1), ("2C", 0), ("AS KS", 2), ("2C 3D", 0), ("AS KS QS 2C 3D", 3)])
def test_it_bids_what_it_counts(hand: str, bid: int) -> None:
    assert chosen(hand, None) == bid


def test_a_trump_counts_more_than_another_card_and_less_in_a_long_hand() -> None:
    assert expected("KS", Suit.SPADES) > expected("KS", Suit.CLUBS)
    assert expected("AC", None) > expected("AC", Suit.SPADES)
    king = [expected(f"KS {rest}", Suit.SPADES) for rest in ("2C", "2C 3C 4C 2D 3D 4D")]
    assert king[0] > king[1] - 120 * 5


def test_it_takes_until_it_has_what_it_bid() -> None:
    assert chosen("2C AC", 1, "3C 4C 9C", each=2) == "AC"
    assert chosen("2C AC", 1, "3C 4C 9C", "2H 3H 4H 5H", each=3) == "2C"
    assert chosen("2C AC", 0, "3C 4C 9C", each=2) == "2C"


def test_who_wants_no_trick_sheds_its_highest_where_it_does_not_take() -> None:
    assert chosen("2C TC QC", 0, "JC", each=3) == "TC"
    assert chosen("2D AH KH", 0, "JC", each=3) == "AH"
    assert chosen("TC QC", 0, "2C 3C 4C", each=2) == "QC"  # it takes the trick anyway


def test_who_wants_no_trick_leads_low() -> None:
    assert chosen("2C AC KD", 0, each=3) == "2C"
