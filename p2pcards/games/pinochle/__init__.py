"""Pinochle: its rules, a deal of it in whole numbers, what a seat has seen, and a novice."""
