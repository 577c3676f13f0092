"""Hearts: what is told of it beside its rules."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.cards.card import SUITS, Card, Suit, spell_cards
from p2pcards.games.advice.outstanding import Outstanding
from p2pcards.games.advice.trick_aims import TrickSight
from p2pcards.games.advice.trick_analysis import count_in_words
from p2pcards.games.advice.words import FOLLOW, voided_suits_text
from p2pcards.games.certain import Aim
from p2pcards.games.figures import POINTS_A_HAND, Figure
from p2pcards.games.game import Action, Seat, name_in_text
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.passing import Pass
from p2pcards.games.telling import Found, Playing, Told, Tricks

COSTING = 14
"""Cards: the hearts and the queen of spades."""


def aim(view: hearts.State, seat: Seat, action: Action) -> str:
    if not isinstance(action, Pass):
        return ""
    kept = [card for card in view.hands[seat].cards if card not in action.cards]
    aims = [f"to get rid of the {hearts.QUEEN}"] * (hearts.QUEEN in action.cards)
    words = voided_suits_text(action.cards, kept)
    aims += [f"to go void in {words}"] * bool(words)
    if not aims and min([card.rank for card in action.cards]) > max([card.rank for card in kept]):
        aims = ["to get rid of your highest cards"]
    return " and ".join(aims)


def leading(sight: TrickSight, card: Card) -> str | None:
    """Why to lead this card, as a phrase for hints; None for the reason common to games of tricks."""
    high = [other for other in sight.held if other.suit == Suit.SPADES and other.rank >= hearts.QUEEN.rank]
    drives_out = card.suit == Suit.SPADES and hearts.QUEEN in sight.out.cards and not high
    return f"to drive out the {hearts.QUEEN}" if drives_out else None


def winning(sight: TrickSight, card: Card) -> str | None:
    """Why to win with a card that nobody can beat any more; None for the common reason, where no trick is wanted."""
    if sight.last and all(map(sight.would_win, sight.legal)):
        highest = sight.strength(card) == max(map(sight.strength, sight.legal)) and len(sight.legal) > 1
        return "to get rid of a high card in a trick you must take anyway" if highest else ""
    return "to take the trick while it costs nothing" if sight.last and not _trick_has_points(sight, card) else None


def losing(sight: TrickSight, card: Card) -> str | None:
    """Why to follow suit below the trick with this card, as a phrase for hints; None for the common reason."""
    return f"to get rid of the {hearts.QUEEN} under the {sight.best}" if card == hearts.QUEEN else None


def discarding(sight: TrickSight, card: Card) -> str | None:
    """Why to throw off this card, as a phrase for hints; None for the reason common to games of tricks."""
    ranking = sight.game.ranking(sight.view)
    if not ranking or card.suit == Suit.DIAMONDS or not ranking.scores(card) or sight.best is None:
        return None
    what = f"the {card}" if card == hearts.QUEEN else "a heart"
    return (
        f"to give {name_in_text(sight.whose)} {what}" if sight.is_sure_to_hold(sight.best) else f"to throw off {what}"
    )


def _trick_has_points(sight: TrickSight, card: Card) -> bool:
    """Return whether the trick, with this card in it, has a card that counts."""
    ranking = sight.game.ranking(sight.view)
    trick = [slot.card for _, slot in sight.game.layout(sight.view).trick]
    return ranking is not None and any(map(ranking.scores, [*trick, card]))


def dangerous_cards(held: Sequence[Card], out: Outstanding) -> Found:
    """A finding on the cards of the hand that cost points or take them."""
    found: Found = []
    spades = [card for card in held if card.suit == Suit.SPADES]
    lower = [card for card in spades if card.rank < hearts.QUEEN.rank]
    higher = [card for card in spades if card.rank > hearts.QUEEN.rank]
    if hearts.QUEEN in held:
        found.append(("danger", f"the {hearts.QUEEN}, with {count_in_words(len(lower), 'lower spade')} to protect it"))
    elif higher and hearts.QUEEN in out.cards:
        below = count_in_words(len(lower), "lower spade")
        found.append(("danger", f"{spell_cards(higher)} could catch the {hearts.QUEEN}, with {below} to protect you"))
    high = [
        suit.name.lower()
        for suit in SUITS
        if (of := [card for card in held if card.suit == suit]) and _surely_win(of, out)
    ]
    return found + [("suits where you can't duck", " and ".join(high))] * bool(high)


def _surely_win(cards: Sequence[Card], out: Outstanding) -> bool:
    """Return whether each of these cards takes the trick to which its suit is led, where the others play theirs."""
    return not any(map(out.higher_in_suit, cards)) and any(map(out.lower_in_suit, cards))


def aims(view: hearts.State, _seat: Seat) -> Sequence[Aim]:
    """No trick any more, once nobody can shoot the moon and while cards are left that cost."""
    costing = [
        sum([slot.card.suit == Suit.HEARTS or slot.card == hearts.QUEEN for slot in pile]) for pile in view.taken
    ]
    if view.options.jack_of_diamonds or view.deal.passing or sum([number > 0 for number in costing]) < 2:
        return []
    return [Aim(0, 0)] if sum(costing) < COSTING else []


TOLD = Told(
    about="Every heart you take counts against you, hence the name. In most games you want tricks, but here you avoid "
    "them; in the 18th century, the ancestor of hearts was even called Reverse.",
    words={
        "pass": "Passes three cards face down to another player, before you see what you get.",
        "play": FOLLOW,
    },
    aim=aim,
    strategy="strategies/tricks",
    mishaps=("take the queen of spades", "let another player shoot the moon"),
    short={"end_score": 25},
    tricks=Tricks(
        avoids=lambda _view, _seat: True,
        aims=aims,
        dangers=dangerous_cards,
        leading=leading,
        winning=winning,
        losing=losing,
        discarding=discarding,
    ),
    figures=(
        Figure("moons shot", "hands in which you shot the moon", "moon"),
        Figure(
            "queens taken",
            "hands in which you took the queen of spades",
            "queen",
        ),
        POINTS_A_HAND,
    ),
    playing=Playing(editions={"novice": 2, "standard": 4}, merged={"master": "champion"}),
)
