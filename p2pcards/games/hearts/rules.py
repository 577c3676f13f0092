"""Hearts: four players, no partners. Avoid taking hearts and the queen of spades; the lowest score wins.

Everyone gets thirteen cards, ace high. {passing=none?No cards are passed.|Then pass three cards face down, before you
see what you get: {passing=left?always to the left|{passing=left_right_across?left, then right, then across|left, then
right, then across, with no pass every fourth hand}}.}

{opening_lead=two_of_clubs?The player with the two of clubs leads {two_must_be_led?it|any club} to the first trick.|The
player to the dealer's left leads to the first trick.} Follow suit if you can; if not, play any card. The highest card
of the suit led takes the trick and leads next. There is no trump.

{points_on_first_trick?Hearts and the queen of spades may be played to the first trick.|You can't play a heart or the
queen of spades to the first trick unless you have nothing else to play.} {break_hearts?You can't lead a
heart{queen_breaks_hearts? or the queen of spades} until hearts are broken, unless you have nothing else to lead:
{queen_breaks_hearts?playing any heart or the queen of spades breaks them|a heart played on another suit breaks
them}.|Hearts may be led at any time.}

The cards you take cost:
- each heart: 1
- the queen of spades: {queen_points?13|nothing}
{jack_of_diamonds?
- the jack of diamonds: 10 off}
{no_trick_bonus?
- no heart and no queen of spades: 5 off}
- all thirteen hearts and the queen of spades (shooting the moon): {moon=add?26 for everyone else, none for you|26 off,
  and nothing for the others}

{quit_when_points_played?The hand ends once the last heart{jack_of_diamonds?, the queen of spades and the jack of
diamonds| and the queen of spades} have been played.|} {exact_resets?A total of exactly {end_score} drops back to 0.|}
The game ends when someone {end_when=reach?reaches|goes over} {end_score}. The lowest total wins; a tie is shared.
"""

# Rules: rule sheet 4, from "The Real Deal" (preset real-deal) and "Hearts Deluxe" (preset hearts-deluxe); the
# decisions D-HE-1 to D-HE-9 are named where they are taken.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2pcards.cards.card import BACK, Card, Suit, cards_of_mask
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, move_slots
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    DealerDrawn,
    after_dealer_drawn,
    dealt_slots,
    draw_dealer,
    next_first_dealer,
    set_dealt_cards,
)
from p2pcards.games.deals.bits import bit_count
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
    sheet_of_items,
    verify_turn,
)
from p2pcards.games.hearts.deal import HEARTS, POINTS, Hearts, HeartsRules
from p2pcards.games.holding import PASSED_FIRST, named_or_counted, verify_dealt_to
from p2pcards.games.options import choice_option, flag_option, number_option
from p2pcards.games.passing import (
    Pass,
    Passed,
    after_laid_away,
    all_passes,
    bags_set_aside,
    lay_away,
    passed_to_left,
    verify_pass,
)
from p2pcards.games.playing import PLAYS, Play, Played
from p2pcards.games.tricks import KeptTricks, lay_card, suit_name_of_mask, trick_layout
from p2pcards.games.wording import quantity_text

