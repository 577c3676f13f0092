"""What somebody is told who is advised or looks back: what to do, what for and what comes of it; what is in their hand;
what they could remember."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from p2pcards.cards.card import Card, spelled
from p2pcards.cards.eyes import Slot, faces_of, slots_of, viewer
from p2pcards.games.advice.trick_aims import Leads, trick_aim
from p2pcards.games.advice.trick_analysis import of_tricks
from p2pcards.games.cutting import Cut
from p2pcards.games.game import Action, AnyGame, Event, Made, Pile, Seat
from p2pcards.games.spelling import called, is_card_word
from p2pcards.games.telling import Found, told_of
from p2pcards.ledger.advance import offered
from p2pcards.ledger.position import Position
from p2pcards.ledger.transitions import Phase
from p2pcards.views.happenings import (
    Alternative,
    AlternativesExplained,
    CardsDistributed,
    CardsRecalled,
    HandAnalyzed,
    Hinted,
    MeldsReviewed,
    Obvious,
    TricksReviewed,
)
from p2pcards.views.standpoint import Cast, ends_trick, meld_view, name_or_you, seat_name, with_names
from p2pcards.views.tableview import MeldView

if TYPE_CHECKING:
    from p2pcards.games.advice.trick_aims import Leads


# --- what somebody who thinks ahead makes of what they could do -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rated:
    """An action, and its result in imagined hands that were played on."""

    action: Action
    # Average score of the acting side times the number of sides, less the scores of all sides; negated if the lowest
    # score wins. If the search is for the chance to win the game, the lead over the obvious action is converted to
    # points with the same effect on that chance.
    worth: float = 0.0
    error: float = 0.0  # standard error of the difference in `worth` from the obvious action
    hands: int = 0  # number of hands that it was tried in; 0 if none, 1 if all cards are known
    mishaps: tuple[int, ...] = ()  # number of hands with each mishap of `Told.mishaps`, in its order
    obvious: bool = False  # it is the action of the deal's rules of thumb


# --- what an action is for, as far as what its seat sees makes it certain ---------------------------------------------


def aim(game: AnyGame, view: Any, seat: Seat, action: Action, leads: Leads = ()) -> str:
    """A few words that begin with "to", such as "to duck under the JS", or with "since"; "" where no aim is certain.
    Cards as they are spelled, seats by `name_in_text`.

    view: as this seat sees it, which owes the action; leads: who has led which suit in this hand, in order. Nothing
    is looked at but what the seat sees.
    """
    if isinstance(action, Cut):
        return "since every place is equally good"
    lies = game.layout(view)
    if type(action).__name__ == "Play" and lies.leader is not None and lies.called == "trick":
        kind = type(action)
        legal = [other.card for other in game.legal(view, seat) if isinstance(other, kind)]
        return trick_aim(game, view, seat, action.card, legal, leads)
    return told_of(game.key).aim(view, seat, action)


# --- what is in a hand ------------------------------------------------------------------------------------------------


def analyze(position: Position, seat: Seat, cast: Cast) -> HandAnalyzed:
    """The hand of this seat, by what it sees alone."""
    found = analyzed(position.game, position.own_view, seat)
    return HandAnalyzed(tuple([(what, with_names(words, position, cast)) for what, words in found]))


def analyzed(game: AnyGame, view: Any, seat: Seat) -> Found:
    """What a seat can conclude about its hand and the others': by the game's own analysis, else by that of any game of
    tricks or of any hand. Pairs of a few words and what follows them; cards as they are spelled, seats by
    `name_in_text`. view: as the seat sees it."""
    if not view.hands[seat].cards:
        return [("your hand", "no cards now")]
    lies = game.layout(view)
    usual = of_tricks if lies.leader is not None and lies.called == "trick" else of_any_hand
    return (told_of(game.key).analysis or usual)(game, view, seat)


def of_any_hand(_game: AnyGame, view: Any, seat: Seat) -> Found:
    """Of a game of which nothing more is known."""
    return [("your hand", spelled(view.hands[seat].cards))]


# --- what a player could remember of the hand that is on --------------------------------------------------------------


RECALLED = ("seen", "unseen", "both")
"""The part of the pack to recall: the cards that were seen, the others, or both."""


def review(position: Position, cast: Cast) -> TricksReviewed:
    """The tricks of this hand, in order, with who took each."""
    game = position.game
    tricks, takers = [], []
    for before, _, after in _replayed(position):
        layout = game.layout(after)
        if ends_trick(game.layout(before), layout):
            tricks.append(
                tuple([(name_or_you(position, seat, cast), str(slot.card)) for seat, slot in layout.last_trick])
            )
            takers.append(name_or_you(position, layout.taker or 0, cast))
    return TricksReviewed(tuple(tricks), tuple(takers))


def melds(position: Position, cast: Cast) -> MeldsReviewed:
    """The melds of this hand, in order, with who made each."""
    made = _made(position)
    return MeldsReviewed(tuple([meld_view(one, name_or_you(position, one.seat, cast)) for one in made]))


def recall(position: Position, cast: Cast, what: str) -> CardsRecalled:
    """Every card of the pack. what: one of `RECALLED`. The tricks are one place, no matter who took them, and so is
    what a player has melded, wherever that lies now."""
    pack = len(position.game.pack(position.state.options))
    return CardsRecalled(what, _located(position, cast, apart=False), _words(unseen_cards(position)), pack)


def distribution(position: Position, cast: Cast) -> CardsDistributed:
    """Where every card of the pack is, as far as these eyes know."""
    return CardsDistributed((*_located(position, cast, apart=True), ("not located", _words(unseen_cards(position)))))


def unseen_cards(position: Position) -> list[Card]:
    """The cards of the pack that these eyes see nowhere, ascending."""
    return sorted((_pack(position) - Counter(faces_of(position.view))).elements())


# --- private ----------------------------------------------------------------------------------------------------------


def _pack(position: Position) -> Counter[Card]:
    return Counter([card.face for card in position.game.pack(position.view.options)])


def _replayed(position: Position) -> Iterator[tuple[Any, Any, Any]]:
    """Each event of this hand with the states before and after it, as these eyes saw them."""
    states = [*[step.before for step in position.steps], position.state]
    for step, after in zip(position.steps, states[1:], strict=True):
        if step.swapped is None:
            yield step.before, step.shown, after


def _made(position: Position) -> list[Made]:
    """The melds of this hand, with their cards as they are in the pack."""
    made = [one for before, event, after in _replayed(position) for one in position.game.made(before, event, after)]
    return [replace(one, cards=tuple([card.face for card in one.cards])) for one in made]


def _located(position: Position, cast: Cast, apart: bool) -> tuple[tuple[str, str], ...]:
    """The cards of the pack that these eyes see, each once, as words, by where they lie. apart: the tricks of each
    player, and not all tricks as one."""
    layout, view = position.game.layout(position.view), position.view
    seen = Counter(faces_of(view))
    found: dict[str, list[Card]] = {}

    def put(place: str, slots: Sequence[Slot]) -> None:
        here = Counter([slot.card.face for slot in slots if slot.card]) & seen
        seen.subtract(here)
        found.setdefault(place, []).extend(here.elements())

    tricks = "the trick" if apart else "tricks"
    if position.seat is not None:
        put("your hand", view.hands[position.seat].slots)
    laid: defaultdict[Seat, list[Slot]] = defaultdict(list)
    for pile in layout.piles:
        if pile.kind == "melds" and pile.seat is not None:
            held_too = view.hands[pile.seat].slots
            laid[pile.seat] += [slot for slot in pile.slots if slot not in held_too]
    for seat, slots in laid.items():
        put(_melds_of(position, seat, cast), slots)
    melded = _made(position)
    for held in [held for held in view.hands if held.owner != position.seat]:
        made = [one for one in melded if one.seat == held.owner]
        shown, rest = _of_melds(held.slots, made, laid[held.owner])
        put(_melds_of(position, held.owner, cast), shown)
        put(f"{seat_name(position, held.owner, cast)}'s hand", rest)
    if layout.trick:
        put(tricks if layout.called == "trick" else layout.called, [slot for _, slot in layout.trick])
    for pile in layout.piles:
        if pile.kind != "melds":
            put(_place(position, pile, cast) if apart or pile.kind != "tricks" else tricks, pile.slots)
    found["elsewhere"] = list(seen.elements())
    return tuple([(place, _words(sorted(cards))) for place, cards in found.items() if cards])


def _of_melds(slots: Sequence[Slot], melded: Sequence[Made], laid: Sequence[Slot]) -> tuple[list[Slot], list[Slot]]:
    """Cards in the hand of another that are known from these melds, and the others: of two that look alike one may have
    been seen where it was drawn. A card is used once for each kind of meld. laid: what lies beside the hand."""
    used: defaultdict[str, Counter[Card]] = defaultdict(Counter)
    for one in melded:
        used[one.name].update(one.cards)
    left = Counter[Card]()
    for cards in used.values():
        left |= cards
    left.subtract([slot.card.face for slot in laid if slot.card])
    shown: list[Slot] = []
    rest: list[Slot] = []
    for slot in slots:
        (shown if left[slot.card.face] > 0 else rest).append(slot)
        left[slot.card.face] -= 1
    return shown, rest


def _melds_of(position: Position, seat: Seat, cast: Cast) -> str:
    return "your melds" if seat == position.seat else f"{seat_name(position, seat, cast)}'s melds"


def _place(position: Position, pile: Pile, cast: Cast) -> str:
    if pile.seat is None:
        return pile.name
    if pile.kind == "tricks":
        return f"taken by {name_or_you(position, pile.seat, cast)}"
    return f"{pile.name}, {name_or_you(position, pile.seat, cast)}"


def _words(cards: Sequence[Card]) -> str:
    return spelled([card.face for card in cards])


# --- what somebody is told who is advised -----------------------------------------------------------------------------


MOST = 6
"""How many alternatives are told."""


def advice(position: Position, seat: Seat, weighed: Sequence[Rated], cast: Cast) -> Hinted:
    """Nothing is told but what the hand of this seat shows. weighed: as in `explained`."""
    hinted = _advice(position, seat, weighed[0].action, cast)
    fear = told_of(position.game.key).fear(position.own_view, weighed)
    aim = ", ".join(filter(None, [hinted.aim, fear])) if fear else hinted.aim
    return replace(hinted, aim=aim, obvious=_obvious(position, seat, weighed))


TELLING = 0.1
"""Of the imagined hands: what goes wrong in so many more of them with the obvious play is why it is not advised."""


def _obvious(position: Position, seat: Seat, weighed: Sequence[Rated]) -> Obvious | None:
    """What rules of thumb would do, if it was tried out as well and the figures say why something else is better."""
    best, game = weighed[0], position.game
    obvious = next((one for one in weighed[1:] if one.obvious and one.hands), None)
    if obvious is None:
        return None
    found = Obvious(
        called(game, position.own_view, seat, obvious.action),
        obvious.hands,
        (best.worth - obvious.worth) / (_apart(position) - 1),
    )
    told = told_of(game.key)
    counts = enumerate(zip(told.mishaps, obvious.mishaps, best.mishaps, strict=False))
    more = [
        (there / obvious.hands - here / best.hands, words, there, here)
        for place, (words, there, here) in counts
        if told.blamed(obvious.action, place)
    ]
    most = max(more, default=None)
    if most and most[0] >= TELLING:
        return replace(found, mishap=most[1], times=most[2], here=most[3])
    return found if found.worse > 0 else None


def _apart(position: Position) -> int:
    """How many sides play."""
    return len(position.game.sides(position.own_view.options)) or len(position.header.seats)


def _advice(position: Position, seat: Seat, action: Action, cast: Cast) -> Hinted:
    game, before = position.game, position.own_view
    words = called(game, before, seat, action)
    purpose = with_names(_aim(game, before, seat, action, leads_of(position)), position, cast)
    foreseen = _foreseen(game, before, seat, action)
    if foreseen is None:
        return Hinted(words, aim=purpose)
    event, after = foreseen
    lays = _best([meld for meld in game.made(before, event, after) if meld.seat == seat])
    if not is_card_word(words):
        return Hinted(words, lays=lays, aim="" if lays else purpose)
    lies = game.layout(after)
    takes = lies.taker == seat if ends_trick(game.layout(before), lies) else None
    return Hinted(words, takes, lays, None if takes is False else _best(game.meldable(after, seat)), purpose)


def melding(position: Position, meld: MeldView | None) -> Action:
    """The action open to me now that lays this meld; None where there is none."""
    seat, game, view = position.seat, position.game, position.own_view
    if meld is None or seat is None or position.phase is not Phase.PLAY or seat not in position.state.to_act:
        return None
    for action in offered(position, seat):
        if foreseen := _foreseen(game, view, seat, action):
            made = [one for one in game.made(view, *foreseen) if one.seat == seat]
            if any(meld_view(one, "you").cards == meld.cards for one in made):
                return action
    return None


def explained(position: Position, seat: Seat, weighed: Sequence[Rated], cast: Cast) -> AlternativesExplained:
    """The choices of this seat now. weighed: what an expert makes of it, the best first."""
    game, view, leads = position.game, position.own_view, leads_of(position)
    legal = offered(position, seat)
    apart = _apart(position)
    told = []
    for one in weighed[:MOST]:
        purpose = with_names(_purpose(game, view, seat, one.action, leads), position, cast)
        told.append(
            Alternative(called(game, view, seat, one.action), purpose, one.worth / (apart - 1), one.error / (apart - 1))
        )
    others = [action for action in legal if all(action != one.action for one in weighed)]
    if not weighed[0].hands and not isinstance(weighed[0].action, Cut):  # the others stand as the rules have them
        told += [
            Alternative(
                called(game, view, seat, action), with_names(_purpose(game, view, seat, action, leads), position, cast)
            )
            for action in others[: MOST - len(told)]
        ]
    return AlternativesExplained(
        tuple(told), len(legal), weighed[0].hands, len(weighed), game.low_wins, bool(game.sides(view.options)), apart
    )


def idle_words(position: Position, cast: Cast) -> str:
    """What somebody can do who is not to act now, as a sentence."""
    if position.seat is None:
        return "You're watching this game. 'table' shows the table, 'score' the scores."
    if position.seat in position.substituted:
        return "Your character is playing for you. Type 'back' to take over. 'table' shows the table."
    owing = [seat for seat in position.state.to_act if position.phase is Phase.PLAY]
    if not owing:
        return "It's nobody's turn: the cards are being dealt or checked. 'score' shows the last hand."
    names = " and ".join([seat_name(position, seat, cast) for seat in owing])
    return f"Waiting for {names}. Meanwhile, 'analyze' sums up your hand, and 'table' and 'last' show what was played."


def leads_of(position: Position) -> Leads:
    """Who has led which suit in the tricks of this hand, in order."""
    found = []
    for step in position.steps:
        lies, ranking = position.game.layout(step.before), position.game.ranking(step.before)
        leads = lies.leader is not None and lies.called == "trick" and not lies.trick
        if step.seat is not None and leads and type(step.action).__name__ == "Play":
            card = step.action.card.face
            found.append((step.seat, (ranking.counted(card) if ranking else card).suit))
    return tuple(found)


def _purpose(game: AnyGame, view: object, seat: Seat, action: Action, leads: Leads) -> str:
    """The aim of an action, or what it scores at once."""
    purpose = _aim(game, view, seat, action, leads)
    if purpose or (foreseen := _foreseen(game, view, seat, action)) is None:
        return purpose
    meld = _best([one for one in game.made(view, *foreseen) if one.seat == seat])
    return f"to score {meld.points} for {meld.what}" if meld and meld.points else ""


def _aim(game: AnyGame, view: object, seat: Seat, action: Action, leads: Leads) -> str:

    return aim(game, view, seat, action, leads)


def _foreseen(game: AnyGame, view: object, seat: Seat, action: Action) -> tuple[Event, Any] | None:
    """What comes of an action at once, and the view after it, where its seat knows all of that."""
    if type(action) in game.private or isinstance(action, Cut):
        return None
    event = game.decide(view, seat, action)
    if any(slot.eyes & viewer(seat) and not slot.card for slot in slots_of(event)):
        return None  # a card comes
    return event, game.play(view, event)


def _best(melds: Sequence[Made]) -> MeldView | None:
    meld = max(melds, key=lambda meld: meld.points, default=None)
    return None if meld is None else meld_view(meld, "you")
