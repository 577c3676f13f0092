"""A hand of spades in whole numbers, with every option that a hand depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, lowest_place, mixed_key
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.likely import STRANGE
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.race import Race
from p2pcards.games.deals.taking import LEAST, NONE, Bidden, Taking
from p2pcards.games.deals.tricks import NOBODY, PACK, SUIT, SUIT_OF, SUITS, TWO, WIDTH
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
ENDING: Final[int] = 12  # cards held, at the most
EACH: Final[int] = 13
PLACES: Final[int] = 2 * SEATS + 1
PASSED: Final[int] = 3
SPADES: Final[i64] = 0x7FFF << 3 * WIDTH  # SUITS[3]
ACE: Final[i64] = 1 << 14
KING: Final[i64] = 1 << 13
QUEEN: Final[i64] = 1 << 12

# By trial, rules of thumb against themselves in 5,000 deals that were played twice: what is added to the tricks
# expected, in hundredths, before the part below one is dropped; and below which `danger` Nil is bid. Nil with passing
# is made so often that most sides bid it, and then two seats share the tricks of four.
MORE: Final[i64] = 70
MORE_ALONE: Final[i64] = 60
MORE_BESIDE_NIL: Final[i64] = 200
HARMLESS_PASSING: Final[i64] = 60
HARMLESS: Final[i64] = 40
HARMLESS_ALONE: Final[i64] = 25
OVER_OTHERS: Final[i64] = 15
"""What the king or the ace of spades adds to the danger: hardly a card of others saves from the trick."""
KING_RANK: Final[int] = 11  # from 0 for a two
TEN: Final[int] = 10
PACE: Final[i64] = 110
"""About how many points two sides make together in a hand."""
LONG: Final[i64] = 12
"""Hands, so many that what comes after makes no difference to what a bag costs."""
BAGS: Final[list[int]] = [9, 5, 3, 2, 1]
"""Of twenty hands those in which a side makes no bag, one, and so on."""


def bag_cost_table() -> list[i64]:
    """By number of hands to come, ten entries each: what 0 to 9 bags now are likely to cost more than none."""
    found: list[i64] = []
    ways = [1]
    for _ in range(LONG + 1):
        costs = [sum([way * (100 * ((held + more) // TEN)) for more, way in enumerate(ways)]) for held in range(TEN)]
        found += [(cost - costs[0]) // sum(ways) for cost in costs]
        after = [0] * (len(ways) + len(BAGS) - 1)
        for more, way in enumerate(ways):
            for bags, part in enumerate(BAGS):
                after[more + bags] += way * part
        ways = after
    return found


COST_OF_BAGS: Final[list[i64]] = bag_cost_table()


class SpadesRules(Value):
    """The options of a hand, as in `games.spades.Options`; passing: whether partners exchange cards where one of them
    has bid nil; bags: whether every tenth costs 100; double_nil_costs: whether two Nils that fail cost 200."""

    def __init__(
        self,
        teams: bool,
        spade_lead_first_trick: bool,
        min_bid: i64,
        nil: bool,
        passing: bool,
        bags: bool,
        double_nil_costs: bool,
    ) -> None:
        self.teams = teams
        self.spade_lead_first_trick = spade_lead_first_trick
        self.min_bid: i64 = min_bid
        self.nil = nil
        self.passing = passing and teams
        self.bags = bags
        self.double_nil_costs = double_nil_costs

    def constructor_arguments(self) -> tuple[Any, ...]:
        lead, nil = self.spade_lead_first_trick, self.nil
        return self.teams, lead, self.min_bid, nil, self.passing, self.bags, self.double_nil_costs


class Spades(Bidden):
    """eldest: who bids and leads first. passed: what each seat has laid away so
    far, while three cards are passed one after another; the hands then lack them. passing: a bit for each seat that
    passes cards in this hand, 0 when they have been exchanged. bags: by seat those that its side had before."""

    def __init__(self, rules: SpadesRules, eldest: i64, tricks: Taking) -> None:
        super().__init__(tricks, PLACES)
        self.rules = rules
        self.eldest: i64 = eldest
        self.passed: list[i64] = [0, 0, 0, 0]
        self.passing: i64 = 0
        self.broken = False
        self.bags: list[i64] = [0, 0, 0, 0]
        self.turn = eldest

    def copy(self) -> Spades:
        new = Spades(self.rules, self.eldest, self.tricks.copy())
        new.copy_bids_and_knowledge(self)
        return new

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.rules, self.eldest, self.tricks

    def set_earlier_bags(self, bags: list[i64]) -> None:
        """Set the bags of the hands before, by seat."""
        self.bags = bags

    def cards_aside(self) -> list[i64]:
        return self.passed

    def set_cards_aside(self, masks: list[i64]) -> None:
        self.passed = masks

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or, for a place with 4 added, to what the seat has laid away."""
        if place < SEATS:
            self.tricks.hands[place] = self.tricks.hands[place] | BIT[card]
        else:
            self.passed[place - SEATS] = self.passed[place - SEATS] | BIT[card]

    def legal_moves(self) -> i64:
        """A mask of the legal moves: bids as numbers, then cards."""
        rules, tricks = self.rules, self.tricks
        if self.bidden < SEATS:
            return BIT[EACH + 1] - BIT[rules.min_bid] | (1 if rules.nil else 0)
        hand: i64 = tricks.hands[self.turn]
        return hand if self.passing else self.playable_cards(hand)

    def playable_cards(self, hand: i64) -> i64:
        """Those cards of the hand of the seat to act that may be played."""
        if self.tricks.laid:
            can: i64 = hand & self.tricks.led
            return can or hand
        return hand if self._may_lead_spades() else hand & ~SPADES or hand

    def make_move(self, move: i64) -> None:
        if self.bidden < SEATS:
            self._make_bid(move)
            return
        if self.passing:
            self._pass_card(move)
            return
        tricks = self.tricks
        if BIT[move] & SPADES:
            if tricks.laid:
                self.broken = self.broken or not tricks.led & SPADES
            elif not self._may_lead_spades():
                tricks.void[tricks.turn] = PACK & ~SPADES
        done = tricks.play_card(move)
        self.turn = tricks.turn
        if done and not tricks.hands[tricks.turn] and not self.hidden[tricks.turn]:
            self.turn = OVER

    def _may_lead_spades(self) -> bool:
        """Return whether spades may be led even from a hand with other suits."""
        return self.broken or (self.rules.spade_lead_first_trick and not self.tricks.gone)

    def _make_bid(self, tricks: i64) -> None:
        self.bids[self.turn] = tricks
        self.bidden += 1
        self.turn = (self.turn + 1) & 3
        if self.bidden == SEATS:
            self.end_bidding()

    def end_bidding(self) -> None:
        """Start the exchange of partners of whom exactly one has bid nil; otherwise start the play."""
        self.passing = 0
        if self.rules.passing:
            if self.has_bid_nil(0) != self.has_bid_nil(2):
                self.passing |= 5
            if self.has_bid_nil(1) != self.has_bid_nil(3):
                self.passing |= 10
        if self.passing:
            self.turn = lowest_place(self.passing)
        else:
            self.tricks.begin_trick(self.eldest)
            self.turn = self.eldest

    def end_passing(self) -> None:
        """Start the play, the cards that were passed having been taken up."""
        self.passing = 0
        self.start_play(self.eldest)

    def copy_before_play(self, leader: i64) -> KeptDeal:
        new = super().copy_before_play(leader)
        assert isinstance(new, Spades)
        new.broken = False
        return new

    def _pass_card(self, card: i64) -> None:
        """Lay a card away for the partner; after the last one the cards change hands."""
        seat: i64 = self.turn
        hands = self.tricks.hands
        hands[seat] = hands[seat] & ~BIT[card]
        self.passed[seat] = self.passed[seat] | BIT[card]
        if bit_count(self.passed[seat]) < 3:
            return
        seat = 0
        while seat < SEATS and (bit_count(self.passed[seat]) == 3 or not self.passing & BIT[seat]):
            seat += 1
        if seat < SEATS:
            self.turn = seat
            return
        seat = 0
        while seat < SEATS:
            hands[seat] = hands[seat] | self.passed[seat ^ 2]
            self.passed[seat ^ 2] = 0
            seat += 1
        self.passing = 0
        self.tricks.begin_trick(self.eldest)
        self.turn = self.eldest

    def has_bid_nil(self, seat: i64) -> bool:
        return self.rules.nil and self.bids[seat] == 0

    def fill_sight(self, sight: Sight) -> bool:
        """Fill a sight; aim: whose Nil is to be made or broken, else whether many tricks are still wanted, and whether
        all are bid."""
        if self.bidden < SEATS or self.passing:
            return False
        tricks, teams, seat = self.tricks, self.rules.teams, self.turn
        can: i64 = tricks.distinct_cards(self.playable_cards(tricks.hands[seat]))
        sight.see_trick(tricks, can, tricks.unseen_cards(), seat ^ 2 if teams else NOBODY)
        sight.see_voids(tricks.voids_after())
        every: i64 = self.bids[0] + self.bids[1] + self.bids[2] + self.bids[3]
        more: i64 = self.bids[seat] - tricks.won[seat]
        if teams and not self.has_bid_nil(seat ^ 2):
            more += self.bids[seat ^ 2] - tricks.won[seat ^ 2]
        wants: i64 = 0 if more <= 0 else 1 if 2 * more <= bit_count(tricks.hands[seat]) else 2
        nil = self._is_keeping_nil((seat + 1) & 3) or self._is_keeping_nil((seat + 3) & 3)
        if self._is_keeping_nil(seat):
            sight.set_aim(0)
        elif teams and self._is_keeping_nil(seat ^ 2):
            sight.set_aim(1 + wants)
        else:
            sight.set_aim(4 + (6 if nil else 0) + 2 * wants + (1 if every >= EACH - 1 else 0))
        return True

    def equivalent_move(self, move: i64) -> i64:
        if self.bidden < SEATS or self.passing:
            return move
        return self.tricks.equivalent_card(move)

    def sides_in_ending(self) -> i64:
        if self.bidden < SEATS or self.passing or self.tricks.cards_held() > ENDING:
            return 0
        return 2 if self.rules.teams else SEATS

    def is_turn_of_side(self, seat: i64) -> bool:
        return self.turn == seat or (self.rules.teams and self.turn == seat ^ 2)

    def transposition_key(self) -> i64:
        mark: i64 = self.tricks.transposition_key()
        return mixed_key(mark, 1) if mark and self.broken else mark

    def mishap_bits(self, seat: i64) -> i64:
        """Bits for a failed Nil of the seat, one of its partner's, a failed contract, and bags that cost."""
        won = self.tricks.won
        mate: i64 = seat ^ 2
        found: i64 = 1 if self.has_bid_nil(seat) and won[seat] else 0
        bid: i64 = self.bids[seat]
        taken: i64 = 0 if self.has_bid_nil(seat) else won[seat]
        if self.rules.teams:
            if self.has_bid_nil(mate) and won[mate]:
                found |= 2
            bid += self.bids[mate]
            taken += 0 if self.has_bid_nil(mate) else won[mate]
        if taken < bid:
            found |= 4
        elif self.rules.bags and bid and (self.bags[seat] + taken - bid) // 10:
            found |= 8
        return found

    def final_worth(self, seat: i64) -> i64:
        """Points of the seat's side less those of the other; alone, three times its points less those of the others."""
        return self._score_of(seat, False)

    def final_merit(self, seat: i64) -> i64:
        """Merit of the hand with its bags priced: each costs its part of the hundred, or in a race what it is likely to
        cost before the game ends."""
        race = self.race
        if race is None:
            return self._score_of(seat, True)
        scored = self.final_scores()
        if self.rules.bags:
            self._subtract_bag_costs(race, scored)
        return race.race_merit(scored, seat % len(scored))

    def final_scores(self) -> list[i64]:
        if self.rules.teams:
            return [self._points_of_side(0, False), self._points_of_side(1, False)]
        scored: list[i64] = [0, 0, 0, 0]
        seat: i64 = 0
        while seat < SEATS:
            scored[seat] = self._points_alone(seat, False)
            seat += 1
        return scored

    def _subtract_bag_costs(self, race: Race, scored: list[i64]) -> None:
        """Subtract from the scores what the bags that each side has now are likely to cost."""
        left: i64 = race.points_left(race.totals_after(scored))
        if left <= 0:
            return
        hands: i64 = (left + PACE - 1) // PACE
        if hands > LONG:
            hands = LONG
        side: i64 = 0
        while side < len(scored):
            held: i64 = (self.bags[side] + self._bags_made(side)) % TEN
            scored[side] = scored[side] - COST_OF_BAGS[hands * TEN + held]
            side += 1

    def _bags_made(self, seat: i64) -> i64:
        """How many bags the seat's side has made in this hand."""
        over: i64 = 0
        if not self.has_bid_nil(seat):
            over = self.tricks.won[seat] - self.bids[seat]
        if self.rules.teams and not self.has_bid_nil(seat ^ 2):
            over += self.tricks.won[seat ^ 2] - self.bids[seat ^ 2]
        return max(over, 0)

    def _score_of(self, seat: i64, spread: bool) -> i64:
        """Score of the seat, or of its side. spread: each bag costs a tenth of the penalty."""
        if self.rules.teams:
            return self._points_of_side(seat, spread) - self._points_of_side(seat ^ 1, spread)
        total: i64 = 0
        other: i64 = 0
        while other < SEATS:
            total += self._points_alone(other, spread)
            other += 1
        return 4 * self._points_alone(seat, spread) - total

    def _points_alone(self, seat: i64, spread: bool) -> i64:
        """Score of a seat that plays alone. spread: each bag costs a tenth of the penalty."""
        won: i64 = self.tricks.won[seat]
        if self.has_bid_nil(seat):
            return -100 if won else 100
        return self._contract_points(self.bids[seat], won, self.bags[seat], spread)

    def _points_of_side(self, seat: i64, spread: bool) -> i64:
        """Score of the seat's side. spread: each bag costs a tenth of the penalty."""
        mate: i64 = seat ^ 2
        if self.has_bid_nil(seat) and self.has_bid_nil(mate):
            return self._points_of_double_nil(self.tricks.won[seat], self.tricks.won[mate])
        if self.has_bid_nil(seat) or self.has_bid_nil(mate):
            return self._points_alone(seat, spread) + self._points_alone(mate, spread)
        bid: i64 = self.bids[seat] + self.bids[mate]
        return self._contract_points(bid, self.tricks.won[seat] + self.tricks.won[mate], self.bags[seat], spread)

    def _points_of_double_nil(self, one: i64, other: i64) -> i64:
        """Score of two partners who both bid nil. one, other: their tricks."""
        if one and other:
            return -200 if self.rules.double_nil_costs else 0
        return 0 if one or other else 200

    def _contract_points(self, bid: i64, won: i64, before: i64, spread: bool) -> i64:
        """Score of a bid with the tricks won, less what ten bags cost, or each of them where that is spread over all
        ten."""
        counts: i64 = contract_points(bid, won)
        if not self.rules.bags or won <= bid:
            return counts
        return counts - (10 * (won - bid) if spread else 100 * ((before + won - bid) // 10))

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.bidden < SEATS:
            return self.rule_of_thumb_bid()
        can: i64 = self.legal_moves()
        if not can & (can - 1):
            return lowest_place(can)
        seat: i64 = self.turn
        if self.passing:
            return self.first_card_to_pass(can)
        tricks = self.tricks
        if self._is_keeping_nil(seat):
            return tricks.best_losing_card(can)
        theirs = not self.rules.teams or (tricks.taker ^ seat) & 1 == 1
        if tricks.laid and theirs and self._is_keeping_nil(tricks.taker):
            return tricks.best_losing_card(can)
        if self.rules.bags and self._has_safe_contract(seat):
            return tricks.best_losing_card(can)
        if not self.rules.teams:
            return tricks.best_taking_card(can, NOBODY)
        if self._is_keeping_nil(seat ^ 2):
            return tricks.best_covering_card(can)
        return tricks.best_taking_card(can, seat ^ 2)

    def rule_of_thumb_bid(self) -> i64:
        """The bid by rules of thumb: as many tricks as the hand should take, or Nil on a harmless one; of two Nils one
        fails too often."""
        seat: i64 = self.turn
        hand: i64 = self.tricks.hands[seat]
        if self.rules.nil and not self._partner_bid_nil(seat) and self._nil_risk(seat, hand) < 0:
            return 0
        bid: i64 = (expected_tricks(hand) + self._bid_adjustment(seat)) // 100
        return min(max(bid, self._lowest_bid()), EACH)

    def _lowest_bid(self) -> i64:
        """The lowest number of tricks that may be bid."""
        least: i64 = self.rules.min_bid
        return max(least, 1) if self.rules.nil else least

    def _partner_bid_nil(self, seat: i64) -> bool:
        """Return whether the seat's partner has bid already, and bid nil."""
        return self.rules.teams and self.has_bid_nil(seat ^ 2) and (seat - self.eldest) & 3 >= 2

    def _bid_adjustment(self, seat: i64) -> i64:
        """What a seat adds to the tricks it expects when it bids."""
        if not self.rules.teams:
            return MORE_ALONE
        return MORE_BESIDE_NIL if self.rules.passing and self._partner_bid_nil(seat) else MORE

    def _nil_risk(self, seat: i64, hand: i64) -> i64:
        """How much too dangerous a hand is for Nil, after what it would pass; Nil is bid below 0."""
        if not self.rules.passing:
            return nil_danger(hand) - (HARMLESS if self.rules.teams else HARMLESS_ALONE)
        number: i64 = 0
        while number < PASSED and not self._has_exchanged(seat):
            hand &= ~BIT[card_to_pass_first(hand, hand, True)]
            number += 1
        return nil_danger(hand) - HARMLESS_PASSING

    def _has_exchanged(self, seat: i64) -> bool:
        """Return whether a seat plays with cards other than it was dealt."""
        return (
            self.rules.passing
            and self.bidden == SEATS
            and not self.passing
            and self.has_bid_nil(seat) != self.has_bid_nil(seat ^ 2)
        )

    def first_card_to_pass(self, hand: i64) -> i64:
        """The card that the seat to act passes first."""
        return card_to_pass_first(hand, hand | self.passed[self.turn], self.has_bid_nil(self.turn))

    def copy_bids_and_knowledge(self, other: Bidden) -> None:
        assert isinstance(other, Spades)
        super().copy_bids_and_knowledge(other)
        self.passed = other.passed[:]
        self.passing = other.passing
        self.broken = other.broken
        self.bags = other.bags

    def bid_mismatch(self) -> i64:
        """How far the hands of the other seats are from their bids, as rules of thumb bid."""
        found: i64 = 0
        seat: i64 = 0
        while seat < SEATS:
            bid: i64 = self.bids[seat] if seat != self.turn else NONE
            if bid >= 0:
                hand: i64 = self.tricks.hands[seat] | self.tricks.laid_by[seat] | self.passed[seat]
                found += self._bid_mismatch_of(seat, bid, hand)
            seat += 1
        return STRANGE * found // 100

    def _bid_mismatch_of(self, seat: i64, bid: i64, hand: i64) -> i64:
        """How far a hand is from one on which rules of thumb make this bid."""
        if self.has_bid_nil(seat):
            return 4 * max(0, self._nil_risk(seat, hand) + 1)
        found: i64 = 0
        if self.rules.nil and not self._partner_bid_nil(seat) and not self._has_exchanged(seat):
            found = 4 * max(0, -self._nil_risk(seat, hand))
        tricks: i64 = expected_tricks(hand) + self._bid_adjustment(seat)
        if tricks < 100 * bid:
            return found if bid == self._lowest_bid() else found + 100 * bid - tricks
        return found + max(0, tricks - 100 * bid - 99) if bid < EACH else found

    def _has_safe_contract(self, seat: i64) -> bool:
        """Return whether the seat's side has what it bid, and all have bid so little that the others are hardly set by
        a bag."""
        bid: i64 = 0
        won: i64 = 0
        every: i64 = 0
        other: i64 = 0
        while other < SEATS:
            every += self.bids[other]
            if not self.has_bid_nil(other) and (other == seat or (self.rules.teams and other == seat ^ 2)):
                bid += self.bids[other]
                won += self.tricks.won[other]
            other += 1
        return won >= bid and every < EACH

    def _is_keeping_nil(self, seat: i64) -> bool:
        """Return whether a seat has bid nil and taken no trick yet."""
        return self.rules.nil and self.bids[seat] == 0 and not self.tricks.won[seat]


def card_to_pass_first(hand: i64, held: i64, nil: bool) -> i64:
    """The card of a hand to pass first: Nil gives away what could take a trick; the partner gives Nil small cards of
    suits soon void. held: with those that are laid away already."""
    best: i64 = -1
    most: i64 = LEAST
    while hand:
        card: i64 = lowest_place(hand)
        hand &= hand - 1
        worth: i64 = -(card & 15) - bit_count(held & SUIT_OF[card])
        if nil:
            worth += 2 * (card & 15)
            if card >= 3 * WIDTH:
                worth += 8
        elif card >= 3 * WIDTH:
            worth -= 20
        if worth > most:
            most = worth
            best = card
    return best


def contract_points(bid: i64, won: i64) -> i64:
    """Points of a bid with the tricks won, without the penalty for bags."""
    return 9 * bid + won if won >= bid else -10 * bid


def expected_tricks(hand: i64) -> i64:
    """How many of thirteen tricks a hand should take, in hundredths."""
    spades: i64 = hand >> 3 * WIDTH
    held: i64 = bit_count(spades)
    tricks: i64 = 0
    suit: i64 = 0
    while suit < 3:
        cards: i64 = hand >> WIDTH * suit & SUIT
        length: i64 = bit_count(cards)
        if cards & ACE and length < 7:
            tricks += 90
        if cards & KING:
            tricks += 70 if length >= 2 and length < 6 else 30
        if cards & QUEEN and length >= 3 and length < 6:
            tricks += 30
        if length < 2 and held:
            tricks += (50 if held >= 3 else 25) * (2 - length)
        suit += 1
    if spades & ACE:
        tricks += 100
    if spades & KING and held > 1:
        tricks += 85
    if spades & QUEEN and held > 2:
        tricks += 60
    if held > 3:
        tricks += (90 if held > 4 else 72) * (held - 3)
    return tricks


def nil_danger(hand: i64) -> i64:
    """How far a hand is from taking no trick: how high the lowest cards of each suit are for their place, and the
    spades above all."""
    found: i64 = 0
    suit: i64 = 0
    while suit < 4:
        cards: i64 = hand & SUITS[suit]
        place: i64 = 0
        while cards and (place < 4 or suit == 3):
            rank: i64 = lowest_place(cards) - suit * WIDTH - TWO
            cards &= cards - 1
            if suit == 3:
                found += 4 * max(rank - 1 - place, 0)
                if rank >= KING_RANK:
                    found += OVER_OTHERS
            else:
                found += (4 - place) * max(rank - 2 - 3 * place, 0)
            place += 1
        suit += 1
    return found
