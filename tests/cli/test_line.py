"""The line mode, plain and on a terminal, at a table of real games."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from p2pcards.cards.card import parse_card
from p2pcards.cli.line import run_line_mode
from p2pcards.control.attached import AttachedTable
from p2pcards.frontend.asked_first import SEAT_KEPT
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.record_pages import NONE_KEPT
from p2pcards.games.prose import rules_in_words
from p2pcards.games.registry import GAMES
from p2pcards.games.telling import load_told
from p2pcards.present.cards import Style
from p2pcards.views.happenings import (
    TABLE_EVENTS,
    Acted,
    GameEnded,
    GameWon,
    HandDealt,
    HandScored,
    PlayerJoined,
    Said,
    SeatTakenOver,
    Starts,
)
from p2pcards.views.tableview import Command, PersonView, SheetView
from rigs.giving_up import longest_wait
from rigs.old_logs import home_with_old_logs
from rigs.table_double import NAMES, TableDouble


class Reply(io.StringIO):
    """Collects what is written and shows each whole line to a reader, who may type."""

    def __init__(self, read: Callable[[str], None] = lambda line: None) -> None:
        super().__init__()
        self._read = read
        self._line = ""

    def write(self, text: str) -> int:
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._read(line)
        return super().write(text)


async def run_plain(table: AttachedTable, source: int, output: Reply, **options: Any) -> str:
    with os.fdopen(source) as lines:
        return await run_line_mode(
            table, Manner(**options), Style(ascii=True), input=lines, output=output, interactive=False
        )


async def script(table: AttachedTable, text: str, **options: Any) -> tuple[str, str]:
    """The result and the output of a script that is typed at once."""
    source, keyboard = os.pipe()
    os.write(keyboard, text.encode())
    os.close(keyboard)
    output = Reply()
    with trio.fail_after(longest_wait()):
        result = await run_plain(table, source, output, **options)
    return result, output.getvalue()


async def read_until(table: AttachedTable, line: str, **options: Any) -> str:
    """What is shown to somebody who leaves when this line has come."""
    source, keyboard = os.pipe()
    output = Reply(lambda shown: os.close(keyboard) if shown == line else None)
    with trio.fail_after(longest_wait()):
        await run_plain(table, source, output, **options)
    return output.getvalue()


# --- plain lines ---


def answer(prompt: str) -> str | None:
    """What somebody types who has only read the prompt."""
    match = re.match(r"your turn[^:]*: (.*?)( \.\.\.)? \| ", prompt)
    if match is None:
        return None
    if "e.g. " in match[1]:
        return match[1].split("e.g. ")[1]
    first = match[1].split(", ")[0]
    return first.replace("SUIT", "suit h") if "SUIT" in first else first.split()[0]


@pytest.mark.parametrize(
    ("key", "changes"),
    [("hearts", {"end_score": "30"}), ("crazy_eights", {"winning_score": "40", "players": "3"})],
)
async def test_a_whole_game_is_played_from_the_printed_lines_alone(key: str, changes: dict[str, str]) -> None:
    source, keyboard = os.pipe()
    refused: list[str] = []

    def read(line: str) -> None:
        typed = answer(line)
        if typed is not None:
            os.write(keyboard, f"{typed}\n".encode())
        if "cannot do that" in line or "not understood" in line:
            refused.append(line)
        if line.startswith("The game is over. "):
            os.close(keyboard)

    table, output = TableDouble(key, 4, changes), Reply(read)
    with trio.fail_after(longest_wait()):
        assert await run_plain(table, source, output) == "detached"
    text = output.getvalue()
    assert not refused
    assert re.search(r"^Hand 1 +Dee \(you\)", text, re.MULTILINE)
    assert re.search(r"(You win|you win|\w+ wins?): ", text)
    assert len(table.seen) > 10
    assert "\x1b" not in text


async def test_the_end_of_a_script_detaches_after_all_of_it_was_done() -> None:
    table = TableDouble("hearts", 1)
    result, text = await script(
        table, "say hello\nhand\ntable\nscore\nwho\nlast\nrules\noptions\ngames\nguide\nguide start\nhelp\nhint"
    )
    assert result == "detached"
    assert table.detached
    assert table.seen == [Command("say", ("hello",)), Command("hint")]
    assert text.endswith(f"End of input. {SEAT_KEPT}\n")
    for shown in (
        'You say: "hello"',
        "Your hand (13): ",
        "Dee: you, seat 1",
        "No tricks taken yet.",
        "end_score",
        "Getting started",
    ):
        assert shown in text


class Late(TableDouble):
    """What a command leads to is told when the table is let go of."""

    def caught_up(self, everything: bool) -> None: ...

    async def detach(self) -> None:
        self.happen(Said("Bob", "goodbye"))
        await super().detach()


async def test_what_happened_before_the_end_of_a_script_is_told() -> None:
    _, text = await script(Late("hearts", 1), "hand")
    assert text.endswith(f'Bob says: "goodbye"\nEnd of input. {SEAT_KEPT}\n')


async def test_a_script_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "script"
    path.write_text("say hello\nhint")
    table = TableDouble("hearts", 1)
    with trio.fail_after(longest_wait()):
        assert await run_plain(table, os.open(path, os.O_RDONLY), Reply()) == "detached"
    assert table.seen == [Command("say", ("hello",)), Command("hint")]


async def test_the_pages_of_every_game_can_be_read_while_another_is_played() -> None:
    for key, game in GAMES.items():
        _, text = await script(TableDouble("hearts", 1), f"rules {key}\nabout {key}\n")
        page, about = (
            " ".join(words.split())[:60]
            for words in (rules_in_words(game, {})[1].replace("`", ""), load_told(key).about)
        )
        assert page in " ".join(text.split()) and about in " ".join(text.split())
    _, text = await script(TableDouble("hearts", 1), "rules\nrules double-pack-pinochle\n")
    assert text.index("Options, as in The Real Deal:") < text.index("The pack has four each of A-10-K-Q-J")
    assert "Options, with the double pack:" in text and "end_score = " in text


async def test_what_does_not_go_is_told_in_sentences() -> None:
    table = TableDouble("hearts", 1)
    _, text = await script(table, "tabel\nzz\nplay 2c\nset x\nrules heart\nhelp xx\nguide xx\n")
    for sentence in (
        "Unknown command 'tabel'. Did you mean 'table'?",
        "'zz' isn't a move here; you can type: pass 3 cards",
        "Pass three cards first.",
        "Usage: set KEY=VALUE.",
        "There's no game 'heart'. Did you mean 'hearts'?",
        "There's no command 'xx'.",
        "The guide has nothing on 'xx'. Type guide for the list of pages.",
    ):
        assert sentence in text


async def test_leaving_is_asked_about_first() -> None:
    table = TableDouble("hearts", 1)
    result, text = await script(table, "leave\nno\nleave\nyes\nhand\n")
    assert result == "left"
    assert table.left
    assert table.seen == [Command("leave")]
    assert text.count("Leave for good? granny will play your seat. yes/no") == 2
    assert "OK, you stay." in text
    assert text.endswith("You left the table.\n")


OTHERS = (PersonView("Dee", "granny", "you", ""), PersonView("Bob", "wayne", "here", ""))


@pytest.mark.parametrize(
    ("word", "changes", "asked"),
    [
        ("leave", {"role": "coordinator"}, "You're the host, so the game ends for everyone (end keeps the table). "),
        ("leave", {"role": "coordinator", "people": OTHERS[:1]}, "The game ends. "),
        ("leave", {"me": None}, "The game continues without you. "),
        ("leave", {"role": "coordinator", "phase": "lobby"}, "You're the host, so it closes for everyone. "),
        ("leave", {"phase": "over"}, "Leave the table for good? yes/no"),
        ("end", {"role": "coordinator"}, "End the game for everyone? The table stays open. "),
        ("end", {"role": "coordinator", "people": OTHERS[:1]}, "End the game? The table stays open. "),
    ],
)
async def test_the_question_before_parting_is_true_for_the_seat(word: str, changes: dict[str, Any], asked: str) -> None:
    table = TableDouble("hearts", 1)
    table.show_first(**changes)
    _, text = await script(table, f"{word}\nno\n{word} yes\n")
    assert asked in text
    assert ("OK, keep playing." if word == "end" else "OK, you stay.") in text
    assert table.seen == [Command(word)]


@pytest.mark.parametrize(
    ("names", "typed", "partner"),
    [
        (("Bob",), "yes", "Bob"),
        (("Bob",), "maybe\nno", "none"),
        (("Bob",), "", "none"),
        (("Bob", "Wee Ada"), "cy\nwee ada", "Wee Ada"),
        (("Bob", "Wee Ada"), "nobody", "none"),
    ],
)
async def test_before_a_game_of_partners_it_is_asked_who_is_mine(
    names: tuple[str, ...], typed: str, partner: str
) -> None:
    table = TableDouble("whist", 1)
    table.show_first(role="coordinator", phase="lobby", legal=(), pairing=names)
    _, text = await script(table, f"start\n{typed}\n", asks=True)
    assert table.seen == [Command("partner", tuple(partner.split())), Command("start")]
    assert ("Is Bob your partner?" in text) == (len(names) == 1)
    assert ("Type one of" in text) == ("\n" in typed)


async def test_a_script_is_not_asked_who_the_partner_is() -> None:
    table = TableDouble("whist", 1)
    table.show_first(role="coordinator", phase="lobby", legal=(), pairing=("Bob",))
    await script(table, "start\n")
    assert table.seen == [Command("start")]


async def test_only_who_may_end_a_game_is_asked_whether() -> None:
    table = TableDouble("hearts", 1)
    await script(table, "end\n")
    assert table.seen == [Command("end")], "the table says why not"


async def test_a_suit_after_a_refused_eight_goes_with_it() -> None:
    for seed in range(200):
        table = TableDouble("crazy_eights", seed)
        eights = [words.split()[0] for words in table.view().legal if " " in words]
        if eights:
            break
    await script(table, f"{eights[0]}\nsuit h\n")
    assert table.seen == [Command("act", (eights[0],)), Command("act", (eights[0], "suit", "h"))]


async def test_the_daemon_may_close() -> None:
    table = TableDouble("hearts", 1)
    table.happen(GameEnded("the coordinator left"))
    table.close()
    source, keyboard = os.pipe()
    output = Reply()
    with trio.fail_after(longest_wait()):
        assert await run_plain(table, source, output) == "closed"
    os.close(keyboard)
    assert output.getvalue().endswith("The game ended early: the coordinator left.\nThe table is closed.\n")


async def test_the_bell_rings_at_my_turn_and_when_somebody_sits_down() -> None:
    table = TableDouble("hearts", 1)
    table.happen(PlayerJoined("Cy", "granny", ""))
    _, text = await script(table, "", bell=("turn", "joined"))
    assert text.count("\a") == 2
    _, text = await script(TableDouble("hearts", 1), "")
    assert "\a" not in text


async def test_the_bell_rings_at_each_event_that_is_chosen_and_at_no_other() -> None:
    for bell in TABLE_EVENTS:
        table = TableDouble("hearts", 1)
        table.happen(PlayerJoined("Cy", "granny", ""))
        table.happen(PlayerJoined("Eve", "wayne", ""), earlier=True)
        table.happen(HandDealt(1, "Bob", ()))
        table.happen(Acted("Bob", 1, "knock", "", False))
        table.happen(Acted("Bob", 1, "QS", "", False))
        for hand, points in ((1, (0, 13, 13, 0)), (2, (26, 0, 0, 0))):
            table.happen(HandScored(NAMES, (), SheetView(hand, ((),) * 4, points, points)))
        table.happen(GameWon(NAMES, (0, 50, 50, 50), ("Dee",), (), ""))
        table.happen(GameWon(NAMES, (50, 0, 50, 50), ("Bob",), (), ""))
        table.close()
        source, keyboard = os.pipe()
        output = Reply()
        with trio.fail_after(longest_wait()):
            assert await run_plain(table, source, output, bell=(bell,)) == "closed"
        os.close(keyboard)
        assert output.getvalue().count("\a") == 1, bell


async def test_the_scores_of_every_hand_are_shown_where_all_are_asked_for() -> None:
    table = TableDouble("hearts", 1)
    points = (1, 2, 3, 4)
    sheet = SheetView(15, ((),) * 4, points, (15, 30, 45, 60))
    table.show_first(sheet=sheet, rounds=(points,) * 15)
    _, text = await script(table, "score\nscore all\nscore some\n")
    few, everything = text.split("Hand 15")[1:]
    assert "hands 1 to 3" in few and "hand 4 " in few
    assert "hands 1 to" not in everything and "hand 1 " in everything
    assert "Usage: score [all]" in everything


async def test_the_records_are_shown_once_at_the_end_of_a_game(tmp_path: Path) -> None:
    home = home_with_old_logs(tmp_path)
    won, heading = GameWon(NAMES, (50, 0, 0, 0), ("Dee",), (), ""), "Spades, by games won"
    table = TableDouble("spades", 1)
    table.happen(won, earlier=True)
    table.happen(won)
    assert (await read_until(table, heading, home=home)).count(heading) == 1
    for manner in ({"home": home, "show_records": False}, {}):
        table = TableDouble("spades", 1)
        table.happen(won)
        assert heading not in (await script(table, "who", **manner))[1]
    for changes in ({"looks_on": True}, {"apart": True}):
        table = TableDouble("spades", 1)
        table.show_first(**changes)
        table.happen(won)
        assert heading not in (await script(table, "who", home=home))[1]


async def test_the_records_can_be_asked_for(tmp_path: Path) -> None:
    home = home_with_old_logs(tmp_path)
    words = ("records", "records all", "records whist", "records hart", "history", "history all", "league", "hall")
    _, text = await script(TableDouble("spades", 1), "\n".join(words), home=home)
    told = (
        *(
            "Spades, by games won",
            "For one game: records GAME",
            "Whist, by games won",
            "There's no game 'hart'. Did you",
        ),
        *("ended       level", "ended       game ", "All games\n", "Spades\nhighest score"),
    )
    places = [text.find(part) for part in told]
    assert -1 not in places and places == sorted(places)
    for word in ("records", "scoreboard", "scoreboard new"):
        _, text = await script(TableDouble("spades", 1), word)
        assert f"{NONE_KEPT}\n" in text
    _, text = await script(TableDouble("spades", 1), "scoreboard", home=home)
    assert "There's no scoreboard of two-handed pinochle yet." in text
    _, text = await script(TableDouble("spades", 1), "scoreboard old", home=home)
    assert "Usage: scoreboard [new|save|reset|recover]" in text


async def test_the_records_of_a_game_begin_anew_after_a_question(tmp_path: Path) -> None:
    home = home_with_old_logs(tmp_path)
    typed = "records reset\nno\nrecords\nrecords reset\nyes\nrecords\nrecords recover\nrecords percent\n"
    _, text = await script(TableDouble("spades", 1), typed, home=home)
    asked = "1 game no longer counts. Logs are kept. Reset? yes/no"
    told = (
        *(asked, "OK, nothing changed.", "Spades, by games won", asked, "Spades: 1 game no longer counts."),
        *("No finished games of Spades yet", "Spades: 1 game counts again.", "by win rate"),
    )
    place = 0
    for part in told:
        place = " ".join(text.split()).find(part, place)
        assert place > 0, part


async def test_what_is_wrong_with_the_records_is_told(tmp_path: Path) -> None:
    home = home_with_old_logs(tmp_path)
    home.results.write_bytes(b"no database" * 100)
    _, text = await script(TableDouble("spades", 1), "records", home=home)
    assert "is damaged" in text and "Spades, by games won" in text


async def test_a_hand_is_sorted_as_its_player_always_wants() -> None:
    for order in ("", "rank"):
        _, text = await script(TableDouble("hearts", 1), "sort suit\n", sort=order)
        first, again = [line for line in text.splitlines() if line.startswith("Your hand")][:2]
        assert (first == again) == (not order)


async def test_who_starts_is_told_unless_that_is_not_wanted() -> None:
    for wanted in (True, False):
        table = TableDouble("hearts", 1)
        table.happen(Starts("Bob", "trick", mine=False))
        table.happen(HandDealt(1, "Bob", ()))
        _, text = await script(table, "", start_reminders=wanted)
        assert ("Bob leads to the first trick." in text) == wanted
        assert "Bob deals hand 1." in text


async def test_what_is_the_only_thing_to_do_is_done_by_itself_where_that_is_wanted() -> None:
    for forced in (True, False):
        source, keyboard = os.pipe()
        alone: list[str] = []

        def read(line: str, keyboard: int = keyboard, forced: bool = forced, alone: list[str] = alone) -> None:
            typed = answer(line)
            if typed is not None and re.match(r"your turn: \S+ \|", line):
                alone.append(typed)
                typed = None if forced else typed
            if typed is not None:
                os.write(keyboard, f"{typed}\n".encode())
            if line.startswith("The game is over. "):
                os.close(keyboard)

        table = TableDouble("hearts", 4, {"end_score": "30"})
        with trio.fail_after(longest_wait()):
            assert await run_plain(table, source, Reply(read), forced=forced) == "detached"
        assert len(alone) > 5, "there was but one card to play"


async def test_characters_are_heard_where_that_is_wanted() -> None:
    for phrases in (True, False):
        table = TableDouble("spades", 1)
        table.happen(SeatTakenOver("Eve", "wayne", "", False), earlier=True)
        table.happen(SeatTakenOver("Cy", "granny", "", False))
        table.close()
        source, keyboard = os.pipe()
        output = Reply()
        with trio.fail_after(longest_wait()):
            await run_plain(table, source, output, phrases=phrases)
        os.close(keyboard)
        assert "Granny is playing for Cy.\n" in output.getvalue()
        assert ("Granny Mildred, playing for Cy: " in output.getvalue()) is phrases
        assert "Wacky Wayne" not in output.getvalue(), "what is shown again is not said again"


async def test_nothing_of_a_name_reaches_the_terminal_but_its_letters() -> None:
    table = TableDouble("hearts", 1)
    table.happen(Said("\x1b]0;evil\x07", "\x1b[2J\r\nfake: line"))
    _, text = await script(table, "")
    assert ']0;evil says: "[2J fake: line"\n' in text
    assert "\x1b" not in text


class Gone(Reply):
    """An output whose reader goes away at the first line that it is shown."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


