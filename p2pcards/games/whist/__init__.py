"""Whist: its rules, a deal of it in whole numbers, what a seat has seen, a novice, and what is told."""
