"""The rules of thumb of the novice at hearts, each in the smallest position that shows it. It sits at seat 0."""

from collections.abc import Sequence
from random import Random

import pytest

from p2pcards.cards.card import Card, parse_cards
from p2pcards.cards.eyes import PUBLIC, Slot, eyes_of_viewer
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.game import Stage
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.novice import choose
from p2pcards.games.hearts.rules import PRESETS, Options, State, rules_of
from p2pcards.games.passing import Pass
from p2pcards.games.playing import Play
from rigs.tricked import kept

FIRST = ("", "2C 3C 4C 5C", "", "")  # a first trick, which cost nobody anything
DELUXE = PRESETS["hearts-deluxe"]


def up(words: str) -> tuple[Slot, ...]:
    return tuple([Slot(card, PUBLIC) for card in parse_cards(words)])


def view(
    hand: str, trick: str = "", taken: Sequence[str] = FIRST, options: Options | None = None, passing: bool = False
) -> State:
    """What seat 0 sees who holds this hand, in its turn after this trick so far."""
    options, number, leader = options or Options(), len(parse_cards(hand)), -len(parse_cards(trick)) % 4
    deal = Hearts(rules_of(options, 1), 0, Tricks(4))
    fields = kept(deal, (hand, "", "", ""), leader, trick, taken, (0, number, number, number))
    deal.begin_hand(passing)
    deal.broken = True
    return State(options, eyes=eyes_of_viewer(0), stage=Stage.PLAY, to_act=(0,), hand=1, dealer=0, **fields)


def played(hand: str, trick: str = "", taken: Sequence[str] = FIRST, options: Options | None = None) -> set[str]:
    """What it plays, whatever its luck."""
    state = view(hand, trick, taken, options)
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    return {str(choice.card) for choice in choices if isinstance(choice, Play)}


def passed(hand: str, options: Options | None = None) -> tuple[Card, ...]:
    choice = choose(view(hand, taken=("",) * 4, options=options, passing=True), 0, Random(1))
    assert isinstance(choice, Pass)
    return choice.cards


# --- the pass ---------------------------------------------------------------------------------------------------------


def test_it_passes_high_spades_that_nothing_protects() -> None:
    assert passed("QS KS AS 2H 3H 4H 2C 3C 4C 5C 2D 3D 4D") == parse_cards("QS KS AS")


def test_it_keeps_a_queen_with_four_guards() -> None:
    assert parse_cards("QS")[0] not in passed("QS 2S 3S 4S 5S AH KH QH 2C 3C 4C 2D 3D")


def test_it_passes_high_hearts() -> None:
    assert passed("AH KH QH 2S 3S 4S 5S 2C 3C 4C 5C 2D 3D") == parse_cards("QH KH AH")


def test_it_makes_a_short_suit_void() -> None:
    assert set(parse_cards("9D JD")) <= set(passed("9D JD 2S 3S 4S 5S 2C 3C 4C 5C 2H 3H 4H"))


def test_it_keeps_the_jack_that_counts_and_what_catches_it() -> None:
    kept = set(parse_cards("JD AD KD"))
    hand = "JD AD KD 2S 3S 4S 5S 9C TC QC 2H 3H 9H"
    assert not kept & set(passed(hand, DELUXE))
    assert kept & set(passed(hand))


def test_a_pass_is_named_in_ascending_order() -> None:
    cards_passed = passed("AH KD 2C 3C 4C 5C 7D 8S 9S TS 2H AS QS")
    assert list(cards_passed) == sorted(cards_passed)


# --- following --------------------------------------------------------------------------------------------------------


def test_it_plays_its_highest_card_under_the_trick() -> None:
    assert played("2D 8D TD KD 5H", "JD") == {"TD"}


def test_it_drops_the_queen_under_a_higher_spade() -> None:
    assert played("2S JS QS 5H", "KS") == {"QS"}


def test_it_takes_a_harmless_trick_last_with_its_highest() -> None:
    assert played("2D 8D KD 5H", "3D 9D TD") == {"KD"}


def test_it_does_not_take_a_trick_that_costs() -> None:
    assert played("2D 8D KD 5H", "3D 9D TH") == {"8D"}


def test_it_takes_with_its_highest_when_it_must_take_last() -> None:
    assert played("TD KD QD 5H", "3D 9D TH") == {"KD"}


def test_it_does_not_take_with_the_queen_when_another_spade_will_do() -> None:
    assert played("QS KS 5H", "3S 9S JS") == {"KS"}


def test_it_plays_low_where_others_may_still_throw_points_on_it() -> None:
    assert played("TD KD QD 5H", "9D") == {"TD"}


def test_it_sheds_its_highest_club_on_a_first_trick_where_no_point_can_fall() -> None:
    nothing = ("",) * 4
    assert played("3C 9C AC 5H", "2C", nothing) == {"AC"}
    assert played("3C 9C AC 5H", "2C", nothing, options=Options(points_on_first_trick=True)) == {"3C"}


