"""What an action is for, as far as what its seat sees makes it certain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2pcards.cards.card import SUITS, Card, Suit
from p2pcards.games.auction_pitch import rules as auction_pitch
from p2pcards.games.crazy_eights import rules as crazy_eights
from p2pcards.games.cutting import Cut
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.game import Action, AnyGame, Seat, name_of
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.oh_hell import rules as oh_hell
from p2pcards.games.partners import partner
from p2pcards.games.pinochle import rules as pinochle
from p2pcards.games.pinochle2 import rules as pinochle2
from p2pcards.games.pinochle_bid import rules as pinochle_bid
from p2pcards.games.pinochle_melds import bid_melds, meld_points
from p2pcards.games.spades import rules as spades
from p2pcards.views.rummy_aims import cribbage_aim, gin_aim, rummy_500_aim, thirty_one_aim
from p2pcards.views.trick_aims import Leads, trick_aim

GameAim = Callable[[Any, Seat, Action], str]


def aim(game: AnyGame, view: Any, seat: Seat, action: Action, leads: Leads = ()) -> str:
    """A few words that begin with "to", such as "to duck under the JS", or with "as"; "" where no aim is certain. Cards
    as they are spelled, seats by `name_of`.

    view: as this seat sees it, which owes the action; leads: who has led which suit in this hand, in order. Nothing
    is looked at but what the seat sees.
    """
    if isinstance(action, Cut):
        return "as every place is as good as another"
    lies = game.layout(view)
    if type(action).__name__ == "Play" and lies.leader is not None and lies.called == "trick":
        kind = type(action)
        legal = [other.card for other in game.legal(view, seat) if isinstance(other, kind)]
        return trick_aim(game, view, seat, action.card, legal, leads)
    return AIMS[game.key](view, seat, action) if game.key in AIMS else ""


# --- games of tricks, before the play ---------------------------------------------------------------------------------


def _hearts(view: hearts.State, seat: Seat, action: Action) -> str:
    if not isinstance(action, hearts.Pass):
        return ""
    kept = [card for card in view.hands[seat].cards if card not in action.cards]
    aims = [f"to be rid of the {hearts.QUEEN}"] * (hearts.QUEEN in action.cards)
    words = _voided(action.cards, kept)
    aims += [f"to be void of {words}"] * bool(words)
    if not aims and min([card.rank for card in action.cards]) > max([card.rank for card in kept]):
        aims = ["to be rid of your highest cards"]
    return " and ".join(aims)


def _spades(view: spades.State, seat: Seat, action: Action) -> str:
    match action:
        case spades.Bid(tricks=tricks) if spades.is_nil(view.options, tricks):
            return "to take no trick at all"
        case spades.Bid(tricks=tricks) if tricks:
            return f"to take {_tricks(tricks)} at least"
        case spades.Pass() if spades.is_nil(view.options, view.bids[partner(seat)]):
            return "to help your partner to take no trick"
        case spades.Pass():
            return "to be rid of cards that might take a trick"
        case _:
            return ""


def _oh_hell(_view: oh_hell.State, _seat: Seat, action: Action) -> str:
    if not isinstance(action, oh_hell.Bid):
        return ""
    return f"to take exactly {_tricks(action.tricks)}" if action.tricks else "to take no trick at all"


def _euchre(view: euchre.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case euchre.Pass():
            return "to leave trump to the others"
        case euchre.Accept(alone=alone):
            up = view.turn_up[0].card
            taken = (up,) if seat == view.dealer else ()
            return _to_make_trump([*held, *taken], up.suit, alone)
        case euchre.Name(suit=suit, alone=alone):
            return _to_make_trump(list(held), suit, alone)
        case euchre.Discard(card=card):
            kept = [euchre.counted(other, view.trump) for other in held if other != card]
            words = _voided([euchre.counted(card, view.trump)], kept)
            return f"to be void of {words}" if words else ""
        case _:
            return ""


def _to_make_trump(held: list[Card], suit: Suit, alone: bool) -> str:
    trumps = sum([euchre.counted(card, suit).suit == suit for card in held])
    lone = ", and play for a march without your partner" if alone else ""
    return f"to make {suit.name.lower()} trump, of which you would hold {trumps}{lone}"


def _auction_pitch(_view: auction_pitch.State, _seat: Seat, action: Action) -> str:
    match action:
        case auction_pitch.Pass():
            return "to leave the bid to the others"
        case auction_pitch.Bid(points=points) if points == 4:
            return "to make all four: high, low, jack and game"
        case auction_pitch.Bid(points=points):
            return f"to make {points} of high, low, jack and game, with a suit of yours as trump"
        case _:
            return ""


def _pinochle(view: pinochle.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case pinochle.Bid(points=points):
            melds = max([meld_points(view.options.form.melds(held, suit)) for suit in SUITS])
            return f"to make {points} with melds and tricks; your own melds are {melds} at best"
        case pinochle.Pass():
            return "to stay out of the bidding"
        case pinochle.Name(suit=suit):
            return f"to show melds of {meld_points(view.options.form.melds(held, suit))}"
        case _:
            return ""


def _pinochle_bid(view: pinochle_bid.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case pinochle_bid.Bid(points=points):
            melds = max([meld_points(bid_melds(held, suit)) for suit in pinochle_bid.nameable(held)], default=0)
            return f"to make {points} with melds and cards; your melds are {melds} at best"
        case pinochle_bid.Pass():
            return f"to leave the bid to {name_of(1 - seat)}"
        case pinochle_bid.Name(suit=suit):
            return f"to show melds of {meld_points(bid_melds(held, suit))}"
        case pinochle_bid.Concede():
            return "as you hold no suit that you may name"
        case _:
            return ""


def _pinochle2(view: pinochle2.State, seat: Seat, action: Action) -> str:
    match action:
        case pinochle2.Draw() if view.phase == pinochle2.Phase.MELD and pinochle2.open_now(view, seat):
            return "to end your melding"
        case pinochle2.Knock():
            return "to end and win the game"
        case _:
            return ""


# --- crazy eights -----------------------------------------------------------------------------------------------------


def _crazy_eights(view: crazy_eights.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case crazy_eights.Play() if len(held) == 1:
            return "to go out"
        case crazy_eights.Play(card=card, suit=Suit() as named):
            number = sum([other.suit == named and other.rank != card.rank for other in held])
            return f"to name {named.name.lower()}, of which you hold {number}" if number else ""
        case crazy_eights.Play(card=card):
            number = sum([other.suit == card.suit for other in held]) - 1
            if card.suit != view.suit:
                return (
                    f"to change the suit to {card.suit.name.lower()}, of which you hold {number} more" if number else ""
                )
            points = crazy_eights.card_count(view.options, card)[1]
            most = max([crazy_eights.card_count(view.options, other)[1] for other in held if other.suit == card.suit])
            return f"to be rid of {points} points" if points == most and points > 1 else ""
        case crazy_eights.Draw() if view.owed:
            return "as the two makes you draw"
        case crazy_eights.Draw() | crazy_eights.Pass():
            plays = any(isinstance(other, crazy_eights.Play) for other in crazy_eights.legal(view, seat))
            return "" if plays else "as no card of yours fits"
        case _:
            return ""


# --- words ------------------------------------------------------------------------------------------------------------


def _voided(gone: list[Card] | tuple[Card, ...], kept: list[Card]) -> str:
    """The suits of which nothing is left: ``clubs and hearts``."""
    suits = {card.suit for card in gone} - {card.suit for card in kept}
    return " and ".join([suit.name.lower() for suit in sorted(suits)])


def _tricks(number: int) -> str:
    return f"{number} trick{'s' * (number != 1)}"


AIMS: Mapping[str, GameAim] = {
    "hearts": _hearts,
    "spades": _spades,
    "oh_hell": _oh_hell,
    "euchre": _euchre,
    "auction_pitch": _auction_pitch,
    "pinochle": _pinochle,
    "pinochle2": _pinochle2,
    "pinochle_bid": _pinochle_bid,
    "crazy_eights": _crazy_eights,
    "gin_rummy": gin_aim,
    "cribbage": cribbage_aim,
    "rummy_500": rummy_500_aim,
    "thirty_one": thirty_one_aim,
}
"""By the key of a game, what its actions are for that are not the play of a card to a trick."""
