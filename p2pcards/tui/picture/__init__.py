"""A table as a picture: characters on a grid, each in an ink that has a name; no toolkit knows of it."""
