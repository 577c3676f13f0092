"""Text of others that would move the cursor, or hide what it is, in everything that is printed."""

from __future__ import annotations

import json
import os
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random

import pytest
import typer
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2pcards.cli import main
from p2pcards.cli.opening import listener_facts
from p2pcards.cli.terminal import PILED, escape_unprintable
from p2pcards.games.options import set_options
from p2pcards.games.registry import GAMES
from p2pcards.ledger.transitions import Phase
from p2pcards.links.lan import Found
from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.logs import MAGIC, encode_record
from p2pcards.store.settings import declared_settings
from rigs.hostile_text import HOSTILE, PIECES, SURROGATES, harmful
from rigs.program import Program
from rigs.recorded import Table

HURTING = "\x1b[2J\u202e\x9b2J\r\u2028\x08"
LOG = "2026-11-20-hearts-7f3a"

READS: dict[str, tuple[str, ...]] = {
    "status": ("", "--json"),
    "games": ("", "--json"),
    "options": ("hearts", "hearts --json"),
    "rules": ("hearts", "hearts --json"),
    "about": ("hearts", "hearts --json"),
    "characters": ("", "--json"),
    "guide": ("{TEXT}", "--json"),
    "help": ("{TEXT}", "--json"),
    "credits": ("", "--json"),
    "completion": ("bash",),
    "identity": ("", "--json"),
    "saves": ("", "--json", "--game {TEXT}"),
    "saves name": ("{LOG} {TEXT}", "{TEXT} friday", "{LOG} friday", "friday {TEXT}"),
    "saves throw": ("{LOG}", "{TEXT} --yes", "{LOG} --take-back"),
    "saves export": ("{LOG} {FILE}", "{LOG} {FILE} --yes", "{TEXT} {FILE}"),
    "saves export-home": ("", "{FILE}", "{TEXT}"),
    "saves import": ("{FILE}", "{TEXT}", "{FILE} --game {TEXT}"),
    "logs": ("", "--json", "--game {TEXT}"),
    "logs prune": ("--keep 0 --dry-run", "--keep 0 --json", "--keep 0", "--keep {TEXT}"),
    "verify": ("{LOG}", "{LOG} --json", "{LOG} --decisions none", "{TEXT}", "{TEXT} --json"),
    "replay": ("{LOG}", "{LOG} --json", "{LOG} --open", "{TEXT}"),
    "export": ("{LOG}", "{LOG} --open", "{LOG} --format json", "{TEXT}"),
    "config list": ("", "--json"),
    "config get": ("name", "name --json", "{TEXT}"),
    "config set": ("name {TEXT}", "{TEXT} 1"),
    "config clear": ("{TEXT}",),
    "config path": ("", "--json"),
    "peers list": ("", "--json"),
    "peers forget": ("{TEXT}",),
    "peers rename": ("{TEXT} {TEXT}", "Ann {TEXT}"),
    "peers trust": ("{TEXT}",),
    "records": (
        *("", "--json", "--csv", "eights", "eights --json", "eights --csv", "--against", "--against --json"),
        *("{TEXT}", "eights --reset", "eights --take-back", "rebuild", "rebuild --json"),
    ),
    "history": ("", "--json", "--csv", "--game {TEXT}", "--level {TEXT}"),
    "league": ("", "--json", "--csv"),
    "hall": ("", "--json", "--csv", "--game {TEXT}"),
    "board": ("{LOG}", "{LOG} --json", "{LOG} --csv", "{TEXT}"),
    "scoreboard": ("", "--json", "new", "save", "reset", "recover", "{TEXT}"),
    "directory add": ("{TEXT} 555", "Bob {TEXT}"),
    "directory edit": ("{TEXT} --number 555", "Ann --note {TEXT}"),
    "directory list": ("", "--json"),
    "directory remove": ("{TEXT}",),
    "web verify": ("{TEXT}", "{TEXT} --json"),
    "profiles": ("", "--json"),
    "profiles list": ("", "--json"),
    "profiles add": ("{TEXT}",),
    "profiles switch": ("{TEXT}",),
    "profiles rename": ("Bob {TEXT}", "{TEXT} Zoe"),
    "profiles remove": ("{TEXT}", "--yes {TEXT}"),
}
"""How each command is given, that reads what others wrote or takes what may be copied from them."""

AT_A_TABLE = frozenset(
    (
        *("play", "listen", "connect", "dial", "host", "join", "watch", "resume", "attach", "detach", "leave", "stop"),
        *("words", "web"),
    )
)
"""What is said at a table is tried in tests/session/test_hostile_words.py."""

AT_A_MODEM = frozenset(("modem test",))
"""What a modem says comes as printable ASCII: tests/links/modem."""

AT_SERVERS = frozenset(("reach",))
"""What brokers, routers and STUN servers answer comes as addresses and numbers: tests/links."""

UNDER_TEST = frozenset(("conform listen", "conform connect", "conform logs"))
"""What a program under test sends is shown in hex."""

