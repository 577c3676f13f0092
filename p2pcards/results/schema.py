"""The file in which results are kept, and how one of an earlier version becomes one of this.

It is derived from the logs and the facts (`results.facts`), so nothing is lost with it. Version n of the schema is what
the first n steps make; a step is never changed once it was released.
"""

from __future__ import annotations

import sqlite3

TABLES = ("games", "players", "seats", "ratings", "figures", "logs", "applied")
STEPS = (
    """
    CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        ended INTEGER NOT NULL,      -- milliseconds of unix time
        level TEXT NOT NULL,         -- the highest of a computer player, '' without any
        won INTEGER NOT NULL,
        counts INTEGER NOT NULL,     -- 0: not won by anybody, or reset
        log TEXT,                    -- its name; NULL when it was deleted
        result BLOB NOT NULL         -- results.result, packed
    );
    CREATE INDEX by_time ON games (ended, id);
    CREATE INDEX by_game_and_time ON games (game, ended, id);
    CREATE TABLE players (
        who TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,          -- the last one
        seen INTEGER NOT NULL        -- when its game ended
    ) WITHOUT ROWID;
    CREATE TABLE seats (
        number INTEGER NOT NULL REFERENCES games,
        seat INTEGER NOT NULL,
        game TEXT NOT NULL,
        counts INTEGER NOT NULL,
        who TEXT NOT NULL,
        subject TEXT NOT NULL,       -- whose rating it is
        won INTEGER NOT NULL,
        points INTEGER NOT NULL,
        against INTEGER NOT NULL,
        margin INTEGER NOT NULL,     -- by how much it was better than the others
        mu REAL,                     -- the rating after the game; NULL where it is not rated
        sigma REAL,
        PRIMARY KEY (number, seat)
    ) WITHOUT ROWID;
    CREATE INDEX by_player ON seats (game, counts, who, won, points, against);
    CREATE INDEX by_points ON seats (game, counts, points);
    CREATE INDEX by_against ON seats (game, counts, against);
    CREATE INDEX by_margin ON seats (game, counts, won, margin);
    CREATE INDEX by_who ON seats (counts, who, won, points, against);
    CREATE INDEX by_subject ON seats (game, subject) WHERE mu IS NOT NULL;
    CREATE TABLE ratings (
        game TEXT NOT NULL,
        subject TEXT NOT NULL,
        mu REAL NOT NULL,
        sigma REAL NOT NULL,
        games INTEGER NOT NULL,
        PRIMARY KEY (game, subject)
    ) WITHOUT ROWID;
    CREATE TABLE figures (
        number INTEGER NOT NULL REFERENCES games,
        game TEXT NOT NULL,
        counts INTEGER NOT NULL,
        figure TEXT NOT NULL,
        hits INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (number, figure)
    ) WITHOUT ROWID;
    CREATE INDEX by_figure ON figures (game, counts, figure, hits, tries);
    CREATE TABLE logs (
        name TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        changed INTEGER NOT NULL,    -- nanoseconds of unix time
        state TEXT NOT NULL          -- 'kept': its game is in the book; 'open'; 'unreadable'
    ) WITHOUT ROWID;
    CREATE INDEX not_kept ON logs (name) WHERE state != 'kept';
    CREATE TABLE applied (
        facts INTEGER NOT NULL       -- bytes of the facts that are in here
    );
    INSERT INTO applied VALUES (0);
    """,
    # A game with others counts only where its log has something of ours that is signed, so those logs are read again.
    """
    UPDATE logs SET state = 'open', size = -1
        WHERE name IN (SELECT log FROM games JOIN seats USING (number) WHERE who LIKE 'peer:%');
    ALTER TABLE applied ADD COLUMN taken_out INTEGER NOT NULL DEFAULT 0;
    """,
)
VERSION = len(STEPS)


class NewerBook(Exception):
    """The file was made by a later version of this program."""


def prepare(connection: sqlite3.Connection) -> None:
    """Make or migrate the tables. Raises NewerBook, and sqlite3.DatabaseError for what is no such file."""
    if _version(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        for step in STEPS[_version(connection) :]:
            for statement in step.split(";\n"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise NewerBook
    return int(version)
