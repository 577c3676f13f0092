"""Whist: {team_play?partners sit across the table|four players, no partners}. Every trick over {team_play?six|three}
scores a point. First to {winning_score} wins.

Everyone gets thirteen cards, ace high. The last card dealt, the dealer's, is turned up: its suit is trump, and the card
goes into the dealer's hand.

The player to the dealer's left leads. Follow suit if you can; if not, play any card. The highest trump, or else the
highest card of the suit led, takes the trick and leads next.

Each hand scores:
{team_play?
- seven tricks or more between partners: 1 for each over six|
- four tricks or more: 1 for each over three}
- honors: nothing

{team_play?The game ends when a side reaches {winning_score}, and is worth {winning_score} minus the losers'
score.|{winning_score!}}
"""

# Rules: rule sheet 7, from "The Real Deal"; the decisions D-WH-1 and D-WH-2 are named where they are taken.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.cards.card import Card, Suit, cards_of_mask
from p2pcards.cards.eyes import PUBLIC, Slot
from p2pcards.cards.pack import pack_of
from p2pcards.games.dealing import (
    DealerDrawn,
    Dealt,
    after_dealer_drawn,
    dealt_slots,
    draw_dealer,
    next_first_dealer,
    set_dealt_cards,
)
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS
from p2pcards.games.exchanging import swap_kept_hands
from p2pcards.games.game import (
    Game,
    Items,
    Layout,
    Ranking,
    Remark,
    Seat,
    Trump,
    end_hand,
    sheet_of_items,
    verify_turn,
)
from p2pcards.games.holding import verify_dealt_to
from p2pcards.games.options import PARTNERSHIPS, WINS, flag_option, number_option
from p2pcards.games.partners import TWO_SIDES, race_winners, side_tricks_texts, sides_of_four, spread_to_seats
from p2pcards.games.playing import PLAYS, Play, Played
from p2pcards.games.tricks import (
    KeptTricks,
    lay_card,
    start_hand,
    suit_of_mask,
    trick_layout,
    tricks_text,
    verify_follows,
)
from p2pcards.games.whist.deal import Whist

SEATS = 4
EACH = 13
PACK = pack_of()


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: int = number_option(
        7,
        1,
        10_000,
        WINS,
        "A player with {winning_score} points or more at the end of a hand wins. If everyone plays alone and more than "
        "one gets there, the highest score wins; after a tie, you play another hand. A game is worth {winning_score} "
        "minus the score of the losers, or of the runner-up.",
    )
    team_play: bool = flag_option(
        True,
        PARTNERSHIPS,
        on="Partners sit across from each other and count their tricks together: the side that takes more than six "
        "scores 1 for each trick over six.",
        off="Everyone counts their own tricks: a player who takes more than three scores 1 for each trick over three.",
    )


PRESETS = {"usual": Options(winning_score=5), "real-deal": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


Event = DealerDrawn | Dealt | Played


UNDEALT = Whist(True, 0, Taking())
"""Before the first deal."""


@dataclass(frozen=True)
class State(KeptTricks):
    IN_DEAL = ("hands", "trump", "turn_up", "leader", "trick", "last_trick", "taken")

    options: Options
    deal: Whist = UNDEALT

    @property
    def trump(self) -> Suit | None:
        """None before a deal."""
        return suit_of_mask(self.deal.tricks.trump)

    @property
    def turn_up(self) -> Card | None:
        """The card turned up for trump, which the dealer holds, or has played."""
        return cards_of_mask(self.deal.turned)[0] if self.deal.turned else None


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    """The turn-up is the last card of the pack; it is face up in the dealer's hand too."""
    if state.dealer is None:
        return draw_dealer(draw)
    return Dealt((*dealt_slots(pack, SEATS, state.dealer, EACH)[:-1], Slot(pack[-1], PUBLIC)))


def legal(state: State, seat: Seat) -> tuple[Play, ...]:
    if seat not in state.to_act:
        return ()
    return tuple([PLAYS[card] for card in cards_of_mask(state.deal.legal_moves())])


def verify(state: State, seat: Seat, action: Play) -> None:
    verify_turn(state, seat)
    verify_dealt_to(state.deal, seat, action.card)
    verify_follows(state.deal, seat, action.card)


def decide(state: State, seat: Seat, action: Play) -> Played:  # noqa: ARG001 - as in every game
    return Played(seat, Slot(action.card, PUBLIC))


def play(state: State, event: Event) -> State:
    match event:
        case Played(seat=seat, card=slot):
            state = lay_card(state, seat, slot)
            return _score_hand(state) if state.deal.turn == OVER else state
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACK)
        case Dealt(pack=slots):
            return _start_hand(state, slots)


