"""The table in a browser: its front end, the server on this machine, and the worker in which all of it runs."""