BARE_FIRST = "you can't play hearts or the queen of spades on the first trick"
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
    end_score: int = number_option(
        100,
        25,
        10_000,
        "the score that ends the game",
        "The game ends when a total reaches {end_score}, or goes over it if `end_when` is `exceed`. The lowest total "
        "wins; a tie is shared.",
    )
    end_when: str = choice_option(
        "reach",
        "reaching the end score, or passing it",
        {
            "reach": "The game ends when someone has {end_score} or more at the end of a hand.",
            "exceed": "The game ends when someone has more than {end_score} at the end of a hand; exactly {end_score} "
            "isn't enough.",
        },
    )
    passing: str = choice_option(
        "left",
        "direction of the pass",
        {
            "left": "Cards are passed to the left every hand.",
            "left_right_across": "Cards are passed to the left in the first hand of a game, to the right in the "
            "second and across the table in the third; then the cycle repeats.",
            "left_right_across_none": "Cards are passed to the left in the first hand of a game, to the right in the "
            "second and across the table in the third; there is no pass in the fourth. Then the cycle repeats.",
            "none": "No cards are passed.",
        },
    )
    opening_lead: str = choice_option(
        "two_of_clubs",
        "first lead: the two of clubs, or the dealer's left",
        {
            "two_of_clubs": "The player with the two of clubs after the pass leads to the first trick; everyone sees "
            "who that is.",
            "eldest": "The player to the dealer's left leads to the first trick, with any card that the other "
            "rules allow. The two of clubs is a card like any other.",
        },
    )
    two_must_be_led: bool = flag_option(
        True,
        "the two of clubs as the first lead; if not, any club",
        on="If the player with the two of clubs leads first, they must lead that card.",
        off="If the player with the two of clubs leads first, they may lead any club.",
    )
    points_on_first_trick: bool = flag_option(
        False,
        "playing hearts or the queen of spades to the first trick",
        on="Hearts and the queen of spades may be played to the first trick like any other card.",
        off="You can't lead or play a heart or the queen of spades to the first trick if you have another card that "
        "you can play. If you have nothing else, you may play any of them.",
    )
    break_hearts: bool = flag_option(
        True,
        "breaking hearts before they can be led",
        on="You can't lead a heart until hearts are broken, unless you have no other card to lead.",
        off="You may lead a heart or the queen of spades at any time, but to the first trick only if "
        "`points_on_first_trick` allows it.",
    )
    queen_breaks_hearts: bool = flag_option(
        False,
        "the queen of spades treated as a heart for breaking and leading",
        on="Hearts are broken as soon as any heart or the queen of spades has been played, led or not. Until then you "
        "can't lead the queen of spades either, unless you have only hearts and that queen.",
        off="Hearts are broken when a heart is played on another suit; a heart led by a player who has nothing else "
        "doesn't break them. The queen of spades doesn't break them and may be led earlier: if you have only hearts "
        "and that queen, you must lead it.",
    )
    queen_points: bool = flag_option(
        True,
        "13 points for the queen of spades",
        on="The queen of spades costs 13.",
        off="The queen of spades costs nothing. All the other rules about it still apply: the first trick, shooting "
        "the moon, breaking hearts, and ending a hand early.",
    )
    jack_of_diamonds: bool = flag_option(
        False,
        "10 off for taking the jack of diamonds",
        on="The player who takes the jack of diamonds gets 10 off, even when someone shoots the moon; shooting the "
        "moon doesn't need this card. If hands end early, the jack must have been played too.",
        off="The jack of diamonds counts nothing.",
    )
    no_trick_bonus: bool = flag_option(
        False,
        "5 off for taking no hearts and no queen of spades",
        on="A player who takes no hearts and no queen of spades in a hand gets 5 off, even if that queen costs "
        "nothing, they took the jack of diamonds, or someone else shot the moon.",
        off="Nothing extra for taking no points.",
    )
    moon: str = choice_option(
        "deduct",
        "shooting the moon: 26 off, or 26 for everyone else",
        {
            "deduct": "A player who takes all thirteen hearts and the queen of spades has shot the moon: they get 26 "
            "off, and nobody scores for these cards. This applies even if the queen costs nothing.",
            "add": "A player who takes all thirteen hearts and the queen of spades has shot the moon: they score "
            "nothing for these cards, and everyone else scores 26. This applies even if the queen costs nothing.",
        },
    )
    exact_resets: bool = flag_option(
        False,
        "back to 0 at exactly the end score",
        on="A total of exactly {end_score} after a hand drops to 0, so it doesn't end the game.",
        off="A total of exactly {end_score} doesn't change.",
    )
    quit_when_points_played: bool = flag_option(
        False,
        "early end of a hand once all the points have been played",
        on="The hand ends with the trick in which the last of the thirteen hearts and the queen of spades is played, "
        "even if the queen costs nothing. If the jack of diamonds takes 10 off, it must have been played too. Cards "
        "left in hand aren't shown and count for nobody.",
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
class Dealt:
    """The shuffled pack in its order."""

    pack: tuple[Slot, ...]
    leader: Seat | None  # when nothing is passed


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
        return bags_set_aside(self.deal, self.deal.passed) if self.deal.passing else ()

    @property
    def broken(self) -> bool:
        return self.deal.broken


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    slots = dealt_slots(pack, SEATS, state.dealer, EACH)
    if _passing_distance(state.options, state.hand + 1):
        return Dealt(slots, None)
    holder = [(state.dealer + 1 + place) % SEATS for place, slot in enumerate(slots) if slot.card == TWO]
    return Dealt(slots, _opening_leader(state, holder))


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    deal = state.deal
    if deal.passing:
        return all_passes(deal.tricks.hands[seat])
    return tuple([PLAYS[card] for card in cards_of_mask(deal.legal_moves() & deal.tricks.hands[seat])])


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    deal = state.deal
    match action:
        case Pass(cards=cards):
            verify_pass(state, seat, cards, deal.passing)
        case Play(card=card):
            if deal.passing:
                raise IllegalAction(PASSED_FIRST)
            verify_dealt_to(deal, seat, card)
            hand = deal.tricks.hands[seat] | 1 << card
            if not deal.playable_cards(hand) >> card & 1:
                raise IllegalAction(_play_refusal(deal, hand))


def decide(state: State, seat: Seat, action: Action) -> Passed | Played:  # noqa: ARG001 - as in every game
    match action:
        case Pass(cards=cards):
            return lay_away(seat, cards)
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def show(state: State) -> Exchanged:
    """The pass takes place: every seat sees what they are given (the giver knows it too)."""
    taken = passed_to_left(state.passed, _passing_distance(state.options, state.hand))
    hands = state.deal.tricks.hands
    holder = [
        seat for seat, slots in enumerate(taken) if hands[seat] >> TWO & 1 or any(slot.card == TWO for slot in slots)
    ]
    return Exchanged(taken, _opening_leader(state, holder))


def play(state: State, event: Event) -> State:
    match event:
        case Played(seat=seat, card=slot):
            return _after_play(state, seat, slot)
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACK)
        case Dealt():
            return _start_hand(state, event)
        case Passed():
            return after_laid_away(state, event)
        case Exchanged(taken=taken, leader=leader):
            deal, way = state.deal, _passing_distance(state.options, state.hand)
            for seat, slots in enumerate(taken):
                deal = move_slots(deal, SEATS + (seat - way) % SEATS, seat, slots)
            return _start_play(changed(state, stage=Stage.PLAY), deal, leader)


