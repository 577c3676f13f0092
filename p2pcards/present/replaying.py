"""A game that was played, step by step: what happened as sentences, and the table after it as lines; its hands as
data, and as text that can be pasted into a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from p2pcards.cards.card import Card, spell_cards
from p2pcards.games.options import declared_options, value_text
from p2pcards.ledger.position import Position
from p2pcards.ledger.signed import has_part
from p2pcards.ledger.verify import Decision, Moment, Transcript
from p2pcards.present.cards import Style
from p2pcards.present.story import as_sentence, happening_sentence
from p2pcards.present.table import NAME_COLUMNS, known_hand_line, table_lines
from p2pcards.present.width import pad_right, wrap_words
from p2pcards.views.happenings import Acted, Happening, SeatReturned, SeatTakenOver, TrickTaken
from p2pcards.views.standpoint import Cast, Standpoint, player_name, preset_name, table_view, tell_entry
from p2pcards.views.tableview import TableView
from p2pcards.wire.clean import clean
from p2pcards.wire.records import NAME, ActionEntry, CheckEntry, CommitEntry, DealEntry

# --- a game that was played, step by step -----------------------------------------------------------------------------


SLOWEST, FASTEST = 8.0, 0.125
"""Seconds between two steps that come by themselves."""

HELP = "next (Enter), back, first, last, a step's number, hand N, play (automatically), stop, faster, slower, quit"


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """A step of a replay."""

    record: int  # its number in the log, from 1
    hand: int
    story: tuple[str, ...]  # the happenings as sentences
    table: tuple[str, ...]  # lines of the table afterwards
    hands: tuple[str, ...] = ()  # lines of the known hands, after a deal
    happenings: tuple[Happening, ...] = ()  # told in `happening_sentence`


@dataclass(frozen=True, slots=True)
class ReplayReel:
    """The state of a replay."""

    pages: tuple[ReplayPage, ...]
    place: int = 0  # index of the page
    playing: bool = False
    pause: float = 1.0  # seconds for a card until the next step, while it plays by itself
    done: bool = False

    @property
    def page(self) -> ReplayPage:
        """The page on view."""
        return self.pages[self.place]

    @property
    def title(self) -> str:
        return f"Step {self.place + 1} of {len(self.pages)}, hand {self.page.hand}, record {self.page.record}"


def replay_pages_of(moments: Iterable[Moment], cast: Cast, style: Style) -> tuple[ReplayPage, ...]:
    """A page for every record about which there is something to show."""
    found = []
    for moment in moments:
        seat = moment.after.seat
        me = "" if seat is None else player_name(moment.after, seat, cast)
        happened = moment_happenings(moment, cast)
        told = [happening_sentence(happening, me, style) for happening in happened]
        if told:
            view = table_view("listener", (), cast, game=Standpoint(moment.after))
            hands = tuple(known_hand_lines(view, style))
            others = [line for line in hands if not line.startswith("Your hand")]
            dealt = isinstance(moment.entry, DealEntry) and bool(hands)
            table = (*table_lines(view, style), *others)
            found.append(
                ReplayPage(moment.record + 1, moment.hand, tuple(told), table, hands if dealt else (), tuple(happened))
            )
    return tuple(found)


def moment_happenings(moment: Moment, cast: Cast) -> list[Happening]:
    """The happenings of a record, as told to its viewer."""
    told = tell_entry(moment.before, moment.after, moment.entry, cast)
    if not moment.drawn:
        return told
    drawn = spell_cards(moment.drawn)
    return [
        replace(one, cards=drawn, says=one.says and f"{one.says}: {drawn}") if isinstance(one, Acted) else one
        for one in told
    ]


def known_hand_lines(view: TableView, style: Style) -> list[str]:
    """The hands of which cards are known, as lines."""
    return [
        line
        for seat in view.seats
        if seat.known
        for line in known_hand_line(
            seat, "Your hand" if seat.seat == view.me else clean(seat.name, NAME_COLUMNS), view.game, style
        )
    ]


def obey_command(reel: ReplayReel, said: str) -> tuple[ReplayReel, str]:
    """The replay after a typed command, and the answer, "" where the page is answer enough."""
    verb, _, rest = said.strip().lower().partition(" ")
    last = len(reel.pages) - 1
    places = {"": reel.place + 1, "next": reel.place + 1, "back": reel.place - 1, "first": 0, "last": last}
    verb = {"n": "next", "b": "back", "h": "hand", "q": "quit", "?": "help"}.get(verb, verb)
    if verb in places:
        return _go_to_page(reel, places[verb])
    if verb.isdecimal() and not rest:
        return _go_to_page(reel, int(verb) - 1, exact=True)
    if verb == "hand":
        return _go_to_hand(reel, rest)
    if verb in ("play", "stop"):
        return replace(reel, playing=verb == "play"), ""
    if verb in ("faster", "slower"):
        pause = reel.pause / 2 if verb == "faster" else reel.pause * 2
        pause = min(max(pause, FASTEST), SLOWEST)
        return replace(reel, pause=pause), f"A card every {pause:g} s."
    if verb == "quit":
        return replace(reel, done=True), ""
    unknown = "" if verb == "help" else f"Unknown command {verb!r}. "
    return reel, f"{unknown}Commands: {HELP}."


def play_next_page(reel: ReplayReel) -> ReplayReel:
    """The replay one page further, as it plays by itself; it stops at the end."""
    place = min(reel.place + 1, len(reel.pages) - 1)
    return replace(reel, place=place, playing=reel.playing and place < len(reel.pages) - 1)


def _go_to_page(reel: ReplayReel, place: int, exact: bool = False) -> tuple[ReplayReel, str]:
    last = len(reel.pages) - 1
    if exact and not 0 <= place <= last:
        return reel, f"Pick a step from 1 to {last + 1}."
    if place > last:
        return replace(reel, playing=False), "That was the last step."
    if place < 0:
        return reel, "That was the first step."
    return replace(reel, place=place, playing=False), ""


def _go_to_hand(reel: ReplayReel, word: str) -> tuple[ReplayReel, str]:
    hands = {page.hand: place for place, page in reversed(tuple(enumerate(reel.pages)))}
    if not word.isdecimal() or int(word) not in hands:
        return reel, f"Which hand? Pick one of {', '.join(map(str, sorted(hands)))}."
    return _go_to_page(reel, hands[int(word)])


# --- hands as data, and as text that can be pasted into a report ------------------------------------------------------


Data = dict[str, Any]


def export_data(transcript: Transcript, hands: Sequence[Sequence[Moment]], seen: str, cast: Cast) -> Data:
    """The hands, each as its moments, ready for JSON. seen: the viewer in words. Records count from 1, seats from 0;
    cards are spelled as players write them; seeds are hexadecimal."""
    position = transcript.end
    header, options = position.header, position.state.options
    return {
        "game": position.game.key,
        "name": position.game.name,
        "preset": preset_name(position.game, options),
        "options": {one.key: getattr(options, one.key) for one in declared_options(position.game.options)},
        "game_id": position.game_id.hex(),
        "log_of": position.side,
        "seen": seen,
        "seats": [
            {
                "name": _seat_name_text(position, seat, cast),
                "computer": entry.side is None,
                "level": clean(entry.level, NAME),
            }
            for seat, entry in enumerate(header.seats)
        ],
        "hands": [_hand_data(transcript, moments, cast) for moments in hands],
    }


def export_lines(data: Data) -> list[str]:
    """The data of `export_data` as text."""
    seats = [
        f"{number} {seat['name']}{' (computer, ' + seat['level'] + ')' if seat['computer'] else ''}"
        for number, seat in enumerate(data["seats"], 1)
    ]
    lines = wrap_words(f"{data['name']} ({data['preset']}), game {data['game_id']}, {data['seen']}.", indent="  ")
    if data["preset"] == "own rules":
        lines += wrap_words(
            ", ".join([f"{key}={value_text(value)}" for key, value in data["options"].items()]), indent="  "
        )
    lines += wrap_words(f"Seats: {', '.join(seats)}.", indent="  ")
    for hand in data["hands"]:
        lines += ["", *_hand_lines(hand, [seat["name"] for seat in data["seats"]])]
    if any(row.get("seed") for hand in data["hands"] for row in hand["records"]):
        lines += ["", "A computer player's choices follow from its seed: Random(int(seed, 16))."]
    return lines


# --- as data ----------------------------------------------------------------------------------------------------------


def _hand_data(transcript: Transcript, moments: Sequence[Moment], cast: Cast) -> Data:
    number = moments[0].hand
    opened = next((one for one in transcript.hands if one.hand == number), None)
    decisions = {made.record: made for made in opened.decisions} if opened else {}
    last = moments[-1].after
    sheet = last.state.sheet
    dealt = next((one for one in reversed(moments) if isinstance(one.entry, DealEntry)), moments[0]).after
    return {
        "hand": number,
        "dealer": None if last.state.dealer is None else _seat_name_text(last, dealt.state.dealer, cast),
        "absent": [last.names[side] for side in dealt.absent],
        "proven": None if opened is None else opened.replay.verdict == 0 and has_part(dealt),
        "why": "the hand wasn't opened" if opened is None else opened.replay.verdict.sentence,
        "dealt": [_spell_cards(held.cards) for held in dealt.view.hands],
        "records": [_record_data(one, decisions.get(one.record), cast) for one in moments],
        "points": list(sheet.hand) if sheet else None,
        "totals": list(sheet.totals) if sheet else None,
    }


def _record_data(moment: Moment, decision: Decision | None, cast: Cast) -> Data:
    entry, told = moment.entry, moment_happenings(moment, cast)
    row: Data = {
        "record": moment.record + 1,
        "kind": type(entry).__name__.removesuffix("Entry").lower(),
        "story": [happening_sentence(_with_names_only(one)) for one in told],
    }
    if isinstance(entry, CheckEntry):
        row |= {"name": moment.after.names[entry.side], "why": entry.verdict.sentence}
    if isinstance(entry, ActionEntry | CommitEntry):
        row |= _move_data(moment, entry, decision, cast)
    return row


def _move_data(moment: Moment, entry: ActionEntry | CommitEntry, decision: Decision | None, cast: Cast) -> Data:
    before, seat = moment.before, entry.seat
    words = next(one.words for one in moment_happenings(moment, cast) if isinstance(one, Acted))
    made: Data = {"seat": seat, "name": _seat_name_text(before, seat, cast), "by": _actor(before, seat), "words": words}
    made["held"] = _spell_cards(before.view.hands[seat].cards)
    if made["by"] != "person":
        made |= {
            "level": clean(before.header.seats[seat].level, NAME),
            "seed": f"{decision.seed:064x}" if decision else None,
        }
    return made


def _actor(position: Position, seat: int) -> str:
    """Who plays a seat: "computer", "character" or "person"."""
    if position.header.seats[seat].side is None:
        return "computer"
    return "character" if position.is_computers(seat) else "person"


def _with_names_only(happening: Happening) -> Happening:
    """The happening told by names, without "you"."""
    if isinstance(happening, Acted | TrickTaken | SeatTakenOver | SeatReturned):
        return replace(happening, mine=False)
    return happening


def _seat_name_text(position: Position, seat: int, cast: Cast) -> str:
    return clean(player_name(position, seat, cast), NAME)


def _spell_cards(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


# --- as text ----------------------------------------------------------------------------------------------------------


def _hand_lines(hand: Data, names: Sequence[str]) -> list[str]:
    lines = [f"Hand {hand['hand']}" + (f", dealt by {hand['dealer']}" if hand["dealer"] else "")]
    if hand["absent"]:
        lines.append(f"Took no part in the shuffle: {', '.join(hand['absent'])}")
    wide = max(map(len, names))
    for name, cards in zip(names, hand["dealt"], strict=True):
        if cards:
            lines.append(f"  {pad_right(name, wide)}  {' '.join(cards)}")
    for row in hand["records"]:
        if "words" in row:
            player = (
                f", {row['level']}, seed {row['seed'] or 'unknown until the hand is opened'}" if "level" in row else ""
            )
            lines.append(f"{row['record']:5}  {pad_right(row['name'], wide)}  {row['words']}{player}")
        elif row["story"] and row["kind"] != "deal":
            lines += [f"{row['record']:5}  {line}" for line in row["story"]]
    if hand["totals"]:
        points = zip(names, hand["points"], hand["totals"], strict=True)
        lines.append("Scores: " + ", ".join([f"{name} {change:+d} = {total}" for name, change, total in points]))
    lines.append(as_sentence(f"{'proven' if hand['proven'] else 'not proven'}: {hand['why']}"))
    return lines
