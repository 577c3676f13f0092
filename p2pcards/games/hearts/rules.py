"""Hearts: four players, each alone; thirteen cards each; the lowest score wins.

{passing=none?{passing!}|Before the play everyone passes three cards face down, and sees what they were given only after
they have given their own. {passing!}} {opening_lead!} {opening_lead=two_of_clubs?{two_must_be_led!}}

Follow suit if you can; the highest card of the suit led takes the trick and leads to the next. {points_on_first_trick!}
{break_hearts!} {break_hearts?{queen_breaks_hearts!}}

Every heart taken costs 1. {queen_points!} {jack_of_diamonds?{jack_of_diamonds!}} {moon!}
{no_trick_bonus?{no_trick_bonus!}} {quit_when_points_played?{quit_when_points_played!}}

{exact_resets?{exact_resets!}} {end_when!} The lowest total wins; those who are level at the lowest share the win.
"""

# Rules: rule sheet 4, from "The Real Deal" (preset real-deal) and "Hearts Deluxe" (preset hearts-deluxe); the
# decisions D-HE-1 to D-HE-9 are named where they are taken.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from p2pcards.cards.card import BACK, Card, Suit, cards_of
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye, moved
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import DealerDrawn, deal_into, dealt_slots, draw_dealer, drawn_dealer, next_first_dealer
from p2pcards.games.deals.bits import count
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.tricks import Tricks
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Ranking,
    Remark,
    Seat,
    Stage,
    end_hand,
    name_in_text,
    possessive,
    tally,
)
from p2pcards.games.hearts.deal import HEARTS, POINTS, Hearts, HeartsRules
from p2pcards.games.holding import PASSED_FIRST, must_have, must_hold_all, named_or_counted
from p2pcards.games.options import choice, flag, number
from p2pcards.games.passing import laid_away, pass_on
from p2pcards.games.playing import PLAYS, Play, Played
from p2pcards.games.tricks import KeptTricks, lay, suit_name, trick_layout

BARE_FIRST = "no heart and no queen of spades on the first trick"
SEATS = 4
EACH = 13
PACK = pack_of()
TWO = Card.of(2, Suit.CLUBS)
QUEEN = Card.of(12, Suit.SPADES)
JACK = Card.of(11, Suit.DIAMONDS)
CYCLES = {
    "left": (1,),
    "left_right_across": (1, 3, 2),
    "left_right_across_none": (1, 3, 2, 0),
    "none": (0,),
}
WAYS = {1: "to the left", 2: "across", 3: "to the right"}
PLACES = {1: "on your left", 2: "across the table", 3: "on your right"}