ALONE = frozenset(("simulate", "autoplay", "demo", "config test", "config edit", "web build"))
"""They read nothing that anybody else wrote."""


def commands() -> Iterator[tuple[str, bool]]:
    """Every command, and whether it has --json."""
    tree: typing.Any = typer.main.get_command(main.build_program())
    for name, one in tree.commands.items():
        alone = {"": one} if getattr(one, "invoke_without_command", True) else {}
        for inner, command in (alone | getattr(one, "commands", {})).items():
            yield f"{name} {inner}".rstrip(), any("--json" in parameter.opts for parameter in command.params)


def test_every_command_is_tried() -> None:
    found = dict(commands())
    assert set(found) == {*READS, *AT_A_TABLE, *AT_A_MODEM, *AT_SERVERS, *UNDER_TEST, *ALONE}
    assert not [name for name in READS if found[name] and not any("--json" in given for given in READS[name])]


def write_log(hostile: str, home: Home) -> None:
    """A log whose header has this wherever it has text."""
    table = Table("hearts", GAMES["hearts"].options(), 3, said=lambda text: f"{text[:6]}{hostile}{text[6:]}"[:24])
    table.until(Phase.PLAY, 2)
    for _ in range(6):
        table.step()
    payloads = b"".join(encode_record(payload) for payload in table.payloads[0])
    (home.logs / f"{LOG}.log").write_bytes(MAGIC + payloads)


def write_save_names(hostile: str, home: Home) -> None:
    """What somebody else has written where our names of games are."""
    write_log("", home)
    home.save_names.write_text(json.dumps({"names": {LOG: hostile, hostile: "friday"}, "thrown": {hostile: [1, 2]}}))


def write_finished_log(hostile: str, home: Home) -> None:
    """The same of a game that is over, so that the names come into the records."""
    game = GAMES["crazy_eights"]
    options = set_options(game.options(), {"winning_score": "1"})
    table = Table(game.key, options, 3, said=lambda text: f"{text[:6]}{hostile}{text[6:]}"[:24])
    while table.position.ended is None:
        table.step()
    for number in (0, 1):
        payloads = b"".join(encode_record(payload) for payload in table.payloads[number])
        (home.logs / f"2026-11-2{number}-crazy_eights-7f3a.log").write_bytes(MAGIC + payloads)


def write_peers(field: str, hostile: str, home: Home) -> None:
    """Somebody known in whose entry this stands in one field."""
    peer = {"name": "Ann", "key": "11" * 32, "first_seen": 1, "last_seen": 2, "address": "", "proof": "code"}
    home.peers.write_text(json.dumps([peer | {field: hostile}]))


def write_directory(field: str, hostile: str, home: Home) -> None:
    entry = {"name": "Ann", "number": "555", "note": "", "last_call": "", "ended": ""} | {field: hostile}
    lines = [f"{json.dumps(key)} = {json.dumps(text)}" for key, text in entry.items() if key != "name"]
    home.directory.write_text("\n".join([f"[{json.dumps(entry['name'])}]", *lines, ""]))


def write_settings(line: str, hostile: str, home: Home) -> None:
    home.settings.write_text(line.replace("TEXT", json.dumps(hostile)) + "\n")


def write_profile(hostile: str, home: Home) -> None:
    """A profile whose name this is, one in a folder called so, and one that was switched to last."""
    folders = home.state / "profiles"
    (folders / "ann-1").mkdir(0o700, parents=True)
    (folders / "ann-1" / "name.txt").write_bytes(hostile.encode(errors="surrogatepass"))
    name = hostile.replace("\0", "").replace("/", "").encode("utf-8", "surrogatepass").lstrip(b".")[:200]
    (folders / os.fsdecode(name or b"x")).mkdir(0o700, exist_ok=True)
    (home.state / "last-profile.txt").write_bytes(hostile.encode(errors="surrogatepass"))


SETTINGS = (
    *[f"{one.name} = TEXT" for one in declared_settings() if "." not in one.name],
    *(
        "TEXT = TEXT",
        "[events.TEXT]",
        "[events.play]\nhook = TEXT",
        "[options.hearts]\nTEXT = TEXT",
        "[TEXT]\nTEXT = 1",
    ),
    *("songs = [TEXT]", "[presets]\nhearts = TEXT", "[presets]\nTEXT = TEXT", "[colours]\ntable = TEXT", "[TEXT]"),
)
FILES: dict[str, Callable[[str, Home], None]] = {
    "log": write_log,
    "profile": write_profile,
    "finished log": write_finished_log,
    "names of saves": write_save_names,
    **{f"peers {field}": partial(write_peers, field) for field in ("name", "key", "address", "proof", "last_seen")},
    **{f"directory {field}": partial(write_directory, field) for field in ("name", "number", "note", "ended", "else")},
    **{f"settings {line}": partial(write_settings, line) for line in SETTINGS},
}
ONLY = {
    "profile": ("profiles list", "profiles switch", "profiles remove", "identity"),
    "names": ("saves", "logs", "saves name"),
    "finished": ("records", "history", "league", "hall", "logs"),
    "peers": ("peers list", "peers trust", "logs"),
    "directory": ("directory list", "directory remove"),
}
"""Commands that read these files."""