async def shown(table: TableDouble) -> str:
    """What is shown of all that has happened at a table."""
    table.close()
    source, keyboard = os.pipe()
    output = Reply()
    with trio.fail_after(longest_wait()):
        await run_plain(table, source, output)
    os.close(keyboard)
    return output.getvalue()


async def test_an_open_card_that_was_played_is_not_told_again_as_the_trick() -> None:
    table = TableDouble("pinochle2", 1)
    table.show(legal=(), trick=())
    table.happen(Acted("Bob", 1, "KD'", "", mine=False))
    table.show(legal=("9C",), trick=((1, int(parse_card("KD"))),))
    text = await shown(table)
    assert "Bob plays KD'." in text and "Trick: Bob KD" not in text


async def test_an_output_that_nobody_reads_keeps_the_seat() -> None:
    source, keyboard = os.pipe()
    with trio.fail_after(longest_wait()):
        assert await run_plain(TableDouble("hearts", 1), source, Gone()) == "detached"
    os.close(keyboard)


async def test_plain_output_counts_a_takeover_down(autojump_clock: trio.testing.MockClock) -> None:
    table = TableDouble("hearts", 1)
    seats = table.view().seats
    table.show(legal=(), seats=(*seats[:3], replace(seats[3], plays="away", countdown=62.5)))
    source, keyboard = os.pipe()
    output = Reply()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run_plain, table, source, output)
        await trio.sleep(70)
        os.close(keyboard)
    told = re.findall(r"Cy: granny takes over in (\d+) s\.", output.getvalue())
    assert len(told) == 3
    assert [round(int(seconds), -1) for seconds in told] == [60, 30, 10]


