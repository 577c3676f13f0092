"""A hand of cribbage in whole numbers, with every option that a hand depends on; also the cut for the first deal.

A card is `4 * place + suit`, place 0 for an ace up to 12 for a king.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, lowest_place
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 2
LAID: Final[int] = 4
"""The place of what seat 0 has laid away for the crib; that of seat 1 is the next."""
STOCK: Final[int] = 6
NOBODY: Final[i64] = -1
NO_CARD: Final[i64] = -1

FIRST_DEAL: Final[i64] = 0
LAY_AWAY: Final[i64] = 1
CUT: Final[i64] = 2
PLAY: Final[i64] = 3
HANDS: Final[i64] = 4
CRIB: Final[i64] = 5

GO: Final[i64] = 52
MOST: Final[int] = 29
RICH: Final[i64] = 8  # a crib that is worth so much, or more
POOR: Final[i64] = 2  # and so little, or less
THIRTY_ONE: Final[i64] = 31
JACK: Final[i64] = 10
COUNTS: Final[list[i64]] = [min(place + 1, 10) for place in range(13)]
TOTALS: Final[list[i64]] = [2 if total in (15, 31) else 0 for total in range(42)]
"""What a count pegs."""
ALIKE: Final[list[i64]] = [0, 2, 6, 12]
SUITED: Final[list[i64]] = [0x1111111111111 << suit for suit in range(4)]
RANKED: Final[list[i64]] = [0xF << 4 * place for place in range(13)]
FITS: Final[list[i64]] = [(1 << 4 * (room if room < 10 else 13)) - 1 for room in range(32)]
"""By what is left to 31 the cards that can be played."""


def parse_numbers(words: str) -> list[i64]:
    return [int(word) for word in words.split()]


def points_of_places(hand: int) -> int:
    """Points for fifteens, pairs and runs; hand: in base 6 how many cards there are of each place."""
    ways = [1] + [0] * 15
    points, length, many = 0, 0, 1
    for place in range(14):
        same = hand // 6**place % 6
        for _ in range(same):
            top = min(place + 1, 10)
            for total in range(15, top - 1, -1):
                ways[total] += ways[total - top]
        points += same * (same - 1)
        if same:
            length, many = length + 1, many * same
        else:
            points += length * many if length > 2 else 0
            length, many = 0, 1
    return points + 2 * ways[15]


def step_table() -> list[i64]:
    """A table that finds a hand of four card by card, in any order: at `13 * hand + place` stands the hand with that
    card, where the hand of no cards is 0; for a hand of four what the five are worth without flush and nobs."""
    numbers: dict[int, int] = {0: 0}
    worths: dict[int, int] = {}
    hands = [0]
    table: list[i64] = []
    for size in range(5):
        found: list[int] = []
        for hand in hands:
            for place in range(13):
                more: int = hand + 6**place
                if size == 4:
                    if more not in worths:
                        worths[more] = points_of_places(more)
                    table.append(worths[more])
                    continue
                if more not in numbers:
                    numbers[more] = len(numbers)
                    found.append(more)
                table.append(numbers[more])
        hands = found
    return table


def mean_table() -> list[i64]:
    """Table by hand of four: what it is worth on average over the starters, in hundredths."""
    drawn: list[int] = [0] * (len(STEP) // 13)
    for first in range(13):
        for second in range(first, 13):
            for third in range(second, 13):
                two: int = STEP[13 * STEP[first] + second]
                three: int = STEP[13 * two + third]
                for fourth in range(third, 13):
                    hand: int = STEP[13 * three + fourth]
                    total: int = 4 * sum(STEP[13 * hand : 13 * hand + 13])
                    for place in (first, second, third, fourth):
                        total -= STEP[13 * hand + place]
                    drawn[hand] = 100 * total // 48
    return drawn


STEP: Final[list[i64]] = step_table()
MEAN: Final[list[i64]] = mean_table()

# What two cards are worth on average to the own crib, and to that of the other player, in hundredths: a row and a
# column for each place. From 200000 hands of players who lay away by these very tables.
OWN_CRIB: Final[list[i64]] = parse_numbers(
    """
    519 410 434 539 543 371 362 366 332 334 364 333 331
    410 559 686 441 543 380 373 358 361 348 381 351 349
    434 686 577 473 597 366 358 381 362 356 383 355 356
    539 441 473 557 643 374 364 382 365 352 384 353 355
    543 543 597 643 876 653 597 545 541 659 696 668 660
    371 380 366 374 653 563 473 459 504 310 336 306 306
    362 373 358 364 597 473 581 643 389 306 338 307 311
    366 358 381 382 545 459 643 535 464 375 338 314 313
    332 361 362 365 541 504 389 464 503 416 394 297 303
    334 348 356 352 659 310 306 375 416 469 452 333 282
    364 381 383 384 696 336 338 338 394 452 537 480 399
    333 351 355 353 668 306 307 314 297 333 480 465 341
    331 349 356 355 660 306 311 313 303 282 399 341 456
    """
)
THEIR_CRIB: Final[list[i64]] = parse_numbers(
    """
    599 489 496 569 605 489 485 487 465 444 467 435 424
    489 625 707 526 613 506 501 493 472 455 479 446 439
    496 707 665 588 667 483 505 494 469 459 484 451 443
    569 526 588 652 720 542 474 491 472 447 468 441 430
    605 613 667 720 928 750 695 630 617 743 766 734 722
    489 506 483 542 750 710 652 597 629 444 464 430 424
    485 501 505 474 695 652 713 774 536 445 471 436 431
    487 493 494 491 630 597 774 671 592 509 466 438 424
    465 472 469 472 617 629 536 592 634 554 504 416 411
    444 455 459 447 743 444 445 509 554 613 563 467 397
    467 479 484 468 766 464 471 466 504 563 647 554 486
    435 446 451 441 734 430 436 438 416 467 554 590 453
    424 439 443 430 722 424 431 424 411 397 486 453 565
    """
)

# Rules of thumb in hundredths, tried out against each other over 60000 deals played with seats exchanged
NOBS: Final[i64] = 22  # what a jack is worth that is kept
LOW: Final[i64] = 15  # and what a card up to a four is worth in the play
FLUSH: Final[i64] = 420
HIGH: Final[i64] = 2  # what it is worth to get rid of a card, for each point of its count
SPARE: Final[i64] = 60  # what it is worth to play one of two alike, and keep the other for an answer


class CribbageRules:
    """The options of a hand. manual: hands are counted by their players; cut: the player who does not deal cuts for the
    starter; picked: the one who cuts picks a place, or none, as in `games.cribbage.State`."""

    def __init__(self, manual: bool, cut: bool, picked: bool) -> None:
        self.manual = manual
        self.cut = cut
        self.picked = picked


class Cribbage(SearchPosition):
    """hands: the cards that each seat holds, as far as they are known; left: how many; played, laid: masks of those
    that it has played, and laid away; points: what it has scored in this hand; need: what it needs to win.

    starter: NO_CARD before it is turned up; stock: the next card first, empty afterwards. series: the places of the
    cards since the count was last 0; count: theirs; last: who played the last card; gone: who has said go. crib: what
    it was worth, -1 before it is counted."""

    def __init__(self, rules: CribbageRules, dealer: i64, stage: i64) -> None:
        super().__init__()
        self.rules = rules
        self.dealer: i64 = dealer
        self.stage: i64 = stage
        self.hands: list[i64] = [0, 0]
        self.left: list[i64] = [4, 4]
        self.played: list[i64] = [0, 0]
        self.laid: list[i64] = [0, 0]
        self.points: list[i64] = [0, 0]
        self.need: list[i64] = [121, 121]
        self.starter: i64 = NO_CARD
        self.stock: list[i64] = []
        self.first_cut: i64 = NO_CARD
        self.series: list[i64] = []
        self.count: i64 = 0
        self.last: i64 = NOBODY
        self.gone: i64 = NOBODY
        self.crib: i64 = -1

    def copy(self) -> Cribbage:
        new = Cribbage(self.rules, self.dealer, self.stage)
        new.copy_turn_and_race(self)
        new.hands = self.hands[:]
        new.left = self.left[:]
        new.played = self.played[:]
        new.laid = self.laid[:]
        new.points = self.points[:]
        new.need = self.need[:]
        new.starter = self.starter
        new.stock = self.stock[:]
        new.first_cut = self.first_cut
        new.series = self.series[:]
        new.count = self.count
        new.last = self.last
        new.gone = self.gone
        new.crib = self.crib
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, to LAID with the seat added, or to the STOCK, of which nothing matters after the
        starter."""
        if place < LAID:
            self.hands[place] = self.hands[place] | BIT[card]
        elif place < STOCK:
            self.laid[place - LAID] = self.laid[place - LAID] | BIT[card]
        elif self.starter < 0:
            self.stock.append(card)

    def set_stage(
        self, *, turn: i64 = AS_IS, first_cut: i64 = AS_IS, left: list[i64] | None = None, starter: i64 = AS_IS
    ) -> None:
        """Set the fields of a hand in progress; those left out stay."""
        if turn != AS_IS:
            self.turn = turn
        if first_cut != AS_IS:
            self.first_cut = first_cut
        if left is not None:
            self.left = left
        if starter != AS_IS:
            self.starter = starter

    def legal_moves(self) -> i64:
        """A mask of the legal moves: a card that is laid away or played, or GO; for a cut the place from 1 on, 0 for
        none; for a count its number."""
        stage: i64 = self.stage
        if stage == PLAY:
            return self.hands[self.turn] & FITS[THIRTY_ONE - self.count] or BIT[GO]
        if stage == LAY_AWAY:
            return self.hands[self.turn]
        if stage > PLAY:
            return BIT[MOST + 1] - 1
        places: i64 = BIT[len(self.stock) + 1] - 1
        return places if self.rules.picked else places - 1

    def make_move(self, move: i64) -> None:
        stage: i64 = self.stage
        if stage == PLAY:
            if move == GO:
                self.say_go()
            else:
                self._play_card(move)
        elif stage == LAY_AWAY:
            self._lay_away_card(move)
        elif stage == FIRST_DEAL:
            self._cut_for_deal(move)
        elif stage == CUT:
            self._turn_up_starter(self._card_cut(move))
        else:
            self._count_hand(move)

    def mishap_bits(self, seat: i64) -> i64:
        if self.crib < 0:
            return 0
        if seat != self.dealer:
            return 1 if self.crib >= RICH else 0
        return 2 if self.crib <= POOR else 0

    def final_worth(self, seat: i64) -> i64:
        """The points of the seat less those of the other."""
        return self.points[seat] - self.points[1 - seat]

    def final_scores(self) -> list[i64]:
        return self.points

    # --- before the play ----------------------------------------------------------------------------------------------

    def _card_cut(self, place: i64) -> i64:
        if not place or not self.rules.picked:
            place = 1
        return self.stock[place - 1]

    def _cut_for_deal(self, place: i64) -> None:
        """A card for each seat, and again where they are level, for as long as there are cards."""
        card = self._card_cut(place)
        self.stock.remove(card)
        if self.turn == 0:
            self.first_cut = card
            self.turn = 1
        elif self.first_cut >> 2 == card >> 2 and self.stock:
            self.turn = 0
        else:
            self.turn = OVER

    def _lay_away_card(self, card: i64) -> None:
        """Lay one card in the crib; after the last one the starter is next."""
        seat: i64 = self.turn
        bit: i64 = BIT[card]
        self.hands[seat] = self.hands[seat] & ~bit
        self.left[seat] = self.left[seat] - 1
        self.laid[seat] = self.laid[seat] | bit
        if self.left[seat] > 4:
            return
        self.turn = 1 - seat
        if self.left[1 - seat] > 4:
            return
        if self.rules.cut:
            self.stage = CUT
            self.turn = 1 - self.dealer
        else:
            self._turn_up_starter(self.stock[0])

    def _turn_up_starter(self, card: i64) -> None:
        """Turn up the starter, for which a jack pegs two."""
        self.starter = card
        self.stock = []
        self.stage = PLAY
        self.turn = 1 - self.dealer
        if card >> 2 == JACK:
            self._peg_points(self.dealer, 2)

    # --- the play -----------------------------------------------------------------------------------------------------

    def _peg_points(self, seat: i64, points: i64) -> bool:
        """Peg points for a seat; True if they win the game, with which the hand is over."""
        if points > self.need[seat]:
            points = self.need[seat]
        self.points[seat] = self.points[seat] + points
        self.need[seat] = self.need[seat] - points
        if self.need[seat]:
            return False
        self.turn = OVER
        return True

    def pegging_of_place(self, place: i64) -> i64:
        """What a card of this place would peg if it were played now, but for go and last card."""
        series = self.series
        points: i64 = TOTALS[self.count + COUNTS[place]]
        at: i64 = len(series) - 1
        same: i64 = 0
        while at >= 0 and series[at] == place:
            same += 1
            at -= 1
        if same:
            return points + ALIKE[same]
        found: i64 = BIT[place]
        length: i64 = 1
        run: i64 = 0
        while at >= 0:
            bit: i64 = BIT[series[at]]
            if found & bit:
                break
            found |= bit
            length += 1
            if length > 2 and not found & found + (found & -found):
                run = length
            at -= 1
        return points + run

    def _play_card(self, card: i64) -> None:
        seat: i64 = self.turn
        other: i64 = 1 - seat
        place: i64 = card >> 2
        points: i64 = self.pegging_of_place(place)
        self.hands[seat] = self.hands[seat] & ~BIT[card]
        self.played[seat] = self.played[seat] | BIT[card]
        self.left[seat] = self.left[seat] - 1
        self.series.append(place)
        self.count += COUNTS[place]
        self.last = seat
        ends = not self.left[seat] and not self.left[other]
        if ends and self.count < THIRTY_ONE:
            points += 1
        if points and self._peg_points(seat, points):
            return
        if ends:
            self._start_show()
        elif self.count == THIRTY_ONE:
            self._start_series()
        elif self.left[other] and self.gone != other:
            self.turn = other
        elif not self.left[seat]:
            self._end_series()

    def say_go(self) -> None:
        """Say go for the seat to act, which can play no card."""
        other: i64 = 1 - self.turn
        if self.left[other] and self.gone < 0:
            self.gone = self.turn
            self.turn = other
        else:
            self._end_series()

    def _end_series(self) -> None:
        """End a series below 31, with a point for the last card."""
        if not self._peg_points(self.last, 1):
            self._start_series()

    def _start_series(self) -> None:
        """Begin a new series in the play, its count at 0."""
        self.series = []
        self.count = 0
        self.gone = NOBODY
        self.turn = 1 - self.last if self.left[1 - self.last] else self.last

    # --- the show -----------------------------------------------------------------------------------------------------

    def _start_show(self) -> None:
        self.stage = HANDS
        self.series = []
        self.count = 0
        self.turn = 1 - self.dealer
        if not self.rules.manual:
            while self.turn >= 0:
                self._count_hand(self.true_count())

    def true_count(self) -> i64:
        """The true points of the hand or crib to be counted now."""
        if self.stage == CRIB:
            return show_points_of(self.laid[0] | self.laid[1], self.starter, True)
        return show_points_of(self.played[self.turn], self.starter, False)

    def _count_hand(self, said: i64) -> None:
        """Count the hand as `said`; the difference to what is true goes to the other player."""
        seat: i64 = self.turn
        true: i64 = self.true_count()
        if self.stage == CRIB:
            self.crib = true
        if self._peg_points(seat, true if said >= true else said):
            return
        if said != true and self._peg_points(1 - seat, said - true if said > true else true - said):
            return
        if self.stage == CRIB:
            self.turn = OVER
        elif seat == self.dealer:
            self.stage = CRIB
        else:
            self.turn = self.dealer

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def equivalent_move(self, move: i64) -> i64:
        """The lowest card of the same rank in the play, where suits do not matter; otherwise the move itself."""
        if self.stage != PLAY or move == GO:
            return move
        return lowest_place(self.hands[self.turn] & RANKED[move >> 2])

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.stage == PLAY:
            return self._best_pegging_card(self.legal_moves())
        if self.stage == LAY_AWAY:
            return self._best_to_lay_away()
        if self.stage > PLAY:
            return self.true_count()
        return lowest_place(self.legal_moves())

    def _best_to_lay_away(self) -> i64:
        """One of the two cards without which the hand is worth most, with what they are worth to the crib."""
        hand: i64 = self.hands[self.turn]
        already: i64 = self.laid[self.turn]
        own = self.turn == self.dealer
        best: i64 = NO_CARD
        most: i64 = -100000
        left: i64 = hand
        while left:
            first: i64 = left & -left
            left ^= first
            rest: i64 = already or left
            while rest:
                second: i64 = rest & -rest
                rest ^= second
                worth: i64 = worth_kept(hand & ~(first | second), first | second, own)
                if worth > most:
                    most = worth
                    best = lowest_place(first)
        return best

    def _best_pegging_card(self, can: i64) -> i64:
        """The card that pegs most, with what the next card of the other player may peg taken off."""
        if not can & (can - 1):
            return lowest_place(can)
        seen: i64 = self._seen_cards()
        best: i64 = NO_CARD
        most: i64 = -100000
        left: i64 = can
        while left:
            card: i64 = lowest_place(left)
            left &= ~RANKED[card >> 2]
            worth: i64 = self._pegging_worth(card, seen)
            if worth > most:
                most = worth
                best = card
        return best

    def playing_loss(self, move: i64) -> i64:
        """How much worse a card, or a go, is than the best that could be played, in hundredths."""
        can: i64 = self.legal_moves()
        if not can & (can - 1):
            return 0
        seen: i64 = self._seen_cards()
        mine: i64 = self._pegging_worth(move, seen)
        most: i64 = mine
        left: i64 = can & ~RANKED[move >> 2]
        while left:
            card: i64 = lowest_place(left)
            left &= ~RANKED[card >> 2]
            most = max(most, self._pegging_worth(card, seen))
        return most - mine

    def _seen_cards(self) -> i64:
        """Every card that whose turn it is knows."""
        seat: i64 = self.turn
        return self.hands[seat] | self.played[0] | self.played[1] | self.laid[seat] | BIT[self.starter]

    def _pegging_worth(self, card: i64, seen: i64) -> i64:
        """What it is worth to play a card, in hundredths. seen: every card that is known."""
        place: i64 = card >> 2
        worth: i64 = 100 * self.pegging_of_place(place)
        self.series.append(place)
        self.count += COUNTS[place]
        worth += self._pegging_outlook(place, self.hands[self.turn] & ~BIT[card], seen)
        self.series.pop()
        self.count -= COUNTS[place]
        return worth

    def _pegging_outlook(self, place: i64, rest: i64, seen: i64) -> i64:
        """Points, in hundredths, that may follow a card just added to the series. rest: the own cards left; seen: every
        card that is known."""
        if self.count == THIRTY_ONE:
            return 0
        other: i64 = 1 - self.turn
        held: i64 = self.left[other]
        unseen: i64 = 52 - bit_count(seen)
        room: i64 = THIRTY_ONE - self.count
        worth: i64 = HIGH * COUNTS[place] if len(self.series) > 1 else 0
        if rest & RANKED[place]:
            worth += SPARE
        if self.gone == other or not held:
            return worth
        can: i64 = FITS[room] & ~seen
        stuck: i64 = 100
        while held > 0:
            stuck = stuck * (unseen - bit_count(can)) // unseen
            held -= 1
        worth += stuck
        reply: i64 = 0
        while reply < 13:
            ways: i64 = bit_count(can & RANKED[reply])
            if ways:
                points: i64 = self.pegging_of_place(reply)
                if points:
                    worth -= 100 * points * ways * self.left[other] // unseen
            reply += 1
        return worth


