"""The rules of thumb of the novice at spades, each in the smallest position that shows it. It sits at seat 0."""

from collections.abc import Sequence
from random import Random

import pytest

from p2pcards.cards.card import mask_of_cards, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer
from p2pcards.games.deals.taking import Taking
from p2pcards.games.game import Stage
from p2pcards.games.passing import Pass
from p2pcards.games.playing import Play
from p2pcards.games.spades.deal import SPADES, Spades, expected_tricks
from p2pcards.games.spades.novice import choose
from p2pcards.games.spades.rules import PACK, Action, Options, State, rules_of
from p2pcards.games.tricks import Bid
from rigs.tricked import have_bid, kept

REAL, PLAIN = Options(), Options(nil="plain")
HARMLESS = "2C 5C 8C TC 3D 6D 7D 2H 4H 9H 2S 4S 6S"
STRONG = "AC KC 2C AD 3D 4D 5D AH KH AS KS QS 2S"
BIDS = (3, 3, 3, 3)


def view(
    hand: str,
    trick: str = "",
    taken: Sequence[str] = ("",) * 4,
    bids: Sequence[int | None] = BIDS,
    options: Options = REAL,
    passing: bool = False,
    eldest: int = 0,
) -> State:
    """What seat 0 sees who holds this hand, in its turn after this trick so far."""
    number, leader = len(parse_cards(hand)), -len(parse_cards(trick)) % 4
    deal = Spades(rules_of(options), eldest, Taking(SPADES))
    have_bid(deal, bids)
    if passing:
        deal.end_bidding()
    fields = kept(deal, (hand, "", "", ""), leader, trick, taken, (0, number, number, number))
    deal.set_turn(0)
    deal.broken = True
    return State(options, eyes=eyes_of_viewer(0), stage=Stage.PLAY, to_act=(0,), hand=1, dealer=3, **fields)


def chosen(state: State) -> Action:
    """What it does, whatever its luck."""
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0]


def played(hand: str, trick: str = "", taken: Sequence[str] = ("",) * 4, bids: Sequence[int] = BIDS) -> str:
    choice = chosen(view(hand, trick, taken, bids))
    assert isinstance(choice, Play)
    return str(choice.card)


def bid(hand: str, options: Options = PLAIN, others: Sequence[int | None] = (None, None, None)) -> int:
    """others: what those have bid who spoke before."""
    eldest = next((seat for seat, other in enumerate(others, 1) if other is not None), 0)
    choice = chosen(view(hand, bids=(None, *others), options=options, eldest=eldest))
    assert isinstance(choice, Bid)
    return choice.tricks


# --- the bid --------------------------------------------------------------------------------------------------------


def test_it_bids_what_it_counts() -> None:
    assert bid(STRONG) in (7, 8)
    assert bid("AC KC 2C 3C 4D 5D 6D JH 9H 8H 5S 6S 7S") in (1, 2)
    assert (
        expected_tricks(mask_of_cards(parse_cards(STRONG)))
        > expected_tricks(mask_of_cards(parse_cards(HARMLESS))) + 500
    )


def test_it_bids_nil_on_a_harmless_hand_where_there_is_nil() -> None:
    assert bid(HARMLESS) == 0
    assert bid(HARMLESS, Options(min_bid=2)) == 0
    assert bid(HARMLESS, Options(nil="none")) in (0, 1)
    assert bid(HARMLESS, Options(nil="none", min_bid=2)) == 2


@pytest.mark.parametrize("danger", ["KS", "AS"])
def test_a_high_spade_is_no_nil(danger: str) -> None:
    assert bid(HARMLESS.replace("6S", danger)) > 0


def test_it_does_not_bid_a_second_nil_of_its_side() -> None:
    assert bid(HARMLESS, others=(None, 0, 3)) > 0
    assert bid(HARMLESS, others=(0, 3, 3)) == 0
    assert bid(HARMLESS, Options(team_play=False), others=(None, 0, 3)) == 0


