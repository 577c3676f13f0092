"""`p2pcards profiles`: who plays on this machine."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from p2pcards.cli.command import Failure, current_home, default_home, named_profile, set_profile
from p2pcards.cli.options import AsJson, Yes
from p2pcards.cli.terminal import ask_line, ask_yes, is_interactive, print_error, print_result, print_text
from p2pcards.control.exits import DAEMON, USAGE
from p2pcards.games.wording import quantity_text
from p2pcards.present.width import align_columns

if TYPE_CHECKING:
    from p2pcards.store.files import Home

ProfileName = Annotated[str, typer.Argument(metavar="PROFILE", help="A profile (see `p2pcards profiles`).")]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="A name of at most 24 characters; others see it.")]

ABOUT = "Manage profiles, one for each player on this machine. Each has its own identity, friends, settings and games."
profiles = typer.Typer(rich_markup_mode=None, help=ABOUT)


@profiles.callback(invoke_without_command=True, help=ABOUT)
def list_unless_command(context: typer.Context, as_json: AsJson = False) -> None:
    if context.invoked_subcommand is None:
        list_all(as_json)


@profiles.command("list")
def list_all(as_json: AsJson = False) -> None:
    """List the profiles. A star marks the current one; `p2pcards profiles` shows the same list."""
    from p2pcards.store.files import StoreError
    from p2pcards.store.profiles import list_profiles

    homes, faults = list_profiles(default_home())
    playing: Home | None = None
    try:
        playing = current_home()
    except StoreError as nobody:
        faults = (*faults, nobody.with_advice)
    data = [_profile_data(home, home == playing) for home in homes]
    rows = [
        (
            "*" if one["current"] else "",
            one["profile"],
            one["name"],
            "?" if one["games"] is None else str(one["games"]),
            "running" if one["daemon"] else "-",
        )
        for one in data
    ]
    print_result(data, align_columns([("", "profile", "others see", "games", "daemon"), *rows]), as_json)
    for fault in faults:
        print_error(fault)


@profiles.command()
def add(name: NewName, switch: Annotated[bool, typer.Option("--switch", help="Switch to it.")] = False) -> None:
    """Add a profile. It uses the Default profile's settings until you change them."""
    from p2pcards.store.profiles import add_profile

    home = add_profile(default_home(), name)
    if switch:
        switch_to(home.profile)
        return
    word = shlex.quote(home.profile)
    print_text(
        f"Added {home.profile}. To switch: p2pcards profiles switch {word}. For one command: p2pcards --profile {word}"
    )


@profiles.command("switch")
def switch_to(profile: ProfileName) -> None:
    """Switch to another profile. Open tables stay open."""
    from p2pcards.store.profiles import switch_to

    home = switch_to(default_home(), profile)
    print_text(f"You're playing as {home.profile} from now on.")
    if (named := named_profile()) not in ("", home.profile):
        print_text(f"In this shell P2PCARDS_PROFILE overrides that: it's {named!r}.")
        set_profile(home.profile)


