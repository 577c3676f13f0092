"""The rules of every game: pure functions from state to state, one file per game."""
