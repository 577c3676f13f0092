"""Bytes to frozen messages and back, signatures, and the chain that links entries."""
