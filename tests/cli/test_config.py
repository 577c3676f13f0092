"""`p2pcards config`: the settings listed, changed, taken back and edited."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from p2pcards.control.exits import STORAGE, UNEXPECTED, USAGE
from p2pcards.store.files import find_home
from p2pcards.store.settings import declared_settings, list_settings
from p2pcards.views.happenings import TABLE_EVENTS
from rigs.program import AtTerminal, Program

DOCUMENT = Path(__file__).parents[2] / "docs" / "commands.md"


def file_of(program: Program) -> Path:
    return program.home / "settings.toml"


def test_settings_are_listed_with_where_they_come_from(inside: Program) -> None:
    listed = inside.data("config", "list")
    home = find_home({"P2PCARDS_HOME": str(inside.home)})
    assert [one["key"] for one in listed] == [one.found.name for one in list_settings(home)]
    assert {one["from"] for one in listed} == {"program"}
    assert inside.out("config", "set", "name", "Zoë") == 'name = "Zoë"\n'
    assert inside.out("config", "set", "devices./dev/ttyS0.init", "ATM0", "ATL1") == (
        'devices./dev/ttyS0.init = ["ATM0", "ATL1"]\n'
    )
    rows = [line.split() for line in inside.out("config", "list").splitlines()]
    assert rows[0] == ["key", "value", "from"]
    assert ["name", '"Zoë"', "settings.toml"] in rows and ["port", "0", "program"] in rows
    assert ["devices./dev/ttyS0.speed", "115200", "program"] in rows
    one = next(one for one in inside.data("config", "list") if one["key"] == "name")
    assert (one["value"], one["default"], one["from"]) == ("Zoë", "", "settings.toml")


def test_a_setting_is_read_set_and_taken_back(inside: Program) -> None:
    assert inside.out("config", "get", "port") == "0\n"
    inside.out("config", "set", "port", "4800")
    inside.out("config", "set", "hook", "--beep twice")
    assert inside.out("config", "get", "port") == "4800\n"
    assert inside.out("config", "get", "hook") == "--beep twice\n"
    assert inside.data("config", "get", "port") == {
        "key": "port",
        "value": 4800,
        "from": "settings.toml",
        "default": 0,
        "takes": "a whole number from 0 to 65535",
        "meaning": "The port for p2pcards listen. 0: the usual one.",
    }
    assert inside.out("config", "clear", "port") == "port = 0\n"
    assert inside.data("config", "get", "port")["from"] == "program"
    inside.out("config", "set", "devices.x.init", "AT M0", "ATL1")
    assert inside.out("config", "get", "devices.x.init") == "'AT M0' ATL1\n"


def test_an_event_is_changed_tested_and_cleared(inside: Program, tmp_path: Path) -> None:
    inside.home.mkdir()
    out = tmp_path / "out"
    assert inside.out("config", "test", "knock") == (
        "knock: no bell or command is set. To set a bell: p2pcards config set events.knock.bell true\n"
    )
    inside.out("config", "set", "events.knock.bell", "on")
    assert inside.out("config", "test", "knock") == "knock: rang the bell.\n"
    command = f"sh -c 'echo $P2PCARDS_EVENT >> {out}'"
    inside.out("config", "set", "events.knock.hook", command)
    assert inside.out("config", "test", "knock").splitlines() == [
        f"knock: {command!r} worked.",
        "knock: rang the bell.",
    ]
    assert out.read_text() == "knock\n"
    inside.out("config", "set", "bell", "off")
    assert "the bell" not in inside.out("config", "test", "knock")
    assert inside.out("config", "clear", "knock") == 'events.knock.bell = false\nevents.knock.hook = ""\n'
    assert {one["from"] for one in inside.data("config", "list") if one["key"].startswith("events.")} == {"program"}
    assert inside.out("config", "clear", "turn") == 'events.turn.bell = true\nevents.turn.hook = ""\n'


def test_the_command_for_every_turn_and_arrival_counts_where_those_have_none(inside: Program) -> None:
    inside.out("config", "set", "hook", "true")
    inside.out("config", "set", "events.joined.hook", "false")
    assert inside.out("config", "test", "turn").startswith("turn: 'true' worked.")
    assert inside.refused("config", "test", "joined") == (UNEXPECTED, "The command 'false' exited with code 1.\n")
    assert "no bell or command" in inside.out("config", "test", "play")


def test_what_reads_aloud_is_tested(inside: Program, tmp_path: Path) -> None:
    assert inside.refused("config", "test", "speech") == (
        USAGE,
        "No speech command is set. To set one: p2pcards config set speech espeak\n",
    )
    inside.home.mkdir()
    out = tmp_path / "out"
    inside.out("config", "set", "speech", f"tee {out}")
    assert inside.out("config", "test", "speech") == f"speech: 'tee {out}' worked.\n"
    assert out.read_text() == "This is p2pcards.\n"
    inside.out("config", "set", "speech", "no-such-program-here")
    assert inside.refused("config", "test", "speech") == (
        UNEXPECTED,
        "The command 'no-such-program-here' can't be started: No such file or directory.\n",
    )


def test_at_a_terminal_the_bell_of_an_event_is_heard(program: Program) -> None:
    with AtTerminal(program, "config", "test", "turn") as terminal:
        terminal.until("\aturn: rang the bell.")
        assert terminal.end() == 0


def test_where_the_settings_are_kept(inside: Program) -> None:
    assert inside.out("config", "path") == f"{file_of(inside)}\n"
    assert inside.data("config", "path") == {"file": str(file_of(inside)), "exists": False}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["set", "prot", "1"], "There's no setting 'prot'. Did you mean 'port'?"),
        (["get", "prot"], "There's no setting 'prot'. Did you mean 'port'?"),
        (["clear", "prot"], "There's no setting 'prot'. Did you mean 'port'?"),
        (
            ["set", "port", "-1"],
            "The setting 'port' must be 0-65535, not -1. For example: p2pcards config set port 4800",
        ),
        (["set", "bell", "x"], "The setting 'bell' takes true or false, not 'x'. For example: p2pcards config set be"),
        (
            ["set", "ask", "x"],
            "The setting 'ask' must be one of once, always, never, not 'x'. For example: p2pcards config",
        ),
        (["set", "character", "grany"], "There's no character 'grany'. Did you mean 'granny'?"),
        (["set", "presets.haerts", "x"], "There's no game 'haerts'. Did you mean 'hearts'?"),
        (["set", "presets.hearts", "real-dael"], "Hearts has no preset 'real-dael'. Did you mean 'real-deal'?"),
        (
            ["set", "presets.31", "real-deal"],
            "Use the game's key, thirty_one: p2pcards config set presets.thirty_one real-deal",
        ),
        (["set", "options.haerts.end_score", "50"], "There's no game 'haerts'. Did you mean 'hearts'?"),
        (["set", "options.hearts.end_scor", "50"], "There's no option 'end_scor' here. Did you mean 'end_score'?"),
        (["set", "options.hearts", "50"], "There's no setting 'options.hearts'."),
        (["test", "knok"], "There's no event 'knok'. Did you mean 'knock'?"),
        (["set", "events.knok.bell", "on"], "There's no event 'knok'. Did you mean 'knock'?"),
        (["lst"], "No such command 'lst'. Did you mean"),
    ],
)
def test_what_cannot_be_set_is_a_sentence_and_writes_nothing(inside: Program, words: list[str], sentence: str) -> None:
    code, said = inside.refused("config", *words)
    assert (code, said[: len(sentence)]) == (USAGE, sentence)
    assert not file_of(inside).exists()


def test_a_file_that_cannot_be_read_is_a_sentence_and_kept(inside: Program) -> None:
    inside.home.mkdir()
    file_of(inside).write_text("prot = 1\n")
    for words in (["list"], ["get", "port"], ["set", "port", "1"], ["clear", "port"]):
        code, said = inside.refused("config", *words)
        assert (code, said) == (STORAGE, f"{file_of(inside)}: There's no setting 'prot'. Did you mean 'port'?\n")
    assert file_of(inside).read_text() == "prot = 1\n"


def edited(program: Program, monkeypatch: pytest.MonkeyPatch, body: str) -> Program:
    """The program with an editor that does this to the `text` of the file."""
    script = program.home.parent / "editor.py"
    before = "import pathlib, sys\npath = pathlib.Path(sys.argv[1])\ntext = path.read_text()\n"
    script.write_text(f"{before}{body}\npath.write_text(text)\n")
    monkeypatch.setenv("VISUAL", f"{sys.executable} '{script}'")
    return program


def test_an_editor_gets_a_file_that_explains_everything(inside: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    editing = edited(inside, monkeypatch, "assert '# port: ' in text\ntext += 'port = 4900\\n'")
    assert editing.out("config", "edit") == ""
    assert inside.out("config", "get", "port") == "4900\n"


@pytest.mark.parametrize(
    ("body", "code", "sentence"),
    [
        ("text += 'port = x'", STORAGE, "Can't read"),
        ("sys.exit(3)", UNEXPECTED, "exited with code 3. The settings are fine."),
    ],
)
def test_what_an_editor_leaves_is_checked(
    inside: Program, monkeypatch: pytest.MonkeyPatch, body: str, code: int, sentence: str
) -> None:
    found, said = edited(inside, monkeypatch, body).refused("config", "edit")
    assert found == code and sentence in said


@pytest.mark.parametrize("editor", ["no-such-editor-here", "'"])
def test_an_editor_that_there_is_not(inside: Program, monkeypatch: pytest.MonkeyPatch, editor: str) -> None:
    monkeypatch.setenv("VISUAL", editor)
    code, said = inside.refused("config", "edit")
    assert code == USAGE
    assert f"Can't start the editor {editor!r}. Set EDITOR to another one, or edit {file_of(inside)} yourself." in said


def test_the_songs_are_kept_one_for_each_game_or_a_list(inside: Program) -> None:
    for words in (("music", "game"), ("game_songs.whist", "rule britannia.mid"), ("songs", "waltz.mid", "polka.mid")):
        inside.out("config", "set", *words)
    assert inside.out("config", "get", "music") == "game\n"
    assert inside.out("config", "get", "game_songs.whist") == "rule britannia.mid\n"
    assert inside.out("config", "get", "songs") == "waltz.mid polka.mid\n"
    listed = {one["key"]: one["value"] for one in inside.data("config", "list")}
    assert (listed["game_songs.whist"], listed["songs"]) == ("rule britannia.mid", ["waltz.mid", "polka.mid"])
    code, said = inside.refused("config", "set", "game_songs.wist", "x.mid")
    assert (code, said) == (USAGE, "There's no game 'wist'. Did you mean 'whist'?\n")
    code, said = inside.refused("config", "set", "game_songs.31", "x.mid")
    assert said == "Use the game's key, thirty_one: p2pcards config set game_songs.thirty_one x.mid\n"


def test_the_page_tells_of_every_event() -> None:
    rows = [f"| `{name}` | {when} |" for name, when in TABLE_EVENTS.items()]
    assert [row for row in rows if row not in DOCUMENT.read_text().splitlines()] == []


def test_the_page_of_settings_tells_of_every_setting() -> None:
    text = DOCUMENT.with_name("guide").joinpath("settings.md").read_text()
    for one in declared_settings():
        assert f"## {one.name}\n\n{one.meaning} Takes {one.takes}: `p2pcards config set {one.name} " in text
    assert "(guide/settings.md)" in DOCUMENT.read_text()


def test_a_rule_option_is_set_by_the_short_name_of_its_game_too(inside: Program) -> None:
    assert inside.out("config", "set", "options.500.winning_score", "600") == "options.rummy_500.winning_score = 600\n"
    rows = [line.split() for line in inside.out("config", "list").splitlines()]
    assert ["options.rummy_500.winning_score", "600", "settings.toml"] in rows
    told = {row["option"]: row for row in inside.data("options", "500")}
    assert (told["winning_score"]["value"], told["winning_score"]["from"]) == (600, "settings.toml")
    assert told["players"]["from"] == "preset usual"
    assert "winning_score: now 600 (settings.toml); " in inside.out("options", "500")
    assert inside.out("config", "clear", "options.rummy_500.winning_score") == "options.rummy_500.winning_score = 500\n"
