"""Whom we call: the address of a name that we know, and the code that was given for a call that is still to be made."""

from __future__ import annotations

from p2pcards.session.effects import CommandError
from p2pcards.store.home import Home
from p2pcards.store.peers import address_of, load_peers
from p2pcards.views.commands import Command
from p2pcards.wire.spoken import BadCode, Code, looks_like_code, read_code


class Invitations:
    """Those of one table."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._codes: dict[str, Code] = {}  # by address

    def invite(self, whom: str, code: str) -> str:
        """The address at which `whom`, a name or an address, is called. code: for that call, "" for none. Raises
        CommandError."""
        address = address_of(load_peers(self._home), whom)
        try:
            if code:
                self._codes[address] = read_code(code)
        except BadCode as bad:
            raise CommandError(str(bad)) from None
        return address

    def without_code(self, command: Command) -> Command:
        """An `invite` with the address of whom it names, and without its code, which is kept for the call. Raises
        CommandError."""
        if not command.arguments:
            return command
        whom, *more = command.arguments
        code = next((word for word in more if looks_like_code(word)), "")
        return Command("invite", (self.invite(whom, code), *[word for word in more if not looks_like_code(word)]))

    def code_for(self, address: str) -> Code | None:
        """The code for a call to this address, once."""
        return self._codes.pop(address, None)
