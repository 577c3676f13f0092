"""What could be done, what is in a hand, and what was in the last ones, as lines for the player who asks."""

from __future__ import annotations

from string import ascii_lowercase

from p2pcards.cards.card import SUIT_LETTERS, SUITS, Card, Suit, parse_card
from p2pcards.present.cards import SIGNS, Style, action_text, cards_text, draw_cards_in_text
from p2pcards.present.story import SMALL, as_sentence, points_text
from p2pcards.present.width import wrap_words
from p2pcards.views import happenings
from p2pcards.wire.clean import clean

# --- what could be done and what is in a hand, as lines, for who asks -------------------------------------------------


def alternative_list(explained: happenings.AlternativesExplained, style: Style) -> list[str]:
    """A line for each of my possible actions: its aim, and its result where it was simulated."""
    lines = []
    for number, one in enumerate(explained.alternatives, 1):
        aim = f", {draw_cards_in_text(clean(one.aim, 200), style)}" if one.aim else ""
        comes = f": {outcome_text(explained, one)}" if explained.hands else ""
        lines += wrap_words(
            as_sentence(f"{number}: {action_text(one.words, style)}{aim}{comes}"), indent="     ", first="  "
        )
    return lines


def outcome_text(explained: happenings.AlternativesExplained, one: happenings.Alternative) -> str:
    """Of the best alternative, how the hand ends on average; of any other, how much worse that is."""
    best = explained.alternatives[0]
    if one is best:
        return _ending_text(explained, one.ahead)
    worse = best.ahead - one.ahead
    if worse < SMALL:
        return "about as good"
    return f"{'about' if worse > best.error + one.error else 'perhaps'} {points_text(worse)} worse"


def analysis_list(analyzed: happenings.HandAnalyzed, style: Style) -> list[str]:
    """A line for each thing found in the hand."""
    texts = [
        as_sentence(draw_cards_in_text(f"{clean(what, 60)}: {clean(words, 500)}", style))
        for what, words in analyzed.found
    ]
    return [line for text in texts for line in wrap_words(text, indent="    ", first="  ")]


def _ending_text(explained: happenings.AlternativesExplained, ahead: float) -> str:
    """How the hand ends with the best action. ahead: points ahead of the others in this hand."""
    others = "everyone else" if explained.sides > 2 else "the other side" if explained.partners else "your opponent"
    much = f"about {points_text(abs(ahead))}"
    if explained.low_wins:
        than = "as many points as" if _rounds_to_nothing(ahead) else f"{much} {'fewer' if ahead > 0 else 'more'} than"
        return f"on average you take {than} {others}"
    who = "your side scores" if explained.partners else "you score"
    than = "as much as" if _rounds_to_nothing(ahead) else f"{much} {'more' if ahead > 0 else 'less'} than"
    return f"on average {who} {than} {others} in this hand"


def _rounds_to_nothing(points: float) -> bool:
    return abs(points) < SMALL


# --- the tricks, melds and cards of a hand as lines, for who looks back at them ---------------------------------------


def answer_details(happening: happenings.Happening, style: Style) -> list[str]:
    """The lines that follow the sentence of a happening that answers `review`, `recall` and the like; empty for any
    other."""
    match happening:
        case happenings.TricksReviewed():
            return trick_list(happening, style)
        case happenings.MeldsReviewed():
            return meld_list(happening, style)
        case happenings.CardsRecalled():
            return card_list(happening, style)
        case happenings.CardsDistributed():
            return [*card_grid(happening, style), *card_map(happening, style)]
        case happenings.AlternativesExplained():
            return alternative_list(happening, style)
        case happenings.HandAnalyzed():
            return analysis_list(happening, style)
        case _:
            return []


def trick_list(reviewed: happenings.TricksReviewed, style: Style) -> list[str]:
    """A line for each trick."""
    lines = []
    for number, (trick, taker) in enumerate(zip(reviewed.tricks, reviewed.takers, strict=True), 1):
        played = ", ".join([f"{clean(name, 24)} {action_text(card, style)}" for name, card in trick])
        lines += wrap_words(f"{number}: {played}; taken by {clean(taker, 24)}.", indent="  ")
    return lines


def meld_list(reviewed: happenings.MeldsReviewed, style: Style) -> list[str]:
    """The melds of each player, with their total where they score."""
    players: dict[str, list[tuple[str, int]]] = {}
    for one in reviewed.melds:
        text = f"{one.what} ({action_text(one.cards, style)})" + f" {one.points}" * bool(one.points)
        players.setdefault(one.name, []).append((text, one.points))
    lines = []
    for name, made in players.items():
        together = sum([points for _, points in made])
        end = f"; {together} in all" if together and len(made) > 1 else ""
        lines += wrap_words(
            as_sentence(f"{clean(name, 24)}: {', '.join([text for text, _ in made])}{end}"), indent="  "
        )
    return lines


NOT_LOCATED = "not located"


def card_grid(distributed: happenings.CardsDistributed, style: Style) -> list[str]:
    """Where each card is: a row for each suit, a column for each rank, and letters that are explained below."""
    where: dict[tuple[Suit, int], str] = {}
    lettered = [place for place, _ in distributed.places if place != NOT_LOCATED]
    letters = dict(zip(lettered, ascii_lowercase, strict=False))
    for place, words in distributed.places:
        for word in words.split():
            card = parse_card(word)
            where[card.suit, card.rank] = where.get((card.suit, card.rank), "") + letters.get(place, ".")
    ranks = sorted({rank for _, rank in where}, reverse=True)
    columns = max([2, *map(len, where.values())]) + 1
    names = ["10" if rank == 10 else str(Card.of(rank, Suit.SPADES))[0] for rank in ranks]
    rows = [f"    {''.join([name.ljust(columns) for name in names])}".rstrip()]
    for suit in sorted({suit for suit, _ in where}):
        cells = [where.get((suit, rank), "").ljust(columns) for rank in ranks]
        sign = SUIT_LETTERS[suit] if style.ascii else SIGNS[suit]
        rows.append(f"  {sign} {''.join(cells)}".rstrip())
    named = [f"{letter}: {clean(place, 60)}" for place, letter in letters.items()]
    return [*rows, *wrap_words("; ".join([*named, f".: {NOT_LOCATED}"]), indent="    ", first="  ")]


def card_map(distributed: happenings.CardsDistributed, style: Style) -> list[str]:
    """By suit, the cards at each place, highest rank first."""
    lines = []
    for suit in SUITS:
        parts = []
        for place, words in distributed.places:
            cards = sorted([card for word in words.split() if (card := parse_card(word)).suit == suit], reverse=True)
            parts += [f"{clean(place, 60)} {cards_text(cards, style)}"] if cards else []
        lines += (
            wrap_words(as_sentence(f"{suit.name.lower()}: {'; '.join(parts)}"), indent="    ", first="  ")
            if parts
            else []
        )
    return lines


def card_list(recalled: happenings.CardsRecalled, style: Style) -> list[str]:
    """A line for each place with seen cards and one for unseen cards, each with their number: together the whole
    pack."""
    places = [] if recalled.what == "unseen" else list(recalled.seen)
    if recalled.what != "seen":
        places.append(("not seen", recalled.unseen))
    texts = [
        as_sentence(f"{clean(place, 60)} ({len(cards.split())}): {action_text(cards, style)}")
        for place, cards in places
        if cards
    ]
    return [line for text in texts for line in wrap_words(text, indent="  ")]
