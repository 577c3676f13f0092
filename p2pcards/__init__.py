"""Card games played peer to peer, without a server and without a trusted dealer."""

__version__ = "0.3.0"
