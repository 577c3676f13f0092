"""Where files are, and what a home that cannot be used says."""

import grp
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from p2pcards.store.files import (
    SOCKET_PATH_LIMIT,
    Home,
    StoreError,
    find_home,
    locked,
    make_folders,
    private_folder,
    read_whole,
    refuse_writable,
    store_error,
    write_whole,
)

Limit = Callable[[int], AbstractContextManager[None]]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def home_in(folder: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(folder)}, short=folder / "short")


def test_p2pcards_home_puts_every_file_under_one_folder() -> None:
    home = find_home({"P2PCARDS_HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/"})
    files = (home.identity, home.peers, home.settings, home.logs, home.socket, home.lock, home.diagnostics)
    assert all(file.is_relative_to("/h") for file in files)
    assert len(set(files)) == len(files)


def test_a_relative_p2pcards_home_stays_where_it_was_when_the_daemon_changes_folder() -> None:
    assert find_home({"P2PCARDS_HOME": "here"}).state == Path.cwd() / "here"


def test_xdg_folders_and_their_defaults(tmp_path: Path) -> None:
    home = find_home({"HOME": "/u"})
    assert (home.state, home.config) == (Path("/u/.local/state/p2pcards"), Path("/u/.config/p2pcards"))
    assert home.socket.parent == home.state / "run"
    given = {"XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c", "XDG_RUNTIME_DIR": str(tmp_path), "HOME": "/u"}
    home = find_home(given)
    assert (home.state, home.config) == (Path("/s/p2pcards"), Path("/c/p2pcards"))
    assert home.socket.parent == tmp_path / "p2pcards"
    home = find_home({"XDG_STATE_HOME": "s", "XDG_RUNTIME_DIR": "/not/there", "HOME": "/u"})
    assert home == find_home({"HOME": "/u"})


def test_without_home_the_system_knows_the_folder_of_the_user() -> None:
    assert find_home({}).state.is_absolute()


def test_a_long_socket_path_moves_to_a_short_folder_and_differs_by_home(tmp_path: Path) -> None:
    deep = tmp_path / ("ü" * SOCKET_PATH_LIMIT)
    first, second = (find_home({"P2PCARDS_HOME": f"{deep}{n}"}).socket for n in "12")
    assert first.parent == Path(f"/tmp/p2pcards-{os.geteuid()}")
    assert first != second
    assert len(os.fsencode(first)) <= SOCKET_PATH_LIMIT
    assert first == find_home({"P2PCARDS_HOME": f"{deep}1"}).socket


def test_folders_are_made_private_with_their_parents(tmp_path: Path) -> None:
    home = home_in(tmp_path / "a" / "b")
    make_folders(home)
    make_folders(home)
    folders = (tmp_path / "a", home.state, home.logs, home.socket.parent)
    assert [mode(folder) for folder in folders] == [0o700] * 4


def test_a_folder_of_the_users_own_choice_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_folders(home_in(tmp_path))
    assert mode(tmp_path) == 0o755


@pytest.mark.parametrize("folder", ["", "logs"])
def test_a_home_that_others_may_write_is_refused_with_what_mends_it(tmp_path: Path, folder: str) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path / "home")})
    make_folders(home)
    shared = home.state / folder
    shared.chmod(0o707)
    with pytest.raises(StoreError, match="Other users can write to") as refused:
        make_folders(home)
    assert refused.value.with_advice.endswith(f"Try: chmod go-w {shared}")
    shared.chmod(0o755)
    make_folders(home)


def test_a_group_may_write_if_nobody_else_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o770)
    user = pwd.getpwuid(os.geteuid())
    group = tmp_path.stat().st_gid
    for name, members, refused in ((user.pw_name, [], False), (user.pw_name, ["eve"], True), ("staff", [], True)):
        found = grp.struct_group((name, "x", group, members))
        monkeypatch.setattr(grp, "getgrgid", lambda _, found=found: found)
        if refused:
            with pytest.raises(StoreError, match="Other users can write to"):
                refuse_writable(tmp_path, "who could")
        else:
            refuse_writable(tmp_path, "who could")


def test_a_socket_folder_that_others_can_reach_is_refused(tmp_path: Path) -> None:
    home = home_in(tmp_path / ("x" * SOCKET_PATH_LIMIT))
    folder = home.socket.parent
    make_folders(home)
    folder.chmod(0o711)
    with pytest.raises(StoreError, match="Other users can access") as refused:
        make_folders(home)
    assert "chmod 700" in refused.value.advice
    folder.rmdir()
    (tmp_path / "mine").mkdir(0o700)
    folder.symlink_to(tmp_path / "mine")
    with pytest.raises(StoreError, match="a link"):
        make_folders(home)
    folder.unlink()
    folder.touch()
    with pytest.raises(StoreError, match="isn't a folder"):
        make_folders(home)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_socket_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    home = home_in(tmp_path)
    make_folders(home)
    os.chown(home.socket.parent, 65534, 65534)
    with pytest.raises(StoreError, match="belongs to another user"):
        make_folders(home)


