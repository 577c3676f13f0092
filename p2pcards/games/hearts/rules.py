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
from itertools import combinations

from p2pcards.cards.card import BACK, Card, Suit
from p2pcards.cards.eyes import PUBLIC, TRUTH, Bag, Slot, enter, eye, face_up, leave
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import DealerDrawn, dealt_hands, dealt_slots, draw_dealer, drawn_dealer
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Ranking,
    Remark,
    Seat,
    Sheet,
    Stage,
    end_hand,
    name_of,
    put,
    tally,
    whose,
)
from p2pcards.games.holding import must_hold, must_hold_all, named_or_counted
from p2pcards.games.options import choice, flag, number
from p2pcards.games.passing import pass_on
from p2pcards.games.tricks import following, play_card, playable, trick_layout

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
            "two_of_clubs": "Whoever holds the two of clubs, when cards have been passed, leads to the first trick; "
            "everybody is told that they hold it.",
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
        "that may be played; whoever has nothing else may play any of them. The jack of diamonds is not barred.",
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
        "whoever has nothing but hearts and that queen must lead it.",
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
        on="Whoever takes the jack of diamonds has 10 taken off, whether somebody shoots the moon or not; the moon "
        "does not need it. Where the hand ends with the last card that counts, the jack is one of them.",
        off="The jack of diamonds counts nothing.",
    )
    no_trick_bonus: bool = flag(
        False,
        "5 off for taking no heart and no queen of spades",
        on="Whoever has taken no heart and no queen of spades in a hand has 5 taken off: also where that queen costs "
        "nothing, where they took the jack of diamonds, and where another shot the moon.",
        off="Taking nothing scores nothing.",
    )
    moon: str = choice(
        "deduct",
        "all hearts and the queen: 26 off, or 26 on for everyone else",
        {
            "deduct": "Whoever takes all thirteen hearts and the queen of spades has shot the moon: they have 26 taken "
            "off, and nobody scores for these cards. So it is too where the queen costs nothing.",
            "add": "Whoever takes all thirteen hearts and the queen of spades has shot the moon: they score nothing "
            "for these cards, and each of the others 26. So it is too where the queen costs nothing.",
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
class Play:
    card: Card


@dataclass(frozen=True, slots=True)
class Dealt:
    """The shuffled pack in its order. leader: who leads when nothing is passed, otherwise None."""

    pack: tuple[Slot, ...]
    leader: Seat | None


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat
    cards: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Exchanged:
    """taken: the three cards that each seat receives, by seat. leader: who leads."""

    taken: tuple[tuple[Slot, ...], ...]
    leader: Seat | None


@dataclass(frozen=True, slots=True)
class Played:
    seat: Seat
    card: Slot


Action = Pass | Play
Event = DealerDrawn | Dealt | Passed | Exchanged | Played


@dataclass(frozen=True)
class State:
    options: Options
    eyes: int = TRUTH
    stage: Stage = Stage.DEAL
    to_act: tuple[Seat, ...] = ()
    hand: int = 0
    dealer: Seat | None = None
    first_dealer: Seat | None = None
    scores: tuple[int, ...] = (0,) * SEATS
    hands: tuple[Bag, ...] = tuple(Bag(seat) for seat in range(SEATS))
    passed: tuple[Bag, ...] = ()  # what each seat has laid away to be passed
    leader: Seat = 0
    trick: tuple[Slot, ...] = ()
    last_trick: tuple[tuple[Seat, Card], ...] = ()
    taken: tuple[tuple[Slot, ...], ...] = ((),) * SEATS
    broken: bool = False
    sheet: Sheet | None = None
    winners: tuple[Seat, ...] = ()


# --- the game ---------------------------------------------------------------------------------------------------------


def start(options: Options, first_dealer: Seat | None) -> State:
    return State(options, dealer=first_dealer, first_dealer=first_dealer)


def next_first_dealer(state: State) -> Seat:
    return ((state.first_dealer or 0) + 1) % SEATS


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    slots = dealt_slots(pack, SEATS, state.dealer, EACH)
    if _way(state.options, state.hand + 1):
        return Dealt(slots, None)
    return Dealt(slots, _opening_leader(state, dealt_hands(slots, SEATS, state.dealer, EACH)))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    held = state.hands[seat].cards
    if state.passed:
        return tuple([Pass(three) for three in combinations(held, 3)])
    return tuple([Play(card) for card in _playable(state, held)[0]])


def verify(state: State, seat: Seat, action: Action) -> None:
    if seat not in state.to_act:
        raise IllegalAction("it is not your turn")
    match action:
        case Pass(cards=cards):
            if not state.passed:
                raise IllegalAction("nothing is passed now")
            must_hold_all(state.hands[seat], cards, 3, "passed")
        case Play(card=card):
            if state.passed:
                raise IllegalAction("three cards are passed before the play")
            must_hold(state.hands[seat], card)
            allowed, rule = _playable(state, (*state.hands[seat].cards, card))
            if card not in allowed:
                raise IllegalAction(rule)


def decide(state: State, seat: Seat, action: Action) -> Passed | Played:  # noqa: ARG001 - as in every game
    match action:
        case Pass(cards=cards):
            return Passed(seat, tuple([Slot(card, eye(seat)) for card in cards]))
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def show(state: State) -> Exchanged:
    """The pass takes place: every seat sees what they are given (the giver knows it too)."""
    taken = pass_on(state.passed, _way(state.options, state.hand))
    hands = tuple([enter(held, slots) for held, slots in zip(state.hands, taken, strict=True)])
    return Exchanged(taken, _opening_leader(state, hands))


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            dealer = drawn_dealer(event, PACK, SEATS)
            return changed(state, dealer=dealer, first_dealer=dealer)
        case Dealt():
            return _start_hand(state, event)
        case Passed(seat=seat, cards=cards):
            to_act = tuple([other for other in state.to_act if other != seat])
            return changed(
                state,
                hands=put(state.hands, seat, leave(state.hands[seat], cards)),
                passed=put(state.passed, seat, enter(state.passed[seat], cards)),
                to_act=to_act,
                stage=Stage.PLAY if to_act else Stage.SHOW,
            )
        case Exchanged(taken=taken, leader=leader):
            hands = tuple([enter(held, slots) for held, slots in zip(state.hands, taken, strict=True)])
            return _open_play(changed(state, hands=hands, passed=(), stage=Stage.PLAY), leader)
        case Played(seat=seat, card=slot):
            return _played(state, seat, slot)


def layout(state: State) -> Layout:
    notes = []
    if state.options.break_hearts and state.hand and not state.passed:
        notes.append("hearts broken" if state.broken else "hearts not broken")
    return trick_layout(state, notes, seats=[_points_text(state, seat) for seat in range(SEATS)] if state.hand else ())


def says(state: State, seat: Seat, action: Action) -> str:
    if isinstance(action, Pass):
        return f"pass {named_or_counted(action.cards)} to {name_of(_receiver(state, seat))}"
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
        if QUEEN in _cards(after.taken[after.leader]) and QUEEN not in _cards(before.taken[after.leader]):
            told.append(Remark(None, f"{QUEEN} goes to {name_of(after.leader)}"))
        told += _ending(before, after) if after.sheet else []
    return tuple(told)


def ranking(state: State) -> Ranking:
    return Ranking(None, scores=lambda card: _is_point(card) or (state.options.jack_of_diamonds and card == JACK))


def own(state: State, seat: Seat) -> tuple[str, ...]:
    """To whom the cards go that this seat is to choose."""
    if not state.passed or seat not in state.to_act:
        return ()
    return (f"pass three cards to {name_of(_receiver(state, seat))}, {PLACES[_way(state.options, state.hand)]}",)


# --- for other programs too -------------------------------------------------------------------------------------------


def score_items(options: Options, taken: Sequence[Sequence[Card]]) -> tuple[Items, ...]:
    """What each seat's tricks count, item by item; each item is a name and points, fewer being better."""
    hearts = [sum(card.suit == Suit.HEARTS for card in cards) for cards in taken]
    shooter = next((seat for seat in range(SEATS) if hearts[seat] == 13 and QUEEN in taken[seat]), None)
    return tuple([_seat_items(options, seat, taken[seat], hearts[seat], shooter) for seat in range(SEATS)])


# --- private ----------------------------------------------------------------------------------------------------------


def _way(options: Options, hand: int) -> int:
    """How many seats to the left the pass of this hand goes; the cycle starts with each game (D-HE-1)."""
    cycle = CYCLES[options.passing]
    return cycle[(hand - 1) % len(cycle)]


def _receiver(state: State, seat: Seat) -> Seat:
    """To whom this seat passes."""
    return (seat + _way(state.options, state.hand)) % SEATS


def _cards(slots: Sequence[Slot]) -> list[Card]:
    return [slot.card for slot in slots]


def _points_text(state: State, seat: Seat) -> str:
    """What the tricks of a seat count so far: ``took 5 points``; "" while no card of theirs counts."""
    options, cards = state.options, _cards(state.taken[seat])
    hearts = sum(card.suit == Suit.HEARTS for card in cards)
    queen = 13 * (QUEEN in cards and options.queen_points)
    jack = 10 * (JACK in cards and options.jack_of_diamonds)
    points = hearts + queen - jack
    return f"took {points} point{'s' * (points != 1)}" if hearts or queen or jack else ""


def _ending(before: State, after: State) -> list[Remark]:
    """The moon, a hand that ends before its last trick, and totals that become 0."""
    assert after.sheet is not None
    taken = [_cards(slots) for slots in after.taken]
    told = [Remark(seat, "shoot the moon") for seat in range(SEATS) if sum(map(_is_point, taken[seat])) == 14]
    if any(map(len, after.hands)):
        told.append(Remark(None, "no cards that count are left, and the hand ends here"))
    changes = zip(before.scores, after.sheet.hand, after.sheet.totals, strict=True)
    resets = [seat for seat, (score, points, total) in enumerate(changes) if score + points != total]
    return told + [Remark(None, f"{whose(seat)} total of {after.options.end_score} becomes 0") for seat in resets]


def _opening_leader(state: State, hands: Sequence[Bag]) -> Seat | None:
    """Who leads to the first trick; None if this view cannot know."""
    assert state.dealer is not None
    if state.options.opening_lead == "eldest":
        return (state.dealer + 1) % SEATS
    return next((held.owner for held in hands if TWO in held.cards), None)


def _start_hand(state: State, event: Dealt) -> State:
    assert state.dealer is not None
    passing = _way(state.options, state.hand + 1)
    fresh = changed(
        state,
        stage=Stage.PLAY,
        to_act=tuple(range(SEATS)) if passing else (),
        hand=state.hand + 1,
        hands=dealt_hands(event.pack, SEATS, state.dealer, EACH),
        passed=tuple([Bag(seat) for seat in range(SEATS)]) if passing else (),
        trick=(),
        last_trick=(),
        taken=((),) * SEATS,
        broken=False,
        sheet=None,
    )
    return fresh if passing else _open_play(fresh, event.leader)


def _open_play(state: State, leader: Seat | None) -> State:
    """The play begins; a leader by the two of clubs has shown that they hold it (D-GEN-9)."""
    if leader is None:
        raise ValueError("nobody leads")
    hands = state.hands
    if state.options.opening_lead == "two_of_clubs":
        rest = leave(hands[leader], [Slot(TWO, PUBLIC)])
        hands = put(hands, leader, enter(rest, [face_up(Slot(TWO))]))
    return changed(state, hands=hands, leader=leader, to_act=(leader,))


def _playable(state: State, held: Sequence[Card]) -> tuple[list[Card], str]:
    """Those of the cards held that may be played now, and the rule that bars the others."""
    options = state.options
    first = not any(state.taken)
    if not state.trick:
        return _leadable(state, list(held), first)
    cards, rule = playable(held, state.trick)
    if first and not options.points_on_first_trick:
        free = [card for card in cards if not _is_point(card)]  # D-HE-4: unless there is nothing else
        if free and len(free) < len(cards):
            return free, "no heart and no queen of spades on the first trick"
    return cards, rule


def _leadable(state: State, held: list[Card], first: bool) -> tuple[list[Card], str]:
    options = state.options
    if first and options.opening_lead == "two_of_clubs":
        if options.two_must_be_led:
            return [card for card in held if card == TWO], "the two of clubs must be led"
        return following(held, Suit.CLUBS), "a club must be led to the first trick"
    free, rule = held, ""
    if options.break_hearts and not state.broken:
        queen_too = options.queen_breaks_hearts
        free = [card for card in held if card.suit != Suit.HEARTS and not (queen_too and card == QUEEN)]
        rule = "hearts are not broken yet"
    if first and not options.points_on_first_trick:
        free = [card for card in free if not _is_point(card)]
        rule = "no heart and no queen of spades on the first trick"
    return free or held, rule


def _is_point(card: Card) -> bool:
    return card.suit == Suit.HEARTS or card == QUEEN


def _breaks(options: Options, card: Card, trick: tuple[Slot, ...]) -> bool:
    """Whether this card breaks hearts (D-HE-5)."""
    if options.queen_breaks_hearts:
        return _is_point(card)
    return card.suit == Suit.HEARTS and bool(trick) and trick[0].card.suit != Suit.HEARTS


def _played(state: State, seat: Seat, slot: Slot) -> State:
    broken = state.broken or _breaks(state.options, slot.card, state.trick)
    state = play_card(changed(state, broken=broken), seat, slot)
    return _score_hand(state) if not state.trick and _hand_is_over(state) else state


def _hand_is_over(state: State) -> bool:
    if not len(state.hands[0]):
        return True
    if not state.options.quit_when_points_played:
        return False
    due = 14 + state.options.jack_of_diamonds  # D-HE-8
    fallen = [card for slots in state.taken for card in _cards(slots)]
    return sum(_is_point(card) or (state.options.jack_of_diamonds and card == JACK) for card in fallen) == due


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
    items = score_items(options, list(map(_cards, state.taken)))
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
    says=says,
    remarks=remarks,
    ranking=ranking,
    own=own,
    low_wins=True,
)
