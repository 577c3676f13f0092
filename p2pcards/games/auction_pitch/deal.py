"""A hand of auction pitch in whole numbers, with every option that a hand depends on."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, highest_place, lowest_place
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.likely import STRANGE, CalledWorlds
from p2pcards.games.deals.position import OVER, SearchPosition
from p2pcards.games.deals.race import Race
from p2pcards.games.deals.tricks import EVERY_SUIT, NOBODY, PACK, SUIT_OF, SUITS, TWO, WIDTH, Tricks
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
ENDING: Final[int] = 12  # cards held, at the most
STOCK: Final[int] = 4
PLACES: Final[int] = 6
HIGHEST: Final[int] = 64  # above every card
PASS: Final[int] = 0
SMUDGE: Final[int] = 4
HIGH_POINT, LOW_POINT, JACK_POINT, GAME_POINT = range(4)

TENS: Final[i64] = 0x400 * EVERY_SUIT
JACKS: Final[i64] = 0x800 * EVERY_SUIT
QUEENS: Final[i64] = 0x1000 * EVERY_SUIT
KINGS: Final[i64] = 0x2000 * EVERY_SUIT
ACES: Final[i64] = 0x4000 * EVERY_SUIT

COUNTS: Final[list[i64]] = [0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4]
HIGH: Final[list[i64]] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 60, 100]
LOW: Final[list[i64]] = [90, 60, 45, 15, 10, 10, 10, 10, 10, 10, 10, 10, 10]
"""By rank of the highest and of the lowest trump of a hand, what high and low are worth to it, in hundredths. These
and the numbers below are from matches of these rules of thumb against themselves."""
STAKE_OF_LOW: Final[list[i64]] = [80, 60, 45, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0]
SURE: Final[i64] = 90
"""By how many hundredths it may be short of what it bids."""
ALL_FOUR: Final[i64] = 340
"""With so many it bids four, if it holds the jack."""
STAKE_OF_JACK: Final[i64] = 40
GIFTS: Final[i64] = 45
"""What others may have to give to a trick that is led."""


def chance_nobody_has(part: int, halves: int) -> int:
    """Chance, in thousandths, that the others, who hold `part` hundredths of the unseen cards, have none of some wanted
    cards; halves: twice how many are wanted."""
    root = isqrt((100 - part) * 10_000)
    return int(root**halves // 1000 ** (halves - 1)) if halves else 1000


HALVES: Final[int] = 64
NOBODY_HAS: Final[list[i64]] = [chance_nobody_has(i // HALVES, i % HALVES) for i in range(91 * HALVES)]


class AuctionPitchRules(Value):
    """The options of a hand: low_dealt for low_point, the others as in `games.auction_pitch.Options`."""

    def __init__(
        self, low_dealt: bool, dealer_can_match: bool, maker_min_two: bool, stick_dealer: bool, smudge: bool
    ) -> None:
        self.low_dealt = low_dealt
        self.dealer_can_match = dealer_can_match
        self.least: i64 = 2 if maker_min_two else 1
        self.stick_dealer = stick_dealer
        self.smudge = smudge

    def constructor_arguments(self) -> tuple[Any, ...]:
        return (False, False, False, False, False)


class AuctionPitch(KeptDeal):
    """dealer: who dealt; stock: what was not dealt, as far as it is known. bidding: not everybody has spoken; bid: the
    best so far, PASS for none; pitcher: who made it, or NOBODY. suit: trump, or NOBODY; low: the lowest trump played so
    far, and low_seat who played it.

    A move is PASS, a bid, or a card."""

    def __init__(self, rules: AuctionPitchRules, dealer: i64, tricks: Tricks) -> None:
        """The cards are dealt, and bidding begins."""
        super().__init__(PLACES)
        self.rules = rules
        self.dealer: i64 = dealer
        self.tricks = tricks
        self.stock: i64 = 0
        self.turn = (dealer + 1) & 3
        self.bidding = True
        self.bid: i64 = PASS
        self.pitcher: i64 = NOBODY
        self.suit: i64 = NOBODY
        self.low: i64 = HIGHEST
        self.low_seat: i64 = NOBODY

    def copy(self) -> AuctionPitch:
        new = AuctionPitch(self.rules, self.dealer, self.tricks.copy())
        new.copy_turn_and_knowledge(self)
        new.stock = self.stock
        new.bidding = self.bidding
        new.bid = self.bid
        new.pitcher = self.pitcher
        new.suit = self.suit
        new.low = self.low
        new.low_seat = self.low_seat
        return new

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.rules, self.dealer, self.tricks

    def current_tricks(self) -> Tricks:
        return self.tricks

    def cards_aside(self) -> list[i64]:
        return [self.stock]

    def set_cards_aside(self, masks: list[i64]) -> None:
        self.stock = masks[0]

    def copy_before_play(self, leader: i64) -> KeptDeal:
        new = super().copy_before_play(leader)
        assert isinstance(new, AuctionPitch)
        new.low = HIGHEST
        new.low_seat = NOBODY
        return new

    def before_calls(self, played: list[i64]) -> AuctionPitch:
        """The hand before the bidding. played: by seat, a mask of the cards that it has played."""
        new = AuctionPitch(self.rules, self.dealer, Tricks(SEATS))
        hands = new.tricks.hands
        seat: i64 = 0
        while seat < SEATS:
            hands[seat] = self.tricks.hands[seat] | played[seat]
            seat += 1
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or to the stock, which nobody sees."""
        if place < SEATS:
            self.tricks.hands[place] = self.tricks.hands[place] | BIT[card]

    def legal_moves(self) -> i64:
        if self.bidding:
            return self._open_bids()
        return self.playable_cards(self.tricks.hands[self.turn])

    def playable_cards(self, hand: i64) -> i64:
        """Those cards of the hand of the seat to act that may be played."""
        tricks = self.tricks
        if tricks.laid and hand & tricks.led:
            return hand & (tricks.led | tricks.trump)
        return hand

    def _open_bids(self) -> i64:
        rules = self.rules
        deals = self.turn == self.dealer
        bid: i64 = self.bid if deals and rules.dealer_can_match else self.bid + 1
        if bid < rules.least:
            bid = rules.least
        can: i64 = 0x1F & ~(BIT[bid] - 1)
        return can if rules.stick_dealer and deals and not self.bid else can | BIT[PASS]

    def make_move(self, move: i64) -> None:
        if self.bidding:
            self._make_bid(move)
            return
        tricks = self.tricks
        if self.suit < 0:
            self.make_trump(move >> 4)
        if BIT[move] & tricks.trump and move < self.low:
            self.low = move
            self.low_seat = self.turn
        done = tricks.play_card(move)
        self.turn = tricks.turn
        if done and not tricks.hands[tricks.turn] and not self.hidden[tricks.turn]:
            self.turn = OVER

    def _make_bid(self, bid: i64) -> None:
        if bid != PASS:
            self.bid = bid
            self.pitcher = self.turn
        if self.turn != self.dealer and bid < SMUDGE:
            self.turn = (self.turn + 1) & 3
            return
        self.bidding = False
        self.turn = self.pitcher if self.bid else OVER
        self.tricks.begin_trick(self.turn)

    def make_trump(self, suit: i64) -> None:
        self.suit = suit
        self.tricks.set_trump(SUITS[suit])

    def sides_in_ending(self) -> i64:
        return SEATS if not self.bidding and self.suit >= 0 and self.tricks.cards_held() <= ENDING else 0

    def transposition_key(self) -> i64:
        return self.tricks.transposition_key(PACK)

    def mishap_bits(self, seat: i64) -> i64:
        return 1 if self.bid and seat == self.pitcher and self.final_scores()[seat] < 0 else 0

    def final_worth(self, seat: i64) -> i64:
        """Three times what the seat scored, less what the others did."""
        total: i64 = 0
        scored = self.final_scores()
        for points in scored:
            total += points
        return 4 * scored[seat] - total

    def final_scores(self) -> list[i64]:
        scored: list[i64] = [0, 0, 0, 0]
        if not self.bid:
            return scored
        for owner in self.point_owners():
            if owner >= 0:
                scored[owner] = scored[owner] + 1
        if scored[self.pitcher] < self.bid:
            scored[self.pitcher] = -self.bid
        return scored

    def point_owners(self) -> list[i64]:
        """The seats that make high, low, jack and game; NOBODY for a point that nobody makes."""
        taken = self.tricks.taken
        trumps: i64 = self.tricks.gone & self.tricks.trump
        owners: list[i64] = [NOBODY, self.low_seat if self.rules.low_dealt else NOBODY, NOBODY, NOBODY]
        high: i64 = BIT[highest_place(trumps)]
        low: i64 = trumps & -trumps
        most: i64 = -1
        seat: i64 = 0
        while seat < SEATS:
            mine: i64 = taken[seat]
            if mine & high:
                owners[HIGH_POINT] = seat
            if mine & low and not self.rules.low_dealt:
                owners[LOW_POINT] = seat
            if mine & trumps & JACKS:
                owners[JACK_POINT] = seat
            game: i64 = game_points(mine)
            if game >= most:
                owners[GAME_POINT] = seat if game > most else NOBODY
                most = game
            seat += 1
        return owners

    def final_merit(self, seat: i64) -> i64:
        race = self.race
        if race is None:
            return self.final_worth(seat)
        return race.race_merit(self.final_scores(), seat, self.game_winner(race) if self.bid else NOBODY)

    def game_winner(self, race: Race) -> i64:
        """Who wins the game with this hand: a smudge, the pitcher before the others, and of these who comes to the goal
        first as they count high, low, jack and game. NOBODY where it goes on."""
        scored = self.final_scores()
        pitcher: i64 = self.pitcher
        if self.rules.smudge and scored[pitcher] == SMUDGE and self.bid == SMUDGE and race.scores[pitcher] >= 0:
            return pitcher
        if scored[pitcher] > 0 and race.reaches_goal(scored, pitcher):
            return pitcher
        scored = [0, 0, 0, 0]
        for owner in self.point_owners():
            if owner >= 0 and owner != pitcher:
                scored[owner] = scored[owner] + 1
                if race.reaches_goal(scored, owner):
                    return owner
        return NOBODY

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.bidding:
            return self.rule_of_thumb_bid()
        can: i64 = self.legal_moves()
        if not can & (can - 1):
            return lowest_place(can)
        if self.suit >= 0:
            return self._best_card(can, self.suit)
        suit: i64 = self._best_trump(can) & 3
        return self._best_card(can & SUITS[suit], suit)

    def rule_of_thumb_bid(self) -> i64:
        """The lowest bid that the hand is good for; with less a pass, where there may be one."""
        can: i64 = self._open_bids()
        hand: i64 = self.tricks.hands[self.turn]
        found: i64 = self._best_trump(hand)
        points: i64 = found >> 2
        if points >= ALL_FOUR and hand & SUITS[found & 3] & JACKS:
            return SMUDGE
        bid: i64 = lowest_place(can & ~BIT[PASS])
        good = bid < SMUDGE and points + SURE >= 100 * bid
        return bid if good or not can & BIT[PASS] else PASS

    def would_make_trump(self, seat: i64, suit: i64) -> bool:
        """Return whether rules of thumb make this suit trump with the hand of a seat."""
        return self._best_trump(self.tricks.hands[seat]) & 3 == suit

    def _best_trump(self, hand: i64) -> i64:
        """Points in hundredths that a hand should make under its best trump, times 4, plus that suit."""
        best: i64 = -1
        suit: i64 = 0
        while suit < 4:
            if hand & SUITS[suit]:
                found: i64 = self._expected_points(hand, suit) << 2 | suit
                if found > best:
                    best = found
            suit += 1
        return best

    def _expected_points(self, hand: i64, suit: i64) -> i64:
        """How many of the four points, in hundredths, a hand should make that chooses this trump, of which it holds
        some."""
        cards: i64 = hand & SUITS[suit]
        others: i64 = hand & ~cards
        top: i64 = highest_place(cards) - suit * WIDTH - TWO
        control: i64 = bit_count(cards)
        if cards & ACES:
            control += 1
        if cards & KINGS:
            control += 1
        points: i64 = HIGH[top]
        low: i64 = LOW[lowest_place(cards) - suit * WIDTH - TWO]
        points += low if self.rules.low_dealt else low * min(100, 20 + 15 * control) // 100
        if cards & JACKS:
            points += min(95, 20 + 13 * control)
        elif top > 9:
            points += 3 * control
        return points + min(80, 8 * control + 10 * bit_count(others & ACES) + 15 * bit_count(cards & TENS))

    def _best_card(self, can: i64, suit: i64) -> i64:
        """The card of the best worth, in thousandths of hundredths of a point."""
        tricks = self.tricks
        hand: i64 = tricks.hands[self.turn]
        unseen: i64 = PACK & ~(hand | tricks.gone | tricks.trick)
        after: i64 = SEATS - 1 - tricks.laid
        part: i64 = min(90, 100 * after * bit_count(hand) // bit_count(unseen))
        win: i64 = tricks.cards_taking_trick(can) if tricks.laid else can
        stake: i64 = self._worth_of_taking(tricks.trick, suit) if tricks.laid else GIFTS
        ruffs: i64 = bit_count(unseen & SUITS[suit])
        best: i64 = -1
        most: i64 = -(1 << 40)
        while can:
            card: i64 = lowest_place(can)
            can &= can - 1
            bit: i64 = BIT[card]
            mine: i64 = self._worth_of_taking(bit, suit)
            sure: i64 = 0
            rank: i64 = (card & 15) - TWO
            later: i64 = 6 * rank - 3
            if bit & SUITS[suit]:
                later = 44 * rank + 240
            if bit & win:
                halves: i64 = 2 * bit_count(unseen & SUIT_OF[card] & ~(bit - 1)) + (0 if bit & SUITS[suit] else ruffs)
                sure = NOBODY_HAS[part * HALVES + halves] if after else 1000
            worth: i64 = sure * (stake + mine) - (1000 - sure) * mine - 100 * later
            if worth > most:
                most = worth
                best = card
        return best

    def _worth_of_taking(self, cards: i64, suit: i64) -> i64:
        """Worth of taking these cards, in hundredths of a point."""
        worth: i64 = 4 * game_points(cards)
        trumps: i64 = cards & SUITS[suit]
        if trumps & JACKS:
            worth += STAKE_OF_JACK
        while trumps and not self.rules.low_dealt:
            worth += STAKE_OF_LOW[lowest_place(trumps) - suit * WIDTH - TWO]
            trumps &= trumps - 1
        return worth


class PitchWorlds(CalledWorlds):
    """The pitcher would have made this trump, too."""

    def doubts_about(self, world: SearchPosition) -> i64:
        """Doubts about a world in which the pitcher would not have made this trump."""
        assert isinstance(world, AuctionPitch)
        doubts: i64 = super().doubts_about(world)
        if world.suit < 0 or world.pitcher == world.turn:
            return doubts
        return (
            doubts if world.before_calls(self.played).would_make_trump(world.pitcher, world.suit) else doubts + STRANGE
        )


def game_points(cards: i64) -> i64:
    """What cards count towards the point for game."""
    if not cards & (TENS | JACKS | QUEENS | KINGS | ACES):
        return 0
    worth: i64 = 10 * bit_count(cards & TENS) + bit_count(cards & JACKS) + 2 * bit_count(cards & QUEENS)
    return worth + 3 * bit_count(cards & KINGS) + 4 * bit_count(cards & ACES)
