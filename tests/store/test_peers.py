"""Known peers: their keys stay pinned, their names are harmless."""

import json
import subprocess
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from p2pcards.store.files import NAME_LIMIT, Home, StoreError, clean_name, find_home
from p2pcards.store.identity import (
    KeyChanged,
    Peer,
    address_of,
    by_address,
    by_key,
    by_name,
    check_key,
    forget,
    load_peers,
    remember,
    rename,
    trust,
)
from p2pcards.wire.crypto import Ed25519PrivateKey
from p2pcards.wire.keys import RefusedKey, fingerprint, public_bytes


def key(number: int) -> bytes:
    return public_bytes(Ed25519PrivateKey.from_private_bytes(number.to_bytes(32, "big")))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return find_home({"P2PCARDS_HOME": str(tmp_path)})


def test_a_peer_is_remembered_and_found(home: Home) -> None:
    assert load_peers(home) == ()
    anna = remember(home, key(1), "Anna", "192.0.2.7:15252", 100)
    assert anna == Peer("Anna", key(1), 100, 100, "192.0.2.7:15252")
    bea = remember(home, key(2), "bea", "", 120)
    peers = load_peers(home)
    assert peers == (anna, bea)
    assert by_key(peers, key(2)) == bea
    assert by_name(peers, "anna") == anna
    assert by_address(peers, "192.0.2.7:15252") == anna
    assert by_address(peers, "") is by_key(peers, key(3)) is by_name(peers, "cy") is None


def test_meeting_again_keeps_the_name_and_the_first_time(home: Home) -> None:
    remember(home, key(1), "anna", "192.0.2.7:15252", 100)
    assert remember(home, key(1), "queen", "", 200) == Peer("anna", key(1), 100, 200, "192.0.2.7:15252")
    assert remember(home, key(1), "anna", "192.0.2.8:1", 150) == Peer("anna", key(1), 100, 200, "192.0.2.8:1")
    assert len(load_peers(home)) == 1


def test_what_was_proven_once_stays_so(home: Home) -> None:
    assert remember(home, key(1), "anna", "", 100).proof == "first use"
    assert remember(home, key(1), "anna", "", 200, "code").proof == "code"
    assert remember(home, key(1), "anna", "", 300).proof == "code"
    assert trust(home, "ANNA").proof == "trusted"
    assert remember(home, key(1), "anna", "", 400, "code").proof == "trusted" == load_peers(home)[0].proof


def test_a_peer_gets_another_name(home: Home) -> None:
    anna = remember(home, key(1), "anna", "", 100)
    remember(home, key(2), "bea", "", 100)
    assert rename(home, "Anna", "Anna B.") == replace(anna, name="Anna B.")
    assert rename(home, "anna b.", "anna b.").name == "anna b."
    with pytest.raises(StoreError, match="You already know someone as 'BEA'"):
        rename(home, "anna b.", "BEA")
    with pytest.raises(StoreError, match="would be shown as 'x'"):
        rename(home, "anna b.", "--x")
    with pytest.raises(StoreError, match="You don't know anyone as 'ana b'") as unknown:
        rename(home, "ana b", "x")
    assert unknown.value.advice == "Did you mean 'anna b.'?"
    with pytest.raises(StoreError, match="You don't know anyone as 'ana b'"):
        trust(home, "ana b")
    assert {peer.name for peer in load_peers(home)} == {"anna b.", "bea"}


def test_a_file_from_before_there_were_codes_is_read(home: Home) -> None:
    anna = remember(home, key(1), "anna", "", 100)
    (entry,) = json.loads(home.peers.read_text())
    del entry["proof"]
    home.peers.write_text(json.dumps([entry]))
    assert load_peers(home) == (anna,)
    home.peers.write_text(json.dumps([entry | {"proof": "hearsay"}]))
    with pytest.raises(StoreError, match="anna's proof isn't valid"):
        load_peers(home)


