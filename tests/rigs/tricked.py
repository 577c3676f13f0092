"""Views of seat 0 in the middle of a game of tricks, written down trick by trick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards.card import Card, Suit, mask_of_cards, parse_cards
from p2pcards.cards.eyes import HIDDEN, eyes_of_viewer
from p2pcards.games.auction_pitch import rules as auction_pitch
from p2pcards.games.auction_pitch.deal import AuctionPitch
from p2pcards.games.deals.held import KeptDeal
from p2pcards.games.deals.taking import NONE, Bidden, Taking
from p2pcards.games.deals.tricks import NOBODY, SUITS, Tricks
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.euchre.deal import PLACES, TURNED, Euchre
from p2pcards.games.game import Seat, Stage
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import Options, rules_of
from p2pcards.games.oh_hell import rules as oh_hell
from p2pcards.games.oh_hell.deal import OhHell
from p2pcards.games.spades import rules as spades
from p2pcards.games.spades.deal import SPADES, Spades
from p2pcards.games.whist.deal import Whist

RUFFED = (
    "AC 2C 3C 4C",
    "KC 5C 6C 7C",
    "QC 8C 9C 2S",
    "AH 2H 3H 4H",
    "KH 5H 6H 7H",
    "AD 2D 3D 4D",
    "KS 3S 4S 5S",
    "QS 6S 7S 8S",
)
"""Seat 0 has trumped the third trick, and has drawn trumps twice."""


def have_bid(deal: Bidden, bids: Sequence[int | None]) -> None:
    """The seats have bid so, None where they have not yet."""
    deal.bids = [NONE if bid is None else bid for bid in bids]
    deal.bidden = len(bids) - bids.count(None)


def oh_hell_at(deal: OhHell, cards_each: int, table: Sequence[Card], pile: Sequence[Card] = ()) -> oh_hell.State:
    """Seat 0 is to play to the trick on the table, once the deal has its bids; pile: the tricks that it has taken."""
    leader = -len(table) % 4
    deal.tricks.gone = mask_of_cards(pile)
    deal.tricks.won[0] = len(pile) // 4
    deal.tricks.begin_trick(leader)
    for card in table:
        deal.tricks.play_card(card)
    deal.set_turn(0)
    return oh_hell.State(
        oh_hell.Options(),
        eyes=eyes_of_viewer(0),
        stage=Stage.PLAY,
        to_act=(0,),
        hand=cards_each,
        dealer=3,
        deal=deal,
        played=(*pile, *table),
        leads=(0, leader) if pile else (leader,),
    )


def kept_in_play(
    deal: KeptDeal, held: str, tricks: Sequence[str], each: int = 13, stock: str = "", undealt: int = 0
) -> dict[str, Any]:
    """The fields of a state in which seat 0 is to play.

    deal: the hand before its play begins, at the turn of the leader; held: what seat 0 holds; tricks: the cards of
    every trick so far in the order of play, of which the last may not be full; each: how many cards were dealt to a
    seat; stock: what lies face up beside the hands; undealt: how many cards lie there face down.
    """
    mine, open_cards = parse_cards(held), parse_cards(stock)
    aside = len(deal.hidden)
    deal.set_cards(
        [mask_of_cards(mine), 0, 0, 0, mask_of_cards(open_cards), *[0] * aside][:aside],
        [each - len(mine), *[each] * 3, undealt, *[0] * aside][:aside],
        [mask_of_cards(open_cards), mask_of_cards(mine), 0, 0, 0],
    )
    leads = [deal.turn]
    for words in tricks:
        for card in parse_cards(words):
            deal.make_move(deal.turn_up_card(deal.turn, card))
        if not deal.current_tricks().laid:
            leads.append(deal.turn)
    assert deal.turn == 0
    return {
        "eyes": eyes_of_viewer(0),
        "stage": Stage.PLAY,
        "to_act": (0,),
        "dealer": (leads[0] - 1) % 4,
        "deal": deal,
        "played": tuple([card for words in tricks for card in parse_cards(words)]),
        "leads": tuple(leads),
    }


def kept(
    deal: KeptDeal,
    hands: Sequence[str],
    leader: Seat = 0,
    trick: str = "",
    piles: Sequence[str] = (),
    hidden: Sequence[int] = (0, 0, 0, 0),
) -> dict[str, Any]:
    """The fields of a state that keeps its deal in masks. hands: the cards of each seat, which it has seen; hidden: how
    many more it has, and then how many lie aside; trick: the cards on the table, from the leader on; piles: by seat,
    the cards that it has taken."""
    aside, table, own = (
        [0] * (len(deal.hidden) - 4),
        deal.current_tricks(),
        [mask_of_cards(parse_cards(words)) for words in hands],
    )
    deal.set_cards(
        [*own, *aside],
        [*hidden, *aside][: len(deal.hidden)],
        [mask_of_cards(parse_cards(" ".join((trick, *piles)))), *own],
    )
    takers: list[Seat] = []
    played: list[Card] = []
    for seat in sorted(range(len(piles)), key=lambda seat: seat == leader):
        pile = parse_cards(piles[seat])
        table.taken[seat], table.won[seat] = mask_of_cards(pile), len(pile) // 4
        table.gone |= mask_of_cards(pile)
        if len(pile) % 4 == 0:  # of others it is only told that they were taken
            takers += [seat] * (len(pile) // 4)
            played += pile
    table.begin_trick(leader)
    for card in parse_cards(trick):
        table.play_card(card)
    deal.set_turn(table.turn)
    leads = [*takers, leader] if takers else [leader]
    return {"deal": deal, "played": (*played, *parse_cards(trick)), "leads": tuple(leads)}


def whist_in_play(held: str, tricks: Sequence[str], leader: Seat, turn_up: str = "") -> dict[str, Any]:
    """The same of whist; spades are trump. turn_up: which the dealer, at the right of the leader, holds if it has not
    been played; "" where it does not matter."""
    taking, dealer, turned = Taking(SUITS[Suit.SPADES]), (leader - 1) % 4, mask_of_cards(parse_cards(turn_up))
    taking.begin_trick(leader)
    deal = Whist(True, turned, taking)
    fields = kept_in_play(deal, held, tricks)
    if dealer and turn_up and turn_up not in " ".join((held, *tricks)):
        places, hidden = deal.known_cards_by_place(), list(deal.hidden)
        places[dealer], hidden[dealer] = turned, hidden[dealer] - 1
        deal.set_cards(places, hidden, [deal.seen[0] | turned, *deal.seen[1:]])
    return fields


def hearts_in_play(held: str, tricks: Sequence[str], leader: Seat) -> dict[str, Any]:
    """The same of hearts, of the first hand by the rules of the first preset; any heart in a trick has broken them."""
    deal = Hearts(rules_of(Options(), 1), (leader - 1) % 4, Tricks(4))
    deal.start_play(leader)
    fields = kept_in_play(deal, held, tricks)
    deal.broken = any(word.endswith("H") for words in tricks for word in words.split())
    return fields


def spades_in_play(
    options: spades.Options, held: str, tricks: Sequence[str], leader: Seat, bids: Sequence[int | None]
) -> dict[str, Any]:
    """The same of spades. bids: of seats 0 to 3, None while they have not bid; where all have and no trick is begun,
    they pass cards as the bids ask for it."""
    deal = Spades(spades.rules_of(options), leader, Taking(SPADES))
    have_bid(deal, bids)
    if tricks:
        deal.start_play(leader)
    elif deal.bidden == 4:
        deal.end_bidding()
    deal.set_turn(leader if tricks else 0)
    fields = kept_in_play(deal, held, tricks)
    return fields if tricks else fields | {"leads": (leader,), "dealer": (leader - 1) % 4}


def pitch(
    options: auction_pitch.Options,
    hands: Sequence[str],
    bids: Sequence[int | None],
    dealer: Seat = 3,
    *,
    pitcher: Seat | None = None,
    trump: Suit | None = None,
    low: Seat | None = None,
    leader: Seat = 0,
    trick: str = "",
    piles: Sequence[str] = (),
    hidden: Sequence[int] = (0, 0, 0, 0),
) -> dict[str, Any]:
    """As `kept`, of auction pitch; None as in a state."""
    deal = AuctionPitch(auction_pitch.rules_of(options), dealer, Tricks(4))
    for seat in [(dealer + i) % 4 for i in range(1, 5)]:
        if bid := bids[seat]:
            deal.bid, deal.pitcher = bid, seat
    deal.bidding = pitcher is None
    if trump is not None:
        deal.make_trump(trump)
    fallen = [card for card in parse_cards(" ".join((trick, *piles))) if card.suit == trump]
    if low is not None and fallen:
        deal.low, deal.low_seat = min(fallen), low
    fields = kept(deal, hands, leader, trick, piles, hidden)
    return fields | {"bids": tuple(bids)}


def euchre_at(
    options: euchre.Options,
    hands: Sequence[str],
    dealer: Seat = 3,
    *,
    hidden: Sequence[int] = (0, 0, 0, 0),
    turned: str = "",
    stock: int = 0,
    passes: int = 0,
    trump: Suit | None = None,
    maker: Seat | None = None,
    out: Seat | None = None,
    exchanging: bool = False,
    tricks: Sequence[tuple[Seat, str]] = (),
    leader: Seat | None = None,
    trick: str = "",
    turn: Seat | None = None,
) -> euchre.State:
    """Euchre in the middle of a hand, as everybody sees it.

    hands: the cards of each seat, which it has seen; hidden: how many more it has; turned: the turn-up that still lies
    on the table; stock: how many cards were not dealt; tricks: those that are over, each with its leader; leader: who
    leads to the trick on the table, eldest if it is not said; turn: who is to act, if not the dealer who exchanges a
    card or the next in the trick.
    """
    first = (dealer + 1) % 4 if leader is None else leader
    led = [*tricks, (first, trick)]
    own, up = [mask_of_cards(parse_cards(words)) for words in hands], mask_of_cards(parse_cards(turned))
    fallen = [card for _, words in led for card in parse_cards(words)]
    deal = Euchre(euchre.rules_of(options), dealer)
    deal.passes, deal.exchanging = passes, exchanging
    if turned:
        deal.turned_suit = parse_cards(turned)[0].suit
    if trump is not None:
        deal.maker = NOBODY if maker is None else maker
        deal.trump(trump, NOBODY if out is None else out)
    aside = [0] * (PLACES - TURNED)
    deal.set_cards([*own, up, *aside[1:]], [*hidden, *aside], [mask_of_cards(fallen) | up, *own])
    for start, words in led:
        deal.tricks.begin_trick(start)
        for card in parse_cards(words):
            deal.tricks.play_card(deal.number_of(card))
    due = dealer if exchanging else deal.tricks.turn
    deal.set_turn(due if turn is None else turn)
    return euchre.State(
        options,
        stage=Stage.PLAY,
        to_act=(deal.turn,),
        hand=1,
        dealer=dealer,
        deal=deal,
        played=tuple(fallen),
        leads=tuple([start for start, _ in led]),
        stock=(HIDDEN,) * stock,
    )
