"""The page that a browser loads from a host, as it is served."""
