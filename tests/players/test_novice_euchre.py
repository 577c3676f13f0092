"""The rules of thumb of the novice at euchre, each in the smallest position that shows it. It sits at seat 0."""

from random import Random
from typing import Any

import pytest

from p2pcards.cards.card import Suit, mask_of_cards, parse_cards
from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.drawing import Discard
from p2pcards.games.euchre.deal import counted, expected
from p2pcards.games.euchre.novice import choose
from p2pcards.games.euchre.rules import Accept, Action, Decline, Name, Options, State
from p2pcards.games.playing import Pass, Play
from rigs.tricked import euchre_at

TEAM = Options()
SINGLE = Options(team_play=False)


def view(hand: str, turned: str, dealer: int = 3, passes: int = 0, options: Options = TEAM, **fields: Any) -> State:
    """What seat 0 sees who holds this hand and is to call, or to act as the fields of `euchre_at` say."""
    held = len(parse_cards(hand))
    hands, hidden = (hand, "", "", ""), (0, held, held, held)
    state = euchre_at(options, hands, dealer, hidden=hidden, turned=turned, passes=passes, turn=0, **fields)
    return redact(state, eyes_of_viewer(0))


def chosen(state: State) -> Action:
    """What it does, whatever its luck."""
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0]


def exchanged(hand: str, turned: str, out: int | None = None) -> Action:
    trump = parse_cards(turned)[0].suit
    return chosen(view(hand, turned, 0, trump=trump, maker=2, exchanging=True, out=out))


def played(hand: str, trick: str = "", leader: int = 0, options: Options = TEAM, **fields: Any) -> str:
    """Hearts are trump."""
    made: dict[str, Any] = {"trump": Suit.HEARTS, "maker": 1, **fields}
    choice = chosen(view(hand, "7H", options=options, leader=leader, trick=trick, **made))
    assert isinstance(choice, Play)
    return str(choice.card)


# --- the call ---------------------------------------------------------------------------------------------------------


def test_it_accepts_with_a_strong_hand_and_passes_with_a_weak_one() -> None:
    assert chosen(view("JH AH KH AC 8S", "9H")) == Accept(False)
    assert chosen(view("9H 8C 9C TS 8S", "KH")) == Pass()


def test_it_plays_alone_what_cannot_lose() -> None:
    assert chosen(view("JH JD AH KH AC", "9H")) == Accept(True)


def test_alone_nobody_sits_out_and_it_needs_more() -> None:
    assert chosen(view("JH JD AH KH AC", "9H", options=SINGLE)) == Accept(False)
    assert chosen(view("JH KH 9H KC 8S", "7H", dealer=2)) == Accept(False)
    assert chosen(view("JH KH 9H KC 8S", "7H", dealer=2, options=SINGLE)) == Pass()


def test_it_counts_the_turn_up_for_the_dealer_s_side() -> None:
    hand = "JH 9H 8H QC 8S"
    assert chosen(view(hand, "QH", dealer=2)) == Accept(False)
    assert chosen(view(hand, "QH", dealer=3)) == Pass()
    assert chosen(view("KH 9H 8H QC 8S", "QH", dealer=2)) == Pass()
    assert chosen(view("KH 9H 8H QC 8S", "QH", dealer=0, passes=3)) == Accept(False)


def test_it_names_its_best_other_suit() -> None:
    assert chosen(view("JC AC KC 8S 9D", "KH", passes=4)) == Name(Suit.CLUBS, False)
    assert chosen(view("9C 8S TD 7D TS", "KH", passes=4)) == Pass()


def test_expected_tricks_grow_with_the_hand() -> None:
    hands = ("7C 8C 9S TD 8D", "7C 8C 9S AD 8D", "7H 8H 9S AD 8D", "JH 8H 9S AD 8D", "JH JD AH KH AC")
    counts = [counted(mask_of_cards(parse_cards(hand)), Suit.HEARTS) for hand in hands]
    worths = [expected(count, Suit.HEARTS) for count in counts]
    assert worths == sorted(set(worths)) and worths[0] == 0 and worths[-1] > 400


# --- the exchange -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "discarded"),
    [("JH AH 9C TC KS", "KS"), ("JH AH 9C AS 8D", "8D"), ("JH AH QH AS 7S", "7S"), ("JD 9H AC AS 8C", "8C")],
)
def test_it_takes_the_turn_up_for_what_it_misses_least(hand: str, discarded: str) -> None:
    choice = exchanged(hand, "KH")
    assert isinstance(choice, Discard) and choice.card in parse_cards(hand) and str(choice.card) == discarded


def test_it_leaves_a_turn_up_that_makes_nothing_better() -> None:
    assert exchanged("JH JD AH KH QH", "7H") == Decline()
    assert exchanged("JH AH 9C TC KS", "KH", out=0) == Decline()


# --- the play ---------------------------------------------------------------------------------------------------------


def test_it_takes_with_the_left_bower_what_the_ace_of_trumps_would_win() -> None:
    assert played("JD 9H", "8H AH", leader=2) == "JD"


def test_it_does_not_spend_a_bower_on_its_partner_s_trick() -> None:
    assert played("JD 8D", "8C AC 9C", leader=1) == "8D"


def test_alone_its_partner_s_trick_is_another_s() -> None:
    assert played("JD 8D", "8C AC 9C", leader=1, options=SINGLE) == "JD"


def test_it_remembers_the_last_trick_and_none_before() -> None:
    ace, other = (3, "AS 8S 9S TS"), (3, "AC 8C 9C TC")
    assert played("KS 9D 8D", tricks=(other, ace)) == "KS"
    assert played("KS 9D 8D", tricks=(ace, other)) == "8D"


def test_it_knows_that_it_plays_last_when_one_sits_out() -> None:
    assert played("AC 9C", "8C TC", leader=1, out=2) == "AC"
    assert played("KC 9C", "8C TC", leader=1, out=2) == "KC"
