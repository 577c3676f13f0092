"""What `peers list` counts of each player."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from p2pcards.frontend.verdict import Conduct, count_conduct
from p2pcards.ledger.payloads import BrokenOff, LeftOut, Note, UntrueTakeover, note_payload
from p2pcards.store.files import Home, find_home, make_folders
from p2pcards.store.logs import MAGIC, encode_record
from p2pcards.wire.keys import public_bytes
from rigs.homes import unreadable
from rigs.people import by_hand

NOTES: list[Note] = [LeftOut(3, here=True), LeftOut(9, here=False), BrokenOff(bytes(16), 5, bytes(32), named=True)]
NOTES += [UntrueTakeover(4)]


def put(home: Home, name: str, payloads: Sequence[bytes]) -> None:
    data = MAGIC + b"".join([encode_record(payload) for payload in payloads])
    (home.logs / f"2026-11-20-hearts-{name}.log").write_bytes(data)


def test_it_is_counted_from_the_index(tmp_path: Path) -> None:
    home = find_home({"P2PCARDS_HOME": str(tmp_path)})
    make_folders(home)
    net = by_hand(2, game="hearts", preset="hearts-deluxe")
    for i in (1, 2, 0):
        net.say(i, "redeal" if i == 1 else "yes")
        net.run()
    assert net.at(0).redeals == (1,)
    put(home, "0001", net.log(1))
    put(home, "0002", [*net.log(1), *map(note_payload, NOTES)])
    put(home, "0003", [*net.log(1), note_payload(NOTES[0])[:-1]])  # false
    ann, bob, cy = [public_bytes(key) for key in net.keys]
    counted = count_conduct(home)
    assert counted.games == {ann: 2, bob: 2, cy: 2}
    assert counted.redeals == {ann: 0, bob: 2, cy: 0}
    assert (counted.broken_off, counted.left_out, counted.taken_over) == ({ann: 1}, {ann: 2}, {ann: 1})
    assert counted.faulty_strangers([]) == [ann] and counted.faulty_strangers([ann]) == []
    assert counted.names == {ann: "Ann"}
    unreadable(home)
    again: Conduct = count_conduct(home)
    assert again == counted
