"""The title screen."""

from __future__ import annotations

import asyncio
import math
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from textual import events
from textual.pilot import Pilot

from at_hand import TableAtHand
from p2pcards.frontend.manner import Manner
from p2pcards.frontend.option_pages import RulesPage, SettingsPage
from p2pcards.games.names import GAME_NAMES
from p2pcards.games.registry import GAMES
from p2pcards.links.address import text_of_link
from p2pcards.store.files import Home, find_home
from p2pcards.store.profiles import add_profile
from p2pcards.store.settings import find_setting, load_settings, read_values, set_setting
from p2pcards.tui.appearance import Appearance, Palette, Sitting
from p2pcards.tui.felt import Felt
from p2pcards.tui.panels import PanelBox, ReadingPanel
from p2pcards.tui.picture.canvas import Picture
from p2pcards.tui.picture.faces import Look
from p2pcards.tui.picture.tiles import Title, draw_title, tiles_across
from p2pcards.tui.title import BUTTONS, Seat, TitleApp, TitleChoices
from rigs.giving_up import longest_wait
from rigs.program import AtTerminal, Program
from rigs.screen_table import AtTheScreen, piloted

KNOWN = TitleChoices(
    games=tuple([(key, game.name) for key, game in GAMES.items()]),
    peers=(("Bob", "Bob, 192.0.2.7:4747"),),
    numbers=(("Anna", "Anna, 555-1234"),),
    unfinished=(("2026-11-20-whist-7f3a", "2026-11-20-whist-7f3a, Ann, Bob"),),
    tables=(("t1", "t1: Whist, playing."),),
    characters=(("betty", "Reddy Betty"), ("sam", "Slow Sam"), ("wayne", "Wacky Wayne")),
    levels=lambda _: (("novice", "novice"), ("expert", "expert")),
    login="zoe",
    opponents=lambda _: 3,
    profiles=(("Default", "Default"), ("Ann", "Ann (playing now)")),
    player="Ann",
    nearby=lambda: (("192.0.2.8:4747", "Cat"), ("192.0.2.9:4747", "Dan")),
)
PLAIN_SITTING = Sitting(Manner(), Appearance(Look(), Palette("none")))


def chosen(*keys: str, known: TitleChoices = KNOWN, sitting: Sitting = PLAIN_SITTING) -> list[str] | None:
    """What comes of these keys; None where the screen stays."""

    async def press() -> list[str] | None:
        app = TitleApp(known, lambda: sitting)
        async with piloted(app) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
        return app.return_value

    return asyncio.run(press())


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("enter",), ["play", "hearts"]),
        (("right", "enter"), ["play", "crazy_eights"]),
        (("down", "enter"), ["play", "euchre"]),
        (("left", "enter"), []),  # the last button
        (("L", "enter"), ["listen"]),
        (("L", "down", "enter"), ["listen", "--lan"]),
        (("L", "escape"), None),
        (("c", "enter"), ["connect", "Bob"]),
        (("c", "down", "enter", "down", "enter", "enter"), ["connect", "192.0.2.9:4747"]),
        (("c", "down", "enter", "escape"), None),
        (("c", "down", "down", "enter", *"ann", "enter", "escape"), None),
        (("c", "down", "down", "enter", *"ann", "enter", "enter"), ["connect", "ann"]),
        (("c", "down", "down", "enter", *"ann", "enter", *"7-a-b", "enter"), ["connect", "ann", "--code", "7-a-b"]),
        (("c", "escape"), None),
        (("d", "enter"), ["dial", "Anna"]),
        (("d", "down", "enter", *"555", "enter"), ["dial", "555"]),
        (("r", "enter"), ["resume", "2026-11-20-whist-7f3a"]),
        (("t", "enter"), ["attach", "t1"]),
        (("p", "enter"), ["profiles", "switch", "Default"]),
        (("p", "down", "down", "enter", *"zoe", "enter"), ["profiles", "add", "--switch", "--", "zoe"]),
        (("p", "down", "down", "enter", "enter"), None),
        (("p", "escape"), None),
        (("a", "enter"), ["host"]),
        (("a", "down", "enter"), ["host", "--web"]),
        (("a", "down", "down", "enter"), ["host", "--modem"]),
        (("j", "enter"), ["join", "Bob"]),
        (("j", "down", "enter", *"bob", "enter", *"7-a-b", "enter"), ["join", "bob", "--code", "7-a-b"]),
        (("j", "down", "enter", *"http://a/#7-a-b", "enter"), ["join", "http://a/#7-a-b"]),
        (("h", "enter", "escape"), None),
        (("m", "down", "down", "down", "enter", "escape"), None),
        (("m", "down", "down", "enter", "escape"), None),
        (("m", "down", "down", "enter", "down", "enter"), ["autoplay", "hearts", "--level", "expert"]),
        (("m", "down", "enter", "enter"), ["play", "hearts"]),
        (("m", "down", "enter", "down", "enter", "down", "enter", "enter"), ["play", "hearts", "--with", "betty,sam"]),
        (("m", "down", "enter", "escape"), None),
        (("right", "right", "right", "m", "down", "down", "enter"), ["resume", "2026-11-20-whist-7f3a"]),
        (("s", "enter", "escape"), None),
        (("s", "escape"), None),
        (("m", *"rec", "enter", "escape"), None),
        (("q",), []),
        (("escape",), []),
        (("z",), None),
    ],
)
def test_keys_choose_a_command(keys: tuple[str, ...], words: list[str] | None) -> None:
    assert chosen(*[{"-": "minus"}.get(key, key) for key in keys]) == words


