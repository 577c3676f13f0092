"""Euchre: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import Card, Suit
from p2pcards.games.advice.words import FOLLOW, voided_suits_text
from p2pcards.games.certain import Aim
from p2pcards.games.drawing import Discard
from p2pcards.games.euchre import rules as euchre
from p2pcards.games.figures import Figure
from p2pcards.games.game import Action, Seat
from p2pcards.games.partners import partner_of
from p2pcards.games.playing import Pass
from p2pcards.games.telling import Playing, Skill, Told, Tricks, Way

ORDER = "Orders up the upcard, which makes its suit trump; add alone to play without your partner."
OTHER_SUIT = "Names a suit other than the one turned down as trump; add alone to play without your partner."


def aim(view: euchre.State, seat: Seat, action: Action) -> str:
    held = view.hands[seat].cards
    match action:
        case Pass():
            return "to let the others choose trump"
        case euchre.Accept(alone=alone):
            up = view.turn_up[0].card
            taken = (up,) if seat == view.dealer else ()
            return _to_make_trump([*held, *taken], up.suit, alone)
        case euchre.Name(suit=suit, alone=alone):
            return _to_make_trump(list(held), suit, alone)
        case Discard(card=card):
            kept = [euchre.counted(other, view.trump) for other in held if other != card]
            words = voided_suits_text([euchre.counted(card, view.trump)], kept)
            return f"to go void in {words}" if words else ""
        case _:
            return ""


def _to_make_trump(held: list[Card], suit: Suit, alone: bool) -> str:
    trumps = sum([euchre.counted(card, suit).suit == suit for card in held])
    lone = ", and try for a march alone" if alone else ""
    return f"to make {suit.name.lower()} trump (you'd hold {trumps}){lone}"


def make_evenly(legal: Sequence[euchre.Action]) -> Sequence[euchre.Action]:
    """Passes or makes trump evenly, and never alone."""
    makes = [action for action in legal if isinstance(action, euchre.Accept | euchre.Name) and not action.alone]
    return [*[Pass()] * len(makes), *makes] if makes else legal


def aims(view: euchre.State, seat: Seat) -> Sequence[Aim]:
    """For the maker's side three tricks, then all of them; for the others three, or one where three are out of
    reach."""
    if view.trump is None or view.exchanging:
        return []
    mate = partner_of(seat) if view.options.team_play else seat
    friend = None if mate in (seat, view.out) else mate
    left, taken = len(view.hands[seat]), view.deal.tricks.won
    won = sum([taken[one] for one in {seat, mate}])
    if view.maker not in (seat, mate):
        reachable = 3 - won <= left
        return [Aim(3 - won if reachable else 1 - won, left, friend, vital=not reachable and not won)]
    made = [Aim(3 - won, left, friend, vital=True)] if 0 < 3 - won <= left else []
    march = won + left == euchre.EACH
    return [*made, Aim(left, left, friend, vital=won >= 3)] if march else made


TOLD = Told(
    about="Euchre began among the Pennsylvania Dutch before 1864. Bower comes from the German Bauer (farmer), a name "
    "for the jack. Today euchre is played mostly in the northeastern states.",
    words={
        "pass": "Lets the next player choose trump.",
        "accept": ORDER,
        "order": ORDER,
        "assist": ORDER,
        "take": ORDER,
        "pick": ORDER,
        "name": OTHER_SUIT,
        "make": OTHER_SUIT,
        "discard": "As dealer, picks up the upcard and discards this card face down.",
        "decline": "As dealer, leaves the upcard on the table.",
        "play": f"{FOLLOW} The left bower is a trump.",
    },
    aim=aim,
    strategy="strategies/tricks",
    mishaps=("leave you euchred", "let the others march"),
    short={"winning_score": 1},
    tricks=Tricks(as_trump=euchre.counted, aims=aims),
    figures=(
        Figure("made", "hands in which your side made trump and took three tricks", "made"),
        Figure("marches", "hands in which your side made trump and took all five tricks", "march"),
        Figure("euchres", "hands in which your side euchred the makers", "euchre"),
    ),
    playing=Playing(
        by_lot=make_evenly,
        levels={"expert": Skill(Way.SEARCH, 1_000, 10_000)},
        editions={"novice": 3, "standard": 4},
        merged=dict.fromkeys(("champion", "master"), "expert"),
    ),
)
