"""What a player sees of a table, on views made by hand."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.card import Card, parse_cards
from p2pcards.games.options import declared_options
from p2pcards.games.registry import GAMES
from p2pcards.present.cards import Style, action_text, card_text, cards_text, count_text
from p2pcards.present.rules import (
    games_lines,
    option_rows,
    option_table_lines,
    own_rules_text,
    preset_values,
    rules_lines,
)
from p2pcards.present.score import score_in_window, score_lines, sheet_lines
from p2pcards.present.story import as_sentence as sentence_of
from p2pcards.present.story import happening_sentence
from p2pcards.present.table import (
    actions_in_short,
    countdowns,
    facts_now,
    hand_lines,
    i_lead,
    offered_text,
    people_lines,
    prompt_text,
    table_lines,
    trick_lines,
    turn_lines,
    waits_for_me,
)
from p2pcards.present.width import text_width
from p2pcards.views.happenings import (
    Acted,
    ActionOutdated,
    ActionRefused,
    AgainAnswered,
    Alternative,
    AlternativesExplained,
    CallProgress,
    CardsCame,
    CardsDistributed,
    CardsRecalled,
    CodeBurnt,
    CodeShown,
    DealsThrownAway,
    FirstDealerDrawn,
    GameBrokenOff,
    GameChosen,
    GameEnded,
    GameStarted,
    GameWithoutLog,
    GameWon,
    Gestured,
    HandAnalyzed,
    HandDealt,
    HandDisputed,
    HandGivenUp,
    HandOpened,
    HandRestarted,
    HandScored,
    HandsExchanged,
    HandsTurned,
    Happening,
    Hinted,
    HostChanged,
    LeftOutOfDeal,
    LongWaits,
    LookingOn,
    MeldsReviewed,
    Notice,
    Obvious,
    OptionSet,
    PartMissing,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    PlayerLost,
    Proposed,
    RedialAsked,
    RedialPlanned,
    Remarked,
    Said,
    SaidNo,
    SeatReturned,
    SeatsChanged,
    SeatTakenOver,
    ShuffledAnew,
    Starts,
    StrangeStandIn,
    TablePaused,
    TableResumed,
    TakenBack,
    TakenOverUntruly,
    TricksReviewed,
    TrickTaken,
    TurnedUp,
    Unfinished,
    Unreachable,
    WordsToCompare,
)
from p2pcards.views.tableview import MeldView, PersonView, PileView, SeatView, SheetView, TableView, TrumpView

PLAIN = Style(ascii=True)
HAND = tuple(map(int, parse_cards("2C 9C 4D TD QS KS 4H 8H")))


def seat(number: int, name: str, **more: object) -> SeatView:
    base = SeatView(number, name, "granny", "novice", "person", 10 * number, 8)
    return replace(base, **more)  # type: ignore[arg-type]


HEARTS = TableView(
    "listener",
    "play",
    people=(
        PersonView("Dee", "granny", "you", "", 0, key="3f2a"),
        PersonView("Bob", "wayne", "here", "192.0.2.7:4444", 1, coordinates=True),
    ),
    me=0,
    game="hearts",
    game_name="Hearts",
    preset="real-deal",
    options=(("end_score", 50),),
    seats=(
        seat(0, "Dee", plays="you", known=HAND, to_act=True),
        seat(1, "Bob", cards=7),
        seat(2, "Ada", plays="computer", cards=7, dealer=True),
        seat(3, "Cy", plays="away", absence="cut off", countdown=41.4, cards=7),
    ),
    hand=5,
    trick=((1, int(parse_cards("2D")[0])), (2, int(parse_cards("TD")[0])), (3, int(parse_cards("AC")[0]))),
    last_trick=((0, int(parse_cards("3S")[0])), (1, int(parse_cards("QS")[0]))),
    piles=(PileView("tricks taken", 1, (1, 2, 3, 4)), PileView("tricks taken", 3, (5,) * 8)),
    notes=("pass left", "hearts not broken"),
    sheet=SheetView(
        4,
        ((("hearts", 3),), (("hearts", 10), ("queen of spades", 13)), (), (("jack of diamonds", -10),)),
        (3, 23, 0, -10),
        (28, 31, 18, -7),
    ),
    legal=("4D", "TD"),
    waiting="Dee",
    assists=("hint",),
)
EIGHTS = replace(
    HEARTS,
    game="crazy_eights",
    trick=(),
    last_trick=(),
    piles=(PileView("stock", None, (0,) * 20), PileView("discard pile", None, (*HAND[:3], 0x38))),
    notes=("hearts named",),
    legal=("8D c", "8D d", "8D h", "8D s", "9H", "draw"),
)


def test_the_table_in_plain_lines() -> None:
    assert table_lines(HEARTS, PLAIN) == [
        "Hearts as in The Real Deal, hand 5, to 50. Pass left; hearts not broken.",
        "1 Dee (you)             8 cards  score    0  to play",
        "2 Bob                   7 cards  score   10  led",
        "3 Ada                   7 cards  score   20  computer, novice, dealer",
        "4 Cy                    7 cards  score   30  cut off, granny takes over in 41 s",
        "Trick: Bob 2D, Ada 10D, Cy AC.",
        "Tricks taken: Bob 4, Cy 8.",
        "Your hand (8): QS KS  4H 8H  2C 9C  4D 10D",
        "Your turn.",
    ]


def test_rules_of_ones_own_are_told_below_the_title_by_what_is_otherwise_in_them() -> None:
    values = preset_values(GAMES["pinochle2"], "meggiesoft") | {"roundhouse": True, "goal": 500}
    own = replace(HEARTS, game="pinochle2", preset="own rules", options=tuple(values.items()))
    assert table_lines(own, PLAIN)[1] == "Rules: as in MeggieSoft's games, but goal = 500, roundhouse = true."
    assert not [line for line in table_lines(replace(own, preset="meggiesoft"), PLAIN) if "Rules: " in line]
    nearest = preset_values(GAMES["hearts"], "hearts-deluxe") | {"end_score": 50}
    assert own_rules_text(GAMES["hearts"], nearest) == "Rules: as in Hearts Deluxe, but end_score = 50."


def test_a_seat_says_what_the_game_knows_of_it_on_a_second_line_where_it_must() -> None:
    notes = ("bid 4, has 2", "", "bid nil, has 0", "pitches for 3, 2 tricks")
    seats = tuple([replace(seat, note=note) for seat, note in zip(HEARTS.seats, notes, strict=True)])
    view = replace(HEARTS, seats=seats)
    assert table_lines(view, PLAIN)[1:7] == [
        "1 Dee (you)             8 cards  score    0  bid 4, has 2, to play",
        "2 Bob                   7 cards  score   10  led",
        "3 Ada                   7 cards  score   20  bid nil, has 0, computer, novice,",
        "  dealer",
        "4 Cy                    7 cards  score   30  pitches for 3, 2 tricks,",
        "  cut off, granny takes over in 41 s",
    ]
    bidding = replace(view, trick=(), piles=(), notes=())
    assert facts_now(bidding, PLAIN)[1] == ["you: bid 4, has 2", "Ada: bid nil, has 0", "Cy: pitches for 3, 2 tricks"]


def test_piles_with_a_top_card_and_what_holds_for_it() -> None:
    lines = table_lines(EIGHTS, Style())
    assert "Stock: 20 cards. Discard pile: 8♠, top of four cards." in lines
    assert facts_now(EIGHTS, PLAIN)[0] == ["hearts named"]
    assert turn_lines(EIGHTS, PLAIN)[0] == "Discard pile: 8S."
    assert turn_lines(EIGHTS, PLAIN, told=[0x38])[0].startswith("Your hand")


def test_who_is_there_before_a_game() -> None:
    lobby = replace(HEARTS, phase="lobby", seats=(), me=None, game=None, game_name="", hand=0, preset="", waiting="")
    asks = replace(lobby, waiting="the host to let you watch")
    assert table_lines(asks, PLAIN)[0] == "Waiting for the host to let you watch."
    assert table_lines(lobby, PLAIN) == [
        "No game picked yet.",
        "Dee: you, seat 1, character granny, key 3f2a",
        "Bob: here, host, seat 2, character wayne, at 192.0.2.7:4444",
    ]


def test_the_hand_with_hidden_cards_counted() -> None:
    assert hand_lines(HEARTS, PLAIN) == ["Your hand (8): QS KS  4H 8H  2C 9C  4D 10D"]
    some = replace(HEARTS, seats=(replace(HEARTS.seats[0], known=HAND[:6]), *HEARTS.seats[1:]))
    assert hand_lines(some, PLAIN)[0].endswith("and two cards face down")
    assert hand_lines(replace(HEARTS, me=None), PLAIN) == []


def test_last_trick() -> None:
    assert trick_lines(HEARTS, PLAIN, last=True) == ["Last trick: you 3S, Bob QS."]
    assert trick_lines(EIGHTS, PLAIN, last=True) == ["No tricks taken yet."]


def test_the_score_sheet_has_a_row_for_each_item() -> None:
    assert score_lines(HEARTS, PLAIN) == [
        "Hand 4             Dee (you)     Bob     Ada      Cy",
        "hearts                     3      10       .       .",
        "queen of spades            .      13       .       .",
        "jack of diamonds           .       .       .     -10",
        "this hand                 +3     +23       0     -10",
        "total                     28      31      18      -7",
        "now                        0      10      20      30",
    ]
    assert score_lines(replace(HEARTS, sheet=None), PLAIN)[1].split() == ["Bob", "10"]
    assert score_lines(TableView("listener", "lobby"), PLAIN) == ["There are no scores yet."]


def test_partners_are_named_and_have_one_score() -> None:
    items = (("tricks", 2), ("game", 5)), (), (("tricks", 2), ("game", 5)), ()
    sheet = SheetView(3, items, (7, 0, 7, 0), (12, 3, 12, 3))
    view = replace(HEARTS, sides=((0, 2), (1, 3)), sheet=sheet)
    assert score_lines(view, PLAIN) == [
        "Hand 3      Dee (you), Ada  Bob, Cy",
        "tricks                   2        .",
        "game                     5        .",
        "this hand               +7        0",
        "total                   12        3",
        "now                      0       10",
    ]
    scores = [line.split() for line in score_lines(replace(view, sheet=None), PLAIN)]
    assert [line[:-1] for line in scores] == [["Dee", "(you),", "Ada"], ["Bob,", "Cy"]]
    partners = [line for line in table_lines(view, PLAIN) if "your partner" in line]
    assert [line.split()[1] for line in partners] == ["Ada"]
    assert not [line for line in table_lines(replace(view, me=None), PLAIN) if "your partner" in line]
    ada = people_lines(replace(view, people=(PersonView("Ada", "", "here", "", 2),)))[0]
    assert ada == "Ada: here, seat 3, your partner"
    wished = PersonView("Ada", "", "here", "", 2, partner=True)
    assert people_lines(replace(view, people=(wished,)))[0] == ada


def test_a_hand_that_is_over_is_told_with_its_sheet() -> None:
    assert sheet_lines(scored(3, 0, 3, 0, sides=((0, 2), (1, 3))), "Ada", PLAIN) == [
        "Hand 3      Dee, Ada (you)  Bob, Cy",
        "tricks                   3        0",
        "this hand               +3        0",
        "total                    3        0",
    ]


def test_the_hand_that_is_on_is_told_below_those_that_are_over() -> None:
    made = (("flush", 150), ("pinochle", 20)), (("dix", 10),)
    due = (("cards taken", 13), ("cards taken", 15)), ()
    sheet = SheetView(2, ((("dix", 10),), ()), (10, 20), (110, 140))
    seats = tuple([replace(seat, score=score) for seat, score in zip(HEARTS.seats[:2], (280, 150), strict=True)])
    rounds = ((100, 120), (10, 20))
    view = replace(HEARTS, seats=seats, hand=3, sheet=sheet, rounds=rounds, made=made, due=due)
    over = [
        "Hand 2                  Dee (you)     Bob",
        "dix                            10       .",
        "hand 1                       +100    +120",
        "hand 2                        +10     +20",
        "subtotal                      110     140",
    ]
    so_far = [
        "hand 3 so far",
        "flush                         150       .",
        "pinochle                       20       .",
        "dix                             .      10",
        "total so far                  280     150",
        "hand 3, not added yet",
        "cards taken                    28       .",
        "Cards taken, one by one: Dee (you) 13, 15.",
    ]
    assert score_lines(view, PLAIN) == [*over, *so_far]
    coloured = score_lines(view, Style(ascii=True, colour=True))
    head, *melds, total = so_far[:5]
    italic = [f"\x1b[3m{line}\x1b[0m" for line in (head, total)]
    green = [f"\x1b[3m\x1b[32m{line}\x1b[0m" for line in melds]
    assert coloured == [*over, italic[0], *green, italic[1], *so_far[5:]]
    first = replace(view, hand=1, sheet=None, rounds=())
    assert [line.split()[0] for line in score_lines(first, PLAIN)] == [
        "Hand", "hand", "flush", "pinochle", "dix", "total", "hand", "cards", "Cards",
    ]  # fmt: skip
    waiting = score_lines(replace(view, made=((), ()), due=(made[0], ())), PLAIN)
    assert waiting[5].startswith("hand 3, not added yet") and "total so far" not in "".join(waiting)
    sums = [sum(points[seat] for points in rounds) + sum(points for _, points in made[seat]) for seat in (0, 1)]
    assert sums == [280, 150]


def test_hands_that_a_window_has_no_room_for_are_one_line() -> None:
    view = replace(HEARTS, rounds=((1, 2, 3, 4),) * 14)
    everything = score_lines(view, PLAIN, 14)
    assert len(everything) == 6 + 14 and score_in_window(view, PLAIN, 30) == everything
    fitting = score_in_window(view, PLAIN, 12)
    assert len(fitting) == 12 and fitting[4].startswith("hands 1 to ")
    assert len(score_in_window(view, PLAIN, 1)) == 6 + 2, "the last hand has a line of its own always"


def test_the_counters_of_a_table_are_in_its_title() -> None:
    view = replace(
        HEARTS, turn=5, goal=1250, number=2, seats=(replace(HEARTS.seats[0], games_won=1), *HEARTS.seats[1:])
    )
    lines = table_lines(view, PLAIN)
    assert lines[0].startswith("Hearts as in The Real Deal, hand 5 of game 2, trick 5, goal 1250.")
    assert [line.split()[1] for line in lines if "1 game won" in line] == ["Dee"]


def test_the_scores_of_all_hands_those_of_long_ago_in_one_line() -> None:
    view = replace(HEARTS, rounds=((1, 2, 3, 4),) * 14)
    lines = score_lines(view, PLAIN)
    assert lines[4].split() == ["hands", "1", "to", "2", "+2", "+4", "+6", "+8"]
    assert [line.split()[:2] for line in lines[5:17]] == [["hand", str(number)] for number in range(3, 15)]
    assert lines[17].split() == ["total", "28", "31", "18", "-7"]
    assert lines[18].split() == ["now", "0", "10", "20", "30"]
    assert score_lines(view, Style(ascii=True, colour=True))[4] == f"\x1b[1m{lines[4]}\x1b[0m", "it stands out"


def test_tricks_of_the_hand_that_is_over_are_told_one_by_one() -> None:
    view = replace(HEARTS, tricks=((("cards taken", 13), ("cards taken", 15)), (), (("cards taken", 4),), ()))
    assert score_lines(view, PLAIN)[-1] == "Cards taken, one by one: Dee (you) 13, 15; Ada 4."


def test_trump_is_said_first_while_following_suit_too() -> None:
    trump = TrumpView("spades", "Bob", "7")
    here = HEARTS.seats[:3]
    view = replace(HEARTS, seats=here, trump=trump, notes=("spades not broken",), own=("two trumps",), leader=1)
    assert table_lines(view, PLAIN)[:2] == [
        "Hearts as in The Real Deal, hand 5, to 50. Trump: spades (Bob, bid 7); spades",
        "  not broken.",
    ]
    assert facts_now(view, PLAIN) == (["trump: spades (Bob, bid 7)", "spades not broken"], [])
    assert turn_lines(view, PLAIN) == [
        "Trick: Bob 2D, Ada 10D, seat 3 AC.",
        "Your hand (8): QS KS  4H 8H  2C 9C  4D 10D. Two trumps.",
    ]
    assert trick_lines(view, PLAIN)[0] not in turn_lines(view, PLAIN, told=[card for _, card in view.trick])
    assert prompt_text(view) == "your turn, trump spades: 4D 10D | hint say help > "
    leading = replace(view, trump=TrumpView(""), trick=(), leader=0)
    assert facts_now(leading, PLAIN)[0] == ["no trump", "spades not broken"] and i_lead(leading)
    assert prompt_text(leading) == "your turn, no trump: 4D 10D | hint say help > "
    turned = replace(view, trump=TrumpView("hearts", card=int(parse_cards("AH")[0])))
    assert facts_now(turned, PLAIN)[0] == ["trump: hearts (AH turned up)", "spades not broken"]


def test_a_prompt_names_every_kind_of_action_as_long_as_it_fits() -> None:
    cards_ = ["4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC"]
    discards = [f"discard {card}" for card in cards_]
    view = replace(HEARTS, seats=HEARTS.seats[:3], legal=(*cards_, *discards, "knock KC"))
    assert prompt_text(view, columns=70) == "your turn: a card, e.g. 4C, discard 4C, knock KC > "
    assert prompt_text(view, columns=60) == "your turn: a card, discard, knock | help > "


WILD = st.text(alphabet="a\x1b\n文\u202e W", max_size=60)


@given(WILD, WILD, st.integers(-9999, 9999), st.integers(0, 40))
def test_however_long_the_names_a_table_is_16_lines_of_79_columns(name: str, note: str, score: int, held: int) -> None:
    known = tuple(Card.of(2 + i % 13, i // 13) for i in range(held))
    cut_off = seat(0, name, score=score, known=known, cards=held, countdown=99.0, plays="away", absence="cut off")
    seats = tuple([replace(cut_off, seat=i) for i in range(4)])
    view = replace(HEARTS, seats=seats, notes=(note, note), waiting=name, legal=(), game_name=name)
    lines = table_lines(view, Style(colour=True))
    assert len(lines) <= 16
    assert max(text_width(line) for line in lines) <= 79
    assert all(text_width(line) <= 79 for line in score_lines(view, PLAIN))
    assert text_width(prompt_text(view)) <= 63
    for line in [*lines, *score_lines(view, PLAIN), prompt_text(view)]:
        assert "\u202e" not in line
        assert "\n" not in line
        assert line.count("\x1b") % 2 == 0


# --- cards ---


def test_cards_as_text() -> None:
    assert cards_text([*parse_cards("QS TH 2C JD"), 0], Style()) == "Q♠ 10♥ 2♣ J♦ --"
    assert cards_text(parse_cards("QS TH"), PLAIN) == "QS 10H"
    assert (
        cards_text(parse_cards("QS' TH''"), PLAIN) == "QS' 10H''" and card_text(parse_cards("QS'")[0], Style()) == "Q♠'"
    )
    assert card_text(parse_cards("QS")[0], Style(colour=True)) == "\x1b[48;5;231;38;5;16mQ♠\x1b[0m"
    assert len({card_text(card, Style(ascii=True, colour=True))[:-6] for card in parse_cards("QS QH QC QD")}) == 4


def test_words_of_actions_as_text() -> None:
    assert action_text("8D h", PLAIN) == "8D, naming hearts"
    assert action_text("-- -- --", PLAIN) == "three cards"
    assert action_text("TS 4 nil", Style()) == "10♠ 4 nil"
    assert count_text(1) == "one card"
    assert count_text(32) == "32 cards"


# --- stories ---


def scored(*points: int, sides: tuple[tuple[int, ...], ...] = ()) -> HandScored:
    """The third hand, in which the scores changed by so much."""
    names = ("Dee", "Bob", "Ada", "Cy")[: len(points)]
    return HandScored(names, sides, SheetView(3, tuple([(("tricks", each),) for each in points]), points, points))


STORIES: list[tuple[Happening, str]] = [
    (
        RedialAsked(name="Bob", address="tel:5551234"),
        "Bob was at tel:5551234. Type 'redial' to call now, and again whenever the line drops in this game.",
    ),
    (CallProgress(text="Dialing 5551234 ..."), "Dialing 5551234 ..."),
    (Gestured(name="Bob", text="claps", mine=False), "* Bob claps *."),
    (
        PlayerJoined(name="Bob", character="Wayne", where="192.0.2.7"),
        "Bob joins the table as Wayne (192.0.2.7).",
    ),
    (
        PlayerJoined(name="Bob", character="Wayne", where="192.0.2.7", hosts=True),
        "You joined Bob's table (192.0.2.7).",
    ),
    (
        PlayerJoined(name="Bob", character="Wayne", where="192.0.2.7", looks_on=True),
        "Bob joins as Wayne (192.0.2.7) to watch and can play in the next game.",
    ),
    (
        LookingOn("Whist", 3, ("Ann", "Bob", "Cy", "Eve"), (("Ann", "Cy"), ("Bob", "Eve"))),
        "Whist, hand 3: Ann and Cy against Bob and Eve. Clockwise: Ann, Bob, Cy and Eve. You're watching until"
        " the host seats you or the next game begins.",
    ),
    (
        LookingOn("Gin Rummy", 0, ("Ann", "Bob")),
        "Gin Rummy: Ann and Bob. You're watching until the host seats you or the next game begins.",
    ),
    (SeatsChanged((("Cy", "Lizzy"),), 5), "Cy takes over from Lizzy. Hand 5 is next."),
    (
        SeatsChanged((("Dee", "Bob"), ("Cy", "Dee")), 2),
        "You take over from Bob. Cy takes over from you. Hand 2 is next.",
    ),
    (
        SeatsChanged((("Cy", "Lizzy"), ("Dee", "Bob")), 2),
        "Cy takes over from Lizzy. You take over from Bob. Hand 2 is next.",
    ),
    (SeatsChanged((("cy", "Lizzy"),), 5), "cy takes over from Lizzy. Hand 5 is next."),
    (SeatsChanged((), 2), "Hand 2 is next."),
    (
        HostChanged("Bob", "Ann", handed=False, hand=5, again=True),
        "Ann's machine is gone. Bob hosts now; hand 5 is dealt again. Ann can come back any time.",
    ),
    (
        HostChanged("Dee", "Ann", handed=False, hand=1, again=False),
        "Ann's machine is gone. You host now; hand 1 is next. Ann can come back any time.",
    ),
    (HostChanged("bob", "Ann", handed=True, hand=3, again=False), "bob hosts now. Hand 3 is next."),
    (HostChanged("Dee", "Ann", handed=True, hand=3, again=False), "You host now. Hand 3 is next."),
    (PlayerLeft(why="left the table", name="Bob"), "Bob left the table."),
    (
        PlayerLost(name="Cy", why="The line was cut.", seconds=60, character="granny"),
        "Cy is cut off: the line was cut. granny takes over in 60 s.",
    ),
    (PlayerLost(name="Cy", why="", seconds=None, character="granny"), "Cy is cut off."),
    (
        RedialPlanned(why="", name="Cy", address="192.0.2.7", seconds=4.2),
        "Reconnecting to Cy in 4 s ...",
    ),
    (Unreachable(address="example.org", why="nobody listens"), "Can't connect to example.org: nobody listens."),
    (PlayerBack(name="Cy"), "Cy is back."),
    (
        SeatTakenOver(mine=False, name="Cy", character="Wayne", why="the connection dropped"),
        "Cy was cut off, so Wayne is playing for them.",
    ),
    (SeatTakenOver(mine=True, name="Dee", character="Wayne", why=""), "Wayne is playing for you."),
    (
        SeatTakenOver(mine=True, name="Dee", character="Wayne", why="the turn clock ran out"),
        "You ran out of time, so Wayne is playing for you.",
    ),
    (
        SeatTakenOver(mine=False, name="Bob", character="Wayne", why="the turn clock ran out"),
        "Bob ran out of time, so Wayne is playing for them.",
    ),
    (SeatReturned(mine=True, name="Dee", character="Wayne"), "You're back. Wayne made no moves."),
    (
        SeatReturned(mine=True, name="Dee", character="Wayne", moves=("QS",)),
        "You're back. Wayne played QS for you.",
    ),
    (
        SeatReturned(mine=True, name="Dee", character="Wayne", moves=("QS", "4H")),
        "You're back. Wayne played QS and 4H for you.",
    ),
    (
        SeatReturned(mine=True, name="Dee", character="Wayne", moves=("bid 3", "QS")),
        "You're back. Wayne made these moves for you: bid 3, QS.",
    ),
    (
        SeatReturned(mine=True, name="Dee", character="Wayne", moves=("bid 3", "QS", "4H", "2C", "draw")),
        "You're back. Wayne made five moves for you, the last: 4H, 2C, draw.",
    ),
    (
        SeatReturned(mine=True, name="Dee", character="Wayne", moves=("QS",), since=2),
        "You're back. Wayne has played for you since hand 2. In this hand: QS.",
    ),
    (
        SeatReturned(mine=True, name="Dee", character="Wayne", since=2),
        "You're back. Wayne has played for you since hand 2.",
    ),
    (SeatReturned(mine=False, name="Cy", character="Wayne"), "Cy is playing again."),
    (
        Unfinished("Bob"),
        "You have an unfinished game with Bob. To finish it, leave this table and run p2pcards resume. Starting a"
        " new one abandons it, and Bob will see that.",
    ),
    (
        GameBrokenOff("Ann", "Hearts", 1, asks=False),
        "Ann is starting a new game, which abandons your unfinished game of Hearts.",
    ),
    (
        GameBrokenOff("Ann", "Hearts", 2, asks=True),
        "Ann is starting a new game, which abandons your unfinished game of Hearts. Ann has abandoned 2 games with"
        " you. The new game doesn't mention that: Ann may have lost the log, or may not have liked the cards. Your "
        "program hung up on Ann. Type 'accept' to play on; your log will note it.",
    ),
    (
        DealsThrownAway("Ann", 3),
        "Ann is starting a game, but has abandoned 3 deals with you in the past day, each after they could have "
        "seen the cards. That's a way to fish for good ones. Your program hung up on Ann. Type 'accept' to play on.",
    ),
    (
        LongWaits("Ann", 86400, None, 3600),
        "Ann's table can be slow: up to 24 hours for a player who is cut off, no time limit for a turn, up to 1 "
        "hour after each hand.",
    ),
    (LongWaits("Ann", 0, 301, 0), "Ann's table can be slow: up to 6 minutes for a turn."),
    (
        TakenOverUntruly("Ann", "the player left"),
        "Ann put a character in your seat, claiming that the player left. That isn't true. Your log notes it, and "
        "'p2pcards peers list' counts it.",
    ),
    (
        StrangeStandIn("Ann"),
        "While you're away, Ann's program would play for you with a computer player that yours can't check. Use "
        "the same version of p2pcards as Ann, or type 'accept' to play anyway.",
    ),
    (
        LeftOutOfDeal("Ann", here=True, times=1),
        "Ann marked you absent and shuffled without you, though you're here and did your part. A dishonest host "
        "could swap decks that way. Your log has the proof. Your program hung up on Ann. Type 'accept' to play on.",
    ),
    (
        LeftOutOfDeal("Ann", here=False, times=3),
        "Ann shuffled without you while you were cut off, though you'd already sent your part. It may have been "
        "lost on the way. A dishonest host could swap decks that way. Ann has done this 3 times. Your log has the "
        "proof. Your program hung up on Ann. Type 'accept' to play on.",
    ),
    (
        ShuffledAnew("Fay", "Ann", "", 1),
        "Fay dropped out, so the cards are reshuffled. A dishonest host could swap decks that way, and Ann "
        "brought Fay, someone you've never met. Type 'accept' to play on.",
    ),
    (
        ShuffledAnew("Fay", "Ann", "code", 2),
        "Fay dropped out again (two times in this game), so the cards are reshuffled. A dishonest host could swap"
        " decks that way, and Ann brought Fay, someone you've met before. Type 'accept' to play on.",
    ),
    (
        ShuffledAnew("", "Ann", "", 1),
        "The cards were shuffled while you were away, so Ann's program could know them all. Type 'accept' to play"
        " anyway, or 'leave'.",
    ),
    (
        GameWithoutLog("Ann", "Hearts"),
        "Ann is resuming a game of Hearts that you started, but its log isn't here, so you can't tell whether Ann"
        " changed it. Your program hung up on Ann. Type 'accept' to trust their log; yours will note it.",
    ),
    (PartMissing("Cy", mine=False), "Shuffling the next hand without Cy's part."),
    (PartMissing("Dee", mine=True), "Shuffling the next hand without your part."),
    (TablePaused(), "Paused: everyone timed out."),
    (TablePaused(timed_out=False), "Paused: everyone is away."),
    (TablePaused(alone=True), "Paused while you're away."),
    (TableResumed(), "The game resumes."),
    (Proposed("Bob", redeal=True), "Bob asks to deal this hand again. Do you agree (yes or no)?"),
    (Proposed("Bob", redeal=False), "Bob asks to take back their last move. Do you agree (yes or no)?"),
    (Proposed("Dee", redeal=False, mine=True), "You ask to take back your last move. Everyone has to agree."),
    (SaidNo("Bob"), "Bob says no, so play continues."),
    (SaidNo("Dee", mine=True), "You say no, so play continues."),
    (TakenBack("Bob", "meld TD JD QD", mine=False), "Bob takes back: meld 10D JD QD."),
    (
        TakenBack("Ann", "7S", mine=True, answers=(("Betty", "8S"), ("Carl", "TS"))),
        "You take back: 7S. Also undone: Betty 8S, Carl 10S.",
    ),
    (HandGivenUp("Dee", mine=True, alone=True), "You throw in this hand for a new deal."),
    (
        HandGivenUp("Bob", mine=False, alone=False),
        "This hand is thrown in for a new deal, as Bob asked.",
    ),
    (HandRestarted(), "This hand starts over with the same cards."),
    (HandsExchanged("Bob"), "You swap hands with Bob."),
    (HandsTurned(up=True), "Everyone's cards are face up."),
    (HandsTurned(up=False), "Only your own cards are face up."),
    (Said(name="Bob", text="watch the queen", mine=False), 'Bob says: "watch the queen"'),
    (Said(name="Dee", text="why?", mine=True), 'You say: "why?"'),
    (GameChosen(game="Hearts", preset="real-deal"), "Next game: Hearts, as in The Real Deal."),
    (GameChosen("Hearts", "usual", "To 100."), "Next game: Hearts. To 100."),
    (OptionSet(key="jack_of_diamonds", value=True), "Option jack_of_diamonds is now true."),
    (
        OptionSet("passing", "none", "No cards are passed."),
        "Option passing is now none. No cards are passed.",
    ),
    (GameStarted("Hearts", ("Dee", "Bob"), rules="To 50."), "Hearts begins: you and Bob. To 50."),
    (GameStarted(game="Hearts", seats=("Dee", "Bob", "Ada")), "Hearts begins: you, Bob and Ada."),
    (GameStarted("Hearts", ("Dee", "Bob"), deal=1912), "Hearts begins: you and Bob. This is deal 1912."),
    (
        GameStarted("Hearts", ("Dee", "Ann"), met=(("Ann", "code"), ("Bob", "first use"), ("Fay", ""))),
        "Hearts begins: you and Ann. At the table: Ann (key confirmed), Bob (met before), Fay (never met).",
    ),
    (
        GameStarted("Hearts", ("Dee", "Bob"), allowed=("hint", "recall")),
        "Hearts begins: you and Bob. Help allowed: hint and recall.",
    ),
    (
        GameStarted(game="Whist", seats=("Bob", "Dee", "Ada", "Cy"), sides=(("Bob", "Ada"), ("Dee", "Cy"))),
        "Whist begins: Bob and Ada against you and Cy. Clockwise: Bob, you, Ada and Cy.",
    ),
    (HandDealt(hand=2, dealer="Bob", absent=()), "Bob deals hand 2."),
    (
        HandDealt(hand=2, dealer="Dee", absent=("Cy",)),
        "You deal hand 2. Shuffled without Cy.",
    ),
    (Acted(seat=1, cards="", name="Dee", words="QS", mine=True), "You play QS."),
    (Acted(seat=1, cards="", name="Bob", words="TC", mine=False), "Bob plays 10C."),
    (Acted(seat=1, cards="", name="Bob", words="8D h", mine=False), "Bob plays 8D, naming hearts."),
    (Acted(seat=1, cards="", name="Bob", words="pass -- -- --", mine=False), "Bob passes three cards."),
    (Acted(seat=1, cards="", name="Dee", words="pass QS KS AS", mine=True), "You pass QS KS AS."),
    (Acted(seat=1, cards="7H", name="Dee", words="draw", mine=True), "You draw 7H."),
    (Acted(seat=1, cards="", name="Bob", words="draw", mine=False), "Bob draws."),
    (FirstDealerDrawn(words="", name="Bob"), "Bob deals first."),
    (FirstDealerDrawn(words="4H", name="Bob"), "Bob cuts 4H and deals first."),
    (TurnedUp(words="4H 5S"), "Turned up: 4H 5S."),
    (TrickTaken(mine=True, name="Dee"), "You take the trick."),
    (TrickTaken(mine=False, name="Bob"), "Bob takes the trick."),
    (scored(0, 13), "Hand 3 is over: Bob +13."),
    (scored(0, 0), "Hand 3 is over: nobody scores."),
    (scored(3, 0, 3, 0, sides=((0, 2), (1, 3))), "Hand 3 is over: you and Ada +3."),
    (CardsCame("TC 8S"), "New in your hand: 10C 8S."),
    (TricksReviewed(((("you", "QS"), ("Bob", "2S")),), ("you",)), "1 trick so far in this hand."),
    (TricksReviewed((), ()), "No tricks yet in this hand."),
    (CardsRecalled("both", (("your hand", "QS"),), "TC 8S", 3), "You've seen 1 of three cards (2 unseen)."),
    (CardsRecalled("seen", (("your hand", "QS"),), "", 1), "You've seen 1 of one card (none unseen)."),
    (MeldsReviewed((MeldView("you", "QS JD", "pinochle", 40),)), "One meld so far in this hand."),
    (CardsDistributed((("your hand", "QS"), ("not located", "TC 8S"))), "Where the 3 cards are:"),
    (MeldsReviewed(()), "No melds so far in this hand."),
    (Remarked("Bob", "peg 2 for 7H 8S"), "Bob pegs 2 for 7H 8S."),
    (Remarked("Dee", "peg 2 for fifteen", mine=True), "You peg 2 for fifteen."),
    (Remarked("", "the count is 0 again"), "The count is 0 again."),
    (Acted("Bob", 1, "accept alone", "", mine=False, says="order it up, alone"), "Bob orders it up, alone."),
    (Starts(name="Dee", to="", mine=True), "You go first."),
    (Starts(name="Bob", to="trick", mine=False), "Bob leads to the first trick."),
    (Starts(name="Bob", to="card", mine=False), "Bob plays first."),
    (HandOpened(hand=3, proven=True, why=""), "Hand 3: shuffle verified."),
    (HandOpened(hand=3, proven=False, why="no opening"), "Hand 3: can't verify the shuffle: no opening."),
    (HandDisputed(name="Bob", hand=3, why="the pack"), "Bob disputes hand 3: the pack."),
    (
        GameWon(
            unsigned=(),
            head="abababababababababababababababababababab",
            names=("Dee", "Bob"),
            totals=(50, 3),
            winners=("Dee",),
        ),
        "The game is over. You win: you 50, Bob 3.",
    ),
    (
        GameWon(
            unsigned=(),
            head="cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            names=("Dee", "Bob"),
            totals=(50, 3),
            winners=("Bob",),
        ),
        "The game is over. Bob wins: you 50, Bob 3.",
    ),
    (
        GameWon(
            unsigned=("Cy", "Eve"),
            head="cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            names=("Dee", "Bob"),
            totals=(50, 3),
            winners=("Bob",),
        ),
        "The game is over. Bob wins: you 50, Bob 3. Cy and Eve didn't sign the result.",
    ),
    (AgainAnswered(name="Bob", yes=True), "Bob wants to play again."),
    (AgainAnswered(name="Dee", yes=False), "You don't want to play again."),
    (
        ActionRefused("TC'", why="you must follow clubs"),
        "The host's program rejects 10C': you must follow clubs. You signed that move, so you can't make another. "
        "Wait until your time is up and your character plays for you, or leave.",
    ),
    (Hinted(words="pass 2C TC KC"), "Suggested play: pass 2C 10C KC."),
    (
        Hinted("TC", None, None, MeldView("you", "JD QS", "pinochle", 20)),
        "Suggested play: 10C, and if you take the trick you can meld pinochle (JD QS), 20 points.",
    ),
    (
        Hinted("TC", True, None, MeldView("you", "9H", "dix", 10)),
        "Suggested play: 10C, which takes the trick, and then you can meld dix (9H), 10 points.",
    ),
    (Hinted("TC", False), "Suggested play: 10C, which doesn't take the trick."),
    (
        Hinted("meld JD QS", lays=MeldView("you", "JD QS", "pinochle", 20)),
        "Suggested play: meld JD QS: pinochle, 20 points.",
    ),
    (Hinted("meld 2C 2D 2H", lays=MeldView("you", "2C 2D 2H", "set", 0)), "Suggested play: meld 2C 2D 2H: set."),
    (Hinted("TC", False, aim="to duck under the JC"), "Suggested play: 10C, to duck under the JC."),
    (
        Hinted("5C", aim="to duck under the JC", obvious=Obvious("TC", 30, 1.0, "take the queen of spades", 14, 2)),
        "Suggested play: 5C, to duck under the JC. The obvious play, 10C, would take the queen of spades in 14 of"
        " 30 simulated deals, this one in 2.",
    ),
    (
        Hinted("bid 1", obvious=Obvious("bid 0", 9, 1.0, "bring you more tricks than you bid", 4)),
        "Suggested play: bid 1. The obvious play, bid 0, would bring you more tricks than you bid in 4 of 9 simulated"
        " deals, this one in none.",
    ),
    (
        Hinted("2C", obvious=Obvious("pass TC 3C 4C", 30, 12.3)),
        "Suggested play: 2C. The obvious play, pass 10C 3C 4C, is about 12 points worse on average (30 simulated "
        "deals).",
    ),
    (
        Hinted("knock with TD, deadwood 8", obvious=Obvious("knock with TC, deadwood 8", 1, 2.0)),
        "Suggested play: knock with 10D, deadwood 8. The obvious play, knock with 10C, deadwood 8, is about 2 "
        "points worse.",
    ),
    (
        Hinted("2C", obvious=Obvious("3C", 1, 2.0)),
        "Suggested play: 2C. The obvious play, 3C, is about 2 points worse.",
    ),
    (
        Hinted("2C", obvious=Obvious("3C", 8, 0.01)),
        "Suggested play: 2C. The obvious play, 3C, is a little worse on average (8 simulated deals).",
    ),
    (
        Hinted("TC", True, None, MeldView("you", "9H", "dix", 10), "to take the trick"),
        "Suggested play: 10C, to take the trick, and then you can meld dix (9H), 10 points.",
    ),
    (
        AlternativesExplained((Alternative("QS"), Alternative("KS")), 13, 1998, 2),
        "2 of your 13 moves, best first (1998 simulated deals):",
    ),
    (
        AlternativesExplained((Alternative("QS"), Alternative("KS")), 2, 1000, 2),
        "Your 2 moves, best first (1000 simulated deals):",
    ),
    (AlternativesExplained((Alternative("draw"),), 1, 0, 1), "You have only one move."),
    (
        AlternativesExplained((Alternative("draw"), Alternative("ask")), 2, 0, 1),
        "You have 2 moves, an expert's choice first:",
    ),
    (HandAnalyzed((("melds", "none"),)), "Your hand:"),
    (ActionOutdated(words="QS"), "The table changed before QS went through. Enter it again if you still want to."),
    (GameEnded(why="the coordinator left"), "The game ended early: the coordinator left."),
    (
        CodeShown(code="7-crossword-clockwork", seconds=600.0),
        "Code for new friends: 7-crossword-clockwork (works once, for 10 min).",
    ),
    (
        CodeShown(code="7-acorn-zebra", seconds=600.0, link="http://192.0.2.7:4747/#7-acorn-zebra"),
        "Code for new friends: 7-acorn-zebra (works once, for 10 min). The link "
        "http://192.0.2.7:4747/#7-acorn-zebra includes it.",
    ),
    (
        CodeBurnt(code="7-crossword-clockwork", where="tcp 192.0.2.7:5000", seconds=5.0),
        "Someone entered a wrong code (tcp 192.0.2.7:5000), so 7-crossword-clockwork no longer works. A friend "
        "who mistyped needs the next one, coming in 5 s if there's room.",
    ),
    (
        WordsToCompare(name="Bob", words="acorn zebra amber"),
        "Compare these words with Bob by voice: acorn zebra amber. If Bob has the same three, nobody is "
        "listening in; 'p2pcards peers trust' records that. If not, leave the table.",
    ),
    (Notice(text="the novice would play 4C"), "The novice would play 4C."),
]


def test_every_happening_has_its_sentence() -> None:
    for happening, sentence in STORIES:
        assert happening_sentence(happening, "Dee", PLAIN) == sentence, happening


@pytest.mark.parametrize(
    ("happening", "told"),
    [
        (PlayerBack("root"), "root is back."),
        (Unreachable("example.org", "nobody listens"), "Can't connect to example.org: nobody listens."),
        (Acted(seat=1, cards="", name="root", words="QS", mine=False), "root plays QS."),
        (Acted(seat=1, cards="", name="root", words="QS", mine=True), "You play QS."),
    ],
)
def test_a_player_is_called_as_they_call_themselves_at_the_start_too(happening: Happening, told: str) -> None:
    assert happening_sentence(happening, "root" if told[0] == "Y" else "Dee", PLAIN) == told


def test_a_fact_that_begins_with_a_player_has_their_name_as_it_is() -> None:
    assert sentence_of("root leads", ["roo", "root"]) == "root leads."
    assert sentence_of("rooted out", ["roo", "root", ""]) == "Rooted out."
    assert sentence_of("you lead", ["root"]) == "You lead."


@pytest.mark.parametrize("address", ["ws://bob.example:8781", "bob.example", "meet:48213"])
def test_an_address_has_no_capital(address: str) -> None:
    assert sentence_of(f"{address} has a full table") == f"{address} has a full table."


def test_a_colon_or_a_dot_makes_no_address() -> None:
    assert sentence_of("trumps: hearts") == "Trumps: hearts."
    assert sentence_of("waiting...") == "Waiting..."


def test_no_kind_of_happening_is_forgotten() -> None:
    assert {type(happening) for happening, _ in STORIES} == set(get_args(Happening))


@given(st.sampled_from([happening for happening, _ in STORIES]), st.lists(WILD, min_size=12, max_size=12))
def test_whatever_a_happening_holds_its_sentence_is_safe(happening: Happening, wild: list[str]) -> None:
    texts = iter(wild)
    changes: dict[str, Any] = {}
    for field in fields(happening):
        value = getattr(happening, field.name)
        if isinstance(value, str):
            changes[field.name] = next(texts)
        elif isinstance(value, tuple) and value and isinstance(value[0], str):
            changes[field.name] = tuple([next(texts) for _ in value])
    text = happening_sentence(replace(happening, **changes), "Dee")
    assert not set("\x1b\n\u202e") & set(text)


# --- prompts ---


LOST = PersonView("Cy", "granny", "away", "")


def over(**again: bool) -> dict[str, object]:
    """The table of a guest, Dee, after a game, where these have said whether they would play again."""
    people = [PersonView(name, "", "here", "", seat) for seat, name in enumerate(("Bob", "Dee", "Cy"))]
    people[0] = replace(people[0], coordinates=True)
    people[1] = replace(people[1], link="you")
    told = tuple([replace(one, again=again.get(one.name.lower())) for one in people])
    return {"phase": "over", "legal": (), "people": told}


@pytest.mark.parametrize(
    ("changes", "prompt"),
    [
        ({}, "your turn; Cy cut off (41 s): 4D 10D | hint say help > "),
        ({"seats": HEARTS.seats[:3]}, "your turn: 4D 10D | hint say help > "),
        ({"seats": HEARTS.seats[:3], "turn_seconds": 180.0}, "your turn (180 s): 4D 10D | hint say help > "),
        ({"seats": HEARTS.seats[:3], "turn_seconds": 20.0}, "your turn (20 s): 4D 10D | hint say help > "),
        ({"seats": HEARTS.seats[:3], "turn_seconds": 86400.0}, "your turn (24 h): 4D 10D | hint say help > "),
        ({"seats": HEARTS.seats[:3], "turn_seconds": 3599.0}, "your turn (60 min): 4D 10D | hint say help > "),
        ({"legal": ()}, "Cy: granny takes over in 41 s | say table help > "),
        (
            {"legal": (), "role": "coordinator"},
            "Cy: granny takes over in 41 s | redial say table help > ",
        ),
        ({"legal": (), "seats": HEARTS.seats[:3], "waiting": "Bob"}, "waiting for Bob | say table help > "),
        (
            {"legal": (), "seats": HEARTS.seats[:3], "away": True},
            "granny is playing for you | Enter: take over, say, help > ",
        ),
        ({"legal": (), "paused": True}, "paused | say table help > "),
        ({"legal": (), "away": True, "paused": True}, "paused | Enter: take over, say, help > "),
        ({"phase": "over", "legal": ()}, "play again? | yes, no, say, score, help > "),
        ({"phase": "over", "legal": (), "role": "coordinator"},
         "the game is over | again, game NAME, say, score, help > "),
        ({"phase": "over", "legal": (), "watchers": (PersonView("Wes", "", "you", ""),)},
         "watching: waiting for the next game | sit, table, help > "),
        (over(dee=True), "waiting for Bob and Cy to play again | no, say, help > "),
        (over(dee=True, cy=True), "waiting for Bob to start the next game | no, say, help > "),
        (over(dee=True, bob=True, cy=True), "the next game begins | no, say, help > "),
        (over(bob=True), "Bob wants to play again | yes, no, say, score, help > "),
        (over(bob=True, cy=True), "Bob and Cy want to play again | yes, no, say, score, help > "),
        (over(dee=True, cy=False), "Cy doesn't want to play again | say, score, help > "),
        (over(bob=True, cy=False), "Cy doesn't want to play again | yes, no, say, score, help > "),
        ({"phase": "lobby", "waiting": "", "seats": ()}, "waiting for Bob (host) | say who help > "),
        ({"phase": "lobby", "role": "coordinator", "game": None, "seats": ()},
         "2 players | invite HOST, game NAME, help > "),
        ({"phase": "lobby", "role": "coordinator", "seats": ()},
         "Hearts, 2 players | start, set K=V, invite HOST, help > "),
        ({"phase": "lobby", "role": "coordinator", "seats": (), "people": (*HEARTS.people[:1], LOST)},
         "Hearts, 1 player, Cy cut off | start, who, help > "),
        ({"phase": "lobby", "role": "coordinator", "seats": (), "people": (*HEARTS.people[:1], LOST), "game": None},
         "1 player, Cy cut off | game NAME, who, help > "),
        ({"phase": "lobby", "role": "coordinator", "seats": (),
          "people": (*HEARTS.people[:1], replace(LOST, called_in=4.0))},
         "Hearts, 1 player; calling Cy in 4 s | start, who, help > "),
        ({"phase": "lobby", "role": "coordinator", "seats": (), "people": HEARTS.people[:1]},
         "Hearts, 1 player | Enter deals, set K=V, help > "),
        ({"phase": "lobby", "role": "coordinator", "seats": (), "people": HEARTS.people[:1], "open_door": True},
         "Hearts, 1 player | start, set K=V, invite HOST, help > "),
    ],
)  # fmt: skip
def test_a_prompt_names_the_words_that_work_now(changes: dict[str, object], prompt: str) -> None:
    assert prompt_text(replace(HEARTS, **changes)) == prompt  # type: ignore[arg-type]


def test_of_a_long_hand_one_card_is_named() -> None:
    many = replace(HEARTS, seats=HEARTS.seats[:3], legal=tuple(str(Card.of(rank, 0)) for rank in range(2, 15)))
    assert prompt_text(many) == "your turn: 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC | help > "
    assert prompt_text(many, columns=60) == "your turn: a card, e.g. 2C | help > "
    eights = replace(EIGHTS, seats=HEARTS.seats[:3])
    assert prompt_text(eights) == "your turn: 8D SUIT, 9H, draw | hint say help > "
    passing = replace(many, legal=tuple(f"pass 2C 3C {rank}C" for rank in "456789"))
    assert prompt_text(passing) == "your turn: pass 3 cards, e.g. pass 2C 3C 9C | hint say help > "


def test_countdowns_run_with_the_clock_and_end() -> None:
    assert countdowns(HEARTS, 1.4) == [(3, 40.0, "Cy: granny takes over in 40 s")]
    assert countdowns(HEARTS, 42.0) == []
    assert waits_for_me(HEARTS)
    assert not waits_for_me(replace(HEARTS, legal=()))


# --- rules ---


@pytest.mark.parametrize("key", GAMES)
def test_rules_tell_every_option_in_force(key: str) -> None:
    game = GAMES[key]
    first = declared_options(game.options)[0]
    last = first.choices[-1] if first.choices else first.high
    lines = rules_lines(game, {first.key: last}, "mine")
    assert any(line.startswith(f"  {first.key} = {last}: ") for line in lines)
    for option in declared_options(game.options)[1:]:
        assert any(line.startswith(f"  {option.key} = {str(option.default).lower()}: ") for line in lines)
    assert max(text_width(line) for line in [*lines, *option_table_lines(game, {})]) <= 79


def test_options_are_told_with_range_default_and_presets() -> None:
    lines = option_table_lines(GAMES["hearts"], {"end_score": 50})
    assert "end_score: now 50; number, 25 to 10000; default 100" in lines
    assert "    10 off for taking the jack of diamonds (true in hearts-deluxe)" in lines
    values = {option.key: option.default for option in declared_options(GAMES["hearts"].options)}
    sources = {**dict.fromkeys(values, "preset real-deal"), "end_score": "settings.toml"}
    assert option_table_lines(GAMES["hearts"], {"end_score": 50}, sources)[:3] == [
        "Options of Hearts; presets: usual (as most people play it), real-deal (as in",
        "    The Real Deal), hearts-deluxe (as in Hearts Deluxe).",
        "end_score: now 50 (settings.toml); number, 25 to 10000; default 100",
    ]
    assert "shooting the moon: 26 off, or 26 for everyone else (deduct in real-deal, deduct in" in " ".join(
        " ".join(lines).split()
    )
    rows = {row["option"]: row for row in option_rows(GAMES["hearts"], values, sources)}
    assert rows["jack_of_diamonds"] == {
        "option": "jack_of_diamonds",
        "type": "flag",
        "range": "true or false",
        "default": False,
        "meaning": "10 off for taking the jack of diamonds",
        "presets": {"usual": False, "real-deal": False, "hearts-deluxe": True},
        "value": False,
        "from": "preset real-deal",
    }


def test_games_are_listed_with_their_presets() -> None:
    lines = " ".join(" ".join(games_lines(GAMES)).split())
    assert "hearts (Hearts): four players, no partners." in lines
    assert "To 100. Pass left, right, across, hold; shooting the moon gives everyone else 26." in lines
    assert "Or real-deal (as in The Real Deal), hearts-deluxe (as in Hearts Deluxe)." in lines
    assert "gin_rummy, or gin (Gin Rummy): " in lines


def test_the_cards_of_melds_and_of_a_pile_that_is_spread_are_all_read() -> None:
    piles = (
        PileView("discard pile", None, tuple(map(int, parse_cards("3C KH"))), spread=True),
        PileView("meld", 1, tuple(map(int, parse_cards("9C 9D 9S"))), spread=True),
        PileView("meld", 0, tuple(map(int, parse_cards("AH 2H 3H"))), spread=True),
    )
    view = replace(EIGHTS, piles=piles, notes=())
    for lines in (table_lines(view, Style(ascii=True)), turn_lines(view, Style(ascii=True))):
        assert "Discard pile: 3C KH." in lines
        assert any(line.startswith("Meld: ") and "9C 9D 9S, " in line and "AH 2H 3H." in line for line in lines)


def test_a_count_of_cards_is_said_of_others_alone_and_once_in_the_table() -> None:
    seats = tuple([replace(seat, note="30 points on the table") for seat in EIGHTS.seats[:3]])
    view = replace(EIGHTS, seats=seats, notes=(), counted=True)
    told = "; ".join(facts_now(view, PLAIN)[1])
    assert told.startswith("you: 30 points on the table; Bob: 7 cards, 30 points on the table; Ada: 7 cards, ")
    assert "7 cards  score   10  30 points on the table" in table_lines(view, PLAIN)[2]


def test_the_prompt_of_a_pause_has_room_for_its_words() -> None:
    view = TableView("coordinator", "play", pause=20)
    assert prompt_text(view) == "the hand is over (20 s) | Enter: next, score, say, help > "
    assert prompt_text(replace(view, pause=0)) == "the hand is over | Enter: next, score, say, help > "


def test_a_prompt_offers_in_the_words_of_the_players() -> None:
    names = [f"name {suit}{alone}" for suit in "cd" for alone in ("", " alone")]
    said = [f"make it {suit}{alone}" for suit in ("clubs", "diamonds") for alone in ("", ", going alone")]
    view = TableView("coordinator", "play", legal=("pass", *names), calls=tuple(zip(names, said, strict=True)))
    assert actions_in_short(view) == ["make it clubs/diamonds [alone]", "pass"]
    bids = TableView("coordinator", "play", legal=("bid 0", "bid 1", "bid 2"), calls=(("bid 0", "bid nil"),))
    assert actions_in_short(bids) == ["bid nil", "bid 1", "bid 2"]
    assert [offered_text(bids, words, PLAIN) for words in bids.legal] == ["bid nil", "bid 1", "bid 2"]


def test_a_person_whose_link_is_lost_is_called_the_same_everywhere() -> None:
    (line,) = [one for one in people_lines(replace(HEARTS, people=(LOST,))) if one.startswith("Cy")]
    assert line.startswith("Cy: cut off, ")
    assert happening_sentence(PlayerLost("Cy", "", None, "granny")) == "Cy is cut off."
