"""Euchre: {team_play?partners sit across the table|four players, no partners}. Make trump, then take three of the five
tricks. First to {winning_score} wins.

The pack has {deck_size} cards, down to the {deck_size=24?nines|{deck_size=28?eights|sevens}}. Everyone gets five; the
next is turned up. The highest trump is the jack (right bower), then the other jack of its color (left bower, a trump in
every way), then A-K-Q-10 and down. Other suits rank from the ace down.

Starting at the dealer's left, each player may order up the card turned up (`accept`) or `pass`. Once someone orders it
up, {dealer_takes_up?the dealer picks it up and discards one face down|the dealer may pick it up and discard one face
down, or leave it (`decline`)}. If all four pass, the card is turned down, and each in turn may name another suit.
{stick_the_dealer?If the other three pass again, the dealer must name one.|If all pass again, nobody scores and the next
dealer deals.}

{team_play?The maker may play `alone` while their partner sits out.|The maker plays against the other three.} The player
to the dealer's left leads. Follow suit if you can; if not, play any card. The highest trump, or else the highest card
of the suit led, takes the trick and leads next.

The maker{team_play?'s side|} scores:
- three or four tricks: 1
- all five (a march): 2{team_play?, or 4 alone|}
- fewer than three (euchred): 2 for {team_play?the other side|each of the others}

{team_play?|{winning_score!}}
"""

# Rules: rule sheet 6, from "The Real Deal", and docs/usual-rules.md (preset usual); the decisions D-EU-1 to D-EU-6 are
# named where they are taken.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2pcards.cards.card import BACK, SUITS, Card, Suit, cards_of_mask
from p2pcards.cards.eyes import PUBLIC, Bag, Slot, eye_of_seat, move_slots, slots_in_place
from p2pcards.cards.pack import pack_of
from p2pcards.games.changing import changed
from p2pcards.games.dealing import (
    DealerDrawn,
    Dealt,
    after_dealer_drawn,
    dealt_with_upcard,
    draw_dealer,
    next_first_dealer,
    set_dealt_cards,
)
from p2pcards.games.deals.position import OVER
from p2pcards.games.deals.tricks import NOBODY
from p2pcards.games.drawing import Discard, Discarded
from p2pcards.games.euchre.deal import DECLINE, LAID, PASS, Euchre, EuchreRules
from p2pcards.games.game import (
    Game,
    IllegalAction,
    Items,
    Layout,
    Pile,
    Ranking,
    Remark,
    Seat,
    Stage,
    Trump,
    end_hand,
    name_in_text,
    possessive,
    sheet_of_items,
    verify_turn,
)
from p2pcards.games.holding import verify_dealt_to
from p2pcards.games.options import PARTNERSHIPS, WINS, choice_option, flag_option, number_option
from p2pcards.games.partners import TWO_SIDES, race_winners, side_names, sides_of_four, spread_to_seats
from p2pcards.games.playing import PLAYS, Pass, Passed, Play, Played
from p2pcards.games.tricks import (
    KeptTricks,
    lay_card,
    start_hand,
    suit_of_mask,
    trick_layout,
    tricks_text,
    verify_follows,
    winning_index,
)

