"""`p2pcards profiles`, and `--profile` with every command: several people on one machine."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from p2pcards.cli.command import split_profile_option
from p2pcards.control.exits import DAEMON, STORAGE, USAGE
from rigs.program import PROGRAM, AtTerminal, Program, run_forked


@pytest.fixture
def three(inside: Program) -> Program:
    """Profiles of Ann and Bob beside the Default profile, which still plays."""
    for name in ("Ann", "Bob"):
        assert inside.out("profiles", "add", name).startswith(f"Added {name}. ")
    return inside


def listed(program: Program) -> dict[str, dict[str, object]]:
    return {one["profile"]: one for one in program.data("profiles")}


def playing(program: Program) -> str:
    return next(name for name, one in listed(program).items() if one["current"])


def key(program: Program, *words: str) -> object:
    return program.data(*words, "identity")["key"]


def test_profiles_are_listed_with_a_star_for_the_one_that_plays(three: Program) -> None:
    assert three.out("profiles") == three.out("profiles", "list")
    rows = [line.split() for line in three.out("profiles").splitlines()]
    assert rows[0] == ["profile", "others", "see", "games", "daemon"]
    assert rows[1][:2] == ["*", "Default"] and rows[2:] == [["Ann", "Ann", "0", "-"], ["Bob", "Bob", "0", "-"]]
    assert three.data("profiles") == three.data("profiles", "list")
    assert listed(three)["Ann"]["state"] == str(three.home / "profiles" / "ann-1")


def test_who_plays_by_option_environment_and_switch(three: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    assert playing(three) == "Default"
    assert three.out("profiles", "switch", "ann") == "You're playing as Ann from now on.\n"
    assert playing(three) == "Ann" and three.out("config", "get", "name") == "Ann\n"
    assert three.out("--profile", "bob", "config", "get", "name") == "Bob\n"
    assert three.out("config", "get", "name", "--profile", "Bob") == "Bob\n"
    assert three.out("config", "--profile=Bob", "get", "name") == "Bob\n"
    assert three.out("--profile", "Default", "config", "get", "name") == "\n"
    environment = three.environment | {"P2PCARDS_PROFILE": "Bob"}
    for words, name in ((("config", "get", "name"), "Bob"), (("config", "get", "name", "--profile", "Ann"), "Ann")):
        done = subprocess.run([*PROGRAM, *words], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == f"{name}\n"
    done = subprocess.run(
        [*PROGRAM, "profiles", "switch", "Ann"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[1:] == ["In this shell P2PCARDS_PROFILE overrides that: it's 'Bob'."]
    assert len({str(key(three, "--profile", name)) for name in ("Default", "Ann", "Bob")}) == 3
    assert three.out("profiles", "add", "Zoe", "--switch") == "You're playing as Zoe from now on.\n"
    assert playing(three) == "Zoe"


@pytest.mark.parametrize(
    ("words", "apart"),
    [
        ("--profile Ann play hearts", (["--profile", "Ann"], ["play", "hearts"])),
        ("play hearts --profile Ann --line", (["--profile", "Ann"], ["play", "hearts", "--line"])),
        ("play --profile=Ann hearts", (["--profile=Ann"], ["play", "hearts"])),
        ("play hearts --profile", (["--profile"], [])),
        ("completion zsh -- p2pcards --profile Ann", ([], ["completion", "zsh", "--", "p2pcards", "--profile", "Ann"])),
        ("play hearts", ([], ["play", "hearts"])),
    ],
)
def test_the_option_may_stand_anywhere(words: str, apart: tuple[list[str], list[str]]) -> None:
    assert split_profile_option(words.split()) == apart


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("--profile Anna status", "There's no profile 'Anna'. Did you mean 'Ann'?"),
        ("status --profile xyzzy", "There's no profile 'xyzzy'. See p2pcards profiles."),
        ("profiles switch bobb", "There's no profile 'bobb'. Did you mean 'Bob'?"),
        ("profiles add ANN", "There's already a profile 'Ann'. To play as Ann: p2pcards profiles switch Ann"),
        ("profiles add Аnn", "'Аnn' looks too much like the profile 'Ann'. Choose a more distinct name."),
        ("profiles add A\x1b[2Jb", "A profile's name must be one line of at most 24 visible characters"),
        (f"profiles add {'x' * 25}", "A profile's name must be one line of at most 24 visible characters"),
        ("profiles rename Ann Bob", "There's already a profile 'Bob'."),
        (
            "profiles rename Default Zoe",
            "The Default profile can't be renamed. To change the name others see: p2pcards config",
        ),
        ("profiles rename Zoe Ann", "There's no profile 'Zoe'."),
        (
            "profiles remove Default --yes",
            "The Default profile can't be removed: every other profile builds on its settings.",
        ),
        ("profiles remove Ann", "Removing a profile is permanent. To confirm: p2pcards profiles remove --yes Ann"),
        ("play hearts --profile", "Option '--profile' requires an argument."),
        ("play hearts --profile=", "--profile needs the name of a profile. 'p2pcards profiles' lists them."),
    ],
)
def test_what_is_wrong_is_a_sentence_and_changes_nothing(three: Program, line: str, sentence: str) -> None:
    def kept() -> dict[Path, bytes]:
        found = {path: path.read_bytes() for path in three.home.rglob("*") if path.is_file()}
        return {path: data for path, data in found.items() if path.suffix != ".lock"}

    before = kept()
    code, said = three.refused(*line.split(" "))
    assert (code, said[: len(sentence)]) == (USAGE, sentence)
    assert kept() == before


def test_a_wrong_value_in_a_file_is_a_sentence_and_stays(three: Program) -> None:
    file = three.home / "profiles" / "ann-1" / "settings.toml"
    file.write_text('speed = "fsat"\n')
    for words in (("config", "list"), ("config", "set", "port", "1")):
        code, said = three.refused("--profile", "Ann", *words)
        assert code == STORAGE and said.startswith(
            f"{file}: The setting 'speed' must be one of slow, normal, fast, off"
        )
    assert file.read_text() == 'speed = "fsat"\n'
    assert three.out("--profile", "Bob", "config", "get", "speed") == "normal\n"


def test_settings_fall_back_on_the_default_profile(three: Program) -> None:
    three.out("--profile", "Default", "config", "set", "speed", "slow")
    three.out("--profile", "Default", "config", "set", "options.hearts.end_score", "60")
    three.out("--profile", "Ann", "config", "set", "port", "4800")
    rows = [line.split() for line in three.out("--profile", "Ann", "config", "list").splitlines()]
    for row in (["name", '"Ann"', "profile"], ["port", "4800", "settings.toml"], ["speed", '"slow"', "Default"]):
        assert row in rows
    assert ["bell", "true", "program"] in rows
    options = {one["option"]: one for one in three.data("--profile", "Ann", "options", "hearts")}
    assert (options["end_score"]["value"], options["end_score"]["from"]) == (60, "Default")
    assert three.out("--profile", "Ann", "config", "clear", "port") == "port = 0\n"
    assert three.out("--profile", "Ann", "config", "path").endswith("/profiles/ann-1/settings.toml\n")


def test_what_is_planted_is_told_and_the_others_are_listed(three: Program) -> None:
    folders = three.home / "profiles"
    (folders / "eve-1").mkdir()
    (folders / "eve-1" / "name.txt").write_text("E\x1b[2Jve\n")
    (folders / "\x1b[2J").symlink_to("/")
    done = three("profiles", "--json")
    assert (done.returncode, [one["profile"] for one in json.loads(done.stdout)]) == (0, ["Default", "Ann", "Bob"])
    assert done.stderr.splitlines() == [
        f"{folders}/[2J isn't a profile: p2pcards doesn't use names like that. Move it aside.",
        f"{folders}/eve-1/name.txt has no profile name. Put another name in that file.",
    ]


def test_a_profile_that_was_switched_to_is_gone(three: Program) -> None:
    three.out("profiles", "switch", "Ann")
    (three.home / "profiles" / "ann-1").rename(three.home / "elsewhere")
    code, said = three.refused("identity")
    assert code == STORAGE and said.startswith("Can't use your last profile: ")
    assert said.endswith("Switch: p2pcards profiles switch NAME\n")
    done = three("profiles")
    assert done.returncode == 0 and "*" not in done.stdout and said in done.stderr
    three.out("profiles", "switch", "Bob")
    assert three.out("config", "get", "name") == "Bob\n"


# --- daemons --------------------------------------------------------------------------------------------------------


def test_two_profiles_play_with_each_other_and_each_keeps_the_game(program: Program) -> None:
    ann, bob = ("--profile", "Ann"), ("--profile", "Bob")
    inside = program.inside()
    for name in ("Ann", "Bob"):
        inside.out("profiles", "add", name)
    keys = [key(inside, *who) for who in (ann, bob)]
    started = program.by_python()  # so that a process shows its own environment
    port = started.data(*bob, "listen", "--port", "0", "--auto", "novice")["port"]
    rules = ("--game", "crazy_eights", "--set", "winning_score=50")
    started.data(*ann, "connect", f"127.0.0.1:{port}", *rules, "--auto", "novice", "--grace", "30")
    found = listed(inside)
    assert [found[name]["daemon"] for name in ("Default", "Ann", "Bob")] == [False, True, True]
    pids = [program.data(*who, "status")["pid"] for who in (ann, bob)]
    assert pids[0] != pids[1] and program.data("--profile", "Default", "status")["pid"] is None
    for pid, name in zip(pids, ("Ann", "Bob"), strict=True):
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        assert f"P2PCARDS_PROFILE={name}".encode() in environment, "for commands of the player's own"
    code, said = inside.refused("profiles", "rename", "Ann", "Zoe")
    assert (code, said) == (
        DAEMON,
        "Ann's daemon is running, so nothing was changed. Stop it first: p2pcards --profile Ann stop\n",
    )
    code, said = inside.refused("profiles", "remove", "--yes", "Bob")
    assert (code, said) == (
        DAEMON,
        "Bob's daemon is running, so nothing was changed. Stop it first: p2pcards --profile Bob stop\n",
    )

    program.out(*ann, "attach", said="start\n")
    for name in ("Ann", "Bob"):
        with_env = Program(program.home / "profiles" / f"{name.lower()}-1", inside=True)
        assert sorted(with_env.wait_for("finished")["players"]) == ["Ann", "Bob"]
    assert [one["name"] for one in inside.data(*ann, "peers", "list")] == ["Bob"]
    assert inside.data("--profile", "Default", "logs") == [] == inside.data("--profile", "Default", "peers", "list")
    for who in (ann, bob):
        program.out(*who, "stop")

    league = {one["name"]: one for one in inside.data(*ann, "league") if one["kind"] == "me"}
    assert {name: one["games"] for name, one in league.items()} == {"Ann": 1, "Bob": 1}
    assert [one["name"] for one in inside.data(*ann, "history")[0]["players"][:2]] == ["Ann", "Bob"]
    game = inside.data(*ann, "logs")[0]["log"]
    assert inside.out("profiles", "rename", "Ann", "Zoë") == "Renamed Ann to Zoë.\n"
    assert key(inside, "--profile", "Zoë") == keys[0], "the identity is that of the profile, not of its name"
    assert inside.data("--profile", "Zoë", "logs")[0]["log"] == game
    assert inside.data("--profile", "Zoë", "verify", game)["exit"] == 0
    assert [one["name"] for one in inside.data("--profile", "Zoë", "peers", "list")] == ["Bob"]
    port = program.data("--profile", "Zoë", "listen", "--port", "0")["port"]
    program.data(*bob, "connect", f"127.0.0.1:{port}")
    people = program.data("--profile", "Zoë", "status")["tables"][0]["people"]
    assert sorted(one["name"] for one in people) == ["Bob", "Zoë"], "and others see the new name"


def test_a_name_that_is_set_is_told_at_a_rename(three: Program) -> None:
    three.out("--profile", "Ann", "config", "set", "name", "Annie")
    assert three.out("profiles", "rename", "Ann", "Zoe").splitlines() == [
        "Renamed Ann to Zoe.",
        "Others still see Annie, the name in its settings. To use the profile's name: "
        "p2pcards --profile Zoe config clear name",
    ]
    assert listed(three)["Zoe"]["name"] == "Annie"


def test_removing_asks_and_says_what_goes(program: Program) -> None:
    inside = program.inside()
    inside.out("profiles", "add", "Ann", "--switch")
    program.data("play", "hearts", "--seed", "1")
    program.out("stop")
    fingerprint = inside.data("identity")["fingerprint"]
    with AtTerminal(program, "profiles", "remove", "Ann") as terminal:
        asked = terminal.until(r"Remove Ann for good\?[^?]*yes/no ")[0]
        terminal.type("no\r")
        assert terminal.end() == 0
    assert " ".join(asked.split()) == (
        f"Remove Ann for good? You lose 1 game (1 unfinished), the identity {fingerprint}, 0 friends, "
        "0 phone numbers, all settings. yes/no"
    )
    assert playing(inside) == "Ann"
    with AtTerminal(program, "profiles", "remove", "Ann") as terminal:
        terminal.until("yes/no ")
        terminal.type("yes\r")
        terminal.until("Removed Ann")
        assert terminal.end() == 0
    assert [*listed(inside)] == ["Default"] and playing(inside) == "Default"
    assert list((program.home / "profiles").iterdir()) == []


def test_a_profile_whose_files_are_damaged_can_be_removed(three: Program) -> None:
    folder = three.home / "profiles" / "ann-1"
    (folder / "logs").write_text("no folder")
    (folder / "peers.json").write_text("{")
    (folder / "identity.pem").write_text("no key")
    assert listed(three)["Ann"]["games"] is None
    with AtTerminal(three, "profiles", "remove", "Ann") as terminal:
        terminal.until(r"the games \(unreadable\), the identity \(unreadable")
        terminal.type("yes\r")
        assert terminal.end() == 0
    assert [*listed(three)] == ["Default", "Bob"]


def test_a_person_is_asked_who_plays_where_they_want_it(program: Program) -> None:
    inside = program.inside()
    inside.out("config", "set", "ask_profile", "on")
    inside.out("config", "set", "ask", "never")
    with AtTerminal(program, "resume") as terminal:
        assert terminal.end() != 0 and "Who's playing" not in terminal.text, "there is one"
    inside.out("profiles", "add", "Ann")
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        terminal.until(r"Who's playing\? \[Default\], or \? for a list: ")
        terminal.type("?\r")
        terminal.until(r"Default\s+Ann\s+Who's playing")
        terminal.type("Anna\r")
        terminal.until(r"There's no profile 'Anna'. Did you mean 'Ann'\?\s+Who's playing")
        terminal.type("ann\r")
        assert terminal.end() == 0
    assert playing(inside) == "Ann" and listed(inside)["Ann"]["games"] == 1
    with AtTerminal(program) as terminal:
        terminal.until(r"Who's playing\? \[Ann\]")
        terminal.type("\r")
        terminal.until("You're playing as Ann")
        assert terminal.end() == 0
    with AtTerminal(program, "--profile", "Default", "status") as terminal:
        assert terminal.end() == 0 and "Who's playing" not in terminal.text


def test_a_name_is_asked_for_where_the_profile_has_none_of_its_own(program: Program) -> None:
    """The first name is asked for as ever; a player with a profile goes by its name."""
    program.inside().out("profiles", "add", "Ann")
    with AtTerminal(program, "play", "hearts", "--profile", "Ann", "--detached") as terminal:
        assert terminal.end() == 0
        assert "Your name" not in terminal.text
    with AtTerminal(program, "play", "hearts", "--detached") as terminal:
        terminal.until("Your name at the table")
        terminal.type("Zoe\r")
        assert terminal.end() == 0
    assert listed(program.inside())["Default"]["name"] == "Zoe"


def test_profiles_below_xdg_folders(program: Program) -> None:
    """Where a home has no folder of its own, and nobody sets P2PCARDS_HOME."""
    with tempfile.TemporaryDirectory(prefix="p2p") as folder:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "P2PCARDS_"))}
        environment |= {"XDG_STATE_HOME": f"{folder}/s", "XDG_CONFIG_HOME": f"{folder}/c", "XDG_RUNTIME_DIR": folder}

        def run(*words: str) -> str:
            done = run_forked(words, environment, "")
            assert done.returncode == 0, done.stderr
            return done.stdout

        Path(folder).chmod(0o700)
        run("profiles", "add", "Ann", "--switch")
        run("config", "set", "forced", "on")
        assert Path(f"{folder}/c/p2pcards/profiles/ann-1/settings.toml").exists()
        table = json.loads(run("play", "hearts", "--json"))["table"]
        assert Path(f"{folder}/p2pcards/control-ann-1.sock").is_socket()
        assert table in run("status") and "running" in run("profiles")
        run("stop")
        run("profiles", "remove", "Ann", "--yes")
        assert not list(Path(folder).rglob("ann-1*"))
