"""How somebody wants to sit at a table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from p2pcards.frontend.option_pages import OptionPage
from p2pcards.frontend.playlist import Playlist
from p2pcards.store.home import Home


@dataclass(frozen=True, slots=True)
class Manner:
    """bell: those of `TABLE_EVENTS` at which it rings. phrases: what characters say is told. forced: what is the only
    thing that can be done is done by itself. meld_points: what the hand could meld is shown. ask_meldable: it is asked
    before a card of a meld is played. asks: a person sits there, who is asked what the rules leave open. reminders: who
    starts is told at each hand. order: how a hand is sorted, "" for the way of the game. speech: the command that reads
    aloud, or "". playlist: the songs. confirm: everything done in a game is asked about first. records: who has won a
    game how often is shown when one ends. home: whose records these are, None where there are none. Of the full screen:
    jumps: the first card that can be played is chosen at my turn; double_click: two quick clicks play; error_box: what
    does not go is told in a box; status: what there is to do is said. options: the page on which all of this is
    changed, None where it cannot be."""

    bell: Collection[str] = ()
    phrases: bool = False
    forced: bool = False
    meld_points: bool = False
    ask_meldable: bool = False
    asks: bool = False
    reminders: bool = True
    order: str = ""
    speech: str = ""
    playlist: Playlist = field(default_factory=Playlist)
    confirm: bool = False
    records: bool = True
    home: Home | None = None
    jumps: bool = True
    double_click: bool = False
    error_box: bool = False
    status: bool = True
    options: OptionPage | None = None