def as_argument(text: str) -> str:
    """As a process can be given it: arguments end at a NUL."""
    return text.replace("\0", "")


def check(program: Program, hostile: str, names: Iterable[str] = READS) -> None:
    """Nothing that the commands print moves the cursor or hides, whatever they think of it."""
    for name in names:
        for given_words in READS[name]:
            given = {"{LOG}": LOG, "{TEXT}": as_argument(hostile), "{FILE}": str(program.home / "one.p2psave")}
            words = [given.get(word, word) for word in given_words.split()]
            done = program(*name.split(), *words)
            assert not harmful(done.stdout + done.stderr), (name, given_words)
            if words[-1:] == ["--json"] and done.stdout:
                json.loads(done.stdout)


def fresh(folders: pytest.TempPathFactory) -> tuple[Program, Home]:
    """The program with a home in which there is nothing yet."""
    folder = folders.mktemp("home")
    home = find_home({"P2PCARDS_HOME": str(folder)})
    make_folders(home)
    return Program(folder, inside=True), home


def check_file(folders: pytest.TempPathFactory, file: str, hostile: str) -> None:
    program, home = fresh(folders)
    FILES[file](hostile, home)
    kind = file.split(maxsplit=1)[0]
    check(program, hostile, READS if kind == "log" else ONLY.get(kind, ("config list", "identity", "games")))


def test_nothing_in_a_file_moves_the_cursor_or_hides(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What hurts most in each, and some pieces, so that each piece stands in one file at least."""
    pieces = [*PIECES]
    Random(1).shuffle(pieces)
    for place, file in enumerate(FILES):
        check_file(tmp_path_factory, file, HURTING + "".join(pieces[place :: len(FILES)]))


@pytest.mark.slow
def test_no_text_in_a_file_moves_the_cursor_or_hides(tmp_path_factory: pytest.TempPathFactory) -> None:
    for file in FILES:

        @settings(max_examples=4)
        @given(hostile=HOSTILE)
        @example(hostile=HURTING)
        def nothing_harms(hostile: str, file: str = file) -> None:
            check_file(tmp_path_factory, file, hostile)

        nothing_harms()


@given(HOSTILE)
def test_who_answers_on_the_network_has_a_harmless_name(tmp_path_factory: pytest.TempPathFactory, hostile: str) -> None:
    _, home = fresh(tmp_path_factory)
    found = listener_facts(home, Found("192.0.2.1", 7777, hostile, bytes(32)))
    assert not harmful("".join(found.values())) and "(" not in found["name"]


@pytest.mark.parametrize("half", SURROGATES)
def test_half_a_pair_is_not_printed(tmp_path_factory: pytest.TempPathFactory, half: str) -> None:
    program, home = fresh(tmp_path_factory)
    write_peers("name", half, home)
    for words in (("peers", "list"), ("peers", "list", "--json"), ("peers", "trust", half), ("verify", half)):
        done = program(*words)
        assert not harmful(done.stdout + done.stderr)


IN_NAMES = ("\x1b[2J", "\x9b2J", "\x1b]0;x\x07", "\u202e", "\r", "\n", "\x08", "\x85")


@pytest.mark.parametrize(
    "texts", [pytest.param(["".join(IN_NAMES)], id="all"), pytest.param(IN_NAMES, id="each", marks=pytest.mark.slow)]
)
def test_a_log_is_read_whatever_its_names_hold(tmp_path_factory: pytest.TempPathFactory, texts: Sequence[str]) -> None:
    for hostile in texts:
        program, home = fresh(tmp_path_factory)
        write_log(hostile, home)
        for words in ("logs", f"verify {LOG}", f"replay {LOG}", f"export {LOG} --format json"):
            done = program(*words.split())
            assert done.stdout and not harmful(done.stdout + done.stderr), hostile
        json.loads(done.stdout)


@given(st.text(st.characters(codec="utf-8"), max_size=40) | st.text("ab\x1b[]0;31m\x9b\u202e\n\u200d", max_size=40))
def test_what_is_printed_is_only_read(text: str) -> None:
    assert not harmful(escape_unprintable(text))
    assert escape_unprintable(escape_unprintable(text)) == escape_unprintable(text)
    if text.replace("\n", "").isprintable() and not PILED.search(text):
        assert escape_unprintable(text) == text


def test_colours_of_our_own_stay() -> None:
    card = "\x1b[48;5;231;38;5;160mQ♥\x1b[0m"
    assert escape_unprintable(f"{card} \x1b[33m\x1b[8m{card}\x1b[2J") == f"{card} [33m[8m{card}[2J"