def test_what_there_is_none_of_is_said() -> None:
    assert chosen("r", "escape", "t", "escape", known=TitleChoices(KNOWN.games)) is None


@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        (("s", "enter"), ("records", "", "Your wins in each game")),
        (("s", "down", "enter"), ("history", "", "Past games")),
        (("s", "down", "down", "enter"), ("league", "", "Everyone you've played with")),
        (("s", "down", "down", "down", "enter"), ("hall", "", "The hall of fame")),
        (("s", "s", "enter"), ("scoreboard", "", "Two-handed pinochle scoreboard")),
        (("s", "o", "enter", "s", "enter", "enter"), ("records", "spades", "Spades")),
        (("right", "m", *"rec", "enter", "enter"), ("records", "crazy_eights", "Crazy Eights")),
        (("right", "m", *"rec", "enter", "s", "enter"), ("records percent", "crazy_eights", "Crazy Eights")),
        (("m", *"rec", "enter", *"start", "enter", "y", "enter"), ("records reset", "hearts", "Hearts")),
        (("m", *"rec", "enter", *"undo", "enter"), ("records recover", "hearts", "Hearts")),
    ],
)
def test_the_records_are_read(keys: tuple[str, ...], asked: tuple[str, str, str]) -> None:
    seen: list[tuple[str, str, str]] = []

    def told(word: str, game: str) -> Sequence[str]:
        return [f"{word} of {game}"]

    async def press() -> None:
        app = TitleApp(replace(KNOWN, records=told), lambda: PLAIN_SITTING)
        async with piloted(app) as pilot:
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            async with asyncio.timeout(longest_wait()):
                while not isinstance(app.screen, ReadingPanel):
                    await pilot.pause()
            word, _, game = app.screen.lines[0].partition(" of ")
            seen.append((word, game, str(app.screen.query_one(PanelBox).border_title)))

    asyncio.run(press())
    assert seen == [asked]


def test_records_that_stay_are_not_reset() -> None:
    def told(word: str, game: str) -> Sequence[str]:
        raise AssertionError(f"{word} of {game}")

    keys = ("m", *"rec", "enter", *"start", "enter")
    assert chosen(*keys, "enter", known=replace(KNOWN, records=told)) is None, "no is the first"
    assert chosen(*keys, "escape", known=replace(KNOWN, records=told)) is None


def felt(pilot: Pilot[list[str]]) -> Picture:
    return pilot.app.screen_stack[1].query_one(Felt).picture


def test_tiles_are_clicked() -> None:
    async def click(pilot: Pilot[list[str]], zone: str, button: int) -> None:
        box = next(one.box for one in felt(pilot).zones if one.name == zone)
        await pilot.click(Felt, offset=(box.column + 1, box.row), button=button)
        await pilot.pause()

    async def play() -> tuple[list[str] | None, list[str] | None]:
        first, second = [TitleApp(KNOWN, lambda: PLAIN_SITTING) for _ in range(2)]
        async with piloted(first) as pilot:
            await pilot.pause()
            await click(pilot, "game 3", 1)
        async with piloted(second) as pilot:
            await pilot.pause()
            await click(pilot, "game 3", 3)
            await pilot.press("enter")
            await pilot.pause()
        return first.return_value, second.return_value

    assert asyncio.run(play()) == (["play", "whist"], ["play", "whist"])


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_tile_and_button_has_room(size: tuple[int, int], ascii_only: bool) -> None:
    buttons = ("Go on with Two-handed Pinochle?", *BUTTONS)
    for at in range(len(GAMES) + len(buttons)):
        title = Title([game.name for game in GAMES.values()], buttons, at, ["Open: t1: Whist, playing."])
        picture = draw_title(title, Look(ascii=ascii_only), *size)
        assert picture.faults == () and picture.cursor is not None
        assert not ascii_only or "".join(picture.text()).isascii()