def worth_kept(hand: i64, away: i64, own: bool) -> i64:
    """Worth of keeping four cards and laying two in the own crib or that of the other, in hundredths."""
    number: i64 = 0
    left: i64 = hand
    while left:
        card: i64 = lowest_place(left)
        left &= left - 1
        number = STEP[13 * number + (card >> 2)]
    worth: i64 = MEAN[number] + NOBS * bit_count(hand & RANKED[JACK]) + LOW * bit_count(hand & FITS[4])
    if not hand & ~SUITED[lowest_place(hand) & 3]:
        worth += FLUSH
    two: i64 = 13 * (lowest_place(away) >> 2) + (lowest_place(away & (away - 1)) >> 2)
    return worth + OWN_CRIB[two] if own else worth - THEIR_CRIB[two]


def show_points_of(hand: i64, starter: i64, crib: bool) -> i64:
    """Points of four cards with the starter."""
    number: i64 = 0
    left: i64 = hand
    while left:
        number = STEP[13 * number + (lowest_place(left) >> 2)]
        left &= left - 1
    points: i64 = STEP[13 * number + (starter >> 2)]
    suit: i64 = starter & 3
    if not hand & ~SUITED[suit]:
        points += 5
    elif not crib and not hand & ~SUITED[lowest_place(hand) & 3]:
        points += 4
    if hand & BIT[4 * JACK + suit]:
        points += 1
    return points
