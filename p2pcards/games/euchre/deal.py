"""A hand of euchre in whole numbers, with every option that a hand depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from p2pcards.games.deals.bits import BIT, Chance, Four, bit_count, four_masks, highest_place, lowest_place
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.learned import Sight
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.tricks import EVERY_SUIT, NOBODY, SUIT_OF, SUITS, TWO, WIDTH, Tricks
from p2pcards.games.deals.value import Value

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 4
ENDING: Final[int] = 12  # cards held, at the most
EACH: Final[int] = 5
TURNED: Final[int] = 4
LAID: Final[int] = 5
PLACES: Final[int] = 7
STOCK: Final[int] = 7
"""No place of the deal: the state keeps its slots, in the order of the pack."""

PASS: Final[int] = 0
ACCEPT: Final[int] = 1
ACCEPT_ALONE: Final[int] = 2
NAME: Final[int] = 3
NAME_ALONE: Final[int] = 7
DECLINE: Final[int] = 1
NAMES: Final[i64] = 15 << 3
NAMES_ALONE: Final[i64] = 15 << 7

JACK: Final[int] = 11
LEFT: Final[int] = 13
RIGHT: Final[int] = 14
TO_TEN: Final[i64] = 0x780 * EVERY_SUIT
FROM_QUEEN: Final[i64] = 0x7000 * EVERY_SUIT
ACES: Final[i64] = 0x4000 * EVERY_SUIT
KINGS: Final[i64] = 0x2000 * EVERY_SUIT

TRUMPS: Final[list[i64]] = [45, 45, 45, 45, 45, 45, 45, 45, 55, 65, 75, 80, 110]
"""What a trump of each rank is worth in hundredths of a trick. This and the numbers below are from matches of these
rules of thumb against themselves."""
ENOUGH: Final[i64] = 240
ENOUGH_TO_NAME: Final[i64] = 190
ENOUGH_ALONE: Final[i64] = 295
"""Where nobody has a partner."""
LONE: Final[i64] = 360
FRIENDLY: Final[i64] = 30
HOSTILE: Final[i64] = -110
HOSTILE_ALONE: Final[i64] = -30
"""What the turn-up is worth in the hand of the partner, of an opponent, and of one of three."""
TAKEN: Final[i64] = 20
"""What it is worth that the dealer speaks last."""
NEXT: Final[i64] = 15
"""What it is worth to name the other suit of the colour turned down: nobody wanted it, or had its bowers."""


class EuchreRules(Value):
    """The options of a hand. team_play, stick_the_dealer and dealer_takes_up as in `games.euchre.Options`; lowest: the
    lowest rank of the pack."""

    def __init__(self, team_play: bool, lowest: i64, stick_the_dealer: bool, dealer_takes_up: bool) -> None:
        self.team_play = team_play
        self.stick_the_dealer = stick_the_dealer
        self.dealer_takes_up = dealer_takes_up
        self.pack: i64 = (0x8000 - BIT[lowest]) * EVERY_SUIT

    def constructor_arguments(self) -> tuple[Any, ...]:
        return False, 7, False, False


class Euchre(KeptDeal):
    """dealer: who dealt. turned: the card turned up, 0 once it is taken; turned_suit: its suit; passes: how many have
    passed. suit: trump, or NOBODY; maker: who made it, or NOBODY; exchanging: the dealer is to discard or to decline;
    laid: what the dealer has laid away.

    A move is PASS, ACCEPT or ACCEPT_ALONE, NAME or NAME_ALONE with a suit added, DECLINE, or a card that is laid away
    or played. From when trump is made every card is numbered as what it counts (`games.euchre.counted`)."""

    def __init__(self, rules: EuchreRules, dealer: i64) -> None:
        super().__init__(PLACES)
        self.rules = rules
        self.dealer: i64 = dealer
        self.tricks = Tricks(SEATS)
        self.pack: i64 = rules.pack
        self.turned: i64 = 0
        self.turned_suit: i64 = 0
        self.passes: i64 = 0
        self.suit: i64 = NOBODY
        self.maker: i64 = NOBODY
        self.exchanging = False
        self.laid: i64 = 0

    def copy(self) -> Euchre:
        new = Euchre(self.rules, self.dealer)
        new.copy_turn_and_knowledge(self)
        new.tricks = self.tricks.copy()
        new.pack = self.pack
        new.turned = self.turned
        new.turned_suit = self.turned_suit
        new.passes = self.passes
        new.suit = self.suit
        new.maker = self.maker
        new.exchanging = self.exchanging
        new.laid = self.laid
        return new

    def constructor_arguments(self) -> tuple[Any, ...]:
        return self.rules, self.dealer

    def current_tricks(self) -> Tricks:
        return self.tricks

    def cards_aside(self) -> list[i64]:
        return [self.turned, self.laid]

    def set_cards_aside(self, masks: list[i64]) -> None:
        self.turned = masks[TURNED - SEATS]
        self.laid = masks[LAID - SEATS]

    def number_of(self, card: i64) -> i64:
        numbered: i64 = counted(BIT[card], self.suit) if self.suit >= 0 else 0
        return lowest_place(numbered) if numbered else card

    def cards_in(self, mask: i64) -> i64:
        """The cards themselves, of a mask of the table."""
        return uncounted(mask, self.suit) if self.suit >= 0 else mask

    def known_hands(self) -> Four:
        return four_masks([self.cards_in(hand) for hand in self.tricks.hands])

    def may_hold(self, seat: i64, card: i64) -> bool:
        return self.hidden[seat] > 0 or bool(self.known_hands()[seat] & BIT[card])

    def known_cards_by_place(self) -> list[i64]:
        numbered = super().known_cards_by_place()
        return [self.cards_in(mask) for mask in numbered]

    def set_cards(self, places: list[i64], hidden: list[i64], seen: list[i64]) -> None:
        if self.suit >= 0:
            places = [counted(mask, self.suit) for mask in places]
        super().set_cards(places, hidden, seen)

    def place_card(self, place: i64, card: i64) -> None:
        """place: a seat, LAID, or STOCK, which nobody sees."""
        if place < SEATS:
            self.tricks.hands[place] = self.tricks.hands[place] | BIT[card]
        elif place == LAID:
            self.laid |= BIT[card]

    def start(self) -> None:
        """The cards are dealt, and one is turned up."""
        self.turned_suit = lowest_place(self.turned) >> 4
        self.turn = (self.dealer + 1) & 3

    def legal_moves(self) -> i64:
        if self.suit >= 0:
            if self.exchanging:
                hand: i64 = self.tricks.hands[self.turn]
                return hand if self.rules.dealer_takes_up else hand | BIT[DECLINE]
            return self.tricks.playable_cards()
        alone = self.rules.team_play
        if self.passes < SEATS:
            return 7 if alone else 3
        can: i64 = NAMES & ~BIT[NAME + self.turned_suit]
        if not self._is_stuck():
            can |= BIT[PASS]
        return can | NAMES_ALONE & ~BIT[NAME_ALONE + self.turned_suit] if alone else can

    def make_move(self, move: i64) -> None:
        if self.suit < 0:
            self._call(move)
        elif self.exchanging:
            self._exchange(move)
        else:
            tricks = self.tricks
            done = tricks.play_card(move)
            self.turn = tricks.turn
            if done and not tricks.hands[tricks.turn] and not self.hidden[tricks.turn]:
                self.turn = OVER

    def _is_stuck(self) -> bool:
        """Return whether the dealer is to speak and may not pass."""
        return self.rules.stick_the_dealer and self.passes == 2 * SEATS - 1

    def _call(self, move: i64) -> None:
        if move == PASS:
            self.passes += 1
            self.turn = (self.turn + 1) & 3 if self.passes < 2 * SEATS else OVER
        elif move < NAME:
            self.make(self.turned_suit, move == ACCEPT_ALONE)
        else:
            alone = move >= NAME_ALONE
            self.make(move - (NAME_ALONE if alone else NAME), alone)

    def make(self, suit: i64, alone: bool) -> None:
        """Whose turn it is makes trump. Of a suit that was turned up the dealer may take the card, even one who sits
        out (D-EU-2); only the maker's side has somebody who plays alone (D-EU-3)."""
        tricks = self.tricks
        self.maker = self.turn
        self.trump(suit, self.turn ^ 2 if alone else NOBODY)
        self.turned = counted(self.turned, suit)
        seat: i64 = 0
        while seat < SEATS:
            tricks.hands[seat] = counted(tricks.hands[seat], suit)
            seat += 1
        if self.passes < SEATS:
            self.exchanging = True
            self.turn = self.dealer
        else:
            self.lead()

    def trump(self, suit: i64, out: i64) -> None:
        """This suit is trump, and this seat sits out."""
        self.suit = suit
        self.pack = counted(self.rules.pack, suit)
        self.tricks.set_trump(SUITS[suit], out)

    def before_calls(self, played: list[i64]) -> Euchre:
        """The hand as it was dealt. played: by seat, the cards that it has played."""
        new = Euchre(self.rules, self.dealer)
        new.set_race(self.race)
        suit: i64 = self.suit
        hands = new.tricks.hands
        seat: i64 = 0
        while seat < SEATS:
            hands[seat] = self.tricks.hands[seat] | played[seat]
            seat += 1
        turned: i64 = self.turned
        if not turned:
            turned = hands[self.dealer] & self.tricks.trump
            turned &= -turned
            hands[self.dealer] = hands[self.dealer] & ~turned | self.laid
        seat = 0
        while seat < SEATS and suit >= 0:
            hands[seat] = uncounted(hands[seat], suit)
            seat += 1
        new.turned = uncounted(turned, suit) if suit >= 0 else turned
        new.start()
        return new

    def _exchange(self, move: i64) -> None:
        if move == DECLINE:
            self.lead()
        else:
            hands = self.tricks.hands
            self.laid = BIT[move]
            hands[self.dealer] = hands[self.dealer] & ~BIT[move]
            self.take_turn_up()

    def take_turn_up(self) -> None:
        """The dealer, who has laid a card away for the turn-up, takes it."""
        hands = self.tricks.hands
        hands[self.dealer] = hands[self.dealer] | self.turned
        self.turned = 0
        self.lead()

    def lead(self) -> None:
        """Eldest leads, or the next player if eldest sits out."""
        self.exchanging = False
        self.turn = self.tricks.next_player(self.dealer)
        self.tricks.begin_trick(self.turn)

    def fill_sight(self, sight: Sight) -> bool:
        """aim: who made trump, and how many tricks they have."""
        if self.suit < 0 or self.exchanging:
            return False
        tricks, seat, maker = self.tricks, self.turn, self.maker
        team = self.rules.team_play
        sight.see_trick(tricks, tricks.playable_cards(), self._unseen(), seat ^ 2 if team else NOBODY)
        made: i64 = tricks.won[maker] + (tricks.won[maker ^ 2] if team else 0)
        part: i64 = 1 if seat == maker else 2 if team and seat ^ 2 == maker else 0
        if tricks.out >= 0:
            part = 4 if part else 3
        sight.set_aim(3 * part + min(made, 2))
        return True

    def sides_in_ending(self) -> i64:
        if self.suit < 0 or self.exchanging or self.tricks.cards_held() > ENDING:
            return 0
        return 2 if self.rules.team_play else SEATS

    def is_turn_of_side(self, seat: i64) -> bool:
        return self.turn == seat or (self.rules.team_play and self.turn == seat ^ 2)

    def transposition_key(self) -> i64:
        return self.tricks.transposition_key()

    def mishap_bits(self, seat: i64) -> i64:
        maker: i64 = self.maker
        if maker < 0:
            return 0
        won = self.tricks.won
        teams = self.rules.team_play
        tricks: i64 = won[maker] + (won[maker ^ 2] if teams else 0)
        ours = maker == seat or (teams and maker == seat ^ 2)
        return 1 if ours and tricks < 3 else 2 if not ours and tricks == EACH else 0

    def final_worth(self, seat: i64) -> i64:
        """What the seat's side scored less what the other did; of four who each play alone three times what the seat
        did, less what the others did."""
        maker: i64 = self.maker
        if maker < 0:
            return 0
        won = self.tricks.won
        if not self.rules.team_play:
            if won[maker] < 3:
                return -6 if seat == maker else 2
            made: i64 = 2 if won[maker] == EACH else 1
            return 3 * made if seat == maker else -made
        tricks: i64 = won[maker] + won[maker ^ 2]
        made = -2
        if tricks == EACH:
            made = 4 if self.tricks.out >= 0 else 2
        elif tricks >= 3:
            made = 1
        return -made if (seat ^ maker) & 1 else made

    def final_scores(self) -> list[i64]:
        """Of a euchre the makers lose nothing, and the others score."""
        maker: i64 = self.maker
        team = self.rules.team_play
        scored: list[i64] = [0, 0] if team else [0, 0, 0, 0]
        if maker < 0:
            return scored
        side: i64 = maker & 1 if team else maker
        worth: i64 = self.final_worth(maker)
        if not team:
            worth = -2 if worth < 0 else worth // 3
        if worth > 0:
            scored[side] = worth
            return scored
        other: i64 = 0
        while other < len(scored):
            if other != side:
                scored[other] = 2
            other += 1
        return scored

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.suit < 0:
            return self.thumb_call()
        if self.exchanging:
            return self._thumb_exchange()
        can: i64 = self.tricks.playable_cards()
        if not can & (can - 1):
            return lowest_place(can)
        return self._follow(can) if self.tricks.laid else self._lead(can)

    def thumb_call(self) -> i64:
        """The best trump that may be made, if it will do."""
        team = self.rules.team_play
        if self._one_point_wins():
            sure: i64 = self._sure_call()
            if sure != PASS:
                return sure
        found: i64 = self._estimate() if self.passes < SEATS else self._estimate_named()
        most: i64 = found >> 2
        enough: i64 = ENOUGH_ALONE
        if team:
            enough = ENOUGH if self.passes < SEATS else ENOUGH_TO_NAME
        if most < enough and not self._is_stuck():
            return PASS
        alone = team and most >= LONE
        if self.passes < SEATS:
            return ACCEPT_ALONE if alone else ACCEPT
        return (found & 3) + (NAME_ALONE if alone else NAME)

    def _one_point_wins(self) -> bool:
        """Return whether three tricks win the game for the side of whose turn it is, if it makes trump."""
        race = self.race
        if race is None:
            return False
        side: i64 = self.turn & 1 if self.rules.team_play else self.turn
        scored: list[i64] = [0] * len(race.scores)
        scored[side] = 1
        return race.reaches_goal(scored, side)

    def _sure_call(self) -> i64:
        """The call by which three tricks are certain, whatever the others hold; PASS where there is none."""
        hand: i64 = self.tricks.hands[self.turn]
        if self.passes < SEATS:
            mine: i64 = hand | self.turned if self.turn == self.dealer else hand
            return ACCEPT if self._certain(mine, self.turned_suit) >= 3 else PASS
        suit: i64 = 0
        while suit < 4:
            if suit != self.turned_suit and self._certain(hand, suit) >= 3:
                return NAME + suit
            suit += 1
        return PASS

    def _certain(self, hand: i64, suit: i64) -> i64:
        return certain(counted(hand, suit) & SUITS[suit], counted(self.rules.pack, suit) & SUITS[suit])

    def _estimate(self) -> i64:
        """What the hand is worth if the turn-up makes trump, times 4, and the suit."""
        suit: i64 = self.turned_suit
        hand: i64 = counted(self.tricks.hands[self.turn], suit)
        worth: i64 = 0
        if self.turn == self.dealer:
            worth = (self._after_discard(hand, counted(self.turned, suit), suit) >> 6) + TAKEN
        else:
            worth = expected(hand, suit)
            if not self.rules.team_play:
                worth += HOSTILE_ALONE
            else:
                worth += HOSTILE if (self.turn ^ self.dealer) & 1 else FRIENDLY
        return worth << 2 | suit

    def _estimate_named(self) -> i64:
        """What the hand is worth under the best other trump, times 4, and its suit."""
        hand: i64 = self.tricks.hands[self.turn]
        best: i64 = -1
        suit: i64 = 0
        while suit < 4:
            if suit != self.turned_suit:
                worth: i64 = expected(counted(hand, suit), suit)
                if suit == 3 - self.turned_suit:
                    worth += NEXT
                if worth << 2 | suit > best:
                    best = worth << 2 | suit
            suit += 1
        return best

    def _thumb_exchange(self) -> i64:
        """Lay the card away that is missed least, if the turn-up does more; never of a hand that is not played."""
        hand: i64 = self.tricks.hands[self.turn]
        leaves = not self.rules.dealer_takes_up
        if self.turn == self.tricks.out and leaves:
            return DECLINE
        found: i64 = self._after_discard(hand, self.turned, self.suit)
        return found & 63 if not leaves or found >> 6 > expected(hand, self.suit) else DECLINE

    def _after_discard(self, hand: i64, turned: i64, suit: i64) -> i64:
        """What a hand is worth after the turn-up came for the card that is missed least, times 64, and that card."""
        best: i64 = -1
        left: i64 = hand
        while left:
            card: i64 = lowest_place(left)
            left &= left - 1
            worth: i64 = expected(hand & ~BIT[card] | turned, suit) << 6 | card
            if worth >> 6 > best >> 6 or (worth >> 6 == best >> 6 and card & 15 < best & 15):
                best = worth
        return best

    def _unseen(self) -> i64:
        """What the others may hold, as whose turn it is sees it."""
        tricks = self.tricks
        seen: i64 = tricks.gone | tricks.trick | tricks.hands[self.turn] | self.turned
        return self.pack & ~(seen | self.laid if self.turn == self.dealer else seen)

    def _lead(self, can: i64) -> i64:
        """The maker's side draws trumps; the others lead side suits. High cards come before low ones, as long as the
        others can follow."""
        maker: i64 = self.maker
        partner = self.rules.team_play and self.turn ^ 2 == maker
        unseen: i64 = self._unseen()
        trumps: i64 = unseen & self.tricks.trump
        best: i64 = -1
        most: i64 = -1000
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                rest: i64 = unseen & SUITS[suit]
                card: i64 = highest_place(cards)
                high = BIT[card] > rest
                if not high and not (partner and suit == self.suit):
                    card = lowest_place(cards)
                worth: i64 = suit * WIDTH + TWO - card
                if suit == self.suit:
                    worth = self._worth_of_trump(cards, trumps, high, partner)
                elif high:
                    worth = (60 if not trumps or bit_count(rest) >= 6 else 25) - bit_count(cards)
                if worth > most:
                    most = worth
                    best = card
            suit += 1
        return best

    def _worth_of_trump(self, cards: i64, trumps: i64, high: bool, partner: bool) -> i64:
        """What it is worth to lead one of these trumps, where the others may hold those."""
        length: i64 = bit_count(cards)
        if high:
            if not trumps:
                return 10
            if self.turn == self.maker:
                return 60 + length
            return 45 + length if partner else length - 35
        card: i64 = highest_place(cards) if partner else lowest_place(cards)
        return length + self.suit * WIDTH + TWO - card - (10 if trumps else 0) + (60 if partner else 0)

    def _follow(self, can: i64) -> i64:
        """Take what can be taken, as cheaply as will do; leave it to a partner who has it."""
        tricks = self.tricks
        unseen: i64 = self._unseen()
        last = tricks.is_last_to_play()
        friend = self.rules.team_play and tricks.taker == self.turn ^ 2
        if friend and (last or not tricks.cards_taking_trick(unseen) & SUIT_OF[tricks.best]):
            return self._cheapest(can)
        win: i64 = tricks.cards_taking_trick(can)
        if not win:
            return self._cheapest(can)
        if last or not win & tricks.led:
            return self._cheapest(win)
        top: i64 = highest_place(win)
        if BIT[top] > unseen & tricks.led or tricks.laid == 2:
            return top
        return self._cheapest(can)

    def _cheapest(self, can: i64) -> i64:
        """The card that costs least to part with: low, no trump, of a short suit."""
        best: i64 = -1
        least: i64 = 1000
        suit: i64 = 0
        while suit < 4:
            cards: i64 = can & SUITS[suit]
            if cards:
                card: i64 = lowest_place(cards)
                price: i64 = 4 * (card - suit * WIDTH) + bit_count(self.tricks.hands[self.turn] & SUITS[suit])
                if suit == self.suit:
                    price += 72
                if price < least:
                    least = price
                    best = card
            suit += 1
        return best