@dataclass(frozen=True, slots=True)
class Options:
    end_score: int = number(
        100,
        25,
        10_000,
        "the score that ends the game",
        "The game is over with the hand after which a total has come to {end_score}; `end_when` says whether that "
        "number itself will do. The lowest total wins; those who are level at the lowest share the win.",
    )
    end_when: str = choice(
        "reach",
        "whether a player must reach the end score or exceed it",
        {
            "reach": "The game is over with the hand after which somebody has {end_score} or more.",
            "exceed": "The game is over with the hand after which somebody has more than {end_score}; with "
            "{end_score} itself it goes on.",
        },
    )
    passing: str = choice(
        "left",
        "where the three cards go, hand after hand",
        {
            "left": "The cards go to the player at the left, in every hand.",
            "left_right_across": "The cards go to the left in the first hand of a game, to the right in the second, "
            "across the table in the third, to the left again in the fourth, and so on.",
            "left_right_across_none": "The cards go to the left in the first hand of a game, to the right in the "
            "second, across the table in the third; in the fourth nothing is passed; the fifth is as the first, and so "
            "on.",
            "none": "No cards are passed.",
        },
    )
    opening_lead: str = choice(
        "two_of_clubs",
        "who leads to the first trick",
        {
            "two_of_clubs": "The player who holds the two of clubs, when cards have been passed, leads to the first "
            "trick; everybody is told that they hold it.",
            "eldest": "The player at the dealer's left leads to the first trick, with any card that no other rule "
            "bars; the two of clubs is a card like any other.",
        },
    )
    two_must_be_led: bool = flag(
        True,
        "the holder of the two of clubs leads that card; if not, any club",
        on="Where the holder of the two of clubs leads, they must lead that card to the first trick.",
        off="Where the holder of the two of clubs leads, they may lead any club to the first trick.",
    )
    points_on_first_trick: bool = flag(
        False,
        "hearts and the queen of spades may be played to the first trick",
        on="Hearts and the queen of spades may be played to the first trick like any other card.",
        off="To the first trick nobody may lead or play a heart or the queen of spades while they hold another card "
        "that may be played; a player who has nothing else may play any of them. The jack of diamonds is not barred.",
    )
    break_hearts: bool = flag(
        True,
        "hearts may not be led until they are broken",
        on="A heart may not be led before hearts are broken, unless the leader holds no card that may be led.",
        off="A heart may be led at any time, and so may the queen of spades; to the first trick only if the rule of "
        "that trick allows it.",
    )
    queen_breaks_hearts: bool = flag(
        False,
        "the queen of spades counts as a heart: it breaks hearts and may not be led before",
        on="Hearts are broken as soon as any heart or the queen of spades has been played, led or not. Before that the "
        "queen of spades may not be led either, unless the leader has nothing but hearts and that queen.",
        off="Hearts are broken when a heart is played to a trick led in another suit; a heart that is led by somebody "
        "who holds nothing else does not break them. The queen of spades does not break them and may be led before: "
        "a player who has nothing but hearts and that queen must lead it.",
    )
    queen_points: bool = flag(
        True,
        "the queen of spades costs 13",
        on="The queen of spades costs 13.",
        off="The queen of spades costs nothing. No other rule is changed by that: on the first trick, for the moon, "
        "and where hearts are broken or the hand ends with the last card that counts, it is what it is otherwise.",
    )
    jack_of_diamonds: bool = flag(
        False,
        "the jack of diamonds takes 10 off",
        on="The player who takes the jack of diamonds has 10 taken off, whether somebody shoots the moon or not; the "
        "moon does not need it. Where the hand ends with the last card that counts, the jack is one of them.",
        off="The jack of diamonds counts nothing.",
    )
    no_trick_bonus: bool = flag(
        False,
        "5 off for taking no heart and no queen of spades",
        on="A player who has taken no heart and no queen of spades in a hand has 5 taken off: also where that queen "
        "costs nothing, where they took the jack of diamonds, and where another shot the moon.",
        off="Taking nothing scores nothing.",
    )
    moon: str = choice(
        "deduct",
        "all hearts and the queen: 26 off, or 26 on for everyone else",
        {
            "deduct": "A player who takes all thirteen hearts and the queen of spades has shot the moon: they have 26 "
            "taken off, and nobody scores for these cards. So it is too where the queen costs nothing.",
            "add": "A player who takes all thirteen hearts and the queen of spades has shot the moon: they score "
            "nothing for these cards, and each of the others 26. So it is too where the queen costs nothing.",
        },
    )
    exact_resets: bool = flag(
        False,
        "a total of exactly the end score becomes 0",
        on="A total of exactly {end_score} after a hand becomes 0, before it is looked at whether the game is over.",
        off="A total of exactly {end_score} stays as it is.",
    )
    quit_when_points_played: bool = flag(
        False,
        "the hand ends with the trick in which the last point card falls",
        on="The hand ends with the trick in which the last of the thirteen hearts and the queen of spades is played, "
        "the queen also where it costs nothing; where the jack of diamonds takes 10 off, that card must have been "
        "played too. Cards left in the hands are not shown, and count for nobody.",
        off="All thirteen tricks are played.",
    )


PRESETS = {
    "usual": Options(passing="left_right_across_none", moon="add"),
    "real-deal": Options(),
    "hearts-deluxe": Options(
        end_when="exceed",
        passing="left_right_across_none",
        two_must_be_led=False,
        queen_breaks_hearts=True,
        jack_of_diamonds=True,
    ),
}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pass:
    """Three cards for another player, in ascending order."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The shuffled pack in its order."""

    pack: tuple[Slot, ...]
    leader: Seat | None  # when nothing is passed


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat
    cards: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Exchanged:
    taken: tuple[tuple[Slot, ...], ...]  # by seat, the three cards that it receives
    leader: Seat | None


Action = Pass | Play
Event = DealerDrawn | Dealt | Passed | Exchanged | Played


UNDEALT = Hearts(HeartsRules(0, *[False] * 10), 0, Tricks(SEATS))
"""Before the first deal."""


@dataclass(frozen=True)
class State(KeptTricks):
    IN_DEAL = ("hands", "passed", "leader", "trick", "last_trick", "taken", "broken")

    options: Options
    deal: Hearts = UNDEALT

    @property
    def passed(self) -> tuple[Bag, ...]:
        """What each seat has laid away to be passed."""
        return laid_away(self.deal, self.deal.passed) if self.deal.passing else ()

    @property
    def broken(self) -> bool:
        return self.deal.broken


