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
    FINE: "everything went well",
    UNEXPECTED: "anything that has no code of its own",
    USAGE: "the command cannot be carried out as given",
    NETWORK: "the other side or the port cannot be had",
    REFUSED: "the other side refused, or it is not who it was",
    LINE: "the telephone line or the modem failed",
    UNFINISHED: "the game in the log did not come to its end",
    DAMAGED: "the log is damaged, or was not signed so",
    STORAGE: "a file cannot be read or written",
    DAEMON: "the daemon does not answer, or is of another build",
}
