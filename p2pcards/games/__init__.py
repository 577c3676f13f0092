"""The games: pure functions from state to state, one folder a game, and beside them what games share."""
