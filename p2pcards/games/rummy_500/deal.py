"""A hand of rummy 500 in whole numbers, with every option that a hand depends on.

Melding, laying off and discarding are moves of two or three steps: what is done, which card, and for a run the card at
its upper end. Runs that lie end to end on the table are as one here, as they take the same cards; so a suit whose cards
from two to king all lie in runs takes its ace above the king only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, highest_place, lowest_place
from p2pcards.games.deals.melds import (
    EACH,
    PACK,
    RANK_OF,
    SUIT,
    WIDTH,
    cards_in_runs,
    cards_in_sets,
    cards_laid_off_on_runs,
    points_of_cards,
)
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition

if TYPE_CHECKING:
    from mypy_extensions import i64

STOCK: Final[i64] = 4
TURNS: Final[i64] = 200
NONE: Final[i64] = -1
HIGH: Final[i64] = EACH << 13

DRAWING: Final[i64] = 0
MELDING: Final[i64] = 1
ENDING_RUN: Final[i64] = 2

DRAW: Final[i64] = 62
# The numbers that are no cards; the stage in which their card is chosen has the same number.
RUN: Final[i64] = 13
WHOLE_SET: Final[i64] = 14
SET_WITHOUT: Final[i64] = 28
ON_RUN: Final[i64] = 29
BELOW_RUN: Final[i64] = 43
ON_SET: Final[i64] = 44

# Found by trying out, in points:
HOPE: Final[i64] = 8  # what an unseen card is worth that makes a meld of two
GIFT: Final[i64] = 24  # what it costs that a discard lies with another that goes with it
GAIN: Final[i64] = 1  # the most by which taking discards may be better than drawing, and not be done


class RummyRules:
    """low, high: where an ace may stand in a run; keeps: whether the last card of a hand must be discarded; free_top:
    whether the top discard may be taken without being melded at once."""

    def __init__(self, players: i64, low: bool, high: bool, keeps: bool, free_top: bool) -> None:
        self.players: i64 = players
        self.low = low
        self.high = high
        self.keeps: i64 = 1 if keeps else 0
        self.free_top = free_top
        self.ace: i64 = 14 if high else 0  # what an ace counts more than 1

    def run_places(self, cards: i64) -> i64:
        """The places in runs of some cards: an ace below the two, above the king, or both."""
        places: i64 = cards if self.low else cards & ~EACH
        return places | (cards & EACH) << 13 if self.high else places

    def cards_value(self, cards: i64) -> i64:
        """What cards count in a hand or in sets."""
        return points_of_cards(cards) + self.ace * bit_count(cards & EACH)


def cards_in_places(places: i64) -> i64:
    """The cards that stand in some places of runs."""
    return places & PACK | (places & HIGH) >> 13


class Rummy500(SearchPosition):
    """shown: what each seat is known to hold, as it took it from the discards; stock: in the order in which it is
    drawn; left: how many of it are still there; pile: the discards, the top one last; runs: the places of the cards in
    runs on the table, those of high aces above the kings; sets: the cards in sets; laid: what each seat has laid down,
    in points; owed: the discard that must be melded or laid off now; first: the lowest place of the run that is melded;
    turns: how many are over; void: whether the hand has lasted too long to count."""

    def __init__(self, rules: RummyRules) -> None:
        super().__init__()
        self.rules = rules
        self.hands: list[i64] = [0] * rules.players
        self.shown: list[i64] = [0] * rules.players
        self.laid: list[i64] = [0] * rules.players
        self.stock: list[i64] = []
        self.left: i64 = 0
        self.pile: list[i64] = []
        self.runs: i64 = 0
        self.sets: i64 = 0
        self.stage: i64 = DRAWING
        self.owed: i64 = NONE
        self.first: i64 = NONE
        self.turns: i64 = 0
        self.void = False

    def copy(self) -> Rummy500:
        new = Rummy500(self.rules)
        new.copy_turn_and_race(self)
        new.hands = self.hands[:]
        new.shown = self.shown[:]
        new.laid = self.laid[:]
        new.stock = self.stock[:]
        new.left = self.left
        new.pile = self.pile[:]
        new.runs = self.runs
        new.sets = self.sets
        new.stage = self.stage
        new.owed = self.owed
        new.first = self.first
        new.turns = self.turns
        new.void = self.void
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or to the stock as the one drawn after those before."""
        if place == STOCK:
            self.stock.append(card)
        else:
            self.hands[place] = self.hands[place] | BIT[card]

    # --- moves --------------------------------------------------------------------------------------------------------

    def set_stage(
        self,
        *,
        turn: i64 = AS_IS,
        turns: i64 = AS_IS,
        owed: i64 = AS_IS,
        stage: i64 = AS_IS,
        left: i64 = AS_IS,
        pile: list[i64] | None = None,
        runs: i64 = AS_IS,
        sets: i64 = AS_IS,
    ) -> None:
        """Set the fields of a hand in progress; those left out stay."""
        if turn != AS_IS:
            self.turn = turn
        if turns != AS_IS:
            self.turns = turns
        if owed != AS_IS:
            self.owed = owed
        if stage != AS_IS:
            self.stage = stage
        if left != AS_IS:
            self.left = left
        if pile is not None:
            self.pile = pile
        if runs != AS_IS:
            self.runs = runs
        if sets != AS_IS:
            self.sets = sets

    def legal_moves(self) -> i64:
        if self.stage == DRAWING:
            return self._drawable()
        hand: i64 = self.hands[self.turn]
        if self.stage == MELDING:
            found: i64 = hand if self.owed < 0 else 0
            found |= BIT[RUN] if self.run_starts(hand) else 0
            found |= BIT[WHOLE_SET] if self.whole_sets(hand) else 0
            found |= BIT[SET_WITHOUT] if self._left_out_of_sets(hand) else 0
            found |= BIT[ON_RUN] if self.laid_off_on_runs(hand) else 0
            found |= BIT[BELOW_RUN] if self._aces_below_runs(hand) else 0
            return found | (BIT[ON_SET] if self.laid_off_on_sets(hand) else 0)
        if self.stage == RUN:
            return self.run_starts(hand)
        if self.stage == ENDING_RUN:
            return self.run_ends(hand, self.first)
        if self.stage == WHOLE_SET:
            return self.whole_sets(hand)
        if self.stage == SET_WITHOUT:
            return self._left_out_of_sets(hand)
        if self.stage == ON_RUN:
            return self.laid_off_on_runs(hand)
        return self._aces_below_runs(hand) if self.stage == BELOW_RUN else self.laid_off_on_sets(hand)

    def _drawable(self) -> i64:
        """A mask of what may be drawn: the stock, and the discards that can be laid down at once."""
        found: i64 = BIT[DRAW]
        hand: i64 = self.hands[self.turn]
        place: i64 = len(self.pile) - 1
        if self.rules.free_top and place >= 0:
            found |= BIT[self.pile[place]]
        while place >= 0:
            card: i64 = self.pile[place]
            hand |= BIT[card]
            if self.can_be_laid_down(card, hand):
                found |= BIT[card]
            place -= 1
        return found

    def can_be_laid_down(self, card: i64, hand: i64) -> bool:
        """Return whether this card of a hand can be melded or laid off."""
        bit: i64 = BIT[card]
        keeps: i64 = self.rules.keeps
        number: i64 = bit_count(hand)
        if number >= 3 + keeps and bit & (
            cards_in_sets(hand & RANK_OF[card]) | cards_in_places(cards_in_runs(self.rules.run_places(hand)))
        ):
            return True
        places: i64 = self.rules.run_places(bit)
        on: i64 = places & (self.runs << 1 | self.runs >> 1) | RANK_OF[card] & self.sets
        return bool(on) and number > keeps

    def _usable_now(self, cards: i64) -> i64:
        """Those of some cards that may be laid down now: only the one that is owed, if one is."""
        return cards if self.owed < 0 else cards & BIT[self.owed]

    def run_starts(self, hand: i64) -> i64:
        """The cards with which a run may begin."""
        places: i64 = self.rules.run_places(hand)
        left: i64 = places & places >> 1 & places >> 2
        found: i64 = 0
        while left:
            first: i64 = lowest_place(left)
            left &= left - 1
            if self.run_ends(hand, first):
                found |= BIT[first]
        return found

    def run_ends(self, hand: i64, first: i64) -> i64:
        """The cards with which a run may end that begins with this one."""
        rules = self.rules
        places: i64 = rules.run_places(hand)
        most: i64 = bit_count(hand) - rules.keeps
        if not first % WIDTH:  # a whole suit is melded with its ace high where it may be
            most = min(most, 12 if rules.high else 13)
        owed: i64 = 0 if self.owed < 0 else BIT[self.owed]
        run: i64 = 0
        found: i64 = 0
        length: i64 = 0
        while length < most and places & BIT[first]:
            run |= BIT[first]
            length += 1
            if length >= 3 and not owed & ~cards_in_places(run):
                found |= cards_in_places(BIT[first])
            first += 1
        return found

    def whole_sets(self, hand: i64) -> i64:
        """The lowest card of each rank of which all are melded that are held, three or four."""
        left: i64 = cards_in_sets(hand)
        most: i64 = bit_count(hand) - self.rules.keeps
        found: i64 = 0
        while left:
            card: i64 = lowest_place(left)
            equal: i64 = left & RANK_OF[card]
            left &= ~equal
            if bit_count(equal) <= most and (self.owed < 0 or equal & BIT[self.owed]):
                found |= BIT[card]
        return found

    def _left_out_of_sets(self, hand: i64) -> i64:
        """The cards of which the other three of the rank are melded."""
        clubs: i64 = hand & SUIT
        four: i64 = EACH * (clubs & hand >> WIDTH & hand >> 2 * WIDTH & hand >> 3 * WIDTH)
        if bit_count(hand) < 3 + self.rules.keeps:
            return 0
        return four if self.owed < 0 else four & RANK_OF[self.owed] & ~BIT[self.owed]

    def laid_off_on_runs(self, hand: i64) -> i64:
        """What may be laid off on runs, but for aces below them."""
        if bit_count(hand) <= self.rules.keeps:
            return 0
        places: i64 = self.rules.run_places(hand) & ~EACH
        return self._usable_now(cards_in_places(places & (self.runs << 1 | self.runs >> 1)))

    def _aces_below_runs(self, hand: i64) -> i64:
        """The aces that may be laid off below runs."""
        if not self.rules.low or bit_count(hand) <= self.rules.keeps:
            return 0
        aces: i64 = hand & EACH & self.runs >> 1
        if self.rules.high:
            left: i64 = aces
            while left:
                suit: i64 = (left & -left) * SUIT & ~left
                if not suit & ~self.runs & ~EACH:
                    aces &= ~(left & -left)
                left &= left - 1
        return self._usable_now(aces)

    def laid_off_on_sets(self, hand: i64) -> i64:
        """What may be laid off on sets."""
        if not self.sets or bit_count(hand) <= self.rules.keeps:
            return 0
        sets: i64 = self.sets
        ranks: i64 = (sets | sets >> WIDTH | sets >> 2 * WIDTH | sets >> 3 * WIDTH) & SUIT
        return self._usable_now(hand & ranks * EACH)

    # --- what they do -------------------------------------------------------------------------------------------------

    def make_move(self, move: i64) -> None:
        seat: i64 = self.turn
        hand: i64 = self.hands[seat]
        if self.stage == DRAWING:
            self._draw_from(seat, move)
        elif self.stage == MELDING:
            if hand & BIT[move]:
                self._make_discard(seat, move)
            else:
                self.stage = move
        elif self.stage == RUN:
            self.first = move
            self.stage = ENDING_RUN
        elif self.stage == ENDING_RUN:
            last: i64 = move if move % WIDTH else move + 13
            self._lay_run(seat, BIT[last] | BIT[last] - BIT[self.first])
        elif self.stage == ON_RUN:
            self._lay_run(seat, BIT[move] if move % WIDTH else BIT[move + 13])
        elif self.stage == BELOW_RUN:
            self._lay_run(seat, BIT[move])
        elif self.stage == ON_SET:
            self._lay_set(seat, BIT[move])
        else:
            equal: i64 = hand & RANK_OF[move]
            self._lay_set(seat, equal if self.stage == WHOLE_SET else equal & ~BIT[move])

    def _draw_from(self, seat: i64, move: i64) -> None:
        """Draw from the stock, or take the discards down to the card of this move."""
        self.stage = MELDING
        if move == DRAW:
            self.hands[seat] = self.hands[seat] | BIT[self.stock[len(self.stock) - self.left]]
            self.left -= 1
            return
        pile = self.pile
        if not self.rules.free_top or pile[len(pile) - 1] != move:
            self.owed = move
        taken: i64 = 0
        while not taken & BIT[move]:
            taken |= BIT[pile.pop()]
        self.hands[seat] = self.hands[seat] | taken
        self.shown[seat] = self.shown[seat] | taken

    def _lay_run(self, seat: i64, places: i64) -> None:
        """Lay down a run or cards on runs, given as places of runs."""
        self.runs |= places
        points: i64 = points_of_cards(places & PACK) + 15 * bit_count(places & HIGH)
        self._lay_down(seat, cards_in_places(places), points)

    def _lay_set(self, seat: i64, cards: i64) -> None:
        """Lay down a set or cards on sets."""
        self.sets |= cards
        self._lay_down(seat, cards, self.rules.cards_value(cards))

    def _lay_down(self, seat: i64, cards: i64, points: i64) -> None:
        """Lay cards on the table for points; the turn goes on, unless none is left."""
        self.laid[seat] = self.laid[seat] + points
        self.hands[seat] = self.hands[seat] & ~cards
        self.shown[seat] = self.shown[seat] & ~cards
        self.owed = NONE
        self.stage = MELDING
        if not self.hands[seat]:
            self.turn = OVER

    def _make_discard(self, seat: i64, card: i64) -> None:
        self.hands[seat] = self.hands[seat] & ~BIT[card]
        self.shown[seat] = self.shown[seat] & ~BIT[card]
        self.pile.append(card)
        self.stage = DRAWING
        self.turns += 1
        self.turn = seat + 1 if seat + 1 < self.rules.players else 0
        if not self.hands[seat] or not self.left:
            self.turn = OVER
        elif self.turns == TURNS:
            self.turn = OVER
            self.void = True

    def mishap_bits(self, seat: i64) -> i64:
        other: i64 = 0
        while other < self.rules.players:
            if other != seat and not self.hands[other]:
                return 1
            other += 1
        return 0

    def final_worth(self, seat: i64) -> i64:
        """The points of the seat times the number of players, less those of all."""
        if self.void:
            return 0
        total: i64 = 0
        other: i64 = 0
        while other < self.rules.players:
            total += self._points_of_seat(other)
            other += 1
        return self.rules.players * self._points_of_seat(seat) - total

    def final_scores(self) -> list[i64]:
        scored: list[i64] = [0] * self.rules.players
        seat: i64 = 0
        while seat < self.rules.players and not self.void:
            scored[seat] = self._points_of_seat(seat)
            seat += 1
        return scored

    def _points_of_seat(self, seat: i64) -> i64:
        """Score of the hand for a seat."""
        return self.laid[seat] - self.rules.cards_value(self.hands[seat])

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        """The move by rules of thumb: all is laid down that can be, what counts most first; discards are taken that
        pay."""
        hand: i64 = self.hands[self.turn]
        if self.stage == DRAWING:
            return self._rule_of_thumb_draw(hand)
        if self.stage == MELDING:
            return self._rule_of_thumb_use(hand)
        can: i64 = self.legal_moves()
        if self.stage == RUN:
            return self._best_run(hand, can)
        if self.stage == ENDING_RUN:
            return lowest_place(can & EACH) if can & EACH else highest_place(can)
        if self.stage == WHOLE_SET:
            return self._best_set(can)
        return highest_place(can)

    def _rule_of_thumb_use(self, hand: i64) -> i64:
        """The kind of meld or laying off that rules of thumb choose; a discard where nothing can be laid down."""
        runs: i64 = self.run_starts(hand)
        sets: i64 = self.whole_sets(hand)
        if runs and sets:
            first: i64 = self._best_run(hand, runs)
            equal: i64 = hand & RANK_OF[self._best_set(sets)]
            return RUN if self._run_value(hand, first) >= self.rules.cards_value(equal) else WHOLE_SET
        if runs:
            return RUN
        if sets:
            return WHOLE_SET
        if self.laid_off_on_runs(hand):
            return ON_RUN
        if self.laid_off_on_sets(hand):
            return ON_SET
        if self._aces_below_runs(hand):
            return BELOW_RUN
        if self.owed >= 0:
            return SET_WITHOUT
        return self._rule_of_thumb_discard(hand)

    def _best_set(self, can: i64) -> i64:
        """Of the lowest cards of sets the one that counts most."""
        if self.rules.high and can & EACH:
            return lowest_place(can & EACH)
        best: i64 = lowest_place(can)
        can &= can - 1
        while can:
            card: i64 = lowest_place(can)
            can &= can - 1
            if card % WIDTH > best % WIDTH:
                best = card
        return best

    def _best_run(self, hand: i64, can: i64) -> i64:
        """Of the cards with which a run may begin that of the run that counts most."""
        best: i64 = NONE
        most: i64 = -1
        while can:
            first: i64 = lowest_place(can)
            can &= can - 1
            value: i64 = self._run_value(hand, first)
            if value > most:
                most = value
                best = first
        return best

    def _run_value(self, hand: i64, first: i64) -> i64:
        """What the longest run counts that begins with this card."""
        ends: i64 = self.run_ends(hand, first)
        if ends & EACH:
            last: i64 = lowest_place(ends & EACH)
            return points_of_cards(BIT[last + 13] - BIT[first]) + 15
        last = highest_place(ends)
        return points_of_cards(BIT[last] | BIT[last] - BIT[first])

    def _rule_of_thumb_draw(self, hand: i64) -> i64:
        """The card of the pile to take down to, or `DRAW` for the stock: the one with which most more can be laid down,
        never mind what else comes to the hand, if that is more than `GAIN` points."""
        best: i64 = DRAW
        most: i64 = self.points_laid_at_once(hand) + GAIN
        cards: i64 = hand
        place: i64 = len(self.pile) - 1
        top = self.rules.free_top
        while place >= 0:
            card: i64 = self.pile[place]
            cards |= BIT[card]
            if top or self.can_be_laid_down(card, cards):
                points: i64 = self.points_laid_at_once(cards)
                if points > most:
                    most = points
                    best = card
            top = False
            place -= 1
        return best

    def points_laid_at_once(self, cards: i64) -> i64:
        """About how many points of some cards could be laid down at once."""
        rules = self.rules
        places: i64 = rules.run_places(cards)
        runs: i64 = cards_in_runs(places)
        sets: i64 = cards_in_sets(cards)
        points: i64 = 0
        if cards_in_places(runs) & sets:
            other: i64 = cards_in_sets(cards & ~cards_in_places(runs))
            rest: i64 = cards_in_runs(rules.run_places(cards & ~sets))
            points = self._places_value(runs) + rules.cards_value(other)
            instead: i64 = self._places_value(rest) + rules.cards_value(sets)
            if instead > points:
                points = instead
                runs = rest
            else:
                sets = other
        else:
            points = self._places_value(runs) + rules.cards_value(sets)
        left: i64 = cards & ~(sets | cards_in_places(runs))
        if left:
            off: i64 = cards_laid_off_on_runs(self.runs | runs, rules.run_places(left))
            points += self._places_value(off) + rules.cards_value(self._fourths_of_sets(left & ~cards_in_places(off)))
        return points

    def _places_value(self, places: i64) -> i64:
        """What cards count in places of runs; an ace in two places counts once, high."""
        aces: i64 = places & HIGH
        return points_of_cards(places & PACK & ~(aces >> 13)) + 15 * bit_count(aces)

    def _fourths_of_sets(self, cards: i64) -> i64:
        sets: i64 = self.sets
        ranks: i64 = (sets | sets >> WIDTH | sets >> 2 * WIDTH | sets >> 3 * WIDTH) & SUIT
        return cards & ranks * EACH

    def _rule_of_thumb_discard(self, hand: i64) -> i64:
        """The discard with the least hope of a meld, that helps the others least, and of these counts most."""
        piled: i64 = self._pile_mask()
        best: i64 = NONE
        most: i64 = -(1 << 30)
        left: i64 = hand
        while left:
            card: i64 = lowest_place(left)
            left &= left - 1
            worth: i64 = self._discard_worth_beside(card, hand, piled)
            if worth > most:
                most = worth
                best = card
        return best

    def _pile_mask(self) -> i64:
        piled: i64 = 0
        for card in self.pile:
            piled |= BIT[card]
        return piled

    def discard_worth(self, card: i64) -> i64:
        """Worth of discarding a card, in points, by rules of thumb."""
        return self._discard_worth_beside(card, self.hands[self.turn], self._pile_mask())

    def _discard_worth_beside(self, card: i64, hand: i64, piled: i64) -> i64:
        gone: i64 = hand | piled | cards_in_places(self.runs) | self.sets
        hopes: i64 = bit_count(self._completing_cards(card, hand) & ~gone)
        gifts: i64 = bit_count(self._near_cards(card) & piled)
        return self.rules.cards_value(BIT[card]) - HOPE * hopes - GIFT * gifts

    def _near_cards(self, card: i64) -> i64:
        """The cards of its rank, and those at most two away in its suit."""
        places: i64 = self.rules.run_places(BIT[card])
        near: i64 = places << 1 | places >> 1 | places << 2 | places >> 2
        return (RANK_OF[card] | near & PACK | (near & HIGH) >> 13) & ~BIT[card]

    def _completing_cards(self, card: i64, hand: i64) -> i64:
        """The cards that make a meld of this one and another of the hand."""
        rank: i64 = RANK_OF[card] & ~BIT[card]
        found: i64 = rank if hand & rank else 0
        held: i64 = self.rules.run_places(hand)
        bit: i64 = self.rules.run_places(BIT[card])
        above: i64 = bit << 1 & held
        below: i64 = bit >> 1 & held
        runs: i64 = above << 1 | above >> 2 | below >> 1 | below << 2
        runs |= (bit << 2 & held) >> 1 | (bit >> 2 & held) << 1
        return found | runs & PACK | (runs & HIGH) >> 13