@pytest.mark.parametrize("key", GAMES)
def test_the_name_of_a_game_fits_its_tile(key: str) -> None:
    name = GAME_NAMES[key]
    drawn = "\n".join(draw_title(Title([name], BUTTONS), Look(ascii=True), 80, 24).text())
    assert all(word in drawn for word in name.split()), "a tile has two lines of ten letters: shorten the name"


def test_the_board_of_a_session_that_was_watched_is_read_before_the_title_comes_again(program: Program) -> None:
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("peer-to-peer card games")
        terminal.type("m")
        terminal.until("watch the computer play")
        terminal.type("watch\r")
        terminal.until("Hearts: which level")
        terminal.type("novice\r")
        terminal.until(r"The computer plays every hand \(Q stops it\)\.")
        terminal.type("q")
        terminal.until("(No game|games?) finished(.|\\n)*Press Enter to go back to the title screen.")
        terminal.type("\r")
        terminal.until("peer-to-peer card games")
        terminal.type("q")
        assert terminal.end() == 0


def test_a_command_is_run_and_the_title_comes_again(program: Program) -> None:
    program.inside().out("config", "set", "name", "Zoe")
    program.inside().out("config", "set", "character", "betty")
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("peer-to-peer card games")
        terminal.type("\r")
        terminal.until("Hearts, deal ")
        terminal.type("\x11")
        terminal.until("peer-to-peer card games")
        terminal.until("Open: t1: Hearts")
        terminal.type("q")
        assert terminal.end() == 0
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("peer-to-peer card games")
        terminal.type("\r")
        terminal.until("Hearts, deal ")
        terminal.signal(signal.SIGTERM)
        assert terminal.end() == 0
        assert "Seat kept." in terminal.text
    with AtTerminal(program) as terminal:
        terminal.until("p2pcards play")
        assert terminal.end() == 0


LEAVES_THE_SCREEN = "\x1b[?1049l"


def test_the_screen_is_never_left_between_the_title_and_the_table(program: Program) -> None:
    """Dealing is told on the title; after the table it comes again, says how that ended, and offers to go on."""
    inside = program.inside()
    inside.out("config", "set", "name", "Zoe")
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("peer-to-peer card games")
        terminal.type("\r")
        terminal.until(r"Dealing \.\.\.(.|\n)*Hearts, deal ")
        assert LEAVES_THE_SCREEN not in terminal.text
        terminal.type("\x11")
        terminal.until(r"o back to Hearts\?(.|\n)*Seat kept")
        assert LEAVES_THE_SCREEN not in terminal.text
        terminal.type("g")
        terminal.until(r"Hearts, deal ")
        terminal.type("\x11")
        terminal.until(r"o back to Hearts\?")
        inside.out("stop")
        terminal.type("g")
        terminal.until("Couldn't open the table(.|\n)*Enter closes")
        assert LEAVES_THE_SCREEN not in terminal.text
        terminal.type("\r")
        terminal.until(r"o back to Hearts\?")
        terminal.type("g")  # the game has no table any more, and is resumed
        terminal.until(r"Hearts, deal ")
        terminal.type("\x11")
        terminal.until("Seat kept")
        terminal.type("q")
        assert terminal.end() == 0
    assert len(inside.data("saves")) == 1


def test_what_is_being_opened_is_left_by_escape() -> None:
    @asynccontextmanager
    async def never(_words: list[str], tell: Callable[[str], None]) -> AsyncIterator[Seat]:
        tell("Calling Bob ...")
        await trio.sleep(math.inf)
        yield Seat(AtTheScreen(TableAtHand("hearts", "", 1)))

    async def leave() -> list[str] | None:
        app = TitleApp(KNOWN, lambda: PLAIN_SITTING, never)
        async with piloted(app) as pilot:
            await pilot.press("enter")
            await pilot.pause()
            assert "Calling Bob ..." in "\n".join(felt(pilot).text())
            await pilot.press("enter", "escape")
            await pilot.pause()
            async with asyncio.timeout(longest_wait()):
                while "Calling Bob ..." in "\n".join(felt(pilot).text()):
                    await pilot.pause()
            await pilot.press("q")
            await pilot.pause()
        return app.return_value

    assert asyncio.run(leave()) == []