def test_it_passes_a_high_spade_away_where_cards_are_passed() -> None:
    assert bid(HARMLESS.replace("6S", "KS"), REAL) == 0
    assert bid(HARMLESS.replace("6S", "KS"), PLAIN) > 0


def test_it_bids_as_the_rules_of_thumb_of_a_search() -> None:
    rng, pack = Random(6), list(PACK)
    for _ in range(40):
        rng.shuffle(pack)
        seen = view(" ".join(map(str, pack[:13])), bids=(None,) * 4, options=rng.choice((REAL, PLAIN)))
        assert chosen(seen) == Bid(seen.deal.rule_of_thumb_bid())


# --- the exchange ---------------------------------------------------------------------------------------------------


def test_nil_gives_away_its_spades_and_high_cards() -> None:
    choice = chosen(view("2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 9S JS KH", bids=(0, 3, 3, 3), passing=True))
    assert choice == Pass(tuple(sorted(parse_cards("9S JS KH"))))


def test_its_partner_gives_nil_small_cards_and_keeps_its_spades() -> None:
    choice = chosen(view("2C 3D AD KD QD JD 9H TH JH AH 2S 3S AS", bids=(3, 3, 0, 3), passing=True))
    assert isinstance(choice, Pass)
    assert set(parse_cards("2C 3D")) < set(choice.cards)
    assert not {card for card in choice.cards if card.suit == 3 or card.rank > 10}


# --- the play -------------------------------------------------------------------------------------------------------


def test_it_takes_the_trick_as_cheaply_as_it_can() -> None:
    assert played("2C TC QC AC", "3C 4C 9C") == "TC"
    assert played("2D 4S 9S", "3C 4C 9C") == "4S"
    assert played("2D 4S 9S", "3C 4C 6S") == "9S"


def test_it_plays_low_where_it_cannot_win() -> None:
    assert played("2C TC QC", "3C 4C AC") == "2C"
    assert played("3D KD 2H", "3C 4C 6S") == "2H"


def test_it_leaves_the_trick_to_its_partner() -> None:
    assert played("2C AC", "3C KC 4C") == "2C"
    assert played("2D 4S", "3C AC 4C") == "2D"
    assert played("2C AC", "3C 4C KC") == "AC"


def test_it_leads_what_nobody_beats() -> None:
    assert played("AC 3D 4D 5D") == "AC"


def test_it_remembers_the_last_trick_and_none_before() -> None:
    assert played("KC 3D 4D 5D", taken=("", "AC 2C 3C 4C 2H 3H 4H 5H", "", "")) == "3D"
    assert played("KC 3D 4D 5D", taken=("", "2H 3H 4H 5H AC 2C 3C 4C", "", "")) == "KC"


def test_nil_slips_under_the_trick_and_throws_what_is_dangerous() -> None:
    assert played("2C 9C QC", "TC", bids=(0, 3, 3, 3)) == "9C"
    assert played("2D AH", "TC", bids=(0, 3, 3, 3)) == "AH"
    assert played("2D JS", "TC QS", bids=(0, 3, 3, 3)) == "JS"
    assert played("2C AC", bids=(0, 3, 3, 3)) == "2C"


def test_a_nil_that_has_failed_takes_what_it_can() -> None:
    assert played("2C AC", "TC", ("2H 3H 4H 5H", "", "", ""), bids=(0, 3, 3, 3)) == "AC"


def test_it_takes_the_trick_from_a_partner_who_tries_nil() -> None:
    assert played("2C AC", "3C KC 4C", bids=(3, 3, 0, 3)) == "AC"


def test_it_leaves_the_trick_to_an_opponent_who_tries_nil() -> None:
    assert played("2C AC", "3C 4C KC", bids=(3, 3, 3, 0)) == "2C"
    assert played("2C AC", "3C 4C KC", ("", "", "", "2H 3H 4H 5H"), bids=(3, 3, 3, 0)) == "AC"
