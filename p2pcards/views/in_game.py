"""What happens in a game, as the person at one end of a table is told it: one frozen class a kind.

Names are those that the table uses; cards are words as `games/spelling.py` writes them; text that somebody else wrote
is already safe to show. mine: it is about the person at this end.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2pcards.views.tableview import MeldView, SheetView


@dataclass(frozen=True, slots=True)
class FirstDealerDrawn:
    """Cards were turned up to see who deals first. words: the cards, "" where they have been told."""

    words: str
    name: str


@dataclass(frozen=True, slots=True)
class PartMissing:
    """Somebody has no part in the next shuffle, though the deal waited for it."""

    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class HandDealt:
    """absent: the names of those who have no part in the shuffle."""

    hand: int
    dealer: str
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Starts:
    """Who acts first in a hand. to: "trick" where they lead to the first one, "card" where they play the first, "" for
    whatever else a hand begins with."""

    name: str
    to: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Acted:
    """A player acted. words: the action as this end sees it (QS; draw; pass -- -- --); cards: those that the person at
    this end is shown by it; says: the words of the game for it, "" where its spelling will do."""

    name: str
    seat: int
    words: str
    cards: str
    mine: bool
    says: str = ""


@dataclass(frozen=True, slots=True)
class Remarked:
    """Something that is said aloud at the table. name: of whom, "" for the table as a whole; words: of somebody a verb
    and what follows, as one says it to them (peg 2 for fifteen)."""

    name: str
    words: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class CardsCame:
    """Cards came into the hand of the person at this end, as words, in a way that does not show them to others."""

    cards: str


@dataclass(frozen=True, slots=True)
class TricksReviewed:
    """The tricks of the hand that is on, for who asked: (name, card) in order of play, and who took each. "you" for the
    person at this end."""

    tricks: tuple[tuple[tuple[str, str], ...], ...]
    takers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsRecalled:
    """The cards of the pack, for who asked. what: "seen", "unseen" or "both"; seen: (where they lie, the cards as
    words); unseen: all others; pack: how many cards it has."""

    what: str
    seen: tuple[tuple[str, str], ...]
    unseen: str
    pack: int


@dataclass(frozen=True, slots=True)
class CardsDistributed:
    """Where every card of the pack is, for who asked: (a place, the cards as words), last those not located."""

    places: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MeldsReviewed:
    """The melds of the hand that is on, in order, for who asked."""

    melds: tuple[MeldView, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Something that I could do. words: how it is spelled; aim: what it is for, words that begin with "to" or "as", ""
    where that is not certain; ahead: by how many points my side ends the hand ahead of the others on average; error:
    how uncertain that is, compared with the other alternatives."""

    words: str
    aim: str = ""
    ahead: float = 0.0
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class AlternativesExplained:
    """What I can do now, the best first, for who asked. legal: how many actions there are; hands: how many were
    imagined and played to their end for it, 0 where none was; weighed: how many actions were tried in them; low_wins:
    the points are bad; partners: they are those of my side; sides: how many sides there are."""

    alternatives: tuple[Alternative, ...]
    legal: int
    hands: int
    weighed: int
    low_wins: bool = False
    partners: bool = False
    sides: int = 2


@dataclass(frozen=True, slots=True)
class HandAnalyzed:
    """What is in my hand, for who asked: a few words each, and what follows them."""

    found: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """Cards were turned up by the dealer."""

    words: str


@dataclass(frozen=True, slots=True)
class TrickTaken:
    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class HandScored:
    """names: by seat; sides: as in `TableView`."""

    names: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    sheet: SheetView


@dataclass(frozen=True, slots=True)
class HandOpened:
    """The pack was opened and the hand replayed at this end. why: what was found, a sentence."""

    hand: int
    proven: bool
    why: str


@dataclass(frozen=True, slots=True)
class HandDisputed:
    """Somebody claims that a hand does not fit what they were shown."""

    name: str
    hand: int
    why: str


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """The character plays for them from now on."""

    name: str
    character: str
    why: str
    mine: bool


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """They play for themselves again."""

    name: str
    character: str
    mine: bool


@dataclass(frozen=True, slots=True)
class TablePaused:
    """No person is here who could act: nothing is played until somebody comes back."""


@dataclass(frozen=True, slots=True)
class TableResumed:
    """Somebody is here again; the table goes on where it was."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Somebody asks the others for something to which all have to agree. redeal: that the hand is dealt again, else
    that they may take back what they did last."""

    name: str
    redeal: bool
    mine: bool = False


@dataclass(frozen=True, slots=True)
class SaidNo:
    """Somebody says no to what was proposed."""

    name: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An action was taken back; words: how it is spelled."""

    name: str
    words: str
    mine: bool


@dataclass(frozen=True, slots=True)
class HandGivenUp:
    """The hand is to be dealt again from other cards. name: who asked for it; alone: nobody had to agree."""

    name: str
    mine: bool
    alone: bool


@dataclass(frozen=True, slots=True)
class HandRestarted:
    """The same cards are dealt again."""


@dataclass(frozen=True, slots=True)
class HandsExchanged:
    """The person at this end, who plays alone, and this player have exchanged their cards."""

    name: str


@dataclass(frozen=True, slots=True)
class HandsTurned:
    """The person at this end, who plays alone, sees all hands, or no longer."""

    up: bool