def test_a_call_that_nobody_answers_is_told_on_the_title(program: Program) -> None:
    program.inside().out("config", "set", "ask", "never")
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("peer-to-peer card games")
        terminal.type("c")
        terminal.until("Who do you want to call")
        terminal.type("an\r")
        terminal.until("The address on your friend")
        terminal.type("127.0.0.1:1\r")
        terminal.until("The code on your friend")
        terminal.type("\r")
        terminal.until("Couldn't open the table(.|\n)*Nobody is listening at 127.0.0.1")
        assert LEAVES_THE_SCREEN not in terminal.text
        terminal.type("\r")
        terminal.until("peer-to-peer card games")
        terminal.type("q")
        assert terminal.end() == 0


def test_a_line_with_a_link_in_it_is_pasted_whole(program: Program) -> None:
    program.inside().out("config", "set", "ask", "never")
    with AtTerminal(program, screen=True) as terminal:
        terminal.until("peer-to-peer card games")
        terminal.type("c")
        terminal.until("Who do you want to call")
        terminal.type("an\r")
        terminal.until("The address on your friend")
        terminal.type("Come: http://127.0.0.1:1/#7–acorn–zebra&fbclid=x, at 8!\r")
        terminal.until("Couldn't open the table(.|\n)*Nobody is listening at 127.0.0.1:1")
        terminal.type("\r")
        terminal.until("peer-to-peer card games")
        terminal.type("q")
        assert terminal.end() == 0


def test_a_link_in_several_lines_is_pasted_whole() -> None:
    async def paste() -> list[str] | None:
        app = TitleApp(KNOWN, lambda: PLAIN_SITTING)
        async with piloted(app) as pilot:
            await pilot.pause()
            for key in ("j", "down", "enter"):
                await pilot.press(key)
                await pilot.pause()
            app.post_message(events.Paste("> Sit down:\n> http://192.0.2.7:4747/#7-acorn-\n> zebra\n> See you at 8."))
            await pilot.pause()
            await pilot.press("enter")
            await pilot.pause()
        return app.return_value

    words = asyncio.run(paste())
    assert words and words[0] == "join"
    assert text_of_link(words[1]) == ("ws://192.0.2.7:4747/table", "7-acorn-zebra")


def test_somebody_else_is_switched_to_and_plays(program: Program) -> None:
    """The player who was named by an option at first."""
    for name in ("Ann", "Bob"):
        program.inside().out("profiles", "add", name)
    with AtTerminal(program, "--profile", "Ann", screen=True) as terminal:
        terminal.until("Playing as Ann. Press P to switch.")
        terminal.type("p")
        terminal.until(r"Ann \(playing now\)")
        terminal.type("bob\r")
        terminal.until("Playing as Bob. Press P to switch.")
        terminal.type("p")
        terminal.until(r"someone new \.\.\.")
        terminal.type("someone\r")
        terminal.until("Name of the new profile")
        terminal.type("Bob\r")
        terminal.until("There's already a profile 'Bob'(.|\n)*Press Enter to go back to the title screen.")
        terminal.type("\r")
        terminal.until("Playing as Bob. Press P to switch.")
        terminal.type("q")
        assert terminal.end() == 0
    assert program.inside().out("config", "get", "name") == "Bob\n"


def test_whoever_is_chosen_at_the_table_has_the_title_when_it_comes_again(program: Program) -> None:
    """A click on one's own name opens the menu that has it."""
    program.inside().out("profiles", "add", "Bob")
    program.inside().out("config", "set", "name", "Zoe")
    with AtTerminal(program, "--profile", "Default", screen=True) as terminal:
        terminal.until("Playing as Default. Press P to switch.")
        terminal.type("\r")
        terminal.until(r"Hearts, deal ")
        terminal.type("/player\r")
        terminal.until("Default \\(playing now\\)(.|\n)*Bob")
        terminal.type("b\r")
        terminal.until("Bob will play at your next table. Default keeps this seat.")
        terminal.type("\r\x11")
        terminal.until("Playing as Bob. Press P to switch.")
        terminal.type("q")
        assert terminal.end() == 0


