"""The figures of a player in a game: what its game counts (`games/KEY/told.py`) in the hands of one seat."""

from __future__ import annotations

from p2pcards.games.figures import Figure
from p2pcards.games.telling import told_of
from p2pcards.results.result import GameResult, HandResult


def counts(result: GameResult) -> dict[str, tuple[int, int]]:
    """(hits, tries) by figure, for the seat of the player whose log it is."""
    seat = result.mine
    if seat is None:
        return {}
    hands = [hand for hand in result.hands if len(hand.items) > seat]
    return {figure.key: _sums(figure, hands, seat) for figure in told_of(result.game).figures}


def _sums(figure: Figure, hands: list[HandResult], seat: int) -> tuple[int, int]:
    pairs = [figure.counted(hand.items[seat], hand.dealer == seat) for hand in hands]
    return sum([hits for hits, _ in pairs]), sum([tries for _, tries in pairs])
