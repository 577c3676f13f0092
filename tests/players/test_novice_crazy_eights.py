"""The rules of thumb of the novice at crazy eights, each in the smallest position that shows it. It sits at seat 0."""

from random import Random

from p2pcards.cards.card import Suit, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, eye_of_seat, eyes_of_viewer, make_bag
from p2pcards.games.crazy_eights.novice import choose
from p2pcards.games.crazy_eights.rules import Options, Play, State
from p2pcards.games.drawing import Draw
from p2pcards.games.game import Stage
from p2pcards.games.playing import Pass

ACTIONS = Options(two_draws_two=True, jack_skips=True, king_reverses=True)


def chosen(
    hand: str, top: str, others: tuple[int, ...] = (5, 5, 5), stock: int = 20, options: Options | None = None
) -> object:
    """What seat 0 chooses with this hand under this top card; others: how many cards the next seats hold."""
    mine = make_bag(0, [Slot(card, eye_of_seat(0)) for card in parse_cards(hand)])
    turned = parse_cards(top)[0]
    state = State(
        options or Options(players=len(others) + 1),
        scores=(0,) * (len(others) + 1),
        hands=(mine, *[Bag(seat, (HIDDEN,) * held) for seat, held in enumerate(others, 1)]),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=1,
        dealer=0,
        stock=(HIDDEN,) * stock,
        discards=(Slot(turned, PUBLIC),),
        suit=turned.suit,
    )
    choices = [choose(state, 0, Random(i)) for i in range(8)]
    assert choices == choices[:1] * 8
    return choices[0]


def play(card: str, suit: Suit | None = None) -> Play:
    return Play(parse_cards(card)[0], suit)


def test_it_plays_when_it_can_and_draws_when_it_must() -> None:
    assert chosen("3C", "9C", stock=3) == play("3C")
    assert chosen("3C 4C", "9H") == Draw()
    assert chosen("3C 4C", "9H", stock=0) == Pass()


def test_it_plays_the_dearer_card() -> None:
    assert chosen("2C KC", "9C") == play("KC")


def test_it_prefers_a_card_that_it_can_follow_itself() -> None:
    assert chosen("9C 9D 3D 4D", "9H") == play("9D")


def test_it_keeps_its_eights() -> None:
    assert chosen("8S 2C", "9C") == play("2C")


def test_it_plays_an_eight_rather_than_draw_and_names_its_longest_suit() -> None:
    assert chosen("8S 2C 3D 4D", "9H") == play("8S", Suit.DIAMONDS)
    assert chosen("8S 2C KD", "9H") == play("8S", Suit.DIAMONDS)


def test_it_sheds_an_eight_when_a_hand_is_about_to_end() -> None:
    assert chosen("8S 2C KC", "9C", others=(5, 1, 5)) == play("8S", Suit.CLUBS)
    assert chosen("8S 2C KC", "9C", stock=2) == play("8S", Suit.CLUBS)


def test_their_last_card_goes_though_it_be_an_eight() -> None:
    assert chosen("8S", "9H") == play("8S")


def test_action_cards_hit_a_small_hand() -> None:
    assert chosen("2C QC QD QS", "9C", others=(2, 5, 5), options=ACTIONS) == play("2C")
    assert chosen("JC QC QD QS", "9C", others=(2, 5, 5), options=ACTIONS) == play("JC")


def test_action_cards_wait_while_all_hands_are_large() -> None:
    assert chosen("2C QC QD QS", "9C", options=ACTIONS) == play("QC")


def test_a_king_does_not_turn_the_play_to_a_small_hand() -> None:
    assert chosen("KC 2C", "9C", others=(5, 5, 2), options=ACTIONS) == play("2C")
    assert chosen("KC TC", "9C", others=(2, 5, 5), options=ACTIONS) == play("KC")


def test_a_jack_gives_it_another_turn_when_two_play() -> None:
    options = Options(jack_skips=True, players=2)
    assert chosen("JC KC", "9C", others=(5,), options=options) == play("JC")