def layout(state: State) -> Layout:
    notes = []
    if state.options.break_hearts and state.hand and not state.deal.passing:
        notes.append("hearts broken" if state.broken else "hearts not broken")
    return trick_layout(state, notes, seats=[_points_text(state, seat) for seat in range(SEATS)] if state.hand else ())


def says(state: State, seat: Seat, action: Action) -> str:
    if isinstance(action, Pass):
        return f"pass {named_or_counted(action.cards)} to {name_in_text(_pass_receiver(state, seat))}"
    return ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """Remarks on where cards are passed, who holds the two of clubs, hearts broken, the queen taken, and a moon."""
    told = []
    if isinstance(event, Dealt):
        way = _passing_distance(after.options, after.hand)
        told.append(Remark(None, f"passing {WAYS[way]}" if way else "no passing this hand"))
    by_the_two = after.options.opening_lead == "two_of_clubs"
    if isinstance(event, Dealt | Exchanged) and event.leader is not None and by_the_two:
        told.append(Remark(event.leader, f"have the {TWO}"))
    if isinstance(event, Played):
        told += [Remark(None, "hearts are broken")] if after.broken and not before.broken else []
        if (after.deal.tricks.gone & ~before.deal.tricks.gone) >> QUEEN & 1:
            told.append(Remark(after.leader, f"take the {QUEEN}"))
        told += _end_remarks(before, after) if after.sheet else []
    return tuple(told)


def ranking(state: State) -> Ranking:
    jack = JACK if state.options.jack_of_diamonds else None
    return Ranking(None, scores=lambda card: _is_point_card(card) or card == jack, points_alone=True)


def own_hand_facts(state: State, seat: Seat) -> tuple[str, ...]:
    """A note for the player on who gets the cards that they choose to pass."""
    if not state.deal.passing or seat not in state.to_act:
        return ()
    place = PLACES[_passing_distance(state.options, state.hand)]
    return (f"passing to {name_in_text(_pass_receiver(state, seat))}, {place}",)


# --- for other programs too -------------------------------------------------------------------------------------------


def score_items(options: Options, taken: Sequence[Sequence[Card]]) -> tuple[Items, ...]:
    """Score items of each seat for its tricks; each item is a name and points, fewer being better."""
    hearts = [sum(card.suit == Suit.HEARTS for card in cards) for cards in taken]
    shooter = next((seat for seat in range(SEATS) if _has_shot_moon(taken[seat])), None)
    return tuple([_seat_items(options, seat, taken[seat], hearts[seat], shooter) for seat in range(SEATS)])


