"""Exit codes of the p2pcards command: defined here, and printed by the documents and the help from `MEANINGS`."""

from __future__ import annotations

FINE = 0
UNEXPECTED = 1
USAGE = 2
NETWORK = 3
REFUSED = 4
LINE = 5
UNFINISHED = 6
DAMAGED = 7
STORAGE = 8
DAEMON = 9

MEANINGS = {
    FINE: "success",
    UNEXPECTED: "any other error",
    USAGE: "invalid command, option or value",
    NETWORK: "no connection, or the port is taken",
    REFUSED: "the peer refused, or its key has changed",
    LINE: "the phone line or the modem failed",
    UNFINISHED: "the game in the log isn't finished",
    DAMAGED: "the log is damaged or doesn't match what was signed",
    STORAGE: "a file can't be read or written",
    DAEMON: "the daemon doesn't answer, or is from another build",
}
