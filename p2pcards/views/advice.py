"""What somebody is told who is advised or looks back: what to do, what for and what comes of it; what is in their hand;
what they could remember."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from p2pcards.cards.card import Card, spell_cards
from p2pcards.cards.eyes import Slot, eyes_of_viewer, known_faces_in, slots_of
from p2pcards.games.advice.trick_aims import Leads, reason_for_card
from p2pcards.games.advice.trick_analysis import trick_findings
from p2pcards.games.cutting import Cut
from p2pcards.games.game import Action, AnyGame, Event, Made, Pile, Seat
from p2pcards.games.spelling import is_card_word, offered_words
from p2pcards.games.telling import Found, load_told
from p2pcards.ledger.advance import offered_actions
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
from p2pcards.views.standpoint import Cast, ends_trick, fill_in_names, meld_view, name_or_you, player_name
from p2pcards.views.tableview import MeldView

if TYPE_CHECKING:
    from p2pcards.games.advice.trick_aims import Leads


# --- what somebody who thinks ahead makes of what they could do -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rated:
    """An action, and its result in simulated hands."""

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


def aim_text(game: AnyGame, view: Any, seat: Seat, action: Action, leads: Leads = ()) -> str:
    """The aim of an action in a few words that begin with "to", such as "to duck under the JS", or with "since"; "" for
    no certain aim. Cards are spelled, seats written by `name_in_text`.

    view: of the seat that owes the action, and all that is used; leads: who led which suit in this hand, in order."""
    if isinstance(action, Cut):
        return "since every place is equally good"
    lies = game.layout(view)
    if type(action).__name__ == "Play" and lies.leader is not None and lies.called == "trick":
        kind = type(action)
        legal = [other.card for other in game.legal(view, seat) if isinstance(other, kind)]
        return reason_for_card(game, view, seat, action.card, legal, leads)
    return load_told(game.key).aim(view, seat, action)


# --- what is in a hand ------------------------------------------------------------------------------------------------


def analyze_hand(position: Position, seat: Seat, cast: Cast) -> HandAnalyzed:
    """Analyse the hand of this seat, by what it sees alone."""
    found = conclusions_about_hand(position.game, position.own_view, seat)
    return HandAnalyzed(tuple([(what, fill_in_names(words, position, cast)) for what, words in found]))


def conclusions_about_hand(game: AnyGame, view: Any, seat: Seat) -> Found:
    """What a seat can conclude about its hand and the others': by the game's own analysis, else by that for trick games
    or for any game. Pairs of a few words and what follows them; cards are spelled, seats written by `name_in_text`.
    view: as the seat sees it."""
    if not view.hands[seat].cards:
        return [("your hand", "no cards now")]
    lies = game.layout(view)
    usual = trick_findings if lies.leader is not None and lies.called == "trick" else conclusions_in_any_game
    return (load_told(game.key).analysis or usual)(game, view, seat)


def conclusions_in_any_game(_game: AnyGame, view: Any, seat: Seat) -> Found:
    """Conclusions about a hand in a game without an analysis of its own."""
    return [("your hand", spell_cards(view.hands[seat].cards))]


# --- what a player could remember of the hand that is on --------------------------------------------------------------


RECALLED = ("seen", "unseen", "both")
"""The part of the pack to recall: the cards that were seen, the others, or both."""


def review_tricks(position: Position, cast: Cast) -> TricksReviewed:
    """The tricks of this hand, in order, with who took each."""
    game = position.game
    tricks, takers = [], []
    for before, _, after in _replay_hand(position):
        layout = game.layout(after)
        if ends_trick(game.layout(before), layout):
            tricks.append(
                tuple([(name_or_you(position, seat, cast), str(slot.card)) for seat, slot in layout.last_trick])
            )
            takers.append(name_or_you(position, layout.taker or 0, cast))
    return TricksReviewed(tuple(tricks), tuple(takers))


def review_melds(position: Position, cast: Cast) -> MeldsReviewed:
    """The melds of this hand, in order, with who made each."""
    made = _melds_made(position)
    return MeldsReviewed(tuple([meld_view(one, name_or_you(position, one.seat, cast)) for one in made]))


def recall_cards(position: Position, cast: Cast, what: str) -> CardsRecalled:
    """Every card of the pack by its place. what: one of `RECALLED`. All tricks are one place, whoever took them; so is
    all that a player has melded, wherever it is now."""
    pack = len(position.game.pack(position.state.options))
    return CardsRecalled(
        what, _cards_by_place(position, cast, apart=False), _cards_as_words(unseen_cards(position)), pack
    )


def distribute_cards(position: Position, cast: Cast) -> CardsDistributed:
    """The place of every card of the pack, as far as this side knows it."""
    return CardsDistributed(
        (*_cards_by_place(position, cast, apart=True), ("not located", _cards_as_words(unseen_cards(position))))
    )


def unseen_cards(position: Position) -> list[Card]:
    """The cards of the pack that this side sees nowhere, ascending."""
    return sorted((_count_pack(position) - Counter(known_faces_in(position.view))).elements())


# --- private ----------------------------------------------------------------------------------------------------------


def _count_pack(position: Position) -> Counter[Card]:
    return Counter([card.face for card in position.game.pack(position.view.options)])


def _replay_hand(position: Position) -> Iterator[tuple[Any, Any, Any]]:
    """(state before, event, state after) of each event of this hand, as this side saw them."""
    states = [*[step.before for step in position.steps], position.state]
    for step, after in zip(position.steps, states[1:], strict=True):
        if step.swapped is None:
            yield step.before, step.shown, after


def _melds_made(position: Position) -> list[Made]:
    """The melds of this hand, with their cards."""
    made = [one for before, event, after in _replay_hand(position) for one in position.game.made(before, event, after)]
    return [replace(one, cards=tuple([card.face for card in one.cards])) for one in made]


def _cards_by_place(position: Position, cast: Cast, apart: bool) -> tuple[tuple[str, str], ...]:
    """(place, cards as words) of the cards that this side sees, each once. apart: tricks by player instead of all in
    one."""
    layout, view = position.game.layout(position.view), position.view
    seen = Counter(known_faces_in(view))
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
        put(_melds_place(position, seat, cast), slots)
    melded = _melds_made(position)
    for held in [held for held in view.hands if held.owner != position.seat]:
        made = [one for one in melded if one.seat == held.owner]
        shown, rest = _split_melded(held.slots, made, laid[held.owner])
        put(_melds_place(position, held.owner, cast), shown)
        put(f"{player_name(position, held.owner, cast)}'s hand", rest)
    if layout.trick:
        put(tricks if layout.called == "trick" else layout.called, [slot for _, slot in layout.trick])
    for pile in layout.piles:
        if pile.kind != "melds":
            put(_pile_place(position, pile, cast) if apart or pile.kind != "tricks" else tricks, pile.slots)
    found["elsewhere"] = list(seen.elements())
    return tuple([(place, _cards_as_words(sorted(cards))) for place, cards in found.items() if cards])


def _split_melded(slots: Sequence[Slot], melded: Sequence[Made], laid: Sequence[Slot]) -> tuple[list[Slot], list[Slot]]:
    """(cards of another's hand known from these melds, other cards). Of two equal cards, one may have been seen where
    it was drawn. A card counts once for each kind of meld. laid: cards beside the hand."""
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


def _melds_place(position: Position, seat: Seat, cast: Cast) -> str:
    return "your melds" if seat == position.seat else f"{player_name(position, seat, cast)}'s melds"


def _pile_place(position: Position, pile: Pile, cast: Cast) -> str:
    if pile.seat is None:
        return pile.name
    if pile.kind == "tricks":
        return f"taken by {name_or_you(position, pile.seat, cast)}"
    return f"{pile.name}, {name_or_you(position, pile.seat, cast)}"


def _cards_as_words(cards: Sequence[Card]) -> str:
    return spell_cards([card.face for card in cards])


# --- what somebody is told who is advised -----------------------------------------------------------------------------


MOST = 6
"""How many alternatives are told."""


def make_hint(position: Position, seat: Seat, weighed: Sequence[Rated], cast: Cast) -> Hinted:
    """The hint for this seat, from what its hand shows alone. weighed: as in `explain_alternatives`."""
    hinted = _hint_for_action(position, seat, weighed[0].action, cast)
    fear = load_told(position.game.key).fear(position.own_view, weighed)
    aim = ", ".join(filter(None, [hinted.aim, fear])) if fear else hinted.aim
    return replace(hinted, aim=aim, obvious=_obvious_action(position, seat, weighed))


TELLING = 0.1
"""Of the imagined hands: what goes wrong in so many more of them with the obvious play is why it is not advised."""


def _obvious_action(position: Position, seat: Seat, weighed: Sequence[Rated]) -> Obvious | None:
    """The action of the rules of thumb, if it was simulated too and another is better by the figures; else None."""
    best, game = weighed[0], position.game
    obvious = next((one for one in weighed[1:] if one.obvious and one.hands), None)
    if obvious is None:
        return None
    found = Obvious(
        offered_words(game, position.own_view, seat, obvious.action),
        obvious.hands,
        (best.worth - obvious.worth) / (_count_sides(position) - 1),
    )
    told = load_told(game.key)
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


def _count_sides(position: Position) -> int:
    """The number of sides that play."""
    return len(position.game.sides(position.own_view.options)) or len(position.header.seats)


def _hint_for_action(position: Position, seat: Seat, action: Action, cast: Cast) -> Hinted:
    game, before = position.game, position.own_view
    words = offered_words(game, before, seat, action)
    purpose = fill_in_names(_aim_in_game(game, before, seat, action, leads_in_hand(position)), position, cast)
    foreseen = _foresee_event(game, before, seat, action)
    if foreseen is None:
        return Hinted(words, aim=purpose)
    event, after = foreseen
    lays = _best_meld([meld for meld in game.made(before, event, after) if meld.seat == seat])
    if not is_card_word(words):
        return Hinted(words, lays=lays, aim="" if lays else purpose)
    lies = game.layout(after)
    takes = lies.taker == seat if ends_trick(game.layout(before), lies) else None
    return Hinted(words, takes, lays, None if takes is False else _best_meld(game.meldable(after, seat)), purpose)


def find_melding_action(position: Position, meld: MeldView | None) -> Action:
    """My legal action that lays this meld, None for none."""
    seat, game, view = position.seat, position.game, position.own_view
    if meld is None or seat is None or position.phase is not Phase.PLAY or seat not in position.state.to_act:
        return None
    for action in offered_actions(position, seat):
        if foreseen := _foresee_event(game, view, seat, action):
            made = [one for one in game.made(view, *foreseen) if one.seat == seat]
            if any(meld_view(one, "you").cards == meld.cards for one in made):
                return action
    return None


def explain_alternatives(position: Position, seat: Seat, weighed: Sequence[Rated], cast: Cast) -> AlternativesExplained:
    """The choices of this seat now. weighed: an expert's ratings, best first."""
    game, view, leads = position.game, position.own_view, leads_in_hand(position)
    legal = offered_actions(position, seat)
    apart = _count_sides(position)
    told = []
    for one in weighed[:MOST]:
        purpose = fill_in_names(_aim_or_score(game, view, seat, one.action, leads), position, cast)
        told.append(
            Alternative(
                offered_words(game, view, seat, one.action), purpose, one.worth / (apart - 1), one.error / (apart - 1)
            )
        )
    others = [action for action in legal if all(action != one.action for one in weighed)]
    if not weighed[0].hands and not isinstance(weighed[0].action, Cut):  # the others stand as the rules have them
        told += [
            Alternative(
                offered_words(game, view, seat, action),
                fill_in_names(_aim_or_score(game, view, seat, action, leads), position, cast),
            )
            for action in others[: MOST - len(told)]
        ]
    return AlternativesExplained(
        tuple(told), len(legal), weighed[0].hands, len(weighed), game.low_wins, bool(game.sides(view.options)), apart
    )


def idle_text(position: Position, cast: Cast) -> str:
    """A sentence on what a player can do while it isn't their turn."""
    if position.seat is None:
        return "You're watching this game. 'table' shows the table, 'score' the scores."
    if position.seat in position.taken_over:
        return "Your character is playing for you. Type 'back' to take over. 'table' shows the table."
    owing = [seat for seat in position.state.to_act if position.phase is Phase.PLAY]
    if not owing:
        return "It's nobody's turn: the cards are being dealt or checked. 'score' shows the last hand."
    names = " and ".join([player_name(position, seat, cast) for seat in owing])
    return f"Waiting for {names}. Meanwhile, 'analyze' sums up your hand, and 'table' and 'last' show what was played."


def leads_in_hand(position: Position) -> Leads:
    """Who led which suit in the tricks of this hand, in order."""
    found = []
    for step in position.steps:
        lies, ranking = position.game.layout(step.before), position.game.ranking(step.before)
        leads = lies.leader is not None and lies.called == "trick" and not lies.trick
        if step.seat is not None and leads and type(step.action).__name__ == "Play":
            card = step.action.card.face
            found.append((step.seat, (ranking.counted(card) if ranking else card).suit))
    return tuple(found)


def _aim_or_score(game: AnyGame, view: object, seat: Seat, action: Action, leads: Leads) -> str:
    """The aim of an action, or else what it scores at once."""
    purpose = _aim_in_game(game, view, seat, action, leads)
    if purpose or (foreseen := _foresee_event(game, view, seat, action)) is None:
        return purpose
    meld = _best_meld([one for one in game.made(view, *foreseen) if one.seat == seat])
    return f"to score {meld.points} for {meld.what}" if meld and meld.points else ""


def _aim_in_game(game: AnyGame, view: object, seat: Seat, action: Action, leads: Leads) -> str:

    return aim_text(game, view, seat, action, leads)


def _foresee_event(game: AnyGame, view: object, seat: Seat, action: Action) -> tuple[Event, Any] | None:
    """The event and the view after an action, None where the seat cannot know them."""
    if type(action) in game.private or isinstance(action, Cut):
        return None
    event = game.decide(view, seat, action)
    if any(slot.eyes & eyes_of_viewer(seat) and not slot.card for slot in slots_of(event)):
        return None  # a card comes
    return event, game.play(view, event)


def _best_meld(melds: Sequence[Made]) -> MeldView | None:
    meld = max(melds, key=lambda meld: meld.points, default=None)
    return None if meld is None else meld_view(meld, "you")
