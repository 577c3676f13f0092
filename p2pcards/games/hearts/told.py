"""Hearts: what is told of it beside its rules."""

from __future__ import annotations

from p2pcards.games.advice.words import FOLLOW, voided
from p2pcards.games.figures import POINTS_A_HAND, Figure, hands_with
from p2pcards.games.game import Action, Seat
from p2pcards.games.hearts import rules as hearts
from p2pcards.games.telling import Told


def aim(view: hearts.State, seat: Seat, action: Action) -> str:
    if not isinstance(action, hearts.Pass):
        return ""
    kept = [card for card in view.hands[seat].cards if card not in action.cards]
    aims = [f"to be rid of the {hearts.QUEEN}"] * (hearts.QUEEN in action.cards)
    words = voided(action.cards, kept)
    aims += [f"to be void of {words}"] * bool(words)
    if not aims and min([card.rank for card in action.cards]) > max([card.rank for card in kept]):
        aims = ["to be rid of your highest cards"]
    return " and ".join(aims)


TOLD = Told(
    about="Every heart in the tricks that you take counts against you, hence the name. The object is the "
    "reverse of that of bridge and most other games, where cards or tricks are to be won: in the 18th century the "
    "ancestor of hearts was indeed called Reverse.",
    words={
        "pass": "Passes three cards face down to another player, before you see what you are given.",
        "play": FOLLOW,
    },
    aim=aim,
    strategy="strategies/tricks",
    short={"end_score": 25},
    figures=(
        Figure("moons shot", "hands in which you shot the moon, of all hands", hands_with("shot the moon")),
        Figure(
            "queens taken",
            "hands in which you took the queen of spades, of all hands",
            hands_with("queen of spades"),
        ),
        POINTS_A_HAND,
    ),
)