def test_strangers_do_not_fill_the_list(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.store.identity.UNPROVEN_LIMIT", 2)
    remember(home, key(1), "anna", "", 100)
    remember(home, key(2), "bea", "", 100, "code")
    remember(home, key(3), "cy", "", 100)
    with pytest.raises(StoreError, match="people whose keys aren't confirmed"):
        remember(home, key(4), "dee", "", 100)
    assert remember(home, key(4), "dee", "", 100, "code").proof == "code"
    assert remember(home, key(1), "anna", "", 200).last_seen == 200


def test_a_name_stands_for_an_address_only_if_it_was_proven(home: Home) -> None:
    remember(home, key(1), "anna", "192.0.2.7:4747", 100, "code")
    remember(home, key(2), "nas", "192.0.2.8:4747", 100)
    remember(home, key(3), "cy", "", 100, "code")
    remember(home, key(4), "x.example.org", "192.0.2.9:4747", 100, "code")
    peers = load_peers(home)
    assert address_of(peers, "Anna") == "192.0.2.7:4747"
    for text in ("nas", "cy", "x.example.org", "192.0.2.1"):
        assert address_of(peers, text) == text


def test_equal_names_get_a_number(home: Home) -> None:
    names = [remember(home, key(n), name, "", n).name for n, name in enumerate(["pi", "Pi", "pi", "x" * 30, "x" * 30])]
    assert names == ["pi", "Pi-2", "pi-3", "x" * 24, "x" * 22 + "-2"]


def test_names_that_look_the_same_get_a_number(home: Home) -> None:
    names = [remember(home, key(n), name, "", n).name for n, name in enumerate(["Ann", "Аnn", "Ａｎｎ", "A.n n"])]
    assert names == ["Ann", "Аnn-2", "Ａｎｎ-3", "A.n n-4"]
    with pytest.raises(StoreError, match="You already know someone as 'Ann', which looks like 'Αnn'"):
        rename(home, "A.n n-4", "Αnn")


def test_another_key_at_the_address_of_a_known_peer_is_refused(home: Home) -> None:
    anna = remember(home, key(1), "an na", "192.0.2.7:15252", 100)
    with pytest.raises(KeyChanged) as refused:
        remember(home, key(2), "an na", "192.0.2.7:15252", 200)
    assert (refused.value.peer, refused.value.shown) == (anna, key(2))
    assert fingerprint(key(1)) in str(refused.value)
    assert fingerprint(key(2)) in str(refused.value)
    assert "p2pcards peers forget 'an na'" in refused.value.advice
    assert load_peers(home) == (anna,)
    forget(home, "an na")
    assert remember(home, key(2), "an na", "192.0.2.7:15252", 300).name == "an na"


def test_another_key_under_a_name_that_was_asked_for_is_refused(home: Home) -> None:
    remember(home, key(1), "anna", "", 100)
    peers = load_peers(home)
    check_key(by_name(peers, "anna"), key(1))
    check_key(by_name(peers, "nobody"), key(2))
    with pytest.raises(KeyChanged):
        check_key(by_name(peers, "anna"), key(2))


def test_a_known_peer_may_move_to_the_address_of_another(home: Home) -> None:
    remember(home, key(1), "anna", "192.0.2.7:1", 100)
    remember(home, key(2), "bea", "192.0.2.8:1", 100)
    bea = remember(home, key(2), "bea", "192.0.2.7:1", 200)
    assert load_peers(home) == (Peer("anna", key(1), 100, 100, ""), bea)
    assert bea.address == "192.0.2.7:1"


def test_forget_strikes_a_peer_and_offers_the_nearest_name(home: Home) -> None:
    anna = remember(home, key(1), "anna", "", 100)
    with pytest.raises(StoreError, match="You don't know anyone as 'ana'") as refused:
        forget(home, "ana")
    assert refused.value.advice == "Did you mean 'anna'?"
    assert forget(home, "ANNA") == anna
    assert load_peers(home) == ()
    with pytest.raises(StoreError) as refused:
        forget(home, "\x1b[2Janna")
    assert "\x1b" not in str(refused.value)


def test_a_key_that_anyone_can_sign_for_is_not_remembered(home: Home) -> None:
    with pytest.raises(RefusedKey):
        remember(home, bytes(32), "anna", "", 100)
    assert load_peers(home) == ()


def test_the_file_is_sorted_and_readable(home: Home) -> None:
    for number, name in enumerate(["bea", "Änne", "anna"]):
        remember(home, key(number), name, f"192.0.2.7:{number}", 100 + number)
    text = home.peers.read_text()
    assert [entry["name"] for entry in json.loads(text)] == ["anna", "bea", "Änne"]
    assert '\n    "name": "Änne",\n' in text
    assert home.peers.stat().st_mode & 0o777 == 0o600


GOOD = {"name": "anna", "key": key(1).hex(), "first_seen": 1, "last_seen": 2, "address": ""}


def changed(**values: object) -> bytes:
    return json.dumps([GOOD | values]).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        b"[1]",
        json.dumps([{}]).encode(),
        json.dumps([GOOD, GOOD]).encode(),
        json.dumps([GOOD, GOOD | {"key": key(2).hex(), "name": "ANNA"}]).encode(),
        changed(more=1),
        changed(name="a\u202eb"),
        changed(name=7),
        changed(key="00" * 32),
        changed(key=key(1).hex()[:-1]),
        changed(key=None),
        changed(first_seen=True),
        changed(last_seen="2"),
        changed(address=None),
        changed(address="\x1b[2J"),
    ],
)
def test_a_damaged_file_is_refused_and_kept(home: Home, data: bytes) -> None:
    home.peers.write_bytes(data)
    for use in (lambda: load_peers(home), lambda: remember(home, key(3), "cy", "", 1), lambda: forget(home, "anna")):
        with pytest.raises(StoreError, match="damaged") as refused:
            use()
        assert "move it aside" in refused.value.advice
    assert home.peers.read_bytes() == data


