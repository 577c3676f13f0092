"""The identity: made once, no matter who starts first, and never silently replaced."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from p2pcards.store.files import Home, StoreError, find_home
from p2pcards.store.identity import load_or_make_identity
from p2pcards.wire.crypto import Ed25519PrivateKey, Ed25519PublicKey, X25519PrivateKey
from p2pcards.wire.keys import public_bytes

Limit = Callable[[int], AbstractContextManager[None]]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path / "home")})


def test_the_identity_is_made_once_and_private(home: Home) -> None:
    made = load_or_make_identity(home)
    loaded = load_or_make_identity(home)
    Ed25519PublicKey.from_public_bytes(public_bytes(made)).verify(loaded.sign(b"hello"), b"hello")
    assert home.identity.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_mode_that_lets_others_in_is_refused(home: Home, mode: int) -> None:
    load_or_make_identity(home)
    home.identity.chmod(mode)
    with pytest.raises(StoreError, match="Other users") as refused:
        load_or_make_identity(home)
    assert f"chmod 600 {home.identity}" in refused.value.advice


def damaged_files() -> list[bytes]:
    good = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    other_kind = X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    locked_up = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
    )
    return [b"", b"\0" * 32, good[:-40], good.replace(b"M", b"!"), other_kind, locked_up]


@pytest.mark.parametrize("data", damaged_files(), ids=["empty", "zeros", "cut", "letters", "x25519", "encrypted"])
def test_a_damaged_file_is_refused_and_kept(home: Home, data: bytes) -> None:
    home.state.mkdir()
    home.identity.touch(0o600)
    home.identity.write_bytes(data)
    with pytest.raises(StoreError, match="damaged") as refused:
        load_or_make_identity(home)
    assert "Restore" in refused.value.advice
    assert home.identity.read_bytes() == data


def test_a_folder_in_its_place_gets_a_sentence(home: Home) -> None:
    home.identity.mkdir(parents=True)
    with pytest.raises(StoreError, match="Can't read your identity"):
        load_or_make_identity(home)


def test_a_full_disk_leaves_no_identity_and_the_next_start_makes_one(home: Home, file_size_limit: Limit) -> None:
    with file_size_limit(5), pytest.raises(StoreError, match="Can't write"):
        load_or_make_identity(home)
    assert not home.identity.exists()
    load_or_make_identity(home)


START = """
import sys
from p2pcards.store.files import find_home
from p2pcards.store.identity import load_or_make_identity
from p2pcards.wire.keys import public_bytes
home = find_home({"P2PCARDS_HOME": sys.argv[1]})
print("ready", flush=True)
sys.stdin.readline()
print(public_bytes(load_or_make_identity(home)).hex())
"""


def test_processes_that_start_at_once_agree_on_one_identity(home: Home) -> None:
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", START, str(home.state)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for racer in racers:
        assert racer.stdout
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin
        racer.stdin.write("go\n")
        racer.stdin.flush()
    keys = {racer.communicate()[0] for racer in racers}
    assert keys == {public_bytes(load_or_make_identity(home)).hex() + "\n"}
