"""The one error of this room, whose text is a sentence for the player."""

import errno
import os


class StoreError(Exception):
    """Something on disk is not as needed. `str(error)` says what happened and why, `error.advice` what to try, and
    `error.with_advice` both."""

    def __init__(self, happened: str, advice: str = "") -> None:
        super().__init__(happened)
        self.advice = advice

    @property
    def with_advice(self) -> str:
        return f"{self} {self.advice}".rstrip()


_SPACE = "Free some space, or set P2PCARDS_HOME to a folder on another disk."
_ELSEWHERE = "Set P2PCARDS_HOME to a folder of your own that can be written."
_REASONS: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("the disk is full", _SPACE),
    errno.EDQUOT: ("your disk quota is used up", _SPACE),
    errno.EFBIG: ("the file would grow over the size allowed here", "Look at 'ulimit -f', or free some space."),
    errno.EROFS: (
        "the disk is read-only",
        "Make it writable again, or set P2PCARDS_HOME to a folder of your own that can be written.",
    ),
    errno.EACCES: ("permission denied", "Look who owns it (ls -ld), or set P2PCARDS_HOME to a folder of your own."),
    errno.EPERM: ("not permitted", _ELSEWHERE),
    errno.ENOTDIR: ("a part of the path is a file, not a folder", _ELSEWHERE),
    errno.EISDIR: ("it is a folder, not a file", "Move the folder aside."),
    errno.ENOENT: ("it does not exist and cannot be made", _ELSEWHERE),
    errno.ELOOP: ("its symbolic links lead in a circle", _ELSEWHERE),
    errno.ENAMETOOLONG: ("the path is too long", "Set P2PCARDS_HOME to a shorter path."),
    errno.EIO: ("the disk reports a fault", "Copy your files to another disk soon."),
    errno.EMFILE: ("too many files are open", "Close other programs, or look at 'ulimit -n'."),
    errno.ENFILE: ("too many files are open", "Close other programs."),
}


def told(error: OSError, failed: str) -> StoreError:
    """The operating system's `error` as a sentence that begins with `failed`, such as "Cannot write PATH"."""
    why, advice = _REASONS.get(error.errno or 0, (os.strerror(error.errno) if error.errno else str(error), ""))
    return StoreError(f"{failed}: {why}.", advice)
