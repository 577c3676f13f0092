"""What players of two-handed pinochle reckon with: the game, and what the other is likely to hold."""

from __future__ import annotations

from decimal import Decimal, localcontext
from itertools import islice, product
from math import isqrt
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards.eyes import eyes_of_viewer, redact
from p2pcards.games.deals.bits import BIT, Chance, bit_count
from p2pcards.games.deals.ending import Ending
from p2pcards.games.deals.pinochle_melds import KIND_OF, MARRIAGES
from p2pcards.games.deals.pinochle_tricks import KING, NINE, QUEEN, RANKS
from p2pcards.games.deals.position import SearchPosition, finish_by_rules_of_thumb
from p2pcards.games.deals.race import LOGISTIC, MOST, STEPS, SURE, chance_to_win_race, integer_sqrt
from p2pcards.games.deals.worlds import Room, Worlds
from p2pcards.games.pinochle2.deal import FIRST, KNOCK, LAST_TRICK, SECOND, SKEW, Pinochle2, second_of
from p2pcards.games.pinochle2.rules import GAME, Options, Phase, State
from p2pcards.games.pinochle2.seen import read
from p2pcards.games.pinochle2.worlds import STOCK, Kept
from p2pcards.games.seen.reading import Reading
from p2pcards.games.telling import Skill, Way
from p2pcards.players.choose import choose, rate
from p2pcards.players.search import FEW, NEAR, keep_best_few, rate_exactly
from rigs.decisions import random_positions


def states_of(phase: Phase, number: int) -> list[tuple[State, int]]:
    """Positions of random play, and whose turn it is."""
    found = ((state, seat) for state, seat in random_positions(GAME, Options(), Random(3)) if state.phase == phase)
    return list(islice(found, number))


def readings(number: int, phase: Phase) -> list[tuple[Reading, int]]:
    """The same as whose turn it is reads them."""
    return [(read(redact(state, eyes_of_viewer(seat)), seat), seat) for state, seat in states_of(phase, number)]


@given(st.integers(1, 10**9))
def test_a_root_is_a_whole_number(number: int) -> None:
    assert integer_sqrt(number) == isqrt(number)


