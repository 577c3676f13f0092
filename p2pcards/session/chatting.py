"""Chat: what is said is made safe to show, and nobody can flood a table."""

from __future__ import annotations

from p2pcards.session.guests import Guest
from p2pcards.wire.clean import clean
from p2pcards.wire.messages import CHAT_SIZE

MOST = 20
"""Lines that one person may say in `SECONDS` seconds; further ones are dropped."""
SECONDS = 10.0


def clean_chat(text: str) -> str:
    return clean(text, CHAT_SIZE)


def too_fast(guest: Guest, now: float) -> bool:
    recent = tuple([time for time in guest.said_at if time > now - SECONDS])
    guest.said_at = (*recent, now) if len(recent) < MOST else recent
    return len(recent) >= MOST