# --- on a terminal ---


@dataclass
class Terminal:
    """The other side of a terminal: what is on it, and a keyboard. before: its settings at first."""

    master: int
    slave: int
    before: list[Any]
    text: str = ""

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    async def until(self, wanted: str) -> str:
        """Reads until this is on the screen; what was read is used up."""
        with trio.fail_after(longest_wait()):
            while wanted not in self.text:
                await trio.lowlevel.wait_readable(self.master)
                self.text += os.read(self.master, 4096).decode()
        seen, _, self.text = self.text.partition(wanted)
        return seen + wanted

    def settings(self) -> list[Any]:
        return termios.tcgetattr(self.slave)


@contextmanager
def terminal() -> Iterator[Terminal]:
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    yield Terminal(master, slave, termios.tcgetattr(slave))
    os.close(master)
    os.close(slave)


@asynccontextmanager
async def at_terminal(
    table: AttachedTable, screen: Terminal, results: list[str], *, colour: bool = False
) -> AsyncIterator[None]:
    """The line mode at this terminal in the background; its result is in `results` afterwards."""

    async def run() -> None:
        # What a terminal that has gone did not take is lost with it.
        with (
            os.fdopen(os.dup(screen.slave)) as source,
            suppress(OSError),
            os.fdopen(os.dup(screen.slave), "w") as output,
        ):
            results.append(
                await run_line_mode(
                    table,
                    Manner(bell=("turn",)),
                    Style(ascii=True, colour=colour),
                    input=source,
                    output=output,
                    interactive=True,
                )
            )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        yield


