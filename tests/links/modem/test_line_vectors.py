"""The files of protocol/vectors/modem against the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from making.modem_vectors import vectors
from p2pcards.links.modem.retransmission import HELLO_SEED, Deframer, call_seed, unframe

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "protocol/vectors/modem"
GIVEN = vectors()


@pytest.mark.parametrize("name", sorted({path.name for path in FOLDER.iterdir()} | set(GIVEN)))
def test_a_vector_is_what_the_code_does_and_the_script_gives(name: str) -> None:
    text = (FOLDER / name).read_text()
    assert text == GIVEN.get(name), "the protocol changed, or run scripts/made --part modem"
    vector = dict(line.split(": ") for line in text.splitlines())
    nonces = [bytes.fromhex(vector[f"nonce of the {side}"]) for side in ("caller", "answerer")]
    receiver = int(vector.get("receiver", 0))
    sender = 3 - receiver if receiver else int(vector["sender"])
    pieces = Deframer().feed(bytes.fromhex(vector["wire"]))
    seed = HELLO_SEED if name.startswith("hello") else call_seed(sender, *nonces)
    taken = [body.hex() for piece in pieces if (body := unframe(piece, seed)) is not None]
    assert taken == ([] if receiver else [vector["body"]])
