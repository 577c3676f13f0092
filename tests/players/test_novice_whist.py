"""The rules of thumb of the novice at whist, each in the smallest position that shows it. It sits at seat 0."""

from random import Random

from p2pcards.cards.card import Suit, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.game import Stage
from p2pcards.games.whist.deal import Whist
from p2pcards.games.whist.novice import choose
from p2pcards.games.whist.rules import Options, State
from rigs.tricked import kept


def played(hand: str, trick: str = "", taken: str = "", options: Options | None = None) -> str:
    """What seat 0 plays who holds this hand, in its turn after this trick so far; spades are trump."""
    options = options or Options()
    deal = Whist(options.team_play, 0, Taking(SUITS[Suit.SPADES]))
    number = len(parse_cards(hand))
    fields = kept(deal, (hand, "", "", ""), -len(parse_cards(trick)) % 4, trick, (taken,), (0, number, number, number))
    state = State(options, eyes=eyes_of_viewer(0), stage=Stage.PLAY, to_act=(0,), hand=1, dealer=3, **fields)
    choices = {str(choose(state, 0, Random(i)).card) for i in range(8)}
    assert len(choices) == 1
    return choices.pop()


def test_last_it_takes_the_trick_as_cheaply_as_it_can() -> None:
    assert played("2C TC QC AC", "3C 4C 9C") == "TC"
    assert played("2D 4S 9S", "3C 4C 9C") == "4S"


def test_third_it_plays_high() -> None:
    assert played("2C TC QC", "9C 3C") == "QC"
    assert played("2C JC QC", "9C 3C") == "JC"  # as good as the queen


def test_second_it_plays_low_but_what_nobody_beats() -> None:
    assert played("2C JC QC", "9C") == "2C"
    assert played("2C JC AC", "9C") == "AC"


def test_it_leaves_a_sure_trick_to_its_partner() -> None:
    assert played("2C KC", "AC 3C") == "2C"
    assert played("2C AC", "KC 3C") == "2C"
    assert played("2C AC", "QC 3C") == "AC"
    assert played("2D 4S", "3C AC 4C") == "2D"
    assert played("2D 4S", "3C AC 4C", options=Options(team_play=False)) == "4S"


def test_it_throws_a_small_card_where_it_cannot_win() -> None:
    assert played("3D KD 2H 3S", "3C 4C 6S") == "2H"


def test_it_leads_what_nobody_beats_while_the_others_can_follow() -> None:
    assert played("AC 3D 4D 5D") == "AC"
    assert played("AC KC QC JC TC 9C 8C 7C 6C 3D AD 4D") == "AD"  # of clubs the others hold four at most


def test_it_does_not_count_cards() -> None:
    clubs = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    assert played("AC 3D AD 5D", taken=clubs) == "AC"  # nobody can follow
    assert played("KC 3D 4D 5D", taken="AC 2C 3C 4C 2H 3H 4H 5H") == "3D"  # nobody can beat the king
    assert played("KC 3D 4D 5D", taken="2H 3H 4H 5H AC 2C 3C 4C") == "KC"  # it remembers the last trick


def test_it_leads_low_from_its_longest_suit() -> None:
    assert played("QC 3D 4D 5D QD 2H KH") == "3D"