async def test_ctrl_c_detaches_and_gives_the_terminal_back() -> None:
    for key in ("\x03", "\x04"):
        results: list[str] = []
        with terminal() as screen:
            table = TableDouble("hearts", 1)
            async with at_terminal(table, screen, results):
                await screen.until("your turn: pass 3 cards")
                assert screen.settings() != screen.before
                screen.type(key)
                await screen.until(SEAT_KEPT)
            assert results == ["detached"]
            assert table.detached
            assert screen.settings() == screen.before


async def test_what_arrives_does_not_break_the_line_being_typed() -> None:
    results: list[str] = []
    with terminal() as screen:
        table = TableDouble("hearts", 1)
        async with at_terminal(table, screen, results):
            await screen.until("hint say help > ")
            screen.type("say hel")
            await screen.until("> say hel")
            table.happen(Said("Bob", "brb"))
            arrived = await screen.until("> say hel")
            assert '\r\x1b[KBob says: "brb"\r\n' in arrived
            screen.type("lo\x1b[D\x1b[D\x7fL\r")
            await screen.until('You say: "heLlo"')
            screen.type("\x03")
            await screen.until(SEAT_KEPT)
    assert table.seen == [Command("say", ("heLlo",))]


async def test_tab_completes_and_lists_above_the_prompt() -> None:
    results: list[str] = []
    with terminal() as screen:
        table = TableDouble("hearts", 1)
        async with at_terminal(table, screen, results):
            await screen.until("hint say help > ")
            screen.type("hin\t")
            await screen.until("> hint ")
            screen.type("\x15han\ths")
            await screen.until("> hand hs")
            screen.type("\x15quick th\t")
            await screen.until("> quick th")
            screen.type("\t")
            assert "\r\x1b[K  thanks, thinks\r\n" in await screen.until("> quick th")
            screen.type("a\t\r")
            await screen.until("> quick thanks ")
            screen.type("leav\t\r")
            await screen.until("yes/no > ")
            screen.type("n\t\r")
            await screen.until("OK, you stay.")
            screen.type("help\r")
            await screen.until("Tab completes commands")
            screen.type("\x03")
            await screen.until(SEAT_KEPT)
    assert table.seen == [Command("quick", ("thanks",))]