@given(st.integers(1, 2000), st.integers(1, 2000))
def test_one_of_two_wins_and_the_nearer_is_likelier_to(mine: int, theirs: int) -> None:
    ours = chance_to_win_race(mine, theirs, SKEW)
    assert ours + chance_to_win_race(theirs, mine, SKEW) == pytest.approx(SURE, abs=SURE // 500)
    assert 0 <= chance_to_win_race(mine + 50, theirs, SKEW) <= ours <= SURE
    if mine < theirs:
        assert ours >= SURE // 2


def over(scores: list[int], scored: list[int], *, knocked: bool = False) -> Pinochle2:
    """A hand of which nothing is left but what it counts, of a game for 1000. knocked: by seat 0."""
    position = readings(1, Phase.FIRST)[0][0].position
    assert isinstance(position, Pinochle2)
    position.rules.scores[:], position.rules.points = scores, 745
    position.scored[:] = scored
    if knocked:
        position.set_stage(turn=0)
        position.make_move(KNOCK)
    else:
        position.tricks.points[:] = [0, 0]
        position.set_stage(phase=SECOND)
    return position


@pytest.mark.parametrize(
    ("scores", "better", "worse"),
    [
        ([900, 900], [100, 90], [90, 300]),  # at the goal alone, or the other one
        ([900, 900], [99, 0], [100, 350]),  # nobody at the goal; both, and the other past the next one
        ([900, 500], [100, 0], [99, 0]),  # one point decides the game
        ([0, 0], [200, 100], [150, 100]),
        ([0, 0], [200, 100], [200, 150]),
    ],
)
def test_a_hand_has_the_more_merit_the_likelier_the_game_is_won(
    scores: list[int], better: list[int], worse: list[int]
) -> None:
    assert over(scores, better).final_merit(0) > over(scores, worse).final_merit(0)
    assert over(scores, better).final_merit(1) < over(scores, worse).final_merit(1)


def test_a_player_who_knocks_has_won_whatever_the_other_has() -> None:
    assert over([950, 990], [60, 0], knocked=True).final_merit(0) > over([950, 990], [900, 0]).final_merit(0) - 1
    assert over([950, 990], [60, 0], knocked=True).final_merit(1) < 0


def test_at_level_scores_far_from_the_goal_a_point_is_worth_a_point() -> None:
    merits = [over([0, 0], [points, 0]).final_merit(0) for points in (0, 20, 40)]
    assert merits == pytest.approx([0, 20, 40], abs=2)


@pytest.mark.parametrize("scores", [[0, 0], [600, 300], [300, 900]])
def test_a_hand_that_counts_nothing_is_worth_nothing_at_any_score(scores: list[int]) -> None:
    assert [over(scores, [0, 0]).final_merit(seat) for seat in (0, 1)] == [0, 0]


def test_in_the_second_part_points_count_for_themselves() -> None:
    for reading, seat in readings(5, Phase.SECOND):
        position = reading.position.copy()
        reading.worlds.fill_world(position, Chance(1))
        finish_by_rules_of_thumb(position, Chance(1))
        assert position.final_merit(seat) == position.final_worth(seat)


def test_the_other_is_taken_to_hold_good_cards_that_do_not_meld() -> None:
    """Against hands that are drawn evenly."""
    melds: dict[type[Worlds], list[int]] = {Kept: [], Worlds: []}
    nines: dict[type[Worlds], list[int]] = {Kept: [], Worlds: []}
    for reading, seat in readings(40, Phase.FIRST):
        position = reading.position
        assert isinstance(position, Pinochle2)
        if position.stock or position.tricks.cards_in_place(1 - seat):
            continue  # something of it is known
        cards, size = unseen(reading, 1 - seat)
        rooms = [Room(1 - seat, size)] + [Room(STOCK, len(cards) - size)] * (len(cards) > size)
        assert isinstance(reading.worlds, Kept)
        for worlds in (reading.worlds, Worlds(cards, rooms)):
            chance = Chance(7)
            for _ in range(20):
                world = drawn(reading, worlds, chance)
                assert (world.tricks.cards_in_place(1 - seat), len(world.stock)) == (size, len(cards) - size)
                open_now = [world.patterns.points[one] for one in range(1, 11) if world.can_make_meld(one, 1 - seat)]
                melds[type(worlds)].append(sum(open_now))
                nines[type(worlds)].append(bit_count(world.tricks.faces_held(1 - seat) & 0x04040404))
    assert mean(melds[Kept]) < 0.8 * mean(melds[Worlds])
    assert mean(nines[Kept]) < mean(nines[Worlds])


@pytest.mark.parametrize(("size", "again"), [(1, False), (2, True)])
def test_a_hand_that_could_meld_is_drawn_again_and_the_stock_is_no_part_of_it(size: int, again: bool) -> None:
    """The other has a hand of this many of a queen, a king and a nine, which nothing but the marriage makes a meld."""
    reading, seat = readings(1, Phase.FIRST)[0]
    position, cards = reading.position, [RANKS + QUEEN, RANKS + KING, 2 * RANKS + NINE]
    assert isinstance(position, Pinochle2)

    def drawn_hands(patience: int) -> list[int]:
        """patience: of 256, how likely somebody is to wait with a marriage."""
        rooms, chance = [Room(1 - seat, size), Room(STOCK, len(cards) - size)], Chance(1)
        worlds = Kept(cards, rooms, position, 0, patience)
        return [drawn(reading, worlds, chance).tricks.faces_held(1 - seat) for _ in range(20)]

    assert (drawn_hands(0) != drawn_hands(256)) is again


def drawn(reading: Reading, worlds: Worlds, chance: Chance) -> Pinochle2:
    world = reading.position.copy()
    assert isinstance(world, Pinochle2)
    worlds.fill_world(world, chance)
    return world


def unseen(reading: Reading, other: int) -> tuple[list[int], int]:
    """The cards in the hand of the other and in the stock, and how many are in the hand."""
    world, cards = drawn(reading, reading.worlds, Chance(1)), list[int]()
    for held in world.tricks.hands[4 * other : 4 * other + 4]:
        cards += [face for face in range(32) if held >> face & 1]
    return [*cards, *world.stock], len(cards)


def test_of_two_equal_cards_it_plays_the_one_that_has_married_and_not_the_one_that_still_may() -> None:
    found = 0
    for reading, seat in readings(400, Phase.FIRST):
        position = reading.position
        assert isinstance(position, Pinochle2)
        for suit, (rank, mate) in product(range(4), [(QUEEN, KING), (KING, QUEEN)]):
            face, wanted, kind = suit * RANKS + rank, BIT[suit * RANKS + mate], KIND_OF[MARRIAGES + suit]
            free = position.eligible_copies(seat, 0, kind) | position.eligible_copies(seat, 1, kind)
            hand, married = position.tricks.faces_held(seat), position.open[2 * seat] & ~free
            comes = position.left > LAST_TRICK and position.tricks.unseen_faces(seat, 1) & wanted & ~(hand | free)
            if comes and hand & married & BIT[face]:
                assert position.best_card(BIT[face] | BIT[second_of(face)]) == second_of(face)
                found += 1
    assert found > 5


def test_the_best_of_some_positions_is_the_first_that_comes_to_the_most() -> None:
    compared = 0
    for reading, seat in readings(200, Phase.SECOND):
        world = drawn(reading, reading.worlds, Chance(1))
        if world.tricks.cards_in_place(seat) > 5:
            continue
        after: list[SearchPosition] = []
        for choice in reading.choices:
            after.append(world.copy())
            for move in reading.moves(choice):
                after[-1].make_move(move)
        worths = [Ending(100_000).exact_worth(position.copy(), seat) for position in after]
        assert Ending(100_000).best_place(after, seat) == worths.index(max(worths))
        compared += len(worths) > 1
    assert compared > 10


@pytest.mark.parametrize("level", ["standard", pytest.param("expert", marks=pytest.mark.slow)])
def test_what_is_rated_best_in_the_second_part_is_what_is_played(level: str) -> None:
    """Where it is played exactly the others follow by what they come to."""
    exact = 0
    for state, seat in states_of(Phase.SECOND, 60):
        view = redact(state, eyes_of_viewer(seat))
        first, *others = rate(GAME, view, seat, level, Random(4))
        assert first.action == choose(GAME, view, seat, level, Random(4))
        if first.hands == 1:
            assert all(one.worth <= first.worth for one in others)
            exact += 1
    assert exact > 10


def last_tricks(number: int) -> list[tuple[Reading, int]]:
    """Positions of random play at the last trick with a stock, as whose turn it is reads them."""
    near = (one for one in random_positions(GAME, Options(), Random(6)) if len(one[0].stock) == 2)
    found = [(read(redact(state, eyes_of_viewer(seat)), seat), seat) for state, seat in islice(near, number)]
    assert all(reading.position.is_near_ending() and not reading.position.sides_in_ending() for reading, _ in found)
    return found


def test_a_last_trick_leads_up_to_what_the_second_part_does_for_the_game() -> None:
    """What a hand does that comes to so many points can be said before these cards are played."""
    for reading, seat in last_tricks(60):
        world = drawn(reading, reading.worlds, Chance(1))
        world.rules.scores[:], world.rules.points = [760, 720], 745
        world.play_up_to_ending(Chance(1))
        assert world.phase == SECOND or world.knocked >= 0
        start = world.copy()
        finish_by_rules_of_thumb(world, Chance(1))
        for one in (seat, 1 - seat):
            assert start.merit_of_worth(world.final_worth(one), one) == world.final_merit(one)


def test_every_card_is_weighed_in_the_last_two_tricks_with_a_stock_and_the_best_few_by_what_they_lead_to() -> None:
    """Before that the six which rules of thumb like best; which is worth most is told by who searches little."""
    weighed = dict.fromkeys((True, False), 0)
    for reading, seat in [*last_tricks(60), *readings(60, Phase.FIRST)]:
        position = reading.position
        assert isinstance(position, Pinochle2)
        if position.phase != FIRST:
            continue
        late = position.left <= 4
        if late:
            assert len(reading.choices) == len(bits_of(position.legal_moves())) or position.may_knock()
        else:
            assert len(reading.choices) <= 6
        weighed[late] += 1
        few = keep_best_few(reading, seat, Skill(Way.SEARCH, 20, NEAR), Random(1)).choices
        assert len(few) == (min(FEW, len(reading.choices)) if position.is_near_ending() else len(reading.choices))
        assert keep_best_few(reading, seat, Skill(Way.SEARCH, 20, NEAR - 1), Random(1)) is reading
    assert min(weighed.values()) > 10


def bits_of(mask: int) -> list[int]:
    return [place for place in range(63) if mask >> place & 1]


@pytest.mark.slow
def test_the_last_trick_is_played_for_the_best_second_part() -> None:
    """In the worlds in which it was chosen, of the few that were weighed none comes to more."""
    for reading, seat in last_tricks(2):
        first, *others = rate_exactly(reading, seat, 4_000_000, Random(2)) or ()
        assert first.hands > 20 and all(one.worth <= first.worth + 2 * one.error for one in others)


def test_chances_are_whole_numbers_that_every_system_reckons_alike() -> None:
    with localcontext(prec=30):
        for step in range(-MOST, MOST + 1):
            exact = SURE / (1 + (Decimal(-step) / STEPS).exp())
            assert LOGISTIC[MOST + step] == int(exact)
            assert step == 0 or abs(exact - round(exact)) > Decimal("1e-6")