def test_it_takes_the_jack_that_counts() -> None:
    assert played("2D AD 5H", "3D JD", options=DELUXE) == {"AD"}
    assert played("2D JD 5H", "3D 9D 4D", options=DELUXE) == {"JD"}
    assert played("2D JD 5H", "QD", options=DELUXE) == {"2D"}
    assert played("2D JD 5H", "QD") == {"JD"}


# --- throwing off -----------------------------------------------------------------------------------------------------


def test_it_throws_the_queen_first() -> None:
    assert played("QS AH KC", "9D") == {"QS"}


def test_a_queen_that_costs_nothing_is_no_hurry() -> None:
    assert played("QS AH 2C", "9D", options=Options(queen_points=False)) == {"AH"}


def test_it_throws_spades_that_the_queen_could_fall_on() -> None:
    assert played("AS AH 2C", "9D") == {"AS"}
    assert played("3S AH 2C", "9D") == {"AH"}


def test_it_throws_high_cards_and_of_cards_nearly_as_high_those_of_a_short_suit() -> None:
    assert played("2C 3C 4C 5C 6C KC 9D", "9S") == {"KC"}
    assert played("2C 3C 4C 5C 6C TC 9D", "9S") == {"9D"}


def test_it_never_throws_the_jack_that_counts() -> None:
    assert played("JD 2H 3C", "9S", options=DELUXE) == {"2H"}


# --- leading ----------------------------------------------------------------------------------------------------------


def test_it_leads_low_rather_than_into_the_queen() -> None:
    assert played("AS 3D") == {"3D"}


def test_it_brings_the_queen_down_when_it_holds_no_higher_spade() -> None:
    assert played("9S 9H AD KD") == {"9S"}


def test_it_keeps_the_guards_of_its_own_queen() -> None:
    assert played("QS 2S 3S 4D 5D") <= {"4D", "5D"}
    assert played("QS 9S 2D 3D 4D") == {"4D"}


def test_spades_guard_nothing_once_the_queen_has_fallen() -> None:
    assert played("9S 2D 3D 4D", taken=("", "", "3S 4S 5S QS", "")) == {"9S"}


def test_it_leads_the_jack_when_it_holds_what_beats_it() -> None:
    assert played("JD QD KD AD 5C", options=DELUXE) == {"JD"}
    assert played("JD 3D 5C", options=DELUXE) == {"5C"}


# --- what it remembers ------------------------------------------------------------------------------------------------


def test_it_does_not_count_the_cards_of_a_suit() -> None:
    clubs = ("", "2C 3C 4C 5C", "6C 7C 8C 9C", "TC JC QC KC")
    assert played("AC 2H", taken=clubs) == played("AC 2H") == {"AC"}
    diamonds = ("", "2C 3C 4C 5C", "QD KD AD 2D", "")
    assert played("JD 3D 5C", taken=diamonds, options=DELUXE) == {"5C"}


def test_it_remembers_that_the_queen_has_fallen() -> None:
    assert played("AS AH 2C", "9D", taken=("", "", "2S 3S 4S QS", "")) == {"AH"}
    assert played("AS AH 2C", "9D", taken=("", "", "2S 3S 4S KS", "")) == {"AS"}


def test_it_remembers_that_the_jack_has_fallen_where_it_counts() -> None:
    assert played("AD 9C 2C", "9H", taken=("", "", "2D 3D 4D JD", ""), options=DELUXE) == {"AD"}
    assert played("AD 9C 2C", "9H", taken=("", "", "2D 3D 4D QD", ""), options=DELUXE) == {"9C"}


# --- the moon ---------------------------------------------------------------------------------------------------------

SHOOTING = ("", "", "2H 3H 4H 5H 6H 7H 8H QS", "")  # seat 2 has taken every point so far


def test_it_gives_no_heart_to_a_player_who_shoots_the_moon() -> None:
    assert played("KH 2C", "3D AD", taken=SHOOTING) == {"KH"}  # seat 3 takes it as it lies, seat 2 led
    assert played("KH 2C", "AD 3D", taken=SHOOTING) == {"2C"}
    assert played("KH 2C", "AD 3D") == {"KH"}


def test_it_stops_a_moon_with_a_cheap_trick() -> None:
    assert played("9H AH 2C", "JH TH QH", taken=SHOOTING) == {"AH"}
    assert played("9H AH 2C", "JH TH QH") == {"9H"}


@pytest.mark.parametrize(("moon", "card"), [("add", "2C"), ("deduct", "KH")])
def test_a_moon_is_feared_sooner_where_it_costs_it(moon: str, card: str) -> None:
    early = ("", "", "2H 3H 4H 5H 6H 7C 8C 9C", "")
    assert played("KH 2C", "AD 3D", taken=early, options=Options(moon=moon)) == {card}
