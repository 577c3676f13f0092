"""A hand of hearts in whole numbers, with every option that a hand depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, highest_place, lowest_place, mixed_key
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.tricks import NOBODY, PACK, SUIT, SUITS, TWO, WIDTH, Tricks
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
PLACES: Final[int] = 2 * SEATS + 1
ENDING: Final[int] = 12  # cards held, at the most
CLUBS: Final[i64] = SUIT
HEARTS: Final[i64] = SUIT << 2 * WIDTH
OPENING: Final[i64] = 1 << TWO  # of clubs
QUEEN: Final[i64] = 1 << 3 * WIDTH + 12
JACK: Final[i64] = 1 << WIDTH + 11
OVER_QUEEN: Final[i64] = 3 << 3 * WIDTH + 13
OVER_JACK: Final[i64] = 7 << WIDTH + 12
POINTS: Final[i64] = HEARTS | QUEEN


def chance_lead_wins(above: int, below: int) -> int:
    """Chance in percent that three others can play under a lead, with so many cards above and below it among them."""
    left = above + below
    each = max(1, left // 3)
    return 100 if not above else int(100 * (left**each - above**each) ** 3 // left ** (3 * each))


CHANCE_TO_WIN: Final[list[i64]] = [chance_lead_wins(i // 16, i % 16) for i in range(16 * 16)]


class HeartsRules(Value):
    """The options of a hand. way: how many seats to the left three cards are passed, 0 for no pass; the others as in
    `games.hearts.Options`, two_leads for opening_lead, moon_adds for moon."""

    def __init__(
        self,
        way: i64,
        two_leads: bool,
        two_must_be_led: bool,
        points_on_first_trick: bool,
        break_hearts: bool,
        queen_breaks_hearts: bool,
        queen_points: bool,
        jack_of_diamonds: bool,
        no_trick_bonus: bool,
        moon_adds: bool,
        quit_when_points_played: bool,
    ) -> None:
        self.way: i64 = way
        self.two_leads = two_leads
        self.two_must_be_led = two_must_be_led
        self.points_on_first_trick = points_on_first_trick
        self.locked: i64 = (HEARTS | (QUEEN if queen_breaks_hearts else 0)) if break_hearts else 0
        self.breaking: i64 = POINTS if queen_breaks_hearts else HEARTS
        self.queen_breaks_hearts = queen_breaks_hearts
        self.queen: i64 = 13 if queen_points else 0
        self.jack: i64 = 10 if jack_of_diamonds else 0
        self.bonus: i64 = 5 if no_trick_bonus else 0
        self.moon_adds = moon_adds
        self.ends_at: i64 = 0
        if quit_when_points_played:
            self.ends_at = POINTS | (JACK if jack_of_diamonds else 0)

    def constructor_arguments(self) -> tuple[Any, ...]:
        return (self.way, *[False] * 10)


class Hearts(KeptDeal):
    """dealer: who dealt. passed: what each seat has laid away so far, while three cards are passed one after another;
    the hands then lack them."""

    def __init__(self, rules: HeartsRules, dealer: i64, tricks: Tricks) -> None:
        super().__init__(PLACES)
        self.rules = rules
        self.dealer: i64 = dealer
        self.tricks = tricks
        self.passed: list[i64] = [0, 0, 0, 0]
        self.passing = False
        self.broken = False

    def copy(self) -> Hearts:
        new = Hearts(self.rules, self.dealer, self.tricks.copy())
        new.copy_turn_and_knowledge(self)
        new.passed = self.passed[:]
        new.passing = self.passing
        new.broken = self.broken
        return new

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.rules, self.dealer, self.tricks

    def current_tricks(self) -> Tricks:
        return self.tricks

    def cards_aside(self) -> list[i64]:
        return self.passed

    def set_cards_aside(self, masks: list[i64]) -> None:
        self.passed = masks

    def begin_hand(self, passing: bool) -> None:
        """Start the hand after the deal: with passing three cards each, or with the play."""
        self.passing = passing

    def copy_before_play(self, leader: i64) -> KeptDeal:
        new = super().copy_before_play(leader)
        assert isinstance(new, Hearts)
        new.broken = False
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or, for a place with 4 added, to what the seat has laid away."""
        if place < SEATS:
            self.tricks.hands[place] = self.tricks.hands[place] | BIT[card]
        else:
            self.passed[place - SEATS] = self.passed[place - SEATS] | BIT[card]

    def start_first_trick(self) -> None:
        """Let the first trick be led, by the seat that the rules name."""
        leader: i64 = (self.dealer + 1) & 3
        if self.rules.two_leads:
            leader = 0
            while not self.tricks.hands[leader] & OPENING:
                leader += 1
        self.passing = False
        self.tricks.begin_trick(leader)
        self.turn = leader

    def legal_moves(self) -> i64:
        hand: i64 = self.tricks.hands[self.turn]
        return hand if self.passing else self.playable_cards(hand)

    def playable_cards(self, hand: i64) -> i64:
        """Those cards of the hand of the seat to act that may be played."""
        rules, tricks = self.rules, self.tricks
        first = not tricks.gone
        if tricks.laid:
            can: i64 = hand & tricks.led
            can = can or hand
            if first and not rules.points_on_first_trick:
                return can & ~POINTS or can
            return can
        return self._leadable_cards(hand, first)

    def _leadable_cards(self, hand: i64, first: bool) -> i64:
        """Those cards of a hand that may be led. first: to the first trick."""
        rules = self.rules
        if first and rules.two_leads:
            return OPENING if rules.two_must_be_led else hand & CLUBS
        free: i64 = hand
        if not self.broken:
            free &= ~rules.locked
        if first and not rules.points_on_first_trick:
            free &= ~POINTS
        return free or hand

    def make_move(self, move: i64) -> None:
        if self.passing:
            self._pass_card(move)
            return
        rules, tricks = self.rules, self.tricks
        if BIT[move] & rules.breaking:
            led_hearts = not tricks.laid or bool(tricks.led & HEARTS)
            self.broken = self.broken or rules.queen_breaks_hearts or not led_hearts
        done = tricks.play_card(move)
        self.turn = tricks.turn
        none = not tricks.hands[tricks.turn] and not self.hidden[tricks.turn]
        if done and (none or (rules.ends_at and not rules.ends_at & ~tricks.gone)):
            self.turn = OVER

    def _pass_card(self, card: i64) -> None:
        """Lay a card away to be passed; after the last one the cards change hands."""
        seat: i64 = self.turn
        hands = self.tricks.hands
        hands[seat] = hands[seat] & ~BIT[card]
        self.passed[seat] = self.passed[seat] | BIT[card]
        if bit_count(self.passed[seat]) < 3:
            return
        seat = 0
        while seat < SEATS and bit_count(self.passed[seat]) == 3:
            seat += 1
        if seat < SEATS:
            self.turn = seat
            return
        seat = 0
        while seat < SEATS:
            to: i64 = (seat + self.rules.way) & 3
            hands[to] = hands[to] | self.passed[seat]
            self.passed[seat] = 0
            seat += 1
        self.start_first_trick()

    def fill_sight(self, sight: Sight) -> bool:
        """Fill a sight; aim: where the queen is, whether another seems to shoot the moon, whether this seat may."""
        if self.passing:
            return False
        rules, tricks = self.rules, self.tricks
        hand: i64 = tricks.hands[self.turn]
        unseen: i64 = PACK & ~(tricks.gone | tricks.trick | hand)
        sight.see_trick(tricks, self.playable_cards(hand), unseen, NOBODY)
        queen: i64 = 0
        if rules.queen:
            queen = 2 if hand & QUEEN else 1 if unseen & QUEEN else 0
        mine: i64 = tricks.taken[self.turn] & POINTS
        alone = bit_count(mine) > 3 and mine == tricks.gone & POINTS
        aim: i64 = 4 * queen + (2 if self._opponent_shoots_moon() else 0) + (1 if alone else 0)
        stake: i64 = stake_class(self._points_of_cards(tricks.trick)) if tricks.laid else 0
        above: i64 = OVER_QUEEN if queen else JACK if rules.jack else 0
        sight.set_aim(aim, stake, HEARTS, above, QUEEN if rules.queen else 0)
        return True

    def sides_in_ending(self) -> i64:
        return SEATS if not self.passing and self.tricks.cards_held() <= ENDING else 0

    def transposition_key(self) -> i64:
        mark: i64 = self.tricks.transposition_key(POINTS | JACK)
        return mixed_key(mark, 1) if mark and self.broken else mark

    def mishap_bits(self, seat: i64) -> i64:
        shooter = self.moon_shooter()
        if shooter >= 0:
            return 0 if shooter == seat else 2
        return 1 if self.rules.queen and self.tricks.taken[seat] & QUEEN else 0

    def final_worth(self, seat: i64) -> i64:
        """Three times the points of the seat, less those of the others."""
        total: i64 = 0
        other: i64 = 0
        while other < SEATS:
            total += self.points_taken(other)
            other += 1
        return total - 4 * self.points_taken(seat)

    def final_scores(self) -> list[i64]:
        return [-self.points_taken(0), -self.points_taken(1), -self.points_taken(2), -self.points_taken(3)]

    def points_taken(self, seat: i64) -> i64:
        """What the hand costs a seat."""
        rules, taken = self.rules, self.tricks.taken
        mine: i64 = taken[seat]
        points: i64 = 0
        shooter = self.moon_shooter()
        if shooter < 0:
            points = bit_count(mine & HEARTS)
            if mine & QUEEN:
                points += rules.queen
        elif rules.moon_adds:
            points = 0 if shooter == seat else 26
        elif shooter == seat:
            points = -26
        if mine & JACK:
            points -= rules.jack
        if not mine & POINTS:
            points -= rules.bonus
        return points

    def moon_shooter(self) -> i64:
        """The seat that has taken all hearts and the queen; -1 for nobody."""
        seat: i64 = 0
        while seat < SEATS:
            if self.tricks.taken[seat] & POINTS == POINTS:
                return seat
            seat += 1
        return -1

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        can: i64 = self.legal_moves()
        if not can & (can - 1):
            return lowest_place(can)
        if self.passing:
            return self.first_card_to_pass(can)
        if not self.tricks.laid:
            return self._best_lead(can)
        if can & self.tricks.led:
            return self._best_follow(can)
        return self._best_discard(can)

    def first_card_to_pass(self, hand: i64) -> i64:
        """The card that is passed first: the queen and what is above it in a short suit of spades, then high cards."""
        best: i64 = lowest_place(hand)
        most: i64 = -100
        suit: i64 = 0
        while suit < 4:
            cards: i64 = hand & SUITS[suit]
            if cards:
                card: i64 = highest_place(cards)
                held: i64 = bit_count(cards)
                worth: i64 = (card - suit * WIDTH - TWO) * 3 - 5 * held
                if suit == 3:
                    guards: i64 = bit_count(cards & ~(QUEEN | OVER_QUEEN))
                    worth = 60 if guards < 4 and cards & (QUEEN | OVER_QUEEN) else -60
                elif suit == 2:
                    worth += 6
                elif suit == 1 and self.rules.jack and BIT[card] & (JACK | OVER_JACK):
                    worth -= 30
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    def _best_lead(self, can: i64) -> i64:
        """The card to lead: one that probably does not win, or wins nothing; it brings the queen down where it cannot
        hurt."""
        tricks, rules = self.tricks, self.rules
        hand: i64 = tricks.hands[self.turn]
        unseen: i64 = PACK & ~(tricks.gone | hand)
        hunted = bool(rules.queen) and bool(unseen & QUEEN)
        foe = self._opponent_shoots_moon()
        best: i64 = -1
        most: i64 = -100000
        left: i64 = can
        while left:
            card: i64 = lowest_place(left)
            left &= left - 1
            worth: i64 = self._worth_of_lead(card, hand, unseen, hunted, foe)
            if worth > most:
                most = worth
                best = card
        return best

    def _worth_of_lead(self, card: i64, hand: i64, unseen: i64, hunted: bool, foe: bool) -> i64:
        """Worth of leading this card. hunted: the queen counts and others may hold it; foe: another seems to shoot the
        moon."""
        rules = self.rules
        bit: i64 = BIT[card]
        suit: i64 = card >> 4
        rest: i64 = unseen & SUITS[suit]
        above: i64 = bit_count(rest & ~(bit - 1))
        below: i64 = bit_count(rest) - above
        length: i64 = bit_count(hand & SUITS[suit])
        if rules.jack and bit & JACK:
            return -600 if above else 600
        if foe and suit == 2 and not above:
            return 400
        worth: i64 = 40 + 10 * (card - suit * WIDTH - TWO) // 3 - 10 * length
        stake: i64 = 30
        if bit & QUEEN:
            stake = 10 * rules.queen + 20
        elif suit != 2:
            fewer: i64 = 9 - above - below
            stake = 2
            if fewer > 0:
                stake += (52 if hunted else 12) * fewer // 9
        if suit == 3 and rules.queen:
            if hunted:
                stake += 80 if bit & OVER_QUEEN else 0
                worth += 0 if hand & OVER_QUEEN else 80
            elif hand & QUEEN:
                worth -= 100
        if rules.jack and suit == 1:
            if bit & OVER_JACK and unseen & JACK:
                stake -= 30
            if hand & JACK:
                worth -= 30
        danger: i64 = CHANCE_TO_WIN[above * 16 + below] * stake // 10
        if not self.tricks.gone and not rules.points_on_first_trick:
            danger = danger // 10
        return worth - danger

    def _opponent_shoots_moon(self) -> bool:
        """Return whether another seat seems to shoot the moon: it alone has taken point cards, and many."""
        taken = self.tricks.taken
        alarm: i64 = 5 if self.rules.moon_adds else 7
        seat: i64 = 0
        while seat < SEATS:
            mine: i64 = taken[seat] & POINTS
            if mine and bit_count(mine) >= alarm:
                return seat != self.turn and mine == self.tricks.gone & POINTS
            seat += 1
        return False

    def _points_of_cards(self, cards: i64) -> i64:
        """What some cards cost the player who takes them."""
        points: i64 = bit_count(cards & HEARTS)
        if cards & QUEEN:
            points += self.rules.queen
        if cards & JACK:
            points -= self.rules.jack
        return points

    def _best_follow(self, can: i64) -> i64:
        """The highest card under the trick; last in a harmless trick the highest of all; else the lowest, in hope."""
        tricks, rules = self.tricks, self.rules
        under: i64 = can & (BIT[tricks.best] - 1)
        over: i64 = can & ~under
        stake: i64 = self._points_of_cards(tricks.trick)
        last = tricks.is_last_to_play()
        barred = not tricks.gone and not rules.points_on_first_trick
        jack: i64 = JACK if rules.jack else 0
        if over:
            top: i64 = highest_place(over)
            unseen: i64 = PACK & ~(tricks.gone | tricks.trick | tricks.hands[self.turn])
            sure = last or not unseen & tricks.led & ~(BIT[top] - 1)
            if last and over & jack and stake < 6:
                return lowest_place(jack)
            if stake + self._points_of_cards(BIT[top]) < 0 and sure and not BIT[top] & jack:
                return top
            if stake > 0 and stake <= 4 and sure and self._opponent_shoots_moon():
                return top
            if last or barred:
                free: i64 = over & ~(QUEEN | HEARTS | jack)
                if stake <= 0 and free and not (under & QUEEN and rules.queen):
                    return highest_place(free)
        if under:
            if rules.queen and under & QUEEN:
                return lowest_place(QUEEN)
            return highest_place(under & ~jack or under)
        if last:
            return highest_place(over & ~(QUEEN | jack) or over)
        return lowest_place(over & ~(QUEEN | jack) or over)

    def _best_discard(self, can: i64) -> i64:
        """The card to throw off: the queen, what it could be caught by, high hearts, high cards of short suits; never
        the jack."""
        tricks, rules = self.tricks, self.rules
        if can & QUEEN and rules.queen:
            return lowest_place(QUEEN)
        unseen: i64 = PACK & ~(tricks.gone | tricks.trick | tricks.hands[self.turn])
        if can & OVER_QUEEN and rules.queen and unseen & QUEEN:
            return highest_place(can & OVER_QUEEN)
        best: i64 = -1
        most: i64 = -1000
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if rules.jack and suit == 1:
                cards = cards & ~JACK or cards
            if cards:
                card: i64 = highest_place(cards)
                length: i64 = bit_count(cards)
                worth: i64 = (card - suit * WIDTH - TWO) * 3
                if suit == 2:
                    worth += 31
                elif length < 6:
                    worth += 2 * (6 - length)
                if rules.jack and suit == 1:
                    if BIT[card] & JACK:
                        worth -= 300
                    elif BIT[card] & OVER_JACK and unseen & JACK:
                        worth -= 30
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best


def stake_class(points: i64) -> i64:
    """The class of a trick by its points, below `learned.STAKES`: nothing, 1, 2 or 3, up to 12, more; or less than
    nothing."""
    if points < 0:
        return 5
    return points if points < 2 else 2 if points < 4 else 3 if points < 13 else 4
