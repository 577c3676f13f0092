"""A hand of spades in whole numbers, with every option that a hand depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Chance, count, lowest, mixed
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.likely import STRANGE
from p2pcards.games.deals.position import OVER, SearchPosition
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


def cost_of_bags() -> list[i64]:
    """By hands to come, for each number of bags from 0 to 9, what it will cost more than none."""
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


COST_OF_BAGS: Final[list[i64]] = cost_of_bags()


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

    def made_with(self) -> tuple[Any, ...]:
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
        new.become(self)
        return new

    def made_with(self) -> tuple[Any, ...]:
        return self.rules, self.eldest, self.tricks

    def carry(self, bags: list[i64]) -> None:
        """The bags of the hands before, by seat."""
        self.bags = bags

    def aside(self) -> list[i64]:
        return self.passed

    def lay_aside(self, masks: list[i64]) -> None:
        self.passed = masks

    def hold(self, place: i64, card: i64) -> None:
        """place: a seat, or with 4 added what the seat has laid away."""
        if place < SEATS:
            self.tricks.hands[place] = self.tricks.hands[place] | BIT[card]
        else:
            self.passed[place - SEATS] = self.passed[place - SEATS] | BIT[card]

    def add_hands(self, world: SearchPosition) -> None:
        assert isinstance(world, Spades)
        self.tricks.add_hands(world.tricks)

    def moves(self) -> i64:
        """Bids as numbers, then cards."""
        rules, tricks = self.rules, self.tricks
        if self.bidden < SEATS:
            return BIT[EACH + 1] - BIT[rules.min_bid] | (1 if rules.nil else 0)
        hand: i64 = tricks.hands[self.turn]
        return hand if self.passing else self.playable(hand)

    def playable(self, hand: i64) -> i64:
        """Those of a hand, of whose turn it is, that may be played."""
        if self.tricks.laid:
            can: i64 = hand & self.tricks.led
            return can or hand
        return hand if self._may_lead_spades() else hand & ~SPADES or hand

    def do(self, move: i64) -> None:
        if self.bidden < SEATS:
            self._bid(move)
            return
        if self.passing:
            self._pass(move)
            return
        tricks = self.tricks
        if BIT[move] & SPADES:
            if tricks.laid:
                self.broken = self.broken or not tricks.led & SPADES
            elif not self._may_lead_spades():
                tricks.void[tricks.turn] = PACK & ~SPADES
        done = tricks.lay(move)
        self.turn = tricks.turn
        if done and not tricks.hands[tricks.turn] and not self.hidden[tricks.turn]:
            self.turn = OVER

    def _may_lead_spades(self) -> bool:
        """Whether also those may who hold other cards."""
        return self.broken or (self.rules.spade_lead_first_trick and not self.tricks.gone)

    def _bid(self, tricks: i64) -> None:
        self.bids[self.turn] = tricks
        self.bidden += 1
        self.turn = (self.turn + 1) & 3
        if self.bidden == SEATS:
            self.end_bidding()

    def end_bidding(self) -> None:
        """Partners of whom exactly one has bid nil pass cards; otherwise the first trick is led to."""
        self.passing = 0
        if self.rules.passing:
            if self.is_nil(0) != self.is_nil(2):
                self.passing |= 5
            if self.is_nil(1) != self.is_nil(3):
                self.passing |= 10
        if self.passing:
            self.turn = lowest(self.passing)
        else:
            self.tricks.begin_trick(self.eldest)
            self.turn = self.eldest

    def end_passing(self) -> None:
        """The cards that were passed have been taken up, and the first trick is led to."""
        self.passing = 0
        self.open_play(self.eldest)

    def before_play(self, leader: i64) -> KeptDeal:
        new = super().before_play(leader)
        assert isinstance(new, Spades)
        new.broken = False
        return new

    def _pass(self, card: i64) -> None:
        seat: i64 = self.turn
        hands = self.tricks.hands
        hands[seat] = hands[seat] & ~BIT[card]
        self.passed[seat] = self.passed[seat] | BIT[card]
        if count(self.passed[seat]) < 3:
            return
        seat = 0
        while seat < SEATS and (count(self.passed[seat]) == 3 or not self.passing & BIT[seat]):
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

    def is_nil(self, seat: i64) -> bool:
        return self.rules.nil and self.bids[seat] == 0

    def look(self, sight: Sight) -> bool:
        """aim: whose Nil is to be made or broken, else whether many tricks are wanted yet, and whether all are bid."""
        if self.bidden < SEATS or self.passing:
            return False
        tricks, teams, seat = self.tricks, self.rules.teams, self.turn
        can: i64 = tricks.distinct(self.playable(tricks.hands[seat]))
        sight.look(tricks, can, tricks.unseen(), seat ^ 2 if teams else NOBODY)
        sight.see_voids(tricks.voids_after())
        every: i64 = self.bids[0] + self.bids[1] + self.bids[2] + self.bids[3]
        more: i64 = self.bids[seat] - tricks.won[seat]
        if teams and not self.is_nil(seat ^ 2):
            more += self.bids[seat ^ 2] - tricks.won[seat ^ 2]
        wants: i64 = 0 if more <= 0 else 1 if 2 * more <= count(tricks.hands[seat]) else 2
        nil = self._tries_nil((seat + 1) & 3) or self._tries_nil((seat + 3) & 3)
        if self._tries_nil(seat):
            sight.want(0)
        elif teams and self._tries_nil(seat ^ 2):
            sight.want(1 + wants)
        else:
            sight.want(4 + (6 if nil else 0) + 2 * wants + (1 if every >= EACH - 1 else 0))
        return True

    def alike(self, move: i64) -> i64:
        if self.bidden < SEATS or self.passing:
            return move
        return self.tricks.alike(move)

    def sides(self) -> i64:
        if self.bidden < SEATS or self.passing or self.tricks.held() > ENDING:
            return 0
        return 2 if self.rules.teams else SEATS

    def is_ours(self, seat: i64) -> bool:
        return self.turn == seat or (self.rules.teams and self.turn == seat ^ 2)

    def mark(self) -> i64:
        mark: i64 = self.tricks.mark()
        return mixed(mark, 1) if mark and self.broken else mark

    def mishaps(self, seat: i64) -> i64:
        """A Nil of its own, one of its partner's, a contract that fails, bags that cost."""
        won = self.tricks.won
        mate: i64 = seat ^ 2
        found: i64 = 1 if self.is_nil(seat) and won[seat] else 0
        bid: i64 = self.bids[seat]
        taken: i64 = 0 if self.is_nil(seat) else won[seat]
        if self.rules.teams:
            if self.is_nil(mate) and won[mate]:
                found |= 2
            bid += self.bids[mate]
            taken += 0 if self.is_nil(mate) else won[mate]
        if taken < bid:
            found |= 4
        elif self.rules.bags and bid and (self.bags[seat] + taken - bid) // 10:
            found |= 8
        return found

    def worth(self, seat: i64) -> i64:
        """Its side's points less those of the other side; alone, three times its points less those of the others."""
        return self._counted(seat, False)

    def merit(self, seat: i64) -> i64:
        """A bag costs its part of the hundred whether it is the tenth or not; where the game is played for, what it is
        likely to cost before this is over."""
        race = self.race
        if race is None:
            return self._counted(seat, True)
        scored = self.tally()
        if self.rules.bags:
            self._weigh_bags(race, scored)
        return race.merit(scored, seat % len(scored))

    def tally(self) -> list[i64]:
        if self.rules.teams:
            return [self._points_of_side(0, False), self._points_of_side(1, False)]
        scored: list[i64] = [0, 0, 0, 0]
        seat: i64 = 0
        while seat < SEATS:
            scored[seat] = self._points_alone(seat, False)
            seat += 1
        return scored

    def _weigh_bags(self, race: Race, scored: list[i64]) -> None:
        """Take off what the bags are likely to cost that each has now."""
        left: i64 = race.left(race.totals(scored))
        if left <= 0:
            return
        hands: i64 = (left + PACE - 1) // PACE
        if hands > LONG:
            hands = LONG
        side: i64 = 0
        while side < len(scored):
            held: i64 = (self.bags[side] + self._overtricks(side)) % TEN
            scored[side] = scored[side] - COST_OF_BAGS[hands * TEN + held]
            side += 1

    def _overtricks(self, seat: i64) -> i64:
        """Bags that its side has made in this hand."""
        over: i64 = 0
        if not self.is_nil(seat):
            over = self.tricks.won[seat] - self.bids[seat]
        if self.rules.teams and not self.is_nil(seat ^ 2):
            over += self.tricks.won[seat ^ 2] - self.bids[seat ^ 2]
        return max(over, 0)

    def _counted(self, seat: i64, spread: bool) -> i64:
        if self.rules.teams:
            return self._points_of_side(seat, spread) - self._points_of_side(seat ^ 1, spread)
        total: i64 = 0
        other: i64 = 0
        while other < SEATS:
            total += self._points_alone(other, spread)
            other += 1
        return 4 * self._points_alone(seat, spread) - total

    def _points_alone(self, seat: i64, spread: bool) -> i64:
        won: i64 = self.tricks.won[seat]
        if self.is_nil(seat):
            return -100 if won else 100
        return self._contract(self.bids[seat], won, self.bags[seat], spread)

    def _points_of_side(self, seat: i64, spread: bool) -> i64:
        mate: i64 = seat ^ 2
        if self.is_nil(seat) and self.is_nil(mate):
            return self._points_of_double_nil(self.tricks.won[seat], self.tricks.won[mate])
        if self.is_nil(seat) or self.is_nil(mate):
            return self._points_alone(seat, spread) + self._points_alone(mate, spread)
        bid: i64 = self.bids[seat] + self.bids[mate]
        return self._contract(bid, self.tricks.won[seat] + self.tricks.won[mate], self.bags[seat], spread)

    def _points_of_double_nil(self, one: i64, other: i64) -> i64:
        """one, other: the tricks of the two partners."""
        if one and other:
            return -200 if self.rules.double_nil_costs else 0
        return 0 if one or other else 200

    def _contract(self, bid: i64, won: i64, before: i64, spread: bool) -> i64:
        """What a contract counts, and what ten bags cost, or each of them where that is spread over all ten."""
        counts: i64 = points(bid, won)
        if not self.rules.bags or won <= bid:
            return counts
        return counts - (10 * (won - bid) if spread else 100 * ((before + won - bid) // 10))

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def thumb(self, chance: Chance) -> i64:
        if self.bidden < SEATS:
            return self.thumb_bid()
        can: i64 = self.moves()
        if not can & (can - 1):
            return lowest(can)
        seat: i64 = self.turn
        if self.passing:
            return self.burden(can)
        tricks = self.tricks
        if self._tries_nil(seat):
            return tricks.avoid(can)
        theirs = not self.rules.teams or (tricks.taker ^ seat) & 1 == 1
        if tricks.laid and theirs and self._tries_nil(tricks.taker):
            return tricks.avoid(can)
        if self.rules.bags and self._has_made(seat):
            return tricks.avoid(can)
        if not self.rules.teams:
            return tricks.taking_card(can, NOBODY)
        if self._tries_nil(seat ^ 2):
            return tricks.cover(can)
        return tricks.taking_card(can, seat ^ 2)

    def thumb_bid(self) -> i64:
        """As many tricks as the hand should take, or Nil on a harmless one; of two Nils one fails too often."""
        seat: i64 = self.turn
        hand: i64 = self.tricks.hands[seat]
        if self.rules.nil and not self._is_beside_nil(seat) and self._risk(seat, hand) < 0:
            return 0
        bid: i64 = (expected_tricks(hand) + self._more(seat)) // 100
        return min(max(bid, self._least()), EACH)

    def _least(self) -> i64:
        """The lowest bid of a number of tricks."""
        least: i64 = self.rules.min_bid
        return max(least, 1) if self.rules.nil else least

    def _is_beside_nil(self, seat: i64) -> bool:
        """Whether its partner has spoken before a seat, and bid nil."""
        return self.rules.teams and self.is_nil(seat ^ 2) and (seat - self.eldest) & 3 >= 2

    def _more(self, seat: i64) -> i64:
        """What a seat adds to the tricks that it expects."""
        if not self.rules.teams:
            return MORE_ALONE
        return MORE_BESIDE_NIL if self.rules.passing and self._is_beside_nil(seat) else MORE

    def _risk(self, seat: i64, hand: i64) -> i64:
        """How much too dangerous a hand is for Nil, less what it would pass; below 0 where Nil is bid."""
        if not self.rules.passing:
            return danger(hand) - (HARMLESS if self.rules.teams else HARMLESS_ALONE)
        number: i64 = 0
        while number < PASSED and not self._has_exchanged(seat):
            hand &= ~BIT[first_to_go(hand, hand, True)]
            number += 1
        return danger(hand) - HARMLESS_PASSING

    def _has_exchanged(self, seat: i64) -> bool:
        """Whether a seat plays with other cards than it was dealt."""
        return (
            self.rules.passing
            and self.bidden == SEATS
            and not self.passing
            and self.is_nil(seat) != self.is_nil(seat ^ 2)
        )

    def burden(self, hand: i64) -> i64:
        """The card that whose turn it is passes first."""
        return first_to_go(hand, hand | self.passed[self.turn], self.is_nil(self.turn))

    def become(self, other: Bidden) -> None:
        assert isinstance(other, Spades)
        super().become(other)
        self.passed = other.passed[:]
        self.passing = other.passing
        self.broken = other.broken
        self.bags = other.bags

    def strangeness(self) -> i64:
        found: i64 = 0
        seat: i64 = 0
        while seat < SEATS:
            bid: i64 = self.bids[seat] if seat != self.turn else NONE
            if bid >= 0:
                hand: i64 = self.tricks.hands[seat] | self.tricks.laid_by[seat] | self.passed[seat]
                found += self._strange(seat, bid, hand)
            seat += 1
        return STRANGE * found // 100

    def _strange(self, seat: i64, bid: i64, hand: i64) -> i64:
        """How far a hand is from one on which rules of thumb make this bid."""
        if self.is_nil(seat):
            return 4 * max(0, self._risk(seat, hand) + 1)
        found: i64 = 0
        if self.rules.nil and not self._is_beside_nil(seat) and not self._has_exchanged(seat):
            found = 4 * max(0, -self._risk(seat, hand))
        tricks: i64 = expected_tricks(hand) + self._more(seat)
        if tricks < 100 * bid:
            return found if bid == self._least() else found + 100 * bid - tricks
        return found + max(0, tricks - 100 * bid - 99) if bid < EACH else found

    def _has_made(self, seat: i64) -> bool:
        """Whether its side has what it bid, and all have bid so little that the others are hardly set by a bag."""
        bid: i64 = 0
        won: i64 = 0
        every: i64 = 0
        other: i64 = 0
        while other < SEATS:
            every += self.bids[other]
            if not self.is_nil(other) and (other == seat or (self.rules.teams and other == seat ^ 2)):
                bid += self.bids[other]
                won += self.tricks.won[other]
            other += 1
        return won >= bid and every < EACH

    def _tries_nil(self, seat: i64) -> bool:
        """Whether a seat has bid nil and taken no trick yet."""
        return self.rules.nil and self.bids[seat] == 0 and not self.tricks.won[seat]


def first_to_go(hand: i64, held: i64, nil: bool) -> i64:
    """The card of a hand that is passed first: Nil gives away what could take a trick; the partner gives Nil small
    cards of suits that are soon a void. held: with those that are laid away already."""
    best: i64 = -1
    most: i64 = LEAST
    while hand:
        card: i64 = lowest(hand)
        hand &= hand - 1
        worth: i64 = -(card & 15) - count(held & SUIT_OF[card])
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


def points(bid: i64, won: i64) -> i64:
    """What a contract counts."""
    return 9 * bid + won if won >= bid else -10 * bid


def expected_tricks(hand: i64) -> i64:
    """How many of thirteen tricks a hand should take, in hundredths."""
    spades: i64 = hand >> 3 * WIDTH
    held: i64 = count(spades)
    tricks: i64 = 0
    suit: i64 = 0
    while suit < 3:
        cards: i64 = hand >> WIDTH * suit & SUIT
        length: i64 = count(cards)
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


def danger(hand: i64) -> i64:
    """How far a hand is from taking no trick: how high the lowest cards of each suit are for their place, and the
    spades above all."""
    found: i64 = 0
    suit: i64 = 0
    while suit < 4:
        cards: i64 = hand & SUITS[suit]
        place: i64 = 0
        while cards and (place < 4 or suit == 3):
            rank: i64 = lowest(cards) - suit * WIDTH - TWO
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
