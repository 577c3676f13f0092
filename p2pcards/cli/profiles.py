"""`p2pcards profiles`: who plays on this machine."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import (
    AsJson,
    Failure,
    Yes,
    at_terminal,
    columns,
    default_home,
    named_profile,
    our_home,
    play_as,
    question,
    say,
    say_error,
    show,
)
from p2pcards.control.exits import DAEMON, USAGE

if TYPE_CHECKING:
    from p2pcards.store.files import Home

ProfileName = Annotated[str, typer.Argument(metavar="PROFILE", help="As `p2pcards profiles` shows it.")]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="One line of at most 24 characters. Others see it, too.")]

profiles = typer.Typer(rich_markup_mode=None, help="Who plays on this machine: identities, settings and games of each.")


@profiles.callback(invoke_without_command=True)
def list_or_do(context: typer.Context, as_json: AsJson = False) -> None:
    """Who plays on this machine: identities, settings and games of each."""
    if context.invoked_subcommand is None:
        list_all(as_json)


@profiles.command("list")
def list_all(as_json: AsJson = False) -> None:
    """List the profiles. The one that plays has a star; `p2pcards profiles` alone does it too."""
    from p2pcards.store.files import StoreError
    from p2pcards.store.profiles import list_profiles

    homes, faults = list_profiles(default_home())
    playing: Home | None = None
    try:
        playing = our_home()
    except StoreError as nobody:
        faults = (*faults, nobody.with_advice)
    data = [_data(home, home == playing) for home in homes]
    rows = [
        (
            "*" if one["current"] else "",
            one["profile"],
            one["name"],
            "?" if one["games"] is None else str(one["games"]),
            "runs" if one["daemon"] else "-",
        )
        for one in data
    ]
    show(data, columns([("", "profile", "others see", "games", "daemon"), *rows]), as_json)
    for fault in faults:
        say_error(fault)


@profiles.command()
def add(name: NewName, switch: Annotated[bool, typer.Option("--switch", help="Switch to it at once.")] = False) -> None:
    """Add a profile. Its settings are those of the Default profile until it has its own."""
    from p2pcards.store.profiles import add_profile

    home = add_profile(default_home(), name)
    if switch:
        switch_to(home.profile)
        return
    word = shlex.quote(home.profile)
    say(f"{home.profile} has a profile. To play so: p2pcards profiles switch {word}; once: p2pcards --profile {word}")


@profiles.command("switch")
def switch_to(profile: ProfileName) -> None:
    """Play as somebody else from now on. Tables that are open stay open."""
    from p2pcards.store.profiles import switch_to

    home = switch_to(default_home(), profile)
    say(f"{home.profile} plays from now on.")
    if (named := named_profile()) not in ("", home.profile):
        say(f"In this shell P2PCARDS_PROFILE counts before that: it names {named!r}.")
        play_as(home.profile)


@profiles.command()
def rename(
    profile: ProfileName, new: Annotated[str, typer.Argument(metavar="NEW", help="The name from now on.")]
) -> None:
    """Give a profile another name. It keeps its identity, its friends and its games."""
    from p2pcards.store.profiles import find_profile, rename_profile
    from p2pcards.store.settings import usable_settings

    default = default_home()
    found = find_profile(default, profile)
    with _no_daemon(found):
        home = rename_profile(default, found.profile, new)
    say(f"{found.profile} is called {home.profile} from now on.")
    if (shown := usable_settings(home).settings.name) != home.profile:
        back = f"p2pcards --profile {shlex.quote(home.profile)} config clear name"
        say(f"Others still see {shown}, which the settings say. To go by the name of the profile: {back}")


@profiles.command()
def remove(profile: ProfileName, yes: Yes = False) -> None:
    """Remove a profile for good, with its identity, its friends, its settings and its games."""
    from p2pcards.store.profiles import NOT_REMOVED, find_profile, refuse_default, remove_profile

    default = default_home()
    home = find_profile(default, profile)
    refuse_default(home, NOT_REMOVED)
    with _no_daemon(home):
        if not yes and not _means_it(home):
            say(f"{home.profile} stays.")
            return
        remove_profile(default, home.profile)
    say(f"{home.profile} is removed.")


def ask_who_plays() -> None:
    """Of a person at a terminal who has named nobody, where the settings want it and there are several profiles."""
    from p2pcards.store.profiles import ProfileError, list_profiles, switch_to
    from p2pcards.store.settings import usable_settings

    if named_profile() or not at_terminal():
        return
    default = default_home()
    names = [home.profile for home in list_profiles(default).homes]
    if len(names) == 1 or not usable_settings(home := our_home()).settings.ask_profile:
        return
    while True:
        answer = question(f"Who plays? [{home.profile}], or ? for a list: ") or home.profile
        if answer == "?":
            say("\n".join(names))
            continue
        try:
            switch_to(default, answer)
        except ProfileError as unknown:
            say(unknown.with_advice)
        else:
            return


def who_plays() -> str:
    """The profile that plays, "" where there is only one."""
    from p2pcards.store.profiles import list_profiles

    return our_home().profile if len(list_profiles(default_home()).homes) > 1 else ""


def _data(home: Home, current: bool) -> dict[str, Any]:
    from p2pcards.daemon.lock import wait_until_free
    from p2pcards.store.files import StoreError, login_name
    from p2pcards.store.logs import list_logs
    from p2pcards.store.settings import usable_settings

    try:
        games: int | None = len(list_logs(home))
    except StoreError:
        games = None
    return {
        "profile": home.profile,
        "current": current,
        "name": usable_settings(home).settings.name or login_name(),
        "games": games,
        "daemon": not wait_until_free(home.lock, 0.0),
        "state": os.fspath(home.state),
        "config": os.fspath(home.config),
    }


@contextmanager
def _no_daemon(home: Home) -> Iterator[None]:
    """None runs for this home, and none starts. Raises Failure."""
    from p2pcards.daemon.lock import AlreadyRuns, take_lock

    try:
        lock = take_lock(home.lock)
    except AlreadyRuns:
        stop = f"p2pcards --profile {shlex.quote(home.profile)} stop"
        raise Failure(
            f"The daemon of {home.profile} runs, so its files stay as they are. End it: {stop}", DAEMON
        ) from None
    try:
        yield
    finally:
        os.close(lock)


def _means_it(home: Home) -> bool:
    if not at_terminal():
        again = f"p2pcards profiles remove --yes {shlex.quote(home.profile)}"
        raise Failure(f"Removing is for good. If you mean it: {again}", USAGE)
    goes = ", ".join(_belongings(home))
    return question(f"Remove {home.profile} for good? This goes: {goes}. yes/no ").lower() in ("y", "yes")


def _belongings(home: Home) -> list[str]:
    """What is kept for a profile, in words; of what cannot be read, that it is there."""
    from p2pcards.store.files import StoreError

    told: list[str] = []
    for what, count in (("the games", _games), ("the identity", _identity), ("the friends", _friends)):
        try:
            told.append(count(home))
        except StoreError:
            told.append(f"{what}, which cannot be read")
    return [*told, "all settings"]


def _games(home: Home) -> str:
    from p2pcards.store.logs import UNFINISHED, indexed_logs
    from p2pcards.store.save_names import load_names

    logs, kept = indexed_logs(home), load_names(home)
    unfinished = [log for log, facts in logs if facts.state == UNFINISHED]
    open_ones = sum(not kept.is_thrown(log.stem, log.stamp) for log in unfinished)
    return f"{_number(len(logs), 'game')}{f' ({open_ones} unfinished)' if open_ones else ''}"


def _identity(home: Home) -> str:
    from p2pcards.store.identity import load_or_make_identity
    from p2pcards.wire.keys import fingerprint, public_bytes

    if not home.identity.exists():
        return "no identity yet"
    return f"the identity {fingerprint(public_bytes(load_or_make_identity(home)))}"


def _friends(home: Home) -> str:
    from p2pcards.store.directory import load_directory
    from p2pcards.store.identity import load_peers

    known = _number(len(load_peers(home)), "friend")
    return f"{known}, {_number(len(load_directory(home)), 'telephone number')}"


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
