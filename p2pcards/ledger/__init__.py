"""A log and how it grows: positions, entries that may follow, the writer, the follower, verification."""