def test_the_undamaged_form_of_the_same_file_is_read(home: Home) -> None:
    home.peers.write_bytes(changed())
    assert load_peers(home) == (Peer("anna", key(1), 1, 2, ""),)


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \t of\nCologne ", "Anna of Cologne"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07anna", "anna"),
        ("\x9b2Janna\x00\x7f", "anna"),
        ("a\u202eb\u2066c\u200dd\ufeff", "abcd"),
        ("--help", "help"),
        ("- -", "stranger"),
        ("", "stranger"),
        ("\u3164\u2800", "stranger"),
        ("\u0301\u0302", "stranger"),
        ("a" + "\u0336" * 20 + "b", "a\u0336\u0336b"),
        ("e\u0301", "é"),
        ("x" * 25, "x" * 24),
        ("山田", "山田"),
    ],
)
def test_names_are_cleaned(given_name: str, shown: str) -> None:
    assert clean_name(given_name) == shown


@given(st.text(max_size=40) | st.text(alphabet="ab-\x1b[m \u0301\u0327\u200d\u3164\u1100\u1161\u11a8\u115f\u202e"))
@example("e\u200d\u0301")
def test_a_cleaned_name_is_one_harmless_line_and_stays_as_it_is(name: str) -> None:
    cleaned = clean_name(name)
    assert 1 <= len(cleaned) <= NAME_LIMIT
    assert cleaned.isprintable()
    assert not any(unicodedata.category(letter)[0] == "C" for letter in cleaned)
    assert not cleaned.startswith("-")
    assert clean_name(cleaned) == cleaned


@settings(max_examples=25)
@given(st.lists(st.text(max_size=30), max_size=6))
def test_whatever_peers_call_themselves_the_file_can_be_read_again(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path_factory.mktemp("home"))})
    met = [remember(home, key(number), name, "", number) for number, name in enumerate(names)]
    assert set(load_peers(home)) == set(met)
    assert len(load_peers(home)) == len(names)


MEET = """
import sys
from p2pcards.store.files import find_home
from p2pcards.store.identity import remember
home = find_home({"P2PCARDS_HOME": sys.argv[1]})
for line in sys.stdin:
    remember(home, bytes.fromhex(line), "pi", "", 1)
"""


def test_processes_that_write_at_once_lose_no_peer(home: Home) -> None:
    keys = [key(number) for number in range(30)]
    writers = [
        subprocess.Popen([sys.executable, "-c", MEET, str(home.state)], stdin=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for number, writer in enumerate(writers):
        assert writer.stdin
        writer.stdin.write("".join(each.hex() + "\n" for each in keys[number::2]))
        writer.stdin.close()
    assert [writer.wait() for writer in writers] == [0, 0]
    peers = load_peers(home)
    assert {peer.key for peer in peers} == set(keys)
    assert {peer.name for peer in peers} == {"pi", *(f"pi-{n}" for n in range(2, 31))}
