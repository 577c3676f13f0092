"""A round of two-handed pinochle in whole numbers: tricks with a stock and melds, then strict tricks without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pcards.games.deals.bits import BIT, Chance, bit_count, lowest_place
from p2pcards.games.deals.pinochle_melds import (
    CLOSES,
    DIX,
    KIND_OF,
    KINDS,
    MARRIAGES,
    PATTERNS,
    THE_DIX,
    Patterns,
)
from p2pcards.games.deals.pinochle_tricks import ALL, COPIES, JACK, RANKS, SUITS, PinochleTricks
from p2pcards.games.deals.position import AS_IS, OVER, SearchPosition, Solver
from p2pcards.games.deals.race import SURE, chance_to_win_race
from p2pcards.games.deals.strict_ending import StrictEnding
from p2pcards.games.deals.strict_tricks import best_answer, best_lead

if TYPE_CHECKING:
    from mypy_extensions import i64

SEATS: Final[int] = 2
HIDDEN: Final[int] = SEATS  # the place of `tricks` that nobody sees
FIRST, MELD, DRAWING, SECOND = range(4)
LAST_TRICK: Final[int] = 2  # cards to be drawn

# The moves. A card: its face, the first copy of it; or the second, where the two can be told apart. First is the one in
# the hand, then those that lie open in the order of their numbers. To meld: the second copies that are to be used, in
# any order, and then the number of the meld.
SECONDS: Final[int] = 4 * RANKS
FACES_OF_SECONDS: Final[list[i64]] = [suit * RANKS + rank for suit in range(4) for rank in range(JACK, RANKS)]
SECOND_DIX: Final[int] = SECONDS + len(FACES_OF_SECONDS)
KNOCK: Final[int] = 61
DRAW: Final[int] = 62


def second_of(face: i64) -> i64:
    """The move that names the second copy of a face; one below the jack is the dix."""
    rank: i64 = face & 7
    return SECOND_DIX if rank < JACK else SECONDS + 5 * (face >> 3) + rank - JACK


class Pinochle2Rules:
    """The options of a round, as in `games.pinochle2.Options`. lowest: the rank of the dix; roundhouse: what it counts,
    0 for none; values: what each face counts; goal: as it stands; scores: of the seats before the round. points: that
    are as good as the game, where points count as far as they help to win it; 0 where they count for themselves."""

    def __init__(
        self,
        lowest: i64,
        red_pinochle: bool,
        roundhouse: i64,
        dix_alone: bool,
        must_overplay: bool,
        score_by_round: bool,
        auto_knock: bool,
        last_trick: i64,
        values: list[i64],
        goal: i64,
        scores: list[i64],
        points: i64 = 0,
    ) -> None:
        self.lowest: i64 = lowest
        self.red_pinochle = red_pinochle
        self.roundhouse: i64 = roundhouse
        self.dix_alone = dix_alone
        self.must_overplay = must_overplay
        self.score_by_round = score_by_round
        self.auto_knock = auto_knock
        self.last_trick: i64 = last_trick
        self.values = values
        self.goal: i64 = goal
        self.scores = scores
        self.points: i64 = points


class SecondPart(StrictEnding):
    def worth_between(self, position: SearchPosition, low: i64, high: i64, nodes: i64) -> i64:
        """Worth of the rest of the second part, or a bound, as in `Solver.worth_between`."""
        assert isinstance(position, Pinochle2)
        return self.solve_tricks(position.tricks, low, high, nodes)


class Pinochle2(SearchPosition):
    """suit: of the trumps. phase: FIRST, MELD, DRAWING or SECOND. turned: the turn-up while it lies there; stock: the
    cards face down, as they will be drawn; drawn: how many of these are gone; left: cards to be drawn, with the
    turn-up.

    open: by seat two masks, the open cards numbered one and two; closed: for each of these masks and each kind of meld
    the faces that may not be in one any more. The hands of `tricks` hold the others. melded: no more melds after this
    trick but a free dix; marks: the faces of which the second copy is to be melded. scored: by seat, without the cards
    taken in the second part. knocked: who has, -1 for nobody."""

    def __init__(self, rules: Pinochle2Rules, suit: i64, patterns: Patterns) -> None:
        super().__init__()
        self.rules = rules
        self.suit: i64 = suit
        self.patterns = patterns
        trump: i64 = SUITS[suit]
        self.tricks = PinochleTricks(SEATS, trump, True, ALL if rules.must_overplay else trump, rules.values)
        self.phase: i64 = FIRST
        self.turned: i64 = -1
        self.stock: list[i64] = []
        self.drawn: i64 = 0
        self.left: i64 = 0
        self.open: list[i64] = [0, 0, 0, 0]
        self.closed: list[i64] = [0] * (4 * KINDS)
        self.melded = False
        self.marks: i64 = 0
        self.leader: i64 = 0
        self.scored: list[i64] = [0, 0]
        self.knocked: i64 = -1

    def copy(self) -> Pinochle2:
        new = Pinochle2(self.rules, self.suit, self.patterns)
        new.turn = self.turn
        new.tricks = self.tricks.copy()
        new.phase = self.phase
        new.turned = self.turned
        new.stock = self.stock[:]
        new.drawn = self.drawn
        new.left = self.left
        new.open = self.open[:]
        new.closed = self.closed[:]
        new.melded = self.melded
        new.marks = self.marks
        new.leader = self.leader
        new.scored = self.scored[:]
        new.knocked = self.knocked
        return new

    def place_card(self, place: i64, card: i64) -> None:
        """Add a card to a seat's hand, or to the stock, in the order in which it will be drawn."""
        if place < SEATS:
            self.tricks.add_face(place, card)
        else:
            self.stock.append(card)

    # --- moves --------------------------------------------------------------------------------------------------------

    def set_stage(
        self,
        *,
        leader: i64 = AS_IS,
        melded: bool | None = None,
        left: i64 = AS_IS,
        phase: i64 = AS_IS,
        turned: i64 = AS_IS,
        turn: i64 = AS_IS,
    ) -> None:
        """Set the fields of a hand in progress; those left out stay."""
        if leader != AS_IS:
            self.leader = leader
        if melded is not None:
            self.melded = melded
        if left != AS_IS:
            self.left = left
        if phase != AS_IS:
            self.phase = phase
        if turned != AS_IS:
            self.turned = turned
        if turn != AS_IS:
            self.turn = turn

    def legal_moves(self) -> i64:
        knock: i64 = BIT[KNOCK] if self.may_knock() and not self.marks else 0
        if knock and self.rules.auto_knock:
            return knock
        if self.phase == SECOND:
            return self.tricks.playable_faces()
        if self.phase == FIRST:
            return self._playable_cards() | knock
        if self.phase == DRAWING:
            return BIT[DRAW] | knock
        return self._meld_moves() | knock

    def may_knock(self) -> bool:
        rules, seat = self.rules, self.turn
        if rules.score_by_round or self.phase == SECOND:
            return False
        return rules.scores[seat] + self.scored[seat] >= rules.goal

    def _playable_cards(self) -> i64:
        """The cards of the hand and those that lie open."""
        seat: i64 = self.turn
        hand: i64 = self.tricks.faces_held(seat)
        one: i64 = self.open[2 * seat]
        two: i64 = self.open[2 * seat + 1]
        found: i64 = hand | one | two
        left: i64 = hand & (one | two) | one & two
        while left:
            found |= BIT[second_of(lowest_place(left))]
            left &= left - 1
        return found

    def eligible_copies(self, seat: i64, number: i64, kind: i64) -> i64:
        """The open cards of this number, 0 or 1, that may be in a meld of this kind."""
        at: i64 = 2 * seat + number
        return self.open[at] & ~self.closed[at * KINDS + kind]

    def can_make_meld(self, pattern: i64, seat: i64) -> bool:
        """Return whether the cards of a seat make this meld, however many it has made after this trick."""
        cards: i64 = self.patterns.cards[pattern]
        kind: i64 = KIND_OF[pattern]
        hand: i64 = self.tricks.faces_held(seat)
        if not cards & hand or not self.patterns.points[pattern]:
            return False
        cards &= ~hand
        if not cards:
            return True
        return not cards & ~(self.eligible_copies(seat, 0, kind) | self.eligible_copies(seat, 1, kind))

    def melds_open_now(self) -> i64:
        """The numbers of the melds that the seat to act may make, as far as they use the copies marked."""
        if self.melded and self.rules.dix_alone:
            return 0
        if self.melded:
            return BIT[THE_DIX] if self.can_make_meld(THE_DIX, self.turn) and not self.marks else 0
        found: i64 = 0
        pattern: i64 = 0
        while pattern < PATTERNS:
            if self.can_make_meld(pattern, self.turn):
                hand: i64 = self.tricks.faces_held(self.turn) & ~self.marks
                if not self.marks & ~self._faces_with_choice(pattern) and self.patterns.cards[pattern] & hand:
                    found |= BIT[pattern]
            pattern += 1
        return found

    def _faces_with_choice(self, pattern: i64) -> i64:
        """The faces of a meld of which the seat has two copies to choose from."""
        seat: i64 = self.turn
        kind: i64 = KIND_OF[pattern]
        one: i64 = self.eligible_copies(seat, 0, kind)
        two: i64 = self.eligible_copies(seat, 1, kind)
        return self.patterns.cards[pattern] & (self.tricks.faces_held(seat) & (one | two) | one & two)

    def _markable(self, pattern: i64) -> i64:
        """The faces of an open meld that may still be marked: a card must be left that is new."""
        new: i64 = self.patterns.cards[pattern] & self.tricks.faces_held(self.turn) & ~self.marks
        marks: i64 = self._faces_with_choice(pattern) & ~self.marks
        return marks if new & (new - 1) else marks & ~new

    def _meld_moves(self) -> i64:
        """A mask of the moves that meld, mark second copies for a meld, or end the melding by a draw."""
        now: i64 = self.melds_open_now()
        found: i64 = now if self.marks else now | BIT[DRAW]
        marks: i64 = 0
        while now:
            marks |= self._markable(lowest_place(now))
            now &= now - 1
        while marks:
            found |= BIT[second_of(lowest_place(marks))]
            marks &= marks - 1
        return found

    def make_move(self, move: i64) -> None:
        if move == KNOCK:
            self.knocked = self.turn
            self.turn = OVER
        elif self.phase == SECOND:
            self._play_strictly(move)
        elif self.phase == FIRST:
            self._play_to_trick(move)
        elif move == DRAW:
            self._draw_cards()
        elif move >= SECONDS:
            self.marks |= BIT[FACES_OF_SECONDS[move - SECONDS]]
        else:
            self._make_meld(move)

    def _play_to_trick(self, move: i64) -> None:
        seat: i64 = self.turn
        tricks = self.tricks
        face: i64 = move
        second = move >= SECONDS
        if move == SECOND_DIX:
            face = self.suit * RANKS + self.rules.lowest
        elif second:
            face = FACES_OF_SECONDS[move - SECONDS]
        in_hand = bool(tricks.faces_held(seat) & BIT[face])
        if second or not in_hand:
            at: i64 = 2 * seat
            if not self.open[at] & BIT[face] or (second and not in_hand):
                at += 1
            self._take_up(at, face)
        if tricks.play_face(face):
            self.phase = MELD
            self.melded = False
            self.leader = tricks.turn
        self.turn = tricks.turn

    def _take_up(self, at: i64, face: i64) -> None:
        """An open card goes back into the hand."""
        bit: i64 = ~BIT[face]
        self.open[at] = self.open[at] & bit
        kind: i64 = at * KINDS
        while kind < (at + 1) * KINDS:
            self.closed[kind] = self.closed[kind] & bit
            kind += 1
        self.tricks.add_face(at >> 1, face)
        self.tricks.add_face(HIDDEN, face)

    def _play_strictly(self, face: i64) -> None:
        """Play a card of the second part."""
        tricks = self.tricks
        done = tricks.play_face(face)
        self.turn = tricks.turn
        if done and not tricks.faces_held(0) and not tricks.faces_held(1):
            self.leader = tricks.turn
            self.turn = OVER

    def _draw_cards(self) -> None:
        seat: i64 = self.turn
        tricks = self.tricks
        self.left -= 1
        if self.left:
            tricks.add_face(seat, self.stock[self.drawn])
            self.drawn += 1
        else:
            tricks.add_face(seat, self.turned)
            tricks.add_face(HIDDEN, self.turned)
            self.turned = -1
        if self.phase == MELD:
            self.phase = DRAWING
            self.turn = 1 - seat
            return
        self.phase = FIRST
        self.turn = self.leader
        tricks.turn = self.leader
        if not self.left:
            self._start_second()

    def _start_second(self) -> None:
        """Melded cards go back into the hands, and what was taken does not count."""
        self.phase = SECOND
        at: i64 = 0
        while at < 4:
            while self.open[at]:
                self._take_up(at, lowest_place(self.open[at]))
            at += 1
        seat: i64 = 0
        while seat < SEATS:
            self.tricks.points[seat] = 0
            self.tricks.won[seat] = 0
            seat += 1

    def _make_meld(self, pattern: i64) -> None:
        seat: i64 = self.turn
        kind: i64 = KIND_OF[pattern]
        self.scored[seat] = self.scored[seat] + self.patterns.points[pattern]
        self.melded = self.melded or kind != DIX or self.rules.dix_alone
        if kind == DIX and self.turned & 7 != self.rules.lowest:
            self._exchange()
            return
        left: i64 = self.patterns.cards[pattern]
        while left:
            self._use_in_meld(lowest_place(left), kind)
            left &= left - 1
        self.marks = 0

    def _exchange(self) -> None:
        """The dix takes the place of the turn-up."""
        seat: i64 = self.turn
        dix: i64 = self.suit * RANKS + self.rules.lowest
        self.tricks.remove_face(seat, dix)
        self.tricks.remove_face(HIDDEN, dix)
        self.tricks.add_face(seat, self.turned)
        self.tricks.add_face(HIDDEN, self.turned)
        self.turned = dix

    def _use_in_meld(self, face: i64, kind: i64) -> None:
        """A card of a meld lies open, and may not be in others of some kinds."""
        seat: i64 = self.turn
        bit: i64 = BIT[face]
        at: i64 = 2 * seat
        in_hand = bool(self.tricks.faces_held(seat) & bit)
        marked = bool(self.marks & bit)
        if in_hand and not marked:
            self.tricks.remove_face(seat, face)
            self.tricks.remove_face(HIDDEN, face)
            if self.open[at] & bit:
                at += 1
            self.open[at] = self.open[at] | bit
        elif not self.eligible_copies(seat, 0, kind) & bit or (marked and not in_hand):
            at += 1
        other: i64 = 0
        while other < KINDS:
            if CLOSES[kind] & BIT[other]:
                self.closed[at * KINDS + other] = self.closed[at * KINDS + other] | bit
            other += 1

    def sides_in_ending(self) -> i64:
        return SEATS if self.phase == SECOND else 0

    def is_near_ending(self) -> bool:
        """The last trick with a stock decides much of the second part. The others make mistakes in that by rules of
        thumb that they would not make, and choose 6 points a hand worse by it."""
        return self.phase != SECOND and self.left <= LAST_TRICK

    def play_up_to_ending(self, chance: Chance) -> None:
        while self.turn >= 0 and self.phase != SECOND:
            self.make_move(self.rule_of_thumb_move(chance))

    def transposition_key(self) -> i64:
        return self.tricks.transposition_key() if self.phase == SECOND else 0

    def ending_solver(self, made: Solver | None) -> Solver | None:
        if self.phase != SECOND or self.tricks.laid:
            return None
        return SecondPart(self.tricks, self.rules.last_trick) if made is None else made

    def worth_gained(self, seat: i64) -> i64:
        points = self.tricks.points
        return self.scored[seat] - self.scored[1 - seat] + points[seat] - points[1 - seat]

    def mishap_bits(self, seat: i64) -> i64:
        return 1 if self.phase == SECOND and self.leader != seat else 0

    def final_worth(self, seat: i64) -> i64:
        """The points of the seat, less those of the other."""
        worth: i64 = self.scored[seat] - self.scored[1 - seat]
        if self.phase == SECOND:
            worth += self.tricks.points[seat] - self.tricks.points[1 - seat]
            worth += self.rules.last_trick if self.leader == seat else -self.rules.last_trick
        return worth

    def final_merit(self, seat: i64) -> i64:
        if not self.rules.points:
            return self.final_worth(seat)
        if self.knocked >= 0:
            return self._points_for_chance(seat, SURE if self.knocked == seat else 0)
        return self._points_for_chance(
            seat, self._chance_to_win_game(seat, self._points_scored(seat), self._points_scored(1 - seat))
        )

    def merit_of_worth(self, worth: i64, seat: i64) -> i64:
        if not self.rules.points:
            return worth
        if self.turn < 0:
            return self.final_merit(seat)
        tricks = self.tricks
        both: i64 = self.scored[0] + self.scored[1] + tricks.points[0] + tricks.points[1] + tricks.points_held()
        both += self.rules.last_trick
        mine: i64 = (both + worth) // 2
        return self._points_for_chance(seat, self._chance_to_win_game(seat, mine, both - mine))

    def _points_for_chance(self, seat: i64, chance: i64) -> i64:
        """The points to which a change in the chance to win the game amounts."""
        rules = self.rules
        before: i64 = chance_to_win_race(rules.goal - rules.scores[seat], rules.goal - rules.scores[1 - seat], SKEW)
        return (chance - before) * rules.points // SURE

    def _chance_to_win_game(self, seat: i64, scored: i64, other: i64) -> i64:
        """Chance of a seat to win the game when it has scored this much in the round, and the other that much."""
        rules = self.rules
        mine: i64 = rules.goal - rules.scores[seat] - scored
        theirs: i64 = rules.goal - rules.scores[1 - seat] - other
        while mine <= 0 and theirs <= 0:
            mine += STEP
            theirs += STEP
        if mine <= 0 or theirs <= 0:
            return SURE if mine <= 0 else 0
        return chance_to_win_race(mine, theirs, SKEW)

    def _points_scored(self, seat: i64) -> i64:
        """Points of a seat in this round so far, with the last trick for the seat that leads next."""
        last: i64 = self.rules.last_trick if self.leader == seat else 0
        return self.scored[seat] + self.tricks.points[seat] + last

    # --- rules of thumb -----------------------------------------------------------------------------------------------

    def rule_of_thumb_move(self, chance: Chance) -> i64:
        if self.phase == DRAWING:
            return KNOCK if self.may_knock() else DRAW
        can: i64 = self.legal_moves()
        if can & BIT[KNOCK]:
            return KNOCK
        if not can & (can - 1):
            return lowest_place(can)
        if self.phase == FIRST:
            return self.best_card(can)
        if self.phase == MELD:
            return self._rule_of_thumb_meld(can)
        return best_answer(self.tricks, can) if self.tricks.laid else best_lead(self.tricks, can)

    def _rule_of_thumb_meld(self, can: i64) -> i64:
        """The meld that is worth most with those that it leaves for later; a free dix first. Open cards are used before
        new ones."""
        if can & BIT[THE_DIX] and not self.rules.dix_alone and not self.marks:
            return THE_DIX
        best: i64 = DRAW
        most: i64 = 0
        now: i64 = can & (BIT[PATTERNS] - 1)
        only = not now & (now - 1)
        while now:
            pattern: i64 = lowest_place(now)
            now &= now - 1
            worth: i64 = 1 if only else 256 * self.patterns.points[pattern] + self._worth_of_later_melds(pattern)
            if worth > most:
                most = worth
                best = pattern
        if best == DRAW:
            return best
        return self._next_mark(best)

    def _next_mark(self, pattern: i64) -> i64:
        """The next open card to be used before a new one, or else the meld itself."""
        marks: i64 = self._markable(pattern) & self.tricks.faces_held(self.turn)
        return second_of(lowest_place(marks)) if marks else pattern

    def _worth_of_later_melds(self, pattern: i64) -> i64:
        """What the melds that are left after this one may bring yet, times 256."""
        after = self.copy()
        seat: i64 = self.turn
        move: i64 = after._next_mark(pattern)
        while move >= SECONDS:
            after.make_move(move)
            move = after._next_mark(pattern)
        after.make_move(pattern)
        tricks: i64 = self.left // 2 - 1
        number: i64 = 2
        worth: i64 = 0
        for other in self.patterns.order:
            if after.can_make_meld(other, seat):
                worth += LUCK[tricks // number] * self.patterns.points[other]
                number += 1
        return worth

    def best_card(self, can: i64) -> i64:
        """The best of some moves in the first part by rules of thumb: the trick, less what the card is worth to keep. A
        worth is in 16ths of a point."""
        seat: i64 = self.turn
        tricks = self.tricks
        hidden: i64 = tricks.cards_in_place(HIDDEN) - tricks.cards_in_place(seat)
        turns: i64 = self.left // 2
        lost: i64 = 256 - LUCK[turns - 1]
        prize: i64 = self._weigh_hand(seat, hidden) * (lost if lost > PRESSING else PRESSING) // 256
        prize += DENIED + (LAST if turns == 1 else 0)
        best: i64 = -1
        most: i64 = -(1 << 40)
        hand: i64 = tricks.faces_held(seat)
        while can:
            move: i64 = lowest_place(can)
            can &= can - 1
            worth: i64 = self._worth_of_card(move, hand, prize, hidden)
            if worth > most:
                most = worth
                best = move
        return best

    def _worth_of_card(self, move: i64, hand: i64, prize: i64, hidden: i64) -> i64:
        seat: i64 = self.turn
        tricks = self.tricks
        face: i64 = move
        if move == SECOND_DIX:
            face = self.suit * RANKS + self.rules.lowest
        elif move >= SECONDS:
            face = FACES_OF_SECONDS[move - SECONDS]
        at: i64 = 0
        if move >= SECONDS or not hand & BIT[face]:
            at = 1
            if not self.open[2 * seat] & BIT[face] or (move >= SECONDS and not hand & BIT[face]):
                at = 2
        keep: i64 = KEEP[32 * at + face]
        if tricks.laid:
            return prize - keep if tricks.takes_trick(face) else -keep
        return prize * self._likely_to_win(face, hidden) // 256 - keep

    def _likely_to_win(self, face: i64, hidden: i64) -> i64:
        """Chance, in 256ths, that a card led wins: the other has nothing that beats it, or prefers to keep that."""
        seat: i64 = self.turn
        tricks = self.tricks
        kept: i64 = TRUMPS_KEPT[face & 7] if BIT[face] & tricks.trump else PLAIN_KEPT[face & 7]
        beating: i64 = tricks.faces_beating(face)
        if beating & (self.open[2 - 2 * seat] | self.open[3 - 2 * seat]):
            return kept
        there: i64 = 12 - bit_count(self.open[2 - 2 * seat]) - bit_count(self.open[3 - 2 * seat])
        strangers: i64 = 256 * there // (hidden if hidden > there else there) if there > 0 else 0
        unbeaten: i64 = 256
        left: i64 = bit_count(beating & tricks.unseen_faces(seat, 1)) + bit_count(
            beating & tricks.unseen_faces(seat, 2)
        )
        while left > 0:
            unbeaten = unbeaten * (256 - strangers) // 256
            left -= 1
        return kept + (256 - kept) * unbeaten // 256

    def _weigh_hand(self, seat: i64, hidden: i64) -> i64:
        """Fill KEEP: for the melds that a card may still become part of, and for the second part. What the melds count
        that could be made now."""
        tricks = self.tricks
        hand: i64 = tricks.faces_held(seat)
        one: i64 = self.open[2 * seat]
        two: i64 = self.open[2 * seat + 1]
        self._weigh_cards(hand | one | two)
        single: i64 = tricks.unseen_faces(seat, 1)
        both: i64 = tricks.unseen_faces(seat, 2)
        once: i64 = COMES * (self.left - 2) // (hidden if hidden > 0 else 1)
        once = 256 if once > 256 else once
        twice: i64 = 256 - (256 - once) * (256 - once) // 256
        luck: i64 = LUCK[self.left // 2]
        ready: i64 = 0
        for pattern in self.patterns.order:
            kind: i64 = KIND_OF[pattern]
            first: i64 = one & ~self.closed[2 * seat * KINDS + kind]
            other: i64 = two & ~self.closed[(2 * seat + 1) * KINDS + kind]
            cards: i64 = self.patterns.cards[pattern]
            missing: i64 = cards & ~(hand | first | other)
            hope: i64 = 16 * self.patterns.points[pattern]
            if missing & ~single:
                continue
            if not missing and cards & hand:
                ready += hope
            elif not missing:
                hope = hope * chance_of_some(cards & single, once) // 256
            else:
                hope = hope * MISSING[bit_count(missing)] // 256
            while missing and hope >= LEAST:
                hope = hope * (twice if missing & -missing & both else once) // 256
                missing &= missing - 1
            hope = hope * luck // 256
            if hope >= LEAST:
                weight: i64 = ROYAL if pattern == MARRIAGES + self.suit else WEIGHTS[pattern]
                self._add_hope(cards, seat, hope * weight // 256, first, other)
        return ready

    def _weigh_cards(self, cards: i64) -> None:
        """Fill in what each of some cards is worth for the second part; when that is near, plain ones the more the
        longer their suit."""
        turns: i64 = self.left // 2
        near: i64 = LENGTH * (7 - turns) // 6 if turns < 7 else 0
        left: i64 = cards
        while left:
            face: i64 = lowest_place(left)
            left &= left - 1
            worth: i64 = TRUMP_WORTH[face & 7]
            if not BIT[face] & self.tricks.trump:
                worth = PLAIN_WORTH[face & 7] + near * (bit_count(cards & SUITS[face >> 3]) - 3)
            KEEP[face] = worth
            KEEP[32 + face] = worth
            KEEP[64 + face] = worth

    def _add_hope(self, cards: i64, seat: i64, hope: i64, first: i64, other: i64) -> None:
        """A card of which an equal is there too is worth a part of it. first, other: the open cards that may be in the
        meld."""
        hand: i64 = self.tricks.faces_held(seat)
        pair: i64 = self.tricks.hands[COPIES * seat + 1]
        left: i64 = cards & (hand | first | other)
        doubles: i64 = pair | hand & (first | other) | first & other
        while left:
            bit: i64 = left & -left
            face: i64 = lowest_place(left)
            left &= left - 1
            part: i64 = hope * SPARE // 256 if bit & doubles else hope
            if bit & hand:
                KEEP[face] = KEEP[face] + part
            if bit & first:
                KEEP[32 + face] = KEEP[32 + face] + part
            if bit & other:
                KEEP[64 + face] = KEEP[64 + face] + part


def chance_of_some(cards: i64, once: i64) -> i64:
    """Chance, in 256ths, that at least one of some cards comes, each of which does so with chance `once`."""
    none: i64 = 256
    while cards:
        none = none * (256 - once) // 256
        cards &= cards - 1
    return 256 - none


SKEW: Final[i64] = 240  # for `chance_to_win_race`: it errs by one in a hundred over 3,000 hands played by thumbs
STEP: Final[i64] = 250  # by which the goal is put up
LUCK: Final[list[i64]] = [256 - int(256 * 0.46**tricks) for tricks in range(33)]  # to win one of so many tricks
KEEP: Final[list[i64]] = [0] * 96
"""What each card is worth to keep: in the hand, and the open ones numbered one and two. Filled and read in one move."""
# By rank, from the seven on, what a card is worth for the second part; a trump is for the first too.
PLAIN_WORTH: Final[list[i64]] = [12, 16, 20, 24, 8, 8, 84, 165]
TRUMP_WORTH: Final[list[i64]] = [298, 220, 298, 224, 253, 286, 384, 364]
LENGTH: Final[i64] = 80  # and for each card more of a plain suit than three, at the last trick with a stock
# By rank, of 256, how likely a card led takes the trick where the other could beat it.
PLAIN_KEPT: Final[list[i64]] = [30, 35, 40, 45, 50, 70, 160, 165]
TRUMPS_KEPT: Final[list[i64]] = [80, 90, 100, 110, 120, 140, 200, 240]
DENIED: Final[i64] = 80  # what it is worth that the other does not win a trick, and meld
LAST: Final[i64] = 210  # what more the last trick with a stock is worth: the first lead without one
PRESSING: Final[i64] = 128  # of 256, what part of the melds that could be made is lost, at least, with a trick not won
WEIGHTS: Final[list[i64]] = [316, 248, 246, 246, 246, 246, 203, 256, 343, 442, 298, 256]
"""Of 256, what the hope for each meld counts; a hundred aces most, as aces are good for more."""
ROYAL: Final[i64] = 316
MISSING: Final[list[i64]] = [256, 266, 316, 214, 153, 100, 100, 100, 100]  # the same by how many cards are missing
SPARE: Final[i64] = 20  # the same for a card of which an equal is there too
COMES: Final[i64] = 85  # how many of 256 cards of the stock are as good as one's own
# All of these are the best in play among thumbs.
LEAST: Final[i64] = 8  # a hope smaller than this is none