def test_the_name_of_a_profile_is_not_set_by_being_agreed_to(home: Home) -> None:
    ann = add_profile(home, "Ann")
    set_setting(home, find_setting("ask"), "always")
    given = ["play", "hearts", "--name", "Ann", "--as", "betty"]
    assert begun(ann, "enter", "enter", "enter") == given
    assert "name" not in read_values(ann.settings) and load_settings(ann).character == "betty"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def begun(home: Home, *keys: str) -> list[str] | None:
    """What comes of these keys on the title screen of a home."""
    return chosen(*keys, sitting=replace(PLAIN_SITTING, manner=Manner(options=SettingsPage(home))))


def test_name_and_character_are_asked_for_at_first_and_kept(home: Home) -> None:
    assert begun(home, "enter", "escape") is None and not home.settings.exists()
    assert begun(home, "enter", "enter") == ["play", "hearts"], "a first game is two Enters away"
    assert (load_settings(home).name, load_settings(home).character) == ("zoe", "")
    assert begun(home, "a", "enter", "down", "enter") == ["host"]
    assert load_settings(home).character == "sam"
    assert begun(home, "a", "enter") == ["host"]


def test_ones_own_character_is_the_one_that_enter_takes(home: Home) -> None:
    set_setting(home, find_setting("name"), "Zoe")
    sitting = replace(PLAIN_SITTING, manner=Manner(options=SettingsPage(home)))
    assert chosen("l", "enter", "enter", known=replace(KNOWN, own=lambda: "wayne"), sitting=sitting) == ["listen"]
    assert load_settings(home).character == "wayne"


def test_the_game_that_is_open_is_offered_first() -> None:
    known = replace(KNOWN, goes_on=(("attach", "t1"), "Go on with Whist?"))
    assert chosen("enter", known=known) == ["attach", "t1"]
    assert chosen("g", known=known) == ["attach", "t1"]
    assert chosen("right", "enter", known=known) is None, "Listen asks how"


def test_what_a_preset_leaves_to_the_player_is_asked_on_the_title() -> None:
    answers = (("counting=manual", "H: by hand"), ("counting=auto", "A: by the program"))
    known = replace(KNOWN, question=lambda _: ("Who counts?", answers))
    assert chosen("enter", "down", "enter", known=known) == ["play", "hearts", "--set", "counting=auto"]
    assert chosen("enter", "escape", known=known) is None


def test_a_name_that_cannot_be_one_is_asked_for_again(home: Home) -> None:
    assert begun(home, "enter", *"x" * 30, "enter", "enter", "escape") is None
    assert load_settings(home).name == ""


def test_name_and_character_are_asked_for_every_time_where_that_is_wanted(home: Home) -> None:
    for key, value in (("name", "Ann"), ("character", "betty"), ("ask", "always")):
        set_setting(home, find_setting(key), value)
    given = ["play", "hearts", "--name", "b", "--as", "wayne"]
    assert begun(home, "enter", "b", "enter", "end", "enter") == given
    set_setting(home, find_setting("ask"), "never")
    assert begun(home, "enter") == ["play", "hearts"]


def test_the_rules_of_a_game_are_changed_from_its_tile(home: Home) -> None:
    known = replace(KNOWN, rules=lambda key: RulesPage(home, GAMES[key]))

    async def change() -> None:
        app = TitleApp(known, lambda: PLAIN_SITTING)
        async with piloted(app) as pilot:
            await pilot.pause()
            for key in ("m", "down", "down", "down", "down", "enter", "right"):
                await pilot.press(key)
                await pilot.pause()
        settings = load_settings(home)
        assert settings.options.get("hearts") or settings.presets.get("hearts")

    asyncio.run(change())


def test_tiles_stand_side_by_side_as_many_as_there_is_room_for() -> None:
    """One takes 14 columns, and is a column from the next; one column is left free."""
    assert [tiles_across(columns) for columns in (1, 15, 16, 30, 31, 45, 46, 80)] == [1, 1, 1, 1, 2, 2, 3, 5]


def test_a_long_name_is_folded_within_its_tile() -> None:
    picture = draw_title(Title(["Crazy Eights", "Whist"], ()), Look(), 80, 24)
    assert picture.faults == ()
    box = next(zone.box for zone in picture.zones if zone.name == "game 0")
    tile = [line[box.column : box.column + box.columns] for line in picture.text()[box.row : box.row + box.rows]]
    assert [line[3:-1].strip() for line in tile[1:-1]] == ["Crazy", "Eights"]
