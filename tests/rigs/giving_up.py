"""When a test stops waiting."""

GIVE_UP = 300.0
"""Seconds after which what has not happened will not happen any more. Nothing is measured by it: no load of the machine
makes a test that passes take so long."""