async def test_a_takeover_counts_down_in_the_prompt(autojump_clock: trio.testing.MockClock) -> None:
    autojump_clock.autojump_threshold = 0.02  # a terminal takes a moment to carry what is written
    results: list[str] = []
    with terminal() as screen:
        table = TableDouble("hearts", 1)
        seats = table.view().seats
        async with at_terminal(table, screen, results):
            await screen.until("your turn")
            table.show(legal=(), seats=(*seats[:3], replace(seats[3], plays="away", countdown=41.0)))
            for seconds in (41, 40, 39):
                await screen.until(f"Cy: granny takes over in {seconds} s | say table help > ")
            screen.type("\x03")
            await screen.until(SEAT_KEPT)


async def test_the_prompt_is_of_another_colour_as_a_turn_runs_out() -> None:
    with terminal() as screen:
        table = TableDouble("hearts", 1)
        async with at_terminal(table, screen, [], colour=True):
            for left, ink in ((180.0, ""), (60.0, "\x1b[1;33m"), (9.0, "\x1b[1;31m")):
                table.show(turn_seconds=left, turn_clock=180)
                await screen.until(f"\r\x1b[K{ink}your turn ({left:.0f} s)")
                await screen.until("help > \x1b[0m" if ink else "help > ")
            screen.type("\x03")
            await screen.until(SEAT_KEPT)


