"""Views of seat 0 in the middle of a game of tricks, written down trick by trick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.cards.card import Card, Suit, cards, mask_of
from p2pcards.cards.eyes import HIDDEN, PUBLIC, Bag, Slot, bag, eye, viewer
from p2pcards.games.deals.held import Held
from p2pcards.games.deals.taking import Taking
from p2pcards.games.deals.tricks import SUITS, Tricks
from p2pcards.games.game import Seat, Stage
from p2pcards.games.hearts.deal import Hearts
from p2pcards.games.hearts.rules import Options, rules_of
from p2pcards.games.tricks import trick_winner
from p2pcards.games.whist.deal import Whist


def in_play(held: str, tricks: Sequence[str], leader: Seat, trump: Suit | None, each: int = 13) -> dict[str, Any]:
    """The fields of a state in which seat 0 is to play.

    held: what it holds; tricks: the cards of every trick so far in the order of play, of which the last may not be
    full; leader: who led the first, as eldest; each: how many cards were dealt to a seat.
    """
    sizes, dealer = [each] * 4, (leader - 1) % 4
    taken: list[tuple[Slot, ...]] = [()] * 4
    table: tuple[Slot, ...] = ()
    last: tuple[tuple[Seat, Card], ...] = ()
    for words in tricks:
        laid = cards(words)
        for place in range(len(laid)):
            sizes[(leader + place) % 4] -= 1
        slots = tuple([Slot(card, PUBLIC) for card in laid])
        if len(laid) < 4:
            table = slots
            continue
        last = tuple([((leader + place) % 4, card) for place, card in enumerate(laid)])
        leader = (leader + trick_winner(laid, trump)) % 4
        taken[leader] += slots
    mine = bag(0, [Slot(card, eye(0)) for card in cards(held)])
    assert (leader + len(table)) % 4 == 0
    assert len(mine) == sizes[0]
    return {
        "eyes": viewer(0),
        "stage": Stage.PLAY,
        "to_act": (0,),
        "dealer": dealer,
        "hands": (mine, *[Bag(seat, (HIDDEN,) * sizes[seat]) for seat in (1, 2, 3)]),
        "leader": leader,
        "trick": table,
        "last_trick": last,
        "taken": tuple(taken),
    }


def kept_in_play(
    deal: Held, held: str, tricks: Sequence[str], each: int = 13, stock: str = "", undealt: int = 0
) -> dict[str, Any]:
    """The same for a game that keeps its deal in masks. deal: the hand before its play begins, whose turn is that of
    the leader; stock: what lies face up beside the hands, undealt: how many cards face down."""
    mine, open_cards = cards(held), cards(stock)
    aside = len(deal.hidden)
    deal.lie(
        [mask_of(mine), 0, 0, 0, mask_of(open_cards), *[0] * aside][:aside],
        [each - len(mine), *[each] * 3, undealt, *[0] * aside][:aside],
        [mask_of(open_cards), mask_of(mine), 0, 0, 0],
    )
    leads = [deal.turn]
    for words in tricks:
        for card in cards(words):
            deal.turn_up(deal.turn, card)
            deal.do(card)
        if not deal.table().laid:
            leads.append(deal.turn)
    assert deal.turn == 0
    return {
        "eyes": viewer(0),
        "stage": Stage.PLAY,
        "to_act": (0,),
        "dealer": (leads[0] - 1) % 4,
        "deal": deal,
        "played": tuple([card for words in tricks for card in cards(words)]),
        "leads": tuple(leads),
    }


def kept(
    deal: Held,
    hands: Sequence[str],
    leader: Seat = 0,
    trick: str = "",
    piles: Sequence[str] = (),
    hidden: Sequence[int] = (0, 0, 0, 0),
) -> dict[str, Any]:
    """The fields of a state that keeps its deal in masks. hands: the cards of each seat, which it has seen, and hidden
    how many more; trick: the cards on the table, from the leader on; piles: by seat, the cards that it has taken."""
    aside, table, own = [0] * (len(deal.hidden) - 4), deal.table(), [mask_of(cards(words)) for words in hands]
    deal.lie([*own, *aside], [*hidden, *aside], [mask_of(cards(" ".join((trick, *piles)))), *own])
    takers: list[Seat] = []
    played: list[Card] = []
    for seat in sorted(range(len(piles)), key=lambda seat: seat == leader):
        pile = cards(piles[seat])
        table.taken[seat], table.won[seat] = mask_of(pile), len(pile) // 4
        table.gone |= mask_of(pile)
        if len(pile) % 4 == 0:  # of others it is only told that they were taken
            takers += [seat] * (len(pile) // 4)
            played += pile
    table.begin(leader)
    for card in cards(trick):
        table.lay(card)
    deal.wait_for(table.turn)
    leads = [*takers, leader] if takers else [leader]
    return {"deal": deal, "played": (*played, *cards(trick)), "leads": tuple(leads)}


def whist_in_play(held: str, tricks: Sequence[str], leader: Seat, turn_up: str = "") -> dict[str, Any]:
    """The same of whist; spades are trump. turn_up: which the dealer, at the right of the leader, holds if it has not
    been played; "" where it does not matter."""
    taking, dealer, turned = Taking(SUITS[Suit.SPADES]), (leader - 1) % 4, mask_of(cards(turn_up))
    taking.begin(leader)
    deal = Whist(True, turned, taking)
    fields = kept_in_play(deal, held, tricks)
    if dealer and turn_up and turn_up not in " ".join((held, *tricks)):
        places, hidden = deal.places(), list(deal.hidden)
        places[dealer], hidden[dealer] = turned, hidden[dealer] - 1
        deal.lie(places, hidden, [deal.seen[0] | turned, *deal.seen[1:]])
    return fields


def hearts_in_play(held: str, tricks: Sequence[str], leader: Seat) -> dict[str, Any]:
    """The same of hearts, of the first hand by the rules of the first preset; any heart in a trick has broken them."""
    deal = Hearts(rules_of(Options(), 1), (leader - 1) % 4, Tricks(4))
    deal.open_play(leader)
    fields = kept_in_play(deal, held, tricks)
    deal.broken = any(word.endswith("H") for words in tricks for word in words.split())
    return fields