# --- the game ---------------------------------------------------------------------------------------------------------


def start(options: Options, first_dealer: Seat | None) -> State:
    return State(options, dealer=first_dealer, first_dealer=first_dealer)


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    slots = dealt_slots(pack, SEATS, state.dealer, EACH)
    if _way(state.options, state.hand + 1):
        return Dealt(slots, None)
    holder = [(state.dealer + 1 + place) % SEATS for place, slot in enumerate(slots) if slot.card == TWO]
    return Dealt(slots, _opening_leader(state, holder))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    deal = state.deal
    if deal.passing:
        return _passes(deal.tricks.hands[seat])
    return tuple([PLAYS[card] for card in cards_of(deal.moves() & deal.tricks.hands[seat])])


def verify(state: State, seat: Seat, action: Action) -> None:
    if seat not in state.to_act:
        raise IllegalAction("it is not your turn")
    deal = state.deal
    match action:
        case Pass(cards=cards):
            if not deal.passing:
                raise IllegalAction("nothing is passed now")
            must_hold_all(state.hands[seat], cards, 3, "passed")
        case Play(card=card):
            if deal.passing:
                raise IllegalAction(PASSED_FIRST)
            must_have(deal, seat, card)
            hand = deal.tricks.hands[seat] | 1 << card
            if not deal.playable(hand) >> card & 1:
                raise IllegalAction(_why_not(deal, hand))


def decide(state: State, seat: Seat, action: Action) -> Passed | Played:  # noqa: ARG001 - as in every game
    match action:
        case Pass(cards=cards):
            return Passed(seat, tuple([Slot(card, eye(seat)) for card in cards]))
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def show(state: State) -> Exchanged:
    """The pass takes place: every seat sees what they are given (the giver knows it too)."""
    taken = pass_on(state.passed, _way(state.options, state.hand))
    hands = state.deal.tricks.hands
    holder = [
        seat for seat, slots in enumerate(taken) if hands[seat] >> TWO & 1 or any(slot.card == TWO for slot in slots)
    ]
    return Exchanged(taken, _opening_leader(state, holder))


def play(state: State, event: Event) -> State:
    match event:
        case Played(seat=seat, card=slot):
            return _played(state, seat, slot)
        case DealerDrawn():
            dealer = drawn_dealer(event, PACK, SEATS)
            return changed(state, dealer=dealer, first_dealer=dealer)
        case Dealt():
            return _start_hand(state, event)
        case Passed(seat=seat, cards=cards):
            to_act = tuple([other for other in state.to_act if other != seat])
            return changed(
                state,
                deal=moved(state.deal, seat, SEATS + seat, cards),
                to_act=to_act,
                stage=Stage.PLAY if to_act else Stage.SHOW,
            )
        case Exchanged(taken=taken, leader=leader):
            deal, way = state.deal, _way(state.options, state.hand)
            for seat, slots in enumerate(taken):
                deal = moved(deal, SEATS + (seat - way) % SEATS, seat, slots)
            return _open_play(changed(state, stage=Stage.PLAY), deal, leader)


def layout(state: State) -> Layout:
    notes = []
    if state.options.break_hearts and state.hand and not state.deal.passing:
        notes.append("hearts broken" if state.broken else "hearts not broken")
    return trick_layout(state, notes, seats=[_points_text(state, seat) for seat in range(SEATS)] if state.hand else ())


def says(state: State, seat: Seat, action: Action) -> str:
    if isinstance(action, Pass):
        return f"pass {named_or_counted(action.cards)} to {name_in_text(_receiver(state, seat))}"
    return ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """Where cards are passed to, who holds the two of clubs, hearts broken, the queen taken, the moon shot."""
    told = []
    if isinstance(event, Dealt):
        way = _way(after.options, after.hand)
        told.append(Remark(None, f"the pass is {WAYS[way]}" if way else "there is no pass this hand"))
    if isinstance(event, Dealt | Exchanged) and event.leader is not None:
        by_the_two = after.options.opening_lead == "two_of_clubs"
        told.append(Remark(event.leader, f"hold {TWO}, and with it the lead" if by_the_two else "lead"))
    if isinstance(event, Played):
        told += [Remark(None, "hearts are broken")] if after.broken and not before.broken else []
        if (after.deal.tricks.gone & ~before.deal.tricks.gone) >> QUEEN & 1:
            told.append(Remark(None, f"{QUEEN} goes to {name_in_text(after.leader)}"))
        told += _ending(before, after) if after.sheet else []
    return tuple(told)


