"""Novices: one file of rules of thumb per game, pure functions over a view."""
