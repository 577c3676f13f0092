"""The commands of a coordinator's player about watchers. They raise CommandError."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.session.effects import CommandError, Effect, Tell
from p2pcards.session.gallery import LONGEST_DELAY, Policy, Watcher
from p2pcards.session.table import Table
from p2pcards.views.happenings import Notice
from p2pcards.wire.reasons import ByeCode

POLICIES = {
    Policy.OFF: "Nobody can watch.",
    Policy.ASK: "You're asked before anyone watches.",
    Policy.ON: "Anyone who can join can watch.",
}
USAGE = "Type 'watchers off', 'watchers ask' or 'watchers on', or 'watchers delay 60' to show them everything later."


def watchers(table: Table, arguments: Sequence[str], now: float) -> list[Effect]:
    """Command: set who may watch and with what delay, or answer a request; with no argument, show the settings."""
    word, *rest = [one.lower() for one in arguments] or [""]
    if word in ("yes", "no"):
        return _answer(table, word == "yes", " ".join(rest))
    if word == "delay" and len(rest) == 1:
        return _set_delay(table, rest[0], now)
    if rest or word not in ("", *Policy):
        raise CommandError(USAGE)
    if not word:
        return [Tell(Notice(_state(table)))]
    table.gallery.set_policy(Policy(word))
    told: list[Effect] = [Tell(Notice(POLICIES[table.gallery.policy]))]
    if table.gallery.policy is Policy.ON:
        asking = [one for one in table.gallery.everyone if one.asks]
        return told + [effect for one in asking for effect in table.let_in_watcher(one)]
    everyone = table.gallery.everyone if table.gallery.policy is Policy.OFF else ()
    return told + [effect for one in [*everyone] for effect in _send_away(table, one, ByeCode.NO_WATCHING)]


def _state(table: Table) -> str:
    """How watching is set, and who watches, as sentences."""
    gallery = table.gallery
    later = f" They see everything {gallery.delay} s later." if gallery.delay else ""
    names = ", ".join([one.shown for one in gallery.watching])
    return f"{POLICIES[gallery.policy]}{later} Watching now: {names or 'nobody'}."


def _set_delay(table: Table, said: str, now: float) -> list[Effect]:
    if not said.isdecimal() or int(said) > LONGEST_DELAY:
        raise CommandError(f"Give a delay from 0 to {LONGEST_DELAY} seconds, for example: watchers delay 60")
    table.gallery.set_delay(int(said), now)
    later = f"Watchers see everything {int(said)} s later." if int(said) else "Watchers see everything as it happens."
    return [Tell(Notice(later))]


def _answer(table: Table, yes: bool, said: str) -> list[Effect]:
    """Let in a watcher who asks, or turn them away. said: their name, "" for the only one."""
    asking = [one for one in table.gallery.everyone if one.asks]
    named = [one for one in asking if said in ("", one.shown.lower())]
    if len(named) != 1:
        names = ", ".join([one.shown for one in asking])
        raise CommandError(f"Who? Asking to watch: {names}." if asking else "Nobody is asking to watch.")
    return table.let_in_watcher(named[0]) if yes else put_out_watcher(table, named[0], ByeCode.NO_WATCHING)


def put_out_watcher(table: Table, watcher: Watcher, code: ByeCode) -> list[Effect]:
    """Send a watcher away, also when they call again."""
    table.gallery.refuse(watcher.key)
    return _send_away(table, watcher, code)


def _send_away(table: Table, watcher: Watcher, code: ByeCode) -> list[Effect]:
    return [*watcher.hang_up(code), *table.lose_watcher(watcher, "was sent away")]


def named_in_gallery(table: Table, said: str) -> Watcher | None:
    """The watcher of this name, None if there is none."""
    return next((one for one in table.gallery.everyone if one.shown.casefold() == said.casefold()), None)
