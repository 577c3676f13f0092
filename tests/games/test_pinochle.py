"""Rule sheets 10 and 11: every rule, decision and worked result of partnership and double-pack pinochle; what melds are
worth is in test_pinochle_melds, how cards rank and what may be played in test_pinochle_cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2pcards.cards.card import BACK, Card, Suit, parse_cards
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Slot, eye_of_seat, eyes_of_viewer, redact
from p2pcards.games.bidding import Bid, Bidden, Name
from p2pcards.games.game import Items, Layout, Stage, Trump
from p2pcards.games.options import OptionError, set_options
from p2pcards.games.outcome import add_outcome, public_outcome
from p2pcards.games.pinochle.rules import (
    GAME,
    PRESETS,
    SIMPLIFIED,
    Action,
    Event,
    Options,
    State,
    open_bids,
    score_items,
    trick_points,
    winning_side,
)
from p2pcards.games.pinochle_cards import ORIGINAL
from p2pcards.games.playing import Pass, Passed, Play, Played
from p2pcards.games.showing import Shown
from rigs.tables import act, face_up, hands, hands_played, refusal, stacked

REAL, DOUBLE = PRESETS["real-deal"], PRESETS["double-pack"]
HEARTS, SPADES = Suit.HEARTS, Suit.SPADES
DEAL = (
    "9C JC QC KC 9D JD QD KD AH TH AS TS",
    "9C JC QC KC TC AC 9H JH QH KH TH AH",
    "TC AC 9D JD QD KD TD AD 9S JS QS KS",
    "TD AD 9H JH QH KH 9S JS QS KS TS AS",
)
FIRST = 0  # eldest, dealt by seat 3


def card(word: str) -> Card:
    return parse_cards(word)[0]


def dealt(options: Options = REAL, dealer: int = 3, wanted: Sequence[str] = DEAL, scores: Sequence[int] = ()) -> State:
    start: State = replace(GAME.start(options, dealer), scores=tuple(scores) or (0,) * 4)
    pack = stacked(GAME.pack(options), dealer, wanted)
    state: State = GAME.play(start, GAME.deal(start, pack, ()))
    return state


def bidden(bid: int = 150, suit: Suit = HEARTS, **changes: object) -> State:
    """Seat 0 has bid this and named trump; all melds are shown."""
    return act(GAME, dealt(**changes), Bid(bid), Pass(), Pass(), Pass(), Name(suit))  # type: ignore[arg-type]


def playing(to_act: str, trick: str = "", trump: Suit = HEARTS, options: Options = REAL) -> State:
    """The seat after those of the trick holds these cards and is to act."""
    seat = len(parse_cards(trick))
    held = ["", "", "", ""]
    held[seat] = to_act
    return State(
        options,
        stage=Stage.PLAY,
        to_act=(seat,),
        hand=1,
        dealer=3,
        hands=hands(*held),
        bids=(150, None, None, None),
        passed=(False, True, True, True),
        bidder=0,
        trump=trump,
        trick=face_up(trick),
    )


def legal(state: State) -> str:
    return " ".join(str(action.card) for action in GAME.legal(state, state.to_act[0]) if isinstance(action, Play))


def told(state: State, event: Event) -> list[tuple[int | None, str]]:
    return [(remark.seat, remark.words) for remark in GAME.remarks(state, event, GAME.play(state, event))]


def worth(points: int) -> list[Card]:
    """Cards of the original count that make so many points."""
    found: list[Card] = []
    for rank, each in ((14, 11), (10, 10), (13, 4), (12, 3), (11, 2)):
        while points - each >= 0 and points - each != 1:
            found.append(Card.of(rank, SPADES))
            points -= each
    assert not points
    return found


def scored(
    bid: int, melds: tuple[int, int], tricks: tuple[int, int], options: Options = REAL, bidder: int = 0
) -> tuple[tuple[int, int], tuple[Items, Items]]:
    """What the sides of seat 0 and of seat 1 score for their melds and for cards of these points, and the items; seat 1
    takes the last trick."""
    shown: list[Items] = [((("flush", points),) if points else ()) for points in (0, melds[1], melds[0], 0)]
    if options is REAL:
        taken = [worth(tricks[0]), worth(tricks[1] - 10), [], []]
    else:
        taken = [[card("AS")] * (tricks[0] // 10), [card("AS")] * ((tricks[1] - 20) // 10), [], []]
    items = score_items(options, bidder, bid, shown, taken, last=1)
    assert items[:2] == items[2:]
    us, them = [sum(points for _, points in side) for side in items[:2]]
    return (us, them), (items[0], items[1])


# --- the worked results -----------------------------------------------------------------------------------------------


def test_result_1_a_bid_that_is_missed_is_lost() -> None:
    points, items = scored(310, (160, 60), (148, 102))
    assert points == (-310, 162)
    assert items == ((("set: 308 of 310", -310),), (("flush", 60), ("tricks", 102)))


def test_result_2_a_bid_that_is_made_scores_all() -> None:
    points, items = scored(300, (160, 60), (148, 102))
    assert points == (308, 162)
    assert items[0] == (("flush", 160), ("tricks", 148))
    assert scored(308, (160, 60), (148, 102))[0] == (308, 162)


def test_result_3_melds_without_a_counting_card_are_lost() -> None:
    points = score_items(REAL, 0, 150, [(), (("flush", 150),), (), (("aces", 50),)], [worth(240), [], [], []], last=0)
    assert points == ((("tricks", 250),), (("melds without a card", 0), ("tricks", 0))) * 2


def test_result_4_if_both_reach_the_score_the_bidder_s_side_wins() -> None:
    assert winning_side(REAL, 0, (1010, 1080, 1010, 1080)) == (0, 2)
    assert winning_side(REAL, 3, (1010, 1080, 1010, 1080)) == (1, 3)
    assert winning_side(REAL, 0, (620, 1080, 620, 1080)) == (1, 3)
    assert winning_side(REAL, 1, (1000, 999, 1000, 999)) == (0, 2)
    assert winning_side(REAL, 0, (999, 999, 999, 999)) == ()


def test_result_5_the_double_pack() -> None:
    points, items = scored(700, (260, 120), (420, 80), DOUBLE)
    assert points == (-700, 200)
    assert items[0] == (("set: 680 of 700", -700),)
    assert scored(680, (260, 120), (420, 80), DOUBLE)[0] == (680, 200)


def test_result_6_the_simplified_count() -> None:
    trick = parse_cards("AH TH KH QH")
    assert trick_points(replace(REAL, count="simplified"), trick, last=False) == 30
    assert trick_points(REAL, trick, last=False) == 28


def test_result_7_the_play() -> None:
    third = playing("TC 9C 9H", "KC AC")
    assert legal(third) == "9C TC"
    assert refusal(GAME, third, 2, Play(card("9H"))) == "you must follow clubs, and beat AC if you can"
    assert legal(playing("9H AH AS", "KC AC")) == "9H AH"
    assert legal(playing("9H AH AS", "KC JH")) == "AH"


def test_all_points_of_a_hand_are_250_or_500() -> None:
    assert trick_points(REAL, GAME.pack(REAL), last=True) == 250
    assert trick_points(replace(REAL, count="simplified"), GAME.pack(REAL), last=True) == 250
    assert trick_points(DOUBLE, GAME.pack(DOUBLE), last=True) == 500
    assert REAL.card_values is ORIGINAL and DOUBLE.card_values is SIMPLIFIED


# --- the pack and the deal --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "copies", "ranks", "each"), [(REAL, 2, 6, 12), (DOUBLE, 4, 5, 20)])
def test_the_pack_and_the_deal(options: Options, copies: int, ranks: int, each: int) -> None:
    pack = GAME.pack(options)
    assert set(Counter(pack).values()) == {copies} and len(pack) == copies * ranks * 4 == 4 * each
    state = hands_played(GAME, options, 1, 1)[0]
    assert [len(held) for held in state.hands] == [each] * 4
    assert all(slot.eyes == eye_of_seat(held.owner) for held in state.hands for slot in held.slots)
    assert state.dealer is not None and state.to_act == ((state.dealer + 1) % 4,)


@pytest.mark.parametrize("options", [REAL, DOUBLE])
def test_d_gen_1_each_seat_may_be_drawn_as_first_dealer(options: Options) -> None:
    start, drawn = GAME.start(options, None), Counter[int | None]()
    for first in GAME.pack(options):
        state = GAME.play(start, GAME.deal(start, (), (first,)))
        drawn[state.dealer] += 1
    assert set(drawn.values()) == {len(GAME.pack(options)) // 4} and set(drawn) == {0, 1, 2, 3}
    assert GAME.next_first_dealer(GAME.start(options, 3)) == 0


# --- the bidding ------------------------------------------------------------------------------------------------------


def test_bids_are_multiples_of_ten_above_the_last_one() -> None:
    state = dealt()
    assert GAME.legal(state, FIRST) == (Pass(), *[Bid(points) for points in range(150, 1001, 10)])
    state = act(GAME, state, Bid(200))
    assert GAME.legal(state, 1)[:3] == (Pass(), Bid(210), Bid(220))
    for points in (150, 200, 205, 0, -10, 1010):
        assert refusal(GAME, state, 1, Bid(points)) == "bid 210 to 1000, in steps of 10"


def test_d_gen_10_nobody_bids_more_than_the_most() -> None:
    state = act(GAME, dealt(), Bid(1000))
    assert GAME.legal(state, 1) == (Pass(),)
    assert refusal(GAME, state, 1, Bid(1010)) == "nobody can bid more than 1000, so pass"
    assert open_bids(hands_played(GAME, DOUBLE, 1, 1)[0]) == range(500, 5001, 10)


def test_d_dp_1_who_has_passed_is_out_and_the_others_may_raise_their_own_bids() -> None:
    state = act(GAME, dealt(), Bid(150), Pass(), Bid(160))
    assert state.to_act == (3,)
    state = act(GAME, state, Pass())
    assert (state.to_act, state.bids, state.bidder) == ((0,), (150, None, 160, None), 2)
    state = act(GAME, state, Bid(170))
    assert (state.to_act, state.bidder, state.bid) == ((2,), 0, 170)
    state = act(GAME, state, Pass())
    assert (state.to_act, state.passed) == ((0,), (False, True, True, True))
    assert GAME.legal(state, 0) == tuple([Name(suit) for suit in Suit])


def test_the_last_may_still_bid_when_three_have_passed() -> None:
    state = act(GAME, dealt(), Pass(), Pass(), Pass())
    assert state.to_act == (3,) and GAME.legal(state, 3)[:2] == (Pass(), Bid(150))
    state = act(GAME, state, Bid(150))
    assert state.to_act == (3,) and GAME.legal(state, 3) == tuple([Name(suit) for suit in Suit])


def test_d_pp_1_all_pass_nothing_is_scored_and_the_next_dealer_deals() -> None:
    state = act(GAME, dealt(scores=(10, 20, 10, 20)), Pass(), Pass(), Pass(), Pass())
    assert (state.stage, state.dealer, state.scores, state.to_act) == (Stage.DEAL, 0, (10, 20, 10, 20), ())
    assert state.sheet and state.sheet.items == ((),) * 4


def test_d_pp_2_any_suit_may_be_named() -> None:
    state = act(GAME, dealt(), Bid(150), Pass(), Pass(), Pass())
    for suit in Suit:
        assert not refusal(GAME, state, 0, Name(suit))
        assert act(GAME, state, Name(suit)).trump == suit


def test_calls_out_of_place_are_refused_with_the_rule() -> None:
    state = dealt()
    named = act(GAME, state, Bid(150), Pass(), Pass(), Pass())
    shown = act(GAME, named, Name(HEARTS))
    said: list[tuple[State, int, Action, str]] = [
        (state, 1, Pass(), "it's not your turn"),
        (state, 0, Name(HEARTS), "you can't name trump until all but one have passed"),
        (state, 0, Play(card("AH")), "trump hasn't been named yet"),
        (named, 0, Pass(), "the bidding is over"),
        (named, 0, Bid(160), "the bidding is over"),
        (named, 0, Play(card("AH")), "trump hasn't been named yet"),
        (shown, 0, Name(SPADES), "trump has already been named"),
        (shown, 0, Bid(160), "the bidding is over"),
        (shown, 0, Play(card("AC")), "you don't have AC"),
        (shown, 0, Play(card("2C")), "there's no 2C in this pack"),
        (shown, 0, Play(card("AH'")), "there's no AH' in this pack"),
        (shown, 0, Play(BACK), "there's no -- in this pack"),
    ]
    for before, seat, action, reason in said:
        unchanged = hash(before)
        assert refusal(GAME, before, seat, action) == reason
        assert hash(before) == unchanged
    view = redact(shown, PUBLIC)
    assert refusal_on(view, Play(card("2C"))) == "there's no 2C in this pack"


def refusal_on(view: State, action: Action) -> str:
    try:
        GAME.verify(view, view.to_act[0], action)
    except ValueError as refused:
        return str(refused)
    return ""


# --- the melds --------------------------------------------------------------------------------------------------------


def test_d_pp_4_the_best_melds_of_all_are_shown_and_taken_back() -> None:
    state = bidden()
    assert state.melds == (
        (("marriage in clubs", 20), ("marriage in diamonds", 20)),
        (("flush", 150), ("marriage in clubs", 20), ("nine of trumps", 10)),
        (("marriage in diamonds", 20), ("marriage in spades", 20), ("pinochle", 40)),
        (("royal marriage", 40), ("marriage in spades", 20), ("nine of trumps", 10)),
    )
    assert [len(held) for held in state.hands] == [12] * 4
    shown = [" ".join(str(slot.card) for slot in held.slots if slot.eyes == PUBLIC) for held in state.hands]
    assert shown == ["QC KC QD KD", "QC KC 9H TH JH QH KH AH", "JD QD KD QS KS", "9H QH KH QS KS"]
    watched = redact(state, PUBLIC)
    assert [list(map(str, held.cards)) for held in watched.hands] == [words.split() for words in shown]
    assert (state.to_act, state.leader) == ((0,), 0)
    layout = GAME.layout(watched)
    assert layout.trump == Trump(HEARTS, maker=0, bid="150")
    assert layout.seats == ("melds 40", "melds 180", "melds 80", "melds 70")
    assert [(pile.seat, len(pile.slots)) for pile in layout.piles] == [(0, 4), (1, 8), (2, 5), (3, 5)]


def test_what_travels_of_the_melds_is_what_is_shown() -> None:
    state = GAME.play(before := named_only(), event := GAME.show(before))
    assert isinstance(event, Shown) and [len(slots) for slots in event.hands] == [12] * 4
    assert event.hands[0] == (*face_up("QC KC QD KD"), *[HIDDEN] * 8)
    view = redact(before, PUBLIC)
    assert GAME.show(view) == Shown(((HIDDEN,) * 12,) * 4)
    outcome = public_outcome(event, GAME.show(view))
    assert len(outcome.cards) == 4 + 8 + 5 + 5 and not outcome.values
    assert GAME.play(view, add_outcome(GAME.show(view), outcome, 4)) == redact(state, PUBLIC)


def named_only() -> State:
    state = act(GAME, dealt(), Bid(150), Pass(), Pass(), Pass())
    named: State = GAME.play(state, GAME.decide(state, 0, Name(HEARTS)))
    assert named.stage == Stage.SHOW and named.to_act == ()
    return named


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("QC KC 9C", "must stay hidden"),
        ("KC QC", "must stay hidden"),
        ("KC", "must stay hidden"),
    ],
)
def test_cards_that_make_no_meld_are_not_shown(said: str, wrong: str) -> None:
    for eyes in (PUBLIC, eyes_of_viewer(0)):
        view = redact(named_only(), eyes)
        hand = (*face_up(said), *[HIDDEN] * (12 - len(parse_cards(said))))
        with pytest.raises(ValueError, match=wrong):
            GAME.play(view, Shown((hand, *[(HIDDEN,) * 12] * 3)))


def test_nobody_shows_what_they_do_not_hold() -> None:
    view = redact(named_only(), eyes_of_viewer(0))
    others = [(HIDDEN,) * 12] * 3
    with pytest.raises(ValueError):
        GAME.play(view, Shown(((*face_up("QS KS"), *[HIDDEN] * 10), *others)))
    with pytest.raises(ValueError, match="does not hold"):
        GAME.play(view, Shown(((*face_up("QC KC"), *[HIDDEN] * 9), *others)))
    with pytest.raises(ValueError, match="does not hold"):
        GAME.play(view, Shown(((HIDDEN, *face_up("QC KC"), *[HIDDEN] * 9), *others)))
    with pytest.raises(ValueError, match="no hand of this pack"):
        GAME.play(view, Shown(((*face_up("QC QC QC KC KC KC"), *[HIDDEN] * 6), *others)))
    assert not GAME.play(redact(named_only(), PUBLIC), Shown(((HIDDEN,) * 12,) * 4)).melds[0]


def test_a_card_that_lies_open_leaves_the_hand_before_its_equal() -> None:
    state = replace(playing("KC KC QC 9D"), stage=Stage.SHOW, to_act=())
    state = GAME.play(state, GAME.show(state))
    kings = [slot for slot in state.hands[0].slots if slot.card == card("KC")]
    assert kings == [Slot(card("KC"), PUBLIC), Slot(card("KC"), eye_of_seat(0))]
    assert legal(state) == "QC KC 9D"
    for eyes in (eyes_of_viewer(0), eyes_of_viewer(1), PUBLIC):
        after = GAME.play(redact(state, eyes), GAME.decide(redact(state, eyes), 0, Play(card("KC"))))
        assert after.hands == redact(act(GAME, state, Play(card("KC"))).hands, eyes)
    left = act(GAME, state, Play(card("KC"))).hands[0].slots
    assert [slot.eyes for slot in left if slot.card == card("KC")] == [eye_of_seat(0)]


# --- the play ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "trick", "allowed"),
    [
        ("9H AH AS", "", "9H AH AS"),
        ("AC TC 9C", "KC", "TC AC"),
        ("AC TC 9C", "KC QC 9H", "9C TC AC"),
        ("9H TH AS", "KC JH", "TH"),
        ("9H JH AS", "KC TH", "9H JH"),
        ("9D AS", "KC TH", "9D AS"),
        ("9H KH AH", "TH", "AH"),
        ("AC AC 9S", "AC", "AC"),
    ],
)
def test_follow_trump_and_win_if_able(held: str, trick: str, allowed: str) -> None:
    assert legal(playing(held, trick)) == allowed


def test_d_pp_5_the_duty_to_win_holds_over_a_partner_s_card_too() -> None:
    assert legal(playing("AC 9C", "TC 9C")) == "AC"


def test_of_equal_cards_the_first_takes_the_trick() -> None:
    held = ("AC 9D", "AC 9S", "9C TS", "KC KS")
    state = replace(playing("", ""), to_act=(0,), hands=hands(*held))
    state = act(GAME, state, *[Play(card(word.split()[0])) for word in held])
    assert state.leader == 0 and [len(slots) for slots in state.taken] == [4, 0, 0, 0]
    assert state.last_trick == tuple(enumerate(parse_cards("AC AC 9C KC")))


def finished(
    options: Options, bid: int, last: Sequence[str], trump: Suit = HEARTS, played: int = 4, **changes: object
) -> State:
    """The state after the last trick, these cards; seat 1 has taken all before it. played: how many of them are."""
    filler = "9S" if options.game == "partnership" else "JS"
    state = replace(
        playing("", "", trump, options),
        to_act=(0,),
        hands=hands(*last),
        bids=(bid, None, None, None),
        melds=((("flush", 150),), (("aces", 100),), (), ()),
        taken=((), face_up(" ".join([filler] * 4 * (options.form.each - 1))), (), ()),
        **changes,  # type: ignore[arg-type]
    )
    return act(GAME, state, *[Play(card(word)) for word in last[:played]])


def test_the_last_trick_ends_the_hand_and_is_scored() -> None:
    state = finished(REAL, 150, ("AH", "KH", "TH", "9H"))
    assert state.sheet and state.stage == Stage.DEAL and state.dealer == 0 and state.to_act == ()
    assert state.sheet.items[0] == state.sheet.items[2] == (("flush", 150), ("tricks", 25 + 10))
    assert state.sheet.items[1] == (("melds without a card", 0), ("tricks", 0))
    assert state.scores == (185, 0, 185, 0)
    assert act(GAME, bidden(), Play(card("AS"))).sheet is None


def test_d_pp_6_the_last_trick_is_no_card_that_counts() -> None:
    items = score_items(
        REAL, 1, 150, [(("flush", 150),), (), (), ()], [parse_cards("9H 9C 9D 9S"), worth(240), [], []], 0
    )
    assert items[0] == (("melds without a card", 0), ("tricks", 10))
    simplified = replace(REAL, count="simplified")
    for options, counts in ((REAL, True), (simplified, False)):
        items = score_items(options, 1, 150, [(("flush", 150),), (), (), ()], [parse_cards("QH 9C"), [], [], []], 1)
        assert (items[0][0] == ("flush", 150)) is counts


def test_the_bidder_s_side_without_a_counting_card_has_no_melds_either() -> None:
    items = score_items(REAL, 0, 150, [(("double flush", 1500),), (), (), ()], [[], worth(240), [], []], 1)
    assert items[0] == (("set: 0 of 150", -150),)


def test_the_last_trick_of_the_double_pack_is_20() -> None:
    state = finished(DOUBLE, 500, ("AH", "KH", "TH", "QH"))
    assert state.sheet and state.sheet.items[0] == (("set: 200 of 500", -500),)
    assert state.scores == (-500, 0, -500, 0)


def test_the_game_ends_at_the_winning_score() -> None:
    state = finished(REAL, 150, ("AH", "KH", "TH", "9H"), scores=(815, 0, 815, 0))
    assert (state.stage, state.winners, state.to_act) == (Stage.OVER, (0, 2), ())
    state = finished(REAL, 150, ("AH", "KH", "TH", "9H"), scores=(814, 0, 814, 0))
    assert (state.stage, state.winners) == (Stage.DEAL, ())
    state = finished(REAL, 200, ("AH", "KH", "TH", "9H"), scores=(1200, 999, 1200, 999))
    assert state.scores[0] == 1000 and state.winners == (0, 2)


# --- the options ------------------------------------------------------------------------------------------------------


def test_d_dp_3_the_game_brings_its_winning_score_unless_it_was_set_by_hand() -> None:
    assert set_options(REAL, {"game": "double_pack"}) == DOUBLE
    assert set_options(DOUBLE, {"game": "partnership"}) == REAL
    by_hand = set_options(REAL, {"winning_score": "700"})
    assert set_options(by_hand, {"game": "double_pack"}).winning_score == 700
    assert set_options(REAL, {"game": "double_pack", "winning_score": "1000"}).winning_score == 1000
    assert set_options(REAL, {"count": "simplified"}).winning_score == 1000
    assert set_options(DOUBLE, {"game": "double_pack"}) == DOUBLE
    with pytest.raises(OptionError, match="game must be one of"):
        set_options(REAL, {"game": "double"})


def test_the_simplified_count_belongs_to_the_smaller_pack() -> None:
    with pytest.raises(OptionError, match="set count to original"):
        set_options(DOUBLE, {"count": "simplified"})
    with pytest.raises(OptionError, match="set count to original"):
        Options(game="double_pack", count="simplified")


def test_presets() -> None:
    assert Options("partnership", 1000, "original") == REAL
    assert Options("double_pack", 5000, "original") == DOUBLE
    assert list(PRESETS) == ["usual", "real-deal", "double-pack"]


def test_a_table_before_the_deal_is_empty() -> None:
    assert GAME.layout(GAME.start(REAL, None)) == Layout()
    assert GAME.layout(act(GAME, dealt(), Bid(150), Pass())).seats == ("bid 150", "passed", "", "")


# --- what is said at the table ----------------------------------------------------------------------------------------


def test_who_wins_the_bid_is_said_when_all_others_have_passed() -> None:
    state = act(GAME, dealt(), Bid(150), Pass(), Pass())
    assert told(state, Passed(3)) == [(0, "win the bid at 150")]
    won = act(GAME, state, Pass())
    assert GAME.layout(won).notes == ("{0} won the bid at 150",) and GAME.layout(won).trump is None
    last = act(GAME, dealt(), Pass(), Pass(), Pass())
    assert told(last, Bidden(3, 160)) == [(3, "win the bid at 160")]
    assert told(state, Bidden(3, 160)) == []


def test_a_hand_that_all_have_passed_is_not_scored_and_it_is_said() -> None:
    state = act(GAME, dealt(), Pass(), Pass(), Pass())
    assert told(state, Passed(3)) == [(None, "everyone passed, so nobody scores")]


def test_the_suit_is_named_as_trump() -> None:
    assert GAME.says(act(GAME, dealt(), Bid(150), Pass(), Pass(), Pass()), 0, Name(SPADES)) == "name spades as trump"
    assert GAME.says(dealt(), 0, Bid(150)) == GAME.says(dealt(), 0, Pass()) == ""


def test_everybody_s_melds_are_named_with_their_points_the_bidder_s_first() -> None:
    state = act(GAME, dealt(), Pass(), Pass(), Bid(150), Pass())
    named = GAME.play(state, GAME.decide(state, 2, Name(HEARTS)))
    event = GAME.show(named)
    assert isinstance(event, Shown)
    assert told(named, event) == [
        (2, "show 80 in melds: marriage in diamonds (KD QD) 20, marriage in spades (KS QS) 20, pinochle (QS JD) 40"),
        (3, "show 70 in melds: royal marriage (KH QH) 40, marriage in spades (KS QS) 20, nine of trumps (9H) 10"),
        (0, "show 40 in melds: marriage in clubs (KC QC) 20, marriage in diamonds (KD QD) 20"),
        (
            1,
            "show 180 in melds: flush (AH TH KH QH JH) 150, marriage in clubs (KC QC) 20, nine of trumps (9H) 10",
        ),
    ]
    nothing = Shown((*event.hands[:3], (HIDDEN,) * 12))
    assert GAME.remarks(redact(named, PUBLIC), nothing, GAME.play(redact(named, PUBLIC), nothing))[1].words == (
        "show no melds"
    )


def test_what_a_side_has_so_far_is_told_while_the_hand_is_played() -> None:
    state = bidden()
    assert GAME.layout(state).notes == (
        "{0} and {2} have 120 in melds and 0 in tricks", "{1} and {3} have 250 in melds and 0 in tricks",
    )  # fmt: skip
    state = act(GAME, state, Play(card("AS")), Play(card("AH")), Play(card("KS")), Play(card("TS")))
    assert GAME.layout(state).notes[1] == "{1} and {3} have 250 in melds and 36 in tricks"
    over = finished(REAL, 150, ("AH", "KH", "TH", "9H"))
    assert GAME.layout(over).notes == ()


def test_whether_the_bid_was_made_is_said_at_the_end() -> None:
    made, lost = [finished(REAL, bid, ("AH", "KH", "TH", "9H"), played=3) for bid in (150, 200)]
    last = Played(3, Slot(card("9H"), PUBLIC))
    assert told(made, last) == [(None, "{0} and {2} make the bid of 150 with 185")]
    assert told(lost, last) == [(None, "{0} and {2} are set: 185 of 200")]


def test_a_player_sees_what_their_melds_are_worth_under_each_trump_until_it_is_named() -> None:
    assert GAME.own(dealt(), 1) == ("melds by trump: clubs 180, hearts 180, diamonds 40, spades 40",)
    assert GAME.own(bidden(), 1) == GAME.own(GAME.start(REAL, 0), 1) == ()


def test_what_both_sides_will_score_is_told_while_the_hand_is_on() -> None:
    state = bidden()
    while state.stage != Stage.PLAY:
        state = GAME.play(state, GAME.show(state))
    for _ in range(8):
        (seat,) = state.to_act
        state = act(GAME, state, GAME.legal(state, seat)[0])
    lies = GAME.layout(state)
    assert (lies.made, lies.turn, lies.goal) == ((), 3, 1000)
    assert lies.due[0] == lies.due[2] and lies.due[1] == lies.due[3]
    assert sum(what == "tricks" for side in (0, 1) for what, _ in lies.due[side]) == 2
    for side in (0, 1):
        melds = [item for seat in (side, side + 2) for item in state.melds[seat]]
        assert list(lies.due[side][: len(melds)]) == melds
        tricks = [points for what, points in lies.due[side] if what == "tricks"]
        taken = [slot.card for seat in (side, side + 2) for slot in state.taken[seat]]
        assert sum(tricks) == trick_points(REAL, taken, last=False)