def ranking(state: State) -> Ranking:
    jack = JACK if state.options.jack_of_diamonds else None
    return Ranking(None, scores=lambda card: _is_point(card) or card == jack, points_alone=True)


def own(state: State, seat: Seat) -> tuple[str, ...]:
    """To whom the cards go that this seat is to choose."""
    if not state.deal.passing or seat not in state.to_act:
        return ()
    return (f"pass three cards to {name_in_text(_receiver(state, seat))}, {PLACES[_way(state.options, state.hand)]}",)


# --- for other programs too -------------------------------------------------------------------------------------------


def score_items(options: Options, taken: Sequence[Sequence[Card]]) -> tuple[Items, ...]:
    """What each seat's tricks count, item by item; each item is a name and points, fewer being better."""
    hearts = [sum(card.suit == Suit.HEARTS for card in cards) for cards in taken]
    shooter = next((seat for seat in range(SEATS) if _has_shot(taken[seat])), None)
    return tuple([_seat_items(options, seat, taken[seat], hearts[seat], shooter) for seat in range(SEATS)])


def rules_of(options: Options, hand: int) -> HeartsRules:
    """The options as they hold for the hand of this number."""
    cycle = CYCLES[options.passing]
    return HeartsRules(
        cycle[(hand - 1) % len(cycle)],
        options.opening_lead == "two_of_clubs",
        options.two_must_be_led,
        options.points_on_first_trick,
        options.break_hearts,
        options.queen_breaks_hearts,
        options.queen_points,
        options.jack_of_diamonds,
        options.no_trick_bonus,
        options.moon == "add",
        options.quit_when_points_played,
    )


# --- private ----------------------------------------------------------------------------------------------------------


def _way(options: Options, hand: int) -> int:
    """How many seats to the left the pass of this hand goes; the cycle starts with each game (D-HE-1)."""
    cycle = CYCLES[options.passing]
    return cycle[(hand - 1) % len(cycle)]


@lru_cache(maxsize=16)
def _passes(hand: int) -> tuple[Pass, ...]:
    """Every three cards of a hand. There are 286, and each view of the hand is asked for them."""
    return tuple(map(Pass, combinations(cards_of(hand), 3)))


def _receiver(state: State, seat: Seat) -> Seat:
    """To whom this seat passes."""
    return (seat + _way(state.options, state.hand)) % SEATS


def _points_text(state: State, seat: Seat) -> str:
    """What the tricks of a seat count so far: ``took 5 points``; "" while no card of theirs counts."""
    rules, mine = state.deal.rules, state.deal.tricks.taken[seat]
    hearts = int(count(mine & HEARTS))
    queen = rules.queen * (mine >> QUEEN & 1)
    jack = rules.jack * (mine >> JACK & 1)
    points = hearts + queen - jack
    return f"took {points} point{'s' * (points != 1)}" if hearts or queen or jack else ""


def _ending(before: State, after: State) -> list[Remark]:
    """The moon, a hand that ends before its last trick, and totals that become 0."""
    assert after.sheet is not None
    shooter = after.deal.shooter()
    told = [] if shooter < 0 else [Remark(shooter, "shoot the moon")]
    if not after.deal.has_none(0):
        told.append(Remark(None, "no cards that count are left, and the hand ends here"))
    changes = zip(before.scores, after.sheet.hand, after.sheet.totals, strict=True)
    resets = [seat for seat, (score, points, total) in enumerate(changes) if score + points != total]
    return told + [Remark(None, f"{possessive(seat)} total of {after.options.end_score} becomes 0") for seat in resets]


def _opening_leader(state: State, holder: Sequence[Seat]) -> Seat | None:
    """Who leads to the first trick; None if this view cannot know. holder: of the two of clubs, as far as it is
    known."""
    assert state.dealer is not None
    if state.options.opening_lead == "eldest":
        return (state.dealer + 1) % SEATS
    return next(iter(holder), None)