def rules_of(options: Options, hand: int) -> HeartsRules:
    """The options as they hold for the hand of this number."""
    return HeartsRules(
        _passing_distance(options, hand),
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


def _passing_distance(options: Options, hand: int) -> int:
    """How many seats to the left the pass of this hand goes; the cycle starts with each game (D-HE-1)."""
    cycle = CYCLES[options.passing]
    return cycle[(hand - 1) % len(cycle)]


def _pass_receiver(state: State, seat: Seat) -> Seat:
    """The seat to which this seat passes."""
    return (seat + _passing_distance(state.options, state.hand)) % SEATS


def _points_text(state: State, seat: Seat) -> str:
    """What the tricks of a seat count so far: ``took 5 points``; "" while no card of theirs counts."""
    rules, mine = state.deal.rules, state.deal.tricks.taken[seat]
    hearts = int(bit_count(mine & HEARTS))
    queen = rules.queen * (mine >> QUEEN & 1)
    jack = rules.jack * (mine >> JACK & 1)
    points = hearts + queen - jack
    return f"took {quantity_text(points, 'point')}" if hearts or queen or jack else ""


def _end_remarks(before: State, after: State) -> list[Remark]:
    """Remarks said aloud of a moon, a hand that ends before its last trick, and totals that become 0."""
    assert after.sheet is not None
    shooter = after.deal.moon_shooter()
    told = [] if shooter < 0 else [Remark(shooter, "shoot the moon")]
    if not after.deal.is_hand_empty(0):
        told.append(Remark(None, "all the points have been played, so the hand ends"))
    changes = zip(before.scores, after.sheet.hand, after.sheet.totals, strict=True)
    resets = [seat for seat, (score, points, total) in enumerate(changes) if score + points != total]
    return told + [Remark(None, f"{possessive(seat)} total of {after.options.end_score} drops to 0") for seat in resets]


def _opening_leader(state: State, holder: Sequence[Seat]) -> Seat | None:
    """The seat that leads to the first trick; None if this view cannot know. holder: of the two of clubs, as far as it
    is known."""
    assert state.dealer is not None
    if state.options.opening_lead == "eldest":
        return (state.dealer + 1) % SEATS
    return next(iter(holder), None)


def _start_hand(state: State, event: Dealt) -> State:
    assert state.dealer is not None
    rules = rules_of(state.options, state.hand + 1)
    deal = Hearts(rules, state.dealer, Tricks(SEATS))
    set_dealt_cards(deal, event.pack, state.dealer, EACH)
    deal.begin_hand(rules.way > 0)
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
    return fresh if rules.way else _start_play(fresh, deal, event.leader)


def _start_play(state: State, deal: Hearts, leader: Seat | None) -> State:
    """The state in which play begins; a leader by the two of clubs has shown that they hold it (D-GEN-9)."""
    if leader is None:
        raise ValueError("nobody leads")
    deal = deal.copy()
    deal.begin_hand(False)
    deal.start_play(leader)
    if state.options.opening_lead == "two_of_clubs":
        deal.turn_up_card(leader, TWO)
    return changed(state, deal=deal, leads=(leader,), to_act=(leader,))


def _play_refusal(deal: Hearts, hand: int) -> str:
    """The rule that bars the rest of the hand of the seat to act."""
    rules, tricks = deal.rules, deal.tricks
    first = not tricks.gone
    bare = first and not rules.points_on_first_trick
    if tricks.laid:
        can = hand & tricks.led or hand
        if bare and can & POINTS and can & ~POINTS:  # D-HE-4: unless there is nothing else
            return BARE_FIRST
        return f"you must follow {suit_name_of_mask(tricks.led)}"
    if first and rules.two_leads:
        return "you must lead the two of clubs" if rules.two_must_be_led else "you must lead a club to the first trick"
    return BARE_FIRST if bare else "hearts aren't broken yet"


def _is_point_card(card: Card) -> bool:
    return card.suit == Suit.HEARTS or card == QUEEN


def _after_play(state: State, seat: Seat, slot: Slot) -> State:
    state = lay_card(state, seat, slot)
    return _score_hand(state) if state.deal.turn == OVER else state


def _has_shot_moon(taken: Sequence[Card]) -> bool:
    """Return whether these cards taken are all hearts and the queen."""
    return QUEEN in taken and sum(card.suit == Suit.HEARTS for card in taken) == 13


def _seat_items(options: Options, seat: Seat, cards: Sequence[Card], hearts: int, shooter: Seat | None) -> Items:
    """Score items of a seat. hearts: what each heart counts; shooter: who shot the moon, if anybody."""
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
    items = score_items(options, list(map(cards_of_mask, state.deal.tricks.taken)))
    sheet = sheet_of_items(items, state.scores)
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
        "{passing=none?No passing|Pass {passing=left?left|{passing=left_right_across?left, right, across|left, right,"
        " across, hold}}}; shooting the moon {moon=add?gives everyone else 26|takes 26 off}{jack_of_diamonds?; the "
        "jack of diamonds takes 10 off}."
    ),
    pitfalls=(
        "Only the suit led can take the trick, so an ace thrown on another suit is safe.",
        "{queen_points?The queen of spades costs as much as all the hearts together.|The queen of spades costs "
        "nothing, but shooting the moon needs it.}",
        "When one player is taking every heart, take one yourself to stop the moon.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Pass, Play),
    events=(DealerDrawn, Dealt, Passed, Exchanged, Played),
    private={Pass: lambda _state: Pass((BACK,) * 3)},
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=State.start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    show=show,
    play=play,
    layout=layout,
    measures={
        "moon": lambda state, seat: _has_shot_moon(cards_of_mask(state.deal.tricks.taken[seat])),
        "queen": lambda state, seat: QUEEN in cards_of_mask(state.deal.tricks.taken[seat]),
    },
    says=says,
    remarks=remarks,
    ranking=ranking,
    own=own_hand_facts,
    low_wins=True,
)