def layout(state: State) -> Layout:
    if state.trump is None:
        return Layout()
    notes = [f"game value {game_value(state.options, state.scores)}"] if state.winners else []
    counts = state.deal.tricks.won
    notes += side_tricks_texts(sides_of_four(state.options.team_play), counts)
    seats = [tricks_text(count) for count in counts]
    return trick_layout(state, notes, seats=seats, trump=Trump(state.trump, card=state.turn_up))


def remarks(_before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The turn-up, and what a game that is won is worth."""
    if isinstance(event, Dealt) and after.turn_up is not None:
        return (Remark(after.dealer, f"turn up {after.turn_up}: {after.turn_up.suit.name.lower()} are trump"),)
    if after.winners:
        return (Remark(None, f"the game is worth {game_value(after.options, after.scores)}"),)
    return ()


def ranking(state: State) -> Ranking | None:
    return None if state.trump is None else Ranking(state.trump)


# --- for other programs too -------------------------------------------------------------------------------------------


def game_value(options: Options, totals: Sequence[int]) -> int:
    """What a game that is won is worth: the winning score less the losers' score, or in single play the second best
    (D-WH-2). totals: by seat."""
    by_side = sorted([totals[side[0]] for side in sides_of_four(options.team_play)])
    return options.winning_score - by_side[-2]


def score_items(options: Options, tricks: Sequence[int]) -> tuple[Items, ...]:
    """Score items of each seat: what it scores for the tricks of all seats: those over six of a side, over three of a
    player alone (D-WH-1)."""
    groups = sides_of_four(options.team_play)
    share = 6 if options.team_play else 3
    odd = [max(sum([tricks[seat] for seat in side]) - share, 0) for side in groups]
    return spread_to_seats(groups, [(("odd tricks", count),) if count else () for count in odd])


# --- private ----------------------------------------------------------------------------------------------------------


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    assert state.dealer is not None
    if not slots[-1].card:
        raise ValueError("no card is turned up")
    eldest, card = (state.dealer + 1) % SEATS, slots[-1].card
    tricks = Taking(SUITS[card.suit])
    tricks.begin_trick(eldest)
    deal = Whist(state.options.team_play, 1 << card, tricks)
    set_dealt_cards(deal, slots, state.dealer, EACH)
    return start_hand(state, deal, eldest)


def _score_hand(state: State) -> State:
    options = state.options
    sheet = sheet_of_items(score_items(options, state.deal.tricks.won), state.scores)
    return end_hand(state, sheet, race_winners(sides_of_four(options.team_play), sheet.totals, options.winning_score))


GAME: Game[Options, State, Play, Event] = Game(
    key="whist",
    rules=__doc__,
    ends="to {winning_score}",
    brief="{team_play?Partners; each trick over six counts 1|No partners; each trick over three counts 1}.",
    pitfalls=(
        "Trump changes with every deal: it's the suit of the dealer's turned-up card.",
        "{team_play?Your side's first six tricks|The first three tricks you take} score nothing.",
        "You must follow suit if you can, even when you would rather trump.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Play,),
    events=(DealerDrawn, Dealt, Played),
    seats=lambda _options: SEATS,
    pack=lambda _options: PACK,
    start=State.start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    play=play,
    layout=layout,
    measures={"odd tricks": lambda state, seat: state.sheet.hand[seat] if state.sheet else None},
    remarks=remarks,
    ranking=ranking,
    sides=lambda options: TWO_SIDES if options.team_play else (),
    swap=swap_kept_hands,
)