def _start_hand(state: State, event: Dealt) -> State:
    assert state.dealer is not None
    rules = rules_of(state.options, state.hand + 1)
    deal = Hearts(rules, state.dealer, Tricks(SEATS))
    deal_into(deal, event.pack, state.dealer, EACH)
    deal.begin(rules.way > 0)
    fresh = changed(
        state,
        stage=Stage.PLAY,
        to_act=tuple(range(SEATS)) if rules.way else (),
        hand=state.hand + 1,
        deal=deal,
        played=(),
        leads=(),
        sheet=None,
    )
    return fresh if rules.way else _open_play(fresh, deal, event.leader)


def _open_play(state: State, deal: Hearts, leader: Seat | None) -> State:
    """The play begins; a leader by the two of clubs has shown that they hold it (D-GEN-9)."""
    if leader is None:
        raise ValueError("nobody leads")
    deal = deal.copy()
    deal.begin(False)
    deal.open_play(leader)
    if state.options.opening_lead == "two_of_clubs":
        deal.turn_up(leader, TWO)
    return changed(state, deal=deal, leads=(leader,), to_act=(leader,))


def _why_not(deal: Hearts, hand: int) -> str:
    """The rule that bars what may not be played of a hand, of whose turn it is."""
    rules, tricks = deal.rules, deal.tricks
    first = not tricks.gone
    bare = first and not rules.points_on_first_trick
    if tricks.laid:
        can = hand & tricks.led or hand
        if bare and can & POINTS and can & ~POINTS:  # D-HE-4: unless there is nothing else
            return BARE_FIRST
        return f"you must follow {suit_name(tricks.led)}"
    if first and rules.two_leads:
        return "the two of clubs must be led" if rules.two_must_be_led else "a club must be led to the first trick"
    return BARE_FIRST if bare else "hearts are not broken yet"


def _is_point(card: Card) -> bool:
    return card.suit == Suit.HEARTS or card == QUEEN


def _played(state: State, seat: Seat, slot: Slot) -> State:
    state = lay(state, seat, slot)
    return _score_hand(state) if state.deal.turn == OVER else state


def _has_shot(taken: Sequence[Card]) -> bool:
    return QUEEN in taken and sum(card.suit == Suit.HEARTS for card in taken) == 13


def _seat_items(options: Options, seat: Seat, cards: Sequence[Card], hearts: int, shooter: Seat | None) -> Items:
    items: list[tuple[str, int]] = []
    if shooter is None:
        if hearts:
            items.append(("hearts", hearts))
        if QUEEN in cards and options.queen_points:
            items.append(("queen of spades", 13))
    elif options.moon == "deduct" and seat == shooter:
        items.append(("shot the moon", -26))
    elif options.moon == "add" and seat != shooter:
        items.append(("another shot the moon", 26))
    if options.jack_of_diamonds and JACK in cards:  # on its own, moon or not (D-HE-6)
        items.append(("jack of diamonds", -10))
    if options.no_trick_bonus and not hearts and QUEEN not in cards:  # D-HE-7
        items.append(("no points taken", -5))
    return tuple(items)


def _score_hand(state: State) -> State:
    options = state.options
    items = score_items(options, list(map(cards_of, state.deal.tricks.taken)))
    sheet = tally(items, state.scores)
    totals = sheet.totals
    if options.exact_resets:
        totals = tuple([0 if total == options.end_score else total for total in totals])
    limit = options.end_score + (options.end_when == "exceed")
    lowest = [seat for seat in range(SEATS) if totals[seat] == min(totals)]  # ties: D-GEN-6
    return end_hand(state, replace(sheet, totals=totals), tuple(lowest) if max(totals) >= limit else ())


GAME: Game[Options, State, Action, Event] = Game(
    key="hearts",
    rules=__doc__,
    ends="{end_when=reach?to {end_score}|to more than {end_score}}",
    brief=(
        "{passing=none?No cards are passed|Pass {passing=left?left|{passing=left_right_across?left, right, "
        "across|left, right, across, hold}}}; the moon {moon=add?gives the others 26|takes 26 "
        "off}{jack_of_diamonds?; the jack of diamonds takes 10 off}."
    ),
    options=Options,
    presets=PRESETS,
    actions=(Pass, Play),
    events=(DealerDrawn, Dealt, Passed, Exchanged, Played),
    private={Pass: lambda _state: Pass((BACK,) * 3)},
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show,
    play=play,
    layout=layout,
    measures={
        "moon": lambda state, seat: _has_shot(cards_of(state.deal.tricks.taken[seat])),
        "queen": lambda state, seat: QUEEN in cards_of(state.deal.tricks.taken[seat]),
    },
    says=says,
    remarks=remarks,
    ranking=ranking,
    own=own,
    low_wins=True,
)