@profiles.command()
def rename(profile: ProfileName, new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")]) -> None:
    """Rename a profile. It keeps its identity, friends and games."""
    from p2pcards.store.profiles import find_profile, rename_profile
    from p2pcards.store.settings import usable_settings

    default = default_home()
    found = find_profile(default, profile)
    with _without_daemon(found):
        home = rename_profile(default, found.profile, new)
    print_text(f"Renamed {found.profile} to {home.profile}.")
    if (shown := usable_settings(home).settings.name) != home.profile:
        back = f"p2pcards --profile {shlex.quote(home.profile)} config clear name"
        print_text(f"Others still see {shown}, the name in its settings. To use the profile's name: {back}")


@profiles.command()
def remove(profile: ProfileName, yes: Yes = False) -> None:
    """Remove a profile for good. Its identity, friends, settings and games go, too."""
    from p2pcards.store.profiles import NOT_REMOVED, find_profile, refuse_default, remove_profile

    default = default_home()
    home = find_profile(default, profile)
    refuse_default(home, NOT_REMOVED)
    with _without_daemon(home):
        if not yes and not _confirm_removal(home):
            print_text(f"Kept {home.profile}.")
            return
        remove_profile(default, home.profile)
    print_text(f"Removed {home.profile}.")


def ask_profile() -> None:
    """Ask which profile plays, and use it: at a terminal, where none was named, the settings want it and there are
    several."""
    from p2pcards.store.profiles import ProfileError, list_profiles, switch_to
    from p2pcards.store.settings import usable_settings

    if named_profile() or not is_interactive():
        return
    default = default_home()
    names = [home.profile for home in list_profiles(default).homes]
    if len(names) == 1 or not usable_settings(home := current_home()).settings.ask_profile:
        return
    while True:
        answer = ask_line(f"Who's playing? [{home.profile}], or ? for a list: ") or home.profile
        if answer == "?":
            print_text("\n".join(names))
            continue
        try:
            switch_to(default, answer)
        except ProfileError as unknown:
            print_text(unknown.with_advice)
        else:
            return


def current_profile_label() -> str:
    """The name of the current profile, "" where it is the only one."""
    from p2pcards.store.profiles import list_profiles

    return current_home().profile if len(list_profiles(default_home()).homes) > 1 else ""


def _profile_data(home: Home, current: bool) -> dict[str, Any]:
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
def _without_daemon(home: Home) -> Iterator[None]:
    """Make sure that no daemon runs for this home, or starts meanwhile. Raises Failure."""
    from p2pcards.daemon.lock import AlreadyRuns, take_lock

    try:
        lock = take_lock(home.lock)
    except AlreadyRuns:
        stop = f"p2pcards --profile {shlex.quote(home.profile)} stop"
        raise Failure(
            f"{home.profile}'s daemon is running, so nothing was changed. Stop it first: {stop}", DAEMON
        ) from None
    try:
        yield
    finally:
        os.close(lock)


def _confirm_removal(home: Home) -> bool:
    if not is_interactive():
        again = f"p2pcards profiles remove --yes {shlex.quote(home.profile)}"
        raise Failure(f"Removing a profile is permanent. To confirm: {again}", USAGE)
    goes = ", ".join(_belongings_lines(home))
    return ask_yes(f"Remove {home.profile} for good? You lose {goes}. yes/no ")


def _belongings_lines(home: Home) -> list[str]:
    """What a profile holds, in words; of what cannot be read, that it exists."""
    from p2pcards.store.files import StoreError

    told: list[str] = []
    for what, count in (("the games", _games_text), ("the identity", _identity_text), ("the friends", _friends_text)):
        try:
            told.append(count(home))
        except StoreError:
            told.append(f"{what} (unreadable)")
    return [*told, "all settings"]


def _games_text(home: Home) -> str:
    from p2pcards.store.logs import UNFINISHED, indexed_logs
    from p2pcards.store.save_names import load_names

    logs, kept = indexed_logs(home), load_names(home)
    unfinished = [log for log, facts in logs if facts.state == UNFINISHED]
    open_ones = sum(not kept.is_thrown(log.stem, log.stamp) for log in unfinished)
    return f"{quantity_text(len(logs), 'game')}{f' ({open_ones} unfinished)' if open_ones else ''}"


def _identity_text(home: Home) -> str:
    from p2pcards.store.identity import load_or_make_key
    from p2pcards.wire.keys import fingerprint

    if not home.identity.exists():
        return "no identity yet"
    return f"the identity {fingerprint(load_or_make_key(home))}"


def _friends_text(home: Home) -> str:
    from p2pcards.store.directory import load_directory
    from p2pcards.store.identity import load_peers

    known = quantity_text(len(load_peers(home)), "friend")
    return f"{known}, {quantity_text(len(load_directory(home)), 'phone number')}"
