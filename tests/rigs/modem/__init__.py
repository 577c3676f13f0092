"""Modems: one that follows a script, and two independent ones made of DOSBox."""