async def test_a_terminal_that_hangs_up_detaches() -> None:
    results: list[str] = []
    master, slave = os.openpty()
    table = TableDouble("hearts", 1)
    screen = Terminal(master, slave, termios.tcgetattr(slave))
    async with at_terminal(table, screen, results):
        await screen.until("your turn")
        os.close(master)
    os.close(slave)
    assert results == ["detached"]


# --- in a process of its own ---


@contextmanager
def child(screen: Terminal) -> Iterator[subprocess.Popen[bytes]]:
    """The line mode as a process in a group of its own, at this terminal."""
    tests = Path(__file__).parents[1]
    command = [sys.executable, "-m", "rigs.line_child"]
    environment = {**os.environ, "PYTHONPATH": f"{tests}{os.pathsep}{tests.parent}"}
    with subprocess.Popen(
        command, stdin=screen.slave, stdout=screen.slave, stderr=screen.slave, env=environment, process_group=0
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[bytes]) -> int:
    return process.wait(longest_wait())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_a_signal_gives_the_terminal_back(number: signal.Signals) -> None:
    with terminal() as screen, child(screen) as process:
        await screen.until("your turn")
        assert screen.settings() != screen.before
        process.send_signal(number)
        await screen.until(SEAT_KEPT)
        assert ended(process) == 0
        assert screen.settings() == screen.before


