"""The prompt of the line mode: what can be said now, in short."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.games.claims import REST
from p2pcards.games.spelling import in_kinds, in_short, is_card_word
from p2pcards.present.cards import with_tens
from p2pcards.present.story import countdown_text
from p2pcards.present.table import my_seat, seat_name
from p2pcards.present.width import COLUMNS, fit
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean

TYPING = 16  # columns left free for what is typed
HURRY = 30  # seconds left on my turn clock, from which on it is shown


def prompt_text(view: TableView, elapsed: float = 0.0, columns: int = COLUMNS) -> str:
    """One line that ends in "> " and leaves room for typing. elapsed: seconds since the view came."""
    room = max(columns - TYPING, 20)
    if view.legal and view.phase == "play" and not view.proposal:
        return _my_turn(view, elapsed, room)
    what, words = going_on(view, elapsed)
    ends = [f" | {words} > ", " | help > ", " > "]
    end = next((end for end in ends if len(end) + min(len(what), 24) <= room), ends[-1])
    return _shorten(what, room - len(end)) + end


def countdowns(view: TableView, elapsed: float) -> list[tuple[int, float, str]]:
    """Everybody whose character is about to play: their seat, the seconds left, and the words for it."""
    return [
        (seat.seat, left, countdown_text(seat_name(view, seat.seat), clean(seat.character, 16), left))
        for seat in view.seats
        if seat.countdown is not None and (left := seat.countdown - elapsed) > 0
    ]


def is_due(view: TableView) -> bool:
    """Whether the table waits for a word of mine."""
    return (
        bool(view.legal or view.proposal or view.doubted)
        or (view.role == "coordinator" and view.phase == "lobby")
        or view.phase == "over"
    )


def is_another_turn(old: TableView, view: TableView) -> bool:
    """Whether the person is to act, and something lies otherwise than when they last looked."""
    before, now = my_seat(old), my_seat(view)
    gained = before is not None and now is not None and before.known != now.known
    lay, lies = [(one.legal, one.trick, one.piles, one.face_up) for one in (old, view)]
    return bool(view.legal) and (lay != lies or gained)


def enter_starts(view: TableView) -> bool:
    """Whether an empty line begins the game: it is chosen, and nobody else is here or may be on the way."""
    alone = all(person.link == "you" for person in view.people) and not view.open_door
    return view.role == "coordinator" and view.phase == "lobby" and view.game is not None and alone


def actions_in_short(view: TableView) -> list[str]:
    """My legal actions in few words, tens as 10."""
    return [with_tens(words) for words in in_short(view.legal)]


# --- private ----------------------------------------------------------------------------------------------------------


def going_on(view: TableView, elapsed: float) -> tuple[str, str]:
    """What is going on, and the words for it."""
    if view.apart:
        return "the computer plays every hand; Q stops it", "q"
    if view.proposal:
        what = "asks for other cards" if view.proposal.redeal else "asks to take back a play"
        return f"{clean(view.proposal.name, 24)} {what}", "yes, no, say, table, help"
    if view.doubted:
        thrown = f" ({view.thrown_away} deals thrown away in a day)" if view.thrown_away else ""
        return f"{clean(view.doubted, 24)} waits to hear whether you play on{thrown}", "accept, leave, table, help"
    if view.phase == "lobby":
        return _lobby(view)
    if view.phase == "over":
        if view.role == "coordinator":
            return "the game is over", "again, game NAME, say, score, help"
        return "play again?", "yes, no, say, score, help"
    if view.phase == "closed":
        return "the table is closed", "detach"
    away = countdowns(view, elapsed)
    if view.paused and view.looks_on:
        return "you look on; the game is paused", "say table help"
    if view.paused:
        return "paused: nobody is here", "back say table help" if view.away else "say table help"
    if away:
        return away[0][2], "redial say table help" if view.role == "coordinator" else "say table help"
    mine = my_seat(view)
    if view.auto == REST:
        return "the rest of the hand is played", "say table help"
    if view.auto:
        return f"the computer plays for you ({clean(view.auto, 10)})", "auto off, say, table, help"
    if view.away:
        return f"{clean(mine.character, 16) if mine else 'the computer'} plays for you", "back say table help"
    waiting = clean(view.waiting, 40) or ", ".join(seat_name(view, seat.seat) for seat in view.seats if seat.to_act)
    doing = f"waiting for {waiting}" if waiting else "please wait"
    return f"you look on; {doing}" if view.looks_on else doing, "say table help"


def _my_turn(view: TableView, elapsed: float, room: int) -> str:
    """Every legal action, or where there is no room for that every kind of them, with an example if that fits."""
    hint = "hint " if "hint" in view.assists else ""
    turn, ends = _turn(view, elapsed), [f" | {hint}say help > ", " | help > ", " > "]
    kinds = [with_tens(words) for words in in_kinds(view.legal)]
    lists = [actions_in_short(view), kinds, _verbs(view)]
    whats = [f"{turn}: {_listed(actions)}" for actions in lists]
    fitting = next((what + end for what in whats for end in ends if len(what) + len(end) <= room), "")
    return fitting or _shorten(whats[-1], room - len(ends[-1])) + ends[-1]


def _turn(view: TableView, elapsed: float) -> str:
    """That it is my turn, what is trump, and what presses."""
    left = None if view.turn_seconds is None else view.turn_seconds - elapsed
    hurry = f" ({max(0, round(left))} s)" if left is not None and left <= HURRY else ""
    trump = [f"trump {clean(view.trump.suit, 10)}" if view.trump.suit else "no trump"] if view.trump else []
    others = [f"{seat_name(view, seat)} away {round(left)} s" for seat, left, _ in countdowns(view, elapsed)]
    melds = [clean(words) for words in view.indicator[:1]]
    return "; ".join([", ".join([f"your turn{hurry}", *trump, *melds]), *others])


def _listed(actions: Sequence[str]) -> str:
    return (", " if any(" " in words for words in actions) else " ").join(actions)


def _verbs(view: TableView) -> list[str]:
    """The kinds of my legal actions in a word each."""
    first = [words.split()[0] for words in view.legal]
    return list(dict.fromkeys(["a card" if is_card_word(word) else word for word in first]))


def _lobby(view: TableView) -> tuple[str, str]:
    if view.role != "coordinator":
        host = next((f"{clean(person.name, 24)} (coordinator)" for person in view.people if person.coordinates), "")
        return f"waiting for {clean(view.waiting, 40) or host or 'the coordinator'}", "say who help"
    here = sum(person.link != "away" for person in view.people)
    if view.game is None:
        return f"{here} here", "invite HOST, game NAME, help"
    words = "Enter deals, set K=V, help" if enter_starts(view) else "start, set K=V, invite HOST, help"
    return f"{clean(view.game_name) or view.game}, {here} here", words


def _shorten(text: str, columns: int) -> str:
    """Cut between two words rather than within a card."""
    if len(text) <= columns:
        return text
    cut = fit(text, columns).removesuffix("...")
    return cut[: cut.rfind(" ")].rstrip(" ,") + " ..." if " " in cut else cut