def counted(cards: i64, suit: i64) -> i64:
    """As what cards count where this suit is trump."""
    own: i64 = cards & SUITS[suit]
    other: i64 = BIT[(3 - suit) * WIDTH + JACK]
    new: i64 = cards & ~(SUITS[suit] | other)
    new |= (own & TO_TEN) >> 1 | (own & FROM_QUEEN) >> 2
    if own & BIT[suit * WIDTH + JACK]:
        new |= BIT[suit * WIDTH + RIGHT]
    if cards & other:
        new |= BIT[suit * WIDTH + LEFT]
    return new


def uncounted(cards: i64, suit: i64) -> i64:
    """The cards that count as these where this suit is trump."""
    own: i64 = cards & SUITS[suit]
    low: i64 = own & TO_TEN >> 1
    left: i64 = BIT[suit * WIDTH + LEFT]
    right: i64 = BIT[suit * WIDTH + RIGHT]
    new: i64 = cards & ~own | low << 1 | (own & ~(low | left | right)) << 2
    if own & right:
        new |= BIT[suit * WIDTH + JACK]
    if own & left:
        new |= BIT[(3 - suit) * WIDTH + JACK]
    return new


def expected(hand: i64, trump: i64) -> i64:
    """How many of five tricks a hand should take under this trump, in hundredths; cards as what they count."""
    worth: i64 = 0
    suit: i64 = 0
    while suit < 4:
        cards: i64 = hand & SUITS[suit]
        if suit == trump:
            number: i64 = 0
            while cards:
                worth += TRUMPS[lowest_place(cards) - suit * WIDTH - TWO]
                cards &= cards - 1
                number += 1
            if number > 2:
                worth += 20 * (number - 2)
        elif not cards:
            worth += 30 if hand & SUITS[trump] else 0
        elif cards & ACES:
            length: i64 = bit_count(cards)
            worth += 45 if length > 2 else 65 if length == 2 else 50
        elif cards & KINGS:
            worth += 20
        suit += 1
    return worth


def certain(mine: i64, trumps: i64) -> i64:
    """How many tricks some of the trumps take, whoever holds the others: each of these beats one below it at the
    most."""
    above: i64 = 0
    found: i64 = 0
    while trumps:
        card: i64 = highest_place(trumps)
        trumps &= ~BIT[card]
        if not mine & BIT[card]:
            above += 1
        elif above:
            above -= 1
        else:
            found += 1
    return found
