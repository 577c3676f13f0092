"""Coordinator and listener as state machines without I/O and without a clock."""
