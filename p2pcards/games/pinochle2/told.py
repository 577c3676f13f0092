"""Two-handed Pinochle: what is told of it beside its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from p2pcards.cards.card import Card, spell_cards
from p2pcards.cards.eyes import slots_of
from p2pcards.games.advice.pinochle import MOST, join_words
from p2pcards.games.advice.trick_aims import TrickSight, suit_in_words
from p2pcards.games.advice.trick_analysis import trick_findings
from p2pcards.games.drawing import Draw, Knock, Meld
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, AnyGame, Seat
from p2pcards.games.pinochle.told import ABOUT
from p2pcards.games.pinochle2 import rules as pinochle2
from p2pcards.games.pinochle2.melds import BARS, Pattern
from p2pcards.games.pinochle_cards import counted_card
from p2pcards.games.telling import Found, Playing, Skill, Told, Tricks, Way

FAMILY = "Pinochle for two belongs to two families: its melds come from rummy, its tricks from whist."


def aim(view: pinochle2.State, seat: Seat, action: Action) -> str:
    match action:
        case Draw() if view.phase == pinochle2.Phase.MELD and pinochle2.melds_open_now(view, seat):
            return "to stop melding"
        case Knock():
            return "to win the game"
        case _:
            return ""


def analysis(game: AnyGame, view: pinochle2.State, seat: Seat) -> Found:
    """Findings on the hand for its player: its melds, as long as melds are made; afterwards what it is good for in
    tricks."""
    if view.phase == pinochle2.Phase.SECOND or view.trump is None:
        return trick_findings(game, view, seat)
    held = view.hands[seat].cards
    ways: dict[Pattern, tuple[Card, ...]] = {}
    for pattern, named in pinochle2.melds_open_now(view, seat):
        ways.setdefault(pattern, named)
    whole = sorted(ways, key=lambda pattern: -pattern.points)
    near = _melds_lacking_one(view, seat, whole)
    found: Found = [
        ("can be melded", join_words([f"{one.name} ({spell_cards(ways[one])}) {one.points}" for one in whole]))
    ]
    found.append(("one card short", join_words([_lacking_one_text(*one) for one in near[:MOST]])))
    used = {card.face for pattern in ways for card in pattern.cards} | {
        card for one, _, _ in near for card in one.cards
    }
    idle = [card for card in held if card not in used]
    return [*found, ("not in any of these", spell_cards(idle) if idle else "none")]


def _melds_lacking_one(view: pinochle2.State, seat: Seat, whole: Sequence[Pattern]) -> list[tuple[Pattern, Card, int]]:
    """The melds that lack one card, the most points first, with that card and how many of it may still come."""
    held, laid = set(view.hands[seat].cards), view.laid[seat]
    seen = Counter([slot.card.face for slot in slots_of(view) if slot.card])
    pack = Counter(pinochle2.GAME.pack(view.options))
    found = []
    for pattern in pinochle2.known_melds(view).values():
        barred = BARS[pattern.kind]
        there = held | {each.slot.card.face for each in laid if barred.isdisjoint(each.uses)}
        lacking = [card for card in pattern.cards if card not in there]
        if pattern not in whole and len(pattern.cards) > 1 and len(lacking) == 1:
            left = pack[lacking[0]] - seen[lacking[0]]
            found += [(pattern, lacking[0], left)] * bool(left)
    return sorted(found, key=lambda one: -one[0].points)


def _lacking_one_text(pattern: Pattern, card: Card, left: int) -> str:
    return f"{pattern.name} {pattern.points} needs {card} ({left} unseen)"


def knock_at_once(legal: Sequence[pinochle2.Action]) -> Sequence[pinochle2.Action]:
    """A knock as soon as there may be one, and no melds."""
    knocks = [action for action in legal if isinstance(action, Knock)]
    return knocks or [action for action in legal if not isinstance(action, Meld)]


def leading(sight: TrickSight, card: Card) -> str | None:
    """While there is a stock suit need not be followed: nothing draws trumps, and a void is good for nothing."""
    if sight.game.ranking(sight.view) is not None:
        return None
    out, suit = sight.out, sight.out.suit_in_tricks(card)
    if out.higher_in_suit(card) or not out.cards:
        return ""
    if suit == out.trump or not out.trumps_left():
        return "to take a sure trick"
    return f"to take the trick unless someone trumps (no higher {suit_in_words(suit)[:-1]} is left)"


def discarding(sight: TrickSight, card: Card) -> str | None:
    """While there is a stock nobody gives away what melds."""
    if sight.game.ranking(sight.view) is not None:
        return None
    if sight.out.suit_in_tricks(card) == sight.out.trump:
        return ""
    melds = sight.game.meldable(sight.view, sight.seat)
    return "to keep the cards you can meld" if melds and all(card not in meld.cards for meld in melds) else ""


TOLD = Told(
    about=f"{ABOUT} {FAMILY}",
    words={
        "cut": "Cuts for the first deal at the place you pick; the higher card deals.",
        "play": "Plays a card to the trick: any card while the stock lasts; after that, follow suit.",
        "meld": "After you win a trick, melds cards from your hand and your earlier melds, and scores them.",
        "draw": "Draws the top card of the stock; if you won the trick, that ends your melding.",
        "knock": "Wins the game, if you've reached the goal while the stock lasts.",
    },
    aim=aim,
    analysis=analysis,
    mishaps=("lose the last trick",),
    short={"goal": 100},
    tricks=Tricks(counted=counted_card, leading=leading, discarding=discarding),
    figures=(
        Figure("melds a hand", "points you melded, on average", "melds", share=False),
        Figure("tricks a hand", "points in the tricks you took, on average", "tricks", share=False),
    ),
    strategy="strategies",
    playing=Playing(
        by_lot=knock_at_once,
        levels={
            "standard": Skill(Way.SEARCH, 100, 300),
            "expert": Skill(Way.SEARCH, 1_000, 200_000),
            "champion": Skill(Way.SEARCH, 6_000, 1_500_000),
        },
        editions={"novice": 2, "standard": 4},
        merged={"master": "champion"},
    ),
)