SEATS = 4
EACH = 5
DEALT = SEATS * EACH
JACK = 11
PACKS = {size: pack_of(range(15 - int(size) // 4, 15)) for size in ("32", "28", "24")}  # with the jacks (D-EU-1)
TRUMP_RANKS = {rank: rank - 1 for rank in (7, 8, 9, 10)} | {12: 10, 13: 11, 14: 12}
LEFT, RIGHT = 13, 14
BOWERS = {RIGHT: " (right bower)", LEFT: " (left bower)"}
ALONE = ", going alone"
LEFT_OF = {Suit.CLUBS: Suit.SPADES, Suit.SPADES: Suit.CLUBS, Suit.DIAMONDS: Suit.HEARTS, Suit.HEARTS: Suit.DIAMONDS}


@dataclass(frozen=True, slots=True)
class Options:
    winning_score: int = number_option(  # D-EU-6
        5,
        1,
        10_000,
        WINS,
        "A player with {winning_score} points or more at the end of a hand wins. If everyone plays alone and more than "
        "one gets there, the highest score wins; after a tie, you play another hand.",
    )
    team_play: bool = flag_option(
        True,
        PARTNERSHIPS,
        on="Partners sit across from each other and score together. Three or four tricks score 1 for the maker's "
        "side, all five (a march) 2, or 4 if the maker played alone. If the maker's side takes fewer than three it is "
        "euchred, and the other side scores 2, even against a maker who played alone.",
        off="Everyone scores alone, and the maker plays against the other three; nobody plays `alone` or sits out. "
        "Three or four tricks score 1 for the maker, all five (a march) 2. A maker who takes fewer than three is "
        "euchred, and each of the others scores 2.",
    )
    deck_size: str = choice_option(
        "32",
        "size of the pack: down to the sevens, eights or nines",
        {
            "32": "The pack has 32 cards: seven and up in every suit.",
            "28": "The pack has 28 cards: eight and up in every suit.",
            "24": "The pack has 24 cards: nine and up in every suit.",
        },
    )
    stick_the_dealer: bool = flag_option(
        False,
        "a forced choice for the dealer if everyone else passes twice",
        on="If the other three pass again, the dealer can't pass and must name a suit.",
        off="If everyone passes again, nobody scores and the next dealer deals.",
        added=True,
    )
    dealer_takes_up: bool = flag_option(
        False,
        "a forced pickup by the dealer when the card is ordered up",
        on="Once the card is ordered up, the dealer picks it up and discards another card face down.",
        off="Once the card is ordered up, the dealer may pick it up and discard another card face down, or leave it "
        "(`decline`).",
        added=True,
    )


PRESETS = {"usual": Options(winning_score=10, deck_size="24", dealer_takes_up=True), "real-deal": Options()}


# --- actions and events -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accept:
    """The suit turned up is trump."""

    alone: bool


@dataclass(frozen=True, slots=True)
class Name:
    """Another suit is trump."""

    suit: Suit
    alone: bool


@dataclass(frozen=True, slots=True)
class Decline:
    """The dealer leaves the turn-up."""


@dataclass(frozen=True, slots=True)
class Made:
    """A seat makes this suit trump."""

    seat: Seat
    suit: Suit
    alone: bool


@dataclass(frozen=True, slots=True)
class Declined:
    seat: Seat


Action = Pass | Accept | Name | Discard | Decline | Play
Event = DealerDrawn | Dealt | Passed | Made | Discarded | Declined | Played


UNDEALT = Euchre(EuchreRules(False, 7, False, False), 0)
"""Before the first deal."""


@dataclass(frozen=True)
class State(KeptTricks):
    IN_DEAL = (
        *("hands", "turn_up", "laid", "stock", "passes", "trump", "maker", "out", "exchanging"),
        *("leader", "trick", "last_trick", "taken"),
    )

    options: Options
    deal: Euchre = UNDEALT
    stock: tuple[Slot, ...] = ()  # cards that were not dealt

    @property
    def turn_up(self) -> tuple[Slot, ...]:
        """The card turned up, until the dealer takes it."""
        return slots_in_place(self.deal, self.deal.cards_in(self.deal.turned), 0)

    @property
    def laid(self) -> Bag:
        """The card that the dealer discarded for the turn-up."""
        deal = self.deal
        return Bag(deal.dealer, slots_in_place(deal, deal.cards_in(deal.laid), deal.hidden[LAID]))

    @property
    def passes(self) -> int:
        """How many seats have passed since the deal, up to eight."""
        return self.deal.passes

    @property
    def trump(self) -> Suit | None:
        return suit_of_mask(self.deal.tricks.trump)

    @property
    def maker(self) -> Seat | None:
        return None if self.deal.maker == NOBODY else self.deal.maker

    @property
    def exchanging(self) -> bool:
        """Return whether the dealer is to discard, or to decline."""
        return self.deal.exchanging


# --- the game ---------------------------------------------------------------------------------------------------------


def deal(state: State, pack: tuple[Card, ...], draw: tuple[Card, ...]) -> DealerDrawn | Dealt:
    if state.dealer is None:
        return draw_dealer(draw)
    return dealt_with_upcard(pack, SEATS, state.dealer, EACH)


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    if seat not in state.to_act:
        return ()
    deal = state.deal
    if deal.exchanging:
        laid = [Discard(card) for card in cards_of_mask(deal.known_hands()[seat])]
        return tuple(laid) if state.options.dealer_takes_up else (*laid, Decline())
    if state.trump is not None:
        return tuple([PLAYS[card] for card in cards_of_mask(deal.cards_in(deal.legal_moves()))])
    ways = (False, True) if state.options.team_play else (False,)
    if state.passes < SEATS:
        return (Pass(), *[Accept(alone) for alone in ways])
    rejected = state.turn_up[0].card.suit
    names = [Name(suit, alone) for suit in SUITS if suit != rejected for alone in ways]
    return tuple(names) if _is_stuck(state) else (Pass(), *names)


def verify(state: State, seat: Seat, action: Action) -> None:
    verify_turn(state, seat)
    match action:
        case Pass() | Accept() | Name():
            _verify_call(state, action)
        case Discard(card=card):
            _verify_exchange(state)
            if not state.deal.may_hold(seat, card):  # face down to others
                raise IllegalAction(_why_not_laid_away(state, card))
        case Decline():
            _verify_exchange(state)
            if state.options.dealer_takes_up:
                raise IllegalAction("you have to pick up the upcard, so discard another card")
        case Play(card=card):
            if state.exchanging:
                raise IllegalAction("first discard a card to pick up the upcard, or decline it")
            if state.trump is None:
                raise IllegalAction("nobody has made trump yet")
            verify_dealt_to(state.deal, seat, card)
            verify_follows(state.deal, seat, card)


def decide(state: State, seat: Seat, action: Action) -> Passed | Made | Discarded | Declined | Played:
    match action:
        case Pass():
            return Passed(seat)
        case Accept(alone=alone):
            return Made(seat, state.turn_up[0].card.suit, alone)
        case Name(suit=suit, alone=alone):
            return Made(seat, suit, alone)
        case Discard(card=card):
            return Discarded(seat, Slot(card, eye_of_seat(seat)))
        case Decline():
            return Declined(seat)
        case Play(card=card):
            return Played(seat, Slot(card, PUBLIC))


def play(state: State, event: Event) -> State:
    match event:
        case DealerDrawn():
            return after_dealer_drawn(state, event, PACKS[state.options.deck_size])
        case Dealt(pack=slots):
            return _start_hand(state, slots)
        case Passed(seat=seat):
            deal = state.deal.copy()
            deal.make_move(PASS)
            state = changed(state, deal=deal, to_act=((seat + 1) % SEATS,))
            return _end_hand(state, ((),) * SEATS) if deal.turn == OVER else state
        case Made(suit=suit, alone=alone):
            deal = state.deal.copy()
            deal.make(suit, alone)
            return changed(state, deal=deal, to_act=(deal.turn,)) if deal.exchanging else _open_play(state, deal)
        case Discarded(seat=seat, card=slot):
            deal = move_slots(state.deal, seat, LAID, (slot,))
            deal.take_turn_up()
            return _open_play(state, deal)
        case Declined():
            deal = state.deal.copy()
            deal.make_move(DECLINE)
            return _open_play(state, deal)
        case Played(seat=seat, card=slot):
            state = lay_card(state, seat, slot)
            return _score_hand(state) if state.deal.turn == OVER else state


def layout(state: State) -> Layout:
    if not state.hand:
        return Layout()
    turned = Pile("upcard" if state.passes < SEATS else "turned down", state.turn_up)
    piles = [turned] * bool(state.turn_up) + [Pile("stock", state.stock)]
    trump = None if state.trump is None else Trump(state.trump, state.maker)
    return trick_layout(state, _notes(state), piles, state.out, [_facts(state, seat) for seat in range(SEATS)], trump)


def says(state: State, seat: Seat, action: Action) -> str:
    if isinstance(action, Discard):
        return f"pick up {state.turn_up[0].card} and discard {action.card if action.card else 'a card'}"
    return calls(state, seat, action)


def calls(state: State, seat: Seat, action: Action) -> str:
    match action:
        case Accept(alone=alone):
            return _acceptance(state, seat) + ALONE * alone
        case Name(suit=suit, alone=alone):
            return f"make it {suit.name.lower()}" + ALONE * alone
        case Decline():
            return f"leave {state.turn_up[0].card} on the table"
        case _:
            return ""


def remarks(before: State, event: Event, after: State) -> tuple[Remark, ...]:
    """The turn-up and what becomes of it, what is trump, and how many tricks the maker's side took."""
    match event:
        case Dealt():
            return (Remark(after.dealer, f"turn up {after.turn_up[0].card}"),)
        case Passed() if after.passes == SEATS:
            return (Remark(after.dealer, f"turn {after.turn_up[0].card} down"),)
        case Passed() if after.passes == 2 * SEATS:
            return (Remark(None, "everyone passed twice"),)
        case Made(suit=suit):
            accepted = [Remark(None, f"{suit.name.lower()} are trump")] * (before.passes < SEATS)
            return (*accepted, *([] if after.out is None else [Remark(after.out, "sit out this hand")]))
        case Played() if after.sheet:
            return (Remark(None, _result(after)),)
        case _:
            return ()


def ranking(state: State) -> Ranking | None:
    trump = state.trump
    return None if trump is None else Ranking(trump, lambda card: counted(card, trump), out=state.out)


def own(state: State, seat: Seat) -> tuple[str, ...]:
    """The trumps in their order, the bowers by name."""
    held, trump = state.hands[seat].cards, state.trump
    if trump is None or not held:
        return ()
    ranked = sorted([(counted(card, trump), card) for card in held], reverse=True)
    trumps = [f"{card}{BOWERS.get(rank.rank, '')}" for rank, card in ranked if rank.suit == trump]
    return (f"trumps: {', '.join(trumps)}",) if trumps else ()


# --- for other programs too -------------------------------------------------------------------------------------------


def counted(card: Card, trump: Suit | None) -> Card:
    """The card as which a card counts under this trump: trumps rank from the seven (6) to the left bower (13) and the
    right bower (14), and both bowers are of the trump suit; no two cards of the pack count as one. A card face down,
    and every card without trump, counts as itself."""
    if trump is None or not card:
        return card
    if card.rank == JACK and card.suit in (trump, LEFT_OF[trump]):
        return Card.of(RIGHT if card.suit == trump else LEFT, trump)
    return Card.of(TRUMP_RANKS[card.rank], trump) if card.suit == trump else card


def winning_place(trick: Sequence[Card], trump: Suit | None) -> int:
    """The place (0 = leader) of the card that takes the trick."""
    return winning_index([counted(card, trump) for card in trick], trump)


def rules_of(options: Options) -> EuchreRules:
    lowest = PACKS[options.deck_size][0].rank
    return EuchreRules(options.team_play, lowest, options.stick_the_dealer, options.dealer_takes_up)


def score_items(options: Options, maker: Seat, alone: bool, tricks: Sequence[int]) -> tuple[Items, ...]:
    """What each seat scores for the tricks of all seats (they sum to 5), item by item; partners hold the same items."""
    groups = sides_of_four(options.team_play)
    made = sum([tricks[seat] for side in groups if maker in side for seat in side])
    march = ("march alone", 4) if alone else ("march", 2)
    won = (march if made == EACH else ("made", 1),) if made >= 3 else ()
    lost = () if won else (("euchre", 2),)  # also of a lone player (D-EU-4), to each of three opponents (D-EU-5)
    return spread_to_seats(groups, [won if maker in side else lost for side in groups])


def at_the_bridge(options: Options, scores: Sequence[int]) -> tuple[Seat, ...]:
    """The seats of the side that in a game of five between partnerships has four, the other having two or less."""
    if options.winning_score != 5 or not options.team_play:
        return ()
    groups = sides_of_four(options.team_play)
    totals = [scores[side[0]] for side in groups]
    return groups[totals.index(4)] if max(totals) == 4 and min(totals) <= 2 else ()


# --- private ----------------------------------------------------------------------------------------------------------


def _notes(state: State) -> list[str]:
    """Whose deal it is while trump is made, what the player to speak may do, and whose a lone hand is."""
    if state.stage != Stage.PLAY:
        return []
    first = state.passes < SEATS
    if state.maker is None:
        speaker = state.to_act[0]
        may = f"can {_acceptance(state, speaker)}" if first else "can name another suit"
        may = "must name another suit" if _is_stuck(state) else may
        return [f"{possessive(_dealer(state))} deal", f"{name_in_text(speaker)} {may}"]
    lone = [] if state.out is None else [f"{possessive(state.maker)} lone hand"]
    may = "must" if state.options.dealer_takes_up else "can"
    return [*lone, *[f"{name_in_text(_dealer(state))} {may} swap a card for the upcard"] * state.exchanging]


def _facts(state: State, seat: Seat) -> str:
    facts = ["at the bridge"] if seat in at_the_bridge(state.options, state.scores) else []
    if state.maker is not None:
        facts.append("sitting out" if seat == state.out else tricks_text(state.deal.tricks.won[seat]))
    return ", ".join(filter(None, facts))


def _acceptance(state: State, seat: Seat) -> str:
    """The phrase by which a seat makes the turned up suit trump; in single play nobody is the dealer's partner."""
    suit = state.turn_up[0].card.suit.name.lower()
    if seat == state.dealer:
        return f"pick up {suit}"
    return f"order up {suit}"


def _result(state: State) -> str:
    """Of a hand that is over: how many tricks the maker's side took, and what that is called."""
    side = next(side for side in sides_of_four(state.options.team_play) if state.maker in side)
    made = sum([state.deal.tricks.won[seat] for seat in side])
    called = ": a march" if made == EACH else " and made it" if made >= 3 else ": euchred"
    return f"{side_names(side)} took {tricks_text(made) or 'no tricks'}{called}"


def _dealer(state: State) -> Seat:
    assert state.dealer is not None
    return state.dealer


def _verify_call(state: State, action: Pass | Accept | Name) -> None:
    if state.trump is not None:
        raise IllegalAction("trump has already been made")
    first, suit = state.passes < SEATS, state.turn_up[0].card.suit
    match action:
        case Pass() if _is_stuck(state):
            raise IllegalAction("everyone else passed twice, so you must name a suit")
        case Accept() if not first:
            raise IllegalAction("that card was turned down: name another suit, or pass")
        case Name() if first:
            raise IllegalAction(f"a {suit.name.lower()[:-1]} is turned up: order it up, or pass")
        case Name(suit=named) if named == suit:
            raise IllegalAction(f"{suit.name.lower()} were turned down: name another suit")
        case Accept(alone=True) | Name(alone=True) if not state.options.team_play:  # D-EU-5
            raise IllegalAction("you have no partner, so you can't go alone")


def _is_stuck(state: State) -> bool:
    """Return whether the dealer is to speak and may not pass."""
    return state.options.stick_the_dealer and state.passes == 2 * SEATS - 1


def _why_not_laid_away(state: State, card: Card) -> str:
    if card != state.turn_up[0].card:
        return f"you don't have {card}"
    leave = "" if state.options.dealer_takes_up else ": to leave it, type decline"
    return f"you can't discard the card you pick up{leave}"


def _verify_exchange(state: State) -> None:
    if not state.exchanging:
        raise IllegalAction("you have nothing to discard or decline now")


def _start_hand(state: State, slots: tuple[Slot, ...]) -> State:
    dealer = _dealer(state)
    if not slots[DEALT].card:
        raise ValueError("no card is turned up")
    eldest = (dealer + 1) % SEATS
    deal = Euchre(rules_of(state.options), dealer)
    set_dealt_cards(deal, slots[: DEALT + 1], dealer, EACH)
    deal.start()
    return changed(start_hand(state, deal, eldest), stock=slots[DEALT + 1 :])


def _open_play(state: State, deal: Euchre) -> State:
    """The state in which the first trick of a deal is led to."""
    return changed(state, deal=deal, leads=(deal.turn,), to_act=(deal.turn,))


def _score_hand(state: State) -> State:
    assert state.maker is not None
    won = state.deal.tricks.won
    return _end_hand(state, score_items(state.options, state.maker, state.out is not None, won))


def _end_hand(state: State, items: tuple[Items, ...]) -> State:
    options = state.options
    sheet = sheet_of_items(items, state.scores)
    return end_hand(state, sheet, race_winners(sides_of_four(options.team_play), sheet.totals, options.winning_score))


def _makers(state: State, seat: Seat) -> tuple[bool, int]:
    """Return whether a seat is on the maker's side, and the tricks of that side; none where nobody has made trump."""
    side = next((side for side in sides_of_four(state.options.team_play) if state.maker in side), ())
    return seat in side, sum([state.deal.tricks.won[one] for one in side])


def _kept_its_word(state: State, seat: Seat) -> int:
    makes, tricks = _makers(state, seat)
    return makes and tricks >= 3


def _marched(state: State, seat: Seat) -> int:
    makes, tricks = _makers(state, seat)
    return makes and tricks == EACH


def _euchred(state: State, seat: Seat) -> int:
    """Return whether this seat's side has euchred the makers."""
    makes, tricks = _makers(state, seat)
    return state.maker is not None and not makes and tricks < 3


GAME: Game[Options, State, Action, Event] = Game(
    key="euchre",
    rules=__doc__,
    ends="to {winning_score}",
    brief=(
        "{team_play?Partners|No partners}; {deck_size} cards; {stick_the_dealer?the dealer must name trump when "
        "everyone else passes twice|everyone may pass}."
    ),
    pitfalls=(
        "The left bower is a trump: play it to a trump lead, not to its own suit.",
        "Ordering up gives the card to the dealer, even an opponent.",
        "Two tricks won't save a maker: {team_play?the other side scores|each opponent scores} 2.",
    ),
    options=Options,
    presets=PRESETS,
    actions=(Pass, Accept, Name, Discard, Decline, Play),
    events=(DealerDrawn, Dealt, Passed, Made, Discarded, Declined, Played),
    private={Discard: lambda _state: Discard(BACK)},
    seats=lambda _options: SEATS,
    pack=lambda options: PACKS[options.deck_size],
    start=State.start,
    next_first_dealer=next_first_dealer,
    deal=deal,
    legal=legal,
    verify=verify,
    decide=decide,
    play=play,
    layout=layout,
    measures={"made": _kept_its_word, "march": _marched, "euchre": _euchred},
    says=says,
    calls=calls,
    ventures=(Accept, Name),
    remarks=remarks,
    ranking=ranking,
    own=own,
    verbs={"order": Accept, "assist": Accept, "take": Accept, "pick": Accept, "make": Name},
    sides=lambda options: TWO_SIDES if options.team_play else (),
)
