"""A home that other users of the machine may write, with real daemons."""

from __future__ import annotations

from pathlib import Path

from p2pcards.control.exits import STORAGE
from rigs.own_program import OwnProgram
from rigs.program import Program
from rigs.programs_at_tables import until


def test_a_home_that_others_may_write_has_no_daemon(program: Program) -> None:
    program.home.mkdir()
    program.home.chmod(0o777)
    code, said = program.refused("play", "hearts", "--json")
    assert code == STORAGE
    assert f"Other users can write to {program.home}" in said and f"chmod go-w {program.home}" in said
    program.home.chmod(0o700)
    assert program.data("play", "hearts")["table"] == "t1"


def test_commands_of_settings_that_others_may_write_are_not_run(program: Program, tmp_path: Path) -> None:
    own = OwnProgram(tmp_path)
    settings = program.home / "settings.toml"
    program.inside().out("config", "set", "hook", f"{own.command} rang")
    program.out("play", "hearts", "--json")
    until(lambda: bool(own.got))
    program.out("stop")
    before = own.got
    settings.chmod(0o646)
    done = program("play", "hearts", "--json")
    assert done.returncode == 0 and f"Other users can write to {settings}" in done.stderr
    assert f"chmod go-w {settings}" in done.stderr
    assert program.data("status")["tables"][0]["phase"] == "play"
    program.out("stop")
    assert own.got == before
