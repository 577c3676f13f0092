"""What could be done and what is in a hand, as lines, for who asks."""

from __future__ import annotations

from p2pcards.present.cards import Style, with_cards, words_text
from p2pcards.present.story import sentence
from p2pcards.present.width import wrap
from p2pcards.views.happenings import Alternative, AlternativesExplained, HandAnalyzed
from p2pcards.wire.clean import clean

SMALL = 0.05
"""Points that are told as none."""


def alternative_list(explained: AlternativesExplained, style: Style) -> list[str]:
    """A line for each alternative: what it is for, and what comes of it where that was tried out."""
    lines = []
    for number, one in enumerate(explained.alternatives, 1):
        aim = f", {with_cards(clean(one.aim, 200), style)}" if one.aim else ""
        comes = f": {outcome_text(explained, one)}" if explained.hands else ""
        lines += wrap(sentence(f"{number}: {words_text(one.words, style)}{aim}{comes}"), indent="     ", first="  ")
    return lines


def outcome_text(explained: AlternativesExplained, one: Alternative) -> str:
    """Of the best alternative how the hand ends with it on average, of any other how much worse that is."""
    best = explained.alternatives[0]
    if one is best:
        return _ending_text(explained, one.ahead)
    worse = best.ahead - one.ahead
    if worse < SMALL:
        return "about as good"
    return f"{'about' if worse > best.error + one.error else 'perhaps'} {points_text(worse)} worse"


def points_text(points: float) -> str:
    """``2.3 points``, ``1 point``, ``14 points``."""
    number = f"{points:.0f}" if points >= 9.95 else f"{points:.1f}".removesuffix(".0")
    return f"{number} point{'s' * (number != '1')}"


def analysis_list(analyzed: HandAnalyzed, style: Style) -> list[str]:
    """A line for each thing that was found."""
    texts = [sentence(with_cards(f"{clean(what, 60)}: {clean(words, 500)}", style)) for what, words in analyzed.found]
    return [line for text in texts for line in wrap(text, indent="    ", first="  ")]


def _ending_text(explained: AlternativesExplained, ahead: float) -> str:
    """ahead: of the others, in points of this hand."""
    others = "the others" if explained.sides > 2 else "the other side" if explained.partners else "the other"
    much = f"about {points_text(abs(ahead))}"
    if explained.low_wins:
        than = "as many points as" if _is_nothing(ahead) else f"{much} {'fewer' if ahead > 0 else 'more'} than"
        return f"on average you take {than} {others}"
    who = "your side scores" if explained.partners else "you score"
    than = "as much as" if _is_nothing(ahead) else f"{much} {'more' if ahead > 0 else 'less'} than"
    return f"on average {who} {than} {others} in this hand"


def _is_nothing(points: float) -> bool:
    return abs(points) < SMALL