@contextmanager
def ordinary_user() -> Iterator[Path]:
    """A folder of an ordinary user, and that user's rights, also when root runs the tests."""
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    try:
        if root:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o700)
        shutil.rmtree(folder)


def test_a_home_without_permission_says_so() -> None:
    with ordinary_user() as folder:
        home = home_in(folder / "home")
        folder.chmod(0o500)
        with pytest.raises(StoreError, match=r"Can't create the folder .*: permission denied"):
            make_folders(home)
        with pytest.raises(StoreError, match=r"Can't create the folder .*: permission denied"):
            write_whole(home.peers, b"")
        home = home_in(folder)
        with pytest.raises(StoreError, match="permission denied"):
            make_folders(home)
        with pytest.raises(StoreError, match=r"Can't write .*: permission denied"):
            write_whole(home.peers, b"")
        with pytest.raises(StoreError, match=r"Can't write .*: permission denied"), locked(home.peers):
            pass
        folder.chmod(0o700)
        home.peers.touch(0o200)
        with pytest.raises(StoreError, match=r"Can't read .*: permission denied"):
            read_whole(home.peers)


def test_a_home_that_is_a_file_or_below_one_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="isn't a folder"):
        make_folders(home_in(tmp_path / "file"))
    with pytest.raises(StoreError, match="part of the path is a file"):
        make_folders(home_in(tmp_path / "file" / "below"))
    with pytest.raises(StoreError, match="can't be created"):
        make_folders(home_in(Path("/proc/p2pcards")))


READ_ONLY = """
import sys
from p2pcards.store.files import StoreError
from p2pcards.store.files import find_home, make_folders
for folder in sys.argv[1:]:
    try:
        make_folders(find_home({"P2PCARDS_HOME": folder}))
    except StoreError as error:
        print(error, error.advice)
"""


def test_a_read_only_disk_says_so(tmp_path: Path) -> None:
    if not shutil.which("unshare"):
        pytest.skip("no unshare here")
    script = 'mount -t tmpfs none "$1" && mkdir -p "$1/logs" && mount -o remount,ro "$1" && "$2" -c "$3" "$1" "$1/new"'
    command = ["unshare", "-rm", "sh", "-c", script, "sh", str(tmp_path), sys.executable, READ_ONLY]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("no right to mount a disk of our own here")
    sentences = done.stdout.splitlines()
    assert len(sentences) == 2
    assert all(
        "the disk is read-only. Make it writable again, or set P2PCARDS_HOME" in sentence for sentence in sentences
    )


def test_write_whole_replaces_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    for data in (b"first", b"", b"second" * 1000):
        write_whole(path, data)
        assert read_whole(path) == data
    assert mode(path) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_write_keeps_the_old_bytes_and_leaves_nothing_beside(tmp_path: Path, file_size_limit: Limit) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    with file_size_limit(1000), pytest.raises(StoreError, match=r"Can't write .*: the file would get too big"):
        write_whole(path, bytes(2000))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "dotfiles" / "settings", tmp_path / "settings"
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_read_whole_tells_absence_from_failure(tmp_path: Path) -> None:
    assert read_whole(tmp_path / "none") is None
    with pytest.raises(StoreError, match="Can't read"):
        read_whole(tmp_path)


def test_a_lock_that_is_never_given_free_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.store.files._LOCK_WAIT", 0.0)
    path = tmp_path / "file"
    with locked(path), pytest.raises(StoreError, match="Another p2pcards has been using"), locked(path):
        pass
    with locked(path):
        pass


def test_private_folder_accepts_a_link_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    private_folder(tmp_path / "link")
    (tmp_path / "dangling").symlink_to(tmp_path / "none")
    with pytest.raises(StoreError, match="isn't a folder"):
        private_folder(tmp_path / "dangling")


def test_an_error_without_a_known_reason_still_reads_well() -> None:
    assert str(store_error(OSError(75, "any"), "Can't read X")) == f"Can't read X: {os.strerror(75)}."
    assert str(store_error(OSError("odd"), "Can't read X")) == "Can't read X: odd."


def test_an_error_says_with_its_advice_what_to_try() -> None:
    assert StoreError("It is full.", "Free some space.").with_advice == "It is full. Free some space."
    assert StoreError("It is full.").with_advice == "It is full."
