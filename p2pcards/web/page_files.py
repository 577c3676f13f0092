"""The files of the page, and what the browser may do with them: nothing but talk to the server that they come from."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "page"

FILES = {
    "": ("index.html", b"text/html; charset=utf-8"),
    "page.css": ("page.css", b"text/css; charset=utf-8"),
    "page.js": ("page.js", b"text/javascript; charset=utf-8"),
    "xterm.css": ("xterm.css", b"text/css; charset=utf-8"),
    "xterm.mjs": ("xterm.mjs", b"text/javascript; charset=utf-8"),
}
"""By the name that follows the token: the file, and its kind."""

POLICY = (
    # xterm.js writes its colours and sizes into the page as styles.
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = [
    (b"Connection", b"close"),
    (b"Cache-Control", b"no-store"),
    (b"Content-Security-Policy", POLICY.encode()),
    (b"Cross-Origin-Opener-Policy", b"same-origin"),
    (b"Cross-Origin-Resource-Policy", b"same-origin"),
    (b"Referrer-Policy", b"no-referrer"),
    (b"X-Content-Type-Options", b"nosniff"),
]


def page_file(name: str) -> tuple[bytes, bytes] | None:
    """The file of this name and its kind, None if there is none."""
    if name not in FILES:
        return None
    file, kind = FILES[name]
    return (FOLDER / file).read_bytes(), kind
