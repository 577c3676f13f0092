"""Runs that repeat each other are quick: what the pure functions of the session gave for the very same arguments is
given again. Nothing is left out, as they depend on their arguments alone."""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import ModuleType
from typing import Any

import pytest

from p2pcards.ledger import advance, follower, payloads, verify, writer
from p2pcards.ledger.position import Position
from p2pcards.session import feed, followed_game, live_game, table
from p2pcards.wire import records
from p2pcards.wire.packing import Refused
from rigs import whole

PURE: tuple[tuple[ModuleType, str], ...] = (
    (table, "begin"),
    (table, "sign"),
    (follower, "advance"),
    (follower, "sign"),
    (follower, "read_record"),
    (follower, "read_start"),
    (writer, "advance"),
    (writer, "apply"),
    (writer, "check_entry"),
    (writer, "due"),
    (writer, "sign"),
    (writer, "read_record"),
    (feed, "tell_entry"),
    (live_game, "read_record"),
    (feed, "read_record"),
    (followed_game, "tell_entry"),
    (payloads, "begin"),
    (payloads, "decode_header"),
    (verify, "advance"),
    (verify, "read_record"),
    (whole, "verify_log"),
)
SIGNATURES = tuple([(module, "check_signature") for module in (advance, advance, advance, records)])
"""Several machines in one process check the same signature, and so does each log that is verified."""


def remember_pure(monkeypatch: pytest.MonkeyPatch, pure: tuple[tuple[ModuleType, str], ...] = PURE) -> None:
    memories: dict[Any, dict[Any, Any]] = {}
    for module, name in pure:
        function = getattr(module, name)
        monkeypatch.setattr(module, name, remembering(function, memories.setdefault(function, {})))


def remembered_signatures() -> Any:
    """A fixture, which is given a name in a file: each signature is checked once in all of its tests."""

    def remembered() -> Generator[None]:
        with pytest.MonkeyPatch.context() as patch:
            remember_pure(patch, SIGNATURES)
            yield

    return pytest.fixture(autouse=True, scope="module")(remembered)


def remembering(function: Callable[..., Any], memory: dict[Any, Any]) -> Callable[..., Any]:
    def ask(*arguments: Any) -> Any:
        key = tuple([key_of(argument) for argument in arguments])
        try:
            result, _ = memory[key]
        except KeyError:
            try:
                result = function(*arguments)
            except Refused as refusal:
                result = refusal
            memory[key] = (result, arguments)  # which keeps them alive, and so their identities apart
        if isinstance(result, Refused):
            raise result.with_traceback(None)
        return result

    return ask


def key_of(argument: Any) -> Any:
    """Positions are known by identity, as comparing them takes long; private keys are not compared at all."""
    if isinstance(argument, list):
        return tuple(argument)
    if isinstance(argument, Position) or argument.__hash__ is None or type(argument).__module__.startswith("crypto"):
        return id(argument)
    return argument