async def test_ctrl_z_gives_the_terminal_back_until_the_program_goes_on() -> None:
    with terminal() as screen, child(screen) as process:
        await screen.until("your turn")
        screen.type("\x1a")
        stopped(process.pid)
        assert screen.settings() == screen.before
        await screen.until("\x1b[?2004l")
        os.killpg(process.pid, signal.SIGCONT)
        await screen.until("\x1b[?2004h")
        await screen.until("your turn")
        assert screen.settings() != screen.before
        screen.type("\x03")
        await screen.until(SEAT_KEPT)
        assert ended(process) == 0
        assert screen.settings() == screen.before


def stopped(pid: int) -> None:
    """Waits until the process is stopped."""
    end = time.monotonic() + longest_wait()
    while time.monotonic() < end:
        found, status = os.waitpid(pid, os.WUNTRACED | os.WNOHANG)
        if found:
            assert os.WIFSTOPPED(status)
            return
        time.sleep(0.01)
    raise AssertionError("it did not stop")


async def test_who_comes_back_to_a_hand_is_told_how_it_stands() -> None:
    table = TableDouble("hearts", 1)
    _, text = await script(table, "")
    recap = text.partition("Score: ")[0]
    assert recap.startswith("So far in hand 1; ") and text.index("So far") < text.index("Hearts")
