"""The full screen in a browser: a server on this machine, and in each tab a terminal in which p2pcards runs."""
